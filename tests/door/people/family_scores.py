from __future__ import annotations

import io

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
        name="scores_open_llm_leaderboard",
        family="scores",
        files={
            "open_llm_leaderboard.csv": """\
Model,Average ⬆️,IFEval,BBH,MATH Lvl 5,GPQA,MUSR,MMLU-PRO,#Params (B),Hub License
Qwen/Qwen2.5-72B-Instruct,47.98,86.38,61.87,59.82,16.67,11.74,51.40,72.706,other
meta-llama/Llama-3.3-70B-Instruct,44.85,89.98,56.56,48.34,10.51,15.57,48.13,70.554,llama3.3
microsoft/phi-4,31.46,5.85,52.43,38.94,20.13,23.78,47.64,14.66,mit
google/gemma-2-27b-it,36.18,79.78,49.27,23.87,16.67,9.11,38.35,27.227,gemma
mistralai/Mistral-7B-Instruct-v0.3,19.21,54.65,25.57,3.85,3.91,4.25,23.05,7.248,apache-2.0
""".encode()
        },
        lists={
            "*": [
                [
                    ["meta-llama/Llama-3.3-70B-Instruct"],
                    ["Qwen/Qwen2.5-72B-Instruct"],
                    ["google/gemma-2-27b-it"],
                    ["mistralai/Mistral-7B-Instruct-v0.3"],
                    ["microsoft/phi-4"],
                ],
                [
                    ["Qwen/Qwen2.5-72B-Instruct"],
                    ["meta-llama/Llama-3.3-70B-Instruct"],
                    ["microsoft/phi-4"],
                    ["google/gemma-2-27b-it"],
                    ["mistralai/Mistral-7B-Instruct-v0.3"],
                ],
                [
                    ["Qwen/Qwen2.5-72B-Instruct"],
                    ["meta-llama/Llama-3.3-70B-Instruct"],
                    ["microsoft/phi-4"],
                    ["google/gemma-2-27b-it"],
                    ["mistralai/Mistral-7B-Instruct-v0.3"],
                ],
                [
                    ["microsoft/phi-4"],
                    ["Qwen/Qwen2.5-72B-Instruct", "google/gemma-2-27b-it"],
                    ["meta-llama/Llama-3.3-70B-Instruct"],
                    ["mistralai/Mistral-7B-Instruct-v0.3"],
                ],
                [
                    ["microsoft/phi-4"],
                    ["meta-llama/Llama-3.3-70B-Instruct"],
                    ["Qwen/Qwen2.5-72B-Instruct"],
                    ["google/gemma-2-27b-it"],
                    ["mistralai/Mistral-7B-Instruct-v0.3"],
                ],
                [
                    ["Qwen/Qwen2.5-72B-Instruct"],
                    ["meta-llama/Llama-3.3-70B-Instruct"],
                    ["microsoft/phi-4"],
                    ["google/gemma-2-27b-it"],
                    ["mistralai/Mistral-7B-Instruct-v0.3"],
                ],
            ]
        },
        rankers={"*": ["IFEval", "BBH", "MATH Lvl 5", "GPQA", "MUSR", "MMLU-PRO"]},
        note="Hugging Face Open LLM Leaderboard v2 download: six benchmarks; the Average column, #Params (B) and licence are plainly no benchmarks.",
    )
)

CASES.append(
    Case(
        name="scores_percent_blanks",
        family="scores",
        files={
            "eval_summary.csv": b"""\
model,MMLU,GSM8K,HumanEval,ARC-C
GPT-4,86.4%,92.0%,67.0%,96.3%
Claude 3 Opus,86.8%,95.0%,84.9%,96.4%
Gemini Ultra,83.7%,94.4%,74.4%,n/a
Mixtral 8x22B,77.8%,88.4%,,91.3%
Llama 3 70B,82.0%,93.0%,81.7%,-
"""
        },
        lists={
            "*": [
                [["Claude 3 Opus"], ["GPT-4"], ["Gemini Ultra"], ["Llama 3 70B"], ["Mixtral 8x22B"]],
                [["Claude 3 Opus"], ["Gemini Ultra"], ["Llama 3 70B"], ["GPT-4"], ["Mixtral 8x22B"]],
                [["Claude 3 Opus"], ["Llama 3 70B"], ["Gemini Ultra"], ["GPT-4"]],
                [["Claude 3 Opus"], ["GPT-4"], ["Mixtral 8x22B"]],
            ]
        },
        rankers={"*": ["MMLU", "GSM8K", "HumanEval", "ARC-C"]},
        note="A comparison sheet saved as CSV from Google Sheets; percent cells, and blank, n/a and - all mean 'not reported'.",
    )
)

