"""Reading and writing whole inputs: which format, what several files mean together, all or nothing."""

from __future__ import annotations

import contextlib
import dataclasses
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, Unpack

from stagg.data.labels import Labels
from stagg.data.parts import join_lists, join_queries, join_rankers
from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, StaggError, UnknownName, shown
from stagg.formats.base import BY_RANK, BY_SCORE, Format, Loaded, ReadingOptions, ReadOptions
from stagg.formats.cells import looks_like_table
from stagg.formats.csv_file import Csv
from stagg.formats.excel import Excel
from stagg.formats.json_file import Json
from stagg.formats.jsonl import JsonLines
from stagg.formats.label_files import read_label_file
from stagg.formats.letor import Letor
from stagg.formats.log import FileReading, ReadLog
from stagg.formats.ordering import contradiction
from stagg.formats.output import replacing
from stagg.formats.parquet import Parquet
from stagg.formats.paths import expand_paths
from stagg.formats.preflib import PrefLib
from stagg.formats.runs import Irregular, Runs, RunTally, readable
from stagg.formats.source import COMPRESSED_ENDINGS, Source
from stagg.formats.trec import Trec, read_qrels, several_tags
from stagg.registry import Registry, near_names

__all__ = [
    "FORMATS",
    "Inputs",
    "distinct_names",
    "format_of_name",
    "load",
    "names_of_runs",
    "note_runs",
    "pick_fused_format",
    "read",
    "read_labels",
    "write",
    "write_stream",
]

FORMATS: Registry[Format] = Registry("format", [Trec, Letor, Csv, Parquet, JsonLines, Json, PrefLib, Excel])

MOST_OPEN = 250  # files that are open at once; systems allow 1024, or 256

MISNAMED: dict[type[Format], tuple[type[Format], ...]] = {Csv: (Excel,), Json: (JsonLines,)}
"""Formats that are often saved under the ending of another, and cannot be that other."""

LABEL_FORMATS = (Json.name, Parquet.name)

Paths = str | Path | Sequence[str | Path]


def read(
    paths: Paths, *, format: str = "auto", log: ReadLog | None = None, **options: Unpack[ReadingOptions]
) -> Rankings:
    """Rankings from one or several files, folders or patterns; ``options`` are those of :class:`ReadOptions`.

    TREC files, and tables or JSON without a ranker, are one ranker each, named by the file without known endings. LETOR
    and PrefLib files and tables that name their rankers are parts: queries are joined, rankers matched by name.
    What the reader notices goes to ``log``, or is said as warnings when no log is given.
    """
    own = ReadLog() if log is None else log
    loaded = load(paths, format=format, options=_options(options), log=own)
    if log is None:
        own.warn()
    return loaded.rankings


def _options(given: ReadingOptions) -> ReadOptions:
    known = [field.name for field in dataclasses.fields(ReadOptions)]
    for name in given:
        if name not in known:
            raise InvalidParameter(f"there is no reading option {shown(name)}{near_names(name, known)}")
    return ReadOptions(**given)


def read_labels(
    path: str | Path, *, format: str = "auto", log: ReadLog | None = None, **options: Unpack[ReadingOptions]
) -> Labels:
    """Labels from a qrels file (TREC; JSON and Parquet as ranx saves them), or one that carries its labels (LETOR)."""
    own = ReadLog() if log is None else log
    chosen = _options(options)
    with Source(path, own, encoding=chosen.encoding) as source:
        kind = _carrier_of_labels(source) if format == "auto" else format
        if kind == "qrels":
            labels = read_qrels(source, chosen)
        elif kind in LABEL_FORMATS:
            labels = read_label_file(kind, source, chosen)
        else:
            found = FORMATS[kind].for_name(source.plain_name.lower()).read(source, chosen).labels
            if found is None:
                raise source.error(f"a {kind} file carries no labels; expected qrels or LETOR")
            labels = found
    if log is None:
        own.warn()
    return labels


def _carrier_of_labels(source: Source) -> str:
    head = source.head()
    return next((kind.name for kind in (Letor, Parquet, Json) if kind.recognises(head)), "qrels")


def load(paths: Paths, *, format: str = "auto", options: ReadOptions, log: ReadLog) -> Loaded:
    """All inputs as one: rankings, and labels where the format carries them."""
    with Inputs(paths, format=format, options=options, log=log) as inputs:
        return inputs.load()


