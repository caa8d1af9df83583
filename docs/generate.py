"""Write docs/methods.md from the registry: a page that cannot forget a method."""

from __future__ import annotations

import inspect
from pathlib import Path

from stagg.methods import LAWS, METHODS, Method

TARGET = Path(__file__).parent / "methods.md"

HEAD = """# Methods

Made from the registry by `docs/generate.py`; do not edit. Write a method as `name` or `name(key=value)`: in
`stagg.fuse(rankings, "rrf(c=60)")` and `stagg fuse --method "rrf(c=60)"` alike.

"""


def page() -> str:
    """The whole page: an overview, the laws, then every method."""
    return HEAD + overview() + laws() + "".join(section(method) for method in METHODS)


def overview() -> str:
    rows = [f"| [`{m.name}`](#{m.name}) | {m.summary()} | {' '.join(m.honours)} |" for m in METHODS]
    return "\n".join(["| method | what it does | missing |", "|---|---|---|", *rows, "", ""])


def laws() -> str:
    """Which method obeys which law: + yes, ++ in the strict form, - no."""
    head = "| method | " + " | ".join(law.replace("_", " ") for law in LAWS) + " |"
    rows = [f"| `{m.name}` | " + " | ".join(_mark(m, law) for law in LAWS) + " |" for m in METHODS]
    meanings = [f"- **{law.replace('_', ' ')}**: {meaning}" for law, meaning in LAWS.items()]
    note = "Checked for every method on random partial rankings with ties. `+` obeys, `++` in the strict form, `-` not."
    return "\n".join(["## Laws", "", note, "", *meanings, "", head, "|---" * (len(LAWS) + 1) + "|", *rows, "", ""])


def _mark(method: type[Method], law: str) -> str:
    return "-" if law in method.breaks else "++" if law in method.strictly else "+"


def section(method: type[Method]) -> str:
    text, _, example = (inspect.getdoc(method) or "").partition("\n>>>")
    lines = [f"## {method.name}", "", f"`{method()!r}`", "", text.strip(), ""]
    if example:
        lines += ["```pycon", f">>>{example}".rstrip(), "```", ""]
    lines += [f"- does not obey {law.replace('_', ' ')}: {reason}" for law, reason in method.breaks.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
    print(f"{TARGET.name}: {len(METHODS)} methods")
