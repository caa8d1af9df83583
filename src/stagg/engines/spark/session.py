"""Start a Spark session for the command line, and turn Spark's errors into one clear line."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from typing import Any, Final

from stagg import errors
from stagg.engines.bucket_rows import TWICE
from stagg.engines.spark.extra import need_java, need_spark
from stagg.errors import DataError, InvalidParameter, StaggError
from stagg.say import Say, tell

__all__ = ["clear_errors", "session"]

RAISED: Final = re.compile(r"stagg\.errors\.(\w+): (.+)")
CLASSES: Final = {"DataError", "InvalidParameter", "UnknownName", "NotConverged", "MissingExtra"}
MASTER: Final = re.compile(r"local(\[[^\]]*\])?|local-cluster\[[^\]]*\]|spark://.+|k8s://.+|yarn")
LONGEST: Final = 300
CAUSES: Final = {
    "No space left on device": "the disk of an executor or of the output is full (No space left on device): free or "
    "enlarge the executors' local folders (spark.local.dir, SPARK_LOCAL_DIRS)",
    "Python worker exited unexpectedly": "a Python worker of an executor died, most likely killed for want of memory: "
    "give executors more outside of Java's heap (spark.executor.memoryOverhead), or cut the lists (depth=)",
    "java.lang.OutOfMemoryError": "Java ran out of memory on an executor or in the driver: raise spark.executor.memory "
    "or spark.driver.memory",
    "MemoryError": "a Python worker of an executor ran out of memory: raise spark.executor.pyspark.memory, or cut the "
    "lists (depth=)",
    "ExecutorLostFailure": "executors were lost four times on one task: look into the log of a worker for the reason "
    "(memory, network, disk)",
    "Master removed our application": "the master gave up this job, since its executors failed to start: look into the "
    "log of a worker for the reason",
    "All masters are unresponsive": "no Spark master answers at this address",
}
"""Faults of platforms, by words in Spark's message, the most telling first; and what can be done about them."""


@contextlib.contextmanager
def session(master: str | None) -> Iterator[Any]:
    """A Spark session that ends with the block; without a master, Spark's own settings or this machine decide.

    A session that is there already, in a notebook say, is used as it is, and stays.
    """
    need_spark()
    need_java()
    if master is not None and not MASTER.fullmatch(master):
        raise InvalidParameter(
            tell(
                Say(master=master),
                ": expected local[N], local-cluster[N,CORES,MiB], spark://HOST:PORT, yarn or k8s://...",
            )
        )
    import pyspark
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    if active is not None:
        yield active
        return
    if master is not None and master.startswith("local"):
        _use_this_python()
    os.environ.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))  # local-cluster starts executors from there
    builder = SparkSession.builder.appName("stagg fuse").config("spark.ui.showConsoleProgress", "false")
    with clear_errors(f"Spark did not start on {master or 'its own settings'}"):
        spark = (builder if master is None else builder.master(master)).getOrCreate()
        spark.sparkContext.setLogLevel("OFF")  # what goes wrong is raised, and said once
    try:
        yield spark
    finally:
        with contextlib.suppress(Exception):
            spark.stop()


def _use_this_python() -> None:
    """Executors on this machine run this interpreter, not whichever python3 comes first."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)


@contextlib.contextmanager
def clear_errors(what: str = "Spark") -> Iterator[None]:
    """Raise every error of Spark as one of ours."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise translate_error(error, what) from error
    except ConnectionError as error:
        raise StaggError(f"{what}: the connection to Spark's driver was lost: {error}") from error


def translate_error(error: Exception, what: str) -> StaggError:
    """Our own error that an executor raised; else Spark's, without its stack."""
    text = str(error)
    raised = [match for match in RAISED.finditer(text) if match[1] in CLASSES | {"StaggError"}]
    if raised:
        kind, message = raised[-1].groups()
        if kind in ("DataError", "MissingExtra", "StaggError"):
            return DataError(_retell(message)) if kind == "DataError" else StaggError(message)
        known: StaggError = getattr(errors, kind)(message)
        return known
    if "No module named 'stagg'" in text:
        return StaggError(
            "stagg is not installed where Spark's executors run: see docs/scale.md, or set PYSPARK_PYTHON"
        )
    condition = getattr(error, "getCondition", lambda: None)()
    if condition == "PATH_NOT_FOUND":
        found = re.search(r"Path does not exist: (\S+?)\.? ", text + " ")
        return DataError("cannot be read: there is no such file or folder", file=found[1] if found else None)
    cause = next((said for words, said in CAUSES.items() if words in text), None)
    return StaggError(f"{what}: {cause or _essence(text)}")


def _retell(message: str) -> str:
    """What an executor said, which comes back as a text, with the options that it names."""
    return tell(message.removesuffix(TWICE), TWICE) if message.endswith(TWICE) else message


def _essence(text: str) -> str:
    """The line of a Java stack trace that says what happened: its deepest cause."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("at ")]
    causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
    raised = [line.removeprefix(": ") for line in lines if line.startswith(": ")]  # below Py4J's own first line
    said = [*lines[:1], *raised[:1], *causes[-1:]][-1] if lines else "it failed without a word"
    return said if len(said) <= LONGEST else said[: LONGEST - 1] + "…"
