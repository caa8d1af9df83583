"""Errors and warnings: every one that stagg raises, under one base class."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

__all__ = [
    "DataError",
    "DataWarning",
    "InvalidParameter",
    "LegFailed",
    "MissingExtra",
    "NotConverged",
    "StaggError",
    "TooLarge",
    "UnknownName",
    "bare",
    "need",
    "plural",
    "printable",
    "shown",
    "spelled",
]

SHOWN_CHARACTERS = 80


class StaggError(Exception):
    """The base of all errors that stagg raises on purpose.

    StaggError
    ├── DataError          the input is wrong, here
    │   └── TooLarge       the input is larger than is allowed
    ├── UnknownName        no method, measure, format, ranker of that name
    ├── InvalidParameter   a value outside its range, or one a method cannot honour
    ├── NotConverged       an iteration did not settle
    ├── LegFailed          a retriever raised, was too slow, or gave no list
    └── MissingExtra       an optional dependency is not installed
    """


class DataError(StaggError):
    """The input is wrong; names the file and the line where they are known, and ``query``, ``ranker`` and ``item``.

    >>> print(DataError("expected 6 columns, found 5", file="runs/bm25.txt", line=17))
    runs/bm25.txt:17: expected 6 columns, found 5
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        query: str | None = None,
        ranker: str | None = None,
        item: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file, self.line = file, line
        self.query, self.ranker, self.item = query, ranker, item

    @property
    def place(self) -> str:
        """The beginning of the message: the file and the line, as far as they are known."""
        if self.file is None:
            return "" if self.line is None else f"row {self.line}: "
        file = printable(self.file)
        return f"{file}: " if self.line is None else f"{file}:{self.line}: "

    def __str__(self) -> str:
        return f"{self.place}{self.message}"

    def __reduce__(self) -> tuple[object, ...]:
        facts = {name: getattr(self, name) for name in ("file", "line", "query", "ranker", "item")}
        return _data_error, (type(self), self.message, facts)


def _data_error(kind: type[DataError], message: str, facts: dict[str, Any]) -> DataError:
    return kind(message, **facts)


class TooLarge(DataError):
    """An input, or what it unpacks to, is larger than is allowed."""


class UnknownName(StaggError):
    """A name that no registry, input or option holds."""


class InvalidParameter(StaggError, ValueError):
    """A parameter out of its range, or a value that a method cannot honour."""


class NotConverged(StaggError):
    """An iteration did not settle; the message says how far it still moved."""


class LegFailed(StaggError):
    """A leg of a search raised, was too slow, or gave no list; ``leg`` names it, and the cause is what it raised.

    ``leg`` is None where all legs failed, and then ``errors`` says what became of each.

    >>> print(LegFailed("dense", "it did not answer within 0.2 s"))
    leg 'dense': it did not answer within 0.2 s
    """

    def __init__(self, leg: str | None, reason: str, errors: Mapping[str, LegFailed] = MappingProxyType({})) -> None:
        super().__init__(reason if leg is None else f"leg {shown(leg)}: {reason}")
        self.leg = leg
        self.reason = reason
        self.errors = dict(errors)

    def __reduce__(self) -> tuple[object, ...]:
        return LegFailed, (self.leg, self.reason, self.errors)


class MissingExtra(StaggError, ImportError):
    """An optional dependency is not installed.

    >>> print(MissingExtra("Parquet files", package="pyarrow", extra="parquet"))
    Parquet files need pyarrow: pip install "stagg[parquet]"
    """

    def __init__(self, what: str, *, package: str, extra: str) -> None:
        super().__init__(f'{what} need {package}: pip install "stagg[{extra}]"')
        self.what = what
        self.package = package
        self.extra = extra

    def __reduce__(self) -> tuple[object, ...]:
        return _missing_extra, (self.what, self.package, self.extra)


def _missing_extra(what: str, package: str, extra: str) -> MissingExtra:
    return MissingExtra(what, package=package, extra=extra)


def need(module: str, what: str, *, extra: str, package: str | None = None) -> Any:
    """Import an optional dependency where it is used; ``package`` is its name where that is not the module's."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingExtra(what, package=package or module, extra=extra) from None


class DataWarning(UserWarning):
    """Something in the input that is allowed, but that its owner should know of."""


def shown(text: object) -> str:
    r"""Hostile text made safe to print: control characters escaped, at most 80 characters, quoted.

    >>> print(shown("a\x1b[31m\tb"))
    'a\x1b[31m\tb'
    """
    try:
        quoted = ascii(text) if isinstance(text, bytes) else repr(text)
    except Exception:  # a number of more than 4,300 digits, lists nested too deep, or an object of somebody else
        quoted = f"<{type(text).__name__} that cannot be printed>"
    # The repr of a text escapes all that is not printable: control characters, and marks that turn the direction of
    # text. That of an object may hold anything, such as the line breaks of an array.
    return printable(quoted[: SHOWN_CHARACTERS + 1], longest=SHOWN_CHARACTERS)


def spelled(value: object) -> str:
    """``str(value)``, and where Python or the object's own code refuses that, :func:`shown`."""
    try:
        return str(value)
    except Exception:  # a number of more than 4,300 digits, or an object of somebody else
        return shown(value)


def printable(text: str, *, longest: int | None = None) -> str:
    r"""Hostile text without quotes, made safe for a terminal or a table: control characters escaped, long text cut.

    >>> printable("d\x1b[31m1")
    'd\\x1b[31m1'
    """
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
    return text if longest is None or len(text) <= longest else text[: longest - 1] + "…"


def plural(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: the one home of the plural.

    >>> plural(1, "row"), plural(2000, "row"), plural(1, "query", "queries")
    ('1 row', '2,000 rows', '1 query')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def bare(text: str) -> str:
    """An id as it is where that is short and safe to print, else quoted and escaped."""
    return text if text.isprintable() and len(text) <= SHOWN_CHARACTERS // 2 else shown(text)
