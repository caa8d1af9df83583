"""Battles: two columns of contestants, and who won: ``judge,model_a,model_b,winner``, or the goals of both."""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from stagg.data.inputs.battle_rows import BattleRows, make_battle_rows
from stagg.errors import DataError, plural, shown
from stagg.formats.format import BY_ORDER, ONE_QUERY, Loaded
from stagg.formats.options import IGNORE
from stagg.formats.reading import Reading
from stagg.formats.row_checks import refuse_order_by, refuse_values
from stagg.formats.tables.cells import is_number_cell, read_number
from stagg.formats.tables.layouts.base import Layout, Sheet, call_column
from stagg.formats.tables.layouts.shared.voters import (
    comparison_names,
    count_column,
    is_count_name,
    read_counts,
    refuse_counts,
    with_multiplicities,
)
from stagg.formats.tables.profile import Profile
from stagg.formats.tables.roles import say_columns, told_by
from stagg.formats.tables.row_builder import RowBuilder, note_ignored, read_queries, refuse_empty
from stagg.formats.tables.verdicts import VerdictWords, find_middle, is_result, is_tie, split_words
from stagg.formats.tables.vocabulary import (
    COMPARERS,
    CONTESTANTS,
    FOUGHT_ON,
    GAME_SCORES,
    NO,
    SIDE_TEXTS,
    SIDES,
    TIE_TOKENS,
    VERDICTS,
    WINNERS,
    YES,
    plain_name,
)
from stagg.say import Say, tell

__all__ = ["BattleTable", "Battles"]

MOST: Final = 0.8  # of the cells of a column must be verdicts for it to be one of verdicts
SURE_WORDS: Final = VERDICTS.index("preferred")  # the words before it are names of a winner
THIRDS: Final = {"b": "c", "2": "3", "second": "third", "two": "three"}
"""Words of a third side: such columns are those of a longer row, and no two contestants."""

MODELS: Final = frozenset(("model", "system", "generator"))
Pair = tuple[int, int]
MOST_WORDS: Final = 100  # of a name that may hold a side; a text of a page is none


class Battles(Layout):
    """Battles: every row names two contestants and which of them won.

    The winner is the side, the name or a tie; or there are columns of yes and no, or the scores of both.
    """

    name = "battles"
    meaning = "every row is a battle: two contestants, and which of them won"
    example = "`judge,model_a,model_b,winner` or `home,away,home_goals,away_goals`"

    def fits(self, profile: Profile) -> bool:
        table = BattleTable(profile.first, profile.roles, profile.body)
        if profile.header is False or table.sides is None or not (table.results or table.scales):
            return False
        question = _ask(table, profile.reading, profile.table.lines[0])
        if question is not None:
            raise question
        return True

    def surely_fits(self, profile: Profile) -> bool:
        """Whether the rows are battles beyond doubt, even if who won has to be asked: player1, player2, result."""
        table = BattleTable(profile.first, profile.roles, profile.body)
        told = table.results or table.scales
        return bool(told) and all(map(table.share_a_noun, table.claims))

    def ways(self, profile: Profile) -> list[Say]:
        if profile.header is False:
            return []
        table = BattleTable(profile.first, profile.roles, profile.body, said=True)
        if table.sides and (table.results or table.number_pairs):
            return [Say(layout="battles")]
        scales = [call_column(profile.first, column) for column in table.find_scales()]
        return [Say(layout="battles", columns={role: scale}) for scale in scales for role in ("score", "rank")]

    def has_header(self, profile: Profile) -> bool:
        return True

    def check(self, sheet: Sheet, reading: Reading, line: int) -> None:
        """All columns but those of the contestants, the judge and the result may be left out."""
        refuse_order_by(reading, "this table has no column 'rank' beside a column 'score'")

    def read(self, sheet: Sheet, reading: Reading) -> tuple[Loaded, str]:
        """(a ranker of two items for every battle, which way its cells point)."""
        refuse_values(reading, "the rows of this table are battles")
        table = BattleTable(sheet.names or [""] * len(sheet.roles), sheet.roles, sheet.rows, said=True)
        sides, result = _check(table, sheet, reading)
        judge, count = _find_judge(sheet, table), count_column(sheet, reading.options)
        known = {*sides, *result.columns, judge, count}
        others = [column for column in range(len(sheet.roles)) if column not in known]
        refuse_counts(sheet, [c for c in others if sheet.names and is_count_name(sheet.names[c])], reading)
        queries = _read_queries(sheet, sides, reading)
        names = comparison_names(sheet, judge, queries, reading)
        rows = RowBuilder()
        for row, line, name, query in zip(sheet.rows, sheet.lines, names, queries, strict=True):
            for place, group in enumerate(_order(row, sides, result, sheet, reading, line)):
                for item in group:
                    rows.add(query, name, item, place, line)
        others = [c for c in others if len(set(queries)) < 2 or c != sheet.column("query")]
        note_ignored([sheet.names[c] for c in others if sheet.names and sheet.names[c]], reading)
        told = "every battle is a ranker that lists two items and says nothing of the others; fuse it with "
        reading.note(tell(told, Say(missing="skip"), " or ", Say(missing="neutral")))
        rankings = with_multiplicities(rows.assemble(reading, queries, names), sheet, count, names, reading)
        return Loaded(rankings, names_rankers=True, local_rankers=judge is None), BY_ORDER

    def tabulate(self, sheet: Sheet, reading: Reading) -> BattleRows:
        """The battles as they were fought: they keep who stood first, the judge and the question."""
        table = BattleTable(sheet.names or [""] * len(sheet.roles), sheet.roles, sheet.rows, said=True)
        sides, result = _check(table, sheet, reading)
        judge, count = _find_judge(sheet, table), count_column(sheet, reading.options)
        return _fight(sheet, (sides, result), (judge, count), reading)


