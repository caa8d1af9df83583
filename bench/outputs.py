"""A record of what stagg puts out, as hashes: it guards a change that is to keep every byte.

python bench/outputs.py record before.json --keep before   # today's outputs
python bench/outputs.py compare before.json --keep after   # run again, say what differs; exit 1 unless only draws do
diff -r before/fuse.sample.rrf after/fuse.sample.rrf        # what differs in one case

``--tree PATH`` runs the code of another work tree, ``--only PATTERN`` some of the cases. A case is a few
commands (or calls of the public library) in a folder of its own, in which ``in`` leads to the inputs. Exit statuses,
standard output and the files that are left must stay the same. Standard error is compared apart, since messages may be
reworded, and so are cases with ``draws``, whose bytes hang on how streams are seeded from (seed, id).
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from outputs_cases import Case, all_cases
from outputs_inputs import make_inputs

ROOT = Path(__file__).resolve().parent.parent
FIXED = {"COLUMNS": "100", "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "MPLBACKEND": "agg"}
FIXED |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
SECONDS = re.compile(rb"(?<=\"seconds\": )[\d.e-]+|\b\d+(\.\d+)? ?(ms|s|min|h|seconds?|minutes?)\b")
VERSION = re.compile(rb"(stagg |\"version\": \")\d+\.\d+\.\d+[.\w]*")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("record", "compare"))
    parser.add_argument("file", type=Path, help="the record, as JSON")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the work tree whose code is run (default: this one)")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that runs it")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="cases by name, with wildcards: 'fuse.letor.*'")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the outputs here, a folder for each case")
    parser.add_argument("--jobs", type=int, default=2, help="cases run at once")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="stagg-outputs-") as scratch:
        found = run_all(options, (options.keep or Path(scratch)).resolve())
    if options.what == "record":
        options.file.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
        draws = sum(case["draws"] for case in found.values())
        print(f"{len(found)} cases recorded in {options.file}, {draws} with draws")
        return 0
    before = json.loads(options.file.read_text())
    return report({name: case for name, case in before.items() if wanted(name, options)}, found)


def run_all(options: argparse.Namespace, folder: Path) -> dict[str, dict[str, Any]]:
    """Make the inputs and run the cases that were asked for; each thread has a server of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    tree = options.tree.resolve()
    environment = {key: value for key, value in os.environ.items() if not key.startswith("STAGG_")}
    environment |= FIXED | {"PYTHONPATH": str(tree / "src")}
    make_inputs(folder / "in", tree)
    cases = [case for case in all_cases(methods_of(options.python, environment)) if wanted(case.name, options)]
    if len({case.name for case in cases}) < len(cases):
        raise SystemExit("two cases have the same name")
    cases.sort(key=lambda case: not case.name.startswith("reproduce."))  # the longest first
    places = {str(folder): "SCRATCH", str(tree): "TREE"}
    free: SimpleQueue[Server] = SimpleQueue()

    def run_next(case: Case) -> dict[str, Any]:
        server = free.get()
        try:
            return run(case, folder / case.name, server, places)
        finally:
            free.put(server)

    with ExitStack() as stack, ThreadPoolExecutor(options.jobs) as pool:
        for _ in range(options.jobs):
            free.put(stack.enter_context(Server(options.python, environment)))
        return {case.name: found for case, found in zip(cases, pool.map(run_next, cases), strict=True)}


def wanted(name: str, options: argparse.Namespace) -> bool:
    return fnmatch.fnmatch(name, options.only)


def methods_of(python: str, environment: dict[str, str]) -> list[str]:
    """Every method of the tree, by name."""
    command = [python, "-m", "stagg", "methods", "--json"]
    text = subprocess.run(command, env=environment, capture_output=True, check=True).stdout
    return [row["method"].partition("(")[0] for row in json.loads(text)["rows"]]


