"""The front door: little files as people make them are read rightly, or refused with the option that reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stagg import Rankings, StaggError, read
from stagg.formats import ReadLog
from tests.door.cases import CASES, Case


def groups(rankings: Rankings) -> dict[str, dict[str, list[Any]]]:
    """{query: {ranker: best-first ids, tied ones as a sorted list}}."""
    return {
        view.id: {
            ranker: [group[0] if len(group) == 1 else sorted(group) for group in lists]
            for ranker, lists in view.lists.items()
        }
        for view in rankings
    }


def expected(case: Case) -> dict[str, dict[str, list[Any]]]:
    assert case.lists is not None
    return {
        query: {
            ranker: [each if isinstance(each, str) else sorted(each) for each in ids] for ranker, ids in lists.items()
        }
        for query, lists in case.lists.items()
    }


def put(case: Case, folder: Path) -> Path:
    path = folder / case.file
    path.write_bytes(case.content if isinstance(case.content, bytes) else case.content.encode())
    return path


@pytest.mark.parametrize("case", CASES, ids=[case.says for case in CASES])
def test_a_file_is_read_rightly_or_refused_with_the_option_that_reads_it(case: Case, tmp_path: Path) -> None:
    path, log = put(case, tmp_path), ReadLog()
    if case.refused:
        with pytest.raises(StaggError) as caught:
            read(path, log=log, **case.options)
        for piece in case.refused:
            assert piece in str(caught.value)
    else:
        assert groups(read(path, log=log, **case.options)) == expected(case)
    for piece in case.noted:
        assert piece in "\n".join(log.notes)


def test_every_case_has_a_name_of_its_own() -> None:
    assert len({case.says for case in CASES}) == len(CASES) >= 60
