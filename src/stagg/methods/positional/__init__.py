"""Positional methods: add up what the lists give to an item.

- ``rank_sums``: Sums over positions: Borda, reciprocal ranks (RRF), biased centroids, votes, mean rank
- ``counted``: Counted points: rules by which ballots give points that add up, exactly where votes are whole numbers
- ``comb``: The Comb family: scores brought to a common scale list by list, then combined item by item
- ``comb_means``: Means of normalised scores: geometric and harmonic, over the lists that hold the item
- ``median_rank``: Median rank of an item over all lists
- ``rra``: Robust rank aggregation (RRA): items that stand higher than chance would put them
"""

from stagg._moved import find_moved

__getattr__ = find_moved(__name__)
