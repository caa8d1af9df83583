"""Elections for several seats, from Python and the command line: results, ties, shares, and bad input in one line."""

from __future__ import annotations

import html
import json
from pathlib import Path

import numpy as np
import pytest
from tests.checks import some
from tests.command_line import runner

from stagg import DataError, DataWarning, InvalidParameter, Rankings, UnknownName, elect
from stagg.elections import Council
from stagg.elections.seats.lots import describe_other_lots

BOARD = {"ABC": 13, "CBA": 12, "BC": 9, "BAC": 6, "D": 4}
NAMES = {"A": "Ada", "B": "Ben", "C": "Cleo", "D": "Dan"}


def ballots(votes: dict[str, int]) -> list[list[str]]:
    return [[NAMES[letter] for letter in vote] for vote, count in votes.items() for _ in range(count)]


def test_the_rules_for_several_seats_stand_side_by_side() -> None:
    found = elect(ballots(BOARD), seats=2)
    assert isinstance(found, Council)
    assert list(found.elected) == ["stv", "meek", "block"]
    assert found.elected["block"] == ("Ben", "Cleo")
    assert found.elected["stv"] == found.elected["meek"] == ("Ben", "Ada")
    assert (found.voters, found.ballots, found.partial, found.seats) == (44, 5, 44, 2)
    assert found["stv"].quota == 15
    for each in found.results:
        assert each.shares is not None
        assert sum(each.shares.values()) == pytest.approx(2)
        assert each.last_seat is not None


def test_the_order_of_ballots_does_not_matter_and_a_count_of_three_is_three_ballots() -> None:
    one = elect(ballots(BOARD), seats=2, seed=4)
    other = elect(ballots(BOARD)[::-1], seats=2, seed=4)
    counted = Rankings.from_lists([[NAMES[letter] for letter in vote] for vote in BOARD])
    merged = elect(counted.replace(multiplicities=np.array([*BOARD.values()])), seats=2, seed=4)
    assert one == other == merged


def test_weights_are_votes_of_one_voter() -> None:
    lists = {"flat 1": ["Ada"], "flat 2": ["Ben"], "flat 3": ["Cleo"]}
    found = elect(lists, "stv", seats=2, weights={"flat 1": 2.5}, draws=0)
    assert (found.voters, found.weight) == (3, 4.5)
    assert found["stv"].stages[0].votes["Ada"] == 2.5
    assert found["stv"].quota == 2


def test_what_ties_is_decided_by_a_lot_that_the_seed_draws_and_that_is_said() -> None:
    tied = [["Ada"], ["Ben"], ["Cleo"]]
    found = [elect(tied, "stv", seats=2, seed=seed, draws=0, margins=False) for seed in range(12)]
    assert len({frozenset(each["stv"].elected) for each in found}) == 3
    for each in some(found):
        assert [tie.stage for _, tie in each["stv"].ties] == [None]
        assert each.lot[-1] not in each["stv"].elected


# --- other lots -------------------------------------------------------------------------------------------------------


def other_lots(votes: list[list[str]], rule: str, seats: int, seed: int = 0) -> str | None:
    """What is said of other lots, checked against counts with other seeds, which draw other lots."""
    found = [elect(votes, rule, seats=seats, draws=0, margins=False, seed=seed + k) for k in range(40)]
    told = found[0][rule].other_lots
    if told is None:
        return None
    elected = {*found[0][rule].elected}
    others = {frozenset(each[rule].elected) for each in found} - {frozenset(elected)}
    seated = {name for other in others for name in other - elected}
    unseated = {name for other in others for name in elected - other}
    if told.redraws is None:
        assert (told.sets, {*told.seated}, {*told.unseated}) == (len(others), seated, unseated)
    else:
        assert seated <= {*told.seated}
    return describe_other_lots(told, seats)


def test_a_lot_that_no_tie_needs_is_not_tried() -> None:
    assert other_lots(ballots(BOARD), "stv", 2) is None


@pytest.mark.parametrize("rule", ["stv", "meek"])
def test_a_lot_between_two_who_are_both_excluded_does_not_matter(rule: str) -> None:
    votes = [["Ada"]] * 9 + [["Ben"]] * 5 + [["Cleo"]] * 4 + [["Dan"], ["Eve"]]
    assert other_lots(votes, rule, 2) == "The lot did not matter: every other lot elects the same 2."
    assert other_lots(votes, rule, 1) == "The lot did not matter: every other lot elects the same candidate."


