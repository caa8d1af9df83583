"""Numbers from the unit tests of search engines, written down as facts, against the spelling in migration.md."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.command_line import Run, runner

from stagg import DataError, DataWarning, InvalidParameter, Rankings, fuse, read
from stagg.kernels.lists.tool_norms import bounded_as_opensearch, normalised_as
from stagg.methods import METHODS

MIGRATION = Path(__file__).parents[2] / "docs/migration.md"

Lists = list[dict[str, float]]


def fused(method: str, lists: Lists, weights: list[float] | None = None) -> dict[str, float]:
    return {
        str(item): score
        for item, score in fuse(Rankings.from_scores(lists), method, weights=weights).to_dict()["1"].items()
    }


def of_list(method: str, scores: list[float]) -> list[float]:
    """What the scores of one list become."""
    found = fused(method, [{f"{place:02}": score for place, score in enumerate(scores)}])
    return [found[item] for item in sorted(found)]


# --- OpenSearch neural-search -----------------------------------------------------------------------------------------


@pytest.fixture
def stagg(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary)


@pytest.mark.parametrize(
    ("scores", "weights", "geometric", "harmonic"),
    [
        ([1.0, 0.5, 0.3], [0.45, 0.15, 0.4], 0.5567, 0.48),
        ([1.0, 0.0, 0.6], [0.45, 0.15, 0.4], 0.7863, 0.7611),  # their deltas are 0.0001
        ([1.0, 0.5, 0.3], [1.0, 1.0, 1.0], 0.15 ** (1 / 3), 3 / (1 + 2 + 1 / 0.3)),
        ([1.0, -1.0, 0.6], [1.0, 1.0, 1.0], 0.6**0.5, 2 / (1 + 1 / 0.6)),
    ],
)
def test_the_means_of_opensearch(scores: list[float], weights: list[float], geometric: float, harmonic: float) -> None:
    """combination/GeometricMeanScoreCombinationTechniqueTests, HarmonicMean..., and the formulas in both of them."""
    lists = [{"d": score} for score in scores]
    assert fused("geometric_mean(norm='none')", lists, weights)["d"] == pytest.approx(geometric, abs=1e-4)
    assert fused("harmonic_mean(norm='none')", lists, weights)["d"] == pytest.approx(harmonic, abs=1e-4)


@pytest.mark.parametrize(
    ("options", "scores", "expected"),
    [
        ("", [0.5, 0.2], [1.0, 0.001]),
        ("", [0.9, 0.7, 0.1], [1.0, 0.75, 0.001]),
        ("", [2.9, 0.7], [1.0, 0.001]),
        ("", [0.7], [1.0]),
        ("", [1.5, 1.0, 2.0], [0.5, 0.001, 1.0]),
        ("low=0.3, bounds='apply'", [0.5, 0.1, 0.8], [0.4, 0.001, 1.0]),
        ("low=0.3, bounds='apply'", [0.2, 0.1, 0.8], [1 / 7, 0.001, 1.0]),  # theirs says 0.143
        ("low=0.3, bounds='clip'", [0.5, 0.2, 0.8], [0.4, 0.001, 1.0]),
        ("low=0.3", [0.1, 0.2, 0.8], [0.001, 0.001, 1.0]),
        ("low=5", [1.0, 0.0, 10.0], [0.001, 0.001, 1.0]),
        ("high=0.6, bounds='apply'", [0.5, 0.1, 0.8], [0.8, 0.001, 1.0]),
        ("high=0.6, bounds='apply'", [0.7, 0.1, 0.8], [6 / 7, 0.001, 1.0]),  # theirs says 0.857
        ("high=0.6", [0.5, 0.2, 0.8], [0.75, 0.001, 1.0]),
        ("high=0.6", [0.7, 0.2, 0.8], [1.0, 0.001, 1.0]),
        ("high=5", [9.0, 0.0, 10.0], [1.0, 0.001, 1.0]),
        ("low=0.1", [0.5, 0.2], [1.0, 0.25]),
        ("low=0.1", [0.1], [1.0]),
        ("high=0.9", [0.5, 0.2], [0.42857146, 0.001]),
        ("low=0.8", [0.1, 0.2, 0.8], [0.001, 0.001, 1.0]),  # by LowerBound.java: the bound is the largest score
        ("high=0.1", [0.1, 0.2, 0.8], [1.0, 1.0, 1.0]),  # by UpperBound.java: it is the smallest
    ],
)
def test_min_max_and_its_bounds_in_opensearch(options: str, scores: list[float], expected: list[float]) -> None:
    """normalization/MinMaxScoreNormalizationTechniqueTests and MinMaxScoreNormalizerTests."""
    found = of_list(f"combsum(norm='min-max', compat='opensearch'{options and ', '}{options})", scores)
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("norm", "scores", "expected"),
    [
        ("l2", [2.0, 3.0], [0.5547, 0.8321]),  # their deltas are 0.0001
        ("l2", [4.0, 5.0], [0.6247, 0.7809]),
        ("l2", [1.0], [1.0]),
        ("z-score", [2.0, 7.0, 8.0], [0.001, 0.41478074, 0.72586626]),
        ("z-score", [4.0, 5.0, 10.0], [0.001, 0.001, 1.1406468]),
        ("z-score", [1.0], [1.0]),
        (
            "z-score",
            [0.1, 0.2, 0.3],
            [0.001, 0.3, 1.0],
        ),  # ZScoreNormalizationTechnique.java: 0.2 is the mean, in floats
    ],
)
def test_the_other_norms_of_opensearch(norm: str, scores: list[float], expected: list[float]) -> None:
    """normalization/L2ScoreNormalizationTechniqueTests, ZScoreNormalizationTechniqueTests."""
    found = of_list(f"combsum(norm='{norm}', compat='opensearch')", scores)
    assert found == pytest.approx(expected, abs=6e-5 if norm == "l2" else 1e-6)


def test_rrf_of_opensearch() -> None:
    """normalization/RRFNormalizationTechniqueTests: 1 / (60 + rank), the rank from 1."""
    lists = [{"2": 0.5, "4": 0.2}, {"3": 0.9, "4": 0.7, "2": 0.1}]
    expected = {"2": 1 / 61 + 1 / 63, "3": 1 / 61, "4": 1 / 62 + 1 / 62}
    assert fused("rrf(c=60)", lists) == pytest.approx(expected, abs=1e-9)


def test_bounds_beyond_all_scores_are_none_in_opensearch_and_huge_scores_do_not_overflow() -> None:
    """normalization/bounds/LowerBoundTests: a bound above the largest score gives the list's own smallest."""
    assert of_list("combsum(compat='opensearch', low=0.3)", [0.2, 0.1, 0.0]) == pytest.approx([1.0, 0.5, 0.001])
    for clip in (True, False):
        none, starts, scores = np.full(1, np.nan), np.zeros(1, dtype=np.intp), np.array([1e308, 0.0, -1e308])
        found = bounded_as_opensearch(scores, starts, none, none, clip=clip)
        assert found.tolist() == normalised_as("opensearch", "min-max", scores, starts).tolist() == [1.0, 0.5, 0.001]


