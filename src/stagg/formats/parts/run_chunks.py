"""TREC runs in chunks: plain rows by the compiled twin; a block that holds an odd row is read in Python."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from stagg.data.columns import Coded
from stagg.data.ids import Ids
from stagg.formats.log import ReadLog
from stagg.formats.options import ReadOptions
from stagg.formats.parts.chunks import ChunkRows
from stagg.formats.parts.text_blocks import TextBlock, TextInChunks, note_mark
from stagg.formats.reading import Reading
from stagg.formats.row_checks import LONGEST_ID
from stagg.formats.runs.trec import read_run_rows
from stagg.formats.storage.source import LONGEST_LINE
from stagg.kernels.text import records
from stagg.kernels.text import text as kernel

__all__ = ["RunInChunks", "open_in_chunks", "refusal"]


def open_in_chunks(reading: Reading) -> RunInChunks:
    """The run."""
    return RunInChunks(reading)


class RunInChunks(TextInChunks):
    """A run: see :class:`stagg.formats.parts.chunks.ChunkedFile`."""

    names_rankers = False

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading, ReadLog())
        note_mark(reading.source, self.log)

    def read(self, piece: TextBlock, log: ReadLog) -> Iterator[ChunkRows]:
        content, start, end = piece.content, piece.start, piece.end
        rows = None
        if kernel.is_text(content, end):
            queries, items, ranks, scores, lines, tags, stop = kernel.split_run(content, start, end, piece.line)
            short = max(queries[1].max(initial=0), items[1].max(initial=0)) <= LONGEST_ID
            if stop == end and short and (len(lines) or end - start < LONGEST_LINE):
                ids = [Ids(address, length, [content]) for address, length in (queries, items, tags)]
                seen = frozenset(tag.encode() for tag in set(ids[2].texts))
                rows = ChunkRows(Coded.of_ids(ids[0]), ids[1], lines, scores, ranks, tags=seen)
        yield self._read_closely(piece, log) if rows is None else rows

    def _read_closely(self, piece: TextBlock, log: ReadLog) -> ChunkRows:
        """The same by the reader in Python, which says what is wrong."""
        block = piece.content[piece.start : piece.end - piece.is_unfinished].tobytes()
        self.source.refuse_block(block, piece.line, first=piece.is_first)
        excerpt = self.reading.excerpt([(piece.line, block.decode())], log)
        excerpt.source.unfinished_line = piece.line + block.count(b"\n") if piece.is_unfinished else None
        found = read_run_rows(excerpt)
        return ChunkRows(
            Coded.of_texts(found.queries), Ids.of_texts(found.items), found.lines, found.scores, found.ranks,
            tags=frozenset(tag.encode() for tag in set(found.tags)),
        )  # fmt: skip


def refusal(options: ReadOptions) -> str | None:
    """Why runs cannot be read in chunks with these options; None if they can."""
    if not (kernel.has_twin() and records.has_twin()):
        return "there is no compiled reader"
    harmless = {
        name: getattr(options, name) for name in ("order_by", "float_labels", "names", "max_size", "memory", "rename")
    }
    plain = ReadOptions(**harmless)
    if dataclasses.replace(options, encoding=options.encoding.lower()) != plain:
        return "the reading options ask for a closer look at every row"
    return None
