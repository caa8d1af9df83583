"""Names to classes: text such as "rrf(c=60)" becomes an object, and the object prints as that text."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import itertools
from collections.abc import Iterable, Iterator, Mapping
from numbers import Integral
from typing import Any, ClassVar, Generic, TypeVar

from stagg.errors import InvalidParameter, StaggError, UnknownName, shown

__all__ = ["Parameter", "Parametrised", "Registry", "combinations", "near_names", "split_call", "whole_number"]

LONGEST_TEXT = 10_000
LARGEST_FAMILY = 10_000


@dataclasses.dataclass(frozen=True, repr=False)
class Parametrised:
    """A frozen dataclass whose text and code agree: ``parse(repr(x)) == x``.

    Subclasses set ``name`` and declare their parameters as keyword-only fields with defaults.
    """

    name: ClassVar[str]

    def __repr__(self) -> str:
        shown_fields = ", ".join(f"{key}={value!r}" for key, value in self.parameters().items())
        return f"{self.name}({shown_fields})" if shown_fields else self.name

    def parameters(self) -> dict[str, Any]:
        """What the text shows: every parameter that is set (None is "not set")."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {key: value for key, value in values.items() if value is not None}

    @classmethod
    def summary(cls) -> str:
        """The first line of the docstring: what a table of names shows."""
        return (inspect.getdoc(cls) or "").split("\n", 1)[0]


T = TypeVar("T", bound=Parametrised)


@dataclasses.dataclass(frozen=True)
class Parameter:
    """One parameter of a registered class, as tables and documentation show it."""

    name: str
    default: Any
    type: str


class Registry(Generic[T]):
    """The classes of one kind (methods, formats, ...), found by name.

    A class enters by one line in the list that its package hands over here; everything that must hold for all of
    them (laws, tables, documentation) walks this list, so nothing can be forgotten. A class may be entered as text,
    "name = module:Class": then it is imported when it is first asked for, and costs nothing until then.
    """

    def __init__(self, kind: str, classes: Iterable[type[T] | str]) -> None:
        self.kind = kind
        self._classes: dict[str, type[T] | str] = {}
        self._parsed: dict[str, T] = {}
        for each in classes:
            if isinstance(each, str):
                name, _, place = each.partition(" = ")
                self._enter(name, place)
            else:
                self._enter(each.name, each)

    def add(self, cls: type[T]) -> type[T]:
        """Register a class under its ``name``; usable as a decorator by code outside stagg."""
        self._enter(cls.name, cls)
        return cls

    def _enter(self, name: str, entry: type[T] | str) -> None:
        if self._classes.setdefault(name, entry) is not entry:
            raise InvalidParameter(f"there is already a {self.kind} named {name!r}")

    def __iter__(self) -> Iterator[type[T]]:
        return (self[name] for name in list(self._classes))

    def __len__(self) -> int:
        return len(self._classes)

    def __contains__(self, name: object) -> bool:
        return name in self._classes

    def __getitem__(self, name: str) -> type[T]:
        found = self._classes.get(name)
        if found is None:
            raise UnknownName(f"unknown {self.kind} {shown(name)}{near_names(name, self._classes)}")
        if isinstance(found, str):
            module, _, cls = found.partition(":")
            found = self._classes[name] = getattr(importlib.import_module(module), cls)
        return found

    def names(self) -> list[str]:
        return list(self._classes)

    def parse(self, text: str) -> T:
        """Read ``name`` or ``name(key=value, ...)``; values are Python literals."""
        found = self._parsed.get(text)
        if found is None:
            found = self._build(*split_call(self.kind, text))
            if len(self._parsed) < 1000:  # a service parses few texts, a grid search might parse many
                self._parsed[text] = found
        return found

    def parameters(self, name: str) -> list[Parameter]:
        fields = dataclasses.fields(self[name])
        return [Parameter(field.name, field.default, str(field.type)) for field in fields]

    def _build(self, name: str, arguments: dict[str, Any]) -> T:
        cls = self[name]
        known = [field.name for field in dataclasses.fields(cls)]
        for key in arguments:
            if key not in known:
                takes = f"{name} takes {', '.join(known) or 'no parameters'}"
                raise InvalidParameter(f"{takes}; it has no parameter {shown(key)}")
        try:
            return cls(**arguments)
        except TypeError as error:  # a value of the wrong type that met a comparison: "c must be ..." is the norm
            raise InvalidParameter(f"{name}: {error}") from error


def combinations(kind: str, text: str, more: Mapping[str, Any] | None = None) -> list[str]:
    """The texts of a family: every combination of the listed values, in order; ``more`` are values not given by it.

    >>> combinations("method", "rrf(c=[10, 20])")
    ['rrf(c=10)', 'rrf(c=20)']
    """
    name, given = split_call(kind, text)
    values = {**(more or {}), **given}
    lists = [list(value) if isinstance(value, list | tuple) else [value] for value in values.values()]
    members = list(itertools.islice(itertools.product(*lists), LARGEST_FAMILY + 1))
    if not 0 < len(members) <= LARGEST_FAMILY:
        raise InvalidParameter(f"{shown(text)} has no members, or more than {LARGEST_FAMILY:,}")
    texts = [", ".join(f"{key}={value!r}" for key, value in zip(values, member, strict=True)) for member in members]
    return [f"{name}({arguments})" if arguments else name for arguments in texts]


def whole_number(name: str, value: Any, *, least: int) -> int:
    """The value, if it is a whole number from ``least`` on; else an error that says so."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
        raise InvalidParameter(f"{name} must be a whole number, {least} or more, not {shown(value)}")
    return int(value)


def near_names(name: str, known: Iterable[str]) -> str:
    """A hint to append to an error: the nearest names, or all of them when they are few."""
    import difflib

    known = list(known)
    lower = {each.lower(): each for each in known}
    near = [lower[each] for each in difflib.get_close_matches(name.lower(), lower, n=3, cutoff=0.6)]
    if near:
        return f"; did you mean {' or '.join(repr(each) for each in near)}?"
    if 0 < len(known) <= 12:
        return f"; there are {', '.join(known)}"
    return ""


def split_call(kind: str, text: str) -> tuple[str, dict[str, Any]]:
    """The name and the literal arguments of "name(key=value, ...)".

    >>> split_call("method", "rrf(c=[10, 20])")
    ('rrf', {'c': [10, 20]})
    """
    import ast

    text = text.strip()
    if text.isidentifier():
        return text, {}
    wrong = InvalidParameter(f"cannot read the {kind} {shown(text)}; write it as name or name(key=value, ...)")
    if len(text) > LONGEST_TEXT:
        raise wrong
    try:
        call = ast.parse(text, mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise wrong
        if call.args:
            name = call.func.id
            raise InvalidParameter(f"the parameters of {shown(text)} need their names: {name}(key=value, ...)")
        arguments = {str(part.arg): ast.literal_eval(part.value) for part in call.keywords}
        if len(arguments) < len(call.keywords):
            raise wrong
        return call.func.id, arguments
    except StaggError:
        raise
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        raise wrong from None