# --- Weaviate ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weights", "lists", "expected"),
    [
        ([0.5, 0.5], [[1, 2, 3], [0, 1, 2]], {2: 1, 1: 0.5, 0: 0}),
        ([0.5, 0.5], [[0, 2, 0.1], [0, 0.2, 2]], {1: 0.55, 2: 0.525, 0: 0}),
        ([0.75, 0.25], [[0.5, 0.5, 0], [0, 0.01, 0.001]], {1: 1, 0: 0.75, 2: 0.025}),
        ([0.75, 0.25], [[1], []], {0: 0.75}),
        ([0.75, 0.25], [[], [1]], {0: 0.25}),
        ([0.75, 0.25], [[1, 2], []], {1: 0.75, 0: 0}),
        ([0.75, 0.25], [[], [1, 2]], {1: 0.25, 0: 0}),
        ([0.75, 0.25], [[1, 1], [1, 2]], {1: 1, 0: 0.75}),
        ([1], [[1, 2, 3]], {2: 1, 1: 0.5, 0: 0}),
        ([0.75, 0.25], [[1, 2, 3, 4], [1, 2, 3]], {3: 0.75, 2: 0.75, 1: 0.375, 0: 0}),
        ([0.75, 0.25, 0.1], [[1, 2, 3, 4], [1, 2, 3], [4, 5]], {3: 0.75, 2: 0.75, 1: 0.475, 0: 0}),
    ],
)
def test_the_relative_score_fusion_of_weaviate(
    weights: list[float], lists: list[list[float]], expected: dict[int, float]
) -> None:
    """usecases/traverser/hybrid/fusion_test.go, TestFusionRelativeScore."""
    given = [{str(place): float(score) for place, score in enumerate(each)} for each in lists]
    found = fused("combsum(norm='min-max', compat='weaviate')", given, weights)
    assert found == pytest.approx({str(item): score for item, score in expected.items()}, abs=1e-6)


