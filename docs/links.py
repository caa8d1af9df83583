"""Every link, picture and anchor of the built site leads somewhere: python docs/links.py [site].

mkdocs checks what stands in Markdown; this checks what a browser gets, the theme and the made pages included.
Addresses on the network are listed, not asked for: a build must not hang on other people's servers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit


class Page(HTMLParser):
    """What a page links to, and the anchors that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
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
    return Page(path.read_text(encoding="utf-8"))


def broken(page: Path) -> Iterator[str]:
    """What a page links to and does not exist."""
    for target in load(page).targets:
        address, anchor = urldefrag(target)
        if urlsplit(address).scheme or address.startswith("//"):
            continue
        path = (page.parent / unquote(address)).resolve() if address else page
        path = path / "index.html" if path.is_dir() else path
        if not path.exists() or (anchor and path.suffix == ".html" and unquote(anchor) not in load(path).anchors):
            yield target


def main(site: Path) -> int:
    pages = sorted(path for path in site.rglob("*.html") if path.name != "404.html")
    faults = [f"{page.relative_to(site)}: {target}" for page in pages for target in broken(page)]
    links = sum(len(load(page).targets) for page in pages)
    print("\n".join([*faults, f"{len(pages)} pages, {links:,} links, {len(faults)} broken"]))
    return 1 if faults or not pages else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "site").resolve()))