CASES.append(
    Case(
        name="scores_plus_minus",
        family="scores",
        files={
            "results_3seeds.csv": """\
Method,CIFAR-10,CIFAR-100,SVHN
ERM,94.8 ± 0.2,76.1 ± 0.4,96.6 ± 0.1
Mixup,95.7 ± 0.1,78.3 ± 0.3,96.9 ± 0.2
CutMix,96.1 ± 0.2,79.5 ± 0.5,97.1 ± 0.1
SAM,96.0 ± 0.1,79.9 ± 0.2,97.4 ± 0.1
Label smoothing,95.1 ± 0.3,77.0 ± 0.6,96.5 ± 0.2
""".encode()
        },
        lists={
            "*": [
                [["CutMix"], ["SAM"], ["Mixup"], ["Label smoothing"], ["ERM"]],
                [["SAM"], ["CutMix"], ["Mixup"], ["Label smoothing"], ["ERM"]],
                [["SAM"], ["CutMix"], ["Mixup"], ["ERM"], ["Label smoothing"]],
            ]
        },
        rankers={"*": ["CIFAR-10", "CIFAR-100", "SVHN"]},
        note="A paper's results table, mean plus-minus standard deviation over seeds; the mean is the score.",
    )
)

CASES.append(
    Case(
        name="scores_ppl_latency",
        family="scores",
        files={
            "quantization.csv": b"""\
model,ppl,latency_ms,accuracy
llama-7b-fp16,5.68,48.2,0.634
llama-7b-int8,5.70,39.5,0.633
llama-7b-gptq-4bit,5.85,24.1,0.621
llama-7b-awq-4bit,5.78,22.7,0.626
llama-7b-rtn-3bit,25.73,19.9,0.412
"""
        },
        lists={
            "*": [
                [
                    ["llama-7b-fp16"],
                    ["llama-7b-int8"],
                    ["llama-7b-awq-4bit"],
                    ["llama-7b-gptq-4bit"],
                    ["llama-7b-rtn-3bit"],
                ],
                [
                    ["llama-7b-rtn-3bit"],
                    ["llama-7b-awq-4bit"],
                    ["llama-7b-gptq-4bit"],
                    ["llama-7b-int8"],
                    ["llama-7b-fp16"],
                ],
                [
                    ["llama-7b-fp16"],
                    ["llama-7b-int8"],
                    ["llama-7b-awq-4bit"],
                    ["llama-7b-gptq-4bit"],
                    ["llama-7b-rtn-3bit"],
                ],
            ]
        },
        rankers={"*": ["ppl", "latency_ms", "accuracy"]},
        note="Quantization results: perplexity and latency are lower-is-better by their names, accuracy higher-is-better.",
    )
)

CASES.append(
    Case(
        name="scores_markdown_readme",
        family="scores",
        files={
            "README_results.md": b"""\
| Model | MMLU | HellaSwag | WinoGrande | TruthfulQA |
|:------|-----:|----------:|-----------:|-----------:|
| Llama-2-7B | 45.3 | 77.2 | 69.2 | 38.8 |
| **Mistral-7B** | **60.1** | **81.3** | **75.3** | 42.6 |
| Falcon-7B | 26.2 | 76.3 | 67.2 | 34.3 |
| MPT-7B | 26.8 | 76.4 | 68.3 | 33.4 |
| Zephyr-7B-beta | 59.1 | 80.4 | 73.6 | **57.4** |
"""
        },
        lists={
            "*": [
                [["Mistral-7B"], ["Zephyr-7B-beta"], ["Llama-2-7B"], ["MPT-7B"], ["Falcon-7B"]],
                [["Mistral-7B"], ["Zephyr-7B-beta"], ["Llama-2-7B"], ["MPT-7B"], ["Falcon-7B"]],
                [["Mistral-7B"], ["Zephyr-7B-beta"], ["Llama-2-7B"], ["MPT-7B"], ["Falcon-7B"]],
                [["Zephyr-7B-beta"], ["Mistral-7B"], ["Llama-2-7B"], ["Falcon-7B"], ["MPT-7B"]],
            ]
        },
        rankers={"*": ["MMLU", "HellaSwag", "WinoGrande", "TruthfulQA"]},
        note="A markdown table copied from a GitHub README; bold marks the best and is no part of the name or number.",
    )
)