def _fight(
    sheet: Sheet, told: tuple[Pair, _Result], columns: tuple[int | None, int | None], reading: Reading
) -> BattleRows:
    (sides, result), (judge, count) = told, columns
    judged = ((row, line, _judge(row, sides, result, sheet, reading, line)) for row, line in _rows(sheet))
    kept = [(row, line, won) for row, line, won in judged if won is not None]
    rows = [row for row, _, _ in kept]
    if len(rows) < len(sheet.rows):
        reading.note(f"left out for want of a verdict: {plural(len(sheet.rows) - len(rows), 'row')}")
    known = {*sides, *result.columns, judge, count}
    asked = _find_question(sheet, known)
    more = [column for column in range(len(sheet.roles)) if column not in {*known, asked}]

    def texts(column: int | None) -> list[str] | None:
        return None if column is None else [row[column] for row in rows]

    lines = [line for _, line, _ in kept]
    times = None if count is None else read_counts(dataclasses.replace(sheet, rows=rows, lines=lines), count, reading)
    return make_battle_rows(
        ([row[sides[0]] for row in rows], [row[sides[1]] for row in rows]),
        (int(won > 0) - int(won < 0) for _, _, won in kept),
        judges=texts(judge),
        questions=texts(asked),
        times=times,
        placed=not isinstance(result, _Named),
        detail=[_digest([row[column] for column in more]) for row in rows] if more and asked is not None else None,
    )


def _digest(cells: Sequence[str]) -> int:
    """A number for cells, the same in every process."""
    return zlib.crc32("\x1f".join(cells).encode("utf-8", "surrogatepass"))


def _rows(sheet: Sheet) -> Iterator[tuple[list[str], int]]:
    return zip(sheet.rows, sheet.lines, strict=True)


def _find_question(sheet: Sheet, taken: set[int | None]) -> int | None:
    """The column that says on which question the contestants met: as the caller says, else one that is named so."""
    given = sheet.column("query")
    if given is not None and given not in taken:
        return given
    names = [plain_name(name) for name in sheet.names or ()]
    return next((names.index(name) for name in FOUGHT_ON if name in names and names.index(name) not in taken), None)


# --- who won ----------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class _Result:
    """Columns that tell who won; ``read``: over 0 if the first contestant did, 0 for a tie, None if nobody knows."""

    columns: tuple[int, ...]

    def read(self, row: Sequence[str], sides: Pair) -> float | None:
        raise NotImplementedError


