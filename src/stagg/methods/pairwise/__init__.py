"""Pairwise methods: items are compared pair by pair.

- ``majority``: Copeland and Condorcet: methods that ask, pair by pair, which item the majority of the lists prefers
- ``uncertain``: Uncertain votes: the pairwise methods over contests that a list decides by chance, summed with trust
- ``kemeny``: Kemeny's consensus: the ranking nearest to all lists, proven or by a heuristic
- ``local_kemeny``: Local Kemenization of any method's order, and of a Markov chain's (MCLK)
- ``markov``: Markov chains MC1 to MC4: a walk from item to better item, ranked by the time it spends in each
- ``svp``: SVP: pairwise differences completed by a skew-symmetric matrix of rank 2
"""
