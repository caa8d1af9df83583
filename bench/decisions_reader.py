"""Read the inputs of bench/decisions.py, and say what the readers decided: lines of JSON in, lines of JSON out.

It uses what ``stagg.formats`` exports. The few other names that it needs are found by name in whatever module they are.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import logging
import os
import pkgutil
import shutil
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["IN_PARTS", "find"]

IN_PARTS = "in parts: "  # what the names of facts begin with if the input was not read whole

SECONDS = 10  # that an input may take
APART = tuple(f"stagg.{name}" for name in ("cli", "engines", "integrations", "paper", "report"))
"""Packages that read no files."""
FIELDS = (
    "queries", "rankers", "items", "item_offsets", "list_offsets", "list_rankers", "entry_offsets", "entries", "tied",
    "scores", "weights", "multiplicities", "declared", "raw_ranks",
)  # fmt: skip
"""What rankings say."""
UNDERSTOOD = ("format", "layout", "direction", "delimiter")
"""What a file is understood to be."""
WHOLE = ("names_rankers", "local_rankers", "query_of_file", "parts")
"""What decides how a file is joined with others."""

Facts = dict[str, Any]


def main(folder: str) -> None:
    """Answer requests; the inputs are put into the folder, one after the other."""
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, _ring)
    os.chdir(folder)
    reader = _Reader()
    _clear()  # an input may have ended the last reader
    print("ready", flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        _put(request["files"])
        print(json.dumps(reader.describe(request)).replace(folder, "IN"), flush=True)
        _clear()


# --- names that may move ----------------------------------------------------------------------------------------------


def find(name: str) -> Any:
    """The one thing of this name in stagg, in whatever module it is defined."""
    _import_all()
    held = [getattr(module, name) for module in _modules() if hasattr(module, name)]
    if len({id(each) for each in held}) != 1:
        raise SystemExit(f"{len(held)} things in stagg are called {name}: name its successor in {__file__}")
    return held[0]


def _modules() -> list[Any]:
    names = [name for name in sys.modules if name.split(".")[0] == "stagg" and not name.startswith(APART)]
    return [sys.modules[name] for name in names]


def _import_all() -> None:
    """All of stagg that may read files; what cannot be imported here is not needed."""
    stagg = importlib.import_module("stagg")
    for module in pkgutil.walk_packages(stagg.__path__, "stagg.", onerror=lambda name: None):
        if not module.name.startswith((*APART, "stagg.__main__")) and module.name not in sys.modules:
            try:
                importlib.import_module(module.name)
            except Exception:
                continue


def _replace(name: str, watch: Callable[..., None]) -> None:
    """Have ``watch`` called with the result and the arguments of a function, wherever it is called from."""
    original = find(name)

    def call(*args: Any, **options: Any) -> Any:
        result = original(*args, **options)
        watch(result, *args, **options)
        return result

    for module in _modules():
        if getattr(module, name, None) is original:
            setattr(module, name, call)


# --- decisions --------------------------------------------------------------------------------------------------------


class _Reader:
    """Reads inputs, and listens to what is decided meanwhile."""

    def __init__(self) -> None:
        self.formats = importlib.import_module("stagg.formats")
        self.errors = importlib.import_module("stagg.errors").StaggError
        self.inputs, self.finish_parts = find("Inputs"), find("finish_parts")
        self.headers: list[bool] = []
        self.roles: list[dict[str, int]] = []
        self.said: list[str] = []
        self.known = find("ROLES")
        _replace("lay_out", self._note_layout)
        _replace("check_header", self._note_header)
        logger, listener = logging.getLogger("stagg"), logging.Handler()
        listener.emit = lambda record: self.said.append(record.getMessage())  # type: ignore[method-assign]
        logger.addHandler(listener)
        logger.setLevel(logging.DEBUG)

    def _note_layout(self, sheet: Any, *given: Any, **__: Any) -> None:
        """A table of another layout than long, whose header is noted apart: its columns by number, from 1."""
        if any(getattr(each, "name", None) == "long" for each in given):
            return
        self.headers.append(sheet.names is not None)
        self._note_roles(sheet.roles)

    def _note_header(self, _: Any, names: Any, *__: Any, own: Any = None, **___: Any) -> None:
        """A table of one row per listed item."""
        self.headers.append(own is not None)
        self._note_roles(names)

    def _note_roles(self, names: Any) -> None:
        self.roles.append({name: column for column, name in enumerate(names, start=1) if name in self.known})

    def describe(self, request: Any) -> Facts:
        """What comes of an input: all facts by name."""
        if request["way"] == "labels":
            return self._attempt(lambda: self._read_labels(request))
        facts = self._attempt(lambda: self._load(request))
        if request["way"] == "fuse":
            parts = self._attempt(lambda: self._read_in_parts(request))
            facts |= {f"{IN_PARTS}{name}": fact for name, fact in parts.items()}
        return facts

    def _attempt(self, read: Callable[[], Facts]) -> Facts:
        for heard in (self.headers, self.roles, self.said):
            heard.clear()
        try:
            with _time_limit():
                return {"outcome": "read", **read()}
        except _TooLong:
            return {"outcome": "time limit"}
        except self.errors as error:
            return {"outcome": "refused", "error": f"{type(error).__name__}: {error}"}
        except Exception as error:
            return {"outcome": "crashed", "error": f"{type(error).__name__}: {error}"}

    def _load(self, request: Any) -> Facts:
        log, options = self.formats.ReadLog(), self.formats.ReadOptions(**request["options"])
        loaded = self.formats.load(request["paths"], format=request["format"], options=options, log=log)
        facts: Facts = {name: [getattr(each, name) for each in log.readings] for name in UNDERSTOOD}
        facts |= {"header": list(self.headers), "roles": list(self.roles)}
        facts |= {"whole": {name: getattr(loaded, name) for name in WHOLE if getattr(loaded, name)}}
        facts |= {"decisions": list(self.said)}
        if loaded.labels is not None:
            facts |= _describe_labels(loaded.labels)
        return facts | _describe_rankings(loaded.rankings) | _describe_log(log)

    def _read_in_parts(self, request: Any) -> Facts:
        """All queries, read in chunks (before 2026-12: from an index); or why they cannot be read so."""
        log, options = self.formats.ReadLog(), self.formats.ReadOptions(**request["options"])
        with self.inputs(request["paths"], format=request["format"], options=options, log=log) as inputs:
            parts = inputs.in_parts()
            if hasattr(parts, "why"):
                return {"outcome": "whole", "why": parts.why}
            try:
                part, noticed = self._read_all(parts)
            except Exception as error:
                if type(error).__name__ != "NeedsWhole":
                    raise getattr(error, "first", (None, error))[1] from None  # of several lists that are wrong
                return {"outcome": "whole", "why": str(error)}
            self.finish_parts(parts, part.tally, noticed, log)
            facts = {"rankers": list(parts.rankers), "by rank": parts.by_rank}
            return (
                facts | {"rankings": _digest_rankings(part.rankings), "decisions": list(self.said)} | _describe_log(log)
            )

    def _read_all(self, parts: Any) -> tuple[Any, Any]:
        """All lists, and what was noticed in them, in this version or an earlier one."""
        if hasattr(parts, "read_whole"):
            part = parts.read_whole()
            return part, part.noticed
        part = parts.read(importlib.import_module("numpy").arange(len(parts.queries)))
        return part, part.log

    def _read_labels(self, request: Any) -> Facts:
        log = self.formats.ReadLog()
        labels = self.formats.read_labels(request["paths"][0], format=request["format"], log=log, **request["options"])
        return _describe_labels(labels) | {"roles": list(self.roles), "header": list(self.headers)} | _describe_log(log)


def _describe_log(log: Any) -> Facts:
    """The notes, each with its kind, and what became of the rows."""
    notes = [["minor" if text in log.minor_notes else "note", text] for text in log.notes]
    public = [text for kind, text in notes if kind == "note"] != log.public_notes
    rows = [log.rows_read, log.rows_used, log.rows_dropped]
    facts = {"notes": notes, "rows read, used, dropped": rows, "dropped": log.list_dropped()}
    return facts | ({"public notes": log.public_notes} if public else {})


def _describe_rankings(rankings: Any) -> Facts:
    counts = {name: len(getattr(rankings, name)) for name in ("queries", "rankers", "items")}
    return counts | {"rankings": _digest_rankings(rankings)}


def _describe_labels(labels: Any) -> Facts:
    return {"labels": _digest(repr({query: dict(labels[query]) for query in labels.queries}))}


def _digest_rankings(rankings: Any) -> str:
    return _digest(repr([_plain(getattr(rankings, name)) for name in FIELDS]))


def _plain(value: Any) -> Any:
    """A field in Python's own types: which type an array has is no decision."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return list(value) if isinstance(value, tuple) or hasattr(value, "__getitem__") else value


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()[:16]


# --- files and time ---------------------------------------------------------------------------------------------------


def _put(files: dict[str, str]) -> None:
    for path, text in files.items():
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        Path(path).write_bytes(text.encode("latin-1"))


def _clear() -> None:
    for entry in list(os.scandir(".")):
        shutil.rmtree(entry) if entry.is_dir() else os.unlink(entry)


class _TooLong(BaseException):
    """Not an Exception: nobody on the way catches it."""


def _ring(*_: Any) -> None:
    raise _TooLong


@contextmanager
def _time_limit() -> Iterator[None]:
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


if __name__ == "__main__":
    main(sys.argv[1])