@pytest.mark.parametrize("rule", ["stv", "meek", "block", "approval", "spav"])
def test_another_lot_takes_the_seat_of_the_one_who_ties_for_it(rule: str) -> None:
    for seed in range(4):
        told = other_lots([["Ada"]] * 6 + [["Ben"]] * 2 + [["Cleo"]] * 2, rule, 2, seed)
        assert told in {
            "Another lot would elect 'Cleo' in the place of 'Ben' (all lots were tried).",
            "Another lot would elect 'Ben' in the place of 'Cleo' (all lots were tried).",
        }


def test_ties_that_only_another_lot_leads_to_are_tried_too() -> None:
    """Dan ties with Eve where Ben is excluded before Cleo: only then can Eve get the second seat."""
    votes = [["Ben", "Cleo"]] * 2 + [["Cleo", "Dan"]] * 2 + [["Dan", "Eve"]] * 3 + [["Eve", "Dan"]] * 3
    for seed in range(4):
        assert other_lots(votes + [["Ada"]] * 12, "stv", 2, seed) in {
            "Another lot would elect 'Eve' in the place of 'Dan' (all lots were tried).",
            "Another lot would elect 'Dan' in the place of 'Eve' (all lots were tried).",
        }


def test_lots_of_many_are_drawn_again() -> None:
    tied = [[name] for name in "abcdefgh"]
    told = other_lots(tied, "stv", 1) or ""
    assert told.startswith("Other lots would elect ")
    assert told.endswith(" (the lot was drawn again 200 times).")
    safe = other_lots([["Ada"]] * 9 + [["Ben"]] * 8 + tied, "stv", 2)
    assert safe == "The lot probably did not matter: drawn again 200 times, it elected the same 2."


