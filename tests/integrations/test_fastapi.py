"""The endpoint of docs/howto/production.md, under FastAPI's own client; run by ``make integrations``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

REASON = "fastapi is not installed: run make integrations"
testclient = pytest.importorskip("fastapi.testclient", reason=REASON)

PAGE = Path(__file__).resolve().parents[2] / "docs/howto/production.md"


@pytest.fixture
def example() -> dict[str, Any]:
    """The names of the block, which has run."""
    [code] = re.findall(r"```python\n(# pip install fastapi.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {"__name__": "endpoint"}
    exec(compile(code, str(PAGE), "exec", dont_inherit=True), names)
    return names


def test_the_endpoint_says_which_leg_was_skipped_and_pages_go_on(example: dict[str, Any]) -> None:
    client = testclient.TestClient(example["app"])
    seen, after = [], None
    while True:
        answer = client.get("/search", params={"q": "tea", "size": 1} | ({"after": after} if after else {})).json()
        assert answer["skipped"] == {"dense": "it did not answer within 0.2 s"}
        assert not answer["changed"]
        seen += [each["id"] for each in answer["results"]]
        after = answer["next"]
        if after is None:
            break
    assert seen == ["d1", "d2"]


def test_if_no_leg_answers_the_status_is_503(example: dict[str, Any]) -> None:
    async def down(query: str) -> Any:
        raise ConnectionError("refused")

    legs = example["legs"]
    example["legs"] = type(legs)({"bm25": down, "dense": down}, legs.fusion, legs.timeout, legs.on_error)
    answer = testclient.TestClient(example["app"]).get("/search", params={"q": "tea"})
    assert answer.status_code == 503
    assert "no leg answered: leg 'bm25': ConnectionError: refused" in answer.json()["detail"]


def test_a_leg_that_comes_back_is_used_again_and_the_page_says_that_the_list_changed(example: dict[str, Any]) -> None:
    async def well(query: str) -> Any:
        return [{"id": "d3", "title": "Kettles"}, {"id": "d1", "title": "Green tea"}]

    client = testclient.TestClient(example["app"])
    first = client.get("/search", params={"q": "tea", "size": 1}).json()
    legs = example["legs"]
    example["legs"] = type(legs)({**legs.legs, "dense": well}, legs.fusion, legs.timeout, legs.on_error)
    second = client.get("/search", params={"q": "tea", "size": 9, "after": first["next"]}).json()
    assert second["skipped"] == {}
    assert second["changed"]
    assert [each["id"] for each in second["results"]] == ["d3", "d2"]
