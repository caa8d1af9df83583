"""Labels by a proxy, an LLM say, beside labels by people: narrower intervals, and what such a judge is worth.

The labels of the proxy alone prove nothing: they are too kind, and kinder to some systems than to others. As a control
variate they help: what they say of queries without human labels is added, corrected by how they err on those that have
both (prediction-powered inference).

Reference: Angelopoulos, Duchi & Zrnic, "PPI++: efficient prediction-powered inference", 2023.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from stagg.data.labels import Labels
from stagg.errors import DataError
from stagg.evaluation.choices import count_range, shorten_names
from stagg.evaluation.significance import TIE, Estimate, estimate_means
from stagg.evaluation.tables import ALPHA, Table
from stagg.kernels.arrays import FloatArray

__all__ = [
    "Corrected",
    "Halves",
    "TwiceJudged",
    "correct",
    "count_agreement",
    "estimate_by_proxy",
    "proxy_tables",
    "split_queries",
    "tell_proxy",
]

LEVEL = 0.95
LEAST = 5  # queries with human labels: below, nothing is known of how the proxy errs
NOTHING = 0.05  # a proxy that saves less is not worth the trouble


@dataclasses.dataclass(frozen=True)
class Corrected:
    """A mean over queries by human labels alone, and corrected by a proxy: each with its interval.

    ``slope`` is λ, how far the proxy is believed; ``saved`` the share of the variance that it takes away, which is also
    the share of human labels that it is worth. ``p_agree``: p of the one-sided t-test that the proxy's values correlate
    with those of people. Few queries let a proxy that says nothing look as if it saved something.
    """

    mean: float
    low: float
    high: float
    corrected: float
    corrected_low: float
    corrected_high: float
    slope: float
    saved: float
    p_agree: float = 1.0


def correct(values: FloatArray, proxy: FloatArray, others: FloatArray, *, level: float = LEVEL) -> Corrected:
    """The mean of ``values``, measured by people, with the help of a proxy's values of these and of other queries.

    ``values[q]`` and ``proxy[q]`` are of the same n queries, drawn at random from all N; ``others`` are the proxy's
    values of the N - n other queries. λ = Cov(values, proxy) / ((1 + n / (N - n)) Var(proxy)), clipped to [0, 1]; the
    estimate is mean(values - λ proxy) + λ mean(others), and its variance Var(values - λ proxy) / n +
    λ² Var(others) / (N - n), with n - 2 degrees of freedom. λ = 0 where there are no other queries, or the proxy says
    the same of all of them.

    >>> values, proxy = np.array([0.1, 0.3, 0.2, 0.4, 0.5]), np.array([0.2, 0.4, 0.3, 0.6, 0.6])
    >>> found = correct(values, proxy, np.array([0.3, 0.5, 0.4, 0.2, 0.6, 0.5, 0.3]))
    >>> round(found.corrected, 3), round(found.slope, 3), round(found.saved, 2)
    (0.29, 0.501, 0.64)
    """
    [human], tail = estimate_means(values[:, None]), (1 + level) / 2
    better, slope = estimate_by_proxy(values, proxy, others)
    bounds = [(each.mean, each.lower(tail), each.upper(tail)) for each in (human, better)]
    return Corrected(*bounds[0], *bounds[1], slope, _share_saved(human, better), _test_agreement(values, proxy))


def _test_agreement(values: FloatArray, proxy: FloatArray) -> float:
    """p of the one-sided t-test of a correlation above 0; 1 where one of them does not vary."""
    from scipy.special import stdtr

    if min(np.ptp(values), np.ptp(proxy)) <= TIE:
        return 1.0
    r, degrees = float(np.clip(np.corrcoef(values, proxy)[0, 1], -1, 1)), len(values) - 2
    return float(stdtr(degrees, -r * math.sqrt(degrees / (1 - r * r)))) if abs(r) < 1 else float(r < 0)


def estimate_by_proxy(values: FloatArray, proxy: FloatArray, others: FloatArray) -> tuple[Estimate, float]:
    """(the corrected mean of :func:`correct` with its standard error, λ)."""
    n, more = len(values), len(others)
    slope = _slope(values, proxy, more)
    [rest] = estimate_means((values - slope * proxy)[:, None])
    if slope == 0:
        return rest, slope
    added = slope * math.sqrt(float(np.var(others, ddof=1)) / more)
    return Estimate(rest.mean + slope * float(others.mean()), math.hypot(rest.error, added), n - 2, n), slope


def _share_saved(human: Estimate, better: Estimate) -> float:
    """The share of the variance that the proxy takes away."""
    return 1 - (better.error / human.error) ** 2 if human.error > 0 else 0.0


def _slope(values: FloatArray, proxy: FloatArray, more: int) -> float:
    """λ of PPI++ for a mean; at least two other queries are needed for a variance."""
    spread = float(np.var(proxy, ddof=1))
    if more < 2 or spread <= 0:
        return 0.0
    shared = float(np.cov(values, proxy)[0, 1])
    return float(np.clip(shared / ((1 + len(values) / more) * spread), 0.0, 1.0))


@dataclasses.dataclass(frozen=True)
class Halves:
    """Queries with labels of both kinds, those that the proxy alone has judged, and how many people alone have."""

    both: tuple[str, ...]
    proxy_only: tuple[str, ...]
    people_only: int


def split_queries(people: Sequence[str], proxy: Sequence[str]) -> Halves:
    """The queries by who judged them; refused where people judged too few for the proxy to be checked."""
    human = set(people)
    both = tuple(query for query in proxy if query in human)
    if len(both) < LEAST:
        judged = f"{count_range([len(both)])} {'has' if len(both) == 1 else 'have'} labels of people and of the proxy"
        raise DataError(
            f"{judged}; at least {LEAST} are needed. Proxy labels alone show nothing: they are too kind, and they can "
            "favour the worse system. Have some queries judged, drawn at random"
        )
    return Halves(both, tuple(query for query in proxy if query not in human), len(human) - len(both))


@dataclasses.dataclass(frozen=True, eq=False)
class TwiceJudged:
    """One line of a table with a proxy: values[measure, query] by people, and by the proxy, with their queries."""

    name: str
    queries: Sequence[str]
    values: FloatArray
    proxy_queries: Sequence[str]
    proxy_values: FloatArray


def proxy_tables(
    lines: Sequence[TwiceJudged],
    measures: Sequence[str],
    labels: Labels,
    proxy: Labels,
    *,
    known: Collection[str],
    index: str,
    what: str,
) -> tuple[Table, ...]:
    """Two tables: both intervals of every line and measure, and how the grades of the proxy meet those of people.

    ``what`` the numbers are: "Means", or "Differences from ...". ``known``: the queries that the input has. A proxy
    often judged others, too; they would count 0 in every line, and no difference.
    """
    halves = [split_queries(_take(line.queries, known), _take(line.proxy_queries, known)) for line in lines]
    rows = [
        {index: line.name, "measure": measure} | dataclasses.asdict(_correct_line(line, half, k))
        for line, half in zip(lines, halves, strict=True)
        for k, measure in enumerate(measures)
    ]
    kappa, agreement = count_agreement(labels, proxy, halves[0].both)
    note = f"{what}{f' of {measures[0]}' if len(measures) == 1 else ''}, each with its 95 % interval"
    view = tuple(_show(row, index, len(measures) > 1) for row in rows)
    lacking = {query for line in lines for query in (*line.queries, *line.proxy_queries)} - set(known)
    without = [f"{count_range([len(lacking)])} with labels that the input lacks: left out of both intervals"]
    if not any(half.proxy_only for half in halves):  # both intervals are the same, line by line
        note = "Queries by who judged them"
        view = ({"people and the proxy": len(halves[0].both), "the proxy alone": 0},)
    return Table(
        "proxy",
        tuple(_rename(row) | {"kappa": kappa} for row in rows),
        notes=(note, *tell_proxy(rows, index, halves[0], kappa), *without * bool(lacking)),
        view=view,
    ), agreement


def _take(queries: Sequence[str], known: Collection[str]) -> list[str]:
    return [query for query in queries if query in known]


def _rename(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"lambda" if name == "slope" else name: value for name, value in row.items()}


def _correct_line(line: TwiceJudged, half: Halves, k: int) -> Corrected:
    mine = {query: number for number, query in enumerate(line.queries)}
    theirs = {query: number for number, query in enumerate(line.proxy_queries)}
    return correct(
        line.values[k, [mine[query] for query in half.both]],
        line.proxy_values[k, [theirs[query] for query in half.both]],
        line.proxy_values[k, [theirs[query] for query in half.proxy_only]],
    )


def _show(row: Mapping[str, Any], index: str, measured: bool) -> dict[str, Any]:
    """The row as people read it: by labels of people alone, and corrected; ``measured``: with the name of a measure."""
    return (
        {index: row[index]}
        | ({"measure": row["measure"]} if measured else {})
        | {
            "by people": f"{row['mean']:.3f} ({row['low']:.3f} to {row['high']:.3f})",
            "with the proxy": f"{row['corrected']:.3f} ({row['corrected_low']:.3f} to {row['corrected_high']:.3f})",
            "λ": f"{row['slope']:.2f}",
            "saves": f"{100 * row['saved']:.0f} %",
        }
    )


def count_agreement(labels: Labels, proxy: Labels, queries: Sequence[str]) -> tuple[float, Table]:
    """Cohen's κ of "relevant" (a grade of 1 or more), and how often each human grade meets each grade of the proxy.

    Over the items that both have judged. κ is NaN where there are none, or where both say the same of all.
    """
    pairs = [
        (grade, proxy[query][item])
        for query in queries
        for item, grade in labels[query].items()
        if item in proxy[query]
    ]
    grades = sorted({grade for grade, _ in pairs}), sorted({grade for _, grade in pairs})
    rows = [
        {"people": f"{mine:g}", "items": sum(grade == mine for grade, _ in pairs)}
        | {f"proxy {theirs:g}": pairs.count((mine, theirs)) for theirs in grades[1]}
        for mine in grades[0]
    ]
    return _kappa(np.array(pairs).reshape(-1, 2) >= 1), Table("agreement", tuple(rows))


def _kappa(relevant: Any) -> float:
    """(observed - expected) / (1 - expected) agreement of two columns of true and false."""
    if not len(relevant):
        return float("nan")
    observed = float((relevant[:, 0] == relevant[:, 1]).mean())
    mine, theirs = relevant.mean(axis=0).tolist()
    expected = mine * theirs + (1 - mine) * (1 - theirs)
    return (observed - expected) / (1 - expected) if expected < 1 else float("nan")


def tell_proxy(rows: Sequence[Mapping[str, Any]], index: str, halves: Halves, kappa: float) -> list[str]:
    """Whether the proxy is worth something, in a sentence, and what the corrected intervals need to hold."""
    measure = rows[0]["measure"]
    saved = {row[index]: row["saved"] for row in rows if row["measure"] == measure}
    middle = float(np.median(list(saved.values())))
    agree = "" if np.isnan(kappa) else f" It agrees with people on what is relevant at κ = {kappa:.2f}."
    shown = float(np.median([row["p_agree"] for row in rows if row["measure"] == measure])) < ALPHA
    if middle < NOTHING or not shown or not halves.proxy_only:
        few = f": {count_range([len(halves.both)])} are too few to show that it agrees with people"
        why = (
            (few if middle >= NOTHING else "") if halves.proxy_only else ": it has judged no query that people have not"
        )
        worth = f"This judge: nothing here{why}."
    else:
        several = f" (median; {_span(saved)})" if len(saved) > 1 else ""
        worth = f"This judge is worth {100 * middle:.0f} % of your labels for {measure}{several}."
    sample = (
        f"{count_range([len(halves.both)]).capitalize()} with labels of both, "
        f"{len(halves.proxy_only):,} with labels of the proxy alone. The corrected intervals hold if the former are a "
        "random sample of all these queries"
    )
    if not halves.proxy_only:
        sample = "To try what it saves, give the labels of people for a random draw of the queries only"
    left = f"{count_range([halves.people_only])} without labels of the proxy: left out of both intervals"
    return [worth + agree, sample, *[left] * bool(halves.people_only)]


def _span(saved: Mapping[str, float]) -> str:
    short = shorten_names(list(saved))
    least, most = min(saved, key=lambda name: saved[name]), max(saved, key=lambda name: saved[name])
    return f"{short[least]}: {100 * saved[least]:.0f} %, {short[most]}: {100 * saved[most]:.0f} %"
