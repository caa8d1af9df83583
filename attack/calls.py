"""Public functions with hostile arguments: a result, or one line that says what is wrong; never another exception."""

from __future__ import annotations

import datetime
import functools
import inspect
import os
import random
import tempfile
import uuid
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas

import stagg
from attack.crew import run_apart
from attack.scene import SAMPLE
from attack.verdict import Attack, alarm
from stagg import StaggError
from stagg.integrations.frames import fuse_frame, labels_from_frame, to_frame
from stagg.search.documents import fuse_documents
from stagg.search.retrieve import search

SECONDS = 20
BATCH = 200  # calls that one process makes
RUNS = {
    "r": {"q": {"a": 1.0, "b": 2.0, "c": 3.0}, "p": {"a": 1.0, "d": 0.5}},
    "s": {"q": {"b": 1.0, "c": 2.0}, "p": {"d": 2.0, "a": 1.0}},
    "t": {"q": {"c": 5.0, "a": 1.0}, "o": {"b": 1.0}},
}
LABELS = {"q": {"a": 1, "c": 2}, "p": {"d": 1}, "o": {"b": 1}}
FOLDED = {"tune": "rrf(c=[1, 60])", "folds": 3, "grid": "small", "weights": {"r": 2.0}}
LISTS = [["a", "b", "c"], ["b", "c"], [("a", 2.0), ("c", 1.0)]]
COLUMNS = {"query": ["q", "q", "p"], "item": ["a", "b", "a"], "score": [1.0, 2.0, 3.0], "ranker": ["r", "s", "s"]}
JUDGED = {"query": ["q", "q"], "item": ["a", "b"], "label": [1, 0]}
DOCUMENTS = {"bm25": [{"id": 7, "score": 2.0, "lang": "en"}, {"id": 3, "score": 1.0}], "dense": [{"id": 3, "score": 5}]}
DOCUMENT_OPTIONS = {
    "identity": "id", "score": {"bm25": "score", "dense": "score"}, "direction": {"dense": "distance"},
    "depth": {"bm25": 5}, "top": 3, "merge": "first", "min_lists": 1, "min_score": {"bm25": 0.0},
    "weights": {"bm25": 2.0}, "metadata": None,
}  # fmt: skip


class Call(NamedTuple):
    """A function, and arguments with which it works."""

    function: Callable[..., Any]
    arguments: dict[str, Any]


def list_calls() -> list[Call]:
    fused = stagg.fuse(LISTS)
    ranked = stagg.Rankings
    return [
        Call(stagg.fuse, {"rankings": LISTS, "method": "rrf"}),
        Call(stagg.fuse, {"rankings": RUNS, "method": "stagg_rrf", "intervals": 0.9, "draws": 3}),
        Call(stagg.explain, {"rankings": RUNS, "method": "rrf", "query": "q", "item": "a"}),
        Call(stagg.rank_distribution, {"rankings": RUNS}),
        Call(stagg.evaluate, {"runs": RUNS, "labels": LABELS, "measures": "ndcg@5,map"}),
        Call(stagg.compare, {"rankings": RUNS, "labels": LABELS, "methods": "rrf, borda", "measures": "ndcg@5"}),
        Call(stagg.compare, {"rankings": RUNS, "labels": LABELS, "learners": "best_input", **FOLDED}),
        Call(stagg.elect, {"ballots": LISTS, "rules": "borda,irv", "draws": 2}),
        Call(stagg.train, {"rankings": RUNS, "learner": "weights", "labels": LABELS}),
        Call(stagg.explore, {"rankings": LISTS}),
        Call(stagg.read, {"paths": str(SAMPLE / "bm25.trec"), "lenient": False, "layout": None, "columns": None}),
        Call(stagg.read, {"paths": "table.csv", "columns": {"item": 1, "score": "n"}, "values": None, "header": True}),
        Call(stagg.read_labels, {"path": str(SAMPLE / "qrels.txt"), "float_labels": False, "encoding": "utf-8"}),
        Call(stagg.load_model, {"path": "model.json"}),
        Call(stagg.write, {"rankings": fused, "path": "x.csv"}),
        Call(_fuse_frame, {"columns": COLUMNS, **dict.fromkeys(("item", "score", "ranker", "top", "depth"))}),
        Call(_fuse_documents, {"lists": DOCUMENTS, **DOCUMENT_OPTIONS}),
        Call(stagg.Labels, {"grades": LABELS}),
        Call(ranked.from_lists, {"lists": LISTS}),
        Call(ranked.from_scores, {"scored": RUNS["r"]}),
        Call(ranked.from_runs, {"runs": RUNS}),
        Call(fused.hits, {"query": "1"}),
        Call(fused.to_frame, {"library": "pandas"}),
        Call(fused.take_queries, {"queries": [0]}),
        Call(fused.take_rankers, {"rankers": [0]}),
        Call(fused.with_weights, {"weights": [1.0]}),
        Call(fused.cut, {"depth": 2}),
        Call(fused.page, {"size": 2, "after": None}),
        Call(fused.with_rankers, {"names": ["x"]}),
        Call(stagg.Labels(LABELS).take, {"queries": ["q"]}),
        Call(stagg.Labels(LABELS).aligned, {"rankings": fused}),
        Call(_labels_from_frame, {"columns": JUDGED, "query": "query", "item": "item", "label": "label"}),
        Call(to_frame, {"rankings": fused, "library": "pandas", "item": "item"}),
        Call(_search, {"answers": DOCUMENTS, "timeout": {"bm25": 9.0}, "on_error": "skip", "top": 2}),
    ]


