"""``stagg methods``: what there is, with parameters."""

from __future__ import annotations

import inspect
from typing import Any

import click

from stagg.cli.listing import docstring
from stagg.cli.talk import json_option, print_json, print_table
from stagg.methods import LAWS, METHODS, Method

__all__ = ["command"]


@click.command("methods")
@click.argument("name", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List the aggregation methods, or show one in full.

    \b
    stagg methods
    stagg methods rrf
    """
    if name is not None:
        method = METHODS[name]
        if as_json:
            print_json("methods", [_row(method) | {"text": inspect.getdoc(method)}])
        else:
            click.echo(_page(method))
        return
    rows = [_row(method) for method in METHODS.list_installed()]
    if as_json:
        print_json("methods", rows)
        return
    columns = ("method", "what it does", "missing")
    print_table(
        "",
        columns,
        [[row["usage"], row["summary"], row["missing"]] for row in rows],
        note="Values shown are the defaults. missing: what absence from a list may mean, the default first.",
    )


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
        f"missing: {' or '.join(method.honours)} (the first is the default)",
    ]
    if method.breaks:
        lines += ["", "Laws it does not obey:"]
        lines += [f"  {law} ({LAWS[law]}): {reason}" for law, reason in method.breaks.items()]
    return "\n".join(lines)
