from __future__ import annotations

from tests.door.people import Case

CASES = []

CASES.append(
    Case(
        name="dialects_semicolon_decimal_comma",
        family="dialects",
        files={
            "auswertung.csv": (
                "\ufeff"
                + "\r\n".join(
                    [
                        "Modell;Genauigkeit;F1;AUC",
                        "Random Forest;0,912;0,887;0,951",
                        "XGBoost;0,921;0,902;0,948",
                        "SVM;0,889;0,861;0,917",
                        "Logistische Regression;0,874;0,861;",
                    ]
                )
                + "\r\n"
            ).encode("utf-8")
        },
        lists={
            "*": [
                [["XGBoost"], ["Random Forest"], ["SVM"], ["Logistische Regression"]],
                [["XGBoost"], ["Random Forest"], ["SVM", "Logistische Regression"]],
                [["Random Forest"], ["XGBoost"], ["SVM"]],
            ]
        },
        rankers={"*": ["Genauigkeit", "F1", "AUC"]},
        note="German Excel 'CSV UTF-8': byte order mark, semicolons, decimal commas, Windows line ends, an empty last cell.",
    )
)

CASES.append(
    Case(
        name="dialects_pipe_long",
        family="dialects",
        files={
            "export.psv": b"""\
query|system|doc|score
red shoes|solr|SKU-11|8.2
red shoes|solr|SKU-40|7.9
red shoes|solr|SKU-03|2.0
red shoes|vector|SKU-40|0.88
red shoes|vector|SKU-11|0.71
rain coat|solr|SKU-77|6.1
rain coat|solr|SKU-05|5.0
rain coat|vector|SKU-05|0.93
rain coat|vector|SKU-77|0.90
rain coat|vector|SKU-12|0.55
"""
        },
        lists={
            "red shoes": [[["SKU-11"], ["SKU-40"], ["SKU-03"]], [["SKU-40"], ["SKU-11"]]],
            "rain coat": [[["SKU-77"], ["SKU-05"]], [["SKU-05"], ["SKU-77"], ["SKU-12"]]],
        },
        rankers={"red shoes": ["solr", "vector"], "rain coat": ["solr", "vector"]},
        note="A pipe-separated database export in long form.",
    )
)

CASES.append(
    Case(
        name="dialects_latin1_french_ballots",
        family="dialects",
        call="elect",
        files={
            "élection_bureau.csv".replace("é", "e"): "\r\n".join(
                [
                    "Électeur;1er choix;2e choix;3e choix",
                    "Hélène;François;Zoé;Jérôme",
                    "Benoît;Zoé;François;",
                    "Maël;François;Jérôme;Zoé",
                    "Aurélie;Jérôme;;",
                    "Loïc;Zoé;Jérôme;François",
                ]
            ).encode("latin-1")
            + b"\r\n"
        },
        lists={
            "*": [
                [["François"], ["Zoé"], ["Jérôme"]],
                [["Zoé"], ["François"]],
                [["François"], ["Jérôme"], ["Zoé"]],
                [["Jérôme"]],
                [["Zoé"], ["Jérôme"], ["François"]],
            ]
        },
        note="French Excel's plain CSV in Latin-1 with semicolons; first, second and third choice per voter, empty where they stopped.",
    )
)

CASES.append(
    Case(
        name="dialects_utf16_school_grades",
        family="dialects",
        files={
            "Vorlesewettbewerb.txt": "\r\n".join(
                [
                    "Schüler\tFrau Müller\tHerr Groß\tFrau Özdemir",
                    "Jonas\t2\t1\t2",
                    "Käthe\t1\t2\t1",
                    "Emre\t3\t2\t4",
                    "Sophie\t2\t3\t3",
                ]
            )
            .join(["", "\r\n"])
            .encode("utf-16")
        },
        lists={
            "*": [
                [["Käthe"], ["Jonas", "Sophie"], ["Emre"]],
                [["Jonas"], ["Käthe", "Emre"], ["Sophie"]],
                [["Käthe"], ["Jonas"], ["Sophie"], ["Emre"]],
            ]
        },
        rankers={"*": ["Frau Müller", "Herr Groß", "Frau Özdemir"]},
        sure=False,
        note="Excel's 'Unicode text' (UTF-16 with byte order mark, tabs): German school marks, where 1 is best; the file does not say so.",
    )
)

