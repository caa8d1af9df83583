"""The version number, alone in a file, so that building the package does not import it."""

__version__ = "0.2.0"