@dataclasses.dataclass(frozen=True)
class _Verdict(_Result):
    """One column of verdicts, or several: then somebody won only if all of them say so."""

    words: VerdictWords

    def read(self, row: Sequence[str], sides: Pair) -> float | None:
        if len(self.columns) == 1:
            return self.words.read(row[self.columns[0]], row[sides[0]], row[sides[1]])
        said = [self.words.read(row[column], row[sides[0]], row[sides[1]]) for column in self.columns]
        return None if None in said else said[0] if len({*said}) == 1 else 0.0


@dataclasses.dataclass(frozen=True)
class _OneHot(_Result):
    """A column of yes and no for each contestant, and one for ties."""

    def read(self, row: Sequence[str], sides: Pair) -> float | None:
        said = [row[column].casefold().removesuffix(".0") in YES for column in self.columns]
        return (1.0, -1.0, 0.0)[said.index(True)] if sum(said) == 1 else None


@dataclasses.dataclass(frozen=True)
class _Scores(_Result):
    """The goals, points or scores of both; ``sign`` is -1 where few are better."""

    sign: float = 1.0

    def read(self, row: Sequence[str], sides: Pair) -> float | None:
        one, other = (read_number(row[column].replace(",", ".")) for column in self.columns)
        return None if one is None or other is None else self.sign * ((one > other) - (one < other))


@dataclasses.dataclass(frozen=True)
class _Scale(_Result):
    """A number on a scale from one contestant to the other; ``sign`` is 1 where large numbers mean the first."""

    middle: float
    sign: float

    def read(self, row: Sequence[str], sides: Pair) -> float | None:
        number = read_number(row[self.columns[0]].replace(",", "."))
        return None if number is None else self.sign * ((number > self.middle) - (number < self.middle))


@dataclasses.dataclass(frozen=True)
class _Named(_Result):
    """The names of the columns tell it: winner and loser; there may be a column of yes and no for ties."""

    def read(self, row: Sequence[str], sides: Pair) -> float | None:
        said = [row[column].casefold().removesuffix(".0") for column in self.columns]
        return None if not {*said} <= {*YES, *NO} else 1.0 if {*said}.isdisjoint(YES) else 0.0


# --- columns ----------------------------------------------------------------------------------------------------------


