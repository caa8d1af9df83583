"""Commands that a page offers to copy: quote every file name so that a shell gets it back."""

from __future__ import annotations

import os
import shlex

__all__ = ["shell_path", "shell_word"]


def shell_word(text: str) -> str:
    r"""A word for bash, zsh and their like. One that cannot be printed stands as $'...', on one line.

    >>> print(shell_word("it's.trec"), shell_word("two\nlines.trec"))
    'it'"'"'s.trec' $'two\x0alines.trec'
    """
    if text.isprintable():
        return shlex.quote(text)
    plain = frozenset(range(32, 127)) - frozenset(b"\\'")
    return "$'" + "".join(chr(byte) if byte in plain else f"\\x{byte:02x}" for byte in os.fsencode(text)) + "'"


def shell_path(path: str) -> str:
    """The same of a path; one that begins with - would be taken for an option. A - alone is standard input.

    >>> shell_path("-x.trec"), shell_path("-"), shell_path("runs/x.trec")
    ('./-x.trec', '-', 'runs/x.trec')
    """
    return shell_word(f"./{path}" if path.startswith("-") and path != "-" else path)
