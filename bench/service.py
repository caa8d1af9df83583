"""A search service under load: FastAPI with three legs, two of them faulty at times, asked from a second process.

``python bench/service.py`` starts the service on a free port of the loopback device, has ``hey`` (Debian: apt-get
install hey) send 200 requests a second for a minute, and prints errors, latency, memory, and what the fusion itself
cost beside the plain dict loop, in the same requests. It needs fastapi and uvicorn, as ``make integrations`` installs
them: ``.venv-integrations/bin/python bench/service.py``. ``--deadlines`` measures instead how long after its timeout a
call returns when a leg hangs.

The legs: ``bm25`` (async, 100 hits with scores), ``dense`` (async, 100 hits with distances; hangs in one of 50
requests), ``sparse`` (a plain function in a thread; raises in one of 100). The timeout is 200 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import json
import random
import re
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import stagg
from small_calls import dict_loop
from stagg.search.documents import DocumentFusion
from stagg.search.retrieve import Legs, Threads, asearch, search

HITS, COLLECTION, QUERIES, TOP = 100, 1000, 64, 10
TIMEOUT: Final = 0.2
WARM_UP: Final = 10  # seconds before memory is looked at for the first time
FUSION: Final = DocumentFusion(
    "rrf(c=60)",
    score={"bm25": "score", "dense": "distance", "sparse": "score"},
    direction={"dense": "distance"},
    top=TOP,
)


# --- the legs ---------------------------------------------------------------------------------------------------------


@functools.cache
def hits(query: int, leg: str, number: str) -> list[dict[str, Any]]:
    """What a leg finds, made once: the service should spend its time on searching."""
    rng = random.Random(f"{query} {leg}")
    sign = 1 if number == "distance" else -1
    return [
        {"id": f"doc-{each:05d}", number: sign * (place + 1.0), "title": f"Title {each}"}
        for place, each in enumerate(rng.sample(range(COLLECTION), HITS))
    ]


async def bm25(query: int) -> list[dict[str, Any]]:
    await asyncio.sleep(0.002)
    return hits(query, "bm25", "score")


async def dense(query: int) -> list[dict[str, Any]]:
    await asyncio.sleep(60 if random.random() < 1 / 50 else 0.004)
    return hits(query, "dense", "distance")


def sparse(query: int) -> list[dict[str, Any]]:
    if random.random() < 1 / 100:
        raise ConnectionError("sparse is being restarted")
    time.sleep(0.003)
    return hits(query, "sparse", "score")


LEGS: Final = {"bm25": bm25, "dense": dense, "sparse": sparse}


# --- the service ------------------------------------------------------------------------------------------------------


class Costs:
    """What was spent on one thing in each request, in microseconds: wall and CPU time."""

    def __init__(self) -> None:
        self.wall: list[float] = []
        self.cpu: list[float] = []

    @contextmanager
    def one(self) -> Iterator[None]:
        wall, cpu = time.perf_counter(), time.thread_time()
        yield
        self.wall.append(1e6 * (time.perf_counter() - wall))
        self.cpu.append(1e6 * (time.thread_time() - cpu))

    def summary(self) -> dict[str, float]:
        return {
            f"{name} {point}": percentile(values, share)
            for name, values in (("wall", self.wall), ("cpu", self.cpu))
            for point, share in (("p50", 0.5), ("p99", 0.99))
        }


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(int(share * len(values)), len(values) - 1)] if values else 0.0


def resident() -> float:
    """The memory of this process in MB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 2**20


def service() -> Any:
    """The application. Its endpoint searches; in one of four requests it fuses three lists once more, to measure it."""
    from fastapi import FastAPI

    app, legs = FastAPI(), Legs(LEGS, FUSION, timeout=TIMEOUT, on_error="skip")
    costs = {name: Costs() for name in ("fuse_documents", "stagg.fuse", "dict loop")}
    skipped: Counter[str] = Counter()
    counts: Counter[str] = Counter()

    @app.get("/search")
    async def answer() -> dict[str, Any]:
        query = random.randrange(QUERIES)
        found = await legs.asearch(query)
        skipped.update(list(found.skipped))
        counts["requests"] += 1
        if counts["requests"] % 4 == 0:
            measure(query, costs)
        fields = ("id", "score", "relevance", "ranks")
        results = [{name: getattr(each, name) for name in fields} for each in found]
        return {"results": results, "skipped": found.skipped}

    @app.get("/stats")
    async def stats() -> dict[str, Any]:
        return {
            "memory": resident(), "cpu": time.process_time(), "threads": threading.active_count(),
            "skipped": dict(skipped), "stuck": legs.threads.stuck, "requests": counts["requests"],
            "costs": {name: each.summary() for name, each in costs.items()},
        }  # fmt: skip

    return app


def measure(query: int, costs: dict[str, Costs]) -> None:
    """The same three lists fused three ways, in an order of their own for every request."""
    numbers = {"bm25": "score", "dense": "distance", "sparse": "score"}
    lists = {leg: hits(query, leg, number) for leg, number in numbers.items()}
    ids = {leg: [hit["id"] for hit in found] for leg, found in lists.items()}
    ways: dict[str, Callable[[], object]] = {
        "fuse_documents": lambda: FUSION.fuse(lists),
        "stagg.fuse": lambda: stagg.fuse(ids, "rrf(c=60)", top=TOP).hits(),
        "dict loop": lambda: dict_loop(list(ids.values()))[:TOP],
    }
    for name in random.sample(list(ways), len(ways)):
        with costs[name].one():
            ways[name]()


