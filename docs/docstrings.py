"""Docstrings as Markdown: what the pages of the reference share."""

from __future__ import annotations

import re

__all__ = ["plain", "split_example"]


def plain(text: str) -> str:
    """A docstring as Markdown: roles of Sphinx become code."""
    return re.sub(r":(?:class|func|meth|mod):`~?(?:[\w.]+\.)?(\w+)`", r"`\1`", text)


def split_example(docstring: str) -> tuple[str, str]:
    """The text of a docstring, and its example, which is empty where there is none."""
    text, prompt, example = docstring.partition("\n>>>")
    return text.rstrip(), f">>>{example}".rstrip() if prompt else ""
