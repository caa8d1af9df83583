"""The rooms of the house: every package's docstring is the map of its modules, kept by this script.

``python docs/house.py`` writes the maps (a line for each module, with the first sentence of its docstring), the table
of rooms in CONTRIBUTING.md and the table of layouts in docs/formats.md; the order of the lines stays.
tests/test_house.py says when to run it.
"""

from __future__ import annotations

import ast
import re
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "stagg"
LINE = re.compile(r"^- ``(\w+)``: ", re.M)
TABLE = re.compile(r"(?<=<!-- rooms: python docs/house\.py -->\n).*?(?=<!-- end of rooms -->)", re.S)
LAYOUT_TABLE = re.compile(r"(?<=<!-- layouts: python docs/house\.py -->\n).*?(?=<!-- end of layouts -->)", re.S)
WIDTH = 120


def packages() -> list[Path]:
    """The folders that are packages, each before those inside it."""
    return sorted(path.parent for path in SOURCE.rglob("__init__.py") if path.parent != SOURCE)


def members(package: Path) -> list[str]:
    """The modules and packages of a package."""
    inside = [path for path in package.iterdir() if (path / "__init__.py").exists() or path.suffix == ".py"]
    return sorted(path.stem for path in inside if path.name != "__init__.py")


def docstring(package: Path, name: str | None = None) -> str:
    """The docstring of a package, or of one of its members."""
    place = package if name is None else package / name
    path = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    return ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""


def first_sentence(text: str) -> str:
    """The first paragraph of a docstring in one line, without the point at its end."""
    return " ".join(text.split("\n\n")[0].split()).removesuffix(".")


def mapped(text: str) -> list[str]:
    """The members that a docstring lists, in its order."""
    return LINE.findall(text)


def map_of(package: Path) -> str:
    """The docstring that a package should have."""
    text = docstring(package)
    start = LINE.search(text)
    head = (text if start is None else text[: start.start()]).rstrip()
    listed = [name for name in mapped(text) if name in members(package)]
    lines = [
        textwrap.fill(
            f"- ``{name}``: {first_sentence(docstring(package, name))}",
            WIDTH,
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for name in [*listed, *(name for name in members(package) if name not in listed)]
    ]
    return "\n".join([head, "", *lines, ""])


def rooms_table() -> str:
    """A row for each package: what it is for, and what is in it."""
    rows = [
        f"| `{path.relative_to(SOURCE).as_posix()}` | {first_sentence(docstring(path)).replace('``', '`')} | "
        f"{', '.join(mapped(docstring(path)))} |"
        for path in packages()
    ]
    return "\n".join(["", "| room | what it is for | in it |", "|---|---|---|", *rows, "", ""])


def layouts_table() -> str:
    """A row for each layout of a table, in the order in which they are looked for: a header, and what it means."""
    from stagg.formats.options import LAYOUTS

    rows = []
    for layout in LAYOUTS:
        meaning = " ".join((layout.__doc__ or "").split()).partition(": ")[2]
        rows.append(f"| `{layout.name}` | {layout.example} | {meaning[:1].upper()}{meaning[1:]} |")
    return "\n".join(["", "| layout | a header like this | what it means |", "|---|---|---|", *rows, "", ""])


def write_map(package: Path) -> None:
    """Put the map into the docstring of a package."""
    path = package / "__init__.py"
    text = path.read_text(encoding="utf-8")
    node = ast.parse(text).body[0]
    lines = text.splitlines(keepends=True)
    after = "".join(lines[node.end_lineno :])
    path.write_text(f'"""{map_of(package)}"""\n{after}', encoding="utf-8")


def main() -> None:
    for package in packages():
        write_map(package)
    page = ROOT / "CONTRIBUTING.md"
    page.write_text(TABLE.sub(lambda _: rooms_table(), page.read_text(encoding="utf-8")), encoding="utf-8")
    page = ROOT / "docs" / "formats.md"
    page.write_text(LAYOUT_TABLE.sub(lambda _: layouts_table(), page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
