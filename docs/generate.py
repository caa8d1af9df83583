"""The reference of the site, made while mkdocs builds: the Python API, every command, everything that is registered.

mkdocs calls the hooks at the end (mkdocs.yml names this file); nothing is written into docs/. `pages()` is what they
add, and what tests/test_docs.py reads: Markdown by path below docs/. When the site is built, docs/llms.py adds what
programs read. `python docs/generate.py DIR` writes the whole site as Markdown into DIR, for another generator than
mkdocs.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import io
import re
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import stagg
from stagg.cli.show.listing import docstring
from stagg.features import FEATURES
from stagg.formats import FORMATS, Format
from stagg.learning import LEARNERS, Learner
from stagg.measures import MEASURES, Measure
from stagg.measures.names import list_aliases
from stagg.methods import LAWS, METHODS, Method, family_of
from stagg.registry import Registry

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS))  # mkdocs and the tests load this file by its path

import command_pages  # noqa: E402
import design_page  # noqa: E402
import llms  # noqa: E402
import notebook  # noqa: E402
import python_page  # noqa: E402
from docstrings import plain, split_example  # noqa: E402

KINDS: dict[str, tuple[str, Registry[Any], str]] = {
    "methods": ("Methods", METHODS, "rankings in, one ranking out"),
    "measures": ("Measures", MEASURES, "how good a ranking is, by labels"),
    "learners": ("Learners", LEARNERS, "labels in, a finished method out"),
    "features": ("Feature maps", FEATURES, "what a learner sees of an item"),
    "formats": ("Formats", FORMATS, "files to rankings and back"),
}
"""Folder of the reference: title, registry, what it is."""


@functools.cache
def pages() -> dict[str, str]:
    """Every page that is made, by its path below docs/."""
    made = {"reference/index.md": _index(), "tutorial.md": notebook.page(DOCS / "tutorial.ipynb")}
    made |= {python_page.PATH: python_page.page(), design_page.PATH: design_page.page(), **command_pages.pages()}
    for folder, (title, registry, _) in KINDS.items():
        made[f"reference/{folder}/index.md"] = f"# {title}\n\n{INTROS[folder]}\n\n{_table(folder)}\n{_more(folder)}"
        made |= {f"reference/{folder}/{each.name}.md": PAGES[folder](each) for each in registry}
    return made


def all_pages() -> dict[str, str]:
    """Every page of the site, those in docs/ and those that are made."""
    return {
        path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")
    } | pages()


def paths() -> list[str]:
    """The paths of all these pages, without making them."""
    entries = [(folder, name) for folder, (_, registry, _) in KINDS.items() for name in ("index", *registry.names())]
    entries += [("commands", name) for name in ("index", *command_pages.NAMES)]
    found = ["reference/index.md", "tutorial.md", python_page.PATH, design_page.PATH]
    return [*found, *[f"reference/{folder}/{name}.md" for folder, name in entries]]


def _index() -> str:
    rows = [
        f"| [{title}]({folder}/index.md) | {what} | {len(registry)} | {_list_command(folder)} |"
        for folder, (title, registry, what) in KINDS.items()
    ]
    rows = [
        f"| [The Python API](python.md) | every public name of `stagg` | {len(stagg.__all__)} | |",
        f"| [Commands](commands/index.md) | every command of `stagg` | {len(command_pages.NAMES)} | `stagg --help` |",
        *rows,
    ]
    head = ["# Reference", "", "These pages are made from the package itself, so nothing in it is left out.", ""]
    head += ["Programs that read text find every page in `llms.txt` at the root of the site, and each page as Markdown"]
    head += ["beside its HTML: `formats.md`, `formats.html`.", ""]
    return "\n".join([*head, "| | what it is | how many | on the command line |", "|---|---|---|---|", *rows, ""])


def _list_command(folder: str) -> str:
    return "`--input-format`" if folder == "formats" else f"`stagg {folder}`"


INTROS = {
    "methods": """Write a method as `name` or `name(key=value)`: in `stagg.fuse(rankings, "rrf(c=60)")` and
