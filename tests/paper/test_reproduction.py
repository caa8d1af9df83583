"""What ``stagg reproduce --only table1`` must find on the paper's data, where they are: the rows that are explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from stagg.paper import Setup
from stagg.paper.experiments.base import gather_values
from stagg.paper.experiments.printed import MEASURES, SETS, TABLE1
from stagg.paper.experiments.readings import MEET, READINGS
from stagg.paper.views import open_view

Met = dict[tuple[str, str], list[float]]


@pytest.fixture(scope="module")
def met(shared_data: Path) -> Met:
    """The means of BestInput, BordaCount and RRF on both sets, each by the reading that meets the paper."""
    found = {}
    for name in SETS:
        for reading in READINGS:
            if reading.row in MEET and reading.note == MEET[reading.row][1]:
                view = Setup(str(shared_data / "letor")).make_view(name, MEET[reading.row][0])
                values = gather_values([reading.make_job(view).answer()], MEASURES)[1]
                found[name, reading.row] = values.mean(axis=1).tolist()
    open_view.cache_clear()
    return found


def test_twenty_of_twenty_four_cells_are_the_papers_to_four_digits_and_the_others_near(met: Met) -> None:
    distances = [
        abs(ours - printed)
        for (name, row), means in met.items()
        for ours, printed in zip(means, TABLE1[name][row], strict=True)
    ]
    assert len(distances) == 24
    assert sum(each <= 5e-5 for each in distances) == 20
    assert max(distances) < 0.00075


def test_the_rrf_row_is_met_in_all_eight_cells(met: Met) -> None:
    for name in SETS:
        assert [round(mean, 4) for mean in met[name, "RRF"]] == list(TABLE1[name]["RRF"])


@pytest.mark.parametrize(
    ("name", "row", "expected"),
    [
        ("MQ2007-agg", "BestInput", [0.3158, 0.3474, 0.2470, 0.3110]),
        ("MQ2007-agg", "BordaCount", [0.2325, 0.2637, 0.1997, 0.2868]),
        ("MQ2008-agg", "BestInput", [0.3813, 0.1756, 0.2391, 0.1575]),
        ("MQ2008-agg", "BordaCount", [0.4052, 0.1895, 0.2547, 0.1607]),
    ],
)
def test_two_rows_are_the_figures_that_pin_the_evaluation(met: Met, name: str, row: str, expected: list[float]) -> None:
    assert met[name, row] == pytest.approx(expected, abs=5.1e-5)
