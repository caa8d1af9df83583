"""Read whole inputs: detect the format, join several files, all or nothing."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final, Unpack, cast

import numpy as np

from stagg.data.labels import Labels
from stagg.data.parts import empty_rankings, join_lists, join_queries, join_rankers
from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, plural, shown
from stagg.formats.format import BY_RANK, BY_SCORE, FORMATS, MISNAMED, ONE_QUERY, Format, Loaded
from stagg.formats.log import FileReading, ReadLog, log_decision
from stagg.formats.options import ReadingOptions, ReadOptions
from stagg.formats.parts.bucket_lists import BadLists, Noticed, PartTally
from stagg.formats.parts.chunks import ChunkedFile, Whole
from stagg.formats.parts.in_parts import MEMORY, MOST_OPEN, NOTHING, InParts
from stagg.formats.row_checks import LONGEST_ID, find_long_id, list_ids
from stagg.formats.runs.trec import Trec, begins_like_run, find_fusion_tag, read_qrels
from stagg.formats.storage.paths import Place, expand_paths
from stagg.formats.storage.source import KNOWN_ENDINGS, Source, find_near_file
from stagg.registry import list_given, near_names
from stagg.threads import available_cores

__all__ = ["FORMATS", "Inputs", "distinct_names", "finish_parts", "load", "read", "read_labels"]

MOST_NAMED: Final = 5
FEW_BYTES: Final = 1 << 20

LABEL_FORMATS: Final = ("json", "parquet")

Paths = str | Path | Sequence[str | Path]


def read(
    paths: Paths, *, format: str = "auto", log: ReadLog | None = None, **options: Unpack[ReadingOptions]
) -> Rankings:
    """Read rankings from one or several files, folders or patterns such as "runs/*.parquet".

    A TREC file is one ranker, and so is a table or JSON file that names no ranker; the file's name is the ranker's.
    LETOR and PrefLib files, and tables that name their rankers, are parts of one whole: their queries are joined, and
    rankers of the same name are one ranker. ``format`` names the format where the file does not show it. All other
    keyword arguments are reading options. Remarks of the reader go to ``log``; without a log they are warnings.

    >>> from importlib.resources import files
    >>> sample = files("stagg") / "sample"  # three small runs that come with the package
    >>> read([sample / "bm25.trec", sample / "dense.trec"]).rankers
    ('bm25', 'dense')
    """
    own = _log_of(log)
    if not isinstance(format, str):
        raise InvalidParameter(f"expected the name of a format, not {shown(format)}")
    loaded = load(paths, format=format, options=_options(options), log=own)
    if log is None:
        own.warn()
    return loaded.rankings


def _options(given: ReadingOptions) -> ReadOptions:
    known = [field.name for field in dataclasses.fields(ReadOptions)]
    for name in given:
        if name not in known:
            raise InvalidParameter(f"there is no reading option {shown(name)}{near_names(name, known)}")
    return ReadOptions(**cast("dict[str, Any]", given))


def read_labels(
    path: str | Path, *, format: str = "auto", log: ReadLog | None = None, **options: Unpack[ReadingOptions]
) -> Labels:
    """Read labels from a qrels file (TREC, or ranx's JSON and Parquet), or from a LETOR file, which carries them.

    >>> from importlib.resources import files
    >>> read_labels(files("stagg") / "sample" / "qrels.txt")
    Labels(6 queries, 78 judgments, grades 0 to 2)
    """
    own = _log_of(log)
    if not isinstance(format, str):
        raise InvalidParameter(f"expected the name of a format, not {shown(format)}")
    chosen = _options(options)
    with Source(path, own, encoding=chosen.encoding, max_size=chosen.max_size) as source:
        kind = _carrier_of_labels(source) if format == "auto" else format
        if kind == "qrels":
            labels = read_qrels(source, chosen)
        elif kind in LABEL_FORMATS:
            from stagg.formats.label_files import read_label_file

            labels = read_label_file(kind, source, chosen)
        else:
            found = FORMATS[kind].for_name(source.plain_name.lower()).read(source, chosen).labels
            if found is None:
                raise source.error(f"a {kind} file carries no labels; expected qrels or LETOR")
            labels = found
        source.refuse_change()
    if log is None:
        own.warn()
    return labels


def _log_of(log: ReadLog | None) -> ReadLog:
    if log is not None and not isinstance(log, ReadLog):
        raise InvalidParameter(f"log is a ReadLog, not {shown(log)}")
    return ReadLog() if log is None else log


def _carrier_of_labels(source: Source) -> str:
    head = source.head()
    return next((kind for kind in ("letor", "parquet", "json") if FORMATS[kind].recognises(head)), "qrels")


def load(paths: Paths, *, format: str = "auto", options: ReadOptions, log: ReadLog) -> Loaded:
    """All inputs as one: rankings, and labels where the format carries them."""
    with Inputs(paths, format=format, options=options, log=log) as inputs:
        return inputs.load()


class Inputs:
    """Inputs that are to be read together; they can be looked at, and those that are not plain files are kept."""

    def __init__(self, paths: Paths, *, format: str = "auto", options: ReadOptions, log: ReadLog) -> None:
        if isinstance(paths, str | os.PathLike):
            several = [paths]
        else:
            several = list_given(paths, "paths") if isinstance(paths, Iterable) else []
        if not several or not all(isinstance(path, str | os.PathLike) for path in several):
            raise InvalidParameter("no input: name one or more files, or - for standard input")
        several = [path if isinstance(path, str | Path) else os.fsdecode(path) for path in several]
        if [str(path) for path in several].count("-") > 1:
            raise InvalidParameter("standard input (-) can be read once only")
        self.places = expand_paths(several)
        self.paths = [place.path for place in self.places]
        _refuse_missing(self.paths)
        self.format, self.options, self.log = format, options, log
        self._open: dict[int, Source] = {}
        self._fusions: dict[int, str] = {}

    @property
    def label(self) -> str:
        """The file that is read, or how many there are."""
        return Path(self.paths[0]).name if len(self.paths) == 1 else f"{len(self.paths)} inputs"

    def in_parts(self, *, threads: int = 1, progress: Callable[[str, int, int], None] | None = None) -> InParts | Whole:
        """The inputs, to be read in parts; or the decision to read them whole, and why."""
        opened = self._open_in_chunks()
        if isinstance(opened, Whole):
            log_decision(f"the inputs are read whole: {opened.why}")
            return opened
        several = 1 if self._are_small() else threads
        by_rank, memory = self.options.order_by == "rank", self.options.memory or MEMORY
        return InParts(opened, _name_files, by_rank=by_rank, threads=several, memory=memory, progress=progress)

    def _open_in_chunks(self) -> list[ChunkedFile] | Whole:
        if not all(place.is_plain for place in self.places):
            return Whole("the names of folders give the ranker or the query of some files")
        kinds = [self._look(number) for number in range(len(self.paths))]
        self._refuse_unused(kinds)
        kind, others = kinds[0], len(set(kinds)) > 1
        if others or kind.name not in IN_CHUNKS:
            return Whole(
                "the inputs have different formats" if others else f"{kind.name} files cannot be read in parts"
            )
        reader = importlib.import_module(f"stagg.formats.parts.{IN_CHUNKS[kind.name]}")
        refusal = reader.refusal(self.options)
        if refusal is not None:
            return Whole(refusal)
        files: list[ChunkedFile] = []
        for number in range(len(self.paths)):
            opened: ChunkedFile | Whole = reader.open_in_chunks(self._source(number), self.options)
            if len(self._open) > MOST_OPEN:
                self._close(number)
            if isinstance(opened, Whole):
                return opened
            files.append(opened)
        if len({file.names_rankers for file in files}) > 1:
            return Whole("some of the tables name their rankers, others do not")
        return files

    def _are_small(self) -> bool:
        """Whether all inputs together are read sooner than threads are started; what is no file may be long."""
        return all(map(os.path.isfile, self.paths)) and sum(map(os.path.getsize, self.paths)) < FEW_BYTES

    def _look(self, number: int) -> type[Format]:
        """The format of one input; few are kept open."""
        source = self._source(number)
        kind = self._kind(source)
        tag = find_fusion_tag(source.head()) if kind is Trec else None
        if tag is not None:
            self._fusions[number] = f"{source.name}: this is an earlier fusion (run tag {shown(tag)})"
        if len(self._open) > MOST_OPEN:
            self._close(number)
        return kind

    def _close(self, number: int) -> None:
        """Close a file that can be opened again."""
        if self._open[number].can_be_reopened:
            self._open.pop(number).close()

    def load(self, queries: Sequence[str] | None = None) -> Loaded:
        """All of them at once, or some ``queries`` of them: of TREC runs no others are read."""
        loaded = self._load_runs(queries)
        if loaded is not None:
            return loaded
        loaded = self._load_in_turn()
        return loaded if queries is None else _take_queries(loaded, queries)

    def note_earlier_fusions(self) -> None:
        """Note the runs, among those that were read, that ``stagg fuse`` wrote: for whoever fuses them with others.

        A wildcard that takes in the last output is a slip. Fusions alone are fused again on purpose.
        """
        if len(self._fusions) == len(self.paths):
            return
        for _, what in sorted(self._fusions.items()):
            self.log.note(f"{what} and counts as one more ranker; leave it out if that is not what you want")

    def _load_runs(self, queries: Sequence[str] | None) -> Loaded | None:
        """TREC runs by the compiled reader; None if there are others, or a query is not there."""
        trec = all(self._look(number) is Trec for number in range(len(self.paths)))
        runs = self.in_parts(threads=available_cores()) if trec else Whole("these are no TREC runs")
        if isinstance(runs, Whole):
            return None
        with contextlib.closing(runs):
            try:
                part = runs.read_whole(queries)
            except (BadLists, DataError) as bad:
                if runs.can_restart:  # of several errors, the reader that goes file by file tells the first
                    return None
                raise bad.first[1] if isinstance(bad, BadLists) else bad from None
        rankings = part.rankings
        if not rankings.queries and queries is None:
            if runs.can_restart:
                return None
            one = runs.files[0].name if len(runs.files) == 1 else None
            raise DataError(NOTHING, file=one)
        tally = part.tally
        if queries is not None:
            every = Counter(chain.from_iterable(runs.queries_met))
            known = empty_rankings(tuple(every), ())
            for query in queries:
                known.query_number(query)  # an error that names those that are near
            rankings = rankings.take_queries([rankings.query_number(query) for query in queries])
            uncommon = sum(times < len(runs.full) for times in every.values())
            tally = dataclasses.replace(tally, queries=len(every), uncommon=uncommon)
        finish_parts(runs, tally, part.noticed, self.log)
        direction = BY_RANK if runs.by_rank else BY_SCORE
        held = np.bincount(rankings.list_rankers, minlength=len(rankings.rankers)).tolist()
        for run, name, count in zip(runs.full, runs.rankers, held, strict=True):
            self.log.understood(FileReading(run.name, Trec.name, "long", direction, "blanks", (name,), count))
        return Loaded(rankings)

    def _load_in_turn(self) -> Loaded:
        self._refuse_unused([self._look(number) for number in range(len(self.paths))])
        parts = [self._load_one(number) for number in range(len(self.paths))]
        full = [part for part in parts if part.loaded.rankings.queries]
        if not full:
            dropped = f" ({self.log.summary()})" if self.log.rows_dropped else ""
            one = parts[0].source if len(parts) == 1 else None
            raise DataError(f"{NOTHING}{dropped}", file=one)
        for part in parts:
            if not part.loaded.rankings.queries:
                self.log.note(_adds_nothing(part.source))
        return _join(full, self.log, tags=self.options.split_by_tag)

    def _load_one(self, number: int) -> _Input:
        if number in self._open:
            self._close(number)  # it was looked at, perhaps to its end
        with self._source(number) as source:
            del self._open[number]
            source.rewind()
            kind = self._kind(source)
            loaded = kind.for_name(source.plain_name.lower()).read(source, self.options)
            source.refuse_change()
            _refuse_long_ids(loaded, source)
            loaded = _name_by_place(self.places[number], loaded)
            self.log.understood(_describe_reading(source, kind, loaded))
            return _Input(source.name, source.path, source.stem, loaded)

    def _refuse_unused(self, kinds: Sequence[type[Format]]) -> None:
        """An option that none of the inputs can use is an error, told of the first."""
        names = [kind.name for kind in kinds]
        for option, known in KNOWN_BY.items():
            unused = getattr(self.options, option) is not None and set(known).isdisjoint(names)
            if unused and (option, self.options.layout) != ("layout", "long"):
                hint = ": say format='csv' if it is a table of text" if "csv" in known else ""
                said = f"the option '{option}' is for {' and '.join(known)} files; this is read as {names[0]}{hint}"
                raise self._source(0).error(said)

    def _source(self, number: int) -> Source:
        if number not in self._open or self._open[number].is_closed:  # of many files, few are kept open
            encoding, max_size = self.options.encoding, self.options.max_size
            self._open[number] = Source(self.paths[number], self.log, encoding=encoding, max_size=max_size)
        return self._open[number]

    def _kind(self, source: Source) -> type[Format]:
        return _recognise(source, self.options) if self.format == "auto" else FORMATS[self.format]

    def __enter__(self) -> Inputs:
        return self

    def __exit__(self, *_: object) -> None:
        for source in self._open.values():
            source.close()


def _refuse_long_ids(loaded: Loaded, source: Source) -> None:
    """Refuse ids that no format would write, in formats without columns (LETOR, PrefLib)."""
    for kind, names in list_ids(loaded.rankings):
        number = find_long_id(names)
        if number is not None:
            raise source.error(f"the {kind} id {shown(names[number])} has more than {LONGEST_ID:,} bytes")


def _name_by_place(place: Place, loaded: Loaded) -> Loaded:
    """The content of a file, with the ranker and the query that its folders name."""
    rankings = loaded.rankings
    if place.query is not None and rankings.queries:
        if rankings.queries not in ((ONE_QUERY,), (place.query,)):
            raise _contradiction(place, "query", place.query, rankings.queries)
        rankings = rankings.replace(queries=(place.query,))
    ranker = place.ranker if place.ranker is not None else None if loaded.names_rankers else place.table
    if ranker is None:
        return dataclasses.replace(loaded, rankings=rankings)
    if loaded.names_rankers and rankings.rankers != (ranker,):
        raise _contradiction(place, "ranker", ranker, rankings.rankers)
    return dataclasses.replace(loaded, rankings=rankings.with_rankers([ranker]), names_rankers=True)


def _contradiction(place: Place, what: str, said: str, held: Sequence[str]) -> DataError:
    some = ", ".join(map(shown, held[:3]))
    return DataError(
        f"its folder says that the {what} is {shown(said)}, and the file itself holds {some}", file=str(place.path)
    )


def _take_queries(loaded: Loaded, queries: Sequence[str]) -> Loaded:
    numbers = [loaded.rankings.query_number(query) for query in queries]
    labels = None if loaded.labels is None else loaded.labels.take(queries)
    return dataclasses.replace(loaded, rankings=loaded.rankings.take_queries(numbers), labels=labels)


def _refuse_missing(paths: Sequence[str | Path]) -> None:
    """Name all files that are not there, if there are several; one alone is told when it is opened."""
    missing = [str(path) for path in paths if str(path) != "-" and not os.path.lexists(path)]
    if len(missing) > 1:
        more = f" and {len(missing) - MOST_NAMED:,} more" if len(missing) > MOST_NAMED else ""
        raise DataError(f"these files do not exist: {', '.join(map(_show_missing, missing[:MOST_NAMED]))}{more}")


def _show_missing(path: str) -> str:
    near = find_near_file(Path(path))
    return shown(path) if near is None else f"{shown(path)} (did you mean {shown(near)}?)"


KNOWN_BY: Final = {
    "layout": ("csv", "excel"),
    "columns": ("csv", "excel", "parquet", "jsonl", "json"),
    "sheet": ("excel",),
    "delimiter": ("csv",),
    "outer": ("json", "jsonl"),
}
"""Reading options that only some formats know."""


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
    """Content of one input, and what is needed to join it with the others."""

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
    name = KNOWN_ENDINGS.get(ending)
    if name == "csv" or not name:
        shaped = any(getattr(options, each) is not None for each in ("layout", "delimiter", "header"))
        if not shaped and begins_like_run(source.head()):
            return Trec  # runs are saved as .tsv, too; the option `columns` is said of tables beside it
    if name:
        other = FORMATS[MISNAMED[name]] if name in MISNAMED else None
        return other if other is not None and other.recognises(source.head()) else FORMATS[name]
    first = source.head()
    for kind in FORMATS:
        if kind is not Trec and kind.recognises(first):
            return kind
    if options.layout is not None or options.delimiter is not None or options.columns is not None:
        return FORMATS["csv"]
    from stagg.formats.tables.cells import looks_like_table  # here: most inputs are recognised before

    return FORMATS["csv"] if looks_like_table(first) else Trec


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
                what = f"the query {shown(query)} is also in {before.source}"
                raise DataError(f"{what}; a query with labels belongs to one part", file=part.source)
            shared = shared or before is not part
        for query, ranker in _list_owners(rankings):
            if (query, ranker) in lists:
                what = f"the query {shown(query)} of ranker {shown(ranker)} is also in {lists[query, ranker]}"
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
    times_of = Counter(chain.from_iterable(queries))
    _note_uncommon(sum(times < len(queries) for times in times_of.values()), len(times_of), log)


def _note_uncommon(uncommon: int, queries: int, log: ReadLog) -> None:
    if uncommon:
        are = "is" if uncommon == 1 else "are"
        some = f"{uncommon:,} of {plural(queries, 'query', 'queries')} {are} in only some of the inputs"
        log.note(f"{some}; each is fused from those that contain it")


# --- inputs in parts --------------------------------------------------------------------------------------------------

IN_CHUNKS: Final = {"trec": "run_chunks", "csv": "csv_chunks", "parquet": "parquet_chunks"}
"""The modules of formats that are read in chunks: ``open_in_chunks`` opens a file, ``refusal`` says which reading
options forbid it."""


def _name_files(files: Sequence[ChunkedFile]) -> list[str]:
    return distinct_names([(file.stem, file.path) for file in files])


def finish_parts(inputs: InParts, tally: PartTally, noticed: Noticed, log: ReadLog) -> None:
    """Say of inputs that were read in parts what reading them whole would have said."""
    log.used(inputs.rows)
    inputs.finish(log, noticed)
    full = inputs.full
    for file in inputs.files:
        if file not in full:
            log.note(_adds_nothing(file.name))
    if len(full) > 1 and not inputs.names_rankers:
        _note_uncommon(tally.uncommon, tally.queries, log)
