"""The verdict: what the judgments show so far of each comparison, in a sentence that claims no more than they do."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Final, Literal

import numpy as np

from stagg.errors import bare, plural
from stagg.judging.estimate import Difference, Scope

__all__ = ["DECIDED", "FIRST_LOOK", "LEANS", "ComparisonVerdict", "Standing", "can_decide", "decide_levels", "stand"]

DECIDED: Final = 0.98
"""The level of "decided" and of "is above": the user looks again and again."""
LEANS: Final = 0.95
"""The level of the interval that is shown, and of "leans towards"."""
FEWEST_JUDGMENTS: Final = 16  # below, no interval is shown
FIRST_LOOK: Final = 40  # below, nothing is decided
FEWEST_DIFFERENT: Final = 10  # pairs with two different grades, below which there is no interval either

Standing = Literal["nothing to judge", "not judged", "few", "few relevant", "open", "leans", "decided", "known"]


@dataclasses.dataclass(frozen=True)
class ComparisonVerdict:
    """What the judgments show of A - B: ``value`` with its 95 % interval, and what became of it.

    ``standing``: "decided" (0 is outside the interval of 98 %, by Holm's rule over the comparisons), "leans" (0 is
    outside the interval of 95 % only), "open", "known" (everything that matters is judged), "few" (fewer than 16
    judgments), "few relevant" (fewer than 10 pairs with different grades), "not judged", "nothing to judge".
    ``needed``: about how many judgments in all would decide; None where that is not known or none would.
    ``these``: the interval for just the queries at hand.
    """

    a: str
    b: str
    measure: str
    scope: Scope
    standing: Standing
    documents: int
    queries: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    judgments: int = 0
    points: int = 0
    different: int = 0
    these: tuple[float, float] | None = None
    needed: int | None = None
    needed_these: int | None = None
    slope: float | None = None
    saved: float | None = None
    alone: float | None = None

    @property
    def text(self) -> str:
        """The verdict in a sentence."""
        return _SENTENCES[self.standing](self)

    @property
    def hopeless(self) -> bool:
        """Whether nothing is decided, and no number of judgments would decide it, as it looks now."""
        return self.standing in ("open", "leans") and self.needed is None

    @property
    def proxy_text(self) -> str:
        """What the proxy is worth, in a sentence; empty without one."""
        if self.alone is None or self.value is None:
            return ""
        alone = f"On its own it would have said {self.alone:+.3f} (your estimate {self.value:+.3f})"
        if self.slope is None:
            return f"All that differs is judged, so the proxy saves nothing. {alone}."
        saves = (
            "it saves nothing"
            if (self.saved or 0) < 0.01
            else f"it saves about {100 * (self.saved or 0):.0f} % of your judgments"
        )
        agrees = f"The proxy agrees with you on pairs at slope {self.slope:.2f}"
        return f"{agrees}: {saves}. {alone}; that alone is no proof."

    def to_row(self) -> dict[str, Any]:
        """The verdict as a row of a table."""
        row = dataclasses.asdict(self)
        low, high = row.pop("these") or (None, None)
        return row | {"these_low": low, "these_high": high, "text": self.text}


def stand(worlds: Sequence[Difference], scope: Scope, p: float, *, decided: bool) -> Standing:
    """What became of a difference. ``worlds``: it in all readings of what could not be judged; ``p``: of no gap."""
    if worlds[0].exact and scope == "these":
        return "known"
    lacking = _find_lacking(worlds)
    if lacking is not None:
        return lacking
    return "decided" if decided else "leans" if p < 1 - LEANS else "open"


def _find_lacking(worlds: Sequence[Difference]) -> Standing | None:
    """The floor that the judgments do not reach; None where there may be a decision."""
    found = worlds[0]
    if found.exact:
        return None
    if found.judgments < FEWEST_JUDGMENTS:
        return "few"
    if min(each.different for each in worlds) < FEWEST_DIFFERENT:
        return "few relevant"
    return "open" if found.judgments < FIRST_LOOK else None


def can_decide(worlds: Sequence[Difference]) -> bool:
    """Whether there are judgments enough; a p of fewer must not make room for others in Holm's rule."""
    return bool(worlds) and _find_lacking(worlds) is None


def decide_levels(p: Sequence[float]) -> list[bool]:
    """Which comparisons are decided, by Holm's step-down rule over all that are shown.

    >>> decide_levels([0.001, 0.5, 0.012])
    [True, False, False]
    """
    alpha = 1 - DECIDED
    decided = [False] * len(p)
    for rank, number in enumerate(np.argsort(p, kind="stable").tolist()):
        if not p[number] <= alpha / (len(p) - rank):
            break
        decided[number] = True
    return decided


# --- sentences --------------------------------------------------------------------------------------------------------


def _tell_nothing(verdict: ComparisonVerdict) -> str:
    return f"{_pair(verdict)}: they place the same documents alike; there is nothing to judge."


def _tell_not_judged(verdict: ComparisonVerdict) -> str:
    return f"{_pair(verdict)}: nothing is shown yet; no batch of this plan is complete."


