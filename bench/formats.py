"""Wall and CPU seconds of one RRF fusion by format and by order of the rows: stagg beside Polars and DuckDB.

Rows come ranker after ranker (``m``), by query (``q``) or shuffled (``s``), as Parquet, CSV, TREC runs, or as a frame
of pandas, Polars, Arrow or DuckDB. stagg has one thread and two, the others have all cores. Everybody takes a turn in
every round, always in a fresh process, and the least of the rounds counts. For files, the time is that of the process;
what six rows take is shown apart. For frames, it is that of the call. Results are compared, too: with those of the
peers, and stagg's byte by byte over orders and threads (frames sorted by query: stagg keeps the order in which the
queries come). A machine that is not quiet is refused.

    python bench/formats.py [--quick] [--rounds 5] [--only csv,pandas] [--json FILE] [--picture FILE.svg]
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import importlib.util
import json
import math
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from measuring import Cost, Ticks, environment, facts, load_of_others, spent
from throughput import FLOOR, compiled_floor

HERE = Path(__file__).parent
FILES, FRAMES = ("parquet", "csv", "trec"), ("pandas", "polars", "arrow", "duckdb")
ORDERS = {"m": "ranker after ranker", "q": "by query", "s": "shuffled"}
SIX = "six"
ONE, TWO, POLARS, DUCKDB = "stagg 1", "stagg 2", "Polars", "DuckDB"
PEERS = (POLARS, DUCKDB)
UNSTEADY = 1.3

Figures = dict[str, dict[str, Any]]
"""wall, cpu and memory (MB) by contender; rounds: the wall and CPU seconds of each round."""


class Job(NamedTuple):
    """One fusion: a format, and the order of its rows (``t``: TREC runs, a file per ranker; ``six``: for the start)."""

    format: str
    order: str

    def __str__(self) -> str:
        return f"{self.order}.{self.format}" if self.format in FILES else f"{self.order}, {self.format}"

    def sources(self, folder: Path) -> list[str]:
        if self.format == "trec":
            return sorted(map(str, (folder / self.order).glob("*.trec")))
        return [str(folder / f"{self.order}.{self.format if self.format in FILES else 'parquet'}")]

    @property
    def written_as(self) -> str:
        return self.format if self.format in FILES else "parquet"


def main() -> None:
    given = read_arguments()
    if given.read:
        results = json.loads(given.read.read_text())
    else:
        reason = load_of_others()
        if reason and not given.anyway:
            raise SystemExit(f"this machine is not quiet: {reason}; wait, or measure --anyway")
        with tempfile.TemporaryDirectory() as scratch:
            results = measure(given, Path(scratch)) | {"not quiet": reason}
    print("\n".join(show(results)))
    if given.json:
        given.json.write_text(json.dumps(results, indent=1) + "\n")
    if given.picture:
        draw(results, given.picture)


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=5_000_000, help="5 rankers, lists of 1,000  [default: 5,000,000]")
    parser.add_argument("--quick", action="store_const", dest="rows", const=500_000, help="500,000 rows")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", help=f"formats, separated by commas: {','.join(FILES + FRAMES)}")
    parser.add_argument("--orders", default="m,q,s", help="orders of the rows, separated by commas  [default: m,q,s]")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="keep the inputs there, and use them if they are there"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers")
    parser.add_argument("--picture", type=Path, metavar="FILE.svg", help="draw the wall seconds")
    parser.add_argument("--read", type=Path, metavar="FILE", help="show what an earlier --json wrote; measure nothing")
    parser.add_argument("--anyway", action="store_true", help="measure on a machine that is not quiet")
    given = parser.parse_args()
    given.only = given.only.split(",") if given.only else [*FILES, *FRAMES]
    given.orders = given.orders.split(",")
    if unknown := (set(given.only) - {*FILES, *FRAMES}) | (set(given.orders) - set(ORDERS)):
        parser.error(f"unknown format or order: {', '.join(sorted(unknown))}")
    if given.rounds < 1:
        parser.error("--rounds must be at least 1")
    return given


# --- measuring --------------------------------------------------------------------------------------------------------


def measure(given: argparse.Namespace, scratch: Path) -> dict[str, Any]:
    """Everything that is shown, as it is written to a file."""
    begin = facts()
    env = {key: value for key, value in environment(scratch).items() if key != "POLARS_MAX_THREADS"}
    folder = make_inputs(given.keep or scratch, given.rows, env)
    bench = Bench(folder, scratch, env)
    jobs = list(list_jobs(given.only, given.orders))
    starts = [Job(format, SIX) for format in FILES if format in given.only]
    bench.warm_up([Job(format, SIX) for format in given.only])
    before, mine = Ticks.now(), own_seconds()
    bench.run(starts + jobs, given.rounds)
    after = Ticks.now()
    others = (after.busy - before.busy) - (own_seconds() - mine)
    return {
        "facts": begin,
        "versions": {name: importlib.metadata.version(name) for name in ("stagg", "polars", "duckdb", "pyarrow")},
        "rows": given.rows,
        "rounds": given.rounds,
        "others": max(0.0, others / (after.whole - before.whole)),
        "start": {job.format: bench.figures(job) for job in starts},
        "jobs": [
            {"format": job.format, "order": job.order, "figures": figures, "ratios": compute_ratios(figures, start)}
            for job in jobs
            for figures in [bench.figures(job)]
            for start in [bench.figures(Job(job.format, SIX))]
        ],
        "agreement": bench.agreement,
    }


def make_inputs(folder: Path, rows: int, env: Mapping[str, str]) -> Path:
    """The inputs of so many rows; a process of its own makes them, so that its memory is not counted for others."""
    inputs = folder / f"rows-{rows}"
    if not (inputs / "complete").exists():
        command = [sys.executable, str(HERE / "formats_inputs.py"), str(inputs), "--rows", str(rows)]
        subprocess.run(command, env=dict(env), check=True)
        (inputs / "complete").touch()
    return inputs


def list_jobs(formats: Sequence[str], orders: Sequence[str]) -> Iterator[Job]:
    for format in formats:
        for order in ["t"] if format == "trec" else orders:
            yield Job(format, order)


def own_seconds() -> float:
    """CPU seconds of this process and of those that it waited for."""
    both = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(used.ru_utime + used.ru_stime for used in both)


class Bench:
    """The costs of all that ran, the digests of what stagg wrote, and how its results agree with those of the peers."""

    def __init__(self, folder: Path, scratch: Path, env: Mapping[str, str]) -> None:
        self.folder, self.scratch, self.env = folder, scratch, env
        self.floor = compiled_floor(scratch)
        self.frames_take_threads = ask_for_threads(env)
        self.costs: dict[Job, dict[str, list[Cost]]] = {}
        self.digests: dict[str, tuple[str, str]] = {}
        self.agreement: dict[str, Any] = {}

    def warm_up(self, jobs: Sequence[Job]) -> None:
        """Byte code of everything is there before anything is measured."""
        where = importlib.util.find_spec("stagg")
        for place in (where and where.submodule_search_locations) or []:
            code = f"import compileall; compileall.compile_dir({place!r}, quiet=1)"
            subprocess.run([sys.executable, "-c", code], env=dict(self.env), check=True)
        for job in jobs:
            for name in self.contenders(job):
                spent(self.command(job, name, self.target(job, name)), self.env)

    def run(self, jobs: Sequence[Job], rounds: int) -> None:
        for number in range(rounds):
            print(f"round {number + 1} of {rounds}", file=sys.stderr)
            for job in jobs:
                for name in self.contenders(job):
                    self.costs.setdefault(job, {}).setdefault(name, []).append(self.measure_one(job, name, number))
                self.check(job, compare=number == 0 and job.order != SIX)

    def contenders(self, job: Job) -> list[str]:
        if job.format in FRAMES and not self.frames_take_threads:
            return [TWO, *PEERS]
        return [ONE, TWO, *PEERS, *([FLOOR] if job.format == "trec" else [])]

    def measure_one(self, job: Job, name: str, number: int) -> Cost:
        """The cost of one process, or of the call that it timed."""
        target = self.target(job, name) if job.format in FILES or number == 0 else None
        cost = spent(self.command(job, name, target), self.env)
        return cost._replace(cpu=cost.said["cpu"], wall=cost.said["wall"]) if job.format in FRAMES else cost

    def target(self, job: Job, name: str) -> Path:
        return self.scratch / f"{job.order}-{job.format}-{name.replace(' ', '-')}.{job.written_as}"

    def command(self, job: Job, name: str, target: Path | None) -> list[str]:
        sources, peers = job.sources(self.folder), [sys.executable, str(HERE / "formats_peers.py")]
        who, _, threads = name.partition(" ")
        if job.format in FRAMES:
            options = ["--threads", threads] * bool(threads) + ["--target", str(target)] * bool(target)
            return [*peers, "frame", who, job.format, *sources, *options]
        if name == FLOOR:
            return ["sh", "-c", 'exec "$0" 1000000000 "$@" > ' + f"'{target}'", str(self.floor), *sources]
        if who == "stagg":
            program = str(Path(sys.executable).parent / "stagg")
            return [program, "fuse", *sources, "--threads", threads, "-q", "-o", str(target)]
        return [*peers, "file", who, job.format, str(target), *sources]

    def check(self, job: Job, *, compare: bool) -> None:
        """Compare what was written, and remove it: whoever comes next writes a new file, too."""
        written = {name: self.target(job, name) for name in self.contenders(job) if self.target(job, name).exists()}
        for name in (ONE, TWO):
            if name in written and job.order != SIX:
                self.check_bytes(job, name, written[name])
        if compare:
            script = [sys.executable, str(HERE / "formats_peers.py"), "compare", job.written_as, str(written[TWO])]
            for name in PEERS:
                self.agreement[f"{job}, {name}"] = spent([*script, str(written[name])], self.env).said
        for path in written.values():
            path.unlink()

    def check_bytes(self, job: Job, name: str, path: Path) -> None:
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        label = f"{job} with {name.removeprefix('stagg ')} thread(s)"
        first, whose = self.digests.setdefault(job.format, (digest, label))
        if digest != first:
            raise SystemExit(f"stagg wrote other bytes for {label} than for {whose}")

    def figures(self, job: Job) -> Figures:
        """The least wall and CPU seconds of each contender, and the most memory."""
        return {
            name: {
                "wall": min(cost.wall for cost in costs),
                "cpu": min(cost.cpu for cost in costs),
                "memory": max(cost.memory for cost in costs),
                "rounds": [[round(cost.wall, 4), round(cost.cpu, 4)] for cost in costs],
            }
            for name, costs in self.costs.get(job, {}).items()
        }


def ask_for_threads(env: Mapping[str, str]) -> bool:
    """Whether ``stagg.fuse`` has an option for the number of threads; a process answers, to keep this one small."""
    script = [sys.executable, str(HERE / "formats_peers.py"), "threads"]
    return bool(spent(script, env).said["threads"])


def compute_ratios(figures: Figures, start: Figures) -> dict[str, float]:
    """What stagg costs in units of the others; the speed-up by a second thread is without the start."""
    ours = figures[TWO]
    ratios = {f"wall / {name}": ours["wall"] / figures[name]["wall"] for name in PEERS}
    ratios |= {f"CPU / {name}": ours["cpu"] / figures[name]["cpu"] for name in PEERS}
    if FLOOR in figures:
        ratios[f"wall / {FLOOR}"] = ours["wall"] / figures[FLOOR]["wall"]
    if ONE in figures:
        begin = {name: start.get(name, {"wall": 0.0})["wall"] for name in (ONE, TWO)}
        ratios["threads"] = (figures[ONE]["wall"] - begin[ONE]) / (ours["wall"] - begin[TWO])
    return ratios


# --- tables -----------------------------------------------------------------------------------------------------------


def show(results: Mapping[str, Any]) -> Iterator[str]:
    """The results as Markdown."""
    now, versions = results["facts"], ", ".join(f"{name} {number}" for name, number in results["versions"].items())
    yield f"{results['rows']:,} rows, least of {results['rounds']} rounds; {versions}"
    yield f"{now['date']}: {now['processor']}, {now['cores']} cores, {now['system']}, Python {now['python']}"
    yield f"Other processes used {results['others']:.1%} of the machine in the meantime."
    if results.get("not quiet"):
        yield f"**Measured on a machine that was not quiet: {results['not quiet']}. Do not quote these times.**"
    yield from ("", "Wall s / CPU s; x: stagg with two threads divided by the other", "")
    yield from make_table(JOB_COLUMNS, (list(job_cells(job)) for job in results["jobs"]))
    if any(ONE not in job["figures"] for job in results["jobs"]):
        yield "\n`stagg.fuse` has no option for threads: frames stand under stagg 2 as it fuses them."
    if results["start"]:
        yield from ("", "Start: six rows, wall s / CPU s", "")
        yield from make_table(["", ONE, TWO, *PEERS, FLOOR], (start_cells(*pair) for pair in results["start"].items()))
    if shuffled := list(shuffled_cells(results["jobs"])):
        yield from ("", "Wall seconds of shuffled rows divided by those of rows by query (s/q)", "")
        yield from make_table(["", ONE, TWO, *PEERS], shuffled)
    if unsteady := list(unsteady_rounds(results["jobs"])):
        yield from ("", f"Rounds that differ by more than {UNSTEADY:g} times, wall s: {'; '.join(unsteady)}")
    moved = max((found["moved"] / found["rows"] for found in results["agreement"].values()), default=0.0)
    yield ""
    yield (
        "Results agree: the same items and scores but for the rule for ties, which moves at most "
        f"{moved:.2%} of the items. stagg's bytes are the same for all orders and numbers of threads."
    )


JOB_COLUMNS = ["", ONE, TWO, *PEERS, FLOOR, "x Polars", "x DuckDB", "CPU x Polars", "threads", "peak MB: 2, P, D"]


def make_table(head: Sequence[str], rows: Iterator[list[str]] | list[list[str]]) -> Iterator[str]:
    """Markdown; columns that nobody fills are left out."""
    cells = [list(head), *rows]
    used = [k for k in range(len(head)) if k == 0 or any(row[k] for row in cells[1:])]
    widths = {k: max(len(row[k]) for row in cells) for k in used}
    lines = ["| " + " | ".join(row[k].ljust(widths[k]) for k in used) + " |" for row in cells]
    yield from (lines[0], "|" + "|".join("-" * (widths[k] + 2) for k in used) + "|", *lines[1:])


def job_cells(job: Mapping[str, Any]) -> Iterator[str]:
    figures, ratios = job["figures"], job["ratios"]
    yield str(Job(job["format"], job["order"]))
    yield from (cost_cell(figures, name) for name in (ONE, TWO, *PEERS, FLOOR))
    for key in ("wall / Polars", "wall / DuckDB", "CPU / Polars", "threads"):
        yield f"{ratios[key]:.2f}" if key in ratios else ""
    yield ", ".join(f"{figures[name]['memory']:.0f}" for name in (TWO, *PEERS))


def cost_cell(figures: Figures, name: str) -> str:
    return f"{figures[name]['wall']:.2f} / {figures[name]['cpu']:.2f}" if name in figures else ""


def start_cells(format: str, figures: Figures) -> list[str]:
    return [format, *(cost_cell(figures, name) for name in (ONE, TWO, *PEERS, FLOOR))]


def shuffled_cells(jobs: Sequence[Mapping[str, Any]]) -> Iterator[list[str]]:
    by = {(job["format"], job["order"]): job["figures"] for job in jobs}
    for format in dict.fromkeys(job["format"] for job in jobs):
        if (format, "s") in by and (format, "q") in by:
            slow, fast = by[format, "s"], by[format, "q"]
            names = (ONE, TWO, *PEERS)
            yield [format, *(f"{slow[n]['wall'] / fast[n]['wall']:.2f}" if n in slow else "" for n in names)]


def unsteady_rounds(jobs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What the least of the rounds hides."""
    for job in jobs:
        for name, figure in job["figures"].items():
            walls = [wall for wall, _ in figure["rounds"]]
            if max(walls) > UNSTEADY * min(walls):
                yield f"{Job(job['format'], job['order'])}, {name}: {min(walls):.2f} to {max(walls):.2f}"


