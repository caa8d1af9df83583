"""What bench/outputs.py runs on: links to data, parts of LETOR cut short, the sample in every format, bad files."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import shutil
from itertools import groupby
from pathlib import Path

import pyarrow
import pyarrow.parquet
import zstandard

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("STAGG_DATA", ROOT.parent / "shared" / "data"))


def make_inputs(folder: Path, tree: Path) -> None:
    """All inputs below one folder: links to data, parts of LETOR cut short, the sample in every format, bad files."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(tree / "src" / "stagg" / "sample", folder / "sample")
    for name in ("trec-dl-hybrid/dl19", "preflib/dots", "preflib/skate"):
        (folder / name.rpartition("/")[2]).symlink_to(DATA / name)
    (folder / "whole").symlink_to(DATA / "letor" / "MQ2008-agg")
    for name, queries in (("MQ2007-agg", 20), ("MQ2008-agg", 60)):
        (folder / "letor" / name).mkdir(parents=True)
        for part in range(1, 6):
            lines = (DATA / "letor" / name / f"A{part}.txt").read_text().splitlines(keepends=True)
            groups = [list(group) for _, group in groupby(lines, key=lambda line: line.split()[1])]
            kept = [line for group in groups[:queries] for line in group]
            (folder / "letor" / name / f"A{part}.txt").write_text("".join(kept))
    for run, place in (("bm25", "a"), ("dense", "b")):
        (folder / "stems" / place).mkdir(parents=True)
        shutil.copy(folder / "sample" / f"{run}.trec", folder / "stems" / place / "run.trec")
    make_formats(folder / "formats", folder / "sample")
    make_hostile(folder / "hostile")


def make_formats(folder: Path, sample: Path) -> None:
    """The sample as one table, as JSON of both kinds, as TREC of many tags; each also compressed."""
    rows = [line.split() for path in sorted(sample.glob("*.trec")) for line in path.read_text().splitlines()]
    table = [(query, tag, item, int(rank), float(score)) for query, _, item, rank, score, tag in rows]
    names = ("query", "ranker", "item", "rank", "score")
    folder.mkdir()
    for name, delimiter in (("all.csv", ","), ("all.tsv", "\t")):
        text = io.StringIO()
        csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows([names, *table])
        (folder / name).write_text(text.getvalue())
    nested: dict[str, dict[str, dict[str, float]]] = {}
    for query, ranker, item, _, score in table:
        nested.setdefault(query, {}).setdefault(ranker, {})[item] = score
    (folder / "all.json").write_text(json.dumps(nested))
    (folder / "bm25.json").write_text(json.dumps({query: found["bm25"] for query, found in nested.items()}))
    columns = dict(zip(names, map(list, zip(*table, strict=True)), strict=True))
    pyarrow.parquet.write_table(pyarrow.table(columns), folder / "all.parquet")
    (folder / "all.trec").write_text("".join(" ".join(row) + "\n" for row in rows))
    shutil.copy(DATA / "preflib" / "skate" / "00006-00000001.toc", folder / "skate.toc")
    shutil.copy(folder.parent / "letor" / "MQ2008-agg" / "A1.txt", folder / "part.letor")
    for path in list(folder.iterdir()):
        content = path.read_bytes()
        Path(f"{path}.gz").write_bytes(gzip.compress(content, mtime=0))
        Path(f"{path}.bz2").write_bytes(bz2.compress(content))
        Path(f"{path}.xz").write_bytes(lzma.compress(content))
        Path(f"{path}.zst").write_bytes(zstandard.compress(content))


