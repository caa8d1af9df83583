"""Roles of columns: by their names in any case, by the caller's mapping, and by one scoring of names and cells."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from stagg.errors import shown
from stagg.formats.numbers import parse_number, parse_whole
from stagg.formats.options import IGNORE, ROLES, ReadOptions
from stagg.formats.reading import Reading
from stagg.formats.row_checks import LEFT_OUT
from stagg.formats.tables.ordinals import read_place
from stagg.formats.tables.vocabulary import (
    ABOUT_NAMES,
    ABOUT_WORDS,
    ALIASES,
    COUNT_WORDS,
    DESCRIBED,
    DESCRIBING,
    DISTANCE,
    GUESSES,
    JUDGES,
    MAYBE_ABOUT,
    MAYBE_SMALL,
    MEAN_MEASURES,
    MEASURES,
    NEGATIVE_LOG,
    NO_NUMBERS,
    PERSONS,
    PYTERRIER,
    RANK_NAME,
    ROUNDS,
    SCORE_NAME,
    SMALL_IS_TOP,
    STATISTICS,
    SUBJECTS,
    SUMMARIES,
    SUMMARY_FILLERS,
    SURE_ROLES,
    SURE_VOTERS,
    plain_name,
)
from stagg.say import Say, join_told, name_option, tell

__all__ = [
    "check_ignored",
    "describes_items",
    "find_lower",
    "find_run_columns",
    "ignored_columns",
    "is_judge",
    "is_long",
    "is_measure",
    "is_numeric",
    "is_round",
    "is_subject",
    "is_surely_small",
    "map_columns",
    "may_name_ranker",
    "name_roles",
    "name_statistic",
    "names_other_role",
    "propose_results",
    "propose_roles",
    "say_columns",
    "sums_up",
    "told_by",
]

NUMBERS: Final = ("rank", "score")
NAMED, NEAR, SHOWN = 40.0, 25.0, 10.0
"""Scores of a column for a role: by a word for it, by a misspelling of it, by its cells alone."""


def name_roles(names: Sequence[str], reading: Reading, line: int | None = None) -> list[str]:
    """The names with the roles in the place of the columns that have one; the caller's mapping comes first.

    A column whose role the caller gave to another keeps its own name in brackets, so that nobody takes it for the role.
    A column that the caller wants to be ignored is `LEFT_OUT`.
    """
    mapped = map_columns(names, reading, line)
    given = set(reading.options.columns or ())
    described = DESCRIBED if {plain_name(name) for name in names} >= PYTERRIER else ()
    roles = _name_mapped(names, mapped, described, reading)
    closed = {number for number, name in enumerate(names) if number in mapped or plain_name(name) in described}
    open_names = ["" if number in closed else name for number, name in enumerate(names)]
    wanted = [role for role in ROLES if role not in given]
    aliases = _find_aliases(open_names, wanted, roles)
    roles = [aliases.get(number, role) for number, role in enumerate(roles)]
    sure = _find_sure(open_names, wanted, roles)
    if sure:
        read_as = ", ".join(f"{shown(names[number])} was read as {role}" for number, role in sure.items())
        reading.note(tell(f"{read_as}; ", name_option("columns"), " names other columns"))
    return _name_only_number([sure.get(number, role) for number, role in enumerate(roles)], reading)


def _name_mapped(
    names: Sequence[str], mapped: Mapping[int, str], described: Collection[str], reading: Reading
) -> list[str]:
    """The names with the roles that a caller gives, or that they are; those that others have are in brackets."""
    given, roles = set(reading.options.columns or ()), []
    for number, name in enumerate(names):
        plain = plain_name(name)
        role = mapped.get(number) or (plain if plain in ROLES else None)
        if role == "score" and number in mapped and told_by(name) == "small":
            call = say_columns(rank=name)
            reading.note(tell(f"{shown(name)} was read as a score, large = top; ", call, " if small is better"))
        taken = number not in mapped and (role in given or plain in described)
        roles.append(LEFT_OUT if role == IGNORE else f"({name})" if taken else role or name)
    return roles


def _find_sure(names: Sequence[str], wanted: Collection[str], roles: Sequence[str]) -> dict[int, str]:
    """{number of a column: the role that its name can hardly fail to mean}, where all columns then make a long table.

    None where two columns claim a role, or where another column could be the item or the number.
    """
    rest = {number: plain_name(name) for number, name in enumerate(names) if name and roles[number] not in ROLES}
    open_roles = [role for role in wanted if role not in NUMBERS or not {*NUMBERS} & {*roles}]
    sure = {number: SURE_ROLES[plain] for number, plain in rest.items() if SURE_ROLES.get(plain) in open_roles}
    claims = [*sure.values(), *(role for role in roles if role in ROLES)]
    if not sure or len(set(claims)) < len(claims) or not is_long(claims) or {*NUMBERS} <= {*sure.values()}:
        return {}
    beside = [plain for number, plain in rest.items() if number not in sure and plain not in DESCRIBING]
    beside = [plain for plain in beside if "rank" not in roles or SURE_ROLES.get(plain) not in NUMBERS]
    place = "position" in [rest[number] for number in sure] and "query" not in claims  # of a gene, or an office
    return {} if place or (beside and not is_long(roles)) else sure


def _name_only_number(roles: list[str], reading: Reading) -> list[str]:
    """The roles, with that of the only column beside query, item and ranker whose name tells how its numbers point."""
    others = [number for number, role in enumerate(roles) if role not in ("query", "ranker", "item")]
    given = reading.options.columns or {}
    if len(others) != 1 or not {"query", "item"} <= {*roles} or {"rank", "score"} & {*roles, *given}:
        return roles
    name = roles[others[0]]
    told = {"small": "rank" if DISTANCE.search(name.casefold()) else None}.get(told_by(name) or "", told_by(name))
    if told is None or reading.options.layout not in (None, "long"):
        return roles
    if told_by(name) == "small":
        reading.note(f"{shown(name)} was read as a rank: small = top")
    return [told if number == others[0] else role for number, role in enumerate(roles)]


def _find_aliases(names: Sequence[str], wanted: Collection[str], taken: Collection[str]) -> dict[int, str]:
    """{number of a column: the role that its name can only mean}.

    None where two columns claim a role.
    """
    said = ((number, ALIASES.get(plain_name(name))) for number, name in enumerate(names))
    aliases = {number: role for number, role in said if role in wanted and role is not None}
    claims = [*aliases.values(), *(role for role in set(aliases.values()) if role in taken)]
    return aliases if len(set(claims)) == len(claims) else {}


def is_long(roles: Sequence[str]) -> bool:
    """Whether these columns make one row a listed item."""
    return "item" in roles and ("score" in roles or "rank" in roles)


def map_columns(names: Sequence[str], reading: Reading, line: int | None) -> dict[int, str]:
    """{number of a column: its role} as the caller says it."""
    found: dict[int, str] = {}
    given = [(role, name) for role, name in (reading.options.columns or {}).items() if role != IGNORE]
    left_out = [(IGNORE, name) for name in _split_ignored(names, reading.options)]
    for role, name in (*given, *left_out):
        if not name:
            continue  # the caller says that there is no such column
        number = _find_column(names, name, reading.options)
        if number is None:
            import difflib

            near = difflib.get_close_matches(name, names, 1)
            hint = f"; did you mean {shown(near[0])}?" if near else ""
            listed = ", ".join(map(shown, names[:20]))
            raise reading.error(f"there is no column {shown(name)} for {role}; the columns are {listed}{hint}", line)
        if found.get(number, role) != role:
            message = f"the column {shown(names[number])} cannot be both {found[number]} and {role}"
            raise reading.error(message, line)
        found[number] = role
    return found


def _split_ignored(names: Sequence[str], options: ReadOptions) -> list[str]:
    """The columns to leave out: one, or several with + between; a name may have a + of its own."""
    text = (options.columns or {}).get(IGNORE, "")
    return [text] if _find_column(names, text, options) is not None else [name.strip() for name in text.split("+")]


def ignored_columns(names: Sequence[str], reading: Reading, line: int | None = None) -> list[int]:
    """The numbers of the columns that the caller leaves out."""
    return [number for number, role in map_columns(names, reading, line).items() if role == IGNORE]


def _find_column(names: Sequence[str], name: str, options: ReadOptions) -> int | None:
    plain = [plain_name(each) for each in names]
    if options.header is not False:
        if name in names:
            return names.index(name)
        if plain_name(name) in plain:
            return plain.index(plain_name(name))
    number = parse_whole(name) or 0
    return number - 1 if 1 <= number <= len(names) else None


def told_by(name: str) -> str | None:
    """ "rank", "score" or "small" (small numbers are better, though they are no ranks), where a name tells it.

    >>> [told_by(name) for name in ("bm25_rank", "Similarity", "distance", "bm25")]
    ['rank', 'score', 'small', None]
    """
    if NEGATIVE_LOG.search(name.casefold()):
        return "score"
    plain = _words(name)
    for told, wanted in (("small", SMALL_IS_TOP), ("rank", RANK_NAME), ("score", SCORE_NAME)):
        if wanted.search(plain):
            return told
    return None


def name_statistic(name: str) -> str | None:
    """ "p", "adjusted" or "effect" where a name is that of a statistic, as programs that test genes write them.

    >>> [name_statistic(name) for name in ("P.Value", "neg|fdr", "log2FoldChange", "bm25")]
    ['p', 'adjusted', 'effect', None]
    """
    plain = plain_name(name).rpartition("|")[2]
    return next((kind for kind, words in STATISTICS.items() if plain in words), None)


def is_surely_small(name: str) -> bool:
    """Whether a name tells without doubt that small numbers are better.

    >>> [is_surely_small(name) for name in ("latency_ms", "PPL ↓", "price score", "distance", "bm25")]
    [True, True, False, False, False]
    """
    return told_by(name) == "small" and not MAYBE_SMALL.search(_words(name))


def is_subject(name: str) -> bool:
    """Whether a column of this name holds things that are measured or judged: models, vendors, contestants.

    >>> [is_subject(name) for name in ("Model", "vendor_name", "Teams", "name", "voter")]
    [True, True, True, False, False]
    """
    return _names_one_of(name, SUBJECTS)


def is_measure(name: str) -> bool:
    """Whether a column of this name holds measures: benchmarks, tasks, criteria."""
    return _names_one_of(name, MEASURES)


def _names_one_of(name: str, words: Collection[str]) -> bool:
    plain = re.sub(r"_(?:name|names|id)$", "", plain_name(name))
    return plain in words or plain.removesuffix("s") in words


def is_judge(name: str) -> bool:
    """Whether a column is named after a judge: Judge 1, Reviewer B."""
    return bool(words := _words(name).split()) and words[0].strip(":.") in JUDGES


def is_round(name: str) -> bool:
    """Whether a column is named after a part of a contest, whose numbers may be times as well as points: Lap 2."""
    return bool(ROUNDS.intersection(_bare_words(name)))


def describes_items(name: str) -> bool | None:
    """Whether a column of this name describes the items and ranks none; None where it may do either.

    >>> [describes_items(name) for name in ("#Params (B)", "License", "Rank", "Votes", "bm25")]
    [True, True, True, None, False]
    """
    words = _bare_words(name)
    if ABOUT_WORDS.intersection(words) or " ".join(words) in ABOUT_NAMES or name.strip(" ") == "#":
        return True
    return None if " ".join(words) in MAYBE_ABOUT else False


def sums_up(name: str) -> bool | None:
    """Whether a row or column of this name sums up the others; None where its numbers must show it.

    >>> [sums_up(name) for name in ("Total", "Average WER ⬇️", "Mean (Task)", "average precision", "points", "bm25")]
    [True, True, True, None, None, False]
    """
    words = _bare_words(name)
    sums = [word for word in words if word in SUMMARIES]
    if sums and (SUMMARY_FILLERS.union(SUMMARIES).issuperset(words) or _is_mean_of_measure(words)):
        return True
    return None if sums or (words and SUMMARY_FILLERS.issuperset(words)) else False


def _is_mean_of_measure(words: Sequence[str]) -> bool:
    """Whether a name begins with "mean" or "average", and does not go on as that of a measure of its own."""
    return words[0] in ("mean", "average", "avg") and len(words) > 1 and words[1] not in MEAN_MEASURES


def _bare_words(name: str) -> list[str]:
    """The words of a name without what stands in brackets, signs and digits."""
    return re.findall(r"[^\W\d_]+", re.sub(r"\([^()]*\)|\[[^\[\]]*\]", " ", name).casefold())


def _words(name: str) -> str:
    """A name in small letters, with blanks between its words."""
    return re.sub(r"[_-]", " ", re.sub(r"([a-z])([A-Z])", r"\1 \2", name)).casefold()


def find_lower(reading: Reading, names: Sequence[str], what: str = "column", line: int | None = None) -> frozenset[str]:
    """Those of the names whose small numbers are top, as the caller says; another name is an error."""
    given = reading.options.lower or ()
    wanted = _split_names(given, names) if isinstance(given, str) else given
    by_plain = {plain_name(name): name for name in reversed(names)}
    found = [name if name in names else by_plain.get(plain_name(name)) for name in wanted]
    missing = next((name for name, one in zip(wanted, found, strict=True) if one is None), None)
    if missing is not None:
        listed = ", ".join(map(shown, names[:20])) + (", …" if len(names) > 20 else "")
        raise reading.error(
            tell(f"there is no {what} {shown(missing)} for ", name_option("lower"), f"; the {what}s are {listed}"), line
        )
    return frozenset(filter(None, found))


def _split_names(text: str, names: Collection[str]) -> list[str]:
    """The names between the commas of a text; a name may have a comma of its own.

    >>> _split_names("Price, net,ppl", ["Price, net", "ppl"])
    ['Price, net', 'ppl']
    """
    pieces, found, known = text.split(","), [], {plain_name(name) for name in names}
    while pieces:
        joined = (",".join(pieces[:end]).strip(" ") for end in range(len(pieces), 0, -1))
        name = next((each for each in joined if plain_name(each) in known), pieces[0].strip(" "))
        pieces = pieces[name.count(",") + 1 :]
        found.append(name)
    return list(filter(None, found))


def say_columns(**roles: str) -> Say:
    """The option that gives these columns their roles.

    >>> print(say_columns(item="doc id"))
    columns={'item': 'doc id'}
    """
    return Say(columns=roles)


# --- one scoring of columns to roles ----------------------------------------------------------------------------------


def propose_roles(names: Sequence[str], body: Sequence[Sequence[str]]) -> dict[str, str] | None:
    """{role: column} for a long table whose names are others, or none; None where there is no item or no number.

    ``body`` are some of its rows. Each column has a score for each role, by its name and by its cells; the best pair
    is taken first, then the best of the others. Columns that are named as a role are not in the result.
    """
    results = propose_results(names, body)
    if results is not None:
        return {role: name for role, name in results.items() if plain_name(name) != role}
    columns = [_Scored(number, name, body) for number, name in enumerate(names)]
    known = {column.plain for column in columns if column.plain in ROLES}
    if {"qid", "docno"} <= {column.plain for column in columns}:  # PyTerrier: query is the text of the query
        known -= {"query"}
    free = [column for column in columns if column.plain not in known and (column.name or not any(names))]
    found = _match_names(free, known, has_body=bool(body))
    left = [column for column in free if column not in found.values()]
    _find_item(found, left, known)
    _find_number(found, left, known)
    if "item" not in {*found, *known} or not {"rank", "score"} & {*found, *known}:
        return None
    _find_owners(found, left, known)
    return {role: found[role].call for role in ROLES if role in found}


def _match_names(free: Sequence[_Scored], known: Collection[str], *, has_body: bool) -> dict[str, _Scored]:
    """{role: column} by the names: the best pair of all first."""
    wanted = [role for role in ("item", "rank", "score", "query", "ranker") if role not in known]
    pairs = [(column.score(role, has_body), role, column) for column in free for role in wanted]
    pairs.sort(key=lambda pair: (-pair[0], wanted.index(pair[1]), pair[2].number))
    docno = next((column for column in free if column.plain == "docno"), None)  # beside it, docid is a number
    found = {} if docno is None else {"item": docno}
    for score, role, column in pairs:
        if score >= NEAR and role not in found and column not in found.values():
            found[role] = column
    return found


def propose_results(names: Sequence[str], body: Sequence[Sequence[str]]) -> dict[str, str] | None:
    """{role: column} for a table of results: models (items), tasks (rankers) and values; None for other tables."""
    columns = [_Scored(number, name, body) for number, name in enumerate(names)]
    if any(column.plain in (*ROLES[:3], *ALIASES) for column in columns):
        return None
    texts = [column for column in columns if len(column.cells) == len(body) and not column.is_numeric]
    items = [column for column in texts if is_subject(column.name) and column.repeats]
    measures = [column for column in texts if is_measure(column.name)]
    numbers = [column for column in columns if column.is_numeric and not describes_items(column.name)]
    values = [column for column in numbers if column.plain in ("score", *GUESSES["score"])] or numbers[:1]
    if not (items and measures and values):
        return None
    roles = {"item": items[0].name, "score": values[0].name}
    ranker = next((one for one in measures if _tell_apart(body, [items[0], one])), None)
    if ranker is not None:
        return {"ranker": ranker.name, **roles}
    if len(measures) > 1 and _tell_apart(body, [items[0], *measures[:2]]):
        return {"query": measures[0].name, "ranker": measures[1].name, **roles}
    return None


def find_run_columns(rows: Sequence[Sequence[str]]) -> dict[str, str] | None:
    """{role: number of a column} of a run without a header: rows of query, item and rank; None for other tables.

    The ranks count from 1 in every query, whose rows follow one another. A column behind them holds the scores if its
    numbers fall in every query.

    >>> find_run_columns([["q1", "d1", "1", "9.5", "bm25"], ["q1", "d2", "2", "8.5", "bm25"]])
    {'query': '1', 'item': '2', 'rank': '3', 'score': '4'}
    """
    width = len(rows[0]) if rows else 0
    if width < 3 or len(rows) < 2:
        return None
    item = 2 if width > 3 and len({row[1] for row in rows}) == 1 else 1  # Q0
    lists = [list(group) for _, group in itertools.groupby(rows, key=lambda row: row[0])]
    if len({row[0] for row in rows}) < len(lists) or item + 1 >= width:
        return None
    if any([row[item + 1] for row in each] != [str(n) for n in range(1, len(each) + 1)] for each in lists):
        return None
    if any(len({row[item] for row in each}) < len(each) for each in lists):
        return None
    roles = {"query": 0, "item": item, "rank": item + 1}
    scores = [[parse_number(row[item + 2]) for row in each] for each in lists] if item + 2 < width else [[None]]
    numbers = [[number for number in each if number is not None] for each in scores]
    if numbers == scores and all(each == sorted(each, reverse=True) for each in numbers):
        roles["score"] = item + 2
    return {role: str(column + 1) for role, column in roles.items()}


def _tell_apart(body: Sequence[Sequence[str]], columns: Sequence[_Scored]) -> bool:
    """Whether no two rows have the same cells in these columns."""
    return len({tuple(row[column.number] for column in columns) for row in body}) == len(body)


class _Scored:
    """One column, as a candidate for roles."""

    def __init__(self, number: int, name: str, body: Sequence[Sequence[str]]) -> None:
        self.number, self.name, self.plain = number, name, plain_name(name)
        self.call = name or str(number + 1)
        self.cells = [row[number] for row in body if row[number]]
        told = [cell for cell in self.cells if cell.casefold() not in NO_NUMBERS]  # DNF is no place
        self.numbers = [read_place(cell) if parse_number(cell.replace(",", ".")) is None
                        else parse_number(cell.replace(",", ".")) for cell in told]  # fmt: skip
        self.is_numeric = bool(told) and None not in self.numbers
        self.repeats = len(set(self.cells)) < len(self.cells) or len(self.cells) == 1
        self.is_whole = bool(self.cells) and all(map(str.isdigit, self.cells))

    def score(self, role: str, has_body: bool) -> float:
        """By its name; a column of texts is no rank and no score."""
        if role in ("rank", "score") and has_body and not self.is_numeric:
            return 0.0
        if role == "ranker" and is_subject(self.name) and not self.repeats:
            return 0.0  # a model in every row is what is ranked
        words = GUESSES[role]
        if self.plain in words or SURE_ROLES.get(self.plain) == role:
            return NAMED + (ALIASES.get(self.plain) == role) + (role == "ranker" and self.plain in PERSONS)
        return NEAR if _is_near(self.plain, role) else 0.0

    @property
    def number_role(self) -> str:
        """Whether it seems to hold ranks or scores, by its name or its numbers."""
        told = told_by(self.name)
        ranks = 1.0 in self.numbers and all(number is not None and number >= 1 for number in self.numbers)
        return "rank" if told in ("rank", "small") or (told is None and ranks and self.is_whole) else "score"


def _find_item(found: dict[str, _Scored], left: list[_Scored], known: Collection[str]) -> None:
    """The items by the cells: the column of texts that repeats itself least.

    Of several such columns it is the last, behind query and ranker; but the first where a rank or score is named, and
    other texts describe the items.
    """
    if "item" in found or "item" in known:
        return
    texts = [column for column in left if not column.is_numeric] or [c for c in left if c.is_whole and c.number][:1]
    if not texts:
        return
    most = max(len({*column.cells}) for column in texts)
    least = [column for column in texts if len({*column.cells}) == most or not any(each.name for each in texts)]
    found["item"] = least[0 if {"rank", "score"} & {*known} else -1]
    left.remove(found["item"])


def _find_number(found: dict[str, _Scored], left: list[_Scored], known: Collection[str]) -> None:
    """The ranks or scores by the cells: the only column of numbers, but for one that numbers the queries."""
    if {"rank", "score"} & {*found, *known}:
        return
    numbers = [column for column in left if column.is_numeric]
    told = [column for column in numbers if told_by(column.name)]
    others = told or [column for column in numbers if not _may_number_queries(column, found, known)] or numbers[-1:]
    both = others if len({column.number_role for column in others}) == len(others) == 2 else others[:1]
    for column in both:
        found[column.number_role] = column
        left.remove(column)


def _find_owners(found: dict[str, _Scored], left: list[_Scored], known: Collection[str]) -> None:
    """The queries and the rankers by the cells: columns whose cells come again."""
    owners = [column for column in left if column.repeats and not column.is_numeric]
    owners = [column for column in left if column.is_numeric and _may_number_queries(column, found, known)] + owners
    if "query" in {*found, *known} or len(owners) > 2:
        return
    voters = [column for column in owners if column.plain in SURE_VOTERS]
    if voters and "ranker" not in {*found, *known}:
        found["ranker"] = voters[0]
        owners.remove(voters[0])
    open_roles = [role for role in ("query", "ranker") if role not in {*found, *known}]
    found.update(zip(open_roles, owners, strict=False))


def _may_number_queries(column: _Scored, found: Mapping[str, _Scored], known: Collection[str]) -> bool:
    """Whether a column may number the queries of the items: whole numbers, of which some come again.

    Behind the items it is rather a ranker's numbers, unless items come again as well.
    """
    if "query" in {*found, *known} or not column.is_whole or not column.repeats:
        return False
    item = found.get("item")
    return item is None or column.number < item.number or item.repeats


def _is_near(name: str, role: str) -> bool:
    import difflib

    return len(name) > 3 and bool(difflib.get_close_matches(name, [role], 1, 0.75))


def _first_guess(role: str, names: Sequence[str]) -> str | None:
    """The first name that tells a role well enough to propose it."""
    exact = next((name for name in names if plain_name(name) in GUESSES[role]), None)
    return exact or next((name for name in names if _is_near(plain_name(name), role)), None)


def is_numeric(body: Sequence[Sequence[str]], column: int) -> bool:
    """Whether a column holds numbers, and nothing else where it is filled."""
    cells = [row[column] for row in body if row[column]]
    return bool(cells) and all(parse_number(cell.replace(",", ".")) is not None for cell in cells)


def names_other_role(name: str) -> bool:
    """Whether a column is named as if it held queries, rankers, ranks or scores, rather than one ranker's numbers."""
    return any(plain_name(name) in GUESSES[role] for role in ("query", "ranker", "rank", "score"))


