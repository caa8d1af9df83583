"""Check a release before anybody uploads it: build, audit, install on every Python at hand, run the smoke suite.

python bench/release.py [--out dist] [--quick]   # part of `make release-check`; --quick builds everything once only

The archives are made twice and must be the same bytes. The wheels go into empty environments without a compiler.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / ".venv-release" / "bin"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
STABLE = {"STAGG_ABI3": "1"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    check_versions()
    shutil.rmtree(options.out, ignore_errors=True)
    archives = build_all(options.out)
    if not options.quick:
        check_same_bytes(archives)
    run([TOOLS / "twine", "check", "--strict", *archives])
    stable = next(path for path in archives if "abi3" in path.name)
    run([TOOLS / "abi3audit", "--strict", stable])
    check_hashes({version: try_wheel(path, stable) for version, path in pythons()})
    for path in archives:
        if path != stable:
            print(f"{path.name}: {try_archive(path)}")
    print(f"{sum(1 for _ in wheels_of_ci())} wheels planned by cibuildwheel", flush=True)


def check_versions() -> None:
    """The version is the same wherever it is written, and the changelog has a section on it."""
    version = re.search(r'__version__ = "(.+)"', (ROOT / "src/stagg/_version.py").read_text())[1]  # type: ignore[index]
    for name, text in (("CHANGELOG.md", f"## [{version}]"), ("CITATION.cff", f"version: {version}")):
        if text not in (ROOT / name).read_text(encoding="utf-8"):
            raise SystemExit(f"{name}: expected {text!r}")
    if "[project.urls]" not in (ROOT / "pyproject.toml").read_text(encoding="utf-8"):
        print("pyproject.toml has no [project.urls]: add the address of the repository before you upload")


def build_all(out: Path) -> list[Path]:
    """The source archive, and from it the wheel for this Python and the one for all of them."""
    source = build("--sdist", ROOT, out)
    make_reproducible(source)
    return [source, build_wheel(source, out), build_wheel(source, out, **STABLE)]


def build_wheel(source: Path, out: Path, **settings: str) -> Path:
    """From a tree of its own: what another wheel left in build/ would go into this one, too."""
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(source) as archive:
            archive.extractall(folder, filter="data")
        return build("--wheel", next(Path(folder).iterdir()), out, **settings)


def build(kind: str, tree: Path, out: Path, **settings: str) -> Path:
    environment = os.environ | {"SOURCE_DATE_EPOCH": commit_time(), "STAGG_COMPILED": "1"} | settings
    before = set(out.glob("*"))
    run([sys.executable, "-m", "build", "--no-isolation", kind, "--outdir", out, tree], env=environment)
    return (set(out.glob("*")) - before).pop()


def make_reproducible(path: Path) -> None:
    """setuptools writes times and owners into a source archive: write those of the commit, and nobody."""
    with tarfile.open(path) as archive:
        members = sorted(archive.getmembers(), key=lambda member: member.name)
        content = {each.name: archive.extractfile(each).read() for each in members if each.isfile()}  # type: ignore[union-attr]
    time, plain = int(commit_time()), io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for each in members:
            each.mtime, each.uid, each.gid, each.uname, each.gname, each.pax_headers = time, 0, 0, "", "", {}
            archive.addfile(each, io.BytesIO(content[each.name]) if each.isfile() else None)
    path.write_bytes(gzip.compress(plain.getvalue(), mtime=time))


def commit_time() -> str:
    command = ["git", "log", "-1", "--format=%ct"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def check_same_bytes(archives: list[Path]) -> None:
    with tempfile.TemporaryDirectory() as name:
        again = {path.name: digest(path) for path in build_all(Path(name))}
    for path in archives:
        if digest(path) != again[path.name]:
            raise SystemExit(f"{path.name}: built twice, other bytes")
        print(f"{path.name}: the same bytes twice, {path.stat().st_size:,} bytes, sha256 {digest(path)}")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def pythons() -> Iterator[tuple[str, str]]:
    """The interpreters at hand, under pyenv or on the path; the others are named as untested."""
    for version in PYTHONS:
        under_pyenv = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"), reverse=True)
        candidates = [*map(str, under_pyenv), shutil.which(f"python{version}")]
        if found := next((each for each in candidates if each and starts(each)), None):
            yield version, found
        else:
            print(f"Python {version}: no interpreter here, untested")


def starts(python: str) -> bool:
    """Whether it is an interpreter that runs: a shim of pyenv may stand for one that is not installed."""
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0


def try_wheel(python: str, wheel: Path) -> str:
    """The hash of the smoke suite in an empty environment with the pinned dependencies and no compiler."""
    with tempfile.TemporaryDirectory() as folder:
        return smoke(install(python, wheel, Path(folder)), "--compiled")


def try_archive(path: Path) -> str:
    """The same on this Python; a source archive without a compiler must install, and say that it is slow."""
    with tempfile.TemporaryDirectory() as folder:
        installed = install(sys.executable, path, Path(folder))
        if path.suffix == ".whl":
            return smoke(installed, "--compiled")
        said = run([installed, "-m", "stagg", "methods"], cwd=folder)
        if "several times slower" not in said.stderr:
            raise SystemExit(f"{path.name}: without a compiler it is slow and does not say so")
        return f"installs without a compiler, and says {said.stderr.splitlines()[0][:76]!r}"


def install(python: str, package: Path, folder: Path) -> Path:
    """Make an environment in which no compiler is found; the path of its Python."""
    run([python, "-m", "venv", folder / "env"])
    pip = [folder / "env/bin/python", "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-input"]
    settings = os.environ | {"CC": "/nowhere/cc", "CXX": "/nowhere/c++"}
    run([*pip, "--require-hashes", "--only-binary", ":all:", "-r", ROOT / "requirements/hashed/core.txt"])
    run([*pip, "--no-deps", package], env=settings)
    return folder / "env/bin/python"


def smoke(python: Path, *options: str) -> str:
    """Run from elsewhere, so that the package that is tried is the one that was installed."""
    script = shutil.copy(ROOT / "bench/smoke.py", python.parent.parent / "smoke.py")
    return run([python, script, *options], cwd=python.parent).stdout.strip()


def check_hashes(found: dict[str, str]) -> None:
    for version, said in found.items():
        print(f"Python {version}: {said}")
    if len(set(found.values())) != 1:
        raise SystemExit("the same wheel gives other outputs on another Python")


def wheels_of_ci() -> Iterator[str]:
    """The wheels that the configuration in pyproject.toml asks for, on every platform."""
    for platform in ("linux", "macos", "windows"):
        command = [TOOLS / "cibuildwheel", "--print-build-identifiers", "--platform", platform, ROOT]
        yield from run(command).stdout.split()


def run(command: list[str | Path], **options: object) -> subprocess.CompletedProcess[str]:
    """Run a command; one that fails ends the check with what it said."""
    ended = subprocess.run([str(each) for each in command], capture_output=True, text=True, **options)  # type: ignore[call-overload]
    if ended.returncode:
        raise SystemExit(f"failed: {' '.join(map(str, command))}\n{ended.stdout[-2000:]}{ended.stderr[-2000:]}")
    return ended


if __name__ == "__main__":
    main()