class BattleTable:
    """The columns of a table that may hold battles, as their names and cells tell them."""

    def __init__(
        self, names: Sequence[str], roles: Sequence[str], rows: Sequence[Sequence[str]], *, said: bool = False
    ) -> None:
        self.names, self.roles, self.rows = names, roles, rows
        self.third: str | None = None  # a verdict such as C that was taken for a tie
        self.said = said  # somebody says that they are battles, so the cells alone may tell who won
        self.words = [split_words(name) for name in names]

    @cached_property
    def pairs(self) -> list[Pair]:
        """Pairs of columns whose names differ in a word for a side only."""
        return list(dict.fromkeys(self._pairs())) if self.rows else []

    def _pairs(self) -> Iterator[Pair]:
        for mark, other in (*WINNERS, *SIDES):
            for one, words in enumerate(self.words):
                for at, word in enumerate(words[:MOST_WORDS]):
                    if word != mark:
                        continue
                    twin, third = ((*words[:at], each, *words[at + 1 :]) for each in (other, THIRDS.get(other, "")))
                    if twin in self.words and third not in self.words:
                        yield one, self.words.index(twin)

    @cached_property
    def claims(self) -> list[Pair]:
        """The pairs that may be the contestants: several where their names tell it equally well."""
        texts = [pair for pair in self.pairs if not all(map(self._is_numeric, pair)) or self._are_ids(pair)]
        doubts = {pair: self._doubt(pair) for pair in texts if not self._names_verdict(pair[0]) or self._won(pair)}
        return [pair for pair, doubt in doubts.items() if doubt == min(doubts.values())] or self._unmarked()

    def _are_ids(self, pair: Pair) -> bool:
        """Whether two columns of numbers hold contestants: their names say it, and the numbers are whole."""
        words = {*self.words[pair[0]]}
        named = not words.isdisjoint(CONTESTANTS) and words.isdisjoint(SIDE_TEXTS | GAME_SCORES | {*VERDICTS})
        return named and all(cell.isdigit() for column in pair for cell in self.cells(column))

    def share_a_noun(self, pair: Pair) -> bool:
        """Whether the names of two columns say what both hold: player1 and player2, but not model and baseline."""
        return not {*self.words[pair[0]]}.intersection(self.words[pair[1]]).isdisjoint(CONTESTANTS)

    @property
    def sides(self) -> Pair | None:
        return self.claims[0] if self.claims else None

    def _doubt(self, pair: Pair) -> tuple[bool, int, int]:
        """How little the names of two columns say that they hold contestants."""
        words = self.words[pair[0]]
        known = [CONTESTANTS.index(word) for word in words if word in CONTESTANTS]
        best = -1 if len(words) == 1 else min(known, default=len(CONTESTANTS))
        best = -2 if not MODELS.isdisjoint(words) else best  # beside chosen_model, chosen is what it wrote
        return bool({*words} & SIDE_TEXTS), best, len(words)

    def _unmarked(self) -> list[Pair]:
        """The only two columns beside those of a judge and of a verdict that names one of them, or a cell of theirs."""
        plain = [plain_name(name) for name in self.names]
        verdicts = [column for column in range(len(plain)) if self._names_verdict(column)]
        others = [c for c, name in enumerate(plain) if name and c not in verdicts and name not in (*COMPARERS, "query")]
        if len(verdicts) != 1 or len(others) != 2 or not self.rows:
            return []
        one, other, chosen = *others, verdicts[0]
        words = ("", self.names[one], self.names[other])
        named = all(row[chosen] in (*words, row[one], row[other]) or is_tie(row[chosen]) for row in self.rows)
        return [(one, other)] if named and any(row[chosen] for row in self.rows) else []

    @cached_property
    def number_pairs(self) -> list[Pair]:
        """The pairs of columns of numbers beside the contestants."""
        return [pair for pair in self.pairs if pair not in self.claims and all(map(self._is_numeric, pair))]

    @cached_property
    def results(self) -> list[_Result]:
        """The ways to tell who won, of which all are equally good."""
        if self.sides is None:
            return []
        if self._won(self.sides):
            return [_Named(tuple(c for c, words in enumerate(self.words) if words and {*words} <= TIE_TOKENS))]
        given = [role for role in ("score", "rank") if self._is_given(role)]
        if given:
            return list(self._scaled(self.roles.index(given[0]), given[0]))
        return [*self._one_hot(), *self._verdicts()] or self._scores() or self._games() or self._unnamed_verdicts()

    @cached_property
    def scales(self) -> list[int]:
        """The columns of numbers that are named as verdicts, of which nobody knows which way they point."""
        columns = [column for column in self._named_verdicts() if self._is_numeric(column)]
        return [] if self.results else [c for c in columns if find_middle(self.cells(c)) is not None]

    def find_scales(self) -> list[int]:
        """The columns beside the contestants whose numbers may lie on a scale from one to the other."""
        if self.sides is None or self._doubt(self.sides)[1] == len(CONTESTANTS):
            return []
        free = [column for column in range(len(self.names)) if column not in self._taken() and self.names[column]]
        return [c for c in free if self._is_numeric(c) and find_middle(self.cells(c)) is not None]

    def cells(self, column: int) -> list[str]:
        return [row[column] for row in self.rows if row[column]]

    def _won(self, pair: Pair) -> bool:
        """Whether the names of two columns say that the first one holds the winners."""
        one, other = ({*self.words[column]} for column in pair)
        return any(winner in one and loser in other for winner, loser in WINNERS)

    def _is_given(self, role: str) -> bool:
        """Whether the caller gives this role to a column; one that has the name of the role may hold anything."""
        return role in self.roles and plain_name(self.names[self.roles.index(role)]) != role

    def _scaled(self, column: int, role: str) -> Iterator[_Result]:
        middle = find_middle(self.cells(column))
        if middle is not None:
            yield _Scale((column,), middle, 1.0 if role == "score" else -1.0)

    def _one_hot(self) -> Iterator[_Result]:
        ties = [c for c, words in enumerate(self.words) if {*words} & TIE_TOKENS and self._is_binary(c)]
        for pair in self.number_pairs:
            if self._names_verdict(pair[0]) and all(map(self._is_binary, pair)):
                yield _OneHot((*pair, *ties[:1]))

    def _verdicts(self) -> list[_Result]:
        """The columns that are named as verdicts, and whose cells say who won; numbers must name a side."""
        words, named = self._verdict_words, self._named_verdicts()
        self._find_third(named)
        sure = [c for c in named if self._tells(c, words) and self._is_sure(c)]
        sure = sure or [c for c in named if self._place_of_word(c) < SURE_WORDS and not self._is_numeric(c)][:1]
        best = min(map(self._place_of_word, sure), default=0)
        return [_Verdict((column,), words) for column in sure if self._place_of_word(column) == best]

    def _unnamed_verdicts(self) -> list[_Result]:
        """Any other column whose cells say who won, where somebody says that these are battles."""
        taken = {*self._named_verdicts(), *self._taken()}
        free = [c for c in range(len(self.names)) if c not in taken and (not self._is_numeric(c) or self._is_sure(c))]
        self._find_third(free)
        told = [column for column in free if self.said and self._tells(column, self._verdict_words)]
        return [_Verdict((column,), self._verdict_words) for column in told]

    @cached_property
    def _verdict_words(self) -> VerdictWords:
        assert self.sides is not None
        one, other = self.sides
        return VerdictWords(self.names[one], self.names[other], in_order=one < other)

    def _find_third(self, columns: Sequence[int]) -> None:
        """Take C for a tie in a column of A, B and C, where these are no names of contestants."""
        contestants = {cell.casefold() for side in self.sides or () for cell in self.cells(side)}
        for column in columns:
            cells = {*self.cells(column)}
            third = self._verdict_words.find_third(cells)
            if third is not None and contestants.isdisjoint(map(str.casefold, cells)):
                self._verdict_words.draws.add(third)
                self.third = third

    def _place_of_word(self, column: int) -> int:
        """The place among all words for verdicts of the first that is in the name of a column."""
        return min(VERDICTS.index(word) for word in self.words[column] if word in VERDICTS)

    def _named_verdicts(self) -> list[int]:
        return [
            column for column in range(len(self.names)) if self._names_verdict(column) and column not in self._taken()
        ]

    def _taken(self) -> set[int]:
        return {column for pair in (*self.claims, *self.number_pairs) for column in pair}

    def _is_sure(self, column: int) -> bool:
        """Whether cells are words, or numbers of a column that can only name the winner, or of two sides 1 and 2."""
        numbers = {cell.removesuffix(".0") for cell in self.cells(column)}
        assert self.sides is not None
        numbered = {"1", "2"} <= {word for side in self.sides for word in self.words[side]}
        told = {*self.words[column]} & {*VERDICTS[:SURE_WORDS]}
        return not self._is_numeric(column) or bool(told) or (numbered and {"1", "2"} <= numbers <= {"0", "1", "2"})

    def _tells(self, column: int, words: VerdictWords) -> bool:
        """Whether (nearly) all cells of a column are verdicts, and some name a winner."""
        assert self.sides is not None
        one, other = self.sides
        said = [words.read(row[column], row[one], row[other]) for row in self.rows if row[column]]
        known = [each for each in said if each is not None]
        return any(known) and len(known) >= MOST * len(said)

    def _scores(self) -> list[_Result]:
        """Two columns of numbers that are named as goals or points."""
        named = [pair for pair in self.number_pairs if {*self.words[pair[0]]} & GAME_SCORES]
        return [_Scores(pair) for pair in named]

    def _games(self) -> list[_Result]:
        """A column of results such as 2-1 that is named as goals or points."""
        named = [c for c in range(len(self.names)) if {*self.words[c]} & GAME_SCORES and c not in self._taken()]
        told = [c for c in named if self.cells(c) and all(map(is_result, self.cells(c)))]
        return [_Verdict((column,), self._verdict_words) for column in told]

    def _names_verdict(self, column: int) -> bool:
        return not {*VERDICTS}.isdisjoint(self.words[column])

    def _is_numeric(self, column: int) -> bool:
        cells = self.cells(column)
        return bool(cells) and all(is_number_cell(cell) or cell.casefold() in ("true", "false") for cell in cells)

    def _is_binary(self, column: int) -> bool:
        return {row[column].casefold().removesuffix(".0") for row in self.rows} <= {*YES, *NO}


