"""``stagg_trust`` against its rule written down a second time, step by step, in loops over lists and dicts.

Only the fit of reliability and dependence is shared (tests/kernels/test_reliability.py checks it by itself). The
prototype that the rule was found with gives the same numbers; it is compared where it is at hand.
"""

from __future__ import annotations

import importlib.util
import math
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stagg import fuse
from stagg.data.inputs.construct import rankings_of
from stagg.data.rankings import Rankings
from stagg.kernels.agreement import reliability
from stagg.methods import method_of
from stagg.methods.stochastic.trust import Trust, Trusted

Runs = dict[str, dict[str, dict[str, float]]]
RIDGE, EXCESS = 1.5, 0.05


def random_runs(seed: int, rankers: int, queries: int = 12, candidates: int = 40) -> Runs:
    """Rankers of unlike quality, depth and scale; some lack queries; no two spreads are the same."""
    rng = np.random.default_rng(seed)
    noise, depth = rng.uniform(0.4, 2.0, rankers), rng.choice([6, 10, 25, 40], rankers)
    runs: Runs = {f"r{k:02}": {} for k in range(rankers)}
    for query in range(queries):
        truth = rng.normal(size=candidates)
        for k, run in enumerate(runs.values()):
            if query < 3 or k < 2 or rng.random() > 0.2:  # nobody is alone in a query
                said = (truth + rng.normal(size=candidates) * noise[k]) * rng.uniform(0.5, 2.0) * 10.0**k
                best = np.argsort(-said)[: depth[k]]
                run[f"q{query:02}"] = {f"d{i:02}": float(said[i]) for i in best}
    return runs


def trust_of(rankings: Rankings, method: str = "stagg_trust") -> Trust:
    bound, _ = method_of(method).bind(rankings)
    assert isinstance(bound, Trusted)
    return bound.trust


# --- the rule, once more ----------------------------------------------------------------------------------------------


class Rule:
    """What the rule says of some runs."""

    def __init__(self, runs: Runs, scored: bool = True) -> None:
        self.runs, self.names = runs, list(runs)
        self.queries = sorted({query for run in runs.values() for query in run})
        count = len(runs)
        everywhere, common = self._pairs(self._correlate_all), self._pairs(self._correlate_common)
        if count < 3:
            self.share = self.weight = rel = np.ones(count)
            agreement, together = max(everywhere[0][0, 1], 0.0), 2.0
        else:
            r, self.share = self._fit(*everywhere)
            _, by_order = self._fit(*common)
            x = min(1.0, 3 / count)
            rel = r / r.max()
            vote = self.share ** (1 - x) * np.maximum(self.share, by_order) ** x
            weight = vote * rel ** (1 / np.sqrt(count))
            self.weight = weight / weight.max()
            together = float(self.share.sum())
            agreement = (float(self.share @ r) / together) ** 2
        self.consensus = together * agreement / (1 + (together - 1) * agreement)
        self.c = 60 - 40 * self.consensus
        self.rho = np.zeros(count)
        self.percentile: dict[tuple[str, str], float] = {}
        if scored:
            self._confirm(self.share * np.sqrt(rel))

    def candidates(self, query: str) -> list[str]:
        return sorted({item for run in self.runs.values() for item in run.get(query, {})})

    def ranks(self, name: str, query: str) -> dict[str, float]:
        """The rank of every candidate: its place, or the mean of the places left over."""
        items, listed = self.candidates(query), self.runs[name][query]
        places = {item: place for place, item in enumerate(sorted(listed, key=lambda i: -listed[i]), 1)}
        left = len(listed) + (len(items) - len(listed) + 1) / 2
        return {item: places.get(item, left) for item in items}

    def table(self, name: str, query: str) -> np.ndarray:
        """1 / (20 + rank) of every candidate; a ranker without a list gives nothing."""
        if query not in self.runs[name]:
            return np.zeros(len(self.candidates(query)))
        return np.array([1 / (20 + rank) for rank in self.ranks(name, query).values()])

    def _correlate_all(self, a: str, b: str, query: str) -> tuple[float, int]:
        x, y = self.table(a, query), self.table(b, query)
        return (float(np.corrcoef(x, y)[0, 1]), len(x)) if np.ptp(x) > 0 and np.ptp(y) > 0 else (np.nan, 0)

    def _correlate_common(self, a: str, b: str, query: str) -> tuple[float, int]:
        both = [query in self.runs[a], query in self.runs[b]]
        held = sorted(self.runs[a][query].keys() & self.runs[b][query].keys()) if all(both) else []
        if len(held) < 5:
            return np.nan, 0
        x, y = ([1 / (20 + self.ranks(name, query)[item]) for item in held] for name in (a, b))
        return float(np.corrcoef(x, y)[0, 1]), len(held)

    def _pairs(self, correlate: Any) -> tuple[np.ndarray, np.ndarray, float]:
        """(mean correlation of each two rankers, which share two queries, items of a pair over all its queries)"""
        means, known, items = np.zeros((len(self.names),) * 2), np.zeros((len(self.names),) * 2, dtype=bool), []
        for k, a in enumerate(self.names):
            for other, b in enumerate(self.names):
                found = [correlate(a, b, query) for query in self.queries]
                values = [value for value, _ in found if not np.isnan(value)]
                means[k, other] = np.mean(values) if values else 0.0
                known[k, other] = len(values) >= 2
                if other > k and known[k, other]:
                    items.append(sum(size for value, size in found if not np.isnan(value)))
        return means, known, float(np.mean(items)) if items else 0.0

    @staticmethod
    def _fit(means: np.ndarray, known: np.ndarray, items: float) -> tuple[np.ndarray, np.ndarray]:
        agreements = np.maximum(means, 0.0)
        fit = reliability.fitted(agreements, known, items, ridge=RIDGE, excess=EXCESS)
        return fit.reliability, reliability.shares(fit.reliability, reliability.excess_agreement(agreements, fit))

    def _confirm(self, weights: np.ndarray) -> None:
        for k, name in enumerate(self.names):
            lists = self.runs[name]
            spread = {query: np.std(sorted(lists[query].values())[::-1][:100]) for query in lists}
            for query, own in spread.items():
                less, same = (sum(o < own for o in spread.values()), sum(o == own for o in spread.values()))
                self.percentile[name, query] = (less + same / 2) / len(spread)
            pairs = []
            for query in lists:
                parts = [weights[other] * self.table(o, query) for other, o in enumerate(self.names) if o != name]
                others = np.sum(parts, axis=0)
                if np.ptp(others) > 0:
                    mine = float(np.corrcoef(self.table(name, query), others)[0, 1])
                    pairs.append((self.percentile[name, query] - 0.5, mine))
            p, a = np.array(pairs).T
            a = a - a.mean()
            self.rho[k] = (p * a).sum() / np.sqrt((p**2).sum() * (a**2).sum())

    def scores(self, query: str) -> dict[str, float]:
        total = dict.fromkeys(self.candidates(query), 0.0)
        for k, name in enumerate(self.names):
            sure = 1 + max(self.rho[k], 0) * (self.percentile.get((name, query), 0.5) - 0.5)
            for item, value in self.gains(name, query).items():
                total[item] += self.weight[k] * sure * value
        return total

    def gains(self, name: str, query: str) -> dict[str, float]:
        """1 / (c + rank) with the c that was found; what is not listed tosses a coin for every place that is left."""
        if query not in self.runs[name]:
            return {}
        listed, c, ranks = self.runs[name][query], round(self.c, 3), self.ranks(name, query)
        others = len(ranks) - len(listed) - 1  # unlisted items that an unlisted item meets
        chances = [math.comb(others, won) / 2.0**others for won in range(others + 1)]
        rest = math.fsum(p / (c + len(listed) + 1 + lost) for lost, p in enumerate(chances))
        return {item: 1 / (c + rank) if item in listed else rest for item, rank in ranks.items()}


