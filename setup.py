"""The compiled twins of hot kernels: optional, so that stagg installs, slower, where there is no C compiler."""

from pathlib import Path

from setuptools import Extension, setup

FLAGS = ["-O3", "-g0", "-ffp-contract=off"]  # a fused multiply-add rounds once where NumPy rounds twice: other bytes

setup(
    ext_modules=[
        Extension(f"stagg.kernels.{path.stem}", [str(path)], extra_compile_args=FLAGS, optional=True)
        for path in sorted(Path("src/stagg/kernels").glob("*.pyx"))
    ]
)
