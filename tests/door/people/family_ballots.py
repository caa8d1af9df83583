from __future__ import annotations

import io

import openpyxl

from tests.door.people import Case


def _xlsx(rows, sheet="Sheet1"):
    wb = openpyxl.Workbook()
    ws = wb.active
    ws.title = sheet
    for r in rows:
        ws.append(r)
    b = io.BytesIO()
    wb.save(b)
    return b.getvalue()


CASES = []

CASES.append(
    Case(
        name="nyc_cast_vote_record",
        family="ballots",
        call="elect",
        files={
            "2021P1V1_EAR.csv": b"""\
Cast Vote Record,Precinct,Ballot Style,DEM Mayor Choice 1 of 5 Citywide (026916),DEM Mayor Choice 2 of 5 Citywide (026916),DEM Mayor Choice 3 of 5 Citywide (026916),DEM Mayor Choice 4 of 5 Citywide (026916),DEM Mayor Choice 5 of 5 Citywide (026916)
148230,AD: 65 ED: 005,Ballot Style 12,Kathryn Garcia,Maya D. Wiley,Andrew Yang,undervote,undervote
148231,AD: 65 ED: 005,Ballot Style 12,Eric L. Adams,Eric L. Adams,Eric L. Adams,undervote,undervote
148232,AD: 65 ED: 005,Ballot Style 12,Maya D. Wiley,Dianne Morales,Kathryn Garcia,Scott M. Stringer,Eric L. Adams
148233,AD: 65 ED: 011,Ballot Style 14,Andrew Yang,Kathryn Garcia,undervote,undervote,undervote
148234,AD: 65 ED: 011,Ballot Style 14,Kathryn Garcia,Scott M. Stringer,Maya D. Wiley,overvote,undervote
148235,AD: 66 ED: 002,Ballot Style 14,Eric L. Adams,undervote,undervote,undervote,undervote
"""
        },
        lists={
            "*": [
                [["Kathryn Garcia"], ["Maya D. Wiley"], ["Andrew Yang"]],
                [["Eric L. Adams"]],
                [["Maya D. Wiley"], ["Dianne Morales"], ["Kathryn Garcia"], ["Scott M. Stringer"], ["Eric L. Adams"]],
                [["Andrew Yang"], ["Kathryn Garcia"]],
                [["Kathryn Garcia"], ["Scott M. Stringer"], ["Maya D. Wiley"]],
                [["Eric L. Adams"]],
            ]
        },
        note="New York City Board of Elections cast vote record (normally .xlsx, here saved as CSV): undervote/overvote cells are no candidates; one voter marked the same name three times, which counts once.",
    )
)

CASES.append(
    Case(
        name="opavote_blt",
        family="ballots",
        call="elect",
        files={
            "board-election.blt": b"""\
4 2
5 1 2 0
3 3 4 1 0
2 4 1=2 3 0
4 2 3 4 1 0
1 1=3=4 0
1 4 0
0
"Adam Reyes"
"Basil Conti"
"Charlotte Mehta"
"Donald Kerr"
"Housing Co-op Board 2023"
"""
        },
        lists={
            "*": [
                [["Adam Reyes"], ["Basil Conti"]],
                [["Charlotte Mehta"], ["Donald Kerr"], ["Adam Reyes"]],
                [["Donald Kerr"], ["Adam Reyes", "Basil Conti"], ["Charlotte Mehta"]],
                [["Basil Conti"], ["Charlotte Mehta"], ["Donald Kerr"], ["Adam Reyes"]],
                [["Adam Reyes", "Charlotte Mehta", "Donald Kerr"]],
                [["Donald Kerr"]],
            ]
        },
        counts={"*": [5, 3, 2, 4, 1, 1]},
        note="OpaVote/OpenSTV BLT file (4 candidates, 2 seats); first number of a line = how many ballots, '=' = ranked equal, 0 ends the ballot.",
    )
)

CASES.append(
    Case(
        name="preference_schedule_columns",
        family="ballots",
        call="elect",
        files={
            "preference_schedule.csv": b"""\
Number of voters,14,10,8,4,1
1st choice,Ava,Carl,Dora,Bruno,Carl
2nd choice,Bruno,Bruno,Carl,Dora,Dora
3rd choice,Carl,Dora,Bruno,Carl,Bruno
4th choice,Dora,Ava,Ava,Ava,Ava
"""
        },
        lists={
            "*": [
                [["Ava"], ["Bruno"], ["Carl"], ["Dora"]],
                [["Carl"], ["Bruno"], ["Dora"], ["Ava"]],
                [["Dora"], ["Carl"], ["Bruno"], ["Ava"]],
                [["Bruno"], ["Dora"], ["Carl"], ["Ava"]],
                [["Carl"], ["Dora"], ["Bruno"], ["Ava"]],
            ]
        },
        counts={"*": [14, 10, 8, 4, 1]},
        note="Textbook preference schedule: each column is a kind of ballot, the top row says how many voters cast it.",
    )
)

CASES.append(
    Case(
        name="civs_rank_matrix",
        family="ballots",
        call="elect",
        files={
            "civs_ballots.csv": b"""\
Blue heron,Red fox,Barn owl,River otter
1,3,2,4
2,1,2,3
1,2,-,2
4,1,3,2
3,2,1,4
1,-,-,2
"""
        },
        lists={
            "*": [
                [["Blue heron"], ["Barn owl"], ["Red fox"], ["River otter"]],
                [["Red fox"], ["Barn owl", "Blue heron"], ["River otter"]],
                [["Blue heron"], ["Red fox", "River otter"]],
                [["Red fox"], ["River otter"], ["Barn owl"], ["Blue heron"]],
                [["Barn owl"], ["Red fox"], ["Blue heron"], ["River otter"]],
                [["Blue heron"], ["River otter"]],
            ]
        },
        sure=False,
        note="CIVS ballot report pasted into a CSV: one line per voter, ranks with ties, '-' = no opinion; 1 = best in CIVS, but the file alone does not say so.",
    )
)

