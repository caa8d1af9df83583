"""Rank aggregation: many partial rankings into one.

>>> import stagg
>>> stagg.fuse([["a", "b"], ["b", "c"], ["b", "a"]], "rrf(c=60)").best_first()
['b', 'a', 'c']
"""

from stagg._version import __version__
from stagg.aggregate import explain, fuse, rank_distribution
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
    "explain",
    "fuse",
    "rank_distribution",
    "read",
    "read_labels",
    "write",
]
