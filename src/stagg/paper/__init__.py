"""The paper's experiments, computed on its data: tables and figures beside what it says of them."""

from stagg.paper.experiment import Claim, Result, Setup
from stagg.paper.reproduction import EXPERIMENTS, Part, Reproduction, reproduce

__all__ = ["EXPERIMENTS", "Claim", "Part", "Reproduction", "Result", "Setup", "reproduce"]
