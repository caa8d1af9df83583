"""The tutorial notebook without Jupyter: run its cells in order, keep what they say, show it as a page of the site.

`python docs/notebook.py` runs docs/tutorial.ipynb and keeps the outputs in it; tests/test_docs.py runs it again and
compares.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import os
import tempfile
from pathlib import Path
from typing import Any

TUTORIAL = Path(__file__).parent / "tutorial.ipynb"


def page(path: Path) -> str:
    """The notebook as Markdown: its text, its code, and what the code said."""
    parts = [_cell(cell) for cell in load(path)["cells"]]
    note = f"*This page is a notebook, run by the tests: `docs/{path.name}` in the repository.*"
    return "\n\n".join([parts[0], note, *parts[1:]]) + "\n"


def _cell(cell: dict[str, Any]) -> str:
    text = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return text
    return "\n\n".join([f"```python\n{text}\n```", *[_output(each) for each in cell["outputs"]]])


def _output(output: dict[str, Any]) -> str:
    picture = output.get("data", {}).get("image/png")
    if picture is not None:
        return f"![what the cell draws](data:image/png;base64,{picture.strip()})"
    return f"```text\n{said(output).rstrip()}\n```"


def said(output: dict[str, Any]) -> str:
    """The text of an output, of whatever kind."""
    return "".join(output["text"] if "text" in output else output["data"]["text/plain"])


def load(path: Path) -> dict[str, Any]:
    book: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return book


def run(book: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The outputs of every code cell, run in order in an empty folder."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        return [_outputs("".join(cell["source"]), names) for cell in cells]


def _outputs(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """What a cell prints, then the value of its last line if that is an expression, as Jupyter has it.

    Lines for Jupyter itself (%matplotlib inline) are left out: here every figure is drawn.
    """
    tree = ast.parse("\n".join(line for line in source.splitlines() if not line.startswith("%")))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    streams = [{"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())}]
    return [*(streams if printed.getvalue() else []), *([] if value is None else [_shown(value)])]


def _shown(value: Any) -> dict[str, Any]:
    if not hasattr(value, "savefig"):
        data = {"text/plain": _lines(repr(value))}
        return {"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"}
    drawn = io.BytesIO()
    value.savefig(drawn, format="png", dpi=100, metadata={"Software": None})
    data = {"image/png": base64.b64encode(drawn.getvalue()).decode(), "text/plain": ["<Figure>"]}
    return {"data": data, "metadata": {}, "output_type": "display_data"}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def refresh(path: Path) -> None:
    """Run a notebook and keep its outputs in it."""
    book = load(path)
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    for count, (cell, outputs) in enumerate(zip(cells, run(book), strict=True), start=1):
        numbered = [{**each, "execution_count": count} if "execution_count" in each else each for each in outputs]
        cell.update(execution_count=count, outputs=numbered)
    path.write_text(json.dumps(book, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    os.environ.setdefault("MPLBACKEND", "agg")
    refresh(TUTORIAL)
