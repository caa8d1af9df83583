"""``make bench``: stagg against everybody, in one run; every contender is a process of its own.

The tables go to the screen, with ``--json`` the numbers to a file, with ``--page`` the tables into
docs/performance.md. ``--quick`` takes a tenth of the rows. ``--record`` keeps our ratios in bench/recorded.json;
``--check`` compares with the kept ones, and ends with status 1 when something got slower: ratios only, never times.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import small_calls
import start
import throughput
from measuring import environment, facts, spent

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.json"
PAGE = HERE.parent / "docs" / "performance.md"
SLOWER = 1.5
"""A ratio that grew by more than this got slower; two quick runs of the same code on a shared machine differ by 1.3."""

SHORTEST = 0.03
"""CPU seconds; what takes less is no measure for others."""

Row = dict[str, Any]


def main() -> None:
    given = arguments()
    results: dict[str, Any] = {"facts": facts(), "quick": given.quick}
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        folder = Path(name)
        env, peers = environment(folder), given.peers
        show(begins := list(start.measured(env, rounds=given.rounds + 5)), START, "Start")
        races = []
        for race in throughput.measured(folder, env, quick=given.quick, rounds=given.rounds, peers=peers):
            show(race["rows"], RACE, f"{race['title']}: {race['shape']}")
            races.append(race)
        show(calls := list(small_calls.measured(env, rounds=given.rounds, peers=peers)), CALLS, "One request")
        show(learned := gradient(env), GRADIENT, "One gradient")
    results |= {"start": begins, "calls": calls, "gradient": learned, "races": races}
    results["load at the end"] = facts()["load"]
    if given.json:
        given.json.write_text(json.dumps(results, indent=1) + "\n")
    if given.page:
        write_page(results)
    ratios = dict(our_ratios(results))
    if given.record:
        record("quick" if given.quick else "full", ratios)
    if given.check and slower("quick" if given.quick else "full", ratios):
        sys.exit(1)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--peers", help="a Python that has the peers of bench/requirements.txt; without it, stagg alone"
    )
    parser.add_argument("--folder", type=Path, help="where the runs are generated; they take half a gigabyte")
    parser.add_argument("--json", type=Path, help="write all numbers")
    parser.add_argument("--page", action="store_true", help="write the tables into docs/performance.md")
    parser.add_argument("--record", action="store_true", help="keep the ratios to compare later runs with")
    parser.add_argument("--check", action="store_true", help="compare the ratios with the kept ones")
    return parser.parse_args()


def gradient(env: Mapping[str, str], times: int = 5) -> list[Row]:
    """E[NDCG] and its gradient at 1,000 x 40 against LightGBM's, which is what two updates differ by: the median."""
    command = [sys.executable, str(HERE / "learning.py"), "--rounds", "25", "--json"]
    found = [spent(command, env).said for _ in range(times)]
    middle = sorted(found, key=lambda each: each["expected"] / each["lambdarank"])[times // 2]
    return [{"name": name, "ratio": cpu / middle["lambdarank"], "cpu": cpu} for name, cpu in middle.items()]


# --- tables -----------------------------------------------------------------------------------------------------------

Columns = Mapping[str, tuple[str, str]]
START: Columns = {
    "ratio": ("x numpy", "{:.2f}"),
    "cpu": ("CPU s", "{:.3f}"),
    "wall": ("wall s", "{:.3f}"),
    "memory": ("peak MB", "{:.0f}"),
}
CALLS: Columns = {
    "ratio": ("x dict loop", "{:.2f}"),
    "call": ("a call, s", "{:.6f}"),
    "first": ("first call, s", "{:.6f}"),
    "import": ("import, s", "{:.2f}"),
}
GRADIENT: Columns = {"ratio": ("x lambdarank", "{:.1f}"), "cpu": ("CPU s", "{:.4f}")}
RACE: Columns = {
    "ratio": ("x first", "{:.2f}"),
    "cpu": ("CPU s", "{:.2f}"),
    "import": ("import", "{:.2f}"),
    "cold": ("cold call", "{:.2f}"),
    "warm": ("warm call", "{:.2f}"),
    "wall": ("wall s", "{:.2f}"),
    "memory": ("peak MB", "{:.0f}"),
}


def table(rows: list[Row], columns: Columns) -> str:
    """Markdown, ratios first; columns that nobody fills are left out."""
    used = {key: column for key, column in columns.items() if any(key in row for row in rows)}
    lines = ["| | " + " | ".join(head for head, _ in used.values()) + " |", "|---" * (len(used) + 1) + "|"]
    for row in rows:
        cells = [form.format(row[key]) if key in row else "" for key, (_, form) in used.items()]
        lines.append(f"| {row['name']} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def show(rows: list[Row], columns: Columns, title: str) -> None:
    print(f"\n{title}\n\n{table(rows, columns)}", flush=True)


def write_page(results: dict[str, Any]) -> None:
    """Everything between the two marks of the page is made anew."""
    text = PAGE.read_text()
    begin, end = "<!-- bench: begin -->\n", "<!-- bench: end -->"
    head, rest = text.split(begin)
    PAGE.write_text(head + begin + "\n".join(blocks(results)) + "\n" + end + rest.split(end)[1])


def blocks(results: dict[str, Any]) -> Iterator[str]:
    now = results["facts"]
    machine = f"{now['processor']}, {now['cores']} cores, {now['system']}, Python {now['python']}"
    load = f"the load was {now['load']} when it began and {results['load at the end']} when it ended"
    yield f"\n{now['date']}: {machine}; {load}."
    for race in results["races"]:
        yield f"\n### {race['title']}: {race['shape']}\n\n{table(race['rows'], RACE)}"
    yield f"\n### One request: three lists of 100 ids\n\n{table(results['calls'], CALLS)}"
    yield f"\n### Start\n\n{table(results['start'], START)}"
    yield f"\n### One gradient: 1,000 queries of 40 items\n\n{table(results['gradient'], GRADIENT)}\n"


# --- the self-check ---------------------------------------------------------------------------------------------------


def our_ratios(results: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """What must not grow: our cost in units of a neighbour's, measured in the same minute."""
    for row in results["start"]:
        if "stagg" in row["name"]:
            yield f"start: {row['name']} / import numpy", row["ratio"]
    for row in results["calls"]:
        if "stagg" in row["name"]:
            yield f"request: {row['name']} / dict loop", row["ratio"]
    for row in results["gradient"]:
        if row["name"] != "lambdarank":
            yield f"gradient: {row['name']} / lambdarank", row["ratio"]
    for race in results["races"]:
        first, *others = race["rows"]
        for row in others:
            if throughput.is_ours(row["name"]) and first["cpu"] > SHORTEST:
                ratio = row.get("warm", row["cpu"]) / first["cpu"]  # the start of Python has its own lines above
                yield f"{race['title']}, {race['shape']}: {row['name']} / {first['name']}", ratio


def record(size: str, ratios: dict[str, float]) -> None:
    kept = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    kept[size] = {name: round(ratio, 2) for name, ratio in ratios.items()}
    RECORDED.write_text(json.dumps(kept, indent=1) + "\n")


def slower(size: str, ratios: dict[str, float]) -> list[str]:
    """What grew by more than the tolerance, said aloud."""
    kept: dict[str, float] = json.loads(RECORDED.read_text())[size]
    found = [name for name, ratio in ratios.items() if ratio > SLOWER * kept.get(name, ratio)]
    print(f"\n{len(ratios)} ratios against bench/recorded.json, tolerance {SLOWER:g}x:")
    for name in found:
        print(f"  SLOWER {name}: {kept[name]:.2f} -> {ratios[name]:.2f}")
    for name in sorted(set(ratios) - set(kept)):
        print(f"  not recorded: {name}")
    if not found:
        print("  nothing got slower")
    return found


if __name__ == "__main__":
    main()
