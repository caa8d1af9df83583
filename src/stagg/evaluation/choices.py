"""Chosen settings in words, fold by fold: which, on how many queries, and at which end of a list."""

from __future__ import annotations

import collections
import dataclasses
import itertools
from collections.abc import Iterable, Sequence

from stagg.errors import InvalidParameter
from stagg.registry import Parametrised

__all__ = ["count_range", "name_briefly", "shorten_names", "tell_choices", "tell_edges"]

BRIEF = 24  # characters of a name that is shown as it is
LISTED_FOLDS = 5  # more are counted
SMALL_STEP = 1e-6  # beyond the end of a list, as a part of the value there


def tell_choices(chosen: Sequence[str]) -> str:
    """List the choices, fold by fold; each with its number of folds where these are many. What all share is said once.

    >>> tell_choices(["rrf(c=10)", "rrf(c=60)", "rrf(c=10)"])
    'rrf(c=10); rrf(c=60); rrf(c=10)'
    >>> tell_choices(["rrf(c=10)", "rrf(c=60)", *["rrf(c=10)"] * 8])
    'rrf(c=10) (9 folds); rrf(c=60) (1 fold)'
    >>> tell_choices(["rrf(c=10)", "rrf(c=10)"]), tell_choices(["rrf(c=10), bm25=1", "rrf(c=10), bm25=2"])
    ('rrf(c=10) (2 folds)', 'rrf(c=10) (2 folds): bm25=1; bm25=2')
    """
    shared = _shared_method(chosen)
    if shared:
        return f"{shared} ({len(chosen)} folds): {tell_choices([text[len(shared) + 2 :] for text in chosen])}"
    counts = collections.Counter(chosen).most_common()
    if len(chosen) <= LISTED_FOLDS and (len(counts) > 1 or len(chosen) == 1):
        return "; ".join(chosen)
    return "; ".join(f"{text} ({count} fold{'s' * (count != 1)})" for text, count in counts)


def _shared_method(chosen: Sequence[str]) -> str:
    """The method, with its parameters, that all choices begin with where they differ in its weights; "" if none."""
    pairs = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(min(chosen), max(chosen), strict=False))
    first, bracket, _ = "".join(letter for letter, _ in pairs).rpartition("), ")
    whole = first.count("(") == first.count(")") + 1
    return f"{first})" if bracket and whole and len(set(chosen)) > 1 else ""


def count_range(counts: Iterable[int]) -> str:
    """Numbers of queries in words.

    >>> count_range([1, 1]), count_range([4, 4]), count_range([12, 13, 12])
    ('1 query', '4 queries', '12 to 13 queries')
    """
    low, *between = sorted(set(counts))
    if between:
        return f"{low:,} to {between[-1]:,} queries"
    return f"{low:,} quer{'y' if low == 1 else 'ies'}"


def shorten_names(names: Sequence[str]) -> dict[str, str]:
    """Each name without its parameters, where no other begins so: captions and warnings are short.

    >>> shorten_names(["rrf(c=10)", "rrf(c=60)", "weights(method='rrf(c=60)')"])
    {'rrf(c=10)': 'rrf(c=10)', 'rrf(c=60)': 'rrf(c=60)', "weights(method='rrf(c=60)')": 'weights'}
    """
    count = collections.Counter(name.partition("(")[0] for name in names)
    return {name: short if count[short := name.partition("(")[0]] == 1 else name for name in names}


def name_briefly(names: Sequence[str]) -> dict[str, str]:
    """A short name for each method, for charts: long ones leave their parameters to a legend, and are numbered.

    >>> list(name_briefly(["rrf(c=10)", "rrf(c=60)", "stagg_ndcg(features='svd', ridge=0.01)"]).values())
    ['rrf(c=10)', 'rrf(c=60)', 'stagg_ndcg']
    >>> list(name_briefly(["stagg_rrf(missing='neutral')", "stagg_rrf(shape='paper', c=10)"]).values())
    ['stagg_rrf 1', 'stagg_rrf 2']
    """
    plain, taken, found = shorten_names(names), set(names), dict[str, str]()
    for name in names:
        begun, bracket, _ = name.partition("(")
        brief, number = plain[name], 0
        while bracket and len(name) > BRIEF and (brief == name or brief in taken):
            number += 1
            brief = f"{begun} {number}"
        found[name] = brief if len(name) > BRIEF else name
        taken.add(found[name])
    return found


def tell_edges(row: str, members: Sequence[Parametrised], best: Sequence[int]) -> list[str]:
    """A note for every number that was chosen though it is the smallest or the largest of its list.

    ``best`` holds the number of the chosen member, fold by fold. There is no note where the list ends at the last value
    that the parameter can have, such as c=0.

    >>> from stagg.methods import METHODS
    >>> tell_edges("Tuned", METHODS.family("rrf(c=[10, 20, 40])"), [2, 1, 2])
    ['Tuned: c=40, chosen in 2 of 3 folds, is the largest value of its list; a larger one may be better']
    """
    notes = []
    for field in dataclasses.fields(members[0]):
        values = [getattr(member, field.name) for member in members]
        if len(set(map(repr, values))) < 2 or not all(map(_is_number, values)):
            continue
        for edge, most, more in ((min(values), "smallest", "smaller"), (max(values), "largest", "larger")):
            chosen = [members[number] for number in best if values[number] == edge]
            if chosen and _can_go_on(chosen[0], field.name, -1 if more == "smaller" else 1):
                notes.append(
                    f"{row}: {field.name}={edge!r}, chosen in {len(chosen)} of {len(best)} folds, is the {most} value "
                    f"of its list; a {more} one may be better"
                )
    return notes


def _can_go_on(member: Parametrised, name: str, sign: int) -> bool:
    """Whether a parameter can have a value beyond its own: by 1, or by a little if it need not be whole."""
    value = getattr(member, name)
    for step in (1, SMALL_STEP * (abs(value) or 1)):
        try:
            dataclasses.replace(member, **{name: value + sign * step})
        except (InvalidParameter, TypeError):
            continue
        return True
    return False


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
