from __future__ import annotations

import datetime as dt
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
        name="gforms_grid_ordinal_choice",
        family="forms",
        files={
            "Committee chair 2024 (Responses) - Form Responses 1.csv": b"""\
Timestamp,Rank the candidates [Alice Moreno],Rank the candidates [Ben Okafor],Rank the candidates [Cleo Park],Rank the candidates [Dan Whitfield]
3/4/2024 9:12:41,1st choice,3rd choice,2nd choice,4th choice
3/4/2024 9:15:03,2nd choice,1st choice,3rd choice,
3/4/2024 9:40:27,4th choice,2nd choice,1st choice,3rd choice
3/4/2024 10:02:55,1st choice,,,2nd choice
3/4/2024 11:31:10,3rd choice,2nd choice,4th choice,1st choice
"""
        },
        lists={
            "*": [
                [["Alice Moreno"], ["Cleo Park"], ["Ben Okafor"], ["Dan Whitfield"]],
                [["Ben Okafor"], ["Alice Moreno"], ["Cleo Park"]],
                [["Cleo Park"], ["Ben Okafor"], ["Dan Whitfield"], ["Alice Moreno"]],
                [["Alice Moreno"], ["Dan Whitfield"]],
                [["Dan Whitfield"], ["Ben Okafor"], ["Alice Moreno"], ["Cleo Park"]],
            ]
        },
        note="Google Forms multiple-choice grid, rows = candidates, columns = '1st choice'...; downloaded as CSV; blank cells are candidates left unranked.",
    )
)

CASES.append(
    Case(
        name="gforms_grid_places_as_rows",
        family="forms",
        files={
            "Hackathon teams.csv": b"""\
"Timestamp","Email Address","Full name","Select your top 3 team preferences. [1st choice]","Select your top 3 team preferences. [2nd choice]","Select your top 3 team preferences. [3rd choice]"
"2024/09/12 2:05:11 PM GMT-4","mia.l@example.edu","Mia Larsen","Robotics","Web","Data Science"
"2024/09/12 2:09:48 PM GMT-4","jt@example.edu","Jamal Turner","Web","Data Science","Game Dev"
"2024/09/12 3:22:30 PM GMT-4","sora@example.edu","Sora Ito","Game Dev","Robotics",""
"2024/09/13 8:47:02 AM GMT-4","peter.v@example.edu","Peter Vance","Data Science","Web","Robotics"
"""
        },
        lists={
            "*": [
                [["Robotics"], ["Web"], ["Data Science"]],
                [["Web"], ["Data Science"], ["Game Dev"]],
                [["Game Dev"], ["Robotics"]],
                [["Data Science"], ["Web"], ["Robotics"]],
            ]
        },
        note="Google Forms grid the other way round: places in brackets, teams in the cells; direct CSV download from the Responses tab (everything quoted, GMT offset in the time stamp).",
    )
)

CASES.append(
    Case(
        name="gforms_grid_numbers_comment_xlsx",
        family="forms",
        files={
            "Team lunch (Responses).xlsx": _xlsx(
                [
                    [
                        "Timestamp",
                        "Email Address",
                        "Rank these lunch places, 1 = favourite [Sushi Go]",
                        "Rank these lunch places, 1 = favourite [Taco Loco]",
                        "Rank these lunch places, 1 = favourite [Pasta Bar]",
                        "Rank these lunch places, 1 = favourite [Green Bowl]",
                        "Any allergies or comments?",
                    ],
                    [dt.datetime(2024, 5, 6, 12, 1, 9), "ann@example.com", 1, 2, 3, 4, None],
                    [dt.datetime(2024, 5, 6, 12, 3, 44), "raj@example.com", 4, 1, 2, 3, "No shellfish please"],
                    [dt.datetime(2024, 5, 6, 12, 10, 2), "lena@example.com", 2, 3, 1, 4, "vegetarian"],
                    [dt.datetime(2024, 5, 6, 13, 55, 37), "tom@example.com", 3, 1, 1, 2, None],
                ],
                sheet="Form Responses 1",
            )
        },
        lists={
            "*": [
                [["Sushi Go"], ["Taco Loco"], ["Pasta Bar"], ["Green Bowl"]],
                [["Taco Loco"], ["Pasta Bar"], ["Green Bowl"], ["Sushi Go"]],
                [["Pasta Bar"], ["Sushi Go"], ["Taco Loco"], ["Green Bowl"]],
                [["Pasta Bar", "Taco Loco"], ["Green Bowl"], ["Sushi Go"]],
            ]
        },
        note="Google Forms grid with numbers, saved as Excel from Sheets; Tom gave two places a 1 (the form did not limit to one response per column): a tie.",
    )
)

