"""Writing what fusion made: as every format writes it, but TREC scores that no evaluator can tie or reorder."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from stagg.data.rankings import Rankings
from stagg.errors import DataError
from stagg.formats.base import Format
from stagg.formats.files import format_of_name, write
from stagg.formats.output import replacing
from stagg.formats.trec import Trec

__all__ = ["fused_format", "write_fused"]


def fused_format(output: str | Path | None) -> type[Format]:
    """The format that an output is written in: by its ending; TREC when there is no name."""
    return Trec if output is None else format_of_name(output)


def write_fused(rankings: Rankings, output: str | Path | IO[bytes]) -> None:
    """Write a consensus to a file, atomically, or as TREC to a binary stream."""
    if not isinstance(output, str | Path):
        _refuse(rankings, "<stdout>")
        Trec(strict=True).write(rankings, output)
    elif fused_format(output) is Trec:
        _refuse(rankings, str(output))
        with replacing(output) as stream:
            Trec(strict=True).write(rankings, stream)
    else:
        write(rankings, output)


def _refuse(rankings: Rankings, name: str) -> None:
    why = Trec().refusal(rankings, None)
    if why is not None:
        raise DataError(f"a TREC run cannot hold {why}", file=name)
