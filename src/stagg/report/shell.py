"""Shell of every report: one HTML file that contains everything and loads nothing from the network."""

from __future__ import annotations

import base64
import dataclasses
import functools
import hashlib
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from stagg._version import __version__
from stagg.formats.storage.atomic import replacing
from stagg.kernels.ties import TIE_TOLERANCE
from stagg.report.markup import Html, escaped, isolate, joined, json_text

__all__ = ["Section", "figure", "page", "write_page"]


@dataclasses.dataclass(frozen=True)
class Section:
    """A part of a page: its title and intro are plain text, its body is markup."""

    title: str
    body: Html
    intro: str = ""


def page(
    title: str,
    sections: Sequence[Section],
    *,
    lead: str = "",
    facts: Sequence[tuple[str, str]] = (),
    notes: Sequence[str] = (),
    warnings: Sequence[str] = (),
    data: Mapping[str, Any] | None = None,
    scripts: Sequence[str] = (),
    styles: Sequence[str] = (),
) -> str:
    """The whole page: title, facts, the sections, and notes on how it was made.

    ``lead``: what the page has to say, in a sentence below the title. ``warnings`` stand below it. ``data``: what the
    page's script draws from, each value as a JSON block of that id. ``scripts`` and ``styles`` are files of this
    package that the page needs besides those of every report. The same content gives the same bytes: there is no date.
    Only the page's own style and script may run, by their hashes in the policy; a style or handler smuggled in by an id
    would be refused by the browser, had it passed the escaping.

    >>> page("Hello", []).startswith("<!doctype html>")
    True
    """
    style = "".join(map(_asset, ["report.css", *styles]))
    code = [_asset(name) for name in ("report.js", *scripts)]
    allowed = " ".join(f"'{_digest(script)}'" for script in code)
    policy = (
        f"default-src 'none'; script-src {allowed}; style-src '{_digest(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            '<meta name="referrer" content="no-referrer">',
            f"<title>{escaped(title)}</title>",
            '<link rel="icon" href="data:,">',  # or a browser would ask a server for one
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            _header(title, lead, warnings, facts, sections),
            f"<main>\n{joined(_section(number, each) for number, each in enumerate(sections, 1))}\n</main>",
            _footer(notes),
            *[
                f'<script type="application/json" id="{name}">{json_text(v)}</script>'
                for name, v in (data or {}).items()
            ],
            *[f"<script>{script}</script>" for script in code],
            "</body>",
            "</html>",
            "",
        ]
    )


def write_page(path: str | Path, text: str) -> None:
    """The page as a file, old or new, never torn."""
    with replacing(path) as stream:
        stream.write(text.encode("utf-8"))


def figure(title: str, chart: Html, *, caption: str = "", name: str = "", table: Html | None = None) -> Html:
    """A chart with its title and caption, and its numbers as a table that unfolds."""
    identity = f' id="{name}"' if name else ""
    below = "" if table is None else f"<details><summary>The numbers</summary>\n{table}\n</details>"
    said = f"<p>{escaped(caption)}</p>" if caption else ""
    return Html(
        f"<figure{identity}>\n<figcaption><h3>{escaped(title)}</h3>{said}</figcaption>\n{chart}\n{below}</figure>"
    )


def _header(
    title: str, lead: str, warnings: Sequence[str], facts: Sequence[tuple[str, str]], sections: Sequence[Section]
) -> Html:
    told = "".join(f"<div><dt>{escaped(name)}</dt><dd>{isolate(value)}</dd></div>" for name, value in facts)
    links = "".join(f'<li><a href="#s{number}">{escaped(s.title)}</a></li>' for number, s in enumerate(sections, 1))
    contents = f'<nav aria-label="Contents"><ul>{links}</ul></nav>' if len(sections) > 1 else ""
    first = f'<p class="lead">{escaped(lead)}</p>\n' if lead else ""
    warned = joined(Html(f'<p class="warning"><b>Warning:</b> {escaped(each)}</p>\n') for each in warnings)
    return Html(f"<header>\n<h1>{escaped(title)}</h1>\n{first}{warned}<dl>{told}</dl>\n{contents}\n</header>")


def _section(number: int, section: Section) -> Html:
    intro = f'<p class="intro">{escaped(section.intro)}</p>\n' if section.intro else ""
    head = f'<h2 id="s{number}">{escaped(section.title)}</h2>'
    return Html(f'<section aria-labelledby="s{number}">\n{head}\n{intro}{section.body}\n</section>')


def _footer(notes: Sequence[str]) -> Html:
    lines = "".join(f"<li>{escaped(note)}</li>" for note in notes)
    told = f"<h2>Notes</h2>\n<ul>{lines}</ul>\n" if notes else ""
    return Html(f"<footer>\n{told}<p>Made by stagg {__version__}. This file holds all it shows.</p>\n</footer>")


@functools.cache
def _asset(name: str) -> str:
    text = (resources.files("stagg.report") / "assets" / name).read_text(encoding="utf-8").replace("\r\n", "\n")
    return text.replace("TIE_TOLERANCE", repr(TIE_TOLERANCE))


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
