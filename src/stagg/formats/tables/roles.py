"""Roles of columns: names in any case, the mapping that a caller gives, good guesses."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from stagg.errors import shown
from stagg.formats.numbers import parse_number, parse_whole
from stagg.formats.options import IGNORE, ROLES, ReadOptions
from stagg.formats.row_checks import LEFT_OUT
from stagg.formats.storage.source import Source
from stagg.formats.tables.layouts.named_direction import told_by

__all__ = [
    "ALIASES",
    "COUNT_WORDS",
    "ITEM_WORDS",
    "ROW_WORDS",
    "TIME_WORDS",
    "VOTER_WORDS",
    "check_ignored",
    "columns_option",
    "find_choice_of_two",
    "guess_mapping",
    "ignored_columns",
    "is_long",
    "is_numeric",
    "may_name_ranker",
    "name_roles",
    "names_other_role",
    "plain_name",
    "sides_of",
]

QUERY_IDS: Final = ("qid", "q_id", "query_id", "queryid", "topic_id")
ITEM_IDS: Final = (
    "docid", "doc_id", "docno", "document_id", "documentid", "passage_id", "passageid", "item_id", "itemid",
)  # fmt: skip
ALIASES: Final = {**dict.fromkeys(QUERY_IDS, "query"), **dict.fromkeys(ITEM_IDS, "item")}
"""Names that can mean nothing else, read without a word. A `pid` may be a passage or a participant, so it is none."""

VOTER_WORDS: Final = (
    "voter", "name", "id", "timestamp", "respondent", "participant", "ballot", "judge", "expert", "reviewer", "email",
    "email_address", "voter_id", "voter_name", "person", "student", "member", "response_id", "responseid", "rater",
    "assessor", "evaluator", "juror", "panelist", "username", "full_name", "your_name",
    "ballot_id", "student_id", "student_name", "member_id", "participant_id", "respondent_id", "judge_id",
    "reviewer_id", "employee", "employee_id", "person_id", "start_time", "completion_time", "last_modified_time",
    "start_date", "end_date", "submission_date", "submitted_at", "submitdate", "startdate", "datestamp",
    "e_mail", "e_mail_address", "e_mail_adresse", "adresse_e_mail", "indirizzo_email", "e_mailadres",
    "dirección_de_correo_electrónico", "endereço_de_e_mail",
    "zeitstempel", "horodateur", "marca_temporal", "informazioni_cronologiche", "tijdstempel", "carimbo_de_data/hora",
)  # fmt: skip
"""Names of columns that tell who answered, or when; the last lines are those of Google's forms in other languages."""
TIME_WORDS: Final = (
    "timestamp", "start_time", "completion_time", "last_modified_time", "start_date", "end_date", "submission_date",
    "submitted_at", "submitdate", "startdate", "datestamp", "zeitstempel", "horodateur", "marca_temporal",
    "informazioni_cronologiche", "tijdstempel", "carimbo_de_data/hora",
)  # fmt: skip
"""Those of them that tell when: two voters may answer at the same time."""
ROW_WORDS: Final = ("id", "response_id", "responseid", "ballot", "ballot_id")
"""Those of them that number the answers: a voter who answers twice has two."""
ITEM_WORDS: Final = (
    "item", "doc", "document", "docid", "doc_id", "docno", "gene", "candidate", "product", "passage", "url", "symbol",
    "option", "alternative",
)  # fmt: skip
COUNT_WORDS: Final = (
    "multiplicity", "count", "counts", "votes", "voters", "ballots", "frequency", "freq", "number_of_votes",
    "number_of_voters", "number_of_ballots", "n_votes", "n_voters", "num_votes", "num_voters",
)  # fmt: skip
CHOSEN: Final = ("winner", "choice", "chosen", "preferred", "preference", "result", "selected")
GUESSES: Final = {
    "query": ("qid", "q_id", "query_id", "queryid", "topic", "topic_id", "question", "election", "session", "user",
              "user_id", "userid", "request"),
    "ranker": ("system", "run", "run_id", "runid", "model", "engine", "voter", "voter_id", "judge", "expert",
               "annotator",
               "reviewer", "source", "lab", "method", "algorithm", "retriever", "respondent", "participant", "user",
               "user_id", "userid"),
    "item": (*ITEM_WORDS, "document_id", "passage_id", "pid", "item_id", "itemid", "movie", "movie_id", "movieid",
             "name",
             "id", "title"),
    "score": ("sim", "similarity", "value", "rating", "points", "relevance", "weight", "prob", "probability"),
    "rank": ("position", "place", "pos", "ranking", "order", "preference", "priority", "choice"),
}  # fmt: skip
"""Names that tell a role well enough to propose it, and not well enough to take it."""


def plain_name(name: str) -> str:
    """A column's name without capitals, blanks around it, and with underscores between its words."""
    return "_".join(name.strip(" \t").casefold().replace("-", " ").split())


