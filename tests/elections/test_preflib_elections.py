"""Elections of every kind of PrefLib file, odd ones too: every rule counts them, and what is no election says so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.checks import some

from stagg import DataError, DataWarning, elect, read, write
from stagg.elections.elect import RULES, Election
from stagg.elections.victory import CONDORCET_RULES
from stagg.methods import METHODS

HEADER = "# FILE NAME: x.{kind}\n# TITLE: T\n# DATA TYPE: {kind}\n# NUMBER ALTERNATIVES: {n}\n"


def order_text(rng: np.random.Generator, n: int, kind: str) -> str:
    """A random vote of a kind of file: t has ties, i stops anywhere."""
    order = (rng.permutation(n) + 1)[: n if kind.endswith("c") else int(rng.integers(0, n + 1))]
    groups: list[list[int]] = []
    for item in order.tolist():
        if groups and kind.startswith("t") and rng.random() < 0.4:
            groups[-1].append(item)
        else:
            groups.append([item])
    texts = [",".join(map(str, group)) for group in groups]
    return ",".join(f"{{{text}}}" if "," in text else text for text in texts)


def file_text(kind: str, n: int, votes: list[str]) -> str:
    names = "".join(f"# ALTERNATIVE NAME {k + 1}: candidate {k + 1}\n" for k in range(n))
    return HEADER.format(kind=kind, n=n) + names + "".join(f"{vote}\n" for vote in votes)


def count(path: Path, missing: str = "below") -> Election:
    """The election by every rule; the rules that elect Condorcet winners must agree on one."""
    found = elect(read(path), draws=3, missing=missing)  # type: ignore[arg-type]
    rules = [rule for rule in RULES if missing in METHODS[rule].honours]
    assert list(found.winners) == rules
    for each in found.results:
        assert sorted(name for group in each.order for name in group) == sorted(found.candidates)
        if found.condorcet_winner is not None and each.rule in CONDORCET_RULES:
            assert each.winners == (found.condorcet_winner,), (path, each.rule)
    return found


@pytest.mark.parametrize("kind", ["soc", "soi", "toc", "toi"])
@pytest.mark.parametrize("missing", ["below", "skip", "neutral"])
def test_every_rule_counts_every_kind(kind: str, missing: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    for number, (n, lines) in enumerate([(2, 1), (3, 9), (6, 12), (11, 5)]):
        path = tmp_path / f"{number}.{kind}"
        votes = [f"{rng.integers(1, 9)}: {order_text(rng, n, kind)}" for _ in range(lines)]
        path.write_text(file_text(kind, n, [*votes, f"1: {','.join(str(k + 1) for k in range(n))}"]))
        count(path, missing)


ODD = {
    "one voter.soc": ("soc", 7, ["1: 3,1,2,7,6,5,4"]),
    "one candidate.soc": ("soc", 1, ["3: 1"]),
    "all tie.toc": ("toc", 40, ["4: {" + ",".join(str(k + 1) for k in range(40)) + "}"]),
    "empty ballots.soi": ("soi", 4, ["4: 1,2", "2: ", "1: 3"]),
    "empty groups.toi": ("toi", 4, ["4: {1},{2,3},{4}", "2: {},{1,2}", "1: 3,{}"]),
    "whole floats.soc": ("soc", 3, ["4.0: 1,2,3", "2.: 3,2,1"]),
    "huge counts.soc": ("soc", 3, ["1000000000: 1,2,3", "999999999: 3,2,1"]),
    "as many as can be.soc": ("soc", 3, ["4611686018427387904: 1,2,3", "4611686018427387903: 3,2,1"]),
    "nobody.soc": ("soc", 3, ["2: 1,2,3", "0: 3,2,1"]),
    "equal lines.soc": ("soc", 3, ["1: 1,2,3", "1: 1,2,3", "1: 3,2,1"]),
}


@pytest.mark.filterwarnings("ignore::stagg.DataWarning")
@pytest.mark.parametrize("name", ODD)
def test_odd_elections_are_counted(name: str, tmp_path: Path) -> None:
    kind, n, votes = ODD[name]
    (tmp_path / name).write_text(file_text(kind, n, votes))
    found = count(tmp_path / name)
    assert found.voters == sum(int(vote.split(":")[0].split(".")[0]) for vote in votes if vote.split(": ")[1])


@pytest.mark.filterwarnings("ignore::stagg.DataWarning")
@pytest.mark.parametrize("name", ["huge counts.soc", "as many as can be.soc", "nobody.soc"])
def test_one_voter_among_billions_elects_the_first_candidate_by_every_rule(name: str, tmp_path: Path) -> None:
    kind, n, votes = ODD[name]
    (tmp_path / name).write_text(file_text(kind, n, votes))
    found = elect(read(tmp_path / name), draws=40)
    assert set(found.winners.values()) == {("1",)}
    assert found.condorcet_winner == "1"
    for each in found.results:
        assert each.victory is not None
        assert each.victory.least <= 1 <= each.victory.ballots or name == "nobody.soc"
        assert each.shares is not None
        assert name == "nobody.soc" or 0.2 < each.shares["1"] < 0.8  # a toss-up, with so many voters as with few


def test_many_candidates_are_counted_without_shares_and_margins(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    path = tmp_path / "many.toi"
    path.write_text(file_text("toi", 300, [f"1: {order_text(rng, 300, 'toi')}" for _ in range(20)]))
    found = elect(read(path))
    assert set(found.winners) == set(RULES)
    assert found.draws == 0
    assert all(each.victory is None for each in found.results)


@pytest.mark.filterwarnings("ignore::stagg.DataWarning")
@pytest.mark.parametrize("names", [False, True])
def test_files_of_before_2022_are_read(names: bool, tmp_path: Path) -> None:
    (tmp_path / "old.toc").write_text("3\n1,Ada\n2,Ben, the second\n3,Cleo\n10,10,2\n6,1,{2,3}\n4,3,2,1\n")
    found = elect(read(tmp_path / "old.toc", names=names), "plurality", draws=0)
    assert found.voters == 10
    assert found["plurality"].order[0] == ("Ada" if names else "1",)


@pytest.mark.parametrize("names", [False, True])
def test_an_alternative_that_nobody_ranks_is_a_candidate_without_votes(names: bool, tmp_path: Path) -> None:
    path = tmp_path / "x.soi"
    path.write_text(file_text("soi", 4, ["5: 1,3", "2: 3"]))
    second, fourth = ("candidate 2", "candidate 4") if names else ("2", "4")
    with pytest.warns(DataWarning, match=f"no vote ranks '{second}', '{fourth}'"):
        rankings = read(path, names=names)
    council = elect(rankings, "stv", seats=3, draws=0)
    assert {second, fourth} <= {*council.candidates}
    assert council["stv"].stages[0].votes[fourth] == 0
    assert len({second, fourth} & {*council["stv"].elected}) == 1
    for each in elect(rankings, draws=3).results:
        assert sorted(name for group in each.order for name in group) == sorted(council.candidates)


@pytest.mark.filterwarnings("ignore::stagg.DataWarning")
def test_a_number_of_alternatives_without_names_makes_no_candidates(tmp_path: Path) -> None:
    path = tmp_path / "x.soi"
    path.write_text("# NUMBER ALTERNATIVES: 999999999\n# ALTERNATIVE NAME X: ?\n5: 1,3\n2: 3\n")
    assert sorted(read(path).items) == ["1", "3"]


@pytest.mark.filterwarnings("ignore::stagg.DataWarning")
def test_candidates_whom_nobody_ranks_are_written_and_read_again(tmp_path: Path) -> None:
    (tmp_path / "x.soi").write_text(file_text("soi", 4, ["5: 1,3", "2: 3"]))
    rankings = read(tmp_path / "x.soi", names=True)
    write(rankings, tmp_path / "y.soi")
    assert {*read(tmp_path / "y.soi", names=True).items} == {f"candidate {k}" for k in range(1, 5)}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.wmd", "# FILE NAME: x.wmd\n# DATA TYPE: wmd\n1, 2, 4.0\n", "a weighted majority graph, which has no votes"),
        ("x.cat", "# FILE NAME: x.cat\n# DATA TYPE: cat\n4: {1,2},3\n", "votes by category"),
        ("x.soc", "# NUMBER ALTERNATIVES: 2\n4.5: 1,2\n", "the count '4.5' is not a whole number"),
        ("x.soc", "# NUMBER ALTERNATIVES: 2\n9223372036854775808: 1,2\n", "is not a whole number from 0 to 9223"),
        ("x.soc", "3\n1,Ada\n", "expected votes such as"),
    ],
)
def test_what_is_no_election_says_so(name: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=message):
        read(tmp_path / name)


def test_all_elections_of_the_shared_data_are_counted(shared_data: Path) -> None:
    """``elect`` itself, over every file; tests/methods/test_elections.py compares each rule with the majorities."""
    files = sorted(
        path for path in (shared_data / "preflib").rglob("*") if path.suffix in (".soc", ".soi", ".toc", ".toi")
    )
    counted = [(path, elect(read(path), draws=0, margins=False)) for path in files]
    for path, found in some((path, found) for path, found in counted if found.condorcet_winner is not None):
        for each in some(each for each in found.results if each.rule in CONDORCET_RULES):
            assert each.winners == (found.condorcet_winner,), path
