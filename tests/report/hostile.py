"""Ids that want to be more than text."""

from __future__ import annotations

from stagg.data.rankings import Rankings

SCRIPT = "<script>alert(1)</script>"
HOSTILE = (
    SCRIPT,
    "</script><script>alert(2)</script>",
    "<!--<script>",
    "\"double\" & 'single'",
    '"><img src=x onerror=alert(3)>',
    "</bdi><svg onload=alert(4)>",
    "\u202eright-to-left\u202c",
    "\u05e9\u05dc\u05d5\u05dd",
    "a\u2028b\u2029c",
    "nul\x00 escape\x1b[31m",
    "lone\ud800surrogate",
    "$x^2$ {{7*7}} ${8*8} %s",
    "&lt;b&gt;",
    "long-" + "x" * 5000,
)


def hostile_rankings(queries: int = 3, rankers: int = 4) -> Rankings:
    """Every id is hostile: queries, rankers, items."""
    count = len(HOSTILE)
    runs = {
        HOSTILE[k]: {
            HOSTILE[q]: {item: float((7 * i + 3 * k + q) % count) for i, item in enumerate(HOSTILE) if (i + k) % 5}
            for q in range(queries)
        }
        for k in range(rankers)
    }
    return Rankings.from_runs(runs)
