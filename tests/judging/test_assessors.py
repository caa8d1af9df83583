"""Several assessors: what becomes of their grades, and κ against its definition."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from stagg.errors import DataError
from stagg.judging.assessors import Agreement, cohen_kappa, join_sheets, measure_agreement, tell_agreement
from stagg.judging.sheet import Row, Sheet

GRADES = ("0", "1", "2", "3", "cannot", "")


def sheet_of(assessor: str, grades: dict[str, str]) -> Sheet:
    return Sheet("5e1f", 1, 20, tuple(Row("q", item, grade, assessor) for item, grade in grades.items()))


def draw_sheets(seed: int, assessors: int = 3, items: int = 12) -> list[Sheet]:
    draw = random.Random(seed)
    return [
        sheet_of(f"a{k}", {f"d{i}": draw.choice(GRADES) for i in draw.sample(range(items), draw.randrange(items))})
        for k in range(assessors)
    ]


def kappa_by_definition(pairs: list[tuple[int, int]]) -> Fraction | None:
    """Cohen (1960), from the table of counts, with exact numbers."""
    kinds = sorted({kind for pair in pairs for kind in pair})
    table = [[Fraction(pairs.count((a, b)), len(pairs)) for b in kinds] for a in kinds]
    observed = sum((table[k][k] for k in range(len(kinds))), Fraction(0))
    columns = list(zip(*table, strict=True))
    expected = sum((sum(table[k]) * sum(columns[k]) for k in range(len(kinds))), Fraction(0))
    return None if expected == 1 else (observed - expected) / (1 - expected)


def test_kappa_is_its_definition() -> None:
    draw = random.Random(1)
    for _ in range(200):
        pairs = [(draw.randrange(3), draw.randrange(4)) for _ in range(draw.randrange(1, 9))]
        exact = kappa_by_definition(pairs)
        found = cohen_kappa(pairs)
        assert math.isnan(found) if exact is None else found == pytest.approx(float(exact), abs=1e-12)


def test_kappa_of_a_worked_example() -> None:
    """Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions (2003), table 18.1: κ = .676."""
    table = [[75, 1, 4], [5, 4, 1], [0, 0, 10]]
    pairs = [(a, b) for a, row in enumerate(table) for b, count in enumerate(row) for _ in range(count)]
    assert cohen_kappa(pairs) == pytest.approx(0.676, abs=5e-4)


def test_kappa_is_1_for_equal_grades_and_0_on_average_for_independent_ones() -> None:
    assert cohen_kappa([(0, 0), (1, 1), (3, 3)]) == 1
    assert math.isnan(cohen_kappa([]))
    assert math.isnan(cohen_kappa([(2, 2)] * 5))
    rng = np.random.default_rng(2)
    values = [cohen_kappa(list(map(tuple, rng.integers(0, 4, (100, 2)).tolist()))) for _ in range(300)]
    assert abs(np.mean(values)) < 4 * np.std(values) / math.sqrt(300)


def in_order(joined: object) -> str:
    """All of it as text, sets in order."""
    return repr(
        {name: sorted(value) if isinstance(value, frozenset) else value for name, value in vars(joined).items()}
    )


def test_the_order_of_sheets_and_rows_and_the_names_do_not_matter() -> None:
    for seed in range(20):
        sheets = draw_sheets(seed)
        first = join_sheets(sheets)
        assert list(first.grades) == sorted(first.grades)
        for again in itertools.permutations(sheets):
            turned = [Sheet(each.plan, each.batch, each.points, each.rows[::-1]) for each in again]
            assert in_order(join_sheets(turned)) == in_order(first)  # also where κ is NaN


def test_a_grade_is_the_mean_of_those_that_were_given() -> None:
    for seed in range(30):
        sheets = draw_sheets(seed)
        joined = join_sheets(sheets)
        rows = [row for sheet in sheets for row in sheet.rows if row.grade]
        for item in {row.item for row in rows}:
            given = [float(row.grade) for row in rows if row.item == item and row.grade != "cannot"]
            if given:
                assert joined.grades["q", item] == pytest.approx(np.mean(given))
                assert ("q", item) not in joined.cannot
            else:
                assert ("q", item) in joined.cannot
                assert ("q", item) not in joined.grades
        assert len(joined.grades) + len(joined.cannot) == len({row.item for row in rows})


def test_a_document_that_one_could_not_judge_has_the_grade_of_another() -> None:
    joined = join_sheets([sheet_of("ann", {"d": "cannot", "e": "cannot"}), sheet_of("ben", {"d": "2", "e": ""})])
    assert joined.grades == {("q", "d"): 2}
    assert joined.cannot == {("q", "e")}
    assert joined.agreement == Agreement(
        ("ben",), 0, 0, 0, pytest.approx(math.nan, nan_ok=True), pytest.approx(math.nan, nan_ok=True)
    )


def test_the_later_of_two_grades_by_one_assessor_counts() -> None:
    joined = join_sheets([sheet_of("ann", {"d": "0"}), sheet_of("ann", {"d": "3"}), sheet_of("ben", {"d": "1"})])
    assert joined.grades == {("q", "d"): 2}
    assert joined.agreement.differ == 1


def test_sheets_without_a_name_do_not_count_twice_and_do_not_agree_with_themselves() -> None:
    one = sheet_of("", {"d": "2", "e": "1"})
    joined = join_sheets([one, one, sheet_of("", {"e": "3"}), sheet_of("ann", {"d": "0"})])
    assert joined.grades == {("q", "d"): 1, ("q", "e"): 2}
    assert joined.agreement.assessors == ("ann",)
    assert tell_agreement(joined.agreement) == ""


def test_with_three_assessors_kappa_is_the_mean_over_pairs() -> None:
    draw = random.Random(4)
    given = {
        ("q", f"d{k}"): {name: float(draw.randrange(4)) for name in "abc" if draw.random() < 0.8} for k in range(40)
    }
    found = measure_agreement(given)
    pairs = [
        [(int(of[one]), int(of[two])) for of in given.values() if one in of and two in of]
        for one, two in (("a", "b"), ("a", "c"), ("b", "c"))
    ]
    assert found.kappa == pytest.approx(np.mean([float(kappa_by_definition(each) or 0) for each in pairs]))
    binary = [[(int(a >= 1), int(b >= 1)) for a, b in each] for each in pairs]
    assert found.relevant == pytest.approx(np.mean([float(kappa_by_definition(each) or 0) for each in binary]))
    assert (found.pairs, found.shared) == (3, sum(len(of) > 1 for of in given.values()))
    told = (
        f"3 assessors (a, b, c): {found.shared} documents have grades of two or more, {found.differ} of them different"
    )
    assert tell_agreement(found).startswith(told)
    assert "Mean κ of 3 pairs of assessors = " in tell_agreement(found)


def test_where_kappa_says_nothing_the_sentence_says_why() -> None:
    apart = measure_agreement({("q", "d"): {"ann": 1.0}, ("q", "e"): {"ben": 1.0}})
    assert tell_agreement(apart) == (
        "2 assessors (ann, ben): no document has grades of both, so nothing says how far they agree"
    )
    alike = measure_agreement({("q", k): {"ann\x1b[31m": 1.0, "ben": 1.0} for k in "de"})
    assert tell_agreement(alike) == (
        "2 assessors ('ann\\x1b[31m', ben): 2 documents have grades of both, all of them equal. "
        "κ is not defined, since all have the same grade"
    )


def test_a_grade_that_is_no_number_is_one_line() -> None:
    for grade in ("good", "nan", "1e999"):
        told = f"^query 'q', item 'd': the grade is '{grade}'; expected a number, 'cannot', or nothing"
        with pytest.raises(DataError, match=told):
            join_sheets([sheet_of("ann", {"d": grade})])
