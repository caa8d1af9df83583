"""Every format in and out: the same bytes on 1, 2 and 4 threads, with the compiled kernels and without them."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from stagg import Labels, Rankings
from stagg.formats import FORMATS, write

METHODS = ("rrf", "stagg_rrf", "stagg_trust", "borda")
OUTPUTS = ("trec", "csv", "tsv", "parquet", "json", "csv.gz")
THREADS = (1, 2, 4)

CALLS = """
import json, sys
from stagg.aggregate import streaming
from stagg.cli.main import main
from stagg.formats.parts import chunks, in_parts, parquet_chunks, text_blocks
in_parts.BUCKET, chunks.SPACING, text_blocks.BLOCK, parquet_chunks.BATCH = 2000, 200, 400, 9  # many parts of few rows
parts, each = [0], streaming.FusionInParts._fuse
def fuse(self, rows):
    parts[-1] += 1
    return each(self, rows)
streaming.FusionInParts._fuse = fuse
for call in json.load(sys.stdin):
    parts.append(0)
    try:
        main(call)
    except SystemExit as ended:
        if ended.code:
            raise
print(max(parts))
"""


def votes() -> Rankings:
    """Lists of several rankers over 20 queries, with ties and lists that are missing."""
    rng = random.Random(0)
    queries = [f"q{number}" for number in rng.sample(range(100), 20)]
    return Rankings.from_runs(
        {f"r{ranker}": {query: _scores(rng) for query in queries if rng.random() < 0.8} for ranker in range(4)}
    )


def _scores(rng: random.Random) -> dict[str, float]:
    items = rng.sample(range(15), rng.randint(2, 12))
    return {f"d{item}": rng.choice([20.0 - place, 7.25, 0.5]) for place, item in enumerate(items)}


def write_inputs(folder: Path) -> dict[str, list[Path]]:
    """The votes, or the first query of them, in every format that there is."""
    whole, one = votes(), votes().take_queries([0])
    inputs = {kind: [folder / f"in.{kind}"] for kind in ("csv", "tsv", "parquet", "json", "csv.gz", "parq")}
    for [path] in inputs.values():
        write(whole, path)
    inputs |= {"trec": [folder / f"{ranker}.trec" for ranker in whole.rankers]}
    for number, path in enumerate(inputs["trec"]):
        write(whole.take_rankers([number]), path)
    inputs |= {"letor": [folder / "in.letor"], "preflib": [folder / "in.toi"], "jsonl": [folder / "in.jsonl"]}
    labels = Labels({query: dict.fromkeys(whole[query].items, 0) for query in whole.queries})
    write(whole.replace(scores=None).with_rankers("1234"), inputs["letor"][0], labels=labels)
    items = {item: str(number) for number, item in enumerate(one.items, 1)}
    write(
        one.replace(scores=None, queries=("1",), items=tuple(items.values())).with_rankers("1234"), inputs["preflib"][0]
    )
    rows = [row for row in whole.to_arrow().to_pylist() if row.pop("rank")]
    inputs["jsonl"][0].write_text("".join(json.dumps(row) + "\n" for row in rows))
    return inputs


def run_all(calls: list[list[str]], **environment: str) -> int:
    """Carry out the calls in a process of its own; how many parts the largest of them was fused in."""
    plain = {key: value for key, value in os.environ.items() if key != "STAGG_PURE"}
    command = [sys.executable, "-W", "ignore", "-c", CALLS]
    done = subprocess.run(
        command, input=json.dumps(calls), env=plain | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


@pytest.fixture(scope="module")
def hashes(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str, str], dict[str, str]]:
    """(input, method, output) -> {who wrote it: the hash of the file}."""
    folder = tmp_path_factory.mktemp("same")
    inputs = write_inputs(folder)
    found: dict[tuple[str, str, str], dict[str, str]] = {}
    for who, environment in {"compiled": {}, "pure": {"STAGG_PURE": "1"}}.items():
        calls, places = [], {}
        for kind, paths in inputs.items():
            for number, output in enumerate(OUTPUTS):
                method = METHODS[number % len(METHODS)]
                for threads in THREADS:
                    place = folder / f"{who}-{kind}-{threads}.{output}"
                    places[kind, method, output, threads] = place
                    options = ["-m", method, "--threads", str(threads), "-q", "-o", str(place)]
                    calls.append(["fuse", *map(str, paths), *options])
        parts = run_all(calls, **environment)
        assert parts > 10 or who == "pure"
        for (kind, method, output, threads), place in places.items():
            each = found.setdefault((kind, method, output), {})
            each[f"{who}, {threads} threads"] = hashlib.sha256(place.read_bytes()).hexdigest()
    return found


def test_threads_and_kernels_do_not_change_a_byte(hashes: dict[tuple[str, str, str], dict[str, str]]) -> None:
    assert all(len(written) == 2 * len(THREADS) for written in hashes.values())
    assert {case: written for case, written in hashes.items() if len(set(written.values())) > 1} == {}


def test_the_format_of_the_input_does_not_change_a_byte(hashes: dict[tuple[str, str, str], dict[str, str]]) -> None:
    with_scores = ("trec", "csv", "tsv", "parquet", "json", "csv.gz", "parq", "jsonl")
    by_output: dict[str, set[str]] = {}
    for (kind, _, output), written in hashes.items():
        if kind in with_scores:
            by_output.setdefault(output, set()).update(written.values())
    assert {output: len(each) for output, each in by_output.items()} == dict.fromkeys(OUTPUTS, 1)


def test_no_format_is_forgotten(hashes: dict[tuple[str, str, str], dict[str, str]]) -> None:
    named = {kind for kind, _, _ in hashes}
    assert set(FORMATS.names()) - named == {
        "excel",
        "markdown",
        "blt",
        "cvotes",
        "abif",
        "debian",
        "gmt",
    }  # read whole, as csv and preflib
