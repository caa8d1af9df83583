"""The fusion report: its numbers are those of fuse and explain, its size is bounded, nothing is lost in silence."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import stagg
from stagg.data.rankings import Rankings
from stagg.errors import InvalidParameter
from stagg.report import fused_queries, fusion_report
from stagg.report.digest import MOST_RANKERS, RANKS
from tests.checks import some

SAMPLE = sorted((Path(stagg.__file__).parent / "sample").glob("*.trec"))


@pytest.fixture(scope="module")
def sample() -> Rankings:
    return stagg.read([str(path) for path in SAMPLE])


def random_rankings(queries: int, rankers: int, length: int, candidates: int, seed: int = 1) -> Rankings:
    rng = np.random.default_rng(seed)
    return Rankings.from_runs(
        {
            f"ranker-{k}": {
                f"query-{q:04}": {
                    f"document-{i:08}": float(-p) for p, i in enumerate(rng.permutation(candidates)[:length])
                }
                for q in range(queries)
            }
            for k in range(rankers)
        }
    )


@pytest.mark.parametrize("method", ["rrf(c=60)", "borda", "stagg_rrf", "stagg_bc(missing='skip')", "kemeny", "combsum"])
def test_the_numbers_are_those_of_fuse(sample: Rankings, method: str) -> None:
    options = {"weights": {"dense": 2.0}, "depth": 6, "intervals": 0.8, "draws": 50, "seed": 3}
    shown = fused_queries(sample, method, items=5, **options)  # type: ignore[arg-type]
    fused = stagg.fuse(sample, method, **options)  # type: ignore[arg-type]
    assert [each.query for each in shown.queries] == sorted(sample.queries)
    for each in shown.queries:
        scores = fused[each.query].scores[fused.rankers[0]]
        assert each.items == tuple(scores)[:5]
        assert each.size == len(scores)
        np.testing.assert_array_equal(each.scores, list(scores.values())[:5])
        first = fused.item_offsets[fused.query_number(each.query)]
        assert fused.intervals is not None
        assert each.intervals is not None
        np.testing.assert_array_equal(each.intervals.low, fused.intervals.low[first : first + 5])
        np.testing.assert_array_equal(each.intervals.high, fused.intervals.high[first : first + 5])


@pytest.mark.parametrize(
    "method", ["rrf(c=60)", "stagg_rrf", "stagg_bc(missing='skip')", "stagg_rrf(missing='neutral')"]
)
def test_ranks_parts_and_chances_are_those_of_explain(method: str) -> None:
    rankings = Rankings.from_lists({"x": ["a", ["b", "c"], "d"], "y": ["c", "e"], "z": [["e", "a", "f"]]})
    shown = fused_queries(rankings, method, weights=[2, 1, 1])["1"]
    for i, item in enumerate(some(shown.items)):
        told = stagg.explain(rankings, method, item=item, weights=[2, 1, 1])
        assert told.rank == i + 1
        assert [None if np.isnan(r) else r for r in shown.ranks[:, i]] == [each.rank for each in told.rankers]
        assert shown.parts is not None
        assert shown.rest is not None
        np.testing.assert_allclose(shown.parts[:, i], [each.contribution for each in told.rankers], rtol=1e-12)
        np.testing.assert_allclose(shown.parts[:, i].sum() + shown.rest[i], shown.scores[i], rtol=1e-12)
        assert shown.chances is not None
        assert shown.drawn == (told.distribution is None)
        if told.distribution is not None:
            np.testing.assert_allclose(shown.chances[i, :6], told.distribution, atol=1e-12)
            np.testing.assert_allclose(shown.chances[i, -1], 0, atol=1e-12)


def test_later_ranks_are_gathered_in_the_last_column() -> None:
    rankings = random_rankings(1, 3, 60, 90)
    shown = fused_queries(rankings, "stagg_rrf", items=90).queries[0]
    whole = stagg.rank_distribution(rankings, "stagg_rrf")["query-0000"]
    assert shown.chances is not None
    for item, row in some(zip(shown.items, shown.chances, strict=True)):
        np.testing.assert_allclose(row[:RANKS], whole.of(item)[:RANKS], atol=1e-12)
        np.testing.assert_allclose(row[RANKS], whole.of(item)[RANKS:].sum(), atol=1e-12)


def test_a_method_without_contests_shows_the_draws_that_its_intervals_are_made_of(sample: Rankings) -> None:
    for shown in some(fused_queries(sample, "rrf").queries):
        assert shown.chances is not None
        assert shown.intervals is not None
        np.testing.assert_allclose(shown.chances.sum(axis=1), 1)
        below = np.cumsum(shown.chances, axis=1)
        for row, low, high in some(zip(below, shown.intervals.low, shown.intervals.high, strict=True)):
            assert row[high - 1] >= 0.95 - 1e-9  # nineteen in twenty draws are at or above the upper end
            assert low == 1 or row[low - 2] <= 0.05 + 1e-9


def data_of(text: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(re.findall(r'id="fusion">(.*?)</script>', text)[0])
    return found


def test_the_page_holds_the_numbers(sample: Rankings) -> None:
    data = data_of(fusion_report(sample, "stagg_rrf"))
    shown = fused_queries(sample, "stagg_rrf")
    assert data["rankers"] == list(shown.rankers)
    for told, each in some(zip(data["queries"], shown.queries, strict=True)):  # type: ignore[call-overload]
        assert told["id"] == each.query
        assert told["items"] == list(each.items)
        np.testing.assert_allclose(told["scores"], each.scores, rtol=1e-4)
        np.testing.assert_allclose(np.array(told["parts"]) * told["unit"], each.parts, atol=told["unit"])
        np.testing.assert_allclose(np.array(told["chances"]) / 1000, each.chances, atol=0.0006)
        np.testing.assert_array_equal(told["ranks"], np.nan_to_num(each.ranks))


def test_two_hundred_queries_take_less_than_two_megabytes() -> None:
    text = fusion_report(random_rankings(200, MOST_RANKERS, 25, 30), "stagg_rrf", draws=50)
    controls = "".join(re.findall(r'id="explorer">(.*?)</script>', text))
    assert len(text.encode()) - len(controls.encode()) < 2_000_000
    assert 0 < len(controls) < 5_000_000
    assert len(data_of(text)["queries"]) == 200  # type: ignore[arg-type]


def test_what_is_not_shown_is_said() -> None:
    rankings = random_rankings(7, MOST_RANKERS + 3, 10, 40)
    shown = fused_queries(rankings, "kemeny(exact=False)", queries=4, items=6)
    assert len(shown.queries) == 4
    notes = " ".join(shown.notes)
    assert "first 4 of 7 queries" in notes
    assert f"The {MOST_RANKERS} rankers" in notes
    assert "first 6 of the consensus" in notes
    assert "No rank intervals" in notes


def test_rankers_that_are_not_shown_still_give_their_parts() -> None:
    rankings = random_rankings(1, MOST_RANKERS + 3, 10, 40)
    shown = fused_queries(rankings, "rrf", weights=[1.0, 1.0, 1.0, *[2.0] * MOST_RANKERS]).queries[0]
    assert shown.rankers == rankings.rankers[3:]
    assert shown.parts is not None
    assert shown.rest is not None
    assert shown.rest.any()
    np.testing.assert_allclose(shown.parts.sum(axis=0) + shown.rest, shown.scores, rtol=1e-12)


@pytest.mark.parametrize(("method", "absent"), [("kemeny", {"chances", "parts"}), ("rrf", set()), ("stagg", set())])
def test_charts_that_a_method_has_not_are_left_out_with_a_sentence(
    sample: Rankings, method: str, absent: set[str]
) -> None:
    text = fusion_report(sample, method).partition("<script")[0]
    for name in ("consensus", "bump", "chances", "parts"):
        assert (f'<figure id="{name}"' in text) == (name not in absent)
    assert ("has no rank distribution" in text) == ("chances" in absent)
    assert ("there are no contributions" in text) == ("parts" in absent)


@pytest.mark.parametrize(
    "rankings",
    [
        Rankings.from_lists([]),
        Rankings.from_lists([["a"]]),
        Rankings.from_lists([[], []]),
        Rankings.from_lists([["a"], ["b"]]),
        Rankings.from_lists([[["a", "b", "c"]]]),
    ],
)
def test_small_and_empty_inputs_have_a_report_too(rankings: Rankings) -> None:
    for method in ("stagg_rrf", "borda", "mc4"):
        assert fusion_report(rankings, method).endswith("</html>\n")


def test_the_same_input_gives_the_same_bytes_whatever_the_hash_seed() -> None:
    program = (
        "import stagg, hashlib, sys\nfrom stagg.report import fusion_report\n"
        f"rankings = stagg.read({[str(path) for path in SAMPLE]!r})\n"
        "sys.stdout.write(hashlib.sha256(fusion_report(rankings, 'stagg_rrf').encode()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1
    assert all(found)


def test_wrong_bounds_are_refused(sample: Rankings) -> None:
    with pytest.raises(InvalidParameter, match="items"):
        fusion_report(sample, items=0)
    with pytest.raises(InvalidParameter, match="queries"):
        fusion_report(sample, queries=0)


def test_every_figure_has_its_title_above_and_its_caption_below(sample: Rankings) -> None:
    page = fusion_report(sample, "stagg_rrf")
    figures = dict(re.findall(r"<figcaption><h3>(.*?)</h3><p>(.*?)</p>", page))
    assert list(figures) == [
        "Ranks", "From the rankers to the consensus", "Rank distribution", "Contributions", *list(figures)[4:-2],
        "Order", "Overlap",
    ]  # fmt: skip
    assert figures["Ranks"].startswith("The consensus, best first.")
    assert figures["Overlap"].startswith("The share of the items")
    assert all(len(title) < 40 and len(caption) > len(title) for title, caption in some(figures.items()))
