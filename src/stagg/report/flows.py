"""The flow of votes from round to round, as a Sankey diagram: bars as high as votes, bands between them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from stagg.report.charts import COLOURS
from stagg.report.markup import Html, cut, escaped, quoted

__all__ = ["Flow", "Stage", "flow_chart"]

WIDTH, HEIGHT, BAR, GAP = 960.0, 420.0, 12.0, 5.0
EXHAUSTED = "exhausted"
NO_ROUNDS = 14  # rounds that still can be told apart; of more the last are shown
ROOM = 175.0  # for the names at the right


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
    step = (WIDTH - ROOM - BAR) / max(1, len(shown) - 1)
    places = [_slots(each, order, unit, total) for each in shown]
    colours = {name: number % COLOURS + 1 for number, name in enumerate(order)}
    drawn: list[str] = []
    for number, (stage, slots) in enumerate(zip(shown, places, strict=True)):
        if number + 1 < len(shown):
            drawn += _bands(stage, slots, places[number + 1], number * step, (number + 1) * step, unit, colours)
    for number, (stage, slots) in enumerate(zip(shown, places, strict=True)):
        drawn += _bars(stage, slots, number * step, number, len(shown), colours)
    return Html(
        f'<div class="scroll marks"><svg class="plot flow" viewBox="0 -16 {WIDTH:g} {HEIGHT + 20:g}" role="img" '
        f'aria-label="Votes from round to round">{"".join(drawn)}</svg></div>'
    )


def _slots(stage: Stage, order: Sequence[str], unit: float, total: float) -> Slots:
    """The bars of a round from the top; what is exhausted stands at the bottom."""
    slots: Slots = {}
    top = 0.0
    for name in (name for name in order if name in stage.votes):
        slots[name] = (top, stage.votes[name] * unit)
        top += stage.votes[name] * unit + GAP
    gone = max(0.0, total - sum(stage.votes.values())) * unit
    slots[None] = (HEIGHT - gone, gone)
    return slots


def _bands(
    stage: Stage, here: Slots, there: Slots, left: float, right: float, unit: float, colours: Mapping[str, int]
) -> list[str]:
    """The bands from one round to the next: first the votes that stay, then those that move."""
    filled = {name: top for name, (top, _) in there.items()}
    moves = [Flow(name, name, votes) for name, votes in stage.votes.items() if name in there]
    drawn = []
    if here[None][1] > 0:
        drawn.append(_band(left, right, here[None][0], filled[None], here[None][1], 0, f"{EXHAUSTED} before"))
        filled[None] += here[None][1]
    taken = {name: top for name, (top, _) in here.items()}
    for flow in [*moves, *stage.flows]:
        high = flow.votes * unit
        end = EXHAUSTED if flow.to is None else f"to {quoted(flow.to)}"
        said = "stay" if flow.to == flow.gone else end
        tip = f"{quoted(flow.gone)}: {flow.votes:,.6g} votes {said}"
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


def _bars(stage: Stage, slots: Slots, left: float, number: int, rounds: int, colours: Mapping[str, int]) -> list[str]:
    drawn = [f'<text x="{left:.1f}" y="-5">{number + 1}</text>']
    last = number == rounds - 1
    for name, votes in stage.votes.items():
        top, high = slots[name]
        tip = f"{quoted(name)}, round {number + 1}: {votes:,.6g} votes"
        drawn.append(
            f'<rect class="f{colours[name]}" x="{left:.1f}" y="{top:.1f}" width="{BAR:g}" height="{max(high, 1):.1f}" '
            f'data-tip="{escaped(tip)}"/>'
        )
        if number == 0 or last:
            drawn.append(
                f'<text class="name" x="{left + BAR + 5:.1f}" y="{top + high / 2 + 4:.1f}">'
                f"{escaped(cut(name, 18))} {votes:,.6g}</text>"
            )
    top, high = slots[None]
    if high > 0:
        drawn.append(f'<rect class="f0" x="{left:.1f}" y="{top:.1f}" width="{BAR:g}" height="{high:.1f}"/>')
        if last:
            drawn.append(f'<text class="name" x="{left + BAR + 5:.1f}" y="{top + high / 2 + 4:.1f}">{EXHAUSTED}</text>')
    return drawn
