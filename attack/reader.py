"""Reads damaged files, some cases of a seed, and prints what came of each; run by attack/fuzz.py, compiled and pure.

python -m attack.reader SEED FIRST COUNT
"""

from __future__ import annotations

import hashlib
import random
import sys
import tempfile
import warnings
from pathlib import Path

from tests.formats.test_fuzz import KINDS, PACKERS, _options, damaged, read_one, seeds

from attack.verdict import alarm
from stagg import Labels, StaggError
from stagg.formats import FORMATS
from stagg.formats.base import ReadOptions

SECONDS = 20


def make_case(seed: int, number: int) -> tuple[str, bytes, ReadOptions]:
    """The kind of file, its damaged bytes, and how it is read."""
    rng = random.Random(f"{seed} {number}")
    kind = KINDS[number % len(KINDS)]
    content = rng.choice(seeds(kind))
    data = damaged(content, rng)
    if number % 5 == 0:
        packed = rng.choice(PACKERS)(content if number % 10 == 0 else data)
        data = damaged(packed, rng) if number % 10 == 0 else packed
    return kind, data, _options(kind, rng)


def read_case(folder: Path, seed: int, number: int) -> str:
    """ "read" with a digest of what was read, "refused", or "FINDING" with what must not be."""
    kind, data, options = make_case(seed, number)
    path = folder / f"fuzzed{'' if kind == 'qrels' else FORMATS[kind].endings[-1]}"
    path.write_bytes(data)
    try:
        with alarm(SECONDS):
            found = read_one(path, kind, options)
    except StaggError as error:
        return "refused" if str(error).isprintable() else f"FINDING {str(error)!r}"
    except BaseException as error:
        return f"FINDING {type(error).__name__}: {error!s:.200}".replace("\n", " ")
    shown = repr(dict(found)) if isinstance(found, Labels) else repr(found.rankings.to_dict())
    return f"read {hashlib.sha256(shown.encode(errors='replace')).hexdigest()[:16]}"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    seed, first, count = map(int, sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        for number in range(first, first + count):
            print(read_case(Path(name), seed, number), flush=number % 100 == 0)