`stagg fuse --method "rrf(c=60)"` alike. The case of a name does not matter, and the first parameter that a method
declares itself needs no name: `RRF(60)` is `rrf(c=60)`. This holds for measures, learners and feature maps too. Where
several methods are allowed, separate them with commas or semicolons; `Ours: rrf(c=60)` gives one a name. You can
[add your own](../../howto/extend.md). `missing`: what absence from a list may mean, the default first
([absence](../../absence.md)). Which one to take: [which method](../../which_method.md).""",
    "measures": """Write a measure as `name`, `name@k` or `name(key=value)@k`; lists of them split at commas:
`stagg evaluate --measures "ndcg@10,rbp(p=0.95)"`. Names of trec_eval, ir_measures and ranx work, too, and mean what
they mean there. **`nDCG@10` is not `ndcg@10`**: the first is ir_measures', with the gain y, the second ours, with the
gain 2^y - 1. What the numbers mean, the two conventions, and all names:
[measuring and comparing](../../evaluation.md).""",
    "learners": """Write a learner as `name` or `name(key=value)`: in `stagg train --learner` and
`stagg compare --learners`. How learning works, and when it cannot: [learning to aggregate](../../learning.md);
how well: [supervised results](../../supervised.md).""",
    "features": """Write a feature map as `name` or `name(key=value)` inside a learner:
`stagg_ndcg(features='svd(rank=2)')`. What they see of an item: [features](../../features.md).""",
    "formats": """Recognised by the ending of the name, then by the first bytes; `--input-format` overrules. What is an
