"""Numbers as printed in the paper: its Table 1 and its claims.

Niu, Lan, Guo & Cheng, "Stochastic rank aggregation", UAI 2013.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["BEST_MAP", "GAINS", "MEASURES", "OVER_RANKAGG", "OVER_THETA_MPM", "PSI", "SETS", "TABLE1"]

SETS: Final = ("MQ2007-agg", "MQ2008-agg")

MEASURES: Final = ("ndcg@5", "ndcg@10", "err", "rbp(p=0.95)")
"""The columns of Table 1."""

TABLE1: Final[Mapping[str, Mapping[str, tuple[float, float, float, float]]]] = {
    "MQ2007-agg": {
        "BestInput": (0.3158, 0.3474, 0.2476, 0.3117),
        "MCLK": (0.2098, 0.2450, 0.1905, 0.2798),
        "SVP": (0.2582, 0.2859, 0.2169, 0.2941),
        "Plackett-Luce": (0.3462, 0.3574, 0.2957, 0.2999),
        "MPM": (0.3986, 0.4210, 0.3078, 0.3229),
        "BordaCount": (0.2325, 0.2637, 0.2000, 0.2868),
        "RRF": (0.3172, 0.3474, 0.2563, 0.3108),
        "St.Agg_BC": (0.4179, 0.4384, 0.3197, 0.3347),
        "St.Agg_RRF": (0.4195, 0.4404, 0.3199, 0.3346),
    },
    "MQ2008-agg": {
        "BestInput": (0.3813, 0.1756, 0.2391, 0.1574),
        "MCLK": (0.3402, 0.1431, 0.2055, 0.1449),
        "SVP": (0.4004, 0.1890, 0.2523, 0.1606),
        "Plackett-Luce": (0.3737, 0.1586, 0.2696, 0.1485),
        "MPM": (0.4283, 0.2050, 0.3023, 0.1628),
        "BordaCount": (0.4052, 0.1895, 0.2547, 0.1607),
        "RRF": (0.4239, 0.1931, 0.2756, 0.1615),
        "St.Agg_BC": (0.4515, 0.2151, 0.3021, 0.1671),
        "St.Agg_RRF": (0.4512, 0.2157, 0.3028, 0.1673),
    },
}
"""Table 1, row by row: NDCG@5, NDCG@10, ERR, RBP."""

GAINS: Final = (
    ("St.Agg_BC", "BordaCount", "ndcg@5", 79.7),
    ("St.Agg_RRF", "RRF", "ndcg@5", 32.3),
    ("St.Agg_RRF", "MPM", "ndcg@5", 5.2),
    ("St.Agg_BC", "MPM", "ndcg@10", 4.8),
)
"""Claims of section 5.1 on MQ2007-agg: a row, the one it is above, by which measure, by how many per cent."""

PSI: Final[Mapping[str, str]] = {"Ψ_BF": "borda", "Ψ_MF": "svd", "Ψ_TF": "cp"}
"""The paper's feature maps (section 4.3.3), and ours."""

BEST_MAP: Final[Mapping[str, str]] = {"MQ2007-agg": "Ψ_MF", "MQ2008-agg": "Ψ_TF"}
"""The best feature map on each set (section 5.2.2)."""

OVER_RANKAGG: Final[Mapping[str, float]] = {"ndcg@10": 4.6, "err": 7.5, "rbp(p=0.95)": 7.2}
"""Per cent by which supervised St.Agg is above RankAgg on MQ2007-agg under Ψ_MF (section 5.2.1)."""

OVER_THETA_MPM: Final[Mapping[str, float]] = {"ndcg@10": 6.73, "err": 24.3, "rbp(p=0.95)": 15.5}
"""The same, above θ-MPM."""
