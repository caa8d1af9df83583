"""The paper's experiments on made-up data: agreement with compare and robustness, the store, processes, claims."""

from __future__ import annotations

import dataclasses
import json
import shutil
import signal
import subprocess
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.paper.letor_like import write_letor
from tests.paper.reproduced import FEW, few_learned

from stagg import fuse
from stagg.errors import DataError, InvalidParameter, StaggError, UnknownName
from stagg.evaluation import compare, robustness
from stagg.paper import EXPERIMENTS, Finished, Reproduction, Setup, reproduce
from stagg.paper.experiments.base import gather_values
from stagg.paper.experiments.figure4 import SIZES
from stagg.paper.experiments.printed import MEASURES, SETS, TABLE1
from stagg.paper.experiments.readings import MEET, READINGS, list_main_readings
from stagg.paper.rows import measure_gain, select
from stagg.paper.views import ORDERS, View, digest_sets, open_view
from stagg.paper.work.jobs import DrawJob, FoldJob, FusionJob, Job, RankersJob
from stagg.paper.work.processes import Processes
from stagg.paper.work.store import Store

READ = {values: sum(values in each.orders for each in READINGS) for values in ORDERS}
JOBS = len(SETS) * (sum(READ.values()) + 2)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_letor(tmp_path_factory.mktemp("letor"))


@pytest.fixture(scope="module")
def table1(data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Reproduction]:
    """(the folder of answers, what came out)."""
    cache = tmp_path_factory.mktemp("cache")
    return cache, run(data, cache, "table1")


def run(data: Path, cache: Path, *only: str, **options: object) -> Reproduction:
    """In this process."""
    setup = {f.name: options.pop(f.name) for f in dataclasses.fields(Setup) if f.name in options}
    return reproduce(Setup(str(data), **setup), cache, only=only, threads=0, **options)  # type: ignore[arg-type]


# --- Table 1 ----------------------------------------------------------------------------------------------------------


def test_every_row_of_table_1_is_there_read_both_ways_with_its_difference(table1: tuple[Path, Reproduction]) -> None:
    rows = table1[1].parts[0].result.tables["table1"].rows
    assert len(rows) == len(SETS) * sum(READ.values()) * len(MEASURES)
    for name in SETS:
        for row, printed in TABLE1[name].items():
            for values in ("score", "rank"):
                mine = [r for r in rows if (r["set"], r["row"], r["values"], r["reading"]) == (name, row, values, "")]
                assert [r["paper"] for r in mine] == list(printed)
                assert [r["ours"] - r["paper"] for r in mine] == [r["difference"] for r in mine]
                assert all((r["p_holm"] is None) == (row == "BordaCount") for r in mine)


def test_table_1_is_what_compare_finds(data: Path, table1: tuple[Path, Reproduction]) -> None:
    view = open_view(View(str(data), "MQ2008-agg", "rank"))
    methods = ["borda(missing='skip')", "rrf(c=10)", "stagg_rrf(c=9, missing='neutral', shape='paper')"]
    expected = compare(view.rankings, view.labels, methods, learners="best_input", conventions="letor4", seed=0)
    rows = table1[1].parts[0].result.tables["table1"].rows
    for method, wanted in zip([*methods, "best_input(measure='ndcg@5')"], expected.values.mean(axis=2), strict=True):
        mine = [r for r in rows if (r["set"], r["method"], r["values"]) == ("MQ2008-agg", method, "rank")]
        assert [r["ours"] for r in mine] == wanted.tolist()
    borda, rrf = ([r for r in expected.table.rows if r["method"].startswith(name)] for name in ("borda", "rrf"))
    mine = select(rows, set="MQ2008-agg", row="RRF", values="rank", reading="")
    assert [r["p_t"] for r in mine] == [r["p_t"] for r in rrf]
    assert [r["low"] for r in mine] == [r["low"] for r in rrf]
    assert all(r["p_t"] is None for r in borda)