def serve(port: int) -> None:
    import uvicorn

    uvicorn.run(service(), host="127.0.0.1", port=port, log_level="warning")


# --- the load ---------------------------------------------------------------------------------------------------------


def load(rate: int, seconds: int) -> int:
    """Start the service, ask it, stop it; the number of requests that failed."""
    hey = shutil.which("hey")
    if hey is None:
        raise SystemExit("hey is not installed: apt-get install hey")
    port = free_port()
    server = subprocess.Popen([sys.executable, __file__, "--serve", str(port)])
    try:
        await_port(port)
        workers = 40
        asked = [hey, "-z", f"{WARM_UP + seconds}s", "-c", str(workers), "-q", str(rate / workers), "-t", "5"]
        client = subprocess.Popen([*asked, f"http://127.0.0.1:{port}/search"], stdout=subprocess.PIPE, text=True)
        time.sleep(WARM_UP)
        memory = [look(port)["memory"]]
        while client.poll() is None:
            time.sleep(5)
            memory.append(look(port)["memory"])
        return report(client.communicate()[0], look(port), memory, rate)
    finally:
        server.terminate()
        server.wait()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def await_port(port: int) -> None:
    for _ in range(600):
        try:
            look(port)
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("the service did not start")


def look(port: int) -> dict[str, Any]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/stats", timeout=30) as answer:
        stats: dict[str, Any] = json.load(answer)
        return stats


def report(said: str, stats: dict[str, Any], memory: list[float], rate: int) -> int:
    """Print what was found; the number of requests without the status 200."""
    codes = {int(code): int(count) for code, count in re.findall(r"\[(\d+)\]\s+(\d+) responses", said)}
    errors = re.search(r"Error distribution:\n(.*)", said, re.DOTALL)
    lost = sum(int(count) for count in re.findall(r"\[(\d+)\]\s+\w+ ", errors[1])) if errors else 0
    achieved = re.search(r"Requests/sec:\s+([\d.]+)", said)
    latency = re.findall(r"(\d+%) in ([\d.]+) secs", said)
    half = len(memory) // 2
    print(
        f"asked for {rate} requests/s, answered {achieved[1] if achieved else '?'}/s, status {codes}, no answer {lost}"
    )
    print("latency:", ", ".join(f"{share} in {1e3 * float(seconds):.0f} ms" for share, seconds in latency))
    print(f"of {stats['requests']} requests legs skipped: {stats['skipped']}; threads {stats['threads']}")
    print(f"CPU time of the service: {1e3 * stats['cpu'] / stats['requests']:.2f} ms a request, all included")
    print(f"memory: {memory[0]:.1f} MB after {WARM_UP} s, {memory[-1]:.1f} MB at the end; means of the halves", end=" ")
    print(f"{statistics.mean(memory[:half]):.1f} and {statistics.mean(memory[half:]):.1f} MB")
    print(f"{'microseconds':16}" + "".join(f"{name:>12}" for name in next(iter(stats["costs"].values()))))
    for name, cost in stats["costs"].items():
        print(f"{name:16}" + "".join(f"{value:12.0f}" for value in cost.values()))
    return lost + sum(count for code, count in codes.items() if code != 200)


# --- deadlines --------------------------------------------------------------------------------------------------------


def deadlines(calls: int = 100) -> None:
    """How long after the timeout a call returns in which a leg hangs: sync, async, and a thread under asyncio."""
    free = threading.Event()

    def hung(query: int) -> Any:
        free.wait()

    async def ahung(query: int) -> Any:
        await asyncio.Event().wait()

    def good(query: int) -> Any:
        return hits(query, "bm25", "score")

    def ask(leg: Any, threads: Threads) -> Any:
        return asearch(1, {"a": good, "b": leg}, timeout=TIMEOUT, on_error="skip", threads=threads)

    ways: dict[str, Callable[[Threads], Any]] = {
        "search, a function that hangs": lambda threads: search(
            1, {"a": good, "b": hung}, timeout=TIMEOUT, on_error="skip", threads=threads
        ),
        "asearch, an async leg that hangs": lambda threads: asyncio.run(ask(ahung, threads)),
        "asearch, a function that hangs": lambda threads: asyncio.run(ask(hung, threads)),
    }
    print(f"milliseconds between the timeout ({1e3 * TIMEOUT:.0f} ms) and the return, {calls} calls")
    for name, call in ways.items():
        late, threads = [], Threads(limit=calls)
        for _ in range(calls):
            started = time.perf_counter()
            call(threads)
            late.append(1e3 * (time.perf_counter() - started - TIMEOUT))
        print(
            f"{name:34} p50 {percentile(late, 0.5):6.1f}  p99 {percentile(late, 0.99):6.1f}  largest {max(late):6.1f}"
        )
    free.set()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serve", type=int, metavar="PORT", help="run the service itself")
    parser.add_argument("--deadlines", action="store_true", help="measure deadlines instead")
    parser.add_argument("--rate", type=int, default=200, help="requests a second")
    parser.add_argument("--seconds", type=int, default=60)
    chosen = parser.parse_args()
    if chosen.serve:
        serve(chosen.serve)
    elif chosen.deadlines:
        deadlines()
    elif load(chosen.rate, chosen.seconds):
        raise SystemExit("some requests failed")


if __name__ == "__main__":
    main()
