"""Measuring and comparing: runs against labels, methods against methods, elections, and what an input holds."""

from stagg.evaluation.compare import Comparison, compare
from stagg.evaluation.elections import Election, elect
from stagg.evaluation.evaluate import evaluate
from stagg.evaluation.robustness import robustness
from stagg.evaluation.tables import Table

__all__ = ["Comparison", "Election", "Table", "compare", "elect", "evaluate", "robustness"]