def name_roles(names: Sequence[str], source: Source, options: ReadOptions, line: int | None = None) -> list[str]:
    """The names with the roles in the place of the columns that have one; the caller's mapping comes first.

    A column whose role the caller gave to another keeps its own name in brackets, so that nobody takes it for the role.
    A column that the caller wants to be ignored is `LEFT_OUT`.
    """
    mapped = _map_columns(names, source, options, line)
    given = set(options.columns or ())
    roles = []
    for number, name in enumerate(names):
        plain = plain_name(name)
        role = mapped.get(number) or (plain if plain in ROLES else None)
        if role == "score" and number in mapped and told_by(name) == "small":
            call = columns_option({"rank": name})
            source.log.note(f"{source.name}: {shown(name)} was read as a score, large = top; {call} if small is better")
        taken = number not in mapped and role in given
        roles.append(LEFT_OUT if role == IGNORE else f"({name})" if taken else role or name)
    open_names = ["" if number in mapped else name for number, name in enumerate(names)]
    aliases = _find_aliases(open_names, [role for role in ROLES if role not in given], roles)
    return [aliases.get(number, role) for number, role in enumerate(roles)]


def _find_aliases(names: Sequence[str], wanted: Collection[str], taken: Collection[str]) -> dict[int, str]:
    """{number of a column: the role that its name can only mean}.

    None where two columns claim a role: in frames of PyTerrier `query` is a text beside `qid`, `docid` a number beside
    `docno`.
    """
    said = ((number, ALIASES.get(plain_name(name))) for number, name in enumerate(names))
    aliases = {number: role for number, role in said if role in wanted and role is not None}
    claims = [*aliases.values(), *(role for role in set(aliases.values()) if role in taken)]
    return aliases if len(set(claims)) == len(claims) else {}


def is_long(roles: Sequence[str]) -> bool:
    """Whether these columns make one row a listed item."""
    return "item" in roles and ("score" in roles or "rank" in roles)


def _map_columns(names: Sequence[str], source: Source, options: ReadOptions, line: int | None) -> dict[int, str]:
    """{number of a column: its role} as the caller says it."""
    found: dict[int, str] = {}
    given = [(role, name) for role, name in (options.columns or {}).items() if role != IGNORE]
    left_out = [(IGNORE, name) for name in _split_ignored(names, options)]
    for role, name in (*given, *left_out):
        if not name:
            continue  # the caller says that there is no such column
        number = _find_column(names, name, options)
        if number is None:
            import difflib

            near = difflib.get_close_matches(name, names, 1)
            hint = f"; did you mean {shown(near[0])}?" if near else ""
            listed = ", ".join(map(shown, names[:20]))
            raise source.error(f"there is no column {shown(name)} for {role}; the columns are {listed}{hint}", line)
        if found.get(number, role) != role:
            message = f"the column {shown(names[number])} cannot be both {found[number]} and {role}"
            raise source.error(message, line)
        found[number] = role
    return found


def _split_ignored(names: Sequence[str], options: ReadOptions) -> list[str]:
    """The columns to leave out: one, or several with + between; a name may have a + of its own."""
    text = (options.columns or {}).get(IGNORE, "")
    return [text] if _find_column(names, text, options) is not None else [name.strip() for name in text.split("+")]


def ignored_columns(names: Sequence[str], source: Source, options: ReadOptions, line: int | None = None) -> list[int]:
    """The numbers of the columns that the caller leaves out."""
    return [number for number, role in _map_columns(names, source, options, line).items() if role == IGNORE]


def _find_column(names: Sequence[str], name: str, options: ReadOptions) -> int | None:
    plain = [plain_name(each) for each in names]
    if options.header is not False:
        if name in names:
            return names.index(name)
        if plain_name(name) in plain:
            return plain.index(plain_name(name))
    number = parse_whole(name) or 0
    return number - 1 if 1 <= number <= len(names) else None


# --- guesses ----------------------------------------------------------------------------------------------------------


def columns_option(mapping: dict[str, str]) -> str:
    """The option that gives these columns their roles, as a caller writes it.

    >>> columns_option({"item": "doc id"})
    "columns={'item': 'doc id'}"
    """
    return "columns={" + ", ".join(f"'{role}': {shown(name)}" for role, name in mapping.items()) + "}"


