"""A cluster of separate processes gives what one process gives; also where stagg itself is shipped to it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cluster.conftest import absent
from tests.cluster.jobs import Job, fuse_here, outcome_of, run
from tests.cluster.nodes import Cluster, spark_home


@pytest.mark.parametrize("method", ["rrf", "stagg_trust"])
def test_a_cluster_gives_the_bytes_of_one_process(cluster: Cluster, runs: Path, tmp_path: Path, method: str) -> None:
    expected = fuse_here([runs], tmp_path / "one.trec", "-m", method)
    job = run(Job(cluster, [runs], tmp_path / "out.trec", "-m", method, spark__sql__shuffle__partitions=5))
    assert outcome_of(job, expected, job.code) == "rows equal to one process's"


def test_nodes_have_networks_of_their_own(namespaces: Cluster) -> None:
    spaces = {os.readlink(f"/proc/{node.pid}/ns/net") for node in [namespaces.master, *namespaces.workers]}
    assert len(spaces | {os.readlink("/proc/self/ns/net")}) == 4


def submitted(job: Job, python: str, *options: str) -> Job:
    """The job as ``spark-submit`` starts it; the executors run ``python``."""
    script = job.output.parent / "stagg_submit.py"  # spark-submit takes what does not end in .py for a jar
    script.write_text("from stagg.cli.main import main\n\nmain()\n")
    pythons = [f"spark.pyspark.python={python}", f"spark.pyspark.driver.python={sys.executable}"]
    settings = [text for setting in pythons for text in ("--conf", setting)]
    job.program = ["env", "-u", "PYSPARK_PYTHON", f"{spark_home()}/bin/spark-submit", *settings, *options, str(script)]
    return job


def test_spark_submit_ships_the_environment_as_an_archive(
    cluster: Cluster, runs: Path, tmp_path: Path, record: Callable[[str], None]
) -> None:
    archive = os.environ.get("STAGG_ENVIRONMENT")
    if not archive:
        absent("there is no environment to ship (STAGG_ENVIRONMENT)")
    expected = fuse_here([runs], tmp_path / "one.trec")
    plain = Job(cluster, [runs], tmp_path / "out.trec")
    job = run(submitted(plain, "./environment/bin/python", "--archives", f"{archive}#environment"))
    assert outcome_of(job, expected, job.code) == "rows equal to one process's", job.errors
    record(f"rows equal to one process's, {job.seconds:.0f} s")


def test_executors_without_stagg_are_told_apart_from_bad_data(
    cluster: Cluster, runs: Path, tmp_path: Path, record: Callable[[str], None]
) -> None:
    job = run(submitted(Job(cluster, [runs], tmp_path / "out.trec"), f"{sys.base_prefix}/bin/python3"))
    outcome = outcome_of(job, b"", job.code)
    assert "stagg is not installed where Spark's executors run" in outcome
    record(outcome)
