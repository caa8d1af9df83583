"""The pages: a fusion, a comparison, an election, the explorer.

- ``fusion``: Report of a fusion: the consensus of each query, how sure it is, and where it comes from
- ``comparison``: Report of a comparison: means with intervals, wins and losses against the baseline, robustness curves
- ``election``: Report of an election: winners by rule, pairwise heat map, flow of the runoff, ranks by rule, win shares
- ``explorer``: Explorer: a page with sliders for the weights; the ranking changes with them
- ``explorer_data``: Data of the explorer's page: the lists as numbers, the methods on offer, trust, labels and draws
- ``explorer_settings``: Settings of the explorer: the methods that its arithmetic (fusion.js) knows, written as plain
  values
"""
