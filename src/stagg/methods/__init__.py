"""Unsupervised aggregation methods. To add one: a class, a line here, its declared laws and a test.

- ``base``: Method, the base class: rankings in, one score per item out, and the laws that it obeys
- ``consensus``: From scores to a consensus: items sorted by score, equal ones tied, and ordered by id where an order is
  needed
- ``positional``: Positional methods: add up what the lists give to an item
- ``stochastic``: St.Agg: expected utilities of a rank that is decided by contests; and trust in rankers
- ``pairwise``: Pairwise methods: items are compared pair by pair
- ``voting``: Voting rules: for one seat plurality, Bucklin, runoffs and Condorcet rules; for several seats STV and
  others
- ``models``: Probability models: methods that fit one to the lists
"""

from typing import TYPE_CHECKING, Any

from stagg.methods.base import LAWS, MISSING, Method, Missing, Positional
from stagg.methods.positional.rank_sums import ISR, RBC, RRF, Borda, LogISR, LognISR, MeanRank, VoteCount
from stagg.registry import Registry

if TYPE_CHECKING:
    from stagg.methods.models.mallows import Cranking, Mallows
    from stagg.methods.models.mpm import MPM
    from stagg.methods.models.pair_models import BradleyTerry, Thurstone
    from stagg.methods.models.plackett_luce import PlackettLuce
    from stagg.methods.pairwise.kemeny import Kemeny
    from stagg.methods.pairwise.local_kemeny import MCLK, LocalKemeny
    from stagg.methods.pairwise.majority import Condorcet, Copeland
    from stagg.methods.pairwise.markov import MC1, MC2, MC3, MC4
    from stagg.methods.pairwise.svp import SVP
    from stagg.methods.positional.comb import GMNZ, WMNZ, CombANZ, CombMAX, CombMED, CombMIN, CombMNZ, CombSUM
    from stagg.methods.positional.comb_means import GeometricMean, HarmonicMean
    from stagg.methods.positional.median_rank import MedianRank
    from stagg.methods.positional.rra import RRA
    from stagg.methods.stochastic.stagg import Stagg, StaggBC, StaggRRF
    from stagg.methods.stochastic.trust import StaggTrust
    from stagg.methods.voting.condorcet_rules import Black, Minimax, RankedPairs, Schulze
    from stagg.methods.voting.elimination import IRV, Baldwin, Coombs, Nanson
    from stagg.methods.voting.top_choices import Bucklin, Plurality

__all__ = [
    "GMNZ", "IRV", "ISR", "LAWS", "MC1", "MC2", "MC3", "MC4", "MCLK", "METHODS", "MISSING", "MPM", "RBC", "RRA", "RRF",
    "SVP", "WMNZ", "Baldwin", "Black", "Borda", "BradleyTerry", "Bucklin", "CombANZ", "CombMAX", "CombMED", "CombMIN",
    "CombMNZ", "CombSUM", "Condorcet", "Coombs", "Copeland", "Cranking", "GeometricMean", "HarmonicMean", "Kemeny",
    "LocalKemeny", "LogISR", "LognISR", "Mallows", "MeanRank", "MedianRank", "Method", "Minimax", "Missing", "Nanson",
    "PlackettLuce", "Plurality", "Positional", "RankedPairs", "Schulze", "Stagg", "StaggBC", "StaggRRF", "StaggTrust",
    "Thurstone", "VoteCount", "family_of", "method_of",
]  # fmt: skip

