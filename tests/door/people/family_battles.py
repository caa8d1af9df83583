from __future__ import annotations

import json

from tests.door.people import Case

CASES = []


def _jsonl(rows):
    return ("\n".join(json.dumps(r) for r in rows) + "\n").encode("utf-8")


def _arena(a, b, w, judge, turn, lang, t):
    return {
        "model_a": a,
        "model_b": b,
        "winner": w,
        "judge": judge,
        "turn": turn,
        "anony": True,
        "language": lang,
        "tstamp": t,
        "conv_metadata": {
            "sum_user_tokens": 31,
            "sum_assistant_a_tokens": 212,
            "sum_assistant_b_tokens": 187,
            "turns": turn,
        },
        "is_code": False,
        "is_refusal": False,
        "dedup_tag": {"high_freq": False, "sampled": True},
    }


CASES.append(
    Case(
        name="lmsys_arena_jsonl",
        family="battles",
        files={
            "clean_battle_20240814_public.jsonl": _jsonl(
                [
                    _arena(
                        "vicuna-13b",
                        "llama-13b",
                        "model_a",
                        "4b1e90aa27c3d5f6081926374a5b6c7d",
                        1,
                        "English",
                        1682501144.2031,
                    ),
                    _arena(
                        "oasst-pythia-12b",
                        "llama-13b",
                        "tie (bothbad)",
                        "86c5d4e3f2a1b0998877665544332211",
                        1,
                        "Dutch",
                        1683307780.5512,
                    ),
                    _arena(
                        "gpt-4-turbo-2024-04-09",
                        "claude-3-opus-20240229",
                        "model_b",
                        "a0c1d2e3f405162738495a6b7c8d9e0f",
                        2,
                        "English",
                        1713830015.0042,
                    ),
                    _arena(
                        "llama-3-70b-instruct",
                        "gpt-4-turbo-2024-04-09",
                        "tie",
                        "b1d4e7fa0c3f6295a8bbcedde1f40713",
                        1,
                        "Turkish",
                        1713830333.9120,
                    ),
                    _arena(
                        "claude-3-opus-20240229",
                        "vicuna-13b",
                        "model_a",
                        "c2e5f80b1d407396b9ccdfeef2051824",
                        3,
                        "German",
                        1713831002.1175,
                    ),
                    _arena(
                        "llama-13b",
                        "llama-3-70b-instruct",
                        "model_b",
                        "d3f6091c2e5184a7cadde0ff03162935",
                        1,
                        "English",
                        1713831333.4420,
                    ),
                ]
            )
        },
        lists={
            "*": [
                [["vicuna-13b"], ["llama-13b"]],
                [["llama-13b", "oasst-pythia-12b"]],
                [["claude-3-opus-20240229"], ["gpt-4-turbo-2024-04-09"]],
                [["gpt-4-turbo-2024-04-09", "llama-3-70b-instruct"]],
                [["claude-3-opus-20240229"], ["vicuna-13b"]],
                [["llama-3-70b-instruct"], ["llama-13b"]],
            ]
        },
        note="Chatbot Arena clean_battle file as JSON lines with judge, turn, anony, language, tstamp and nested metadata; tie (bothbad) is a tie.",
    )
)