HOSTILE = {
    "ties.trec": "q1 Q0 b 1 1 t\nq1 Q0 a 2 1 t\nq1 Q0 c 3 0.5 t\nq2 Q0 a 1 1e-45 t\nq2 Q0 b 2 0 t\n",
    "near.trec": "q1 Q0 a 1 1.00000001 t\nq1 Q0 b 2 1 t\nq1 Q0 c 3 0.99999999 t\nq3 Q0 a 1 -0.0 t\n",
    "unicode.trec": "ü Q0 é 1 3 t\nü Q0 日本 2 2 t\nü Q0 a\u00a0b 3 1 t\nü Q0 <i>&amp;\"' 4 0 t\n",
    "blanks.trec": "q1\tQ0  a 1 2 t\r\nq1 Q0 b\t2 1.5 t\r\n\r\nq1 Q0 c 3 1 t",
    "order.trec": "q1 Q0 a 2 1 t\nq1 Q0 b 1 0.5 t\nq2 Q0 a 1 3 t\nq1 Q0 c 3 2 t\n",
    "twice.trec": "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq1 Q0 a 3 0.5 t\n",
    "short.trec": "q1 Q0 a 1 2 t\nq1 Q0 b 2\nq1 Q0 c 3 1 t\n",
    "nan.trec": "q1 Q0 a 1 nan t\nq1 Q0 b 2 1 t\n",
    "comma.trec": "q1 Q0 a 1 5,50 t\n",
    "empty.trec": "",
    "noted.trec": "query Q0 docno rank score tag\n# a comment\nq1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n",
    "comments.trec": "# a comment\nq1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n",
    "quotes.csv": 'query,ranker,item,rank\nq1,r,"a, ""b""\nc",1\nq1,r,"d",2\nq1,s,d,1\nq1,s,"=e",1\n',
    "copies.csv": "query,ranker,item,rank,count\nq1,r,a,1,3\nq1,r,b,2,3\nq1,s,b,1,1\nq1,s,a,2,1\n",
    "badrow.csv": "query,ranker,item,score\nq1,r,a,1\nq1,r,b,x\nq1,r,c\nq1,s,a,2\n",
    "badhead.csv": "who,what\n1,2\n",
    "lists.json": '{"q1": {"r": {"a": 1, "b": 2, "é": 2}, "s": {"b": 1}}, "q2": {"s": {"z": 0.1}}}',
    "bad.json": '{"q1": {"r": {"a": 1, "a": 2}}}',
    "torn.json": '{"q1": {"r": {"a": 1,',
    "part.letor": "2 qid:1 1:1 2:NULL 3:2 #docid = a\n0 qid:1 1:2 2:NULL 3:2 #docid = b\n"
    "1 qid:1 1:NULL 2:NULL 3:NULL #docid = c\n",
    "bad.letor": "2 qid:1 1:1 2:x #docid = a\n0 qid:1 1:2 2:1 #docid = b\n",
    "votes.toi": "# FILE NAME: votes.toi\n# NUMBER ALTERNATIVES: 3\n# ALTERNATIVE NAME 1: Ann, A\n"
    "# ALTERNATIVE NAME 2: Bob\n# ALTERNATIVE NAME 3: Cy\n3: 1,{2,3}\n2: 2\n1: {1,2}\n",
    "bad.soc": "# NUMBER ALTERNATIVES: 2\n# ALTERNATIVE NAME 1: A\n# ALTERNATIVE NAME 2: B\n1: 1,5\n",
    "qrels.txt": "q1 0 a 2\nq1 0 b 0\nq1 0 c -1\nq2 0 b 1\nq4 0 a 1\n",
    "fractions.qrels": "q1 0 a 0.5\nq1 0 b 0\n",
    "twice.qrels": "q1 0 a 1\nq1 0 a 2\n",
}


def make_hostile(folder: Path) -> None:
    folder.mkdir()
    for name, text in HOSTILE.items():
        (folder / name).write_bytes(text.encode())
    (folder / "latin.trec").write_bytes("q1 Q0 é 1 2 t\nq1 Q0 a 2 1 t\n".encode("latin-1"))
    (folder / "torn.trec.gz").write_bytes(gzip.compress(HOSTILE["ties.trec"].encode(), mtime=0)[:-9])
