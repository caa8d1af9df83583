"""``stagg elect`` as people read it: facts, winners, matrix, rounds, points and ranks, notes, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.command_line import Run, runner

from stagg import elect
from stagg.elections.elect import Election
from stagg.elections.headline import headline
from stagg.elections.tables import list_rounds, tell_cycle, tell_margin, tell_next, tell_share

TENNESSEE = {"MNCK": 42, "NCKM": 26, "CKNM": 15, "KCNM": 17}
TIED = {"abc": 3, "bac": 3, "cab": 4}
PARTIAL = {"abc": 3, "b": 2, "cb": 4}


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "200")
    return runner(capfdbinary, "elect")


def write(folder: Path, votes: dict[str, int], name: str = "votes.csv") -> Path:
    """A file of ballots: one letter per candidate."""
    most = max(map(len, votes))
    lines = [",".join(f"choice {k + 1}" for k in range(most))]
    lines += [",".join([*vote, *[""] * (most - len(vote))]) for vote, count in votes.items() for _ in range(count)]
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / name


def tables(out: str) -> dict[str, list[str]]:
    """{title: rows and notes} of what was printed, each line with single blanks; a title ends at an empty line."""
    found: dict[str, list[str]] = {}
    title, in_title = "verdict", False
    starts = ("Election ", "Winners", "Pairwise:", "Instant", "Points", "Ranks by rule")
    for line in (" ".join(each.split()) for each in out.splitlines()):
        if line.startswith(starts) and not in_title:
            title, in_title = line, True
        elif in_title and line:
            title += f" {line}"
        elif line and not set(line) <= {"─"}:
            found.setdefault(title, []).append(line)
        in_title = in_title and bool(line)
    return found


def ballots(votes: dict[str, int]) -> list[list[str]]:
    return [list(vote) for vote, count in votes.items() for _ in range(count)]


RULES = ("plurality", "irv", "borda", "schulze")


def test_an_election_is_told_in_six_tables(run: Run, tmp_path: Path) -> None:
    """The capital of Tennessee; all numbers follow from the four kinds of ballots by hand."""
    found = tables(run(write(tmp_path, TENNESSEE), "--rules", ",".join(RULES), "--draws", 0, "-q").out)
    assert found["verdict"] == ["'N' wins by borda, schulze; 'M' wins by plurality; 'K' wins by irv."]
    assert found["Election 1"] == [
        "voters 100", "different ballots 4", "candidates 4", "Condorcet winner N", "Condorcet loser M", "Smith set N",
        "cycle at the top none",
    ]  # fmt: skip
    assert found["Winners"][:5] == [
        "rule winner wins in redraws margin next", "plurality M - 8 N", "irv K - 1 N", "borda N - 6 C",
        "schulze N - 8 M",
    ]  # fmt: skip
    assert found["Winners"][5].startswith("wins in redraws: how often the winner wins")
    assert found["Pairwise: voters who put the row above the column"] == [
        "1 2 3 4", "1 N 68 68 58", "2 C 32 83 58", "3 K 32 17 58", "4 M 42 42 42",
    ]  # fmt: skip
    assert found["Instant runoff: votes by round"] == [
        "1 2 3", "3 K 17 32 58", "4 M 42 42 42", "1 N 26 26", "2 C 15",
    ]  # fmt: skip
    assert found["Points"] == [
        "first choices Borda points", "1 N 26 294", "2 C 15 273", "3 K 17 207", "4 M 42 226",
        "Borda points: 4 for the first of a ballot, one less for each place below.",
    ]  # fmt: skip
    assert found["Ranks by rule"] == [
        "rule 1 2 3 4", "plurality 2 4 3 1", "irv 3 4 1 2", "borda 1 2 4 3", "schulze 1 2 3 4",
        "Columns are the candidates, numbered as above.",
    ]  # fmt: skip


def test_ties_are_marked_and_told(run: Run, tmp_path: Path) -> None:
    found = tables(run(write(tmp_path, TIED), "--rules", "irv,schulze", "--draws", 0, "--no-margins", "-q").out)
    assert found["Winners"][1:] == [
        "irv c * - - -",
        "schulze a - - -",
        "* irv: the result hangs on how ties inside the count are settled; in other orders 'a' or 'b' could win.",
    ]
    assert found["Instant runoff: votes by round"][-1] == (
        "Round 1: 'a' and 'b' tie for last and are struck out together. Struck out one at a time, 'a' or 'b' could win."
    )
    assert "Points" not in found


def test_what_partial_ballots_mean_is_told_and_votes_are_exhausted(run: Run, tmp_path: Path) -> None:
    found = tables(run(write(tmp_path, PARTIAL), "--rules", "irv,borda", "--draws", 0, "-q").out)
    assert found["Winners"][3] == (
        "6 ballots do not rank every candidate. Candidates that a ballot leaves out count as last on it, below all "
        "that it ranks. --missing says otherwise."
    )
    assert found["Instant runoff: votes by round"] == ["1 2", "2 c 4 4", "3 a 3 3", "1 b 2", "exhausted 0 2"]
    assert found["Points"][-1].endswith("Candidates that a ballot leaves out get equal shares of the points left over.")


@pytest.mark.parametrize(
    ("votes", "weights", "title", "rounds"),
    [
        ({"ab": 1, "ba": 1}, "1=2,2=1", "Pairwise: the weight of the voters who put the row above the column",
         ["1", "1 a 2", "2 b 1"]),
        ({"ab": 1, "ba": 1}, "1=1.5,2=0.25", "Pairwise: the weight of the voters who put the row above the column",
         ["1", "1 a 1.5", "2 b 0.25"]),
        ({"ab": 2, "ba": 1}, None, "Pairwise: voters who put the row above the column", ["1", "1 a 2", "2 b 1"]),
    ],
)  # fmt: skip
def test_votes_are_told_apart_from_voters_where_they_have_weights(
    votes: dict[str, int], weights: str | None, title: str, rounds: list[str], run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "votes.csv"
    names = [vote for vote, count in votes.items() for _ in range(count)]
    path.write_text("voter,1st,2nd\n" + "".join(f"{k},{','.join(v)}\n" for k, v in enumerate(names, start=1)))
    found = tables(run(path, "--rules", "irv", "--draws", 0, "-q", *(["--weights", weights] if weights else [])).out)
    assert found[title]
    assert found["Instant runoff: votes by round"] == rounds
    assert any(line.startswith("their weight") for line in found["Election 1"]) == (weights is not None)


def test_halves_of_votes_are_explained(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("voter,a,b,c\nx,1,1,2\ny,2,3,1\nz,1,2,3\n")
    found = tables(run(path, "--rules", "irv", "--draws", 0, "-q").out)["Instant runoff: votes by round"]
    assert "1 a 1.5" in " ".join(found)
    assert found[-1].endswith("A ballot with several first choices gives each of them its part of the vote.")


@pytest.mark.parametrize(("candidates", "tables_told"), [(12, True), (13, False)])
def test_tables_that_do_not_fit_a_terminal_are_left_out(
    candidates: int, tables_told: bool, run: Run, tmp_path: Path
) -> None:
    names = "abcdefghijklm"[:candidates]
    found = tables(run(write(tmp_path, {names: 2, names[::-1]: 1}), "--rules", "borda", "--draws", 0, "-q").out)
    others = {"Pairwise:", "Instant", "Points", "Ranks"}
    assert others & {title.split()[0] for title in found} == (others if tables_told else set())
    assert found["Winners"]


@pytest.mark.parametrize(
    ("candidates", "note"), [(50, "wins in redraws"), (51, "no redraws and margins: ask for them")]
)
def test_large_elections_say_how_to_ask_for_what_takes_long(
    candidates: int, note: str, run: Run, tmp_path: Path
) -> None:
    names = [f"c{k:02}" for k in range(candidates)]
    path = tmp_path / "votes.csv"
    path.write_text(",".join(f"choice {k + 1}" for k in range(candidates)) + "\n" + (",".join(names) + "\n") * 2)
    found = tables(run(path, "--rules", "plurality", "-q").out)
    assert found["Winners"][2].startswith(note)
    assert "no redraws" not in run(write(tmp_path, TIED), "--rules", "irv", "--draws", 0, "--no-margins", "-q").out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--minutes", "x.pdf"], "minutes are Markdown, plain text: name a file .md or .txt, not 'x.pdf'"),
        (["--title", "T"], "--title is the title of the report: say --report FILE, too"),
        (["--minutes", "x.md"], "minutes are for the rules with seats: say --seats N, and --rules stv, for example"),
        (["--withdrawn", "Q"], "no candidate 'Q'; there are M, N, C, K, so nobody of this name can withdraw"),
        (["--explain", "Q"], "no candidate 'Q'; there are"),
        (["--rules", "irv,irv"], "name one or more rules, each once"),
        (["--query", "9"], "no query '9'"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(
    options: list[str], message: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = run(write(tmp_path, TENNESSEE), "--draws", 0, "--no-margins", "-q", *options)
    assert ended.code == 2
    assert message in ended.err
    assert ended.err.count("\n") == 1
    assert not (tmp_path / "x.md").exists()


def test_minutes_of_standard_input_are_refused(run: Run) -> None:
    assert "minutes hold the checksum of a file: save standard input as a file" in run("-", "--minutes", "x.md").err


def test_candidates_who_withdraw_are_told_and_gone(run: Run, tmp_path: Path) -> None:
    options = ("--withdrawn", "M", "--withdrawn", "K", "--rules", "irv", "--draws", 0)
    ended = run(write(tmp_path, TENNESSEE), *options, "--json")
    assert "withdrawn, and left out of the ballots: 'M', 'K'" in ended.err
    told = json.loads(ended.out)
    assert told["elections"][0]["candidates"] == ["N", "C"]
    assert told["rows"][0] | {"order": None} == {
        "query": "1", "rule": "irv", "winners": ["N"], "order": None, "share": None, "margin": 18, "margin_least": 1,
        "margin_exact": False, "challenger": "C", "could_win": ["N"],
    }  # fmt: skip
    page, pages = tmp_path / "x.html", {}
    for given in ((), options[:4]):
        run(write(tmp_path, TENNESSEE), *given, "--rules", "irv", "--draws", 0, "--report", page, "-q")
        pages[given] = page.read_text(encoding="utf-8")
    assert ["withdrawn, and left out of the ballots" in text for text in pages.values()] == [False, True]


def test_an_election_with_several_queries_is_counted_query_by_query(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("query,voter,1st,2nd\npres,x,Ada,Ben\npres,y,Ada,Ben\nvice,x,Cleo,Ben\nvice,y,Cleo,Ben\n")
    quick = ("--rules", "irv", "--draws", 0, "-q")
    told = tables(run(path, *quick).out)
    assert {"Election pres", "Election vice"} <= told.keys()
    assert "Election pres" not in tables(run(path, *quick, "--query", "vice").out)
    for option, file in (("--report", "x.html"), ("--minutes", "x.md")):
        assert (
            "a report is about one election; say which: --query pres" in run(path, *quick, option, tmp_path / file).err
        )
    assert run(path, *quick, "--query", "vice", "--report", tmp_path / "x.html").code == 0
    assert "Election" not in run(path, *quick, "--query", "vice", "--explain", "Cleo").out


def test_a_file_for_several_seats_says_how_to_fill_them(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "board.blt"
    path.write_text('3 2\n2 1 2 0\n1 3 2 0\n0\n"Ada"\n"Ben"\n"Cem"\n"Board"\n')
    quick = (path, "--draws", 0, "--no-margins")
    told = "the file says that 2 seats are filled; --seats 2 counts them, and this count is for"
    assert f"{told} one seat" in run(*quick).err
    assert f"{told} one seat" in run(*quick, "--seats", 1).err
    assert f"{told} 3 seats" in run(*quick, "--seats", 3).err
    assert "seats are filled" not in run(*quick, "--seats", 2).err
    assert "seats are filled" not in run(*quick, "-q").err


def test_one_seat_is_filled_by_the_rules_that_were_asked_for(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path, TENNESSEE)
    one = ("--draws", 0, "--no-margins", "-q", "--json", "--seats", 1, "--rules")
    rows = [json.loads(run(path, *one, rule).out)["rows"] for rule in ("irv", "stv")]
    assert [row["winners"] for row in rows[0]] == [["K"]]
    assert [row["elected"] for row in rows[1]] == [["K"]]


# --- words of a result ------------------------------------------------------------------------------------------------


def election(votes: dict[str, int], rules: str, draws: int = 0, margins: bool = True) -> Election:
    return elect(ballots(votes), rules, draws=draws, margins=margins)


def test_a_result_is_told_in_cells() -> None:
    sure, tied = election({"abc": 60, "bac": 5}, "plurality", draws=20), election({"ab": 2, "ba": 2}, "plurality")
    bound = election(TENNESSEE, "copeland")
    alone = election({"a": 3}, "plurality")
    assert [tell_share(each.results[0]) for each in (sure, tied)] == ["100 %", "-"]
    assert [tell_margin(each.results[0]) for each in (sure, tied, bound, alone)] == ["28", "tie", "≤ 9 (≥ 8)", "0"]
    assert [tell_next(each.results[0]) for each in (sure, tied, bound, alone)] == ["b", "-", "C", "-"]
    assert tell_margin(election(TIED, "irv", margins=False).results[0]) == "-"
    assert tell_share(elect([[set("abcd")]] * 3, "plurality", draws=10).results[0]) == "25 %, 25 %, 25 %"
    assert tell_cycle(election({"abc": 4, "bca": 3, "cab": 2}, "irv")) == "b > c > a > b"
    assert list_rounds(election(PARTIAL, "irv")) == [
        ("c", [4, 4]), ("a", [3, 3]), ("b", [2, None]), ("exhausted", [0, 2]),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("votes", "rules", "told"),
    [
        (TENNESSEE, "plurality", "Elected by plurality: M, with 42 first choices to 26 for 'N'."),
        (TENNESSEE, "borda", "Elected by borda: N, with 294 Borda points to 273 for 'C'."),
        (TENNESSEE, "schulze", "Elected by schulze: N."),
        (TENNESSEE, "schulze,borda", "Elected by both rules: N."),
        (TENNESSEE, "schulze,borda,copeland", "Elected by all 3 rules: N."),
        (TENNESSEE, "irv", "Elected by irv: K, 58 to 42 in the last round."),
        ({"ab": 2, "ba": 2}, "irv", "Tie by irv: 'b' and 'a'. Your statutes decide who is elected."),
        ({"a": 3}, "plurality", "Elected by plurality: a."),
        ({"a": 3}, "irv", "Elected by irv: a."),
        ({"abc": 4, "bac": 1, "cab": 1}, "plurality",
         "Elected by plurality: a, with 4 first choices to 1 for 'c' and 'b'."),
        (TIED, "irv", "Elected by irv: c, 4 to 3 and 3 in the last round. irv: the result hangs on how ties inside the "
         "count are settled; in other orders 'a' or 'b' could win."),
        (TENNESSEE, "schulze,irv", "The rules disagree; your statutes decide which one counts. 'N' wins by schulze; "
         "'K' wins by irv."),
    ],
)  # fmt: skip
def test_a_page_begins_with_who_is_elected_and_by_how_much(votes: dict[str, int], rules: str, told: str) -> None:
    assert headline(election(votes, rules)) == told
