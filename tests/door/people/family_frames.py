from __future__ import annotations

from tests.door.people import Case

CASES = []


def _wide():
    import pandas as pd

    return pd.DataFrame(
        {"MMLU": [88.7, 82.0, 86.1, 79.0], "GSM8K": [94.2, 93.0, None, 91.1], "HumanEval": [90.2, 81.7, 84.1, 81.7]},
        index=pd.Index(["gpt-4o", "llama-3-70b", "qwen2.5-72b", "gemini-1.5-flash"], name="model"),
    )


CASES.append(
    Case(
        name="frames_pandas_model_index",
        family="frames",
        call="frame",
        frame=_wide,
        lists={
            "*": [
                [["gpt-4o"], ["qwen2.5-72b"], ["llama-3-70b"], ["gemini-1.5-flash"]],
                [["gpt-4o"], ["llama-3-70b"], ["gemini-1.5-flash"]],
                [["gpt-4o"], ["qwen2.5-72b"], ["llama-3-70b", "gemini-1.5-flash"]],
            ]
        },
        rankers={"*": ["MMLU", "GSM8K", "HumanEval"]},
        note="A pandas leaderboard with the models as the index, named model, and a NaN for a benchmark not run.",
    )
)


def _pyterrier():
    import pandas as pd

    return pd.DataFrame(
        [
            ("BM25", "1", "FT911-3", 12.4, 0),
            ("BM25", "1", "LA0101", 11.0, 1),
            ("BM25", "1", "FR940-2", 9.7, 2),
            ("BM25", "2", "LA0207", 8.8, 0),
            ("BM25", "2", "FT911-3", 8.1, 1),
            ("DPH", "1", "LA0101", 7.3, 0),
            ("DPH", "1", "FT911-3", 6.9, 1),
            ("DPH", "2", "FT911-3", 5.5, 0),
            ("DPH", "2", "FBIS3-1", 5.2, 1),
            ("DPH", "2", "LA0207", 4.0, 2),
        ],
        columns=["name", "qid", "docno", "score", "rank"],
    )


CASES.append(
    Case(
        name="frames_pyterrier_concat",
        family="frames",
        call="frame",
        frame=_pyterrier,
        lists={
            "1": [[["FT911-3"], ["LA0101"], ["FR940-2"]], [["LA0101"], ["FT911-3"]]],
            "2": [[["LA0207"], ["FT911-3"]], [["FT911-3"], ["FBIS3-1"], ["LA0207"]]],
        },
        rankers={"1": ["BM25", "DPH"], "2": ["BM25", "DPH"]},
        note="Two PyTerrier result frames put together with a name column; PyTerrier's rank starts at 0.",
    )
)


def _grid():
    import pandas as pd

    return pd.DataFrame(
        {
            "voter": ["Anna", "Bilal", "Chen", "Dora", "Emil"],
            "Alice": [1, 2, 1, 3, None],
            "Ben": [2, 1, 3, 1, 1],
            "Cleo": [3, 3, 2, 2, 2],
            "Dan": [4, 4, 4, 4, None],
        }
    )


CASES.append(
    Case(
        name="frames_pandas_rank_grid",
        family="frames",
        call="frame",
        frame=_grid,
        lists={
            "*": [
                [["Alice"], ["Ben"], ["Cleo"], ["Dan"]],
                [["Ben"], ["Alice"], ["Cleo"], ["Dan"]],
                [["Alice"], ["Cleo"], ["Ben"], ["Dan"]],
                [["Ben"], ["Cleo"], ["Alice"], ["Dan"]],
                [["Ben"], ["Cleo"]],
            ]
        },
        rankers={"*": ["Anna", "Bilal", "Chen", "Dora", "Emil"]},
        note="A grid of voters by candidates with places 1 to 4 (every row counts 1, 2, 3, ... once); Emil left two open, so pandas made floats.",
    )
)


def _multiindex():
    import pandas as pd

    idx = pd.MultiIndex.from_tuples(
        [("q1", "d1"), ("q1", "d2"), ("q1", "d3"), ("q2", "d1"), ("q2", "d4")], names=["query_id", "doc_id"]
    )
    return pd.DataFrame({"bm25": [7.1, 9.4, 3.3, 4.8, 6.0], "dense": [0.81, 0.77, float("nan"), 0.69, 0.64]}, index=idx)


