"""Registry, names to classes: text such as "rrf(c=60)" becomes an object, and the object prints as that text.

There is one grammar for methods, measures, learners, features, formats, shapes and utilities: :func:`read_call` reads
a text, :class:`Call` prints it, :func:`bind` says which parameters it gives.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import inspect
import itertools
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from stagg.errors import DataWarning, InvalidParameter, StaggError, UnknownName, bare, shown

if TYPE_CHECKING:
    import ast
    from importlib.metadata import EntryPoint

__all__ = [
    "Call",
    "Parameter",
    "Parametrised",
    "Registry",
    "bind",
    "check_seed",
    "list_given",
    "near_names",
    "one_of",
    "read_call",
    "split_list",
    "split_name",
    "whole_number",
]

LONGEST_TEXT = 10_000
LONGEST_LIST = 1_000_000  # characters of several texts with commas between
LONGEST_CUTOFF = 18  # digits
SHORTEST_TITLE = 8  # characters
LARGEST_FAMILY = 10_000
LARGEST_SEED = 2**128 - 1  # what NumPy itself draws where it is given none
QUOTES = "'\""


# --- the grammar --------------------------------------------------------------------------------------------------


class Call(NamedTuple):
    """Parts of a text such as "ndcg(gain='linear')@10"; printed, they are such a text again."""

    name: str
    positional: tuple[Any, ...] = ()
    keywords: Mapping[str, Any] = {}
    cutoff: int | None = None

    def __repr__(self) -> str:
        arguments = [*map(repr, self.positional), *[f"{key}={value!r}" for key, value in self.keywords.items()]]
        text = f"{self.name}({', '.join(arguments)})" if arguments else self.name
        return text if self.cutoff is None else f"{text}@{self.cutoff}"


def read_call(kind: str, text: str, *, keep_case: bool = False) -> Call:
    """Read ``name``, ``name(value, key=value, ...)`` or either with a cutoff, ``name@k``; values are Python literals.

    A value that is itself a name or a call may stand without quotes: ``mc4(shape=harmonic(5))``.

    The case of the name does not matter, so it becomes lower case; ``keep_case`` leaves it as it is written.

    >>> read_call("method", "RRF(60)"), read_call("method", "rrf( c = [10,20] )"), read_call("measure", "NDCG @ 5")
    (rrf(60), rrf(c=[10, 20]), ndcg@5)
    """
    text, wrong = text.strip(), f"cannot read the {kind} {shown(text)}; write it as name or name(key=value, ...)"
    if len(text) > LONGEST_TEXT:
        raise InvalidParameter(wrong)
    head, at, tail = text.rpartition("@")
    if not at or any(sign in tail for sign in "()'\""):  # an @ inside a value
        head, at = text, ""
    cutoff = _read_cutoff(text, tail.strip()) if at else None
    head = head.rstrip()
    try:
        call = Call(head) if head.isidentifier() else Call(*_read_arguments(head))
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        raise InvalidParameter(wrong) from None
    return call._replace(name=call.name if keep_case else call.name.lower(), cutoff=cutoff)


def _read_cutoff(text: str, digits: str) -> int:
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= LONGEST_CUTOFF and int(digits)):
        raise InvalidParameter(f"the cutoff of {shown(text)} must be a whole number, 1 or more, as in ndcg@10")
    return int(digits)


def _read_arguments(text: str) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
    """Name, positional and keyword arguments of a call; any error of Python's says that the text is none."""
    import ast  # here: most texts never need it

    call = ast.parse(text, mode="eval").body
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise ValueError
    keywords = {part.arg: _read_value(part.value) for part in call.keywords if part.arg is not None}
    if len(keywords) < len(call.keywords):  # a key twice, or **
        raise ValueError
    return call.func.id, tuple(map(_read_value, call.args)), keywords


def _read_value(node: ast.expr) -> Any:
    """A literal; a name or a call, as in shape=harmonic(5), is the text that it is."""
    import ast

    named = node.func if isinstance(node, ast.Call) else node
    return ast.unparse(node) if isinstance(named, ast.Name) else ast.literal_eval(node)


