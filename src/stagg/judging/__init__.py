"""From no labels to a proven sentence: which documents to judge, and what the judgments show.

- ``sides``: The two sides of a comparison: methods, models and rankers by name, each as one list per query
- ``units``: Units of a comparison: the documents that two settings place differently, and how much each can change the
  result
- ``pair_plan``: The plan: pairs of documents in the order in which to judge them, one list for all comparisons
- ``estimate``: The difference of two settings from judged pairs: an estimate with its error, perhaps helped by labels
  of an LLM
- ``forecast``: Forecast: how wide an interval so many judgments will give, before anybody judges and on the way
- ``verdict``: The verdict: what the judgments show so far of each comparison, in a sentence that claims no more than
  they do
- ``sheet``: The sheet of documents to judge and their grades: a CSV that people, the page and ``stagg judge`` share
- ``assessors``: Several assessors: their sheets joined, how often they differ, and how far they agree beyond chance
- ``judgments``: Records of judging: sheets and labels joined, what was asked for kept apart from what happens to be
  judged
- ``teach``: Documents whose labels teach weights: a sample drawn by how much each can matter for the choice of weights
- ``judge``: ``judge``: what the judgments show so far of two settings, and which documents to judge next
- ``without_labels``: Without labels: the one sentence on what cannot be known, and on what some judgments would show
"""

from stagg.judging.judge import JudgingResult, judge
from stagg.judging.sheet import Row, Sheet, read_sheets, write_sheet

__all__ = ["JudgingResult", "Row", "Sheet", "judge", "read_sheets", "write_sheet"]