def test_the_ranked_fusion_of_weaviate() -> None:
    """usecases/traverser/hybrid/hybrid_fusion.go, FusionRanked: w / (i + 60), i from 0."""
    found = fused("rrf(compat='weaviate')", [{"a": 2, "b": 1}, {"b": 9}], [0.3, 0.7])
    assert found == pytest.approx({"a": 0.3 / 60, "b": 0.3 / 61 + 0.7 / 60}, rel=1e-12)


# --- Qdrant -----------------------------------------------------------------------------------------------------------

QDRANT = "rrf(compat='qdrant')"


def test_rrf_of_qdrant() -> None:
    """lib/segment/src/common/reciprocal_rank_fusion.rs, test_rrf_scoring and test_rrf_scoring_one."""
    lists = [{"2": 0.9, "1": 0.8}, {"1": 0.7, "2": 0.6, "3": 0.5}, {"5": 0.9, "3": 0.5, "1": 0.4}]
    expected = {"1": 1.0833334, "2": 0.8333334, "3": 0.5833334, "5": 0.5}
    assert fused(QDRANT, lists) == pytest.approx(expected, abs=1e-6)
    assert fused(QDRANT, [{"1": 0.9}]) == {"1": 0.5}


def test_a_weight_divides_the_rank_in_qdrant() -> None:
    """test_rrf_scoring_weighted, ..._ratio and ..._zero_weight: 1 / ((position + 1) / w + k - 1)."""
    even = [{"1": 0.9, "2": 0.8}, {"2": 0.9, "1": 0.8}]
    assert len(set(fused(QDRANT, even).values())) == 1
    found = fused(QDRANT, even, [3.0, 1.0])
    assert found == pytest.approx({"2": 1 / (2 / 3 + 1) + 1 / 2, "1": 1 / (1 / 3 + 1) + 1 / 3}, rel=1e-12)
    lists = [{f"{first + place}": -float(place) for place in range(8)} for first in (11, 21)]
    best = sorted((found := fused("rrf(compat='qdrant', c=60)", lists, [3.0, 1.0])), key=found.__getitem__)[-10:]
    assert sum(item < "20" for item in best) >= 2 * sum(item > "20" for item in best)
    assert fused(QDRANT, [{"1": 0.9}, {"2": 0.9}], [1.0, 0.0]) == {"1": 0.5}  # theirs has "2" as well, with 0


# --- Elasticsearch ----------------------------------------------------------------------------------------------------


def test_rrf_of_elasticsearch() -> None:
    """RRFRankContextTests.testShardCombine (rank constant 1) and 320_rrf_weighted_retriever.yml."""
    lists = [{str(n): 11.0 - n for n in range(1, 11)}, {str(n): 16.0 - n for n in range(8, 16)}]
    found, expected = fused("rrf(c=1)", lists), ["8", "1", "9", "10", "2", "3", "4", "11", "5", "12"]
    assert sorted(found, key=lambda item: (-found[item], int(item)))[:10] == expected
    assert found["8"] == pytest.approx(1 / 9 + 1 / 2)
    weighted = fused("rrf(c=60)", [{"1": 1.0}, {"2": 1.0}], [0.1, 0.9])
    assert weighted == pytest.approx({"2": 0.01475, "1": 0.00164}, abs=1e-5)