CASES.append(
    Case(
        name="gforms_dropdowns_first_second_third",
        family="forms",
        files={
            "Elective sign-up (Responses).csv": b"""\
Timestamp,Email Address,Student name,First choice,Second choice,Third choice,Anything we should know?
10/2/2023 08:14:20,a.ngata@school.example,Aroha Ngata,Pottery,Photography,Drama,
10/2/2023 08:16:51,b.stein@school.example,Ben Stein,Drama,Pottery,Chess,"Can't do Tuesdays, sorry"
10/2/2023 08:30:05,c.diaz@school.example,Carla Diaz,Photography,Drama,Pottery,
10/2/2023 09:01:33,d.oneil@school.example,Dara O'Neil,Chess,,,I only want chess :)
10/2/2023 12:45:00,e.wu@school.example,Evan Wu,Pottery,Chess,Photography,
"""
        },
        lists={
            "*": [
                [["Pottery"], ["Photography"], ["Drama"]],
                [["Drama"], ["Pottery"], ["Chess"]],
                [["Photography"], ["Drama"], ["Pottery"]],
                [["Chess"]],
                [["Pottery"], ["Chess"], ["Photography"]],
            ]
        },
        note="Google Forms with three drop-down questions First/Second/Third choice, the commonest home-made ranking form.",
    )
)

CASES.append(
    Case(
        name="msforms_ranking_one_question",
        family="forms",
        files={
            "Away day location(1-5).xlsx": _xlsx(
                [
                    [
                        "ID",
                        "Start time",
                        "Completion time",
                        "Email",
                        "Name",
                        "Please rank the locations for our away day",
                    ],
                    [
                        1,
                        dt.datetime(2024, 2, 19, 9, 1, 12),
                        dt.datetime(2024, 2, 19, 9, 2, 40),
                        "anonymous",
                        None,
                        "Brighton;York;Bath;Cardiff;",
                    ],
                    [
                        2,
                        dt.datetime(2024, 2, 19, 9, 3, 5),
                        dt.datetime(2024, 2, 19, 9, 3, 59),
                        "anonymous",
                        None,
                        "York;Bath;Brighton;Cardiff;",
                    ],
                    [
                        3,
                        dt.datetime(2024, 2, 19, 9, 20, 33),
                        dt.datetime(2024, 2, 19, 9, 22, 1),
                        "anonymous",
                        None,
                        "Bath;Brighton;Cardiff;York;",
                    ],
                    [
                        4,
                        dt.datetime(2024, 2, 19, 10, 44, 8),
                        dt.datetime(2024, 2, 19, 10, 45, 30),
                        "anonymous",
                        None,
                        "Brighton;Bath;York;Cardiff;",
                    ],
                    [
                        5,
                        dt.datetime(2024, 2, 19, 16, 2, 50),
                        dt.datetime(2024, 2, 19, 16, 4, 2),
                        "anonymous",
                        None,
                        "Cardiff;York;Brighton;Bath;",
                    ],
                ]
            )
        },
        lists={
            "*": [
                [["Brighton"], ["York"], ["Bath"], ["Cardiff"]],
                [["York"], ["Bath"], ["Brighton"], ["Cardiff"]],
                [["Bath"], ["Brighton"], ["Cardiff"], ["York"]],
                [["Brighton"], ["Bath"], ["York"], ["Cardiff"]],
                [["Cardiff"], ["York"], ["Brighton"], ["Bath"]],
            ]
        },
        note="Microsoft Forms ranking question, Open in Excel: one cell per person, best first, semicolons with one at the end.",
    )
)

