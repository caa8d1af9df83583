"""One Spark for all tests of the engine: a real cluster on this machine, its executors processes of their own."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

MASTER = "local-cluster[2,1,1024]"


def absent(what: str) -> None:
    """Skip; in `make spark` nothing may be absent."""
    if os.environ.get("STAGG_SPARK") == "all":
        pytest.fail(f"{what}, and STAGG_SPARK=all forbids to skip")
    pytest.skip(f"{what}: run `make spark`")


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        absent("there is no Java for Spark")
    try:
        import pyspark
        from pyspark.sql import SparkSession
    except ImportError:
        absent("pyspark is not installed")
    scratch = str(tmp_path_factory.mktemp("spark"))
    os.environ |= {
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_HOME": os.path.dirname(pyspark.__file__),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": scratch,
    }
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.local.dir": scratch,
        "spark.sql.warehouse.dir": scratch,
        "spark.sql.shuffle.partitions": "8",
    }
    builder = SparkSession.builder.master(MASTER).appName("stagg tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
