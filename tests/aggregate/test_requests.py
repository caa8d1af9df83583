"""Lists of plain ids take a short way through the compiled twin, to the same rankings."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import stagg
from stagg.aggregate.answers import read_request
from stagg.aggregate.fusion import rankings_of_request
from stagg.data.inputs.construct import rankings_of
from stagg.data.rankings import Rankings
from stagg.errors import StaggError
from stagg.kernels.compiled import twin
from stagg.methods import METHODS
from stagg.methods.positional.comb import Comb

pytestmark = pytest.mark.skipif(twin("text._requests") is None, reason="the twin was not built")

FIELDS = (
    *("item_offsets", "list_offsets", "list_rankers", "entry_offsets", "entries", "tied", "weights", "multiplicities"),
    *("sizes", "list_lengths", "list_counts", "list_queries", "entry_lists", "positions", "item_queries"),
)


def lists(rng: random.Random) -> list[list[str]]:
    """Some of them empty, ids of any script."""
    pool = [f"{rng.choice(['d', 'é', '文', '😀'])}{number}" for number in range(40)]
    return [rng.sample(pool, rng.choice([0, 1, 5, 30])) for _ in range(rng.randint(1, 6))]


def same(mine: Rankings, theirs: Rankings) -> bool:
    """Array by array: equality of Rankings does not look at the order of appearance."""
    arrays = [(getattr(mine, name), getattr(theirs, name)) for name in FIELDS]
    texts = (mine.queries, mine.rankers, mine.items) == (theirs.queries, theirs.rankers, theirs.items)
    return texts and all(a.dtype == b.dtype and a.tolist() == b.tolist() for a, b in arrays)


def is_numbered(given: Any) -> bool:
    """Whether the twin numbers the lists, to be sure that a test tests something."""
    return read_request(given, None, "error", None) is not None


def test_plain_lists_give_the_rankings_of_the_long_way() -> None:
    rng = random.Random(1)
    for _ in range(100):
        given = lists(rng)
        named = {f"r{number}": tuple(each) for number, each in enumerate(given)}
        assert same(rankings_of_request(given), rankings_of(given))
        assert same(rankings_of_request(named), rankings_of(named))
        assert is_numbered(given)
        assert is_numbered(named)


@pytest.mark.parametrize(
    "given",
    [
        [["a", {"b", "c"}], ["c"]],
        [["a", ["b", "c"]], ["c"]],
        [[1, 2], [2, 3]],
        [np.array(["a", "b"]), ["b"]],
        [[np.str_("a")], ["b"]],
        [{"a": np.float64(1.0), "b": 0.5}, {"b": 3}],
        {1: ["a"], "x": ["b"]},
        (["a"], ["b", "a"]),
        iter([["a"], ["b"]]),
    ],
    ids=["set", "group", "numbers", "array", "numpy text", "scores of NumPy", "a number as name", "tuple", "iterator"],
)
def test_what_is_not_plain_goes_the_long_way(given: Any) -> None:
    again = list(given) if not hasattr(given, "__len__") else given
    assert same(rankings_of_request(iter(again) if again is not given else given), rankings_of(again))
    assert not is_numbered(given)


@pytest.mark.parametrize("given", [[], {}, [["a", "a"]], [["a", ""]], ["ab"], [["a", None]], {"x": [1.5]}], ids=repr)
def test_errors_are_those_of_the_long_way(given: Any) -> None:
    with pytest.raises(StaggError) as mine:
        rankings_of_request(given)
    with pytest.raises(StaggError) as theirs:
        rankings_of(given)
    assert str(mine.value) == str(theirs.value)


def test_requests_that_share_a_frame_do_not_share_their_weights() -> None:
    one, other = [["a", "b"], ["b", "c"]], [["x", "y"], ["z", "x"]]
    before = stagg.fuse(one).to_runs()
    assert stagg.fuse(other, weights=[0, 5]).best_first() == ["z", "x"]
    assert stagg.fuse(one, depth=1).best_first() == ["b", "a"]
    assert stagg.fuse(one).to_runs() == before


@pytest.mark.parametrize("name", [name for name in METHODS.names() if not issubclass(METHODS[name], Comb)])
@pytest.mark.filterwarnings("ignore:kemeny")
def test_every_method_fuses_lists_as_without_the_twin(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for the Comb methods, which need scores."""
    given = [["a", "b", "c", "d"], ["b", "a", "e"], ["c", "b"], []]
    mine = stagg.fuse(given, name)
    monkeypatch.setattr("stagg.kernels.text.requests.twin", lambda name: None)
    assert stagg.fuse(given, name).to_runs() == mine.to_runs()


@pytest.mark.parametrize("seed", range(60))
def test_scored_dicts_are_what_the_careful_way_makes_of_them(seed: int) -> None:
    rng = random.Random(seed)
    scored = [{item: rng.choice([0, 1, 2, -0.0, 0.5, 1e300, -3.25]) for item in each} for each in lists(rng)]
    mine, theirs = rankings_of_request(scored), rankings_of(scored)
    assert same(mine, theirs)
    if theirs.scores is not None and len(theirs.scores):
        assert mine.scores is not None
        assert mine.scores.tolist() == theirs.scores.tolist()


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), True, "1", None, 10**400])
def test_odd_numbers_are_left_to_the_careful_way(odd: Any) -> None:
    with pytest.raises(StaggError, match="expected a finite number"):
        stagg.fuse([{"a": 1.0, "b": odd}])
