"""``stagg learners``: what there is."""

from stagg.cli.listing import list_command
from stagg.learning import LEARNERS

__all__ = ["command"]

command = list_command("learners", LEARNERS, example="weights")
