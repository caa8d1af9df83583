"""Shell completion of the names of methods, measures and learners, alone or as the last of a list."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["complete_list", "complete_name"]

REGISTRIES: Final = {
    "method": ("stagg.methods", "METHODS"),
    "measure": ("stagg.measures", "MEASURES"),
    "learner": ("stagg.learning", "LEARNERS"),
    "feature": ("stagg.features", "FEATURES"),
}
LAST: Final = re.compile(r"(?P<before>(?:.*[,;:])?\s*)(?P<begun>\w*)", re.DOTALL)
"""The name at the end of a list that has been begun."""

Complete = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]


def complete_name(kind: str) -> Complete:
    """Complete one name of a kind."""
    return lambda context, parameter, incomplete: _list_items(kind, "", incomplete)


def complete_list(kind: str) -> Complete:
    """Complete the last name of a list: "rrf,bo" becomes "rrf,borda"."""

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        found = LAST.fullmatch(incomplete)
        if found is None or incomplete.count("(") != incomplete.count(")"):  # inside brackets nothing is known
            return []
        return _list_items(kind, found["before"], found["begun"])

    return complete


def _list_items(kind: str, before: str, begun: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    module, name = REGISTRIES[kind]
    registry = getattr(importlib.import_module(module), name)
    return [
        CompletionItem(f"{before}{text}", help=entry.summary())
        for entry in registry
        for text in _spell(entry)
        if text.lower().startswith(begun.lower())
    ]


def _spell(entry: type[Any]) -> list[str]:
    """The name; a measure also with a cutoff, and only so where it needs one."""
    cutoffs = getattr(entry, "cutoffs", "none")
    return [*([] if cutoffs == "needed" else [entry.name]), *([] if cutoffs == "none" else [f"{entry.name}@10"])]
