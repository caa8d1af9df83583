"""Wards of Scottish councils: every way of writing BLT is read, counts add up, and a result that was published."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest
from tests.checks import some

from stagg import elect, read
from stagg.formats import ReadLog

PACKED = Path(os.environ.get("STAGG_DATA", "../shared/data")) / "scottish-elections" / "wards.zip"
EVERY = 1 if os.environ.get("STAGG_LONG") else 15

pytestmark = pytest.mark.skipif(not PACKED.exists(), reason=f"there is no {PACKED} (STAGG_DATA)")


def unpack(name: str, folder: Path) -> Path:
    with zipfile.ZipFile(PACKED) as packed:
        return Path(packed.extract(name, folder))


def test_wards_are_read_and_their_votes_add_up(tmp_path: Path) -> None:
    with zipfile.ZipFile(PACKED) as packed:
        names = sorted(name for name in packed.namelist() if name.endswith(".blt"))
    for name in some(names[::EVERY]):
        path = unpack(name, tmp_path)
        candidates, seats = (int(word.strip(",")) for word in path.read_text(errors="replace").split()[:2])
        found = elect(read(path, log=ReadLog()), "stv,meek", seats=seats, draws=0, margins=False)
        assert len(found.candidates) == candidates, name
        for each in found.results:
            assert len({*each.elected}) == seats, name
            for stage in each.stages:
                assert sum(stage.votes.values()) + stage.spent + stage.lost == pytest.approx(found.voters), name


def test_torry_and_ferryhill_elected_whom_the_council_declared_in_2017(tmp_path: Path) -> None:
    path = unpack("10_cands/aberdeen_2017_ward12.blt", tmp_path)
    result = elect(read(path, log=ReadLog()), "stv", seats=4, draws=0, margins=False)["stv"]
    elected = {name.split(" (")[0] for name in result.elected}
    assert elected == {"Yvonne ALLAN", "Christian Guy ALLARD", "Alan DONNELLY", "Catriona MACKENZIE"}
    assert result.quota == 1120
