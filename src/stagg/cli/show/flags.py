"""Flags in messages: library messages name Python options, and the command line replaces them by its flags."""

from __future__ import annotations

import ast
import re
import shlex
from typing import Final

__all__ = ["name_flags"]

OPTIONS: Final = (
    "values", "lower", "order_by", "keep_ranks", "header", "comments", "encoding", "split_by_tag", "names",
    "float_labels", "lenient", "layout", "columns", "sheet", "duplicates", "outer", "delimiter", "max_size", "memory",
    "rename", "repeat_voters", "same", "seats", "weights", "format", "intervals", "draws", "holdout", "validation",
    "master", "query", "inputs", "methods", "folds",
)  # fmt: skip
"""Not `missing`, `threads` and others that methods and learners have, too: their texts are to be typed as they are."""

TEXT: Final = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
ASSIGNED: Final = re.compile(
    rf"\b({'|'.join(OPTIONS)})=(?:({TEXT}|\{{(?:{TEXT}|[:, 0-9])*\}})|(True|False|[0-9][0-9.]*)(?![\w(]))"
)
NEIGHBOURS: Final = re.compile(r"(--[\w-]+(?: (?:'[^']*'|[^\s,;:()]+))?), (?=--)")
NAMED: Final = re.compile(rf"the option '({'|'.join(OPTIONS)})'")
WRITE: Final = re.compile(r"\bwrite \.(csv|json)\b(?:, \.\w+)*(?: or \.\w+)?")
LABELS: Final = re.compile(r"\bgive them as labels\b")
WEIGHTS: Final = re.compile(r"\bgive them as weights=\{'(\w+)': (\d+)\}")


def name_flags(message: str) -> str:
    """The message with flags in the place of Python options.

    >>> name_flags("if the first line is a header, say header=True; order_by='rank' takes the rank column")
    'if the first line is a header, say --header; --order-by rank takes the rank column'
    >>> name_flags("say layout='columns', header=False or columns={'item': 'gene name'}")
    "say --layout columns --no-header or --columns 'item=gene name'"
    >>> name_flags("<stdout>: trec cannot hold the item id 'New York': …; write .csv or .json")
    "<stdout>: trec cannot hold the item id 'New York': …; say --format csv"
    """
    message = NAMED.sub(lambda found: _flag(found[1]), message)
    message = LABELS.sub("give them as --qrels", message)
    message = WEIGHTS.sub(r"give them as --weights \1=\2", message)
    if "<stdout>: " in message:
        message = WRITE.sub(r"say --format \1", message)
    message = ASSIGNED.sub(lambda found: _spell(found[1], found[2] or found[3]), message)
    return NEIGHBOURS.sub(r"\1 ", message)


def _flag(name: str) -> str:
    return "--input-format" if name == "format" else f"--{name.replace('_', '-')}"  # --format is the output's


def _spell(name: str, value: str) -> str:
    """The flag with its value, as a shell takes it."""
    if value in ("True", "False"):
        return _flag(name) if value == "True" else f"--no-{_flag(name)[2:]}"
    if value[0] not in "'\"{":
        return f"{_flag(name)} {value}"
    given = _evaluate(value)
    text = ",".join(f"{role}={column}" for role, column in given.items()) if isinstance(given, dict) else str(given)
    return f"{_flag(name)} {shlex.quote(text)}"


def _evaluate(value: str) -> object:
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return value.strip("'\"")