CASES.append(
    Case(
        name="msforms_two_rankings_and_comment",
        family="forms",
        files={
            "Staff survey.csv": """\
\ufeffID,Start time,Completion time,Email,Name,Rank the proposed projects,Rank the training days,Any other comments?
1,11/5/23 10:02:14,11/5/23 10:04:50,priya@contoso.example,Priya Shah,New website;Mobile app;CRM upgrade;,Monday;Friday;Wednesday;,
2,11/5/23 10:15:31,11/5/23 10:17:02,mark@contoso.example,Mark Jensen,CRM upgrade;New website;Mobile app;,Wednesday;Monday;Friday;,"Fridays are bad; I work from home"
3,11/5/23 11:40:09,11/5/23 11:42:45,elena@contoso.example,Elena Rossi,Mobile app;New website;CRM upgrade;,Friday;Wednesday;Monday;,Thanks!
4,11/5/23 14:22:58,11/5/23 14:24:11,omar@contoso.example,Omar Aziz,New website;CRM upgrade;Mobile app;,,
""".encode("utf-8")
        },
        lists={
            "Rank the proposed projects": [
                [["New website"], ["Mobile app"], ["CRM upgrade"]],
                [["CRM upgrade"], ["New website"], ["Mobile app"]],
                [["Mobile app"], ["New website"], ["CRM upgrade"]],
                [["New website"], ["CRM upgrade"], ["Mobile app"]],
            ],
            "Rank the training days": [
                [["Monday"], ["Friday"], ["Wednesday"]],
                [["Wednesday"], ["Monday"], ["Friday"]],
                [["Friday"], ["Wednesday"], ["Monday"]],
            ],
        },
        note="Microsoft Forms with two ranking questions and a free comment (one comment holds a semicolon), saved from Excel as 'CSV UTF-8'; Omar skipped the second question.",
    )
)

CASES.append(
    Case(
        name="gforms_two_grids_one_form",
        family="forms",
        files={
            "Rebrand poll - Form Responses 1.csv": b"""\
Timestamp,Rank the logos [Falcon],Rank the logos [Oak],Rank the logos [Wave],Rank the slogans [Go further],Rank the slogans [Made to last],Rank the slogans [Simply better]
6/18/2024 15:20:11,1,2,3,2,1,3
6/18/2024 15:24:40,3,1,2,1,3,2
6/18/2024 16:01:09,2,1,3,1,2,3
6/19/2024 8:13:57,1,3,2,3,1,2
"""
        },
        lists={
            "Rank the logos": [
                [["Falcon"], ["Oak"], ["Wave"]],
                [["Oak"], ["Wave"], ["Falcon"]],
                [["Oak"], ["Falcon"], ["Wave"]],
                [["Falcon"], ["Wave"], ["Oak"]],
            ],
            "Rank the slogans": [
                [["Made to last"], ["Go further"], ["Simply better"]],
                [["Go further"], ["Simply better"], ["Made to last"]],
                [["Go further"], ["Made to last"], ["Simply better"]],
                [["Made to last"], ["Simply better"], ["Go further"]],
            ],
        },
        note="Google Forms with two ranking grids: two separate questions, the text before the bracket is the question.",
    )
)

CASES.append(
    Case(
        name="msforms_german_xlsx",
        family="forms",
        files={
            "Betriebsausflug(1-4).xlsx": _xlsx(
                [
                    [
                        "ID",
                        "Startzeit",
                        "Fertigstellungszeit",
                        "E-Mail",
                        "Name",
                        "Bringen Sie die Ausflugsziele in Ihre Reihenfolge",
                        "Anmerkungen",
                    ],
                    [
                        1,
                        dt.datetime(2024, 6, 3, 8, 30, 1),
                        dt.datetime(2024, 6, 3, 8, 31, 20),
                        "anonymous",
                        None,
                        "Köln;Würzburg;Lübeck;",
                        None,
                    ],
                    [
                        2,
                        dt.datetime(2024, 6, 3, 8, 45, 40),
                        dt.datetime(2024, 6, 3, 8, 46, 2),
                        "anonymous",
                        None,
                        "Lübeck;Köln;Würzburg;",
                        "Bitte mit der Bahn",
                    ],
                    [
                        3,
                        dt.datetime(2024, 6, 3, 9, 10, 15),
                        dt.datetime(2024, 6, 3, 9, 11, 55),
                        "anonymous",
                        None,
                        "Würzburg;Köln;Lübeck;",
                        None,
                    ],
                    [
                        4,
                        dt.datetime(2024, 6, 3, 11, 2, 30),
                        dt.datetime(2024, 6, 3, 11, 3, 33),
                        "anonymous",
                        None,
                        "Köln;Lübeck;Würzburg;",
                        "Mir ist alles recht",
                    ],
                ]
            )
        },
        lists={
            "*": [
                [["Köln"], ["Würzburg"], ["Lübeck"]],
                [["Lübeck"], ["Köln"], ["Würzburg"]],
                [["Würzburg"], ["Köln"], ["Lübeck"]],
                [["Köln"], ["Lübeck"], ["Würzburg"]],
            ]
        },
        note="Microsoft Forms in German (Startzeit, Fertigstellungszeit, E-Mail), ranking question plus a remark column.",
    )
)

