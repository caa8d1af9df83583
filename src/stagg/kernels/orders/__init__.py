"""Whole orders of items: Kemeny's, those of Markov chains, and distributions over orders.

- ``kemeny``: Kemeny's linear ordering problem: the order that contradicts the lists as little as possible
- ``kemeny_exact``: Kemeny's order exactly, in two ways: all subsets, or an integer program with triangle constraints as
  needed
- ``kemeny_moves``: Improve Kemeny orders by moving one item at a time
- ``local_kemeny``: Local Kemenization: change an order so that no item is beaten, by majority, by the next one
- ``markov``: Markov chains over items: the transitions MC1 to MC4 of Dwork et al., and the share of time spent at each
  item
- ``mixed_chains``: Mixtures of Markov chains, one chain per list: the stationary distribution and its gradient
- ``permutations``: Sums over all orders of n items: exactly, by their first parts (2^n sets instead of n! orders), or
  by sampling
- ``mallows``: Mallows' model: lists scatter around a centre, and each discordant pair makes a list e^-θ times less
  likely
- ``cps``: CPS (coset-permutation distance based stagewise) models: an order is built from the front, cheap items likely
"""