CASES.append(
    Case(
        name="scores_benchmarks_as_rows",
        family="scores",
        files={
            "model_card.csv": b"""\
Benchmark,Qwen2.5-7B,Llama-3.1-8B,Gemma-2-9B,Mistral-7B-v0.3
MMLU,74.2,66.6,71.3,62.5
MMLU-Pro,45.0,37.1,44.7,
BBH,70.4,57.7,68.2,56.1
GSM8K,85.4,55.3,70.7,36.2
HumanEval,57.9,33.6,37.8,29.3
"""
        },
        lists={
            "*": [
                [["Qwen2.5-7B"], ["Gemma-2-9B"], ["Llama-3.1-8B"], ["Mistral-7B-v0.3"]],
                [["Qwen2.5-7B"], ["Gemma-2-9B"], ["Llama-3.1-8B"]],
                [["Qwen2.5-7B"], ["Gemma-2-9B"], ["Llama-3.1-8B"], ["Mistral-7B-v0.3"]],
                [["Qwen2.5-7B"], ["Gemma-2-9B"], ["Llama-3.1-8B"], ["Mistral-7B-v0.3"]],
                [["Qwen2.5-7B"], ["Gemma-2-9B"], ["Llama-3.1-8B"], ["Mistral-7B-v0.3"]],
            ]
        },
        rankers={"*": ["MMLU", "MMLU-Pro", "BBH", "GSM8K", "HumanEval"]},
        note="Model cards put benchmarks in rows and models in columns; the header Benchmark above the first column says so.",
    )
)

CASES.append(
    Case(
        name="scores_footnote_marks",
        family="scores",
        files={
            "table2.csv": """\
Model,MATH,GPQA,AIME 2024
GPT-4o,76.6,53.6†,9.3
Claude 3.5 Sonnet,78.3,65.0*,16.0
o1-mini,90.0,60.0,63.6†
DeepSeek-V3,90.2*,59.1,39.2
Qwen2.5-Max,85.9,60.1,23.3
""".encode()
        },
        lists={
            "*": [
                [["DeepSeek-V3"], ["o1-mini"], ["Qwen2.5-Max"], ["Claude 3.5 Sonnet"], ["GPT-4o"]],
                [["Claude 3.5 Sonnet"], ["Qwen2.5-Max"], ["o1-mini"], ["DeepSeek-V3"], ["GPT-4o"]],
                [["o1-mini"], ["DeepSeek-V3"], ["Qwen2.5-Max"], ["Claude 3.5 Sonnet"], ["GPT-4o"]],
            ]
        },
        rankers={"*": ["MATH", "GPQA", "AIME 2024"]},
        note="Numbers copied out of a paper's table with its footnote marks (* our run, † as reported); the marks change nothing.",
    )
)

CASES.append(
    Case(
        name="scores_xlsx_title_average_row",
        family="scores",
        files={
            "vendor_scoring.xlsx": _xlsx(
                [
                    ["Vendor evaluation – CRM replacement, Q3"],
                    [],
                    ["Vendor", "Functionality", "Ease of use", "Support", "Security"],
                    ["Salesforce", 9, 6, 8, 9],
                    ["HubSpot", 8, 9, 8, 7],
                    ["Zoho CRM", 7, 7, 6, 7],
                    ["Pipedrive", 6, 9, 7, None],
                    ["Average", 7.5, 7.75, 7.25, 7.67],
                ],
                "Scores",
            )
        },
        lists={
            "*": [
                [["Salesforce"], ["HubSpot"], ["Zoho CRM"], ["Pipedrive"]],
                [["HubSpot", "Pipedrive"], ["Zoho CRM"], ["Salesforce"]],
                [["Salesforce", "HubSpot"], ["Pipedrive"], ["Zoho CRM"]],
                [["Salesforce"], ["HubSpot", "Zoho CRM"]],
            ]
        },
        rankers={"*": ["Functionality", "Ease of use", "Support", "Security"]},
        note="A hand-kept Excel scoring sheet with a title, an empty row and an Average row at the bottom that is no vendor.",
    )
)