CASES.append(
    Case(
        name="gforms_french_grid",
        family="forms",
        files={
            "Sortie annuelle (réponses) - Réponses au formulaire 1.csv": """\
Horodateur,Classez les destinations [Lyon],Classez les destinations [Annecy],Classez les destinations [Étretat],Un commentaire ?
12/03/2024 18:02:33,1er choix,2e choix,3e choix,
12/03/2024 18:10:07,3e choix,1er choix,2e choix,"Plutôt en mai, si possible"
12/03/2024 20:44:51,2e choix,,1er choix,
13/03/2024 07:15:20,2e choix,1er choix,3e choix,Merci !
""".encode()
        },
        lists={
            "*": [
                [["Lyon"], ["Annecy"], ["Étretat"]],
                [["Annecy"], ["Étretat"], ["Lyon"]],
                [["Étretat"], ["Lyon"]],
                [["Annecy"], ["Lyon"], ["Étretat"]],
            ]
        },
        note="Google Forms in French (Horodateur), grid cells '1er choix', '2e choix', '3e choix'.",
    )
)

CASES.append(
    Case(
        name="gforms_spanish_places",
        family="forms",
        files={
            "Elección del libro (respuestas).csv": """\
Marca temporal,Dirección de correo electrónico,Elige tus tres libros [Primera opción],Elige tus tres libros [Segunda opción],Elige tus tres libros [Tercera opción]
5/2/2024 19:30:12,lucia@example.es,La casa de los espíritus,Rayuela,Nada
5/2/2024 19:41:55,pablo@example.es,Rayuela,Nada,La casa de los espíritus
5/2/2024 21:08:03,ines@example.es,Nada,Los detectives salvajes,
6/2/2024 8:55:47,marcos@example.es,La casa de los espíritus,Los detectives salvajes,Rayuela
""".encode()
        },
        lists={
            "*": [
                [["La casa de los espíritus"], ["Rayuela"], ["Nada"]],
                [["Rayuela"], ["Nada"], ["La casa de los espíritus"]],
                [["Nada"], ["Los detectives salvajes"]],
                [["La casa de los espíritus"], ["Los detectives salvajes"], ["Rayuela"]],
            ]
        },
        note="Google Forms in Spanish (Marca temporal), places in brackets, book titles in the cells; 'Nada' is a novel by Laforet, not 'nothing' (it stands in the cells as any other title).",
    )
)

CASES.append(
    Case(
        name="typeform_ranking_cell",
        family="forms",
        files={
            "responses-kT4wQz-01HV.csv": b"""\
#,Hi! What's your first name?,"Please rank these features, most important first",How likely are you to recommend us?,Response Type,Start Date (UTC),Stage Date (UTC),Submit Date (UTC),Network ID,Tags,Ending
8w3kz1yq0a,Nora,"Speed, Price, Support, Design",9,completed,2024-04-20 10:02:11,,2024-04-20 10:03:40,9c1e44ab01,,Default Thank You Screen
b7m2c9x4lt,Felix,"Price, Speed, Design, Support",7,completed,2024-04-20 11:15:02,,2024-04-20 11:17:29,02b7fd119e,,Default Thank You Screen
p0d5v8n3re,Yuki,"Design, Support, Speed, Price",10,completed,2024-04-21 07:44:30,,2024-04-21 07:45:58,77ad02e3c4,,Default Thank You Screen
q6h1j4s9uw,Carmen,"Speed, Design, Price, Support",8,completed,2024-04-21 19:20:05,,2024-04-21 19:21:51,5be90cf7d8,,Default Thank You Screen
"""
        },
        lists={
            "*": [
                [["Speed"], ["Price"], ["Support"], ["Design"]],
                [["Price"], ["Speed"], ["Design"], ["Support"]],
                [["Design"], ["Support"], ["Speed"], ["Price"]],
                [["Speed"], ["Design"], ["Price"], ["Support"]],
            ]
        },
        note="Typeform results CSV (hash column #, Network ID, Start/Submit Date (UTC)); the ranking question is one cell with the choices in order, comma separated; the NPS number is another question and no ranking.",
    )
)

