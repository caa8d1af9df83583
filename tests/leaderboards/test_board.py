"""A board of strengths that are given: who shares what, what is told of it, and how the command shows it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stagg
from stagg.errors import DataError, InvalidParameter
from stagg.leaderboards.board import Board, tell_probability, tell_range
from stagg.leaderboards.leaderboard import rank_scores_of
from stagg.leaderboards.scores import ScoreTable, table_of
from stagg.leaderboards.strengths import Strengths
from tests.command_line import Run, runner


def board_of(values: list[float], spread: float = 0.1, draws: int = 400, **more: Any) -> Board:
    """A board of contestants a, b, c, … in the order that is given."""
    noise = np.random.default_rng(0).normal(size=(draws, len(values)))
    names = tuple("abcdefgh"[: len(values)])
    given = Strengths(names, np.array(values), noise * spread + values, np.full(len(values), 50), "given")
    return Board.make(given, **more)


# --- the board itself -------------------------------------------------------------------------------------------------


def test_contestants_stand_best_first_and_equal_ones_share_a_rank_in_order_of_name() -> None:
    board = board_of([1.0, 3.0, 1.0, 2.0], held=np.array([5, 6, 7, 8]), total=9, unit="game", k=2)
    hits = board.hits()
    assert [(hit.item, hit.rank, hit.score, hit.held) for hit in hits] == [
        ("b", 1, 3.0, 6), ("d", 2, 2.0, 8), ("a", 3, 1.0, 5), ("c", 3, 1.0, 7),
    ]  # fmt: skip
    assert [(hit.low, hit.high, hit.groups) for hit in hits] == [(1, 1, "1"), (2, 2, "2"), (3, 4, "3"), (3, 4, "3")]
    assert [(hit.first, hit.top) for hit in hits] == [(1, 1), (0, 1), (0, 0), (0, 0)]
    assert board.groups == [(0, 0), (1, 1), (2, 3)]
    assert board.describe_groups() == [
        "b is told apart from all others.",
        "Of 6 pairs, 83 % are told apart at 95 %, all at once; of 3 pairs of neighbours, 2.",
    ]
    assert [hit.item for hit in board.hits(2)] == ["b", "d"]
    assert len(board.hits(9)) == 4
    with pytest.raises(InvalidParameter, match="k is a number of 1 or more, not 0"):
        board.hits(0)
    assert board.to_dicts()[0]["games"] == 9


def test_neighbours_who_cannot_be_told_apart_share_groups() -> None:
    board = board_of([3.0, 2.8, 2.6, 0.0])
    assert board.groups == [(0, 1), (1, 2), (3, 3)]
    assert [hit.groups for hit in board.hits()] == ["1", "1-2", "2", "3"]
    assert [(hit.first_group, hit.last_group) for hit in board.hits()] == [(1, 1), (1, 2), (2, 2), (3, 3)]
    assert board.describe_groups()[0] == "The first 2 cannot be told apart from one another."
    said = json.loads(board.to_json())
    assert (said["groups"], said["k"], said["level"]) == ([["a", "b"], ["b", "c"], ["d"]], 4, 0.95)


@pytest.mark.parametrize(("level", "quantile"), [(0.95, 2.00958), (0.8, 1.29907)])  # Student's t, 49 degrees of freedom
def test_the_interval_of_a_strength_is_students(level: float, quantile: float) -> None:
    board = board_of([3.0, 1.0], level=level)
    spread = board.strengths.draws.std(axis=0, ddof=1)
    for hit, own in zip(board.hits(), spread, strict=True):
        assert hit.strength_high - hit.score == pytest.approx(quantile * own, rel=1e-5)
        assert hit.score - hit.strength_low == pytest.approx(quantile * own, rel=1e-5)
    assert board.level == level
    assert f"told apart at {100 * level:g} %, all at once" in board.describe_groups()[1]


def test_without_draws_there_are_ranks_alone() -> None:
    board = board_of([3.0, 1.0, 2.0], draws=0)
    assert not board.has_intervals
    assert all(math.isnan(hit.first) and math.isnan(hit.top) and math.isnan(hit.strength_low) for hit in board.hits())
    assert list(board.table.view[0]) == ["rank", "model", "strength", "tasks"]
    assert board.table.legend == ()
    assert board_of([3.0, 1.0], draws=2).has_intervals
    assert not board_of([3.0, 1.0], draws=1).has_intervals


def test_a_draw_in_which_two_tie_is_shared_by_them() -> None:
    draws = np.array([[2.0, 2.0, 1.0], [3.0, 2.0, 1.0]])
    given = Strengths(("a", "b", "c"), draws.mean(axis=0), draws, np.full(3, 9), "given")
    assert given.beats().tolist() == [[0.5, 0.75, 1.0], [0.25, 0.5, 1.0], [0.0, 0.0, 0.5]]
    assert given.rank_shares(2).tolist() == [[0.75, 0.25], [0.25, 0.75], [0.0, 0.0]]
    assert given.rank_shares(3)[2].tolist() == [0, 0, 1]
    assert given.covariance().tolist() == [[0.5, 0, 0], [0, 0, 0], [0, 0, 0]]
    with pytest.raises(InvalidParameter, match="one entry for each name"):
        Strengths(("a", "b"), draws.mean(axis=0), draws, np.full(3, 9), "given")


def test_numbers_are_shown_as_people_read_them() -> None:
    assert [tell_range(2, 2), tell_range(2, 3)] == ["2", "2-3"]
    shares = (0.0, 0.0099, 0.01, 0.5, 0.99, 0.991, 1.0)
    assert [tell_probability(share) for share in shares] == ["<1 %", "<1 %", "1 %", "50 %", "99 %", ">99 %", ">99 %"]
    board = board_of([1.0, -0.0001])
    assert [row["strength"] for row in board.table.view] == ["1.000", "0.000"]
    assert [row["tasks"] for row in board.table.view] == ["50", "50"]
    assert board_of([1.0, 0.0], total=60).table.view[0]["tasks"] == "50 of 60"


# --- tables of scores -------------------------------------------------------------------------------------------------

ROWS = [
    ("a", "t", 1.0),
    ("a", "t", 2.0),
    ("b", "t", 3.0),
    ("a", "u", 1.0),
    ("c", "u", 0.5),
    ("c", "v", 1.0),
    ("c", "w", 2.0),
]


def test_a_table_counts_runs_units_and_groups() -> None:
    table = table_of(ROWS)
    assert table.summary == "3 models on 4 tasks: 7 scores"
    assert table.runs.tolist() == [[2, 1, 0, 0], [1, 0, 0, 0], [0, 1, 1, 1]]
    assert table.find_groups().tolist() == [0, 0, 0]
    assert table.with_weights({"t": 0}).find_groups().max() == 1
    assert table.units().tolist() == [2, 1, 3]
    assert table.with_weights({"v": 0}).units().tolist() == [2, 1, 2]
    grouped = table.with_families({"v": "x", "w": "x"})
    assert (grouped.families, grouped.units().tolist()) == (("t", "u", "x"), [2, 1, 2])


@pytest.mark.parametrize(
    ("families", "weights", "counted"),
    [
        ({}, {}, [1, 1, 1, 1]),
        ({}, {"t": 3}, [2, 2 / 3, 2 / 3, 2 / 3]),
        ({}, {"t": 0}, [0, 1, 1, 1]),
        ({"v": "x", "w": "x"}, {}, [1, 1, 0.5, 0.5]),
        ({"v": "x", "w": "x"}, {"v": 3}, [1, 1, 0.75, 0.25]),
        ({"v": "x", "w": "x"}, {"v": 0, "t": 9}, [1, 1, 0, 1]),
        ({"v": "x", "w": "x"}, {"v": 0, "w": 0}, [1, 1, 0, 0]),
    ],
)
def test_every_family_counts_as_one_task_and_the_mean_weight_is_1(
    families: dict[str, str], weights: dict[str, float], counted: list[float]
) -> None:
    assert table_of(ROWS).with_weights(weights).with_families(families).counted_weights() == pytest.approx(counted)


@pytest.mark.parametrize("weights", [{"t": -1.0}, {"t": math.nan}, {"t": math.inf}, dict.fromkeys("tuvw", 0.0)])
def test_weights_of_tasks_are_0_or_more_and_not_all_0(weights: dict[str, float]) -> None:
    with pytest.raises(InvalidParameter, match="the weights of tasks are numbers of 0 or more, and not all 0"):
        table_of(ROWS).with_weights(weights)
    assert table_of(ROWS).with_weights({"t": 0.0}).weights.tolist() == [0, 1, 1, 1]


def test_a_part_of_a_table_keeps_what_is_known_of_it() -> None:
    table = table_of(ROWS).with_families({"v": "x", "w": "x"}).with_lower(["u", "w"]).with_weights({"w": 5})
    part = table.take_tasks([1, 3])
    assert (part.models, part.tasks, part.families) == (("a", "c"), ("u", "w"), ("u", "x"))
    assert (part.lower.tolist(), part.weights.tolist(), part.family.tolist()) == ([True, True], [1, 5], [0, 1])
    assert np.nan_to_num(part.cells(), nan=9).tolist() == [[-1, 9], [-0.5, -2]]
    of_b = table.take_models(np.array([True, True, False]))
    assert (of_b.models, of_b.tasks) == (("a", "b"), ("t", "u"))


def test_a_table_without_two_models_or_with_a_score_that_is_infinite_is_refused() -> None:
    with pytest.raises(DataError, match="a leaderboard needs two or more models, found 1"):
        table_of([("a", "t", 1.0)])
    with pytest.raises(DataError, match="the score of 'a' on 't' is inf; expected a finite number"):
        table_of([("a", "t", math.inf), ("b", "t", 1.0)])


# --- what a board of scores says --------------------------------------------------------------------------------------


def some_table(models: int = 4, tasks: int = 12, seed: int = 1) -> dict[str, dict[str, float]]:
    rng = np.random.default_rng(seed)
    return {f"m{i}": {f"t{t:02}": float(rng.normal() - i / 2) for t in range(tasks)} for i in range(models)}


def test_how_a_board_was_made_is_noted() -> None:
    scores = some_table()
    plain = rank_scores_of(table(scores), draws=50)
    assert plain.settings == {"method": "bradley_terry", "missing": "skip", "draws": 50}
    assert not [note for note in plain.notes if "missing" in note or "famil" in note or "runs" in note]
    assert [hit.held for hit in plain.hits()] == [12] * 4
    del scores["m3"]["t00"], scores["m3"]["t01"], scores["m2"]["t00"]
    families = {f"t{t:02}": "x" if t < 6 else "y" for t in range(12)}
    board = stagg.leaderboard(scores, families=families, draws=50)
    assert board.notes[:2] == (
        "6 % of the scores are missing; a missing score says nothing.",
        "12 tasks in 2 families; each family counts once.",
    )
    assert board.notes[-1] == (
        "A model with 2 families cannot be told apart from any other at this level: too few families."
    )
    below = stagg.leaderboard(scores, missing="below", draws=50)
    assert "6 % of the scores are missing; a missing score counts as lost." in below.notes
    none = stagg.leaderboard(scores, families=dict.fromkeys(families, "x"), draws=50)
    assert "There is one family alone, which cannot tell how sure the ranks are: they have no intervals." in none.notes
    assert none.settings["draws"] is None


def table(scores: dict[str, dict[str, float]]) -> ScoreTable:
    return table_of([(model, task, x) for model, row in scores.items() for task, x in row.items()])


def test_what_separates_the_first_two_is_told_only_where_they_are_not_told_apart() -> None:
    scores = {m: {f"t{t:02}": worth + ((7 * t + k) % 5) / 3 for t in range(12)} for k, (m, worth) in
              enumerate((("a", 9.0), ("b", 2.2), ("c", 2.0)))}  # fmt: skip
    apart = rank_scores_of(table(scores), draws=300)
    assert apart.sets.above[0, 1]
    assert [text.split(" ", 2)[0] for text in apart.findings] == ["a", "Of", "Friedman:"]
    close = rank_scores_of(table({m: row for m, row in scores.items() if m != "a"}), draws=300)
    assert not close.sets.above[0, 1]
    assert " like these would separate c from b" in close.findings[2]
    grouped = table(scores).take_models(np.array([False, True, True])).with_families(
        {f"t{t:02}": f"f{t // 2}" for t in range(12)}
    )  # fmt: skip
    assert " more families like these would separate c from b" in " ".join(rank_scores_of(grouped, draws=300).findings)
    assert [text.split(" ", 1)[0] for text in rank_scores_of(table(scores), draws=0).findings] == ["Friedman:"]


def test_a_board_of_scores_tells_its_tests_as_json() -> None:
    scores = some_table()
    whole = json.loads(rank_scores_of(table(scores), draws=50, intervals=0.9, top=2).to_json())
    assert whole.keys() >= {"test", "pairs", "level", "k", "findings", "groups", "others"}
    assert (whole["level"], whole["k"], len(whole["pairs"])) == (0.9, 2, 6)
    assert whole.keys().isdisjoint({"gaps", "below"})
    del scores["m0"]["t00"]
    gaps = json.loads(rank_scores_of(table(scores), draws=0).to_json())
    assert 0 < gaps["gaps"]["p"] <= 1
    assert "pairs" not in gaps
    assert "gaps" not in json.loads(rank_scores_of(table(scores), missing="below", draws=0).to_json())


def test_runs_of_tasks_are_noted() -> None:
    rows = [(f"m{i}", f"t{t}", float(i + t * run)) for i in range(3) for t in range(8) for run in range(2)]
    assert "Tasks with several runs: draws take tasks, and runs within them." in rank_scores_of(
        table_of(rows), draws=50
    ).notes  # fmt: skip


@pytest.mark.parametrize(("tasks", "told"), [(5, True), (6, False)])
def test_five_tasks_are_too_few_to_tell_two_models_apart(tasks: int, told: bool) -> None:
    """Of five tasks 2^-4 is above 5 %, of six 2^-5 is below."""
    notes = rank_scores_of(table(some_table(tasks=tasks)), draws=50).notes
    assert any(note.endswith("at this level: too few tasks.") for note in notes) == told


def test_at_most_three_names_are_listed() -> None:
    scores = some_table()
    for k in range(5):
        scores["m0"][f"own{k}"] = 1.0
        scores[f"lonely{k}"] = {f"alone{k}": 1.0}
    notes = rank_scores_of(table(scores), draws=0).notes
    assert notes[:2] == (
        "Left out, for only one model was run on it: alone0, alone1, alone2 and 7 more.",
        "Left out, for no task compares them with others: lonely0, lonely1, lonely2 and 2 more.",
    )
    apart = {f"m{i}": {f"t{i // 2}": float(i)} for i in range(8)}
    with pytest.raises(DataError) as caught:
        rank_scores_of(table(apart))
    assert str(caught.value) == (
        "4 groups of models share no task, so nothing compares them (m0, m1; m2, m3; m4, m5; …); apart=True ranks each "
        "group by itself, missing='below' counts what was not run as lost"
    )
    boards = rank_scores_of(table(apart), apart=True, draws=0)
    assert [boards.names, *[each.names for each in boards.others]] == [
        ("m1", "m0"), ("m3", "m2"), ("m5", "m4"), ("m7", "m6"),
    ]  # fmt: skip
    assert len(boards.beside) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "mean"}, "the option 'method' is for tables of scores; these are battles"),
        ({"missing": "below"}, "the option 'missing' is for tables of scores; these are battles"),
        ({"top": 0}, "top must be a whole number, 1 or more, not 0"),
    ],
)
def test_options_that_say_nothing_of_battles_are_refused(options: dict[str, Any], message: str) -> None:
    battles = [{"a": "A", "b": "B", "winner": "ab"[k % 2]} for k in range(4)]
    with pytest.raises(InvalidParameter, match=message):
        stagg.leaderboard(battles, **options)


@pytest.mark.parametrize(("options", "named"), [({"anchor": "x"}, "anchor"), ({"ties": "half"}, "ties")])
def test_options_of_battles_are_refused_for_scores(options: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidParameter, match=f"the option '{named}' is for battles; this is a table of scores"):
        stagg.leaderboard(some_table(), **options)


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "200")
    return runner(capfdbinary, "leaderboard")


def write(folder: Path, scores: dict[str, dict[str, float]]) -> Path:
    path = folder / "scores.csv"
    tasks = sorted({task for row in scores.values() for task in row})
    lines = [",".join(["model", *tasks])]
    lines += [",".join([model, *(str(row.get(task, "")) for task in tasks)]) for model, row in scores.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_terminal_shows_forty_models_and_says_how_to_see_the_rest(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path, some_table(models=42, tasks=3))
    whole = run(path, "--draws", 0, "-q").out
    assert "2 more lines: --lines 42 shows all." in whole
    ranked = stagg.leaderboard(path, intervals=None).names
    table_of_board = whole.partition("more lines")[0].split()
    assert [name for name in table_of_board if name in ranked] == list(ranked[:40])
    assert "more line" not in run(path, "--draws", 0, "-q", "--lines", 42).out
    assert "1 more line: --lines 42 shows all." in run(path, "--draws", 0, "-q", "--lines", 41).out
    for form, rest in (("md", True), ("csv", False)):
        short = run(path, "--draws", 0, "-q", "--lines", 3, "--format", form)
        assert ("39 more lines: --lines 42 shows all." in short.out + short.err) == rest
        assert (sum(f"m{i}" in short.out.replace(",", " ").split() for i in range(42)) == 3) == rest
    assert "more line" not in run(path, "--draws", 0, "-q", "--format", "md").out


def test_a_board_beside_another_shows_ten_lines(run: Run, tmp_path: Path) -> None:
    scores = {f"m{i:02}": {"t0" if i < 15 else "t1": float(i)} for i in range(27)}
    told = " ".join(run(write(tmp_path, scores), "--draws", 0, "-q", "--apart").out.split())
    assert "Group 2, which shares no task with the others" in told
    assert "2 more lines: --lines 12 shows all." in told


def test_what_was_read_is_told_and_the_options_reach_the_board(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path, some_table())
    ended = run(path, "--draws", 20, "--weights", "t00=0", "--top", 2, "--seed", 3, "--intervals", 0.8, "--json")
    assert "read 4 models on 12 tasks: 48 scores" in ended.err
    board = stagg.leaderboard(path, draws=20, weights={"t00": 0}, top=2, seed=3, intervals=0.8)
    assert json.loads(ended.out) == json.loads(board.to_json())
    assert run(path, "--draws", 0, "--json", "-q").err == ""
    for options, message in (
        (("--title", "T"), "--title is the title of the report: say --report FILE, too"),
        (("--weights", "1,2"), "give the weights of tasks by name: Retrieval=2"),
    ):
        assert message in run(path, *options).err


def test_a_warning_is_told_beside_formats_that_cannot_hold_it(run: Run, tmp_path: Path) -> None:
    """Models lack the tasks that are hard for their neighbours."""
    easy = np.linspace(-3, 3, 30)
    cells = np.linspace(-1, 1, 8)[:, None] * (1 + easy / 3) + 0.01 * np.random.default_rng(4).normal(size=(8, 30))
    surplus = (cells[:4] - cells[:4].mean(axis=1, keepdims=True)).mean(axis=0)
    lacking = set(np.argsort(surplus)[:8].tolist())
    scores = {
        f"m{i}": {f"t{t:02}": float(cells[i, t]) for t in range(30) if t not in lacking or i not in (3, 4, 5)}
        for i in range(8)
    }
    path = write(tmp_path, scores)
    warning = "The gaps do not look random"
    for form in ("csv", "latex"):
        assert f"warning: {warning}" in run(path, "--draws", 0, "-q", "--format", form).err
    assert f"warning: {warning}" in run(path, "--draws", 0, "-q", "--json").err
    terminal = run(path, "--draws", 0, "-q")
    assert f"Warning: {warning}" in " ".join(terminal.out.split())
    assert warning not in terminal.err
    assert "If a missing score counts as lost" in terminal.out
