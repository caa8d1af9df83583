"""Probability models: methods that fit one to the lists.

- ``likelihood``: Shared base of methods that fit a probability model: one canonical form of a query, a prior, clear
  refusals
- ``pair_models``: Bradley-Terry and Thurstone: strengths under which the won and lost pairs of all lists are most
  likely
- ``plackett_luce``: Plackett-Luce: strengths under which the lists, as choices of the next best among those left, are
  most likely
- ``mpm``: Multinomial preference model: every preference of a list is a draw of one ordered pair out of all
- ``mallows``: Mallows' model and cranking: rankings whose probability falls with their distance from the lists
- ``uncertain_models``: Models of one query's pairs over uncertain votes: items in the order of their ids, sums that no
  order changes
"""
