"""What `make` installs is pinned with hashes; `make pins` writes them from the pins that people edit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HASHED = ROOT / "requirements" / "hashed"
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
SETS = sorted(path.stem for path in HASHED.glob("*.txt"))


def pins(path: Path) -> set[tuple[str, str]]:
    return {(re.sub(r"[-_.]+", "-", name).lower(), version) for name, version in PIN.findall(path.read_text())}


@pytest.mark.parametrize("name", SETS)
def test_the_hashed_pins_are_the_pins(name: str) -> None:
    edited = ROOT / "bench" / "requirements.txt" if name == "bench" else ROOT / "requirements" / f"{name}.txt"
    assert pins(HASHED / f"{name}.txt") == pins(edited), "run `make pins` and commit requirements/hashed"


@pytest.mark.parametrize("name", SETS)
def test_every_pin_has_a_hash(name: str) -> None:
    entries = re.split(r"\n(?=\S)", (HASHED / f"{name}.txt").read_text().strip())
    assert all("--hash=sha256:" in entry for entry in entries)


def test_make_installs_nothing_from_the_index_without_hashes() -> None:
    lines = [line for line in (ROOT / "Makefile").read_text().splitlines() if re.search(r"(_INSTALL\)|HASHED\))", line)]
    for line in lines:
        is_tool = "requirements/pins.txt" in line  # what makes the hashes
        is_ours = "--no-deps" in line and any(own in line for own in ("-e .", ".venv-cluster/wheel/", "build/abi3"))
        assert line.startswith("HASHED") or "$(HASHED)" in line or is_ours or is_tool, line
