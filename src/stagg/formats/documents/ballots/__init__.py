"""Ballots of elections as counting programs and archives write them.

- ``preflib``: PrefLib elections: a header of ``# KEY: value`` lines, then ``count: 3,1,{2,5},4``, best first, braces
  for ties
- ``blt``: BLT elections (OpaVote, OpenSTV): numbers of candidates and seats, ballots such as ``3 2 1=4 0``, a 0, then
  names
- ``condorcet``: Condorcet Election Format (.cvotes): ``A > B = C * 6``, a vote and how many cast it, below ``#/``
  parameters
- ``abif``: Aggregated Ballot Information Format (.abif): ``27: A>B=C``, a count and a vote; ratings, names of
  candidates
- ``debian``: Debian's tally sheets: a line for each vote, ``V: 21-3`` and a hash, below the names of the options
"""