_FAMILIES: dict[str, list[type[Method] | str]] = {
    "By the places of an item": [
        Borda,
        MeanRank,
        "median_rank = stagg.methods.positional.median_rank:MedianRank",
        RRF,
        ISR,
        LogISR,
        LognISR,
        RBC,
        VoteCount,
    ],
    "By its scores": [
        "combsum = stagg.methods.positional.comb:CombSUM",
        "combmnz = stagg.methods.positional.comb:CombMNZ",
        "combmax = stagg.methods.positional.comb:CombMAX",
        "combmin = stagg.methods.positional.comb:CombMIN",
        "combmed = stagg.methods.positional.comb:CombMED",
        "combanz = stagg.methods.positional.comb:CombANZ",
        "gmnz = stagg.methods.positional.comb:GMNZ",
        "wmnz = stagg.methods.positional.comb:WMNZ",
        "geometric_mean = stagg.methods.positional.comb_means:GeometricMean",
        "harmonic_mean = stagg.methods.positional.comb_means:HarmonicMean",
    ],
    "Stochastic: by what an uncertain rank is worth on average": [
        "stagg_bc = stagg.methods.stochastic.stagg:StaggBC",
        "stagg_rrf = stagg.methods.stochastic.stagg:StaggRRF",
        "stagg = stagg.methods.stochastic.stagg:Stagg",
        "stagg_trust = stagg.methods.stochastic.trust:StaggTrust",
    ],
    "By pairs: who beats whom": [
        "condorcet = stagg.methods.pairwise.majority:Condorcet",
        "copeland = stagg.methods.pairwise.majority:Copeland",
        "kemeny = stagg.methods.pairwise.kemeny:Kemeny",
        "local_kemeny = stagg.methods.pairwise.local_kemeny:LocalKemeny",
        "mclk = stagg.methods.pairwise.local_kemeny:MCLK",
        "mc1 = stagg.methods.pairwise.markov:MC1",
        "mc2 = stagg.methods.pairwise.markov:MC2",
        "mc3 = stagg.methods.pairwise.markov:MC3",
        "mc4 = stagg.methods.pairwise.markov:MC4",
        "svp = stagg.methods.pairwise.svp:SVP",
    ],
    "Models and tests: how lists come about by chance": [
        "plackett_luce = stagg.methods.models.plackett_luce:PlackettLuce",
        "bradley_terry = stagg.methods.models.pair_models:BradleyTerry",
        "thurstone = stagg.methods.models.pair_models:Thurstone",
        "mpm = stagg.methods.models.mpm:MPM",
        "mallows = stagg.methods.models.mallows:Mallows",
        "cranking = stagg.methods.models.mallows:Cranking",
        "rra = stagg.methods.positional.rra:RRA",
    ],
    "Rules of elections": [
        "plurality = stagg.methods.voting.top_choices:Plurality",
        "bucklin = stagg.methods.voting.top_choices:Bucklin",
        "irv = stagg.methods.voting.elimination:IRV",
        "coombs = stagg.methods.voting.elimination:Coombs",
        "nanson = stagg.methods.voting.elimination:Nanson",
        "baldwin = stagg.methods.voting.elimination:Baldwin",
        "minimax = stagg.methods.voting.condorcet_rules:Minimax",
        "schulze = stagg.methods.voting.condorcet_rules:Schulze",
        "ranked_pairs = stagg.methods.voting.condorcet_rules:RankedPairs",
        "black = stagg.methods.voting.condorcet_rules:Black",
    ],
}
"""All methods, by what they go by."""
OTHER_FAMILY = "From other packages"

METHODS: Registry[Method] = Registry(
    "method", [each for several in _FAMILIES.values() for each in several], plugins=Method
)

_NAMES = {
    each.partition(" = ")[0] if isinstance(each, str) else each.name: (each, family)
    for family, several in _FAMILIES.items()
    for each in several
}
_LATER = {each.rpartition(":")[2]: name for name, (each, _) in _NAMES.items() if isinstance(each, str)}


def family_of(name: str) -> str:
    """The family of a method, in words: the heading under which it is listed.

    >>> family_of("rrf"), family_of("schulze")
    ('By the places of an item', 'Rules of elections')
    """
    return _NAMES[name][1] if name in _NAMES else OTHER_FAMILY


def method_of(method: str | Method) -> Method:
    """The method that a text spells, or the method itself."""
    return METHODS.of(method, "rrf(c=60)")


def __getattr__(name: str) -> Any:
    """The class of a method that few will need is imported when it is first asked for."""
    if name not in _LATER:
        raise AttributeError(f"module 'stagg.methods' has no attribute {name!r}")
    return METHODS[_LATER[name]]
