"""Direction of a column's numbers (ranks or scores), as far as its name tells."""

from __future__ import annotations

import re
from typing import Final

from stagg.formats.patterns import pattern

__all__ = ["told_by"]

RANK_NAME: Final = pattern(r"(?:^|[^a-z])(?:rank|ranks|ranking|position|place)(?:$|[^a-z])")
SCORE_NAME: Final = pattern(r"(?:^|[^a-z])(?:score|scores|similarity|sim|rating|points)(?:$|[^a-z])")
SMALL_IS_TOP: Final = pattern(
    r"(?:^|[^a-z])(?:p|q|p[ _-]?val(?:ue)?s?|q[ _-]?val(?:ue)?s?|padj|adj[ _-]?p|fdr|dist|distance|error|loss|rmse|mae|"
    r"cost|price|time|latency|perplexity|rank[ _-]?sum)(?:$|[^a-z])"
)
"""Names of numbers of which the small ones are better, as a rule."""


def told_by(name: str) -> str | None:
    """ "rank", "score" or "small" (small numbers are better, though they are no ranks), where a name tells it.

    >>> [told_by(name) for name in ("bm25_rank", "Similarity", "distance", "bm25")]
    ['rank', 'score', 'small', None]
    """
    plain = re.sub(r"[_-]", " ", re.sub(r"([a-z])([A-Z])", r"\1 \2", name)).casefold()
    for told, wanted in (("small", SMALL_IS_TOP), ("rank", RANK_NAME), ("score", SCORE_NAME)):
        if wanted.search(plain):
            return told
    return None