CASES.append(
    Case(
        name="jotform_input_table",
        family="forms",
        files={
            "Conference_topics2024-07-01.csv": b"""\
"Submission Date","First Name","Last Name","E-mail","Rank the session topics (1 = most wanted) >> Databases","Rank the session topics (1 = most wanted) >> Security","Rank the session topics (1 = most wanted) >> Machine Learning","Rank the session topics (1 = most wanted) >> Accessibility","Submission IP","Submission ID"
"Jul 1, 2024","Grace","Holt","grace@example.org","2","3","1","4","203.0.113.8","5963412207712034881"
"Jul 1, 2024","Ivan","Petrov","ivan@example.org","1","2","4","3","203.0.113.54","5963413991225561178"
"Jun 30, 2024","Meera","Nair","meera@example.org","3","1","2","4","198.51.100.7","5962599013316620935"
"Jun 29, 2024","Louis","Bernard","louis@example.org","4","1","","2","198.51.100.90","5961750448102937745"
"""
        },
        lists={
            "*": [
                [["Machine Learning"], ["Databases"], ["Security"], ["Accessibility"]],
                [["Databases"], ["Security"], ["Accessibility"], ["Machine Learning"]],
                [["Security"], ["Machine Learning"], ["Databases"], ["Accessibility"]],
                [["Security"], ["Accessibility"], ["Databases"]],
            ]
        },
        note="Jotform CSV export of an Input Table: 'question >> row' headers, Submission Date first, Submission IP and ID last; Louis skipped number 3.",
    )
)

CASES.append(
    Case(
        name="doodle_ok_ifneedbe",
        family="forms",
        files={
            "Doodle.xlsx": _xlsx(
                [
                    ['Poll "Where shall we eat?"'],
                    ["https://doodle.com/poll/x8k2mvd4h7wq3s5t"],
                    [None],
                    [None, "Osteria", "Thai Garden", "Burger Barn", "Dim Sum House"],
                    ["Hannah", "OK", "OK", None, "(OK)"],
                    ["Kofi", None, "OK", "OK", None],
                    ["Sven", "OK", "(OK)", "(OK)", "OK"],
                    ["Maria", None, "OK", None, "OK"],
                    ["Count", 2, 4, 2, 3],
                ],
                sheet="Poll",
            )
        },
        lists={
            "*": [
                [["Osteria", "Thai Garden"], ["Dim Sum House"]],
                [["Burger Barn", "Thai Garden"]],
                [["Dim Sum House", "Osteria"], ["Burger Barn", "Thai Garden"]],
                [["Dim Sum House", "Thai Garden"]],
            ]
        },
        sure=False,
        note="Doodle text poll exported to Excel: title and link above, OK = yes, (OK) = if need be, blank = no, Count row below; owner: yes before if-need-be, the rest not wanted; one would have to ask whether the blanks count as last.",
    )
)

CASES.append(
    Case(
        name="gforms_scale_direction_unsaid",
        family="forms",
        files={
            "Product name poll.csv": b"""\
Timestamp,What do you think of each name? [Nimbus],What do you think of each name? [Larkly],What do you think of each name? [Quillo],What do you think of each name? [Brightside]
1/22/2024 13:01:15,5,3,2,4
1/22/2024 13:05:49,4,4,1,5
1/22/2024 13:30:22,2,5,3,3
1/22/2024 14:12:08,5,1,,4
1/22/2024 17:59:31,3,4,2,5
"""
        },
        lists={
            "*": [
                [["Nimbus"], ["Brightside"], ["Larkly"], ["Quillo"]],
                [["Brightside"], ["Larkly", "Nimbus"], ["Quillo"]],
                [["Larkly"], ["Brightside", "Quillo"], ["Nimbus"]],
                [["Nimbus"], ["Brightside"], ["Larkly"]],
                [["Brightside"], ["Larkly"], ["Nimbus"], ["Quillo"]],
            ]
        },
        sure=False,
        note="Google Forms grid with a 1-5 scale; the owner means 5 = love it, but the export does not say whether 1 or 5 is best.",
    )
)
