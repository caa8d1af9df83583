"""Small mistakes that a programmer could make, each a change of one place in the text of a module.

An operator is exchanged, a comparison moved or turned round, a number changed, "and" made "or", a condition negated,
a statement removed, two arguments swapped. Nothing is changed in docstrings and other strings, ``__all__``,
annotations, the texts of errors and warnings, and under ``if TYPE_CHECKING``: no test should see that.
"""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import NamedTuple

BINARY = {
    "+": "-", "-": "+", "*": "/", "/": "*", "//": "*", "%": "*", "**": "*", "|": "&", "&": "|", "^": "&", "<<": ">>",
    ">>": "<<",
}  # fmt: skip
COMPARISONS = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
    "is": ("is not",), "is not": ("is",), "in": ("not in",), "not in": ("in",),
}  # fmt: skip
NOT_SWAPPED = {"min", "max", "minimum", "maximum", "gcd", "array_equal", "hypot", "isinstance", "issubclass", "getattr"}
"""Functions that give the same with their arguments swapped, or fail at once."""
UNSEEN = {"stacklevel", "maxsize"}  # keywords whose numbers change nothing that a result shows
TOKEN = re.compile(r"not\s+in|is\s+not|[^\s()\\]+")


class Mutation(NamedTuple):
    """The bytes from start to end of a file below src, at this line and column, are replaced by new."""

    file: str
    line: int
    column: int
    start: int
    end: int
    old: str
    new: str

    def apply(self, source: bytes) -> bytes:
        return source[: self.start] + self.new.encode() + source[self.end :]

    def __str__(self) -> str:
        old, new = (shorten(" ".join(text.split())) for text in (self.old, self.new))
        return f"{self.file}:{self.line}:{self.column}: {old} → {new}"


def shorten(text: str, width: int = 70) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def mutations_of(file: str, source: bytes) -> list[Mutation]:
    """Every mutation of a module, in the order of its text."""
    finder = _Finder(file, source)
    finder.visit(ast.parse(source))
    return sorted(set(finder.found), key=lambda each: (each.start, each.end, each.new))


def parses(mutation: Mutation, source: bytes) -> bool:
    """Whether the changed module is still Python, and another program."""
    try:
        return ast.dump(ast.parse(mutation.apply(source))) != ast.dump(ast.parse(source))
    except SyntaxError:
        return False


class _Finder(ast.NodeVisitor):
    def __init__(self, file: str, source: bytes) -> None:
        self.file, self.source = file, source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.found: list[Mutation] = []

    def start(self, node: ast.AST) -> int:
        return self.starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.AST) -> int:
        return self.starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, start: int, end: int) -> str:
        return self.source[start:end].decode()

    def replace(self, start: int, end: int, new: str) -> None:
        line = self.source.count(b"\n", 0, start) + 1
        column = len(self.text(self.starts[line - 1], start)) + 1
        self.found.append(Mutation(self.file, line, column, start, end, self.text(start, end), new))

    def replace_node(self, node: ast.AST, new: str) -> None:
        self.replace(self.start(node), self.end(node), new)

    def exchange(self, left: ast.AST, right: ast.AST, others: dict[str, tuple[str, ...]]) -> None:
        """Exchange the operator that stands between two operands."""
        start, end = self.end(left), self.start(right)
        between = self.text(start, end)
        token = TOKEN.search(between)
        if token is None or "#" in between:
            return
        start += len(between[: token.start()].encode())
        for other in others.get(" ".join(token[0].split()), ()):
            self.replace(start, start + len(token[0].encode()), other)

    def negate(self, test: ast.expr) -> None:
        self.replace_node(test, f"not ({self.text(self.start(test), self.end(test))})")

    # what is left as it is

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Text for people, mostly; before Python 3.12 the places inside are not known either."""

    def visit_arg(self, node: ast.arg) -> None:
        """An annotation."""

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for part in (*node.decorator_list, node.args, *node.body):
            self.visit(part)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    # what is changed

    def visit_Raise(self, node: ast.Raise) -> None:
        self.replace_node(node, "pass")

    def visit_Assign(self, node: ast.Assign) -> None:
        """Remove it where the program goes on without: what it names had a value before."""
        parts = [each for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name)]
        names = {part.id for part in parts if isinstance(part.ctx, ast.Store)}
        if "__all__" in names:
            return
        if names <= {each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)}:
            self.replace_node(node, "pass")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.replace_node(node, "pass")
        self.exchange(node.target, node.value, {f"{old}=": (f"{new}=",) for old, new in BINARY.items()})
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call | ast.Await):
            self.replace_node(node, "pass")
        self.generic_visit(node)

    def visit_Continue(self, node: ast.Continue | ast.Break) -> None:
        self.replace_node(node, "pass")

    visit_Break = visit_Continue

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test).endswith("TYPE_CHECKING"):
            return
        self.negate(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self.negate(test)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in pairwise(node.values):
            self.exchange(left, right, {"and": ("or",), "or": ("and",)})
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, right in pairwise(operands):
            self.exchange(left, right, COMPARISONS)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if not any(map(_is_text_or_type, (node.left, node.right))):
            self.exchange(node.left, node.right, {old: (new,) for old, new in BINARY.items()})
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub | ast.Invert):
            self.replace_node(node, self.text(self.start(node.operand), self.end(node.operand)))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.replace_node(node, str(not node.value))
        elif isinstance(node.value, int):
            for new in {node.value + 1, abs(node.value - 1)}:
                self.replace_node(node, str(new))
        elif isinstance(node.value, float):
            self.replace_node(node, repr(node.value * 2 or 1.0))

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in UNSEEN:
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in ("warn", "cast"):
            return
        if name not in NOT_SWAPPED:
            for first, second in pairwise(node.args):
                self.swap(first, second)
        self.generic_visit(node)

    def swap(self, first: ast.expr, second: ast.expr) -> None:
        if isinstance(first, ast.Starred) or isinstance(second, ast.Starred):
            return
        start, end = self.start(first), self.end(second)
        one, between, other = (
            self.text(start, self.end(first)),
            self.text(self.end(first), self.start(second)),
            self.text(self.start(second), end),
        )
        if one != other and "#" not in between:
            self.replace(start, end, f"{other}{between}{one}")


def _is_text_or_type(node: ast.expr) -> bool:
    """Whether an operand is no number at a glance: a text, a list, None, or a class by its name."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str | bytes | None)
    if isinstance(node, ast.Name | ast.Attribute):
        return bool(re.fullmatch(r"[A-Z]\w*[a-z]\w*|str|int|float|bool|bytes", getattr(node, "id", "") or node.attr))
    return isinstance(node, ast.JoinedStr | ast.List)
