"""libFuzzer on the compiled kernels that read bytes, built by clang with AddressSanitizer and UBSan.

The kernels are Cython and need an interpreter, so the fuzzer embeds one (harness.c) and calls attack/native/target.py:
coverage and sanitizers look at the compiled code alone. atheris, which attack/guided.py uses for Python code, would
want libraries that are preloaded and were built by the same clang.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from attack.scene import ROOT
from attack.verdict import Attack

KERNELS = ("_numbers", "_ids", "_text", "_records")
PLACE = Path("stagg", "kernels", "text")
HERE = Path(__file__).parent
SANITIZED = [
    "-fsanitize=address,undefined",
    "-fno-sanitize=alignment",
    "-fno-sanitize-recover=undefined",
    "-fwrapv",
    "-O1",
    "-g1",
]
PROCESSES = 2
SEEDS = [
    b"\x00-12.5e-3", b"\x0018446744073709551616", b"\x01" + bytes(range(8)),
    b"\x02q1 Q0 d1 1 12.5 t\nq1 Q0 d2 2 11 t\nq2\tQ0\td1 1 -3e-2 u\r\n",
    b"\x03\x01\x01\x02\x03\x00\x03q,a,1.5,1\nq,\"b\",2,2\n",
    b"\x04\x01\x12\x23\x31a\0b\0a\0cc\0b\0dddddddd\0q",
]  # fmt: skip


def attack(seed: int, seconds: float) -> Attack:
    found = Attack("native", "inputs of kernels under sanitizers, by coverage", seconds)
    if shutil.which("clang") is None:
        found.notes.append("clang is not installed")
        return found
    folder = _build(found)
    if folder is None:
        return found
    left = max(2, int(found.begun + seconds - time.monotonic()))
    with tempfile.TemporaryDirectory() as corpus, ThreadPoolExecutor(PROCESSES) as pool:
        for number, data in enumerate(SEEDS):
            (Path(corpus) / str(number)).write_bytes(data)
        for _ in pool.map(lambda number: _fuzz(folder, corpus, seed + number, left, found), range(PROCESSES)):
            pass
    return found


def _fuzz(folder: Path, corpus: str, seed: int, seconds: int, found: Attack) -> None:
    with tempfile.TemporaryDirectory() as crashes:
        call = [
            str(folder / "fuzz"), corpus, f"-max_total_time={seconds}", f"-seed={seed % 2**31 or 1}", "-max_len=400",
            "-timeout=20", "-rss_limit_mb=4000", f"-artifact_prefix={crashes}/",
        ]  # fmt: skip
        ended = subprocess.run(call, capture_output=True, cwd=ROOT, env=_environment(folder), timeout=seconds + 300)
        messages = ended.stderr.decode(errors="replace")
        runs = [line.split()[1] for line in messages.splitlines() if line.startswith("Done ")]
        found.count(int(runs[0]) if runs else 0)
        kept = list(Path(crashes).iterdir())
        for crash in kept:
            found.report(f"kernel {crash.name}: {_first_error(messages)}", crash.read_bytes())
        if not runs and not kept:
            found.report(f"the fuzzer did not run: {messages[-300:]}")


def _first_error(messages: str) -> str:
    marks = ("ERROR: AddressSanitizer", "runtime error", "Error", "SUMMARY")
    return next((line for mark in marks for line in messages.splitlines() if mark in line), messages[-200:])


def _environment(folder: Path) -> dict[str, str]:
    packages = sysconfig.get_paths()["purelib"]
    return os.environ | {
        "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT), packages]),
        "PYTHONHOME": sys.base_prefix,
        "PYTHONMALLOC": "malloc",
        "PYTHONDONTWRITEBYTECODE": "1",
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "OPENBLAS_NUM_THREADS": "1",
    }


# --- building ---------------------------------------------------------------------------------------------------------


def _build(found: Attack) -> Path | None:
    """The folder with the fuzzer and the kernels, built once for these sources; None if they cannot be built."""
    sources = sorted((ROOT / "src" / PLACE).glob("_*.p[yx][xd]"))
    text = b"".join([repr(SANITIZED).encode(), *(path.read_bytes() for path in sources)])
    folder = Path(sys.prefix) / f"native-{hashlib.sha256(text).hexdigest()[:16]}"
    shutil.rmtree(folder / "stagg", ignore_errors=True)  # what is not compiled may have changed
    shutil.copytree(ROOT / "src" / "stagg", folder / "stagg", ignore=shutil.ignore_patterns("*.so", "*.c"))
    try:
        if not (folder / "done").exists():
            with ThreadPoolExecutor(PROCESSES) as pool:
                list(pool.map(lambda name: _build_kernel(folder, name), KERNELS))
            (folder / "done").touch()
        _build_fuzzer(folder)
    except subprocess.CalledProcessError as error:
        found.notes.append(f"the kernels cannot be built: {error.stderr.decode(errors='replace')[-200:]!r}")
        return None
    for name in KERNELS:
        library = f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
        shutil.copy(folder / library, folder / PLACE / library)
    return folder


def _build_kernel(folder: Path, name: str) -> None:
    source, target = folder / f"{name}.c", folder / f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
    pyx = folder / PLACE / f"{name}.pyx"
    _call([sys.executable, "-m", "cython", "-3", "-I", str(folder), str(pyx), "-o", str(source)])
    _call(
        [
            "clang",
            *SANITIZED,
            "-fsanitize=fuzzer-no-link",
            "-shared",
            "-fPIC",
            *_include(),
            str(source),
            "-o",
            str(target),
            "-lm",
        ]
    )


def _build_fuzzer(folder: Path) -> None:
    library, version = sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("LDVERSION")
    link = [f"-L{library}", f"-Wl,-rpath,{library}", f"-lpython{version}", "-rdynamic"]
    _call(
        [
            "clang",
            *SANITIZED,
            "-fsanitize=fuzzer",
            *_include(),
            str(HERE / "harness.c"),
            "-o",
            str(folder / "fuzz"),
            *link,
        ]
    )


def _include() -> list[str]:
    return [f"-I{sysconfig.get_paths()['include']}"]


def _call(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True)
