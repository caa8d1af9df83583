"""The compiled twins of hot kernels: optional, so that stagg installs, slower, where there is no C compiler."""

from pathlib import Path

from setuptools import Extension, setup

setup(
    ext_modules=[
        Extension(f"stagg.kernels.{path.stem}", [str(path)], extra_compile_args=["-O3"], optional=True)
        for path in sorted(Path("src/stagg/kernels").glob("*.pyx"))
    ]
)
