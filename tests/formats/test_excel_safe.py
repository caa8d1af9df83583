"""CSV that is opened in a spreadsheet: no id becomes a formula, and nothing else changes."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from stagg import Rankings, read, write
from stagg.formats.tables.sources.csv import Csv
from tests.command_line import runner

EVIL = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", "plain", "a=b", "'quoted"]


def test_ids_that_look_like_formulas_get_an_apostrophe_and_no_others_change(tmp_path: Path) -> None:
    rankings = Rankings.from_runs({"=r": {"@q": {item: -float(place) for place, item in enumerate(EVIL)}}})
    write(rankings, tmp_path / "x.csv", format=Csv(excel_safe=True))
    rows = list(csv.DictReader(io.StringIO((tmp_path / "x.csv").read_text())))
    cells = [row["item"] for row in rows]
    assert cells == ["'=1+1", "'+cmd|' /C calc'!A0", "'-2+3", "'@SUM(1)", "'\t=1", "plain", "a=b", "'quoted"]
    assert {row["query"] for row in rows} == {"'@q"}
    write(rankings, tmp_path / "plain.csv")
    assert read(tmp_path / "plain.csv").best_first() == EVIL


def test_the_command_line_has_an_option_for_it(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    (tmp_path / "x.trec").write_text("q Q0 =1+1 1 2 t\nq Q0 -b 2 1 t\n")
    run = runner(capfdbinary)
    for command in (("fuse", "-q", "-o"), ("convert", "-q")):
        name, *options = command
        call = [name, tmp_path / "x.trec", *options, tmp_path / "out.csv", "--excel-safe"]
        assert run(*call).code == 0
        text = (tmp_path / "out.csv").read_text()
        assert "q,'=1+1,1" in text
        assert "q,'-b,2" in text
    refused = run("fuse", tmp_path / "x.trec", "--excel-safe", "-o", tmp_path / "out.json")
    assert refused.code == 2
    assert "--excel-safe is for CSV, not for json" in refused.err
