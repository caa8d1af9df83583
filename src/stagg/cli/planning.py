"""The options of a plan on the command line: which method or model, weights, what absence means, how deep."""

from __future__ import annotations

import click

from stagg.aggregate import DEFAULT_METHOD
from stagg.errors import InvalidParameter
from stagg.methods import MISSING, Method, method_of

__all__ = [
    "choose_method",
    "depth_option",
    "load_models",
    "method_option",
    "missing_option",
    "model_option",
    "models_option",
    "parse_weights",
    "weights_option",
]

method_option = click.option(
    "--method", "-m", help=f"Aggregation method; `stagg methods` lists them.  [default: {DEFAULT_METHOD}]"
)
model_option = click.option("--model", type=click.Path(), help="A model that `stagg train` wrote, instead of a method.")
models_option = click.option(
    "--model",
    "models",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="A model that `stagg train` wrote: one more row, named by its file. May be given several times.",
)
missing_option = click.option(
    "--missing",
    type=click.Choice(MISSING),
    help="What absence from a list means.  [default: the method's own]",
)
weights_option = click.option(
    "--weights",
    metavar="W",
    help="Ranker weights: bm25=2,dense=1 (the others keep 1), or one number per ranker: 2,1,1. 0 leaves a ranker out.",
)
depth_option = click.option(
    "--depth", type=click.IntRange(min=1), metavar="K", help="Use only the first K of every input list."
)


def choose_method(method: str | None, model: str | None) -> Method:
    """The method that a text spells, or the one that a model file holds."""
    if model is None:
        return method_of(method or DEFAULT_METHOD)
    if method is not None:
        raise InvalidParameter("--method and --model exclude each other")
    from stagg.learning import load_model

    return load_model(model)


def load_models(paths: tuple[str, ...]) -> dict[str, Method]:
    """The models of some files, by the name of the file."""
    from stagg.learning import load_model

    return {path: load_model(path) for path in paths}


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


def _weight(value: str, text: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InvalidParameter(f"--weights {text!r}: {value!r} is not a number") from None