# --- questions and rows -----------------------------------------------------------------------------------------------


def _ask(table: BattleTable, reading: Reading, line: int) -> DataError | None:
    """The question who the contestants are, or what tells the winner; None where there is no doubt."""
    if len(table.claims) > 1:
        return reading.ask("which two columns hold the contestants?", *_leave_others(table, table.claims), line=line)
    if not table.results and table.scales:
        return _ask_direction(table, table.scales[0], reading, line)
    if len(table.results) < 2 or _agree(table):
        return None
    columns = [result.columns for result in table.results]
    ways = list(_leave_others(table, columns))
    together = _join_names(table, [column for each in columns for column in each], " and ")
    if _are_alike(table):
        agreed = f"a win counts where {together} agree; all else is a tie"
        ways.insert(0, (Say(layout="battles"), agreed))
    return reading.ask(f"which column tells who won: {together}?", *ways, line=line)


def _ask_direction(table: BattleTable, column: int, reading: Reading, line: int) -> DataError:
    """The question which contestant the numbers of a column mean."""
    assert table.sides is not None
    name, one, middle = table.names[column], shown(table.names[table.sides[0]]), find_middle(table.cells(column))
    tie = f"{middle:g} is a tie"
    return reading.ask(
        f"the column {shown(name)} holds numbers; which of them mean that {one} won?",
        (say_columns(rank=call_column(table.names, column)), f"the small ones; {tie}"),
        (say_columns(score=call_column(table.names, column)), f"the large ones; {tie}"),
        line=line,
    )


