"""Reads damaged files, cases of a seed, and prints what came of each; attack/fuzz.py starts two, compiled and pure.

python -m attack.reader SEED            then lines "FIRST COUNT" on standard input
python -m attack.reader SEED NUMBER     one case, in words
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

from attack.cases import Case, make_case
from attack.verdict import alarm
from stagg import Labels, Rankings, StaggError, fuse
from stagg.aggregate import prepare
from stagg.aggregate.streaming import FusionInParts
from stagg.formats import ReadLog, read_labels
from stagg.formats.inputs import Inputs, finish_parts
from stagg.formats.parts import in_parts, text_blocks
from stagg.formats.parts.chunks import NeedsWhole, Whole
from stagg.formats.parts.in_parts import Restart
from stagg.formats.runs.trec import Trec
from stagg.formats.write import write_stream

SECONDS = 20
FOLDER = "/dev/shm" if os.path.isdir("/dev/shm") else None  # in memory: a disk waits for every file that is replaced
METHOD = "rrf"
MEMORY = 300  # bytes: of larger inputs, chunks wait in a file
BUCKET, BLOCK = 500, 128  # bytes of a bucket, and of a block of text: small inputs have several


def describe(case: Case) -> str:
    """What came of a case: the message of a refusal, all that was read, or "FINDING" with what must not be."""
    paths = [Path(case.file)]
    paths[0].write_bytes(case.data)
    if case.beside is not None:
        paths.append(Path("beside").with_suffix(paths[0].suffix))
        paths[1].write_bytes(case.beside)
    log = ReadLog()
    try:
        with alarm(SECONDS):
            shown = "".join(_read(case, paths, log))
    except StaggError as error:
        message = str(error)
        if not message.isprintable():
            return f"FINDING {message!r}"
        in_parts = case.way.startswith("fuse")  # if several rows are wrong, another one may be named
        return "refused" if in_parts else f"refused {message}"
    except BaseException as error:
        return f"FINDING {type(error).__name__}: {error!s:.200}".replace("\n", " ")
    raw = next((note for note in (*log.notes, log.summary()) if not note.isprintable()), None)
    return f"read {shown} {log.summary()} {sorted(log.notes)}" if raw is None else f"FINDING {raw!r}"


def _read(case: Case, paths: list[Path], log: ReadLog) -> Iterator[str]:
    if case.way == "labels":
        lenient, encoding = case.options.lenient, case.options.encoding
        format_ = "qrels" if case.kind == "qrels" else "auto"
        labels = read_labels(paths[0], format=format_, log=log, lenient=lenient, encoding=encoding)
        yield _show_labels(labels)
        return
    options = dataclasses.replace(case.options, memory=MEMORY) if case.way.startswith("fuse") else case.options
    with Inputs(paths, format=case.format, options=options, log=log) as inputs:
        if case.way.startswith("fuse"):
            yield repr(_fuse(inputs))
            return
        loaded = inputs.load()
        yield _show(loaded.rankings)
        if loaded.labels is not None:
            yield _show_labels(loaded.labels)


def _fuse(inputs: Inputs) -> bytes:
    """The consensus as `stagg fuse` writes it, from some queries at a time where that can be."""
    parts = inputs.in_parts()
    if not isinstance(parts, Whole):
        for early in (True, False):
            fusion, stream = FusionInParts(parts, prepare(METHOD), early=early), io.BytesIO()
            try:
                fusion.write(stream, Trec(strict=True), "x")
            except NeedsWhole:
                break
            except Restart:
                parts.begin_again()
                continue
            finish_parts(parts, fusion.tally, fusion.noticed, inputs.log)
            return stream.getvalue()
    stream = io.BytesIO()
    write_stream(fuse(inputs.load().rankings, METHOD), stream, Trec(strict=True), name="x")
    return stream.getvalue()


def _show(rankings: Rankings) -> str:
    return repr((rankings.to_dict(), rankings.queries, rankings.rankers, rankings.multiplicities.tolist()))


def _show_labels(labels: Labels) -> str:
    return repr({query: dict(labels[query]) for query in labels.queries})


def _digest(outcome: str) -> str:
    """A short line that is the same if and only if the outcome is."""
    word = outcome.split(" ", 1)[0]
    return (
        outcome if word == "FINDING" else f"{word} {hashlib.sha256(outcome.encode(errors='replace')).hexdigest()[:16]}"
    )


def _serve(seed: int) -> None:
    for line in sys.stdin:
        first, count = map(int, line.split())
        for number in range(first, first + count):
            print(_digest(describe(make_case(seed, number))), flush=True)


def _show_one(seed: int, number: int) -> None:
    case = make_case(seed, number)
    print(case)
    print(describe(case))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    in_parts.BUCKET, text_blocks.BLOCK = BUCKET, BLOCK  # type: ignore[misc]
    with tempfile.TemporaryDirectory(dir=FOLDER) as name:
        os.chdir(name)
        _serve(int(sys.argv[1])) if len(sys.argv) == 2 else _show_one(*map(int, sys.argv[1:]))