@pytest.mark.parametrize(("rankers", "seed"), [(2, 0), (3, 1), (3, 2), (4, 3), (7, 4), (15, 5)])
def test_trust_is_what_the_rule_says(rankers: int, seed: int) -> None:
    runs = random_runs(seed, rankers)
    rule, given = Rule(runs), rankings_of(runs)
    found = trust_of(given)
    assert found.c == pytest.approx(rule.c, abs=1e-3)
    assert found.consensus == pytest.approx(rule.consensus, abs=1e-6)
    assert [found.rankers[name].influence for name in runs] == pytest.approx(rule.weight.tolist(), abs=1e-6)
    assert [found.rankers[name].confirmation for name in runs] == pytest.approx(rule.rho.tolist(), abs=1e-5)
    fused = fuse(given, "stagg_trust").to_dict()
    for query in rule.queries:
        assert fused[query] == pytest.approx(rule.scores(query), rel=1e-5)


def test_without_confidence_it_is_what_the_rule_says_without_scores() -> None:
    runs = random_runs(6, 5)
    rule = Rule(runs, scored=False)
    fused = fuse(rankings_of(runs), "stagg_trust(confidence=False)").to_dict()
    for query in rule.queries:
        assert fused[query] == pytest.approx(rule.scores(query), rel=1e-5)


# --- the prototype ----------------------------------------------------------------------------------------------------


@pytest.fixture
def prototype(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The prototype, which finds the fit where it was when the prototype was written."""
    path = shared_data.parent / "prototypes" / "robust_trust.py"
    if not path.exists():
        pytest.skip(f"the prototype is not at {path}")
    then = types.ModuleType("stagg.kernels.trust")
    for name in ("fitted", "excess_agreement", "shares"):
        setattr(then, name, getattr(reliability, name))
    monkeypatch.setitem(sys.modules, "stagg.kernels.trust", then)
    spec = importlib.util.spec_from_file_location("robust_trust", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("rankers", "seed"), [(2, 10), (3, 11), (6, 12), (12, 13)])
def test_trust_is_that_of_the_prototype(prototype: Any, rankers: int, seed: int) -> None:
    runs = random_runs(seed, rankers)
    rule = Rule(runs)
    ranks, scores = [], []
    for query in rule.queries:
        items = rule.candidates(query)
        places = {name: rule.ranks(name, query) for name in runs if query in runs[name]}
        listed = [[name in places and item in runs[name][query] for name in runs] for item in items]
        ranks.append(np.array([[places[n][i] if is_in else np.nan for n, is_in in zip(runs, row, strict=True)]
                               for i, row in zip(items, listed, strict=True)]))  # fmt: skip
        scores.append(np.array([[runs[name].get(query, {}).get(item, np.nan) for name in runs] for item in items]))
    theirs = prototype.learn(ranks, scores, ridge=RIDGE)
    mine = trust_of(rankings_of(runs))
    assert mine.c == pytest.approx(theirs["c"], abs=1e-3)
    assert [mine.rankers[name].influence for name in runs] == pytest.approx(theirs["w"].tolist(), abs=1e-6)
    assert [mine.rankers[name].confirmation for name in runs] == pytest.approx(theirs["rho"].tolist(), abs=1e-5)
