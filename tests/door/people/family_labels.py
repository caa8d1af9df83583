from __future__ import annotations

import io
import json

from tests.door.people import Case

CASES = []


def _xlsx(rows, sheet="Sheet1"):
    import openpyxl

    wb = openpyxl.Workbook()
    ws = wb.active
    ws.title = sheet
    for r in rows:
        ws.append(r)
    buf = io.BytesIO()
    wb.save(buf)
    return buf.getvalue()


CASES.append(
    Case(
        name="labels_quepid_basic_csv",
        family="labels",
        call="labels",
        files={
            "quepid_case_basic.csv": b"""\
query,docid,rating
star wars,11,3.0
star wars,1893,2.0
star wars,140607,2.0
star trek,154,3.0
star trek,13475,1.0
star trek,11,0.0
the matrix
"""
        },
        labels={
            "star wars": {"11": 3.0, "1893": 2.0, "140607": 2.0},
            "star trek": {"154": 3.0, "13475": 1.0, "11": 0.0},
        },
        note="Quepid's Basic CSV export (checked against its show.basic.csv.erb): an unrated query gets a row with only its text, so it has no labels.",
    )
)

CASES.append(
    Case(
        name="labels_trec_qrels",
        family="labels",
        call="labels",
        files={
            "2019qrels-pass.txt": b"""\
19335 Q0 1017759 0
19335 Q0 1082489 0
19335 Q0 1720389 2
47923 Q0 1111577 3
47923 Q0 1113042 1
47923 Q0 1260628 0
"""
        },
        labels={
            "19335": {"1017759": 0.0, "1082489": 0.0, "1720389": 2.0},
            "47923": {"1111577": 3.0, "1113042": 1.0, "1260628": 0.0},
        },
        note="The TREC Deep Learning qrels layout; its second column is Q0 where older tracks have 0.",
    )
)

CASES.append(
    Case(
        name="labels_beir_tsv",
        family="labels",
        call="labels",
        files={
            "qrels/test.tsv": b"""\
query-id\tcorpus-id\tscore
1\t31715818\t1
3\t14717500\t1
5\t13734012\t1
13\t1606628\t1
36\t5152028\t1
36\t11705328\t1
"""
        },
        labels={
            "1": {"31715818": 1.0},
            "3": {"14717500": 1.0},
            "5": {"13734012": 1.0},
            "13": {"1606628": 1.0},
            "36": {"5152028": 1.0, "11705328": 1.0},
        },
        note="BEIR qrels/test.tsv with its header query-id, corpus-id, score.",
    )
)

_UMB = [
    ("how long is life cycle of flea", "The life cycle of a flea can last anywhere from 20 days to an entire year.", 3),
    ("how long is life cycle of flea", "A flea collar should be replaced after several months.", 0),
    ("how long is life cycle of flea", "Flea eggs hatch within two weeks; pupae may wait for months.", 2),
    ("what is theraderm used for", "A thermometer measures temperature.", 0),
    ("what is theraderm used for", "Theraderm is a line of skin care products against ageing.", 3),
]
CASES.append(
    Case(
        name="labels_umbrela_jsonl",
        family="labels",
        call="labels",
        files={
            "judgments.jsonl": "".join(
                json.dumps(
                    {
                        "model": "gpt-4o",
                        "query": q,
                        "passage": p,
                        "prompt": "Given a query and a passage, you must provide a score on an integer scale of 0 to 3 ...",
                        "prediction": f"##final score: {g}",
                        "judgment": g,
                        "result_status": 1,
                    }
                )
                + "\n"
                for q, p, g in _UMB
            ).encode()
        },
        labels={
            "how long is life cycle of flea": {_UMB[0][1]: 3.0, _UMB[1][1]: 0.0, _UMB[2][1]: 2.0},
            "what is theraderm used for": {_UMB[3][1]: 0.0, _UMB[4][1]: 3.0},
        },
        sure=False,
        note="umbrela's judge output (fields as in its input-output-examples): no ids at all, so query and passage texts are the names, and a careful person would ask for the ids.",
    )
)

CASES.append(
    Case(
        name="labels_excel_annotators_sheet",
        family="labels",
        call="labels",
        files={
            "relevance_judgments.xlsx": _xlsx(
                [
                    ["Search query", "Document ID", "Title", "Relevance (0-3)", "Comment"],
                    ["return policy", "KB-101", "Returns and exchanges", 3, None],
                    ["return policy", "KB-205", "Shipping times", 0, "not about returns"],
                    ["return policy", "KB-118", "Refund to gift card", 2, None],
                    ["cancel order", "KB-140", "Cancel or change an order", 3, None],
                    ["cancel order", "KB-101", "Returns and exchanges", 1, "only after delivery"],
                    ["cancel order", "KB-205", "Shipping times", None, "skipped"],
                ],
                "Judgments",
            )
        },
        labels={
            "return policy": {"KB-101": 3.0, "KB-205": 0.0, "KB-118": 2.0},
            "cancel order": {"KB-140": 3.0, "KB-101": 1.0},
        },
        note="An annotation sheet kept in Excel; title and comment are reading aids, an empty grade is not judged.",
    )
)

CASES.append(
    Case(
        name="labels_json_array",
        family="labels",
        call="labels",
        files={
            "golden_set.json": (
                json.dumps(
                    [
                        {"query": "laptop 16gb ram", "product_id": "P-8831", "grade": 3},
                        {"query": "laptop 16gb ram", "product_id": "P-1204", "grade": 1},
                        {"query": "laptop 16gb ram", "product_id": "P-7710", "grade": 0},
                        {"query": "gaming mouse", "product_id": "P-0042", "grade": 2},
                        {"query": "gaming mouse", "product_id": "P-1204", "grade": 0},
                    ],
                    indent=2,
                )
                + "\n"
            ).encode()
        },
        labels={
            "laptop 16gb ram": {"P-8831": 3.0, "P-1204": 1.0, "P-7710": 0.0},
            "gaming mouse": {"P-0042": 2.0, "P-1204": 0.0},
        },
        note="A shop's golden set as a JSON array of objects with a product_id column.",
    )
)

CASES.append(
    Case(
        name="labels_esci_words",
        family="labels",
        call="labels",
        files={
            "esci_sample.csv": b"""\
example_id,query,query_id,product_id,product_locale,esci_label,split
12,revent 80 cfm,0,B000MOO21W,us,Irrelevant,train
13,revent 80 cfm,0,B07X3Y6B1V,us,Exact,train
14,revent 80 cfm,0,B07WDM7MQQ,us,Exact,train
15,revent 80 cfm,0,B07RH6Z8KW,us,Substitute,train
401,kitchen faucet hose,1,B01KJ1HDKQ,us,Complement,train
402,kitchen faucet hose,1,B08L3NP9X4,us,Exact,train
"""
        },
        labels={
            "0": {"B000MOO21W": 0.0, "B07X3Y6B1V": 3.0, "B07WDM7MQQ": 3.0, "B07RH6Z8KW": 2.0},
            "1": {"B01KJ1HDKQ": 1.0, "B08L3NP9X4": 3.0},
        },
        sure=False,
        note="Amazon Shopping Queries (ESCI) judgements with the grades spelled out; the owner means Exact 3, Substitute 2, Complement 1, Irrelevant 0 and query_id as the query, neither of which the file says.",
    )
)
