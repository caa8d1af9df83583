"""Words for "first choice": the place that "1st choice", "Second", "rank 3", "2e choix" or a survey question names."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from stagg.formats.numbers import parse_whole
from stagg.formats.patterns import pattern
from stagg.formats.tables.vocabulary import (
    BESIDE_CHOICES,
    CHOICE_WORDS,
    EAST_ASIAN,
    OPTION_WORDS,
    ORDINALS,
    SUFFIXES,
    WEAK_SUFFIXES,
)

__all__ = [
    "choice_columns", "clashing_choices", "cut_places", "fold", "place_groups", "read_ordinal", "read_place",
    "split_bracket",
]  # fmt: skip

LONGEST_NAME: Final = 1000  # characters of a name that may hold a place

PLACE: Final = re.compile(r"(?:t-?|=\s?)?([0-9]{1,9}(?:\.5)?)(?:st|nd|rd|th)?\.?(?:\s?=|t)?", re.IGNORECASE)
TOKEN: Final = re.compile(rf"[0-9]+(?:[:-]?(?:{'|'.join((*SUFFIXES, *WEAK_SUFFIXES))})(?![^\W_]))?|[^\W\d_]+")
NUMERAL: Final = re.compile(r"([0-9]{1,3})(?:[:-]?([^\W\d_]+))?")
SIGNS: Final = re.compile(r"[^\w\s.,:;?!#()\[\]'’/>-]")
EXPLAINED: Final = pattern(r"([0-9]{1,3}) ?(?:[(=:–-]|- ) ?[^0-9]+\)?")
"""A number with a word on what it means: 1 (best), 1 = favourite."""
NUMBERED: Final = pattern(r"(?s)#?([0-9]{1,3})\s?[.):-]\s*(\S.*)")
"""A choice behind the number of its place: 1. Ada, 2) Ben, 3: Cleo."""
EMPTY: Final = pattern(r"\(\s*\)|\[\s*\]")
CODES: Final = pattern(r"\([0-9]+\)")
OF_SO_MANY: Final = pattern(r"\s*(?:of|de|von|di|van|out of)\s+[0-9]+", re.IGNORECASE)
NUMBERED_CHOICES: Final = CHOICE_WORDS - OPTION_WORDS
SURE_ORDINALS: Final = frozenset((*(words[0] for words in ORDINALS), "erstwahl", "zweitwahl", "drittwahl"))
WORDS: Final = {word: number for number, words in enumerate(ORDINALS, start=1) for word in words}
WORD: Final = pattern(r"[0-9]+(?:\.?[ªº°]|[^\W\d_]+|\.)?|[^\W\d_]+")
NUMERALS: Final = "一二三四五六七八九十"


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """A text in small letters without accents.

    >>> fold("2ÈME"), fold("1ª")
    ('2eme', '1a')
    """
    if text.isascii():
        return text.casefold()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def split_bracket(text: str) -> tuple[str, str] | None:
    """(a question, what stands in brackets behind it): the row of a grid in a form, or the number of an answer.

    >>> split_bracket("Rank them [Ada]"), split_bracket("Rank [all] of them [Ben [Jr.]]"), split_bracket("[x] Ada")
    (('Rank them', 'Ada'), ('Rank [all] of them', 'Ben [Jr.]'), None)
    """
    text = text.rstrip()
    depth = 0
    for place in range(len(text) - 1, -1, -1) if text.endswith("]") else ():
        depth += (text[place] == "]") - (text[place] == "[")
        if depth == 0:
            inner = text[place + 1 : -1].strip()
            return (text[:place].rstrip(), inner) if inner else None
    return None


@lru_cache(maxsize=4096)
def read_ordinal(text: str) -> int | None:
    """The number of the choice that a header or a cell names, or None.

    >>> [read_ordinal(text) for text in ("1st choice", "Second", "rank 3", "4.", "lab1", "First name")]
    [1, 2, 3, 4, None, None]
    >>> [read_ordinal(text) for text in ("1er choix", "Segunda opción", "3ª preferencia", "4. Wahl", "第5希望", "6a")]
    [1, 2, 3, 4, 5, None]
    """
    parts = split_bracket(text)
    if parts is not None and (parts[1].isdecimal() or read_ordinal(parts[1]) is not None):
        text = parts[1]  # Q1[1]: the first answer to the first question
    if (match := EAST_ASIAN.fullmatch(text.strip())) is not None:
        return NUMERALS.index(match[1]) + 1 if match[1] in NUMERALS else int(match[1])
    text = text.replace("°", "º").replace(".º", "º").replace(".ª", "ª")
    plain = fold(text).replace("_", " ")
    if re.search(r"[a-z][0-9]", plain) and not re.match(rf"(?:{'|'.join(CHOICE_WORDS)})[0-9]", plain):
        return None  # lab1, gene2 are names
    return None if SIGNS.search(plain) else _read_words(TOKEN.findall(plain), sure="ª" in text or "º" in text)


def _read_words(tokens: Sequence[str], *, sure: bool) -> int | None:
    """The only number among these words, if nothing but words for a choice stands beside it."""
    numbers = [token for token in tokens if _number(token) is not None]
    others = [token for token in tokens if token not in numbers]
    place = _number(numbers[0]) if len(numbers) == 1 else None
    if place is None or not 1 <= place <= 999:
        return None
    beside = not CHOICE_WORDS.isdisjoint(others)
    if _is_weak(numbers[0]) and not (beside or sure):
        return None
    known = not others or (beside and (not numbers[0].isdigit() or NUMBERED_CHOICES.issuperset(others)))
    return place if known else None


def read_place(text: str) -> float | None:
    """The place that a cell of results names: "1st", "=2" and "2=" (joint second), "T3", "third"; None for others.

    >>> [read_place(text) for text in ("1st", "=2", "2=", "T3", "third", "4", "d5")]
    [1.0, 2.0, 2.0, 3.0, 3.0, 4.0, None]
    >>> [read_place(text) for text in ("1 (best)", "2 - like it", "#3", "My first choice", "1990 (old)")]
    [1.0, 2.0, 3.0, 1.0, None]
    """
    match = PLACE.fullmatch(text.strip(" \t"))
    if match:
        return float(match[1])
    if (match := EXPLAINED.fullmatch(text.strip(" \t"))) is not None:
        return float(match[1])
    choice = read_ordinal(text) if any(map(str.isalpha, text)) or text[:1] == "#" else None
    if choice is None:
        words = TOKEN.findall(fold(text))
        kept = [word for word in words if word not in BESIDE_CHOICES]
        choice = read_ordinal(" ".join(kept)) if len(kept) < len(words) and len(kept) < 4 else None
    return None if choice is None else float(choice)


def cut_places(lists: Sequence[Sequence[str]]) -> list[list[str]] | None:
    """Lists without the numbers that count their places; None where they do not, or where the numbers are of names.

    >>> cut_places([["1. Ada", "2. Ben"], ["1. Ben", "2. Ada"]]), cut_places([["1. Ada", "2. Ben"]] * 2)
    ([['Ada', 'Ben'], ['Ben', 'Ada']], None)
    """
    found = [[NUMBERED.fullmatch(piece) for piece in pieces] for pieces in lists]
    if any(not match or int(match[1]) != place for row in found for place, match in enumerate(row, start=1)):
        return None
    places: dict[str, set[int]] = defaultdict(set)
    for row in found:
        for place, match in enumerate(filter(None, row)):
            places[match[2]].add(place)
    moved = any(len(each) > 1 for each in places.values())
    return [[match[2] for match in row if match] for row in found] if moved else None


def _number(token: str) -> int | None:
    if token in WORDS:
        return WORDS[token]
    match = NUMERAL.fullmatch(token)
    if match is None or (match[2] and match[2] not in (*SUFFIXES, *WEAK_SUFFIXES)):
        return None
    return int(match[1])


def _is_weak(token: str) -> bool:
    """Whether an ordinal may be an id as well: 1a, 2e, and words that are names, such as Prima and Andre."""
    match = NUMERAL.fullmatch(token)
    if match is None:
        return token not in SURE_ORDINALS
    return bool(match[2]) and match[2] not in SUFFIXES


# --- columns of choices -----------------------------------------------------------------------------------------------


def choice_columns(names: Sequence[str]) -> dict[int, int]:
    """{column: which choice it holds} of the columns whose names tell it; nothing where two tell the same."""
    found = {number: choice for number, name in enumerate(names) if (choice := read_ordinal(name)) is not None}
    if not found:
        groups = place_groups(names)
        found = groups[0].places if len(groups) == 1 else {}
    return found if len(set(found.values())) == len(found) else {}


def clashing_choices(names: Sequence[str]) -> tuple[str, str] | None:
    """Two names that tell the same choice, where others tell another; None where there are none.

    >>> clashing_choices(["1st choice", "1st choice party", "2nd choice"])
    ('1st choice', '1st choice party')
    """
    told = [(choice, name) for name in names if (choice := read_ordinal(name)) is not None]
    first: dict[int, str] = {}
    clashes = [(one, name) for choice, name in told if (one := first.setdefault(choice, name)) != name]
    return clashes[0] if clashes and len(first) > 1 else None


class PlaceGroup(NamedTuple):
    """Columns that hold the choices of one question: its text, and {column: which choice}."""

    question: str
    places: dict[int, int]


def place_groups(names: Sequence[str]) -> list[PlaceGroup]:
    """The questions of which several columns hold the choices, told by names that differ in the place alone.

    >>> place_groups(["Mayor Choice 1 of 2 (07)", "Mayor Choice 2 of 2 (07)", "1st, Clerk", "2nd, Clerk", "Age"])
    [PlaceGroup(question='Mayor (07)', places={0: 1, 1: 2}), PlaceGroup(question='Clerk', places={2: 1, 3: 2})]
    """
    cut = [(column, question, place) for column, name in enumerate(names) for question, place in _cut_places(name)]
    taken: set[int] = set()
    found = []
    for tidy in (str, _leave_codes):
        groups: dict[str, dict[int, int]] = defaultdict(dict)
        for column, question, place in cut:
            if column not in taken:
                groups[tidy(question)][column] = place
        for question, places in sorted(groups.items(), key=lambda group: (-len(group[1]), min(group[1]))):
            numbers = sorted(places.values())
            if len(places) > 1 and numbers == list(range(1, len(numbers) + 1)) and taken.isdisjoint(places):
                taken |= places.keys()
                found.append(PlaceGroup(question, places))
    return sorted(found, key=lambda group: min(group.places))


def _leave_codes(question: str) -> str:
    """A question without the numbers in brackets that some counting boards give to each of its columns."""
    return _tidy(CODES.sub(" ", question))


def _cut_places(name: str) -> list[tuple[str, int]]:
    """(the question, the place) for each way in which a name may hold a place; none in a text of a page."""
    if len(name) > LONGEST_NAME:
        return []
    parts = split_bracket(name)
    if parts is not None and (parts[1].isdecimal() or read_ordinal(parts[1]) is not None):
        told = parse_whole(parts[1]) or read_ordinal(parts[1]) or 0
        return [(_tidy(parts[0]), told)]
    words = [(match[0], match.span()) for match in WORD.finditer(name)]
    found = []
    for number, (word, (start, end)) in enumerate(words):
        token = fold(word.replace(".", "").replace("°", "º"))
        place = _number(token)
        before, after = (fold(words[k][0]) if 0 <= k < len(words) else "" for k in (number - 1, number + 1))
        sure = not token.isdigit() and not _is_weak(token)
        if place is None or not (sure or {before, after} & (NUMBERED_CHOICES if token.isdigit() else CHOICE_WORDS)):
            continue
        first, last = start, end
        if before in CHOICE_WORDS:
            first = words[number - 1][1][0]
        elif after in CHOICE_WORDS:
            last = words[number + 1][1][1]
        rest = name[last:]
        if (of := OF_SO_MANY.match(rest)) is not None:
            rest = rest[of.end() :]
        found.append((_tidy(f"{name[:first]} {rest}"), place))
    return found


def _tidy(text: str) -> str:
    """A question without the marks that led to the place."""
    text = " ".join(EMPTY.sub(" ", text.replace("_", " ")).split())
    return text.strip(" -–—:,.;/|>")
