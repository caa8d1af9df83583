"""Fuzzing guided by coverage (atheris): the texts of registries, the readers of text formats, model files.

python -m attack.guided TARGET CORPUS... -max_total_time=SECONDS -seed=N      (libFuzzer's own options)
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

from attack.scene import ROOT
from attack.verdict import Attack

TARGETS = ("registry", "trec", "csv", "json", "jsonl", "letor", "preflib", "model")
STARTING = 16  # seconds; half of them go by before the first input
CORPUS = Path(__file__).parent / "corpus"


def attack(seed: int, seconds: float) -> Attack:
    found = Attack("guided", "inputs by coverage", seconds)
    try:
        import atheris  # noqa: F401
    except ImportError:
        found.notes.append("atheris is not installed")
        return found
    several = min(len(TARGETS), max(1, int(seconds / STARTING)))  # a short run takes some of them, by the seed
    for target in random.Random(seed).sample(TARGETS, several):
        _fuzz(target, seed, max(2, int(seconds / several - STARTING / 2)), found)
    return found


def _fuzz(target: str, seed: int, seconds: int, found: Attack) -> None:
    with tempfile.TemporaryDirectory() as name:
        call = [
            sys.executable, "-m", "attack.guided", target, name, str(CORPUS / target), f"-max_total_time={seconds}",
            f"-seed={seed % 2**31 or 1}", "-max_len=600", "-timeout=20", f"-artifact_prefix={name}/crash-",
        ]  # fmt: skip
        ended = subprocess.run(call, capture_output=True, text=True, cwd=ROOT, timeout=seconds + 120)
        runs = [line.split()[1] for line in ended.stderr.splitlines() if line.startswith("Done ")]
        found.count(int(runs[0]) if runs else 0)
        for crash in Path(name).glob("crash-*"):
            found.report(f"{target}: {ended.stdout[-300:]} {ended.stderr[-200:]}", crash.read_bytes())
        if not runs and not list(Path(name).glob("crash-*")):
            found.report(f"{target} did not run: {ended.stderr[-300:]}")


def _main() -> None:
    import atheris

    target = sys.argv.pop(1)
    with atheris.instrument_imports(include=["stagg.registry", "stagg.formats", "stagg.learning"]):
        import stagg.formats.inputs
        import stagg.learning  # noqa: F401
    warnings.simplefilter("ignore")
    atheris.Setup(sys.argv, _reader(target))
    atheris.Fuzz()


def _reader(target: str):  # type: ignore[no-untyped-def]
    from stagg import StaggError, load_model, read
    from stagg.methods import METHODS

    path = Path(tempfile.mkdtemp()) / f"fuzzed.{target}"

    def run(data: bytes) -> None:
        try:
            if target == "registry":
                METHODS.parse(data.decode(errors="replace"))
                return
            path.write_bytes(data)
            if target == "model":
                load_model(path)
            else:
                read(path, format=target)
        except StaggError as error:
            if not str(error).isprintable():
                raise RuntimeError(str(error)) from None

    return run


if __name__ == "__main__":
    _main()
