"""The words of the pages, checked: python docs/prose.py [PAGE...]; exit 1 where something is to be reworded.

Code, links and tables of numbers are left out. proselint brings the common rules (vale, the usual tool, is one binary
that its packages on PyPI and npm fetch from GitHub when they are installed or run, so it cannot be pinned by a hash);
HOUSE has ours.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", *[f"docs/{each}" for each in ("", "howto/")]]

HOUSE = {
    r"\bNumpy\b|\bnumPy\b": "NumPy",
    r"\bScipy\b|\bsciPy\b": "SciPy",
    r"(?<!^)(?<![.!?:|] )\bPandas\b": "pandas",
    r"\bJavascript\b|\bjavascript\b": "JavaScript",
    r"\bGithub\b": "GitHub",
    r"\bUNIX\b": "Unix",
    r"\b[Uu]tili[sz]e[sd]?\b": "use",
    r"\b[Ii]n order to\b": "to",
    r"\b[Dd]ue to the fact\b": "because",
    r"\b[Pp]rior to\b": "before",
    r"\b[Ww]hilst\b": "while",
    r"\b[Aa]mongst\b": "among",
    r"\b(?:[Ss]imply|[Jj]ust) (?:run|call|use|write|add)\b": "the verb alone",
    r"\b[Ll]everag(?:e|es|ing)\b": "use",
    r"\bblazing(?:ly)?\b|\bseamless(?:ly)?\b|\bstate[- ]of[- ]the[- ]art\b": "(say what was measured)",
    r"\b(?:nor|norm)al?izing\b|\bnormaliz": "normalis...",
    r"\b[Bb]ehaviors?\b": "behaviour",
    r"\b[Cc]olors?\b": "colour",
    r"\btalk goes to\b": "messages go to",
    r"\bwhat there is is\b": "each ... that exists is",
    r"\bcome by\b": "computed",
    r"\b1 (?:lists|queries|rankers|items|files|lines)\b": "the singular",
    r"\b(?!CODE)([A-Za-z]+) \1\b": "the word once",
}
"""What is not written here, and what is written instead."""

LEAVE = {"typography", "lexical_illusions", "restricted", "dates_times"}
"""Rules of proselint that do not fit: straight quotes are what programs print, HOUSE finds words that stand twice."""


WORDS = 35_000
"""What all pages but the evidence may have together: a page that grows takes its words from what is said twice."""


class Fault(NamedTuple):
    page: str
    line: int
    what: str


def prose(text: str) -> str:
    """The text without code, addresses and tables of figures; every line stays where it was."""
    text = re.sub(r"^( *)```.*?^ *```$", lambda block: re.sub(r"[^\n]", "", block[0]), text, flags=re.M | re.S)
    text = re.sub(r"`[^`]*`", lambda code: "CODE" + re.sub(r"[^\n]", "", code[0]), text)
    text = re.sub(r"\]\([^)]*\)|<[^>\n]*>|https?://\S+", "", text)
    return re.sub(r"^\|.*$", lambda row: row[0] if re.search(r"[a-z]{3} [a-z]{2}", row[0]) else "", text, flags=re.M)


def by_house(page: str, text: str) -> Iterator[Fault]:
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, instead in HOUSE.items():
            for found in re.finditer(pattern, line):
                yield Fault(page, number, f"{found[0]!r}: write {instead}")


def by_proselint(texts: dict[str, str]) -> Iterator[Fault]:
    """The pages as files of prose, in one run of proselint."""
    tool = Path(sys.executable).parent / "proselint"
    with tempfile.TemporaryDirectory() as folder:
        names = {f"{k}.md": page for k, page in enumerate(texts)}
        for name, page in names.items():
            Path(folder, name).write_text(texts[page], encoding="utf-8")
        Path(folder, "rules.json").write_text(json.dumps({"checks": dict.fromkeys(LEAVE, False)}))
        command = [tool, "check", "--config", "rules.json", "-o", "compact", *names]
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ended.returncode not in (0, 1):
        raise SystemExit(f"proselint failed: {ended.stderr[-1000:]}")
    for name, line, what in re.findall(r"^(\d+\.md):(\d+):\d+: (.*)$", ended.stdout, re.M):
        yield Fault(names[name], int(line), what)


def pages(names: list[str]) -> dict[str, str]:
    """The prose of the pages, by name; a folder stands for its pages."""
    paths = [path for name in names for path in sorted(ROOT.glob(f"{name}*.md" if name.endswith("/") else name))]
    return {path.relative_to(ROOT).as_posix(): prose(path.read_text(encoding="utf-8")) for path in paths}


def words() -> int:
    """The words of the pages of docs/ outside the section "Evidence" of the site, code and tables too."""
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    [evidence] = re.findall(r"^  - Evidence:\n((?:   .*\n)+)", navigation, re.M)
    proofs = set(re.findall(r"\S+\.md", evidence))
    docs = ROOT / "docs"
    guides = set(docs.rglob("*.md")) - {docs / name for name in proofs}
    return sum(len(path.read_text(encoding="utf-8").split()) for path in guides)


def main(names: list[str]) -> int:
    texts = pages(names or PAGES)
    faults = [fault for page, text in texts.items() for fault in by_house(page, text)]
    faults = sorted({*faults, *by_proselint(texts)})
    if not names and words() > WORDS:
        faults.append(Fault("docs", 1, f"{words():,} words in guides and concepts: at most {WORDS:,}"))
    print("\n".join(f"{page}:{line}: {what}" for page, line, what in faults))
    print(f"{len(texts)} pages, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
