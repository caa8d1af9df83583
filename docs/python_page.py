"""The page of the Python API: every public name, its signature and its docstring, whose examples the tests run."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from docstrings import plain, split_example

import stagg
from stagg.formats import ReadOptions

__all__ = ["PATH", "page"]

PATH = "reference/python.md"

FUNCTIONS = {
    "Fuse": ("fuse", "explain", "rank_distribution", "explore"),
    "Read and write": ("read", "read_labels", "read_texts", "write"),
    "Elect": ("elect",),
    "Rank models": ("leaderboard",),
    "Measure": ("evaluate", "compare", "judge", "gate", "diff"),
    "Learn": ("train", "load_model"),
}
CLASSES = ("Rankings", "Hit", "Labels")
IN_FULL = (
    *("hits", "page", "best_first", "to_dict", "to_frame", "to_arrow", "to_lists", "to_runs"),
    *("with_weights", "cut", "take_rankers", "take_queries", "with_rankers", "summary", "take"),
)
"""Methods that people call; what methods of your own may need of a class is in a table below them."""

ERRORS = (
    *("StaggError", "DataError", "UnknownName", "InvalidParameter", "NotConverged", "LegFailed", "MissingExtra"),
    "DataWarning",
)

INTRO = """\
All public names of the package. `import stagg` is enough: `stagg.fuse`, `stagg.read` and so on. The methods, measures
and learners that you name by text are on pages of their own: [reference](index.md). What goes into `fuse` and what
comes out, in one table: [start in five minutes](../start.md#what-goes-in). `stagg.__version__` is the version as
text."""

ERROR_INTRO = """\
Every error that stagg raises on purpose is a `StaggError`, so one `except stagg.StaggError` catches all of them. The
message says where, what was found, and what to do."""


def page() -> str:
    """The page as Markdown."""
    _check_complete()
    lines = ["# The Python API", "", INTRO, ""]
    for title, names in FUNCTIONS.items():
        lines += [f"## {title}", ""]
        for name in names:
            lines += _entry(f"### {name}", f"stagg.{name}", getattr(stagg, name))
        lines += _reading_options() if "read" in names else []
    for name in CLASSES:
        lines += _class(name, getattr(stagg, name))
    return "\n".join([*lines, *_errors()])


def _check_complete() -> None:
    """A new public name must be given its place here."""
    placed = {"__version__", *CLASSES, *ERRORS, *[name for names in FUNCTIONS.values() for name in names]}
    if placed != set(stagg.__all__):
        raise ValueError(f"docs/python_page.py has no place for {sorted(placed ^ set(stagg.__all__))}")


def _entry(head: str, name: str, function: Callable[..., Any]) -> list[str]:
    """A headline, the call with its defaults, the text and the example."""
    return [head, "", "```text", _call(name, function), "```", "", *_described(function)]


def _described(thing: Any) -> list[str]:
    text, example = split_example(inspect.getdoc(thing) or "")
    block = ["```pycon", *_imports(example), example, "```", ""] if example else []
    return [plain(text), "", *block]


def _imports(example: str) -> list[str]:
    """The public names that an example uses and does not import itself."""
    code = "\n".join(line for line in example.splitlines() if line.startswith((">>>", "...")))
    used = [name for name in stagg.__all__ if re.search(rf"(?<![\w.]){name}(?!\w)", code)]
    missing = [name for name in used if not re.search(rf"import .*\b{name}\b", code)]
    return [f">>> from stagg import {', '.join(missing)}"] if missing else []


def _call(name: str, function: Callable[..., Any]) -> str:
    """The signature without types, which the text explains; one option per line where the line would be long."""
    given = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
    parts = [str(p.replace(annotation=inspect.Parameter.empty)) for p in given]
    first = next((n for n, p in enumerate(given) if p.kind is p.KEYWORD_ONLY), None)
    if first is not None:
        parts.insert(first, "*")
    line = f"{name}({', '.join(parts)})"
    return line if len(line) <= 100 else "\n".join([f"{name}(", *[f"    {part}," for part in parts], ")"])


def _reading_options() -> list[str]:
    return ["### Reading options", "", plain(inspect.getdoc(ReadOptions) or ""), ""]


def _class(name: str, cls: type) -> list[str]:
    """The docstring of a class, how to make one, what people call, and a table of all the rest."""
    lines = [f"## {name}", "", *_described(cls)]
    for each, member in _members(cls, staticmethod):
        lines += _entry(f"### {name}.{each}", f"{name}.{each}", member.__func__)
    methods = dict(_members(cls, FunctionType))
    for each in [each for each in IN_FULL if each in methods]:
        lines += _entry(f"### {name}.{each}", f"{name.lower()}.{each}", methods.pop(each))
    rows = [f"| `{each}` | {_in_a_cell(member.fget)} |" for each, member in _members(cls, property)]
    rows += [f"| `{each}()` | {_in_a_cell(function)} |" for each, function in methods.items()]
    return [*lines, f"### More of {name}", "", "| name | what it is |", "|---|---|", *rows, ""]


def _members(cls: type, kind: type) -> Iterator[tuple[str, Any]]:
    """The public members of one kind, in the order of the source."""
    return ((name, each) for name, each in vars(cls).items() if isinstance(each, kind) and not name.startswith("_"))


def _in_a_cell(thing: Any) -> str:
    return plain(" ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split()))


def _errors() -> list[str]:
    rows = [f"| `{name}` | {_in_a_cell(getattr(stagg, name))} |" for name in ERRORS]
    lines = ["## Errors", "", ERROR_INTRO, "", "| error | when |", "|---|---|", *rows, ""]
    for name in ERRORS:
        example = split_example(inspect.getdoc(getattr(stagg, name)) or "")[1]
        lines += ["```pycon", *_imports(example), example, "```", ""] if example else []
    return lines
