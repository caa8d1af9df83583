"""Options for titles: of documents and of queries, which a command shows beside their ids."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import click

from stagg.cli.options.bundles import F, bundle
from stagg.cli.options.reading import say_notes
from stagg.cli.show.talk import busy
from stagg.formats import ReadLog, ReadOptions

if TYPE_CHECKING:  # most calls name no texts, and start without the reader
    from stagg.formats.documents.texts import Texts, TextsOf, Titles

__all__ = ["TitleFiles", "find_texts", "query_texts_option", "texts_option", "titles_options"]

texts_option = click.option(
    "--texts",
    type=click.Path(),
    metavar="FILE",
    help="Titles and texts of the documents: JSON Lines, CSV, TSV or JSON with id, title and text, such as the "
    "corpus.jsonl of BEIR. It may be packed, or a pattern of several files. Titles are shown beside ids.",
)
query_texts_option = click.option(
    "--query-texts",
    type=click.Path(),
    metavar="FILE",
    help="Texts of the queries in the same formats: queries.tsv with id and text, queries.jsonl, or a CSV file. They "
    "are shown beside ids.",
)


class TitleFiles(NamedTuple):
    """Files of the texts of documents and of queries, which are read when it is known whose texts are wanted."""

    texts: str | None
    query_texts: str | None

    def find(self, items: Iterable[object], queries: Iterable[object], options: ReadOptions, *, quiet: bool) -> Titles:
        """The titles of these documents and queries."""
        from stagg.formats.documents.texts import Titles

        return Titles(
            find_texts(self.texts, items, options, quiet=quiet),
            find_texts(self.query_texts, queries, options, of="queries", quiet=quiet),
        )

    def __bool__(self) -> bool:
        return self.texts is not None or self.query_texts is not None

    @property
    def settings(self) -> dict[str, str | None]:
        """The files by the names of their options, for what is said of a table."""
        return {"texts": self.texts, "query_texts": self.query_texts}


def titles_options(command: F) -> F:
    """Add ``--texts`` and ``--query-texts``; the command gets them as one ``titles`` argument."""
    return bundle(
        command,
        [texts_option, query_texts_option],
        lambda values: {"titles": TitleFiles(values.pop("texts"), values.pop("query_texts"))},
    )


def find_texts(
    path: str | None, ids: Iterable[object], options: ReadOptions, *, of: TextsOf = "documents", quiet: bool
) -> Texts:
    """The texts of these ids; none where no file was named. Ids without a text are counted on stderr."""
    from stagg.formats.documents.texts import Texts, read_texts

    if path is None:
        return Texts()
    log = ReadLog()
    with busy(f"reading {path}", quiet=quiet):
        texts = read_texts(path, map(str, ids), of=of, log=log, encoding=options.encoding, max_size=options.max_size)
    say_notes(log, quiet=quiet)
    return texts