def _fuse_frame(columns: Any, **options: Any) -> Any:
    frame = _frame(columns)
    return None if frame is None else fuse_frame(frame, "rrf", **options)


def _labels_from_frame(columns: Any, **names: Any) -> Any:
    frame = _frame(columns)
    return None if frame is None else labels_from_frame(frame, **names)


def _frame(columns: Any) -> Any:
    """A frame of pandas with these columns; None where pandas refuses them."""
    try:
        return pandas.DataFrame(columns)
    except Exception:  # whatever pandas says, the call never reaches us
        return None


def _search(answers: Any, **options: Any) -> Any:
    """Legs that answer with what is given."""
    if _holds_function(list(options.values())):
        return None
    legs = answers
    if type(answers) is dict:
        legs = {name: functools.partial(_answer, found) for name, found in answers.items()}
    return search("tea", legs, **options)


def _answer(found: Any, query: str) -> Any:
    return found


def _fuse_documents(lists: Any, **options: Any) -> Any:
    if _holds_function(list(options.values())):
        return None  # the caller's own code
    return fuse_documents(lists, "rrf", **options)


def _holds_function(value: Any) -> bool:
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else []
    return callable(value) or any(_holds_function(each) for each in members if each is not value)


SPARED = {
    *("self", "progress", "watch"),  # the caller's own code
    *("per_query", "only_common", "single_precision", "inputs", "margins", "lenient", "float_labels", "by_ranker"),
}
"""Arguments that are left alone: what has no truth value, such as an array, is no flag in any program."""


def _itself() -> list[Any]:
    found: list[Any] = []
    found.append(found)
    return found


PLAIN = [
    None, True, False, 0, -1, 1, 2, 1.5, -0.0, float("nan"), float("inf"), 10**30, 10**400, -(10**400), 10**5000, 1e308,
    5e-324, 1j, "", " ", "a", "1", "\0", "\x1b[31m", "\ud800", "\u202e", "x" * 100_000, "rrf(c=", "rrf(c=-1)", "nosuch",
    "rrf, rrf", "ndcg@0", "weights", "-", "../x", "a:1", b"", b"x", (), ("a", 1), ("a", "b"), object, len, Path("x"),
    range(3), np.int64(3), np.float32(0.5), np.datetime64("2020"), np.timedelta64(3), uuid.UUID(int=1),
    datetime.date(2020, 1, 1), frozenset("ab"), Ellipsis, NotImplemented,
]  # fmt: skip
HOSTILE: list[Callable[[], Any]] = [
    *(functools.partial(lambda value: value, each) for each in PLAIN),
    list, dict, set, _itself, object, lambda: iter("ab"), lambda: (each for each in [["a"], 1]),
    lambda: np.array("a"), lambda: np.array([1, 2]), lambda: np.array([[1.0, np.nan]]), lambda: np.array([object()]),
    lambda: np.ma.masked_array([1, 2], [True, False]), lambda: np.zeros((0, 3)), lambda: [1], lambda: [None],
    lambda: [[]], lambda: ["a", ["b", 1]], lambda: [("a", 1), ("b",)], lambda: [{"a": "x"}], lambda: {"a": 1},
    lambda: {"a": {"b": None}}, lambda: {1: {"q": {2: 3}}}, lambda: {"r": {"q": {"a": 10**400}}}, lambda: {"": ["a"]},
    lambda: {"r": [""]}, lambda: {"a": float("nan")}, lambda: {None: [None]}, lambda: [["a"], None],
    lambda: [[10**5000]], lambda: [{"a"}, {"b": 1}], lambda: {"r": {"q": ["a", "\ud800"]}}, lambda: [["a", "a"]],
    lambda: [[True, 1, "1"]], lambda: [[b"a"]],
]  # fmt: skip
"""Each makes a value that nobody should give; a new one, for a call may use it up."""


