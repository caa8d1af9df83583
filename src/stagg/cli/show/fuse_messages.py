"""Messages of ``stagg fuse``, whichever engine runs it."""

from __future__ import annotations

import dataclasses
from contextlib import AbstractContextManager

from stagg.aggregate.plan import Plan, Progress
from stagg.aggregate.settings import tell_settings
from stagg.cli.options.reading import say_read
from stagg.cli.show.talk import busy, progress_bar, say
from stagg.engines.base import Listener, Outcome
from stagg.errors import plural
from stagg.formats.log import ReadLog

__all__ = ["FuseMessages"]


@dataclasses.dataclass(frozen=True)
class FuseMessages(Listener):
    """What an engine tells, as lines on stderr; warnings also if we are to be quiet."""

    quiet: bool
    groups: bool = True
    """Whether the output holds the groups of --intervals."""

    def busy(self, what: str) -> AbstractContextManager[None]:
        return busy(what, quiet=self.quiet)

    def progress(self) -> AbstractContextManager[Progress]:
        return progress_bar(quiet=self.quiet)

    def reads_whole(self, why: str) -> None:
        self._note(f"the whole input is read into memory first: {why}")

    def has_read(self, log: ReadLog, summary: str) -> None:
        say_read(log, summary, quiet=self.quiet)

    def has_one_ranker(self) -> None:
        """One ranker cannot be fused with anything: a slip, most likely."""
        self._note("there is only one list per query, so there is nothing to fuse it with")

    def has_fused(self, outcome: Outcome) -> None:
        if outcome.strangers is not None:
            say("warning: ", outcome.strangers)
        if outcome.fewest_voters is not None:
            from stagg.aggregate.resampling import caveat

            self._note(f"intervals: {caveat(outcome.fewest_voters, groups=self.groups)}")
        if not outcome.rows:
            say("warning: nothing is left to rank: all rankers have weight 0, or all lists are empty")

    def has_written(self, outcome: Outcome, plan: Plan, output: str | None) -> None:
        """The consensus is where it belongs; of standard output there is nothing to say."""
        if output is None:
            return
        settings = "".join(f"{name} {value}, " for name, value in tell_settings(plan.settings))
        how = f"{plan.method.label}, {settings}" if settings else f"{plan.method.label} "
        queries, rows = plural(outcome.queries, "query", "queries"), plural(outcome.rows, "row")
        self._note(f"{queries}, {rows} by {how}written to {output}")

    def _note(self, text: str) -> None:
        if not self.quiet:
            say(text)