error and what is not, and how files are written: [files](../../formats.md).""",
}


def _table(folder: str) -> str:
    _, registry, _ = KINDS[folder]
    third = {
        "methods": ("missing", lambda m: " ".join(m.honours)),
        "formats": ("endings", lambda f: " ".join(f.endings)),
    }
    name, column = third.get(folder, ("parameters", lambda c: ", ".join(p.name for p in registry.parameters(c.name))))
    groups: dict[str, list[str]] = {}
    for each in registry:
        row = f"| [`{each.name}`]({each.name}.md) | {plain(each.summary())} | {column(each)} |"
        groups.setdefault(family_of(each.name) if folder == "methods" else "", []).append(row)
    head = [f"| {registry.kind} | what it is | {name} |", "|---|---|---|"]
    return "\n".join(
        line
        for heading, rows in groups.items()
        for line in [*([f"## {heading}", ""] if heading else []), *head, *rows, ""]
    )


def _more(folder: str) -> str:
    return laws() if folder == "methods" else ""


# --- the parts of a page ----------------------------------------------------------------------------------------------


def _head(each: type[Any], usage: str, registry: Registry[Any]) -> list[str]:
    """The name, the text with its defaults, and the docstring, those included that it refers to."""
    texts = [docstring(each)]
    texts += [docstring(base) for base in each.__mro__[1:] if f":class:`{base.__name__}`" in texts[0]]
    return [f"# {each.name}", "", f"`{usage}`", "", _linked("\n\n".join(texts), registry, each.name), ""]


def _linked(text: str, registry: Registry[Any], own: str) -> str:
    """A docstring in which names of others of the kind lead to their pages."""

    def link(found: re.Match[str]) -> str:
        return f"[`{found[1]}`]({found[1]}.md)" if found[1] in registry and found[1] != own else found[0]

    return re.sub(r"``(\w+)``", link, plain(text))


def _parameters(registry: Registry[Any], name: str, default: Any = None) -> list[str]:
    """A table of the parameters and what they are if nothing is said."""
    rows = []
    for each in registry.parameters(name):
        value = each.default if default is None else getattr(default, each.name)
        kind = "function, or text" if "Callable" in each.type else each.type.replace(" | None", "")
        rows.append(f"| `{each.name}` | {'not set' if value is None else f'`{value!r}`'} | {kind} |")
    if not rows:
        return []
    return ["## Parameters", "", "| parameter | default | type |", "|---|---|---|", *rows, ""]


def _example(each: type[Any], *, imports: Iterable[str] = ()) -> list[str]:
    """The example of the docstring, which the tests run, with the imports that its module has."""
    example = split_example(inspect.getdoc(each) or "")[1]
    if not example:
        return []
    lines = [f">>> {line}" for line in imports if line not in example and line.split()[-1] in example]
    return ["## Example", "", "```pycon", *lines, example, "```", ""]


def _import(each: type[Any]) -> str:
    return f"from {each.__module__} import {each.__name__}"


def _computed(*lines: str) -> list[str]:
    """Statements and what the last of them, an expression, prints: an example that cannot be wrong."""
    names: dict[str, Any] = {}
    exec("\n".join(lines[:-1]), names)
    shown = io.StringIO()
    print(repr(eval(lines[-1], names)), file=shown)
    return ["```pycon", *[f">>> {line}" for line in lines], shown.getvalue().rstrip(), "```", ""]


# --- methods ----------------------------------------------------------------------------------------------------------


def method_page(method: type[Method]) -> str:
    default = method()
    absent = " or ".join(f"`{each!r}`" for each in method.honours)
    lines = _head(method, repr(default), METHODS) + _parameters(METHODS, method.name, default)
    lines += [f"`missing` may be {absent}; not set, it is `{method.honours[0]!r}`.", ""]
    lines += _example(method, imports=[_import(method)]) or _own_example(method)
    lines += _paper_example(method) + _laws_of(method) + _letor_rows(method.name)
    lines += ["## On the command line", "", "```sh"]
    lines += [
        f'stagg fuse bm25.trec dense.trec sparse.trec --method "{default!r}" --top 3',
        f"stagg methods {method.name}",
        "```",
        "",
    ]
    return "\n".join(lines)


def _own_example(method: type[Method]) -> list[str]:
    """For a method whose docstring has no example of its own: two lists with scores, fused."""
    lists = 'bm25, dense = {"a": 9.0, "b": 8.0, "c": 1.0}, {"b": 0.9, "c": 0.7, "d": 0.6}'
    call = f'stagg.fuse([bm25, dense], "{method()!r}").to_runs()["stagg-{method.name}"]["1"]'
    return ["## Example", "", *_computed("import stagg", lists, call)]


def _paper_example(method: type[Method]) -> list[str]:
    """What the method makes of the three votes of the paper's section 3.2, under all that absence may mean."""
    text = f"{method.name}(norm='rank')" if "norm" in dict(_fields(method)) else method.name
    lines = ["## The paper's example", "", "Three voters have seen two items each: a > b, b > c, c > d.", ""]
    lines += ["| `missing` | consensus |", "|---|---|"]
    votes = [["a", "b"], ["b", "c"], ["c", "d"]]
    for missing in method.honours:
        fused = stagg.fuse(votes, text, missing=missing)
        [groups] = fused["1"].lists.values()
        lines.append(f"| `{missing!r}` | {' > '.join(' = '.join(group) for group in groups)} |")
    return [*lines, ""]


def _fields(method: type[Method]) -> list[tuple[str, Any]]:
    return [(field.name, field.default) for field in dataclasses.fields(method)]


def _laws_of(method: type[Method]) -> list[str]:
    lines = ["## Laws", ""]
    obeyed = "all" if not method.breaks else f"{len(LAWS) - len(method.breaks)} of the {len(LAWS)}"
    lines += [f"It obeys {obeyed} [laws](index.md#laws) that every method is checked for."]
    if method.strictly:
        strictly = ", ".join(sorted(law.replace("_", " ") for law in method.strictly))
        lines += [f"In the strict form: {strictly}."]
    lines += ["", *[f"- **not {law.replace('_', ' ')}**: {plain(why)}" for law, why in method.breaks.items()], ""]
    return lines


def laws() -> str:
    """Which method obeys which law: + yes, ++ in the strict form, - no."""
    head = "| method | " + " | ".join(law.replace("_", " ") for law in LAWS) + " |"
    rows = [f"| `{m.name}` | " + " | ".join(_mark(m, law) for law in LAWS) + " |" for m in METHODS]
    meanings = [f"- **{law.replace('_', ' ')}**: {meaning}" for law, meaning in LAWS.items()]
    note = "Checked for every method on random partial rankings with ties. `+` obeys, `++` in the strict form, `-` not."
    return "\n".join(["## Laws", "", note, "", *meanings, "", head, "|---" * (len(LAWS) + 1) + "|", *rows, "", ""])


