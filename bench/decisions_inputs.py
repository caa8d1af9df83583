"""What bench/decisions.py reads: the files of tests/door, tables of these altered, damaged and invented files."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import glob
import io
import os
import random
import sys
import zipfile
from pathlib import Path
from typing import Any

from decisions_reader import find

__all__ = ["ROOT", "Input", "make_inputs"]

ROOT = Path(__file__).resolve().parent.parent
INVENTED = ("csv", "csv", "csv", "csv", "excel", "json", "jsonl", "parquet")  # most layouts are layouts of text tables
LARGEST = 1 << 20  # bytes of the files of a test in tests/door


@dataclasses.dataclass(frozen=True)
class Input:
    """Some files, by their paths, and one way to read ``paths``: "load", "fuse" (also in parts) or "labels".

    Contents are the bytes as Latin-1, so that an input is plain JSON. ``options`` are those that are given.
    """

    name: str
    files: dict[str, str]
    paths: list[str]
    way: str
    format: str
    options: dict[str, Any]


def make_inputs(tables: int, seed: int, scratch: Path) -> list[Input]:
    """The files of tests/door, and so many others: those with the same ending together, so that they compress well."""
    sys.path[:0] = [str(ROOT / "src"), str(ROOT)]
    watched = _watch_tests(scratch / "door")  # first, as pytest has to import some packages itself
    makers = (_make_damaged, _make_invented, _make_altered)
    made = [makers[number % len(makers)](seed, number // len(makers)) for number in range(tables)]
    return sorted([*watched, *made], key=lambda each: Path(each.paths[0]).suffix)


def _make_invented(seed: int, number: int) -> Input:
    """A table that nobody damaged; about half of them are read without any option, so that the reader decides."""
    from attack.cases import repack
    from attack.invented import invent, invent_options

    rng = random.Random(f"invented {seed} {number}")
    kind = INVENTED[number % len(INVENTED)]
    path = "x.xlsx" if kind == "excel" else f"x.{kind}"
    files = {path: repack(invent(kind, rng)).decode("latin-1")}
    way = rng.choice(("load", "fuse"))
    if rng.random() < 0.5:
        return Input(f"invented {number}", files, [path], way, "auto", {})
    return Input(f"invented {number}", files, [path], way, kind, _given(invent_options(kind, rng)))


def _make_damaged(seed: int, number: int) -> Input:
    """A case of the attack "fuzz"."""
    from attack.cases import make_case

    case = make_case(seed, number)
    contents = {case.file: case.data}
    if case.beside is not None:
        contents[f"beside{Path(case.file).suffix}"] = case.beside
    files = {path: data.decode("latin-1") for path, data in contents.items()}
    format_ = "qrels" if case.kind == "qrels" else "auto" if case.way == "labels" else case.format
    options = _given(case.options)
    if case.way == "labels":
        options = {name: value for name, value in options.items() if name in ("lenient", "encoding")}
    return Input(f"damaged {number}", files, list(files), case.way.split()[0], format_, options)


def _make_altered(seed: int, number: int) -> Input:
    """A table of tests/door with other names, cells or columns, still well formed: more of these can be read."""
    from attack.invented import CELLS, NAMES

    rng = random.Random(f"altered {seed} {number}")
    case, mark = rng.choice(_door_tables())
    rows = [line.split(mark) for line in case.content.rstrip("\n").split("\n")]
    for _ in range(rng.choice((1, 1, 2, 3))):
        row, change = rng.randrange(len(rows)), rng.randrange(5)
        column = rng.randrange(len(rows[row]) or 1)
        if change == 0:
            rows[0][rng.randrange(len(rows[0]))] = rng.choice(NAMES)
        elif change == 1:
            rows[row][column] = rng.choice(rng.choice((rng.choice(rows), CELLS)))
        elif change == 2:
            rows = [[*cells[column + 1 :], *cells[: column + 1]] for cells in rows]
        elif change == 3 and min(map(len, rows)) > 1:
            rows = [cells[:column] + cells[column + 1 :] for cells in rows]
        elif len(rows) > 1:
            del rows[row]
    text = "".join(mark.join(cells) + "\n" for cells in rows)
    files = {case.file: text.encode(errors="surrogatepass").decode("latin-1")}
    options = dict(case.options) if rng.random() < 0.7 else {}
    format_ = options.pop("format", "auto")
    return Input(f"altered {number}", files, [case.file], rng.choice(("load", "fuse")), format_, options)


@functools.cache
def _door_tables() -> list[tuple[Any, str]]:
    """The tables of text in tests/door/cases.py, with what separates their cells."""
    from tests.door.cases import CASES

    tables = [case for case in CASES if isinstance(case.content, str) and case.file.endswith((".csv", ".tsv", ".txt"))]
    marks = [max(",;\t", key=str(case.content).partition("\n")[0].count) for case in tables]
    return [(case, mark) for case, mark in zip(tables, marks, strict=True) if case.content.strip()]


def _given(options: Any) -> dict[str, Any]:
    """Those reading options that are not the default."""
    fields = dataclasses.fields(options)
    said = {
        field.name: getattr(options, field.name) for field in fields if getattr(options, field.name) != field.default
    }
    return said | ({"columns": dict(said["columns"])} if "columns" in said else {})


# --- tests/door -------------------------------------------------------------------------------------------------------


def _watch_tests(scratch: Path) -> list[Input]:
    """Whatever the tests in tests/door read from files that they made: the tests are run, and watched."""
    import pytest

    watch, inputs = _Watch(scratch), find("Inputs")
    original = inputs.__init__

    def note_and_open(self: Any, paths: Any, *, format: str = "auto", options: Any, log: Any, **more: Any) -> None:
        watch.note(paths, format, options)
        original(self, paths, format=format, options=options, log=log, **more)

    call = ["-q", "-p", "no:xdist", f"--rootdir={ROOT}", f"--basetemp={scratch}", str(ROOT / "tests" / "door")]
    said = io.StringIO()
    inputs.__init__ = note_and_open
    try:
        with contextlib.redirect_stdout(said), contextlib.chdir(ROOT):
            status = pytest.main(call, plugins=[watch])
    finally:
        inputs.__init__ = original
    if status:
        raise SystemExit(f"{said.getvalue()[-2000:]}\ntests/door fails: its files are not recorded")
    return list(watch.inputs.values())


class _Watch:
    """A plugin of pytest: the inputs that tests open, each different one once."""

    def __init__(self, scratch: Path) -> None:
        self.scratch, self.test, self.number = scratch, "", 0
        self.inputs: dict[str, Input] = {}

    def pytest_runtest_setup(self, item: Any) -> None:
        self.test, self.number = item.nodeid.partition("tests/")[2], 0

    def note(self, paths: Any, format_: str, options: Any) -> None:
        given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
        if "-" in map(str, given):
            return
        places = [Path(os.path.abspath(path)) for path in given]
        if not all(place.is_relative_to(self.scratch) for place in places):
            return  # data that come with stagg, or that it is given
        held = sorted({file for place in places for file in _files_at(place)})
        if sum(file.stat().st_size for file in held) > LARGEST:
            return
        files = {str(file.relative_to(self.scratch)): _read_timeless(file).decode("latin-1") for file in held}
        said = [str(place.relative_to(self.scratch)) for place in places]
        self.number += 1
        found = Input(f"{self.test} {self.number}", files, said, "fuse", format_, _given(options))
        self.inputs.setdefault(repr((files, said, format_, found.options)), found)


def _read_timeless(file: Path) -> bytes:
    """The file; a workbook without the time at which the test made it."""
    from attack.cases import repack

    data = file.read_bytes()
    try:
        return repack(data, zipfile.ZIP_DEFLATED)
    except zipfile.BadZipFile:
        return data


def _files_at(place: Path) -> list[Path]:
    """The file, those in the folder, or those that the pattern names."""
    places = [place] if place.exists() else map(Path, glob.glob(str(place)))
    return [file for each in places for file in ([each] if each.is_file() else each.rglob("*")) if file.is_file()]