def _leave_others(table: BattleTable, several: Sequence[Sequence[int]]) -> Iterator[tuple[Say, str]]:
    """The answers that leave one of several groups of columns, and ignore the others."""
    for kept in several:
        others = [column for columns in several for column in columns if column not in kept]
        ignored = "+".join(dict.fromkeys(table.names[column] for column in others))
        yield Say(columns={IGNORE: ignored}), f"{_join_names(table, kept, ' and ')} alone"


def _join_names(table: BattleTable, columns: Sequence[int], between: str) -> str:
    return between.join(shown(table.names[column]) for column in columns)


def _agree(table: BattleTable) -> bool:
    """Whether all ways to tell who won say the same in every row."""
    sides = table.claims[0]
    return all(len({result.read(row, sides) for result in table.results}) == 1 for row in table.rows)


def _are_alike(table: BattleTable) -> bool:
    """Whether several columns of verdicts have the same name but for a word or a number: g1_winner, g2_winner."""
    columns = [column for result in table.results if isinstance(result, _Verdict) for column in result.columns]
    names = [{*table.words[column]} - {*map(str, range(100))} for column in columns]
    return len(columns) == len(table.results) and all(len(each ^ names[0]) <= 2 for each in names)


def _check(table: BattleTable, sheet: Sheet, reading: Reading) -> tuple[Pair, _Result]:
    """The contestants and what tells the winner; a question, or an error, where that is not known."""
    line = sheet.header_line or 1
    if table.sides is None:
        raise reading.error(
            "expected two columns of contestants whose names differ in the side, such as model_a and model_b, and a "
            "column that says who won",
            line,
        )
    if table.results and table.third is not None:
        reading.note(f"the verdict {shown(table.third.upper())} was read as a tie")
    if table.results and len(table.claims) == 1 and _are_alike(table):
        verdicts = [result for result in table.results if isinstance(result, _Verdict)]
        columns = tuple(column for result in verdicts for column in result.columns)
        if len(columns) > 1:
            reading.note(f"a win counts where {_join_names(table, columns, ' and ')} agree; all else is a tie")
        return table.sides, _Verdict(columns, verdicts[0].words)
    question = _ask(table, reading, line)
    if question is not None:
        raise question
    return table.sides, table.results[0] if table.results else _score_pair(table, reading, line)


