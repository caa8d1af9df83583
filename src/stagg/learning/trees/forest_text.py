"""Check the text of a LightGBM model before LightGBM sees it: a damaged one would end the whole process."""

from __future__ import annotations

import math
import re

from stagg.errors import DataError, shown

__all__ = ["check_forest"]

HEADER = {"version": "v4", "num_class": "1", "num_tree_per_iteration": "1", "label_index": "0"}
OBJECTIVES = (None, "lambdarank")
DESCRIPTIVE = {"objective", "max_feature_idx", "feature_names", "feature_infos", "tree_sizes"}

# Numbers as LightGBM writes them. Python reads others, too (1_0, digits of other scripts), at which LightGBM aborts.
WHOLE = re.compile(r"-?[0-9]{1,9}")
REAL = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,40})?(e[+-]?[0-9]{1,4})?|-?inf|-?nan")
RANGE = re.compile(rf"none|\[(?:{REAL.pattern}):(?:{REAL.pattern})\]")
IMPORTANCES = re.compile(r"end of trees\n(\nfeature_importances:\n(Column_[0-9]+=[0-9]+\n)*)?\n*")

ONE, SPLITS, LEAVES = "one", "splits", "leaves"
FIELDS = {
    "Tree": (WHOLE, ONE), "num_leaves": (WHOLE, ONE), "num_cat": (WHOLE, ONE), "is_linear": (WHOLE, ONE),
    "shrinkage": (REAL, ONE), "split_feature": (WHOLE, SPLITS), "split_gain": (REAL, SPLITS),
    "threshold": (REAL, SPLITS), "decision_type": (WHOLE, SPLITS), "left_child": (WHOLE, SPLITS),
    "right_child": (WHOLE, SPLITS), "internal_value": (REAL, SPLITS), "internal_weight": (REAL, SPLITS),
    "internal_count": (WHOLE, SPLITS), "leaf_value": (REAL, LEAVES), "leaf_weight": (REAL, LEAVES),
    "leaf_count": (WHOLE, LEAVES),
}  # fmt: skip
"""Fields of a tree: numbers of which kind, and how many."""


def check_forest(text: str, columns: int) -> None:
    """Refuse a text that is not a forest over so many columns, each of its trees whole.

    What is checked is what LightGBM's reader and its walk down a tree rely on: the sizes it reads by, children that lie
    ahead, features that exist, numbers that are numbers. A line that LightGBM need not have written is refused.
    """
    head, *trees = text.split("\nTree=")
    if not head.startswith("tree\n") or not trees or "\nend of trees\n" not in trees[-1]:
        raise DataError("a forest of the model has no trees, or has lost its end")
    fields = _read_fields(head.removeprefix("tree\n"), {*HEADER, *DESCRIPTIVE})
    _check_head(fields, columns)
    trees[-1], end, rest = trees[-1].partition("end of trees\n")
    if not IMPORTANCES.fullmatch(end + rest):
        raise DataError("a forest of the model does not end as one that this stagg wrote")
    blocks = [f"Tree={tree}\n" for tree in trees[:-1]] + [f"Tree={trees[-1]}"]
    if fields.get("tree_sizes", "").split(" ") != [str(len(block.encode())) for block in blocks]:
        raise DataError("the trees of a forest do not have the sizes that it says")
    for number, block in enumerate(blocks):
        _check_tree(_read_fields(block, set(FIELDS)), columns, number)


def _read_fields(block: str, known: set[str]) -> dict[str, str]:
    """{name: value} of the lines of a block, each of which is a field of its own."""
    pairs = [line.partition("=")[::2] for line in block.split("\n") if line]
    fields = dict(pairs)
    if len(fields) != len(pairs) or not fields.keys() <= known:
        strange = next((name for name, _ in pairs if name not in known), "a field that stands twice")
        raise DataError(f"a forest of the model is not one that this stagg wrote: {shown(strange)}")
    return fields


def _check_head(fields: dict[str, str], columns: int) -> None:
    if any(fields.get(key) != value for key, value in HEADER.items()) or fields.get("objective") not in OBJECTIVES:
        raise DataError("a forest of the model is not one that this stagg wrote")
    names = [f"Column_{number}" for number in range(columns)]
    ranges = fields.get("feature_infos", "").split(" ")
    if (
        fields.get("max_feature_idx") != str(columns - 1)
        or fields.get("feature_names", "").split(" ") != names
        or len(ranges) != columns
        or not all(map(RANGE.fullmatch, ranges))
    ):
        raise DataError(f"a forest of the model does not look at the {columns} features that it names")


def _check_tree(fields: dict[str, str], columns: int, number: int) -> None:
    """A tree of L leaves has L - 1 splits; a child is a later split, or -1 - a leaf, each reached once."""
    leaves = int(fields["num_leaves"]) if WHOLE.fullmatch(fields.get("num_leaves", "")) else 0
    if leaves < 1 or not _has_numbers(fields, leaves) or not _is_whole(fields, leaves, columns):
        raise DataError(f"tree {number} of the model is damaged")


def _has_numbers(fields: dict[str, str], leaves: int) -> bool:
    """Whether every field holds as many numbers as it must; LightGBM reads no more of a single leaf than its value."""
    counts = {ONE: 1, SPLITS: leaves - 1, LEAVES: leaves}
    for name, (kind, many) in FIELDS.items():
        numbers = fields.get(name, "").split(" ") if fields.get(name) else []
        if not all(map(kind.fullmatch, numbers)):
            return False
        if len(numbers) != counts[many] and (leaves > 1 or name in ("Tree", "num_cat", "leaf_value")):
            return False
    return True


def _is_whole(fields: dict[str, str], leaves: int, columns: int) -> bool:
    """Whether the numbers are those of a tree that can be walked down to finite values, without categories."""
    splits = leaves - 1
    features, kinds, left, right = (
        [int(value) for value in fields.get(name, "").split(" ") if value]
        for name in ("split_feature", "decision_type", "left_child", "right_child")
    )
    reals = [float(value) for name in ("leaf_value", "threshold") for value in fields.get(name, "").split(" ") if value]
    return (
        all(map(math.isfinite, reals))
        and all(0 <= feature < columns for feature in features)
        and all(0 <= kind <= 127 and not kind & 1 for kind in kinds)  # an odd one is a category, and there are none
        and fields["num_cat"] == "0"
        and fields.get("is_linear", "0") == "0"
        and sorted([*left, *right]) == [*range(-leaves, 0), *range(1, splits)] * bool(splits)
        and all(child < 0 or child > split for side in (left, right) for split, child in enumerate(side))
    )
