"""One grammar for everything that has a name, and the law that a text and its object agree."""

from __future__ import annotations

import dataclasses
import gc
import inspect
import subprocess
import sys
import tracemalloc
from typing import Any

import numpy as np
import pytest

from stagg.errors import InvalidParameter, StaggError, UnknownName
from stagg.features import FEATURES
from stagg.formats import FORMATS
from stagg.learning import LEARNERS
from stagg.learning.grids import family
from stagg.measures import MEASURES, parse_measures
from stagg.methods import METHODS
from stagg.registry import Call, Parametrised, Registry, bind, read_call, split_list, split_name

REGISTRIES: list[Registry[Any]] = [METHODS, MEASURES, LEARNERS, FEATURES, FORMATS]
CLASSES = [(registry, cls) for registry in REGISTRIES for cls in registry]
each_class = pytest.mark.parametrize(
    ("registry", "cls"), CLASSES, ids=[f"{registry.kind}-{cls.name}" for registry, cls in CLASSES]
)


@pytest.mark.parametrize(
    ("registry", "written", "text"),
    [
        (METHODS, "RRF(60)", "rrf(c=60)"),
        (METHODS, "Rrf( C = 10 )", "rrf(c=10)"),
        (METHODS, "Borda", "borda"),
        (METHODS, "rrf(10, compat='ranx')", "rrf(c=10, compat='ranx')"),
        (METHODS, "stagg_BC('paper')", "stagg_bc(shape='paper')"),
        (METHODS, "stagg_rrf(5)", "stagg_rrf(shape='harmonic(1)', c=5)"),
        (MEASURES, "Ndcg@10", "ndcg@10"),  # nDCG and NDCG, so spelled, are ir_measures'
        (MEASURES, "nDCG('linear')@5", "ndcg(gain='linear')@5"),
        (MEASURES, "RBP(0.8)", "rbp(p=0.8)"),
        (LEARNERS, "Weights('borda')", "weights(method='borda', measure='ndcg@10')"),
        (FEATURES, "SVD(False)", "svd(missing_bits=True, form='binary', rank=1, singular_values=False)"),
    ],
)
def test_case_does_not_matter_and_the_first_parameter_needs_no_name(
    registry: Registry[Any], written: str, text: str
) -> None:
    assert repr(registry.parse(written)) == text
    assert registry.parse(text) == registry.parse(written)


@each_class
def test_every_text_reads_back_and_its_name_is_found_in_any_case(registry: Registry[Any], cls: type[Any]) -> None:
    sample = cls.sample()
    assert registry.parse(repr(sample)) == sample
    assert repr(sample).startswith(cls.name)  # not the name of the class: docs and reports show this text
    assert registry[cls.name.upper()] is cls
    assert cls.name.title() in registry


@each_class
def test_the_nameless_parameter_is_the_first_that_the_class_itself_declares(
    registry: Registry[Any], cls: type[Any]
) -> None:
    own = [name for name in inspect.get_annotations(cls) if name in {field.name for field in dataclasses.fields(cls)}]
    sample = cls.sample()
    values = sample.parameters()
    end = "" if getattr(sample, "cutoff", None) is None else f"@{sample.cutoff}"
    if not own:
        takes = "takes no parameters" if not dataclasses.fields(cls) else "need their names: .*=..."
        with pytest.raises(InvalidParameter, match=takes):
            registry.parse(f"{cls.name}(1){end}")
    elif own[0] in values:
        assert registry.parse(f"{cls.name}({values[own[0]]!r}){end}") == sample