def _mark(method: type[Method], law: str) -> str:
    return "-" if law in method.breaks else "++" if law in method.strictly else "+"


def _rows(page: str, name: str) -> list[list[str]]:
    """The rows of a page's tables about a method or learner, after the set: in the row, or as the headline has it."""
    found, under = [], ""
    for line in (DOCS / page).read_text(encoding="utf-8").splitlines():
        headline = re.match(r"(?:\*\*|### )(MQ\d{4}-agg)", line)
        under = headline[1] if headline else "" if line.startswith("## ") else under
        row = re.match(rf"\| (?:(MQ\d{{4}}-agg) \| )?(`{name}[`(].*) \|$", line)
        if row and (row[1] or under):
            found.append([row[1] or under, *[cell.strip() for cell in row[2].split("|")]])
    return found


def _letor_rows(name: str) -> list[str]:
    rows = [f"| {row[0]} | {row[1]} | {row[2]} | {row[4]} |" for row in _rows("letor.md", name) if len(row) == 5]
    if not rows:
        return []
    head = ["| set | | NDCG@5, NDCG@10, ERR, RBP | CPU s |", "|---|---|---|---|"]
    return [
        "## On the paper's data",
        "",
        *head,
        *rows,
        "",
        "From [every method on the paper's data](../../letor.md).",
        "",
    ]


# --- measures, learners, feature maps, formats ------------------------------------------------------------------------


def measure_page(measure: type[Measure]) -> str:
    default = measure(cutoff=10) if measure.cutoffs == "needed" else measure()
    cutoff = {"optional": "may have a cutoff: `@10`", "needed": "needs a cutoff: `@10`", "none": "takes no cutoff"}
    lines = [*_head(measure, repr(default), MEASURES), f"It {cutoff[measure.cutoffs]}.", ""]
    if measure.expects:
        lines += [
            f"It has an expectation over uncertain {measure.expects}: `{default!r}` can be taken of a random ranking.",
            "",
        ]
    lines += _parameters(MEASURES, measure.name, default) + _aliases(measure.name)
    lines += _example(measure, imports=[_import(measure)])
    run = 'run = stagg.Rankings.from_lists([["a", "b", "c"]], query="q")'
    labels = 'labels = stagg.Labels({"q": {"b": 2, "c": 1}})'
    call = f'stagg.evaluate(run, labels, "{default!r}").rows[0]["mean"]'
    lines += ["By its text, in Python and on the command line:", "", *_computed("import stagg", run, labels, call)]
    lines += ["```sh"]
    lines += [f'stagg evaluate bm25.trec dense.trec --qrels qrels.txt --measures "{default!r}"', "```", ""]
    return "\n".join(lines)


def _aliases(name: str) -> list[str]:
    rows = [f"| `{theirs}` | {tool} | `{here}` |" for tool, theirs, here in list_aliases(name)]
    if not rows:
        return []
    return ["## Names of other tools", "", "| name | tool | here |", "|---|---|---|", *rows, ""]


def learner_page(learner: type[Learner]) -> str:
    lines = (
        _head(learner, learner.name, LEARNERS)
        + _parameters(LEARNERS, learner.name, learner())
        + _example(learner, imports=[_import(learner)])
    )
    lines += [
        "## From labels to a fused ranking",
        "",
        "```python",
        *LEARN.format(name=learner.name).splitlines(),
        "```",
        "",
    ]
    lines += [
        "```sh",
        *TRAIN.format(name=learner.name, labels=" --qrels qrels.txt" if learner.needs_labels else "").splitlines(),
        "```",
        "",
    ]
    rows = [f"| {' | '.join(row[:6])} |" for row in _rows("supervised.md", learner.name) if len(row) >= 6]
    if rows:
        head = ["| set | | NDCG@5 | NDCG@10 | ERR | RBP |", "|---|---|---|---|---|---|"]
        lines += ["## On the paper's data", "", *head, *rows, "", "From [supervised results](../../supervised.md).", ""]
    return "\n".join(lines)


