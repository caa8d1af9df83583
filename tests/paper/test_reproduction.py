"""What ``stagg reproduce`` must find on the paper's data, where they are: the rows that are not in doubt."""

from __future__ import annotations

from pathlib import Path

import pytest

from stagg.paper import Setup
from stagg.paper.experiment import values_of
from stagg.paper.printed import MEASURES, SETS, TABLE1
from stagg.paper.readings import main_rows
from stagg.paper.views import opened

PINNED = ("BestInput", "BordaCount")


@pytest.fixture(scope="module")
def pinned(shared_data: Path) -> dict[tuple[str, str], list[float]]:
    """The means of BestInput and BordaCount on both sets, large = top."""
    found = {}
    for name in SETS:
        view = Setup(str(shared_data / "letor")).view(name, "score")
        for row in main_rows():
            if row.row in PINNED:
                found[name, row.row] = values_of([row.task(view).answer()], MEASURES)[1].mean(axis=1).tolist()
    opened.cache_clear()
    return found


def test_twelve_of_sixteen_cells_are_the_papers_to_four_digits(pinned: dict[tuple[str, str], list[float]]) -> None:
    distances = [
        abs(ours - printed)
        for (name, row), means in pinned.items()
        for ours, printed in zip(means, TABLE1[name][row], strict=True)
    ]
    assert len(distances) == 16
    assert sum(each <= 5e-5 for each in distances) == 12
    assert max(distances) < 0.00075


@pytest.mark.parametrize(
    ("name", "row", "expected"),
    [
        ("MQ2007-agg", "BestInput", [0.3158, 0.3474, 0.2470, 0.3110]),
        ("MQ2007-agg", "BordaCount", [0.2325, 0.2637, 0.1997, 0.2868]),
        ("MQ2008-agg", "BestInput", [0.3813, 0.1756, 0.2391, 0.1575]),
        ("MQ2008-agg", "BordaCount", [0.4052, 0.1895, 0.2547, 0.1607]),
    ],
)
def test_they_are_the_figures_that_pin_the_evaluation(
    pinned: dict[tuple[str, str], list[float]], name: str, row: str, expected: list[float]
) -> None:
    assert pinned[name, row] == pytest.approx(expected, abs=5.1e-5)
