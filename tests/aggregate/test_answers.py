"""Requests are fused by one kernel, to the bits, objects, errors and warnings of the general way."""

from __future__ import annotations

import dataclasses
import gc
import itertools
import os
import pickle
import random
import resource
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import stagg
from stagg import DataWarning, Rankings
from stagg.aggregate import fusion
from stagg.errors import StaggError
from stagg.kernels import sums
from stagg.kernels.arrays import FloatArray
from stagg.kernels.compiled import twin
from stagg.kernels.text import ranked
from stagg.kernels.text.requests import number_lists
from stagg.methods import RRF

pytestmark = pytest.mark.skipif(twin("text._requests") is None, reason="the twin was not built")

ARRAYS = (
    *("item_offsets", "list_offsets", "list_rankers", "entry_offsets", "entries", "tied", "scores", "weights"),
    *("multiplicities", "factors", "raw_ranks"),
)
OTHERS = ("queries", "rankers", "items", "declared", "intervals", "extras", "absent")
QUICK = ("rrf", "rrf(c=0)", "rrf(c=7.5)", "rrf(compat='llamaindex')", "rrf(compat='qdrant')", "rbc(phi=0.7)")
COUNTED = ("borda", "votecount")
GENERAL = ("rrf(compat='haystack')", "borda(missing='below')", "isr", "log_isr", "mean_rank", "combsum", "stagg_rrf")


@pytest.fixture
def general(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Rankings]:
    """``fuse`` by the clear version: no request is read by the kernel, and NumPy adds up and ranks."""

    def fuse(*arguments: Any, **options: Any) -> Rankings:
        with monkeypatch.context() as patch:
            patch.setattr(fusion, "read_request", lambda *_: None)
            for module in (sums, ranked):
                patch.setattr(module, "twin", lambda name: None)
            return stagg.fuse(*arguments, **options)

    return fuse


def is_pending(result: Rankings) -> bool:
    """Whether no field was made yet."""
    try:
        Rankings.__dict__["entries"].__get__(result)  # the slot itself: getattr would fill it
    except AttributeError:
        return result._pending is not None
    return False


def fields_of(rankings: Rankings | None) -> Any:
    """All fields, arrays as their bytes."""
    if rankings is None:
        return None
    arrays = {name: getattr(rankings, name) for name in ARRAYS}
    frozen = {
        name: None if each is None else (each.dtype.str, each.shape, each.tobytes(), each.flags.writeable)
        for name, each in arrays.items()
    }
    return frozen, {name: getattr(rankings, name) for name in OTHERS}


def hits_of(rankings: Rankings) -> list[Any]:
    """What hits hold and, of the first of them, what they look up."""
    hits = rankings.hits()
    held = [(id(hit.item), type(hit.rank), hit.rank, hit.score.hex()) for hit in hits]
    return [held, [(hit.ranks, hit.scores, repr(hit), hit.to_dict()) for hit in hits[:30]]]


