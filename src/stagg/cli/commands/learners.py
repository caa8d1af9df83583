"""``stagg learners``: list the learners."""

from stagg.cli.show.listing import list_command
from stagg.learning import LEARNERS

__all__ = ["command"]

command = list_command("learners", LEARNERS, example="weights")
