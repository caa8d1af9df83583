"""Feature maps: what a learner sees of an item. One class and one line in the registry make a new one."""

from stagg.features.base import FeatureMap
from stagg.features.borda import Borda
from stagg.features.cp import CP
from stagg.features.ranks import Ranks
from stagg.features.raw import Raw
from stagg.features.svd import SVD
from stagg.registry import Registry

__all__ = ["FEATURES", "FeatureMap"]

FEATURES: Registry[FeatureMap] = Registry("feature", [Borda, SVD, CP, Ranks, Raw])