def test_c_of_stochastic_rrf_counts_ranks_from_0_as_the_paper_does() -> None:
    by_name = {row.row: row for row in list_main_readings()}
    assert by_name["RRF"].write_method("MQ2007-agg") == "rrf(c=40)"
    assert by_name["St.Agg_RRF"].write_method("MQ2007-agg").startswith("stagg_rrf(c=39,")
    assert by_name["St.Agg_RRF"].write_method("MQ2008-agg").startswith("stagg_rrf(c=9,")


def test_file_order_forgets_the_numbers_and_keeps_the_lines(data: Path) -> None:
    small, lines = (open_view(View(str(data), "MQ2007-agg", values)).rankings for values in ("rank", "lines"))
    assert (lines.items, lines.rankers, lines.has_ties, lines.scores) == (small.items, small.rankers, False, None)
    for view, wanted in zip(lines, small, strict=True):
        order = {item: place for place, item in enumerate(wanted.items)}
        for ranker, groups in view.lists.items():
            held = [item for group in wanted.lists[ranker] for item in group]
            assert [item for [item] in groups] == sorted(held, key=order.__getitem__)


def test_rrf_in_file_order_is_the_sum_of_1_over_c_plus_the_place_from_0(data: Path) -> None:
    """FINDINGS, section 5, written out: the lines of a file, one query after the other, without stagg's readers."""
    places: dict[tuple[str, str], int] = {}
    scores: dict[str, float] = {}
    for line in (data / "MQ2008-agg" / "A1.txt").read_text().splitlines():
        cells, _, comment = line.partition("#docid = ")
        _, query, *numbers = cells.split()
        for ranker, number in (cell.split(":") for cell in numbers):
            if number != "NULL":
                place = places.setdefault((query, ranker), 0)
                places[query, ranker] += 1
                scores[comment.split()[0]] = scores.get(comment.split()[0], 0.0) + 1 / (5 + place)
    fitted = next(each for each in READINGS if (each.row, each.note) == ("RRF", MEET["RRF"][1]))
    view = open_view(View(str(data), "MQ2008-agg", "lines"))
    for query in view.parts[0]:
        fused = fuse(view.rankings.take_queries([view.rankings.query_number(query)]), fitted.write_method("MQ2008-agg"))
        [mine] = fused[query].scores.values()
        assert mine == pytest.approx({item: scores.get(item, 0.0) for item in mine}, abs=1e-12)


def test_the_reading_that_meets_a_row_is_named_with_how_near_it_comes(table1: tuple[Path, Reproduction]) -> None:
    result = table1[1].parts[0].result
    [claim] = [claim for claim in result.claims if claim.paper.startswith("Its figures in the rows")]
    assert claim.paper == "Its figures in the rows BestInput, BordaCount and RRF."
    rows, equal = result.tables["table1"].rows, 0
    for said, (row, (values, note)) in zip(claim.here[:-1], MEET.items(), strict=True):
        distances = [abs(r["difference"]) for r in select(rows, row=row, values=values, reading=note)]
        same = sum(each <= 5e-5 for each in distances)
        equal += same
        assert said.endswith(f": {same} of 8 cells are equal to four digits, the largest difference is "
                             f"{max(distances):.4f}.")  # fmt: skip
    assert claim.here[-1] == f"Together {equal} of 24 cells are equal to four digits."
    assert "RRF, file order, C = 10 and 5: " in claim.here[2]


