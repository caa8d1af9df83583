"""Boosted trees, grown by LightGBM.

- ``boosted_trees``: Boosted trees: LightGBM's lambdarank, and trees grown on the exact expected measure
- ``boosting``: Boosting by LightGBM, round by round: several forests side by side, the best round on a validation part
  kept
- ``forest_text``: Check the text of a LightGBM model before LightGBM sees it: a damaged one would end the whole process
"""

from stagg._moved import find_moved

__getattr__ = find_moved(__name__)
