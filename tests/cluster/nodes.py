"""A standalone Spark cluster on this machine: a master and workers, each a process with its own folder and network."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.cluster.network import Loopback, Namespaces, Network, why_no_namespaces

PORT = 7077
MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"
QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""For Java programs that live for seconds: the compiler that pays after minutes takes a third of the processor."""
SETTINGS: Mapping[str, object] = {
    "spark.driver.memory": "1g",
    "spark.executor.memory": "1g",
    "spark.executor.cores": 1,
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": 8,
    "spark.sql.adaptive.coalescePartitions.enabled": "false",  # small data, and a fault needs tasks to hit
}


def wait_for(condition: Callable[[], Any], otherwise: str, seconds: float = 90) -> Any:
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, otherwise
        time.sleep(0.05)
    return found


def spark_home() -> Path:
    import pyspark

    return Path(pyspark.__file__).parent


class Node:
    """A master or worker: one Java process, started and ended by us."""

    def __init__(self, name: str, folder: Path, network: Network, main: str, *arguments: str) -> None:
        self.name, self.folder, self.network = name, folder, network
        self.main, self.arguments = main, arguments
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.local.mkdir(parents=True, exist_ok=True)
        address = self.network.address(self.name)
        command = [f"{spark_home()}/bin/spark-class", self.main, "--host", address, *self.arguments]
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_", "PYTHON"))
        }
        environment |= {
            "SPARK_HOME": str(spark_home()),
            "SPARK_LOCAL_IP": address,
            "SPARK_LOCAL_DIRS": str(self.local),
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": QUICK_START,
        }
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*self.network.prefix(self.name), *command], cwd=self.folder, env=environment, stdout=log, stderr=log,
                stdin=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip

    @property
    def local(self) -> Path:
        """Where its executors keep what they shuffle."""
        return self.folder / "local"

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    @property
    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def log(self) -> str:
        path = self.folder / "log"
        return path.read_text(errors="replace") if path.exists() else ""

    def processes(self) -> list[int]:
        """Itself and all that it started: executors, and their Python workers."""
        return processes_below(self.pid)

    def send(self, kind: signal.Signals) -> None:
        """A signal to all its processes; some may end by themselves meanwhile."""
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, kind)

    def kill(self) -> None:
        """As a node dies: without a word, its executors with it."""
        assert self.process is not None
        self.send(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.is_alive:
            assert self.process is not None
            below = self.processes()
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=10)
            for pid in below:  # a worker that was asked to go takes its executors along; one that hangs does not
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self.process.wait()


class Cluster:
    """A master, two workers of one core and a gigabyte, and the settings by which a driver finds them."""

    def __init__(self, folder: Path, workers: int = 2, *, network: Network | None = None) -> None:
        self.why_no_namespaces = None if network else why_no_namespaces()
        self.folder = folder
        self.network: Network = network or (Loopback() if self.why_no_namespaces else Namespaces())
        names = ["master", *[f"worker{number}" for number in range(1, workers + 1)]]
        for name in names:
            self.network.add(name)
            (folder / name).mkdir(parents=True)
        self.url = f"spark://{self.network.address('master')}:{PORT}"
        ports = ("--port", str(PORT), "--webui-port", "0")
        self.master = Node("master", folder / "master", self.network, MASTER, *ports)
        work = ("--cores", "1", "--memory", "1g", "--webui-port", "0")
        self.workers = [
            Node(name, folder / name, self.network, WORKER, *work, "--work-dir", str(folder / name / "work"), self.url)
            for name in names[1:]
        ]

    def start(self) -> None:
        self.master.start()
        wait_for(lambda: "I have been elected leader" in self.master.log(), f"no master: {self.master.log()}")
        for worker in self.workers:
            self.start_worker(worker)

    def start_worker(self, worker: Node) -> None:
        before = worker.log().count("Successfully registered with master")
        worker.start()
        wait_for(
            lambda: worker.log().count("Successfully registered with master") > before, f"no worker: {worker.log()}"
        )

    def mend(self) -> None:
        """Every worker is there again, as before the first fault."""
        for worker in self.workers:
            if not worker.is_alive:
                self.start_worker(worker)

    def stop(self) -> None:
        for node in [*self.workers, self.master]:
            node.stop()
        self.network.remove()

    def leftovers(self) -> list[str]:
        """Processes and devices that are still there after the end."""
        mark = str(self.folder).encode()
        running = [f"process {pid}: {command!r}" for pid, command in all_commands() if mark in command]
        return running + self.network.leftovers()

    @contextlib.contextmanager
    def settings(self, **changes: object) -> Iterator[dict[str, str]]:
        """The environment of a driver: this cluster and these settings (``spark__executor__memory="1g"``)."""
        chosen = dict(SETTINGS) | {"spark.master": self.url, "spark.driver.host": self.network.address("driver")}
        chosen |= {name.replace("__", "."): value for name, value in changes.items()}
        folder = self.folder / f"conf-{time.monotonic_ns()}"
        (folder / "local").mkdir(parents=True)
        text = "".join(f"{name} {value}\n" for name, value in chosen.items() if value is not None)
        (folder / "spark-defaults.conf").write_text(text)
        yield {
            **os.environ,
            "SPARK_HOME": str(spark_home()),
            "SPARK_CONF_DIR": str(folder),
            "SPARK_LOCAL_DIRS": str(folder / "local"),
            "SPARK_LOCAL_IP": self.network.address("driver"),
            "PYSPARK_PYTHON": sys.executable,
            "OPENBLAS_NUM_THREADS": "1",
        }
        shutil.rmtree(folder, ignore_errors=True)


def all_commands() -> Iterator[tuple[int, bytes]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                yield int(entry.name), (entry / "cmdline").read_bytes()


def processes_below(root: int) -> list[int]:
    """A process and all that it started, directly or not."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found, waiting = [], [root]
    while waiting:
        found.append(waiting.pop())
        waiting += children.get(found[-1], [])
    return found