def _score_pair(table: BattleTable, reading: Reading, line: int) -> _Result:
    """The numbers of both contestants, where their names do not say that they are goals or points."""
    if len(table.number_pairs) != 1:
        raise reading.error(
            "no column says who won: name one winner, with the name of a contestant, the name of its column, or tie",
            line,
        )
    pair = table.number_pairs[0]
    small = told_by(table.names[pair[0]]) in ("small", "rank")
    less = "smaller" if small else "larger"
    reading.note(f"who has the {less} number won: {_join_names(table, pair, ' or ')}")
    return _Scores(pair, -1.0 if small else 1.0)


def _find_judge(sheet: Sheet, table: BattleTable) -> int | None:
    """The column that says who compared: as the caller says, else one that is named so."""
    taken = {column for pair in table.claims for column in pair}
    plain = enumerate(map(plain_name, sheet.names or []))
    named = (column for column, name in plain if name in COMPARERS and column not in taken)
    given = sheet.column("ranker")
    return next(named, None) if given is None else given


def _read_queries(sheet: Sheet, sides: Pair, reading: Reading) -> list[str]:
    """The query of every battle: one for all, unless the caller says it, or no contestant is in two queries."""
    column = sheet.column("query")
    if column is None or "query" in (reading.options.columns or {}):
        return read_queries(sheet, reading)
    met: dict[str, set[str]] = {}
    for row in sheet.rows:
        for side in sides:
            met.setdefault(row[side], set()).add(row[column])
    again = sum(len(queries) > 1 for queries in met.values())
    if not again:
        return read_queries(sheet, reading)
    name = sheet.name_of(column)
    if 2 * again >= len(met):
        more = tell("; ", say_columns(query=name), " makes a ranking for each ", shown(name))
        reading.note(tell("the battles are one query, for the contestants meet in several", more))
        return [ONE_QUERY] * len(sheet.rows)
    raise reading.ask(
        f"does the column {shown(name)} name queries, each with a ranking of its own?",
        (say_columns(query=name), "a ranking for each"),
        (say_columns(query=""), "one ranking"),
        line=sheet.header_line,
    )


def _order(row: list[str], sides: Pair, result: _Result, sheet: Sheet, reading: Reading, line: int) -> list[list[str]]:
    """The two contestants of a battle, best first; nothing where nobody knows who won, and reading is lenient."""
    one, other = (row[side] for side in sides)
    won = _judge(row, sides, result, sheet, reading, line)
    if won is None:
        return []
    return [[one, other]] if won == 0 else [[one], [other]] if won > 0 else [[other], [one]]


def _judge(row: list[str], sides: Pair, result: _Result, sheet: Sheet, reading: Reading, line: int) -> float | None:
    """Over 0 if the first won, 0 for a tie; None where nobody knows, and reading is lenient."""
    one, other = row[sides[0]], row[sides[1]]
    won = result.read(row, sides) if one and other and one != other else None
    if won is not None:
        return won
    if reading.options.lenient:
        reading.drop("no verdict", line)
        return None
    for cell in (one, other):
        refuse_empty(cell, "contestant", reading, line)
    leave = tell("; ", Say(lenient=True), " leaves such rows out")
    if one == other:
        raise reading.error(tell(f"the contestant {shown(one)} meets itself", leave), line)
    found = ", ".join(shown(row[column]) for column in result.columns)
    words = [shown(word) for word in _list_words(result, sheet, sides)]
    ways = f"{shown(one)}, {shown(other)}, {', '.join(words)} or 'tie'" if words else "a contestant"
    raise reading.error(tell(f"the verdict {found} is not one of {ways}", leave), line)


def _list_words(result: _Result, sheet: Sheet, sides: Pair) -> list[str]:
    """Words for the two sides, for messages."""
    return [sheet.names[side] for side in sides] if isinstance(result, _Verdict) and sheet.names else []
