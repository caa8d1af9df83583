"""Escape text for a page: hostile ids made harmless for markup, attributes, tooltips and scripts."""

from __future__ import annotations

import html
import json
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, NewType

from stagg.formats.documents.texts import Titles

__all__ = [
    "Html",
    "clean",
    "escaped",
    "isolate",
    "joined",
    "json_text",
    "quoted",
    "shorten",
    "shorten_apart",
    "titles_data",
]

Html = NewType("Html", str)
"""Markup that may stand in a page as it is; mypy keeps plain text from passing for it."""

LONGEST_TITLE = 300
MOST_TITLES = 5_000_000  # letters of all titles of a page; the items that come first have theirs
LONGEST = 4000
"""Longer ids are cut, and say so: a page must not grow with one monstrous id."""

_VISIBLE = {"Cc", "Cs", "Zl", "Zp"}  # control characters, lone surrogates (no UTF-8 has them), separators of lines
_IN_SCRIPT = str.maketrans({letter: f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"})


def clean(text: str) -> str:
    r"""An id as it can be shown: what no page can hold becomes a visible escape, the monstrous is cut.

    Marks that turn the direction of text stay: they belong to ids in Arabic or Hebrew. What surrounds such an id is
    kept from turning by :func:`isolate` and :func:`quoted`.

    >>> print(clean("a\x00b\ud800"))
    a\x00b\ud800
    """
    if not text.isprintable():
        text = "".join(repr(c)[1:-1] if unicodedata.category(c) in _VISIBLE else c for c in text)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text):,} characters)"


def escaped(text: str) -> Html:
    """Plain text as markup, also between the quotes of an attribute.

    >>> escaped('<b> & "x"')
    '&lt;b&gt; &amp; &quot;x&quot;'
    """
    return Html(html.escape(clean(text), quote=True))


def titles_data(titles: Titles, items: Iterable[str], queries: Iterable[str]) -> dict[str, Any]:
    """The titles of the items and queries of a page, for its script; nothing where there are none.

    >>> titles_data(Titles({"d1": "Bees"}), ["d1", "d2"], ["q1"])
    {'titles': {'items': {'d1': 'Bees'}, 'queries': {}}}
    """
    room, found = MOST_TITLES, {"items": dict[str, str](), "queries": dict[str, str]()}
    for kind, ids, find in (("queries", queries, titles.of_query), ("items", items, titles.of_item)):
        for key in ids:
            title = find(key)
            if title is not None and room > 0:
                found[kind][clean(key)] = clean(title[:LONGEST_TITLE])
                room -= len(found[kind][clean(key)])
    return {"titles": found} if any(found.values()) else {}


def isolate(text: str) -> Html:
    """An id as markup of its own direction, whatever letters it holds."""
    return Html(f"<bdi>{escaped(text)}</bdi>")


def quoted(text: str) -> str:
    """An id inside a sentence of plain text, its direction isolated (U+2068, U+2069)."""
    return f"\u2068{clean(text)}\u2069"


def shorten(text: str, most: int = 60, front: int | None = None) -> str:
    """A name for a place where long ones do not fit: both its ends stay, by which names differ.

    ``front``: how many of its first letters stay, half of them if not given.

    >>> shorten("Charlotte", 6)
    'Cha…te'
    """
    front = most // 2 if front is None else front
    return text if len(text) <= most else f"{text[:front]}…{text[len(text) - (most - 1 - front) :]}"


def shorten_apart(names: Sequence[str], most: int) -> list[str]:
    """The names that stand together in a chart: cut at the end if they differ before it, else where most of them do.

    >>> shorten_apart(["maker/small-chat-v2", "maker/large-chat-v2"], 12)
    ['maker/small…', 'maker/large…']
    >>> shorten_apart(["maker/small-chat-v1", "maker/small-chat-v2"], 12)
    ['maker/…at-v1', 'maker/…at-v2']
    """
    fronts = [most - 1, *sorted(range(most), key=lambda front: abs(front - most // 2))]
    cuts = ([shorten(name, most, front) for name in names] for front in fronts)
    return max(cuts, key=lambda cut: len(set(cut)))


def joined(parts: Iterable[Html]) -> Html:
    return Html("\n".join(parts))


def json_text(value: Any) -> Html:
    r"""JSON for a ``<script type="application/json">``: nothing in it can end the script or start a tag.

    >>> json_text({"id": "</script>"})
    '{"id":"\\u003c/script\\u003e"}'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Html(text.translate(_IN_SCRIPT))
