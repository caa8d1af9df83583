"""Messages of the library name Python options; on the command line they show its flags."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["name_flags"]

OPTIONS: Final = (
    "values", "order_by", "header", "comments", "encoding", "split_by_tag", "names", "float_labels", "lenient",
    "format", "intervals", "draws", "holdout", "validation", "master",
)  # fmt: skip
"""Not `missing`, `threads` and others that methods and learners have, too: their texts are to be typed as they are."""

ASSIGNED: Final = re.compile(rf"\b({'|'.join(OPTIONS)})=(?:'([^']*)'|(True|[0-9][0-9.]*)(?![\w(]))")
NAMED: Final = re.compile(rf"the option '({'|'.join(OPTIONS)})'")
LABELS: Final = re.compile(r"\bgive them as labels\b")


def name_flags(message: str) -> str:
    """The message with flags in the place of Python options.

    >>> name_flags("if the first line is a header, say header=True; order_by='rank' takes the rank column")
    'if the first line is a header, say --header; --order-by rank takes the rank column'
    """
    message = NAMED.sub(lambda found: _flag(found[1]), message)
    message = LABELS.sub("give them as --qrels", message)
    return ASSIGNED.sub(lambda found: _spell(found[1], found[2] or found[3]), message)


def _flag(name: str) -> str:
    return "--input-format" if name == "format" else f"--{name.replace('_', '-')}"  # --format is the output's


def _spell(name: str, value: str) -> str:
    return _flag(name) if value == "True" else f"{_flag(name)} {value}"
