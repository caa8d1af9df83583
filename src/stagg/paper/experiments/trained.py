"""Shared base of Figures 1 to 3: learners on LETOR's five folds, all settings chosen on the validation parts."""

from __future__ import annotations

import dataclasses

from stagg.paper.experiments.base import Setup
from stagg.paper.experiments.printed import MEASURES, PSI
from stagg.paper.views import View
from stagg.paper.work.jobs import FoldJob

__all__ = ["BITS", "MAPS", "OBJECTIVES", "Trained", "list_implicit", "take_linear"]

FOLDS = 5
BITS = "+ bits"

OBJECTIVES = {"ndcg@10": "ndcg", "err": "err", "rbp(p=0.95)": "rbp"}
"""The measures of Figures 2 and 3, and the objective that matches each."""

MAPS = {psi: f"{name}(missing_bits=False)" for psi, name in PSI.items()} | {
    f"{psi} {BITS}": name for psi, name in PSI.items()
}
"""The paper's feature maps as printed, then ours, which also say of each ranker whether it lists the item."""


@dataclasses.dataclass(frozen=True)
class Trained:
    """A learner under the paper's name for it; ``target`` is the measure that its settings are chosen by."""

    name: str
    text: str
    target: str

    def list_jobs(self, view: View, setup: Setup) -> list[FoldJob]:
        """List one job per fold."""
        measures = (self.target, *(measure for measure in MEASURES if measure != self.target))
        return [FoldJob(view, self.text, measures, fold, setup.grid) for fold in range(FOLDS)]


def take_linear(kind: str, target: str, psi: str, name: str) -> Trained:
    """Take a linear learner ("rankagg" or "stagg") for a measure on a feature map."""
    return Trained(name, f"{kind}_{OBJECTIVES[target]}(features={MAPS[psi]!r})", target)


def list_implicit(target: str) -> list[Trained]:
    """List CPS and θ-MPM, which have no objective of their own: they choose by the measure that is shown."""
    return [
        Trained("CPS", f"cps(measure={target!r})", target),
        Trained("θ-MPM", f"theta_mpm(measure={target!r})", target),
    ]
