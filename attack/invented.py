"""Files that nobody damaged: tables and documents made up of odd words, cells and shapes, for readers that guess."""

from __future__ import annotations

import datetime
import decimal
import io
import json
import random
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

from stagg.formats.options import LAYOUTS, ROLES, ReadOptions
from stagg.formats.tables.vocabulary import COUNT_WORDS, ITEM_WORDS, VOTER_WORDS

__all__ = ["INVENTED", "invent", "invent_options"]

INVENTED = ("csv", "json", "jsonl", "excel", "parquet")
NAMES = [
    *ROLES, *ROLES, *VOTER_WORDS[:4], *ITEM_WORDS[:4], *COUNT_WORDS[:3], "1st choice", "2nd choice", "Second", "rank 3",
    "Q1[1]", "Q1[A]", "A", "B", "bm25", "bm25 rank", "weight", "label", "total", "Time", "Email", "", "#", "1", "2",
    "²", "a=b", "a>b", "9" * 25, "1" * 5000, "Ω", "score ", "SCORE", "ignore",
]  # fmt: skip
CELLS = [
    *"123123abcabc", "0", "-1", "1.5", "0.1", "1e308", "1e309", "1e-400", "1,5", "1.000,5", "1,000", "50%", "1st",
    "2nd", "third", "=2", "T3", "1.", "2.", "x", "X", "yes", "d1", "d2", "doc 1", "a=b", "a>b", "a>b>c", "a,b", "a;b",
    "[a]", '"a"', "{1,2}", "none", "n/a", "nan", "", "", "²", "٣", "½", "①", "一", "9" * 25, "1" * 5000,
    "0" * 5000 + "1", "a@b.de", "2020-01-01", "2020-01-01 10:00", "12:30", "Q0", "\u00a0", "é", "e\u0301", "#N/A",
    "-", "+3", "true",
]  # fmt: skip
KEYS = [
    *ROLES, *ROLES, "id", "voter", "ranking", "hits", "hits", "_id", "_score", "_shards", "failed", "responses", "docs",
    "response", "label", "a", "b", "c", "q1", "", "columns", "data", "index", "low", "high", "top", "group",
]  # fmt: skip
SCALARS = [
    "1", "2", "3", "0", "-1", "1.5", "1e308", "1e309", "-1e999", "NaN", "Infinity", "true", "false", "null", "9" * 25,
    "1" * 400, "1" * 5000, '"a"', '"b"', '"c"', '""', '"1"', '"\\ud800"', '"\\u0000"', '"\\u001b[31m"', "1E5", "-0",
]  # fmt: skip
STORED = [
    1, 2, 3, 1.5, 0, -1, 1e308, 2**60, 1e-320, True, False, None, None, "=1/0", "=A1", "#N/A", "#REF!",
    datetime.datetime(2020, 1, 1, 10), datetime.date(2020, 1, 1), datetime.time(1, 2), datetime.timedelta(days=400),
]  # fmt: skip
"""What a spreadsheet holds besides texts."""
ARRAYS: list[tuple[list[Any], pa.DataType]] = [
    (["a", "b", "c", "d"], pa.string()), (["a", "b", "c", "d"], pa.string()), (CELLS, pa.string()),
    ([1, 2, 3, 4, 5], pa.int64()), ([0, 1, 2], pa.uint8()), ([2**64 - 1, 2**63, 1], pa.uint64()),
    ([-(2**63), 2**63 - 1, 2**53 + 1], pa.int64()), ([0.5, 1.0, 2.0, -1e308, 5e-324], pa.float64()),
    ([0.5, float("nan"), float("inf")], pa.float64()), ([0.5, 1.0], pa.float32()), ([0.5, 1.0], pa.float16()),
    ([decimal.Decimal("1.5"), decimal.Decimal("9" * 30)], pa.decimal128(38, 2)), ([True, False], pa.bool_()),
    ([datetime.datetime(2020, 1, 1), datetime.datetime(2020, 1, 2)], pa.timestamp("us", tz="UTC")),
    ([datetime.date(2020, 1, 1)], pa.date32()), ([datetime.time(1, 2)], pa.time64("us")),
    ([datetime.timedelta(days=1)], pa.duration("ms")), ([None], pa.null()), ([b"a", b"\xff", b""], pa.binary()),
    ([["a"], []], pa.list_(pa.string())), ([{"a": 1}], pa.struct([("a", pa.int64())])),
    (["a", "", "b\0", "\x1b[31m", "\u202e"], pa.large_string()), ([[1.0, 2.0]], pa.list_(pa.float64(), 2)),
]  # fmt: skip
"""Values of columns, and their types."""


