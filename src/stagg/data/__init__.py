"""What a ranking is: rankings, labels, and simulated ones whose truth is known."""

from stagg.data.construct import rankings_of
from stagg.data.hits import Hit
from stagg.data.labels import UNJUDGED, Labels
from stagg.data.query import Query
from stagg.data.rankings import Rankings, Weights
from stagg.kernels.arrays import ABSENT

__all__ = ["ABSENT", "UNJUDGED", "Hit", "Labels", "Query", "Rankings", "Weights", "rankings_of"]
