"""Rank as a random variable: contests, rank distributions, expected utilities and measures.

- ``contests``: Pairwise contests within one list: the probability that one item beats another, from the gap between
  them
- ``place_contests``: Contests by place: they depend on both places, not on their gap alone, and can be learned for a
  ranker
- ``utilities``: Utilities of a rank, and the short sums of exponentials that approximate them
- ``rank_pmf``: Rank distributions: the rank of an item is the number of contests that it loses (Eq. 8-10 of the paper)
- ``first_rank_pmf``: First ranks of a rank distribution, as charts show them: O(L·ranks), where the whole distribution
  takes O(L·n)
- ``expectations``: Expected utilities by position: what a list gives to its k-th item, and to an item that it does not
  hold
- ``expected_measures``: Expected measures of noisy scores, with exact gradients, in O(n²Q) for a query of n items
- ``lambdas``: LambdaRank: how swapping a pair would change a measure, and the resulting pull on every item
"""
