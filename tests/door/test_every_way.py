"""Every layout in every dress: with and without a header, semicolons, decimal commas, a byte-order mark, in Excel.

What is read at once is right; what is refused is right under one of the options that the refusal names.
"""

from __future__ import annotations

import ast
import itertools
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stagg import DataError, read
from stagg.formats import ReadLog
from tests.door.cases import book
from tests.door.test_files import groups

ITEMS = ["Ada", "Ben", "Cleo", "Dov", "Eli", "Fay", "Gus"]
DRESSES = [(",", ""), (";", ""), (";", "\ufeff"), ("\t", ""), ("xlsx", "")]
OPTION = r"(?:layout|header|values|columns)=(?:'[^']*'|True|False|\{[^}]*\})"

Lists = dict[str, list[str]]
Rows = list[list[Any]]


def make_columns(width: int, header: bool, rng: random.Random) -> tuple[Rows, Lists]:
    lists = {f"lab{n}" if header else str(n): rng.sample(ITEMS, 5) for n in range(1, width + 1)}
    return [*([list(lists)] if header else []), *map(list, zip(*lists.values(), strict=True))], lists


def make_ballots(width: int, header: bool, rng: random.Random) -> tuple[Rows, Lists]:
    width = min(width, len(ITEMS))
    lists = {f"voter {n}": rng.sample(ITEMS, width) for n in range(1, 7)}
    names = [["Voter", *[f"choice {n}" for n in range(1, width + 1)]]] if header else []
    return [*names, *[[name, *choices] for name, choices in lists.items()]], lists


def make_wide(width: int, header: bool, rng: random.Random) -> tuple[Rows, Lists]:
    rankers = [f"run{n}" if header else str(n) for n in range(1, width + 1)]
    scores = {ranker: rng.sample([n / 8 for n in range(1, 60)], len(ITEMS)) for ranker in rankers}
    rows = [[item, *[scores[ranker][n] for ranker in rankers]] for n, item in enumerate(ITEMS)]
    lists = {r: [item for _, item in sorted(zip(scores[r], ITEMS, strict=True), reverse=True)] for r in rankers}
    return [*([["item", *rankers]] if header else []), *rows], lists


def make_grid(width: int, header: bool, rng: random.Random) -> tuple[Rows, Lists]:
    candidates = ITEMS[: min(width, len(ITEMS))]
    lists = {f"voter {n}": rng.sample(candidates, len(candidates)) for n in range(1, 6)}
    return [["voter", *candidates], *[[v, *[ids.index(c) + 1 for c in candidates]] for v, ids in lists.items()]], lists


def make_long(width: int, header: bool, rng: random.Random) -> tuple[Rows, Lists]:
    lists = {f"run{n}": rng.sample(ITEMS, len(ITEMS)) for n in range(1, width + 1)}
    rows = [[ranker, item, place] for ranker, ids in lists.items() for place, item in enumerate(ids, start=1)]
    return [*([["Ranker", "ITEM", "rank"]] if header else []), *rows], lists


MAKERS = {"columns": make_columns, "ballots": make_ballots, "wide": make_wide, "grid": make_grid, "long": make_long}


def dress(rows: Rows, delimiter: str, mark: str, folder: Path) -> Path:
    """The table as a file; semicolons come with decimal commas."""
    if delimiter == "xlsx":
        path = folder / "x.xlsx"
        path.write_bytes(book(("Sheet1", rows)))
        return path
    texts = [[str(c).replace(".", ",") if delimiter == ";" else str(c) for c in row] for row in rows]
    path = folder / "x.csv"
    path.write_text(mark + "".join(delimiter.join(row) + "\n" for row in texts), encoding="utf-8")
    return path


def named_options(message: str, layout: str) -> Iterator[dict[str, Any]]:
    """The calls that a refusal names for a layout."""
    for call in re.findall(rf"{OPTION}(?:, {OPTION})*", message):
        options = {name: ast.literal_eval(value) for name, value in re.findall(r"(\w+)=([^=]+?)(?=, \w+=|$)", call)}
        if options.get("layout", layout) == layout:
            yield options


def readings(path: Path, layout: str, options: dict[str, Any], depth: int = 0) -> Iterator[Lists]:
    """What the file is read as, under the options that refusals name one after the other."""
    try:
        yield next(iter(groups(read(path, log=ReadLog(), **options)).values()))
    except DataError as refusal:
        for more in named_options(str(refusal), layout):
            if depth < 3 and {**options, **more} != options:
                yield from readings(path, layout, {**options, **more}, depth + 1)


@pytest.mark.parametrize("layout", MAKERS)
@pytest.mark.parametrize("width", [2, 3, 7, 30])
@pytest.mark.parametrize("header", [True, False])
def test_a_table_in_any_dress_is_read_rightly_or_refused_with_the_way(
    layout: str, width: int, header: bool, tmp_path: Path
) -> None:
    for number, (delimiter, mark) in itertools.product(range(3), DRESSES):
        rows, expected = MAKERS[layout](width, header, random.Random(f"{layout} {width} {number}"))
        path = dress(rows, delimiter, mark, tmp_path)
        try:
            assert next(iter(groups(read(path, log=ReadLog())).values())) == expected
        except DataError:
            assert expected in readings(path, layout, {}), path.read_bytes()[:300]
