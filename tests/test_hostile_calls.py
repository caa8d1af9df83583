"""Calls with values that nobody should give: each is refused by one line that says why, or gets the right result."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import stagg
from stagg.data import Labels, Rankings
from stagg.data.simulation import simulate
from stagg.errors import DataError, InvalidParameter, MissingExtra, NotConverged, UnknownName, printable, shown
from stagg.integrations.frames import labels_from_frame, to_frame
from stagg.kernels.sums import find_exponent, scale_down
from stagg.measures import MEASURES, judge
from stagg.measures.err import ERR, stops
from stagg.methods import METHODS, method_of
from stagg.registry import split_list
from stagg.search.retrieve import search

LISTS = [["a", "b", "c"], ["b", "a", "c"]]
SCORES = [{"a": 3.0, "b": 2.0, "c": 1.0}, {"b": 4.0, "a": 1.0}, {"c": 2.0, "a": 1.0}]
LABELS = {"1": {"a": 1, "b": 0}}
HUGE = 1.7e308
TOO_LARGE = 10**400  # no float
UNPRINTABLE = 10**5000  # Python refuses to write it
ITSELF: list[Any] = []
ITSELF.append(ITSELF)


def _ranges(fused: stagg.Rankings) -> list[tuple[object, ...]]:
    return [(hit.item, hit.low, hit.high, hit.group) for hit in fused.hits()]


# --- huge weights -------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", METHODS.names())
def test_huge_weights_give_the_intervals_of_moderate_ones_or_are_refused(name: str) -> None:
    options: dict[str, Any] = {"intervals": 0.9, "draws": 20}
    moderate = stagg.fuse(SCORES, name, weights=[1.0, 1.0, 1.0], **options)
    try:
        huge = stagg.fuse(SCORES, name, weights=[HUGE, HUGE, HUGE], **options)
    except (DataError, NotConverged):
        return
    assert _ranges(huge) == _ranges(moderate)


def test_draws_of_huge_weights_keep_their_proportions() -> None:
    ballots = [["a", "b"], ["b", "a"]]
    huge = stagg.fuse(ballots, "bucklin", weights=[HUGE, HUGE / 2], intervals=0.9, draws=7)
    assert _ranges(huge) == _ranges(stagg.fuse(ballots, "bucklin", weights=[2, 1], intervals=0.9, draws=7))


def test_draws_of_huge_scores_have_room_for_their_sums() -> None:
    lists = [{"a": 1.5e308, "b": 1e308}, {"b": 1e307, "c": 1e306}]
    small = [{item: score / 2.0**900 for item, score in each.items()} for each in lists]
    of = [_ranges(stagg.fuse(each, "combsum(norm='none')", intervals=0.9, draws=50)) for each in (lists, small)]
    assert of[0] == of[1]


@pytest.mark.parametrize("name", ["borda", "mean_rank", "stagg_bc"])
def test_weighted_points_that_overflow_are_refused(name: str) -> None:
    with pytest.raises(DataError, match="too large to add up"):
        stagg.fuse(SCORES, name, weights=[HUGE, HUGE, HUGE])


@pytest.mark.parametrize("name", ["median_rank", "combmed"])
def test_a_median_depends_on_the_proportions_of_huge_weights_only(name: str) -> None:
    assert stagg.fuse(SCORES, name, weights=[HUGE] * 3).to_runs() == stagg.fuse(SCORES, name).to_runs()


def test_moderate_values_are_not_scaled() -> None:
    values = np.array([0.1, -3.0, 1e280])
    assert scale_down(values) is values
    assert find_exponent(np.zeros(0)) == 0
    assert (scale_down(np.array([HUGE, HUGE / 4])) / scale_down(np.array([HUGE]))[0] == [1, 0.25]).all()


# --- seeds --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [-1, "x", None, True, False, 1.5, [1, 2], ITSELF], ids=repr)
def test_a_seed_that_is_no_whole_number_is_refused(seed: Any) -> None:
    with pytest.raises(InvalidParameter, match="seed must be a whole number, 0 or more"):
        stagg.fuse(LISTS, seed=seed, intervals=0.9, draws=3)
    with pytest.raises(InvalidParameter, match="seed must be a whole number, 0 or more"):
        stagg.elect(LISTS, "plurality", seed=seed)


# --- huge numbers -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "parameter"),
    [
        ("rrf", "c"),
        ("plackett_luce", "prior"),
        ("mpm", "prior"),
        ("mpm", "spread"),
        ("kemeny", "time_limit"),
        ("cranking", "theta"),
        ("combsum", "low"),
    ],
)
def test_a_parameter_that_is_no_float_is_refused_with_its_range(text: str, parameter: str) -> None:
    with pytest.raises(InvalidParameter, match=rf"{parameter} is 10+…; it must be a number .*, at most 1"):
        method_of(f"{text}({parameter}={TOO_LARGE})")


@pytest.mark.parametrize(
    ("text", "range_"),
    [
        ("map(rel={})", r"above 0 and at most 1.79769e\+308"),
        ("rbp(rel={})", r"above 0 and at most 1.79769e\+308"),
        ("err(ymax={})", r"above 0 and at most 1.79769e\+308"),
        ("p(cutoff={})", "at most 999,999,999,999,999,999"),
        ("judged(cutoff={})", "at most 999,999,999,999,999,999"),
    ],
)
def test_a_measure_refuses_a_parameter_that_is_no_float(text: str, range_: str) -> None:
    with pytest.raises(InvalidParameter, match=range_):
        MEASURES.parse(text.format(TOO_LARGE))


@pytest.mark.parametrize("text", ["stagg_ndcg(sigma={})", "stagg_ndcg(ridge={})", "rankagg_ndcg(rate={})"])
def test_a_learner_refuses_a_parameter_that_is_no_float(text: str) -> None:
    runs = {"x": {"1": {"a": 2.0, "b": 1.0}}, "y": {"1": {"b": 2.0, "a": 1.0}}}
    with pytest.raises(InvalidParameter, match=r"at most 1.79769e\+308"):
        stagg.train(runs, text.format(TOO_LARGE), LABELS)


def test_a_number_that_its_class_does_not_check_is_refused_by_the_registry() -> None:
    with pytest.raises(InvalidParameter, match=r"cranking: seed is 10+…; it must be a number from"):
        method_of(f"cranking(seed={TOO_LARGE})")


def test_a_spread_whose_square_overflows_is_refused() -> None:
    with pytest.raises(InvalidParameter, match=r"spread is 1e\+308; it must be a number 0 or more, at most 1e\+100"):
        method_of("mpm(spread=1e308)")


def test_huge_trust_in_a_ranker_is_refused() -> None:
    with pytest.raises(InvalidParameter, match=r"the trust in ranker '1' is 10+…; it must be a finite number"):
        method_of(f"copeland(trust={{'1': {TOO_LARGE}}})")


def test_nobody_stops_where_the_largest_grade_is_far_above_all_others() -> None:
    judged = judge(Rankings.from_lists(LISTS[:1], query="q"), Labels({"q": {"b": 1000, "a": 1}}))
    assert ERR(ymax=1e308).value(judged).tolist() == [0.0]
    assert (stops(np.array([1999.0, 2000.0]), 2000.0) == stops(np.array([899.0, 900.0]), 900.0)).all()


def test_no_item_is_in_so_many_lists() -> None:
    assert not stagg.fuse(LISTS, min_lists=TOO_LARGE).hits()
    assert stagg.fuse(LISTS, min_lists=2).best_first() == stagg.fuse(LISTS).best_first()


def test_a_least_score_that_is_no_float_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="min_score is a number"):
        stagg.fuse(SCORES, min_score=TOO_LARGE)


def test_more_draws_than_can_be_held_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="<int that cannot be printed> draws of 3 items are too many"):
        stagg.fuse(LISTS, intervals=0.9, draws=UNPRINTABLE)


# --- texts and messages -------------------------------------------------------------------------------------------


def test_a_long_text_of_quotes_is_refused_at_once() -> None:
    begin = time.perf_counter()
    with pytest.raises(InvalidParameter, match="cannot read the measure"):
        stagg.evaluate(LISTS, LABELS, "a'" * 200_000)
    assert time.perf_counter() - begin < 3  # it took 15 seconds when every quote copied the text before it


def test_a_list_of_texts_without_end_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="too long to read: 2,000,000 characters"):
        split_list("a," * 1_000_000)


def test_a_quote_at_the_very_beginning_opens_a_quoted_name() -> None:
    assert split_list("'a,b': rrf, borda's") == ["'a,b': rrf", "borda's"]


class Mute:
    def __repr__(self) -> str:
        raise RuntimeError("no")


def test_what_cannot_be_printed_is_named_by_its_type() -> None:
    assert shown(UNPRINTABLE) == "<int that cannot be printed>"
    assert shown(Mute()) == "<Mute that cannot be printed>"
    with pytest.raises(InvalidParameter, match="missing is <int that cannot be printed>"):
        stagg.fuse(LISTS, missing=UNPRINTABLE)  # type: ignore[arg-type]


def test_a_message_has_one_line_of_moderate_length_whatever_it_shows() -> None:
    array = np.ma.masked_array(np.zeros((20, 20)), mask=True)
    assert shown(array).isprintable()
    assert len(shown(array)) == 80 == len(shown("x" * 1000))
    with pytest.raises(InvalidParameter, match="missing is masked_array") as refused:
        stagg.fuse(LISTS, missing=array)  # type: ignore[arg-type]
    assert str(refused.value).isprintable()


def test_control_characters_in_a_path_are_escaped() -> None:
    path = "\x1b[31m\n"
    with pytest.raises(DataError) as refused:
        stagg.read(path)
    assert str(refused.value).startswith(printable(path))
    assert str(refused.value).isprintable()


def test_control_characters_in_a_cutoff_are_escaped() -> None:
    with pytest.raises(InvalidParameter, match=r"not bpref@'\\x00'"):
        stagg.evaluate(LISTS, LABELS, 'bpref(cutoff="\\0")')
    with pytest.raises(InvalidParameter, match=r"not bpref@5$"):
        stagg.evaluate(LISTS, LABELS, "bpref@5")


def test_an_error_about_a_missing_extra_survives_pickling() -> None:
    error = MissingExtra("Parquet files", package="pyarrow", extra="parquet")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is MissingExtra
    assert str(again) == str(error)
    assert (again.what, again.package, again.extra) == ("Parquet files", "pyarrow", "parquet")


# --- wrong kinds of things --------------------------------------------------------------------------------------------

RUNS = {"r": {"q": {"a": 1.0, "b": 2.0, "c": 3.0}}, "s": {"q": {"b": 1.0, "c": 2.0}}}
JUDGED = {"q": {"a": 1}}
ARRAY = np.array([1, 2])
ANY: Any = stagg  # whatever the annotations say
WRONG: list[Callable[[], object]] = [
    lambda: ANY.compare(RUNS, JUDGED, "rrf", folds=2.5),
    lambda: ANY.compare(RUNS, JUDGED, "rrf", folds=UNPRINTABLE),
    lambda: ANY.compare(RUNS, JUDGED, "rrf", folds=[[["q"]]]),
    lambda: ANY.compare(RUNS, JUDGED, "rrf", folds=np.array(1)),
    lambda: ANY.compare(RUNS, JUDGED, "rrf", folds=[["q"]], seed=UNPRINTABLE),
    lambda: ANY.compare(RUNS, JUDGED, tune=[None], folds=[["q"]]),
    lambda: ANY.compare(RUNS, JUDGED, 1),
    lambda: ANY.compare(RUNS, JUDGED, "rrf", baseline=1),
    lambda: ANY.compare(RUNS, JUDGED, "rrf", measures=1),
    lambda: ANY.compare(RUNS, JUDGED, "rrf", learners=1),
    lambda: ANY.elect(LISTS, 1, draws=0),
    lambda: ANY.evaluate(LISTS, LABELS, 1),
    lambda: ANY.explore(LISTS, model="a"),
    lambda: ANY.fuse(np.array("a")),
    lambda: ANY.fuse(LISTS, weights=np.array(1.0)),
    lambda: ANY.fuse(LISTS, weights=[TOO_LARGE, 1]),
    lambda: ANY.fuse(LISTS, intervals=0.9, draws=np.timedelta64(3)),
    lambda: ANY.fuse(LISTS, values=ARRAY),
    lambda: ANY.fuse(LISTS, duplicates=ARRAY),
    lambda: ANY.fuse(LISTS, outer=ARRAY),
    lambda: ANY.load_model(1),
    lambda: ANY.read(1),
    lambda: ANY.read(__file__, encoding="\0"),
    lambda: ANY.read(__file__, format=1),
    lambda: ANY.read(__file__, log="a"),
    lambda: ANY.read_labels(1),
    lambda: ANY.train(RUNS, "best_input", JUDGED, holdout="a"),
    lambda: ANY.train(RUNS, "best_input", JUDGED, validation=1),
    lambda: ANY.train(RUNS, "best_input", JUDGED, seed="x"),
    lambda: ANY.write("a", "never.csv"),
    lambda: ANY.write(ANY.fuse(LISTS), "never.csv", format=1),
    lambda: ANY.write(ANY.fuse(LISTS), "never.csv", format='csv(delimiter="\\ud800")'),
    lambda: ANY.Rankings.from_runs(RUNS).take_queries([5]),
    lambda: ANY.Rankings.from_runs(RUNS).take_queries("q"),
    lambda: ANY.Rankings.from_runs(RUNS).take_rankers([TOO_LARGE]),
]


@pytest.mark.parametrize("call", WRONG, ids=map(str, range(len(WRONG))))
def test_a_wrong_kind_of_thing_is_refused_in_one_line(call: Callable[[], object]) -> None:
    with pytest.raises(InvalidParameter) as caught:
        call()
    assert "\n" not in str(caught.value)


NO_NAMES: list[Callable[[], object]] = [
    lambda: ANY.compare(RUNS, JUDGED, "rrf", learners="best_input", grid=ARRAY),
    lambda: ANY.compare(RUNS, JUDGED, "rrf", learners="best_input", grid=UNPRINTABLE),
    lambda: ANY.fuse({"r": [("a", 1.0)]}, weights={UNPRINTABLE: 1}),
    lambda: ANY.fuse({"r": [("a", 1.0)]}, min_score={UNPRINTABLE: 1}),
]


@pytest.mark.parametrize("call", NO_NAMES, ids=map(str, range(len(NO_NAMES))))
def test_what_is_no_name_is_refused_where_a_name_is_asked_for(call: Callable[[], object]) -> None:
    with pytest.raises((UnknownName, DataError)) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_a_ranker_named_by_a_number_can_have_a_least_score() -> None:
    found = ANY.fuse({1: {"a": 9.0, "b": 2.0}, 2: {"b": 0.7}}, min_score={1: 5}, weights={1: 2})
    assert [hit.item for hit in found.hits()] == ["a", "b"]


def test_folds_may_be_numpys() -> None:
    runs = {name: {f"q{q}": {"a": 1.0, "b": 2.0} for q in range(3)} for name in "rs"}
    judged = {f"q{q}": {"a": 1} for q in range(3)}
    assert stagg.compare(runs, judged, "rrf", folds=np.int64(3)).table.rows  # type: ignore[arg-type]
    parts = np.array([["q0"], ["q1"], ["q2"]])
    assert stagg.compare(runs, judged, "rrf", folds=parts).table.rows  # type: ignore[arg-type]


# --- hostile values inside good ones ------------------------------------------------------------------------------


def test_a_number_that_cannot_be_written_among_texts_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="mixes texts and numbers"):
        stagg.fuse([[UNPRINTABLE, "b"], ["b", "c"]])


def test_a_negative_number_counts_from_the_end_of_queries_and_rankers() -> None:
    runs = Rankings.from_runs({"r": {"q": {"a": 1.0}, "p": {"b": 1.0}}, "s": {"p": {"a": 1.0}}})
    assert runs.take_queries([-1]) == runs.take_queries([1])
    assert runs.take_queries([-2, 1]) == runs
    assert runs.take_rankers([-1]) == runs.take_rankers([1])


@pytest.mark.parametrize("missing", [3, "x", [["a"], None], UNPRINTABLE], ids=["number", "text", "list", "digits"])
def test_what_absence_cannot_mean_is_refused_where_only_learners_are_compared(missing: Any) -> None:
    with pytest.raises(InvalidParameter, match="it must be one of 'below', 'neutral', 'skip'"):
        stagg.compare(Rankings.from_scores(SCORES), LABELS, [], learners="best_input", missing=missing)


def _holds_itself() -> list[Any]:
    found: list[Any] = []
    found.append(found)
    return found


def _dict_of_itself() -> dict[str, Any]:
    found: dict[str, Any] = {}
    found["a"] = found
    return found


@pytest.mark.parametrize(
    "cell",
    [_holds_itself(), _dict_of_itself(), [["x"]], {"a": {"b": 1}}],
    ids=["itself", "a dict of itself", "lists", "dicts"],
)
@pytest.mark.parametrize("column", ["query", "item", "score"])
def test_a_frame_of_nested_lists_is_refused_before_arrow_sees_it(column: str, cell: Any) -> None:
    pandas = pytest.importorskip("pandas")
    columns: dict[str, Any] = {"query": ["q", "q"], "item": ["a", "b"], "score": [2.0, 1.0]}
    odd = np.empty(2, dtype=object)
    odd[0], odd[1] = columns[column][0], cell
    with pytest.raises(DataError):
        stagg.fuse(pandas.DataFrame(columns | {column: odd}))


def test_a_column_may_have_any_object_for_a_name() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"item": ["a", "b"], "score": [2.0, 1.0], UNPRINTABLE: [1, 2]})
    assert stagg.fuse(frame).to_lists() == {"1": {"stagg-rrf": [["a"], ["b"]]}}


@pytest.mark.parametrize("names", [None, "xy", [1], [["a"]], ["a", "a"], ITSELF, 1j], ids=repr)
def test_rankers_are_named_by_texts(names: Any) -> None:
    with pytest.raises(InvalidParameter, match="give each a different name, a text"):
        stagg.fuse(LISTS).with_rankers(names)


@pytest.mark.parametrize("queries", [1.5, [[]], [np.timedelta64(3)]], ids=repr)
def test_labels_are_taken_by_ids(queries: Any) -> None:
    with pytest.raises(InvalidParameter, match="expected the ids of queries in a list"):
        Labels(LABELS).take(queries)
    with pytest.raises(InvalidParameter, match="expected rankings, not"):
        Labels(LABELS).aligned(queries)


@pytest.mark.parametrize("cell", [["a"], np.timedelta64(3)], ids=repr)
def test_labels_of_a_frame_with_odd_cells_are_refused_with_their_row(cell: Any) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"query": ["q", "q"], "item": ["a", "b"], "label": [1, 0]}, dtype=object)
    frame.at[1, "item"] = cell
    with pytest.raises(DataError, match="2: query and item ids are text or whole numbers") as caught:
        labels_from_frame(frame)
    assert caught.value.line == 2
    with pytest.raises(InvalidParameter, match="item is the name of a column"):
        to_frame(stagg.fuse(LISTS), item=cell)


def test_a_timeout_longer_than_any_clock_is_none() -> None:
    legs = {"a": lambda _: ["x", "y"], "b": lambda _: ["y"]}
    assert [each.id for each in search("tea", legs, timeout=1e30)] == ["y", "x"]


@pytest.mark.parametrize("name", ["queries", "items", "rankers"])
def test_a_simulation_that_no_memory_holds_is_refused(name: str) -> None:
    with pytest.raises(InvalidParameter, match="do not fit into memory"):
        simulate(**{name: 10**25 - 1})
