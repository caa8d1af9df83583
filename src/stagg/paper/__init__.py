"""The paper's experiments on its own data: Table 1 and Figures 1 to 4 beside our own results.

Only the command line imports this package. Without it, everything else still works.

- ``reproduction``: Run the paper's experiments one after another: every job is computed or looked up, then evaluated
- ``views``: Data of the paper: its two sets on disk, and views of them (the order of the lists, the queries taken)
- ``rows``: Rows of results as plain dicts: pick rows, list the values of a column, name a line
- ``work``: Work on experiments: jobs, the processes that do them, and their stored answers
- ``experiments``: The experiments of the paper, and its claims
- ``output``: Output of a reproduction: tables, figures, a page, and the files of its folder
"""

from stagg.paper.experiments.base import Claim, Result, Setup
from stagg.paper.reproduction import EXPERIMENTS, Finished, Reproduction, reproduce

__all__ = ["EXPERIMENTS", "Claim", "Finished", "Reproduction", "Result", "Setup", "reproduce"]
