"""Settings of the explorer: the methods that its arithmetic (fusion.js) knows, written as plain values."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, Final

from stagg.errors import InvalidParameter
from stagg.measures import Measure
from stagg.methods import METHODS, Method
from stagg.methods.positional.comb import BY_RANK, Comb
from stagg.methods.stochastic.stagg import Stagg, StaggBC, StaggRRF
from stagg.methods.stochastic.trust import StaggTrust
from stagg.registry import read_call

__all__ = [
    "LIMITS",
    "SHAPES",
    "UTILITIES",
    "catalogue",
    "describe_measure",
    "describe_method",
    "has_relevance",
]

OFFERED: Final = (
    "rrf", "borda", "rbc", "isr", "log_isr", "logn_isr", "votecount", "mean_rank", "median_rank", "stagg_rrf",
    "stagg_bc", "stagg", "stagg_trust", "combsum", "combmnz", "combanz", "combmax", "combmin", "combmed", "gmnz",
    "wmnz",
)  # fmt: skip

COUNTED: Final = ("borda", "votecount")
"""Methods whose scores are points or lists that people count."""

UNMOVED: Final = ("compat", "low", "high", "bounds", "count", "ranks", "families", "permutations")
"""Parameters that fusion.js does not know."""

Span = tuple[float, float, float]
"""(least, most, step) of a slider; what a person types may lie beyond, within the limits."""

SPANS: Final[Mapping[str, Span]] = {
    "c": (0, 120, 1),
    "phi": (0.5, 0.99, 0.01),
    "sigma": (0, 1, 0.01),
    "gamma": (-1, 3, 0.1),
}
LIMITS: Final[Mapping[str, tuple[float, float]]] = {
    "c": (0, 1e9),
    "phi": (1e-6, 1 - 1e-6),
    "sigma": (0, 1),
    "gamma": (-1, 100),
    "weight": (1e-12, 1e12),
    "harmonic": (1e-6, 1e9),
    "logistic": (1e-6, 1e9),
    "rrf": (0, 1e9),
    "rbp": (1e-6, 1 - 1e-6),
}
"""Least and most of what a person types, or an address says: all of it is a number that the methods take. A weight may
also be 0. A shape or a utility that is not among them has no number."""

NORMS: Final = ("min-max", "max", "sum", "z-score", "dbsf", "l2", *BY_RANK, "none")
SHAPES: Final = ("paper", "linear", "logistic", "harmonic", "certain")
UTILITIES: Final = ("borda", "list_borda", "rrf", "dcg", "rbp", "isr")


def catalogue(*, scores: bool, trust: bool) -> list[dict[str, Any]]:
    """The methods on offer: name, what it does, parameters with their defaults, meanings of absence, norms."""
    return [_entry(METHODS[name], scores) for name in OFFERED if trust or name != "stagg_trust"]


def _entry(cls: type[Method], scores: bool) -> dict[str, Any]:
    default = describe_method(cls(norm="rank") if issubclass(cls, Comb) and not scores else cls())
    assert default is not None
    norms = (NORMS if scores else BY_RANK) if issubclass(cls, Comb) else ()
    spans = {name: span for name, span in SPANS.items() if name in default}
    entry = {"summary": cls.summary(), "honours": cls.honours, "norms": norms, "spans": spans, "default": default}
    normed = [norm for norm in norms if issubclass(cls, Comb) and has_relevance(cls(norm=norm))]
    return entry | {"relevant": normed if norms else [has_relevance(cls())]}


def has_relevance(method: Method) -> bool:
    """Whether a share of the highest possible score says more than the score: a sum that is no count of anything.

    >>> from stagg.methods import method_of
    >>> [has_relevance(method_of(name)) for name in ("rrf", "borda", "combsum(norm='none')", "kemeny")]
    [True, False, False, False]
    """
    return method.is_additive() and method.unbounded() is None and method.name not in COUNTED


def describe_method(method: Method) -> dict[str, Any] | None:
    """A method as the plain values that fusion.js takes; None where it does not know it.

    >>> from stagg.methods import method_of
    >>> describe_method(method_of("rrf(c=20)"))
    {'name': 'rrf', 'c': 20, 'missing': 'skip'}
    >>> describe_method(method_of("mc4")) is None
    True
    """
    if method.name not in OFFERED or type(method) is not METHODS[method.name]:
        return None
    given = {field.name: getattr(method, field.name) for field in dataclasses.fields(method)}
    if any(given.get(name) is not None for name in UNMOVED):
        return None
    if "norm" in given and given["norm"] not in NORMS:
        return None
    numbers = {name: given[name] for name in SPANS if name in given}
    if not all(math.isfinite(value) for value in numbers.values()):
        return None
    known: dict[str, Any] = {"name": method.name, **numbers}
    known |= {"norm": given["norm"]} if "norm" in given else {}
    contests = _describe_contests(method)
    return None if contests is None else known | contests | {"missing": method.absence}


MEASURED: Final = ("ndcg", "p", "recall", "success", "mrr", "map")


def describe_measure(name: str, measure: Measure) -> dict[str, Any]:
    """A measure as the plain values that fusion.js takes; what it does not know is an error.

    >>> from stagg.measures import parse_measures
    >>> describe_measure("ndcg@10", *parse_measures("ndcg@10"))
    {'name': 'ndcg@10', 'kind': 'ndcg', 'cutoff': 10, 'gain': 'exp'}
    """
    if measure.name not in MEASURED:
        raise InvalidParameter(f"the explorer does not know the measure {measure!r}; it has {', '.join(MEASURED)}")
    given = {field.name: getattr(measure, field.name) for field in dataclasses.fields(measure)}
    return {"name": name, "kind": measure.name, **given}


def _describe_contests(method: Method) -> dict[str, Any] | None:
    """The utility and the shape of a St.Agg method, each as [name, number]; nothing for the others."""
    if isinstance(method, StaggTrust):
        shape = _read(method.shape, SHAPES)
        return None if shape is None else {"shape": shape}
    if not isinstance(method, StaggRRF | StaggBC | Stagg):
        return {}
    wanted = {StaggRRF: "rrf", StaggBC: "borda"}.get(type(method))
    utility = (
        [wanted, *([method.c] if isinstance(method, StaggRRF) else [])]
        if wanted
        else _read(getattr(method, "utility", None), UTILITIES)
    )
    shape = _read(method.shape, SHAPES)
    return None if utility is None or shape is None else {"utility": utility, "shape": shape}


def _read(text: object, known: tuple[str, ...]) -> list[Any] | None:
    """ "harmonic(1)" as ["harmonic", 1]."""
    if not isinstance(text, str):
        return None
    call = read_call("shape or utility", text)
    if call.name not in known:
        return None
    numbers = [*call.positional, *call.keywords.values()]
    return [call.name, *numbers]
