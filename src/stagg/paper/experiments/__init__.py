"""The experiments of the paper, and its claims.

- ``base``: Experiment, the base class: jobs to compute, and their results beside what the paper says
- ``readings``: Readings of Table 1: for every row of the paper the methods that it may stand for, and the orders of the
  lists
- ``printed``: Numbers as printed in the paper: its Table 1 and its claims
- ``table1``: Table 1: the unsupervised methods on both sets, every row of the paper read in several ways
- ``table1_claims``: Claims of the paper about Table 1, checked: the answers are computed from the rows, not written
  down
- ``trained``: Shared base of Figures 1 to 3: learners on LETOR's five folds, all settings chosen on the validation
  parts
- ``figure1``: Figure 1: explicit methods, which use ranks as they are, against implicit ones, which fit a model to the
  lists
- ``supervised``: Figures 2 and 3: supervised St.Agg against RankAgg, CPS and θ-MPM, on three feature maps, by three
  measures
- ``supervised_claims``: Claims of the paper about Figures 2 and 3, checked: the answers are computed from the rows, not
  written down
- ``figure4``: Figure 4: how the methods fare with fewer rankers, drawn at random
"""