class Inputs:
    """Inputs that are to be read together; they can be looked at, and those that are no plain files are kept."""

    def __init__(self, paths: Paths, *, format: str = "auto", options: ReadOptions, log: ReadLog) -> None:
        several = [paths] if isinstance(paths, str | Path) else list(paths) if isinstance(paths, Iterable) else []
        if not several or not all(isinstance(path, str | Path) for path in several):
            raise InvalidParameter("no input: name one or more files, or - for standard input")
        if [str(path) for path in several].count("-") > 1:
            raise InvalidParameter("standard input (-) can be read once only")
        self.places = expand_paths(several)
        self.paths = [place.path for place in self.places]
        self.format, self.options, self.log = format, options, log
        self._open: dict[int, Source] = {}

    def runs(self, *, threads: int = 1) -> Runs | None:
        """The inputs as TREC runs for the compiled reader; None where they are not, or are to be looked at closely."""
        if len(self.paths) > MOST_OPEN or not readable(self.options) or self.format not in ("auto", Trec.name):
            return None
        if not all(place.is_plain for place in self.places):
            return None
        try:
            sources = [self._source(number) for number in range(len(self.paths))]
            if not all(self._kind(source) is Trec for source in sources):
                return None
            return Runs(sources, self.options, threads=threads)
        except (StaggError, OSError, Irregular):
            return None  # whatever is wrong, reading one input after the other says it in its turn

    def load(self) -> Loaded:
        """All of them at once."""
        runs = self.runs()
        if runs is not None:
            with contextlib.suppress(Irregular, StaggError):
                return Loaded(_load_runs(runs, self.log))
        return self._load_in_turn()

    def _load_in_turn(self) -> Loaded:
        parts = [self._load_one(number) for number in range(len(self.paths))]
        full = [part for part in parts if part.loaded.rankings.queries]
        if not full:
            dropped = f" ({self.log.summary()})" if self.log.rows_dropped else ""
            one = parts[0].source if len(parts) == 1 else None
            raise DataError(f"0 rows: there is nothing to read{dropped}", file=one)
        for part in parts:
            if not part.loaded.rankings.queries:
                self.log.note(_adds_nothing(part.source))
        return _join(full, self.log, tags=self.options.split_by_tag)

    def _load_one(self, number: int) -> _Input:
        looked_at = number in self._open
        with self._source(number) as source:
            del self._open[number]
            if looked_at:
                source.rewind()
            kind = self._kind(source)
            _refuse_unknown(kind, source, self.options)
            loaded = kind.for_name(source.plain_name.lower()).read(source, self.options)
            loaded = self.places[number].name_parts(loaded)
            self.log.understood(_describe_reading(source, kind, loaded))
            return _Input(source.name, source.path, source.stem, loaded)

    def _source(self, number: int) -> Source:
        if number not in self._open:
            self._open[number] = Source(self.paths[number], self.log, encoding=self.options.encoding)
        return self._open[number]

    def _kind(self, source: Source) -> type[Format]:
        return _recognise(source, self.options) if self.format == "auto" else FORMATS[self.format]

    def __enter__(self) -> Inputs:
        return self

    def __exit__(self, *_: object) -> None:
        for source in self._open.values():
            source.close()


KNOWN_BY: dict[str, tuple[type[Format], ...]] = {
    "layout": (Csv, Excel),
    "columns": (Csv, Excel, Parquet, JsonLines),
    "sheet": (Excel,),
    "delimiter": (Csv,),
    "outer": (Json, JsonLines),
}
"""Reading options that only some formats know."""


def _refuse_unknown(kind: type[Format], source: Source, options: ReadOptions) -> None:
    """An option that the format of a file does not know is an error, not a thing to pass over."""
    for name, kinds in KNOWN_BY.items():
        if getattr(options, name) is not None and kind not in kinds and (name, options.layout) != ("layout", "long"):
            known = " and ".join(each.name for each in kinds)
            hint = ": say format='csv' if it is a table of text" if Csv in kinds else ""
            raise source.error(f"the option '{name}' is for {known} files; this is read as {kind.name}{hint}")


def _describe_reading(source: Source, kind: type[Format], loaded: Loaded) -> FileReading:
    known, rankings = loaded.understood, loaded.rankings
    layout, direction, delimiter = (known.layout, known.direction, known.delimiter) if known else ("", "", None)
    return FileReading(source.name, kind.name, layout, direction, delimiter, rankings.rankers, len(rankings))


def _adds_nothing(source: str) -> str:
    return f"{source}: 0 rows: it adds nothing"