def may_name_ranker(name: str) -> bool:
    """Whether a column may hold rankers, such as users, who may be queries as well."""
    return plain_name(name) in GUESSES["ranker"]


def check_ignored(
    roles: Sequence[str],
    reading: Reading,
    line: int | None = None,
    *,
    checked: Sequence[str] = ("query", "ranker"),
) -> None:
    """A column that may name the query or the ranker is not ignored: lists would run together."""
    given = reading.options.columns or {}
    _refuse_ignored_counts(roles, reading, given, line)
    for role in checked:
        if role in roles or role in given:
            continue
        name = _first_guess(role, [name for name in roles if name not in ROLES])
        if name is None:
            continue
        both = [each for each in checked if plain_name(name) in GUESSES[each] and each not in roles]
        calls = join_told(" or ", [say_columns(**{each: name}) for each in both or [role]])
        what = f"the column {shown(name)} may name the {' or the '.join(both or [role])}: say "
        ignore = say_columns(**dict.fromkeys(both or [role], ""))
        raise reading.error(tell(what, calls, ", or ", ignore, " to ignore it"), line)


def _refuse_ignored_counts(roles: Sequence[str], reading: Reading, given: Mapping[str, str], line: int | None) -> None:
    """A column beside the rankers that may count the voters of each is not ignored, for their votes would be lost."""
    name = next((name for name in roles if name not in ROLES and plain_name(name) in COUNT_WORDS), None)
    if name is None or not {"ranker", "item"} <= {*roles} or "multiplicity" in (*roles, *given):
        return
    count, ignore = say_columns(multiplicity=name), say_columns(multiplicity="")
    what = f"the column {shown(name)} may count the voters of each ranker: say "
    raise reading.error(tell(what, count, ", or ", ignore, " to ignore it"), line)
