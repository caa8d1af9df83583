"""Ninety files and calls as people make them, written by somebody who had not read the readers, and what comes of one."""

from __future__ import annotations

import dataclasses
import importlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import stagg
from stagg.errors import StaggError
from stagg.formats import ReadLog, ReadOptions, load
from stagg.say import Say, Told

FAMILIES = (
    "forms", "surveys", "ballots", "battles", "scores", "genes", "search", "labels", "frames", "dialects",
)  # fmt: skip
DEPTH = 4  # questions that may follow each other


@dataclasses.dataclass(frozen=True)
class Case:
    """One input, and what its owner means by it.

    ``call``: "read" all files, "elect" the one file, the "folder", "labels", or a "frame". ``lists`` are {query: lists},
    each a list of tie groups, best first; one query may be named "*". ``rankers`` are their names where all must agree
    on them, ``counts`` the voters of each. ``sure``: a careful person has no doubt, else they would have to ask.
    """

    name: str
    family: str
    files: dict[str, bytes] = dataclasses.field(default_factory=dict)
    call: str = "read"
    frame: Callable[[], Any] | None = None
    options: dict[str, Any] = dataclasses.field(default_factory=dict)
    lists: dict[str, list[list[list[str]]]] | None = None
    rankers: dict[str, list[str]] | None = None
    counts: dict[str, list[int]] | None = None
    labels: dict[str, dict[str, float]] | None = None
    sure: bool = True
    note: str = ""


def list_cases() -> list[Case]:
    modules = (*(f"family_{family}" for family in FAMILIES), "more", "third", "fourth")
    return [case for module in modules for case in importlib.import_module(f"{__name__}.{module}").CASES]


def judge(case: Case, folder: Path) -> tuple[str, str]:
    """("right" | "asked" | "refused" | "wrong", why): what comes of a case.

    It is asked about if one of the options that the message names reads it as meant, perhaps after further questions.
    """
    for name, content in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    try:
        found = _read(case, folder, case.options)
    except StaggError as error:
        return ("asked", str(error)) if _is_answered(case, folder, case.options, error) else ("refused", str(error))
    return ("right", "") if _means(case, found) else ("wrong", f"read as {found}")


def answers(error: StaggError) -> tuple[Say, ...]:
    """The options that a message names."""
    message = getattr(error, "message", error.args[0] if error.args else "")
    return message.says if isinstance(message, Told) else ()


def answered(options: dict[str, Any], say: Say) -> dict[str, Any]:
    """The options with an answer: columns are added to those that were named before."""
    more = dict(say.options)
    if "columns" in more and options.get("columns"):
        more["columns"] = {**options["columns"], **more["columns"]}
    return {**options, **more}


def _is_answered(case: Case, folder: Path, options: dict[str, Any], error: StaggError, depth: int = DEPTH) -> bool:
    for say in answers(error):
        more = answered(options, say)
        if depth == 0 or more == options:
            continue
        try:
            found = _read(case, folder, more)
        except StaggError as further:
            if _is_answered(case, folder, more, further, depth - 1):
                return True
        else:
            if _means(case, found):
                return True
    return False


def _read(case: Case, folder: Path, options: dict[str, Any]) -> Any:
    paths = [folder / name for name in case.files]
    log = ReadLog()
    if case.call == "labels":
        labels = stagg.read_labels(paths[0], log=log, **options)
        return {query: dict(labels[query]) for query in labels.queries}
    if case.call == "frame":
        assert case.frame is not None
        return _describe(stagg.read(case.frame(), log=log, **options))
    named = {name: value for name, value in options.items() if name != "format"}
    given: Any = folder if case.call == "folder" else paths
    loaded = load(
        given,
        format=options.get("format", "auto"),
        options=ReadOptions(**named),
        log=log,
        ballots=case.call == "elect",
    )
    return _describe(loaded.rankings)


def _describe(rankings: stagg.Rankings) -> dict[str, list[tuple[str, tuple[frozenset[str], ...], int]]]:
    """{query: (ranker, tie groups, voters) of each list that holds anything}."""
    found: dict[str, list[tuple[str, tuple[frozenset[str], ...], int]]] = {query: [] for query in rankings.queries}
    for number, (query, ranker) in enumerate(zip(rankings.list_queries, rankings.list_rankers, strict=True)):
        groups: list[set[str]] = []
        for entry in range(*rankings.entry_offsets[number : number + 2]):
            if not rankings.tied[entry]:
                groups.append(set())
            groups[-1].add(str(rankings.items[rankings.entries[entry]]))
        if groups:
            voters = int(rankings.multiplicities[ranker])
            found[rankings.queries[query]].append((rankings.rankers[ranker], tuple(map(frozenset, groups)), voters))
    return {query: lists for query, lists in found.items() if lists}


def _means(case: Case, found: Any) -> bool:
    if case.labels is not None:
        return bool(found == case.labels)
    assert case.lists is not None
    lists = dict(case.lists)
    if len(lists) == 1 and len(found) == 1:
        lists = {next(iter(found)): next(iter(lists.values()))}
    return lists.keys() == found.keys() and all(
        Counter(_expected(case, query, whole)) == Counter(_kept(case, found[query]))
        for query, whole in zip(found, (lists[query] for query in found), strict=True)
    )


def _expected(case: Case, query: str, lists: list[list[list[str]]]) -> Iterator[Any]:
    own = query if case.lists and query in case.lists else next(iter(case.lists or {query: None}))
    for number, groups in enumerate(lists):
        if groups:
            name = case.rankers[own][number] if case.rankers else None
            yield name, tuple(map(frozenset, groups)), case.counts[own][number] if case.counts else 1


def _kept(case: Case, lists: list[tuple[str, tuple[frozenset[str], ...], int]]) -> Iterator[Any]:
    for name, groups, voters in lists:
        yield (name if case.rankers else None), groups, voters