LEARN = """\
from stagg import fuse
from stagg.data.simulation import simulate
from stagg.learning import LEARNERS

quality = [0.2, 3.0, 0.2]  # the second of three rankers is the good one
known = simulate(queries=30, items=12, rankers=3, quality=quality, depth=8, seed=0)
new = simulate(queries=5, items=12, rankers=3, quality=quality, depth=8, seed=1)
model = LEARNERS.parse("{name}").fit(known.rankings, known.labels)
print(fuse(new.rankings, model).best_first(new.rankings.queries[0])[:3])"""

TRAIN = """\
stagg simulate -o runs.csv --qrels qrels.txt --queries 30 --depth 8 --quiet
stagg train runs.csv{labels} --learner {name} -o model.json
stagg fuse runs.csv --model model.json -o fused.trec"""


def feature_page(feature: type[Any]) -> str:
    imports = [_import(feature), "from stagg import Rankings"]
    lines = _head(feature, repr(feature()), FEATURES) + _parameters(FEATURES, feature.name, feature())
    return "\n".join(lines + _example(feature, imports=imports))


def format_page(format: type[Format]) -> str:
    endings = " ".join(f"`{each}`" for each in format.endings) or "none of its own; it is known by its first lines"
    lines = [*_head(format, format.name, FORMATS), f"Endings: {endings}.", ""]
    lines += _parameters(FORMATS, format.name, format())
    if not format.writable:
        return "\n".join([*lines, "## Read only", "", "```python", *READ_ONLY[format.name].splitlines(), "```", ""])
    if format.name != "parquet":
        lines += ["## A file", "", "```text", _file(format), "```", ""]
    labels = ', labels=stagg.Labels({"1": {"3": 1}})' if format.name == "letor" else ""
    lines += [
        "## Written and read",
        "",
        "```python",
        *READ.format(ending=format.endings[0], labels=labels).splitlines(),
        "```",
        "",
    ]
    return "\n".join(lines)


READ = """\
import stagg

lists = stagg.Rankings.from_lists([["3", "1", "2"]])
stagg.write(lists, "lists{ending}"{labels})
print(stagg.read("lists{ending}").best_first())  # ['3', '1', '2']"""


READ_ONLY = {
    "jsonl": """\
from pathlib import Path

import stagg

rows = ['{"query": "q1", "item": "a", "score": 1.5}', '{"query": "q1", "item": "b", "score": 2.5}']
Path("run.jsonl").write_text("\\n".join(rows))
print(stagg.read("run.jsonl").best_first())  # ['b', 'a']""",
    "markdown": """\
from pathlib import Path

import stagg

lines = ["| Model | Accuracy | Latency (ms) |", "|---|--:|--:|", "| A | **85.3** | 120 |", "| B | 84.1 | 40 |"]
Path("results.md").write_text("\\n".join(lines))
rankings = stagg.read("results.md", lower="Latency (ms)")
print(rankings.take_rankers([1]).best_first())  # ['B', 'A']""",
    "excel": """\
import openpyxl  # any program that writes .xlsx will do

import stagg

workbook = openpyxl.Workbook()
for row in (["Voter", "1st choice", "2nd choice"], ["Ann", "Pizza", "Pasta"], ["Bob", "Pizza", None]):
    workbook.active.append(row)
workbook.save("votes.xlsx")
print(stagg.fuse(stagg.read("votes.xlsx"), "borda").best_first())  # ['Pizza', 'Pasta']""",
    "blt": """\
from pathlib import Path

import stagg

ballots = ["2 1", "5 1 2 0", "3 2 0", "0", '"Ann"', '"Bob"', '"Election of the chair"']  # 5 voters: Ann, then Bob
Path("chair.blt").write_text("\\n".join(ballots))
print(stagg.elect(stagg.read("chair.blt")).condorcet_winner)  # Ann""",
    "cvotes": """\
from pathlib import Path

import stagg

Path("logo.cvotes").write_text("#/Candidates: Oak ; Elm ; Ash\\nOak > Elm = Ash * 5\\nElm > Oak > Ash * 3\\n")
print(stagg.elect(stagg.read("logo.cvotes")).condorcet_winner)  # Oak""",
    "abif": """\
from pathlib import Path

import stagg

Path("logo.abif").write_text("=O:[Oak]\\n=E:[Elm]\\n=A:[Ash]\\n5: O>E=A\\n3: E/5, O/2, A/0\\n")
print(stagg.elect(stagg.read("logo.abif")).condorcet_winner)  # Oak""",
    "gmt": """\
from pathlib import Path

import stagg

Path("screens.gmt").write_text("screen1\\tna\\tTP53\\tMYC\\nscreen2\\tna\\tTP53\\tALK\\n")
print(stagg.fuse(stagg.read("screens.gmt")).best_first()[0])  # TP53""",
    "debian": """\
from pathlib import Path

import stagg

names, votes = ["Option 1-->: Ann", "/ Option 2->: Bob", "|/"], ["V: 12 9f86d081", "V: 12 60303ae2", "V: -1 fd61a03a"]
Path("tally.txt").write_text("\\n".join(names + votes))
print(stagg.elect(stagg.read("tally.txt")).condorcet_winner)  # Ann""",
}
"""What is shown of a format that stagg does not write."""


