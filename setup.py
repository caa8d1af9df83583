"""The compiled twins of hot kernels.

Without a C compiler stagg installs all the same, slower, and says so; these environment variables change what is built:

STAGG_ABI3=1      kernels and wheel for every CPython from 3.11 on (the stable ABI), instead of for this one
STAGG_COMPILED=1  fail where a kernel cannot be compiled: releases must not be slow by accident
"""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import Cython
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

KERNELS = Path("src/stagg/kernels")
SHARED = "_cyutility"  # what Cython needs for memory views: 30,000 lines of C, compiled once instead of in every kernel
FLAGS = {  # a fused multiply-add rounds once where NumPy rounds twice: other bytes
    "msvc": ["/O2", "/std:c11", "/fp:precise"],
    "unix": ["-O3", "-g0", "-ffp-contract=off"],  # gcc and clang
}
COLD = {"msvc": ["/O1", "/std:c11"], "unix": ["-O1", "-g0"]}  # what is called once in a call of ours: less to compile
PROCESSES = os.cpu_count() or 1
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
ABI3 = os.environ.get("STAGG_ABI3") == "1" and not FREE_THREADED  # there is no stable ABI without the GIL before 3.15
OLDEST = "0x030B0000"  # Python 3.11
OPTIONAL = os.environ.get("STAGG_COMPILED") != "1"


class BuildKernels(build_ext):
    """Flags by compiler, and a word on kernels that could not be compiled."""

    def build_extensions(self) -> None:
        self.parallel = PROCESSES  # as an option it is lost when pip installs in place
        kind = "msvc" if self.compiler.compiler_type == "msvc" else "unix"
        for extension in self.extensions:
            extension.extra_compile_args = FLAGS[kind] if extension.name.rpartition(".")[2] != SHARED else COLD[kind]
            extension.optional = OPTIONAL  # cythonize makes other extensions of ours, and forgets this
        super().build_extensions()
        missing = [each.name for each in self.extensions if not Path(self.get_ext_fullpath(each.name)).exists()]
        if missing:
            self.warn(f"stagg will be several times slower: no compiled {', '.join(missing)}. Install a C compiler.")

    def build_extension(self, extension: Extension) -> None:
        try:
            super().build_extension(extension)
        except OSError as error:  # there is no compiler: setuptools forgives only one that fails
            if not extension.optional:
                raise
            self.warn(f"{extension.name}: {error}")


def make_extension(source: Path) -> Extension:
    macros = [("Py_LIMITED_API", OLDEST)] if ABI3 else []
    name = ".".join(source.with_suffix("").parts[1:])  # without src
    return Extension(name, [str(source)], define_macros=macros, py_limited_api=ABI3)


def make_shared() -> Extension:
    source = KERNELS / f"{SHARED}.c"
    if not source.exists() or f"Cython {Cython.__version__} " not in source.read_text(encoding="utf-8")[:100]:
        subprocess.run([sys.executable, "-m", "cython", f"--generate-shared={source}"], check=True)
    return make_extension(source)


def make_kernels() -> list[Extension]:
    sources = sorted(KERNELS.rglob("*.pyx"))
    return cythonize(
        [make_extension(source) for source in sources],
        nthreads=PROCESSES,
        quiet=True,
        shared_utility_qualified_name=f"stagg.kernels.{SHARED}",
    )


setup(
    ext_modules=[make_shared(), *make_kernels()],
    cmdclass={"build_ext": BuildKernels},
    options={"bdist_wheel": {"py_limited_api": "cp311"} if ABI3 else {}},
)
