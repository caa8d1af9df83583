from __future__ import annotations

import json

from tests.door.people import Case

CASES = []


def _es(hits, index="articles", took=5):
    """An Elasticsearch / OpenSearch _search response; hits: (id, score, title)."""
    return {
        "took": took,
        "timed_out": False,
        "_shards": {"total": 1, "successful": 1, "skipped": 0, "failed": 0},
        "hits": {
            "total": {"value": len(hits), "relation": "eq"},
            "max_score": hits[0][1] if hits else None,
            "hits": [{"_index": index, "_id": i, "_score": s, "_source": {"title": t}} for i, s, t in hits],
        },
    }


def _js(x, indent=2):
    return (json.dumps(x, indent=indent) + "\n").encode()


def _jsonl(rows):
    return "".join(json.dumps(r) + "\n" for r in rows).encode()


CASES.append(
    Case(
        name="search_es_two_rankers_one_query",
        family="search",
        files={
            "bm25.json": _js(
                _es(
                    [
                        ("kb-104", 11.482, "Reset your password"),
                        ("kb-221", 9.013, "Password rules"),
                        ("kb-017", 7.755, "Two-factor sign-in"),
                        ("kb-380", 4.1, "Locked accounts"),
                    ]
                )
            ),
            "knn.json": _js(
                _es(
                    [
                        ("kb-380", 0.9121, "Locked accounts"),
                        ("kb-104", 0.9044, "Reset your password"),
                        ("kb-512", 0.8713, "Contact support"),
                    ]
                )
            ),
        },
        lists={
            "*": [
                [["kb-104"], ["kb-221"], ["kb-017"], ["kb-380"]],
                [["kb-380"], ["kb-104"], ["kb-512"]],
            ]
        },
        note="Two Elasticsearch _search responses saved with curl for the same query, one per retriever; hits.hits is best first.",
    )
)

CASES.append(
    Case(
        name="search_opensearch_jsonl_query_response",
        family="search",
        files={
            "lexical.jsonl": _jsonl(
                [
                    {
                        "query": "wireless headphones",
                        "response": _es(
                            [("B07Q9", 14.2, "Sony WH"), ("B08MV", 13.9, "Bose QC"), ("B01LW", 8.8, "Cable")],
                            "products",
                        ),
                    },
                    {
                        "query": "usb c charger",
                        "response": _es(
                            [("B09C1", 10.4, "Anker 65W"), ("B07VT", 10.4, "Apple 20W"), ("B01LW", 6.2, "Cable")],
                            "products",
                        ),
                    },
                ]
            ),
            "neural.jsonl": _jsonl(
                [
                    {
                        "query": "wireless headphones",
                        "response": _es(
                            [("B08MV", 0.83, "Bose QC"), ("B0ASX", 0.79, "Earbuds"), ("B07Q9", 0.77, "Sony WH")],
                            "products",
                        ),
                    },
                    {
                        "query": "usb c charger",
                        "response": _es([("B07VT", 0.91, "Apple 20W"), ("B09C1", 0.88, "Anker 65W")], "products"),
                    },
                ]
            ),
        },
        lists={
            "wireless headphones": [[["B07Q9"], ["B08MV"], ["B01LW"]], [["B08MV"], ["B0ASX"], ["B07Q9"]]],
            "usb c charger": [[["B09C1", "B07VT"], ["B01LW"]], [["B07VT"], ["B09C1"]]],
        },
        sure=False,
        note="A script writes one OpenSearch response per line with its query; two products have the same score 10.4, which the owner counts as a tie although the engine returned an order.",
    )
)

