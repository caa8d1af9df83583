"""The toy rankings of METHODS.md, section 2, and how their worked numbers are read off."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from stagg import Rankings, fuse
from stagg.kernels.arrays import FloatArray
from stagg.kernels.fitting.newton import Local

TOY_F = ["ABCD", "BCAD", "ADBC"]
TOY_P = ["ABC", "BDAE", "ECAD"]


def scores(lists: list[str], method: str, **options: object) -> list[float]:
    """The scores in alphabetical order of the items."""
    return scores_of(Rankings.from_lists([list(each) for each in lists]), method, **options)


def scores_of(rankings: Rankings, method: str, **options: object) -> list[float]:
    fused = fuse(rankings, method, **options)  # type: ignore[arg-type]
    found = fused.to_runs()[fused.rankers[0]]["1"]
    return [found[item] for item in sorted(found)]


def positions_of(lists: list[str]) -> FloatArray:
    """positions[k, i], items in alphabetical order."""
    items = sorted(set("".join(lists)))
    return np.array([[float(each.find(item)) for item in items] for each in lists])


def random_positions(seed: int, *, lists: int = 6, n: int = 7, ties: bool = True, full: bool = False) -> FloatArray:
    """Random lists, partial and with ties unless told otherwise."""
    rng = np.random.default_rng(seed)
    names = [f"{number:03d}" for number in range(n)]
    runs = {}
    for k in range(lists):
        chosen = rng.permutation(names)[: n if full else rng.integers(1, n + 1)]
        values = rng.integers(0, 5, len(chosen)) if ties else rng.permutation(len(chosen))
        runs[f"r{k}"] = {"1": {str(item): float(value) for item, value in zip(chosen, values, strict=True)}}
    runs["all"] = {"1": dict.fromkeys(names, 0.0)}
    view = Rankings.from_runs(runs)["1"]
    return view.positions[:-1, np.argsort(view.items)]


def assert_derivatives(function: Callable[[FloatArray], Local], n: int, seed: int = 0) -> None:
    """Gradient, Hessian and its product against central differences."""
    rng = np.random.default_rng(seed)
    v, step = rng.normal(size=n), 1e-5
    here = function(v)
    ahead, behind = ([function(v + sign * step * unit) for unit in np.eye(n)] for sign in (1, -1))
    slope = [(a.value - b.value) / (2 * step) for a, b in zip(ahead, behind, strict=True)]
    np.testing.assert_allclose(here.gradient, slope, atol=1e-7 * max(1, np.abs(slope).max()))
    bend = np.array([(a.gradient - b.gradient) / (2 * step) for a, b in zip(ahead, behind, strict=True)])
    np.testing.assert_allclose(here.hessian(), bend, atol=1e-7 * max(1, np.abs(bend).max()))
    direction = rng.normal(size=n)
    np.testing.assert_allclose(here.product(direction), here.hessian() @ direction, rtol=1e-9, atol=1e-9)
