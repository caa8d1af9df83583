"""Reading: a source, the options and the log, which every reader takes; and the questions that it may have to ask."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterable
from typing import Any, Final

from stagg.data.rankings import Rankings
from stagg.errors import DataError, shown
from stagg.formats.log import ReadLog
from stagg.formats.options import IGNORE, OF_CELLS, ReadOptions
from stagg.formats.storage.source import Origin, Source
from stagg.say import BREAK, Say, Told, tell

__all__ = ["Reading"]

FEW: Final = 3  # items of a list that a question shows
LEADS: Final = ("; if so, ", "; whatever the answer, ", "; with ")
Way = Say | tuple[Say, str]
"""An answer to a question, perhaps with a word on what it means."""


class Reading:
    """One input that is read: where its bytes come from, what its owner says of it, and what was noticed."""

    on_duplicates: str = ""
    """Addition to the error where an item appears twice in a list."""
    ignored: str = ""
    """The columns that its owner leaves out, where the table is without them by now."""
    rank_name: str = ""
    """The name of the column of a long table that was taken for ranks by itself."""
    attempt: Callable[[Reading], Rankings] | None = None
    """Reads the first rows by other options, so that a question can show what comes of each answer."""
    tries: frozenset[str] = OF_CELLS
    """Options that an attempt can try."""
    is_trial: bool = False
    """Whether this is such an attempt, whose own questions show nothing."""
    ballots: bool = False
    """Whether it holds the ballots of an election."""
    taken: tuple[tuple[str, str], ...] = ()
    """(column, what a layout of ballots took it for)."""

    def __init__(self, origin: Origin, options: ReadOptions) -> None:
        self.origin, self.options = origin, options
        self.name, self.log = origin.name, origin.log

    @property
    def source(self) -> Source:
        """The bytes of a file; a frame has none."""
        assert isinstance(self.origin, Source)
        return self.origin

    @property
    def file(self) -> str | None:
        """The name of the file for errors; None for a frame."""
        return self.origin.file

    @property
    def stem(self) -> str:
        """The name of a ranker or query that has no other."""
        return self.origin.stem

    @property
    def plain_name(self) -> str:
        """The file's name without the endings of compression."""
        return self.origin.plain_name

    def with_options(self, **changed: Any) -> Reading:
        """The same, of which its owner says something else."""
        other = copy.copy(self)
        other.options = dataclasses.replace(self.options, **changed)
        return other

    def answered(self, say: Say) -> Reading:
        """The same, of which its owner says this as well."""
        options = dict(say.options)
        if "columns" in options and self.options.columns:
            options["columns"] = {**self.options.columns, **options["columns"]}
        return self.with_options(**options)

    def excerpt(self, lines: Iterable[tuple[int, str]] = (), log: ReadLog | None = None) -> Reading:
        """The same, of some lines that were looked at before, with a log of its own."""
        part = copy.copy(self)
        part.origin = self.origin.excerpt(lines, log)
        part.log = part.origin.log
        return part

    def error(self, message: str, line: int | None = None) -> DataError:
        """The error at this line, to be raised; line 0, that of names without a line, is none."""
        return self.origin.error(message, line or None)

    def note(self, message: str, *, line: int | None = None, public: str | None = None, minor: bool = False) -> None:
        """A remark on the file, or on one line of it; ``public``: the same for a page that others read."""
        place = f"{self.origin.place(line)}: "
        self.log.note(tell(place, message), public=None if public is None else tell(place, public), minor=minor)

    def drop(self, reason: str, line: int, rows: int = 1) -> None:
        """Count rows that are left out, the first of them in this line."""
        self.log.dropped(reason, self.origin.place(line), rows)

    # --- questions ------------------------------------------------------------------------------------------------

    def ask(
        self, question: str, *ways: Way, line: int | None = None, before: str = "", otherwise: str = ""
    ) -> DataError:
        """The error that asks what an input means, with an option for each answer, and what is read by it.

        An answer that would not do is not offered. ``before`` leads to the answers; if there is none, ``otherwise``
        says what to do, or else the error does that an answer leads to.
        """
        pairs = [way if isinstance(way, tuple) else (way, "") for way in ways]
        pairs = list(dict.fromkeys((self._with_ignored(say), remark) for say, remark in pairs))
        tried = [(say, remark, self._try(say)) for say, remark in pairs]
        offered = [(say, remark, found) for say, remark, found in tried if isinstance(found, str)]
        if not offered:
            errors = [(say, found) for say, _, found in tried if isinstance(found, DataError)]
            return self._end_question(question, otherwise, errors, line)
        parts: list[object] = [question, before or (" say" if question.endswith("?") else ": say")]
        for say, remark, found in offered:
            what = "; ".join(filter(None, (remark, found)))
            parts += [BREAK, say, f" ({what})" if what else "", "," if len(offered) > 1 else ""]
            if len(offered) > 1 and (say, remark, found) == offered[-2]:
                parts[-1] = " or"
        return self.error(tell(*parts[:-1]), line)

    def _with_ignored(self, say: Say) -> Say:
        """The answer; the columns that it leaves out are added to those that are left out already."""
        given, more = (
            self.ignored or (self.options.columns or {}).get(IGNORE),
            say.options.get("columns", {}).get(IGNORE),
        )
        if not given or not more:
            return say
        return Say(**{**say.options, "columns": {**say.options["columns"], IGNORE: f"{given}+{more}"}})

    def _end_question(
        self, question: str, otherwise: str, errors: list[tuple[Say, DataError]], line: int | None
    ) -> DataError:
        """The error instead of a question that no answer would do for."""
        if otherwise or not errors:
            return self.error(tell(question, f"; {otherwise}" if otherwise else ""), line)
        lead = (" If so, ", " Whatever the answer, ", " With ") if question.endswith("?") else LEADS
        if len({str(error.message) for _, error in errors}) == 1:
            return self.error(tell(question, lead[len(errors) > 1], errors[0][1].message), errors[0][1].line or line)
        told = [(say, ": ", error.message) for say, error in errors[:2]]
        return self.error(tell(question, lead[2], *told[0], *("; with ", *told[1])), line)

    def would_do(self, say: Say) -> bool:
        """Whether this answer reads the input, or may do so."""
        return isinstance(self._try(say), str)

    def _try(self, say: Say) -> str | DataError:
        """The first list as it is read by this answer, "" where that is not known; the error if it does not do."""
        if self.attempt is None or self.is_trial or not self.tries.issuperset(say.options):
            return ""
        trial = self.answered(say).excerpt()
        trial.is_trial = True
        try:
            rankings = self.attempt(trial)
        except DataError as error:
            return "" if isinstance(error.message, Told) and error.message.says else error
        return _show_first_list(rankings)


def _show_first_list(rankings: Rankings) -> str:
    """The first list of rankings for a question: whose it is, and the items at its top."""
    if not len(rankings.list_rankers) or not len(rankings.entries):
        return ""
    first, end = rankings.entry_offsets[:2].tolist()
    items = [shown(rankings.items[item]) for item in rankings.entries[first : min(end, first + FEW)].tolist()]
    tied = rankings.tied[first : first + len(items)].tolist()
    text = items[0] + "".join(f" = {one}" if tie else f", {one}" for one, tie in zip(items[1:], tied[1:], strict=True))
    return f"{shown(rankings.rankers[rankings.list_rankers[0]])} ranks {text}{', …' if end - first > FEW else ''}"