CASES.append(
    Case(
        name="kaggle_lmsys_one_hot",
        family="battles",
        files={
            "train.csv": b"""\
id,model_a,model_b,prompt,response_a,response_b,winner_model_a,winner_model_b,winner_tie
41877,gpt-4-1106-preview,gpt-4-0613,"[""Should I keep a rabbit indoors?""]","[""Yes, with enough space and hay.""]","[""I have no opinion, sorry.""]",1,0,0
52310,koala-13b,gpt-4-0613,"[""What does a notary do, and when do I need one?""]","[""A notary signs things.""]","[""A notary certifies documents, e.g. a house sale.""]",0,1,0
70416,gpt-3.5-turbo-0613,mistral-medium,"[""explain recursion""]","[""A function that calls itself.""]","[""See recursion.""]",0,0,1
88259,llama-2-13b-chat,mistral-7b-instruct,"[""How do I clean a cast iron pan?""]","[""Hot water, dry it, a drop of oil.""]","[""In the dishwasher.""]",1,0,0
190034,koala-13b,gpt-3.5-turbo-0314,"[""Best way from Graz to Vienna? Car? Bus? Train?""]","[""By ship.""]","[""By train.""]",0,1,0
"""
        },
        lists={
            "*": [
                [["gpt-4-1106-preview"], ["gpt-4-0613"]],
                [["gpt-4-0613"], ["koala-13b"]],
                [["gpt-3.5-turbo-0613", "mistral-medium"]],
                [["llama-2-13b-chat"], ["mistral-7b-instruct"]],
                [["gpt-3.5-turbo-0314"], ["koala-13b"]],
            ]
        },
        note="Kaggle 'LMSYS Chatbot Arena' train.csv: the winner as three 0/1 columns winner_model_a, winner_model_b, winner_tie, plus prompt and response texts.",
    )
)

CASES.append(
    Case(
        name="winner_loser_table",
        family="battles",
        files={
            "squash_ladder.csv": b"""\
date,winner,loser,score,court
2024-01-09,Fiona,Greg,"11-7, 11-9, 11-4",2
2024-01-09,Hugo,Ines,"11-8, 9-11, 11-6, 11-9",1
2024-01-16,Fiona,Hugo,"11-5, 11-13, 11-9, 12-10",1
2024-01-16,Ines,Greg,"11-2, 11-6, 11-8",2
2024-01-23,Hugo,Greg,"11-9, 11-9, 11-7",2
2024-01-23,Ines,Fiona,"14-12, 11-9, 8-11, 11-6",1
2024-01-30,Fiona,Greg,"11-3, 11-1, 11-5",2
"""
        },
        lists={
            "*": [
                [["Fiona"], ["Greg"]],
                [["Hugo"], ["Ines"]],
                [["Fiona"], ["Hugo"]],
                [["Ines"], ["Greg"]],
                [["Hugo"], ["Greg"]],
                [["Ines"], ["Fiona"]],
                [["Fiona"], ["Greg"]],
            ]
        },
        note="A club's own winner/loser table with date, game scores and court number; Fiona beat Greg twice, both rows count.",
    )
)

CASES.append(
    Case(
        name="football_data_results",
        family="battles",
        files={
            "E0.csv": b"""\
Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR,HTHG,HTAG,HTR,Referee
E0,11/08/2023,20:00,Burnley,Man City,0,3,A,0,2,A,C Pawson
E0,12/08/2023,12:30,Arsenal,Nott'm Forest,2,1,H,2,0,H,M Oliver
E0,12/08/2023,15:00,Bournemouth,West Ham,1,1,D,0,0,D,P Bankes
E0,12/08/2023,15:00,Brighton,Luton,4,1,H,1,0,H,D Coote
E0,12/08/2023,17:30,Newcastle,Aston Villa,5,1,H,2,1,H,A Madley
E0,13/08/2023,16:30,Chelsea,Liverpool,1,1,D,1,1,D,A Taylor
"""
        },
        lists={
            "*": [
                [["Man City"], ["Burnley"]],
                [["Arsenal"], ["Nott'm Forest"]],
                [["Bournemouth", "West Ham"]],
                [["Brighton"], ["Luton"]],
                [["Newcastle"], ["Aston Villa"]],
                [["Chelsea", "Liverpool"]],
            ]
        },
        note="football-data.co.uk season file: FTHG/FTAG full-time goals and FTR = H, A or D (home, away, draw); the half-time columns must not matter.",
    )
)

