"""A record of what the readers of files decide: it guards a change that is to keep every decision.

python bench/decisions.py record before.json.gz    # today's decisions on 50,000 tables, about a minute
python bench/decisions.py compare before.json.gz   # read them again, say what differs; exit 1 if anything does

``--tree PATH`` runs the code of another work tree. The inputs are all files that tests/door makes, altered tables of
these, and the damaged and invented files of attack/. The record holds them, too, one line of JSON for each, so that a
comparison reads the same bytes, whatever becomes of the programs that made them. An entry has the format, layout and
direction that a reader found, whether there is a header, which columns have which role, notes, counts and a hash of the
rankings; or the error. About half of the inputs are also read in parts, as `stagg fuse` does. ``--pure`` reads without
compiled kernels; make a record of its own for that, since nothing is then read in parts.
"""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from decisions_inputs import ROOT, make_inputs
from decisions_reader import IN_PARTS

FIXED = {"PYTHONWARNINGS": "ignore", "LC_ALL": "C.UTF-8"}
FIXED |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None  # a disk waits for every file that is replaced
SHOWN = 20
LONGEST = 240  # characters of a fact that are shown

Entry = dict[str, Any]
"""An input, with the facts about it under "facts"."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("record", "compare"))
    parser.add_argument("file", type=Path, help="the record, as lines of JSON; compressed if it is named .gz")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the work tree whose code is run (default: this one)")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that runs it")
    parser.add_argument("--pure", action="store_true", help="read without compiled kernels")
    parser.add_argument("--tables", type=int, default=50_000, help="how many to record, besides those of tests/door")
    parser.add_argument("--seed", type=int, default=0, help="of the tables to record")
    parser.add_argument("--jobs", type=int, default=2, help="inputs read at once")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="stagg-decisions-", dir=MEMORY) as name:
        scratch = Path(name).resolve()
        if options.what == "record":
            return record(options, scratch)
        before = read_record(options.file)
        return report(before, describe_all(before, options, scratch))


def record(options: argparse.Namespace, scratch: Path) -> int:
    entries = [dataclasses.asdict(each) for each in make_inputs(options.tables, options.seed, scratch)]
    facts = describe_all(entries, options, scratch)
    lines = [dump(entry | {"facts": found}) for entry, found in zip(entries, facts, strict=True)]
    write_record(options.file, lines)
    outcomes = Counter(found["outcome"] for found in facts)
    counts = ", ".join(f"{count:,} {outcome}" for outcome, count in outcomes.most_common())
    print(f"{len(entries):,} inputs recorded in {options.file}: {counts}")
    return 0


def dump(entry: Entry) -> bytes:
    """A line; keys stay in their order, as that of the option ``columns`` decides which column is missed first."""
    return json.dumps(entry, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def write_record(path: Path, lines: list[bytes]) -> None:
    """The same lines are the same bytes, compressed or not."""
    text = b"".join(lines)
    path.write_bytes(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)


def read_record(path: Path) -> list[Entry]:
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line.decode("utf-8", "surrogatepass")) for line in text.split(b"\n")[:-1]]


# --- running ----------------------------------------------------------------------------------------------------------


def describe_all(entries: list[Entry], options: argparse.Namespace, scratch: Path) -> list[Entry]:
    """The facts about each input, by readers that run side by side."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STAGG_")}
    environment |= FIXED | {"PYTHONPATH": str(options.tree.resolve() / "src")}
    environment |= {"STAGG_PURE": "1"} if options.pure else {}
    free: SimpleQueue[Reader] = SimpleQueue()

    def describe(entry: Entry) -> Entry:
        reader = free.get()
        try:
            return reader.describe(entry)
        finally:
            free.put(reader)

    with ExitStack() as stack, ThreadPoolExecutor(options.jobs) as pool:
        for number in range(options.jobs):
            folder = scratch / str(number) / "in"
            folder.mkdir(parents=True)
            free.put(stack.enter_context(Reader(options.python, environment, folder)))
        return list(pool.map(describe, entries))


