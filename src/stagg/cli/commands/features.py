"""``stagg features``: list the feature maps."""

from stagg.cli.show.listing import list_command
from stagg.features import FEATURES

__all__ = ["command"]

command = list_command("features", FEATURES, example="svd", what="feature maps")