def bind(call: Call, known: Sequence[str], first: str | None, also_called: Mapping[str, str]) -> dict[str, Any]:
    """The arguments of a call by parameter; only the parameter ``first`` may be given without its name."""
    if len(call.positional) > (first is not None):
        raise InvalidParameter(_explain_nameless(call.name, known, first))
    given = [*((str(first), value) for value in call.positional), *((k.lower(), v) for k, v in call.keywords.items())]
    if call.cutoff is not None:
        given.append(("cutoff", call.cutoff))
    bound: dict[str, Any] = {}
    for key, value in given:
        if key not in known:
            raise InvalidParameter(_explain_unknown(call.name, key, value, known, also_called))
        if key in bound:
            raise InvalidParameter(f"{shown(repr(call))} gives {key} twice")
        bound[key] = value
    return bound


def _explain_nameless(name: str, known: Sequence[str], first: str | None) -> str:
    takes = ", ".join(f"{key}=..." for key in known)
    if not known:
        return f"{name} takes no parameters"
    if first is None:
        return f"the parameters of {name} need their names: {name}({takes})"
    return f"only the first parameter of {name}, {first}, may be given without its name; it takes {takes}"


def _explain_unknown(name: str, key: str, value: Any, known: Sequence[str], also_called: Mapping[str, str]) -> str:
    if key == "cutoff":
        return f"{name} takes no cutoff: write {name}, not {bare(f'{name}@{value}')}"
    ours = also_called.get(key)
    if ours is not None:
        right = Call(name, cutoff=value) if ours == "cutoff" else Call(name, (), {ours: value})
        return f"{name} has no parameter {shown(key)}; stagg calls it {ours!r}: {right!r}"
    return f"{name} has no parameter {shown(key)}{near_names(key, known, few='it takes')}"


def split_list(text: str) -> list[str]:
    """The parts of a text between commas or semicolons, but not between those inside brackets or quotes.

    >>> split_list("ndcg@5, ndcg(gain='linear', cutoff=10);rbp(p=0.95)")
    ['ndcg@5', "ndcg(gain='linear', cutoff=10)", 'rbp(p=0.95)']
    """
    ends = [*_find_outside(text, ",;"), len(text)]
    starts = [0, *[end + 1 for end in ends]]
    return [part for start, end in zip(starts, ends, strict=False) if (part := text[start:end].strip())]


def list_given(given: Any, what: str) -> list[Any]:
    """The parts of a text, as :func:`split_list` has them, or the members of a sequence; ``what`` they are.

    >>> list_given("borda, rrf(c=10)", "methods"), list_given(("borda",), "methods")
    (['borda', 'rrf(c=10)'], ['borda'])
    """
    if isinstance(given, str):
        return list(split_list(given))
    try:
        return list(given)
    except TypeError:
        raise InvalidParameter(f"{what} are a text with commas, or a sequence, not {shown(given)}") from None


def split_name(text: str) -> tuple[str | None, str]:
    """A display name and the text that it stands for; None where there is no name.

    A name that has a comma, a semicolon or a colon in it needs quotes.

    >>> split_name("Our fusion: rrf(c=60)"), split_name("'Ours, tuned': rrf"), split_name("rrf")
    (('Our fusion', 'rrf(c=60)'), ('Ours, tuned', 'rrf'), (None, 'rrf'))
    """
    colons = _find_outside(text, ":")
    if not colons:
        return None, text.strip()
    name, rest = text[: colons[0]].strip(), text[colons[0] + 1 :].strip()
    quoted = len(name) > 1 and name[0] == name[-1] and name[0] in QUOTES
    name = name[1:-1].strip() if quoted else name
    if not name or not rest:
        raise InvalidParameter(f"cannot read {shown(text)}; write a name, a colon and what it names: 'Ours: rrf(c=60)'")
    return name, rest


def _find_outside(text: str, signs: str) -> list[int]:
    """The places of some signs outside brackets and quotes."""
    if len(text) > LONGEST_LIST:
        raise InvalidParameter(f"{shown(text[:LONGEST_TEXT])} is too long to read: {len(text):,} characters")
    places, depth, quote = [], 0, ""
    for place, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in QUOTES and not text[max(place - 1, 0) : place].isalnum():  # no quote begins inside "Fox's"
            quote = sign
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        elif sign in signs and depth == 0:
            places.append(place)
    return places


