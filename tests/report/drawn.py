"""What a page draws, read back from its markup: the charts, their marks, and where each shape of a mark lies."""

from __future__ import annotations

import dataclasses
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "img", "input"}
TITLES = {"h2", "h3", "h4"}


@dataclasses.dataclass
class Mark:
    """Something with a tooltip: its text, and the shapes inside it as (tag, attributes)."""

    tip: str
    shapes: list[tuple[str, dict[str, str]]] = dataclasses.field(default_factory=list)

    def places(self, tag: str, key: str, kind: str = "") -> list[float]:
        """Where its shapes of a kind lie, in per cent or pixels."""
        mine = [found for name, found in self.shapes if name == tag and (not kind or kind in found["class"].split())]
        return [float(found[key].rstrip("%")) for found in mine]


@dataclasses.dataclass
class Chart:
    """A chart under the headings of its section, its figure and, if there is one, its part of the figure."""

    section: str
    title: str
    part: str
    marks: list[Mark] = dataclasses.field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.charts: list[Chart] = []
        self.titles = dict.fromkeys(TITLES, "")
        self.open: list[tuple[str, bool]] = []  # tags, and which of them carry a tooltip

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        if tag in TITLES:
            for later in sorted(TITLES)[sorted(TITLES).index(tag) :]:
                self.titles[later] = ""
        if "marks" in given.get("class", "").split():
            self.charts.append(Chart(self.titles["h2"], self.titles["h3"], self.titles["h4"]))
        if "data-tip" in given:
            self.charts[-1].marks.append(Mark(given["data-tip"]))
        elif any(tipped for _, tipped in self.open) and "class" in given:
            self.charts[-1].marks[-1].shapes.append((tag, given))
        if tag not in VOID:
            self.open.append((tag, "data-tip" in given))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        for tag, _ in self.open:
            if tag in TITLES:
                self.titles[tag] += data


def charts_of(page: str) -> list[Chart]:
    """The charts of a page that have marks, in their order."""
    reader = _Reader()
    reader.feed(page)
    return [chart for chart in reader.charts if chart.marks]