# --- picture ----------------------------------------------------------------------------------------------------------

INK = "#808080"
"""Readable on white and on black: the picture has no background of its own."""
BARS = {TWO: "stagg, two threads", POLARS: "Polars", DUCKDB: "DuckDB"}
TITLES = {
    "parquet": "Parquet",
    "csv": "CSV",
    "trec": "TREC",
    "pandas": "pandas frame",
    "polars": "Polars frame",
    "arrow": "Arrow table",
    "duckdb": "DuckDB relation",
}


def draw(results: Mapping[str, Any], path: Path) -> None:
    """Wall seconds as bars: files in one row, frames in another; a panel for each format, a group for each order."""
    from matplotlib import style
    from matplotlib.figure import Figure

    from stagg.report.charts.plots import STYLE, render

    keys = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color", "axes.titlecolor")
    with style.context(["default", STYLE | dict.fromkeys(keys, INK)]):
        formats = {job["format"] for job in results["jobs"]}
        rows = [shown for group in (FILES, FRAMES) if (shown := [name for name in group if name in formats])]
        figure = Figure(figsize=(8.0, 2.4 * len(rows) + 0.4))
        for number, (row, part) in enumerate(
            zip(rows, figure.subfigures(len(rows), 1, squeeze=False)[:, 0], strict=True)
        ):
            groups = [[job for job in results["jobs"] if job["format"] == name] for name in row]
            panels = part.subplots(1, len(row), sharey=True, squeeze=False, width_ratios=[len(g) + 0.4 for g in groups])
            for name, group, panel in zip(row, groups, panels[0], strict=True):
                draw_panel(panel, TITLES[name], group)
            panels[0][0].set_ylabel("wall seconds")
            if number == 0:
                handles, labels = panels[0][0].get_legend_handles_labels()
                if any(ONE not in job["figures"] for job in results["jobs"]):
                    labels[0] += " (frames: as it comes)"
                part.legend(handles, labels, loc="outside upper right", ncols=len(BARS))
        path.write_bytes(render(figure, "svg", savefig_transparent=True))


def draw_panel(panel: Any, title: str, jobs: Sequence[Mapping[str, Any]]) -> None:
    width = 0.8 / len(BARS)
    for place, (name, label) in enumerate(BARS.items()):
        heights = [job["figures"][name]["wall"] for job in jobs]
        at = [group + (place - 1) * width for group in range(len(jobs))]
        bars = panel.bar(at, heights, width, label=label)
        panel.bar_label(bars, fmt=two_digits, fontsize="x-small", color=INK, padding=1)
    panel.set_title(title)
    panel.set_xticks(range(len(jobs)), [ORDERS.get(job["order"], "by ranker").replace(" ", "\n") for job in jobs])
    panel.tick_params(axis="x", length=0)


def two_digits(seconds: float) -> str:
    """0.651 as .65: there is little room above a bar."""
    return f"{seconds:.{max(0, 1 - math.floor(math.log10(seconds)))}f}".removeprefix("0")


if __name__ == "__main__":
    main()
