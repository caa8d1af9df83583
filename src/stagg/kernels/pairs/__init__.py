"""Pairs of items: votes, majorities, and rules that follow from them.

- ``pairwise``: Pairwise counts: how much weight puts one item above another
- ``expected_wins``: Expected votes: how much weight puts one item above another when lists decide contests by chance
- ``majority``: Majorities: who beats whom over all lists, as whole numbers that do not depend on the order of the lists
- ``insertion``: Insertion by majorities: add items one by one; each moves up while it beats the one above
- ``shared_choices``: Shared choices (MC1, MC2): how much of each list's weight an item gives to those at or before its
  place
- ``beatpaths``: Beatpaths: how strong a chain of victories is (Schulze), and which victories can stand together (ranked
  pairs)
- ``graphs``: Graphs, small and dense: reachability, components, strongly connected components
- ``pair_matrices``: Preference matrices of lists, and their singular vectors
- ``singular_values``: Singular value projection: skew-symmetric matrices of rank 2 that fit the known entries of
  another
"""