def _tell_few(verdict: ComparisonVerdict) -> str:
    return f"{_pair(verdict)}: {_after(verdict)} there is no interval yet; it needs {FEWEST_JUDGMENTS}."


def _tell_few_relevant(verdict: ComparisonVerdict) -> str:
    return (
        f"{_pair(verdict)}: too few relevant documents so far. {_after(verdict).capitalize()} "
        f"{plural(verdict.different, 'pair has', 'pairs have')} two different grades; {FEWEST_DIFFERENT} are needed."
    )


def _tell_decided(verdict: ComparisonVerdict) -> str:
    known = "" if verdict.these is None else f" ({_span(*verdict.these)} on just {_these(verdict)})"
    return (
        f"{_claim(verdict)} by {_span(verdict.low, verdict.high)} {_of(verdict)}, 95 % sure, {_after(verdict)}{known}."
    )


def _tell_known(verdict: ComparisonVerdict) -> str:
    """All that matters is judged: on these queries the difference is what it is."""
    value, low, high = (each or 0.0 for each in (verdict.value, verdict.low, verdict.high))
    judged = (
        f"all {plural(verdict.documents, 'document')} that differ {'is' if verdict.documents == 1 else 'are'} judged"
    )
    if low < high:
        ends = f"{_pair(verdict)}: {low:+.3f} to {high:+.3f}"
    elif abs(value) < 5e-4:
        ends = f"{_pair(verdict)}: no difference"
    else:
        ends = f"{_claim(verdict)} by {abs(value):.3f}"
    return f"{ends} of {verdict.measure} on {_these(verdict)}: {judged}."


def _tell_leans(verdict: ComparisonVerdict) -> str:
    side = "above" if (verdict.value or 0) > 0 else "below"
    return (
        f"{bare(verdict.a)} leans towards being {side} {bare(verdict.b)}: {_interval(verdict)} {_of(verdict)}, "
        f"{_after(verdict)}. It takes 98 % to decide. {_tell_needed(verdict)}"
    )


def _tell_open(verdict: ComparisonVerdict) -> str:
    return (
        f"{_pair(verdict)}: {_interval(verdict)} {_of(verdict)}: not decided {_after(verdict)}. {_tell_needed(verdict)}"
    )


_SENTENCES: Final = {
    "nothing to judge": _tell_nothing,
    "not judged": _tell_not_judged,
    "few": _tell_few,
    "few relevant": _tell_few_relevant,
    "open": _tell_open,
    "leans": _tell_leans,
    "decided": _tell_decided,
    "known": _tell_known,
}


def _tell_needed(verdict: ComparisonVerdict) -> str:
    """How many judgments would decide, or that nothing would."""
    at_most = f"at most {verdict.documents:,} matter"
    more = "only more queries would decide it for queries like these"
    if verdict.needed is not None:
        return f"About {verdict.needed:,} judgments would decide, if the difference is as it looks now; {at_most}."
    if verdict.these is not None and verdict.needed_these is not None and verdict.needed_these <= verdict.judgments:
        return f"On just {_these(verdict)} it is {_signed(*verdict.these)}; {more}."
    if verdict.needed_these is not None:
        these = f"about {verdict.needed_these:,} judgments would decide it on {_these(verdict)}"
        return f"If the difference is as it looks now, {these} ({at_most}); {more}."
    if verdict.judgments >= verdict.documents:
        return f"All that differs is judged; {more}: take either."
    all_of_them = f"Only judging all {plural(verdict.documents, 'document')} that differ would decide"
    rest = ", and nothing would for queries like these" if verdict.scope == "future" else ""
    return f"{all_of_them} a difference of this size on {_these(verdict)}{rest}: take either."


def _pair(verdict: ComparisonVerdict) -> str:
    return f"{bare(verdict.a)} against {bare(verdict.b)}"


def _claim(verdict: ComparisonVerdict) -> str:
    return f"{bare(verdict.a)} is {'above' if (verdict.value or 0) > 0 else 'below'} {bare(verdict.b)}"


def _interval(verdict: ComparisonVerdict) -> str:
    return f"{verdict.value:+.3f} ({_signed(verdict.low or 0.0, verdict.high or 0.0)})"


def _signed(low: float, high: float) -> str:
    return f"{low:+.3f} to {high:+.3f}" if low < high else f"{low:+.3f}"


def _span(low: float | None, high: float | None) -> str:
    """The size of a difference whose sign is told; a side of the interval beyond 0 keeps its own sign."""
    first, last = low or 0.0, high or 0.0
    if first + last < 0:
        first, last = -last, -first
    return f"{first:.3f} to {last:.3f}" if first < last else f"{first:.3f}"


def _of(verdict: ComparisonVerdict) -> str:
    where = "queries like these" if verdict.scope == "future" else _these(verdict)
    return f"of {verdict.measure} on {where}"


def _these(verdict: ComparisonVerdict) -> str:
    return "this query" if verdict.queries == 1 else f"these {verdict.queries:,} queries"


def _after(verdict: ComparisonVerdict) -> str:
    return f"after {plural(verdict.judgments, 'judgment')}"
