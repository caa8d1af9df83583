"""Other tools' names for our measures; each means here what it means there, gains and top grade included.

A name is first looked for exactly as it is written: ``nDCG`` is ir_measures', with the gain y, and ``ndcg`` is ours,
with the gain 2^y - 1. Only then case does not matter.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from stagg.errors import InvalidParameter, shown
from stagg.registry import Call, near_names, read_call

__all__ = ["ALIASES", "Alias", "list_aliases", "read_measure", "suggest_measures", "tool_of"]


@dataclasses.dataclass(frozen=True)
class Alias:
    """A name of another tool: whose it is, our name, and the parameters that make ours mean the same."""

    tool: str
    ours: str
    parameters: Mapping[str, Any] = dataclasses.field(default_factory=dict)


ALIASES: Final[dict[str, Alias]] = {
    "nDCG": Alias("ir_measures", "ndcg", {"gain": "linear"}),
    "NDCG": Alias("ir_measures", "ndcg", {"gain": "linear"}),
    "ERR": Alias("ir_measures", "err", {"ymax": 4}),  # the top grade that is written into gdeval
    "RBP": Alias("ir_measures", "rbp", {"p": 0.8}),
    "AP": Alias("ir_measures", "map"),
    "R": Alias("ir_measures", "recall"),
    "RR": Alias("ir_measures", "mrr"),
    "SDCG": Alias("ir_measures", "sdcg"),
    "ndcg_cut": Alias("trec_eval", "ndcg", {"gain": "linear"}),
    "map_cut": Alias("trec_eval", "map"),
    "recip_rank": Alias("trec_eval", "mrr"),
    "precision": Alias("ranx", "p"),
    "r_precision": Alias("ranx", "rprec"),
    "hit_rate": Alias("ranx", "success"),
    "ndcg_burges": Alias("ranx", "ndcg"),
}
"""Names that are ours but for their case, as P, Recall, Success or MAP, need no line: they mean the same."""

ANY_CASE: Final = {name.lower(): alias for name, alias in ALIASES.items() if name.lower() != alias.ours}
GAINS: Final = {"log2": "linear", "exp-log2": "exp"}
"""Names of the gains of nDCG in ir_measures."""

GAIN_WORDS: Final = {"nDCG": " (gain y)", "ndcg": " (gain 2^y-1)"}

NAME_AND_CUTOFF: Final = re.compile(r"\s*([A-Za-z_]+?)[@_.]?([0-9]*)\s*")
"""A measure that may be misspelt: nDGC@10, nDCG10."""

CUT_NAMES: Final = ("P", "recall", "success")
TREC_EVAL: Final = re.compile(rf"\s*(ndcg_cut|map_cut|{'|'.join(CUT_NAMES)})[_.]([0-9]+)\s*", re.IGNORECASE)
"""Its measures have their cutoff in the name: ndcg_cut_10, and ndcg_cut.10 where one asks for it."""


def read_measure(text: str) -> Call:
    """Read the text of a measure in our words or in those of another tool; the call is in ours.

    >>> read_measure("nDCG@10"), read_measure("ndcg_cut_10"), read_measure("NDCG(dcg='exp-log2')@10")
    (ndcg(gain='linear')@10, ndcg(gain='linear')@10, ndcg(gain='exp')@10)
    >>> read_measure("ndcg@10"), read_measure("ERR@20"), read_measure("P_5"), read_measure("RR@10")
    (ndcg@10, err(ymax=4)@20, p@5, mrr@10)
    """
    call = _read_as_written(text)
    alias = _find(call.name)
    return call._replace(name=call.name.lower()) if alias is None else _translate(call, alias)


def tool_of(text: str) -> str | None:
    """The other tool whose name for a measure a text uses, if it does.

    >>> tool_of("nDCG@10"), tool_of("P_5"), tool_of("P@5")
    ('ir_measures', 'trec_eval', None)
    """
    alias = _find(_read_as_written(text).name)
    return alias.tool if alias is not None else "trec_eval" if TREC_EVAL.fullmatch(text) else None


def list_aliases(name: str) -> list[tuple[str, str, str]]:
    """(the tool, its name, what that is here) for one of our measures."""
    found = [
        (alias.tool, f"{theirs}_10" if theirs.endswith("_cut") else theirs, _spell(theirs, alias))
        for theirs, alias in ALIASES.items()
        if alias.ours == name
    ]
    return [*found, *[("trec_eval", f"{theirs}_10", f"{name}@10") for theirs in CUT_NAMES if theirs.lower() == name]]


def suggest_measures(text: str, known: Iterable[str]) -> str:
    """A hint to append to an error: measures that a misspelt text may mean, ours and other tools', with its cutoff.

    >>> suggest_measures("NDCG10", ["ndcg", "err"]), suggest_measures("nDCG10", ["ndcg"])
    ("; did you mean 'nDCG@10' (gain y) or 'ndcg@10' (gain 2^y-1)?", "; did you mean 'nDCG@10' (gain y)?")
    """
    found, ours = NAME_AND_CUTOFF.fullmatch(text), list(known)
    if found is None:
        return near_names(text.split("(")[0], ours)
    name, cutoff = found[1], f"@{found[2]}" if found[2] else ""
    near = _near_spellings(name, ours)
    if not near:
        return near_names(name, ours)
    return f"; did you mean {' or '.join(shown(each + cutoff) + GAIN_WORDS.get(each, '') for each in near)}?"


def _near_spellings(name: str, ours: list[str]) -> list[str]:
    """The name itself, if it is one; else the nearest in any case, each in the spellings that mean something."""
    import difflib

    names = [*ours, *ALIASES] if name.islower() else [*ALIASES, *ours]
    spellings = [each for each in names if each != "NDCG"]  # the same as nDCG
    if name in spellings:
        return [name]
    same = [each for each in spellings if each.lower() == name.lower()]
    if same:
        return same
    near = difflib.get_close_matches(name.lower(), dict.fromkeys(each.lower() for each in spellings), n=3, cutoff=0.6)
    return [each for lower in near for each in spellings if each.lower() == lower][:3]


def _spell(theirs: str, alias: Alias) -> str:
    return repr(Call(alias.ours, (), alias.parameters, 10 if theirs.endswith("_cut") else None))


def _read_as_written(text: str) -> Call:
    found = TREC_EVAL.fullmatch(text)
    return read_call("measure", f"{found[1]}@{found[2]}" if found else text, keep_case=True)


def _find(name: str) -> Alias | None:
    return ALIASES.get(name) or ANY_CASE.get(name.lower())


def _translate(call: Call, alias: Alias) -> Call:
    """The call in our words; what it says itself goes before what the name means."""
    given = dict(call.keywords)
    if alias.ours in ("ndcg", "sdcg") and "dcg" in given:
        given["gain"] = _gain(given.pop("dcg"), call.name)
    if alias.ours == "sdcg" and "max_rel" in given:
        given["ymax"] = given.pop("max_rel")
    fixed = {} if call.positional else alias.parameters
    return Call(alias.ours, call.positional, {**fixed, **given}, call.cutoff)


def _gain(theirs: Any, name: str = "nDCG") -> str:
    if theirs not in GAINS:
        raise InvalidParameter(f"{name}: dcg is {shown(theirs)}; it must be {' or '.join(map(repr, GAINS))}")
    return GAINS[theirs]
