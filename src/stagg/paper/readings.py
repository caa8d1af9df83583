"""The rows of Table 1, and the methods that they are taken for: what Table 1, Figure 1 and Figure 4 share."""

from __future__ import annotations

import dataclasses

from stagg.paper.jobs import Fused, Learned, Task
from stagg.paper.printed import RRF_C
from stagg.paper.views import View

__all__ = ["BASELINE", "ROWS", "Row", "main_rows"]

BASELINE = "BordaCount"


@dataclasses.dataclass(frozen=True)
class Row:
    """A row of the paper's table and the method that it is taken for here.

    ``reading`` says how the row is read where it can be read in several ways; the first reading of a row stands for it.
    ``c`` is added to the paper's C of RRF: Eq. 13 counts ranks from 0, ours from 1, so its C is c + 1 here.
    """

    row: str
    text: str
    reading: str = ""
    c: int | None = None

    @property
    def name(self) -> str:
        return f"{self.row} ({self.reading})" if self.reading else self.row

    def method(self, name: str) -> str:
        """The method on a set."""
        return self.text if self.c is None else self.text.format(c=RRF_C[name] + self.c)

    def task(self, view: View) -> Task:
        text = self.method(view.name)
        return Learned(view, text) if self.row == "BestInput" else Fused(view, text)


ROWS = (
    Row("BestInput", "best_input(measure='ndcg@5')"),
    Row("MCLK", "mclk"),
    Row("SVP", "svp"),
    Row("Plackett-Luce", "plackett_luce"),
    Row("MPM", "mpm"),
    Row("BordaCount", "borda(missing='skip')"),
    Row("RRF", "rrf(c={c})", c=0),
    Row("St.Agg_BC", "stagg_bc(missing='neutral', shape='paper')"),
    Row("St.Agg_RRF", "stagg_rrf(c={c}, missing='neutral', shape='paper')", c=-1),
    Row("MCLK", "mclk(missing='skip')", "own items only"),
    Row("SVP", "svp(missing='skip')", "own items only"),
    Row("Plackett-Luce", "plackett_luce(missing='skip')", "own items only"),
    Row("MPM", "mpm(missing='skip')", "own items only"),
    Row("St.Agg_BC", "stagg_bc(missing='below', shape='paper')", "absent loses"),
    Row("St.Agg_RRF", "stagg_rrf(c={c}, missing='below', shape='paper')", "absent loses", c=0),
    Row("St.Agg_BC", "stagg_bc(missing='skip', shape='paper')", "own items only"),
    Row("St.Agg_RRF", "stagg_rrf(c={c}, missing='skip', shape='paper')", "own items only", c=0),
    Row("votes", "votecount", "number of lists, nothing else"),
)
"""The nine rows of the table, St.Agg by its equations to the letter; then other readings of them. ``votes`` has no row
in the paper: what is left when all positions are forgotten."""


def main_rows() -> list[Row]:
    """The nine rows of the paper."""
    return [row for row in ROWS if not row.reading]