CASES.append(
    Case(
        name="scores_judges_total",
        family="scores",
        files={
            "bake_off_scores.csv": b"""\
Contestant,Judge 1,Judge 2,Judge 3,Total
Priya,8.5,9.0,8.0,25.5
Tom,7.0,8.5,9.0,24.5
Giulia,9.5,9.0,8.5,27.0
Owen,6.5,7.0,7.0,20.5
Hannah,8.0,6.5,8.0,22.5
"""
        },
        lists={
            "*": [
                [["Giulia"], ["Priya"], ["Hannah"], ["Tom"], ["Owen"]],
                [["Priya", "Giulia"], ["Tom"], ["Owen"], ["Hannah"]],
                [["Tom"], ["Giulia"], ["Priya", "Hannah"], ["Owen"]],
            ]
        },
        rankers={"*": ["Judge 1", "Judge 2", "Judge 3"]},
        note="A contest's score sheet from Google Sheets: three judges and their sum, which is no judge.",
    )
)

_E5 = "multilingual-e5-large-instruct"
_GEM = "gemini-embedding-001"
_QW = "Qwen3-Embedding-8B"
_BGE = "bge-m3"
CASES.append(
    Case(
        name="scores_mteb_summary",
        family="scores",
        files={
            "mteb_multilingual_summary.csv": b"""\
Rank (Borda),Model,Zero-shot,Active Parameters (B),Embedding Dimensions,Max Tokens,Mean (Task),Mean (TaskType),Bitext Mining,Classification,Clustering,Reranking,Retrieval,STS
1,gemini-embedding-001,99%,,3072,2048,68.37,59.59,79.28,71.82,54.59,65.58,67.71,79.40
2,Qwen3-Embedding-8B,99%,7.6,4096,32768,70.58,61.69,80.89,74.00,57.65,65.63,70.88,81.08
3,multilingual-e5-large-instruct,99%,0.6,1024,514,63.22,55.08,80.13,64.94,50.75,62.61,57.12,76.81
4,bge-m3,98%,0.6,1024,8194,59.56,52.18,79.11,60.35,40.88,62.79,54.60,74.12
"""
        },
        lists={
            "*": [
                [[_QW], [_E5], [_GEM], [_BGE]],
                [[_QW], [_GEM], [_E5], [_BGE]],
                [[_QW], [_GEM], [_E5], [_BGE]],
                [[_QW], [_GEM], [_BGE], [_E5]],
                [[_QW], [_GEM], [_E5], [_BGE]],
                [[_QW], [_GEM], [_E5], [_BGE]],
            ]
        },
        rankers={"*": ["Bitext Mining", "Classification", "Clustering", "Reranking", "Retrieval", "STS"]},
        sure=False,
        note="MTEB leaderboard summary download (headers as in mteb's summary table, three task types left out by the owner); the owner means the task types only, but one must know that Zero-shot, dimensions and Max Tokens are metadata.",
    )
)

