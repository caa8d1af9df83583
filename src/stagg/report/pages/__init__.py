"""The pages: a fusion, a comparison, an election, a leaderboard, the explorer, a sheet to judge.

- ``fusion``: Report of a fusion: the consensus of each query, how sure it is, and where it comes from
- ``comparison``: Report of a comparison: means with intervals, wins and losses against the baseline, robustness curves
- ``election``: Report of an election: winners by rule, pairwise heat map, flow of the runoff, ranks by rule, win shares
- ``leaderboard``: Report of a leaderboard: ranks with intervals, groups, who beats whom, what each task does, other
  ways to count
- ``explorer``: Explorer: a page with sliders for the weights; the ranking changes with them
- ``explorer_data``: Data of the explorer's page: the lists as numbers, the methods on offer, trust, labels and draws
- ``explorer_settings``: Settings of the explorer: the methods that its arithmetic (fusion.js) knows, written as plain
  values
- ``changes``: Report of a diff: how far each query changed, and which items moved into the first places and out of them
- ``seat_election``: Report of an election for several seats: who is elected, candidates, stages with their flow, seats
  in redraws
- ``judging``: Page on which people judge: one query and one document at a time, by key or touch; the file it saves is
  the sheet
- ``battle_sections``: Sections of a leaderboard by battles: who won how often, the judges, and groups that never met
"""
