"""The text of a LightGBM model, checked before LightGBM sees it: a damaged one would end the whole process."""

from __future__ import annotations

import math

from stagg.errors import DataError, shown

__all__ = ["check_forest"]

HEADER = {"version": "v4", "num_class": "1", "num_tree_per_iteration": "1"}


def check_forest(text: str, columns: int) -> None:
    """Refuse a text that is not a forest over so many columns, each of its trees whole.

    What is checked is what LightGBM's reader and its walk down a tree rely on: the sizes it reads by, children that lie
    ahead, features that exist, numbers that are numbers.
    """
    head, *trees = text.split("\nTree=")
    if not head.startswith("tree\n") or not trees or "\nend of trees\n" not in trees[-1]:
        raise DataError("a forest of the model has no trees, or has lost its end")
    fields = _fields(head)
    if any(fields.get(key) != value for key, value in HEADER.items()):
        raise DataError("a forest of the model is not one that this stagg wrote")
    if fields.get("max_feature_idx") != str(columns - 1) or len(fields.get("feature_names", "").split()) != columns:
        raise DataError(f"a forest of the model does not look at the {columns} features that it names")
    trees[-1] = trees[-1].partition("end of trees\n")[0]
    blocks = [f"Tree={tree}\n" for tree in trees[:-1]] + [f"Tree={trees[-1]}"]
    if fields.get("tree_sizes", "").split() != [str(len(block.encode())) for block in blocks]:
        raise DataError("the trees of a forest do not have the sizes that it says")
    for number, block in enumerate(blocks):
        _check_tree(_fields(block), columns, number)


def _fields(block: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in block.splitlines() if "=" in line)


def _check_tree(fields: dict[str, str], columns: int, number: int) -> None:
    """A tree of L leaves has L - 1 splits; a child is a later split, or -1 - a leaf, each reached once."""
    try:
        leaves = int(fields["num_leaves"])
        splits = leaves - 1
        values = [float(value) for value in fields["leaf_value"].split()]
        thresholds, features, kinds, left, right = (
            [convert(value) for value in fields[name].split()] if splits else []
            for name, convert in (
                ("threshold", float),
                ("split_feature", int),
                ("decision_type", int),
                ("left_child", int),
                ("right_child", int),
            )
        )
    except (KeyError, ValueError) as error:
        raise DataError(f"tree {number} of the model is damaged: {shown(str(error))}") from None
    whole = (
        len(values) == leaves >= 1
        and all(len(each) == splits for each in (thresholds, features, kinds, left, right))
        and all(map(math.isfinite, [*values, *thresholds]))
        and all(0 <= feature < columns for feature in features)
        and not any(int(kind) & 1 for kind in kinds)  # categories, which stagg's features are not
        and fields.get("num_cat") == "0"
        and fields.get("is_linear", "0") == "0"
        and sorted([*left, *right]) == [*range(-leaves, 0), *range(1, splits)] * bool(splits)
        and all(child < 0 or child > split for side in (left, right) for split, child in enumerate(side))
    )
    if not whole:
        raise DataError(f"tree {number} of the model is damaged")
