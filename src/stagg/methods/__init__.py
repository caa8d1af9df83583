"""Unsupervised aggregation methods. A new one is a class, a line here, its declared laws and a test."""

from stagg.errors import InvalidParameter, shown
from stagg.methods.base import LAWS, MISSING, Method, Positional
from stagg.methods.comb import CombANZ, CombMAX, CombMED, CombMIN, CombMNZ, CombSUM
from stagg.methods.positional import ISR, RBC, RRF, Borda, LogISR, MeanRank, VoteCount
from stagg.methods.stochastic import Stagg, StaggBC, StaggRRF
from stagg.registry import Registry

__all__ = ["LAWS", "METHODS", "MISSING", "Method", "Positional", "method_of"]

METHODS: Registry[Method] = Registry(
    "method",
    [
        Borda,
        MeanRank,
        "median_rank = stagg.methods.median_rank:MedianRank",
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
        "stagg_trust = stagg.methods.trust:StaggTrust",
        "plackett_luce = stagg.methods.plackett_luce:PlackettLuce",
        "condorcet = stagg.methods.majority:Condorcet",
        "copeland = stagg.methods.majority:Copeland",
        "mpm = stagg.methods.mpm:MPM",
        "bradley_terry = stagg.methods.pair_models:BradleyTerry",
        "thurstone = stagg.methods.pair_models:Thurstone",
        "mc1 = stagg.methods.markov:MC1",
        "mc2 = stagg.methods.markov:MC2",
        "mc3 = stagg.methods.markov:MC3",
        "mc4 = stagg.methods.markov:MC4",
        "local_kemeny = stagg.methods.local_kemeny:LocalKemeny",
        "mclk = stagg.methods.local_kemeny:MCLK",
        "kemeny = stagg.methods.kemeny:Kemeny",
        "svp = stagg.methods.svp:SVP",
        "cranking = stagg.methods.mallows:Cranking",
        "mallows = stagg.methods.mallows:Mallows",
        "rra = stagg.methods.rra:RRA",
    ],
    plugins=Method,
)


def method_of(method: str | Method) -> Method:
    """The method that a text spells, or the method itself."""
    if isinstance(method, Method):
        return method
    if isinstance(method, str):
        return METHODS.parse(method)
    raise InvalidParameter(f"a method is a text such as 'rrf(c=60)' or a method object, not {shown(method)}")
