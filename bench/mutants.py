"""A check on the tests: whether they notice small mistakes in src.

python bench/mutants.py 150 --seed 7                 # 150 mutants, drawn over src in proportion to lines
python bench/mutants.py 20 --only 'formats/*'        # in one package
python bench/mutants.py 99 --only formats/tables/roles.py:88  # all mutants of a line

A mutant is src with one mistake (bench/mutations.py). It lives in a copy of this tree that is removed at the end. Its
tests are run until one fails:

1. the examples in its docstrings, and the NEAREST test files: those that have its name, import it, belong to its
   package (FOLDERS) or name what it defines, itself or its folder, where a name counts the more, the fewer files hold
   it;
2. the other files that belong to its package;
3. for methods and learners, the laws of those that the module defines.

Mutants of kernels are run without compiled kernels (STAGG_PURE=1), and the nearest tests also with them, since some
tests compare the two. A mutant is killed if a test fails that passes without it, survives if none does, and is open if
its tests take longer than the limit, or need a package that is not installed (NEEDED). The exit status is 1 if fewer
than ``--least`` of those with a verdict are killed.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import fnmatch
import functools
import importlib.util
import itertools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue
from typing import Any, ClassVar, NamedTuple

from mutations import Mutation, mutations_of, parses

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {
    "aggregate": ("aggregate", "test_fuse.py", "test_uncertainty.py", "door"),
    "cli": (
        "cli",
        "elections/test_elect.py",
        "door",
        "test_trusted.py",
        "paper/test_command.py",
        "data/test_strangers.py",
    ),
    "data": ("data", "test_fuse.py", "door", "test_hostile_calls.py"),
    "elections": ("elections", "laws/test_axioms.py", "report/test_election.py", "cli/test_voters_words.py"),
    "engines": ("engines", "aggregate"),
    "features": ("features", "laws/test_parameters.py"),
    "formats": ("formats", "door", "test_hostile_calls.py"),
    "kernels": ("kernels", "methods"),
    "measures": ("measures", "laws/test_parameters.py"),
    "methods": ("methods", "test_fuse.py"),
    "search": ("search", "integrations", "test_hostile_calls.py"),
    "": (
        "test_registry.py",
        "test_threads.py",
        "test_trusted.py",
        "test_plugins.py",
        "test_hostile_calls.py",
        "cli/test_start.py",
        "door/test_results.py",
    ),
}
"""Where the tests of a package are, its own folder first, if not only there; "" is the top of src. The folders inside a
package of src have none of their own: tests/formats holds the tests of all of formats."""
NEEDED = {
    "engines/spark/*": "pyspark",
    "integrations/haystack.py": "haystack",
    "integrations/ir_measures.py": "ir_measures",
    "integrations/lancedb.py": "lancedb",
    "integrations/langchain.py": "langchain_core",
    "integrations/llamaindex.py": "llama_index",
    "integrations/mteb.py": "mteb",
    "integrations/pyterrier.py": "pyterrier",
    "integrations/ranx.py": "ranx",
    "integrations/sklearn.py": "sklearn",
}
"""Packages without which the tests of these modules are skipped: their mutants are open, here."""
LAWS = ("methods", "learning")  # packages whose classes go through tests/laws
NEAREST = 4
LISTED = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
ELSEWHERE = ("oracles", "cluster", "paper")  # tests that take long or are run elsewhere: never among the nearest
LIMITS = 'ulimit -d 8000000; ulimit -f 4000000; exec "$@"'  # a mutant may want to fill the memory or the disk


class Verdict(NamedTuple):
    """What became of a mutant: killed, survived or open, and by which test or why."""

    what: str
    why: str = ""
    pure: bool = False  # whether the test that killed it ran without compiled kernels

    def __str__(self) -> str:
        return f" ({self.why})" if self.why else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("n", type=int, nargs="?", default=150, help="how many mutants")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--only", default="*", metavar="PATTERN", help="files below src/stagg, and lines: 'cli/*', 'a.py:8'"
    )
    parser.add_argument("--least", type=float, default=0.9, help="the share of killed mutants that is asked for")
    parser.add_argument("--limit", type=float, default=600, help="seconds for the tests of one mutant")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at once")
    parser.add_argument("--list", action="store_true", help="only list the mutants")
    options = parser.parse_args()
    mutants = draw(options.n, options.seed, options.only)
    if options.list:
        print(*mutants, sep="\n")
        return 0
    try:
        return report(run_all(mutants, options), options.least)
    except KeyboardInterrupt:
        return 130


def draw(n: int, seed: int, only: str = "*") -> list[Mutation]:
    """The mutants of (n, seed): one for each of n random lines, and no second one on a line before all have one."""
    rng = random.Random(seed)
    places = [place for place in by_line() if any(fnmatch.fnmatch(text, only) for text in names_of(*place))]
    rng.shuffle(places)
    lines = [rng.sample(by_line()[place], len(by_line()[place])) for place in places]
    order = (line[k] for k in range(max(map(len, lines), default=0)) for line in lines if k < len(line))
    valid = (each for each in order if parses(each, (ROOT / "src" / each.file).read_bytes()))
    return [*itertools.islice(valid, n)]


@functools.cache
def by_line() -> dict[tuple[str, int], list[Mutation]]:
    """All mutations, by file and line."""
    found: dict[tuple[str, int], list[Mutation]] = {}
    for path in sorted((ROOT / "src").rglob("*.py")):
        for each in mutations_of(path.relative_to(ROOT / "src").as_posix(), path.read_bytes()):
            found.setdefault((each.file, each.line), []).append(each)
    return found


def names_of(file: str, line: int) -> tuple[str, str]:
    short = file.removeprefix("stagg/")
    return short, f"{short}:{line}"


def run_all(mutants: list[Mutation], options: argparse.Namespace) -> dict[Mutation, Verdict]:
    """The verdicts, in the order of the files; some mutants at once, each in a copy of the tree of its own."""
    tests = Tests(ROOT)
    verdicts: dict[Mutation, Verdict] = {}
    with tempfile.TemporaryDirectory(prefix="stagg-mutants-") as scratch:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(options.jobs):
            copies.put(copy := Copy(Path(scratch) / str(number)))
        if copy.pytest(["--collect-only"], False, time.monotonic() + options.limit)[0] != 0:
            raise SystemExit("the tests cannot be collected, even without a mutant: see make test")

        def judge(mutant: Mutation) -> Verdict:
            lacking = lacking_package(mutant.file)
            if lacking:
                return Verdict("open", f"{lacking} is not installed")
            copy = copies.get()
            try:
                return copy.judge(mutant, tests.stages(mutant.file), time.monotonic() + options.limit)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(options.jobs) as pool:
            try:
                futures = {pool.submit(judge, mutant): mutant for mutant in mutants}
                for future in as_completed(futures):
                    verdicts[futures[future]] = future.result()
                    progress(futures[future], verdicts, len(mutants))
            except BaseException:  # Ctrl-C: nothing new is begun, and what runs is ended
                pool.shutdown(wait=False, cancel_futures=True)
                Copy.end_all()
                raise
    return {mutant: verdicts[mutant] for mutant in sorted(mutants)}


def lacking_package(file: str) -> str | None:
    """What the tests of a module need and do not find."""
    needed = [package for place, package in NEEDED.items() if fnmatch.fnmatch(file, f"stagg/{place}")]
    return next((package for package in needed if importlib.util.find_spec(package) is None), None)


def progress(mutant: Mutation, verdicts: dict[Mutation, Verdict], total: int) -> None:
    """One line, written over and over; mutants that are not killed stay on the screen."""
    wipe = "\r\033[K" if sys.stderr.isatty() else ""
    verdict = verdicts[mutant]
    if verdict.what != "killed" or not wipe:
        print(f"{wipe}{verdict.what} {mutant}{verdict}", file=sys.stderr)
    counts = Counter(verdict.what for verdict in verdicts.values())
    words = ", ".join(f"{counts[word]} {word}" for word in WORDS)
    if wipe or len(verdicts) % 10 == 0:
        print(f"{wipe}{len(verdicts)} of {total}: {words}", end="" if wipe else "\n", file=sys.stderr, flush=True)


def report(verdicts: dict[Mutation, Verdict], least: float) -> int:
    """A table by package, then what was not killed; 1 if too little was killed."""
    for word in ("survived", "open"):
        rows = [f"  {mutant}{verdict}" for mutant, verdict in verdicts.items() if verdict.what == word]
        if rows:
            print(f"\n{word}:", *rows, sep="\n")
    if Copy.broken:
        print("\nleft out, since they fail without a mutant:", *sorted(Copy.broken), sep="\n  ")
    counts = Counter((package_of(mutant.file), verdict.what) for mutant, verdict in verdicts.items())
    print(f"\n{'package':<14}{'killed':>8}{'survived':>10}{'open':>6}")
    for package in [*sorted({package for package, _ in counts}), None]:
        row = [sum(counts[key] for key in counts if package in (None, key[0]) and key[1] == word) for word in WORDS]
        print(f"{'all' if package is None else package or '(top)':<14}{row[0]:>8}{row[1]:>10}{row[2]:>6}")
    decided = row[0] + row[1]
    share = row[0] / decided if decided else 1.0
    print(f"\n{share:.1%} of {decided} mutants with a verdict killed; asked for: {least:.0%}")
    return 0 if share >= least else 1


WORDS = ("killed", "survived", "open")


def package_of(file: str) -> str:
    parts = file.split("/")
    return parts[1] if len(parts) > 2 else ""


class Stage(NamedTuple):
    """Arguments of one run of pytest."""

    arguments: list[str]
    pure: bool = False


class Tests:
    """Which tests concern a module: see the top of this file."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.texts = {
            path.relative_to(root).as_posix(): path.read_text() for path in sorted((root / "tests").rglob("test_*.py"))
        }
        self.words = {name: set(re.findall(r"\w+", text)) for name, text in self.texts.items()}

    @functools.cached_property
    def spread(self) -> Counter[str]:
        """In how many test files a word is."""
        return Counter(word for words in self.words.values() for word in words)

    def stages(self, file: str) -> list[Stage]:
        """The runs of pytest that look at a module, the most telling first."""
        package, source = package_of(file), self.root / "src" / file
        defined, names = definitions(source)
        places = [f"tests/{place}" for place in FOLDERS.get(package, (package,))]
        mirrored = [name for at in places for name in self.texts if name == at or name.startswith(f"{at}/")]
        order = self.by_weight(file, defined | names | {*Path(file).with_suffix("").parts[2:]}, mirrored)
        near, rest = order[:NEAREST], [name for name in order[NEAREST:] if name in mirrored]
        pure = package == "kernels"
        stages = [Stage([f"src/{file}", *near], pure)]
        stages += [Stage(near)] if pure else []
        stages += [Stage(rest, pure)] if rest else []
        if package in LAWS:
            stages.append(Stage(["tests/laws", *(["-k", " or ".join(sorted(names))] if names else [])]))
        return stages

    def by_weight(self, file: str, words: set[str], mirrored: list[str]) -> list[str]:
        """Test files, those first that have most to do with a module."""
        dotted = file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        weights = {name: sum(1 / self.spread[word] for word in words & held) for name, held in self.words.items()}
        for name, text in self.texts.items():
            weights[name] += (f"{dotted} import" in text) + (name in mirrored)
            weights[name] += 2 * name.endswith(f"/test_{dotted.rpartition('.')[2]}.py")  # wherever it lies
        others = [name for name in weights if name not in mirrored and name.split("/")[1] not in ELSEWHERE]
        return sorted([*mirrored, *others], key=lambda name: -weights[name])


