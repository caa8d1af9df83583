"""Reports and plots on the command line: --report, --plots, and the end of the demo."""

from __future__ import annotations

import json
import re
import shlex
import tempfile
from pathlib import Path

import pytest

from stagg.cli.main import main
from tests.checks import some
from tests.command_line import SAMPLE_FILES, copy_sample


def run(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    out, err = capfd.readouterr()
    return int(ended.value.code or 0), out, err


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return copy_sample(tmp_path / "sample")


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


def test_a_demo_that_saves_writes_the_sample_with_its_reports(
    sample: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(capfd, "demo", "--save", tmp_path / "saved")[0] == 0
    saved = {path.name: path.read_bytes() for path in (tmp_path / "saved").iterdir()}
    assert {"stagg-demo.html", "stagg-demo-explorer.html"} == set(saved) - set(SAMPLE_FILES)
    assert all(saved[path.name] == path.read_bytes() for path in some(sample.iterdir()))


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
    model = tmp_path / "model.json"
    judged = [*runs(sample), "--qrels", sample / "qrels.txt"]
    assert run(capfd, "train", *judged, "--learner", "best_input", "-o", model)[0] == 0
    for command in (["compare"], ["robustness", "--rankers", "2"]):
        code, _, err = run(capfd, *command, *judged, "--model", f"Ours: {model}", "--report", model)
        assert (code, "is also an input" in err) == (2, True)
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


def test_explore_writes_a_page_that_names_its_input(
    sample: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("click.launch", lambda url: opened.append(url) or 0)
    page = tmp_path / "explorer.html"
    files = runs(sample)
    options = [
        "--qrels",
        sample / "qrels.txt",
        "--order-by",
        "score",
        "--lenient",
        "--weights",
        "dense=2",
        "--depth",
        5,
    ]
    code, out, err = run(capfd, "explore", *files, *options, "-o", page, "--open")
    assert (code, out) == (0, "")
    assert "explorer written to" in err
    assert opened == [page.as_uri()]
    data = json.loads(re.findall(r'id="explorer">(.*?)</script>', page.read_text(encoding="utf-8"))[0])
    assert data["source"]["words"] == shlex.join([*map(str, files), "--order-by", "score", "--lenient"])
    assert data["source"]["call"] == f"stagg.read({[*map(str, files)]!r}, order_by='score', lenient=True)"
    assert data["start"]["weights"] == [1, 2, 1]
    assert data["start"]["depth"] == 5
    assert [each["name"] for each in data["measures"]] == ["ndcg@10"]


def test_explore_says_what_it_cannot_do(sample: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = runs(sample)
    code, _, err = run(capfd, "explore", *files, "--method", "mc4", "-o", tmp_path / "x.html")
    assert code == 2
    assert "the explorer does not know mc4" in err
    assert run(capfd, "explore", *files, "-o", files[0])[0] == 2
    code, out, err = run(capfd, "explore", *files, "--quiet")
    assert (code, err) == (0, "")
    assert Path(out.strip()).read_text(encoding="utf-8").startswith("<!doctype html>")


def test_explore_takes_models_of_weights_and_trust(
    sample: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    files, labels = runs(sample), ["--qrels", sample / "qrels.txt"]
    for learner, options in (("weights", labels), ("trust", [])):
        model, page = tmp_path / f"{learner}.json", tmp_path / f"{learner}.html"
        assert run(capfd, "train", *files, *options, "--learner", learner, "-o", model)[0] == 0
        assert run(capfd, "explore", *files, "--model", model, "-o", page)[0] == 0
        data = json.loads(re.findall(r'id="explorer">(.*?)</script>', page.read_text(encoding="utf-8"))[0])
        assert (data["learned"] is not None) == (learner == "weights")
        assert data["source"]["model"] == ([str(model), repr(str(model))] if learner == "trust" else None)
        assert data["start"]["method"]["name"] == ("stagg_trust" if learner == "trust" else "rrf")


def test_the_report_of_a_fusion_names_a_model_of_trust_in_its_commands(
    sample: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    files, model, report = runs(sample), tmp_path / "trust.json", tmp_path / "report.html"
    assert run(capfd, "train", *files, "--learner", "trust", "-o", model)[0] == 0
    assert run(capfd, "fuse", *files, "--model", model, "--report", report, "-o", tmp_path / "f.trec")[0] == 0
    data = json.loads(re.findall(r'id="explorer">(.*?)</script>', report.read_text(encoding="utf-8"))[0])
    assert data["source"]["model"] == [str(model), repr(str(model))]


def test_the_report_of_a_fusion_has_controls_where_they_can_be(
    sample: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.html"
    for options, moves in (
        (["--method", "stagg_trust", "--depth", "5"], True),
        (["--weights", "dense=0"], True),
        (["--method", "mc4"], False),
        (["--min-lists", "2"], False),
    ):
        assert run(capfd, "fuse", *runs(sample), *options, "--report", report, "-o", tmp_path / "f.trec")[0] == 0
        text = report.read_text(encoding="utf-8")
        assert ('id="controls"' in text.partition("<script")[0]) == moves
        assert ("There are no controls:" in text) != moves