CASES.append(
    Case(
        name="mt_bench_pair_two_games",
        family="battles",
        files={
            "gpt-4_pair.jsonl": _jsonl(
                [
                    {
                        "question_id": 81,
                        "model_1": "vicuna-13b-v1.3",
                        "model_2": "alpaca-13b",
                        "g1_winner": "model_1",
                        "g2_winner": "model_1",
                        "judge": ["gpt-4", "pair-v2"],
                        "g1_judgment": "[[A]]",
                        "g2_judgment": "[[B]]",
                        "turn": 1,
                        "tstamp": 1687222050.27,
                    },
                    {
                        "question_id": 82,
                        "model_1": "vicuna-13b-v1.3",
                        "model_2": "gpt-3.5-turbo",
                        "g1_winner": "model_2",
                        "g2_winner": "model_2",
                        "judge": ["gpt-4", "pair-v2"],
                        "g1_judgment": "[[B]]",
                        "g2_judgment": "[[A]]",
                        "turn": 1,
                        "tstamp": 1687222071.90,
                    },
                    {
                        "question_id": 83,
                        "model_1": "alpaca-13b",
                        "model_2": "gpt-3.5-turbo",
                        "g1_winner": "model_2",
                        "g2_winner": "tie",
                        "judge": ["gpt-4", "pair-v2"],
                        "g1_judgment": "[[B]]",
                        "g2_judgment": "[[C]]",
                        "turn": 1,
                        "tstamp": 1687222099.14,
                    },
                    {
                        "question_id": 84,
                        "model_1": "vicuna-13b-v1.3",
                        "model_2": "gpt-3.5-turbo",
                        "g1_winner": "model_1",
                        "g2_winner": "model_2",
                        "judge": ["gpt-4", "pair-v2"],
                        "g1_judgment": "[[A]]",
                        "g2_judgment": "[[A]]",
                        "turn": 1,
                        "tstamp": 1687222120.55,
                    },
                    {
                        "question_id": 85,
                        "model_1": "alpaca-13b",
                        "model_2": "vicuna-13b-v1.3",
                        "g1_winner": "tie",
                        "g2_winner": "tie",
                        "judge": ["gpt-4", "pair-v2"],
                        "g1_judgment": "[[C]]",
                        "g2_judgment": "[[C]]",
                        "turn": 1,
                        "tstamp": 1687222144.02,
                    },
                ]
            )
        },
        lists={
            "*": [
                [["vicuna-13b-v1.3"], ["alpaca-13b"]],
                [["gpt-3.5-turbo"], ["vicuna-13b-v1.3"]],
                [["alpaca-13b", "gpt-3.5-turbo"]],
                [["gpt-3.5-turbo", "vicuna-13b-v1.3"]],
                [["alpaca-13b", "vicuna-13b-v1.3"]],
            ]
        },
        sure=False,
        note="FastChat MT-bench pairwise judgments: each pair is judged twice with swapped order; as FastChat's show_result does, the owner counts a win only when both games agree, else a tie; one would have to ask.",
    )
)

CASES.append(
    Case(
        name="side_by_side_left_right",
        family="battles",
        files={
            "sbs_ratings_export.csv": b"""\
session_id,rater,timestamp,left,right,preferred,seconds_spent,comment
s-1001,rater_07,2024-06-11T09:02:14Z,design_v1,design_v2,right,14.2,
s-1002,rater_07,2024-06-11T09:02:51Z,design_v3,design_v1,left,22.8,cleaner header
s-1003,rater_12,2024-06-11T09:10:05Z,design_v2,design_v3,tie,31.0,"can't decide, both fine"
s-1004,rater_12,2024-06-11T09:10:44Z,design_v1,design_v2,right,9.5,
s-1005,rater_15,2024-06-11T10:33:20Z,design_v2,design_v1,left,11.1,
s-1006,rater_15,2024-06-11T10:34:02Z,design_v3,design_v2,right,18.7,
"""
        },
        lists={
            "*": [
                [["design_v2"], ["design_v1"]],
                [["design_v3"], ["design_v1"]],
                [["design_v2", "design_v3"]],
                [["design_v2"], ["design_v1"]],
                [["design_v2"], ["design_v1"]],
                [["design_v2"], ["design_v3"]],
            ]
        },
        note="A/B side-by-side rating log of an in-house tool: preferred = left, right or tie; session ids, raters, seconds and comments are extra.",
    )
)

