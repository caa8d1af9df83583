"""Names of shapes and utilities: texts such as "harmonic(1)" and "rrf(60)" as functions."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import numpy as np

from stagg.errors import InvalidParameter, shown
from stagg.kernels.arrays import FloatArray
from stagg.kernels.stochastic import contests, utilities
from stagg.kernels.stochastic.contests import Shape
from stagg.kernels.stochastic.utilities import Utility
from stagg.registry import bind, read_call

__all__ = ["ShapeFunction", "ShapeLike", "shape_named", "utility_named"]

ShapeFunction = Callable[[FloatArray, int, int], FloatArray]
"""P(the item ahead wins) for (gaps, n, L)."""

ShapeLike = str | ShapeFunction

SHAPES: Final[dict[str, tuple[str | None, Callable[..., Shape]]]] = {
    "paper": (None, contests.paper),
    "linear": (None, contests.linear),
    "logistic": ("s", contests.logistic),
    "harmonic": ("s", contests.harmonic),
    "certain": (None, contests.certain),
}
UTILITIES: Final[dict[str, tuple[str | None, Callable[..., Utility]]]] = {
    "borda": (None, utilities.borda),
    "list_borda": (None, utilities.list_borda),
    "rrf": ("c", utilities.rrf),
    "dcg": (None, utilities.dcg),
    "rbp": ("p", utilities.rbp),
    "isr": (None, utilities.isr),
    "top": ("k", utilities.top),
}
RANGES: Final[dict[str, tuple[Callable[[float], bool], str]]] = {
    "s": (lambda s: s > 0, "above 0"),
    "c": (lambda c: c >= 0, "0 or more"),
    "p": (lambda p: 0 < p < 1, "between 0 and 1"),
    "k": (lambda k: k >= 1 and k == int(k), "a whole number from 1 on"),
}


def shape_named(method: str, shape: ShapeLike, also: tuple[str, ...] = ()) -> Shape:
    """The shape that a text such as "logistic(10)" names, or that a function is.

    ``method`` and what it takes besides, ``also``, are for the message.
    """
    if callable(shape):
        return Shape(_check(method, shape))
    named: Shape = _name(method, "shape", shape, also)
    return named


def utility_named(method: str, utility: str) -> Utility:
    """The utility that a text such as "rbp(p=0.95)" names."""
    named: Utility = _name(method, "utility", utility)
    return named


@lru_cache(maxsize=1000)
def _name(method: str, parameter: str, text: str, also: tuple[str, ...] = ()) -> Any:
    """The shape or utility that a text such as "logistic(10)" or "rbp(p=0.95)" names."""
    known = SHAPES if parameter == "shape" else UTILITIES
    call = read_call(parameter, text) if isinstance(text, str) else None
    if call is None or call.name not in known:
        forms = [*(name if key is None else f"{name}({key})" for name, (key, _) in known.items()), *also]
        raise InvalidParameter(f"{method}: {parameter} is {shown(text)}; it must be one of {', '.join(forms)}")
    key, make = known[call.name]
    given = bind(call, [key] if key else [], key, {"k": "c"} if key == "c" else {})
    if key is None:
        return make()
    if key not in given:
        raise InvalidParameter(f"{method}: {shown(text)} needs its number: {call.name}({key}=...)")
    return make(_number(method, text, key, given[key]))


def _number(method: str, text: str, key: str, value: Any) -> float:
    allowed, span = RANGES[key]
    number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
    if not (number and allowed(value)):
        raise InvalidParameter(f"{method}: {key} in {shown(text)} must be {span}")
    return float(value)


@lru_cache(maxsize=1000)
def _check(
    method: str, shape: Callable[[FloatArray, int, int], FloatArray]
) -> Callable[[FloatArray, int, int], FloatArray]:
    """A shape that somebody else wrote, whose values must be probabilities."""

    def chance(gaps: FloatArray, n: int, length: int) -> FloatArray:
        values = np.asarray(shape(gaps, n, length), dtype=float)
        if values.shape != gaps.shape or not ((values >= 0) & (values <= 1)).all():
            raise InvalidParameter(
                f"{method}: the shape must return one probability for each of the {len(gaps)} gaps (n={n}, L={length})"
            )
        return values

    return chance
