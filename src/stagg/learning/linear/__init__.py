"""Linear models on features of items.

- ``linear_model``: Linear model: a weight for every feature
- ``linear_learner``: Shared base of learners of a linear model: features on one scale, a validation part, a finished
  model
- ``feature_model``: Shared base of models on a feature map: the table of features, and a warning when list lengths
  differ
- ``scaled``: Scaled features: all on one scale, for linear learners
- ``descent``: Fitting by L-BFGS: every iteration is reported, and with a validation part the best iterate is kept
- ``expected_measure``: Supervised St.Agg: linear scores that maximise an expected measure, exactly
- ``rankagg``: RankAgg: linear scores trained by LambdaRank, the paper's comparison for supervised St.Agg
"""
