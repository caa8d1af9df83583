"""The paper's data: rows that pin the evaluation and the methods (FINDINGS.md, section 1), where the data are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from stagg import compare
from stagg.formats import Loaded, ReadLog, ReadOptions, load

SETS = ("MQ2007-agg", "MQ2008-agg")


@pytest.fixture(scope="module")
def letor(shared_data: Path) -> dict[tuple[str, str], Loaded]:
    """Both sets, read both ways: small = top (rank) and large = top (score)."""
    found = {}
    for name in SETS:
        files = sorted((shared_data / "letor" / name).glob("A?.txt"))
        for values in ("rank", "score"):
            found[name, values] = load(files, options=ReadOptions(values=values), log=ReadLog())
    return found


def rows(loaded: Loaded, methods: list[str], learners: list[str] | None = None) -> dict[str, list[float]]:
    assert loaded.labels is not None
    found = compare(loaded.rankings, loaded.labels, methods, learners=learners or [], conventions="letor4", threads=2)
    return dict(zip(found.methods, found.values.mean(axis=2).tolist(), strict=True))


@pytest.mark.parametrize(
    ("name", "borda", "best"),
    [
        ("MQ2007-agg", [0.2325, 0.2637, 0.1997, 0.2868], [0.3158, 0.3474, 0.2470, 0.3110]),
        ("MQ2008-agg", [0.4052, 0.1895, 0.2547, 0.1607], [0.3813, 0.1756, 0.2391, 0.1575]),
    ],
)
def test_borda_and_best_input_come_out_as_in_the_paper_with_large_at_the_top(
    letor: dict[tuple[str, str], Loaded], name: str, borda: list[float], best: list[float]
) -> None:
    found = rows(letor[name, "score"], ["borda"], ["best_input"])
    assert found["borda"] == pytest.approx(borda, abs=5.1e-5)
    assert found["best_input(measure='ndcg@5')"] == pytest.approx(best, abs=5.1e-5)


EXPECTED = {
    "MQ2007-agg": {
        "borda": [0.4325, 0.4517, 0.3297, 0.3392],
        "rrf(c=40)": [0.4296, 0.4496, 0.3288, 0.3390],
        "votecount": [0.3817, 0.4071, 0.2984, 0.3311],
        "stagg_bc(missing='neutral', shape='paper')": [0.4123, 0.4306, 0.3187, 0.3211],
        "stagg_rrf(missing='neutral', shape='paper', c=40)": [0.4133, 0.4318, 0.3201, 0.3212],
        "stagg_bc(missing='below', shape='paper')": [0.4310, 0.4509, 0.3288, 0.3395],
        "stagg_rrf(missing='below', shape='paper', c=40)": [0.4305, 0.4524, 0.3297, 0.3391],
        "stagg_rrf(missing='skip', shape='paper', c=40)": [0.4175, 0.4402, 0.3213, 0.3376],
    },
    "MQ2008-agg": {
        "borda": [0.4765, 0.2277, 0.3081, 0.1709],
        "rrf(c=10)": [0.4760, 0.2284, 0.3083, 0.1707],
        "votecount": [0.4703, 0.2239, 0.3009, 0.1696],
        "stagg_bc(missing='neutral', shape='paper')": [0.4112, 0.1989, 0.2940, 0.1592],
        "stagg_rrf(missing='neutral', shape='paper', c=10)": [0.4102, 0.1984, 0.2934, 0.1595],
        "stagg_bc(missing='below', shape='paper')": [0.4774, 0.2284, 0.3093, 0.1707],
        "stagg_rrf(missing='below', shape='paper', c=10)": [0.4720, 0.2264, 0.3085, 0.1698],
        "stagg_rrf(missing='skip', shape='paper', c=10)": [0.4724, 0.2262, 0.3043, 0.1698],
        "stagg(missing='skip', shape='linear', utility='list_borda')": [0.4814, 0.2313, 0.3142, 0.1719],
    },
}


@pytest.mark.parametrize("name", SETS)
def test_the_rows_with_small_at_the_top_come_out_to_four_digits(
    letor: dict[tuple[str, str], Loaded], name: str
) -> None:
    found = rows(letor[name, "rank"], list(EXPECTED[name]))
    for method, expected in EXPECTED[name].items():
        assert found[method] == pytest.approx(expected, abs=5.1e-5), method