def test_claims_are_made_of_the_numbers(data: Path, table1: tuple[Path, Reproduction]) -> None:
    result = table1[1].parts[0].result
    cells = {(r["row"], r["reading"], r["values"]): r["ours"] for r in result.tables["table1"].rows
             if (r["set"], r["measure"]) == ("MQ2007-agg", "ndcg@5")}  # fmt: skip
    gain = next(claim for claim in result.claims if claim.paper.startswith("St.Agg_BC is 79.7 % above BordaCount"))
    for values, said, holds in zip(("score", "rank"), gain.here, gain.holds, strict=True):
        base = cells["BordaCount", "", values]
        letter, losing, own = (
            measure_gain(cells["St.Agg_BC", reading, values], base)
            for reading in ("", "absent loses", "own items only")
        )
        assert f": {letter:+.1f} % as printed, with other readings at best {max(losing, own):+.1f} % (" in said
        assert holds == (max(letter, losing, own) > 79.5)
    assert "4.1 %" in next(claim.paper for claim in result.claims if "4.8 %" in claim.paper)


def test_the_rankers_alone_show_which_end_is_the_top(data: Path, table1: tuple[Path, Reproduction]) -> None:
    result = table1[1].parts[0].result
    view = open_view(View(str(data), "MQ2007-agg", "rank"))
    for row in result.tables["table1-rankers"].rows[21:24]:  # the made-up numbers are ranks
        alone = view.rankings.take_rankers([view.rankings.rankers.index(row["ranker"])])
        expected = compare(alone, view.labels, "borda", measures="ndcg@5", conventions="letor4").table.rows[0]["mean"]
        assert (row["set"], row["values"], row["mean"]) == ("MQ2007-agg", "rank", expected)
    small, large = (RankersJob(View(str(data), "MQ2007-agg", values)).answer() for values in ("rank", "score"))
    assert (small["above"] + large["above"], small["pairs"]) == (small["pairs"], large["pairs"])
    assert small["above"] > 0.6 * small["pairs"]
    assert result.claims[0].here[0].startswith("MQ2007-agg: 21 of 21 rankers alone have the higher ndcg@5 with small")


def test_the_nearest_reading_comes_first(table1: tuple[Path, Reproduction]) -> None:
    rows = table1[1].parts[0].result.tables["table1-nearest"].rows
    for row in TABLE1["MQ2007-agg"]:
        distances = [r["mean distance"] for r in rows if r["row"] == row]
        assert distances == sorted(distances)
        assert distances == pytest.approx(
            [(r["on MQ2007-agg"] + r["on MQ2008-agg"]) / 2 for r in rows if r["row"] == row]
        )
        assert len(distances) == sum(len(each.orders) for each in READINGS if each.row == row)


def test_only_one_direction_if_asked_for(data: Path, table1: tuple[Path, Reproduction]) -> None:
    found = run(data, table1[0], "table1", values=("rank",))
    assert found.parts[0].computed == 0
    assert {r["values"] for r in found.parts[0].result.tables["table1"].rows} == {"rank"}
    assert {r["values"] for r in table1[1].parts[0].result.tables["table1"].rows} == set(ORDERS)


def test_every_tenth_query_is_taken_by_the_order_of_the_ids(data: Path) -> None:
    whole, some = (open_view(View(str(data), "MQ2007-agg", "rank", every)) for every in (1, 3))
    assert some.rankings.queries == tuple(sorted(whole.labels)[::3])
    assert [set(part) & set(some.rankings.queries) for part in whole.parts] == [set(part) for part in some.parts]


# --- figures ----------------------------------------------------------------------------------------------------------


def test_figure_4_is_what_robustness_finds(data: Path, tmp_path: Path) -> None:
    found = run(data, tmp_path, "figure4", draws=2, seed=5, values=("rank",)).parts[0].result
    view = open_view(View(str(data), "MQ2007-agg", "rank"))
    expected = robustness(view.rankings, view.labels, ["mpm"], rankers=SIZES, draws=2, measures="ndcg@5",
                          conventions="letor4", seed=5)  # fmt: skip
    mine = [r for r in found.tables["figure4"].rows if (r["set"], r["row"]) == ("MQ2007-agg", "MPM")]
    for key in ("rankers", "mean", "sd", "low", "high", "draws"):
        assert [r[key] for r in mine] == [r[key] for r in expected.rows]
    draws = [r["mean"] for r in found.tables["figure4-draws"].rows if (r["set"], r["row"]) == ("MQ2007-agg", "MPM")]
    assert [np.mean(draws[k : k + 2]) for k in range(0, 8, 2)] == [r["mean"] for r in mine]