class Reader:
    """A process that reads inputs (bench/decisions_reader.py), and is started again if one of them ends it."""

    def __init__(self, python: str, environment: dict[str, str], folder: Path) -> None:
        self.command = [python, str(ROOT / "bench" / "decisions_reader.py"), str(folder)]
        self.environment = environment
        self._start()

    def _start(self) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(self.command, env=self.environment, stdin=pipe, stdout=pipe, text=True)
        assert self.process.stdout is not None
        if not self.process.stdout.readline():
            raise SystemExit(f"the reader cannot be started: status {self.process.wait()}")

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()  # it ends where its requests do

    def describe(self, entry: Entry) -> Entry:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(entry), file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if answer:
            facts: Entry = json.loads(answer)
            return facts
        status = self.process.wait()
        self._start()
        return {"outcome": "died", "error": f"status {status}"}


# --- comparing --------------------------------------------------------------------------------------------------------


def report(before: list[Entry], after: Iterable[Entry]) -> int:
    """Print which facts differ, in how many entries, and the first of them; 1 if any does."""
    groups: Counter[str] = Counter()
    wrong: list[tuple[Entry, Entry, list[str]]] = []
    for entry, now in zip(before, after, strict=True):
        names = differing(entry["facts"], now)
        groups.update(names)
        if names:
            wrong.append((entry, now, names))
    for name, count in groups.most_common():
        print(f"{name}: {count:,}")
    wrong.sort(key=lambda each: KINDS.index(kind_of(*each)))
    for kind, count in Counter(kind_of(*each) for each in wrong).items():
        print(f"{kind}: {count:,} entries")
    for entry, now, names in wrong[:SHOWN]:
        print(f"{entry['name']} ({', '.join(entry['paths'])} {entry['format']} {entry['options'] or ''})")
        for name in names:
            print(f"  {name}", *show_both(entry["facts"].get(name), now.get(name)), sep="\n    ")
    if len(wrong) > SHOWN:
        print(f"and {len(wrong) - SHOWN:,} more")
    print(f"{len(before):,} entries, {len(wrong):,} differ")
    return 1 if wrong else 0


KINDS = ["crashed", "refused now", "read otherwise", "read now", "other notes or facts", "another message"]
"""Kinds of differences, the worst first."""


def kind_of(entry: Entry, now: Entry, names: list[str]) -> str:
    """The kind of a difference, by its worst fact."""
    was, is_now = entry["facts"]["outcome"], now["outcome"]
    if is_now not in ("read", "refused"):
        return "crashed"
    if was != is_now:
        return f"{is_now} now"
    if "rankings" in names:
        return "read otherwise"
    return "another message" if was == "refused" else "other notes or facts"


def differing(before: Entry, now: Entry) -> list[str]:
    """The names of the facts that differ; of what was read and is refused now, or the reverse, only that."""
    names = [name for name in sorted(before.keys() | now.keys()) if before.get(name) != now.get(name)]
    whole = [name for name in names if not name.startswith(IN_PARTS)]
    in_parts = [name for name in names if name.startswith(IN_PARTS)]
    return [*_outcome_alone(whole), *_outcome_alone(in_parts)]


def _outcome_alone(names: list[str]) -> list[str]:
    changed = any(name.endswith("outcome") for name in names)
    return [name for name in names if name.endswith(("outcome", "error"))] if changed else names


def show_both(before: Any, now: Any) -> tuple[str, str]:
    """Both facts, long ones from shortly before the place where they begin to differ."""
    texts = json.dumps(before), json.dumps(now)
    differ = (place for place, (one, other) in enumerate(zip(*texts, strict=False)) if one != other)
    first = next(differ, min(map(len, texts)))
    begin = max(0, first - LONGEST // 3) if max(map(len, texts)) > LONGEST else 0
    old, new = (f"{'...' * (begin > 0)}{text[begin:][:LONGEST]}" for text in texts)
    return f"before {old}", f"now    {new}"


if __name__ == "__main__":
    sys.exit(main())
