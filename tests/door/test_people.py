"""Ninety files and calls as people make them: most are read rightly, the others are asked about, none is misread."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.door.people import FAMILIES, Case, judge, list_cases

CASES = list_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_file_as_people_make_it_is_read_rightly_or_asked_about(case: Case, tmp_path: Path) -> None:
    kind, why = judge(case, tmp_path)
    assert kind in ("right", "asked"), why


def test_most_of_them_are_read_rightly(tmp_path_factory: pytest.TempPathFactory) -> None:
    kinds = Counter(judge(case, tmp_path_factory.mktemp("people"))[0] for case in CASES)
    assert len(CASES) >= 90
    assert kinds["right"] >= 60, kinds
    assert {case.family for case in CASES} == {*FAMILIES}