CASES.append(
    Case(
        name="handkept_xlsx_title_and_total",
        family="ballots",
        call="elect",
        files={
            "Club captain vote.xlsx": _xlsx(
                [
                    ["Riverside Rowing Club - Captain election, 14 October 2023"],
                    ["Counted by: J. Barker, S. Lowe"],
                    [None],
                    ["Ballot no.", "1st pref", "2nd pref", "3rd pref", "Notes"],
                    [1, "Helen", "Marcus", "Tariq", None],
                    [2, "Marcus", "Helen", None, None],
                    [3, "Tariq", "Helen", "Marcus", "postal"],
                    [4, "Helen", "Tariq", None, None],
                    [5, "Marcus", "Tariq", "Helen", None],
                    [6, "Helen", None, None, "postal"],
                    [None],
                    ["Total", 6, 5, 3, None],
                ],
                sheet="Ballots",
            )
        },
        lists={
            "*": [
                [["Helen"], ["Marcus"], ["Tariq"]],
                [["Marcus"], ["Helen"]],
                [["Tariq"], ["Helen"], ["Marcus"]],
                [["Helen"], ["Tariq"]],
                [["Marcus"], ["Tariq"], ["Helen"]],
                [["Helen"]],
            ]
        },
        note="Spreadsheet kept by hand at the count: title lines above, a notes column, and a Total row with the number of marks in each column.",
    )
)

CASES.append(
    Case(
        name="condorcet_cvotes_text",
        family="ballots",
        call="elect",
        files={
            "logo-vote.cvotes": b"""\
# Logo vote, spring 2024
#/Candidates: Anchor ; Compass ; Lighthouse ; Gull
#/Number of Seats: 1
#/Implicit Ranking: false
Lighthouse > Compass > Anchor > Gull * 6
Compass > Lighthouse = Gull * 4
Anchor > Compass * 3
Gull > Anchor > Lighthouse
Compass * 2
"""
        },
        lists={
            "*": [
                [["Lighthouse"], ["Compass"], ["Anchor"], ["Gull"]],
                [["Compass"], ["Gull", "Lighthouse"]],
                [["Anchor"], ["Compass"]],
                [["Gull"], ["Anchor"], ["Lighthouse"]],
                [["Compass"]],
            ]
        },
        counts={"*": [6, 4, 3, 1, 2]},
        note="Condorcet Election Format (Condorcet PHP): '>' better than, '=' equal, '* n' the number of such votes, # comments and #/ parameters; implicit ranking is off.",
    )
)

CASES.append(
    Case(
        name="minneapolis_style_counts_overvote",
        family="ballots",
        call="elect",
        files={
            "2013-mayor-cvr.csv": b"""\
Precinct,1ST CHOICE MAYOR MINNEAPOLIS,2ND CHOICE MAYOR MINNEAPOLIS,3RD CHOICE MAYOR MINNEAPOLIS,Count
W-1 P-01,BETSY HODGES,DON SAMUELS,MARK ANDREW,12
W-1 P-01,MARK ANDREW,BETSY HODGES,undervote,9
W-1 P-02,DON SAMUELS,undervote,MARK ANDREW,2
W-1 P-02,overvote,BETSY HODGES,DON SAMUELS,1
W-1 P-03,CAM WINTON,undervote,undervote,7
W-1 P-03,BETSY HODGES,MARK ANDREW,CAM WINTON,5
"""
        },
        lists={
            "*": [
                [["BETSY HODGES"], ["DON SAMUELS"], ["MARK ANDREW"]],
                [["MARK ANDREW"], ["BETSY HODGES"]],
                [["DON SAMUELS"], ["MARK ANDREW"]],
                [["BETSY HODGES"], ["DON SAMUELS"]],
                [["CAM WINTON"]],
                [["BETSY HODGES"], ["MARK ANDREW"], ["CAM WINTON"]],
            ]
        },
        counts={"*": [12, 9, 2, 1, 7, 5]},
        sure=False,
        note="Minneapolis cast vote record with precinct and Count columns; owner: a skipped or overvoted place is passed over and the later marks move up; rules differ between places, so one would have to ask.",
    )
)

CASES.append(
    Case(
        name="spanish_ballots_with_votes",
        family="ballots",
        call="elect",
        files={
            "Recuento asamblea.csv": """\
Papeleta;1ª preferencia;2ª preferencia;3ª preferencia;Votos
A;Begoña Ruiz;Tomás Peña;Iván Soler;21
B;Tomás Peña;Iván Soler;;13
C;Iván Soler;Begoña Ruiz;Tomás Peña;9
D;Tomás Peña;Begoña Ruiz;;6
E;Iván Soler;;;2
Total;;;;51
""".encode()
        },
        lists={
            "*": [
                [["Begoña Ruiz"], ["Tomás Peña"], ["Iván Soler"]],
                [["Tomás Peña"], ["Iván Soler"]],
                [["Iván Soler"], ["Begoña Ruiz"], ["Tomás Peña"]],
                [["Tomás Peña"], ["Begoña Ruiz"]],
                [["Iván Soler"]],
            ]
        },
        counts={"*": [21, 13, 9, 6, 2]},
        note="Spanish count sheet saved from Excel with semicolons: ballot kinds, three preferences, number of votes, and a Total row that is no ballot.",
    )
)