def attack(seed: int, seconds: float) -> Attack:
    warnings.simplefilter("ignore")
    found = Attack("calls", "calls of public functions with hostile arguments", seconds)
    calls, batch, here = list_calls(), 0, os.getcwd()
    with tempfile.TemporaryDirectory() as folder:  # a path that is no refusal is written here
        os.chdir(folder)
        stagg.train(RUNS, "best_input", LABELS).save("model.json")
        Path("table.csv").write_text("doc,n\na,2\nb,1\n")
        for call in calls:
            call.function(**call.arguments)  # as it is it works: a refusal is that of the hostile value
        while found.has_time():
            rng = random.Random(f"calls {seed} {batch}")
            outcomes, status = run_apart(_try(rng, calls) for _ in range(BATCH))
            found.count(len(outcomes))
            for failure in filter(None, outcomes):
                found.report(failure)
            if status:
                found.report(f"calls {seed} {batch}: call {len(outcomes)} ended the process, status {status}")
            batch += 1
        os.chdir(here)
    return found


def _change(value: Any, rng: random.Random) -> Any:
    """A hostile value, or the right one with hostile values in it: the place of a key, of a member, of all of it."""
    if not isinstance(value, dict | list | tuple) or not value or rng.random() < 0.3:
        return rng.choice(HOSTILE)()
    members = list(value.items()) if isinstance(value, dict) else list(value)
    place = rng.randrange(len(members))
    if not isinstance(value, dict):
        return type(value)([*members[:place], _change(members[place], rng), *members[place + 1 :]])
    key, member = members[place]
    if rng.random() < 0.3:
        key = _hashable(rng.choice(HOSTILE)())
    else:
        member = _change(member, rng)
    return dict([*members[:place], (key, member), *members[place + 1 :]])


def _hashable(value: Any) -> Any:
    try:
        return value if isinstance(hash(value), int) else None
    except Exception:  # NumPy raises a ValueError where others raise a TypeError
        return None


def _try(rng: random.Random, calls: list[Call]) -> str:
    """What is wrong with how a call ended, in a line; empty if nothing is."""
    call = rng.choice(calls)
    known = [
        name for name, each in inspect.signature(call.function).parameters.items() if each.kind != each.VAR_KEYWORD
    ]
    names = sorted({*known, *call.arguments} - SPARED)
    chosen = rng.sample(names, rng.choice((1, 1, 2)) if len(names) > 1 else 1)
    changed = {name: _change(call.arguments.get(name), rng) for name in chosen}
    words = f"{call.function.__qualname__}({', '.join(f'{name}={_show(value)}' for name, value in changed.items())})"
    try:
        with alarm(SECONDS):
            call.function(**call.arguments | changed)
    except StaggError as error:
        return "" if str(error).isprintable() else f"{words}: not one safe line: {str(error)!r}"
    except BaseException as error:
        return f"{words}: {type(error).__name__}: {error}".replace("\n", " ")[:400]
    return ""


def _show(value: Any) -> str:
    try:
        return ascii(value)[:60]
    except Exception:
        return f"<{type(value).__name__}>"
