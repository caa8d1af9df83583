"""Shared code of the feature maps that factorise pairwise matrices."""

from __future__ import annotations

import dataclasses

from stagg.errors import InvalidParameter, shown
from stagg.features.base import FeatureMap
from stagg.kernels.pairs.pair_matrices import FORMS
from stagg.registry import whole_number

__all__ = ["Factorised"]

MOST_COMPONENTS = 1000  # a model file may ask for any number, and each is a column of every item


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Factorised(FeatureMap):
    """``form`` of the pairwise matrix of a list, and the ``rank`` of its approximation."""

    form: str = "binary"
    rank: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.form not in FORMS:
            choices = ", ".join(map(repr, FORMS))
            raise InvalidParameter(f"{self.name}: form is {shown(self.form)}; it must be one of {choices}")
        whole_number(f"{self.name}: rank", self.rank, least=1, most=MOST_COMPONENTS)

    def named(self, letter: str) -> list[str]:
        """A name for each component: u1, u2, ..."""
        return [f"{letter}{number}" for number in range(1, self.rank + 1)]