CASES.append(
    Case(
        name="dialects_sep_line_quoted_thousands_dot",
        family="dialects",
        files={
            "stimmen.csv": b"""\
sep=;\r
"Projekt";"Bezirk Nord";"Bezirk S\xfcd";"Bezirk West"\r
"Spielplatz";"1.250";"980";"2.040"\r
"Radweg";"2.310";"1.105";"1.870"\r
"Stadtgarten";"870";"1.420";"1.870"\r
"B\xfccherbus";"410";"365";"950"\r
"""
        },
        lists={
            "*": [
                [["Radweg"], ["Spielplatz"], ["Stadtgarten"], ["Bücherbus"]],
                [["Stadtgarten"], ["Radweg"], ["Spielplatz"], ["Bücherbus"]],
                [["Spielplatz"], ["Radweg", "Stadtgarten"], ["Bücherbus"]],
            ]
        },
        rankers={"*": ["Bezirk Nord", "Bezirk Süd", "Bezirk West"]},
        sure=False,
        note="A 'sep=;' line for Excel, everything quoted, Windows-1252; 1.250 is one thousand two hundred fifty votes in German, which a reader could take for 1.25.",
    )
)

_N = "\u202f"  # narrow no-break space, French thousands
_B = "\u00a0"  # no-break space
CASES.append(
    Case(
        name="dialects_nbsp_thousands",
        family="dialects",
        files={
            "audience_2024.csv": "\n".join(
                [
                    "Émission,Janvier,Février,Mars",
                    f"Le Journal,12{_N}450,11{_N}980,12{_N}001",
                    f"Questions{_B}pour{_B}tous,9{_N}875,12{_N}115,10{_N}340",
                    f"Ciné{_B}Club,985,1{_N}024,10{_N}340",
                    f"Matinale,10{_N}002,9{_N}870,",
                ]
            )
            .join(["", "\n"])
            .encode("utf-8")
        },
        lists={
            "*": [
                [["Le Journal"], ["Matinale"], ["Questions pour tous"], ["Ciné Club"]],
                [["Questions pour tous"], ["Le Journal"], ["Matinale"], ["Ciné Club"]],
                [["Le Journal"], ["Questions pour tous", "Ciné Club"]],
            ]
        },
        rankers={"*": ["Janvier", "Février", "Mars"]},
        note="LibreOffice with French settings: thousands are set off with a narrow no-break space, and names contain no-break spaces, which the owner sees as blanks.",
    )
)

CASES.append(
    Case(
        name="dialects_comments_trailing_comma",
        family="dialects",
        files={
            "bench_results.csv": b"""\
# benchmark run 2024-11-02, host bench03
# throughput in queries per second
engine,tpch_q1,tpch_q6,tpch_q9,
duckdb,412.5,1890.2,98.7,
clickhouse,455.0,2210.9,61.3,
postgres,37.8,120.4,22.0,
sqlite,12.1,64.9,9.5,
"""
        },
        lists={
            "*": [
                [["clickhouse"], ["duckdb"], ["postgres"], ["sqlite"]],
                [["clickhouse"], ["duckdb"], ["postgres"], ["sqlite"]],
                [["duckdb"], ["clickhouse"], ["postgres"], ["sqlite"]],
            ]
        },
        rankers={"*": ["tpch_q1", "tpch_q6", "tpch_q9"]},
        note="A benchmark script's CSV: comment lines above the header and a comma at the end of every line.",
    )
)

CASES.append(
    Case(
        name="dialects_fixed_blanks",
        family="dialects",
        files={
            "table.txt": b"""\
model          ndcg@10   recall@100   mrr
bm25             0.506        0.750  0.702
splade           0.731        0.861  0.893
colbertv2        0.746        0.854  0.893
tas-b            0.717        0.842  0.851
"""
        },
        lists={
            "*": [
                [["colbertv2"], ["splade"], ["tas-b"], ["bm25"]],
                [["splade"], ["colbertv2"], ["tas-b"], ["bm25"]],
                [["splade", "colbertv2"], ["tas-b"], ["bm25"]],
            ]
        },
        rankers={"*": ["ndcg@10", "recall@100", "mrr"]},
        note="A table copied from a terminal, columns lined up with blanks.",
    )
)
