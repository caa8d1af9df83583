"""Lists one by one: score norms, medians, tallies of ballots, runoffs, the bootstrap.

- ``normalise``: Normalise scores: bring those of many lists to a common scale, list by list (min-max, sum, z-score,
  ...)
- ``tool_norms``: Score norms as other tools define them: most differ from ours in lists whose scores are all equal
- ``medians``: Weighted medians of the columns of a table
- ``order_statistics``: Order statistics of uniform variables: how unlikely an item's ranks are if every list is drawn
  at random
- ``relevance``: Relevance by place: in which part of its lists each ranker puts the relevant items
- ``votes``: Votes: weights of lists as whole numbers, so that sums are exact in any order of the lists
- ``tallies``: Tallies of ballots: first and last choices among those who still stand, and support down to a place
- ``runoffs``: Runoffs: count, eliminate those who have the least, and count again among those who still stand
- ``bootstrap``: Bootstrap: the rank of every item in every draw, and the rank intervals that follow from the draws
- ``keep_factors``: Keep factors: Meek's count for several seats, in which the elected keep a part of each vote that
  reaches them
- ``transfers``: Transfers of votes: fill several seats by a quota, pass on what the elected do not need and what the
  excluded had
"""
