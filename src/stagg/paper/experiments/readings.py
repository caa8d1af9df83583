"""Readings of Table 1: for every row of the paper the methods that it may stand for, and the orders of the lists."""

from __future__ import annotations

import dataclasses

from stagg.paper.experiments.printed import SETS
from stagg.paper.rows import name_line
from stagg.paper.views import NUMBERS, ORDERS, View
from stagg.paper.work.jobs import FoldJob, FusionJob, Job

__all__ = ["BASELINE", "MEET", "NOTES", "READINGS", "PaperReading", "list_main_readings", "name_reading"]

BASELINE = "BordaCount"
STATED, FITTED = "", "C = 10 and 5"
OWN, LOSES, VOTES = "own items only", "absent loses", "number of lists, nothing else"

NOTES = {
    FITTED: "the first document of a list adds 1/C, the second 1/(C + 1), and so on, with C = 10 on MQ2007-agg and 5 "
    "on MQ2008-agg; the paper states 40 and 10",
    OWN: "a list compares only the documents that it contains",
    LOSES: "a document that a list does not contain loses to every document that it contains",
}
"""The meanings of the notes of the readings."""

MEET = {"BestInput": ("score", STATED), "BordaCount": ("score", STATED), "RRF": ("lines", FITTED)}
"""The rows of the paper that are explained: the order of the lists and the note of the reading that meets each."""


@dataclasses.dataclass(frozen=True)
class PaperReading:
    """One way to compute a row of the paper: a method, and the orders of the lists that it is tried on.

    ``note`` sets it apart from the other readings of its row; the one without a note follows the paper's text. ``c`` is
    C on each set as ``rrf`` takes it: 1/(c + rank), the first rank is 1.
    """

    row: str
    text: str
    note: str = STATED
    c: tuple[int, int] | None = None
    orders: tuple[str, ...] = NUMBERS

    @property
    def name(self) -> str:
        return name_line(self.row, self.note)

    def write_method(self, name: str) -> str:
        """Return the text of the method on a set."""
        return self.text if self.c is None else self.text.format(c=self.c[SETS.index(name)])

    def make_job(self, view: View) -> Job:
        text = self.write_method(view.name)
        return FoldJob(view, text) if self.row == "BestInput" else FusionJob(view, text)


READINGS = (
    PaperReading("BestInput", "best_input(measure='ndcg@5')"),
    PaperReading("MCLK", "mclk"),
    PaperReading("SVP", "svp"),
    PaperReading("Plackett-Luce", "plackett_luce"),
    PaperReading("MPM", "mpm"),
    PaperReading("BordaCount", "borda(missing='skip')", orders=tuple(ORDERS)),
    PaperReading("RRF", "rrf(c={c})", c=(40, 10), orders=tuple(ORDERS)),
    PaperReading("St.Agg_BC", "stagg_bc(missing='neutral', shape='paper')"),
    PaperReading("St.Agg_RRF", "stagg_rrf(c={c}, missing='neutral', shape='paper')", c=(39, 9)),  # Eq. 13: ranks from 0
    PaperReading("RRF", "rrf(c={c})", FITTED, c=(9, 4), orders=tuple(ORDERS)),
    PaperReading("MCLK", "mclk(missing='skip')", OWN),
    PaperReading("SVP", "svp(missing='skip')", OWN),
    PaperReading("Plackett-Luce", "plackett_luce(missing='skip')", OWN),
    PaperReading("MPM", "mpm(missing='skip')", OWN),
    PaperReading("St.Agg_BC", "stagg_bc(missing='below', shape='paper')", LOSES),
    PaperReading("St.Agg_RRF", "stagg_rrf(c={c}, missing='below', shape='paper')", LOSES, c=(40, 10)),
    PaperReading("St.Agg_BC", "stagg_bc(missing='skip', shape='paper')", OWN),
    PaperReading("St.Agg_RRF", "stagg_rrf(c={c}, missing='skip', shape='paper')", OWN, c=(40, 10)),
    PaperReading("votes", "votecount", VOTES),
)
"""The nine rows as the paper describes them, then other readings. ``votes`` is no row of the paper: it is what is left
when all positions are forgotten."""


def list_main_readings() -> list[PaperReading]:
    """List the nine rows of the paper, each as its text describes it."""
    return [reading for reading in READINGS if not reading.note]


def name_reading(values: str, note: str) -> str:
    """Name a reading in plain words.

    >>> name_reading("score", ""), name_reading("lines", "C = 10 and 5")
    ('large number = top', 'file order, C = 10 and 5')
    """
    return ", ".join([ORDERS[values], *[note] * bool(note)])
