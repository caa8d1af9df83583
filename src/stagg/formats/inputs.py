"""Read whole inputs: detect the format, join several files, all or nothing."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Unpack, cast

import numpy as np

from stagg.data.inputs.frames import are_rows, is_frame
from stagg.data.inputs.types import RankingsLike
from stagg.data.labels import Labels
from stagg.data.parts import empty_rankings, join_lists, join_queries, join_rankers
from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, plural, shown
from stagg.formats.format import BY_RANK, BY_SCORE, FORMATS, MISNAMED, ONE_QUERY, Format, Loaded
from stagg.formats.log import FileReading, ReadLog, log_decision
from stagg.formats.options import LAYOUTS, OF_TEXT, Outer, ReadingOptions, ReadOptions, rename_rankers
from stagg.formats.parts.bucket_lists import BadLists, Noticed, PartTally
from stagg.formats.parts.chunks import ChunkedFile, Whole
from stagg.formats.parts.in_parts import MEMORY, MOST_OPEN, NOTHING, InParts
from stagg.formats.reading import Reading
from stagg.formats.row_checks import LONGEST_ID, find_long_id, list_ids
from stagg.formats.runs.trec import Trec, begins_like_qrels, begins_like_run, find_fusion_tag, read_qrels
from stagg.formats.storage.paths import Place, are_grid, expand_paths, look_like_queries
from stagg.formats.storage.source import KNOWN_ENDINGS, Source, find_near_file, strip_endings
from stagg.registry import list_given, near_names
from stagg.say import Either, Say, Told, join_told, name_option, tell
from stagg.threads import available_cores

if TYPE_CHECKING:
    from stagg.formats.tables.cells import CellTable

__all__ = [
    "FORMATS", "Inputs", "distinct_names", "finish_parts", "load", "read", "read_cells", "read_labels",
    "refuse_unknown_files",
]  # fmt: skip

MOST_NAMED: Final = 5
MOST_ALIKE: Final = 8  # pairs of names that look alike and are told
TYPED: Final = ("ballots", "form", "columns", "list", "grid", "wide")  # layouts that people type
FEW_BYTES: Final = 1 << 20
MOST_SPELLED: Final = 100_000  # items whose spellings are compared

LABEL_FORMATS: Final = ("json", "parquet", "csv", "excel", "jsonl")

Paths = str | Path | Sequence[str | Path]


def read(
    paths: Paths | RankingsLike, *, format: str = "auto", log: ReadLog | None = None, **options: Unpack[ReadingOptions]
) -> Rankings:
    """Read rankings from one or several files, folders or patterns such as "runs/*.parquet", or from a data frame.

    A TREC file is one ranker, and so is a table or JSON file that names no ranker; the file's name is the ranker's.
    LETOR and PrefLib files, and tables that name their rankers, are parts of one whole: their queries are joined, and
    rankers of the same name are one ranker. ``format`` names the format where the file does not show it. All other
    keyword arguments are reading options. Remarks of the reader go to ``log``; without a log they are warnings.

    A frame of pandas or Polars, a pyarrow table, a DuckDB relation or a list of dicts, one for each row, is read as a
    spreadsheet with the same columns would be.

    >>> from importlib.resources import files
    >>> sample = files("stagg") / "sample"  # three small runs that come with the package
    >>> read([sample / "bm25.trec", sample / "dense.trec"]).rankers
    ('bm25', 'dense')
    """
    own = _log_of(log)
    if not isinstance(format, str):
        raise InvalidParameter(f"expected the name of a format, not {shown(format)}")
    chosen = _options(options)
    if chosen.duplicates == "mean":
        raise InvalidParameter(tell(Say(duplicates="mean"), " is for labels; of rankings say 'best' or 'first'"))
    loaded = _load_frame(paths, format, chosen, own) if is_frame(paths) or are_rows(paths) else None
    loaded = loaded or load(cast("Paths", paths), format=format, options=chosen, log=own)
    if log is None:
        own.warn()
    return loaded.rankings


def _load_frame(frame: Any, format: str, options: ReadOptions, log: ReadLog) -> Loaded:
    if format != "auto":
        raise InvalidParameter(tell(Say(format=format), " is for files; this is a frame"))
    from stagg.formats.tables.sources.frames import read_frame  # here: most inputs are files

    loaded = _rename(read_frame(frame, options, log), options, log)
    if options.same is None:
        return loaded
    return dataclasses.replace(loaded, rankings=_merge_same(loaded.rankings, options.same, log))


def _options(given: ReadingOptions) -> ReadOptions:
    known = [field.name for field in dataclasses.fields(ReadOptions)]
    for name in given:
        if name not in known:
            raise InvalidParameter(f"there is no reading option {shown(name)}{near_names(name, known)}")
    return ReadOptions(**cast("dict[str, Any]", given))


def read_labels(
    path: str | Path | RankingsLike,
    *,
    format: str = "auto",
    log: ReadLog | None = None,
    **options: Unpack[ReadingOptions],
) -> Labels:
    """Read labels from TREC qrels, a table or frame of query, item and grade, or a LETOR file, which carries them.

    Tables are CSV, TSV, Excel, Parquet, JSON Lines or a JSON array of objects. Their columns have the usual names
    (query, qid; doc, product_id; label, grade, rating, relevance), or ``columns`` says which they are. Rows without a
    grade are not judged. "yes" and "no", "relevant" and "not relevant" are 1 and 0; ``grades`` gives the numbers of
    other grades that are words. JSON may also be ``{query: {item: label}}``, as ranx saves it,
    ``{query: [relevant item, …]}``, or a request to Elasticsearch's rank_eval.

    Labels are whole numbers up to 1000, or fractions with ``float_labels=True``; below 0 is "not judged". A judgment
    that comes twice is an error, and ``lenient=True`` keeps one. Two different judgments of an item are an error,
    unless ``duplicates`` says "mean", "best" or "first", in tables only.

    >>> from importlib.resources import files
    >>> read_labels(files("stagg") / "sample" / "qrels.txt")
    Labels(6 queries, 78 judgments, grades 0 to 2)
    """
    own = _log_of(log)
    if not isinstance(format, str):
        raise InvalidParameter(f"expected the name of a format, not {shown(format)}")
    chosen = _options(options)
    if not isinstance(path, str | os.PathLike) and (is_frame(path) or are_rows(path)):
        from stagg.formats.documents.label_files import read_label_cells

        labels = read_label_cells(*read_cells(path, options=chosen, log=own))
        if log is None:
            own.warn()
        return labels
    refuse_unknown_files(chosen, [path] if isinstance(path, str | os.PathLike) else [])
    reading = open_reading(cast("str | Path", path), chosen, own)
    with reading.source:
        kind = _carrier_of_labels(reading) if format == "auto" else format
        if kind == "qrels":
            labels = read_qrels(reading)
        elif kind in LABEL_FORMATS:
            from stagg.formats.documents.label_files import read_label_file

            labels = read_label_file(kind, reading)
        else:
            found = FORMATS[kind].for_name(reading.plain_name.lower()).read(reading).labels
            if found is None:
                raise reading.error(f"a {kind} file carries no labels; expected qrels or LETOR")
            labels = found
        reading.source.refuse_change()
    if log is None:
        own.warn()
    return labels


def read_cells(
    given: str | Path | RankingsLike, *, format: str = "auto", options: ReadOptions, log: ReadLog
) -> tuple[CellTable, Reading]:
    """All cells of a table in a file or a frame, whatever they mean, and the reading to ask questions by."""
    if not isinstance(given, str | os.PathLike):
        from stagg.formats.tables.sources.frames import read_frame_cells

        return read_frame_cells(given, options, log)
    from stagg.formats.documents.cell_files import CELL_FILES  # here: few read cells without a meaning

    reading = open_reading(given, options, log)
    with reading.source:
        kind = _recognise(reading).name if format == "auto" else format
        kind = "csv" if kind == "trec" else kind
        if kind not in CELL_FILES:
            raise reading.error(f"this is read as {kind}; expected a table: {', '.join(CELL_FILES)}")
        table = CELL_FILES[kind](reading)
        reading.source.refuse_change()
    return table, reading


def _log_of(log: ReadLog | None) -> ReadLog:
    if log is not None and not isinstance(log, ReadLog):
        raise InvalidParameter(f"log is a ReadLog, not {shown(log)}")
    return ReadLog() if log is None else log


def _carrier_of_labels(reading: Reading) -> str:
    """The format of a file of labels: qrels, unless its first bytes or its ending tell another."""
    head, ending = reading.source.head(), Path(reading.plain_name).suffix.lower()
    kinds = ("letor", "parquet", "excel", "jsonl", "json")
    found = next((kind for kind in kinds if FORMATS[kind].recognises(head)), None)
    if found is not None:
        return found
    named = KNOWN_ENDINGS.get(ending, "")
    if head.lstrip()[:1] in (b"[", b"{") and named != "csv":
        return "jsonl" if named == "jsonl" else "json"
    if begins_like_qrels(head) and reading.options.delimiter is None:
        return "qrels"
    from stagg.formats.tables.sources.dialects import looks_like_table  # here: most labels are qrels

    said = reading.options.delimiter is not None or reading.options.columns is not None
    return "csv" if named == "csv" or said or (b"\n" in head.strip() and looks_like_table(head)) else "qrels"


def load(paths: Paths, *, format: str = "auto", options: ReadOptions, log: ReadLog, ballots: bool = False) -> Loaded:
    """All inputs as one: rankings, and labels where the format carries them; ``ballots``: those of an election."""
    with Inputs(paths, format=format, options=options, log=log, ballots=ballots) as inputs:
        refuse_unknown_files(options, inputs.paths)
        return inputs.load()


class Inputs:
    """Inputs that are to be read together; they can be looked at, and those that are not plain files are kept.

    ``ballots``: they are those of an election, so a table has no layout that cannot hold ballots.
    """

    def __init__(
        self, paths: Paths, *, format: str = "auto", options: ReadOptions, log: ReadLog, ballots: bool = False
    ) -> None:
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
        self.format, self.options, self.log, self.ballots = format, options, log, ballots
        self._open: dict[int, Reading] = {}
        self._kinds: dict[int, type[Format]] = {}
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
        return InParts(
            opened, _name_files, by_rank=by_rank, threads=several, memory=memory, progress=progress,
            rename=self.options.rename or {},
        )  # fmt: skip

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
            reading = self._reading(number)
            try:
                opened: ChunkedFile | Whole = reader.open_in_chunks(reading)
            except DataError as error:
                raise self._name_file(error, reading) from None
            reading.on_duplicates = self._name_columns(reading.on_duplicates, reading)
            if len(self._open) > MOST_OPEN:
                self._close(number)
            if isinstance(opened, Whole):
                return opened
            files.append(opened)
        if any(file.names_rankers and place.name for file, place in zip(files, self.places, strict=True)):
            return Whole("a table that names its ranker is given another name")
        if len({file.names_rankers for file in files}) > 1:
            return Whole("some of the tables name their rankers, others do not")
        return files

    def _are_small(self) -> bool:
        """Whether all inputs together are read sooner than threads are started; what is no file may be long."""
        return all(map(os.path.isfile, self.paths)) and sum(map(os.path.getsize, self.paths)) < FEW_BYTES

    def _look(self, number: int) -> type[Format]:
        """The format of one input; few are kept open."""
        if number not in self._kinds:
            reading = self._reading(number)
            kind = self._kinds[number] = _recognise(reading) if self.format == "auto" else FORMATS[self.format]
            tag = find_fusion_tag(reading.source.head()) if kind is Trec else None
            if tag is not None:
                self._fusions[number] = f"{reading.name}: this is an earlier fusion (run tag {shown(tag)})"
            if len(self._open) > MOST_OPEN:
                self._close(number)
        return self._kinds[number]

    def _close(self, number: int) -> None:
        """Close a file that can be opened again."""
        if self._open[number].source.can_be_reopened:
            self._open.pop(number).source.close()

    def load(self, queries: Sequence[str] | None = None) -> Loaded:
        """All of them at once, or some ``queries`` of them: of TREC runs no others are read."""
        loaded = self._load_runs(queries)
        if loaded is not None:
            return loaded
        loaded = _rename(self._load_in_turn(), self.options, self.log)
        if self.options.same is not None:
            loaded = dataclasses.replace(loaded, rankings=_merge_same(loaded.rankings, self.options.same, self.log))
        if all(each.layout in TYPED and each.format != "letor" for each in self.log.readings):
            _note_look_alikes(loaded.rankings, self.log, items=not self.ballots)  # an election tells its candidates
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
        joined = _join(full, self.log, self.options)
        if len(full) > 1 and any(part.is_table for part in full):
            _note_spellings(joined.rankings, self.options, self.log)
        return joined

    def _load_one(self, number: int) -> _Input:
        kind, reading = self._look(number), self._reading(number)
        with reading.source as source:
            del self._open[number]
            source.rewind()  # it was looked at, perhaps to its end
            try:
                loaded = kind.for_name(source.plain_name.lower()).read(reading)
            except DataError as error:
                raise self._name_file(error, reading) from None
            source.refuse_change()
            _refuse_long_ids(loaded, reading)
            loaded = _name_by_place(self.places[number], loaded)
            self.log.understood(_describe_reading(reading, kind, loaded))
            return _Input(source.name, source.path, source.stem, loaded, is_named=self.places[number].name is not None)

    def _name_file(self, error: DataError, reading: Reading) -> DataError:
        """The error of one file; of several that begin differently, its remedies name columns of this one only."""
        message = self._name_columns(error.message, reading)
        return error if message is error.message else type(error)(message, file=error.file, line=error.line)

    def _name_columns(self, message: str, reading: Reading) -> str:
        """A message on one file, whose remedies name columns of this one only, where several begin differently."""
        if not isinstance(message, Told) or not any("columns" in say.options for say in message.says):
            return message
        if len(self.paths) == 1 or len({_read_first_line(path) for path in self.paths}) == 1:
            return message
        return tell(*(_of_file(part, reading.stem, reading.options.columns or {}) for part in message.parts))

    def _refuse_unused(self, kinds: Sequence[type[Format]]) -> None:
        """An option that none of the inputs can use is an error, told of the first."""
        names = [kind.name for kind in kinds]
        for option, known in KNOWN_BY.items():
            unused = getattr(self.options, option) is not None and set(known).isdisjoint(names)
            if option == "outer" and are_grid([(Path(path).parent.name, Path(path).stem) for path in self.paths]):
                continue  # it says what the folders name
            if unused and (option, self.options.layout) != ("layout", "long"):
                said = f" is for {' and '.join(known)} files; this is read as {names[0]}"
                hint = tell(": say ", Say(format="csv"), " if it is a table of text") if "csv" in known else ""
                raise self._reading(0).error(tell(name_option(option), said, hint))

    def _reading(self, number: int) -> Reading:
        """One input, open; of many files, few are kept so."""
        if number not in self._open or self._open[number].source.is_closed:
            place = self.places[number]
            reading = self._open[number] = open_reading(place.path, self.options, self.log, name=place.name)
            reading.ballots = self.ballots
        return self._open[number]

    def __enter__(self) -> Inputs:
        return self

    def __exit__(self, *_: object) -> None:
        for reading in self._open.values():
            reading.source.close()


def _rename(loaded: Loaded, options: ReadOptions, log: ReadLog) -> Loaded:
    """The rankers by the names that the caller has for them."""
    if options.rename is None:
        return loaded
    names = rename_rankers(loaded.rankings.rankers, options.rename)
    _note_unused_names(names, options.rename, log)
    return dataclasses.replace(loaded, rankings=loaded.rankings.with_rankers(names))


def _note_unused_names(rankers: Sequence[str], rename: Mapping[str, str], log: ReadLog) -> None:
    """Say it where no ranker got its new name; some may be meant for other inputs."""
    if rename and set(rename.values()).isdisjoint(rankers):
        old, known = (", ".join(map(shown, names[:MOST_NAMED])) for names in (list(rename), list(rankers)))
        log.note(f"rename: no ranker is called {old}; the rankers are {known}")


def open_reading(path: str | Path, options: ReadOptions, log: ReadLog, *, name: str | None = None) -> Reading:
    """One input, to be read by those of these options that are its own; ``name`` is what the caller calls it."""
    source = Source(path, log, encoding=options.encoding, max_size=options.max_size, given_name=name)
    return Reading(source, options.of_file(source.stem, strip_endings(source.path.name), source.path.name))


def refuse_unknown_files(options: ReadOptions, paths: Iterable[str | Path]) -> None:
    """Refuse columns of a file that is none of these."""
    known = {name for path in map(Path, paths) for name in (strip_endings(path.name), path.name)}
    for name in options.files:
        if name not in known:
            what = f"columns are given for {shown(name)}, and no input has this name"
            raise InvalidParameter(f"{what}{near_names(name, sorted(known))}")


def _read_first_line(path: str | Path) -> bytes:
    """The first line of a file; nothing of one that cannot be read twice."""
    if str(path) == "-" or not os.path.isfile(path):
        return b""
    try:
        with Source(path, ReadLog()) as source:
            return source.head().partition(b"\n")[0]
    except DataError:
        return b""


def _of_file(part: str | Either, file: str, own: Mapping[str, Any]) -> str | Either:
    """A part of a message; columns that it names become those of one file, beside those which that has already."""
    if not isinstance(part, Say) or "columns" not in part.options:
        return part
    return Say(**{**part.options, "columns": {file: {**own, **part.options["columns"]}}})


def _refuse_long_ids(loaded: Loaded, reading: Reading) -> None:
    """Refuse ids that no format would write, in formats without columns (LETOR, PrefLib)."""
    for kind, names in list_ids(loaded.rankings):
        number = find_long_id(names)
        if number is not None:
            raise reading.error(f"the {kind} id {shown(names[number])} has more than {LONGEST_ID:,} bytes")


def _name_by_place(place: Place, loaded: Loaded) -> Loaded:
    """The content of a file, with the ranker and the query that its folders name."""
    rankings = loaded.rankings
    if place.query is not None and rankings.queries:
        if rankings.queries not in ((ONE_QUERY,), (place.query,)) and not loaded.query_of_file:
            raise _contradiction(place, "query", place.query, rankings.queries)
        rankings = rankings.replace(queries=(place.query,))
    if place.name is not None and (loaded.names_rankers or place.table is not None):
        return _name_by_caller(place, place.name, loaded)
    ranker = place.ranker if place.ranker is not None else None if loaded.names_rankers else place.table
    if ranker is None:
        named = loaded.query_of_file and place.query is None
        return dataclasses.replace(loaded, rankings=rankings, query_of_file=named)
    if loaded.names_rankers and rankings.rankers != (ranker,):
        raise _contradiction(place, "ranker", ranker, rankings.rankers)
    return dataclasses.replace(loaded, rankings=rankings.with_rankers([ranker]), names_rankers=True)


def _name_by_caller(place: Place, name: str, loaded: Loaded) -> Loaded:
    """The content of a file that names its ranker itself, under the name that the caller gives it."""
    if len(loaded.rankings.rankers) > 1:
        some = ", ".join(map(shown, loaded.rankings.rankers[:3]))
        what = f"{shown(name)} is given as the name of one ranker, and the file holds {len(loaded.rankings.rankers):,}"
        raise DataError(tell(f"{what} ({some}); rename them with ", name_option("rename")), file=str(place.path))
    named = dataclasses.replace(loaded, rankings=loaded.rankings.with_rankers([name]), local_rankers=False)
    return dataclasses.replace(named, names_rankers=True)


def _contradiction(place: Place, what: str, said: str, held: Sequence[str]) -> DataError:
    some = ", ".join(map(shown, held[:3]))
    return DataError(
        f"its folder says that the {what} is {shown(said)}, and the file itself holds {some}", file=str(place.path)
    )


def _merge_same(rankings: Rankings, same: Any, log: ReadLog) -> Rankings:
    """The rankings with the names that its owner says are the same merged, and a note on each."""
    from stagg.data.spellings import merge_names  # here: few inputs need it

    merged, found = merge_names(rankings, same)
    for each in found:
        lists = plural(each.lists, "list")
        twice = f"; {plural(each.twice, 'list')} with both kept the first place" if each.twice else ""
        text = f"{shown(each.name)} was read as {shown(each.kept)} in {lists}{twice}"
        log.note(text, public=f"another name of a ranker was merged in {lists}" if each.is_ranker else text)
    for name in same.keys() - {each.name for each in found}:
        near = near_names(name, [*map(str, rankings.items), *rankings.rankers])
        text = f"nothing is named {shown(name)}, which is said to be {shown(same[name])}{near}"
        log.note(text, public="a name that is said to be another is nobody's")
    return merged


def _note_spellings(rankings: Rankings, options: ReadOptions, log: ReadLog) -> None:
    """Say which items of several tables differ only in blanks or closing points."""
    from stagg.formats.tables.row_builder import find_spellings  # here: few inputs need it

    names = map(str, rankings.items) if len(rankings.items) <= MOST_SPELLED else ()
    known = options.same if isinstance(options.same, Mapping) else {}
    same = find_spellings(item for item in dict.fromkeys(names) if item not in known)
    if same:
        name, first = next(iter(same.items()))
        more = f" (and {plural(len(same) - 1, 'other pair')})" if len(same) > 1 else ""
        what = (
            f"{shown(name)} and {shown(first)}{more} differ only in blanks or closing points, and are two items; say "
        )
        log.note(tell(what, Say(same=same if len(same) <= MOST_NAMED else {name: first}), " to make them one"))


def _note_look_alikes(rankings: Rankings, log: ReadLog, *, items: bool) -> None:
    """Say which names of items and of rankers look alike; those of rankers may be of persons."""
    from stagg.data.spellings import describe_like_rankers, describe_look_alikes  # here: no run needs them

    of = ("ballot", "voter") if all(each.layout in ("ballots", "form") for each in log.readings) else ("list", "ranker")
    for told in describe_look_alikes(rankings, of=of[0])[:MOST_ALIKE] if items else []:
        log.note(told)
    found = describe_like_rankers(rankings, of=of[1])
    if found:
        pairs = f"the names of two {of[1]}s" if len(found) == 1 else f"{len(found):,} pairs of names of {of[1]}s"
        log.note(join_told("; ", found[:MOST_ALIKE]), public=f"{pairs} look alike")


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
    "layout": ("csv", "markdown", "excel", "parquet", "jsonl", "json"),
    "columns": ("csv", "markdown", "excel", "parquet", "jsonl", "json"),
    "lower": ("csv", "markdown", "excel", "parquet", "jsonl", "json"),
    "sheet": ("excel", "markdown"),
    "delimiter": ("csv",),
    "outer": ("json", "jsonl"),
}
"""Reading options that only some formats know."""
OLD_WORKBOOK: Final = b"\xd0\xcf\x11\xe0"
CHESS: Final = b'[Event "'
PAGES: Final = (b"<!doctype html", b"<html", b"<table")
LATEX: Final = b"\\begin{tab"
READ_AS_TABLES: Final = (".psv", ".rnk")
"""Endings of tables of text that are read, and not written: cells between bars, and genes with a score."""


def _describe_reading(reading: Reading, kind: type[Format], loaded: Loaded) -> FileReading:
    known, rankings = loaded.understood, loaded.rankings
    layout, direction, delimiter = (known.layout, known.direction, known.delimiter) if known else ("", "", None)
    more = (known.taken, known.seats) if known else ()
    return FileReading(reading.name, kind.name, layout, direction, delimiter, rankings.rankers, len(rankings), *more)


def _adds_nothing(source: str) -> str:
    return f"{source}: 0 rows: it adds nothing"


def _join(parts: list[_Input], log: ReadLog, options: ReadOptions) -> Loaded:
    """Several inputs as one: parts of a whole, or rankers side by side."""
    if len(parts) == 1:
        return parts[0].loaded
    parts = _name_by_files(parts, log, options.outer)
    if options.split_by_tag:
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
    is_named: bool = False

    @property
    def is_table(self) -> bool:
        """Whether people wrote it by hand or in a spreadsheet, most likely: a table that is not long."""
        understood = self.loaded.understood
        return understood is not None and understood.layout in LAYOUTS.names() and understood.layout != "long"

    @property
    def folder(self) -> str:
        return self.path.resolve().parent.name

    @property
    def is_unnamed(self) -> bool:
        """Whether it is one list that names neither its query nor its ranker."""
        one_query = self.loaded.query_of_file or self.loaded.rankings.queries == (ONE_QUERY,)
        return one_query and not self.loaded.names_rankers and self.loaded.labels is None

    def name(self, query: str, ranker: str | None = None) -> _Input:
        """The same, as the list of this query; and of this ranker, where the file does not name it."""
        rankings = self.loaded.rankings.replace(queries=(query,))
        if ranker is not None:
            rankings = rankings.with_rankers([ranker])
        loaded = dataclasses.replace(self.loaded, rankings=rankings, names_rankers=ranker is not None)
        return dataclasses.replace(self, loaded=loaded)


def _name_by_files(parts: list[_Input], log: ReadLog, outer: Outer | None) -> list[_Input]:
    """The inputs with the rankers and queries that their files and folders name, where they do not say it themselves.

    In a table of folders and files the folders are rankers, the files queries, or the other way round. Responses side
    by side are queries of one ranker if they are named so, else rankers of one query.
    """
    if not all(part.is_unnamed for part in parts):
        return parts
    if any(part.is_named for part in parts):  # the caller names rankers, so the query is one
        return [part.name(ONE_QUERY) for part in parts]
    if are_grid([(part.folder, part.stem) for part in parts]):
        return _name_by_folder(parts, log, outer)
    if not all(part.loaded.query_of_file for part in parts):
        return parts
    if outer == "query" or look_like_queries(part.stem for part in parts):
        if outer is None:
            note = f"{len(parts):,} files are one query each, of the ranker that their folder names; "
            log.note(tell(note, Say(outer="ranker"), " makes every file a ranker of one query"))
        return [part.name(part.stem, part.folder) for part in parts]
    if not _share_items(parts):
        names = ", ".join(shown(part.stem) for part in parts[:MOST_NAMED])
        raise DataError(
            tell(
                f"are these files rankers of one query, or queries of one ranker: {names}? say ",
                Say(outer="ranker"),
                " or ",
                Say(outer="query"),
            )
        )
    note = f"{len(parts):,} files are one ranker each, of the same query; "
    log.note(tell(note, Say(outer="query"), " makes every file a query of one ranker"))
    return [part.name(ONE_QUERY) for part in parts]


def _name_by_folder(parts: list[_Input], log: ReadLog, outer: Outer | None) -> list[_Input]:
    """Files in folders, each of which is the list of a ranker for a query: one is the folder, the other the file."""
    found = outer or _find_outer(parts)
    inner: Outer = "query" if found == "ranker" else "ranker"
    if outer is None:
        names = f"{shown(parts[0].folder)} and {shown(parts[0].stem)}"
        what = f"every folder is a {found}, every file in it a {inner}, such as {names}; "
        log.note(tell(what, Say(outer=inner), " turns them round"))
    pairs = [(part.stem, part.folder) if found == "ranker" else (part.folder, part.stem) for part in parts]
    return [part.name(query, ranker) for part, (query, ranker) in zip(parts, pairs, strict=True)]


def _find_outer(parts: list[_Input]) -> Outer:
    """Whether folders name rankers or queries: by their names, else by the items that files share."""
    folders, files = {part.folder for part in parts}, {part.stem for part in parts}
    if look_like_queries(folders) != look_like_queries(files):
        return "query" if look_like_queries(folders) else "ranker"
    by_file = _count_shared(parts, lambda part: part.stem)
    by_folder = _count_shared(parts, lambda part: part.folder)
    if by_file == by_folder:
        raise DataError(
            tell(
                f"does every folder, such as {shown(parts[0].folder)}, name a ranker or a query? say ",
                Say(outer="ranker"),
                " or ",
                Say(outer="query"),
            )
        )
    return "ranker" if by_file > by_folder else "query"  # rankers of one query list the same items


def _count_shared(parts: list[_Input], key: Callable[[_Input], str]) -> float:
    """The mean number of inputs of one kind that list an item of theirs."""
    pools: dict[str, Counter[str]] = {}
    for part in parts:
        pools.setdefault(key(part), Counter()).update(map(str, part.loaded.rankings.items))
    listed = [times for pool in pools.values() for times in pool.values()]
    return sum(listed) / max(len(listed), 1)


def _share_items(parts: list[_Input]) -> bool:
    """Whether every input lists an item that another one lists, too."""
    times = Counter(str(item) for part in parts for item in part.loaded.rankings.items)
    return all(any(times[str(item)] > 1 for item in part.loaded.rankings.items) for part in parts)


def _refuse_pages(reading: Reading) -> None:
    """Refuse web pages, which many tools save as .xls, workbooks of before 2007, chess games and tables of LaTeX."""
    first = reading.source.peek(64).lstrip()
    save = "open it in a spreadsheet, and save it as .xlsx or .csv"
    if first.startswith(OLD_WORKBOOK):
        raise reading.error(f"this is an Excel workbook of before 2007; {save}")
    if first.lower().startswith(PAGES):
        raise reading.error(f"this is a web page (HTML), whatever its name says; {save}")
    if first.startswith(CHESS):
        table = "write a row for each game, with the tags White, Black and Result, under the header white,black,result"
        raise reading.error(f"these are chess games (PGN); {table}")
    if first.startswith((b"\\", b"%")) and LATEX in reading.source.head():
        raise reading.error("this is a table of LaTeX; save it as .csv, or as a Markdown table (.md)")


def _recognise(reading: Reading) -> type[Format]:
    """The format by the ending of the name, else by the first bytes, else a table if it looks like one, else TREC."""
    _refuse_pages(reading)
    ending = Path(reading.plain_name).suffix.lower()
    name = KNOWN_ENDINGS.get(ending)
    if name == "markdown" and not FORMATS[name].recognises(reading.source.head()):
        name = None  # a text without a table may hold a list
    if name == "csv" or not name:
        shaped = any(getattr(reading.options, each) is not None for each in ("layout", "delimiter", "header"))
        if not shaped and begins_like_run(reading.source.head()):
            return Trec  # runs are saved as .tsv, too; the option `columns` is said of tables beside it
    if name:
        head = reading.source.head()
        others = (FORMATS[each] for each, mark in MISNAMED.get(name, {}).items() if mark in head)
        return next((other for other in others if other.recognises(head)), FORMATS[name])
    if ending in READ_AS_TABLES:
        return FORMATS["csv"]
    first = reading.source.head()
    if reading.options.comments:
        first = b"\n".join(line for line in first.split(b"\n") if not line.lstrip(b" \t").startswith(b"#"))
    for kind in FORMATS:
        if kind is not Trec and kind.recognises(first):
            return kind
    if any(getattr(reading.options, each) is not None for each in ("layout", "delimiter", "columns")):
        return FORMATS["csv"]
    from stagg.formats.tables.sources.dialects import looks_like_table  # here: most inputs are recognised before

    if looks_like_table(first):
        return FORMATS["csv"]
    _offer_tables(reading, first)
    return Trec


def _offer_tables(reading: Reading, head: bytes) -> None:
    """Let an error of a file that is taken for a TREC run offer only such options as read it as a table."""
    from stagg.formats.tables.sources.csv import Csv

    reading.tries = OF_TEXT
    reading.attempt = lambda trial: Csv.for_name(reading.plain_name.lower()).try_head(head, trial)


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
    """The stems, with the parent folder added where they clash, unless the caller gave them."""
    count = Counter(stem for stem, _ in files)
    names = [
        stem if count[stem] == 1 or stem != strip_endings(path.name) else f"{path.resolve().parent.name}/{stem}"
        for stem, path in files
    ]
    for name, times in Counter(names).items():
        if times > 1:
            raise DataError(f"{times} inputs would be rankers named {shown(name)}; give them other names: NAME=FILE")
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
    _note_unused_names(inputs.rankers, inputs.rename, log)
    if len(full) > 1 and not inputs.names_rankers:
        _note_uncommon(tally.uncommon, tally.queries, log)
