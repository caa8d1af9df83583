"""A remedy that a message names works: each is applied to the very file, and is no answer in vain."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from attack.cases import repack
from attack.invented import invent
from stagg.errors import StaggError
from stagg.formats import ReadLog, ReadOptions, load
from tests.door.cases import CASES
from tests.door.people import answered, answers, list_cases

OPTIONS = {field.name for field in dataclasses.fields(ReadOptions)} | {"format"}
INVENTED = 100
DEPTH = 1  # questions that follow on an answer

Input = tuple[str, dict[str, bytes], dict[str, Any], bool]
"""A name, files, options that are given, whether they are ballots."""


def list_inputs() -> Iterator[Input]:
    for case in CASES:
        content = case.content.encode(errors="surrogatepass") if isinstance(case.content, str) else case.content
        if isinstance(content, bytes):
            yield case.says, {case.file: content}, {}, False
    for each in list_cases():
        if each.call in ("read", "elect", "folder"):
            yield each.name, each.files, each.options, each.call == "elect"
    for number in range(INVENTED):
        rng = random.Random(f"remedies {number}")
        kind = ("csv", "csv", "csv", "json", "jsonl")[number % 5]
        yield f"invented {number}", {f"x.{kind}": repack(invent(kind, rng))}, {}, bool(number % 3)


def refuse(paths: list[Path], options: dict[str, Any], ballots: bool) -> StaggError | None:
    named = {name: value for name, value in options.items() if name != "format"}
    try:
        load(
            paths,
            format=options.get("format", "auto"),
            options=ReadOptions(**named),
            log=ReadLog(),
            ballots=ballots,
        )
    except StaggError as error:
        return error
    return None


def follow(paths: list[Path], options: dict[str, Any], ballots: bool, depth: int = DEPTH) -> Iterator[str]:
    """The remedies that help nothing: after them the same is said."""
    error = refuse(paths, options, ballots)
    for say in answers(error) if error is not None else ():
        more = answered(options, say)
        if OPTIONS.issuperset(say.options):
            again = refuse(paths, more, ballots)
            if str(again) == str(error):
                yield f"{options}: {error}\n  {say}"
            elif depth:
                yield from follow(paths, more, ballots, depth - 1)


@pytest.mark.parametrize("part", range(4))
def test_no_remedy_that_is_offered_leads_to_the_same_sentence(part: int, tmp_path: Path) -> None:
    vain, offered = [], 0
    for number, (name, files, options, ballots) in enumerate(list_inputs()):
        if number % 4 != part:
            continue
        folder = tmp_path / str(number)
        for file, content in files.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_bytes(content)
        paths = [folder / file for file in files]
        offered += refuse(paths, options, ballots) is not None
        vain += [f"{name} {each}" for each in follow(paths, options, ballots)]
    assert offered > 10
    assert not vain, "\n".join(vain)