CASES.append(
    Case(
        name="scores_price_speed_context",
        family="scores",
        files={
            "llm_api_comparison.csv": b"""\
Model,Quality Index,Price (per 1M tokens),Output tokens/s,Context window
GPT-4o,71,$4.38,84.5,128k
GPT-4o mini,64,$0.26,112.3,128k
Claude 3.5 Sonnet,77,$6.00,60.1,200k
Gemini 1.5 Flash,61,$0.13,207.9,1m
Llama 3.1 405B,72,$3.58,27.4,128k
o1-preview,86,"$26.25",31.0,128k
"""
        },
        lists={
            "*": [
                [
                    ["o1-preview"],
                    ["Claude 3.5 Sonnet"],
                    ["Llama 3.1 405B"],
                    ["GPT-4o"],
                    ["GPT-4o mini"],
                    ["Gemini 1.5 Flash"],
                ],
                [
                    ["Gemini 1.5 Flash"],
                    ["GPT-4o mini"],
                    ["Llama 3.1 405B"],
                    ["GPT-4o"],
                    ["Claude 3.5 Sonnet"],
                    ["o1-preview"],
                ],
                [
                    ["Gemini 1.5 Flash"],
                    ["GPT-4o mini"],
                    ["GPT-4o"],
                    ["Claude 3.5 Sonnet"],
                    ["o1-preview"],
                    ["Llama 3.1 405B"],
                ],
                [
                    ["Gemini 1.5 Flash"],
                    ["Claude 3.5 Sonnet"],
                    ["GPT-4o", "GPT-4o mini", "Llama 3.1 405B", "o1-preview"],
                ],
            ]
        },
        rankers={"*": ["Quality Index", "Price (per 1M tokens)", "Output tokens/s", "Context window"]},
        sure=False,
        note="Artificial Analysis style comparison; the owner wants cheap, fast and long-context to count, but context window could as well be metadata, so a careful person asks.",
    )
)

CASES.append(
    Case(
        name="scores_arena_overview_ranks",
        family="scores",
        files={
            "arena_text_overview.csv": b"""\
Model,Overall,Hard Prompts,Coding,Math,Creative Writing
gemini-2.5-pro,1,1,2,1,1
gpt-4.5-preview,2,2,2,3,1
claude-opus-4,2,1,1,2,3
chatgpt-4o-latest,2,3,2,6,2
deepseek-r1-0528,5,4,2,4,5
grok-3-preview,6,6,6,4,6
"""
        },
        lists={
            "*": [
                [
                    ["gemini-2.5-pro", "claude-opus-4"],
                    ["gpt-4.5-preview"],
                    ["chatgpt-4o-latest"],
                    ["deepseek-r1-0528"],
                    ["grok-3-preview"],
                ],
                [
                    ["claude-opus-4"],
                    ["gemini-2.5-pro", "gpt-4.5-preview", "chatgpt-4o-latest", "deepseek-r1-0528"],
                    ["grok-3-preview"],
                ],
                [
                    ["gemini-2.5-pro"],
                    ["claude-opus-4"],
                    ["gpt-4.5-preview"],
                    ["deepseek-r1-0528", "grok-3-preview"],
                    ["chatgpt-4o-latest"],
                ],
                [
                    ["gemini-2.5-pro", "gpt-4.5-preview"],
                    ["chatgpt-4o-latest"],
                    ["claude-opus-4"],
                    ["deepseek-r1-0528"],
                    ["grok-3-preview"],
                ],
            ]
        },
        rankers={"*": ["Hard Prompts", "Coding", "Math", "Creative Writing"]},
        sure=False,
        note="LMArena's overview page copied into CSV: cells are ranks (1 is best), not scores, and Overall is the overall rank; nothing in the file says either.",
    )
)

CASES.append(
    Case(
        name="scores_lm_eval_long",
        family="scores",
        files={
            "lm_eval_all.csv": b"""\
model,task,metric,value,stderr
pythia-1.4b,lambada_openai,acc,0.6163,0.0068
pythia-1.4b,piqa,acc,0.7106,0.0106
pythia-1.4b,wikitext,word_perplexity,16.7100,N/A
pythia-2.8b,lambada_openai,acc,0.6475,0.0067
pythia-2.8b,piqa,acc,0.7393,0.0102
pythia-2.8b,wikitext,word_perplexity,14.3800,N/A
opt-1.3b,lambada_openai,acc,0.5789,0.0069
opt-1.3b,piqa,acc,0.7176,0.0105
opt-1.3b,wikitext,word_perplexity,16.4100,N/A
"""
        },
        lists={
            "*": [
                [["pythia-2.8b"], ["pythia-1.4b"], ["opt-1.3b"]],
                [["pythia-2.8b"], ["opt-1.3b"], ["pythia-1.4b"]],
                [["pythia-2.8b"], ["opt-1.3b"], ["pythia-1.4b"]],
            ]
        },
        sure=False,
        note="lm-evaluation-harness results stacked in one long table; the tasks are the rankers, and perplexity is lower-is-better by its metric cell only, so one would ask.",
    )
)
