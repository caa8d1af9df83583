"""``gate``: whether a new run may replace an old one. PASS, FAIL or UNDECIDED, by bounds of the mean difference."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, Literal, get_args

import numpy as np

from stagg.data.inputs.types import RankingsLike
from stagg.data.labels import Labels, labels_of
from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, bare, plural, shown
from stagg.evaluation.evaluate import order_run
from stagg.evaluation.overlap import all_queries, list_items, one_run
from stagg.evaluation.proxy import Halves, estimate_by_proxy, split_queries
from stagg.evaluation.significance import TIE, Estimate, estimate_means, holm, sign_flip
from stagg.evaluation.tables import Table
from stagg.formats.documents.texts import TextsLike, check_texts, find_heading
from stagg.kernels.arrays import FloatArray
from stagg.measures import NDCG, Asked, Conventions, MeasuresLike, ask_measures, judge
from stagg.registry import check_seed
from stagg.say import Say, tell

__all__ = ["Change", "Fall", "GateResult", "UnjudgedRule", "Verdict", "gate", "reach_verdict", "title_falls"]

Verdict = Literal["PASS", "FAIL", "UNDECIDED"]
UnjudgedRule = Literal["stop", "irrelevant"]

PASS_LEVEL: Final = 0.95
FAIL_LEVEL: Final = 0.975
DEFAULT_MEASURE: Final = "ndcg@10"
FIRST: Final = 10  # the first places of a measure without a cutoff
FEW: Final = 10  # fewer queries that differ are worth a warning
SHOWN: Final = 5  # queries that fell most


@dataclasses.dataclass(frozen=True)
class Change:
    """One measure of both runs: its means, their difference (new - old), and what can be said of it.

    ``lower``: the one-sided 95 % lower bound of the difference; PASS needs it above -margin. ``upper``: the one-sided
    97.5 % upper bound, at the level that Holm's correction over the measures asks for; below 0 the measure fell.
    ``p_within``: p that the difference is not above -margin; ``p_fall``: p that it is not below 0, by Holm's
    correction. Both by t, which decides; ``..._random`` are those of the sign-flip test. ``needed``: about how many
    queries would decide on this measure, None where it is decided. With a proxy, ``slope`` is λ, how far it is
    believed, and ``difference``, the bounds and the p by t are corrected by it; ``old`` and ``new`` are the means by
    people, and so are the ``..._random``.
    """

    measure: str
    old: float
    new: float
    difference: float
    lower: float
    upper: float
    p_within: float
    p_within_random: float
    p_fall: float
    p_fall_random: float
    differing: int
    needed: int | None
    slope: float | None = None


@dataclasses.dataclass(frozen=True)
class Fall:
    """A query whose value of a measure fell; ``text`` is its title, where it is known."""

    query: str
    measure: str
    old: float
    new: float
    difference: float
    text: str | None = None


@dataclasses.dataclass(frozen=True, eq=False)
class GateResult:
    """The verdict of a gate, and everything it rests on; prints as the verdict with its table.

    ``reason`` is the verdict in a sentence. ``needed``: about how many queries would decide, None where the verdict is
    PASS or FAIL. ``falls``: the queries that fell most, by the measure that looks worst. ``values[run, measure,
    query]`` holds the values themselves, of OLD and NEW.
    """

    verdict: Verdict
    reason: str
    margin: float
    changes: tuple[Change, ...]
    falls: tuple[Fall, ...]
    needed: int | None
    queries: tuple[str, ...]
    values: FloatArray
    table: Table

    def add_settings(self, **settings: Any) -> GateResult:
        """The same, with more to say on how it was made: see :meth:`Table.add_settings`."""
        return dataclasses.replace(self, table=self.table.add_settings(**settings))

    @property
    def shown(self) -> Table:
        """The columns of the table that people read."""
        rows = [
            {
                "measure": row["measure"],
                "OLD": row["old"],
                "NEW": row["new"],
                "difference": row["difference"],
                "at least": row["lower"],
                "at most": row["upper"],
                "p (t)": row["p_fall"],
                "p (random)": row["p_fall_random"],
                **({} if row["slope"] is None else {"λ": row["slope"]}),
            }
            for row in self.table.rows
        ]
        words = "at least: one-sided 95 % bound; at most: one-sided 97.5 % bound; p: of a fall, one-sided"
        notes = (words + " (at most and p with Holm's correction)" * (len(rows) > 1), *self.table.notes)
        return dataclasses.replace(self.table, rows=tuple(rows), notes=notes)

    @property
    def fall_table(self) -> Table:
        """The queries that fell most, as a table."""
        named = any(fall.text is not None for fall in self.falls)
        rows = [
            {"query": fall.query}
            | ({"text": fall.text} if named else {})
            | {"OLD": fall.old, "NEW": fall.new, "difference": fall.difference}
            for fall in self.falls
        ]
        return Table("gate", tuple(rows))

    def to_json(self) -> str:
        """The table's JSON with the verdict, the margin and the queries that fell most."""
        head = json.loads(self.table.to_json())
        rows = head.pop("rows")
        found = {"verdict": self.verdict, "reason": self.reason, "margin": self.margin, "queries": len(self.queries)}
        rest = {"queries_needed": self.needed, "rows": rows, "falls": [dataclasses.asdict(fall) for fall in self.falls]}
        return json.dumps(head | found | rest, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def to_markdown(self) -> str:
        """The verdict, the table and the queries that fell most, as a summary for a pull request."""
        parts = [f"## stagg gate: {self.verdict}\n\n{self.reason}\n", self.shown.to_markdown()]
        if self.falls:
            parts.append(f"{title_falls(self.falls)}\n\n{self.fall_table.to_markdown()}")
        return "\n".join(parts)

    def __repr__(self) -> str:
        return f"{self.verdict}: {self.reason}\n\n{self.shown!r}"


def gate(
    old: RankingsLike,
    new: RankingsLike,
    labels: Labels | Mapping[str, Mapping[str, float]],
    *,
    margin: float,
    measures: MeasuresLike = DEFAULT_MEASURE,
    conventions: Conventions = "standard",
    unjudged: UnjudgedRule = "stop",
    only_common: bool = False,
    single_precision: bool | None = None,
    proxy: Labels | Mapping[str, Mapping[str, float]] | None = None,
    query_texts: TextsLike | None = None,
    seed: int = 0,
) -> GateResult:
    """Decide whether the run ``new`` may replace the run ``old``, on queries like these.

    - PASS: for every measure, the one-sided 95 % lower bound of the mean difference (new - old) is above -``margin``.
      All of them must be, so no correction for several measures is needed (an intersection-union test, Berger 1982).
    - FAIL: not PASS, and for one measure the one-sided 97.5 % upper bound is below 0, with Holm's correction.
    - UNDECIDED otherwise, with the number of queries that would decide with 80 % probability, if the difference and its
      spread are as they look.

    Student's t decides; the sign-flip test is shown beside it.

    - ``margin``: the largest fall of a measure that you accept. Choose it before you look.
    - ``unjudged``: a document that only one run has among its first k, and that has no label, counts as irrelevant and
      so against the run that found it. "stop" is an error that says how many there are, "irrelevant" goes on. k is the
      largest cutoff of the measures, at least 10 where one has no cutoff.
    - ``only_common``: leave out queries that one of the runs lacks. Otherwise such a query counts 0 for this run.
    - ``proxy``: labels by an LLM, say, also of queries that people did not judge. They narrow the bounds as far as they
      agree with people (:mod:`stagg.evaluation.proxy`); queries of ``labels`` that it lacks are left out.
    - ``query_texts``: texts of queries, by id, for the list of those that fell most.
    - ``measures``, ``conventions`` and ``single_precision`` are those of :func:`stagg.evaluate`.

    >>> labels = {str(q): {"a": 1, "b": 0, "c": 0} for q in range(30)}
    >>> old = {"old": {str(q): {"a": 3, "b": 2, "c": 1} for q in range(30)}}
    >>> new = {"new": {str(q): {"a": 1 + 2 * (q % 3 > 0), "b": 2, "c": 0} for q in range(30)}}
    >>> gate(old, new, labels, margin=0.02, measures="mrr").verdict
    'FAIL'
    """
    _check_margin(margin)
    check_seed(seed)
    if unjudged not in get_args(UnjudgedRule):
        raise InvalidParameter(f"unjudged is 'stop' or 'irrelevant', not {shown(unjudged)}")
    runs = [
        order_run(one_run(given, name), conventions, single_precision) for given, name in ((old, "OLD"), (new, "NEW"))
    ]
    grades = labels_of(labels)
    asked = ask_measures(measures)
    queries = _find_queries(runs, grades, only_common=only_common)
    if proxy is not None:
        second = _judge_by_proxy(runs, labels_of(proxy), asked, queries, conventions, only_common=only_common)
        queries = list(second.halves.both)
    harmed = [each.measure.cutoff for each in asked if not each.measure.ignores_unjudged]
    notes = _check_judged(runs, grades, queries, _find_depth(harmed), conventions, unjudged) if harmed else []
    judged = [judge(run, grades.take(queries), conventions=conventions, largest=grades.largest) for run in runs]
    values = np.stack([[each.measure.value(one) for each in asked] for one in judged])
    notes += _tell_without_relevant(judged[0].without_relevant, len(queries), values)
    seen = {*queries, *(() if proxy is None else second.halves.proxy_only)}
    notes += [note for each in asked if (note := each.note or _tell_gain(each)) is not None] + _tell_queries(
        runs, grades, queries, seen
    )
    same = _rank_alike(runs, queries, conventions)
    settings = {"margin": margin, "unjudged": None if unjudged == "stop" else unjudged, "only_common": only_common}
    differences = (values[1] - values[0]).T
    estimates, slopes = estimate_means(differences), None
    if proxy is not None:
        notes += second.tell()
        estimates, slopes = second.correct(differences)
    return _decide(
        [each.name for each in asked], judged[0].queries, values, estimates, slopes, margin=margin, same=same,
        seed=seed, texts=check_texts("query_texts", query_texts), notes=notes, conventions=conventions,
        settings=settings,
    )  # fmt: skip


@dataclasses.dataclass(frozen=True, eq=False)
class _Second:
    """Differences by the labels of a proxy, of the queries that people judged, too, and of the others."""

    halves: Halves
    both: FloatArray
    others: FloatArray

    def correct(self, differences: FloatArray) -> tuple[list[Estimate], list[float]]:
        """The estimated mean difference of each measure with the help of the proxy, and its λ."""
        columns = zip(differences.T, self.both.T, self.others.T, strict=True)
        found = [estimate_by_proxy(mine, seen, rest) for mine, seen, rest in columns]
        return [estimate for estimate, _ in found], [slope for _, slope in found]

    def tell(self) -> list[str]:
        """What the bounds rest on."""
        alone = self.halves.people_only
        left = f"; {_count(alone)} without labels of the proxy left out" if alone else ""
        return [
            f"difference, bounds and p (t) are corrected by the proxy: {_count(len(self.halves.both))} with labels of "
            f"both, {len(self.halves.proxy_only):,} with labels of the proxy alone{left}. This holds if the former are "
            "a random sample of all these queries; OLD and NEW are the means by people"
        ]


def _judge_by_proxy(
    runs: Sequence[Rankings],
    proxy: Labels,
    asked: Sequence[Asked],
    queries: Sequence[str],
    conventions: Conventions,
    *,
    only_common: bool,
) -> _Second:
    seen = _find_queries(runs, proxy, only_common=only_common, whose="labels of the proxy")
    halves = split_queries(queries, seen)
    judged = [judge(run, proxy.take(seen), conventions=conventions, largest=proxy.largest) for run in runs]
    values = np.stack([[each.measure.value(one) for each in asked] for one in judged])
    place = {query: number for number, query in enumerate(judged[0].queries)}
    both, others = ([place[query] for query in half] for half in (halves.both, halves.proxy_only))
    differences = (values[1] - values[0]).T
    return _Second(halves, differences[both], differences[others])


def _decide(
    measures: Sequence[str],
    queries: tuple[str, ...],
    values: FloatArray,
    estimates: Sequence[Estimate],
    slopes: Sequence[float] | None,
    *,
    margin: float,
    same: bool,
    seed: int,
    texts: TextsLike,
    notes: list[str],
    conventions: Conventions,
    settings: Mapping[str, Any],
) -> GateResult:
    """The verdict on values[run, measure, query] and the estimated mean difference of each measure."""
    changes = _compare(measures, values, estimates, slopes or [None] * len(measures), margin, seed)
    verdict: Verdict = "PASS" if same else reach_verdict(estimates, margin)
    needed = _count_needed(estimates, margin) if verdict == "UNDECIDED" else None
    worst = min(range(len(measures)), key=lambda number: changes[number].p_fall)
    reason = _tell_same(len(queries)) if same else _REASONS[verdict](changes, margin, len(queries), needed)
    few = [] if same else _warn_of_few(changes, len(queries))
    rows = tuple(dataclasses.asdict(change) for change in changes)
    table = Table("gate", rows, conventions=conventions, seed=seed, notes=(*notes, *few)).add_settings(**settings)
    falls = _find_falls(measures[worst], queries, values[:, worst], texts)
    return GateResult(verdict, reason, margin, tuple(changes), falls, needed, queries, values, table)


def reach_verdict(estimates: Sequence[Estimate], margin: float) -> Verdict:
    """The rule of the gate, on the estimated mean difference (new - old) of each measure.

    >>> reach_verdict([Estimate(-0.01, 0.004, 49, 50)], 0.02), reach_verdict([Estimate(-0.02, 0.004, 49, 50)], 0.02)
    ('PASS', 'FAIL')
    """
    if all(_is_within(each, margin) for each in estimates):
        return "PASS"
    return "FAIL" if min(_bound_by_holm(estimates)) < 0 else "UNDECIDED"


def _is_within(estimate: Estimate, margin: float) -> bool:
    """Whether the lower bound is above -margin; a fall by the margin itself is not, whatever rounding makes of it."""
    return estimate.lower(PASS_LEVEL) > -margin + min(TIE, margin / 2)


def _compare(
    measures: Sequence[str],
    values: FloatArray,
    estimates: Sequence[Estimate],
    slopes: Sequence[float | None],
    margin: float,
    seed: int,
) -> list[Change]:
    """What is known of each measure."""
    differences = (values[1] - values[0]).T
    p_fall = np.array([each.p_below(0.0) for each in estimates])
    uppers = _bound_by_holm(estimates)
    within = sign_flip(differences + margin, seed=seed, side="above")
    fall = sign_flip(-differences, seed=seed, side="above")
    means = values.mean(axis=2)
    return [
        Change(
            measure=measure,
            old=float(means[0, m]),
            new=float(means[1, m]),
            difference=each.mean,
            lower=each.lower(PASS_LEVEL),
            upper=uppers[m],
            p_within=each.p_above(-margin),
            p_within_random=float(within[m]),
            p_fall=float(holm(p_fall)[m]),
            p_fall_random=float(holm(fall)[m]),
            differing=int((np.abs(differences[:, m]) >= TIE).sum()),
            needed=_whole(_count_alone(each, uppers[m], len(estimates), margin)),
            slope=slopes[m],
        )
        for m, (measure, each) in enumerate(zip(measures, estimates, strict=True))
    ]


def _bound_by_holm(estimates: Sequence[Estimate]) -> list[float]:
    """Upper bounds that are below 0 exactly where Holm's step-down procedure rejects at 2.5 %.

    The measure of the i-th smallest p (from 0) of M is tested at .025 / (M - i), up to the first that is not rejected;
    the others keep the level of that one.
    """
    alpha, count = 1 - FAIL_LEVEL, len(estimates)
    p = [each.p_below(0.0) for each in estimates]
    order = np.argsort(p, kind="stable")
    passed = [p[m] < alpha / (count - i) for i, m in enumerate(order)]
    rejected = passed.index(False) if False in passed else count
    levels = {int(m): 1 - alpha / (count - min(i, rejected, count - 1)) for i, m in enumerate(order)}
    return [each.upper(levels[m]) for m, each in enumerate(estimates)]


def _count_alone(estimate: Estimate, upper: float, measures: int, margin: float) -> float:
    """How many queries would decide on one measure; not a number where it is decided."""
    if _is_within(estimate, margin) or upper < 0:
        return math.nan
    return min(_count_to_pass(estimate, margin), _count_to_fail(estimate, measures))


def _count_needed(estimates: Sequence[Estimate], margin: float) -> int | None:
    """How many queries would decide: all measures within the margin, or one of them below 0."""
    to_pass = max(_count_to_pass(each, margin) for each in estimates)
    to_fail = min(_count_to_fail(each, len(estimates)) for each in estimates)
    return _whole(min(to_pass, to_fail))


def _count_to_pass(estimate: Estimate, margin: float) -> float:
    return estimate.count_needed(estimate.mean + margin, PASS_LEVEL)


def _count_to_fail(estimate: Estimate, measures: int) -> float:
    return estimate.count_needed(-estimate.mean, 1 - (1 - FAIL_LEVEL) / measures)


def _whole(count: float) -> int | None:
    return int(count) if math.isfinite(count) else None


def _find_falls(measure: str, queries: Sequence[str], values: FloatArray, texts: TextsLike) -> tuple[Fall, ...]:
    """The queries that fell most by values[run, query], the largest fall first."""
    differences = values[1] - values[0]
    order = [q for q in np.argsort(differences, kind="stable").tolist() if differences[q] <= -TIE]
    return tuple(
        Fall(
            queries[q],
            measure,
            float(values[0, q]),
            float(values[1, q]),
            float(differences[q]),
            find_heading(texts, queries[q]),
        )
        for q in order[:SHOWN]
    )


def _check_margin(margin: Any) -> None:
    number = isinstance(margin, int | float | np.integer | np.floating) and not isinstance(margin, bool)
    if not number or not 0 < margin < math.inf:
        raise InvalidParameter(
            f"the margin is {shown(margin)}; it must be a number above 0: the largest fall of a measure that you accept"
        )


def _find_depth(cutoffs: Sequence[int | None]) -> int:
    """The first places that count: the largest cutoff."""
    return max(FIRST if cutoff is None else cutoff for cutoff in cutoffs)


def _find_queries(runs: Sequence[Rankings], labels: Labels, *, only_common: bool, whose: str = "labels") -> list[str]:
    """The queries with labels that one of the runs has, or both."""
    old, new = ({query for query in run.queries if query in labels} for run in runs)
    if not old & new:
        lacking = [name for name, found in (("OLD", old), ("NEW", new)) if not found]
        if lacking:
            raise DataError(
                f"no query of {' or '.join(lacking)} has a label; are the query ids of the {whose} the same?"
            )
        raise DataError("OLD and NEW have no query with labels in common; are they runs of the same queries?")
    return sorted(old & new if only_common else old | new)


def _tell_queries(runs: Sequence[Rankings], labels: Labels, queries: Sequence[str], seen: Collection[str]) -> list[str]:
    """How many queries are missing from one run, from both, or have no labels; those ``seen`` by a proxy have some."""
    lost = [sum(query not in run for query in queries) for run in runs]
    counts = [
        (count, f"is not in {name} and counts 0 there", f"are not in {name} and count 0 there")
        for name, count in zip(("OLD", "NEW"), lost, strict=True)
    ]
    counts.append((len(labels) - len(queries), "with labels is left out", "with labels are left out"))
    counts.append(
        (
            len({query for run in runs for query in run.queries if query not in labels and query not in seen}),
            "of the runs has no labels and is left out",
            "of the runs have no labels and are left out",
        )
    )
    return [f"{_count(count)} {one if count == 1 else many}" for count, one, many in counts if count]


def _tell_gain(asked: Asked) -> str | None:
    """Which of the two gains our own ndcg has: the other one may turn the verdict."""
    if not isinstance(asked.measure, NDCG) or asked.measure.gain != "exp":
        return None
    return f"{asked.name} has the gain 2^y - 1; nDCG, as in trec_eval, has y"


def _tell_without_relevant(count: int, queries: int, values: FloatArray) -> list[str]:
    """How many queries cannot show a fall; an error where none of them can."""
    if count == queries and not values.any():
        raise DataError(
            f"no document has a grade above 0 in {_count(queries)} with labels: no run can fall, so nothing is decided"
        )
    one, many = "has no relevant document and counts 0", "have no relevant document and count 0"
    return [f"{_count(count)} {one if count == 1 else many} in both runs"] if count else []


def _check_judged(
    runs: Sequence[Rankings],
    labels: Labels,
    queries: Sequence[str],
    depth: int,
    conventions: Conventions,
    unjudged: UnjudgedRule,
) -> list[str]:
    """Stop, or a note, where documents that only one run has among its first places have no label."""
    old, new = (list_items(run, conventions, depth) for run in runs)
    alone = {
        name: [(q, item) for q in queries for item in mine.get(q, []) if item not in set(theirs.get(q, []))]
        for name, mine, theirs in (("NEW", new, old), ("OLD", old, new))
    }
    without = {name: [(q, item) for q, item in pairs if item not in labels[q]] for name, pairs in alone.items()}
    told = [_tell_unjudged(name, len(without[name]), len(alone[name]), depth) for name in alone if without[name]]
    if not told:
        return []
    count = len({query for pairs in without.values() for query, _ in pairs})
    where = f"{'; '.join(told)}, in {_count(count)}"
    if unjudged == "irrelevant":
        return [f"{where}: they count as irrelevant"]
    query, item = next(pair for pairs in without.values() for pair in pairs)
    example = f"query {shown(query)}, document {shown(item)}" + ", …" * (sum(map(len, without.values())) > 1)
    why = "They would count as irrelevant, and the verdict would rest on who was judged."
    raise DataError(tell(f"{where} ({example}). {why} Label them, or go on with ", Say(unjudged="irrelevant")))


def _tell_unjudged(name: str, count: int, among: int, depth: int) -> str:
    share = 100 * count / among
    percent = "less than 1 %" if share < 1 else f"{share:.0f} %"
    has = "has" if count == 1 else "have"
    return (
        f"{count:,} of the {plural(among, 'document')} ({percent}) that only {name} has among its first {depth} "
        f"{has} no label"
    )


def _rank_alike(runs: Sequence[Rankings], queries: Sequence[str], conventions: Conventions) -> bool:
    old, new = (list_items(run, conventions) for run in runs)
    return all(old.get(query) == new.get(query) for query in queries)


def _warn_of_few(changes: Sequence[Change], queries: int) -> list[str]:
    why = "with so few, the bounds are rough, and a rare fall may not have been seen"
    if queries < FEW:
        return [f"only {_count(queries)}: {why}"]
    few = [change for change in changes if change.differing < FEW]
    return [f"{change.measure}: only {change.differing} of {queries} queries differ; {why}" for change in few]


def _tell_same(queries: int) -> str:
    return f"OLD and NEW rank the same documents in the same order in {all_queries(queries)}."


def _tell_pass(changes: Sequence[Change], margin: float, queries: int, needed: int | None) -> str:
    fell = [bare(change.measure) for change in changes if change.upper < 0]
    less = f" {' and '.join(fell)} did fall, but by less than the margin." if fell else ""
    return (
        f"With 95 % confidence, no measure fell by the margin {margin:g} or more: {_tell_change(changes)} "
        f"({_count(queries)}).{less}"
    )


def _tell_fail(changes: Sequence[Change], margin: float, queries: int, needed: int | None) -> str:
    fell = [
        f"{bare(change.measure)} fell by {-change.difference:.4f}, with 97.5 % confidence by more than "
        f"{-change.upper:.4f}"
        for change in changes
        if change.upper < 0
    ]
    return f"{'; '.join(fell)} ({_count(queries)}" + ", Holm's correction" * (len(changes) > 1) + ")."


def _tell_undecided(changes: Sequence[Change], margin: float, queries: int, needed: int | None) -> str:
    if queries < 2:
        return "One query shows nothing about other queries. Label more queries."
    more = (
        "No number of queries would decide"
        if needed is None
        else f"About {_round(needed)} queries would decide with 80 % probability"
    )
    return (
        f"{_tell_change(changes)} ({_count(queries)}). A fall beyond the margin {margin:g} cannot be ruled out, but no "
        f"fall is shown. {more}, if the difference is as it looks."
    )


_REASONS: Final[Mapping[Verdict, Callable[[Sequence[Change], float, int, int | None], str]]] = {
    "PASS": _tell_pass,
    "FAIL": _tell_fail,
    "UNDECIDED": _tell_undecided,
}


def _tell_change(changes: Sequence[Change]) -> str:
    """The measure with the lowest bound."""
    worst = min(changes, key=lambda change: change.lower)
    return f"{bare(worst.measure)} changed by {worst.difference:+.4f}, at worst by {worst.lower:+.4f}"


def _count(queries: int) -> str:
    return plural(queries, "query", "queries")


def _round(count: int) -> str:
    """Two digits of a rough number."""
    digits = max(0, len(str(count)) - 2)
    return f"{math.ceil(count / 10**digits) * 10**digits:,}"


def title_falls(falls: Sequence[Fall]) -> str:
    """The line above the queries that fell most."""
    which = "The query" if len(falls) == 1 else f"The {len(falls)} queries"
    return f"{which} that fell most, by {falls[0].measure}:"
