"""Gene sets (.gmt), as MSigDB, Enrichr and people's own scripts write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from stagg import DataError, fuse, read
from stagg.formats import ReadLog
from tests.door.test_files import groups

LINK = "https://www.gsea-msigdb.org/gsea/msigdb/human/geneset"
MSIGDB = (
    f"HALLMARK_HYPOXIA\t{LINK}/HALLMARK_HYPOXIA\tPGK1\tPDK1\tGBE1\n"
    f"HALLMARK_GLYCOLYSIS\t{LINK}/HALLMARK_GLYCOLYSIS\tPGK1\tENO1\n"
)


def put(tmp_path: Path, text: str, name: str = "x.gmt") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["x.gmt", "x.txt", "x.tsv", "x"])
def test_every_set_is_a_ranker_whose_genes_tie(name: str, tmp_path: Path) -> None:
    log = ReadLog()
    rankings = read(put(tmp_path, MSIGDB, name), log=log)
    assert groups(rankings) == {
        "1": {"HALLMARK_HYPOXIA": [["GBE1", "PDK1", "PGK1"]], "HALLMARK_GLYCOLYSIS": [["ENO1", "PGK1"]]}
    }
    assert log.readings[0].format == "gmt"
    assert [each.direction for each in log.readings] == ["sets without an order: the genes of each are tied"]
    assert not [*log.notes]
    assert fuse(rankings).best_first()[0] == "PGK1"


@pytest.mark.parametrize(
    ("description", "name"),
    [("na", "x.gmt"), ("na", "x.txt"), ("", "x.gmt"), ("", "x.txt"), ("a description", "x.gmt"), ("-", "x.gmt")],
)
def test_the_description_is_no_gene(description: str, name: str, tmp_path: Path) -> None:
    text = f"A\t{description}\tTP53\tMYC\t\r\nB\t{description}\tTP53\t\r\n"
    assert groups(read(put(tmp_path, text, name), log=ReadLog())) == {"1": {"A": [["MYC", "TP53"]], "B": ["TP53"]}}


def test_weights_that_are_all_the_same_are_left_out(tmp_path: Path) -> None:
    log = ReadLog()
    found = read(put(tmp_path, "A\t\tTP53,1.0\tMYC,1.0\nB\t\tMYC,1.0\n"), log=log)
    assert groups(found) == {"1": {"A": [["MYC", "TP53"]], "B": ["MYC"]}}
    assert any("weights" in str(note) for note in log.notes)


def test_a_gene_that_comes_twice_counts_once_and_is_told(tmp_path: Path) -> None:
    log = ReadLog()
    assert groups(read(put(tmp_path, "A\tna\tTP53\tTP53\tMYC\n"), log=log)) == {"1": {"A": [["MYC", "TP53"]]}}
    assert any("count once (1 gene)" in str(note) for note in log.notes)


def test_a_set_without_genes_is_a_ranker_without_a_list(tmp_path: Path) -> None:
    rankings = read(put(tmp_path, "A\tna\tTP53\nB\tna\n"), log=ReadLog())
    assert rankings.rankers == ("A", "B")


def test_several_files_are_one_query(tmp_path: Path) -> None:
    files = [put(tmp_path, "A\tna\tTP53\n", "a.gmt"), put(tmp_path, "B\tna\tMYC\tTP53\n", "b.gmt")]
    assert groups(read(files, log=ReadLog())) == {"1": {"A": ["TP53"], "B": [["MYC", "TP53"]]}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A\tna\tTP53\nA\tna\tMYC\n", "x.gmt:2: two sets are named 'A'"),
        ("\tna\tTP53\n", "the name of the set is empty"),
        ("TP53 MYC\n", "with tabs between"),
        ("A\t\tTP53,0.9\tMYC,0.4\n", "the genes have weights"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read(put(tmp_path, text), log=ReadLog())
    assert message in str(caught.value)


def test_a_table_with_a_link_in_each_row_is_no_gene_sets(tmp_path: Path) -> None:
    table = f"item\turl\trank\na\t{LINK}\t1\nb\t{LINK}\t2\n"
    assert groups(read(put(tmp_path, table, "x.tsv"), log=ReadLog())) == {"1": {"x": ["a", "b"]}}
