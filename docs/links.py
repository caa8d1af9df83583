"""Every link, picture and anchor of the built site leads somewhere: python docs/links.py [site].

mkdocs checks what stands in docs/; this checks what a browser gets, the theme and the made pages included, and what
programs get: llms.txt and the Markdown beside every page. Addresses on the network are not asked for: a build must not
hang on other people's servers.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit


class Page(HTMLParser):
    """What a page links to, and the anchors that it has."""

    def __init__(self, text: str, targets: list[str] | None = None) -> None:
        super().__init__()
        self.targets = targets or []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if value and name in ("href", "src"):
                self.targets.append(value)
            elif value and (name == "id" or (tag, name) == ("a", "name")):
                self.anchors.add(value)


@cache
def load(path: Path) -> Page:
    text = path.read_text(encoding="utf-8")
    return Page(text) if path.suffix == ".html" else read_markdown(text)


def read_markdown(text: str) -> Page:
    """What Markdown links to, outside of code; its anchors are those of the HTML that stands beside it."""
    prose = re.sub(r"^( *)```.*?^ *```$|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)
    return Page(prose, re.findall(r"\]\(([^)\s]*)\)", prose))


def anchors(path: Path) -> set[str]:
    """The anchors of a page, be it HTML or the Markdown beside it."""
    return load(path.with_suffix(".html")).anchors


def broken(page: Path) -> Iterator[str]:
    """What a page links to and does not exist."""
    for target in load(page).targets:
        address, anchor = urldefrag(target)
        if urlsplit(address).scheme or address.startswith("//"):
            continue
        path = (page.parent / unquote(address)).resolve() if address else page
        path = path / "index.html" if path.is_dir() else path
        if not path.exists() or (anchor and path.suffix in (".html", ".md") and unquote(anchor) not in anchors(path)):
            yield target


def main(site: Path) -> int:
    found = [*site.rglob("*.html"), *site.rglob("*.md"), *site.rglob("llms.txt")]
    pages = sorted(path for path in found if path.name != "404.html")
    faults = [f"{page.relative_to(site)}: {target}" for page in pages for target in broken(page)]
    links = sum(len(load(page).targets) for page in pages)
    print("\n".join([*faults, f"{len(pages)} pages, {links:,} links, {len(faults)} broken"]))
    return 1 if faults or not pages else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "site").resolve()))
