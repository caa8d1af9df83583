"""Maximum likelihood: models fitted to lists and pairs, Newton's method, Cholesky.

- ``newton``: Newton's method for convex functions: damped steps, until only rounding is left
- ``cholesky``: Cholesky: solve positive definite linear equations while other threads and Ctrl-C go on
- ``pair_models``: Models of pairs: Bradley-Terry, Thurstone and the multinomial preference model, with gradients and
  Hessians
- ``plackett_luce``: Plackett-Luce model: a list is a series of choices, each of one item among those that are left
- ``expertise``: Multinomial preference model of rankers that differ in expertise
"""
