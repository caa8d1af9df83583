"""``stagg features``: what there is."""

from stagg.cli.listing import list_command
from stagg.features import FEATURES

__all__ = ["command"]

command = list_command("features", FEATURES, example="svd", what="feature maps")