CASES.append(
    Case(
        name="alpaca_eval_annotations",
        family="battles",
        files={
            "annotations.json": (
                json.dumps(
                    [
                        {
                            "instruction": "Give three tips for staying healthy.",
                            "output_1": "Eat well.",
                            "generator_1": "text_davinci_003",
                            "output_2": "1. Sleep 2. Move 3. Eat greens",
                            "generator_2": "tulu-7b",
                            "dataset": "selfinstruct",
                            "annotator": "alpaca_eval_gpt4",
                            "preference": 2.0,
                        },
                        {
                            "instruction": "Name a prime above 50.",
                            "output_1": "53",
                            "generator_1": "text_davinci_003",
                            "output_2": "51",
                            "generator_2": "tulu-7b",
                            "dataset": "koala",
                            "annotator": "alpaca_eval_gpt4",
                            "preference": 1.0,
                        },
                        {
                            "instruction": "Translate 'cat' to French.",
                            "output_1": "chat",
                            "generator_1": "text_davinci_003",
                            "output_2": "chat",
                            "generator_2": "zephyr-7b",
                            "dataset": "vicuna",
                            "annotator": "alpaca_eval_gpt4",
                            "preference": 1.5,
                        },
                        {
                            "instruction": "Write a haiku about rain.",
                            "output_1": "Rain falls.",
                            "generator_1": "tulu-7b",
                            "output_2": "Soft rain on tin roofs",
                            "generator_2": "zephyr-7b",
                            "dataset": "oasst",
                            "annotator": "alpaca_eval_gpt4",
                            "preference": 2.0,
                        },
                        {
                            "instruction": "Summarise photosynthesis.",
                            "output_1": "Plants turn light into sugar.",
                            "generator_1": "text_davinci_003",
                            "output_2": "It is green.",
                            "generator_2": "zephyr-7b",
                            "dataset": "helpful_base",
                            "annotator": "alpaca_eval_gpt4",
                            "preference": 1.0,
                        },
                    ],
                    indent=2,
                )
                + "\n"
            ).encode("utf-8")
        },
        lists={
            "*": [
                [["tulu-7b"], ["text_davinci_003"]],
                [["text_davinci_003"], ["tulu-7b"]],
                [["text_davinci_003", "zephyr-7b"]],
                [["zephyr-7b"], ["tulu-7b"]],
                [["text_davinci_003"], ["zephyr-7b"]],
            ]
        },
        sure=False,
        note="AlpacaEval annotations.json: preference 1.0 = output_1 better, 2.0 = output_2 better, 1.5 = draw; one has to know that coding.",
    )
)

CASES.append(
    Case(
        name="german_chess_results",
        family="battles",
        files={
            "Vereinsturnier.csv": """\
Runde;Brett;Weiß;Schwarz;Ergebnis
1;1;Jürgen Vogt;Sabine Kroll;1-0
1;2;Emil Thoma;Nadja Beyer;½-½
2;1;Nadja Beyer;Jürgen Vogt;0-1
2;2;Sabine Kroll;Emil Thoma;1-0
3;1;Jürgen Vogt;Emil Thoma;½-½
3;2;Sabine Kroll;Nadja Beyer;0-1
""".encode("cp1252")
        },
        lists={
            "*": [
                [["Jürgen Vogt"], ["Sabine Kroll"]],
                [["Emil Thoma", "Nadja Beyer"]],
                [["Jürgen Vogt"], ["Nadja Beyer"]],
                [["Sabine Kroll"], ["Emil Thoma"]],
                [["Emil Thoma", "Jürgen Vogt"]],
                [["Nadja Beyer"], ["Sabine Kroll"]],
            ]
        },
        note="German chess club tournament saved from Excel (semicolons, Windows-1252): 1-0 = White (first named) won, 0-1 = Black won, ½-½ = draw; round and board numbers are extra.",
    )
)
