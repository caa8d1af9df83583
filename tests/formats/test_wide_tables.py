"""Tables with very many columns: the time to read them grows with the number of columns, not with its square."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import stagg
from stagg.formats import ReadLog

FIRST = {"wide": "item", "grid": "voter"}


@pytest.mark.parametrize("layout", ["wide", "grid"])
@pytest.mark.filterwarnings("ignore::stagg.DataWarning")
def test_the_time_grows_with_the_columns_and_not_with_their_square(tmp_path: Path, layout: str) -> None:
    # sixteen times the columns: 16 times as long, or 256 times; a busy machine may not tell 16 from 30
    assert _seconds(tmp_path, layout, 32_000) < 80 * _seconds(tmp_path, layout, 2_000)


def _seconds(tmp_path: Path, layout: str, columns: int) -> float:
    """The processor time that reading a table of so many columns takes."""
    path = tmp_path / f"{columns}.csv"
    names = ",".join(f"c{column}" for column in range(columns))
    path.write_text("".join(f"{row}\n" for row in [f"{FIRST[layout]},{names}", *_rows(layout, columns)]))
    start = time.process_time()
    stagg.read(path, layout=layout)  # type: ignore[arg-type]
    return time.process_time() - start


def _rows(layout: str, columns: int) -> list[str]:
    """Two rows: scores, or ranks that two candidates share each."""
    if layout == "wide":
        return ["a" + ",0.3" * columns, "b" + ",7" * columns]
    ranks = ",".join(str(column // 2 + 1) for column in range(columns))
    return [f"v,{ranks}", f"w,{ranks}"]


def test_a_percent_sign_in_some_cells_of_a_column_only_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Model,% Resolved\na,74.4\nb,73.2%\nc,0\n")
    with pytest.raises(stagg.DataError, match=r"t\.csv:3: .*written in different ways \('73\.2%', '74\.4'\)"):
        stagg.read(tmp_path / "t.csv")


def test_columns_that_are_left_out_one_after_the_other_stay_out(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Model,r,s,t,u\na,1.5,3.5,74.4,5%\nb,2.5,1.5,73.2%,4\n")
    columns: dict[str, str] = {}
    for _ in range(2):
        with pytest.raises(stagg.DataError, match="written in different ways") as caught:
            stagg.read(tmp_path / "t.csv", columns=columns)
        columns = caught.value.message.says[0].options["columns"]
    assert columns == {"ignore": "t+u"}
    assert stagg.read(tmp_path / "t.csv", columns=columns, log=ReadLog()).rankers == ("r", "s")


def test_names_that_differ_in_blanks_are_one_item_or_told(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("Model,s,t\nGPT 4,1.5,2.5\nLlama  3,2.5,1.5\n")
    (tmp_path / "u.csv").write_text("Model,u,v\nGPT 4,1.5,2.5\nLlama 3,2.5,1.5\n")
    log = ReadLog()
    stagg.read([tmp_path / "t.csv", tmp_path / "u.csv"], log=log)
    assert "'Llama 3' and 'Llama  3' differ only in blanks" in str(log.notes)
    both = stagg.read([tmp_path / "t.csv", tmp_path / "u.csv"], same={"Llama  3": "Llama 3"}, log=(log := ReadLog()))
    assert sorted(both.items) == ["GPT 4", "Llama 3"]
    assert "differ only" not in str(log.notes)


def test_ranks_between_0_and_1_are_asked_about_however_the_table_is_read(tmp_path: Path) -> None:
    rows = "".join(f"q{query},d{item},{0.5 - item / 10}\n" for query in range(3) for item in range(4))
    for name, text in (("one.csv", "item,rank\na,0.61\nb,0.33\n"), ("many.csv", "query,item,rank\n" + rows)):
        (tmp_path / name).write_text(text)
        with pytest.raises(stagg.DataError, match="are these ranks, or scores"):
            stagg.read(tmp_path / name)
        with pytest.raises(stagg.DataError, match="are these ranks, or scores"):
            stagg.fuse(stagg.read(tmp_path / name))
    assert stagg.read(tmp_path / "one.csv", columns={"score": "rank"}).best_first() == ["a", "b"]
    assert stagg.read(tmp_path / "one.csv", columns={"rank": "rank"}).best_first() == ["b", "a"]
    (tmp_path / "p.csv").write_text("study,gene,pvalue\nS,a,0.5\nS,b,0.1\n")
    assert stagg.read(tmp_path / "p.csv", log=ReadLog()).best_first() == ["b", "a"]


def test_bands_of_places_behind_the_others_are_their_first_place(tmp_path: Path) -> None:
    (tmp_path / "u.csv").write_text("University,QS,ARWU\nMIT,1,3\nETH,7,20\nFoo,601-650,-\nBar,1001+,901-1000\n")
    log = ReadLog()
    found = stagg.read(tmp_path / "u.csv", values="rank", log=log)
    assert found.to_runs()["QS"].keys() == {"1"}
    assert found.best_first(ranker="QS") == ["MIT", "ETH", "Foo", "Bar"]
    assert "read '601-650' as 601" in str(log.notes)
    (tmp_path / "s.csv").write_text("Team,a,b\nx,3,2-1\ny,2,1-0\nz,1,5\n")
    with pytest.raises(stagg.DataError, match="found '2-1'"):
        stagg.read(tmp_path / "s.csv", layout="wide", values="rank")
