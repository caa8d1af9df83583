"""``stagg reproduce`` as a user meets it: what it writes, what it says, and how it ends."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.command_line import Run, runner
from tests.paper.letor_like import write_letor
from tests.paper.reproduced import rows_of

from stagg.paper import EXPERIMENTS
from stagg.paper.experiments.printed import TABLE1

HOSTILE = "<script>alert(1)</script> [x]* 'a' \"b\" `c` $(d)\n\u202eoloh"


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary, "reproduce")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose name wants to be more than text."""
    folder = tmp_path_factory.mktemp("data") / HOSTILE.replace("/", "|")
    folder.mkdir()
    return write_letor(folder)


@pytest.fixture(scope="module")
def finished(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of Table 1, by a process of its own."""
    out = tmp_path_factory.mktemp("out") / "new" / HOSTILE.replace("/", "|")
    arguments = ["--data", data, "--out", out, "--only", "table1", "--threads", "2", "--seed", "3"]
    done = subprocess.run(
        [sys.executable, "-m", "stagg", "reproduce", *map(str, arguments)], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert b"St.Agg_BC is 79.7 % above BordaCount" in done.stdout
    assert b"table1: " in done.stderr
    return out


def test_it_leaves_a_report_and_every_number_as_csv_and_json(finished: Path) -> None:
    names = {path.name for path in finished.iterdir()}
    tables = {f"{stem}.{kind}" for stem in ("table1", "table1-nearest", "table1-rankers") for kind in ("csv", "json")}
    assert names == {*tables, "report.html", "report.md", "run.json", "times.csv", "cache"}
    rows = rows_of(finished, "table1")
    table = json.loads((finished / "table1.json").read_text(encoding="utf-8"))
    assert (table["command"], table["conventions"], table["seed"]) == ("reproduce", "letor4", 3)
    assert [float(row["ours"]) for row in rows] == [row["ours"] for row in table["rows"]]
    assert [row["method"] for row in rows] == [row["method"] for row in table["rows"]]


def test_it_says_how_it_was_made(finished: Path, data: Path) -> None:
    made = json.loads((finished / "run.json").read_text(encoding="utf-8"))
    assert made["command"].startswith("stagg reproduce --data ")
    assert made["command"].endswith(" --only table1 --threads 2 --seed 3")
    assert set(made["versions"]) == {"stagg", "numpy", "Python"}
    assert (made["seed"], made["data"]["folder"]) == (3, str(data))
    assert made["experiments"]["table1"]["computed"] == made["experiments"]["table1"]["tasks"]
    assert made["experiments"]["table1"]["seconds"] > 0
    times = rows_of(finished, "times")
    assert len(times) == made["experiments"]["table1"]["tasks"]
    report = (finished / "report.html").read_text(encoding="utf-8")
    assert made["data"]["sha256"]["MQ2007-agg"] in report
    assert "<script>alert" not in report
    assert "<script>alert" not in re.sub("`.*`", "", (finished / "report.md").read_text(encoding="utf-8"))


def test_every_figure_of_the_report_stands_in_a_csv(finished: Path) -> None:
    known = set()
    for path in finished.glob("table1*.csv"):
        for row in rows_of(finished, path.stem):
            for cell in row.values():
                if re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", cell):
                    known.add(f"{abs(float(cell)):.4f}")
    for name in ("report.html", "report.md"):
        text = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", (finished / name).read_text("utf-8"), flags=re.S)
        figures = set(re.findall(r"(?<![\d.])0\.\d{4}(?!\d)", text))
        assert len(figures) > 50
        assert figures <= known


def test_a_second_run_is_made_of_what_was_kept(finished: Path, data: Path, run: Run) -> None:
    before = {path: path.read_bytes() for path in finished.glob("table1*")}
    done = run("--data", data, "--out", finished, "--only", "table1", "--seed", 3)
    assert done.code == 0
    assert "0 of 86 tasks computed" in done.err
    assert {path: path.read_bytes() for path in finished.glob("table1*")} == before


def test_quick_takes_other_answers_and_says_what_it_is(finished: Path, data: Path, run: Run, tmp_path: Path) -> None:
    done = run("--data", data, "--out", tmp_path, "--only", "table1", "--quick", "--values", "rank", "--quiet")
    assert (done.code, done.err) == (0, "")
    assert "every 10th query only: not comparable with the paper" in done.out
    assert "large number = top" not in done.out
    rows = rows_of(tmp_path, "table1")
    assert {row["queries"] for row in rows} == {"2"}


def test_the_figures_are_also_written_as_plots(finished: Path, data: Path, run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason='matplotlib is not installed: pip install "stagg[plots]"')
    done = run("--data", data, "--out", finished, "--only", "table1", "--seed", 3, "--plots", tmp_path / "plots")
    assert (done.code, "12 plots written to " in done.err) == (0, True)
    names = {path.name for path in (tmp_path / "plots").iterdir()}
    stems = [f"{stem}-{name}" for stem in ("table1", "table1-rankers") for name in TABLE1]
    assert names == {f"{stem}.{kind}" for stem in stems for kind in ("svg", "png", "pdf")}


def test_a_name_that_is_nearly_right_is_told(data: Path, tmp_path: Path, run: Run) -> None:
    done = run("--data", data, "--out", tmp_path / "out", "--only", "table1,figrue4")
    assert done.code == 2
    assert "there is no experiment 'figrue4'; did you mean 'figure4'" in done.err
    assert run("--data", data, "--out", tmp_path / "out", "--only", ",").code == 2
    assert not (tmp_path / "out").exists()


def test_a_folder_without_the_sets_is_told_what_it_must_hold(data: Path, tmp_path: Path, run: Run) -> None:
    done = run("--data", tmp_path, "--out", tmp_path / "out")
    assert done.code == 1
    assert (
        "must contain MQ2007-agg and MQ2008-agg, each with A1.txt to A5.txt; MQ2007-agg/A1.txt cannot be read"
        in done.err
    )
    assert "\n" not in done.err.strip()


def test_the_data_are_no_place_for_results(data: Path, tmp_path: Path, run: Run) -> None:
    assert "is the folder of the data" in run("--data", data, "--out", data).err
    (tmp_path / "file").write_text("")
    assert run("--data", data, "--out", tmp_path / "file").code == 2
    assert "cannot be created" in run("--data", data, "--out", tmp_path / "file" / "below").err


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Make a package look as if it were not installed."""

    def lack(package: str) -> None:
        real = importlib.util.find_spec
        monkeypatch.setattr("importlib.util.find_spec", lambda name, *a: None if name == package else real(name, *a))

    return lack


@pytest.mark.parametrize(
    ("package", "words"),
    [
        ("tensorly", "The features 'cp' need tensorly: pip install \"stagg[cp]\""),
        ("matplotlib", 'Figures need matplotlib: pip install "stagg[plots]"'),
    ],
)
def test_what_figures_need_is_missed_before_the_work(
    data: Path, tmp_path: Path, run: Run, lacking: Callable[[str], None], package: str, words: str
) -> None:
    lacking(package)
    done = run("--data", data, "--out", tmp_path)
    assert (done.code, done.err) == (1, f"stagg: error: {words}\n")
    assert not (tmp_path / "cache").exists()


def test_table_1_needs_no_matplotlib(data: Path, tmp_path: Path, run: Run, lacking: Callable[[str], None]) -> None:
    lacking("matplotlib")
    done = run("--data", data, "--out", tmp_path, "--only", "table1", "--quick", "--quiet")
    assert (done.code, done.err) == (0, "")
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "BordaCount, the paper" in report
    assert "<svg" not in report


def test_the_terminal_shows_each_row_with_its_reading_and_the_differences(finished: Path, data: Path, run: Run) -> None:
    out = run("--data", data, "--out", finished, "--only", "table1", "--seed", 3, "--quiet").out
    lines = [line.split() for line in out.partition("MQ2008-agg: each row of the paper")[2].splitlines()]
    nearest = {row["row"]: row for row in reversed(rows_of(finished, "table1-nearest"))}
    for name, printed in TABLE1["MQ2008-agg"].items():
        place = lines.index([f"{name},", "the", "paper", *[f"{value:.4f}" for value in printed]])
        keys = {key: nearest[name][key] for key in ("row", "reading", "values")}
        mine = rows_of(finished, "table1", set="MQ2008-agg", **keys)
        below = [line for line in lines[place + 1 : place + 4] if line and line[-1][-1].isdigit()]  # names may be long
        assert below[0][-4:] == [f"{float(row['ours']):.4f}" for row in mine]
        assert [float(cell.replace("−", "-")) for cell in below[1][1:]] == pytest.approx(
            [float(row["difference"]) for row in mine], abs=5.1e-5
        )


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_it_and_keeps_what_was_computed(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("tensorly", reason="the features 'cp' need tensorly")
    arguments = ["--data", data, "--out", tmp_path, "--only", "figure3", "--grid", "paper", "--threads", "2"]
    process = subprocess.Popen(
        [sys.executable, "-m", "stagg", "reproduce", *map(str, arguments)],
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    while process.poll() is None and not list((tmp_path / "cache").glob("*.json")):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers, too
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert b"what was computed is stored in " in err
    assert b"Traceback" not in err
    assert all(json.loads(path.read_bytes())["answer"] for path in (tmp_path / "cache").glob("*.json"))
    assert not list((tmp_path / "cache").glob("*.part"))
    assert _all_gone(process.pid)


def _all_gone(group: int) -> bool:
    """Whether no process of a group is left, after a moment for those that only tidy up."""
    if shutil.which("ps") is None:
        pytest.skip("there is no ps to look for processes with")
    for _ in range(200):
        alive = subprocess.run(["ps", "-o", "stat=", "-g", str(group)], capture_output=True, text=True, check=False)
        if not [state for state in alive.stdout.split() if not state.startswith("Z")]:
            return True
        time.sleep(0.05)
    return False


def test_help_names_the_experiments(run: Run) -> None:
    text = " ".join(run("--help").out.split())
    assert ", ".join(EXPERIMENTS) in text
    assert shutil.which("stagg") is None or "stagg reproduce --data letor --out out" in text
