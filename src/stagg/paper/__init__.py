"""The paper's experiments on its own data: Table 1 and Figures 1 to 4 beside what comes out here.

Only the command line imports this package. Without it, everything else still works.
"""

from stagg.paper.experiment import Claim, Result, Setup
from stagg.paper.reproduction import EXPERIMENTS, Finished, Reproduction, reproduce

__all__ = ["EXPERIMENTS", "Claim", "Finished", "Reproduction", "Result", "Setup", "reproduce"]
