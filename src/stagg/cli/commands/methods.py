"""``stagg methods``: list the methods, with parameters and laws."""

from __future__ import annotations

from typing import Any

from stagg.cli.show.listing import docstring, list_command
from stagg.methods import LAWS, METHODS, Method, family_of

__all__ = ["command"]


def _row(method: type[Method]) -> dict[str, Any]:
    default = method.sample()
    return {
        "method": method.name,
        "family": family_of(method.name),
        "usage": repr(default),
        "parameters": {p.name: getattr(default, p.name) for p in METHODS.parameters(method.name)},
        "missing": " ".join(method.honours),
        "summary": method.summary(),
        "breaks": dict(method.breaks),
    }


def _page(method: type[Method]) -> str:
    """The docstring without its example, then the laws that the method does not obey."""
    lines = [
        repr(method()),
        "",
        docstring(method),
        "",
        f"missing: {' or '.join(method.honours)}" + " (the first is the default)" * (len(method.honours) > 1),
    ]
    if method.breaks:
        lines += ["", "Laws it does not obey:"]
        lines += [f"  {law} ({LAWS[law]}): {reason}" for law, reason in method.breaks.items()]
    return "\n".join(lines)


command = list_command(
    "methods",
    METHODS,
    what="aggregation methods",
    example="rrf",
    row=_row,
    page=_page,
    group="family",
    note="`stagg methods NAME` shows one in full: its parameters, and what absence from a list may mean.",
)
