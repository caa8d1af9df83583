"""ranx: Run in, Run out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from stagg import aggregate
from stagg.aggregate import DEFAULT_METHOD
from stagg.data.inputs.construct import from_runs
from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter, UnknownName, need, shown
from stagg.methods import Method
from stagg.registry import near_names

__all__ = ["from_qrels", "from_run", "fuse", "to_run"]

Runs = Any
"""A ranx Run, several of them in a sequence, or {name: Run}."""


def fuse(runs: Runs, method: str | Method = DEFAULT_METHOD, **options: Any) -> Any:
    """Runs fused into one Run, named as the method is: ``stagg-rrf``.

    ``options`` are those of :func:`stagg.fuse`: weights (by position, or by the name of a run), missing, depth, top.
    The runs are left as they are, and need not have the same queries. Where scores of the result are equal ranx has
    no order of its own; stagg's is lost then.
    """
    return to_run(aggregate.fuse(from_run(runs), method, **options))


def from_run(runs: Runs) -> Rankings:
    """Rankings from a Run or several: each is a ranker, called by its name, or by its number, from 1, without one."""
    if hasattr(runs, "to_dict"):
        runs = [runs]
    if not isinstance(runs, Mapping):
        runs = _by_name(runs)
    for name, run in runs.items():
        if not hasattr(run, "to_dict"):
            raise InvalidParameter(f"run {shown(name)}: expected a ranx Run, not {shown(run)}")
    return from_runs({name: run.to_dict() for name, run in runs.items()})


def to_run(rankings: Rankings, ranker: str | None = None) -> Any:
    """One ranker's lists as a Run of its name; ``ranker`` may be left out when there is only one."""
    ranx = need("ranx", "ranx runs", extra="ranx")
    if ranker is None and len(rankings.rankers) != 1:
        raise InvalidParameter(f"there are {len(rankings.rankers)} rankers: name the one you want")
    name = rankings.rankers[0] if ranker is None else ranker
    runs = rankings.to_runs()
    if name not in runs:
        raise UnknownName(f"there is no ranker {shown(name)}{near_names(name, rankings.rankers)}")
    return ranx.Run(runs[name], name=name) if runs[name] else ranx.Run(name=name)  # ranx cannot make a Run of {}


def from_qrels(qrels: Any) -> Labels:
    """Labels from ranx Qrels."""
    return Labels(qrels.to_dict())


def _by_name(runs: Sequence[Any]) -> dict[str, Any]:
    """The runs by name; two of the same name cannot be told apart in weights and explanations."""
    named: dict[str, Any] = {}
    for number, run in enumerate(runs, start=1):
        name = getattr(run, "name", None) or str(number)
        if named.setdefault(name, run) is not run:
            raise DataError(f"two runs are called {shown(name)}: name them, as {{name: Run}}")
    return named
