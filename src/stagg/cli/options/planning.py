"""Options of a plan: methods or models, weights, the meaning of absence, depth."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from stagg.aggregate import DEFAULT_METHOD
from stagg.cli.options.bundles import F, bundle
from stagg.cli.options.completion import complete_list, complete_name
from stagg.errors import InvalidParameter
from stagg.methods import MISSING, Method, Missing, method_of

__all__ = ["contest_options", "parse_weights", "plan_options", "threshold_options", "voters_weights_option"]

_METHOD = [
    click.option(
        "--method",
        "-m",
        shell_complete=complete_name("method"),
        help=f"Aggregation method; `stagg methods` lists them.  [default: {DEFAULT_METHOD}]",
    ),
    click.option("--model", type=click.Path(), help="Use a model that `stagg train` wrote, instead of a method."),
]
_METHODS = [
    click.option(
        "--methods",
        "-m",
        default="",
        shell_complete=complete_list("method"),
        help="Methods, separated by commas or semicolons: 'borda, rrf(c=60)'. 'Ours: rrf(c=60)' gives the row a name.",
    ),
    click.option(
        "--model",
        "models",
        multiple=True,
        type=click.Path(),
        metavar="FILE",
        help="Add a row for a model that `stagg train` wrote, named after its file, or by 'Ours: FILE'. You can give "
        "it several times.",
    ),
]
_WEIGHTS_OF_BALLOTS = click.option(
    "--weights",
    metavar="W",
    help="Weights of the ballots, by voter: Ann=2,Ben=1 (the others keep 1), or one number per ballot: 2,1,1. "
    "0 leaves a ballot out.",
)
_RANKINGS = [
    click.option(
        "--missing",
        type=click.Choice(MISSING),
        help="What it means that an item is not in a list: it lost (below), nothing is known (neutral), or the list "
        "does not speak of it (skip).  [default: the method's own]",
    ),
    click.option(
        "--weights",
        metavar="W",
        help="Weights of the rankers, by name: bm25=2,dense=1 (the others keep 1), or one number per ranker: 2,1,1. "
        "0 leaves a ranker out.",
    ),
    click.option(
        "--depth", type=click.IntRange(min=1), metavar="K", help="Use only the first K items of every input list."
    ),
]
_FAMILIES = click.option(
    "--families",
    metavar="FILE",
    help="Lists of one origin, for the method stagg_trust: of a family only the list counts that gives an item most. A "
    "table of two columns, list and family, with a header; or lab1=screens,lab2=screens.",
)
_THRESHOLDS = [
    click.option(
        "--min-lists", type=click.IntRange(min=1), metavar="K", help="Keep only items that are in at least K lists."
    ),
    click.option(
        "--min-score",
        metavar="X",
        help="Before the fusion, drop items with a lower score. One number for all rankers, or bm25=5,dense=0.3.",
    ),
    click.option(
        "--scale",
        type=click.Choice(["first"]),
        help="first: divide the scores so that an item that is first in every list of its query has 1.",
    ),
]


def plan_options(command: F) -> F:
    """Add --method, --model, --missing, --weights and --depth.

    The command gets the ``method``, which may be a model, and the others as ``options`` of a plan.
    """

    def take(values: dict[str, Any]) -> dict[str, Any]:
        method, families = _choose_method(values.pop("method"), values["model"]), values.pop("families")
        if families is not None:
            method = _with_families(method, families)
        return {"method": method, "options": _take_options(values)}

    return bundle(command, [*_METHOD, *_RANKINGS, _FAMILIES], take)


def voters_weights_option(command: F) -> F:
    """Add --weights alone, for ballots; the command gets the ``weights`` as a plan has them."""
    return bundle(command, [_WEIGHTS_OF_BALLOTS], lambda values: {"weights": parse_weights(values.pop("weights"))})


def threshold_options(command: F) -> F:
    """Add --min-lists, --min-score and --scale; the command gets them as ``thresholds``, options of a plan."""

    def take(values: dict[str, Any]) -> dict[str, Any]:
        least = _parse_least(values.pop("min_score"))
        return {"thresholds": {"min_lists": values.pop("min_lists"), "min_score": least, "scale": values.pop("scale")}}

    return bundle(command, _THRESHOLDS, take)


def contest_options(command: F) -> F:
    """Add --methods, --model, --missing, --weights and --depth.

    The command gets the ``methods`` and models by the name of their row, the files of the ``models``, and the others
    as ``options`` of a plan.
    """

    def take(values: dict[str, Any]) -> dict[str, Any]:
        models = [_split_path(given) for given in values.pop("models")]
        methods = _name_methods(values.pop("methods"), models, values["missing"])
        return {"methods": methods, "models": [path for _, path in models], "options": _take_options(values)}

    return bundle(command, [*_METHODS, *_RANKINGS], take)


def _take_options(values: dict[str, Any]) -> dict[str, Any]:
    weights = parse_weights(values.pop("weights"))
    return {"missing": values.pop("missing"), "weights": weights, "depth": values.pop("depth")}


def _choose_method(method: str | None, model: str | None) -> Method:
    """The method that a text spells, or the one that a model file holds."""
    if model is None:
        return method_of(method or DEFAULT_METHOD)
    if method is not None:
        raise InvalidParameter("--method and --model exclude each other")
    from stagg.learning import load_model

    return load_model(model)


def _with_families(method: Method, text: str) -> Method:
    """The method with the families that a text or a table names."""
    from stagg.methods import StaggTrust

    if not isinstance(method, StaggTrust):
        raise InvalidParameter(f"--families is for the method stagg_trust, not {method.label}: say -m stagg_trust")
    return dataclasses.replace(method, families=_parse_families(text))


def _parse_families(text: str) -> dict[str, str]:
    """``lab1=screens,lab2=screens``, or a table of two columns with a header."""
    if os.path.isfile(text):
        lines = Path(text).read_text("utf-8-sig", errors="replace").splitlines()
        rows = [line.replace("\t", ",").split(",") for line in lines if line.strip()]
        pairs = [tuple(cell.strip() for cell in row) for row in rows[1:]]
    else:
        pairs = [tuple(cell.strip() for cell in part.rpartition("=")[::2]) for part in text.split(",")]
    wrong = next((pair for pair in pairs if len(pair) != 2 or not all(pair)), None)
    if wrong is not None or not pairs:
        raise InvalidParameter(
            f"--families {text!r}: expected list=family,list=family, or a table of two columns, list and family"
        )
    return {pair[0]: pair[1] for pair in pairs}


def _name_methods(texts: str, models: Sequence[tuple[str, str]], missing: Missing | None) -> dict[str, Method]:
    """Methods by their text, models by their file."""
    from stagg.evaluation.contenders import name_methods
    from stagg.learning import load_model

    named = name_methods(texts, missing)
    for name, path in models:
        if name in named:
            raise InvalidParameter(f"{name} is named twice")
        named[name] = load_model(path)
    return named


def _split_path(given: str) -> tuple[str, str]:
    """ "Ours: model.json" as name and file; a file without a name is its own."""
    name, colon, path = given.partition(": ")
    return (name.strip(), path.strip()) if colon and not os.path.exists(given) else (given, given)


def parse_weights(text: str | None) -> dict[str, float] | list[float] | None:
    """``bm25=2,dense=1`` by name, or ``2,1,1`` by position."""
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    named = [part.rpartition("=") for part in parts]
    if all(name for name, _, _ in named):
        weights = {name.strip(): _weight(value, text) for name, _, value in named}
        if len(weights) < len(named):
            raise InvalidParameter(f"--weights {text!r} names a ranker twice")
        return weights
    if any(sign for _, sign, _ in named):
        raise InvalidParameter(f"--weights {text!r}: give all weights by name (bm25=2) or all by position (2,1)")
    return [_weight(part, text) for part in parts]


def _parse_least(text: str | None) -> dict[str, float] | float | None:
    """``5`` for all rankers, or ``bm25=5,dense=0.3`` by name."""
    if text is None:
        return None
    named = [part.rpartition("=") for part in text.split(",")]
    try:
        if all(name for name, _, _ in named):
            return {name.strip(): float(value) for name, _, value in named}
        return float(text)
    except ValueError:
        raise InvalidParameter(f"--min-score {text!r}: expected a number, or numbers by ranker: bm25=5") from None


def _weight(value: str, text: str) -> float:
    try:
        return float(value)
    except ValueError:
        name, colon, number = value.rpartition(":")
        hint = f"; write {name.strip()}={number.strip()}" if colon and name else ""
        raise InvalidParameter(f"--weights {text!r}: {value!r} is not a number{hint}") from None
