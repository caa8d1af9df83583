"""Feature maps: what a learner sees of an item. To add one, write a class and a line in the registry.

- ``base``: Feature map, the base class: rankings in, a vector of numbers per item out
- ``raw``: Raw ranks: as the source gives them, gaps included
- ``borda``: Ψ_BF: the Borda points that each ranker gives an item
- ``ranks``: Rank features: each ranker's rank of an item, in the forms that learners have found useful
- ``svd``: Ψ_MF: singular vectors of every list's own pairwise matrix
- ``cp``: Ψ_TF: the tensor of all pairwise matrices of a query, factorised at once
- ``factorised``: Shared code of the feature maps that factorise pairwise matrices
- ``parafac``: CP decomposition (PARAFAC) by alternating least squares: tensorly does the sweeps, the best start is kept
- ``cache``: Cache of features: the folds of a cross-validation share most of their queries
"""

from stagg.features.base import FeatureMap
from stagg.features.borda import BordaFeatures
from stagg.features.cp import CP
from stagg.features.ranks import RankFeatures
from stagg.features.raw import Raw
from stagg.features.svd import SVD
from stagg.registry import Registry

__all__ = ["FEATURES", "FeatureMap"]

FEATURES: Registry[FeatureMap] = Registry("feature", [BordaFeatures, SVD, CP, RankFeatures, Raw])