def guess_mapping(names: Sequence[str], body: Sequence[Sequence[str]]) -> dict[str, str] | None:
    """{role: column} for a long table with other names; None where there is no item or no number.

    ``body`` are some of its rows: a column of texts is no rank and no score. Without any, names are all there is.
    """
    plain = [plain_name(name) for name in names]
    numeric = {name for column, name in enumerate(names) if not body or is_numeric(body, column)}
    roles = [name if name in ROLES else "" for name in plain]
    guesses: dict[str, str] = {}
    if {"qid", "docno"} <= set(plain):  # PyTerrier: "query" is the text of the query, "docid" an internal number
        guesses = {"query": names[plain.index("qid")], "item": names[plain.index("docno")]}
    for role in ("query", "ranker", "item", "rank", "score"):
        unused = [name for name, known in zip(names, roles, strict=True) if not known and name not in guesses.values()]
        unused = [name for name in unused if role not in ("rank", "score") or name in numeric]
        name = None if role in roles or role in guesses else _first_guess(role, unused)
        if name is not None:
            guesses[role] = name
    if "item" not in guesses and "item" not in roles:
        left = [
            n
            for k, n in enumerate(names)
            if n and not roles[k] and n not in guesses.values() and not is_numeric(body, k)
        ]
        if not left or (len(left) > 1 and not {"rank", "score"} & set(roles)):
            return None
        guesses["item"] = left[0]
    if not {"rank", "score"} & {*guesses, *roles}:
        free = [k for k, name in enumerate(names) if name and not roles[k] and name not in guesses.values()]
        number = next((names[k] for k in free if names[k] in numeric), None)
        if number is None:
            return None
        guesses["rank" if told_by(number) == "small" else "score"] = number
    return {role: guesses[role] for role in ROLES if role in guesses}


def _first_guess(role: str, names: Sequence[str]) -> str | None:
    words = GUESSES[role]
    exact = next((name for name in names if plain_name(name) in words), None)
    return exact or next((name for name in names if _is_near(plain_name(name), role)), None)


def _is_near(name: str, role: str) -> bool:
    import difflib

    return len(name) > 3 and bool(difflib.get_close_matches(name, [role], 1, 0.75))


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


def find_choice_of_two(names: Sequence[str]) -> tuple[int, int, int] | None:
    """The columns (one item, the other, which was chosen) of comparisons that name a winner and no loser.

    >>> find_choice_of_two(["judge", "a", "b", "choice"]), find_choice_of_two(["winner", "loser"])
    ((1, 2, 3), None)
    """
    plain = [plain_name(name) for name in names]
    chosen = [column for column, name in enumerate(plain) if name in CHOSEN]
    others = [c for c, name in enumerate(plain) if name and name not in (*CHOSEN, *VOTER_WORDS, *ROLES, "tie")]
    if {"a", "b", "choice"} <= set(plain):
        return plain.index("a"), plain.index("b"), plain.index("choice")
    told = len(chosen) == 1 and len(others) == 2 and "loser" not in plain
    told = told and not any(plain[column].startswith(plain[chosen[0]]) for column in others)  # choice, choice.1
    return (others[0], others[1], chosen[0]) if told else None


def sides_of(one: str, other: str) -> tuple[set[str], set[str]]:
    """Words that say that the first of two columns, or the second, holds the winner: its name, or the end of it.

    >>> sorted(sides_of("model_a", "model_b")[0]), sorted(sides_of("a", "b")[1])
    (['a', 'model_a'], ['2', 'b'])
    """
    first, second = {one, _end_of(one)}, {other, _end_of(other)}
    if (one, other) == ("a", "b"):
        first, second = {"a", "1"}, {"b", "2"}
    return first - second - {""}, second - first - {""}


def _end_of(name: str) -> str:
    """The end of a name that tells it from its neighbour: the 1 of player1, the a of model_a."""
    match = re.search(r"(?:[0-9]+|(?:^|[_.])[^_.]+)$", name)
    return match[0].strip("_.") if match else ""


def check_ignored(
    roles: Sequence[str],
    source: Source,
    options: ReadOptions,
    line: int | None = None,
    *,
    checked: Sequence[str] = ("query", "ranker"),
) -> None:
    """A column that may name the query or the ranker is not ignored: lists would run together."""
    given = options.columns or {}
    _refuse_ignored_counts(roles, source, given, line)
    for role in checked:
        if role in roles or role in given:
            continue
        name = _first_guess(role, [name for name in roles if name not in ROLES])
        if name is None:
            continue
        both = [each for each in checked if plain_name(name) in GUESSES[each] and each not in roles]
        calls = " or ".join(f"{columns_option({each: name})}" for each in both or [role])
        raise source.error(
            f"the column {shown(name)} may name the {' or the '.join(both or [role])}: say {calls}, "
            f"or {columns_option({role: ''})} to ignore it",
            line,
        )


def _refuse_ignored_counts(roles: Sequence[str], source: Source, given: Mapping[str, str], line: int | None) -> None:
    """A column beside the rankers that may count the voters of each is not ignored, for their votes would be lost."""
    name = next((name for name in roles if name not in ROLES and plain_name(name) in COUNT_WORDS), None)
    if name is None or not {"ranker", "item"} <= {*roles} or "multiplicity" in (*roles, *given):
        return
    count, ignore = columns_option({"multiplicity": name}), columns_option({"multiplicity": ""})
    raise source.error(
        f"the column {shown(name)} may count the voters of each ranker: say {count}, or {ignore} to ignore it", line
    )
