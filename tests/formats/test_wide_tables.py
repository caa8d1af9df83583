"""Tables with very many columns: the time to read them grows with the number of columns, not with its square."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import stagg

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
