"""Unsupervised aggregation methods. A new one is a class, a line here, its declared laws and a test."""

from stagg.errors import InvalidParameter, shown
from stagg.methods.base import LAWS, MISSING, Method, Positional
from stagg.methods.comb import CombANZ, CombMAX, CombMED, CombMIN, CombMNZ, CombSUM
from stagg.methods.kemeny import Kemeny
from stagg.methods.local_kemeny import MCLK, LocalKemeny
from stagg.methods.majority import Condorcet, Copeland
from stagg.methods.mallows import Cranking, Mallows
from stagg.methods.markov import MC1, MC2, MC3, MC4
from stagg.methods.median_rank import MedianRank
from stagg.methods.mpm import MPM
from stagg.methods.pair_models import BradleyTerry, Thurstone
from stagg.methods.plackett_luce import PlackettLuce
from stagg.methods.positional import ISR, RBC, RRF, Borda, LogISR, MeanRank, VoteCount
from stagg.methods.rra import RRA
from stagg.methods.stochastic import Stagg, StaggBC, StaggRRF
from stagg.methods.svp import SVP
from stagg.registry import Registry

__all__ = ["LAWS", "METHODS", "MISSING", "Method", "Positional", "method_of"]

METHODS: Registry[Method] = Registry(
    "method",
    [
        Borda,
        MeanRank,
        MedianRank,
        RRF,
        ISR,
        LogISR,
        RBC,
        VoteCount,
        CombSUM,
        CombMNZ,
        CombMAX,
        CombMIN,
        CombMED,
        CombANZ,
        StaggBC,
        StaggRRF,
        Stagg,
        PlackettLuce,
        Condorcet,
        Copeland,
        MPM,
        BradleyTerry,
        Thurstone,
        MC1,
        MC2,
        MC3,
        MC4,
        LocalKemeny,
        MCLK,
        Kemeny,
        SVP,
        Cranking,
        Mallows,
        RRA,
    ],
)


def method_of(method: str | Method) -> Method:
    """The method that a text spells, or the method itself."""
    if isinstance(method, Method):
        return method
    if isinstance(method, str):
        return METHODS.parse(method)
    raise InvalidParameter(f"a method is a text such as 'rrf(c=60)' or a method object, not {shown(method)}")