def _join(parts: list[_Input], log: ReadLog, *, tags: bool) -> Loaded:
    """Several inputs as one: parts of a whole, or rankers side by side."""
    if len(parts) == 1:
        return parts[0].loaded
    parts = _name_by_folder(parts, log)
    if tags:
        return Loaded(join_rankers([part.loaded.rankings for part in parts]), names_rankers=True)
    named = [part for part in parts if part.loaded.names_rankers]
    if len(named) == len(parts):
        return _join_parts(parts)
    if named:
        raise DataError(
            "this file names its rankers itself, others of the inputs are one ranker each; read them apart",
            file=named[0].source,
        )
    _note_uncommon_queries([part.loaded.rankings.queries for part in parts], log)
    names = distinct_names([(part.stem, part.path) for part in parts])
    return Loaded(join_rankers([p.loaded.rankings.with_rankers([n]) for p, n in zip(parts, names, strict=True)]))


@dataclasses.dataclass(frozen=True)
class _Input:
    """What one input held, and what is needed to join it with the others."""

    source: str
    path: Path
    stem: str
    loaded: Loaded


def _name_by_folder(parts: list[_Input], log: ReadLog) -> list[_Input]:
    """Files that are one query each: those of one folder are one ranker, which the folder names."""
    if not all(part.loaded.query_of_file for part in parts):
        return parts
    log.note(
        f"{len(parts):,} files are one query each, of the ranker that their folder names; "
        "outer='ranker' makes every file a ranker of one query"
    )
    named = []
    for part in parts:
        rankings = part.loaded.rankings.with_rankers([part.path.resolve().parent.name])
        named.append(
            dataclasses.replace(part, loaded=dataclasses.replace(part.loaded, rankings=rankings, names_rankers=True))
        )
    return named


def _recognise(source: Source, options: ReadOptions) -> type[Format]:
    """The format by the ending of the name, else by the first bytes, else a table if it looks like one, else TREC."""
    ending = Path(source.plain_name).suffix.lower()
    for kind in FORMATS:
        if ending in kind.endings:
            return next((other for other in MISNAMED.get(kind, ()) if other.recognises(source.head())), kind)
    first = source.head()
    for kind in FORMATS:
        if kind is not Trec and kind.recognises(first):
            return kind
    asked = options.layout is not None or options.delimiter is not None or options.columns is not None
    return Csv if asked or looks_like_table(first) else Trec


def _join_parts(parts: list[_Input]) -> Loaded:
    """Parts of one whole: a query may stand in several parts, with other rankers in each."""
    named = [_globally_named(part) for part in parts]
    shared = _check_owners(parts, named)
    carried = [part.loaded.labels for part in parts if part.loaded.labels is not None]
    labels = Labels({query: each[query] for each in carried for query in each}) if carried else None
    whole = join_lists(named) if shared else join_queries(named)
    return Loaded(whole, labels, names_rankers=True, parts=tuple(part.loaded.rankings.queries for part in parts))


def _check_owners(parts: list[_Input], named: list[Rankings]) -> bool:
    """Whether a query stands in several parts; the same query and ranker in two of them is an error."""
    queries: dict[str, _Input] = {}
    lists: dict[tuple[str, str], str] = {}
    shared = False
    for part, rankings in zip(parts, named, strict=True):
        for query in rankings.queries:
            before = queries.setdefault(query, part)
            if before is not part and (part.loaded.labels is not None or before.loaded.labels is not None):
                what = f"the query {shown(query)} stands in {before.source} too"
                raise DataError(f"{what}; a query with labels belongs to one part", file=part.source)
            shared = shared or before is not part
        for query, ranker in _list_owners(rankings):
            if (query, ranker) in lists:
                what = f"the query {shown(query)} of ranker {shown(ranker)} stands in {lists[query, ranker]} too"
                raise DataError(
                    f"{what}; a list belongs to one part: join the files, or name their rankers", file=part.source
                )
            lists[query, ranker] = part.source
    return shared


def _list_owners(rankings: Rankings) -> Iterable[tuple[str, str]]:
    queries, rankers = rankings.list_queries.tolist(), rankings.list_rankers.tolist()
    return ((rankings.queries[q], rankings.rankers[r]) for q, r in zip(queries, rankers, strict=True))


def _globally_named(part: _Input) -> Rankings:
    """The rankings of a part, its rankers told from those of other parts where their names are the file's own."""
    rankings = part.loaded.rankings
    if not part.loaded.local_rankers:
        return rankings
    return rankings.with_rankers([f"{part.stem}:{name}" for name in rankings.rankers])


def distinct_names(files: Sequence[tuple[str, Path]]) -> list[str]:
    """The stems, with the parent folder added where they clash."""
    count = Counter(stem for stem, _ in files)
    names = [stem if count[stem] == 1 else f"{path.resolve().parent.name}/{stem}" for stem, path in files]
    for name, times in Counter(names).items():
        if times > 1:
            raise DataError(f"{times} inputs would be rankers named {shown(name)}; rename or copy one of them")
    return names


