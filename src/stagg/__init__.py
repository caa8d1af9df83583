"""Rank aggregation: many partial rankings into one, with how sure it is and why.

>>> import stagg
>>> stagg.fuse([["a", "b"], ["b", "c"], ["b", "a"]], "rrf(c=60)").best_first()
['b', 'a', 'c']
"""

from typing import TYPE_CHECKING, Any

from stagg._version import __version__
from stagg.aggregate import fuse
from stagg.data import Labels, Rankings
from stagg.errors import (
    DataError,
    DataWarning,
    InvalidParameter,
    MissingExtra,
    NotConverged,
    StaggError,
    UnknownName,
)

if TYPE_CHECKING:
    from stagg.aggregate import explain, rank_distribution
    from stagg.evaluation import compare, evaluate
    from stagg.formats import read, read_labels, write

__all__ = [
    "DataError",
    "DataWarning",
    "InvalidParameter",
    "Labels",
    "MissingExtra",
    "NotConverged",
    "Rankings",
    "StaggError",
    "UnknownName",
    "__version__",
    "compare",
    "evaluate",
    "explain",
    "fuse",
    "rank_distribution",
    "read",
    "read_labels",
    "write",
]


def __getattr__(name: str) -> Any:
    """What is not fusion is imported when first asked for: a service that fuses lists needs none of it."""
    if name in ("explain", "rank_distribution"):
        from stagg import aggregate

        return getattr(aggregate, name)
    if name in ("read", "read_labels", "write"):
        from stagg import formats

        return getattr(formats, name)
    if name in ("compare", "evaluate"):
        from stagg import evaluation

        return getattr(evaluation, name)
    raise AttributeError(f"module 'stagg' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
