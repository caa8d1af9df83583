"""Little files as people make them: what each must be read as, or which option its refusal must name."""

# ruff: noqa: E501  a table of cases: one line, one case

from __future__ import annotations

import dataclasses
import datetime
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import openpyxl

Lists = Mapping[str, Mapping[str, Sequence[Any]]]


@dataclasses.dataclass(frozen=True)
class Case:
    """One file and one call; ``lists`` are {query: {ranker: best-first ids, tied ones as a list}}, ``refused`` pieces
    of the message, ``noted`` pieces of the notes."""

    says: str
    file: str
    content: str | bytes
    lists: Lists | None = None
    refused: tuple[str, ...] = ()
    options: dict[str, Any] = dataclasses.field(default_factory=dict)
    noted: tuple[str, ...] = ()


def book(*sheets: tuple[str, list[list[Any]]]) -> bytes:
    """A workbook as Excel saves it."""
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for title, rows in sheets:
        sheet = workbook.create_sheet(title)
        for row in rows:
            sheet.append(row)
    stream = io.BytesIO()
    workbook.save(stream)
    return stream.getvalue()


GENES = "lab1,lab2,lab3\nTP53,MYC,TP53\nMYC,TP53,EGFR\nEGFR,PTEN,MYC\nKRAS,,RB1\n"
GENE_LISTS = {"lab1": ["TP53", "MYC", "EGFR", "KRAS"], "lab2": ["MYC", "TP53", "PTEN"],
              "lab3": ["TP53", "EGFR", "MYC", "RB1"]}  # fmt: skip
BALLOTS = "Voter,1st choice,2nd choice,3rd choice\nAnn,Cleo,Ben,Ada\nBob,Ben,Cleo,\nEve,Ada,,Ben\n"
BALLOT_LISTS = {"Ann": ["Cleo", "Ben", "Ada"], "Bob": ["Ben", "Cleo"], "Eve": ["Ada", "Ben"]}
WIDE = "item,bm25,dense\nd1,12.5,0.31\nd2,9.25,0.87\nd3,,0.5\n"
WIDE_LISTS = {"bm25": ["d1", "d2"], "dense": ["d2", "d3", "d1"]}
GRID = "voter,Ada,Ben,Cleo\nAnn,1,2,3\nBob,3,1,2\nEve,,2,1\n"
GRID_LISTS = {"Ann": ["Ada", "Ben", "Cleo"], "Bob": ["Ben", "Cleo", "Ada"], "Eve": ["Cleo", "Ben"]}
HITS = {
    "took": 3,
    "timed_out": False,
    "hits": {"total": {"value": 2}, "hits": [
        {"_index": "docs", "_id": "d1", "_score": 7.5, "_source": {"title": "one"}},
        {"_index": "docs", "_id": "d2", "_score": 7.5},
        {"_index": "docs", "_id": "d3", "_score": 1.25},
    ]},
}  # fmt: skip
SORTED_HITS = {"hits": {"hits": [{"_id": "b", "_score": None}, {"_id": "a", "_score": None}]}}
THIRTY = ";".join(f"expert{n}" for n in range(1, 31))
EMAIL = (
    "Timestamp,Email,First choice,Second choice\n2024/05/01 9:00,a@x.org,Pizza,Pasta\n2024/05/01 9:00,b@x.org,Pasta,\n"
)


def one(lists: Mapping[str, Sequence[Any]]) -> Lists:
    return {"1": lists}


