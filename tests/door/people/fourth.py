"""Files of a fourth batch, by somebody else again, that taught something: each was misread, or refused without a way."""

from __future__ import annotations

from tests.door.people import Case

CASES = [
    Case(
        name="debian_tally",
        family="ballots",
        call="elect",
        files={
            "leader_tally.txt": (
                b"\n\t\t       Tally Sheet for the votes cast. \n \n   The format is:\n"
                b'       "V: vote \t\tHMAC_SHA256_HEX"\n'
                b" The vote block represents the ranking given to each of the \n candidates by the voter. \n"
                b" -=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=-=\n\n"
                b"     Option 1----->: Alice Ng\n   /  Option 2---->: Bert Ek\n   |/  Option 3--->: Cleo: the third\n"
                b"   ||/  Option 4-->: None Of The Above\n   |||/\n"
                b"V: 2313 \t\t00230fd5e1d4c86e\nV: 1--2 \t\t07b7623628d5dde1\nV: 1112 \t\t1a0ded7512e93163\n"
                b"V: ---1 \t\t292ba49a9d13ac66\nV: 2-6- \t\t69a8ef1bfb1a6f8a\nV: ---- \t\t79a8ef1bfb1a6f8a\n"
            )
        },
        lists={
            "*": [
                [["Cleo: the third"], ["Alice Ng"], ["Bert Ek", "None Of The Above"]],
                [["Alice Ng"], ["None Of The Above"]],
                [["Alice Ng", "Bert Ek", "Cleo: the third"], ["None Of The Above"]],
                [["None Of The Above"]],
                [["Alice Ng"], ["Cleo: the third"]],
            ]
        },
        note="A tally sheet of Debian was refused as a TREC run with a bad score.",
    ),
    Case(
        name="blt_escaped_quotes",
        family="ballots",
        call="elect",
        files={
            "board.blt": (
                b"# exported\n3 2\n1 3 1=2 0\n3 1 2 3 0\n2 2 - 3 0\n0\n"
                b'"Adams, \\"Addy\\"" # the chair\n"B\\Kerr"\n"Diaz \\"D.\\" Roe" "Green"\n"The board"\n'
            )
        },
        lists={
            "*": [
                [['Diaz "D." Roe (Green)'], ['Adams, "Addy"', "B\\Kerr"]],
                [['Adams, "Addy"'], ["B\\Kerr"], ['Diaz "D." Roe (Green)']],
                [["B\\Kerr"], ['Diaz "D." Roe (Green)']],
            ]
        },
        counts={"*": [1, 3, 2]},
        note=r"Quotes behind a backslash: the candidate was called 'Adams, \ (Addy\)'.",
    ),
    Case(
        name="limesurvey_seed_deutsch",
        family="forms",
        call="elect",
        files={
            "results-survey482913.csv": (
                b'"Antwort ID","Datum Abgeschickt","Letzte Seite","Start-Sprache","Zufallsstartwert",'
                b'"Bitte ordnen Sie die Themen. [Rang 1]","Bitte ordnen Sie die Themen. [Rang 2]",'
                b'"Bitte ordnen Sie die Themen. [Rang 3]","Haben Sie Kommentare?"\n'
                b'"4","2026-11-01 10:11:12","2","de","1832712","Verkehr","Schule","Wohnen","N/A"\n'
                b'"5","2026-11-01 11:11:12","2","de","9932712","Wohnen","Verkehr","Schule",""\n'
                b'"6","","1","de","7732712","Wohnen","Verkehr","",""\n'
            )
        },
        lists={
            "*": [
                [["Verkehr"], ["Schule"], ["Wohnen"]],
                [["Wohnen"], ["Verkehr"], ["Schule"]],
                [["Wohnen"], ["Verkehr"]],
            ]
        },
        note="The seed of an answer was asked about as a count of voters, in German only.",
    ),
    Case(
        name="agreement_in_words",
        family="surveys",
        files={
            "agreement.csv": (
                b"Respondent,The canteen is good,The lifts are fast,The office is quiet\n"
                b"r1,Strongly agree,Disagree,Neutral\nr2,Agree,Strongly disagree,Agree\n"
                b"r3,Agree,Neutral,Strongly agree\n"
            )
        },
        lists={
            "*": [
                [["The canteen is good"], ["The office is quiet"], ["The lifts are fast"]],
                [["The canteen is good", "The office is quiet"], ["The lifts are fast"]],
                [["The office is quiet"], ["The canteen is good"], ["The lifts are fast"]],
            ]
        },
        sure=False,
        note="Opinions in words below headers that share nothing were refused without a way.",
    ),
    Case(
        name="genes_of_studies_and_directions",
        family="genes",
        files={
            "studies.csv": (
                b"gene,study,pvalue,direction\nBRCA2,GSE1,0.0001,up\nRAD51,GSE1,0.02,up\nATM,GSE1,0.5,down\n"
                b"RAD51,GSE2,1e-6,up\nBRCA2,GSE2,0.03,down\nRAD51,GSE3,0.001,up\nATM,GSE3,0.004,up\n"
            )
        },
        lists={"*": [[["BRCA2"], ["RAD51"], ["ATM"]], [["RAD51"], ["BRCA2"]], [["RAD51"], ["ATM"]]]},
        rankers={"*": ["GSE1", "GSE2", "GSE3"]},
        sure=False,
        note="The one reading that was offered made a query of each direction.",
    ),
    Case(
        name="ranks_of_genes_by_screen",
        family="genes",
        files={"screens.csv": b"Gene,KO1_rank,KO2_rank\nPLK1,1,2\nRPL3,2,1\nTP53,3,3\n"},
        lists={"*": [[["PLK1"], ["RPL3"], ["TP53"]], [["RPL3"], ["PLK1"], ["TP53"]]]},
        rankers={"*": ["KO1_rank", "KO2_rank"]},
        sure=False,
        note="Only ballots and grids of voters were offered.",
    ),
    Case(
        name="races_with_a_dnf",
        family="surveys",
        files={"races.csv": b"race,pos,driver\n1,1,Ver\n1,2,Ham\n1,DNF,Lec\n2,1,Ham\n2,2,Lec\n2,3,Ver\n"},
        options={"lenient": True},
        lists={"*": [[["Ver"], ["Ham"]], [["Ham"], ["Lec"], ["Ver"]]]},
        sure=False,
        note="A place that is missing made names of the places: the drivers became queries.",
    ),
]
