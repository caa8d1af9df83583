"""Measures of rankings against labels. To add one: a class, a line here and a test of what is special about it.

- ``base``: Measure, the base class: a small value whose text and code agree, and one number per query
- ``names``: Other tools' names for our measures; each means here what it means there, gains and top grade included
- ``judged``: A run beside its labels: the grades of every query's items in ranked order, ready for any measure
- ``ndcg``: Discounted cumulative gain: normalised by the best order (NDCG), or scaled by the most possible (SDCG)
- ``err``: Expected reciprocal rank (ERR)
- ``rbp``: Rank-biased precision (RBP)
- ``binary``: Binary measures: those that only ask whether an item is relevant, or judged at all
- ``order``: Measures of the whole order: how far the judged items of a list stand in the order of their grades
- ``unjudged``: Items without a judgment: how many a run has, and the run judged as if they were left out, or relevant
"""

import dataclasses
from collections.abc import Iterable, Mapping

from stagg.errors import InvalidParameter
from stagg.measures.base import Additive, Measure
from stagg.measures.binary import MAP, MRR, Bpref, JudgedShare, P, Recall, RPrecision, Success
from stagg.measures.err import ERR
from stagg.measures.judged import CONVENTIONS, Conventions, Judged, judge
from stagg.measures.names import read_measure, suggest_measures, tool_of
from stagg.measures.ndcg import NDCG, SDCG
from stagg.measures.order import Footrule, KendallTau
from stagg.measures.rbp import RBP
from stagg.registry import Registry, list_given, split_name

__all__ = [
    "CONVENTIONS", "DEFAULT_MEASURES", "ERR", "MAP", "MEASURES", "MRR", "NDCG", "RBP", "SDCG", "Additive", "Asked",
    "Bpref", "Conventions", "Footrule", "Judged", "JudgedShare", "KendallTau", "Measure", "MeasuresLike", "P",
    "RPrecision", "Recall", "Success", "ask_measures", "judge", "parse_measures",
]  # fmt: skip

MEASURES: Registry[Measure] = Registry(
    "measure",
    [NDCG, ERR, RBP, SDCG, MAP, P, Recall, RPrecision, MRR, Success, JudgedShare, Bpref, KendallTau, Footrule],
    plugins=Measure,
    read=read_measure,
    suggest=suggest_measures,
)

DEFAULT_MEASURES = "ndcg@5,ndcg@10,err,rbp(p=0.95)"

MeasuresLike = str | Measure | Iterable[str | Measure] | Mapping[str, str | Measure]
"""One measure or several: a text such as "ndcg@10,err", objects, or ``{display name: measure}``."""


@dataclasses.dataclass(frozen=True)
class Asked:
    """A measure as somebody asked for it: the name of its column, and what a reader must know of that name."""

    name: str
    measure: Measure
    note: str | None = None


def ask_measures(measures: MeasuresLike = DEFAULT_MEASURES) -> list[Asked]:
    """Several measures with the names to show them by; each once.

    >>> [(each.name, each.note) for each in ask_measures("nDCG@10, Hits: success@5")]
    [('nDCG@10', "nDCG@10, as in ir_measures, is ndcg(gain='linear')@10"), ('Hits', 'Hits: success@5')]
    """
    if isinstance(measures, Mapping):
        given = [_ask(MEASURES.of(each, "ndcg@10"), str(name)) for name, each in measures.items()]
    else:
        parts = [measures] if isinstance(measures, Measure) else list_given(measures, "measures")
        given = [_read(each) for each in parts]
    if not given:
        raise InvalidParameter("no measures given; write ndcg@10,err, say")
    named = {each.name: each for each in reversed(given)}  # of one name the first stays
    for each in given:
        if named[each.name].measure != each.measure:
            raise InvalidParameter(f"the name {each.name!r} is given to two measures")
    return [named[name] for name in dict.fromkeys(each.name for each in given)]


def parse_measures(measures: MeasuresLike = DEFAULT_MEASURES) -> list[Measure]:
    """Several measures from a text such as "ndcg@10,err,rbp(p=0.95)", or from texts and measures; each once.

    >>> parse_measures("ndcg@10, ndcg(gain='linear')@10, rbp(p=0.95)")
    [ndcg@10, ndcg(gain='linear')@10, rbp(p=0.95)]
    """
    return list(dict.fromkeys(each.measure for each in ask_measures(measures)))


def _read(given: str | Measure) -> Asked:
    if not isinstance(given, str):
        return _ask(MEASURES.of(given, "ndcg@10"))
    name, text = split_name(given)
    measure, tool = MEASURES.parse(text), tool_of(text)
    if name is not None:
        return _ask(measure, name)
    if tool is not None:  # shown by the name that was typed
        return Asked(text, measure, f"{text}, as in {tool}, is {measure!r}")
    return Asked(text, measure) if text.lower() == repr(measure) else _ask(measure)  # P@5


def _ask(measure: Measure, name: str | None = None) -> Asked:
    plain = name is None or name == repr(measure)
    return Asked(repr(measure) if name is None else name, measure, None if plain else f"{name}: {measure!r}")
