"""How measures are written: ``ndcg(gain='linear')@10``, and several of them in a row."""

from __future__ import annotations

import re
from collections.abc import Iterable

from stagg.errors import InvalidParameter, shown
from stagg.measures.base import Measure
from stagg.registry import Registry, split_call

__all__ = ["MeasureRegistry", "split_list"]

WITH_CUTOFF = re.compile(r"(?P<measure>[^@]*?)\s*@(?P<cutoff>[^@()'\"]*)", re.DOTALL)
WHOLE = re.compile(r"[0-9]{1,18}", re.ASCII)


class MeasureRegistry(Registry[Measure]):
    """Measures by name; a text may end with a cutoff: ``name@k`` or ``name(key=value, ...)@k``."""

    def parse(self, text: str) -> Measure:
        """Read ``ndcg@10``, ``rbp(p=0.95)``, ``ndcg(gain='linear')@10``, ..."""
        found = WITH_CUTOFF.fullmatch(text.strip())
        if found is None:
            return super().parse(text)
        name, arguments = split_call(self.kind, found["measure"])
        if "cutoff" in arguments:
            raise InvalidParameter(f"{shown(text)} has two cutoffs")
        cutoff = found["cutoff"].strip()
        if not WHOLE.fullmatch(cutoff) or int(cutoff) < 1:
            raise InvalidParameter(f"the cutoff of {shown(text)} must be a whole number, 1 or more: {name}@10, say")
        return self._build(name, arguments | {"cutoff": int(cutoff)})

    def parse_list(self, measures: str | Measure | Iterable[str | Measure]) -> list[Measure]:
        """Several measures: a text with commas between them, or texts and measures; each is kept once."""
        parts = split_list(measures) if isinstance(measures, str) else measures
        read = [self._measure(each) for each in ([parts] if isinstance(parts, Measure) else parts)]
        if not read:
            raise InvalidParameter("no measures given; write ndcg@10,err, say")
        return list(dict.fromkeys(read))

    def _measure(self, given: str | Measure) -> Measure:
        if isinstance(given, Measure):
            return given
        if isinstance(given, str):
            return self.parse(given)
        raise InvalidParameter(f"a measure is a text such as 'ndcg@10' or a measure object, not {shown(given)}")


def split_list(text: str) -> list[str]:
    """The parts of a text between commas, but not those inside brackets or quotes.

    >>> split_list("ndcg@5, ndcg(gain='linear')@10,rbp(p=0.95)")
    ['ndcg@5', "ndcg(gain='linear')@10", 'rbp(p=0.95)']
    """
    parts, start, depth, quote = [], 0, 0, ""
    for place, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif sign == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [part for each in [*parts, text[start:]] if (part := each.strip())]
