"""Bundles of options: a command takes one value made from several options that belong together."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

__all__ = ["F", "bundle"]

F = TypeVar("F", bound=Callable[..., Any])


def bundle(command: F, options: Sequence[Callable[[Any], Any]], take: Callable[[dict[str, Any]], dict[str, Any]]) -> F:
    """The command with some options; ``take`` removes their values and gives the arguments made of them instead."""

    @functools.wraps(command)
    def called(*args: Any, **values: Any) -> Any:
        return command(*args, **take(values), **values)

    return functools.reduce(lambda function, option: option(function), reversed(options), called)  # type: ignore[return-value]
