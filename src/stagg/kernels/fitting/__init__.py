"""Maximum likelihood: models fitted to lists and pairs, Newton's method, Cholesky.

- ``newton``: Newton's method for convex functions: damped steps, until only rounding is left
- ``cholesky``: Cholesky: solve positive definite linear equations while other threads and Ctrl-C go on
- ``pair_models``: Models of pairs: Bradley-Terry, Thurstone and the multinomial preference model, with gradients and
  Hessians
- ``plackett_luce``: Plackett-Luce model: a list is a series of choices, each of one item among those that are left
- ``random_slopes``: Random slopes: a linear model of grades whose slopes differ from a prior, and from query to query,
  by REML
- ``expertise``: Multinomial preference model of rankers that differ in expertise
- ``anchored``: Prediction-powered Bradley-Terry: few votes to believe, corrected by many votes of another judge
- ``davidson``: Bradley-Terry with ties and a preference for the first place, for each judge; with its sandwich
  covariance
- ``place_design``: Which battles bound strengths and preferences for a place, and which leave them free
"""
