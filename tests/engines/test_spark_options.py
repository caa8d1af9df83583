"""Which reading options the Spark engine takes; these need no Spark."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from stagg.engines.spark.reading import REFUSED, TAKEN, open_for_spark
from stagg.errors import InvalidParameter
from stagg.formats import ReadOptions

GIVEN: dict[str, Any] = {
    "values": "rank", "lower": "x", "keep_ranks": True, "header": True, "split_by_tag": True, "layout": "wide",
    "columns": {"item": "doc"}, "sheet": "A", "outer": "query", "delimiter": ";", "repeat_voters": "first",
    "overvotes": "end", "same": {"a": "b"}, "rename": {"a": "b"},
}  # fmt: skip


def test_every_option_is_taken_or_refused() -> None:
    names = {field.name for field in dataclasses.fields(ReadOptions)}
    assert names - TAKEN == set(GIVEN)  # a new one is refused unless Spark follows it
    assert set(REFUSED) <= names - TAKEN


@pytest.mark.parametrize("name", GIVEN)
def test_an_option_of_tables_is_refused_with_what_to_do(name: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        open_for_spark(None, ["x.trec"], "auto", ReadOptions(**{name: GIVEN[name]}))
    assert str(caught.value).startswith(f"the option '{name}'") or name in str(caught.value)
    assert REFUSED.get(name, "convert the files first").split(":")[-1].strip()[:20] in str(caught.value)
