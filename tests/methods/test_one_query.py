"""``stagg_trust`` on one query with many lists: what its items teach, families, and p-values by permutation."""

from __future__ import annotations

import gzip
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.command_line import Run, runner

from stagg import Rankings, explain, fuse, train
from stagg.errors import DataWarning, InvalidParameter
from stagg.learning import load_model
from stagg.methods import method_of
from stagg.methods.stochastic.trust import Trusted


@pytest.fixture
def stagg(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    return runner(capfdbinary)


def world(seed: int, *, related: bool = False) -> tuple[dict[str, list[Any]], dict[str, str], set[str]]:
    """Lists of unequal quality, some unranked (one tied block), of 2,000 things of which 100 matter; their families."""
    rng = np.random.default_rng([40, seed])
    known = np.where(np.arange(2000) < 100, rng.normal(2.0, 0.7, 2000), rng.normal(0, 0.9, 2000))
    families = {f"l{k:02}": f"f{k % 4 if k < 12 else k}" for k in range(20)} if related else {}
    bias = {family: rng.normal(size=2000) for family in sorted(set(families.values()))}
    lists: dict[str, list[Any]] = {}
    for k in range(20):
        name, quality = f"l{k:02}", 0.0 if k % 3 == 0 else rng.uniform(0.1, 0.6)
        noise = rng.normal(size=2000)
        if related:
            noise = 0.8 * bias[families[name]] + 0.6 * noise
        said = quality * known + np.sqrt(1 - quality**2) * noise
        best = [f"g{i:04}" for i in np.argsort(-said)[: int(rng.integers(10, 300))]]
        lists[name] = best if rng.random() < 0.4 else [best]
    return lists, families, {f"g{i:04}" for i in range(100)}


def flat(groups: list[Any]) -> list[str]:
    return [item for group in groups for item in (group if isinstance(group, list) else [group])]


def hits(fused: Rankings, truth: set[str]) -> int:
    return sum(item in truth for item in fused.best_first()[:100])


def test_the_items_teach_more_than_equal_votes() -> None:
    gained = []
    for seed in range(12):
        lists, _, truth = world(seed)
        gained.append(hits(fuse(lists, "stagg_trust"), truth) - hits(fuse(lists, "rrf"), truth))
    assert np.mean(gained) > 1


@pytest.mark.parametrize(("items", "rankers", "length"), [(60, 6, 60), (200, 12, 200), (200, 12, 100)])
def test_lists_of_all_or_half_of_the_items_are_no_worse_than_with_equal_votes(
    items: int, rankers: int, length: int
) -> None:
    gained = []
    for seed in range(15):
        rng = np.random.default_rng([7, seed])
        truth = rng.normal(size=items)
        known = {f"g{i}" for i in np.argsort(-truth)[: items // 10]}
        said = {f"l{k:02}": truth + rng.uniform(0.5, 5) * rng.normal(size=items) for k in range(rankers)}
        lists = {name: [f"g{i}" for i in np.argsort(-each)[:length]] for name, each in said.items()}
        trusted, plain = (fuse(lists, method).best_first()[: len(known)] for method in ("stagg_trust", "rrf"))
        gained.append(len(known & set(trusted)) - len(known & set(plain)))
    assert np.mean(gained) > -0.2


def test_families_that_are_named_have_one_vote_for_an_item() -> None:
    gained = []
    for seed in range(12):
        lists, families, truth = world(seed, related=True)
        gained.append(
            hits(fuse(lists, f"stagg_trust(families={families})"), truth) - hits(fuse(lists, "stagg_trust"), truth)
        )
    assert np.mean(gained) > 1


def test_of_a_family_only_the_largest_vote_counts() -> None:
    lists = {f"a{k}": [f"g{i:02}" for i in range(k, 60)] for k in range(4)} | {
        "b": ["g00", "g01"],
        "c": [["g59", "g01"]],
    }
    families = dict.fromkeys(["a0", "a1", "a2", "a3"], "a")
    bound, given = method_of(f"stagg_trust(families={families})").bind(Rankings.from_lists(lists))
    assert isinstance(bound, Trusted)
    gains, rest = bound.gains_and_rest(given)
    assert rest is None
    owners = [given.rankers[k] for k in given.list_rankers[given.entry_lists]]
    per_item: dict[int, int] = {}
    for owner, item, gain in zip(owners, given.entries.tolist(), gains.tolist(), strict=True):
        if owner.startswith("a") and gain > 0:
            per_item[item] = per_item.get(item, 0) + 1
    assert set(per_item.values()) == {1}


def test_an_unranked_list_is_one_block_with_one_vote() -> None:
    lists, _, _ = world(1)
    bound, given = method_of("stagg_trust").bind(Rankings.from_lists(lists))
    assert isinstance(bound, Trusted)
    gains = bound.gains_and_rest(given)[0]
    for row, (start, end) in enumerate(itertools.pairwise(given.entry_offsets.tolist())):
        unranked = isinstance(lists[given.rankers[given.list_rankers[row]]][0], list)
        assert (len(set(gains[start:end].tolist())) == 1) == (unranked or end - start == 1)


def test_copies_count_once_and_the_order_of_the_lists_does_not_matter() -> None:
    lists, _, _ = world(2)
    alone = fuse(lists, "stagg_trust")
    again = fuse({f"z{name}": each for name, each in lists.items() if name == "l00"} | lists, "stagg_trust")
    backwards = fuse(dict(reversed(lists.items())), "stagg_trust")
    assert again.to_dict() == alone.to_dict() == backwards.to_dict()
    bound, _ = method_of("stagg_trust").bind(Rankings.from_lists({**lists, "zl00": lists["l00"]}))
    assert isinstance(bound, Trusted)
    assert bound.trust.rankers["zl00"].copy_of == "l00"


def test_a_weight_multiplies_and_weight_0_is_absent() -> None:
    lists, _, _ = world(3)
    without = {name: each for name, each in lists.items() if name != "l01"}
    zero = fuse(lists, "stagg_trust", weights={"l01": 0}).to_dict()["1"]
    assert fuse(without, "stagg_trust").to_dict()["1"].items() <= zero.items()
    weighted = fuse(lists, "stagg_trust", weights=dict.fromkeys(lists, 3.0)).to_dict()["1"]
    assert weighted == pytest.approx({item: 3 * v for item, v in fuse(lists, "stagg_trust").to_dict()["1"].items()})


@pytest.mark.parametrize(
    ("lists", "why"),
    [
        ({f"l{k}": [f"g{i}" for i in range(60)][k:] for k in range(4)}, "here there are 4 and 60"),
        ({f"l{k}": [f"g{i}" for i in range(40)][k:] for k in range(9)}, "here there are 9 and 40"),
        ({f"l{k}": [f"g{i}" for i in range(60)] for k in range(6)}, "here there are 1 and 60"),
    ],
)
def test_too_little_is_plain_rrf_with_the_reason(lists: dict[str, list[str]], why: str) -> None:
    with pytest.warns(DataWarning, match=why):
        found = fuse(lists, "stagg_trust")
    assert found.to_dict() == fuse(lists, "rrf").to_dict()


@pytest.mark.filterwarnings("ignore:.*share no item:stagg.errors.DataWarning")
def test_lists_that_share_no_item_teach_nothing() -> None:
    lists = {f"l{k}": [f"g{k}-{i}" for i in range(20)] for k in range(6)}
    with pytest.warns(DataWarning, match="no list shares an item with a list of another family"):
        assert fuse(lists, "stagg_trust").to_dict() == fuse(lists, "rrf").to_dict()


def test_two_queries_are_learned_from_as_before() -> None:
    lists, _, _ = world(4)
    two = Rankings.from_runs(
        {
            name: {q: {item: -float(rank) for rank, item in enumerate(flat(each))} for q in "ab"}
            for name, each in lists.items()
        }
    )
    bound, _ = method_of("stagg_trust").bind(two)
    assert isinstance(bound, Trusted)
    assert not bound.trust.of_items
    assert bound.trust.queries == 2


def test_p_values_are_small_for_what_many_lists_hold_and_even_where_lists_are_random() -> None:
    lists, _, truth = world(5)
    fused = fuse(lists, "stagg_trust(permutations=20)")
    found = {hit.item: (hit.p, hit.q) for hit in fused.hits()}
    best, last = fused.best_first()[0], fused.best_first()[-1]
    assert best in truth
    assert found[best][0] < 1e-3
    assert found[last][0] > 0.1
    assert all(p <= q <= 1 for p, q in found.values())
    order = [found[item][0] for item in fused.best_first()]
    assert order == sorted(order)
    rng = np.random.default_rng(0)
    random = {f"r{k}": [[f"g{i}" for i in rng.permutation(400)[:60]]] for k in range(12)}
    p = np.array([hit.p for hit in fuse(random, "stagg_trust(permutations=20)").hits()])
    assert (p < 0.05).mean() < 0.09  # of 400 items; the weights were learned from the same lists
    assert p.min() > 1 / 400 / 20


def test_p_values_do_not_depend_on_the_order_of_the_lists() -> None:
    lists, families, _ = world(6, related=True)
    text = f"stagg_trust(families={families}, permutations=3, seed=4)"
    one, two = fuse(lists, text), fuse(dict(reversed(lists.items())), text)
    assert [(hit.item, hit.p, hit.q) for hit in one.hits()] == [(hit.item, hit.p, hit.q) for hit in two.hits()]
    other = fuse(lists, text.replace("seed=4", "seed=5"))
    assert [hit.p for hit in other.hits()] != [hit.p for hit in one.hits()]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stagg_trust(families='a')", "must be {ranker: family}"),
        ("stagg_trust(families={'a': 1})", "names a ranker and its family"),
        ("stagg_trust(families={'a': 'x'}, missing='below')", "with families absence gives nothing"),
        ("stagg_trust(permutations=0)", "permutations"),
        ("stagg_trust(seed=-1)", "seed"),
    ],
)
def test_wrong_parameters_are_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        method_of(text)


def test_a_family_of_a_ranker_that_is_not_there_is_told() -> None:
    lists, _, _ = world(1)
    with pytest.warns(DataWarning, match="no ranker 'l99' to have a family"):
        found = fuse(lists, "stagg_trust(families={'l99': 'x'})")
    assert found.to_dict() == fuse(lists, "stagg_trust").to_dict()


def test_a_saved_model_of_one_query_gives_the_same_again(tmp_path: Path) -> None:
    lists, _, _ = world(7)
    given = Rankings.from_lists(lists)
    train(given, "trust").save(tmp_path / "model.json")
    assert fuse(given, load_model(tmp_path / "model.json")).to_dict()["1"] == fuse(given, "stagg_trust").to_dict()["1"]


def test_an_explanation_adds_up() -> None:
    lists, _, _ = world(8)
    given = Rankings.from_lists(lists)
    best = fuse(given, "stagg_trust").hits()[0]
    parts = [each.contribution for each in explain(given, "stagg_trust", item=best.item).rankers]
    assert sum(part for part in parts if part is not None) == pytest.approx(best.score)


def test_the_command_line_takes_families_by_name_or_from_a_table(tmp_path: Path, stagg: Run) -> None:
    lists, families, _ = world(9, related=True)
    (tmp_path / "lists.json").write_text(json.dumps(lists))
    (tmp_path / "families.csv").write_text("list,family\n" + "".join(f"{a},{b}\n" for a, b in families.items()))
    called = ["fuse", tmp_path / "lists.json", "--outer", "ranker", "-q", "--method", "stagg_trust", "--families"]
    by_file = stagg(*called, tmp_path / "families.csv")
    by_name = stagg(*called, ",".join(f"{a}={b}" for a, b in families.items()))
    assert by_file.code == by_name.code == 0
    assert by_file.out == by_name.out
    assert [line.split()[2] for line in by_file.out.splitlines()][:5] == fuse(
        lists, f"stagg_trust(families={families})"
    ).best_first()[:5]
    refused = stagg("fuse", tmp_path / "lists.json", "--method", "rrf", "--families", "l01=a")
    assert refused.code == 2
    assert "stagg_trust" in refused.err
    assert stagg(*called, "l01").code == 2
    (tmp_path / "odd.csv").write_bytes(b"list,family\nl01\n\xff\n")
    for odd in (tmp_path / "odd.csv", tmp_path, "l01=", "=a"):
        said = stagg(*called, odd)
        assert said.code == 2
        assert "expected list=family" in said.err


def test_the_sars_cov_2_lists_have_as_many_known_genes_as_is_written_down(shared_data: Path) -> None:
    """.48 of the first 100: docs/collections.md."""
    folder = shared_data / "gene-lists"
    with gzip.open(folder / "sars_cov_2_input.txt.gz", "rt") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    with gzip.open(folder / "sars_cov_2_truth.txt.gz", "rt") as file:
        truth = set(file.read().strip().split("\t")[4:])
    lists = {row[1]: row[4:] if row[2] == "RANKED" else [row[4:]] for row in rows}
    assert hits(fuse(lists, "stagg_trust"), truth) == 48