CASES.append(
    Case(
        name="search_folder_per_ranker",
        family="search",
        call="folder",
        files={
            "bm25/q1.json": _js(_es([("d3", 8.1, "c"), ("d1", 6.4, "a"), ("d7", 2.2, "g")])),
            "bm25/q2.json": _js(_es([("d2", 5.5, "b"), ("d9", 5.1, "i")])),
            "elser/q1.json": _js(_es([("d1", 17.3, "a"), ("d3", 16.0, "c"), ("d4", 9.9, "d")])),
            "elser/q2.json": _js(_es([("d9", 12.7, "i"), ("d5", 11.4, "e"), ("d2", 10.8, "b")])),
        },
        lists={
            "q1": [[["d3"], ["d1"], ["d7"]], [["d1"], ["d3"], ["d4"]]],
            "q2": [[["d2"], ["d9"]], [["d9"], ["d5"], ["d2"]]],
        },
        rankers={"q1": ["bm25", "elser"], "q2": ["bm25", "elser"]},
        note="A folder per retriever with one Elasticsearch response per query, named after the query id.",
    )
)

CASES.append(
    Case(
        name="search_cohere_voyage_rerank",
        family="search",
        files={
            "cohere.json": _js(
                {
                    "id": "0d2a5b1e-6d7c-4c39-9f0a-8b8f1c0a4e71",
                    "results": [
                        {"index": 3, "relevance_score": 0.999071},
                        {"index": 4, "relevance_score": 0.7867867},
                        {"index": 0, "relevance_score": 0.32713068},
                        {"index": 2, "relevance_score": 0.0091277},
                    ],
                    "meta": {"api_version": {"version": "2"}, "billed_units": {"search_units": 1}},
                }
            ),
            "voyage.json": _js(
                {
                    "object": "list",
                    "data": [
                        {"index": 3, "relevance_score": 0.9453125},
                        {"index": 0, "relevance_score": 0.6640625},
                        {"index": 4, "relevance_score": 0.5117188},
                    ],
                    "model": "rerank-2.5",
                    "usage": {"total_tokens": 186},
                }
            ),
        },
        lists={
            "*": [
                [["3"], ["4"], ["0"], ["2"]],
                [["3"], ["0"], ["4"]],
            ]
        },
        note="Raw rerank responses of Cohere (v2) and Voyage for the same query and the same document array; index is the document.",
    )
)

CASES.append(
    Case(
        name="search_jina_rerank_with_documents",
        family="search",
        files={
            "jina-reranker-v2.json": _js(
                {
                    "model": "jina-reranker-v2-base-multilingual",
                    "usage": {"total_tokens": 241},
                    "results": [
                        {
                            "index": 1,
                            "relevance_score": 0.8746,
                            "document": {"text": "Bio-Hautpflege mit Aloe Vera und Kamille"},
                        },
                        {
                            "index": 0,
                            "relevance_score": 0.8133,
                            "document": {"text": "Organic skincare for sensitive skin"},
                        },
                        {
                            "index": 2,
                            "relevance_score": 0.0612,
                            "document": {"text": "New makeup trends focus on bold colors"},
                        },
                    ],
                }
            ),
            "bge-reranker-v2-m3.json": _js(
                {
                    "model": "bge-reranker-v2-m3",
                    "usage": {"total_tokens": 241},
                    "results": [
                        {
                            "index": 0,
                            "relevance_score": 0.9421,
                            "document": {"text": "Organic skincare for sensitive skin"},
                        },
                        {
                            "index": 1,
                            "relevance_score": 0.9017,
                            "document": {"text": "Bio-Hautpflege mit Aloe Vera und Kamille"},
                        },
                        {
                            "index": 2,
                            "relevance_score": 0.0008,
                            "document": {"text": "New makeup trends focus on bold colors"},
                        },
                    ],
                }
            ),
        },
        lists={
            "*": [
                [["1"], ["0"], ["2"]],
                [["0"], ["1"], ["2"]],
            ]
        },
        sure=False,
        note="Jina-style rerank responses with return_documents; the owner means the index as the document's name, another would take its text.",
    )
)

