"""Numbers as people write them: $2.50, 1,234, 85.3 ± 0.4, 85.3*, 1.2k; the whole column shows what is meant."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from typing import Final

from stagg.formats.numbers import parse_number
from stagg.formats.patterns import pattern
from stagg.formats.tables.vocabulary import CURRENCIES, MULTIPLIERS, NO_NUMBERS, OPINIONS, SCALES, UNITS

__all__ = ["WrittenColumn", "find_scale", "is_cost", "is_missing", "is_written_number", "read_written_column"]

LONGEST: Final = 60  # characters of a cell that is a number with something beside it
DIGITS: Final = r"(?:[0-9]{1,3}(?: [0-9]{3})+(?:[.,][0-9]+)?|[0-9]+(?:[.,'’][0-9]+)*|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?"
CURRENCY: Final = "|".join(CURRENCIES)
LETTERS: Final = r"[^\W\d_¹²³⁰-⁹ᵃ-ᵿ]+"
UNIT: Final = rf"%|‰|°C?|{LETTERS}(?:[/·.-]{LETTERS})*|/ ?[0-9]+"
BESIDE: Final = (
    rf"(?:±|\+/-|\+-|\\pm) ?(?:{DIGITS})|\([^()]*[0-9][^()]*\)|\[[^\[\]]*[0-9]\.[0-9][^\[\]]*\]|"
    rf"[↑↓▲▼] ?(?:{DIGITS})?|\+ ?[0-9.]+ ?/ ?- ?[0-9.]+|_\{{[^{{}}]*\}}"
)
MARK: Final = r"[*†‡§¶#]+|[¹²³⁰-⁹ᵃ-ᵿ]+|\^\{?[^\s{}]{1,4}\}?|\[[a-z0-9]{1,3}\]|[☀-➿\U0001f300-\U0001faff]\ufe0f?"
WRITTEN: Final = pattern(
    rf"(?P<sign>[+-])?(?:(?P<before>{CURRENCY}) ?)?(?P<digits>[+-]?{DIGITS})(?: ?(?P<after>{CURRENCY}))?"
    rf"(?: ?(?P<unit>{UNIT}))??(?P<beside>(?: ?(?:{BESIDE}))*)(?: ?(?P<last>{UNIT}))?(?P<marks>(?: ?(?:{MARK}))*)"
)
WRAPPED: Final = pattern(
    r"(\*\*|__|\*|_|`|~~|\$)(.+)\1|\\(?:textbf|mathbf|underline|textit|emph)\{(.+)\}|<[bui]>(.+)</[bui]>"
)
GROUPS: Final = pattern(r"[1-9][0-9]{0,2}(?:[.,][0-9]{3})+")


def find_scale(words: Collection[str]) -> dict[str, int] | None:
    """The numbers of grades in words, if a scale is known that has them all; the best one first.

    >>> find_scale(["Agree", "Strongly disagree"])
    {'Agree': 3, 'Strongly disagree': 0}
    """
    plain = {word: " ".join(word.casefold().replace("_", " ").replace("-", " ").split()) for word in words}
    scale = next((scale for scale in (*OPINIONS, *SCALES) if {*plain.values()} <= {*scale}), None)
    if scale is None:
        return None
    return {word: scale.index(plain[word]) for word in sorted(words, key=lambda word: -scale.index(plain[word]))}


@dataclasses.dataclass(frozen=True)
class _Parts:
    """One cell taken apart."""

    digits: str
    currency: str
    unit: str
    has_more: bool  # ± 0.4, a footnote, bold type


@dataclasses.dataclass(frozen=True)
class WrittenColumn:
    """The numbers of a column, and for each kind of writing the first cell that shows it with its number."""

    numbers: list[float]
    examples: dict[str, tuple[str, float]]


def is_missing(cell: str) -> bool:
    """Whether a cell says that a number is missing.

    >>> is_missing("n/a"), is_missing("—"), is_missing("0")
    (True, True, False)
    """
    return cell.strip(" \t\u00a0").casefold() in NO_NUMBERS


def is_written_number(cell: str) -> bool:
    """Whether a cell may be a number with something beside it."""
    return _take_apart(cell) is not None


def is_cost(cell: str) -> bool:
    """Whether a cell is a sum of money, or a time.

    >>> is_cost("$2.50"), is_cost("120 ms"), is_cost("85%")
    (True, True, False)
    """
    parts = None if cell.isdigit() else _take_apart(cell)
    return parts is not None and (bool(parts.currency) or parts.unit in UNITS[0])


def read_written_column(cells: Sequence[str], *, commas: bool = False, pointed: bool = False) -> WrittenColumn | None:
    """The numbers of the cells of a column, none of them empty or missing; None where they do not show what is meant.

    Where 1,234 and 1.234 are all that the cells show: ``commas`` are decimal commas, or else they separate thousands;
    points are decimal points, or separate thousands if the table is ``pointed``.

    >>> read_written_column(["$2.50", "$1,250.00"]).numbers, read_written_column(["900k", "1.5M"]).numbers
    ([2.5, 1250.0], [900000.0, 1500000.0])
    >>> print(read_written_column(["$2.50", "3.10 €"]))
    None
    """
    parts = [part for part in map(_take_apart, cells) if part is not None]
    factors = _find_factors([part.unit for part in parts])
    decimal = _find_decimal([part.digits for part in parts], commas=commas, pointed=pointed)
    currencies = {part.currency for part in parts if part.currency}
    if not parts or len(parts) < len(cells) or len(currencies) > 1 or factors is None or decimal is None:
        return None
    numbers: list[float] = []
    examples: dict[str, tuple[str, float]] = {}
    for cell, part in zip(cells, parts, strict=True):
        plain = _plain_digits(part.digits, decimal)
        number = _multiply(plain, factors[part.unit])
        if number is None:
            return None
        numbers.append(number)
        for kind, shows in _list_kinds(part, plain).items():
            if shows:
                examples.setdefault(kind, (cell, numbers[-1]))
    return WrittenColumn(numbers, examples)


def _multiply(plain: str, factor: float) -> float | None:
    """The number times the factor, rounded once: 2.3k is 2300."""
    number = parse_number(plain)
    if number is None or factor == 1:
        return number
    if factor == 0.01:
        return number / 100  # as a plain percentage
    from decimal import Decimal  # here: most tables need none

    product = float(Decimal(plain) * Decimal(str(factor)))
    return product if abs(product) < float("inf") else None


def _list_kinds(part: _Parts, plain: str) -> dict[str, bool]:
    """Which kinds of writing a cell shows."""
    return {
        "currency": bool(part.currency),
        "separators": part.digits != plain,
        "unit": bool(part.unit),
        "more": part.has_more,
    }


def _take_apart(cell: str) -> _Parts | None:
    """The parts of a cell that is a number with something beside it; None for any other."""
    if len(cell) > LONGEST or not any(map(str.isdigit, cell)):
        return None
    text = _without_marks(cell)
    match = WRITTEN.fullmatch(text)
    if match is None or (match["before"] and match["after"]) or (match["unit"] and match["last"]):
        return None
    sign = match["sign"] or ""
    if sign and match["digits"][0] in "+-":
        return None
    more = bool(match["beside"] or match["marks"]) or text != cell.strip(" \t")
    unit = (match["unit"] or match["last"] or "").replace(" ", "")
    return _Parts(sign + match["digits"], match["before"] or match["after"] or "", unit, more)


def _without_marks(cell: str) -> str:
    """The cell without bold type, with plain blanks and minus signs."""
    text = cell.replace("\u2212", "-").replace("\u00a0", " ").replace("\u202f", " ").replace("\u2009", " ")
    text = text.replace("**", "").strip(" \t")
    while wrapped := WRAPPED.fullmatch(text):
        text = (wrapped[2] or wrapped[3] or wrapped[4]).strip(" ")
    return text


def _find_factors(units: Sequence[str]) -> dict[str, float] | None:
    """{unit: its factor}: one unit in all cells, or thousands and millions, or units of one kind; else None."""
    kinds = set(units)
    if kinds <= {"%"}:
        return {"%": 0.01}
    if len(kinds) == 1:
        return dict.fromkeys(kinds, 1.0) if not kinds & MULTIPLIERS.keys() else {u: MULTIPLIERS[u] for u in kinds}
    if kinds <= {"", *MULTIPLIERS} and kinds - {"", "m"}:  # m alone beside plain numbers may be metres, or minutes
        return {unit: MULTIPLIERS.get(unit, 1.0) for unit in kinds}
    for scale in UNITS:
        if kinds <= scale.keys():
            return {unit: scale[unit] for unit in kinds}
    return None


def _find_decimal(numbers: Sequence[str], *, commas: bool, pointed: bool) -> str | None:
    """The decimal mark of a column, "." or ","; None where some cells show one and some the other.

    A mark shows what it is unless three digits follow it and there is no other mark: 1,234 may be either.
    """
    shown = {mark for text in numbers if (mark := _shown_decimal(text))}
    if len(shown) == 1:
        return shown.pop()
    if shown:
        return None
    open_marks = {mark for text in numbers for mark in ".," if mark in text}
    if len(open_marks) == 2:
        return None
    return "," if (commas and open_marks == {","}) or (pointed and open_marks == {"."}) else "."


def _shown_decimal(text: str) -> str:
    """The decimal mark that a number shows; "" if it shows none."""
    plain = text.lstrip("+-").replace(" ", "").replace("'", "").replace("’", "")
    marks = [mark for mark in plain if mark in ".,"]
    if not marks:
        return ""
    if len(set(marks)) == 2:  # 1,234.5
        return marks[-1]
    if len(marks) > 1:  # 1.234.567
        return "," if marks[0] == "." else "."
    return "" if GROUPS.fullmatch(plain) and text.lstrip("+-") == plain else marks[0]


def _plain_digits(text: str, decimal: str) -> str:
    """The digits without separators of thousands, with a decimal point; no number where the groups are not of three."""
    plain = text.replace(" ", "").replace("'", "").replace("’", "")
    other = "." if decimal == "," else ","
    if other in plain and not GROUPS.fullmatch(plain.lstrip("+-").partition(decimal)[0]):
        return ""
    return plain.replace(other, "").replace(decimal, ".")