def test_texts_are_parsed_once() -> None:
    for registry, text in ((METHODS, "rrf(c=17)"), (MEASURES, "ndcg(gain='linear')@17")):
        assert registry.parse(text) is registry.parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rrf(k=60)", r"rrf has no parameter 'k'; stagg calls it 'c': rrf\(c=60\)"),
        ("stagg_rrf(K=60)", r"stagg calls it 'c': stagg_rrf\(c=60\)"),
        ("stagg(utility='rrf(k=60)')", r"stagg calls it 'c': rrf\(c=60\)"),
        ("rbc(p=0.8)", r"stagg calls it 'phi': rbc\(phi=0.8\)"),
        ("rrf(compt='ranx')", "rrf has no parameter 'compt'; did you mean 'compat'"),
        ("rrf(x=1)", "rrf has no parameter 'x'; it takes missing, c, compat"),
        ("rrf(60, 'ranx')", "only the first parameter of rrf, c, .* it takes missing=..., c=..., compat=..."),
        ("rrf(60, c=10)", "gives c twice"),
        ("rrf(c=1, C=2)", "gives c twice"),
        ("combsum('rank')", r"the parameters of combsum need their names: combsum\(missing=..., norm=..., "),
        ("rrf@10", "rrf takes no cutoff: write rrf, not rrf@10"),
        ("rrf(cutoff='a\x0c')", r"write rrf, not 'rrf@a\\x0c'"),
        ("rrf@ten", "the cutoff of 'rrf@ten' must be a whole number"),
        ("rrf,borda", "cannot read the method 'rrf,borda'"),
        ("rrf(**{'c': 1})", "cannot read"),
        ("rrf(*[1])", "cannot read"),
        ("(rrf)", "cannot read"),
    ],
)
def test_what_is_wrong_is_said_with_what_is_right(text: str, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        METHODS.parse(text)


def test_unknown_names_are_told_the_near_ones_whatever_their_case() -> None:
    with pytest.raises(UnknownName, match="unknown method 'borad'; did you mean 'borda'"):
        METHODS.parse("BORAD")


def test_a_call_prints_as_it_reads() -> None:
    rng = np.random.default_rng(0)
    values = [1, -2.5, "a@b", 'quo"te', None, True, [1, 2], ("x",), {"k": [1]}, "é\x00\n", "x)@5"]
    for _ in range(500):
        keys = rng.permutation(["c", "gain", "missing"])[: rng.integers(0, 4)].tolist()
        positional = tuple(values[k] for k in rng.integers(0, len(values), rng.integers(0, 3)))
        keywords = {key: values[rng.integers(0, len(values))] for key in keys}
        call = Call("ndcg", positional, keywords, None if rng.random() < 0.5 else int(rng.integers(1, 99)))
        assert read_call("measure", repr(call)) == call


def test_only_known_arguments_are_bound() -> None:
    assert bind(read_call("shape", "Logistic(3)"), ["s"], "s", {}) == {"s": 3}
    with pytest.raises(InvalidParameter, match="linear takes no parameters"):
        bind(read_call("shape", "linear(3)"), [], None, {})


def test_lists_split_at_commas_and_semicolons_outside_brackets_and_quotes() -> None:
    assert split_list("rrf(c=60) ;; stagg(shape='a;b');") == ["rrf(c=60)", "stagg(shape='a;b')"]
    assert split_list("rrf(c=[10, 20]),borda; mc4") == ["rrf(c=[10, 20])", "borda", "mc4"]
    assert list(map(repr, parse_measures("ndcg@5;err, rbp"))) == ["ndcg@5", "err", "rbp(p=0.95)"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Our fusion: rrf(c=60)", ("Our fusion", "rrf(c=60)")),
        ("Fox's fusion: borda", ("Fox's fusion", "borda")),
        ("'Ours, tuned: twice' : borda", ("Ours, tuned: twice", "borda")),
        ("stagg(shape='a:b')", (None, "stagg(shape='a:b')")),
        ("RRF: rrf: x", ("RRF", "rrf: x")),
    ],
)
def test_a_display_name_stands_before_the_first_colon_outside_brackets_and_quotes(
    text: str, parts: tuple[str | None, str]
) -> None:
    assert split_name(text) == parts


@pytest.mark.parametrize("text", [": rrf", "Ours:", "'': rrf"])
def test_a_display_name_without_a_name_or_without_a_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidParameter, match=r"write a name, a colon and what it names"):
        split_name(text)


def test_families_take_nameless_lists_and_a_grid_fills_in_only_the_rest() -> None:
    assert list(map(repr, METHODS.family("RRF([10, 20])"))) == ["rrf(c=10)", "rrf(c=20)"]
    assert len(family(LEARNERS, "CPS('kendall')", "paper")) == 1  # the grid lists distances
    assert len(family(LEARNERS, "CPS", "paper")) == 3
    with pytest.raises(InvalidParameter, match="stagg calls it 'c'"):
        METHODS.family("rrf(k=[10, 20])")


def test_names_that_differ_only_in_case_cannot_be_registered() -> None:
    @dataclasses.dataclass(frozen=True, repr=False)
    class Loud(Parametrised):
        name = "Loud"

    with pytest.raises(InvalidParameter, match="lower-case"):
        Registry("thing", [Loud])


def test_no_text_ends_in_anything_but_an_object_or_an_error_of_ours() -> None:
    rng = np.random.default_rng(1)
    pieces = ["rrf", "RRF", "@", "(", ")", "'", ",", "=", "c", "60", " ", "\x00", "é", "lambda:0", "**{}", "*[]", "[1]"]
    for _ in range(3000):
        text = "".join(rng.choice(pieces, rng.integers(0, 8)))
        try:
            read = METHODS.parse(text)
        except StaggError:
            continue
        assert METHODS.parse(repr(read)) == read


def test_a_method_of_ours_is_found_without_reading_the_entry_points_of_all_packages() -> None:
    code = (
        "import sys, stagg; stagg.fuse([['a', 'b'], ['b']], 'RRF(60)'); list(stagg.methods.METHODS);"
        "sys.exit('importlib.metadata' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_unknown_names_leave_nothing_behind() -> None:
    """The first one loads the modules of all methods, for their titles, and importlib.metadata: 5 MB, once."""

    def ask(first: int, count: int) -> None:
        for number in range(first, first + count):
            with pytest.raises(UnknownName):
                METHODS.parse(f"borda_{number}x(c={number})")

    ask(0, 20)
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        ask(20, 100)
        gc.collect()
        left = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert left < 100 * 500  # bytes; an error that is kept has more than 1,000
