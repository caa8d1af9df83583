"""Label files: JSON, ``{query: {item: label}}``, and Parquet (query, item, label), as ranx saves its qrels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from stagg.data.labels import Labels
from stagg.errors import need, shown
from stagg.formats.documents.jsonl import parse_json
from stagg.formats.numbers import number_text
from stagg.formats.options import ReadOptions
from stagg.formats.row_checks import label_problem
from stagg.formats.storage.source import Source
from stagg.formats.tables.roles import name_roles, plain_name

__all__ = ["read_label_file"]

LABEL_NAMES = ("label", "score", "relevance", "rel", "grade")


def read_label_file(kind: str, source: Source, options: ReadOptions) -> Labels:
    """The labels of a JSON or Parquet file, by the rules of qrels; places are row numbers."""
    rows = _rows_of_json(source) if kind == "json" else _rows_of_parquet(source, options)
    grades: dict[str, dict[str, float]] = {}
    for row, (query, item, label) in enumerate(rows, start=1):
        problem = label_problem(_number_text(label), options)
        before = grades.get(query, {}).get(item)
        if problem is None and before is not None:
            problem = "duplicate judgment", f"item {shown(item)} of query {shown(query)} is judged twice"
            if before != float(label):
                raise source.error(f"{problem[1]}, differently: {number_text(before)} and {label}", row)
        if problem is None:
            grades.setdefault(query, {})[item] = float(label)
            source.log.used(1)
        elif options.lenient:
            source.log.dropped(problem[0], f"{source.name}:{row}")
        else:
            raise source.error(problem[1], row)
    if not grades:
        raise source.error("0 rows: there is nothing to read")
    return Labels(grades)


def _number_text(label: Any) -> str:
    """A label as qrels would spell it; any text but a number stays as it is, to be refused."""
    return number_text(label) if isinstance(label, float) else str(label)


def _rows_of_json(source: Source) -> Iterator[tuple[str, str, Any]]:
    try:
        document = parse_json(source.text())
    except (ValueError, RecursionError) as error:
        raise source.error(f"this is not JSON: {shown(str(error))}") from None
    if not isinstance(document, dict):
        raise source.error("expected {query: {item: label}}")
    for query, labels in document.items():
        if not isinstance(labels, dict):
            raise source.error(f"expected {{item: label}} for query {shown(query)}")
        yield from ((query, item, label) for item, label in labels.items())


def _rows_of_parquet(source: Source, options: ReadOptions) -> Iterator[tuple[str, str, Any]]:
    need("pyarrow", "Parquet files", extra="parquet")
    import pyarrow.parquet

    from stagg.formats.tables.sources.parquet import check_claims, name_damage, read_columns

    with name_damage(source):
        handle = source.binary()
        file = pyarrow.parquet.ParquetFile(handle, page_checksum_verification=True)
        names = list(file.schema_arrow.names)
        roles = name_roles(names, source, options)
        label = next((name for name in names if plain_name(name) in LABEL_NAMES), None)
        if "query" not in roles or "item" not in roles or label is None:
            listed = ", ".join(map(shown, names[:20]))
            raise source.error(f"expected the columns query, item and label; found: {listed}; see the option 'columns'")
        columns = [names[roles.index("query")], names[roles.index("item")], label]
        check_claims(file, dict(zip(columns, ("query", "item", "label"), strict=True)), handle, source, options)
        table = read_columns(file, columns)
        cells = [table[name].to_pylist() for name in columns]
    for row, (query, item, grade) in enumerate(zip(*cells, strict=True), start=1):
        if query is None or item is None:
            raise source.error(f"the {'query' if query is None else 'item'} is empty; expected an id", row)
        yield str(query), str(item), grade
