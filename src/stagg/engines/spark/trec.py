"""Read TREC runs on Spark: lines of text, parsed by Spark itself under the rules of our reader.

Executors know neither where a file begins nor the number of a line. What is wrong is raised with the file and the
line's bytes; its number is then looked for, which costs a pass or two over that one file, and only after an error.
"""

from __future__ import annotations

import base64
import json
import re
from typing import Any, Final

from stagg.errors import shown
from stagg.formats.numbers import NUMBER
from stagg.formats.storage.source import LONG_LINE, LONGEST_LINE
from stagg.say import Say, tell

__all__ = ["PROBLEMS", "line_of_bytes", "lines_of_item", "said", "trec_columns", "trec_lines", "wrong_line"]

CLUE: Final = 1 << 16
"""Bytes of a wrong line by which it is found again."""

PROBLEMS: Final = {
    "encoding": "not UTF-8",
    "nul": "NUL byte",
    "long": "line too long",
    "columns": "wrong number of columns",
    "score": "bad score",
}


def trec_lines(spark: Any, paths: list[str]) -> Any:
    """The lines of some files, and the file of each."""
    from pyspark.sql import functions as F

    text = spark.read.text(paths, lineSep="\n")  # as everywhere: a lone carriage return ends no line
    return text.select("value", F.col("_metadata.file_path").alias("file"))


def trec_columns(text: Any, rankers: dict[str, str], *, comments: bool, lenient: bool) -> Any:
    """query, ranker, item, rank, score; leniently, lines that are wrong have no query, but a problem and a place."""
    from pyspark.sql import functions as F

    bare = F.when(F.col("value").endswith("\r"), F.expr("left(value, length(value) - 1)")).otherwise(F.col("value"))
    text = text.withColumn("line", F.btrim(bare, F.lit(" \t"))).filter("line != ''")
    if comments:
        text = text.filter(~F.col("line").startswith("#"))
    text = text.withColumn("fields", F.split("line", "[ \t]+", -1))
    text = text.withColumn("number", F.expr("try_cast(get(fields, 4) as double)")).withColumn("problem", _problem())
    named = F.create_map(*[F.lit(text) for pair in rankers.items() for text in pair])
    rank = F.get("fields", 3)
    query = F.when(F.col("problem").isNull(), F.get("fields", 0))
    if not lenient:
        query = query.otherwise(F.raise_error(_clue()).cast("string"))
    found = text.select(
        query.alias("query"),
        named[F.col("file")].alias("ranker"),
        F.get("fields", 2).alias("item"),
        F.when(rank.rlike(rf"^({NUMBER})\z"), rank.try_cast("double")).alias("rank"),
        F.when(F.col("problem").isNull(), F.col("number")).alias("score"),
        F.col("problem"),
        F.when(F.col("problem").isNotNull(), F.col("file")).alias("place"),
    )
    return found if lenient else found.drop("problem", "place")


def _problem() -> Any:
    """Why a line is not a row of a run; null where it is one."""
    from pyspark.sql import functions as F

    number = F.get("fields", 4).rlike(rf"^({NUMBER})\z") & (F.abs("number") < float("inf"))
    return (
        F.when(~F.is_valid_utf8("value"), "encoding")
        .when(F.col("value").contains("\0"), "nul")
        .when(F.octet_length("value") > LONGEST_LINE, "long")
        .when(F.size("fields") != 6, "columns")
        .when(~F.coalesce(number, F.lit(False)), "score")
    )


def _clue() -> Any:
    from pyspark.sql import functions as F

    content = F.base64(F.substring(F.col("value").cast("binary"), 1, CLUE))
    return F.concat(F.lit("stagg-line "), F.to_json(F.struct("problem", "file", content.alias("line"))), F.lit(" end"))


# --- what was wrong, and where ----------------------------------------------------------------------------------------


def wrong_line(message: str) -> tuple[str, str, bytes] | None:
    """(problem, file, the line's first bytes) from the text of an error that :func:`trec_columns` raised."""
    found = re.search(r"stagg-line (\{.*?\}) end", message, re.DOTALL)
    if found is None:
        return None
    clue = json.loads(found[1])
    return clue["problem"], clue["file"], base64.b64decode(clue["line"])


def said(problem: str, line: bytes) -> str:
    """The error in a line, in the words of our own reader."""
    text = shown(line.decode(errors="backslashreplace").strip(" \t\r"))
    if problem == "columns":
        found = f"expected 6 columns (query Q0 item rank score tag), found {len(line.split())}: {text}"
        is_comment = line.lstrip().startswith(b"#")
        return tell(found, "; if '#' lines are comments, say ", Say(comments=True)) if is_comment else found
    if problem == "score":
        score = line.split()[4].decode(errors="backslashreplace")
        return f"the score {shown(score)} is not a finite number such as 12.5 or -3e-2"
    if problem == "long":
        return LONG_LINE
    if problem == "nul":
        return "a NUL byte; this is not a text file, or it is damaged"
    return f"{shown(line[:40])} is not UTF-8; convert the file, or unpack it if it is packed (Spark goes by .gz, .bz2)"


def line_of_bytes(spark: Any, path: str, line: bytes) -> int | None:
    """The number of the first line that begins with these bytes."""
    from pyspark.sql import functions as F

    found = _line_numbers(spark, path, F.substring(F.col("value").cast("binary"), 1, CLUE) == F.lit(bytearray(line)), 1)
    return found[0] if found else None


def lines_of_item(spark: Any, path: str, query: str, item: str) -> list[int]:
    """The numbers of the first two lines that name an item of a query."""
    from pyspark.sql import functions as F

    fields = F.split(F.btrim(F.col("value"), F.lit(" \t\r")), "[ \t]+", -1)
    return _line_numbers(spark, path, (F.get(fields, 0) == query) & (F.get(fields, 2) == item), 2)


def _line_numbers(spark: Any, path: str, condition: Any, most: int) -> list[int]:
    """The numbers of the first lines that meet a condition.

    The rows of one file are numbered in its order, but with jumps: so the lines before each are counted.
    """
    from pyspark.sql import functions as F

    whole = spark.read.text(path, lineSep="\n").select(
        condition.alias("sought"),
        F.col("_metadata.file_block_start").alias("block"),
        F.monotonically_increasing_id().alias("row"),
    )
    found = whole.filter("sought").orderBy("block", "row").limit(most).collect()
    before = "block < {block} or (block = {block} and row < {row})"
    return [whole.filter(before.format(block=each.block, row=each.row)).count() + 1 for each in found]
