"""Rankings, labels and ids: the data that every other part works on.

- ``rankings``: Rankings: what many rankers say of the items of many queries, as flat integer arrays
- ``query``: View of one query: its candidates, and what each ranker says of them
- ``columns``: Columns: one row per listed item, as integer codes with their ids; every file and frame becomes this
- ``ids``: Ids as a column: the address of the bytes of each; a Python object is made only when someone looks at one
- ``labels``: Labels: how relevant the judged items of each query are
- ``intervals``: Intervals of the ranks of a consensus as arrays; the columns that show them are in ``results/beside``
- ``parts``: Take parts of rankings and join them: fewer rankers, fewer queries, shorter lists, several inputs as one
- ``strangers``: Rankers that share no item with any other, mostly because of mismatched ids: ``2908`` beside
  ``doc-2908``
- ``large_numbers``: Whole numbers of 2^53 or more: a float holds only some of them, so two that differ may become one
- ``simulation``: Simulate rankings from a known truth: seeded draws from Plackett-Luce and Mallows models
- ``inputs``: Rankings from objects in memory: lists, dicts, frames
- ``results``: Results for callers: hits, pages of hits, tables in notebooks
- ``many_rows``: Rankings of many rows that are in memory: sorted by query in pieces, by several threads, and put
  together
- ``spellings``: Spellings: names that look alike, where one is probably a slip, and names that the caller says are the
  same
"""

from stagg.data.inputs.construct import rankings_of
from stagg.data.labels import UNJUDGED, Labels
from stagg.data.query import Query
from stagg.data.rankings import Rankings, Weights
from stagg.data.results.hits import Hit
from stagg.kernels.arrays import ABSENT

__all__ = ["ABSENT", "UNJUDGED", "Hit", "Labels", "Query", "Rankings", "Weights", "rankings_of"]
