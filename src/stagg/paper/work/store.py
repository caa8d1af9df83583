"""Store of answers on disk, keyed by content: the data, the question, and the code that answered."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stagg._version import __version__
from stagg.errors import DataError
from stagg.formats.storage.atomic import replacing
from stagg.paper.work.jobs import Answer, Job

__all__ = ["RESULTS", "Store"]

RESULTS = 1
"""Raise it by hand when the code gives other numbers than before under the same version of the package."""


class Store:
    """A folder of small JSON files, one for each answer, named by a digest of everything that the answer depends on.

    A file that is torn, or that has another key, counts as missing. With ``fresh``, files are replaced and never read.
    """

    def __init__(self, folder: str | Path, digests: Mapping[str, str], *, fresh: bool = False) -> None:
        self.folder, self.digests, self.fresh = Path(folder), digests, fresh
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"cannot be created: {error.strerror}", file=str(folder)) from None

    def make_key(self, job: Job) -> str:
        """Return everything that the answer depends on, as text."""
        parts = {"stagg": __version__, "results": RESULTS, "data": self.digests[job.view.name], "job": job.make_key()}
        return json.dumps(parts, sort_keys=True)

    def find_path(self, job: Job) -> Path:
        return self.folder / f"{hashlib.sha256(self.make_key(job).encode()).hexdigest()[:32]}.json"

    def get(self, job: Job) -> Answer | None:
        if self.fresh:
            return None
        try:
            stored: Any = json.loads(self.find_path(job).read_bytes())
        except (OSError, ValueError):
            return None
        if not isinstance(stored, dict) or stored.get("key") != self.make_key(job):
            return None
        answer = stored.get("answer")
        return answer if isinstance(answer, dict) else None

    def put(self, job: Job, answer: Answer) -> None:
        text = json.dumps({"key": self.make_key(job), "answer": answer}, allow_nan=False)
        with replacing(self.find_path(job)) as stream:
            stream.write(text.encode())
