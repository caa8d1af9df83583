"""List a registry: a table of names, or one entry in full."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from stagg.cli.options.completion import complete_name
from stagg.cli.show.talk import json_option, print_json, print_table, safe_cell, safe_console
from stagg.registry import Registry

ROLE = re.compile(r":\w+:`~?([^`]+)`")  # what links in the pages of the site
CODE = re.compile(r"``([^`]+)``")  # code, as the pages of the site have it

__all__ = ["docstring", "list_command", "list_parameters"]


def list_command(
    name: str,
    registry: Registry[Any],
    *,
    example: str,
    what: str | None = None,
    row: Callable[[type[Any]], dict[str, Any]] | None = None,
    page: Callable[[type[Any]], str] | None = None,
    columns: Mapping[str, str] | None = None,
    group: str | None = None,
    note: str = "",
) -> click.Command:
    """``stagg <name>``: all entries, those of other packages too, or the ``page`` of one.

    ``columns`` are the heads of the table, each with the key of ``row`` that stands below it. With ``group``, a key of
    ``row``, there is no table: each entry has one line, under the heading of its group.
    """
    row_of = row or (lambda entry: _row(registry, entry))
    page_of = page or (lambda entry: f"{entry.name}({list_parameters(registry, entry.name)})\n\n{docstring(entry)}")
    heads = columns or {registry.kind: registry.kind, "what it does": "summary", "parameters": "parameters"}
    usage = f"\b\nstagg {name}\nstagg {name} {example}"

    @click.command(name, help=f"List the {what or name}, or show one in full.\n\n{usage}")
    @click.argument("name", required=False, shell_complete=complete_name(registry.kind))
    @json_option
    def command(name: str | None, as_json: bool) -> None:
        if name is None:
            rows = [row_of(entry) for entry in registry.list_installed()]
            if as_json:
                print_json(f"{registry.kind}s", rows)
            elif group is not None:
                _print_groups(rows, registry.kind, group, note)
            else:
                cells = [[_plain(str(each[key])) for key in heads.values()] for each in rows]
                print_table("", list(heads), cells, note=note)
            return
        entry = registry[registry.read(name).name]  # any text that spells one: nDCG@10, "rrf(c=20)"
        if as_json:
            print_json(f"{registry.kind}s", [row_of(entry) | {"text": inspect.getdoc(entry)}])
        else:
            click.echo(page_of(entry))

    return command


def _print_groups(rows: Sequence[dict[str, Any]], kind: str, group: str, note: str) -> None:
    """One line for each entry, as long as the terminal is wide, under the headings of the groups."""
    from rich.text import Text

    console, width = safe_console(), max(len(row[kind]) for row in rows)
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row[group], []).append(row)
    for heading, several in groups.items():
        console.print(Text(heading, style="bold"))
        for row in several:
            line = Text(f"  {safe_cell(row[kind]):{width}}  {_plain(row['summary'])}")
            console.print(line, no_wrap=True, overflow="ellipsis")
        console.print()
    console.print(Text(note, style="dim"))


def _row(registry: Registry[Any], entry: type[Any]) -> dict[str, str]:
    return {registry.kind: entry.name, "parameters": list_parameters(registry, entry.name), "summary": entry.summary()}


def docstring(entry: type) -> str:
    """The docstring without its examples, and that of the class whose parameters it has, where it is not its own."""
    own = inspect.getdoc(entry) or ""
    texts = [own, *[inspect.getdoc(base) or "" for base in _families(entry, own)]]
    return "\n\n".join(_plain(text.split("\n>>>")[0].rstrip()) for text in texts)


def _plain(text: str) -> str:
    """The text as a terminal shows it, without the marks that are for the pages of the site."""
    return CODE.sub(r"`\1`", ROLE.sub(r"\1", text))


def _families(entry: type, text: str) -> list[type]:
    """The classes between an entry and what all of its kind share that explain what it inherits: "See Comb"."""
    return [
        base
        for base in entry.__mro__[1:]
        if "parameters_explained" in vars(base) or f":class:`{base.__name__}`" in text
    ]


def list_parameters(registry: Registry[Any], name: str) -> str:
    """The parameters of an entry with their defaults, in one line."""
    return ", ".join(f"{p.name}={p.default!r}" for p in registry.parameters(name))
