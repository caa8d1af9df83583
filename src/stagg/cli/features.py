"""``stagg features``: what there is."""

from __future__ import annotations

import click

from stagg.cli.listing import print_registry
from stagg.cli.talk import json_option
from stagg.features import FEATURES

__all__ = ["command"]


@click.command("features")
@click.argument("name", required=False)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """List the feature maps, or show one in full.

    \b
    stagg features
    stagg features svd
    """
    print_registry("features", FEATURES, name, as_json=as_json)
