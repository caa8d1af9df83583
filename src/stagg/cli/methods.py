"""``stagg methods``: what there is, with parameters and laws."""

from __future__ import annotations

from typing import Any

from stagg.cli.listing import docstring, list_command
from stagg.methods import LAWS, METHODS, Method

__all__ = ["command"]


def _row(method: type[Method]) -> dict[str, Any]:
    default = method.sample()
    return {
        "method": method.name,
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
    columns={"method": "usage", "what it does": "summary", "missing": "missing"},
    note="Values shown are the defaults. missing: what absence from a list may mean, the default first.",
)