def _file(format: type[Format]) -> str:
    """What stagg writes in this format."""
    lists = [["3", "1", "2"]] if format.name == "trec" else [["3", "1", "2"], ["1", "3"]]
    stream = io.BytesIO()
    format().write(stagg.Rankings.from_lists(lists), stream, stagg.Labels({"1": {"3": 1}}))
    return stream.getvalue().decode().rstrip()


PAGES = {
    "methods": method_page,
    "measures": measure_page,
    "learners": learner_page,
    "features": feature_page,
    "formats": format_page,
}


# --- hooks of mkdocs --------------------------------------------------------------------------------------------------


def on_config(config: Any) -> Any:
    """The pages of the reference enter the navigation where mkdocs.yml has `Look up`."""
    [reference] = [entry["Look up"] for entry in config.nav if isinstance(entry, dict) and "Look up" in entry]
    pages_of_commands = [{f"stagg {name}": f"{command_pages.FOLDER}/{name}.md"} for name in command_pages.NAMES]
    reference.append({"The Python API": python_page.PATH})
    reference.append({"Commands": [f"{command_pages.FOLDER}/index.md", *pages_of_commands]})
    for folder, (title, registry, _) in KINDS.items():
        entries = [f"reference/{folder}/index.md", *[{n: f"reference/{folder}/{n}.md"} for n in registry.names()]]
        reference.append({title: entries})
    return config


def on_files(files: Any, config: Any) -> Any:
    """The pages themselves, as if they stood in docs/."""
    from mkdocs.structure.files import File

    for path, text in pages().items():
        files.append(File.generated(config, path, content=text))
    return files


def on_post_page(output: str, page: Any, config: Any) -> str:
    """The head of every page names its Markdown."""
    name = Path(page.file.src_uri).name
    link = f'<link rel="alternate" type="text/markdown" title="Markdown" href="{name}">'
    return _name_parts(output.replace("</head>", f"{link}</head>", 1))


def on_post_template(output: str, template_name: str, config: Any) -> str:
    """Pages without a source, such as the one for a wrong address."""
    return _name_parts(output)


def _name_parts(output: str) -> str:
    """The page with names, for those who hear it, of parts to which the theme gives none."""
    named = output.replace(
        'data-md-component="search" role="dialog"', 'data-md-component="search" role="dialog" aria-label="Search"'
    )
    return named.replace('<input class="md-toggle"', '<input aria-label="Open or close" class="md-toggle"')


def on_post_build(config: Any) -> None:
    """llms.txt, and the Markdown of every page beside its HTML."""
    llms.write(Path(config.site_dir), config.nav, all_pages(), config.site_name, config.site_url or "")


def write(folder: Path) -> None:
    """Every page of the site as plain Markdown, written and made: all that another generator would need."""
    shutil.copytree(DOCS, folder, ignore=shutil.ignore_patterns("*.py", "*.ipynb", "__pycache__"), dirs_exist_ok=True)
    for path, text in pages().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write(Path(sys.argv[1]))
    else:
        print("\n".join(f"{len(text):8,}  {path}" for path, text in pages().items()))