CASES.append(
    Case(
        name="frames_multiindex_query_doc",
        family="frames",
        call="frame",
        frame=_multiindex,
        lists={
            "q1": [[["d2"], ["d1"], ["d3"]], [["d1"], ["d2"]]],
            "q2": [[["d4"], ["d1"]], [["d1"], ["d4"]]],
        },
        rankers={"q1": ["bm25", "dense"], "q2": ["bm25", "dense"]},
        note="Scores of two retrievers side by side, indexed by query_id and doc_id; NaN where a retriever did not return the document.",
    )
)


def _categorical():
    import pandas as pd

    df = pd.DataFrame(
        [
            ("Rossi", "Bridge repair", "excellent"),
            ("Rossi", "Skate park", "fair"),
            ("Rossi", "Library hours", "good"),
            ("Nguyen", "Bridge repair", "good"),
            ("Nguyen", "Skate park", "good"),
            ("Nguyen", "Library hours", "poor"),
            ("Okafor", "Bridge repair", "fair"),
            ("Okafor", "Library hours", "excellent"),
        ],
        columns=["reviewer", "proposal", "rating"],
    )
    df["reviewer"] = df["reviewer"].astype("category")
    df["proposal"] = df["proposal"].astype("category")
    df["rating"] = pd.Categorical(df["rating"], categories=["poor", "fair", "good", "excellent"], ordered=True)
    return df


CASES.append(
    Case(
        name="frames_ordered_categorical_long",
        family="frames",
        call="frame",
        frame=_categorical,
        lists={
            "*": [
                [["Bridge repair"], ["Library hours"], ["Skate park"]],
                [["Bridge repair", "Skate park"], ["Library hours"]],
                [["Library hours"], ["Bridge repair"]],
            ]
        },
        rankers={"*": ["Rossi", "Nguyen", "Okafor"]},
        note="A long pandas frame of reviewers' verdicts as an ordered categorical, poor < fair < good < excellent.",
    )
)


def _stars():
    import polars as pl

    return pl.DataFrame(
        {
            "respondent": ["r01", "r02", "r03", "r04"],
            "Cafe Luna": [5, 4, None, 2],
            "Espresso Lab": [3, 5, 4, 2],
            "The Grind": [4, 1, 4, None],
        }
    )


CASES.append(
    Case(
        name="frames_polars_star_grid",
        family="frames",
        call="frame",
        frame=_stars,
        lists={
            "*": [
                [["Cafe Luna"], ["The Grind"], ["Espresso Lab"]],
                [["Espresso Lab"], ["Cafe Luna"], ["The Grind"]],
                [["Espresso Lab", "The Grind"]],
                [["Cafe Luna", "Espresso Lab"]],
            ]
        },
        sure=False,
        note="A Polars pivot of 1 to 5 star ratings, respondents by cafes; the owner means 5 as best, but the numbers alone could be places.",
    )
)


def _battles():
    import pyarrow as pa

    return pa.table(
        {
            "model_a": ["gpt-4o", "claude-3.5-sonnet", "gemini-1.5-pro", "gpt-4o", "llama-3.1-70b"],
            "model_b": ["llama-3.1-70b", "gpt-4o", "claude-3.5-sonnet", "gemini-1.5-pro", "gemini-1.5-pro"],
            "winner": ["model_a", "model_a", "tie", "model_b", "tie (bothbad)"],
            "language": ["English", "English", "German", "English", "Chinese"],
            "turn": [1, 2, 1, 1, 3],
        }
    )


CASES.append(
    Case(
        name="frames_pyarrow_battles",
        family="frames",
        call="frame",
        frame=_battles,
        lists={
            "*": [
                [["gpt-4o"], ["llama-3.1-70b"]],
                [["claude-3.5-sonnet"], ["gpt-4o"]],
                [["gemini-1.5-pro", "claude-3.5-sonnet"]],
                [["gemini-1.5-pro"], ["gpt-4o"]],
                [["llama-3.1-70b", "gemini-1.5-pro"]],
            ]
        },
        note="Chatbot Arena battles as a pyarrow table (read from Parquet) with its usual language and turn columns.",
    )
)
