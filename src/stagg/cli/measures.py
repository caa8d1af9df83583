"""``stagg measures``: what there is."""

from stagg.cli.listing import list_command
from stagg.measures import MEASURES

__all__ = ["command"]

command = list_command("measures", MEASURES, example="ndcg")