def invent(kind: str, rng: random.Random) -> bytes:
    """A file of a kind; the same for the same state of ``rng``."""
    if kind == "excel":
        return _workbook(rng)
    if kind == "parquet":
        return _columns(rng)
    if kind == "csv":
        text = _table(rng)
    elif kind == "json":
        text = _value(rng, 0)
    else:
        text = "".join(f"{_value(rng, 1)}\n" for _ in range(rng.randint(1, 4)))
    return text.encode(errors="surrogatepass")


def invent_options(kind: str, rng: random.Random) -> ReadOptions:
    """What a caller may say of it, right or wrong."""
    said: dict[str, Any] = {"lenient": rng.random() < 0.3, "duplicates": rng.choice(("error", "best", "first"))}
    said["values"] = rng.choice((None, None, "rank", "score"))
    if kind in ("csv", "excel"):
        said["layout"] = rng.choice((None, None, *LAYOUTS.names()))
        said["header"] = rng.choice((None, None, True, False))
    elif kind != "parquet":
        said["outer"] = rng.choice((None, None, "query", "ranker"))
    if rng.random() < 0.25:
        said["columns"] = {
            role: rng.choice((*NAMES, *map(str, range(5)))) for role in rng.sample((*ROLES, "ignore"), 2)
        }
    return ReadOptions(**said)


def _table(rng: random.Random) -> str:
    width, mark = rng.randint(1, 5), rng.choice(",,,\t;")
    few = rng.sample(CELLS, rng.randint(2, 8))  # so that cells come again
    rows = [[rng.choice(few if rng.random() < 0.8 else CELLS) for _ in range(width)] for _ in range(rng.randint(1, 6))]
    columns = list(zip(*rows, strict=True))
    for place in range(width):
        if rng.random() < 0.4:  # a column of one sort, as most are
            columns[place] = tuple(map(str, rng.sample(range(rng.randint(0, 2), 9), len(rows))))
    lines = [list(row) for row in zip(*columns, strict=True)]
    if rng.random() < 0.75:
        lines.insert(0, [rng.choice(NAMES) for _ in range(width)])
    if rng.random() < 0.1:
        lines[rng.randrange(len(lines))].append("z")
    return "".join(mark.join(f'"{cell}"' if mark in cell else cell for cell in line) + "\n" for line in lines)


def _workbook(rng: random.Random) -> bytes:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    sheets = [book.active, *(book.create_sheet(name) for name in ("x", "1")[: rng.choice((0, 0, 0, 1, 2))])]
    for sheet in sheets:
        width = rng.randint(1, 5)
        if rng.random() < 0.2:
            sheet.append([rng.choice(CELLS)])
        if rng.random() < 0.75:
            sheet.append([rng.choice(NAMES) for _ in range(width)])
        few = [*rng.sample(CELLS, 4), *rng.sample(STORED, 4), "a", "b", "c"]
        for _ in range(rng.randint(0, 6)):
            sheet.append([rng.choice(few) for _ in range(width)])
        if rng.random() < 0.1:
            sheet.merge_cells("A1:B2")
    book.save(stream)
    return stream.getvalue()


def _columns(rng: random.Random) -> bytes:
    rows, stream = rng.randint(0, 6), io.BytesIO()
    names = [*(["item", rng.choice(("score", "rank"))] if rng.random() < 0.7 else []), *rng.choices(NAMES, k=3)]
    made = []
    for _ in names:
        values, kind = rng.choice(ARRAYS)
        cells = [None if rng.random() < 0.05 else rng.choice(values) for _ in range(rows)]
        column = pa.array(cells, kind)
        plain = pa.types.is_string(kind) or pa.types.is_integer(kind)
        made.append(column.dictionary_encode() if plain and rng.random() < 0.2 else column)
    pq.write_table(pa.table(made, names=names), stream, row_group_size=rng.randint(1, 4))
    return stream.getvalue()


def _value(rng: random.Random, depth: int) -> str:
    """JSON: deeper values are more often plain ones."""
    if rng.random() < (0.02, 0.1, 0.35, 0.7, 0.9, 1.0)[depth]:
        return rng.choice(SCALARS)
    alike = rng.random() < 0.6  # members of one sort, as most are
    first = _value(rng, depth + 1)
    inside = [first if alike and rng.random() < 0.5 else _value(rng, depth + 1) for _ in range(rng.randint(0, 4))]
    if rng.random() < 0.4:
        return f"[{', '.join(inside)}]"
    return "{" + ", ".join(f"{json.dumps(rng.choice(KEYS))}: {each}" for each in inside) + "}"
