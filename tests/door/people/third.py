"""Files of a third batch, by somebody else again, that taught something: each was misread, or refused without a way."""

from __future__ import annotations

from tests.door.people import Case

CASES = [
    Case(
        name="gf_odd_names",
        family="forms",
        call="elect",
        files={
            "gf_odd_names.csv": (
                'Timestamp,"Rank these people.\n'
                '1 = best, 3 = worst [O\'Neil, ""Pat""]","Rank these people.\n'
                '1 = best, 3 = worst [Müller [Jr.]]","Rank these people.\n'
                '1 = best, 3 = worst [Nuñez (inc.)]"\n'
                "2024/05/01 9:10:20 AM GMT+2,1,2,3\n"
                "2024/05/02 9:11:21 AM GMT+2,2,1,3\n"
                "2024/05/03 9:12:22 AM GMT+2,2,3,1\n"
                "2024/05/04 9:13:23 AM GMT+2,1,3,2\n"
            ).encode()
        },
        lists={
            "*": [
                [['O\'Neil, "Pat"'], ["Müller [Jr.]"], ["Nuñez (inc.)"]],
                [["Müller [Jr.]"], ['O\'Neil, "Pat"'], ["Nuñez (inc.)"]],
                [["Nuñez (inc.)"], ['O\'Neil, "Pat"'], ["Müller [Jr.]"]],
                [['O\'Neil, "Pat"'], ["Nuñez (inc.)"], ["Müller [Jr.]"]],
            ]
        },
        note="Brackets within an option: the candidate was left out.",
    ),
    Case(
        name="gf_francais",
        family="forms",
        call="elect",
        files={
            "gf_francais.csv": (
                b"Horodateur;Adresse e-mail;Classez les candidats [Alice];Classez les candidats [Ben];Classez les candidats [Cleo];Commentaires\n"
                b"01/05/2024 09:10:03;v0@example.fr;1er;2e;3e;\n"
                b"02/05/2024 09:11:03;v1@example.fr;3e;1er;2e;\n"
                b"03/05/2024 09:12:03;v2@example.fr;1er;3e;2e;\n"
                b"04/05/2024 09:13:03;v3@example.fr;2e;3e;1er;\n"
                b"05/05/2024 09:14:03;v4@example.fr;1er;2e;3e;\n"
                b"06/05/2024 09:15:03;v5@example.fr;2e;1er;3e;\n"
                b"07/05/2024 09:16:03;v6@example.fr;1er;3e;2e;\n"
            )
        },
        lists={
            "*": [
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Cleo"], ["Alice"]],
                [["Alice"], ["Cleo"], ["Ben"]],
                [["Cleo"], ["Alice"], ["Ben"]],
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Alice"], ["Cleo"]],
                [["Alice"], ["Cleo"], ["Ben"]],
            ]
        },
        note="1er, 2e, 3e were refused without a way.",
    ),
    Case(
        name="f_logos_ordinal",
        family="forms",
        call="elect",
        files={
            "f_logos_ordinal.csv": (
                b"Timestamp,Rank the logos [1],Rank the logos [2],Rank the logos [3]\n"
                b"2024/05/01 9:10:20 AM GMT+2,1st,2nd,3rd\n"
                b"2024/05/02 9:11:21 AM GMT+2,3rd,1st,2nd\n"
                b"2024/05/03 9:12:22 AM GMT+2,1st,3rd,2nd\n"
                b"2024/05/04 9:13:23 AM GMT+2,2nd,3rd,1st\n"
                b"2024/05/05 9:14:24 AM GMT+2,1st,2nd,3rd\n"
                b"2024/05/06 9:15:25 AM GMT+2,2nd,1st,3rd\n"
                b"2024/05/07 9:16:26 AM GMT+2,1st,3rd,2nd\n"
            )
        },
        lists={
            "*": [
                [["1"], ["2"], ["3"]],
                [["2"], ["3"], ["1"]],
                [["1"], ["3"], ["2"]],
                [["3"], ["1"], ["2"]],
                [["1"], ["2"], ["3"]],
                [["2"], ["1"], ["3"]],
                [["1"], ["3"], ["2"]],
            ]
        },
        note="The options are numbers, the places are words: 1st was read as a candidate.",
    ),
    Case(
        name="f_worst_first",
        family="forms",
        call="elect",
        files={
            "f_worst_first.csv": (
                b"Timestamp,Rank from worst (1) to best (3) [Alice],Rank from worst (1) to best (3) [Ben],Rank from worst (1) to best (3) [Cleo]\n"
                b"2024/05/01 9:10:20 AM GMT+2,3,2,1\n"
                b"2024/05/02 9:11:21 AM GMT+2,1,3,2\n"
                b"2024/05/03 9:12:22 AM GMT+2,3,1,2\n"
                b"2024/05/04 9:13:23 AM GMT+2,2,1,3\n"
                b"2024/05/05 9:14:24 AM GMT+2,3,2,1\n"
                b"2024/05/06 9:15:25 AM GMT+2,2,3,1\n"
                b"2024/05/07 9:16:26 AM GMT+2,3,1,2\n"
            )
        },
        lists={
            "*": [
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Cleo"], ["Alice"]],
                [["Alice"], ["Cleo"], ["Ben"]],
                [["Cleo"], ["Alice"], ["Ben"]],
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Alice"], ["Cleo"]],
                [["Alice"], ["Cleo"], ["Ben"]],
            ]
        },
        note="The question says that 3 is best; it was read upside down.",
    ),
    Case(
        name="f_lang_en_most",
        family="forms",
        call="elect",
        files={
            "f_lang_en_most.csv": (
                b"Timestamp,Rank [Alice],Rank [Ben],Rank [Cleo]\n"
                b"01.05.2024 09:10:03,Most preferred,2nd,Least preferred\n"
                b"02.05.2024 09:11:03,Least preferred,Most preferred,2nd\n"
                b"03.05.2024 09:12:03,Most preferred,Least preferred,2nd\n"
                b"04.05.2024 09:13:03,2nd,Least preferred,Most preferred\n"
                b"05.05.2024 09:14:03,Most preferred,2nd,Least preferred\n"
                b"06.05.2024 09:15:03,2nd,Most preferred,Least preferred\n"
                b"07.05.2024 09:16:03,Most preferred,Least preferred,2nd\n"
            )
        },
        lists={
            "*": [
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Cleo"], ["Alice"]],
                [["Alice"], ["Cleo"], ["Ben"]],
                [["Cleo"], ["Alice"], ["Ben"]],
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Alice"], ["Cleo"]],
                [["Alice"], ["Cleo"], ["Ben"]],
            ]
        },
        note="Most and least preferred were refused.",
    ),
    Case(
        name="jotform",
        family="forms",
        call="elect",
        files={
            "jotform.csv": (
                b'"Submission Date","First Name","Last Name","Rank the candidates"\n'
                b'"May 1, 2024","V","N0","1: Alice\n'
                b"2: Ben\n"
                b'3: Cleo"\n'
                b'"May 2, 2024","V","N1","1: Ben\n'
                b"2: Cleo\n"
                b'3: Alice"\n'
                b'"May 3, 2024","V","N2","1: Alice\n'
                b"2: Cleo\n"
                b'3: Ben"\n'
                b'"May 4, 2024","V","N3","1: Cleo\n'
                b"2: Alice\n"
                b'3: Ben"\n'
                b'"May 5, 2024","V","N4","1: Alice\n'
                b"2: Ben\n"
                b'3: Cleo"\n'
                b'"May 6, 2024","V","N5","1: Ben\n'
                b"2: Alice\n"
                b'3: Cleo"\n'
                b'"May 7, 2024","V","N6","1: Alice\n'
                b"2: Cleo\n"
                b'3: Ben"\n'
            )
        },
        lists={
            "*": [
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Cleo"], ["Alice"]],
                [["Alice"], ["Cleo"], ["Ben"]],
                [["Cleo"], ["Alice"], ["Ben"]],
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Alice"], ["Cleo"]],
                [["Alice"], ["Cleo"], ["Ben"]],
            ]
        },
        note="A line for each place in one cell, with its number, which became a part of the names.",
    ),
    Case(
        name="gf_likert",
        family="forms",
        call="elect",
        files={
            "gf_likert.csv": (
                b"Timestamp,How do you like [Alice],How do you like [Ben],How do you like [Cleo]\n"
                b"2024/05/01 9:10:20 AM GMT+2,Very much,A little,Not at all\n"
                b"2024/05/02 9:11:21 AM GMT+2,A little,Very much,A little\n"
                b"2024/05/03 9:12:22 AM GMT+2,Very much,Very much,Not at all\n"
            )
        },
        lists={"*": [[["Alice"], ["Ben"], ["Cleo"]], [["Ben"], ["Alice", "Cleo"]], [["Alice", "Ben"], ["Cleo"]]]},
        note="Answers in words were refused without a way; the numbers are asked for.",
    ),
    Case(
        name="f_satisfaction_numbers",
        family="forms",
        call="elect",
        files={
            "f_satisfaction_numbers.csv": (
                b"Timestamp,Rank the candidates [Alice],Rank the candidates [Ben],Rank the candidates [Cleo],Rate from 1 (bad) to 5 (good) [Food],Rate from 1 (bad) to 5 (good) [Room]\n"
                b"2024/05/01 9:10:20 AM GMT+2,1,2,3,5,3\n"
                b"2024/05/02 9:11:21 AM GMT+2,3,1,2,4,4\n"
                b"2024/05/03 9:12:22 AM GMT+2,1,3,2,5,5\n"
                b"2024/05/04 9:13:23 AM GMT+2,2,3,1,4,3\n"
                b"2024/05/05 9:14:24 AM GMT+2,1,2,3,5,4\n"
                b"2024/05/06 9:15:25 AM GMT+2,2,1,3,4,5\n"
                b"2024/05/07 9:16:26 AM GMT+2,1,3,2,5,3\n"
            )
        },
        lists={
            "*": [
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Cleo"], ["Alice"]],
                [["Alice"], ["Cleo"], ["Ben"]],
                [["Cleo"], ["Alice"], ["Ben"]],
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Alice"], ["Cleo"]],
                [["Alice"], ["Cleo"], ["Ben"]],
            ]
        },
        note="Ratings beside a ranking were refused without a way.",
    ),
    Case(
        name="kobo",
        family="surveys",
        call="elect",
        files={
            "kobo.csv": (
                b'"start";"end";"Rank the candidates";"Rank the candidates :: 1st choice";"Rank the candidates :: 2nd choice";"Rank the candidates :: 3rd choice";"_id";"_uuid";"_submission_time";"_index"\n'
                b'"2024-05-01T09:10:00.000+02:00";"2024-05-01T09:12:00.000+02:00";"Alice Ben Cleo";"Alice";"Ben";"Cleo";"1000";"6e1f00-44aa";"2024-05-01T07:12:05";"1"\n'
                b'"2024-05-02T09:10:00.000+02:00";"2024-05-02T09:12:00.000+02:00";"Ben Cleo Alice";"Ben";"Cleo";"Alice";"1001";"6e1f10-44aa";"2024-05-02T07:12:05";"2"\n'
                b'"2024-05-03T09:10:00.000+02:00";"2024-05-03T09:12:00.000+02:00";"Alice Cleo Ben";"Alice";"Cleo";"Ben";"1002";"6e1f20-44aa";"2024-05-03T07:12:05";"3"\n'
                b'"2024-05-04T09:10:00.000+02:00";"2024-05-04T09:12:00.000+02:00";"Cleo Alice Ben";"Cleo";"Alice";"Ben";"1003";"6e1f30-44aa";"2024-05-04T07:12:05";"4"\n'
                b'"2024-05-05T09:10:00.000+02:00";"2024-05-05T09:12:00.000+02:00";"Alice Ben Cleo";"Alice";"Ben";"Cleo";"1004";"6e1f40-44aa";"2024-05-05T07:12:05";"5"\n'
                b'"2024-05-06T09:10:00.000+02:00";"2024-05-06T09:12:00.000+02:00";"Ben Alice Cleo";"Ben";"Alice";"Cleo";"1005";"6e1f50-44aa";"2024-05-06T07:12:05";"6"\n'
                b'"2024-05-07T09:10:00.000+02:00";"2024-05-07T09:12:00.000+02:00";"Alice Cleo Ben";"Alice";"Cleo";"Ben";"1006";"6e1f60-44aa";"2024-05-07T07:12:05";"7"\n'
            )
        },
        lists={
            "*": [
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Cleo"], ["Alice"]],
                [["Alice"], ["Cleo"], ["Ben"]],
                [["Cleo"], ["Alice"], ["Ben"]],
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Alice"], ["Cleo"]],
                [["Alice"], ["Cleo"], ["Ben"]],
            ]
        },
        note="The ranking is there twice, in one cell and by place: it made two elections.",
    ),
    Case(
        name="zoho",
        family="surveys",
        call="elect",
        files={
            "zoho.csv": (
                b"Response ID,Response Start Time,Response Completion Time,Response Status,Rank the candidates,Rank the candidates,Rank the candidates\n"
                b",,,,Alice,Ben,Cleo\n"
                b"900,05/01/2024 09:10,05/01/2024 09:12,Completed,1,2,3\n"
                b"901,05/02/2024 09:10,05/02/2024 09:12,Completed,3,1,2\n"
                b"902,05/03/2024 09:10,05/03/2024 09:12,Completed,1,3,2\n"
                b"903,05/04/2024 09:10,05/04/2024 09:12,Completed,2,3,1\n"
                b"904,05/05/2024 09:10,05/05/2024 09:12,Completed,1,2,3\n"
                b"905,05/06/2024 09:10,05/06/2024 09:12,Completed,2,1,3\n"
                b"906,05/07/2024 09:10,05/07/2024 09:12,Completed,1,3,2\n"
            )
        },
        lists={
            "*": [
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Cleo"], ["Alice"]],
                [["Alice"], ["Cleo"], ["Ben"]],
                [["Cleo"], ["Alice"], ["Ben"]],
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Alice"], ["Cleo"]],
                [["Alice"], ["Cleo"], ["Ben"]],
            ]
        },
        note="The question stands above each of its options.",
    ),
    Case(
        name="nyc_cvr",
        family="ballots",
        call="elect",
        files={
            "nyc_cvr.csv": (
                b"Cast Vote Record,Precinct,Ballot Style,DEM Mayor Choice 1 of 3 Citywide (026916),DEM Mayor Choice 2 of 3 Citywide (226916),DEM Mayor Choice 3 of 3 Citywide (326916)\n"
                b"1001,AD: 23 ED: 001,DEM-1,Eric Adams,Maya Wiley,undervote\n"
                b"1002,AD: 23 ED: 001,DEM-1,Maya Wiley,Kathryn Garcia,Eric Adams\n"
                b"1003,AD: 23 ED: 002,DEM-1,Kathryn Garcia,undervote,undervote\n"
                b"1004,AD: 23 ED: 002,DEM-1,Eric Adams,Kathryn Garcia,Maya Wiley\n"
                b"1005,AD: 23 ED: 002,DEM-1,undervote,undervote,undervote\n"
            )
        },
        lists={
            "*": [
                [["Eric Adams"], ["Maya Wiley"]],
                [["Maya Wiley"], ["Kathryn Garcia"], ["Eric Adams"]],
                [["Kathryn Garcia"]],
                [["Eric Adams"], ["Kathryn Garcia"], ["Maya Wiley"]],
            ]
        },
        note="Each place of a contest has a code of its own.",
    ),
    Case(
        name="condorcet_counts",
        family="ballots",
        call="elect",
        files={
            "condorcet_counts.txt": (
                b"42: Memphis > Nashville > Chattanooga > Knoxville\n"
                b"26: Nashville > Chattanooga > Knoxville > Memphis\n"
                b"15: Chattanooga > Knoxville > Nashville > Memphis\n"
                b"17: Knoxville > Chattanooga > Nashville > Memphis\n"
            )
        },
        lists={
            "*": [
                [["Memphis"], ["Nashville"], ["Chattanooga"], ["Knoxville"]],
                [["Nashville"], ["Chattanooga"], ["Knoxville"], ["Memphis"]],
                [["Chattanooga"], ["Knoxville"], ["Nashville"], ["Memphis"]],
                [["Knoxville"], ["Chattanooga"], ["Nashville"], ["Memphis"]],
            ]
        },
        counts={"*": [42, 26, 15, 17]},
        note="The example of every textbook, which was cut at its blanks.",
    ),
    Case(
        name="b_space_counts",
        family="ballots",
        call="elect",
        files={"b_space_counts.txt": (b"3 A>B>C\n2 B>A>C\n1 C>B=A\n")},
        lists={"*": [[["A"], ["B"], ["C"]], [["B"], ["A"], ["C"]], [["C"], ["A", "B"]]]},
        counts={"*": [3, 2, 1]},
        note="Counts before votes, with nothing but a blank between.",
    ),
    Case(
        name="counts_first",
        family="ballots",
        call="elect",
        files={
            "counts_first.csv": (
                b"42,Memphis,Nashville,Chattanooga,Knoxville\n"
                b"26,Nashville,Chattanooga,Knoxville,Memphis\n"
                b"15,Chattanooga,Knoxville,Nashville,Memphis\n"
                b"17,Knoxville,Chattanooga,Nashville,Memphis\n"
            )
        },
        lists={
            "*": [
                [["Memphis"], ["Nashville"], ["Chattanooga"], ["Knoxville"]],
                [["Nashville"], ["Chattanooga"], ["Knoxville"], ["Memphis"]],
                [["Chattanooga"], ["Knoxville"], ["Nashville"], ["Memphis"]],
                [["Knoxville"], ["Chattanooga"], ["Nashville"], ["Memphis"]],
            ]
        },
        counts={"*": [42, 26, 15, 17]},
        note="Counts without a name: nobody was offered to count with them.",
    ),
    Case(
        name="b_numbered_in_cell2",
        family="ballots",
        call="elect",
        files={
            "b_numbered_in_cell2.csv": (
                b'Voter,Ranking\nv1,"1) Alice; 2) Ben; 3) Cleo"\nv2,"1) Ben; 2) Alice; 3) Cleo"\n'
            )
        },
        lists={"*": [[["Alice"], ["Ben"], ["Cleo"]], [["Ben"], ["Alice"], ["Cleo"]]]},
        note="1) was read as a part of the names, which made nine candidates of three.",
    ),
    Case(
        name="b_multi_contest_choices",
        family="ballots",
        call="elect",
        files={
            "b_multi_contest_choices.csv": (
                b"Voter,Mayor 1,Mayor 2,Clerk 1,Clerk 2\nv1,Alice,Ben,Dan,Eve\nv2,Ben,Alice,Eve,Dan\nv3,Ben,,Dan,\n"
            )
        },
        lists={
            "Mayor": [[["Alice"], ["Ben"]], [["Ben"], ["Alice"]], [["Ben"]]],
            "Clerk": [[["Dan"], ["Eve"]], [["Eve"], ["Dan"]], [["Dan"]]],
        },
        note="Two offices in one table were one ballot, or refused.",
    ),
    Case(
        name="b_long_preference",
        family="ballots",
        call="elect",
        files={
            "b_long_preference.csv": (
                b"ballot_id,candidate,preference\n1,Alice,1\n1,Ben,2\n1,Cleo,3\n2,Ben,1\n2,Alice,2\n3,Cleo,1\n"
            )
        },
        lists={"*": [[["Alice"], ["Ben"], ["Cleo"]], [["Ben"], ["Alice"]], [["Cleo"]]]},
        note="One row per choice; the ballots were offered as queries only.",
    ),
    Case(
        name="b_json_ballots",
        family="ballots",
        call="elect",
        files={
            "b_json_ballots.json": (
                b'{"candidates": ["Alice", "Ben", "Cleo"], "ballots": [{"count": 3, "ranking": ["Alice", "Ben"]}, {"count": 2, "ranking": ["Cleo", "Ben", "Alice"]}]}'
            )
        },
        lists={"*": [[["Alice"], ["Ben"]], [["Cleo"], ["Ben"], ["Alice"]]]},
        counts={"*": [3, 2]},
        note="Ballots with counts beside the list of candidates.",
    ),
    Case(
        name="helios",
        family="ballots",
        call="elect",
        files={
            "helios.json": (
                b'[{"voter": "v1", "ballot": ["Alice", "Ben"]}, {"voter": "v2", "ballot": ["Ben", "Cleo", "Alice"]}, {"voter": "v3", "ballot": ["Cleo"]}]'
            )
        },
        lists={"*": [[["Alice"], ["Ben"]], [["Ben"], ["Cleo"], ["Alice"]], [["Cleo"]]]},
        note="An array of ballots, each an object; only JSON Lines were read so.",
    ),
    Case(
        name="t_chosen_rejected",
        family="battles",
        files={
            "t_chosen_rejected.csv": (
                b"prompt,chosen_model,rejected_model,chosen,rejected\n"
                b"Hi,gpt-4,claude,text one,text two\n"
                b"Ho,claude,vicuna,text a,text b\n"
                b"He,gpt-4,vicuna,t,u\n"
            )
        },
        lists={"*": [[["gpt-4"], ["claude"]], [["claude"], ["vicuna"]], [["gpt-4"], ["vicuna"]]]},
        note="The texts of the models were read as the contestants.",
    ),
    Case(
        name="t_winner_loser_draw",
        family="battles",
        files={"t_winner_loser_draw.csv": (b"winner,loser,draw\nA,B,0\nB,C,1\nC,A,0\n")},
        lists={"*": [[["A"], ["B"]], [["B", "C"]], [["C"], ["A"]]]},
        note="The column draw was ignored, so that draws were wins.",
    ),
    Case(
        name="battle_ab",
        family="battles",
        files={
            "battle_ab.csv": (
                b"model_a,model_b,winner\ngpt-4,claude-1,A\nclaude-1,vicuna,B\nvicuna,gpt-4,B\ngpt-4,vicuna,C\n"
            )
        },
        lists={
            "*": [[["gpt-4"], ["claude-1"]], [["vicuna"], ["claude-1"]], [["gpt-4"], ["vicuna"]], [["gpt-4", "vicuna"]]]
        },
        note="C is a tie, as judges write it, where A and B are the sides.",
    ),
    Case(
        name="alpaca",
        family="battles",
        files={
            "alpaca.json": (
                b'[{"instruction": "Do 0", "output_1": "foo", "generator_1": "text_davinci_003", "output_2": "bar", "generator_2": "gpt4", "annotator": "alpaca_eval_gpt4", "preference": 2}, {"instruction": "Do 1", "output_1": "foo", "generator_1": "text_davinci_003", "output_2": "bar", "generator_2": "alpaca-7b", "annotator": "alpaca_eval_gpt4", "preference": 1}, {"instruction": "Do 2", "output_1": "foo", "generator_1": "text_davinci_003", "output_2": "bar", "generator_2": "gpt4", "annotator": "alpaca_eval_gpt4", "preference": 2}, {"instruction": "Do 3", "output_1": "foo", "generator_1": "text_davinci_003", "output_2": "bar", "generator_2": "alpaca-7b", "annotator": "alpaca_eval_gpt4", "preference": 2}, {"instruction": "Do 4", "output_1": "foo", "generator_1": "text_davinci_003", "output_2": "bar", "generator_2": "gpt4", "annotator": "alpaca_eval_gpt4", "preference": 1}, {"instruction": "Do 5", "output_1": "foo", "generator_1": "text_davinci_003", "output_2": "bar", "generator_2": "alpaca-7b", "annotator": "alpaca_eval_gpt4", "preference": 0}]'
            )
        },
        lists={
            "*": [
                [["gpt4"], ["text_davinci_003"]],
                [["gpt4"], ["text_davinci_003"]],
                [["text_davinci_003"], ["alpaca-7b"]],
                [["alpaca-7b"], ["text_davinci_003"]],
                [["text_davinci_003"], ["gpt4"]],
                [["alpaca-7b", "text_davinci_003"]],
            ]
        },
        note="AlpacaEval: 1 and 2 are the generators, 0 is neither.",
    ),
    Case(
        name="t_arena_leftvote",
        family="battles",
        files={
            "t_arena_leftvote.csv": (
                b"left,right,type\n"
                b"gpt-4,claude,leftvote\n"
                b"claude,vicuna,rightvote\n"
                b"gpt-4,vicuna,tievote\n"
                b"vicuna,gpt-4,bothbad_vote\n"
            )
        },
        lists={"*": [[["gpt-4"], ["claude"]], [["vicuna"], ["claude"]], [["gpt-4", "vicuna"]], [["gpt-4", "vicuna"]]]},
        note="Votes of the arena's log.",
    ),
    Case(
        name="t_sxs_scale",
        family="battles",
        files={
            "t_sxs_scale.csv": (
                b"prompt_id,system_a,system_b,rating\np1,base,new,-2\np2,base,new,0\np3,base,new,3\np4,base,new,1\n"
            )
        },
        lists={"*": [[["base"], ["new"]], [["base", "new"]], [["new"], ["base"]], [["new"], ["base"]]]},
        note="Ratings from -3 to 3 were never offered as battles.",
    ),
    Case(
        name="d_cr",
        family="dialects",
        call="elect",
        files={
            "d_cr.csv": (
                b"Voter,1st,2nd,3rd\rv0,Alice,Ben,Cleo\rv1,Ben,Cleo,Alice\rv2,Alice,Cleo,Ben\rv3,Cleo,Alice,Ben\rv4,Alice,Ben,Cleo\rv5,Ben,Alice,Cleo\rv6,Alice,Cleo,Ben\r"
            )
        },
        lists={
            "*": [
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Cleo"], ["Alice"]],
                [["Alice"], ["Cleo"], ["Ben"]],
                [["Cleo"], ["Alice"], ["Ben"]],
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Alice"], ["Cleo"]],
                [["Alice"], ["Cleo"], ["Ben"]],
            ]
        },
        note="Line ends of old Macintoshes were refused.",
    ),
    Case(
        name="d_repeated_header",
        family="dialects",
        call="elect",
        files={
            "d_repeated_header.csv": (
                b"Voter,1st,2nd,3rd\n"
                b"v0,Alice,Ben,Cleo\n"
                b"v1,Ben,Cleo,Alice\n"
                b"v2,Alice,Cleo,Ben\n"
                b"v3,Cleo,Alice,Ben\n"
                b"Voter,1st,2nd,3rd\n"
                b"v4,Alice,Ben,Cleo\n"
                b"v5,Ben,Alice,Cleo\n"
                b"v6,Alice,Cleo,Ben\n"
            )
        },
        lists={
            "*": [
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Cleo"], ["Alice"]],
                [["Alice"], ["Cleo"], ["Ben"]],
                [["Cleo"], ["Alice"], ["Ben"]],
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Alice"], ["Cleo"]],
                [["Alice"], ["Cleo"], ["Ben"]],
            ]
        },
        note="Pages that were pasted below each other: the header voted.",
    ),
    Case(
        name="e_softhyphen",
        family="dialects",
        call="elect",
        files={
            "e_softhyphen.csv": (
                "Voter,1st,2nd,3rd\nv0,Alice,Ben,Cleo\nv1,Ali\xadce,Cleo,Ben\nv2,\ufeffBen,Alice,Cleo\u200d\n"
            ).encode()
        },
        lists={"*": [[["Alice"], ["Ben"], ["Cleo"]], [["Alice"], ["Cleo"], ["Ben"]], [["Ben"], ["Alice"], ["Cleo"]]]},
        note="Signs that nobody sees made two candidates of one.",
    ),
    Case(
        name="f_jot_matrix",
        family="forms",
        call="elect",
        files={
            "f_jot_matrix.csv": (
                b"Submission Date,Rank the candidates >> Alice >> Rank,Rank the candidates >> Ben >> Rank,Rank the candidates >> Cleo >> Rank\n"
                b"2024-05-01,1,2,3\n"
                b"2024-05-02,3,1,2\n"
                b"2024-05-03,1,3,2\n"
                b"2024-05-04,2,3,1\n"
                b"2024-05-05,1,2,3\n"
                b"2024-05-06,2,1,3\n"
                b"2024-05-07,1,3,2\n"
            )
        },
        lists={
            "*": [
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Cleo"], ["Alice"]],
                [["Alice"], ["Cleo"], ["Ben"]],
                [["Cleo"], ["Alice"], ["Ben"]],
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Alice"], ["Cleo"]],
                [["Alice"], ["Cleo"], ["Ben"]],
            ]
        },
        note="A table in a form: every candidate was called by the question.",
    ),
    Case(
        name="a_party",
        family="ballots",
        call="elect",
        files={
            "a_party.csv": (
                b"ballot,1st choice,1st choice party,2nd choice,2nd choice party\n"
                b"1,Alice,Red,Ben,Blue\n"
                b"2,Ben,Blue,Alice,Red\n"
                b"3,Alice,Red,,\n"
            )
        },
        lists={"*": [[["Alice"], ["Ben"]], [["Ben"], ["Alice"]], [["Alice"]]]},
        note="The party beside each choice: the advice to rename it could not be followed by an option.",
    ),
    Case(
        name="a_rank_by_voter",
        family="ballots",
        call="elect",
        files={"a_rank_by_voter.csv": (b"Candidate,Ann,Ben,Cem\nX,1,2,1\nY,2,1,3\nZ,3,3,2\n")},
        lists={"*": [[["X"], ["Y"], ["Z"]], [["Y"], ["X"], ["Z"]], [["X"], ["Z"], ["Y"]]]},
        note="Candidates by voters: an election offered the voters as candidates.",
    ),
    Case(
        name="a_weighted_txt",
        family="ballots",
        call="elect",
        files={"a_weighted_txt.txt": (b"5: A, B, C\n3: B, A\n2: C\n")},
        lists={"*": [[["A"], ["B"], ["C"]], [["B"], ["A"]], [["C"]]]},
        counts={"*": [5, 3, 2]},
        note="Counts before choices between commas were taken for a run.",
    ),
    Case(
        name="b_sf_cvr",
        family="ballots",
        call="elect",
        files={
            "b_sf_cvr.csv": (
                b"RecordId,PrecinctPortion,Rank 1,Rank 2,Rank 3,Rank 4\n"
                b"1,PCT 1101,London Breed,Mark Leno,,\n"
                b"2,PCT 1101,Jane Kim,,Mark Leno,London Breed\n"
                b"3,PCT 1102,,,,\n"
                b"4,PCT 1102,Mark Leno,Jane Kim,overvote,London Breed\n"
            )
        },
        lists={
            "*": [
                [["London Breed"], ["Mark Leno"]],
                [["Jane Kim"], ["Mark Leno"], ["London Breed"]],
                [["Mark Leno"], ["Jane Kim"]],
            ]
        },
        note="A choice behind an overvote: the rule of most places could not be said.",
    ),
    Case(
        name="a_intl_football",
        family="battles",
        files={
            "a_intl_football.csv": (
                b"date,home_team,away_team,home_score,away_score,tournament,city,country,neutral\n"
                b"1872-11-30,Scotland,England,0,0,Friendly,Glasgow,Scotland,FALSE\n"
                b"1873-03-08,England,Scotland,4,2,Friendly,London,England,FALSE\n"
            )
        },
        lists={"*": [[["England", "Scotland"]], [["England"], ["Scotland"]]]},
        note="The country of a match was read as its verdict.",
    ),
    Case(
        name="a_pandalm",
        family="battles",
        files={
            "a_pandalm.json": (
                b'[{"idx": 0, "cmp_key": "llama_bloom", "model_1": "llama", "model_2": "bloom", "annotator1": 1}, {"idx": 1, "cmp_key": "llama_bloom", "model_1": "llama", "model_2": "bloom", "annotator1": 2}, {"idx": 2, "cmp_key": "llama_bloom", "model_1": "llama", "model_2": "bloom", "annotator1": 0}, {"idx": 3, "cmp_key": "llama_bloom", "model_1": "llama", "model_2": "bloom", "annotator1": 1}]'
            )
        },
        lists={"*": [[["llama"], ["bloom"]], [["llama"], ["bloom"]], [["bloom"], ["llama"]], [["bloom", "llama"]]]},
        note="PandaLM: 1 and 2 are the models, 0 is neither, in a column that nothing names.",
    ),
    Case(
        name="e_caret",
        family="dialects",
        call="elect",
        files={
            "e_caret.txt": (
                b"Voter^1st^2nd^3rd\n"
                b"v0^Alice^Ben^Cleo\n"
                b"v1^Ben^Cleo^Alice\n"
                b"v2^Alice^Cleo^Ben\n"
                b"v3^Cleo^Alice^Ben\n"
                b"v4^Alice^Ben^Cleo\n"
                b"v5^Ben^Alice^Cleo\n"
                b"v6^Alice^Cleo^Ben\n"
            )
        },
        lists={
            "*": [
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Cleo"], ["Alice"]],
                [["Alice"], ["Cleo"], ["Ben"]],
                [["Cleo"], ["Alice"], ["Ben"]],
                [["Alice"], ["Ben"], ["Cleo"]],
                [["Ben"], ["Alice"], ["Cleo"]],
                [["Alice"], ["Cleo"], ["Ben"]],
            ]
        },
        note="Carets between cells.",
    ),
    Case(
        name="d_escaped",
        family="dialects",
        call="elect",
        files={
            "d_escaped.csv": (
                b"Voter,1st,2nd,3rd\n"
                b'v0,"Tim \\"TJ\\" Jones",Ben,Cleo\n'
                b'v1,Ben,Cleo,"Tim \\"TJ\\" Jones"\n'
                b'v2,Cleo,Ben,"Tim \\"TJ\\" Jones"\n'
            )
        },
        lists={
            "*": [
                [['Tim "TJ" Jones'], ["Ben"], ["Cleo"]],
                [["Ben"], ["Cleo"], ['Tim "TJ" Jones']],
                [["Cleo"], ["Ben"], ['Tim "TJ" Jones']],
            ]
        },
        note="Quotes within quotes as databases escape them.",
    ),
    Case(
        name="doodle",
        family="dialects",
        call="elect",
        files={
            "doodle.csv": (
                b'Poll "Dinner"\n'
                b"https://doodle.com/poll/abc123\n"
                b",May 2024,,\n"
                b",Mon 6,Tue 7,Wed 8\n"
                b"Anna,OK,,OK\n"
                b"Bob,,OK,(OK)\n"
                b"Carl,OK,OK,\n"
                b"Dora,OK,,\n"
                b"Count,3,2,2\n"
            )
        },
        lists={"*": [[["Mon 6", "Wed 8"]], [["Tue 7"], ["Wed 8"]], [["Mon 6", "Tue 7"]], [["Mon 6"]]]},
        note="Three lines above the header, and a row that counts below.",
    ),
    Case(
        name="b_arrows",
        family="dialects",
        call="elect",
        files={"b_arrows.csv": ("Voter,Ranking\nv1,Alice → Ben → Cleo\nv2,Ben → Alice\n").encode()},
        lists={"*": [[["Alice"], ["Ben"], ["Cleo"]], [["Ben"], ["Alice"]]]},
        note="Arrows between the choices.",
    ),
]
