"""Learners: labels in (except for ``trust``), a finished method out.

- ``base``: Learner and Model, the base classes: labels in, a finished method out
- ``training``: ``train``: rankings and labels in, a finished model out; part of the queries may be held out to choose
  by
- ``examples``: Training examples: labelled queries as a learner sees them, and the mean measure of any scores on them
- ``grids``: Grids of settings by name: the values from which validation data choose a learner's parameters
- ``model_files``: Model files: what one may hold (JSON of finite numbers, a known kind, a version, a checksum), never
  pickle
- ``ensemble``: Ensemble of learners: the sum of their scores, each brought to one scale query by query
- ``linear``: Linear models on features of items
- ``places``: Learned worth of places: fusions that learn the value of each place in a ranker's list
- ``trees``: Boosted trees, grown by LightGBM
- ``single``: Learners of other kinds: weights, trust, and the paper's baselines
"""

from stagg.learning.base import Learner, Model
from stagg.learning.model_files import load_model, model_text
from stagg.learning.training import train
from stagg.registry import Registry

__all__ = ["LEARNERS", "Learner", "Model", "load_model", "model_text", "train"]

LEARNERS: Registry[Learner] = Registry(
    "learner",
    [
        "best_input = stagg.learning.single.best_input:BestInput",
        "few_labels = stagg.learning.single.few_labels:FewLabels",
        "weights = stagg.learning.single.weights:TunedWeights",
        "trust = stagg.learning.single.trust_learner:TrustLearner",
        "stagg_ndcg = stagg.learning.linear.expected_measure:StaggNDCG",
        "stagg_err = stagg.learning.linear.expected_measure:StaggERR",
        "stagg_rbp = stagg.learning.linear.expected_measure:StaggRBP",
        "rankagg_ndcg = stagg.learning.linear.rankagg:RankAggNDCG",
        "rankagg_err = stagg.learning.linear.rankagg:RankAggERR",
        "rankagg_rbp = stagg.learning.linear.rankagg:RankAggRBP",
        "cps = stagg.learning.single.stagewise:CPS",
        "theta_mpm = stagg.learning.single.theta_mpm:ThetaMPM",
        "supervised_mc = stagg.learning.single.supervised_mc:SupervisedMC",
        "lambdamart = stagg.learning.trees.boosted_trees:LambdaMART",
        "stagg_trees = stagg.learning.trees.boosted_trees:StaggTrees",
        "probfuse = stagg.learning.places.segments:ProbFuse",
        "segfuse = stagg.learning.places.segments:SegFuse",
        "slidefuse = stagg.learning.places.fuse_by_place:SlideFuse",
        "posfuse = stagg.learning.places.fuse_by_place:PosFuse",
        "mapfuse = stagg.learning.places.fuse_by_place:MapFuse",
        "bayesfuse = stagg.learning.places.bayesfuse:BayesFuse",
        "mixed = stagg.learning.places.mixed:Mixed",
        "ensemble = stagg.learning.ensemble:Ensemble",
    ],
    plugins=Learner,
)
