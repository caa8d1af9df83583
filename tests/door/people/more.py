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
]
