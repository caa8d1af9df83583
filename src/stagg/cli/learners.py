"""``stagg learners``: what there is."""

from __future__ import annotations

import click

from stagg.cli.listing import print_registry
from stagg.cli.talk import json_option
from stagg.learning import LEARNERS

__all__ = ["command"]


@click.command("learners")
@click.argument("name", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List the learners, or show one in full.

    \b
    stagg learners
    stagg learners weights
    """
    print_registry("learners", LEARNERS, name, as_json=as_json)
