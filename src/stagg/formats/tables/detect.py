"""Detect the layout of a table: the one that is given, or the first that fits; or a question to its owner."""

from __future__ import annotations

from collections.abc import Iterator

from stagg.errors import DataError, plural, shown
from stagg.formats.options import LAYOUTS
from stagg.formats.tables.layouts.base import Layout
from stagg.formats.tables.named_columns import describe_missing
from stagg.formats.tables.profile import Profile, is_about_answer
from stagg.formats.tables.vocabulary import EXTREMES
from stagg.say import Say, tell

__all__ = ["find_layout"]


def find_layout(profile: Profile) -> Layout:
    """The layout of a table; raises where it cannot be told without doubt."""
    given = profile.reading.options.layout or profile.table.layout
    if given is not None:
        layout: Layout = LAYOUTS[given]()
        return layout
    for layout in _possible(profile):
        if layout.fits(profile):
            return layout
    _refuse_blank(profile)
    _refuse_extremes(profile)
    raise _ask(profile)


def _refuse_blank(profile: Profile) -> None:
    """A form whose columns hold nothing but who answered and when."""
    names = dict(enumerate(profile.first))
    filled = {number for row in profile.body for number, cell in enumerate(row) if cell}
    if profile.header is not False and filled and len(filled) < len(names) and _all_about_answers(filled, names):
        answers = plural(len(profile.body), "answer")
        raise profile.reading.error(f"no ballot says anything: {answers}, and every other cell is empty")


def _refuse_extremes(profile: Profile) -> None:
    """Refuse rows of options, of which two columns repeat the best and the worst one: such a row is no list."""
    for pair in EXTREMES:
        if profile.header is False or not profile.body or not {*pair} <= {*profile.plain}:
            continue
        best, worst = (profile.plain.index(name) for name in pair)
        others = [[cell for c, cell in enumerate(row) if c not in (best, worst)] for row in profile.body]
        rows = list(zip(profile.body, others, strict=True))
        if all(row[best] != row[worst] and {row[best], row[worst]} <= {*cells} for row, cells in rows):
            names = " and ".join(shown(profile.first[column]) for column in (best, worst))
            what = f"the columns {names} repeat two of the options of every row, and tell no order of the others"
            vote = "A>B=C>D, where A is the best, D the worst and B=C are the others"
            line = profile.table.lines[0]
            raise profile.reading.error(f"{what}; write every row as a vote in one cell, such as {vote}", line)


def _all_about_answers(numbers: set[int], names: dict[int, str]) -> bool:
    return all(is_about_answer(names.get(number, "")) for number in numbers)


def _possible(profile: Profile) -> Iterator[Layout]:
    """The layouts that the table may have, in their order of precedence."""
    layouts = (kind() for kind in LAYOUTS)
    return (layout for layout in layouts if not profile.reading.ballots or layout.holds_ballots(profile))


def _ask(profile: Profile) -> DataError:
    """The question what the table is, with every way to read it."""
    reading, line = profile.reading, profile.table.lines[0]
    if profile.first[0].startswith("#") and not reading.options.comments:
        comments = tell("the first line begins with '#'; if '#' lines are comments, say ", Say(comments=True))
        return reading.ask(tell(comments, "; if it is a part of the table"), *_ways(profile), line=line)
    if profile.header is not False and {*profile.plain} & {"query", "item", "rank", "score"}:
        missing = describe_missing(
            profile.roles, own=profile.first, body=profile.body, in_line=not profile.table.header
        )
        missing = tell(missing, *(f"; {advice}" for advice in _advise(profile)))
        return reading.ask(missing, *_ways(profile), line=line, before=". Or the table is something else: say")
    first = "columns are" if profile.table.header else "first line is"
    unclear = f"it is not clear what the columns of this table hold; its {first} {profile.shown_first}"
    return reading.ask(
        tell(unclear, *(f"; {advice}" for advice in _advise(profile))),
        *_ways(profile),
        line=line,
        before=". Say what it is:",
        otherwise="name the columns item and score or rank (and query, ranker), one row for each listed item",
    )


def _advise(profile: Profile) -> Iterator[str]:
    """Changes of the table that would make it plain."""
    return (advice for layout in _possible(profile) if (advice := layout.advise(profile)))


def _ways(profile: Profile) -> list[tuple[Say, str]]:
    """Every way in which the table could be read, with its meaning."""
    return [(say, layout.meaning) for layout in _possible(profile) for say in layout.ways(profile)]
