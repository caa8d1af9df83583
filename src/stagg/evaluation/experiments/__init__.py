"""The paper's experiments, computed on its data: tables and figures beside what it says of them."""

from stagg.evaluation.experiments.base import Claim, Result, Setup
from stagg.evaluation.experiments.reproduction import EXPERIMENTS, Part, Reproduction, reproduce

__all__ = ["EXPERIMENTS", "Claim", "Part", "Reproduction", "Result", "Setup", "reproduce"]