# --- classes with parameters --------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, repr=False)
class Parametrised:
    """A frozen dataclass whose text and code agree: ``parse(repr(x)) == x``.

    Subclasses set ``name`` and declare their parameters as keyword-only fields with defaults. ``also_called`` are
    names that other tools have for a parameter: a text that uses one is told ours. ``belongs_elsewhere`` says of what
    is no parameter here where it has its place.
    """

    name: ClassVar[str]
    also_called: ClassVar[Mapping[str, str]] = {}
    belongs_elsewhere: ClassVar[Mapping[str, tuple[str, Mapping[str, Any]]]] = {}

    def __repr__(self) -> str:
        return repr(Call(self.name, (), self.parameters()))

    def parameters(self) -> dict[str, Any]:
        """Parameters in the text: every one that is set (None is "not set")."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {key: value for key, value in values.items() if value is not None}

    @classmethod
    def sample(cls) -> Self:
        """An object with the defaults, to show what they are."""
        return cls()

    @classmethod
    def summary(cls) -> str:
        """The first paragraph of the docstring, which is one sentence: what a table of names shows."""
        return " ".join((inspect.getdoc(cls) or "").split("\n\n", 1)[0].split())


T = TypeVar("T", bound=Parametrised)


class Parameter(NamedTuple):
    """One parameter of a registered class, as tables and documentation show it."""

    name: str
    default: Any
    type: str


def one_of(given: Parametrised, parameter: str, allowed: tuple[str, ...], *, said: str | None = None) -> None:
    """Refuse a parameter that is not one of the allowed texts; ``said`` is how the message lists them."""
    value = getattr(given, parameter)
    if not isinstance(value, str) or value not in allowed:  # an array cannot be compared with a text
        choices = said or f"one of {', '.join(map(repr, allowed))}"
        raise InvalidParameter(f"{given.name}: {parameter} is {shown(value)}; it must be {choices}")


def _bind_to(cls: type[Parametrised], call: Call) -> dict[str, Any]:
    """The arguments of a call; without a name stands the first parameter that the class itself declares."""
    known = [field.name for field in dataclasses.fields(cls)]
    own = inspect.get_annotations(cls) if call.positional else {}  # most calls give names
    first = next((name for name in own if name in known), None)
    for key in call.keywords:
        if key in cls.belongs_elsewhere and key not in known:
            from stagg.say import Say, tell  # here: few calls are wrong

            why, options = cls.belongs_elsewhere[key]
            raise InvalidParameter(tell(f"{call.name} has no parameter {shown(key)}; {why}", Say(**options)))
    return bind(call, known, first, cls.also_called)


def _refuse_huge(name: str, arguments: Mapping[str, Any]) -> None:
    """Refuse whole numbers that no float can hold, for parameters whose class does not check their range."""
    for parameter, value in arguments.items():
        if isinstance(value, int) and abs(value) > sys.float_info.max:
            span = f"from -{sys.float_info.max:g} to {sys.float_info.max:g}"
            raise InvalidParameter(f"{name}: {parameter} is {shown(value)}; it must be a number {span}")


# --- the classes of one kind --------------------------------------------------------------------------------------


class Registry(Generic[T]):
    """The classes of one kind (methods, formats, ...), found by name, whatever its case.

    A class enters by one line in the list that its package hands over here; everything that must hold for all of
    them (laws, tables, documentation) walks this list, so nothing can be forgotten. A class may be entered as text,
    "name = module:Class": then it is imported when it is first asked for, and costs nothing until then.

    Where ``plugins`` is a class, other packages add classes that derive from it by entry points of the group
    ``stagg.<kind>s``. They are found by name like our own. A walk over the registry leaves them out, since our laws
    and pages are not about them; :meth:`list_installed` has them, too. Entry points are read only there, and for a
    name that is not ours: to read them takes longer than to fuse.

    ``read`` turns a text into a call in our words, where other tools have names of their own for our classes;
    ``suggest`` is then the hint that follows an unknown text, given all known names.
    """

    def __init__(
        self,
        kind: str,
        classes: Iterable[type[T] | str],
        *,
        plugins: type[Parametrised] | None = None,
        read: Callable[[str], Call] | None = None,
        suggest: Callable[[str, Iterable[str]], str] | None = None,
    ) -> None:
        self.kind = kind
        self.read = read or functools.partial(read_call, kind)
        self._suggest = suggest
        self.group = f"stagg.{kind}s" if plugins else None
        self._base = plugins or Parametrised
        self._classes: dict[str, type[T] | str] = {}
        self._plugins: dict[str, type[T]] = {}
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
        _check_name(name)
        if self._classes.setdefault(name, entry) is not entry:
            raise InvalidParameter(f"there is already a {self.kind} named {name!r}")

    def __iter__(self) -> Iterator[type[T]]:
        return (self[name] for name in list(self._classes))

    def __len__(self) -> int:
        return len(self._classes)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lower() in self._classes

    def __getitem__(self, name: str) -> type[T]:
        return self._find(name, name)

    def _find(self, name: str, text: str) -> type[T]:
        """The class of a name, which a text spells."""
        if not isinstance(name, str):
            raise InvalidParameter(f"expected the name of a {self.kind}, not {shown(name)}")
        lower = name.lower()
        found = self._classes.get(lower) or self._plugins.get(lower)
        if found is None:
            points = self._read_entry_points()
            if lower not in points:
                raise self._unknown(name, text, points)
            found = self._load_plugin(lower, points[lower])
        elif isinstance(found, str):
            module, _, cls = found.partition(":")
            found = self._classes[lower] = getattr(importlib.import_module(module), cls)
        return found

    def names(self) -> list[str]:
        return list(self._classes)

    def list_installed(self) -> list[type[T]]:
        """Our classes and those of other packages; a DataWarning for each that cannot be used says why."""
        import warnings

        classes = list(self)
        for name, points in sorted(self._read_entry_points().items()):
            try:
                classes.append(self._load_plugin(name, points))
            except UnknownName as error:
                warnings.warn(str(error), DataWarning, stacklevel=2)
        return classes

    def parse(self, text: str) -> T:
        """The object that a text spells: see :func:`read_call`."""
        if not isinstance(text, str):
            raise InvalidParameter(f"expected the text of a {self.kind}, not {shown(text)}")
        found = self._parsed.get(text)
        if found is None:
            call = self._read_known(text)
            cls = self._find(call.name, text)
            found = self._make(cls, _bind_to(cls, call))
            if len(self._parsed) < 1000:  # a service parses few texts, a grid search might parse many
                self._parsed[text] = found
        return found

    def _read_known(self, text: str) -> Call:
        """The call that a text spells; one that is the title of a class, such as Reciprocal Rank Fusion, is told it."""
        try:
            return self.read(text)
        except InvalidParameter:
            titled = self._find_title(text)
            if titled is None:
                raise
            raise UnknownName(f"unknown {self.kind} {shown(text)}; did you mean {titled!r}?") from None

    def _unknown(self, name: str, text: str, more: Iterable[str]) -> UnknownName:
        """The error that names what was meant, most likely, or says how to list what there is."""
        if self._suggest is not None:
            return UnknownName(f"unknown {self.kind} {shown(text)}{self._suggest(text, [*self._classes, *more])}")
        titled = self._find_title(name)
        near = f"; did you mean {titled!r}?" if titled else near_names(name, [*self._classes, *more])
        listed = f"; the command `stagg {self.kind}s` lists all of them" if self.group else ""
        return UnknownName(f"unknown {self.kind} {shown(name)}{near or listed}")

    def _find_title(self, text: str) -> str | None:
        """The name of the class whose summary begins with a text of some length, without regard to case."""
        plain = " ".join(text.casefold().replace("-", " ").replace("_", " ").split())
        if len(plain) < SHORTEST_TITLE:
            return None
        return next((c.name for c in self if c.summary().casefold().replace("-", " ").startswith(plain)), None)

    def of(self, given: str | T, example: str) -> T:
        """The object that a text spells, or the object itself; ``example`` is such a text."""
        if isinstance(given, str):
            return self.parse(given)
        if isinstance(given, self._base):
            return given
        raise InvalidParameter(
            f"a {self.kind} is a text such as {example!r} or a {self.kind} object, not {shown(given)}"
        )

    def family(self, text: str, more: Mapping[str, Any] | None = None) -> list[T]:
        """Every combination of the values that a text lists, in order; ``more`` are values where it gives none.

        "rrf(c=[10, 20])" is rrf(c=10) and rrf(c=20).
        """
        call = self.read(text)
        cls = self[call.name]
        values = {**(more or {}), **_bind_to(cls, call)}
        lists = [list(value) if isinstance(value, list | tuple) else [value] for value in values.values()]
        members = list(itertools.islice(itertools.product(*lists), LARGEST_FAMILY + 1))
        if not 0 < len(members) <= LARGEST_FAMILY:
            raise InvalidParameter(f"{shown(text)} has no members, or more than {LARGEST_FAMILY:,}")
        return [self._make(cls, dict(zip(values, member, strict=True))) for member in members]

    def parameters(self, name: str) -> list[Parameter]:
        fields = dataclasses.fields(self[name])
        return [Parameter(field.name, field.default, str(field.type)) for field in fields]

    def _make(self, cls: type[T], arguments: dict[str, Any]) -> T:
        try:
            made = cls(**arguments)
        except (TypeError, OverflowError) as error:  # a value of the wrong type, or huge, that met a comparison
            raise InvalidParameter(f"{cls.name}: {error}") from error
        _refuse_huge(cls.name, arguments)
        return made

    def _read_entry_points(self) -> dict[str, list[EntryPoint]]:
        """Additions of other packages, by name in lower case."""
        points: dict[str, list[EntryPoint]] = {}
        if self.group is not None:
            from importlib.metadata import entry_points

            for point in entry_points(group=self.group):
                points.setdefault(point.name.lower(), []).append(point)
        return points

    def _load_plugin(self, name: str, points: Sequence[EntryPoint]) -> type[T]:
        """The class that another package adds under a name; what is wrong with it is an UnknownName."""
        try:
            if name in self._classes:
                raise InvalidParameter(f"stagg has a {self.kind} of that name")
            if len(points) > 1:
                raise InvalidParameter("several packages add it; uninstall all but one")
            if name not in self._plugins:
                self._plugins[name] = self._load(points[0])
            return self._plugins[name]
        except Exception as error:  # what another package does when it is imported is not ours to foresee
            why = str(error) if isinstance(error, StaggError) else f"{type(error).__name__}: {error}"
            packages = " and ".join(sorted(point.dist.name if point.dist else point.value for point in points))
            raise UnknownName(f"cannot use the {self.kind} {shown(name)} of {packages}: {why}") from error

    def _load(self, point: EntryPoint) -> type[T]:
        cls: type[T] = point.load()
        if not (isinstance(cls, type) and issubclass(cls, self._base)):
            raise InvalidParameter(f"{point.value} is not a class that derives from {self._base.__name__}")
        _check_name(point.name)
        if cls.name != point.name:
            raise InvalidParameter(f"the entry point is named {point.name!r}, its class {cls.name!r}")
        repr(cls.sample())  # a parameter without a default is an error now, not when somebody lists the names
        return cls


# --- names and numbers --------------------------------------------------------------------------------------------


def _check_name(name: str) -> None:
    """Names are found without regard to case, so there must not be two that differ in nothing else."""
    if not name.isidentifier() or name != name.lower():
        raise InvalidParameter(f"the name {shown(name)} must be made of lower-case letters, digits and _")


def near_names(name: object, known: Iterable[str], *, few: str = "there are") -> str:
    """A hint to append to an error: the names that begin so, the nearest names, or all of them when they are few."""
    import difflib

    name = name if isinstance(name, str) else shown(name)
    known = list(known)
    lower = {each.lower(): each for each in known}
    begun = [each for each in lower if len(name) > 1 and each.startswith(name.lower())]
    close = difflib.get_close_matches(name.lower(), lower, n=3, cutoff=0.6)
    near = [lower[each] for each in list(dict.fromkeys([*begun, *close]))[:3]]
    if near:
        return f"; did you mean {' or '.join(map(shown, near))}?"
    if 0 < len(known) <= 16:
        quote = shown if any("," in each or " " in each for each in known) else bare
        return f"; {few} {', '.join(map(quote, known))}"
    return ""


def whole_number(name: str, value: Any, *, least: int, most: int | None = None) -> int:
    """The value, if it is a whole number from ``least`` on, to ``most``; else an error that says so."""
    # a span of time is an Integral of NumPy's, and no index
    whole = type(value) is int or (
        isinstance(value, Integral) and not isinstance(value, bool) and hasattr(value, "__index__")
    )
    if whole and most is not None and int(value) > most:
        raise InvalidParameter(f"{name} must be at most {most:,}, not {shown(value)}")
    if not whole or int(value) < least:
        raise InvalidParameter(f"{name} must be a whole number, {least} or more, not {shown(value)}")
    return int(value)


def real_number(name: str, value: Any, *, least: float = -math.inf, most: float = math.inf) -> float:
    """The value, if it is a finite number within its bounds, and neither a text nor a truth value; else an error."""
    number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
    if not number or not least <= value <= most:
        bounds = "" if (least, most) == (-math.inf, math.inf) else f" from {least:g} to {most:g}"
        raise InvalidParameter(f"{name} must be a finite number{bounds}, not {shown(value)}")
    return float(value)


def check_seed(seed: Any) -> None:
    whole_number("seed", seed, least=0, most=LARGEST_SEED)
