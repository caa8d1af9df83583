"""The page on the design, drawn from what enforces it: the import contract in pyproject.toml, and one row followed.

`python docs/pictures.py` keeps its two pictures; docs/generate.py makes the page.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import stagg
from stagg.aggregate.plan import prepare

PATH = "design.md"
ROOT = Path(__file__).resolve().parent.parent
QUERY, ITEM, LINE = "repot-an-orchid", "orchid-repotting-step-by-step", 2
METHOD = "rrf(c=60)"


# --- the layers -------------------------------------------------------------------------------------------------------


def layers() -> list[list[str]]:
    """The layers of the import contract, the top one first; names in one layer do not know each other."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = settings["tool"]["importlinter"]["contracts"][0]
    return [[name.strip(" ()") for name in layer.split("|")] for layer in contract["layers"]]


def purpose(name: str) -> str:
    """The first sentence of a package or module of stagg."""
    folder = ROOT / "src" / "stagg" / name
    path = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return text.split("\n\n")[0].replace("\n", " ").replace("``", "`")


def layers_table() -> str:
    rows = [f"| `{name}` | {purpose(name)} |" for layer in layers() for name in layer]
    return "\n".join(["| part of `stagg` | what it is |", "|---|---|", *rows])


# --- the walk of a row ------------------------------------------------------------------------------------------------


class Station(NamedTuple):
    """Where the row is, what it is there, and the part of the code that brought it there."""

    name: str
    text: str
    part: str


def walk() -> list[Station]:
    """One row of the built-in sample, from its file to a measure; every number comes from the package."""
    sample = files("stagg") / "sample"
    runs = stagg.read([sample / f"{name}.trec" for name in ("bm25", "dense", "sparse")])
    ranker, place = runs.rankers.index("bm25"), LINE - 1
    entry = next(e for e in range(len(runs.entries)) if _is_row(runs, e, ranker))
    gain = prepare(METHOD).method.gains(runs)[entry]  # type: ignore[attr-defined]
    hit = next(hit for hit in stagg.fuse(runs, METHOD).hits(QUERY) if hit.item == ITEM)
    labels = stagg.read_labels(sample / "qrels.txt")
    ndcg = stagg.evaluate(stagg.fuse(runs, METHOD), labels, "ndcg@10").rows[0]["mean"]
    row = (sample / "bm25.trec").read_text(encoding="utf-8").splitlines()[place]
    number = row.split()[4]
    codes = f"query {runs.queries.index(QUERY)}, ranker {ranker}, item {runs.entries[entry]}, score {number}"
    return [
        Station("file", row, f"bm25.trec, line {LINE}"),
        Station("Columns", codes, "formats"),
        Station("Rankings", f"entry {entry}: position {runs.positions[entry]} of its list", "data"),
        Station("plan", f"{METHOD}: gain 1/(60+{LINE}) = {gain:.6f}", "aggregate, methods"),
        Station("consensus", f"sum {hit.score:.6f}, rank {hit.rank} of {len(runs[QUERY].items)}", "engines, kernels"),
        Station("output", _written(), "formats"),
        Station("Table", f"nDCG@10 over {len(runs.queries)} queries: {ndcg:.4f}", "evaluation, measures"),
    ]


def _is_row(runs: stagg.Rankings, entry: int, ranker: int) -> bool:
    in_list = runs.list_rankers[runs.entry_lists[entry]] == ranker
    return bool(in_list) and runs.items[runs.entries[entry]] == ITEM