@pytest.mark.parametrize(
    ("method", "weights", "lists", "expected"),
    [
        ("combsum(norm='none')", [0.5, 2.0], [{"1": 10.0}, {"4": 1.0}], {"1": 5.0, "4": 2.0}),
        (
            "combsum(norm='none')",
            [2, 3],
            [{"1": 10.0, "2": 5.0}, {"3": 5.0, "4": 4.0}],
            {"1": 20.0, "3": 15.0, "4": 12.0, "2": 10.0},
        ),
        (
            "combsum(norm='min-max', compat='elasticsearch')",
            [10, 2],
            [{"1": 10.0, "2": 9.0, "3": 5.0}, {"4": 1.0}],
            {"1": 10.0, "2": 8.0, "4": 2.0, "3": 0.0},
        ),
        ("combsum(norm='l2', compat='elasticsearch')", [1], [{"1": 3.0, "2": 4.0}], {"1": 0.6, "2": 0.8}),
        ("combsum(norm='l2', compat='elasticsearch')", [1], [{"1": 0.0, "2": 0.0}], {"1": 0.0, "2": 0.0}),
        ("combsum(norm='l2', compat='elasticsearch')", [1, 1], [{"1": 5.0}, {"4": 12.0}], {"1": 1.0, "4": 1.0}),
        # MinMaxScoreNormalizer.java and L2ScoreNormalizer.java have an EPSILON of 1e-6
        ("combsum(norm='min-max', compat='elasticsearch')", [1], [{"1": 7.0000005, "2": 7.0}], {"1": 7.0, "2": 7.0}),
        ("combsum(norm='l2', compat='elasticsearch')", [1e6], [{"1": 3e-7, "2": 4e-7}], {"1": 0.3, "2": 0.4}),
    ],
)
def test_the_linear_retriever_of_elasticsearch(
    method: str, weights: list[float], lists: Lists, expected: dict[str, float]
) -> None:
    """rest-api-spec/test/linear/10_linear_retriever.yml, ..._normalizers.yml and L2ScoreNormalizerTests."""
    assert fused(method, lists, weights) == pytest.approx(expected, abs=1e-6)


# --- theory, ranks of files, and the table ----------------------------------------------------------------------------


def test_theoretical_min_max_takes_the_least_of_each_formula() -> None:
    """Bruch, Gai & Ingber 2023: (s - m) / (max - m), m = 0 for BM25 and -1 for a cosine."""
    lists = {"bm25": {"a": 8.0, "b": 2.0}, "dense": {"b": 0.5, "c": -0.25}}
    found = fuse(Rankings.from_scores(lists), "combsum(low={'bm25': 0, 'dense': -1})").to_dict()["1"]
    assert found == pytest.approx({"a": 1.0, "b": 0.25 + 1.0, "c": 0.75 / 1.5}, rel=1e-12)


def test_the_ranks_of_a_file_stay_as_it_numbers_them(tmp_path: Path, stagg: Run) -> None:
    """Pyserini's reciprocal rank fusion takes the rank column: 1 / (k + rank)."""
    (tmp_path / "x.trec").write_text("q Q0 a 1 9 x\nq Q0 b 3 8 x\nq Q0 c 4 7 x\n")
    (tmp_path / "y.csv").write_text("query,item,rank\nq,b,2\nq,d,7\n")
    kept = read([tmp_path / "x.trec", tmp_path / "y.csv"], order_by="rank", keep_ranks=True)
    found = fuse(kept, "rrf(ranks='given')").to_dict()["q"]
    assert found == pytest.approx({"a": 1 / 61, "b": 1 / 63 + 1 / 62, "c": 1 / 64, "d": 1 / 67}, rel=1e-12)
    places = fuse(kept, "rrf").to_dict()["q"]
    assert places == fuse(read([tmp_path / "x.trec", tmp_path / "y.csv"], order_by="rank"), "rrf").to_dict()["q"]
    assert places["c"] == 1 / 63
    ran = stagg("fuse", tmp_path / "x.trec", "--order-by", "rank", "--keep-ranks", "--method", "rrf(ranks='given')")
    written = [float(line.split()[4]) for line in ran.out.splitlines()]
    assert written == pytest.approx([1 / 61, 1 / 63, 1 / 64], rel=1e-7)


