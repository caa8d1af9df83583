"""What a release must do where nothing but its dependencies is installed, and one hash of all that it puts out.

python bench/smoke.py [--compiled] [--cases]   # --compiled: fail unless every kernel is compiled; --cases: a hash each

The same wheel gives the same hash on every Python with the same NumPy and SciPy: `make versions` compares them.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import stagg
from stagg.kernels.compiled import TWINS, built
from stagg.methods import METHODS

COMMANDS = """
demo --save .
fuse bm25.trec dense.trec sparse.trec -o fused.trec
fuse bm25.trec dense.trec sparse.trec --intervals 0.9 --draws 200 -o fused.csv
fuse bm25.trec dense.trec -m stagg_rrf -o fused.json.gz
evaluate fused.trec bm25.trec --qrels qrels.txt --json
compare bm25.trec dense.trec sparse.trec --qrels qrels.txt --methods borda;rrf --format csv
train bm25.trec dense.trec sparse.trec --qrels qrels.txt --learner weights -o model.json
fuse bm25.trec dense.trec sparse.trec --model model.json --format csv
explain bm25.trec dense.trec --query repot-an-orchid --item orchid-repotting-step-by-step --json
inspect bm25.trec dense.trec sparse.trec --json
convert bm25.trec bm25.csv
"""


def make_table(path: Path) -> Path:
    """Partial lists with scores and ties: 4 queries, 5 rankers, 9 items."""
    cells = [(q, r, i) for q in range(4) for r in range(5) for i in range(9) if (q + 3 * r + 5 * i) % 4]
    rows = [f"{q},ranker {r},item {i},{(7 * q + 13 * r + 29 * i) % 17 / 2}" for q, r, i in cells]
    path.write_text("query,ranker,item,score\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def of_methods(rankings: stagg.Rankings) -> Iterator[tuple[str, bytes]]:
    """Every method on partial lists."""
    for name in METHODS.names():
        yield f"method {name}", repr(stagg.fuse(rankings, name).to_dict()).encode()


def of_formats(rankings: stagg.Rankings, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every format that needs no extra: written, read again, the same."""
    for ending in ("csv", "tsv", "json", "csv.gz"):
        path, again = folder / f"rankings.{ending}", folder / f"again.{ending}"
        stagg.write(rankings, path)
        stagg.write(stagg.read(path), again)
        assert path.read_bytes() == again.read_bytes(), ending
        yield f"format {ending}", b"" if ending.endswith("gz") else path.read_bytes()


def of_commands(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The commands of a first hour, run as a newcomer runs them."""
    environment = os.environ | {"COLUMNS": "100", "NO_COLOR": "1"}
    for line in COMMANDS.strip().splitlines():
        command = [sys.executable, "-m", "stagg", *line.split()]
        ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
        assert ended.returncode == 0, f"stagg {line}\n{ended.stderr.decode()}"
        yield line, b"" if line.startswith("demo") else ended.stdout
    for path in sorted(folder.glob("fused.*")):
        yield path.name, path.read_bytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiled", action="store_true")
    parser.add_argument("--cases", action="store_true")
    options = parser.parse_args()
    if options.compiled and built() != TWINS:
        raise SystemExit(f"not compiled: {', '.join(sorted(set(TWINS) - set(built())))}")
    warnings.simplefilter("ignore", stagg.DataWarning)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rankings = stagg.read(make_table(folder / "table.csv"))
        cases = [*of_methods(rankings), *of_formats(rankings, folder), *of_commands(folder)]
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in cases}
    if options.cases:
        print("\n".join(f"{digest[:16]} {name}" for name, digest in hashes.items()))
    total = hashlib.sha256("".join(hashes.values()).encode()).hexdigest()
    print(f"{total}  {len(cases)} outputs")


if __name__ == "__main__":
    main()