def test_more_rankers_than_there_are_cannot_be_drawn(data: Path) -> None:
    with pytest.raises(DataError, match="has 21 rankers; 30 cannot be drawn"):
        DrawJob(View(str(data), "MQ2007-agg", "rank"), "borda", 30, 0, 0).answer()


@pytest.mark.parametrize("grid", [None, "small"])
def test_a_learner_on_its_folds_is_what_compare_finds(data: Path, grid: str | None) -> None:
    view = View(str(data), "MQ2008-agg", "rank")
    answers = [FoldJob(view, "cps(measure='err')", ("err", "ndcg@5"), fold, grid).answer() for fold in range(5)]
    queries, values = gather_values(answers, ["err", "ndcg@5"])
    given = open_view(view)
    expected = compare(given.rankings, given.labels, learners="cps(measure='err')", measures="err,ndcg@5", grid=grid,
                       folds=[list(part) for part in given.parts], conventions="letor4")  # fmt: skip
    assert tuple(queries) == expected.queries
    assert values.tolist() == expected.values[0].tolist()


@pytest.fixture(scope="module")
def supervised() -> Reproduction:
    """Figures 1 to 3, on few queries and folds."""
    pytest.importorskip("tensorly", reason="the features 'cp' need tensorly")
    return few_learned()


def test_figure_3_tests_every_pair_that_the_paper_speaks_of(supervised: Reproduction) -> None:
    tables = supervised.parts[2].result.tables
    names = {row["name"] for row in tables["figure3"].rows}
    assert {"CPS", "θ-MPM", "RankAgg(Ψ_BF)", "St.Agg(Ψ_MF)", "St.Agg(Ψ_TF + bits)"} <= names
    means = {(row["measure"], row["name"]): row["mean"] for row in tables["figure3"].rows}
    for row in tables["figure3-tests"].rows:
        assert row["difference"] == pytest.approx(
            means[row["measure"], row["name"]] - means[row["measure"], row["against"]], abs=1e-12
        )
        assert row["p_holm"] >= row["p_random"]
        assert row["wins"] + row["ties"] + row["losses"] == 2 * FEW
    assert len(tables["figure3-tests"].rows) == 3 * 6 * 3
    assert len(tables["figure3-choices"].rows) == 3 * 14 * FEW


def test_figure_1_counts_pairs_and_shares_its_tasks(supervised: Reproduction) -> None:
    one, _, three = supervised.parts
    assert {job for job, _ in one.jobs if job.view.name == "MQ2008-agg" and isinstance(job, FoldJob)} <= {
        *(job for job, _ in three.jobs),
        *(row.make_job(View(supervised.setup.folder, "MQ2008-agg", "rank")) for row in READINGS[:1]),
    }
    assert three.computed < len(three.jobs)
    [claim] = one.result.claims
    assert "26 of 36 and 18 of 36" in claim.paper
    rows = [r for r in one.result.tables["figure1"].rows if (r["set"], r["scenario"]) == ("MQ2007-agg", "unsupervised")]
    ahead = sum(a["mean"] > b["mean"] for a in rows for b in rows
                if (a["group"], b["group"]) == ("implicit", "explicit") and a["measure"] == b["measure"])  # fmt: skip
    assert claim.here[0].startswith(f"unsupervised, small number = top: {ahead} of 36 and ")


def test_the_claims_of_figure_3_name_every_reading(supervised: Reproduction) -> None:
    claims = supervised.parts[2].result.claims
    assert [len(claim.here) for claim in claims] == [2, 2, 2]
    assert all("small number = top, features as printed: above in " in claim.here[0] for claim in claims[:2])


# --- what is kept -----------------------------------------------------------------------------------------------------


