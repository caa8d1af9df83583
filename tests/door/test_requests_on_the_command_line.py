"""The thresholds of ``fuse`` on the command line: what they write is what the call returns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import stagg
from stagg import Rankings
from tests.command_line import Run, runner


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary)


RUNS = {
    "bm25": {"q1": {"a": 9.0, "b": 5.0, "c": 1.0}, "q2": {"c": 4.0, "a": 3.0}},
    "dense": {"q1": {"b": 0.9, "d": 0.2}, "q2": {"c": 0.5, "d": 0.1}},
}


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    for name, queries in RUNS.items():
        given = Rankings.from_runs({name: queries})
        stagg.write(given, tmp_path / f"{name}.trec")
    return sorted(tmp_path.glob("*.trec"))


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        (["--min-lists", "2"], {"min_lists": 2}),
        (["--min-score", "0.5"], {"min_score": 0.5}),
        (["--min-score", "bm25=4,dense=0.15"], {"min_score": {"bm25": 4, "dense": 0.15}}),
        (["--scale", "first"], {"scale": "first"}),
        (["--scale", "first", "--min-lists", "2", "--top", "1"], {"scale": "first", "min_lists": 2, "top": 1}),
        (["--depth", "1", "--scale", "first"], {"depth": 1, "scale": "first"}),
        (["--method", "borda", "--scale", "first"], {"method": "borda", "scale": "first"}),
    ],
)
def test_thresholds_write_what_the_call_returns(
    files: list[Path], tmp_path: Path, run: Run, flags: list[str], options: dict[str, object]
) -> None:
    for ending in (".json", ".trec"):
        target = tmp_path / f"fused{ending}"
        assert run("fuse", *files, *flags, "-o", target).code == 0
        fused = stagg.fuse(RUNS, **options)  # type: ignore[arg-type]
        if ending == ".json":
            assert json.loads(target.read_text()) == fused.to_dict()
        rows = (
            [line.split() for line in (tmp_path / "fused.trec").read_text().splitlines()] if ending == ".trec" else []
        )
        order = [(query, item) for query in ("q1", "q2") for item in fused.best_first(query)]
        assert [(row[0], row[2]) for row in rows] == (order if rows else [])


def test_a_threshold_that_has_no_meaning_is_said_in_flags(files: list[Path], run: Run) -> None:
    for flags, message in (
        (["--method", "kemeny", "--scale", "first"], "has no meaning for kemeny"),
        (["--min-score", "high"], "--min-score 'high': expected a number"),
        (["--min-score", "bm52=3"], "which the input does not have; did you mean 'bm25'?"),
        (["--min-lists", "0"], "--min-lists"),
    ):
        ended = run("fuse", *files, *flags)
        assert ended.code in (1, 2)
        assert message in ended.err
        assert not ended.out