def look(fuse: Callable[..., Rankings], *arguments: Any, **options: Any) -> Any:
    """Everything that a caller can see of a fusion: the result, or the error, and the warnings."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            result = fuse(*arguments, **options)
            hits = hits_of(result)
            seen: Any = hits, fields_of(result), fields_of(result.inputs), repr(result), result.to_dict()
        except StaggError as error:
            seen = type(error), str(error)
    return seen, {(each.category, str(each.message)) for each in said}


# --- the same as by the general way -----------------------------------------------------------------------------------

ids = st.sampled_from(["a", "b", "c", "d", "e", "é", "文", "😀", "a\x00", "\ud800", "10", "9", "f" * 50])
numbers = st.one_of(
    st.sampled_from([0, 1, 2, -0.0, 0.0, 0.5, -3, 1e300, 5e-324, 2**53 - 1, -(2**60)]),
    st.floats(allow_nan=False, allow_infinity=False),
)
plain = st.lists(ids, unique=True)
scored = st.dictionaries(ids, numbers)
pairs = scored.map(lambda held: list(held.items()))
odd = st.one_of(
    st.none(),
    st.lists(ids),
    st.lists(st.one_of(ids, st.just(""), st.integers(0, 5), st.frozensets(ids, min_size=2))),
    st.dictionaries(st.one_of(ids, st.integers(0, 3)), st.one_of(numbers, st.booleans(), st.none(), st.just("1"))),
    st.lists(st.tuples(ids, st.one_of(numbers, ids, st.just(float("nan")), st.just(10**400)))),
    st.lists(st.tuples(ids, numbers, numbers), max_size=2),
    st.sampled_from([np.array(["a", "b"]), "ab", {"a"}, 3, ("a", "b"), {"id": 1.0, "score": 2.0}, object()]),
)
legs = st.one_of(
    st.lists(plain, min_size=1, max_size=5),
    st.lists(st.one_of(pairs, scored), min_size=1, max_size=5),
    st.lists(st.one_of(plain, pairs, scored, odd), min_size=1, max_size=5),
)
names = st.sampled_from(
    [("bm25", "dense", "sparse", "é", "r"), ("item", "score", "x", "y", "z"), ("", 1, "a", "b", "c")]
)
requests = st.one_of(legs, st.builds(lambda given, named: dict(zip(named, given, strict=False)), legs, names))
weights = st.one_of(
    st.none(),
    st.lists(st.sampled_from([1, 1.0, 2, 0.5, 0.1, 1e-300, 3e307, 0]), min_size=1, max_size=5),
    st.dictionaries(st.sampled_from(["1", "2", "bm25", "dense"]), st.sampled_from([1, 2.5, 0, -1])),
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(requests, st.sampled_from([*QUICK, *COUNTED, *GENERAL]), weights, st.sampled_from([None, None, 1, 3, 50]))
def test_any_request_gives_what_the_general_way_gives(
    general: Callable[..., Rankings], lists: Any, method: str, weights: Any, top: int | None
) -> None:
    options = {"weights": weights, "top": top}
    assert look(stagg.fuse, lists, method, **options) == look(general, lists, method, **options)


def long_lists(rng: random.Random, length: int) -> Iterator[Any]:
    """Plain lists, scored pairs and dicts with many ties, of ids that are equal and not the same objects."""
    pool = [f"doc-{number}" for number in range(2 * length)]
    for scores in ([rng.random() for _ in pool], [rng.randint(0, 20) for _ in pool], list(range(len(pool)))):
        lists = [[f"{item}" + "" for item in rng.sample(pool, rng.randint(0, length))] for _ in range(4)]
        hits = [[(item, rng.choice(scores)) for item in each] for each in lists]
        yield from (lists, hits, {f"r{number}": dict(each) for number, each in enumerate(hits)})


@pytest.mark.parametrize("length", [1, 2, 10, 130, 1000])
@pytest.mark.parametrize("method", [*QUICK, *COUNTED])
def test_lists_of_any_length_give_what_the_general_way_gives(
    method: str, length: int, general: Callable[..., Rankings]
) -> None:
    for lists in long_lists(random.Random(length), length):
        for options in ({}, {"top": 7}) if method in COUNTED else ({}, {"top": 7, "weights": [0.1, 0.2, 0.3, 2]}):
            assert look(stagg.fuse, lists, method, **options) == look(general, lists, method, **options)


def test_equal_sums_tie_and_go_by_id(general: Callable[..., Rankings]) -> None:
    turned = [["a", "b", "c", "d"], ["b", "c", "d", "a"], ["c", "d", "a", "b"], ["d", "a", "b", "c"]]
    many = [[f"{number:02d}" for number in range(20)], [f"{number:02d}" for number in reversed(range(20))]]
    for lists in (turned, many, [["é", "a"], ["a", "é"]]):
        fused = stagg.fuse(lists)
        assert is_pending(fused)
        assert look(stagg.fuse, lists) == look(general, lists)
    assert stagg.fuse(turned).best_first() == ["d", "c", "b", "a"]
    assert len({hit.score for hit in stagg.fuse(turned).hits()}) == 1


@pytest.mark.parametrize("method", [*QUICK, *COUNTED])
@pytest.mark.parametrize(
    "lists",
    [
        [["a", "b"], ["b", "c"]],
        [[], ["a", "b"], ["b"]],
        [[], [("a", 1.0), ("b", 3)], {"b": 0.5, "a": 0.5}],
        {"bm25": ("a", "b"), "dense": ["b"]},
        {"bm25": {"a": 2.5}, "dense": {}},
        [["only", "one"]],
        [["a"], ["b"]],
    ],
    ids=repr,
)
def test_plain_lists_pairs_and_dicts_take_the_quick_way(lists: Any, method: str) -> None:
    fused = stagg.fuse(lists, method)
    assert is_pending(fused)
    fused.hits()
    assert is_pending(fused)


@pytest.mark.parametrize(
    ("method", "options"),
    [
        *((method, {}) for method in GENERAL if method != "combsum"),
        ("borda", {"weights": [1, 2]}),
        ("rrf(compat='qdrant')", {"weights": [1, 2]}),
        ("rrf", {"weights": [1, 0]}),
        ("rrf", {"weights": iter([1, 2])}),
        ("rrf", {"depth": 1}),
        ("rrf", {"min_lists": 2}),
        ("rrf", {"scale": "first"}),
        ("rrf", {"intervals": 0.9, "draws": 10}),
    ],
)
def test_what_asks_for_more_goes_the_general_way(method: str, options: dict[str, Any]) -> None:
    fused = stagg.fuse([["a", "b"], ["b", "c"]], method, **options)
    assert fused._pending is None
    assert "b" in [hit.item for hit in fused.hits()]


def test_a_method_that_changes_another_is_run_itself() -> None:
    @dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
    class Backwards(RRF):
        """The last place counts most."""

        def gains(self, rankings: Rankings) -> FloatArray:
            return rankings.positions.astype(float)

    assert stagg.fuse([["a", "b"], ["a", "b"]], Backwards()).best_first() == ["b", "a"]


@pytest.mark.parametrize("option", ["duplicates", "outer", "values"])
@pytest.mark.parametrize("value", ["all", 3, np.array(["error", "best"]), ["error"]], ids=repr)
def test_wrong_options_are_refused_as_by_the_general_way(
    option: str, value: Any, general: Callable[..., Rankings]
) -> None:
    lists = [["a"], ["a", "b"]]
    found, _ = look(stagg.fuse, lists, **{option: value})
    assert issubclass(found[0], StaggError)
    assert (found, set()) == look(general, lists, **{option: value})


def test_duplicates_cannot_be_left_open() -> None:
    with pytest.raises(StaggError, match="duplicates is 'error'"):
        stagg.fuse([["a"]], duplicates=None)  # type: ignore[arg-type]


@pytest.mark.parametrize("weights", [[3e307] * 4, [1.7e308] * 4])
def test_sums_beyond_all_floats_are_refused_as_by_the_general_way(
    weights: list[float], general: Callable[..., Rankings]
) -> None:
    for method in ("rrf(c=0)", "rrf(c=0.001, compat='llamaindex')"):
        found, _ = look(stagg.fuse, [["a", "b"]] * 4, method, weights=weights)
        assert (found, set()) == look(general, [["a", "b"]] * 4, method, weights=weights)


# --- a result is Rankings, whenever it is asked -----------------------------------------------------------------------


@pytest.fixture
def pair(general: Callable[..., Rankings]) -> Callable[[], tuple[Rankings, Rankings]]:
    """Makes a fresh result of the quick way, of which nothing was asked, and that of the general way."""
    lists = {"bm25": [("d1", 12.5), ("d2", 9.0), ("d3", 9)], "dense": {"d3": 0.5, "d1": 0.7}, "empty": []}
    return lambda: (stagg.fuse(lists, weights={"bm25": 2}, top=3), general(lists, weights={"bm25": 2}, top=3))


LOOKS: dict[str, Callable[[Rankings], Any]] = {
    "len": len,
    "contains": lambda fused: "1" in fused,
    "hash": hash,
    "repr": repr,
    "html": lambda fused: fused._repr_html_(),
    "summary": lambda fused: fused.summary(names=True),
    "best_first": lambda fused: fused.best_first(),
    "to_dict": lambda fused: fused.to_dict(),
    "to_runs": lambda fused: fused.to_runs(),
    "to_lists": lambda fused: fused.to_lists(),
    "to_columns": lambda fused: fused.to_columns(),
    "frame": lambda fused: fused.to_frame(by_ranker=True).to_csv(),
    "hits of the query": lambda fused: fused.hits("1"),
    "hits of the ranker": lambda fused: fused.hits(ranker="stagg-rrf"),
    "hits of both": lambda fused: fused.hits("1", ranker="stagg-rrf"),
    "page": lambda fused: fused.page(2),
    "next page": lambda fused: fused.page(2, after=fused.page(2).next),
    "view": lambda fused: fused["1"].scores,
    "canonical": lambda fused: fields_of(fused.canonical()),
    "cut": lambda fused: fields_of(fused.cut(1)),
    "replace": lambda fused: fields_of(fused.replace(weights=np.array([2.0]))),
    "like": lambda fused: fields_of(fused.like(queries=("q",))),
    "with_weights": lambda fused: fields_of(fused.with_weights([3])),
    "is_weighted": lambda fused: (fused.is_weighted, fused.has_ties, fused.positions.tolist()),
    "absent": lambda fused: fused.absent,
    "inputs": lambda fused: fields_of(fused.inputs),
    "again": lambda fused: fields_of(stagg.fuse(fused)),
    "pickle": lambda fused: fields_of(pickle.loads(pickle.dumps(fused))),
    "no inputs once pickled": lambda fused: pickle.loads(pickle.dumps(fused)).inputs,
    "hits, pickled": lambda fused: pickle.loads(pickle.dumps(fused.hits())),
    "dir": lambda fused: sorted(set(dir(fused))),
}


@pytest.mark.parametrize("name", LOOKS)
def test_whatever_is_asked_first_is_answered_as_before(
    name: str, pair: Callable[[], tuple[Rankings, Rankings]]
) -> None:
    quick, slow = pair()
    assert type(quick) is Rankings
    assert is_pending(quick)
    assert LOOKS[name](quick) == LOOKS[name](slow)
    assert hits_of(quick) == hits_of(slow)


def test_results_are_equal_whoever_made_them(pair: Callable[[], tuple[Rankings, Rankings]]) -> None:
    (quick, slow), (another, _) = pair(), pair()
    assert quick == another == slow == quick
    assert quick != stagg.fuse([["d1"]])


def test_a_result_is_immutable_and_has_no_other_fields(pair: Callable[[], tuple[Rankings, Rankings]]) -> None:
    quick, _ = pair()
    with pytest.raises(AttributeError, match="immutable"):
        quick.entries = np.zeros(1, dtype=int)
    with pytest.raises(AttributeError, match="no attribute 'entrees'"):
        quick.entrees  # type: ignore[attr-defined]  # noqa: B018
    assert is_pending(quick)
    assert not quick.entries.flags.writeable


def test_what_happens_to_the_lists_later_does_not_change_the_result() -> None:
    lists, weights = {"x": ["a", "b"], "y": ["b", "c"]}, {"x": 2.0}
    fused, before = stagg.fuse(lists, weights=weights), stagg.fuse(lists, weights=weights).to_dict()
    lists["x"].reverse()
    lists["z"] = ["d"]
    weights["x"] = 0.0
    assert fused.hits()[0].ranks == {"x": 2, "y": 1}
    assert fused.to_dict() == before
    assert fused.inputs is not None
    assert fused.inputs.weights.tolist() == [2.0, 1.0]


def test_threads_that_ask_at_once_all_get_an_answer() -> None:
    for _ in range(50):
        fused, found = stagg.fuse([["a", "b", "c"], ["b", "c"]]), []
        threads = [threading.Thread(target=lambda: found.append(fused.to_dict())) for _ in range(4)]  # noqa: B023
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert found == [fused.to_dict()] * 4


def test_strangers_are_named_and_the_warning_points_at_the_caller(general: Callable[..., Rankings]) -> None:
    lists = {"bm25": [f"doc-{n}" for n in range(30)], "dense": [f"{n}" for n in range(30)], "x": ["doc-1", "doc-2"]}
    assert look(stagg.fuse, lists) == look(general, lists)
    with pytest.warns(DataWarning, match="dense shares no item") as said:
        stagg.fuse(lists)
    assert [each.filename for each in said] == [__file__]


# --- memory -----------------------------------------------------------------------------------------------------------


def use_up(lists: Any) -> None:
    try:
        fused = stagg.fuse(lists)
    except StaggError:
        return
    for hit in fused.hits()[:1]:
        hit.ranks  # noqa: B018


def test_nothing_is_kept_of_requests_that_are_over() -> None:
    items = ["".join(["item", str(number)]) for number in range(300)]
    plain = [items[:200], items[100:]]
    scored = [[(item, float(len(item))) for item in each] for each in plain]
    unusual = ([items, [*items, items[0]]], [items, [*items, ""]], [items, [*items, 3]], [*scored, [(items[0], "x")]])
    given = [plain, scored, [dict(each) for each in scored], *unusual, [[], items], [[], []]]
    for lists in given:
        use_up(lists)
    gc.collect()
    counts, largest = [sys.getrefcount(each) for each in items], 0
    for turn in range(40):
        for lists in given:
            for _ in range(10):
                use_up(lists)
        if turn == 10:
            largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    gc.collect()
    assert [sys.getrefcount(each) for each in items] == counts
    if "PYTHONMALLOC" not in os.environ:  # the sanitizer keeps what is freed
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - largest < 4000  # kilobytes


class Changer:
    """Garbage that changes some lists when it is collected."""

    def __init__(self, change: Callable[[], object]) -> None:
        self.me, self.change = self, change

    def __del__(self) -> None:
        self.change()


@pytest.mark.parametrize("threshold", range(1, 12))
def test_lists_that_change_while_they_are_read_do_no_harm(threshold: int) -> None:
    """The collector may run when the kernel makes an object; what it finalises may be anything."""
    changes: list[Callable[[list[Any]], object]] = [
        lambda lists: lists[-1].extend([f"x{number}" for number in range(100_000)]),
        lambda lists: lists[-1].extend([(f"x{number}", 0.5) for number in range(100_000)]),
        lambda lists: lists[-1].clear(),
        lambda lists: lists.append(["x"]),
        lambda lists: lists.append([]),
        lambda lists: lists.pop(),
        lambda lists: lists.__setitem__(1, {"b": 1.0}),
        lambda lists: lists.__setitem__(1, 7),
    ]
    before = gc.get_threshold()
    for change, scored in itertools.product(changes, (False, True)):
        lists: list[Any] = [["a", "b", "c"], ["b", "c", "d"], ["e"]]
        lists = [[(item, 0.5) for item in each] for each in lists] if scored else lists
        gc.collect(0)
        gc.disable()
        try:
            Changer(lambda lists=lists, change=change: change(lists))  # type: ignore[misc]
            gc.set_threshold(threshold, 1, 1)
            gc.enable()
            numbered = number_lists(lists)
        finally:
            gc.set_threshold(*before)
            gc.enable()
        if numbered is not None:
            items, entries, lengths, *_ = numbered.arrays()
            assert len(entries) == sum(lengths)
            assert entries.max() < len(items)
