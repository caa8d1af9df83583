"""Options that a message names: one message, spelled for Python or for the command line."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import Any, Final

from stagg.errors import DataError, printable, shown

__all__ = [
    "BREAK", "Either", "Say", "Told", "join_told", "mention", "name_option", "spell_flags", "spell_in_line", "tell",
]  # fmt: skip

LONGEST: Final = 1000  # characters of an option that a message names
OTHER_FLAGS: Final = {"format": "--input-format", "labels": "--qrels"}
"""Options whose flag has another name: --format is the format of the output."""


class Either:
    """A phrase with two spellings: one for a caller in Python, one for the command line."""

    def __init__(self, python: str, flags: str) -> None:
        self._python, self._flags = python, flags

    def __str__(self) -> str:
        return self._python

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self!s})"

    def flags(self) -> str:
        return self._flags


BREAK: Final = Either(" ", "\n  ")
"""The end of a line in a message for the terminal."""


class Say(Either):
    """Options that answer a question, or mend an input: a remedy that can be applied as it stands.

    >>> print(Say(layout="list", header=False), "|", Say(layout="list", header=False).flags())
    layout='list', header=False | --layout list --no-header
    >>> print(Say(columns={"item": "gene name"}).flags())
    --columns 'item=gene name'
    """

    def __init__(self, **options: Any) -> None:
        self.options = options
        python = ", ".join(f"{name}={_spell(value)}" for name, value in options.items())
        super().__init__(python, " ".join(_spell_flag(name, value) for name, value in options.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Say) and self.options == other.options

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[object, ...]:
        return _say, (self.options,)


def _say(options: dict[str, Any]) -> Say:
    return Say(**options)


def mention(**options: Any) -> Either:
    """Options that mend an input and answer no question: a reader that tries its answers does not count them.

    >>> tell("or keep one: ", mention(duplicates="best")).says
    ()
    """
    said = Say(**options)
    return Either(str(said), said.flags())


def name_option(name: str) -> Either:
    """An option by its name.

    >>> print(name_option("order_by"), "|", name_option("order_by").flags())
    the option 'order_by' | --order-by
    """
    return Either(f"the option '{name}'", _flag(name))


class Told(str):
    """A message whose text spells options as Python does, and that can spell them as flags.

    It is a text like any other; what is made of it by other means than ``tell`` spells Python only.
    """

    __slots__ = ("parts",)
    parts: tuple[str | Either, ...]

    def flags(self) -> str:
        """The message for the command line."""
        return "".join(part if isinstance(part, str) else part.flags() for part in self.parts)

    @property
    def says(self) -> tuple[Say, ...]:
        """The remedies that the message offers."""
        return tuple(part for part in self.parts if isinstance(part, Say))

    def __add__(self, other: str) -> Told:
        return tell(self, other)

    def __radd__(self, other: str) -> Told:
        return tell(other, self)

    def __reduce__(self) -> tuple[object, ...]:
        return tell, self.parts


def tell(*parts: object) -> Told:
    """The message that these texts, phrases, messages, notes and errors make.

    >>> message = tell("a comment? say ", Say(comments=True), f"; line {7}")
    >>> print(message, "|", message.flags())
    a comment? say comments=True; line 7 | a comment? say --comments; line 7
    """
    flat: list[str | Either] = []
    for part in map(_find_message, parts):
        flat.extend(part.parts if isinstance(part, Told) else [part if isinstance(part, Either) else str(part)])
    message = Told("".join(map(str, flat)))
    message.parts = tuple(flat)
    return message


def join_told(between: str, parts: Iterable[object]) -> Told:
    """The parts with a text between them.

    >>> print(join_told(" or ", [Say(header=True), Say(header=False)]).flags())
    --header or --no-header
    """
    joined: list[object] = []
    for part in parts:
        joined += [between, part] if joined else [part]
    return tell(*joined)


def spell_flags(*parts: object) -> list[str]:
    """The lines of a message as the command line says it, made of texts, messages, notes and errors.

    >>> spell_flags("warning: ", tell("say", BREAK, Say(lenient=True)))
    ['warning: say', '  --lenient']
    """
    lines = [""]
    for part in tell(*parts).parts:
        if part is BREAK:
            lines.append("  ")
        else:
            lines[-1] += part if isinstance(part, str) else part.flags()
    return lines


def spell_in_line(*parts: object) -> str:
    """The same, for a page or a table, where a message has one line."""
    return " ".join(map(str.strip, spell_flags(*parts)))


def _find_message(thing: object) -> object:
    """What an error or a note says, with its place."""
    if isinstance(thing, DataError):
        return tell(thing.place, thing.message)
    if isinstance(thing, Exception) and len(thing.args) == 1:
        return thing.args[0]
    return getattr(thing, "text", thing)


def _spell(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quote(key)}: {_spell(one)}" for key, one in value.items()) + "}"
    return _quote(value)


def _quote(value: Any) -> str:
    """A value as Python spells it; names of columns may be many, and are to be copied."""
    return printable(repr(value), longest=LONGEST) if isinstance(value, str | list | tuple) else shown(value)


def _flag(name: str) -> str:
    return OTHER_FLAGS.get(name) or f"--{name.replace('_', '-')}"


def _spell_flag(name: str, value: Any) -> str:
    """The flag with its value, as a shell takes it."""
    if isinstance(value, bool):
        return _flag(name) if value else f"--no-{_flag(name)[2:]}"
    if isinstance(value, Mapping):
        value = ",".join(_spell_pair(key, one) for key, one in value.items())
    elif isinstance(value, list | tuple):
        value = ",".join(map(str, value))
    return f"{_flag(name)} {shlex.quote(str(value))}"


def _spell_pair(key: str, value: Any) -> str:
    """A pair as a flag has it; those of one file follow its name: ``dense:item=id,rank=distance``."""
    if not isinstance(value, Mapping):
        return f"{key}={value}"
    return f"{key}:" + ",".join(f"{role}={column}" for role, column in value.items())