def test_ranks_that_do_not_decide_or_are_not_there_are_not_kept(tmp_path: Path) -> None:
    (tmp_path / "x.trec").write_text("q Q0 a 0 9 x\nq Q0 b 3 8 x\n")
    (tmp_path / "y.csv").write_text("query,item,score\nq,b,2\n")
    with pytest.raises(DataError, match="keeps the ranks that decide the order; here the score does"):
        read(tmp_path / "x.trec", keep_ranks=True)
    with pytest.raises(DataError, match="here the score does"):
        read(tmp_path / "y.csv", keep_ranks=True)
    with pytest.raises(DataError, match="have no ranks of a file; read them with order_by='rank', keep_ranks=True"):
        fuse([["a", "b"]], "rrf(ranks='given')")
    with pytest.raises(DataError, match="a rank of the file is 0, so c must be above 0"):
        fuse(read(tmp_path / "x.trec", order_by="rank", keep_ranks=True), "rrf(c=0, ranks='given')")
    with pytest.raises(InvalidParameter, match="counts places"):
        METHODS.parse("rrf(compat='qdrant', ranks='given')")


def test_bounds_that_name_no_ranker_are_told_and_the_others_hold() -> None:
    lists = Rankings.from_scores({"bm25": {"a": 8.0, "b": 2.0}, "dense": {"b": 0.5, "c": -0.25}})
    with pytest.warns(DataWarning, match="no ranker 'bm26' to have bounds; did you mean 'bm25'"):
        found = fuse(lists, "combsum(low={'bm26': 0})")
    assert found.to_dict() == fuse(lists, "combsum").to_dict()
    for text, message in (
        ("combsum(low={'a': 2}, high={'a': 1})", "low of 'a' is 2; it must be below high"),
        ("combsum(low={'a': 2}, high=1)", "low of 'a' is 2"),
        ("combsum(low={1: 2})", "names rankers"),
        ("combsum(low={'a': 'x'})", "low of 'a' must be a finite number"),
        ("combsum(low=1, bounds='apply')", "mode of compat='opensearch'"),
        ("combsum(low=1, bounds='cut', compat='opensearch')", "bounds is 'cut'"),
        ("gmnz(count='items')", "count is 'items'"),
    ):
        with pytest.raises(InvalidParameter, match=message):
            METHODS.parse(text)
    method = METHODS.parse("combsum(low={'bm25': 0, 'dense': -1})")
    assert METHODS.parse(repr(method)) == method


def test_the_mixed_of_ranx_counts_lists_whatever_their_weights() -> None:
    lists = [{"a": 3.0, "b": 2.0, "c": 1.0}, {"b": 10.0, "c": 5.0}]
    found = fused("gmnz(gamma=0.5, count='lists')", lists, [0.7, 0.3])
    assert found == pytest.approx({"a": 0.7, "b": 2**0.5 * (0.35 + 0.3), "c": 0.0}, rel=1e-12)
    assert fused("gmnz(gamma=1, count='lists')", lists, [0.7, 0.3]) == fused("wmnz", lists, [0.7, 0.3])


@pytest.mark.parametrize("seed", range(5))
def test_the_means_are_those_of_scipy(seed: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(seed)
    table, weights = rng.random((4, 6)) * 10.0 ** rng.integers(-200, 200, (4, 1)), rng.random(4) + 0.1
    lists = [{f"d{item}": score for item, score in enumerate(row)} for row in table.tolist()]
    for name, mean in (("geometric_mean", stats.gmean), ("harmonic_mean", stats.hmean)):
        found = fused(f"{name}(norm='none')", lists, weights.tolist())
        expected = mean(table, axis=0, weights=np.tile(weights[:, None], 6))
        assert [found[f"d{item}"] for item in range(6)] == pytest.approx(expected.tolist(), rel=1e-9)


def test_every_engine_of_the_table_is_spelled_as_it_is_tested_here() -> None:
    text = MIGRATION.read_text()
    table = text[text.index("## All engines, one table") :]
    rows = re.findall(r"^\| ([^|]+) \|[^|]+\| `([^`]+)`", table[: table.index("\n## ")], flags=re.MULTILINE)
    assert {"OpenSearch", "Weaviate", "Qdrant", "Elasticsearch", "Pyserini", "ranx"} <= {engine for engine, _ in rows}
    lists: dict[str, Any] = {"bm25": {"a": 8.0, "b": 2.0}, "dense": {"b": 0.5, "c": 0.25}}
    given = Rankings.from_scores(lists).replace(raw_ranks=np.float32([1, 3, 1, 2]))
    for engine, spelling in rows:
        assert len(fuse(given, spelling).to_dict()["1"]) == 3, (engine, spelling)