def _note_uncommon_queries(queries: Sequence[Iterable[object]], log: ReadLog) -> None:
    count = Counter(chain.from_iterable(queries))
    uncommon = sum(times < len(queries) for times in count.values())
    if uncommon:
        some = f"{uncommon:,} of {len(count):,} queries are in only some of the inputs"
        log.note(f"{some}; each is fused from those that contain it")


# --- TREC runs by the compiled reader ---------------------------------------------------------------------------------


def names_of_runs(runs: Runs) -> tuple[str, ...]:
    """The rankers that the runs are: file stems, told apart by the folder where they clash."""
    return tuple(distinct_names([(run.source.stem, run.source.path) for run in runs.full]))


def note_runs(runs: Runs, tally: RunTally, log: ReadLog) -> None:
    """Say of the runs, all of which were read, what the reader in Python would say of them."""
    falls = iter(tally.falls.tolist())
    for run in runs.all:
        count, line = next(falls) if len(run.queries) else (0, 0)
        if count:
            log.note(contradiction(run.source, line, count))
        if run.tags > 1:
            log.note(several_tags(run.source, run.tags))
    log.used(tally.rows)
    for run in runs.all:
        if not len(run.queries):
            log.note(_adds_nothing(run.source.name))
    if len(runs.full) > 1:
        _note_uncommon_queries([run.queries.tolist() for run in runs.full], log)


def _load_runs(runs: Runs, log: ReadLog) -> Rankings:
    names = names_of_runs(runs)
    part = runs.read(range(len(runs.queries)), names)
    note_runs(runs, part.tally, log)
    direction = BY_RANK if runs.by_rank else BY_SCORE
    for run, name in zip(runs.full, names, strict=True):
        log.understood(FileReading(run.source.name, Trec.name, "long", direction, "blanks", (name,), len(run.queries)))
    return part.rankings()


# --- writing ----------------------------------------------------------------------------------------------------------


def format_of_name(path: str | Path) -> type[Format]:
    """The format that a file's ending picks for writing."""
    name = str(path).lower()
    for ending in COMPRESSED_ENDINGS:
        if name.endswith(ending) and ending != ".gz":
            raise InvalidParameter(f"{path}: only .gz can be written; {', '.join(COMPRESSED_ENDINGS)} can be read")
    ending = Path(name.removesuffix(".gz")).suffix
    for kind in FORMATS:
        if ending in kind.endings and not kind.writable:
            raise InvalidParameter(f"{path}: {ending} files can only be read; write .csv, .json or .parquet")
        if ending in kind.endings:
            return kind
    known = sorted(ending for kind in FORMATS if kind.writable for ending in kind.endings)
    raise UnknownName(f"{path}: no format writes {shown(ending)}; the endings are {' '.join(known)} (+ .gz)")


def pick_fused_format(path: str | Path | None, *, intervals: bool = False) -> Format:
    """The format in which a fused ranking is written: what the ending of the file says.

    Without a file it is TREC, or CSV where there are intervals. The scores of a fused TREC run strictly decrease.
    """
    if path is None:
        return Csv() if intervals else Trec(strict=True)
    kind = format_of_name(path)
    if intervals and not kind.holds_intervals:
        raise InvalidParameter(f"{path}: {kind.name} cannot hold intervals of ranks; write .csv, .json or .parquet")
    return Trec(strict=True) if kind is Trec else _writer(path, kind.name)


def write(
    rankings: Rankings, path: str | Path, *, format: str | Format | None = None, labels: Labels | None = None
) -> None:
    """Write rankings, atomically: the old file stays until the new one is whole.

    The ending picks the format, ``format`` overrules it. Scores are kept as they are; lists without scores get
    n - rank + 1 where the format must have one. What the format cannot hold raises before a byte is written.
    """
    writer = _writer(path, format)
    _refuse(writer, rankings, labels, str(path))
    with replacing(path) as stream:
        writer.write(rankings, stream, labels)


def write_stream(
    rankings: Rankings, stream: IO[bytes], format: Format, *, name: str, labels: Labels | None = None
) -> None:
    """Write rankings to an open stream; ``name`` is what errors call it."""
    _refuse(format, rankings, labels, name)
    format.write(rankings, stream, labels)


def _writer(path: str | Path, format: str | Format | None) -> Format:
    if isinstance(format, Format):
        return format
    if format is not None and format not in FORMATS:
        return FORMATS.parse(format)
    kind = format_of_name(path) if format is None else FORMATS[format]
    return kind.for_name(str(path).lower().removesuffix(".gz"))


def _refuse(writer: Format, rankings: Rankings, labels: Labels | None, name: str) -> None:
    why = writer.refusal(rankings, labels)
    if why is not None:
        raise DataError(f"{writer.name} cannot hold {why}", file=name)
