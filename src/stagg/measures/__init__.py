"""Measures of rankings against labels. A new one is a class, a line here and a test of what is special about it."""

from collections.abc import Iterable

from stagg.measures.base import Additive, Measure
from stagg.measures.binary import MAP, MRR, JudgedShare, P, Recall, Success
from stagg.measures.err import ERR
from stagg.measures.judged import CONVENTIONS, Conventions, Judged, judge
from stagg.measures.ndcg import NDCG
from stagg.measures.notation import MeasureRegistry
from stagg.measures.order import Footrule, KendallTau
from stagg.measures.rbp import RBP

__all__ = [
    "CONVENTIONS",
    "DEFAULT_MEASURES",
    "ERR",
    "MAP",
    "MEASURES",
    "MRR",
    "NDCG",
    "RBP",
    "Additive",
    "Conventions",
    "Footrule",
    "Judged",
    "JudgedShare",
    "KendallTau",
    "Measure",
    "P",
    "Recall",
    "Success",
    "judge",
    "parse_measures",
]

MEASURES = MeasureRegistry(
    "measure",
    [NDCG, ERR, RBP, MAP, P, Recall, MRR, Success, JudgedShare, KendallTau, Footrule],
)

DEFAULT_MEASURES = "ndcg@5,ndcg@10,err,rbp(p=0.95)"


def parse_measures(measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES) -> list[Measure]:
    """Several measures from a text such as "ndcg@10,err,rbp(p=0.95)", or from texts and measures; each once.

    >>> parse_measures("ndcg@10, ndcg(gain='linear')@10, rbp(p=0.95)")
    [ndcg@10, ndcg(gain='linear')@10, rbp(p=0.95)]
    """
    return MEASURES.parse_list(measures)
