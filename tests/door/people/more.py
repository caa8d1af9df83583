"""Files of a second ninety, by somebody else, that taught something: each was refused without a way, or misread."""

from __future__ import annotations

import datetime
import io

import openpyxl

from tests.door.people import Case


def _make_workbook() -> bytes:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    september, march = datetime.datetime(2024, 9, 2), datetime.datetime(2024, 3, 1)
    for row in (["labA", "labB"], ["TP53", "MARCH1"], [september, "TP53"], ["EGFR", "EGFR"], ["MYC", march]):
        book.active.append(row)
    book.save(stream)
    return stream.getvalue()


def _make_rows() -> list[dict[str, object]]:
    cells = (("a", "x", 1), ("a", "y", 2), ("b", "y", 1), ("b", "x", 2))
    return [{"query": "q1", "model": model, "item": item, "rank": rank} for model, item, rank in cells]


def _make_ranks() -> object:
    import pandas

    return pandas.DataFrame({"item": ["a", "b"], "rank": [0.6, 0.3]})


def _make_parquet() -> bytes:
    import pyarrow
    import pyarrow.parquet

    stream = io.BytesIO()
    scores = {"model": ["A", "B", "C"], "sts": [0.91, 0.9, 0.88], "nli": [None, 0.65, 0.55]}
    pyarrow.parquet.write_table(pyarrow.table(scores), stream)
    return stream.getvalue()


