"""Every number among the parameters of methods, learners, measures and feature maps keeps to a range."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import numpy as np
import pytest

from stagg import InvalidParameter
from stagg.features import FEATURES
from stagg.learning import LEARNERS
from stagg.measures import MEASURES
from stagg.methods import METHODS

RANGES = {
    "bags": "[1, 1000]",
    "c": "[0, inf)",
    "cutoff": "[1, inf)",
    "excess": "[0, inf)",
    "feature_share": "(0, 1]",
    "gamma": "[-1, 100]",
    "item_share": "(0, 1]",
    "iterations": "[1, 100000]",
    "l2": "[0, inf)",
    "learning_rate": "(0, 1]",
    "leaves": "[2, 131072]",
    "margin": "[0, inf)",
    "min_items": "[1, inf)",
    "p": "(0, 1)",
    "permutations": "[1, 100000]",
    "patience": "[1, inf)",
    "phi": "(0, 1)",
    "prior": "[0, inf)",
    "rank": "[1, 1000]",
    "rate": "(0, inf)",
    "rel": "(0, inf)",
    "restarts": "[1, 1000]",
    "ridge": "[0, inf)",
    "samples": "[1, 1000]",
    "seed": "[0, inf)",
    "segments": "[1, inf)",
    "sigma": "(0, inf)",
    "spread": "[0, 1e100]",
    "start": "[0, inf)",
    "step": "(0, 1]",
    "sweeps": "[10, 1000000]",
    "teleport": "[0, 1]",
    "theta": "[0, inf)",
    "threads": "[1, 256]",
    "time_limit": "(0, inf)",
    "tolerance": "(0, 1]",
    "trees": "[1, 100000]",
    "truncation": "[1, inf)",
    "window": "[0, inf)",
    "ymax": "(0, inf)",
    # where one name has another range
    "logn_isr.sigma": "[0, 1]",
    "stagg_trust.ridge": "(0, inf)",
    "supervised_mc.teleport": "(0, 1)",
    "svp.iterations": "[1, 1000000]",
}
"""From where to where: square brackets include the end."""


CLASSES: dict[str, Any] = {cls.name: cls for each in (METHODS, LEARNERS, MEASURES, FEATURES) for cls in each}


def parameters(kind: str) -> list[str]:
    """Every parameter of a type, as "class.parameter"."""
    return [
        f"{name}.{field.name}"
        for name, cls in CLASSES.items()
        for field in dataclasses.fields(cls)
        if re.fullmatch(rf"({kind})( \| None)?", str(field.type))
        and not (field.name == "cutoff" and cls.cutoffs == "none")
    ]


WHOLE, NUMBERS = parameters("int"), parameters("float|int")


def accepts(name: str, value: Any) -> bool:
    owner, _, parameter = name.partition(".")
    cls = CLASSES[owner]
    needed = {"cutoff": 10} if getattr(cls, "cutoffs", "") == "needed" else {}
    try:
        cls(**needed | {parameter: value})
    except InvalidParameter as error:
        return parameter not in str(error)  # it says which parameter is wrong
    return True


def test_every_range_is_that_of_a_parameter() -> None:
    assert {name if name in RANGES else name.partition(".")[2] for name in NUMBERS} == set(RANGES)


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_reaches_to_the_ends_of_its_range_and_no_further(name: str) -> None:
    span, whole = RANGES.get(name) or RANGES[name.partition(".")[2]], name in WHOLE
    low, high = map(float, span[1:-1].split(","))
    for end, towards, included in ((low, -np.inf, span[0] == "["), (high, np.inf, span[-1] == "]")):
        if np.isfinite(end):
            beyond = end + np.sign(towards) if whole else float(np.nextafter(end, towards))
            assert accepts(name, int(end) if whole else end) == included, (end, span)
            assert not accepts(name, int(beyond) if whole else beyond), (beyond, span)


@pytest.mark.parametrize("name", NUMBERS)
def test_what_is_no_number_is_refused(name: str) -> None:
    for value in (np.nan, np.inf, -np.inf, True, "1", [1], 1.5 if name in WHOLE else 10**400):
        assert not accepts(name, value), value


@pytest.mark.parametrize("name", parameters("bool"))
def test_what_is_neither_true_nor_false_is_refused(name: str) -> None:
    assert [value for value in (True, False, 1, 0, "True", np.nan, [True]) if accepts(name, value)] == [True, False]
