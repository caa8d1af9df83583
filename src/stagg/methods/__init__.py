"""Unsupervised aggregation methods. A new one is a class, a line here, its declared laws and a test."""

from typing import TYPE_CHECKING, Any

from stagg.methods.base import LAWS, MISSING, Method, Missing, Positional
from stagg.methods.positional import ISR, RBC, RRF, Borda, LogISR, LognISR, MeanRank, VoteCount
from stagg.registry import Registry

if TYPE_CHECKING:
    from stagg.methods.choices import Bucklin, Plurality
    from stagg.methods.comb import GMNZ, WMNZ, CombANZ, CombMAX, CombMED, CombMIN, CombMNZ, CombSUM
    from stagg.methods.condorcet_rules import Black, Minimax, RankedPairs, Schulze
    from stagg.methods.elimination import IRV, Baldwin, Coombs, Nanson
    from stagg.methods.kemeny import Kemeny
    from stagg.methods.local_kemeny import MCLK, LocalKemeny
    from stagg.methods.majority import Condorcet, Copeland
    from stagg.methods.mallows import Cranking, Mallows
    from stagg.methods.markov import MC1, MC2, MC3, MC4
    from stagg.methods.median_rank import MedianRank
    from stagg.methods.mpm import MPM
    from stagg.methods.pair_models import BradleyTerry, Thurstone
    from stagg.methods.plackett_luce import PlackettLuce
    from stagg.methods.rra import RRA
    from stagg.methods.stochastic import Stagg, StaggBC, StaggRRF
    from stagg.methods.svp import SVP
    from stagg.methods.trust import StaggTrust

__all__ = [
    "GMNZ", "IRV", "ISR", "LAWS", "MC1", "MC2", "MC3", "MC4", "MCLK", "METHODS", "MISSING", "MPM", "RBC", "RRA", "RRF",
    "SVP", "WMNZ", "Baldwin", "Black", "Borda", "BradleyTerry", "Bucklin", "CombANZ", "CombMAX", "CombMED", "CombMIN",
    "CombMNZ", "CombSUM", "Condorcet", "Coombs", "Copeland", "Cranking", "Kemeny", "LocalKemeny", "LogISR", "LognISR",
    "Mallows", "MeanRank", "MedianRank", "Method", "Minimax", "Missing", "Nanson", "PlackettLuce", "Plurality",
    "Positional", "RankedPairs", "Schulze", "Stagg", "StaggBC", "StaggRRF", "StaggTrust", "Thurstone", "VoteCount",
    "method_of",
]  # fmt: skip

_CLASSES: list[type[Method] | str] = [
    Borda,
    MeanRank,
    "median_rank = stagg.methods.median_rank:MedianRank",
    RRF,
    ISR,
    LogISR,
    LognISR,
    RBC,
    VoteCount,
    "combsum = stagg.methods.comb:CombSUM",
    "combmnz = stagg.methods.comb:CombMNZ",
    "combmax = stagg.methods.comb:CombMAX",
    "combmin = stagg.methods.comb:CombMIN",
    "combmed = stagg.methods.comb:CombMED",
    "combanz = stagg.methods.comb:CombANZ",
    "gmnz = stagg.methods.comb:GMNZ",
    "wmnz = stagg.methods.comb:WMNZ",
    "stagg_bc = stagg.methods.stochastic:StaggBC",
    "stagg_rrf = stagg.methods.stochastic:StaggRRF",
    "stagg = stagg.methods.stochastic:Stagg",
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
    "plurality = stagg.methods.choices:Plurality",
    "schulze = stagg.methods.condorcet_rules:Schulze",
    "ranked_pairs = stagg.methods.condorcet_rules:RankedPairs",
    "minimax = stagg.methods.condorcet_rules:Minimax",
    "irv = stagg.methods.elimination:IRV",
    "nanson = stagg.methods.elimination:Nanson",
    "baldwin = stagg.methods.elimination:Baldwin",
    "coombs = stagg.methods.elimination:Coombs",
    "bucklin = stagg.methods.choices:Bucklin",
    "black = stagg.methods.condorcet_rules:Black",
]

METHODS: Registry[Method] = Registry("method", _CLASSES, plugins=Method)

_LATER = {each.rpartition(":")[2]: each.partition(" = ")[0] for each in _CLASSES if isinstance(each, str)}


def method_of(method: str | Method) -> Method:
    """The method that a text spells, or the method itself."""
    return METHODS.of(method, "rrf(c=60)")


def __getattr__(name: str) -> Any:
    """The class of a method that few will need is imported when it is first asked for."""
    if name not in _LATER:
        raise AttributeError(f"module 'stagg.methods' has no attribute {name!r}")
    return METHODS[_LATER[name]]
