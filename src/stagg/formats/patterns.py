"""Regular expressions compiled on first use: a command that needs few of them starts sooner."""

from __future__ import annotations

import re
from typing import Any, AnyStr, Generic, cast

__all__ = ["pattern"]


def pattern(text: AnyStr, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[AnyStr]:
    """Compile a text as ``re.compile`` does, on first use.

    >>> pattern("[a-c]+").findall("abbd")
    ['abb']
    """
    return cast("re.Pattern[AnyStr]", _Later(text, flags))


class _Later(Generic[AnyStr]):
    def __init__(self, text: AnyStr, flags: re.RegexFlag) -> None:
        self._text: AnyStr = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """A method of the compiled pattern, which stands here from now on."""
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(re.compile(self._text, self._flags), name)  # re keeps what it has compiled lately
        setattr(self, name, value)
        return value
