"""Rank aggregation: many partial rankings into one, with how sure it is and why.

>>> import stagg
>>> stagg.fuse([["a", "b"], ["b", "c"], ["b", "a"]], "rrf(c=60)").best_first()
['b', 'a', 'c']
"""

import importlib
import sys
from typing import TYPE_CHECKING, Any

if sys.argv[:1] == ["-m"]:  # this may be ``python -m stagg``: Ctrl-C is answered while the rest is loaded
    import stagg_start  # noqa: F401

from stagg._moved import OldPaths
from stagg._version import __version__
from stagg.aggregate import fuse
from stagg.data import Hit, Labels, Rankings
from stagg.errors import (
    DataError,
    DataWarning,
    InvalidParameter,
    LegFailed,
    MissingExtra,
    NotConverged,
    StaggError,
    UnknownName,
)

if TYPE_CHECKING:
    from stagg.aggregate import explain, rank_distribution
    from stagg.elections import elect
    from stagg.evaluation import compare, diff, evaluate, gate
    from stagg.formats import read, read_labels, write
    from stagg.formats.documents.texts import read_texts
    from stagg.judging import judge
    from stagg.leaderboards import leaderboard
    from stagg.learning import load_model, train
    from stagg.report import explore

__all__ = [
    "DataError", "DataWarning", "Hit", "InvalidParameter", "Labels", "LegFailed", "MissingExtra", "NotConverged",
    "Rankings", "StaggError", "UnknownName", "__version__", "compare", "diff", "elect", "evaluate", "explain",
    "explore", "fuse", "gate", "judge", "leaderboard", "load_model", "rank_distribution", "read", "read_labels",
    "read_texts", "train", "write",
]  # fmt: skip


_LATER = {
    "explain": "aggregate",
    "rank_distribution": "aggregate",
    "read": "formats",
    "read_labels": "formats",
    "read_texts": "formats.documents.texts",
    "write": "formats",
    "load_model": "learning",
    "train": "learning",
    "compare": "evaluation",
    "diff": "evaluation",
    "elect": "elections",
    "evaluate": "evaluation",
    "gate": "evaluation",
    "judge": "judging",
    "leaderboard": "leaderboards",
    "explore": "report",
}
"""Names besides fusion, imported when first asked for: a service that fuses lists needs none of them."""


sys.meta_path.append(OldPaths)


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'stagg' has no attribute {name!r}")
    return getattr(importlib.import_module(f"stagg.{_LATER[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
