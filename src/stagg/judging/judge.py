"""``judge``: what the judgments show so far of two settings, and which documents to judge next."""

from __future__ import annotations

import dataclasses
import html
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

import numpy as np

from stagg.data.inputs.construct import rankings_of
from stagg.data.inputs.types import RankingsLike
from stagg.data.labels import Labels, labels_of
from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, bare, plural, shown
from stagg.evaluation.tables import Table
from stagg.formats.documents.texts import TextsLike, check_texts
from stagg.judging.estimate import Difference, Scope, estimate
from stagg.judging.forecast import JudgingForecast, count_to_decide, forecast
from stagg.judging.judgments import JudgedLike, Judgments, join_judgments, qrels_text
from stagg.judging.pair_plan import JudgingPlan, Prefix
from stagg.judging.sheet import GRADES, Row, Sheet
from stagg.judging.sides import CompareLike, Side, find_sides
from stagg.judging.teach import TEACHES, draw_to_teach
from stagg.judging.units import DEFAULT_GAIN, HIGHEST_GRADE, Contrast, Gain, read_gain
from stagg.judging.verdict import DECIDED, FIRST_LOOK, LEANS, ComparisonVerdict, can_decide, decide_levels, stand
from stagg.kernels.arrays import BoolArray, FloatArray
from stagg.registry import check_seed, whole_number
from stagg.say import Say, tell

__all__ = ["JudgingResult", "first_forecast", "forecast_line", "join_p", "judge"]

FIRST_BATCH: Final = FIRST_LOOK
NEXT_BATCH: Final = 20
SETTLED: Final = ("decided", "known", "nothing to judge")
TEACH_BATCH: Final = 50
TOP_GRADE: Final = 3
FEW_QUERIES: Final = 10
MANY_COMPARISONS: Final = 5
MOST_ENTRIES: Final = 2_000_000


