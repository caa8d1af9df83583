"""What other libraries make of the paper's example, as docs/reproduction.md says; run by ``make oracles``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

VOTES = [["a", "b"], ["b", "c"], ["c", "d"]]


def first_group(scores: Mapping[str, float]) -> set[str]:
    return {item for item, score in scores.items() if score > max(scores.values()) - 1e-9}


@pytest.mark.parametrize(
    ("method", "norm", "first"),
    [
        ("bordafuse", None, "bc"),
        ("rrf", None, "bc"),
        ("isr", None, "bc"),
        ("mnz", "min-max", "bc"),
        ("sum", "min-max", "abc"),
    ],
)
def test_ranx(method: str, norm: str | None, first: str) -> None:
    ranx = pytest.importorskip("ranx")
    runs = [ranx.Run({"q": {each[0]: 2.0, each[1]: 1.0}}) for each in VOTES]
    assert first_group(ranx.fuse(runs, norm=norm, method=method).to_dict()["q"]) == set(first)


def test_pyflagr(tmp_path: Path) -> None:
    pytest.importorskip("pyflagr")
    from pyflagr import Linear, Majoritarian, MarkovChains
    from pyflagr.RRA import RRA

    rows = [f"q,V{k},{item},{2 - place},DS" for k, each in enumerate(VOTES) for place, item in enumerate(each)]
    file = tmp_path / "lists.csv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")

    def order(method: object) -> str:
        frame, _ = method.aggregate(input_file=str(file))  # type: ignore[attr-defined]
        return "".join(str(row[2]) for row in frame.reset_index().to_numpy().tolist())

    condorcet, copeland = Majoritarian.CondorcetWinners(), Majoritarian.CopelandWinners()
    for method in (Linear.BordaCount(), Linear.CombMNZ(norm="score"), condorcet, copeland, RRA()):
        assert order(method).startswith("bc")
    assert order(MarkovChains.MC4(10)) == "dcba"


def test_choix() -> None:
    choix = pytest.importorskip("choix")
    strengths = choix.ilsr_rankings(4, [("abcd".index(x), "abcd".index(y)) for x, y in VOTES], alpha=0.01)
    assert list(strengths) == sorted(strengths, reverse=True)


@pytest.mark.parametrize(
    ("scheme", "order"),
    [("get_induced_measure_scoring_scheme", "abcd"), ("get_pseudodistance_scoring_scheme", "bcad")],
)
def test_corankco(scheme: str, order: str) -> None:
    pytest.importorskip("corankco")
    from corankco.algorithms.bioconsert.bioconsert import BioConsert
    from corankco.dataset import Dataset
    from corankco.scoringscheme import ScoringScheme

    dataset = Dataset.from_raw_list([[{x}, {y}] for x, y in VOTES])
    found = BioConsert().compute_consensus_rankings(dataset, getattr(ScoringScheme, scheme)(), True)
    assert "".join(character for character in str(found[0]) if character.isalpha()) == order
