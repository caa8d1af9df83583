"""What Figures 1 to 3 share: learners on LETOR's five folds, everything chosen on the validation parts."""

from __future__ import annotations

import dataclasses

from stagg.paper.experiment import Setup
from stagg.paper.jobs import Learned
from stagg.paper.printed import MEASURES, PSI
from stagg.paper.views import View

__all__ = ["BITS", "OBJECTIVES", "Trained", "feature_maps", "implicit", "rankagg", "stagg"]

FOLDS = 5
BITS = "+ bits"

OBJECTIVES = {"ndcg@10": "ndcg", "err": "err", "rbp(p=0.95)": "rbp"}
"""The measures of Figures 2 and 3, and the objective that matches each."""


@dataclasses.dataclass(frozen=True)
class Trained:
    """A learner under the paper's name for it; ``target`` is the measure that its settings are chosen by."""

    name: str
    text: str
    target: str

    def tasks(self, view: View, setup: Setup) -> list[Learned]:
        """One task a fold."""
        measures = (self.target, *(measure for measure in MEASURES if measure != self.target))
        return [Learned(view, self.text, measures, fold, setup.grid) for fold in range(FOLDS)]


def feature_maps() -> dict[str, str]:
    """The paper's feature maps as printed, then ours, which also say of each ranker whether it lists the item."""
    plain = {psi: f"{name}(missing_bits=False)" for psi, name in PSI.items()}
    return plain | {f"{psi} {BITS}": name for psi, name in PSI.items()}


def rankagg(target: str, psi: str, name: str) -> Trained:
    return Trained(name, f"rankagg_{OBJECTIVES[target]}(features={feature_maps()[psi]!r})", target)


def stagg(target: str, psi: str, name: str) -> Trained:
    return Trained(name, f"stagg_{OBJECTIVES[target]}(features={feature_maps()[psi]!r})", target)


def implicit(target: str) -> list[Trained]:
    """CPS and θ-MPM, which have no objective of their own: what they choose by is the measure that is shown."""
    return [
        Trained("CPS", f"cps(measure={target!r})", target),
        Trained("θ-MPM", f"theta_mpm(measure={target!r})", target),
    ]
