"""The compiled twins of hot kernels: optional, so that stagg installs, slower, where there is no C compiler."""

import os
import subprocess
import sys
from pathlib import Path

import Cython
from Cython.Build import cythonize
from setuptools import Extension, setup

KERNELS = Path("src/stagg/kernels")
SHARED = "_cyutility"  # what Cython needs for memory views: 30,000 lines of C, compiled once instead of in every kernel
FLAGS = ["-O3", "-g0", "-ffp-contract=off"]  # a fused multiply-add rounds once where NumPy rounds twice: other bytes
PROCESSES = os.cpu_count() or 1


def make_extension(source: Path) -> Extension:
    return Extension(f"stagg.kernels.{source.stem}", [str(source)], extra_compile_args=FLAGS, optional=True)


def make_shared() -> Extension:
    source = KERNELS / f"{SHARED}.c"
    if not source.exists() or f"Cython {Cython.__version__} " not in source.read_text(encoding="utf-8")[:100]:
        subprocess.run([sys.executable, "-m", "cython", f"--generate-shared={source}"], check=True)
    return make_extension(source)


def make_kernels() -> list[Extension]:
    sources = sorted(KERNELS.glob("*.pyx"))
    return cythonize(
        [make_extension(source) for source in sources],
        nthreads=PROCESSES,
        quiet=True,
        shared_utility_qualified_name=f"stagg.kernels.{SHARED}",
    )


setup(ext_modules=[make_shared(), *make_kernels()], options={"build_ext": {"parallel": PROCESSES}})