@dataclasses.dataclass(frozen=True, eq=False)
class JudgingResult:
    """What the judgments show, and what to judge next; prints as sentences.

    ``forecast`` says of each comparison how much so many judgments will show, ``verdict`` what they show so far.
    ``todo`` is the sheet of the next documents, None where nothing is left to judge. ``labels`` are all grades, and
    ``plan`` is the digest of the plan. ``progress``: how many documents of the batches so far are judged,
    and how many are not.
    """

    forecast: tuple[JudgingForecast, ...]
    verdict: tuple[ComparisonVerdict, ...]
    todo: Sheet | None
    labels: Labels
    plan: str
    notes: tuple[str, ...]
    table: Table
    progress: tuple[int, int] = (0, 0)

    def add_settings(self, **settings: Any) -> JudgingResult:
        """The same, with more to say on how it was made: see :meth:`Table.add_settings`."""
        return dataclasses.replace(self, table=self.table.add_settings(**settings))

    def add_texts(self, texts: TextsLike | None = None, query_texts: TextsLike | None = None) -> JudgingResult:
        """The same, with what the assessors read in the sheet, by the ids of documents and of queries."""
        if self.todo is None:
            return self
        items, queries = check_texts("texts", texts), check_texts("query_texts", query_texts)
        rows = tuple(
            row._replace(query_text=_join_text(queries.get(row.query)), item_text=_join_text(items.get(row.item)))
            for row in self.todo.rows
        )
        return dataclasses.replace(self, todo=dataclasses.replace(self.todo, rows=rows))

    @property
    def sentences(self) -> tuple[str, ...]:
        """What to tell: the forecast of what is not begun, and the verdict of what is."""
        told = [
            sentence
            for plan, found in zip(self.forecast, self.verdict, strict=True)
            for sentence in ((found.text, found.proxy_text) if found.judgments else (plan.text,))
            if sentence
        ]
        judged, missing = self.progress
        if missing:
            told.append(f"{judged:,} judged, {missing:,} missing: a batch counts when all of it is judged.")
        return (*told, self.next_text)

    @property
    def next_text(self) -> str:
        """What to do next, in a sentence."""
        if self.todo is None:
            return "Nothing is left to judge."
        if self.todo.plan.startswith(TEACHES):
            return f"Judge {plural(len(self.todo.rows), 'document')} to teach weights."
        batch = f"batch {self.todo.batch}, {plural(len(self.todo.rows), 'document')} to judge."
        if all(each.standing in SETTLED for each in self.verdict):
            return f"All is decided: you can stop. If you go on: {batch}"
        if all(each.standing in SETTLED or each.hopeless for each in self.verdict):
            return f"{self._hopeless_text} If you go on: {batch}"
        return f"Next: {batch}"

    @property
    def _hopeless_text(self) -> str:
        """Why to stop where judgments do not decide what is left."""
        if any(each.scope == "these" for each in self.verdict):
            return "As it looks now, you can stop."
        return "As it looks now, you can stop: more judgments narrow the answer for just these queries (scope: these)."

    def to_frame(self, library: str = "pandas") -> Any:
        """One row per comparison, as a frame of pandas or Polars."""
        return self.table.to_frame(library)

    def to_json(self) -> str:
        """The verdicts as rows, with the forecasts and the plan."""
        whole = json.loads(self.table.to_json())
        rows = whole.pop("rows")
        todo = None if self.todo is None else {"batch": self.todo.batch, "points": self.todo.points}
        more = {
            "plan": self.plan,
            "judged": sum(len(self.labels[query]) for query in self.labels),
            "todo": None if todo is None or self.todo is None else todo | {"documents": len(self.todo.rows)},
            "forecast": [each.to_row() for each in self.forecast],
        }
        return json.dumps(whole | more | {"rows": rows}, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def to_qrels(self) -> str:
        """All grades as qrels that name the plan."""
        return qrels_text(self.labels, self.plan)

    def __repr__(self) -> str:
        return "\n".join([*self.sentences, *(f"note: {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        said = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in self.sentences)
        noted = "".join(f"<li>{html.escape(note)}</li>" for note in self.notes)
        return f"<div>{said}{f'<ul>{noted}</ul>' if noted else ''}</div>"


def judge(
    rankings: RankingsLike,
    *,
    compare: CompareLike | None = None,
    judged: JudgedLike | Sequence[JudgedLike] | None = None,
    budget: int | None = None,
    proxy: Labels | Mapping[str, Mapping[str, float]] | None = None,
    scope: Scope = "future",
    measure: str = DEFAULT_GAIN,
    top_grade: float = TOP_GRADE,
    teach: bool = False,
    texts: TextsLike | None = None,
    query_texts: TextsLike | None = None,
    seed: int = 0,
) -> JudgingResult:
    """Say what the judgments show of two settings so far, and which documents to judge next.

    Call it again and again: judge the documents of ``result.todo``, and give all sheets back as ``judged``. The plan is
    a function of the rankings, the settings and the seed, so there is nothing else to keep.

    - ``compare``: two settings, or several pairs of them: names of rankers, texts of methods, methods, models. By
      default RRF is compared with each ranker.
    - ``judged``: sheets with grades, or files of them. Labels and qrel files are free where the plan asks for their
      documents, but they prove nothing by themselves.
    - ``budget``: how many documents to judge next. The default is 40 at first, then 20.
    - ``proxy``: labels by an LLM, as a control variate: they can narrow the intervals, and never bias them.
    - ``scope``: "future" is about queries like these, "these" about just the queries at hand, which is less.
    - ``measure``: "dcg@10", "p@10", "rbp(p=0.8)": a measure that is a sum over documents. ``top_grade`` is the highest
      grade that people give.
    - ``teach``: draw documents whose labels teach weights, instead of documents that decide the comparison.
    - ``texts``, ``query_texts``: what the assessors read, by id.

    >>> import stagg
    >>> runs = {"x": {q: {"a": 3, "b": 2} for q in "123"}, "y": {q: {"b": 3, "c": 2} for q in "123"}}
    >>> found = judge(runs, compare=("x", "y"))
    >>> found.forecast[0].documents, len(found.todo.rows)
    (9, 9)
    """
    given = rankings_of(rankings)
    _check_scope(scope, given)
    check_seed(seed)
    gain = read_gain(measure, _check_top(top_grade))
    pairs = find_sides(given, compare, gain.measure.cutoff)
    plan = JudgingPlan([Contrast.of(a.orders, b.orders, given.queries, gain) for a, b in pairs], seed)
    records = join_judgments(judged, plan.digest, plan.documents, gain.top)
    known = np.array([each in records.grades or each in records.cannot for each in plan.documents], dtype=bool)
    complete = _find_complete(plan, records, known)
    verdicts = _find_verdicts(plan, pairs, gain, records, complete, scope, _read_proxy(proxy))
    if teach:
        todo, notes = _draw_to_teach(given, gain, budget, seed, records), list[str]()
    else:
        todo, notes = _plan_next(plan, records, known, budget)
    todo = None if todo is None else dataclasses.replace(todo, grades=_name_grades(int(gain.top)))
    forecasts = tuple(forecast(plan, number, a.name, b.name, scope, gain.spread) for number, (a, b) in enumerate(pairs))
    notes = [*records.notes, *notes, *_warn(given, pairs, scope)]
    table = Table("judge", tuple(each.to_row() for each in verdicts), seed=seed, notes=tuple(notes))
    table = table.add_settings(measure=gain.name, scope=scope, top_grade=int(gain.top))
    progress = (0, 0) if teach else _find_progress(plan, records, known)
    found = JudgingResult(forecasts, tuple(verdicts), todo, records.labels, plan.digest, tuple(notes), table, progress)
    return found.add_texts(texts, query_texts)


def forecast_line(rankings: Rankings) -> str | None:
    """One line for commands that were given no labels: the first forecast in words, None where there is nothing."""
    found = first_forecast(rankings)
    return found.text if found is not None and found.widths else None


def first_forecast(rankings: Rankings) -> JudgingForecast | None:
    """What judging could show of RRF against the first ranker, for commands that were given no labels.

    None where that is nothing: with few queries, or with rows so many that nobody should wait for a hint.
    """
    if len(rankings.rankers) < 2 or len(rankings.queries) < FEW_QUERIES or len(rankings.entries) > MOST_ENTRIES:
        return None
    gain = read_gain(DEFAULT_GAIN, TOP_GRADE)
    sides = find_sides(rankings, [("rrf", rankings.rankers[0])], gain.measure.cutoff)
    plan = JudgingPlan([Contrast.of(a.orders, b.orders, rankings.queries, gain) for a, b in sides], 0)
    return forecast(plan, 0, sides[0][0].name, sides[0][1].name, "future", gain.spread)


# --- what the judgments show ------------------------------------------------------------------------------------------


def _find_complete(plan: JudgingPlan, records: Judgments, known: BoolArray) -> int:
    """The longest prefix that was handed out, and all of whose documents are judged."""
    handed_out = sorted((points for _, points in records.handed_out), reverse=True)
    return next((points for points in handed_out if known[plan.names(points)].all()), 0)


def _find_progress(plan: JudgingPlan, records: Judgments, known: BoolArray) -> tuple[int, int]:
    """How many documents of all that was handed out are judged, and how many are not."""
    judged = known[plan.names(max((points for _, points in records.handed_out), default=0))]
    return int(judged.sum()), int((~judged).sum())


def _find_verdicts(
    plan: JudgingPlan,
    pairs: Sequence[tuple[Side, Side]],
    gain: Gain,
    records: Judgments,
    points: int,
    scope: Scope,
    proxy: Labels | None,
) -> list[ComparisonVerdict]:
    """The verdict on each comparison, with Holm's rule over all of them."""
    predicted = [None if proxy is None else _predict(each, proxy, gain) for each in plan.contrasts]
    gains = [_find_gains(each, records, gain) for each in plan.contrasts]

    def see(number: int, scope: Scope) -> list[Difference]:
        found = [
            estimate(plan.plans[number], world, points, scope=scope, predicted=predicted[number])
            for world in gains[number]
        ]
        return [each for each in found if each is not None]

    seen = [see(number, scope) if len(each) else [] for number, each in enumerate(plan.contrasts)]
    these = [see(number, "these") if worlds and scope == "future" else None for number, worlds in enumerate(seen)]
    p = [join_p(worlds) for worlds in seen]
    decided = decide_levels([own if can_decide(worlds) else 1.0 for own, worlds in zip(p, seen, strict=True)])
    return [
        _rule(plan, number, a.name, b.name, gain, scope, seen[number], these[number], decided[number], p[number])
        for number, (a, b) in enumerate(pairs)
    ]


def _rule(
    plan: JudgingPlan,
    number: int,
    a: str,
    b: str,
    gain: Gain,
    scope: Scope,
    worlds: list[Difference],
    these: list[Difference] | None,
    decided: bool,
    p: float,
) -> ComparisonVerdict:
    contrast = plan.contrasts[number]
    head = ComparisonVerdict(a, b, gain.name, scope, "not judged", len(contrast), len(contrast.queries))
    if not len(contrast):
        return dataclasses.replace(head, standing="nothing to judge")
    if not worlds:
        return head
    found, standing = worlds[0], stand(worlds, scope, p, decided=decided)
    head = dataclasses.replace(
        head, standing=standing, judgments=found.judgments, points=found.points, different=found.different
    )
    if standing in ("few", "few relevant"):
        return head
    low, high = _hull(worlds)
    is_open = standing in ("open", "leans")
    return dataclasses.replace(
        head,
        value=float(np.mean([each.value for each in worlds])),
        low=low,
        high=high,
        these=_hull(these) if these is not None else None,
        needed=count_to_decide(plan, number, found, scope, DECIDED) if is_open else None,
        needed_these=_count_on_these(plan, number, these) if is_open else None,
        slope=None if found.alone is None or found.exact else found.slope,
        saved=None if found.alone is None or found.exact else found.saved,
        alone=found.alone,
    )


def _count_on_these(plan: JudgingPlan, number: int, these: list[Difference] | None) -> int | None:
    """How many judgments decide for just the queries at hand: those made, if they do."""
    if not these:
        return None
    if join_p(these) <= 1 - DECIDED:
        return these[0].judgments
    return count_to_decide(plan, number, these[0], "these", DECIDED)


def _hull(worlds: Sequence[Difference]) -> tuple[float, float]:
    """The interval of 95 % that covers what could not be judged, whatever its grade."""
    ends = [each.interval(LEANS) for each in worlds]
    return min(low for low, _ in ends), max(high for _, high in ends)


def join_p(worlds: Sequence[Difference]) -> float:
    """p of no difference; 1 where nothing is judged, or where what could not be judged decides the sign."""
    if not worlds or len({each.value > 0 for each in worlds}) > 1:
        return 1.0
    return max(each.p for each in worlds)


def _find_gains(contrast: Contrast, records: Judgments, gain: Gain) -> list[FloatArray]:
    """The gain of each unit; two readings where some could not be judged: all against A, and all for it."""
    documents = contrast.documents
    grades = np.array([records.grades.get(each, np.nan) for each in documents], dtype=float)
    cannot = np.array([each in records.cannot for each in documents], dtype=bool)
    if not cannot.any():
        return [gain.of(grades)]
    for_a = contrast.weight > 0
    worlds = [np.where(cannot, np.where(for_a == high, gain.top, 0.0), grades) for high in (False, True)]
    return [gain.of(each) for each in worlds]


def _predict(contrast: Contrast, proxy: Labels, gain: Gain) -> FloatArray:
    """What the proxy says of each unit; the mean of the others where it says nothing."""
    grades = np.array([proxy[query].get(item, np.nan) for query, item in contrast.documents], dtype=float)
    gains = gain.scaled_to(max(proxy.largest, 1.0)).of(grades)
    known = ~np.isnan(gains)
    if not known.any() and len(contrast):
        raise DataError("the proxy has no label for any document that differs; are its ids the same?")
    return np.where(known, gains, gains[known].mean() if known.any() else 0.0)


def _read_proxy(proxy: Any) -> Labels | None:
    return None if proxy is None else labels_of(proxy)


# --- what to judge next -----------------------------------------------------------------------------------------------


def _plan_next(
    plan: JudgingPlan, records: Judgments, known: BoolArray, budget: int | None
) -> tuple[Sheet | None, list[str]]:
    """The next batch: what is left of the last one, or the next points of the plan."""
    begun = max((points for _, points in records.handed_out), default=0)
    named = plan.names(begun)
    left = named[~known[named]]
    if len(left):
        batch = min((batch for batch, points in records.handed_out if points >= begun), default=1)
        note = f"{plural(len(left), 'document')} of batch {batch} or before not judged yet: they come first"
        return _make_sheet(plan, Prefix(begun, left), batch), [note]
    count = whole_number("budget", budget, least=1) if budget is not None else NEXT_BATCH if begun else FIRST_BATCH
    prefix = plan.extend(begun, count, known)
    if not len(prefix.documents):
        return None, []
    return _make_sheet(plan, prefix, max((batch for batch, _ in records.handed_out), default=0) + 1), []


def _make_sheet(plan: JudgingPlan, prefix: Prefix, batch: int) -> Sheet:
    """The documents of a batch, shuffled: their order tells nothing of ranks or settings."""
    rng = np.random.default_rng([plan.number, batch])
    rows = tuple(Row(*plan.documents[number]) for number in rng.permutation(prefix.documents).tolist())
    return Sheet(plan.digest, batch, max(prefix.points, 1), rows)


def _draw_to_teach(rankings: Rankings, gain: Gain, budget: int | None, seed: int, records: Judgments) -> Sheet | None:
    count = TEACH_BATCH if budget is None else whole_number("budget", budget, least=1)
    known = frozenset(records.grades) | records.cannot
    digest, documents = draw_to_teach(rankings, gain, count, seed, known)
    if not documents:
        return None
    rng = np.random.default_rng([seed, len(documents)])
    order = rng.permutation(len(documents)).tolist()
    return Sheet(digest, 1, len(documents), tuple(Row(*documents[number]) for number in order))


def _join_text(text: object) -> str:
    """A text, or a title and a text, as one; empty where there is none."""
    parts = text if isinstance(text, tuple) else (text or "",)
    return "\n".join(str(part) for part in parts if part)


def _name_grades(top: int) -> tuple[tuple[str, str], ...]:
    """The grades with their meanings: fewer than four take the outer ones."""
    if top == len(GRADES) - 1:
        return GRADES
    words = {0: "not relevant", 1: "relevant" if top == 1 else "related", 2: "relevant"}
    return tuple((str(grade), words.get(grade, f"grade {grade} of {top}")) for grade in range(top + 1))


# --- checks -----------------------------------------------------------------------------------------------------------


def _check_scope(scope: Any, rankings: Rankings) -> None:
    if scope not in get_args(Scope):
        raise InvalidParameter(f"scope is 'future' or 'these', not {shown(scope)}")
    if scope == "future" and len(rankings.queries) < 2:
        raise InvalidParameter(
            tell("one query shows nothing about other queries; to judge it alone, say ", Say(scope="these"))
        )


def _check_top(top: Any) -> float:
    if isinstance(top, bool) or not isinstance(top, int | float) or not 1 <= top <= HIGHEST_GRADE or top != int(top):
        raise InvalidParameter(f"the top grade is {shown(top)}; it must be a whole number from 1 to {HIGHEST_GRADE}")
    return float(top)


def _warn(rankings: Rankings, pairs: Sequence[tuple[Side, Side]], scope: Scope) -> list[str]:
    """What a reader of the verdicts must know."""
    notes = []
    if scope == "future" and len(rankings.queries) < FEW_QUERIES:
        notes.append(
            f"only {plural(len(rankings.queries), 'query', 'queries')}: what is said of queries like these is rough"
        )
    if len(pairs) > MANY_COMPARISONS:
        notes.append(f"{len(pairs)} comparisons share the judgments; name the ones that you care about")
    alike = [a.name for a, b in pairs if a.name == b.name]
    if alike:
        raise InvalidParameter(f"{bare(alike[0])} is compared with itself")
    seen = [frozenset((a.name, b.name)) for a, b in pairs]
    twice = next((pair for place, pair in enumerate(pairs) if seen[place] in seen[:place]), None)
    if twice is not None:
        raise InvalidParameter(f"{bare(twice[0].name)} and {bare(twice[1].name)} are compared twice")
    return notes
