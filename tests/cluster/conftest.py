"""One cluster for all tests, mended after each fault; at the end nothing of it may be left behind."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.cluster.jobs import fuse_here, write_runs
from tests.cluster.nodes import Cluster

OUTCOMES: list[str] = []


def absent(what: str) -> None:
    """Skip; in `make cluster` nothing but root may be absent."""
    if os.environ.get("STAGG_CLUSTER") == "all":
        pytest.fail(f"{what}, and STAGG_CLUSTER=all forbids to skip")
    pytest.skip(f"{what}: run `make cluster`")


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    if "STAGG_CLUSTER" not in os.environ:
        pytest.skip("tests on a cluster take minutes: run `make cluster`")
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        absent("there is no Java for Spark")
    try:
        import pyspark  # noqa: F401
    except ImportError:
        absent("pyspark is not installed")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))  # so that what was started is ended, too
    folder = Path(tempfile.mkdtemp(prefix="stagg-cluster-"))
    found = Cluster(folder)
    try:
        found.start()
        yield found
    finally:
        found.stop()
        left = found.leftovers()
        shutil.rmtree(folder)
    assert left == [], "left behind"


@pytest.fixture(autouse=True)
def _mended(request: pytest.FixtureRequest) -> None:
    """Every test finds all workers there."""
    if "cluster" in request.fixturenames:
        request.getfixturevalue("cluster").mend()


@pytest.fixture
def namespaces(cluster: Cluster) -> Cluster:
    """The cluster, where its nodes have networks of their own."""
    if cluster.why_no_namespaces:
        pytest.skip(f"no cable can be pulled here: {cluster.why_no_namespaces}")
    return cluster


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """400,000 rows that take a while by mc4."""
    return write_runs(tmp_path_factory.mktemp("runs") / "runs.parquet", 4_000, 20)


@pytest.fixture(scope="session")
def consensus(runs: Path) -> bytes:
    """Their consensus by mc4, of one process."""
    return fuse_here([runs], runs.parent / "one.trec", "-m", "mc4")


@pytest.fixture
def record(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Keep what came of a fault; it is told at the end of the run."""

    def keep(outcome: str) -> None:
        OUTCOMES.append(f"{request.node.name.removeprefix('test_').replace('_', ' ')}: {outcome}")

    return keep


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if OUTCOMES:
        terminalreporter.section("outcomes")
        for line in OUTCOMES:
            terminalreporter.write_line(line)