CASES = [
    Case(
        name="votes_with_counts_in_a_text_file",
        family="ballots",
        call="elect",
        files={"votes.txt": b"Alice > Ben > Cleo * 3\nBen > Cleo = Alice * 2\nCleo > Ben\n"},
        lists={"*": [[["Alice"], ["Ben"], ["Cleo"]], [["Ben"], ["Cleo", "Alice"]], [["Cleo"], ["Ben"]]]},
        counts={"*": [3, 2, 1]},
        note="Condorcet format without its parameters: the counts were taken for a part of the last candidate's name.",
    ),
    Case(
        name="voters_named_in_german",
        family="ballots",
        call="elect",
        files={"wahl.csv": "Wähler;1. Wahl;2. Wahl\nV1;Jörg;Zoë\nV2;Zoë;Jörg\nV3;Zoë;\n".encode("cp1252")},
        lists={"*": [[["Jörg"], ["Zoë"]], [["Zoë"], ["Jörg"]], [["Zoë"]]]},
        sure=False,
        note="Of an old Excel. 'Wähler' may name the voters as well as count them.",
    ),
    Case(
        name="rows_with_a_model_column",
        family="frames",
        call="frame",
        frame=_make_rows,
        lists={"*": [[["x"], ["y"]], [["y"], ["x"]]]},
        sure=False,
        note="A list of dicts whose rankers are called models: it was read as one list.",
    ),
    Case(
        name="rank_tracker",
        family="search",
        files={
            "rt.csv": b"Keyword,Position,Search Volume,URL\ncats,1,9900,https://a.org\ncats,2,9900,https://b.org\n"
            b"dogs,1,8100,https://c.org\n"
        },
        lists={"cats": [[["https://a.org"], ["https://b.org"]]], "dogs": [[["https://c.org"]]]},
        sure=False,
        note="The search volume was proposed as the query.",
    ),
    Case(
        name="leaderboard_with_memory",
        family="scores",
        files={
            "mteb.csv": b'Rank,Model,Model Size (Million Parameters),"Memory Usage (GB, fp32)",Classification,Clustering\n'
            b"1,NV-Embed,7851,29.25,87.35,52.80\n2,bge-icl,7111,26.49,84.36,57.89\n3,stella,1543,5.75,87.63,57.69\n"
        },
        lists={"*": [[["stella"], ["NV-Embed"], ["bge-icl"]], [["bge-icl"], ["stella"], ["NV-Embed"]]]},
        sure=False,
        note="Memory was proposed as a ranker only.",
    ),
    Case(
        name="genes_without_a_test",
        family="genes",
        files={
            "deseq.csv": b'"","stat","pvalue","padj"\n"TP53",10.5,1e-20,1e-18\n"MYC",-6,2e-9,1e-7\n"ACTB",0.1,0.92,NA\n'
        },
        options={"columns": {"item": "1", "rank": "padj"}},
        lists={"*": [[["TP53"], ["MYC"]]]},
        sure=False,
        note="The remedy was in the message, and lost its flag.",
    ),
    Case(
        name="genes_that_excel_made_dates_of",
        family="genes",
        files={"genes.xlsx": _make_workbook()},
        lists={"*": [[["TP53"], ["EGFR"], ["MYC"]], [["MARCH1"], ["TP53"], ["EGFR"]]]},
        sure=False,
        note="Nobody can know the names again: they can be left out.",
    ),
    Case(
        name="row_names_of_r_and_a_rank",
        family="genes",
        files={
            "edger.txt": b"logFC\tlogCPM\tPValue\tFDR\nTP53\t2.1\t8.0\t1e-10\t1e-8\nMYC\t-1.8\t7.5\t1e-7\t5e-6\n"
            b"KRAS\t1.0\t6.1\t0.002\t0.01\n"
        },
        options={"columns": {"rank": "FDR"}},
        lists={"*": [[["TP53"], ["MYC"], ["KRAS"]]]},
        sure=False,
        note="The question offered other ranks than the one that was named.",
    ),
    Case(
        name="twohead_fuse",
        family="scores",
        files={
            "fam.csv": b",Retrieval,,Classification,\nModel,NQ,HotpotQA,Banking77,Emotion\ne5,61.2,58.1,82.4,49.9\nbge,55.0,72.6,87.0,51.9\ngte,56.1,65.7,,46.6\n"
        },
        lists={
            "*": [[["e5"], ["gte"], ["bge"]], [["bge"], ["gte"], ["e5"]], [["bge"], ["e5"]], [["bge"], ["e5"], ["gte"]]]
        },
        sure=False,
        note="A row of families above the header was refused without a way.",
    ),
    Case(
        name="laptops",
        family="scores",
        files={
            "l.csv": b'Laptop,Price (\xe2\x82\xac),Battery (h),Weight (kg)\nX1,"1.899,00 \xe2\x82\xac",12,1.12\nAir,"1.299,00 \xe2\x82\xac",15,1.24\nDuo,"2.499,00 \xe2\x82\xac",8,1.60\n'
        },
        options={"lower": "Price (€),Weight (kg)"},
        lists={"*": [[["Air"], ["X1"], ["Duo"]], [["Air"], ["X1"], ["Duo"]], [["X1"], ["Air"], ["Duo"]]]},
        sure=False,
        note="lower= names a column that may describe the items: it was asked about, and could not be answered.",
    ),
    Case(
        name="f1",
        family="scores",
        files={
            "f1.csv": b"Driver,BHR,SAU,AUS,JPN\nVerstappen,1,1,DNF,1\nPerez,2,2,5,2\nSainz,3,DNS,1,3\nLeclerc,4,3,2,4\nNorris,6,8,3,5\n"
        },
        lists={
            "*": [
                [["Verstappen"], ["Perez"], ["Sainz"], ["Leclerc"], ["Norris"]],
                [["Verstappen"], ["Perez"], ["Leclerc"], ["Norris"]],
                [["Sainz"], ["Leclerc"], ["Norris"], ["Perez"]],
                [["Verstappen"], ["Perez"], ["Sainz"], ["Leclerc"], ["Norris"]],
            ]
        },
        sure=False,
        note="DNF is a missing place; it was no number.",
    ),
    Case(
        name="vertex",
        family="search",
        files={
            "vx.json": b'{"results": [{"id": "d1", "document": {"name": "projects/1/d1", "id": "d1", "structData": {"title": "x"}}}, {"id": "d2", "document": {"name": "projects/1/d2", "id": "d2", "structData": {"title": "y"}}}], "totalSize": 2, "attributionToken": "abc", "summary": {}}'
        },
        lists={"*": [[["d1"], ["d2"]]]},
        sure=False,
        note="Vertex AI Search gives no scores: refused without a way.",
    ),
    Case(
        name="brave",
        family="search",
        files={
            "brave.json": b'{"query": {"original": "orchid"}, "type": "search", "web": {"type": "search", "results": [{"title": "A", "url": "https://a.org/x"}, {"title": "B", "url": "https://b.org/y"}]}}'
        },
        lists={"*": [[["https://a.org/x"], ["https://b.org/y"]]]},
        sure=False,
        note="Brave: no scores, and the query in an object.",
    ),
    Case(
        name="google",
        family="search",
        files={
            "google.json": b'{"kind": "customsearch#search", "queries": {}, "items": [{"kind": "customsearch#result", "title": "A", "link": "https://a.org/x", "displayLink": "a.org"}, {"kind": "customsearch#result", "title": "B", "link": "https://b.org/y", "displayLink": "b.org"}]}'
        },
        lists={"*": [[["https://a.org/x"], ["https://b.org/y"]]]},
        sure=False,
        note="Google's Custom Search.",
    ),
    Case(
        name="bing",
        family="search",
        files={
            "bing.json": b'{"_type": "SearchResponse", "queryContext": {"originalQuery": "orchid"}, "webPages": {"webSearchUrl": "u", "totalEstimatedMatches": 2, "value": [{"id": "https://api.bing/#WebPages.0", "name": "A", "url": "https://a.org/x", "snippet": ""}, {"id": "https://api.bing/#WebPages.1", "name": "B", "url": "https://b.org/y"}]}}'
        },
        lists={"*": [[["https://a.org/x"], ["https://b.org/y"]]]},
        sure=False,
        note="The ids of Bing only count the hits.",
    ),
    Case(
        name="milvus_py",
        family="search",
        files={"m.json": b'[[{"id": 5, "distance": 0.91, "entity": {}}, {"id": 9, "distance": 0.85, "entity": {}}]]'},
        lists={"*": [[["5"], ["9"]]]},
        sure=False,
        note="pymilvus: a list of hits for each query, and a distance that may be a similarity.",
    ),
    Case(
        name="langchain",
        family="search",
        files={
            "lc.json": b'[{"page_content": "text a", "metadata": {"source": "a.md", "page": 1}}, {"page_content": "text b", "metadata": {"source": "b.md", "page": 2}}]'
        },
        lists={"*": [[["a.md"], ["b.md"]]]},
        sure=False,
        note="Documents of LangChain without ids.",
    ),
    Case(
        name="langchain_id",
        family="search",
        files={
            "lc.json": b'[{"id": "d1", "page_content": "text a", "metadata": {"source": "a.md"}, "type": "Document"}, {"id": "d2", "page_content": "text b", "metadata": {"source": "b.md"}, "type": "Document"}]'
        },
        lists={"*": [[["d1"], ["d2"]]]},
        sure=False,
        note="Documents of LangChain with ids.",
    ),
    Case(
        name="query_rankers_hits",
        family="search",
        files={
            "r.json": b'{"q1": {"bm25": [{"id": "d1", "score": 2}, {"id": "d2", "score": 1}], "dense": [{"id": "d2", "score": 0.8}]}, "q2": {"bm25": [{"id": "d5", "score": 2}], "dense": [{"id": "d5", "score": 0.8}]}}'
        },
        lists={"q1": [[["d1"], ["d2"]], [["d2"]]], "q2": [[["d5"]], [["d5"]]]},
        sure=False,
        note="Hits by query and ranker: refused without a way.",
    ),
    Case(
        name="msmarco2",
        family="search",
        files={
            "run.msmarco-passage.bm25.txt": b"300674\t7067032\t1\n300674\t99\t2\n300674\t5\t3\n",
            "dense.tsv": b"300674\t5\t1\n300674\t99\t2\n",
        },
        lists={"300674": [[["7067032"], ["99"], ["5"]], [["5"], ["99"]]]},
        sure=False,
        note="A run of MS MARCO with one query and two rows was taken for ballots.",
    ),
    Case(
        name="colbert",
        family="search",
        files={"ranking.tsv": b"q1\tp9\t1\t23.1\nq1\tp3\t2\t20.0\nq2\tp3\t1\t15.5\n"},
        lists={"q1": [[["p9"], ["p3"]]], "q2": [[["p3"]]]},
        sure=False,
        note="ColBERT's ranking.tsv: the rank was proposed as the query.",
    ),
    Case(
        name="trec5",
        family="search",
        files={"bm25.txt": b"q1 d1 1 12.5 bm25\nq1 d2 2 11.5 bm25\n"},
        lists={"q1": [[["d1"], ["d2"]]]},
        sure=False,
        note="A run without Q0: no option read it.",
    ),
    Case(
        name="engine_rows",
        family="search",
        files={
            "r.csv": b"engine,query,result1,result2,result3\nG,orchid,a.org,b.org,c.org\nB,orchid,b.org,a.org,d.org\nG,fern,e.org,f.org,\nB,fern,f.org,e.org,g.org\n"
        },
        lists={
            "orchid": [[["a.org"], ["b.org"], ["c.org"]], [["b.org"], ["a.org"], ["d.org"]]],
            "fern": [[["e.org"], ["f.org"]], [["f.org"], ["e.org"], ["g.org"]]],
        },
        sure=False,
        note="A row for each engine and query: the engine was offered as a first choice.",
    ),
    Case(
        name="faiss",
        family="search",
        files={"I.csv": b"qid,nn1,nn2,nn3\nq1,d4,d2,d9\nq2,d1,d3,d2\n"},
        lists={"q1": [[["d4"], ["d2"], ["d9"]]], "q2": [[["d1"], ["d3"], ["d2"]]]},
        sure=False,
        note="A row of neighbours for each query: each was a ranker of its own.",
    ),
    Case(
        name="s_jsonl_docs",
        family="search",
        files={"a.jsonl": b'{"question": "what", "docs": ["d1", "d2"]}\n{"question": "who", "docs": ["d3"]}\n'},
        lists={"what": [[["d1"], ["d2"]]], "who": [[["d3"]]]},
        sure=False,
        note="question and docs: refused without a way.",
    ),
    Case(
        name="s_jsonl_ctxs",
        family="search",
        files={
            "a.jsonl": b'{"question": "what", "ctxs": [{"id": "d1", "title": "t", "text": "x", "score": "9.5"}, {"id": "d2", "title": "t", "text": "x", "score": "8.5"}]}\n'
        },
        lists={"what": [[["d1"], ["d2"]]]},
        sure=False,
        note="DPR writes scores as texts.",
    ),
    Case(
        name="s_beir_run",
        family="search",
        files={"run.tsv": b"query-id\tcorpus-id\tscore\nq1\td1\t2.5\nq1\td2\t3.5\n"},
        lists={"q1": [[["d2"], ["d1"]]]},
        sure=False,
        note="corpus-id is BEIR's document.",
    ),
    Case(
        name="genecols",
        family="genes",
        files={"g.csv": b"Smith2019,Jones2020,Lee2021\nTP53,MYC,TP53\nMYC,TP53,EGFR\nEGFR,,MYC\nKRAS,,RB1\nBRCA1,,\n"},
        lists={
            "*": [
                [["TP53"], ["MYC"], ["EGFR"], ["KRAS"], ["BRCA1"]],
                [["MYC"], ["TP53"]],
                [["TP53"], ["EGFR"], ["MYC"], ["RB1"]],
            ]
        },
        sure=False,
        note="Names of studies, a year at their end, above genes.",
    ),
    Case(
        name="genetxt_head",
        family="genes",
        files={
            "smith.txt": b"Gene\nTP53\nMYC\nEGFR\n",
            "jones.txt": b"Gene\nMYC\nTP53\n",
            "lee.txt": b"Gene\nTP53\nEGFR\nMYC\nRB1\n",
        },
        lists={"*": [[["TP53"], ["MYC"], ["EGFR"]], [["MYC"], ["TP53"]], [["TP53"], ["EGFR"], ["MYC"], ["RB1"]]]},
        sure=False,
        note="Gene in the first line of each list.",
    ),
    Case(
        name="g_logp",
        family="genes",
        files={"a.csv": b"study,gene,-log10 pvalue\nS,TP53,8\nS,MYC,3\nJ,EGFR,1\nJ,TP53,7\n"},
        lists={"*": [[["TP53"], ["MYC"]], [["TP53"], ["EGFR"]]]},
        sure=False,
        note="-log10 of p-values: small was offered as top, and nothing else.",
    ),
    Case(
        name="rank_eval",
        family="labels",
        call="labels",
        files={
            "r.json": b'{"requests": [{"id": "q1", "request": {"query": {"match": {"t": "x"}}}, "ratings": [{"_index": "i", "_id": "d1", "rating": 2}, {"_index": "i", "_id": "d2", "rating": 0}]}, {"id": "q2", "request": {}, "ratings": [{"_index": "i", "_id": "d3", "rating": 1}]}], "metric": {"precision": {"k": 10}}}'
        },
        labels={"q1": {"d1": 2, "d2": 0}, "q2": {"d3": 1}},
        sure=False,
        note="A request to Elasticsearch's rank_eval.",
    ),
    Case(
        name="obj_list",
        family="labels",
        call="labels",
        files={"l.json": b'{"q1": ["d1", "d9"], "q2": ["d3"]}'},
        labels={"q1": {"d1": 1, "d9": 1}, "q2": {"d3": 1}},
        sure=False,
        note="The relevant documents of each query.",
    ),
    Case(
        name="umbrela_fail",
        family="labels",
        call="labels",
        files={
            "u.jsonl": b'{"qid": "q1", "docid": "d1", "judgment": 2, "result_status": 1}\n{"qid": "q1", "docid": "d2", "judgment": 0, "result_status": 0}\n{"qid": "q2", "docid": "d3", "judgment": 1, "result_status": 1}\n'
        },
        labels={"q1": {"d1": 2}, "q2": {"d3": 1}},
        sure=False,
        note="result_status 0: the answer held no grade, which was read as 0.",
    ),
    Case(
        name="stars",
        family="labels",
        call="labels",
        files={"l.csv": b"query,doc,rating\nq1,d1,5/5\nq1,d2,1/5\nq2,d3,3/5\n"},
        labels={"q1": {"d1": 5, "d2": 1}, "q2": {"d3": 3}},
        sure=False,
        note="3/5: no option read it rightly.",
    ),
    Case(
        name="ranks_that_are_scores",
        family="search",
        files={"pg.csv": b"doc_id,rank\nd1,0.61\nd7,0.33\nd2,0.10\n"},
        lists={"*": [[["d1"], ["d7"], ["d2"]]]},
        sure=False,
        note="ts_rank(…) AS rank of PostgreSQL was read upside down.",
    ),
    Case(
        name="ranks_of_a_frame_that_are_scores",
        family="frames",
        call="frame",
        frame=_make_ranks,
        lists={"*": [[["a"], ["b"]]]},
        sure=False,
        note="The same as a frame of pandas.",
    ),
    Case(
        name="parquet_of_models_and_tasks",
        family="frames",
        files={"scores.parquet": _make_parquet()},
        lists={"*": [[["A"], ["B"], ["C"]], [["B"], ["C"]]]},
        note="A wide table in Parquet was refused.",
    ),
]
