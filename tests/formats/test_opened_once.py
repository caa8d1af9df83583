"""A file is opened once and recognised once, whatever layout its table has."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from stagg.cli.main import main
from stagg.formats import inputs

TABLES = {
    "ballots.csv": "Voter,1st,2nd,3rd\nV1,Ann,Ben,Cy\nV2,Ben,Cy,Ann\nV3,Ann,Cy,Ben\n",
    "long.csv": "query,ranker,item,score\nq,a,x,2\nq,a,y,1\nq,b,y,2\n",
    "scores.csv": "model,accuracy,f1\nm1,0.8,0.7\nm2,0.9,0.6\n",
    "lists.json": '{"q": {"a": ["x", "y"], "b": ["y"]}}',
}


@pytest.mark.parametrize("name", TABLES)
def test_fuse_opens_a_file_once_and_recognises_it_once(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: Counter[str] = Counter()
    for function in ("open_reading", "_recognise"):
        original = getattr(inputs, function)

        def count(*args: object, _name: str = function, _original: object = original, **more: object) -> object:
            calls[_name] += 1
            return _original(*args, **more)  # type: ignore[operator]

        monkeypatch.setattr(inputs, function, count)
    (tmp_path / name).write_text(TABLES[name])
    with pytest.raises(SystemExit) as ended:
        main(["fuse", str(tmp_path / name), "-o", str(tmp_path / "fused.csv"), "--quiet"])
    assert not ended.value.code
    assert calls == {"open_reading": 1, "_recognise": 1}
