"""Listing a registry: a table of names, or one entry in full."""

from __future__ import annotations

import inspect
from typing import Any

import click

from stagg.cli.talk import print_json, print_table
from stagg.registry import Registry

__all__ = ["docstring", "print_registry"]


def print_registry(command: str, registry: Registry[Any], name: str | None, *, as_json: bool) -> None:
    """All entries with their parameters and one line each, or the docstring of one."""
    entries = registry.list_installed() if name is None else [registry[name]]
    rows = [_row(registry, entry) for entry in entries]
    if as_json:
        print_json(command, rows if name is None else [rows[0] | {"text": inspect.getdoc(entries[0])}])
    elif name is not None:
        click.echo(f"{entries[0].name}({_parameters(registry, entries[0].name)})\n\n{docstring(entries[0])}")
    else:
        columns = (registry.kind, "what it does", "parameters")
        print_table("", columns, [[row[registry.kind], row["summary"], row["parameters"]] for row in rows])


def _row(registry: Registry[Any], entry: type[Any]) -> dict[str, str]:
    return {registry.kind: entry.name, "parameters": _parameters(registry, entry.name), "summary": entry.summary()}


def docstring(entry: type) -> str:
    """The docstring without its examples, and that of the class whose parameters it has, where it is not its own."""
    texts = [inspect.getdoc(entry) or "", *[inspect.getdoc(base) or "" for base in _families(entry)]]
    return "\n\n".join(text.split("\n>>>")[0].rstrip() for text in texts)


def _families(entry: type) -> list[type]:
    """The classes between an entry and what all of its kind share, which explain parameters that it inherits."""
    return [base for base in entry.__mro__[1:] if "parameters_explained" in vars(base)]


def _parameters(registry: Registry[Any], name: str) -> str:
    return ", ".join(f"{p.name}={p.default!r}" for p in registry.parameters(name))
