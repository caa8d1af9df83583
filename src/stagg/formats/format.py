"""Format, the base class, and ``FORMATS``: a reader, a writer, and what the format can hold."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Iterable
from typing import IO, Any, ClassVar, Final, NamedTuple, NoReturn

from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.errors import InvalidParameter
from stagg.formats.reading import Reading
from stagg.formats.row_checks import id_refusal
from stagg.formats.storage.source import KNOWN_ENDINGS
from stagg.registry import Parametrised, Registry
from stagg.say import Either, tell

__all__ = [
    "BY_ORDER", "BY_RANK", "BY_SCORE", "COUNTS_REFUSED", "GIVE_LABELS", "ONE_QUERY", "WRITE_CSV_OR_JSON", "Format",
    "Loaded", "ReadOnly", "Understood", "WriteInstead",
]  # fmt: skip

ONE_QUERY: Final = "1"
"""The query of a file that names none, as for lists in memory."""


class WriteInstead(Either):
    """Formats that can hold what another cannot, by the endings of files.

    >>> print(WriteInstead("csv", "json", "parquet"), "|", WriteInstead("csv").on_stdout.flags())
    write .csv, .json or .parquet | say --format csv
    """

    def __init__(self, *names: str) -> None:
        *others, last = [f".{name}" for name in names]
        said = f"write {', '.join(others)} or {last}" if others else f"write {last}"
        super().__init__(said, said)
        self.on_stdout = Either(said, f"say --format {names[0]}")
        """The same where the command line writes no file, whose ending would say the format."""


WRITE_CSV_OR_JSON: Final = WriteInstead("csv", "json")
WRITE_INTERVALS: Final = WriteInstead("csv", "json", "parquet")
COUNTS_REFUSED: Final = tell("multiplicities; ", WriteInstead("csv"), " or PrefLib")
GIVE_LABELS: Final = tell("give them as ", Either("labels", "--qrels"))


class Understood(NamedTuple):
    """A reader's understanding of a file: its layout, which way its numbers point, what separates its cells."""

    layout: str
    direction: str
    delimiter: str | None = None
    taken: tuple[tuple[str, str], ...] = ()
    seats: int | None = None


BY_SCORE: Final = "scores, large = top"
BY_RANK: Final = "ranks, small = top"
BY_ORDER: Final = "order, best first"


@dataclasses.dataclass(frozen=True)
class Loaded:
    """Content of a file: rankings and, where the format carries them, labels.

    ``names_rankers`` says that the file names its rankers itself, so that several files are parts of one whole;
    otherwise every file is one ranker, named by its stem. ``local_rankers`` says that these names mean something
    within the file only (line 3 of one election is not the voter of line 3 of another). ``parts`` are the queries of
    each file, where several were joined. ``query_of_file`` says that the file is one query and was named by it: such
    files in one folder are one ranker. ``understood`` is what ``stagg inspect`` tells.
    """

    rankings: Rankings
    labels: Labels | None = None
    names_rankers: bool = False
    local_rankers: bool = False
    parts: tuple[tuple[str, ...], ...] = ()
    query_of_file: bool = False
    understood: Understood | None = dataclasses.field(default=None, compare=False, repr=False)


class Format(Parametrised, abc.ABC):
    """A file format: found by its name, its endings or its first bytes."""

    endings: ClassVar[tuple[str, ...]]
    """By :data:`KNOWN_ENDINGS`, which is known before the format is imported."""
    writable: ClassVar[bool] = True
    holds_intervals: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.endings = tuple(ending for ending, name in KNOWN_ENDINGS.items() if name == getattr(cls, "name", None))

    @classmethod
    def for_name(cls, name: str) -> Format:
        """The format as the (lower-case, unpacked) name of a file asks for it: .tsv wants tabs, .soc no ties."""
        return cls()

    @classmethod
    @abc.abstractmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        """Whether a file that begins so is most likely of this format."""

    @abc.abstractmethod
    def read(self, reading: Reading) -> Loaded:
        """All of the source; raises DataError with the place, counts rows in ``reading.log``."""

    def refusal(self, rankings: Rankings, labels: Labels | None) -> str | None:
        """Why this format cannot hold the rankings, or None when it can. Asked before a byte is written.

        A format of rows holds lists: a query whose lists are all empty, and a candidate in no list, leave no row.
        """
        if rankings.intervals is not None and not self.holds_intervals:
            return tell("intervals of ranks; ", WRITE_INTERVALS)
        if (rankings.weights != 1).any():
            return "ranker weights; write rankings.with_weights(None)"
        if labels is not None:
            return "labels; write them apart, as qrels"
        return id_refusal(rankings)

    @abc.abstractmethod
    def write(self, rankings: Rankings, stream: IO[bytes], labels: Labels | None = None) -> None:
        """The rankings as bytes, queries in bytewise order of id, items by rank."""

    writes_parts: ClassVar[bool] = False
    """Whether a file can be written some queries at a time: :meth:`render` some, :meth:`write_parts` all."""

    def render(self, rankings: Rankings) -> Any:
        """Some queries as they go into a file."""
        raise NotImplementedError

    def write_parts(self, parts: Iterable[Any], stream: IO[bytes], *, threads: int = 1) -> None:
        """A whole file of rendered parts, in this order: the bytes of writing everything at once.

        With several ``threads``, one of them may write while the parts that follow are made.
        """
        stream.writelines(parts)


class ReadOnly(Format):
    """A format that is read and never written."""

    writable = False

    def refusal(self, rankings: Rankings, labels: Labels | None) -> str | None:
        return tell("anything: it can only be read; ", WRITE_INTERVALS)

    def write(self, rankings: Rankings, stream: IO[bytes], labels: Labels | None = None) -> NoReturn:
        raise InvalidParameter(f"{self.name} can only be read; write csv, json or parquet")


FORMATS: Registry[Format] = Registry(
    "format",
    [
        "trec = stagg.formats.runs.trec:Trec",
        "letor = stagg.formats.runs.letor:Letor",
        "csv = stagg.formats.tables.sources.csv:Csv",
        "markdown = stagg.formats.tables.sources.markdown:Markdown",
        "parquet = stagg.formats.tables.sources.parquet:Parquet",
        "jsonl = stagg.formats.documents.jsonl:JsonLines",
        "json = stagg.formats.documents.json:Json",
        "preflib = stagg.formats.documents.ballots.preflib:PrefLib",
        "blt = stagg.formats.documents.ballots.blt:Blt",
        "cvotes = stagg.formats.documents.ballots.condorcet:CondorcetVotes",
        "abif = stagg.formats.documents.ballots.abif:Abif",
        "debian = stagg.formats.documents.ballots.debian:DebianTally",
        "gmt = stagg.formats.tables.sources.gene_sets:GeneSets",
        "excel = stagg.formats.tables.sources.excel:Excel",
    ],
)

MISNAMED: Final = {"csv": {"excel": b"PK", "blt": b"", "gmt": b"\t"}, "json": {"jsonl": b""}}
"""Formats under whose ending others are often saved, with bytes without which it is none of these: no module is loaded
for a file that lacks them."""
