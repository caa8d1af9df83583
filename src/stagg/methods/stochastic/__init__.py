"""St.Agg: expected utilities of a rank that is decided by contests; and trust in rankers.

- ``stagg``: Unsupervised St.Agg: expected utilities over rank distributions (sections 4.1 and 4.2 of the paper)
- ``shapes``: Names of shapes and utilities: texts such as "harmonic(1)" and "rrf(60)" as functions
- ``learned_shape``: Learned contests: how often all others confirm what a ranker says, by the places of the two items
- ``agreements``: Agreement of rankers, added up over queries: the data from which trust is learned
- ``one_query``: One query with many lists: what its items say of its lists, the best of a family, and what chance would
  give
- ``trust``: Trust: reciprocal rank fusion with rankers trusted as far as they deserve, learned from agreement alone
"""

from stagg._moved import find_moved

__getattr__ = find_moved(__name__)
