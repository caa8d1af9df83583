"""Learners: labels in (but for ``trust``), a finished method out."""

from stagg.learning.base import Learner, Model
from stagg.learning.best_input import BestInput
from stagg.learning.model_files import load_model, model_text
from stagg.learning.training import train
from stagg.learning.weights import TunedWeights
from stagg.registry import Registry

__all__ = ["LEARNERS", "Learner", "Model", "load_model", "model_text", "train"]

LEARNERS: Registry[Learner] = Registry(
    "learner",
    [
        BestInput,
        TunedWeights,
        "trust = stagg.learning.trust_learner:TrustLearner",
        "stagg_ndcg = stagg.learning.stochastic:StaggNDCG",
        "stagg_err = stagg.learning.stochastic:StaggERR",
        "stagg_rbp = stagg.learning.stochastic:StaggRBP",
        "rankagg_ndcg = stagg.learning.rankagg:RankAggNDCG",
        "rankagg_err = stagg.learning.rankagg:RankAggERR",
        "rankagg_rbp = stagg.learning.rankagg:RankAggRBP",
        "cps = stagg.learning.cps:CPS",
        "theta_mpm = stagg.learning.theta_mpm:ThetaMPM",
        "supervised_mc = stagg.learning.supervised_mc:SupervisedMC",
        "lambdamart = stagg.learning.trees:LambdaMART",
        "stagg_trees = stagg.learning.trees:StaggTrees",
        "probfuse = stagg.learning.segments:ProbFuse",
        "segfuse = stagg.learning.segments:SegFuse",
        "slidefuse = stagg.learning.places:SlideFuse",
        "posfuse = stagg.learning.places:PosFuse",
        "mapfuse = stagg.learning.places:MapFuse",
        "bayesfuse = stagg.learning.bayesfuse:BayesFuse",
        "mixed = stagg.learning.mixed:Mixed",
        "ensemble = stagg.learning.ensemble:Ensemble",
    ],
    plugins=Learner,
)