CASES = [
    # --- long -----------------------------------------------------------------------------------------------------
    Case("long table with a query", "x.csv", "query,item,score\nq1,a,2\nq1,b,3\n", {"q1": {"x": ["b", "a"]}}),
    Case("capitals in the header", "x.csv", "Query,Item,Score\nq1,a,2\nq1,b,3\n", {"q1": {"x": ["b", "a"]}}),
    Case("ranker, item, rank without a query", "x.csv", "ranker,item,rank\nr,a,2\nr,b,1\ns,a,1\n",
         one({"r": ["b", "a"], "s": ["a"]})),
    Case("item and score alone", "run.csv", "Item,Score\na,1\nb,2\n", one({"run": ["b", "a"]})),
    Case("semicolons", "x.csv", "query;item;score\nq;a;1\nq;b;2\n", {"q": {"x": ["b", "a"]}}),
    Case("semicolons and decimal commas", "x.csv", "query;item;score\nq;a;1,5\nq;b;0,25\n", {"q": {"x": ["a", "b"]}},
         noted=("decimal comma",)),
    Case("tabs and decimal commas", "x.tsv", "query\titem\tscore\nq\ta\t1,5\nq\tb\t2,5\n", {"q": {"x": ["b", "a"]}}),
    Case("decimal commas and points in one table", "x.csv", "query;item;score\nq;a;1,500\nq;b;2.5\n",
         refused=("x.csv:3", "comma")),
    Case("decimal points, then a decimal comma", "x.csv", "item;bm25;dense\na;1.5;2.25\nb;2,5;1.25\n", refused=("x.csv:3", "comma")),
    Case("a decimal comma in a comma table", "x.csv", 'query,item,score\nq,a,"1,5"\nq,b,2\n',
         refused=("x.csv:2", "'1,5'")),
    Case("blanks around unquoted cells", "x.csv", "query, item , score\nq, a ,1\nq,b , 2\n", {"q": {"x": ["b", "a"]}}),
    Case("quoted blanks are kept", "x.csv", 'query,item,score\nq," a",1\nq,b,2\n', {"q": {"x": ["b", " a"]}}),
    Case("quotes after a blank", "x.csv", 'query, item, score\nq, "a, the first", 1\nq, "b", 2\n',
         {"q": {"x": ["b", "a, the first"]}}),
    Case("an empty last column", "x.csv", "query,item,score,\nq,a,1,\nq,b,2,\n", {"q": {"x": ["b", "a"]}}),
    Case("an empty last column of the rows only", "x.csv", "query,item,score\nq,a,1,\nq,b,2,\n",
         {"q": {"x": ["b", "a"]}}),
    Case("a byte-order mark and CRLF", "x.csv", b"\xef\xbb\xbfItem;Score\r\na;1\r\nb;2\r\n", one({"x": ["b", "a"]})),
    Case("Excel's line that names the separator", "x.csv", "sep=;\nitem;score\na;1\nb;2\n", one({"x": ["b", "a"]})),
    Case("ranx's column names", "x.csv", "q_id,doc_id,score\nq,a,1\nq,b,2\n", {"q": {"x": ["b", "a"]}}),
    Case("other column names are refused with the mapping", "x.csv", "qid,docno,system,sim\nq,a,s,1\n",
         refused=("columns={'query': 'qid', 'ranker': 'system', 'item': 'docno', 'score': 'sim'}",)),
    Case("other column names are mapped", "x.csv", "qid,docno,system,sim\nq,a,s,1\nq,b,s,2\n", {"q": {"s": ["b", "a"]}},
         options={"columns": {"query": "qid", "ranker": "system", "item": "docno", "score": "SIM"}}),
    Case("columns mapped by number", "x.csv", "q,a,1\nq,b,2\n", {"q": {"x": ["b", "a"]}},
         options={"columns": {"query": "1", "item": "2", "score": "3"}, "header": False}),
    Case("a voter column is not ignored", "x.csv", "voter,item,rank\nAnn,a,1\nBob,b,1\n",
         refused=("columns={'ranker': 'voter'}",)),
    Case("a misspelt query column is not ignored", "x.csv", "qeury,item,score\nq1,a,1\nq2,b,1\n",
         refused=("columns={'query': 'qeury'}",)),
    Case("a user column may be query or ranker", "x.csv", "user,item,score\nu1,a,1\nu2,b,1\n",
         refused=("columns={'query': 'user'}", "columns={'ranker': 'user'}")),
    Case("votes in a long table under other names", "x.csv", "voter,candidate,rank\nAnn,Ada,1\nAnn,Ben,2\nBob,Ben,1\n",
         refused=("columns={'ranker': 'voter', 'item': 'candidate'}",)),
    Case("gene and rank", "lab1.csv", "gene,rank\nTP53,1\nMYC,2\n", refused=("columns={'item': 'gene'}",)),
    Case("the same item twice", "x.csv", "item,score\na,1\na,3\nb,2\n", refused=("duplicates='best'", "x.csv:3")),
    Case("the same item twice, the best kept", "x.csv", "item,score\na,1\na,3\nb,2\n", one({"x": ["a", "b"]}),
         options={"duplicates": "best"}),
    Case("the same item twice, the first kept", "x.csv", "item,score\na,1\na,3\nb,2\n", one({"x": ["b", "a"]}),
         options={"duplicates": "first"}),
    Case("no header and scores", "x.csv", "a,2.5\nb,3.5\n", refused=("header=False", "columns={'item': '1', 'score': '2'}")),
    # --- columns --------------------------------------------------------------------------------------------------
    Case("gene columns", "genes.csv", GENES, one(GENE_LISTS), noted=("header=False",)),
    Case("gene columns with semicolons", "genes.csv", GENES.replace(",", ";"), one(GENE_LISTS)),
    Case("gene columns with tabs", "genes.txt", GENES.replace(",", "\t"), one(GENE_LISTS)),
    Case("gene columns with an empty last column", "genes.csv", GENES.replace("\n", ",\n"), one(GENE_LISTS)),
    Case("gene columns without a header", "genes.csv", GENES.partition("\n")[2],
         refused=("layout='columns', header=False",)),
    Case("gene columns without a header, said", "genes.csv", GENES.partition("\n")[2],
         one(dict(zip("123", GENE_LISTS.values(), strict=True))), options={"layout": "columns", "header": False}),
    Case("columns or ballots", "x.csv", "a,b\nx,y\ny,x\n", refused=("layout='columns'", "layout='ballots'")),
    Case("columns, said", "x.csv", "a,b\nx,y\ny,x\n", one({"a": ["x", "y"], "b": ["y", "x"]}),
         options={"layout": "columns", "header": True}),
    Case("gene columns beside their p values", "x.csv", "lab1,p,lab2,q\nTP53,0.01,TP53,0.02\nMYC,0.02,MYC,0.03\n",
         refused=("layout=",)),
    Case("columns of numbers", "x.csv", "a,b\n1,2\n2,1\n", refused=("layout='columns'", "layout='grid'")),
    Case("columns of numbers, said", "x.csv", "a,b\n11,12\n12,11\n", one({"a": ["11", "12"], "b": ["12", "11"]}),
         options={"layout": "columns", "header": True}),
    Case("thirty columns", "x.csv", THIRTY + "\n" + ";".join(["A"] * 30) + "\n" + ";".join(["B", "C"] * 15) + "\n",
         one({f"expert{n}": ["A", "B" if n % 2 else "C"] for n in range(1, 31)})),
    Case("ties in columns", "x.csv", "r,s\nA=B,A\nC,A2\nD,B\n", one({"r": [["A", "B"], "C", "D"], "s": ["A", "A2", "B"]}),
         options={"layout": "columns", "header": True}),
    Case("peers rank each other", "x.csv", "Ann,Bob,Cleo\nBob,Ann,Ann\nCleo,Cleo,Bob\n", refused=("header=True", "header=False")),
    # --- ballots --------------------------------------------------------------------------------------------------
    Case("ballots", "ballots.csv", BALLOTS, one(BALLOT_LISTS)),
    Case("ballots with semicolons", "ballots.csv", BALLOTS.replace(",", ";"), one(BALLOT_LISTS)),
    Case("ballots in any order of the columns", "x.csv", "2nd,1st,voter\nB,A,Ann\nA,B,Bob\n",
         one({"Ann": ["A", "B"], "Bob": ["B", "A"]})),
    Case("ballots with ties", "x.csv", "voter,first,second\nAnn,A=B,C\nBob,C, A = B\n",
         one({"Ann": [["A", "B"], "C"], "Bob": ["C", ["A", "B"]]})),
    Case("a survey with a timestamp", "survey.csv", EMAIL,
         one({"2024/05/01 9:00": ["Pizza", "Pasta"], "2024/05/01 9:00 (2)": ["Pasta"]}), noted=("ignored columns: 'Email'",)),
    Case("questions as headers", "x.csv", "Timestamp,What is your first choice?,What is your second choice?\nt1,A,B\nt2,B,A\n",
         one({"t1": ["A", "B"], "t2": ["B", "A"]})),
    Case("ballots with counts", "x.csv", "Votes,1st,2nd\n12,A,B\n3,B,\n", one({"1": ["A", "B"], "2": ["B"]})),
    Case("ballots of candidate numbers", "x.csv", "voter,1,2,3\nAnn,2,1,3\nBob,1,3,2\n",
         refused=("layout='ballots'", "layout='grid'")),
    Case("ballots of candidate numbers, said", "x.csv", "voter,1,2,3\nAnn,2,1,3\nBob,1,3,2\n",
         one({"Ann": ["2", "1", "3"], "Bob": ["1", "3", "2"]}), options={"layout": "ballots"}),
    Case("ballots without a header", "x.csv", "Ada,Ben,Cleo\nBen,Ada,Cleo\nAda,Cleo,Ben\n", refused=("layout='ballots', header=False",)),
    Case("ballots without a header, said", "x.csv", "Ada,Ben,Cleo\nBen,Ada\nAda,Cleo,Ben\n",
         one({"1": ["Ada", "Ben", "Cleo"], "2": ["Ben", "Ada"], "3": ["Ada", "Cleo", "Ben"]}), options={"layout": "ballots"}),
    Case("names of voters without a header", "x.csv", "Ann,Ada,Ben\nBob,Ben,Ada\nEve,Ada,Ben\n",
         refused=("columns={'ranker': '1'}",), options={"layout": "ballots", "header": False}),
    Case("names of voters without a header, said", "x.csv", "Ann,Ada,Ben\nBob,Ben,Ada\nEve,Ada,Ben\n",
         one({"Ann": ["Ada", "Ben"], "Bob": ["Ben", "Ada"], "Eve": ["Ada", "Ben"]}),
         options={"layout": "ballots", "header": False, "columns": {"ranker": "1"}}),
    Case("a candidate twice on a ballot", "x.csv", "voter,1st,2nd\nAnn,A,A\nBob,B,A\n", refused=("x.csv:2", "duplicates='first'")),
    Case("a voter twice", "x.csv", "name,1st,2nd\nAnn,A,B\nAnn,B,A\n", one({"Ann": ["A", "B"], "Ann (2)": ["B", "A"]}),
         noted=("'Ann'",)),
    Case("dashes for no choice", "x.csv", "voter,1st,2nd\nAnn,A,-\nBob,B,A\n", refused=("x.csv:2", "'-'")),
    Case("one file, two elections", "x.csv", "query,voter,1st,2nd\nmayor,Ann,A,B\nboard,Ann,C,D\n",
         {"mayor": {"Ann": ["A", "B"]}, "board": {"Ann": ["C", "D"]}}),
    # --- list -----------------------------------------------------------------------------------------------------
    Case("one id per line", "bm25.txt", "d3\nd1\nd2\n", one({"bm25": ["d3", "d1", "d2"]})),
    Case("one id per line in a csv", "bm25.csv", "item\nd3\nd1\n", one({"bm25": ["d3", "d1"]})),
    Case("one gene per line under a header", "lab.txt", "Gene\nTP53\nMYC\n", refused=("header=True", "header=False")),
    Case("one gene per line under a header, said", "lab.txt", "Gene\nTP53\nMYC\n", one({"lab": ["TP53", "MYC"]}),
         options={"header": True}),
    Case("one number per line", "x.txt", "17\n12\n", refused=("layout='list'",)),
    Case("one number per line, said", "x.txt", "17\n12\n", one({"x": ["17", "12"]}), options={"layout": "list"}),
    Case("names with blanks, one per line", "x.txt", "New York\nSan Jose\n", refused=("layout='list'",)),
    Case("names with blanks, one per line, said", "x.txt", "New York\nSan Jose\n", one({"x": ["New York", "San Jose"]}),
         options={"layout": "list"}),
    # --- wide -----------------------------------------------------------------------------------------------------
    Case("items and scores", "x.csv", WIDE, one(WIDE_LISTS), noted=("values='rank'",)),
    Case("items and scores with decimal commas", "x.csv", WIDE.replace(",", ";").replace(".", ","), one(WIDE_LISTS)),
    Case("items and scores of several queries", "x.csv", "query,item,bm25,dense\nq1,a,1.5,0.2\nq1,b,2.5,0.1\nq2,a,1.25,\n",
         {"q1": {"bm25": ["b", "a"], "dense": ["a", "b"]}, "q2": {"bm25": ["a"]}}),
    Case("items and ranks", "x.csv", "item,bm25,dense\na,1,2\nb,2,1\n", refused=("values='rank'", "values='score'")),
    Case("items and ranks, said", "x.csv", "item,bm25,dense\na,1,2\nb,2,1\n", one({"bm25": ["a", "b"], "dense": ["b", "a"]}),
         options={"values": "rank"}),
    Case("items and named ranks", "x.csv", "item,bm25_rank,dense_rank\na,1,2\nb,2,1\n",
         one({"bm25_rank": ["a", "b"], "dense_rank": ["b", "a"]})),
    Case("items, scores and ranks side by side", "x.csv", "item,bm25 score,dense rank\na,2.5,2\nb,1.5,1\n", refused=("values=",)),
    Case("items and p values", "x.csv", "item,p_value lab1,p_value lab2\na,0.01,0.2\nb,0.5,0.1\n", refused=("values='rank'",)),
    Case("genes and numbers", "x.csv", "id,bm25,dense\na,1.25,2.5\nb,2.5,1.25\n", refused=("layout='wide'", "layout='grid'")),
    Case("genes and numbers, said", "x.csv", "id,bm25,dense\na,1.25,2.5\nb,2.5,1.25\n",
         one({"bm25": ["b", "a"], "dense": ["a", "b"]}), options={"layout": "wide"}),
    Case("a bad number among scores", "x.csv", "item,bm25,dense\na,1.5,x\nb,2.5,1.5\nc,1.25,2\n", refused=("x.csv:2", "'x'")),
    # --- grid -----------------------------------------------------------------------------------------------------
    Case("a grid of ranks", "x.csv", GRID, one(GRID_LISTS), noted=("values='score'",)),
    Case("a grid of ranks without names", "x.csv", "Ada,Ben\n1,2\n2,1\n", refused=("layout='grid'",)),
    Case("a grid of ranks without names, said", "x.csv", "Ada,Ben\n1,2\n2,1\n", one({"1": ["Ada", "Ben"], "2": ["Ben", "Ada"]}),
         options={"layout": "grid"}),
    Case("a grid of stars", "x.csv", "voter,Ada,Ben,Cleo\nAnn,5,4,4\nBob,3,5,2\n", refused=("values='score'", "values='rank'")),
    Case("a grid of stars, said", "x.csv", "voter,Ada,Ben,Cleo\nAnn,5,4,4\nBob,3,5,2\n",
         one({"Ann": ["Ada", ["Ben", "Cleo"]], "Bob": ["Ben", "Ada", "Cleo"]}), options={"values": "score"}),
    Case("a form's grid question", "x.csv", "Timestamp,Rank them [Pizza],Rank them [Pasta]\nt1,1st,2nd\nt2,2nd,1st\n",
         one({"t1": ["Pizza", "Pasta"], "t2": ["Pasta", "Pizza"]})),
    # --- pairs ----------------------------------------------------------------------------------------------------
    Case("winners and losers", "x.csv", "Winner,Loser\nA,B\nC,A\n", one({"1": ["A", "B"], "2": ["C", "A"]}), noted=("missing",)),
    Case("winners and losers with ties", "x.csv", "winner,loser,tie\nA,B,0\nC,A,1\n", one({"1": ["A", "B"], "2": [["A", "C"]]})),
    Case("judges and choices", "x.csv", "judge,a,b,choice\nAnn,X,Y,a\nAnn,Y,Z,Z\nBob,X,Z,tie\n",
         one({"Ann": ["X", "Y"], "Ann (2)": ["Z", "Y"], "Bob": [["X", "Z"]]})),
    Case("a choice of nobody", "x.csv", "judge,a,b,choice\nAnn,X,Y,W\n", refused=("x.csv:2", "'W'")),
    # --- workbooks ------------------------------------------------------------------------------------------------
    Case("gene columns in Excel", "genes.xlsx", book(("Sheet1", [line.split(",") for line in GENES.splitlines()])), one(GENE_LISTS)),
    Case("ballots in Excel", "x.xlsx", book(("Votes", [["Voter", "1st choice", "2nd choice"], ["Ann", "A", "B"], ["Bob", "B", None]])),
         one({"Ann": ["A", "B"], "Bob": ["B"]})),
    Case("items and scores in Excel", "x.xlsx", book(("S", [["Item", "bm25", "dense"], ["a", 1.5, 2], ["b", 2.5, 1.25]])),
         one({"bm25": ["b", "a"], "dense": ["a", "b"]})),
    Case("numbers as ids in Excel", "x.xlsx", book(("S", [["query", "item", "score"], [7, 101, 1.5], [7, 102, 2]])),
         {"7": {"x": ["102", "101"]}}),
    Case("two sheets", "x.xlsx", book(("Notes", [["hello"]]), ("Data", [["item", "score"], ["a", 1]])), refused=("sheet='Data'",)),
    Case("two sheets, said", "x.xlsx", book(("Notes", [["hello"]]), ("Data", [["item", "score"], ["a", 1]])),
         one({"x": ["a"]}), options={"sheet": "Data"}),
    Case("a gene that Excel made a date", "x.xlsx",
         book(("S", [["lab1", "lab2"], ["TP53", "TP53"], ["MYC", datetime.datetime(2024, 9, 2)]])), refused=("B3", "date")),
    Case("empty rows above the table in Excel", "x.xlsx", book(("S", [[], [None], ["item", "score"], ["a", 1], ["b", "x"]])),
         refused=("x.xlsx:5", "'x'")),
    # --- JSON Lines, responses, JSON --------------------------------------------------------------------------------
    Case("JSON Lines", "x.jsonl", '{"query": "q", "item": "a", "score": 1}\n{"query": "q", "item": "b", "score": 2}\n',
         {"q": {"x": ["b", "a"]}}),
    Case("JSON Lines under other names", "x.ndjson", '{"qid": "q", "doc": "a", "score": 1}\n',
         refused=("columns={'query': 'qid', 'item': 'doc'}",)),
    Case("a response of Elasticsearch", "q7.json", json.dumps(HITS), {"q7": {"q7": [["d2", "d1"], "d3"]}}),
    Case("responses by query", "bm25.json", json.dumps({"q1": HITS, "q2": SORTED_HITS}),
         {"q1": {"bm25": [["d2", "d1"], "d3"]}, "q2": {"bm25": ["b", "a"]}}),
    Case("a response per line", "bm25.jsonl", json.dumps({"query": "q1", **HITS}) + "\n" + json.dumps({"query": "q2", **SORTED_HITS}),
         {"q1": {"bm25": [["d2", "d1"], "d3"]}, "q2": {"bm25": ["b", "a"]}}),
    Case("JSON by query", "x.json", '{"a": {"d1": 1, "d2": 2}}', {"a": {"x": ["d2", "d1"]}}),
    Case("JSON by ranker, said", "x.json", '{"a": {"d1": 1, "d2": 2}, "b": {"d1": 3}}', one({"a": ["d2", "d1"], "b": ["d1"]}),
         options={"outer": "ranker"}),
    Case("JSON by ranker, then query, said", "x.json", '{"a": {"q": {"d1": 1, "d2": 2}}}', {"q": {"a": ["d2", "d1"]}},
         options={"outer": "ranker"}),
    # --- TREC -----------------------------------------------------------------------------------------------------
    Case("a TREC row of seven columns", "x.trec", "q Q0 a 1 2 t more\nq Q0 b 2 1 t\n", refused=("x.trec:1", "lenient", "7")),
    Case("a TREC row of seven columns, leniently", "x.trec", "q Q0 a 1 2 t more\nq Q0 b 2 1 t\n", {"q": {"x": ["a", "b"]}},
         options={"lenient": True}, noted=("more than six columns",)),
    Case("an unknown option", "x.csv", "item,score\na,1\n", refused=("layout is one of",), options={"layout": "broad"}),
    # --- what nobody should take for something else ---------------------------------------------------------------
    Case("a last choice that has no number", "x.csv", "voter,first,second,last\nAnn,A,B,C\nBob,B,A,C\n", refused=("'last'", "layout='ballots'")),
    Case("a last choice that has no number, said", "x.csv", "voter,first,second,last\nAnn,A,B,C\nBob,B,A,C\n",
         one({"Ann": ["A", "B", "C"], "Bob": ["B", "A", "C"]}), options={"layout": "ballots"}),
    Case("choices in words", "x.csv", "Person,Best,Second best,Worst\nAnn,A,B,C\nBob,B,A,C\n", refused=("layout='ballots'",)),
    Case("choices in words, said", "x.csv", "Person,Best,Second best,Worst\nAnn,A,B,C\nBob,B,A,C\n",
         one({"Ann": ["A", "B", "C"], "Bob": ["B", "A", "C"]}), options={"layout": "ballots"}),
    Case("names of voters under an unknown header", "x.csv", "Worker,Best,Then\nAnn,A,B\nBob,B,A\n",
         refused=("columns={'ranker': 'Worker'}",), options={"layout": "ballots", "header": True}),
    Case("a column that counts places", "x.csv", "Rank,lab1,lab2\n1,TP53,MYC\n2,MYC,TP53\n3,EGFR,KRAS\n",
         one({"lab1": ["TP53", "MYC", "EGFR"], "lab2": ["MYC", "TP53", "KRAS"]}), noted=("'Rank'",)),
    Case("a ranked table of facts", "x.csv", "Rank,Country,Capital\n1,France,Paris\n2,Italy,Rome\n", refused=("columns={'item': 'Country'}",)),
    Case("votes written with >", "x.txt", "A>B>C\nB>A\n", refused=("layout='ballots', header=False",)),
    Case("votes written with >, said", "x.txt", "A>B=C\nB>A\n", one({"1": ["A", ["B", "C"]], "2": ["B", "A"]}),
         options={"layout": "ballots", "header": False}),
    Case("a form's ranking in one cell", "x.csv", "ID,Name,Rank the options\n1,Ann,A;B;C;\n2,Bob,B;C;A;\n",
         one({"1": ["A", "B", "C"], "2": ["B", "C", "A"]}), options={"layout": "ballots"}, noted=("';'",)),
    Case("a column of numbers beside ballots", "x.csv", "n,1st,2nd\n3,A,B\n1,B,A\n", refused=("columns={'multiplicity': 'n'}",)),
    Case("addresses are not ties", "x.csv", "voter,1st,2nd\nAnn,http://x?a=1,http://y\n", one({"Ann": ["http://x?a=1", "http://y"]})),
    Case("a title above the table", "x.csv", "My survey\n\nVoter;1st;2nd\nAnn;A;B\n", one({"Ann": ["A", "B"]}), noted=("My survey",)),
    Case("a comment above the table", "x.csv", "# my data\nitem,score\na,1\n", refused=("comments=True",)),
    Case("rows of a TREC run with commas", "x.csv", "q1,Q0,d1,1,12.5,bm25\nq1,Q0,d2,2,11,bm25\n",
         refused=("header=False, columns={'query': '1', 'item': '3', 'score': '5'}",)),
    Case("ranks, then ids, without a header", "x.txt", "1\tTP53\n2\tMYC\n", refused=("header=False, columns={'item': '2', 'rank': '1'}",)),
    Case("ids and scores between blanks", "x.txt", "d1 12.5\nd2 11\n", refused=("format='csv', delimiter=' '",)),
    Case("percent signs", "x.csv", "item,bm25,dense\na,50%,20%\nb,30%,70%\n", refused=("percent",)),
    Case("a title beside the items", "x.csv", "item,title,bm25,dense\na,The a,1.25,1.2\nb,The b,2.5,1.3\n",
         one({"bm25": ["b", "a"], "dense": ["b", "a"]}), noted=("ignored columns: 'title'",)),
    Case("the index of a data frame", "x.csv", ",item,bm25,dense\n0,a,1.25,2\n1,b,2.5,1.3\n", one({"bm25": ["b", "a"], "dense": ["a", "b"]})),
    Case("two separators", "x.csv", "Ann,A;B;C\nBob,B;C;A\n", refused=("delimiter=';'",)),
    Case("bars between the cells", "x.csv", "query|item|score\nq|a|1\n", refused=("delimiter=",)),
    Case("bars between the cells, said", "x.csv", "query|item|score\nq|a|1\n", {"q": {"x": ["a"]}}, options={"delimiter": "|"}),
    Case("commas in a file named .tsv", "x.tsv", "query,item,score\nq,a,1\n", {"q": {"x": ["a"]}}),
    Case("a workbook named .csv", "x.csv", book(("S", [["item", "score"], ["a", 1]])), one({"x": ["a"]})),
    Case("a table of text named .xlsx", "x.xlsx", "item,score\na,1\n", refused=("format='csv'",)),
    Case("a sheet of a table of text", "x.csv", "item,score\na,1\n", refused=("'sheet'",), options={"sheet": "Data"}),
    Case("fractions as ids in Excel", "x.xlsx", book(("S", [["item", "score"], [1.5, 1]])), refused=("A2",)),
    Case("rows of a data frame in JSON", "x.json", '[{"query": 7, "item": "a", "score": 1}, {"query": 7, "item": "b", "score": 2}]',
         {"7": {"x": ["b", "a"]}}),
    Case("JSON Lines named .json", "x.json", '{"item": "a", "score": 1}\n{"item": "b", "score": 2}\n', one({"x": ["b", "a"]})),
    Case("responses of _msearch", "x.json", json.dumps({"responses": [SORTED_HITS, SORTED_HITS]}),
         {"1": {"x": ["b", "a"]}, "2": {"x": ["b", "a"]}}),
    Case("a response that names a ranker, said", "bm25.json", json.dumps(SORTED_HITS), one({"bm25": ["b", "a"]}), options={"outer": "ranker"}),
    Case("two spellings of a candidate", "x.csv", "voter,1st,2nd\nAnn,Ada,Ben\nBob,ben,Ada\n",
         one({"Ann": ["Ada", "Ben"], "Bob": ["ben", "Ada"]}), noted=("'Ben' and 'ben'",)),
    Case("an option that a run does not know", "x.trec", "q Q0 a 1 2 t\n", refused=("'columns'",), options={"columns": {"item": "a"}}),
    Case("the same column for two roles", "x.csv", "a,b\nx,1\n", refused=("both",), options={"columns": {"item": "a", "score": "a"}}),
    Case("a column that is not there", "x.csv", "doc,sim\nx,1\n", refused=("'docs'", "'doc'"), options={"columns": {"item": "docs", "score": "sim"}}),
    Case("one column under a header", "x.csv", "lab1\nTP53\nMYC\n", refused=("layout='list', header=True", "header=False")),
    Case("one column under a header, said", "lab1.csv", "symbols\nTP53\nMYC\n", one({"lab1": ["TP53", "MYC"]}), options={"header": True}),
    Case("one column of choices", "x.csv", "1st choice\nA\nB\n", one({"1": ["A"], "2": ["B"]})),
    Case("a header unlike the ids", "x.txt", "docid\nd1\nd2\n", refused=("header=True", "header=False")),
    Case("a tie written otherwise", "x.csv", 'voter,1st,2nd\nAnn,"A, B",C\nBob,B,A\n', refused=("x.csv:2", "'A=B'")),
    Case("voters in the last column", "x.csv", "Ada,Ben,voter\n1,2,Ann\n2,1,Bob\n", one({"Ann": ["Ada", "Ben"], "Bob": ["Ben", "Ada"]})),
    Case("items in the last column", "x.csv", "bm25,dense,item\n1.25,2.5,a\n2.5,1.25,b\n", one({"bm25": ["b", "a"], "dense": ["a", "b"]})),
    Case("rows of empty cells", "x.csv", "voter,1st,2nd\nAnn,A,B\n,,\nBob,B,\n,,\n", one({"Ann": ["A", "B"], "Bob": ["B"]})),
    Case("a voter who chose nobody", "x.csv", "voter,1st,2nd\nAnn,A,B\nBob,,\n", one({"Ann": ["A", "B"]})),
    Case("players and points", "x.csv", "player,points\nAnn,3\nBob,5\n", refused=("columns={'item': 'player', 'score': 'points'}",)),
    Case("an unnamed grid", "x.csv", ",Ada,Ben\nAnn,1,2\nBob,2,1\n", refused=("layout='grid'", "layout='wide'")),
    Case("an unnamed grid, said", "x.csv", ",Ada,Ben\nAnn,1,2\nBob,2,1\n", one({"Ann": ["Ada", "Ben"], "Bob": ["Ben", "Ada"]}),
         options={"layout": "grid"}),
    Case("scores without a header", "x.csv", "d1,1.25,2.5\nd2,2.5,1.25\n", refused=("layout='wide', header=False",)),
    Case("scores without a header, said", "x.csv", "d1,1.25,2.5\nd2,2.5,1.25\n", one({"1": ["d2", "d1"], "2": ["d1", "d2"]}),
         options={"layout": "wide", "header": False}),
    Case("columns without a header whose first ids stand nowhere else", "x.csv", "Dov,Fay\nBen,Ben\nAda,Gus\nGus,Ada\n",
         refused=("layout='columns', header=True (or header=False)",)),
    Case("columns that agree on the first", "x.csv", "Ada,Ada,Ada\nBen,Ben,Dov\nDov,Cleo,Ben\n",
         one({"1": ["Ada", "Ben", "Dov"], "2": ["Ada", "Ben", "Cleo"], "3": ["Ada", "Dov", "Ben"]})),
    Case("columns of documents under names", "x.csv", "bm25,dense\nd1,d1\nd2,d3\n", refused=("layout='columns', header=True",)),
    Case("votes for one, a line each", "x.txt", "Ada\nBen\nAda\n", refused=("layout='ballots', header=False",)),
    Case("five rankers between tabs are no run", "x.txt", "Ada\t0.1\t0.2\t0.3\t0.4\t0.5\nBen\t0.5\t0.1\t0.3\t0.2\t0.1\n",
         refused=("layout='wide', header=False",)),
    Case("a run between tabs", "x.txt", "q\tQ0\td1\t1\t2.5\tt\nq\tQ0\td2\t2\t1.5\tt\n", {"q": {"x": ["d1", "d2"]}}),
    Case("ballots between tabs in a text file", "x.txt", "choice 1\tchoice 2\nBen\tAda\nCleo\tAda\n", one({"1": ["Ben", "Ada"], "2": ["Cleo", "Ada"]})),
    Case("voters, candidates and ranks without a header", "x.csv", "Ann,Ada,1\nAnn,Ben,2\nBob,Ben,1\n",
         refused=("header=False, columns={'ranker': '1', 'item': '2', 'rank': '3'}",)),
    Case("cells between blanks, said", "x.txt", "d1   12.5\nd2 11\n", one({"x": ["d1", "d2"]}),
         options={"delimiter": " ", "header": False, "columns": {"item": "1", "score": "2"}}),
    Case("points from 1 on in a grid", "x.csv", "voter,Ada points,Ben points\nAnn,1,2\nBob,2,1\n", refused=("values='score'",)),
    Case("a run of seven columns under no known name", "input.x", "q\tQ0\td1\t1\t2.5\tt\tmore\n", refused=("lenient=True",)),
    Case("a topic beside items and scores", "x.csv", "topic,item,bm25,dense\n1,a,1.25,2\n1,b,2,1.5\n", refused=("columns={'query': 'topic'}",)),
    Case("a topic beside items and scores, said", "x.csv", "topic,item,bm25,dense\n1,a,1.25,2\n1,b,2,1.5\n",
         {"1": {"bm25": ["b", "a"], "dense": ["a", "b"]}}, options={"columns": {"query": "topic"}}),
    Case("queries and documents by other names, wide", "x.csv", "qid,docid,bm25,dense\n7,a,1.25,2\n7,b,2,1.5\n",
         refused=("columns={'query': 'qid'}",), options={"layout": "wide"}),
    Case("an election beside ballots", "x.csv", "Election,Voter,1st,2nd\nmayor,Ann,A,B\nboard,Ann,C,D\n", refused=("columns={'query': 'Election'}",)),
    Case("an empty query", "x.csv", "query,voter,1st,2nd\nq,Ann,A,B\n,Bob,B,A\n", refused=("x.csv:3", "query is empty")),
    # --- tried by a sceptical newcomer ------------------------------------------------------------------------------
    Case("a grid of Qualtrics", "x.csv", "ResponseId,Pizza,Sushi\nR_1,1,2\nR_2,2,1\nR_3,1,\n",
         one({"R_1": ["Pizza", "Sushi"], "R_2": ["Sushi", "Pizza"], "R_3": ["Pizza"]})),
    Case("a grid whose voters have odd ids, said", "x.csv", "who,Pizza,Sushi\nR1,1,2\nR2,2,1\n",
         one({"R1": ["Pizza", "Sushi"], "R2": ["Sushi", "Pizza"]}), options={"layout": "grid"}),
    Case("a grid whose voters are numbered under an unknown name", "x.csv", "subject,A,B\n1,1,2\n2,2,1\n3,1,2\n",
         refused=("columns={'ranker': 'subject'}", "columns={'ranker': ''}"), options={"layout": "grid"}),
    Case("a grid whose voters are numbered", "x.csv", "respondent,A,B\n1,1,2\n2,2,1\n3,1,2\n",
         one({"1": ["A", "B"], "2": ["B", "A"], "3": ["A", "B"]})),
    Case("an export of Qualtrics with its three headers", "x.csv",
         'StartDate,ResponseId,Q1_1\nStart Date,Response ID,Pizza\n"{""ImportId"":""a""}","{""ImportId"":""b""}","{""ImportId"":""c""}"\n2024-03-01,R_1,1\n',
         refused=("delete lines 2 and 3", "layout='grid'")),
    Case("missing numbers in words", "x.csv", "item,bm25,dense,splade\na,1.25,NA,3.75\nb,-,n/a,\nc,null,0.2,#N/A\n", refused=("'NA'", "lenient=True")),
    Case("missing numbers in words, leniently", "x.csv", "item,bm25,dense,splade\na,1.25,NA,3.75\nb,-,n/a,\nc,null,0.2,#N/A\n",
         one({"bm25": ["a"], "dense": ["c"], "splade": ["a"]}), options={"lenient": True}),
    Case("thousands between commas", "x.csv", 'item,clicks,sales\na,"1,250","3,000"\nb,980,"12,000"\n', refused=("'1,250'", "thousands")),
    Case("thousands between points", "x.csv", "item;clicks;sales\na;1.250;3.000\nb;980;12.000\n",
         one({"clicks": ["b", "a"], "sales": ["b", "a"]}), options={"values": "score"}, noted=("'1.250' was read as 1.25", "thousands")),
    Case("millions between points", "x.csv", "item;clicks;sales\na;1.250.000;3.5\nb;980;12.5\n", refused=("thousands",), options={"layout": "wide"}),
    Case("a candidate twice in one line", "x.csv", "Voter,1st,2nd\nAnn,A,A\n", refused=("both in line 2", "duplicates=")),
    Case("voters and whole votes", "x.csv", "voter,ballot\nAnn,A > B = C\nBob,B > A > C\n", one({"Ann": ["A", ["B", "C"]], "Bob": ["B", "A", "C"]})),
    Case("voters and whole votes between semicolons", "x.csv", "voter,ballot\nAnn,A;B\nBob,B;A\n", one({"Ann": ["A", "B"], "Bob": ["B", "A"]}),
         options={"layout": "ballots"}),
    Case("counts of whole votes", "x.csv", "Votes,Ballot\n12,A>B>C\n7,B>A>C\n", one({"1": ["A", "B", "C"], "2": ["B", "A", "C"]})),
    Case("votes with blanks", "x.txt", "A > B = C\nB > A > C\n", refused=("layout='ballots', header=False",)),
    Case("votes with blanks, said", "x.txt", "A > B = C\nB > A > C\n", one({"1": ["A", ["B", "C"]], "2": ["B", "A", "C"]}),
         options={"layout": "ballots", "header": False}),
    Case("ties in brackets", "x.csv", '"voter","pref"\n"Ann","{A,B},C"\n"Bob","C,{A,B}"\n', refused=("A=B",), options={"layout": "ballots"}),
    Case("distances", "x.csv", "query,item,distance\nq,a,0.5\nq,b,0.25\n", refused=("columns={'rank': 'distance'}",)),
    Case("distances, said", "x.csv", "query,item,distance\nq,a,0.5\nq,b,0.25\n", {"q": {"x": ["b", "a"]}}, options={"columns": {"rank": "distance"}}),
    Case("games and their winners", "x.csv", "Player 1,Player 2,Winner\nAnn,Bob,Bob\nBob,Cleo,draw\nAnn,Cleo,Player 1\n",
         one({"1": ["Bob", "Ann"], "2": [["Bob", "Cleo"]], "3": ["Ann", "Cleo"]})),
    Case("games with a column that nobody knows", "x.csv", "p,q,r\nA,B,x\nB,C,y\n", refused=("'r'", "winner"), options={"layout": "pairs", "header": True}),
    Case("pairs and ties without a header", "x.csv", "A,B,0\nB,C,1\n", refused=("column 3", "tie"), options={"layout": "pairs", "header": False}),
    Case("places with points", "x.csv", "Place;Anna;Bernd\n1.;Zug;Bus\n2.;Bus;Zug\n", one({"Anna": ["Zug", "Bus"], "Bernd": ["Bus", "Zug"]})),
    Case("a run of MS MARCO", "x.tsv", "1048585\t7187158\t1\n1048585\t7187157\t2\n",
         refused=("header=False, columns={'query': '1', 'item': '2', 'rank': '3'}",)),
    Case("bars between the cells of ballots", "x.csv", "Voter|1st|2nd\nAnn|Cleo|Ben\n", refused=("delimiter='|'",)),
    Case("numbers as ids beside scores", "x.csv", "doc_id,bm25,dense\n1001,12.5,0.3\n1002,9,0.8\n", one({"bm25": ["1001", "1002"], "dense": ["1002", "1001"]})),
    Case("numbers as ids, a query and one score", "x.csv", "qid,docid,similarity\n7,1001,0.5\n7,1002,0.75\n",
         refused=("columns={'query': 'qid', 'item': 'docid', 'score': 'similarity'}",)),
    Case("numbers as ids, best first, under names", "x.csv", "bm25,dense\n1001,1002\n1002,1001\n", refused=("layout='columns', header=True",)),
    Case("a hash above the places", "x.csv", "#,lab1,lab2\n1,d1,d2\n2,d2,d1\n", refused=("comments=True", "layout='columns', header=True")),
    Case("a hash above the places, said", "x.csv", "#,lab1,lab2\n1,d1,d2\n2,d2,d1\n", one({"lab1": ["d1", "d2"], "lab2": ["d2", "d1"]}),
         options={"layout": "columns", "header": True}),
    Case("a title above columns, said", "x.csv", "Genes,,\nA,B,C\nTP53,EGFR,KRAS\nBRCA1,TP53,\n",
         one({"A": ["TP53", "BRCA1"], "B": ["EGFR", "TP53"], "C": ["KRAS"]}), options={"layout": "columns", "header": True}, noted=("'Genes'",)),
    Case("a row of totals below a grid", "x.csv", "judge,A,B\nJ1,1,2\nTotal,1,2\n", one({"J1": ["A", "B"], "Total": ["A", "B"]}), noted=("'Total'",)),
    Case("a column of means", "x.csv", "candidate,judge1,mean\nA,1,1.5\nB,2,2.5\n", one({"judge1": ["A", "B"], "mean": ["A", "B"]}),
         options={"values": "rank"}, noted=("'mean'",)),
    Case("a frame of PyTerrier as a table", "x.csv", "qid,docid,docno,rank,score,query\n1,0,d1,0,12.5,hello world\n1,1,d2,1,9.5,hello world\n",
         refused=("columns={'query': 'qid', 'item': 'docno'}",)),
    Case("line ends of old Macintoshes", "x.csv", "Voter,1st\rAnn,A\r", refused=("x.csv:1: a carriage return", "line ends")),
    Case("UTF-16 without its mark", "x.csv", "item,a,b\nd1,1.5,2\n".encode("utf-16-le"), refused=("encoding='utf-16-le'",)),
]  # fmt: skip
