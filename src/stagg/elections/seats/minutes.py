"""Minutes of a count: what was counted, by which rule, every stage, ties and lots, and what is needed to repeat it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from stagg._version import __version__
from stagg.elections.runoff import join_names
from stagg.elections.seats.council import Council, SeatResult
from stagg.elections.seats.lots import describe_other_lots
from stagg.elections.seats.stage_table import (
    describe_stage,
    list_seat_facts,
    list_stages,
    tell_outcome,
    tell_seat_votes,
)
from stagg.errors import DataError, InvalidParameter, printable

__all__ = ["digest_file", "write_minutes"]

LINE: Final = "_" * 30  # to sign on
BESIDE: Final = 2  # stages side by side in a table
SPECIAL: Final = re.compile(r"([\\`*_{}\[\]<>#|!])")
ADDRESS: Final = re.compile(r"[^\s@'\"]+@[^\s@'\"]+\.[^\s@'\"]+")


def write_minutes(
    found: Council, *, files: Sequence[str], remarks: Sequence[str] = (), command: str = "", title: str | None = None
) -> str:
    """The minutes as Markdown. ``files`` are the ballots, ``remarks`` what the reader said of them without names.

    Addresses of mail are left out wherever they stand, and voters are never named.
    """
    if len(found.results) != 1:
        listed = ", ".join(found.elected)
        raise InvalidParameter(f"minutes are about one rule, and these are {listed}; name the one of your statutes")
    lines = [*_lines(found, found.results[0], files, remarks, command, title)]
    return ADDRESS.sub("(address left out)", "\n".join(lines)) + "\n"


def digest_file(path: str) -> str:
    """SHA-256 of a file of ballots."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise DataError(f"cannot be read again for its checksum: {error.strerror}", file=path) from None


def _lines(
    found: Council, result: SeatResult, files: Sequence[str], remarks: Sequence[str], command: str, title: str | None
) -> Iterator[str]:
    yield f"# {_plain(title or 'Minutes of the count')}"
    yield ""
    yield f"**Elected, in this order: {_plain(join_names(result.elected, 'and', most=len(result.elected)))}.**"
    yield from ["", "## What was counted", ""]
    for name, text in list_seat_facts(found):
        yield f"- {name}: {text}"
    yield f"- ballots that count by this rule: {result.counted:,}"
    yield (
        f"- ballots that do not rank every candidate: {found.partial:,}"
        if not found.ticks
        else "- the ballots are ticks"
    )
    for path in files:
        yield f"- file: `{Path(path).name}`, SHA-256 `{digest_file(path)}`"
    for remark in [*remarks, *result.remarks]:
        yield f"- {_plain(remark)}"
    yield from [
        "",
        "## Rule",
        "",
        f"**{result.title}** (`{result.rule}`)",
        "",
        _plain(result.description.replace("``", "'")),
    ]
    yield from ["", f"Reference: {_plain(result.reference)}."]
    if result.quota is not None:
        yield from ["", f"Quota: {tell_seat_votes(result.quota)} votes."]
    yield from ["", "## Count", ""]
    for stage in result.stages:
        yield f"{stage.number}. {_plain(describe_stage(result, stage)) or 'Votes are counted.'}"
    for start in range(0, len(result.stages), BESIDE):
        yield ""
        yield from _table(result, start)
    yield from ["", "## Result", "", "| candidate | outcome |", "|---|---|"]
    for name in result.order:
        yield f"| {_plain(name)} | {tell_outcome(result, name)} |"
    yield from ["", "## Ties and lots", ""]
    yield _describe_ties(found, result)
    yield from ["", "## To repeat the count", ""]
    yield f"stagg {__version__}, seed {found.seed}."
    if command:
        yield from ["", f"    {printable(command)}"]
    yield from ["", f"Signatures: {LINE} {LINE}", "", f"Place and date: {LINE}"]


def _table(result: SeatResult, start: int) -> Iterator[str]:
    """Some stages side by side: the votes after each, behind what each candidate gained or lost in it."""
    stages = result.stages[start : start + BESIDE]
    columns = [
        c for each in stages for c in ([f"± {each.number}"] if each.number > 1 else []) + [f"stage {each.number}"]
    ]
    yield f"| candidate | {' | '.join(columns)} |"
    yield f"|---|{'---:|' * len(columns)}"
    for name, cells in list_stages(result, stages):
        yield f"| {_plain(name)} | {' | '.join(cells)} |"


def _describe_ties(found: Council, result: SeatResult) -> str:
    if not result.ties:
        return "No tie had to be decided."
    told = f"{len(result.ties)} {'tie was' if len(result.ties) == 1 else 'ties were'} decided, in "
    told += f"{'stage' if len(result.ties) == 1 else 'stages'} {', '.join(str(number) for number, _ in result.ties)}. "
    lot = _plain(join_names(found.lot, "and", most=len(found.lot)))
    told += f"The lot, drawn from the seed {found.seed}, has this order, the preferred first: {lot}."
    if result.other_lots is None:
        return f"{told} Earlier stages decided: the lot was not needed."
    return f"{told} {_plain(describe_other_lots(result.other_lots, found.seats))}"


def _plain(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return SPECIAL.sub(r"\\\1", printable(" ".join(text.split())))
