"""The laws that every method is checked for, as functions: each says what is wrong, or nothing.

``check(method, rankings, rng)`` returns None when the law holds on these rankings, else a sentence. The battery
(test_methods.py) runs all of them over the registry; a method that declares a law in ``breaks`` must really break it.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import numpy as np

from stagg import Rankings, fuse
from stagg.data.parts import join_rankers
from stagg.formats.write import pick_fused_format, write_stream
from stagg.methods import Method

CLOSE = 1e-9

Scores = dict[str, dict[str, float]]
Check = Callable[[Method, Rankings, np.random.Generator], str | None]


def scores_of(fused: Rankings) -> Scores:
    return fused.to_runs()[fused.rankers[0]]


_KEPT: dict[tuple[int, Method], tuple[Rankings, Rankings]] = {}


def consensus(rankings: Rankings, method: Method) -> Rankings:
    """The plain fusion, which most laws compare another with: a method's laws are tried on the same few rankings.

    Rankings that are equal can still differ in the order of their rankers; so only the same object counts as the same.
    """
    if len(_KEPT) > 100:
        _KEPT.clear()
    key = (id(rankings), method)
    if key not in _KEPT:
        _KEPT[key] = (rankings, fuse(rankings, method))  # the rankings are kept, too: nothing else can get their id
    return _KEPT[key][1]


def groups_of(fused: Rankings) -> dict[str, list[set[str]]]:
    """The order of each query as sets of tied items."""
    return {
        query: [set(group) for lists in ranked.values() for group in lists]
        for query, ranked in fused.to_lists().items()
    }


def differ(one: Scores, other: Scores) -> str | None:
    """Where two results differ beyond rounding."""
    if one.keys() != other.keys():
        return f"queries {sorted(one)} and {sorted(other)}"
    for query in one:
        if one[query].keys() != other[query].keys():
            return f"{query}: items {sorted(one[query])} and {sorted(other[query])}"
        scale = max(map(abs, one[query].values()), default=1.0)
        for item, score in one[query].items():
            if abs(score - other[query][item]) > CLOSE * max(scale, 1e-300):
                return f"{query}: {item} has {score} and {other[query][item]}"
        mine, theirs = (groups_by_score(each[query]) for each in (one, other))
        if mine != theirs:
            place = next(k for k, pair in enumerate(zip(mine, theirs, strict=False)) if pair[0] != pair[1])
            return f"{query}: the groups from place {place} on are {mine[place:][:5]} and {theirs[place:][:5]}"
    return None


def groups_by_score(scores: dict[str, float]) -> list[set[str]]:
    """The order of one query as sets of tied items, which have one score."""
    groups: dict[float, set[str]] = {}
    for item, score in sorted(scores.items(), key=lambda pair: -pair[1]):
        groups.setdefault(score, set()).add(item)
    return list(groups.values())


def neutrality(method: Method, rankings: Rankings, rng: np.random.Generator) -> str | None:
    names = sorted(set(rankings.items))
    renamed = dict(zip(names, [f"x{k}" for k in rng.permutation(len(names))], strict=True))
    other = fuse(rankings.replace(items=tuple(renamed[item] for item in rankings.items)), method)
    mine = scores_of(consensus(rankings, method))
    expected = {query: {renamed[item]: score for item, score in of.items()} for query, of in mine.items()}
    return differ(expected, scores_of(other))


def anonymity(method: Method, rankings: Rankings, rng: np.random.Generator) -> str | None:
    other = rankings.take_rankers(rng.permutation(len(rankings.rankers)))
    return differ(scores_of(consensus(rankings, method)), scores_of(fuse(other, method)))


def doubled(rankings: Rankings) -> Rankings:
    return join_rankers([rankings, rankings.with_rankers([f"{name}'" for name in rankings.rankers])])


def replication(method: Method, rankings: Rankings, rng: np.random.Generator) -> str | None:
    one, two = groups_of(consensus(rankings, method)), groups_of(fuse(doubled(rankings), method))
    return None if one == two else f"{one} became {two}"


def empty_ranker(method: Method, rankings: Rankings, rng: np.random.Generator) -> str | None:
    empty = Rankings.from_runs({"empty": {}})
    return differ(scores_of(consensus(rankings, method)), scores_of(fuse(join_rankers([rankings, empty]), method)))


def score_transform(method: Method, rankings: Rankings, rng: np.random.Generator) -> str | None:
    if rankings.scores is None:
        return None
    bent = np.exp(rankings.scores / 2) * rng.uniform(0.5, 2.0) - 3
    return differ(scores_of(consensus(rankings, method)), scores_of(fuse(rankings.replace(scores=bent), method)))


def query_independence(method: Method, rankings: Rankings, rng: np.random.Generator) -> str | None:
    together = scores_of(consensus(rankings, method))
    alone: Scores = {}
    for number in range(len(rankings)):
        alone |= scores_of(fuse(rankings.take_queries([number]), method))
    return None if together == alone else f"{together} together, {alone} alone"  # to the bit


def dominances(lists: dict[str, list[list[str]]], items: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """(never, some)[a, b]: no list puts b before a, some list puts a before b; what is listed comes before the rest."""
    never, some = np.ones((len(items), len(items)), dtype=bool), np.zeros((len(items), len(items)), dtype=bool)
    for groups in lists.values():
        place = {item: number for number, group in enumerate(groups) for item in group}
        places = np.array([place.get(item, len(groups)) for item in items])
        never &= places[:, None] <= places
        some |= places[:, None] < places
    return never, some


def unanimity(method: Method, rankings: Rankings, rng: np.random.Generator) -> str | None:
    strict = "unanimity" in method.strictly
    order = groups_of(consensus(rankings, method))
    for view in rankings:
        place = {item: number for number, group in enumerate(order[view.id]) for item in group}
        places = np.array([place[item] for item in view.items])
        never, some = dominances(view.lists, view.items)
        wrong = never & ((places[:, None] > places) | (strict & some & (places[:, None] == places)))
        if wrong.any():
            a, b = (view.items[k] for k in np.argwhere(wrong)[0])
            return f"{view.id}: no list puts {b} before {a}, the result does ({order[view.id][:9]})"
    return None


def weight_is_copies(method: Method, rankings: Rankings, rng: np.random.Generator) -> str | None:
    chosen = int(rng.integers(len(rankings.rankers)))
    weights = np.ones(len(rankings.rankers))
    weights[chosen] = 2
    copy = rankings.take_rankers([chosen]).with_rankers(["copy"])
    twice = fuse(join_rankers([rankings, copy]), method)
    return differ(scores_of(twice), scores_of(fuse(rankings, method, weights=list(weights))))


def weight_zero_is_absent(method: Method, rankings: Rankings, rng: np.random.Generator) -> str | None:
    if len(rankings.rankers) < 2:
        return None
    chosen = int(rng.integers(len(rankings.rankers)))
    weights = np.ones(len(rankings.rankers))
    weights[chosen] = 0
    rest = rankings.take_rankers(np.delete(np.arange(len(weights)), chosen))
    return differ(scores_of(fuse(rest, method)), scores_of(fuse(rankings, method, weights=list(weights))))


def top_k_is_first_k(method: Method, rankings: Rankings, rng: np.random.Generator) -> str | None:
    k = int(rng.integers(1, 5))
    whole, cut = consensus(rankings, method), fuse(rankings, method, top=k)
    for query in rankings.queries:
        if cut.best_first(query) != whole.best_first(query)[:k]:
            return f"{query}: {cut.best_first(query)} is not the start of {whole.best_first(query)}"
    return None


def written(fused: Rankings) -> bytes:
    stream = io.BytesIO()
    write_stream(fused, stream, pick_fused_format(None), name="test")
    return stream.getvalue()


def same_bytes(method: Method, rankings: Rankings, rng: np.random.Generator) -> str | None:
    """Rankers and queries in another order, and a second run, give the same file."""
    shuffled = rankings.take_rankers(rng.permutation(len(rankings.rankers)))
    shuffled = shuffled.take_queries(rng.permutation(len(rankings)))
    one, other = written(fuse(rankings, method)), written(fuse(shuffled, method))
    return None if one == other else f"{one!r} became {other!r}"


def monotonicity(method: Method, rankings: Rankings, rng: np.random.Generator) -> str | None:
    """An item of one list is moved up to just above the item before it; its rank must not grow."""
    if not len(rankings.entries):
        return None
    view, ranker, item, raised = _raised(rankings, rng)
    before = _place(consensus(rankings, method), view, item)
    after = _place(fuse(raised, method), view, item)
    return None if after <= before else f"{view}: {item}, raised by {ranker}, fell from {before} to {after}"


def _raised(rankings: Rankings, rng: np.random.Generator) -> tuple[str, str, str, Rankings]:
    runs = rankings.to_runs()
    full = [(ranker, query) for ranker, run in runs.items() for query, scored in run.items() if scored]
    ranker, query = full[int(rng.integers(len(full)))]
    scored = runs[ranker][query]
    item = list(scored)[int(rng.integers(len(scored)))]
    above = [score for score in scored.values() if score > scored[item]]
    runs[ranker][query] = scored | {item: (min(above) if above else scored[item]) + 0.5}
    return query, ranker, item, Rankings.from_runs(runs)


def _place(fused: Rankings, query: str, item: str) -> int:
    """How many items stand before this one's group."""
    before = 0
    for group in groups_of(fused)[query]:
        if item in group:
            return before
        before += len(group)
    raise AssertionError(f"{item} is not in the result")


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        neutrality,
        anonymity,
        replication,
        empty_ranker,
        score_transform,
        query_independence,
        unanimity,
        weight_is_copies,
        weight_zero_is_absent,
        top_k_is_first_k,
        same_bytes,
        monotonicity,
    )
}
