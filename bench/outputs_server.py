"""Run the commands and calls of bench/outputs.py in copies of a process that has imported stagg: much faster.

Reads requests as lines of JSON, answers each with an exit status. The copy (fork) does its work as a new process would,
in its own folder. It ends at once: to take down all modules first would cost more than most of the commands.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import sys
import traceback
from typing import Any

LONGEST = 300  # seconds that a request may take


def main() -> None:
    import_all()
    gc.freeze()
    for line in sys.stdin:
        request = json.loads(line)
        pid = os.fork()
        if pid == 0:
            os._exit(status_of(request))
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


def import_all() -> None:
    """Everything of stagg that can be imported here; what cannot shows where it is used."""
    stagg = importlib.import_module("stagg")
    for found in pkgutil.walk_packages(stagg.__path__, "stagg.", onerror=lambda name: None):
        if not found.name.endswith("__main__"):
            try:
                importlib.import_module(found.name)
            except Exception:
                continue


def status_of(request: dict[str, Any]) -> int:
    """Run the request, its streams in files of its folder; the exit status that a process would have."""
    become(request)
    try:
        if request["code"] is not None:
            exec(compile(request["code"], "<case>", "exec"), {"__name__": "__main__"})
        else:
            runpy.run_module("stagg", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def become(request: dict[str, Any]) -> None:
    """Be the process that is asked for: its folder, streams and arguments."""
    signal.alarm(LONGEST)
    os.chdir(request["home"])
    connect(0, request["stdin"] or os.devnull, os.O_RDONLY)
    connect(1, "stdout", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    connect(2, "stderr", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False, buffering=1)
    sys.argv = ["stagg", *request["arguments"]]


def connect(number: int, path: str, how: int) -> None:
    opened = os.open(path, how, 0o644)
    os.dup2(opened, number)
    os.close(opened)


if __name__ == "__main__":
    main()
