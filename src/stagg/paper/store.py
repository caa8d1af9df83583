"""Answers on disk, kept by content: what the data hold, what was asked, and which code answered."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stagg._version import __version__
from stagg.errors import DataError
from stagg.formats.output import replacing
from stagg.paper.jobs import Answer, Task

__all__ = ["RESULTS", "Store"]

RESULTS = 1
"""Raised by hand when the code gives other numbers than before under the same version of the package."""


class Store:
    """A folder of small JSON files, one for each answer, named by a digest of all that the answer depends on.

    A file that is torn, or of another key, counts as not there. ``fresh``: what lies there is not read, only replaced.
    """

    def __init__(self, folder: str | Path, digests: Mapping[str, str], *, fresh: bool = False) -> None:
        self.folder, self.digests, self.fresh = Path(folder), digests, fresh
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"cannot be made: {error.strerror}", file=str(folder)) from None

    def key(self, task: Task) -> str:
        """All that the answer depends on, as text."""
        parts = {"stagg": __version__, "results": RESULTS, "data": self.digests[task.view.name], "task": task.text()}
        return json.dumps(parts, sort_keys=True)

    def path(self, task: Task) -> Path:
        return self.folder / f"{hashlib.sha256(self.key(task).encode()).hexdigest()[:32]}.json"

    def get(self, task: Task) -> Answer | None:
        if self.fresh:
            return None
        try:
            kept: Any = json.loads(self.path(task).read_bytes())
        except (OSError, ValueError):
            return None
        if not isinstance(kept, dict) or kept.get("key") != self.key(task) or not isinstance(kept.get("answer"), dict):
            return None
        answer: Answer = kept["answer"]
        return answer

    def put(self, task: Task, answer: Answer) -> None:
        text = json.dumps({"key": self.key(task), "answer": answer}, allow_nan=False)
        with replacing(self.path(task)) as stream:
            stream.write(text.encode())
