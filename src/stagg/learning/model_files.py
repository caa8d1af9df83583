"""Model files: what one may hold (JSON of finite numbers, a known kind, a version, a checksum), never pickle."""

from __future__ import annotations

import hashlib
import importlib
import json
import math
import os
import re
from pathlib import Path
from typing import Any, Final

from stagg._version import __version__
from stagg.errors import DataError, InvalidParameter, NotConverged, StaggError, shown
from stagg.learning.base import Model
from stagg.registry import read_call

__all__ = ["MODELS", "describe_model", "load_model", "model_text", "restore_model"]

FILE_VERSION = 1
LARGEST_FILE = 1 << 26  # bytes; forests have 1 to 10 MB
SURROGATE = re.compile("[\ud800-\udfff]")
MODELS: Final = {
    "best_input": "stagg.learning.single.best_input:OneRanker",
    "weights": "stagg.learning.single.weighted_method:WeightedMethod",
    "few_labels": "stagg.learning.single.taught_weights:TaughtWeights",
    "linear": "stagg.learning.linear.linear_model:LinearModel",
    "cps": "stagg.learning.single.stagewise:StagewiseModel",
    "theta_mpm": "stagg.learning.single.theta_mpm:ExpertMPM",
    "supervised_mc": "stagg.learning.single.supervised_mc:MixedChain",
    "trees": "stagg.learning.trees.boosted_trees:Forests",
    "trust": "stagg.learning.single.trust_learner:TrustModel",
    "probfuse": "stagg.learning.places.segments:ProbFuseModel",
    "segfuse": "stagg.learning.places.segments:SegFuseModel",
    "slidefuse": "stagg.learning.places.fuse_by_place:SlideFuseModel",
    "posfuse": "stagg.learning.places.fuse_by_place:PosFuseModel",
    "mapfuse": "stagg.learning.places.fuse_by_place:MapFuseModel",
    "bayesfuse": "stagg.learning.places.bayesfuse:BayesFuseModel",
    "mixed": "stagg.learning.places.mixed:MixedModel",
    "ensemble": "stagg.learning.ensemble:EnsembleModel",
}
"""The kinds of models and their classes, each imported when a file names it."""


def model_text(model: Model) -> str:
    """A model as the text of its file."""
    body = {"stagg_model": FILE_VERSION, **describe_model(model), "written_by": f"stagg {__version__}"}
    try:
        text = json.dumps(body | {"checksum": _checksum(body)}, indent=1, ensure_ascii=False, allow_nan=False)
    except ValueError:
        raise NotConverged(f"{model.label}: the model contains NaN or infinity, so it cannot be saved") from None
    # a ranker named after a file may have bytes that are no text: JSON has an escape for them
    return SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def describe_model(model: Model) -> dict[str, Any]:
    """Describe a model as JSON values: :func:`restore_model` makes it again."""
    return {
        "kind": model.kind,
        "learner": model.learner,
        "rankers": list(model.rankers),
        "training": dict(model.training),
        "content": model.content(),
    }


def restore_model(body: dict[str, Any]) -> Model:
    """The model that :func:`describe_model` described."""
    rankers = body["rankers"]
    if not isinstance(rankers, list) or not all(isinstance(name, str) for name in rankers):
        raise DataError("its rankers are not a list of names")
    common = {
        "learner": str(body["learner"]),
        "rankers": tuple(rankers),
        "training": tuple(body["training"].items()),
    }
    return _find_kind(body).restore(common, body["content"])


def load_model(path: str | Path) -> Model:
    """Load a model that ``model.save`` or ``stagg train`` wrote; it goes wherever a method goes.

    A file that is not a model, is damaged, or was written by a newer version is an error that says so.

    >>> import pathlib, tempfile
    >>> from stagg import train
    >>> runs = {"x": {"q": {"a": 2.0, "b": 1.0}}, "y": {"q": {"b": 2.0, "a": 1.0}}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     train(runs, "best_input", {"q": {"b": 1}}).save(pathlib.Path(folder) / "model.json")
    ...     load_model(pathlib.Path(folder) / "model.json")
    best_input(measure='ndcg@5'): y
    """
    if not isinstance(path, str | os.PathLike):
        raise InvalidParameter(f"expected the path of a model file, not {shown(path)}")
    path = Path(os.fsdecode(path))
    body = _read(path)
    version = body.get("stagg_model")
    if not isinstance(version, int):
        raise DataError("this is not a model file of stagg", file=str(path))
    if version > FILE_VERSION:
        raise DataError(
            f"the model is of file version {version}; this stagg reads up to {FILE_VERSION}", file=str(path)
        )
    checksum = body.pop("checksum", None)
    if checksum != _checksum(body):
        raise DataError("the checksum does not fit: the model file is damaged or was edited", file=str(path))
    _find_kind(body, str(path))
    try:
        return restore_model(body)
    except (LookupError, TypeError, ValueError, OverflowError, AttributeError, StaggError) as error:
        raise DataError(f"the model is incomplete: {shown(str(error))}", file=str(path)) from None


def _find_kind(body: dict[str, Any], file: str | None = None) -> type[Model]:
    place = MODELS.get(str(body.get("kind")))
    kind = _find_plugin(body) if place is None else _import(place)
    if kind is None:
        raise DataError(f"unknown kind of model {shown(body.get('kind'))}", file=file)
    return kind


def _import(place: str) -> type[Model]:
    module, _, name = place.partition(":")
    kind: type[Model] = getattr(importlib.import_module(module), name)
    return kind


def _find_plugin(body: dict[str, Any]) -> type[Model] | None:
    """The class of a model that a learner of another package made."""
    from stagg.learning import LEARNERS

    kind = LEARNERS[read_call("learner", str(body.get("learner"))).name].model_class
    return kind if kind is not None and kind.kind == body.get("kind") else None


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as stream:
            text = stream.read(LARGEST_FILE + 1)  # no more: a pipe or a device need not end
        if len(text) > LARGEST_FILE:
            raise DataError("too large for a model file", file=str(path))
        found = json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", file=str(path)) from None
    except (ValueError, RecursionError, MemoryError):
        raise DataError("this is not a model file of stagg: no JSON", file=str(path)) from None
    return found if isinstance(found, dict) else {}


def _finite(text: str) -> float:
    return float(text) if math.isfinite(float(text)) else _no_number(text)


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")


def _checksum(body: dict[str, Any]) -> str:
    """Over the content, not the layout of the file."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
