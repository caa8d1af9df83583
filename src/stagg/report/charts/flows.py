"""Flow picture of a runoff (Sankey diagram): votes from round to round, bars as high as votes, bands between."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from itertools import pairwise
from unicodedata import east_asian_width

from stagg.elections.tables import EXHAUSTED
from stagg.elections.words import tell_votes
from stagg.report.charts.svg import COLOURS
from stagg.report.markup import Html, escaped, quoted, shorten

__all__ = ["Flow", "Stage", "flow_chart"]

WIDTH, HEIGHT, BAR, GAP = 960.0, 420.0, 12.0, 5.0
NO_ROUNDS = 14  # rounds that still can be told apart; of more the last are shown
LETTER, WIDE, LINE = 7.2, 12.0, 13.0  # pixels: of a letter, of one that is as wide as it is high, between two lines
LEAST_BAR = 0.1  # of what is exhausted, if it is less than a vote: what rounding loses is not shown
LEAST_ROOM, MOST_ROOM = 60.0, 250.0  # for the names at either side


@dataclasses.dataclass(frozen=True)
class Flow:
    """Votes that leave a candidate; ``to`` is None if they are exhausted."""

    gone: str
    to: str | None
    votes: float


@dataclasses.dataclass(frozen=True)
class Stage:
    """A round: the votes of each, and what leaves those who go."""

    votes: Mapping[str, float]
    flows: Sequence[Flow]


Slots = dict[str | None, tuple[float, float]]
"""Where the bar of each stands, from above, and how high it is."""


def flow_chart(stages: Sequence[Stage], order: Sequence[str]) -> Html:
    """The rounds from left to right; ``order``: the candidates from top to bottom.

    >>> chart = flow_chart([Stage({"a": 2, "b": 1}, [Flow("b", "a", 1)]), Stage({"a": 3}, [])], ["a", "b"])
    >>> chart.count('class="band')
    2
    """
    shown = stages[-NO_ROUNDS:]
    total = max(sum(each.votes.values()) for each in shown) or 1.0
    spare = GAP * (max(len(each.votes) for each in shown) + 1)
    unit = (HEIGHT - spare) / total
    lefts = _place_rounds(shown)
    places = [_slots(each, order, unit, total) for each in shown]
    colours = {name: number % COLOURS + 1 for number, name in enumerate(order)}
    drawn: list[str] = []
    for number, ((here, there), (left, right)) in enumerate(zip(pairwise(places), pairwise(lefts), strict=True)):
        drawn += _bands(shown[number], here, there, left, right, unit, colours)
    labels = [_spread(slots) for slots in places]
    for number, (stage, slots) in enumerate(zip(shown, places, strict=True)):
        first = len(stages) - len(shown) + 1
        drawn += _bars(stage, slots, lefts[number], number + first, colours)
        between = lefts[number + 1] - lefts[number] if number + 1 < len(shown) else None
        drawn += _label_votes(stage, labels[number], lefts[number], total, between)
    drawn += _label_names(shown[0], labels[0], lefts[0])
    foot = max(HEIGHT, *(y + LINE / 2 for each in labels for y in each.values()))
    return Html(
        f'<div class="scroll marks"><svg class="plot flow" viewBox="0 -16 {WIDTH:g} {foot + 20:g}" role="img" '
        f'aria-label="Votes from round to round">{"".join(drawn)}</svg></div>'
    )


def _place_rounds(stages: Sequence[Stage]) -> list[float]:
    """Where the bars of each round begin: at either side the names have as much room as they need and there is."""
    left = _room([*stages[0].votes]) if len(stages) > 1 else 0.0
    right = _room([f"{name} {tell_votes(votes)}" for name, votes in stages[-1].votes.items()] + [f"{EXHAUSTED} 0000"])
    step = (WIDTH - left - right - BAR) / max(1, len(stages) - 1)
    return [left + number * step for number in range(len(stages))]


def _room(labels: Sequence[str]) -> float:
    return min(MOST_ROOM, max(LEAST_ROOM, *(_measure(label) + 10 for label in labels)))


def _measure(text: str) -> float:
    """About how many pixels a text takes."""
    return sum(WIDE if east_asian_width(letter) in "WF" else LETTER for letter in text)


def _fit(name: str, room: float) -> str:
    """The name, cut if it has no room."""
    if _measure(name) <= room:
        return name
    fitting = (most for most in range(len(name) - 1, 1, -1) if _measure(shorten(name, most)) <= room)
    return shorten(name, next(fitting, 2))


def _slots(stage: Stage, order: Sequence[str], unit: float, total: float) -> Slots:
    """The bars of a round from the top; what is exhausted stands at the bottom."""
    slots: Slots = {}
    top = 0.0
    for name in (name for name in order if name in stage.votes):
        slots[name] = (top, stage.votes[name] * unit)
        top += stage.votes[name] * unit + GAP
    spent = max(0.0, total - sum(stage.votes.values()))
    gone = 0.0 if spent < 1 and spent * unit < LEAST_BAR else spent * unit
    slots[None] = (HEIGHT - gone, gone)
    return slots


def _bands(
    stage: Stage, here: Slots, there: Slots, left: float, right: float, unit: float, colours: Mapping[str, int]
) -> list[str]:
    """The bands from one round to the next: first the votes that stay, then those that move."""
    filled = {name: top for name, (top, _) in there.items()}
    leaving = {name: sum(flow.votes for flow in stage.flows if flow.gone == name) for name in stage.votes}
    moves = [Flow(name, name, votes - leaving[name]) for name, votes in stage.votes.items() if name in there]
    drawn = []
    if here[None][1] > 0:
        drawn.append(_band(left, right, here[None][0], filled[None], here[None][1], 0, f"{EXHAUSTED} before"))
        filled[None] += here[None][1]
    taken = {name: top for name, (top, _) in here.items()}
    for flow in [*moves, *stage.flows]:
        high = flow.votes * unit
        end = EXHAUSTED if flow.to is None else f"to {quoted(flow.to)}"
        said = "stay" if flow.to == flow.gone else end
        tip = f"{quoted(flow.gone)}: {tell_votes(flow.votes)} votes {said}"
        drawn.append(_band(left, right, taken[flow.gone], filled[flow.to], high, colours[flow.gone], tip))
        taken[flow.gone] += high
        filled[flow.to] += high
    return drawn


def _band(left: float, right: float, start: float, end: float, high: float, colour: int, tip: str) -> str:
    one, other, middle = left + BAR, right, (left + BAR + right) / 2
    path = (
        f"M{one:.1f} {start:.1f}C{middle:.1f} {start:.1f} {middle:.1f} {end:.1f} {other:.1f} {end:.1f}V{end + high:.1f}"
        f"C{middle:.1f} {end + high:.1f} {middle:.1f} {start + high:.1f} {one:.1f} {start + high:.1f}Z"
    )
    return f'<path class="band f{colour}" d="{path}" data-tip="{escaped(tip)}"/>'


def _bars(stage: Stage, slots: Slots, left: float, number: int, colours: Mapping[str, int]) -> list[str]:
    drawn = [f'<text x="{left:.1f}" y="-5">{number}</text>']
    for name, votes in stage.votes.items():
        top, high = slots[name]
        tip = f"{quoted(name)}, round {number}: {tell_votes(votes)} votes"
        drawn.append(
            f'<rect class="f{colours[name]}" x="{left:.1f}" y="{top:.1f}" width="{BAR:g}" height="{max(high, 1):.1f}" '
            f'data-tip="{escaped(tip)}"/>'
        )
    top, high = slots[None]
    if high > 0:
        drawn.append(f'<rect class="f0" x="{left:.1f}" y="{top:.1f}" width="{BAR:g}" height="{high:.1f}"/>')
    return drawn


def _spread(slots: Slots) -> dict[str | None, float]:
    """The middle of the label of each bar; low bars have theirs a line apart, and none if there are too many."""
    labels: dict[str | None, float] = {}
    crowded = len(slots) * LINE > HEIGHT
    above = -LINE
    for name, (top, high) in slots.items():
        middle = top + high / 2
        if (name is None and high == 0) or (crowded and middle < above + LINE):
            continue
        labels[name] = above = max(middle, above + LINE)
    return labels


def _label_names(stage: Stage, labels: Mapping[str | None, float], left: float) -> list[str]:
    """The names at the left of the first round; if it is the only one, they stand at its right."""
    return [
        f'<text class="name" text-anchor="end" x="{left - 5:.1f}" y="{labels[name] + 4:.1f}">'
        f"{escaped(_fit(name, left - 8))}</text>"
        for name in stage.votes
        if name in labels and left > 0
    ]


def _label_votes(
    stage: Stage, labels: Mapping[str | None, float], left: float, total: float, between: float | None
) -> list[str]:
    """The votes at the right of the bars, whole ones if there is no room for more; in the last round with the names."""
    spent, named = total - sum(stage.votes.values()), between is None
    drawn = []
    for name, y in labels.items():
        number = spent if name is None else stage.votes[name]
        votes = tell_votes(number)
        if between is not None and _measure(votes) > between - BAR - 6:
            votes = f"{number:,.0f}"
        room = WIDTH - left - BAR - 8 - _measure(f" {votes}")
        said = f"{_fit(EXHAUSTED if name is None else name, room)} {votes}" if named else votes
        kind = "name" if named else "votes"
        drawn.append(f'<text class="{kind}" x="{left + BAR + 4:.1f}" y="{y + 4:.1f}">{escaped(said)}</text>')
    return drawn
