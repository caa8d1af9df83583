"""``stagg measures``: list the measures, with the names that other tools give them."""

from __future__ import annotations

from typing import Any

from stagg.cli.show.listing import docstring, list_command, list_parameters
from stagg.measures import MEASURES, Measure
from stagg.measures.names import list_aliases

__all__ = ["command"]

NOTE = (
    "Names of other tools mean what they mean there. Their spelling decides: nDCG@10 (ir_measures) and ndcg_cut_10 "
    "(trec_eval) have the gain y, and ndcg@10 has the gain 2^y-1; ERR@20 has gdeval's top grade 4, and err@20 the "
    "largest label given; RBP has p=0.8. `stagg measures NAME` explains a name."
)


def _row(measure: type[Measure]) -> dict[str, Any]:
    return {
        "measure": measure.name,
        "parameters": list_parameters(MEASURES, measure.name),
        "summary": measure.summary(),
        "also": ", ".join(theirs for _, theirs, _ in list_aliases(measure.name)),
        "aliases": [{"tool": tool, "name": name, "means": here} for tool, name, here in list_aliases(measure.name)],
    }


def _page(measure: type[Measure]) -> str:
    """The docstring without its example, then the names that other tools have for it."""
    lines = [f"{measure.name}({list_parameters(MEASURES, measure.name)})", "", docstring(measure)]
    if list_aliases(measure.name):
        lines += ["", "Names of other tools:"]
        lines += [f"  {name} ({tool}) is {here}" for tool, name, here in list_aliases(measure.name)]
    return "\n".join(lines)


command = list_command(
    "measures",
    MEASURES,
    example="ndcg",
    row=_row,
    page=_page,
    columns={"measure": "measure", "what it does": "summary", "parameters": "parameters", "also called": "also"},
    note=NOTE,
)
