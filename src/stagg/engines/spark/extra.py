"""Requirements of Spark: pyspark, pyarrow and Java."""

from __future__ import annotations

import os
import shutil

from stagg.errors import StaggError, need

__all__ = ["need_java", "need_spark"]


def need_spark() -> None:
    """Say what to install where a package is missing."""
    for package in ("pyspark", "pyarrow", "pandas"):  # pyspark asks for pandas wherever it hands out Arrow tables
        need(package, "Spark jobs", extra="spark")


def need_java() -> None:
    """Say so where there is no Java: Spark's own message is of a gateway process that exited."""
    home = os.environ.get("JAVA_HOME")
    if home and not os.access(os.path.join(home, "bin", "java"), os.X_OK):
        raise StaggError(f"Spark jobs need Java: JAVA_HOME is {home}, which has no bin/java; correct or unset it")
    if not home and shutil.which("java") is None:
        raise StaggError(
            "Spark jobs need Java 17 or newer: there is none in PATH, and JAVA_HOME is not set; install one "
            "(apt install openjdk-17-jre-headless)"
        )