def test_a_second_run_computes_nothing_and_finds_the_same(data: Path, table1: tuple[Path, Reproduction]) -> None:
    cache, first = table1
    again = run(data, cache, "table1")
    assert (first.parts[0].computed, again.parts[0].computed) == (JOBS, 0)
    assert again.parts[0].result == first.parts[0].result
    assert run(data, cache, "table1", fresh=True).parts[0].computed == JOBS


def test_the_place_of_the_files_does_not_matter_and_their_content_does(
    data: Path, table1: tuple[Path, Reproduction], tmp_path: Path
) -> None:
    copy, cache = tmp_path / "copy", tmp_path / "cache"
    shutil.copytree(data, copy)
    shutil.copytree(table1[0], cache)
    assert run(copy, cache, "table1").parts[0].computed == 0
    file = copy / "MQ2008-agg" / "A3.txt"
    file.write_text(file.read_text().replace("1:NULL", "1:40", 1))
    open_view.cache_clear()
    assert run(copy, cache, "table1").parts[0].computed == JOBS // 2


def test_an_answer_depends_on_every_parameter(data: Path, tmp_path: Path) -> None:
    view = View(str(data), "MQ2007-agg", "rank")
    store = Store(tmp_path, digest_sets(data))
    jobs: list[Job] = [
        FusionJob(view, "borda"),
        FusionJob(dataclasses.replace(view, values="score"), "borda"),
        FusionJob(dataclasses.replace(view, every=10), "borda"),
        FusionJob(dataclasses.replace(view, name="MQ2008-agg"), "borda"),
        FusionJob(view, "rrf"),
        FusionJob(view, "borda", ("err",)),
        DrawJob(view, "borda", 5, 0, 0),
        DrawJob(view, "borda", 5, 1, 0),
        DrawJob(view, "borda", 5, 0, 1),
        FoldJob(view, "cps", MEASURES, 0),
        FoldJob(view, "cps", MEASURES, 1),
        FoldJob(view, "cps", MEASURES, 0, "small"),
    ]
    assert len({store.find_path(job) for job in jobs}) == len(jobs)
    assert "prior=0.1" in FusionJob(view, "plackett_luce").make_key()  # a default that changes is another job
    assert "distance='kendall'" in FoldJob(view, "cps", MEASURES, 0, "small").make_key()
    assert str(data) not in store.make_key(jobs[0])


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"\xff\xfe", b'{"key": "another", "answer": {}}'])
def test_an_answer_that_is_torn_is_computed_again(data: Path, tmp_path: Path, damage: bytes) -> None:
    job = FusionJob(View(str(data), "MQ2007-agg", "rank"), "borda")
    store = Store(tmp_path, digest_sets(data))
    assert store.get(job) is None
    store.put(job, {"values": 1})
    assert store.get(job) == {"values": 1}
    store.find_path(job).write_bytes(damage)
    assert store.get(job) is None


def test_a_run_that_is_broken_off_goes_on_where_it_was(data: Path, tmp_path: Path) -> None:
    done: list[str] = []

    def interrupted(what: str, *_: int) -> None:
        done.append(what)
        if len(done) == 6:  # the first says that it begins
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(data, tmp_path, "table1", values=("rank",), progress=interrupted)
    kept = sorted(tmp_path.glob("*"))
    assert len(kept) == 5
    assert all(json.loads(path.read_bytes())["answer"]["values"] for path in kept)
    assert run(data, tmp_path, "table1", values=("rank",)).parts[0].computed == len(SETS) * (READ["rank"] + 1) - 5