def test_the_terminal_the_page_and_the_minutes_say_the_same_of_other_lots(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path, minutes, page = put(tmp_path, "1st,count\nAda,6\nBen,2\nCleo,2\n"), tmp_path / "m.md", tmp_path / "p.html"
    how = ("--seats", 2, "--rules", "stv", "--draws", 0)
    run = runner(capfdbinary, "elect")
    outcome = run(path, *how, "--minutes", minutes, "--report", page)
    row = json.loads(run(path, *how, "--json").out)["rows"][0]
    assert (row["other_lots"]["sets"], row["other_lots"]["redraws"]) == (1, None)
    (seated,), (unseated,) = row["other_lots"]["seated"], row["other_lots"]["unseated"]
    told = f"Another lot would elect '{seated}' in the place of '{unseated}' (all lots were tried)."
    assert f"stv: {told}" in " ".join(outcome.out.split())
    assert told in minutes.read_text()
    assert f"stv: {told}" in html.unescape(page.read_text())


def test_the_last_seat_is_bounded_by_ballots_that_can_be_changed() -> None:
    found = elect(ballots({"A": 10, "B": 6, "C": 4}), "stv,block,approval", seats=2, draws=0)
    for rule in found.elected:
        assert found[rule].last_seat == (2, "Cleo")  # one makes a tie of 5 and 5, which this lot decides for Ben


# --- ballots as people hand them in -----------------------------------------------------------------------------------

BOARD_CSV = "1st,2nd,3rd,count\nAda,Ben,Cleo,13\nCleo,Ben,Ada,12\nBen,Cleo,,9\nBen,Ada,Cleo,6\nDan,,,4\n"


def put(tmp_path: Path, text: str, name: str = "board.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_ticks_are_counted_by_rules_of_ticks(tmp_path: Path) -> None:
    from stagg import read

    path = put(tmp_path, "voter,Ada,Ben,Cleo\nann,x,x,\nbob,x,x,\ncem,x,x,\ndan,,,x\neva,,,x\n")
    found = elect(read(path, layout="grid", values="score"), seats=2, draws=0)
    assert found.ticks
    assert {rule: set(names) for rule, names in found.elected.items()} == {
        "approval": {"Ada", "Ben"},
        "spav": {found["spav"].elected[0], "Cleo"},
        "block": {"Ada", "Ben"},
    }
    with pytest.raises(DataError, match="stv needs ballots in order of preference, and these are ticks"):
        elect(read(path, layout="grid", values="score"), "stv", seats=2)


def test_a_no_is_no_tick(tmp_path: Path) -> None:
    from stagg import read

    path = put(tmp_path, "voter,Ada,Ben\nann,yes,no\nbob,yes,yes\ncem,no,no\n")
    found = elect(read(path, layout="grid", values="score"), "approval", seats=1, draws=0)
    assert found["approval"].stages[0].votes == {"Ada": 2, "Ben": 1}
    assert found["approval"].counted == 2


def test_spoiled_ballots_are_told() -> None:
    votes = [["Ada"], [{"Ada", "Ben"}], ["Cleo", {"Ada", "Ben"}]]
    found = elect(votes, "stv,block", seats=1, draws=0)
    assert found["stv"].remarks == (
        "1 ballot is spoiled: it ties its first choices.",
        "1 ballot ends where it ties candidates.",
    )
    assert found["block"].remarks == ("1 ballot is spoiled: it chooses more than 1 candidate at once.",)
    assert (found["stv"].counted, found["block"].counted) == (2, 2)


def test_bad_input_is_one_line(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    run = runner(capfdbinary, "elect")
    board = put(tmp_path, BOARD_CSV)
    blank = put(tmp_path, "1st,2nd\n,\n,\n", "blank.csv")
    tied = put(tmp_path, "1st,2nd,count\nAda=Ben,,3\n", "tied.csv")
    none = put(tmp_path, '2 1\n0 1 2 0\n0\n"Ada"\n"Ben"\n"Board"\n', "none.blt")
    for arguments, code, told in [
        ((board, "--seats", 5), 2, "5 seats cannot be filled from 4 candidates on the ballots"),
        ((board, "--seats", 0), 2, "seats must be a whole number, 1 or more, not 0"),
        ((board, "--rules", "stv"), 2, "the rule 'stv' needs a number of seats: --seats 3"),
        ((board, "--seats", 2, "--rules", "irv"), 2, "the rule 'irv' does not fill several seats"),
        ((board, "--seats", 2, "--rules", "stv,stv"), 2, "name one or more rules, each once"),
        ((blank, "--seats", 1, "--rules", "stv"), 1, "0 rows: there is nothing to read"),
        ((tied, "--seats", 1, "--rules", "stv"), 1, "no ballot counts by stv; 3 ballots are spoiled"),
        ((none, "--seats", 1, "--rules", "stv"), 1, "no ballot of the election"),
    ]:
        outcome = run(*arguments, "--quiet")
        assert (outcome.code, outcome.raw) == (code, b""), outcome
        assert told in outcome.err
        assert sum("error" in line for line in outcome.err.splitlines()) == 1, outcome.err


def test_the_command_prints_the_stages_in_80_columns(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = runner(capfdbinary, "elect")(put(tmp_path, BOARD_CSV), "--seats", 2, "--rules", "stv", "--draws", 50).out
    assert out.startswith("Elected: 'Ben' and 'Ada' by stv.")
    assert max(map(len, out.splitlines())) <= 80
    for told in (
        "non-transferable",
        "Excluded: 'Dan'",
        "quota 15",
        "elected in stage",
        "seat in redraws",
        "a search found",
    ):
        assert told in " ".join(out.split()), told


def test_one_seat_keeps_the_page_of_one_seat(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    run, board = runner(capfdbinary, "elect"), put(tmp_path, BOARD_CSV)
    assert run(board, "--draws", 5).raw == run(board, "--draws", 5, "--seats", 1).raw


def test_rules_of_the_other_kind_are_refused_with_a_remedy() -> None:
    with pytest.raises(UnknownName, match=r"the rule 'approval' needs a number of seats: seats=3"):
        elect(ballots(BOARD), "approval")
    with pytest.raises(InvalidParameter, match="the rules that do are stv, meek, block, approval, spav"):
        elect(ballots(BOARD), "schulze", seats=2)
    with pytest.raises(InvalidParameter, match="the rule 'irv' was not run"):
        elect(ballots(BOARD), "stv", seats=2, draws=0)["irv"]


def test_a_lot_between_those_who_reach_the_quota_is_said() -> None:
    found = elect([["Ada"]] * 5 + [["Ben"]] * 5, "meek", seats=1, draws=0)["meek"]
    assert [tie.tied for _, tie in found.ties] == [("Ada", "Ben")]
    three = elect([["Ada"]] * 5 + [["Ben", "Cleo"]] * 5 + [["Dan"]] * 5, "meek", seats=1, draws=0)["meek"]
    assert [(len(tie.tied), tie.stage) for _, tie in three.ties] == [(3, None), (2, None)]
    assert [stage.excluded for stage in three.stages if stage.tie] == [True, False]


@pytest.mark.parametrize("rule", ["stv", "meek", "block", "approval", "spav"])
def test_a_weight_of_three_is_three_ballots(rule: str) -> None:
    votes = [["Ada", "Ben"]] * 3 + [["Ben", "Cleo"], ["Cleo"], ["Dan", "Ada", "Cleo"]]
    each = elect([*votes[:1], *votes[3:]], rule, seats=2, draws=0, weights=[3, 1, 1, 1])[rule]
    whole = elect(votes, rule, seats=2, draws=0)[rule]
    assert (each.elected, [stage.votes for stage in each.stages]) == (
        whole.elected,
        [stage.votes for stage in whole.stages],
    )


def test_weights_that_a_count_cannot_hold_are_told() -> None:
    votes = [["Ada", "Ben"], ["Ben", "Cleo"], ["Cleo", "Ada"]]
    found = elect(votes, "stv", seats=2, draws=0, weights=[0.5, 0.3, 0.2])
    assert found["stv"].remarks == (
        "The quota is a whole number, 1, and the weights are fractions that add up to 1: multiply all of them by "
        "1000, say.",
    )
    with pytest.raises(DataError, match="the weights are too small to count votes to five decimals"):
        elect(votes, "stv", seats=2, weights=[5e-6, 3e-6, 2e-6])


def test_other_names_of_the_rules_lead_to_ours() -> None:
    with pytest.raises(InvalidParameter, match="unknown rule 'Bloc plurality'; it is called 'block' here"):
        elect([["Ada", "Ben"]], "Bloc plurality", seats=1)


def test_a_column_of_a_grid_is_a_candidate_whom_nobody_ranks(tmp_path: Path) -> None:
    from stagg import read

    path = put(tmp_path, "Voter,Ada,Ben,Cleo\nv1,1,2,\nv2,2,1,\n", "grid.csv")
    with pytest.warns(DataWarning, match="no ballot ranks 'Cleo'"):
        rankings = read(path, layout="grid", values="rank")
    assert set(elect(rankings, "stv", seats=3, draws=0)["stv"].elected) == {"Ada", "Ben", "Cleo"}


def test_ticks_in_one_cell_of_a_form(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    rows = 'ann@x.org,"Ada, Ben"\nbob@x.org,Cleo\ncem@x.org,"Ben, Cleo, Dan"\ndan@x.org,\neva@x.org,Ben\n'
    path = put(tmp_path, f"Email Address,Whom do you support?\n{rows}", "ticks.csv")
    asked = runner(capfdbinary, "elect")(path, "--seats", 2)
    assert asked.code == 1
    assert "--layout form --values score" in asked.err
    how = ("--layout", "form", "--values", "score")
    assert "Elected: 'Ben' and 'Cleo' by approval" in runner(capfdbinary, "elect")(path, "--seats", 2, *how).out
    told = " ".join(runner(capfdbinary, "inspect")(path, *how).out.split())
    assert "Whom do you support? all ticks" in told
    assert "Ben 3 Cleo 2 Ada 1" in told


def test_who_withdraws_is_left_out_of_the_ballots(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    votes = [["Ada", {"Ben", "Cleo"}, "Dan"]] * 3 + [["Ben"], ["Cleo", "Ben"]]
    left = [["Ada", "Cleo", "Dan"]] * 3 + [["Cleo"]]
    for rule in ("stv", "block", "approval"):
        found = elect(votes, rule, seats=2, draws=0, withdrawn=["Ben"])
        assert found[rule].stages == elect(left, rule, seats=2, draws=0)[rule].stages
    with pytest.raises(UnknownName, match="no candidate 'Bne'; did you mean 'Ben'"):
        elect(votes, "stv", seats=2, withdrawn=["Bne"])
    board, minutes = put(tmp_path, BOARD_CSV), tmp_path / "m.md"
    how = ("--seats", 2, "--rules", "stv", "--withdrawn", "Ben", "--draws", 0)
    outcome = runner(capfdbinary, "elect")(board, *how, "--minutes", minutes)
    assert "Elected: 'Cleo' and 'Ada' by stv" in outcome.out
    assert "withdrawn, and left out of the ballots: 'Ben'" in outcome.err
    assert "withdrawn, and left out of the ballots: 'Ben'" in minutes.read_text()
    assert "--withdrawn Ben" in minutes.read_text()


def test_the_terminal_names_the_quota_of_rules_that_have_one(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = put(tmp_path, "1st,2nd\nAda,Ben\nAda,Ben\nBen,\nCleo,Ben\n")
    out = runner(capfdbinary, "elect")(path, "--seats", 2, "--rules", "stv,block", "--draws", 0).out
    counted = [line.strip() for line in out.splitlines() if "ballots counted" in line]
    assert counted == ["stv: 4 ballots counted, quota 2", "block: 4 ballots counted"]
