"""The board: laws over random tables, what it says, and the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau, rankdata

import stagg
from stagg.errors import DataError, InvalidParameter
from stagg.leaderboards.gaps import find_gaps
from stagg.leaderboards.leaderboard import ScoreBoard
from stagg.leaderboards.scores import table_of
from stagg.leaderboards.task_effects import find_task_effects, rank_by_others
from tests.command_line import Run, runner

Scores = dict[str, dict[str, float]]


def some_scores(seed: int, models: int = 8, tasks: int = 14, gap: float = 0.2) -> Scores:
    rng = np.random.default_rng(seed)
    cells = rng.normal(size=(models, 1)) + rng.normal(size=(models, tasks))
    held = rng.random(cells.shape) >= gap
    return {f"m{i}": {f"t{t}": float(cells[i, t]) for t in range(tasks) if held[i, t]} for i in range(models)}


def told(board: ScoreBoard) -> Any:
    return [vars(hit) if hasattr(hit, "__dict__") else hit for hit in board.hits()]


def test_the_order_of_rows_and_tasks_does_not_matter_to_the_byte() -> None:
    scores = some_scores(1)
    turned = {m: dict(reversed(list(row.items()))) for m, row in reversed(list(scores.items()))}
    assert stagg.leaderboard(scores).to_json() == stagg.leaderboard(turned).to_json()


def test_a_growing_transform_of_a_task_changes_nothing_but_the_mean() -> None:
    scores = some_scores(2)
    grown = {m: {t: float(np.exp(x)) + 3 for t, x in row.items()} for m, row in scores.items()}
    fallen = {m: {t: -x for t, x in row.items()} for m, row in scores.items()}
    for method in ("bradley_terry", "win_rate", "borda", "mean_rank"):
        boards = [stagg.leaderboard(scores, method=method), stagg.leaderboard(grown, method=method),
                  stagg.leaderboard(fallen, method=method, lower_is_better="all")]  # fmt: skip
        assert told(boards[0]) == told(boards[1]) == told(boards[2])


def test_new_names_of_models_change_nothing_but_names() -> None:
    scores = some_scores(3)
    renamed = {f"x{m}": row for m, row in scores.items()}
    one, other = stagg.leaderboard(scores), stagg.leaderboard(renamed)
    assert [f"x{name}" for name in one.names] == list(other.names)
    assert (one.sets.low == other.sets.low).all()


def test_the_better_score_never_lowers_a_strength() -> None:
    scores = some_scores(4)
    before = dict(zip(*_strengths(scores), strict=True))
    scores["m3"]["t0"] = 99.0
    after = dict(zip(*_strengths(scores), strict=True))
    assert after["m3"] >= before["m3"]


def _strengths(scores: Scores) -> tuple[tuple[str, ...], list[float]]:
    board = stagg.leaderboard(scores, intervals=None)
    return board.names, board.strengths.values.tolist()


def test_more_draws_and_another_seed_keep_the_order_and_a_seed_gives_the_same_bytes() -> None:
    scores = some_scores(5)
    assert stagg.leaderboard(scores, seed=7).to_json() == stagg.leaderboard(scores, seed=7).to_json()
    assert stagg.leaderboard(scores, seed=7).names == stagg.leaderboard(scores, seed=8, draws=2000).names


def test_ranks_are_inside_their_intervals_and_probabilities_add_up() -> None:
    for seed in range(4):
        board = stagg.leaderboard(some_scores(seed), top=3)
        hits = board.hits()
        assert all(hit.low <= hit.alone_low <= hit.rank <= hit.alone_high <= hit.high for hit in hits)
        assert sum(hit.first for hit in hits) == pytest.approx(1)
        assert sum(hit.top for hit in hits) == pytest.approx(3)
        assert board.beats + board.beats.T == pytest.approx(np.ones((8, 8)))


def test_equal_models_share_a_rank_and_cannot_be_told_apart() -> None:
    scores = some_scores(6, gap=0.0)
    scores["twin"] = dict(scores["m0"])
    board = stagg.leaderboard(scores)
    ranks = {hit.item: hit.rank for hit in board.hits()}
    assert ranks["twin"] == ranks["m0"]
    i, j = board.names.index("twin"), board.names.index("m0")
    assert not board.sets.above[i, j]
    assert not board.sets.above[j, i]


def test_an_unbeaten_model_and_too_few_tasks_are_told() -> None:
    scores = {m: {f"t{t}": x + 0.1 * t for t in range(4)} for m, x in (("a", 2.0), ("b", 1.0), ("c", 0.0))}
    board = stagg.leaderboard(scores)
    assert any("held by the prior" in note for note in board.notes)
    assert any("too few tasks" in note for note in board.notes)
    assert [(hit.low, hit.high) for hit in board.hits()] == [(1, 3)] * 3


def test_tasks_and_models_that_compare_nothing_are_left_out_with_a_word() -> None:
    scores = some_scores(7)
    scores["lonely"] = {"own": 1.0}
    board = stagg.leaderboard(scores)
    assert "lonely" not in board.names
    assert any("own" in note for note in board.notes)
    with pytest.raises(DataError, match="nothing to compare"):
        stagg.leaderboard({"a": {"x": 1}, "b": {"y": 2}})


def test_models_that_share_no_task_are_refused_or_ranked_apart() -> None:
    """Before, the prior alone placed the groups, and models of one were told apart from those of the other."""
    rng = np.random.default_rng(0)
    worths = {"a": 3, "b": 2, "c": 0, "x": 3, "y": 2}
    scores = {m: {f"{m > 'c'}{t}": worth + rng.normal() for t in range(10)} for m, worth in worths.items()}
    with pytest.raises(DataError, match=r"2 groups of models share no task.*\(a, b, c; x, y\); apart=True"):
        stagg.leaderboard(scores)
    board = stagg.leaderboard(scores, apart=True, draws=200)
    assert [each.names for each in (board, *board.others)] == [("a", "b", "c"), ("x", "y")]
    alone = stagg.leaderboard({m: scores[m] for m in "abc"}, draws=200)
    assert json.loads(board.to_json()) | {"others": []} == json.loads(alone.to_json())
    assert "Group 2, which shares no task with the others" in repr(board)
    assert set(stagg.leaderboard(scores, missing="below", draws=50).names) == set(scores)


def test_a_top_group_that_only_loses_within_itself_is_held_by_the_prior() -> None:
    scores = {m: {f"t{t}": float(worth + (t % 2) * turn) for t in range(8)}
              for m, worth, turn in (("a", 9, 2), ("b", 10, 0), ("x", 1, 0), ("y", 0, 2), ("z", 0.5, 1))}  # fmt: skip
    note = next(note for note in stagg.leaderboard(scores).notes if "prior" in note)
    assert note.startswith("a, b: ")
    scores["x"]["t3"] = 99.0
    assert not [note for note in stagg.leaderboard(scores).notes if "prior" in note]


def test_one_task_has_no_intervals_and_says_so() -> None:
    board = stagg.leaderboard({"a": {"t": 3.0}, "b": {"t": 2.0}, "c": {"t": 1.0}})
    assert not board.has_intervals
    assert [(hit.rank, hit.low, hit.high) for hit in board.hits()] == [(1, 1, 3), (2, 1, 3), (3, 1, 3)]
    assert any("There is one task alone" in note for note in board.notes)


def test_what_a_method_says_of_missing_scores_is_what_the_board_says() -> None:
    scores = some_scores(3)
    board = stagg.leaderboard(scores, method="bradley_terry(missing=below)")
    assert board.missing == "below"
    assert any("counts as lost" in note for note in board.notes)
    assert board.names == stagg.leaderboard(scores, missing="below").names
    assert stagg.leaderboard(scores, method="bradley_terry(missing=neutral)").estimator.name != "bradley_terry"


def test_a_board_shows_itself_as_a_table() -> None:
    board = stagg.leaderboard(some_scores(4))
    assert repr(board).startswith("rank  model")
    assert len(repr(board).splitlines()) < 25
    assert board._repr_html_().startswith("<table>")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"missing": "last"}, "missing is 'skip' or 'below'"),
        ({"intervals": 1.5}, "level of intervals"),
        ({"draws": -1}, "draws"),
        ({"lower_is_better": "t99"}, "not in the table"),
        ({"weights": {"t99": 2}}, "not in the table"),
        ({"weights": {"t1": -2}}, "0 or more"),
        ({"families": "nowhere"}, "no column or file of families"),
        ({"seed": -1}, "seed"),
    ],
)
def test_options_outside_their_range_are_refused(options: Any, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        stagg.leaderboard(some_scores(1), **options)


def hide_hard(scores: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    ranks = np.array([rankdata(-column) for column in scores.T]).T
    hidden = scores.copy()
    for i in rng.permutation(len(scores))[: len(scores) // 2]:
        hidden[i, np.argsort(-ranks[i], kind="stable")[: round(share * scores.shape[1])]] = np.nan
    return hidden


def test_gaps_at_random_are_not_told_and_gaps_on_hard_tasks_are() -> None:
    rng = np.random.default_rng(2)
    warned = {"random": 0, "hard": 0}
    for _ in range(12):
        sides = rng.normal(size=(40, 2)) @ rng.normal(size=(2, 30))
        kinds = np.sort(rng.normal(size=40))
        cells = 2 * kinds[:, None] + kinds[:, None] * rng.normal(size=30) + sides + 0.5 * rng.normal(size=(40, 30))
        missing = cells.copy()
        missing[rng.random(cells.shape) < 0.3] = np.nan
        for name, each in (("random", missing), ("hard", hide_hard(cells, 0.3, rng))):
            found = find_gaps(each, np.nanmean(each, axis=1), draws=500)
            warned[name] += found is not None and found.warns
    assert warned["random"] <= 3
    assert warned["hard"] >= 9


def test_one_or_two_gaps_are_no_pattern() -> None:
    """The hardest of 30 tasks has p = 1/30 by itself."""
    rng = np.random.default_rng(4)
    easy = np.linspace(-3, 3, 30)
    cells = np.linspace(-1, 1, 8)[:, None] * (1 + easy / 3) + 0.01 * rng.normal(size=(8, 30))
    warned = []
    for gaps in (1, 2, 6):
        missing = cells.copy()
        surplus = (missing[:4] - missing[:4].mean(axis=1, keepdims=True)).mean(axis=0)
        missing[4, np.argsort(surplus)[:gaps]] = np.nan
        found = find_gaps(missing, np.nanmean(missing, axis=1))
        assert found is not None
        assert found.missing == gaps
        warned.append(found.warns)
    assert warned[:2] == [False, False]


def test_a_missing_score_is_the_lowest_of_its_task_for_the_mean() -> None:
    scores = {"a": {"x": 9.0, "y": 1.0}, "b": {"x": 8.0, "y": 2.0}, "c": {"y": 3.0}}
    board = stagg.leaderboard(scores, method="mean", missing="below", draws=0)
    assert dict(zip(board.names, board.strengths.values.tolist(), strict=True))["c"] == 5.5
    assert any("a missing score counts as the lowest of its task." in note for note in board.notes)
    assert board.below_title == "If a missing score counts as the lowest of its task"


def test_effects_of_tasks_are_those_of_boards_without_them() -> None:
    scores = some_scores(9, tasks=10, gap=0.0)
    board = stagg.leaderboard(scores)
    effects = {effect.name: effect for effect in find_task_effects(board)}
    for task in board.scores.tasks:
        without = stagg.leaderboard({m: {t: x for t, x in row.items() if t != task} for m, row in scores.items()})
        places = {name: i for i, name in enumerate(without.names)}
        tau = kendalltau(board.strengths.values, [without.strengths.values[places[n]] for n in board.names]).statistic
        assert effects[task].tau_without == pytest.approx(tau)
        assert effects[task].first == without.names[0]
    ways = rank_by_others(board)
    assert list(ways) == ["mean", "Borda", "win rate", "Bradley-Terry"]
    assert ways["Borda"].tolist() == ways["win rate"].tolist() == ways["Bradley-Terry"].tolist()


def test_the_effect_of_a_task_says_nothing_of_a_model_that_was_run_on_it_alone() -> None:
    scores = some_scores(9, tasks=10, gap=0.0)
    scores["single"] = {"t0": 99.0}
    effect = {effect.name: effect for effect in find_task_effects(stagg.leaderboard(scores, draws=50))}["t0"]
    assert "single" not in (effect.first, effect.mover)
    assert effect.models == 9


def test_runs_widen_intervals() -> None:
    rng = np.random.default_rng(1)
    rows = [(f"m{i}", f"t{t:02}", 0.1 * i + 3 * rng.normal()) for i in range(4) for t in range(25) for _ in range(3)]
    board = stagg.leaderboard(rows)
    assert any("several runs" in note for note in board.notes)
    assert len(board) == 4
    assert table_of(rows).runs.max() == 3


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary, "leaderboard")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    scores = some_scores(3)
    tasks = [f"t{t}" for t in range(14)]
    lines = [",".join(["model", *tasks])]
    lines += [",".join([m, *[str(row.get(t, "")) for t in tasks]]) for m, row in scores.items()]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(lines))
    return path


def test_the_command_says_what_python_says(run: Run, file: Path) -> None:
    found = run(file, "--json", "--draws", 300, "-q")
    board = stagg.leaderboard(file, draws=300)
    assert found.code == 0
    assert json.loads(found.out) == json.loads(board.to_json())
    frame = board.to_frame()
    assert list(frame["model"]) == list(board.names)


@pytest.mark.parametrize("form", ["table", "md", "latex", "csv"])
def test_every_format_names_all_models(run: Run, file: Path, form: str) -> None:
    found = run(file, "--format", form)
    assert found.code == 0
    assert all(f"m{i}" in found.out for i in range(8))
    assert ("\\begin{table}" in found.out) == (form == "latex")


def test_the_board_fits_a_terminal_of_eighty_columns(run: Run, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, run(file, "--lines", 3).out.splitlines())) <= 80


def test_bad_calls_and_bad_data_end_in_one_line(run: Run, file: Path, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("model,a\nx,1\n")
    (tmp_path / "slow.csv").write_text("model,acc,latency_ms\nx,1,2\ny,2,3\n")
    cases = {
        ("--missing", "last"): (file, 2), ("--weights", "1,2"): (file, 2), ("--families", "nowhere"): (file, 2),
        ("--method", "elo"): (file, 2), ("-q",): (tmp_path / "one.csv", 1), (): (tmp_path / "slow.csv", 1),
        ("--title", "T"): (file, 2), ("--input-format", "letor"): (file, 1),
    }  # fmt: skip
    for options, (path, code) in cases.items():
        found = run(path, *options)
        assert found.code == code, (options, found.err)
    asked = run(tmp_path / "slow.csv")
    assert "--lower-is-better latency_ms" in asked.err
    assert run(tmp_path / "slow.csv", "--lower-is-better", "latency_ms").code == 0