CASES.append(
    Case(
        name="search_msmarco_run_tsv",
        family="search",
        files={
            "run.bm25.tsv": b"1048585\t7187158\t1\n1048585\t7187157\t2\n1048585\t7617404\t3\n2\t4339068\t1\n2\t1782337\t2\n2\t8432157\t3\n",
            "run.ance.tsv": b"1048585\t7187157\t1\n1048585\t7187160\t2\n1048585\t7187158\t3\n2\t4339068\t1\n2\t6139386\t2\n",
        },
        lists={
            "1048585": [[["7187158"], ["7187157"], ["7617404"]], [["7187157"], ["7187160"], ["7187158"]]],
            "2": [[["4339068"], ["1782337"], ["8432157"]], [["4339068"], ["6139386"]]],
        },
        note="MS MARCO passage run files as pyserini writes with --output-format msmarco: qid, pid, rank, tab separated, no header.",
    )
)

CASES.append(
    Case(
        name="search_pyserini_trec_runs",
        family="search",
        files={
            "run.dl19.bm25.txt": b"""\
264014 Q0 4834547 1 15.780500 Anserini
264014 Q0 6641238 2 15.327200 Anserini
264014 Q0 96852 3 14.901100 Anserini
104861 Q0 2022782 1 13.003400 Anserini
104861 Q0 1017606 2 12.884500 Anserini
""",
            "run.dl19.tct_colbert.txt": b"""\
264014 Q0 96852 1 71.214302 Faiss
264014 Q0 4834547 2 71.100334 Faiss
264014 Q0 5611210 3 70.987709 Faiss
104861 Q0 1017606 1 69.430527 Faiss
104861 Q0 2022782 2 69.112000 Faiss
104861 Q0 8133560 3 68.655441 Faiss
""",
        },
        lists={
            "264014": [[["4834547"], ["6641238"], ["96852"]], [["96852"], ["4834547"], ["5611210"]]],
            "104861": [[["2022782"], ["1017606"]], [["1017606"], ["2022782"], ["8133560"]]],
        },
        note="TREC run files with the run tags that pyserini writes (Anserini, Faiss).",
    )
)

CASES.append(
    Case(
        name="search_beir_results_json",
        family="search",
        files={
            "scifact_bm25.json": _js(
                {
                    "1": {"31715818": 7.24, "14717500": 9.81, "10608397": 5.3},
                    "3": {"14717500": 12.09, "4414547": 10.55},
                }
            ),
            "scifact_contriever.json": _js(
                {
                    "1": {"10608397": 1.4312, "31715818": 1.6021, "4883040": 1.3997},
                    "3": {"4414547": 1.7704, "14717500": 1.5213, "4632921": 1.1},
                }
            ),
        },
        lists={
            "1": [[["14717500"], ["31715818"], ["10608397"]], [["31715818"], ["10608397"], ["4883040"]]],
            "3": [[["14717500"], ["4414547"]], [["4414547"], ["14717500"], ["4632921"]]],
        },
        note="BEIR results / ranx run dictionaries saved as JSON: query -> document -> score, the documents in no particular order.",
    )
)

CASES.append(
    Case(
        name="search_qdrant_payload_ids",
        family="search",
        files={
            "dense.json": _js(
                {
                    "result": {
                        "points": [
                            {
                                "id": 42,
                                "version": 3,
                                "score": 0.8812,
                                "payload": {"doc_id": "faq/returns", "lang": "en"},
                            },
                            {
                                "id": 7,
                                "version": 3,
                                "score": 0.8490,
                                "payload": {"doc_id": "faq/shipping", "lang": "en"},
                            },
                            {
                                "id": 15,
                                "version": 4,
                                "score": 0.7704,
                                "payload": {"doc_id": "faq/refunds", "lang": "en"},
                            },
                        ]
                    },
                    "status": "ok",
                    "time": 0.001853,
                }
            ),
            "sparse.json": _js(
                {
                    "result": {
                        "points": [
                            {"id": 15, "version": 4, "score": 21.4, "payload": {"doc_id": "faq/refunds", "lang": "en"}},
                            {"id": 42, "version": 3, "score": 17.9, "payload": {"doc_id": "faq/returns", "lang": "en"}},
                        ]
                    },
                    "status": "ok",
                    "time": 0.000911,
                }
            ),
        },
        lists={
            "*": [
                [["faq/returns"], ["faq/shipping"], ["faq/refunds"]],
                [["faq/refunds"], ["faq/returns"]],
            ]
        },
        sure=False,
        note="Qdrant points/query responses of a dense and a sparse vector; point ids can only be numbers or UUIDs, so the owner's document ids are in the payload, which a careful person would ask about.",
    )
)