def test_progress_goes_from_nothing_to_all(data: Path, tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    run(data, tmp_path, "table1", values=("rank",), progress=lambda _, now, total: steps.append((now, total)))
    assert steps[0][0] == 0
    assert steps[-1][0] == steps[-1][1]
    assert steps == sorted(steps)


# --- processes --------------------------------------------------------------------------------------------------------


def test_worker_processes_find_the_same_tell_of_errors_and_are_missed_when_they_die(data: Path) -> None:
    view = View(str(data), "MQ2007-agg", "rank")
    jobs: list[Job] = [FusionJob(view, method) for method in ("borda", "mpm", "svp")]
    with Processes(2) as shared:
        found = {job: answer | {"seconds": 0} for job, answer in shared.run(jobs)}
        assert found == {job: job.answer() | {"seconds": 0} for job in jobs}
        with pytest.raises(StaggError, match="MQ2007-agg, borad: unknown method 'borad'"):
            list(shared.run([FusionJob(view, "borad")]))
        processes = list(shared.children.values())
        for process in processes:
            process.kill()
            process.wait()
        with pytest.raises(StaggError, match="a process ended without an answer"):
            list(shared.run(jobs))
    assert all(process.poll() is not None for process in processes)


def test_a_job_that_cannot_be_sent_is_an_error_and_not_waited_for(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with Processes(1) as shared:
        monkeypatch.setattr(Connection, "send", fail)
        with pytest.raises(OSError, match="No space left"):
            list(shared.run([FusionJob(View(str(data), "MQ2007-agg", "rank"), "borda")]))


def test_an_interrupt_while_processes_start_is_not_lost(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start, started = subprocess.Popen, list[subprocess.Popen[bytes]]()

    def start_interrupted(*given: Any, **settings: Any) -> subprocess.Popen[bytes]:
        started.append(start(*given, **settings))
        signal.raise_signal(signal.SIGINT)
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start_interrupted)
    with pytest.raises(KeyboardInterrupt), Processes(2) as shared:
        next(shared.run([FusionJob(View(str(data), "MQ2007-agg", "rank"), name) for name in ("borda", "svp")]))
    [process] = started
    process.stdin.close()  # type: ignore[union-attr]  # this test holds it: else it is gone with the exception
    assert process.wait(timeout=30) == 1


# --- what is refused --------------------------------------------------------------------------------------------------


def test_a_missing_file_is_named(data: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"must contain MQ2007-agg and MQ2008-agg, each with A1.txt to A5.txt"):
        reproduce(Setup(str(tmp_path / "nowhere")), tmp_path / "cache", threads=0)
    copy = tmp_path / "copy"
    shutil.copytree(data, copy)
    (copy / "MQ2008-agg" / "A4.txt").unlink()
    with pytest.raises(DataError, match=r"MQ2008-agg/A4.txt cannot be read"):
        reproduce(Setup(str(copy)), tmp_path / "cache", threads=0)
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"only": ["tabel1"]}, UnknownName, "did you mean 'table1'"),
        ({"values": ("up",)}, InvalidParameter, "values must be some of score, rank,"),
        ({"values": ("lines",)}, InvalidParameter, "values must be some of score, rank,"),
        ({"values": ()}, InvalidParameter, "values must be some of score, rank,"),
        ({"every": 0}, InvalidParameter, "every must be a whole number"),
        ({"draws": 0}, InvalidParameter, "draws must be a whole number"),
        ({"grid": "papre"}, UnknownName, "did you mean 'paper'"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(
    data: Path, tmp_path: Path, change: dict[str, object], error: type[Exception], words: str
) -> None:
    given = dict(change)
    with pytest.raises(error, match=words):
        run(data, tmp_path, *given.pop("only", ["table1"]), **given)  # type: ignore[misc]


def test_every_experiment_has_a_title_and_tasks(data: Path) -> None:
    setup = Setup(str(data), draws=1)
    for name, experiment in EXPERIMENTS.items():
        jobs = experiment.list_jobs(setup)
        assert experiment.title.lower().startswith(name[:-1])
        assert all(job.weight > 0 and job.name for job in jobs)


def test_parts_come_as_they_are_done(data: Path, table1: tuple[Path, Reproduction]) -> None:
    seen: list[Finished] = []
    found = run(data, table1[0], "table1", done=seen.append)
    assert tuple(seen) == found.parts
