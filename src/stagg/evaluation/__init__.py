"""Measure and compare: runs against labels, methods against methods, and a description of any input.

- ``evaluate``: ``evaluate``: the value of every measure for every query of a run, and the means
- ``compare``: ``compare``: means with intervals, paired tests against a baseline, tuning and learning on folds
- ``contenders``: Contenders: the lines of a comparison, each a way to get a value per measure and query, held out where
  it learns
- ``folds``: Folds (cross-validation): which queries train, validate and test, so that tuned figures are held-out
  figures
- ``choices``: Chosen settings in words, fold by fold: which, on how many queries, and at which end of a list
- ``significance``: Significance: bootstrap intervals, bounds, paired tests (t, sign flips), Holm's correction, effect
  sizes, all pairs
- ``robustness``: Robustness (section 5.3 of the paper): how methods fare with fewer rankers, drawn at random
- ``tables``: Result tables: rows as data (dicts, JSON, CSV, columns), and one layout for text, Markdown, LaTeX and HTML
- ``list_lengths``: Note on list lengths: a measure of the whole list favours the longer of two lists that are compared
- ``inspection``: Inspect an input: queries, rankers, list lengths, ties, overlap, agreement between rankers
- ``gate``: ``gate``: whether a new run may replace an old one. PASS, FAIL or UNDECIDED, by bounds of the mean
  difference
- ``overlap``: ``diff``: what changed between two runs, without labels: rank-biased overlap, and who moved in and out of
  the top
- ``judged_share``: How much of a result is judged: shares beside the measures, warnings, and which differences the
  pools explain
- ``proxy``: Labels by a proxy, an LLM say, beside labels by people: narrower intervals, and what such a judge is worth
"""

from stagg._moved import find_moved
from stagg.evaluation.compare import Comparison, compare
from stagg.evaluation.evaluate import evaluate
from stagg.evaluation.gate import GateResult, gate
from stagg.evaluation.overlap import DiffResult, diff
from stagg.evaluation.robustness import robustness
from stagg.evaluation.tables import Table

__all__ = ["Comparison", "DiffResult", "GateResult", "Table", "compare", "diff", "evaluate", "gate", "robustness"]

__getattr__ = find_moved(__name__)