class Server:
    """Runs commands and code in copies of one process, or in new ones (bench/outputs_server.py)."""

    def __init__(self, python: str, environment: dict[str, str]) -> None:
        self.python, self.environment = python, environment
        command = [python, str(ROOT / "bench" / "outputs_server.py")]
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()  # it ends where its requests do

    def run(self, case: Case, script: str, home: Path) -> int:
        """Run one script of a case, its output added to ``stdout`` and ``stderr`` in its folder; the exit status."""
        words, _, source = script.partition(" < ")
        arguments = [word for text in shlex.split(words) for word in found_by(text, home)] if not case.library else []
        if case.plain:
            return self._run_anew(case, arguments, home)
        request = {"home": str(home), "arguments": arguments, "code": script if case.library else None, "stdin": source}
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return int(self.process.stdout.readline())

    def _run_anew(self, case: Case, arguments: list[str], home: Path) -> int:
        environment = self.environment | ({"STAGG_PURE": "1"} if case.name.startswith("pure.") else {})
        with open(home / "stdout", "ab") as out, open(home / "stderr", "ab") as err:
            command = [self.python, "-m", "stagg", *arguments]
            done = subprocess.run(command, cwd=home, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        return done.returncode


def found_by(text: str, home: Path) -> list[str]:
    """The inputs that a pattern names, or the word as it is."""
    if not text.startswith("in/") or not any(sign in text for sign in "*?"):
        return [text]
    return sorted(str(path.relative_to(home)) for path in home.glob(text))


def run(case: Case, home: Path, server: Server, places: dict[str, str]) -> dict[str, Any]:
    """Run a case in a folder of its own; what it left, as hashes."""
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    (home / "in").symlink_to(home.parent / "in")
    statuses = [server.run(case, script, home) for script in case.scripts()]
    (home / "in").unlink()
    left = {path.relative_to(home).as_posix(): path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file()}
    (home / "status").write_text(shown(statuses) + "\n")
    timed = case.name.startswith("reproduce.")
    out, err = digest(left.pop("stdout"), places, timed=timed), digest(left.pop("stderr"), places, timed=True)
    files = {name: digest(content, places, timed=timed) for name, content in left.items() if not of_times(name)}
    found = {"status": statuses, "stdout": out, "files": files, "stderr": err}
    return found | {"draws": case.draws, "code": case.code}


def of_times(name: str) -> bool:
    """Whether a file of ``stagg reproduce`` holds times in the main."""
    return "/cache/" in name or name.endswith("times.csv")


def digest(content: bytes, places: dict[str, str], *, timed: bool) -> str:
    """A hash of the bytes, without what hangs on where, when (``timed``) and with which version they were made."""
    for place, name in places.items():
        content = content.replace(place.encode(), name.encode())
    content = SECONDS.sub(b"TIME", content) if timed else content
    return hashlib.sha256(VERSION.sub(rb"\1VERSION", content)).hexdigest()[:32]


def report(before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]]) -> int:
    """Print what differs, by kind; 1 if anything does that may not."""
    groups: dict[str, list[str]] = {}
    for name in sorted(before.keys() | after.keys()):
        for kind, what in difference(before.get(name), after.get(name)):
            groups.setdefault(kind, []).append(f"{name}{what}")
    for kind, lines in groups.items():
        print(f"{kind}: {len(lines)}", *lines, sep="\n  ")
    wrong = len({line.split(" ")[0] for kind, lines in groups.items() if kind not in HARMLESS for line in lines})
    print(f"{len(before)} recorded, {len(after)} run, {wrong} differ that may not")
    return 1 if wrong else 0


HARMLESS = ("draws", "standard error only", "not recorded")


def shown(statuses: list[int]) -> str:
    return " ".join(map(str, statuses))


def difference(old: dict[str, Any] | None, new: dict[str, Any] | None) -> Iterator[tuple[str, str]]:
    """Kinds of difference between two entries of a case, with what to add to its name."""
    if old is None or new is None:
        yield ("not recorded", "") if old is None else ("not run any more", "")
        return
    if old["code"] != new["code"]:
        yield "the case itself was changed: record again", ""
    files = [name for name in sorted(old["files"] | new["files"]) if old["files"].get(name) != new["files"].get(name)]
    said = [*(["stdout"] if old["stdout"] != new["stdout"] else []), *files]
    if old["status"] != new["status"]:
        yield "exit status", f" {shown(old['status'])} -> {shown(new['status'])}"
    elif said and new["draws"]:
        yield "draws", f" {', '.join(said)}"
    elif said:
        yield "files" if files else "standard output", f" {', '.join(said)}"
    elif old["stderr"] != new["stderr"]:
        yield "standard error only", ""


if __name__ == "__main__":
    sys.exit(main())
