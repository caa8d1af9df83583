"""Elections with large, odd and wrong numbers of voters: the order that plain Python finds, or one line of error."""

from __future__ import annotations

import random
import re
import tempfile
import warnings
from pathlib import Path

from tests.methods.plain_rules import RULES, Ballot

from attack.verdict import Attack, alarm
from stagg import DataError, elect, read

MOST = 2**63 - 1
SIZES = [1, 3, 10**6, 2**31, 10**9, 2**53, 2**60, 2**62, MOST]
ODD = ["0", "00", "9223372036854775808", "18446744073709551616", "1" + "0" * 30, "9" * 5000, "-1", "1.5", "nan", "1e3"]
NAMES = "abcd"
SECONDS = 20


def attack(seed: int, seconds: float) -> Attack:
    warnings.simplefilter("ignore")
    found = Attack("counts", "elections with large, odd and wrong counts", seconds)
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        while found.has_time():
            kind = rng.choice([*WRITERS])
            cast = _cast(rng)
            data = WRITERS[kind](cast).encode()
            path = Path(folder, kind)
            path.write_bytes(data)
            wrong = _judge(path, cast, rng)
            if wrong:
                found.report(f"{kind}: {wrong}", data)
            found.count()
    return found


Cast = list[tuple[str, list[list[str]]]]
"""Ballots: the text of the count, and tied groups of candidates."""


def _cast(rng: random.Random) -> Cast:
    """Ballots whose counts differ by a voter or two, and now and then one that is no count."""
    size, names = rng.choice(SIZES), NAMES[: rng.randint(2, 4)]
    cast: Cast = []
    for _ in range(rng.randint(1, 5)):
        groups = [[name] for name in rng.sample(names, rng.randint(1, len(names)))]
        while len(groups) > 1 and rng.random() < 0.3:
            groups[:2] = [groups[0] + groups[1]]
        count = str(max(0, size // rng.choice((1, 1, 1, 2)) + rng.randint(-1, 1)))
        cast.append((rng.choice(ODD) if rng.random() < 0.05 else count, groups))
    return cast


def _judge(path: Path, cast: Cast, rng: random.Random) -> str | None:
    """What is wrong with what stagg makes of a file; None if nothing is."""
    ballots: list[Ballot] = [(int(text), groups) for text, groups in cast if re.fullmatch("[0-9]{1,40}", text)]
    voters = sum(count for count, _ in ballots)
    right = len(ballots) == len(cast) and 0 < voters <= MOST
    rules = rng.sample(sorted(RULES), 3)
    try:
        with alarm(SECONDS):
            found = elect(read(path, names=path.suffix == ".toi"), rules, draws=0, margins=rng.random() < 0.2)
    except DataError as error:
        told = str(error)
        return f"refused: {told}" if right or not told.isprintable() else None
    except BaseException as error:
        return f"{type(error).__name__} {error}"
    if not right or found.voters != voters:
        return f"{found.voters} voters were counted"
    counted = [ballot for ballot in ballots if ballot[0]]
    if path.suffix == ".toi":  # whom its header names is a candidate, also if nobody lists him
        counted.append((0, [[*NAMES]]))
    for each in found.results:
        expected = RULES[each.rule](counted)
        if [set(group) for group in each.order] != expected:
            return f"{each.rule} gives {each.order}, plain Python {expected}"
    return None


def _preflib(cast: Cast) -> str:
    numbers = {name: str(number) for number, name in enumerate(NAMES, start=1)}
    lines = [f"# NUMBER ALTERNATIVES: {len(NAMES)}"]
    lines += [f"# ALTERNATIVE NAME {number}: {name}" for name, number in numbers.items()]
    for count, groups in cast:
        texts = [",".join(numbers[name] for name in group) for group in groups]
        lines.append(f"{count}: " + ",".join(f"{{{text}}}" if "," in text else text for text in texts))
    return "\n".join(lines) + "\n"


def _table(cast: Cast) -> str:
    """A row for every ballot, a column for every choice."""
    rows = ["voter,1st choice,2nd choice,3rd choice,4th choice,count"]
    for number, (count, groups) in enumerate(cast):
        cells = ["=".join(group) for group in groups] + [""] * (4 - len(groups))
        rows.append(",".join([f"v{number}", *cells, count]))
    return "\n".join(rows) + "\n"


def _long(cast: Cast) -> str:
    """A row for every candidate on a ballot."""
    rows = ["ranker,item,rank,multiplicity"]
    for number, (count, groups) in enumerate(cast):
        rows += [f"v{number},{name},{place},{count}" for place, group in enumerate(groups, 1) for name in group]
    return "\n".join(rows) + "\n"


WRITERS = {"x.toi": _preflib, "ballots.csv": _table, "long.csv": _long}