CASES.append(
    Case(
        name="search_csv_distance",
        family="search",
        files={
            "minilm_faiss.csv": b"""\
query_id,doc_id,distance
q1,doc_18,0.412
q1,doc_02,0.655
q1,doc_31,0.389
q2,doc_02,0.274
q2,doc_44,0.530
""",
            "bge_faiss.csv": b"""\
query_id,doc_id,distance
q1,doc_31,0.601
q1,doc_02,0.588
q1,doc_09,0.734
q2,doc_44,0.345
q2,doc_02,0.417
q2,doc_18,0.899
""",
        },
        lists={
            "q1": [[["doc_31"], ["doc_18"], ["doc_02"]], [["doc_02"], ["doc_31"], ["doc_09"]]],
            "q2": [[["doc_02"], ["doc_44"]], [["doc_44"], ["doc_02"], ["doc_18"]]],
        },
        note="Nearest neighbours of two embedding models written as CSV with their distance, small is near; one file per model, rows in no order.",
    )
)

CASES.append(
    Case(
        name="search_solr_select",
        family="search",
        files={
            "edismax.json": _js(
                {
                    "responseHeader": {
                        "status": 0,
                        "QTime": 12,
                        "params": {
                            "q": "solar panel efficiency",
                            "defType": "edismax",
                            "fl": "id,title,score",
                            "rows": "10",
                            "wt": "json",
                        },
                    },
                    "response": {
                        "numFound": 4,
                        "start": 0,
                        "maxScore": 6.2187,
                        "numFoundExact": True,
                        "docs": [
                            {"id": "pat-0091", "title": ["Tandem cell"], "score": 6.2187},
                            {"id": "pat-0034", "title": ["Anti-reflective coating"], "score": 5.771},
                            {"id": "pat-0112", "title": ["Tracker mount"], "score": 3.0026},
                            {"id": "pat-0005", "title": ["Inverter"], "score": 1.1189},
                        ],
                    },
                }
            ),
            "ltr.json": _js(
                {
                    "responseHeader": {
                        "status": 0,
                        "QTime": 37,
                        "params": {
                            "q": "solar panel efficiency",
                            "rq": "{!ltr model=lambdamart reRankDocs=100}",
                            "fl": "id,title,score",
                            "rows": "10",
                            "wt": "json",
                        },
                    },
                    "response": {
                        "numFound": 4,
                        "start": 0,
                        "maxScore": 2.514,
                        "numFoundExact": True,
                        "docs": [
                            {"id": "pat-0034", "title": ["Anti-reflective coating"], "score": 2.514},
                            {"id": "pat-0091", "title": ["Tandem cell"], "score": 1.0302},
                            {"id": "pat-0005", "title": ["Inverter"], "score": -0.225},
                            {"id": "pat-0112", "title": ["Tracker mount"], "score": -1.77},
                        ],
                    },
                }
            ),
        },
        lists={
            "*": [
                [["pat-0091"], ["pat-0034"], ["pat-0112"], ["pat-0005"]],
                [["pat-0034"], ["pat-0091"], ["pat-0005"], ["pat-0112"]],
            ]
        },
        note="Two Solr select responses for the same q, plain edismax and with a learning-to-rank rescorer; negative scores are normal there.",
    )
)