def definitions(source: Path) -> tuple[set[str], set[str]]:
    """The functions and classes of a module, and the names under which its classes are registered."""
    nodes = [*ast.walk(ast.parse(source.read_bytes()))]
    defined = {node.name for node in nodes if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)}
    bodies = [line for node in nodes if isinstance(node, ast.ClassDef) for line in node.body]
    named = [line.value for line in bodies if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "name"]
    return defined, {str(value.value) for value in named if isinstance(value, ast.Constant)}


class Copy:
    """A copy of the tree with its compiled kernels, in which one mutant after the other is tested."""

    running: ClassVar[set[subprocess.Popen[bytes]]] = set()
    sound: ClassVar[set[tuple[str, bool]]] = set()  # tests that pass without a mutant, and whether without kernels
    broken: ClassVar[set[str]] = set()  # tests that do not

    def __init__(self, folder: Path) -> None:
        self.tree, self.scratch, self.plugins = folder / "tree", folder / "tmp", folder / "plugins"
        self.moment = 1_000_000_000
        listed = subprocess.run(LISTED, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        built = [path.relative_to(ROOT).as_posix() for path in (ROOT / "src").rglob("*.so")]
        for name in [*filter(None, listed.split("\0")), *built]:
            if (ROOT / name).is_file():
                (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.tree / name)
        (self.tree / ".venv").symlink_to(ROOT / ".venv")
        self.plugins.mkdir()
        shutil.copy(ROOT / "bench" / "mutants_plugin.py", self.plugins)

    def judge(self, mutant: Mutation, stages: list[Stage], deadline: float) -> Verdict:
        """Try the mutant; a test that fails without it as well kills nobody, and is left out from then on."""
        while True:
            verdict = self.attempt(mutant, stages, deadline)
            if verdict.what != "killed" or self.passes(verdict.why, verdict.pure):
                return verdict

    def attempt(self, mutant: Mutation, stages: list[Stage], deadline: float) -> Verdict:
        """Put the mutant into the tree, run its tests, and take it out."""
        path = self.tree / "src" / mutant.file
        source = path.read_bytes()
        try:
            self.rewrite(path, mutant.apply(source))
            return self.first_failure(stages, deadline)
        finally:
            self.rewrite(path, source)

    def passes(self, test: str, pure: bool) -> bool:
        """Whether a test passes without a mutant. All modules can be imported then (see run_all)."""
        if "::" not in test or (test, pure) in self.sound:
            return True
        status, record = self.pytest([test], pure, time.monotonic() + 600)
        sound = status == 0 and test in record["ran"]
        (self.sound.add((test, pure)) if sound else self.broken.add(test))
        return sound

    def rewrite(self, path: Path, content: bytes) -> None:
        """Write a module so that Python does not take its compiled form of before: that is told by seconds and size."""
        path.write_bytes(content)
        self.moment += 1
        os.utime(path, (self.moment, self.moment))

    def first_failure(self, stages: list[Stage], deadline: float) -> Verdict:
        passed = 0
        for stage in stages:
            status, record = self.pytest(["-x", *stage.arguments], stage.pure, deadline)
            if status is None:
                return Verdict("open", "time limit")
            if status not in (0, NO_TESTS):
                return Verdict("killed", next(iter(record["failed"]), ""), stage.pure)
            passed += record["passed"]
        return Verdict("survived") if passed else Verdict("open", "no tests")

    def pytest(self, arguments: list[str], pure: bool, deadline: float) -> tuple[int | None, dict[str, Any]]:
        """Run tests: the exit status, None if the time is up, and what bench/mutants_plugin.py recorded."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir()
        record = self.scratch / "record.json"
        options = ["-q", "--tb=no", "--no-header", "-p", "mutants_plugin", "--hypothesis-seed=0", "-p", "no:xdist"]
        options += [f"--deselect={test}" for test in sorted(self.broken)]
        command = ["sh", "-c", LIMITS, "sh", sys.executable, "-m", "pytest", *options, *arguments]
        with (
            open(self.scratch / "output", "wb") as output,
            self.process(command, output, self.environment(record, pure)) as process,
        ):
            try:
                status = process.wait(max(0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                status = None
        found = json.loads(record.read_text()) if record.exists() else {}
        return status, {"passed": 0, "failed": [], "ran": []} | found

    def environment(self, record: Path, pure: bool) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("STAGG_", "PYTEST"))}
        data = os.environ.get("STAGG_DATA", str(ROOT.parent / "shared" / "data"))
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        paths = os.pathsep.join([str(self.tree / "src"), str(self.plugins)])
        places = {
            "PYTHONPATH": paths,
            "TMPDIR": str(self.scratch),
            "STAGG_DATA": data,
            "STAGG_MUTANT_RECORD": str(record),
        }
        return kept | threads | places | ({"STAGG_PURE": "1"} if pure else {})

    @contextlib.contextmanager
    def process(
        self, command: list[str], output: Any, environment: dict[str, str]
    ) -> Iterator[subprocess.Popen[bytes]]:
        """A process in a group of its own, which is ended with all that it started."""
        process = subprocess.Popen(
            command, cwd=self.tree, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            start_new_session=True,
        )  # fmt: skip
        self.running.add(process)
        try:
            yield process
        finally:
            end(process)
            self.running.discard(process)

    @classmethod
    def end_all(cls) -> None:
        for process in list(cls.running):
            end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


NO_TESTS = 5  # pytest's exit status if it finds none


if __name__ == "__main__":
    sys.exit(main())
