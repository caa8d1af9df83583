"""Learned worth of places: fusions that learn the value of each place in a ranker's list.

- ``place_tables``: Shared base of fusions that learn from relevant places: what they count, and a model that is a table
  by ranker
- ``fuse_by_place``: PosFuse, SlideFuse and MAPFuse: the worth of a place in a ranker's list, by itself, by its
  neighbours, by MAP
- ``segments``: ProbFuse and SegFuse: how often the items of a segment of a ranker's lists are relevant
- ``bayesfuse``: BayesFuse: the odds that an item is relevant, given its place in every list
- ``mixed``: Mixed: weighted scores times the root of the number of lists, with weights tuned on labels
"""

from stagg._moved import find_moved

__getattr__ = find_moved(__name__)
