"""What a type checker tells a user: wrong calls are refused, right ones pass, and it knows what comes back."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

from stagg.formats.options import ReadingOptions, ReadOptions

ROOT = Path(__file__).parents[1]

RIGHT = """
import stagg
from stagg.measures import NDCG
from stagg.methods import RRF, Kemeny, Method

stagg.fuse([["a", "b"], ["b", {"c", "d"}]])
stagg.fuse({"bm25": ["a", "b"], "dense": ["b"]}, "rrf(c=60)", missing="below", weights={"bm25": 2})
stagg.fuse({"bm25": {"q1": {"a": 12.5}}, "dense": {"q1": {"a": 1}}}, RRF(c=20), top=3, intervals=0.9)
stagg.fuse([{"a": 2.0}, {"b": 1.0}])
stagg.fuse(iter([["a"], ["b"]]))
method: Method = Kemeny(exact=False)
names: list[str] = stagg.fuse(stagg.Rankings.from_lists([["a"]]), method).best_first()
runs: stagg.Rankings = stagg.read("a.trec", order_by="rank", lenient=True)
labels = stagg.read_labels("qrels.txt")
score: float = stagg.explain(runs, method, item="a").score
table = stagg.evaluate(runs, labels, [NDCG(cutoff=10)]).to_csv()
model = stagg.train(runs, "weights", labels, holdout=0.2)
model.save("model.json")
stagg.compare(runs, labels, [stagg.load_model("model.json"), "borda"], missing="skip", conventions="letor4")
reveal_type(stagg.fuse([["a"]]))
"""

WRONG = {
    "stagg.fuse(3)": "arg-type",
    'stagg.fuse([["a"]], missing="belw")': "arg-type",
    'stagg.read("a.trec", hader=True)': "call-arg",
    'stagg.read("a.trec", order_by="scor")': "arg-type",
    'stagg.fuse([["a"]]).best()': "attr-defined",
    "stagg.methods.RRF(k=60)": "call-arg",
}


def check(folder: Path, text: str) -> list[str]:
    """What mypy --strict says of a file."""
    path = folder / "mine.py"
    path.write_text(text)
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        "--no-pretty",
        "--config-file=",
        "mine.py",
    ]
    cache = ["--cache-dir", str(ROOT / ".mypy_cache" / "users")]
    done = subprocess.run(
        [*command, *cache], cwd=folder, capture_output=True, text=True, env=os.environ | {"MYPYPATH": str(ROOT / "src")}
    )
    assert not done.stderr, done.stderr
    return [line for line in done.stdout.splitlines() if line.startswith("mine.py")]


def test_right_calls_pass_and_the_result_is_known(tmp_path: Path) -> None:
    said = check(tmp_path, RIGHT)
    assert [line.partition("note: ")[2] for line in said] == ['Revealed type is "stagg.data.rankings.Rankings"']


def test_wrong_calls_are_refused(tmp_path: Path) -> None:
    said = check(tmp_path, "import stagg\nimport stagg.methods\n\n" + "\n".join(WRONG) + "\n")
    errors = {int(line.split(":")[1]) - 4: line.rsplit("[", 1)[1].rstrip("]") for line in said if ": error:" in line}
    assert [errors.get(number) for number in range(len(WRONG))] == list(WRONG.values())


def test_the_reading_options_are_typed_as_they_are() -> None:
    fields = {field.name: field.type for field in dataclasses.fields(ReadOptions)}
    given = {name: hint.__forward_arg__ for name, hint in ReadingOptions.__annotations__.items()}
    assert given.pop("columns") == "ColumnsLike | None"  # numbers become texts at the door
    assert fields.pop("columns") == "Mapping[str, Any] | None"
    assert fields == given
