"""``stagg measures``: what there is."""

from __future__ import annotations

import click

from stagg.cli.listing import print_registry
from stagg.cli.talk import json_option
from stagg.measures import MEASURES

__all__ = ["command"]


@click.command("measures")
@click.argument("name", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List the measures, or show one in full.

    \b
    stagg measures
    stagg measures ndcg
    """
    print_registry("measures", MEASURES, name, as_json=as_json)
