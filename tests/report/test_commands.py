"""Reports and plots on the command line: --report, --plots, and the end of the demo."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest

from stagg.cli.main import main


def run(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    out, err = capfd.readouterr()
    return int(ended.value.code or 0), out, err


@pytest.fixture
def sample(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Path:
    assert run(capfd, "demo", "--save", tmp_path / "sample")[0] == 0
    return tmp_path / "sample"


def runs(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.trec"))


def test_the_demo_ends_with_a_report_and_its_path(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    work, elsewhere = tmp_path / "work", tmp_path / "elsewhere"
    work.mkdir()
    elsewhere.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))
    code, out, _ = run(capfd, "demo", "--method", "mc4")
    path = Path(out.splitlines()[-1].strip())
    assert code == 0
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert elsewhere in path.parents
    assert list(work.iterdir()) == []  # a demo leaves nothing where one works
    told = [line.strip() for line in run(capfd, "demo", "--report", "mine.html")[1].splitlines()]
    assert told[-3::2] == ["mine.html", "mine-explorer.html"]
    assert "The sample, fused" in Path("mine.html").read_text(encoding="utf-8")
    assert "Explore the sample" in Path("mine-explorer.html").read_text(encoding="utf-8")


def test_the_report_of_a_demo_that_saves_lies_beside_the_files(sample: Path) -> None:
    assert (sample / "stagg-demo.html").is_file()


@pytest.mark.parametrize("method", ["rrf(c=60)", "stagg_rrf", "kemeny"])
def test_fuse_writes_a_report_beside_its_output(
    sample: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], method: str
) -> None:
    report = tmp_path / "report.html"
    code, out, err = run(capfd, "fuse", *runs(sample), "--method", method, "--report", report)
    assert code == 0
    assert "report written to" in err
    plain = run(capfd, "fuse", *runs(sample), "--method", method)
    assert plain[1] == out  # the output is the same with a report and without
    text = report.read_bytes()
    assert run(capfd, "fuse", *runs(sample), "--method", method, "--report", report, "--quiet")[2] == ""
    assert report.read_bytes() == text


def test_compare_writes_a_report_of_means_or_of_robustness(
    sample: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    common = [*runs(sample), "--qrels", sample / "qrels.txt", "--methods", "borda;rrf", "--report", tmp_path / "r.html"]
    assert run(capfd, "compare", *common)[0] == 0
    assert "Query by query" in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert run(capfd, "robustness", *common, "--rankers", "1,2", "--draws", 2)[0] == 0
    assert "Fewer rankers" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_a_report_that_is_an_input_or_the_output_is_refused(
    sample: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.read_bytes() for path in sample.iterdir()}
    for arguments in (
        ["fuse", *runs(sample), "--report", runs(sample)[0]],
        [
            "compare",
            *runs(sample),
            "--qrels",
            sample / "qrels.txt",
            "--methods",
            "borda",
            "--report",
            sample / "qrels.txt",
        ],
    ):
        code, _, err = run(capfd, *arguments)
        assert code == 2
        assert "is also an input" in err
    same = tmp_path / "x.csv"
    code, _, err = run(capfd, "fuse", *runs(sample), "-o", same, "--report", same)
    assert (code, "named twice" in err) == (2, True)
    code, _, err = run(capfd, "fuse", *runs(sample), "--report", tmp_path / "no" / "r.html")
    assert (code, "no such folder" in err) == (1, True)
    assert {path: path.read_bytes() for path in sample.iterdir()} == before


def test_plots_are_written_into_a_folder(sample: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib", reason='matplotlib is not installed: pip install "stagg[plots]"')
    judged = [
        "--qrels",
        sample / "qrels.txt",
        "--methods",
        "borda;rrf",
        "--measures",
        "err",
        "--plots",
        tmp_path / "plots",
    ]
    code, _, err = run(capfd, "compare", *runs(sample), *judged)
    assert code == 0
    assert re.search(r"6 plots written to", err)
    assert sorted(path.name for path in (tmp_path / "plots").iterdir()) == [
        "means-err.pdf",
        "means-err.png",
        "means-err.svg",
        "wins-err.pdf",
        "wins-err.png",
        "wins-err.svg",
    ]


def test_plots_without_matplotlib_name_the_remedy_before_the_work(
    sample: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    code, out, err = run(capfd, "fuse", *runs(sample), "--plots", tmp_path / "plots")
    assert code == 1
    assert out == ""
    assert 'pip install "stagg[plots]"' in err
