"""Whoever runs without the compiled kernels is told, once, and can say that he knows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from stagg.kernels import compiled

WITHOUT = (
    "import sys; sys.modules['stagg.kernels._sums'] = None; import stagg;"
    "stagg.fuse([['a', 'b'], ['b']]); stagg.fuse([['a'], ['b']])"
)


COMMAND = (
    "import sys; sys.modules['stagg.kernels._sums'] = None; sys.argv[1:] = ['methods', '--json'];"
    "from stagg_start import main; main()"
)


def messages(script: str = WITHOUT, **environment: str) -> str:
    """What a process says that lacks a kernel; it fuses twice."""
    settings = os.environ | {"STAGG_PURE": ""} | environment
    return subprocess.run([sys.executable, "-c", script], env=settings, capture_output=True, text=True).stderr


def test_a_kernel_that_is_missing_is_said_once_with_the_remedy() -> None:
    said = messages()
    assert said.count("several times slower") == 1
    assert "C compiler" in said
    assert "RuntimeWarning" in said


def test_the_command_line_says_it_in_one_line_of_its_own() -> None:
    said = messages(COMMAND).splitlines()
    assert len(said) == 1
    assert said[0].startswith("stagg: warning: stagg was installed without compiled kernels")


def test_who_asks_for_pure_python_is_not_warned() -> None:
    assert messages(STAGG_PURE="1") == ""


def test_the_twins_are_the_sources_that_are_compiled() -> None:
    folder = Path(compiled.__file__).parent
    sources = {".".join(path.relative_to(folder).with_suffix("").parts) for path in folder.rglob("*.pyx")}
    if not sources:
        pytest.skip("the sources of the kernels are not in this installation")
    assert sources == set(compiled.TWINS)
