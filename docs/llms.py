"""The site for programs that read text: llms.txt (llmstxt.org) and the Markdown of every page beside its HTML.

`howto/judging.md` stands beside `howto/judging.html`: the name is the one that the page has in docs/, so the links
between pages, and to pictures, hold as they are written. docs/generate.py calls this when mkdocs has built the site.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

OPTIONAL = "Optional"
"""The section that readers with little room may leave out (llmstxt.org): a page for each command, method and so on."""

Nav = list[Any]
"""The navigation of mkdocs: paths, and {title: path or navigation}."""


def write(site: Path, nav: Nav, pages: dict[str, str], title: str, address: str = "") -> None:
    """llms.txt and the Markdown of the pages (by their paths below docs/) into the folder of the site."""
    for path, text in pages.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(plain_pictures(text), encoding="utf-8")
    (site / "llms.txt").write_text(list_pages(nav, pages, title, address), encoding="utf-8")


def list_pages(nav: Nav, pages: dict[str, str], title: str, address: str = "") -> str:
    """llms.txt: the title, what it is, and by section a line for each page of the navigation, with its Markdown.

    Without ``address``, where the site is published, links are relative to llms.txt.
    """
    sections: dict[str, list[str]] = {}
    for section, name, path in entries(nav):
        line = f"- [{name or heading(pages[path])}]({address}{path})"
        about = first_paragraph(pages[path])
        sections.setdefault(section, []).append(f"{line}: {about}" if about else line)
    optional = sections.pop(OPTIONAL, [])
    parts = [f"# {title}", f"> {first_paragraph(pages['index.md'])}"]
    for section, lines in [*sections.items(), *([(OPTIONAL, optional)] if optional else [])]:
        parts.append(f"## {section}\n\n" + "\n".join(lines))
    return "\n\n".join(parts) + "\n"


def entries(nav: Nav) -> Iterator[tuple[str, str, str]]:
    """Section, title (may be empty) and path of every page of the navigation; groups within a section are opened."""
    for entry in nav:
        [(section, inside)] = entry.items()
        for name, path in _open(inside):
            single = path.startswith("reference/") and path.count("/") > 1 and not path.endswith("/index.md")
            yield OPTIONAL if single else section, name, path


def _open(inside: str | Nav | dict[str, Any], name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(inside, str):
        yield name, inside
    elif isinstance(inside, dict):
        for title, more in inside.items():
            yield from _open(more, title)
    else:
        for each in inside:
            yield from _open(each)


def heading(text: str) -> str:
    """The title of a page: its first headline."""
    found = re.search(r"^# (.*)$", text, re.MULTILINE)
    return found[1] if found else ""


def first_paragraph(text: str) -> str:
    """The first paragraph of prose of a page in one line, without links and emphasis."""
    text = re.sub(r"^( *)```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for paragraph in re.split(r"\n\s*\n", text):
        prose = "\n".join(line for line in paragraph.splitlines() if not line.startswith("#")).strip()
        if prose and not re.match(r"[|<!>\-*]|`[^`]*`$", prose):
            words = " ".join(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", prose).replace("**", "").split())
            return re.sub(r"(?<=[.!?]) [^.!?]*:$", "", words)  # not the sentence that leads to a table or a block
    return ""


def plain_pictures(text: str) -> str:
    """The text without pictures that are written out in it: no reader of text can see them."""
    return re.sub(r"!\[([^\]]*)\]\(data:[^)]*\)", r"*(picture: \1)*", text)
