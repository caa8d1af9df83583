"""bench/mutants.py: which mistakes it makes, and that it makes the same ones again."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODULE = b'''
"""Ten items, 0 < n."""
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    LIMIT = 5
__all__ = ["a", 3]
def a(n: "Literal[7]" = 1, *, m: 2 + 2 = True) -> 9 | None:
    """Another 5 + 5."""
    \xc3\xa4: float = 0.5
    if n <= 2 and m:
        raise ValueError(f"{n + 1} is more than {4}", 6)
    warn("at least" + 8)
    \xc3\xa4 = \xc3\xa4 * (
        n)
    b(n, m)
    return [x for x in (n,) if not x] or -n
'''


@pytest.fixture(scope="module")
def mutants() -> ModuleType:
    sys.path.insert(0, str(ROOT / "bench"))
    try:
        import mutants  # type: ignore[import-not-found]
    finally:
        sys.path.pop(0)
    return mutants  # type: ignore[no-any-return]


def test_every_kind_of_mistake_is_made_and_none_in_what_only_people_read(mutants: ModuleType) -> None:
    found = [(each.line, each.old, each.new) for each in mutants.mutations_of("x.py", MODULE)]
    assert found == [
        (7, "1", "0"),
        (7, "1", "2"),
        (7, "True", "False"),
        (9, "0.5", "1.0"),
        (10, "n <= 2 and m", "not (n <= 2 and m)"),
        (10, "<=", "<"),
        (10, "<=", ">"),
        (10, "2", "1"),
        (10, "2", "3"),
        (10, "and", "or"),
        (11, 'raise ValueError(f"{n + 1} is more than {4}", 6)', "pass"),
        (12, 'warn("at least" + 8)', "pass"),
        (13, "ä = ä * (\n        n)", "pass"),
        (13, "*", "/"),
        (15, "b(n, m)", "pass"),
        (15, "n, m", "m, n"),
        (16, "not x", "not (not x)"),
        (16, "not x", "x"),
        (16, "or", "and"),
        (16, "-n", "n"),
    ]


def test_a_mutant_differs_from_its_module_in_one_place_and_is_python(mutants: ModuleType) -> None:
    source = (ROOT / "src/stagg/formats/tables/layouts/form.py").read_bytes()
    made = mutants.mutations_of("stagg/formats/tables/layouts/form.py", source)
    assert len(made) > 500
    for each in made[::20]:
        changed = each.apply(source)
        assert changed.startswith(source[: each.start])
        assert changed.endswith(source[each.end :])
        assert mutants.parses(each, source), each


def test_the_same_seed_draws_the_same_mutants_on_lines_of_their_own(mutants: ModuleType) -> None:
    drawn = mutants.draw(40, 3)
    assert drawn == mutants.draw(40, 3)
    assert drawn[:10] == mutants.draw(10, 3)
    assert drawn != mutants.draw(40, 4)
    assert len({(each.file, each.line) for each in drawn}) == 40
    assert {each.file[:15] for each in mutants.draw(5, 3, "formats/r*")} == {"stagg/formats/r"}


def test_every_module_has_tests_that_are_there(mutants: ModuleType) -> None:
    tests = mutants.Tests(ROOT)
    for path in sorted((ROOT / "src").rglob("*.py")):
        for stage in tests.stages(path.relative_to(ROOT / "src").as_posix()):
            places = stage.arguments[: stage.arguments.index("-k")] if "-k" in stage.arguments else stage.arguments
            assert [place for place in places if not (ROOT / place).exists()] == []