def _written() -> str:
    """The row of the output that the command writes for the item."""
    sample = files("stagg") / "sample"
    paths = [str(sample / f"{name}.trec") for name in ("bm25", "dense", "sparse")]
    command = [sys.executable, "-m", "stagg", "fuse", *paths, "--quiet"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return next(line for line in lines if f" {ITEM} " in line)


# --- pictures ---------------------------------------------------------------------------------------------------------

STYLE = """<style>
text { font: 14px system-ui, sans-serif; fill: #1c2733; text-anchor: middle }
.small { font-size: 11.5px; fill: #4a5a6a } .name { font-weight: 600 }
rect { fill: #e8eef4; stroke: #7f93a8; rx: 5px } .page { fill: #fff; stroke: none } path { fill: none; stroke: #7f93a8 }
</style>"""
WIDTH, STEP, HIGH, GAP = 760, 52, 34, 10


def layers_svg() -> bytes:
    """Every layer a row of boxes; imports go down only."""
    drawn = layers()
    boxes = [box for k, layer in enumerate(drawn) for box in _boxes(layer, 10 + k * STEP)]
    arrows = [_arrow(WIDTH / 2, 10 + k * STEP + HIGH, STEP - HIGH) for k in range(len(drawn) - 1)]
    return _svg(10 + len(drawn) * STEP, [*boxes, *arrows])


def _boxes(names: list[str], top: float) -> list[str]:
    width = min(230.0, (WIDTH - 20 - GAP * (len(names) - 1)) / len(names))
    left = (WIDTH - len(names) * width - GAP * (len(names) - 1)) / 2
    return [
        f'<rect x="{left + k * (width + GAP):.0f}" y="{top}" width="{width:.0f}" height="{HIGH}"/>'
        f'<text class="name" x="{left + k * (width + GAP) + width / 2:.0f}" y="{top + 22}">{name}</text>'
        for k, name in enumerate(names)
    ]


def walk_svg() -> bytes:
    """The stations of the row, one below the other."""
    parts = []
    stations = walk()
    for k, (name, text, part) in enumerate(stations):
        top = 10 + k * 70
        parts.append(f'<rect x="10" y="{top}" width="{WIDTH - 20}" height="50"/>')
        parts.append(f'<text class="name" x="{WIDTH / 2:.0f}" y="{top + 20}">{name}</text>')
        parts.append(f'<text class="small" x="{WIDTH / 2:.0f}" y="{top + 39}">{escape(text)} ({part})</text>')
        if k + 1 < len(stations):
            parts.append(_arrow(WIDTH / 2, top + 50, 20))
    return _svg(10 + len(stations) * 70, parts)


def _arrow(x: float, top: float, length: float) -> str:
    end = top + length - 2
    return f'<path d="M{x:.0f} {top + 2}V{end}m-4 -5l4 5l4 -5"/>'


def _svg(height: int, parts: list[str]) -> bytes:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">'
    page = f'<rect class="page" width="{WIDTH}" height="{height}"/>'
    return "\n".join([head, STYLE, page, *parts, "</svg>", ""]).encode()


def drawings() -> dict[str, bytes]:
    return {"layers.svg": layers_svg(), "walk.svg": walk_svg()}


# --- the page ---------------------------------------------------------------------------------------------------------

PAGE = """# The design, for contributors

This page is made from the code when the site is built: the layers come from the import contract in `pyproject.toml`,
which `make check` enforces, and the numbers come from one row that is followed through the package.

## The layers

A part may import the parts below it, never those above it. Parts side by side do not know each other. So you can read
stagg from below, one layer at a time, and nothing will refer to what you have not read yet.

![The layers of stagg, from cli at the top to threads at the bottom](pictures/layers.svg)

{layers}

## The walk of a row

One line of the built-in sample, on its way through `stagg fuse` with three runs, and `stagg evaluate`:

![A row from its file to a measure](pictures/walk.svg)

| station | what the row is there | who brings it there |
|---|---|---|
{walk}

The output of a fusion is again `Rankings`, with one ranker. So it can be written, measured, or fused again, and a
trained model goes wherever a method goes.

## Decisions that shape the code

- **Ids are a column of bytes**, in the layout of Arrow. A Python object is made only when somebody looks at an id.
- **Ragged data are flat arrays with offsets**, over all queries. A dense matrix is made for one query at a time,
  where a method wants one.
- **Sums that decide an order do not depend on the order of their terms.** This is why files, threads and engines can
  be in any order and the output has the same bytes.
- **The NumPy version of a kernel stays.** The compiled twin has the same name, and a test compares the two, byte by
  byte.
- **Commands hold no logic.** They parse, call the library and print. Whatever the command line can do, Python can do.
- **One home for every idea.** `CONTRIBUTING.md` has the table: before you write a helper, look whether it is there.
- **What a rule is, is what a test checks.** [How stagg is tested](testing.md) has the list.
"""


def page() -> str:
    rows = [f"| {name} | `{text}` | {part} |" for name, text, part in walk()]
    return PAGE.format(layers=layers_table(), walk="\n".join(rows))
