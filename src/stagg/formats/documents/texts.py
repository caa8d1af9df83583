"""Texts of documents and queries: ``{id: title and text}`` of a collection, of which only wanted ones are kept.

A collection is JSON Lines (BEIR, Pyserini, MS MARCO v2), a table in CSV or TSV, or JSON; a table without a header has
the columns id and text (MS MARCO), or id, title and text. Each may be packed, and may be spread over several files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

from stagg.errors import DataError, InvalidParameter, plural, shown
from stagg.formats.documents.json_rows import find_rows
from stagg.formats.documents.jsonl import parse_json
from stagg.formats.log import ReadLog
from stagg.formats.numbers import number_text
from stagg.formats.patterns import pattern
from stagg.formats.storage.paths import expand_paths
from stagg.formats.storage.source import KNOWN_ENDINGS, ZIP_MARK, Source
from stagg.formats.tables.cells import BrokenRecord, read_record
from stagg.formats.tables.vocabulary import TEXT_COLUMNS, plain_name

__all__ = ["UNTITLED", "Text", "Texts", "TextsLike", "TextsOf", "Titles", "check_texts", "find_heading", "read_texts"]

TextsOf = Literal["documents", "queries", "names"]

DELIMITERS: Final = ("\t", ",", ";")
PARQUET_MARK: Final = b"PAR1"
_NOUNS: Final = {"documents": ("document", "documents"), "queries": ("query", "queries"), "names": ("name", "names")}
NAMED: Final = 3  # ids that a message names
TOLD: Final = 8  # names of columns or keys that a message names
FIRST_KEY: Final = pattern(r'[ \t]*\{[ \t]*"([^"\\]*)"[ \t]*:[ \t]*(?:"([^"\\]*)"|(-?[0-9]+)(?=[ \t]*[,}]))')
"""The first key of an object and its value, where both are plain: an id that is not wanted need not be parsed."""


class Text(NamedTuple):
    """A document or a query: its title, and its text; what it lacks is empty.

    >>> Text("", "How do  bees\\nfind home?").heading
    'How do bees find home?'
    """

    title: str
    body: str

    @property
    def heading(self) -> str:
        """The title, or the text where there is none, on one line."""
        return " ".join((self.title if self.title.strip() else self.body).split())


class Texts(dict[str, Text]):
    """``{id: text}``. ``missing`` are the ids that were asked for and have no text, in their order."""

    missing: tuple[str, ...] = ()


TextsLike = Mapping[str, str | Text]
"""``{id: text}``, as people have it, or as :func:`read_texts` gives it."""


def check_texts(name: str, given: TextsLike | None) -> TextsLike:
    """The texts that a caller gives as the argument ``name``, refused if they are no texts by id; none are no texts."""
    if given is None or isinstance(given, Texts):
        return given or {}
    if not isinstance(given, Mapping):
        raise InvalidParameter(f"{name} is a dict of texts by id, not {shown(given)}; stagg.read_texts reads a file")
    for key, text in given.items():
        if not isinstance(text, str | Text):
            raise InvalidParameter(f"{name}: the text of {shown(key)} is {shown(text)}; expected a text")
    return given


def find_heading(texts: TextsLike | None, key: str) -> str | None:
    """The title of a document or the text of a query, on one line; None where it has none.

    >>> find_heading({"q1": "how do bees find home"}, "q1"), find_heading({"q1": ""}, "q1"), find_heading(None, "q1")
    ('how do bees find home', None, None)
    """
    text = None if texts is None else texts.get(key)
    heading = text.heading if isinstance(text, Text) else " ".join((text or "").split())
    return heading or None


class Titles(NamedTuple):
    """Texts of documents and of queries, for tables and pages that show titles beside ids."""

    documents: TextsLike = MappingProxyType({})
    queries: TextsLike = MappingProxyType({})

    def of_item(self, item: object) -> str | None:
        """The title of a document; None where it has none."""
        return find_heading(self.documents, str(item))

    def of_query(self, query: object) -> str | None:
        """The text of a query; None where it has none."""
        return find_heading(self.queries, str(query))


UNTITLED: Final = Titles()


def read_texts(
    path: str | Path,
    ids: Iterable[str] | None = None,
    *,
    of: TextsOf = "documents",
    log: ReadLog | None = None,
    encoding: str = "utf-8",
    max_size: int | None = None,
) -> Texts:
    """Read the titles and texts of documents, or the texts of queries, or new names: of these ids, or of all.

    ``path`` is a file, a folder or a pattern. JSON Lines, CSV, TSV and JSON are read line by line (JSON: at once), and
    only the texts of ``ids`` are kept; reading ends when all are found, and the first text of an id counts. The keys or
    columns have the usual names: ``_id``, ``docid`` or ``qid``; ``title``; ``text``, ``contents``, ``query`` and
    others. A TSV or CSV file without a header has the columns id and text, or id, title and text. In TSV, quotes are
    letters, unless they enclose a whole cell. If some ids have no text, ``log`` gets a note; none at all is an error.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "docs.jsonl"
    ...     _ = file.write_text('{"_id": "d1", "title": "Bees", "text": "They dance."}')
    ...     texts = read_texts(file, ["d1"])
    >>> texts["d1"].title
    'Bees'
    """
    if of not in TEXT_COLUMNS:
        raise InvalidParameter(f"of is 'documents', 'queries' or 'names', not {shown(of)}")
    own = ReadLog() if log is None else log
    wanted = None if ids is None else dict.fromkeys(ids)
    found, other = Texts(), ""
    for place in expand_paths([path]):
        if wanted is None or len(found) < len(wanted):
            with Source(place.path, own, encoding=encoding, max_size=max_size) as source:
                other = _take(source, of, wanted, found) or other
    if wanted:
        found = _order(found, wanted, other, str(path), _NOUNS[of], own)
    if log is None:
        own.warn()
    return found


def _take(source: Source, of: TextsOf, wanted: Collection[str] | None, found: Texts) -> str:
    """Add the texts of one file to those that were found; returns an id that is not wanted, to show what they are."""
    other = ""
    for record in _find_records(source, of):
        if wanted is not None and record.key not in wanted:
            other = other or record.key
        elif of == "names" and record.key in found:
            raise source.error(f"{shown(record.key)} has two new names; remove one of them", record.line)
        elif record.key not in found:
            found[record.key] = _make_text(source, record, of)
            if wanted is not None and len(found) == len(wanted):
                break
    return other


def _order(found: Texts, wanted: Collection[str], other: str, path: str, noun: tuple[str, str], log: ReadLog) -> Texts:
    """The texts in the order of the ids, and a note on those that are missing; all of them are an error."""
    if not found:
        own = f"its own ids are like {shown(other)}" if other else "it is empty"
        which = f"none of the {plural(len(wanted), *noun)}, such as {shown(next(iter(wanted)))}, has a text here"
        raise DataError(f"{which}; {own}", file=path)
    texts = Texts({key: found[key] for key in wanted if key in found})
    texts.missing = tuple(key for key in wanted if key not in found)
    if texts.missing:
        some = ", ".join(map(shown, texts.missing[:NAMED])) + ", …" * (len(texts.missing) > NAMED)
        has = "has" if len(texts.missing) == 1 else "have"
        log.note(f"{path}: {len(texts.missing):,} of the {plural(len(wanted), *noun)} {has} no text here: {some}")
    return texts


# --- records of a collection ------------------------------------------------------------------------------------------


class _Record(NamedTuple):
    """An id, its line, and what holds its text: an object, or a line of JSON, which is parsed if it is wanted."""

    key: str
    line: int
    content: Mapping[str, Any] | str


def _find_records(source: Source, of: TextsOf) -> Iterator[_Record]:
    head = source.head()
    if head.startswith((ZIP_MARK, PARQUET_MARK)):
        raise source.error("texts are read from JSON Lines, CSV, TSV or JSON; save it as one of them")
    start, ending = head.lstrip()[:1], Path(source.plain_name).suffix.lower()
    named = KNOWN_ENDINGS.get(ending, "")
    if named == "jsonl" or (start == b"{" and named not in ("json", "csv")):
        return _read_json_lines(source, of)
    if start in (b"{", b"[") and named != "csv":
        return _read_json(source, of)
    return _read_table(source, of)


def _read_json_lines(source: Source, of: TextsOf) -> Iterator[_Record]:
    id_key: str | None = None
    for number, line in source.byte_lines():
        text = source.decode(line, number)
        match = FIRST_KEY.match(text) if id_key is not None else None
        if match and match[1] == id_key:
            yield _Record(match[2] if match[3] is None else match[3], number, text)
        elif text.strip():
            document = _parse_object(source, text, number)
            id_key = _find_key(document, "id", of)
            yield _Record(_id_of(source, document, number, of), number, document)


def _make_text(source: Source, record: _Record, of: TextsOf) -> Text:
    content = record.content
    document = _parse_object(source, content, record.line) if isinstance(content, str) else content
    own = _find_key(document, "id", of)
    title = _find_key(document, "title", of, own)
    body = _find_key(document, "text", of, own, title)
    if title is None and body is None:
        what = f"expected a title or a text ({_list_words('text', of)}), found {_list_keys(document)}"
        raise source.error(what, record.line)
    return Text(*("" if key is None else _join(document[key]) for key in (title, body)))


def _parse_object(source: Source, text: str, line: int) -> dict[str, Any]:
    try:
        value = parse_json(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise source.error(f"expected one JSON object in this line, found {shown(text.strip())}", line)
    return value


def _read_json(source: Source, of: TextsOf) -> Iterator[_Record]:
    """An array of objects, or ``{id: text}``, or ``{id: {title, text}}``."""
    try:
        value = parse_json(source.text())
    except (ValueError, RecursionError) as error:
        raise source.error(f"this is not JSON: {shown(str(error))}") from None
    rows = find_rows(value)
    if rows is not None:
        for number, document in rows:
            yield _Record(_id_of(source, document, number, of), number, document)
        return
    if not isinstance(value, dict) or not all(isinstance(each, str | dict) for each in value.values()):
        raise source.error("expected an array of objects with id and text, or {id: text}")
    for number, (key, each) in enumerate(value.items(), start=1):
        document = {"text": each} if isinstance(each, str) else each
        yield _Record(key, number, document)


def _find_key(document: Mapping[str, Any], role: str, of: TextsOf, *taken: str | None) -> str | None:
    """The likeliest key of an object, or column of a table, that has a role."""
    plain = {plain_name(str(key)): key for key in reversed(list(document)) if key not in taken}
    return next((plain[word] for word in TEXT_COLUMNS[of][role] if word in plain), None)


def _id_of(source: Source, document: Mapping[str, Any], line: int, of: TextsOf) -> str:
    key = _find_key(document, "id", of)
    if key is None:
        raise source.error(f"expected an id ({_list_words('id', of)}), found {_list_keys(document)}", line)
    value = document[key]
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value == "":
        raise source.error(f"the id is {shown(value)}; expected a text or a number", line)
    return number_text(value) if isinstance(value, float) else str(value)


def _join(value: Any) -> str:
    """A text, or the parts of one."""
    if value is None:
        return ""
    return "\n".join(map(_join, value)) if isinstance(value, list) else str(value)


def _list_words(role: str, of: TextsOf) -> str:
    return ", ".join(TEXT_COLUMNS[of][role][:TOLD])


def _list_keys(document: Iterable[Any]) -> str:
    return ", ".join(map(shown, list(document)[:TOLD])) or "nothing"


# --- tables -----------------------------------------------------------------------------------------------------------


def _read_table(source: Source, of: TextsOf) -> Iterator[_Record]:
    records = _Records(source)
    line, first = records.look()
    header = records.find_header(of)
    names = header or _suppose_names(first)
    if names is None and any(first):
        columns = f"the columns id and text, or id, title and text, or their names ({_list_words('id', of)}; "
        raise source.error(f"expected {columns}{_list_words('text', of)}) in the first line", line)
    own = 0 if names is None else names.index(_find_key(dict.fromkeys(names), "id", of) or names[0])
    for line, cells in records.read(names or (), skip=header is not None):
        yield _Record(cells[own], line, dict(zip(names or (), cells, strict=True)))


def _suppose_names(cells: Sequence[str]) -> list[str] | None:
    """The names of columns of a table without a header, by how many there are."""
    if len(cells) == 4 and "://" in cells[1]:
        return ["id", "url", "title", "text"]  # MS MARCO's documents
    return {2: ["id", "text"], 3: ["id", "title", "text"]}.get(len(cells))


class _Records:
    """The records of a table of texts; the delimiter is that by which its first line is a header."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lines = ((number, source.decode(line, number)) for number, line in source.byte_lines())
        self._first, self._text = next(((n, text) for n, text in self._lines if text.strip()), (1, ""))
        self.delimiter = "\t" if "\t" in self._text or source.plain_name.lower().endswith(".tsv") else ","

    def look(self) -> tuple[int, list[str]]:
        """The first record."""
        return self._first, self._cut(self._first, self._text)

    def find_header(self, of: TextsOf) -> list[str] | None:
        """The names of the columns if the first line is a header; the delimiter may turn out to be another."""
        for delimiter in (self.delimiter, *DELIMITERS):
            names = [name.strip(' "') for name in self._text.split(delimiter)]
            own = _find_key(dict.fromkeys(names), "id", of)
            texts = [_find_key(dict.fromkeys(names), role, of, own) for role in ("title", "text")]
            if own is not None and any(texts):
                self.delimiter = delimiter
                return names
        return None

    def read(self, names: Sequence[str], *, skip: bool) -> Iterator[tuple[int, list[str]]]:
        """The records, each with a cell for each name; ``skip``: without the first one.

        In TSV the last of two cells may hold tabs.
        """
        opening = [] if skip or not self._text else [(self._first, self._text)]
        for number, text in chain(opening, self._lines):
            if not text.strip():
                continue
            cells = self._cut(number, text, len(names))
            if len(cells) != len(names):
                quotes = "; put texts that hold a comma between quotes" if self.delimiter == "," else ""
                raise self._source.error(f"expected {plural(len(names), 'cell')}, found {len(cells)}{quotes}", number)
            yield number, cells

    def _cut(self, number: int, text: str, width: int = 0) -> list[str]:
        if self.delimiter == "\t":
            return [_unquote(cell) for cell in text.split("\t", 1 if width == 2 else -1)]
        try:
            return read_record(text + "\n", (line + "\n" for _, line in self._lines), self.delimiter)
        except BrokenRecord as error:
            raise self._source.error(f"the quotes of this row do not match: {error}", number) from None


def _unquote(cell: str) -> str:
    """The cell without quotes that enclose it and are doubled inside; any others are letters of the text."""
    if len(cell) < 2 or not (cell.startswith('"') and cell.endswith('"')):
        return cell
    inner = cell[1:-1]
    return cell if '"' in inner.replace('""', "") else inner.replace('""', '"')
