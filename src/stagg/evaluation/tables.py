"""Result tables: rows as data (dicts, JSON, CSV, columns), and one layout for text, Markdown, LaTeX and HTML."""

from __future__ import annotations

import csv
import dataclasses
import html
import io
import json
import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from stagg._version import __version__
from stagg.aggregate.settings import keep_given, tell_settings
from stagg.errors import InvalidParameter, printable, shown
from stagg.evaluation.choices import count_range, shorten_names
from stagg.measures import Conventions
from stagg.measures.unjudged import round_share

__all__ = [
    "BETTER",
    "SEEN",
    "WORSE",
    "Cell",
    "Grid",
    "Table",
    "as_html",
    "as_latex",
    "as_markdown",
    "as_sentence",
    "as_text",
    "flat",
    "pivot",
]

BETTER, WORSE, SEEN = "▲", "▼", "†"
ALPHA = 0.05
"""A difference is marked where its corrected p is below."""
DIGITS = 4
UNKNOWN = "-"
LONGEST_CELL = 200
OWN_LINE = ("absent items",)
WARNING = "Warning: "
COLUMN_KEYS = ("measure", "judged_at")
SHOWN_LINES = 100  # of a long table, in a terminal or a notebook

Row = Mapping[str, Any]


@dataclasses.dataclass(frozen=True, repr=False)
class Table:
    """Rows of flat dicts, and how to show them. What ``to_...`` gives as text is a file's: it ends its last line.

    ``conventions``: how the measures were computed; shown with every table. ``index``: the column that names the lines
    of the wide layout (one column per measure, see :func:`pivot`); without it every row is a line. ``baseline``: the
    one that the others were tested against. ``settings``: the options that it was made with, by name.
    ``inputs``: so many of the first lines of the wide layout are inputs; a rule stands below them in LaTeX.
    ``legend``: notes that belong into every caption, too. ``same_queries``: the lines that were trained on the queries
    they are tested on; they have a mark of their own, and are neither the best nor better than the baseline.
    ``warnings``: what a reader must know before using the figures; every format shows them. ``beside``: tables that
    belong to this one and are shown below it, in JSON under the names of their commands. ``view``: rows as people read
    them, where that is not how they are as data.

    >>> rows = ({"run": "bm25", "measure": "map", "mean": 0.5}, {"run": "dense", "measure": "map", "mean": 0.625})
    >>> Table("evaluate", rows, conventions="standard", index="run")
    run        map
    -----  -------
    bm25    0.5000
    dense  *0.6250
    <BLANKLINE>
    conventions: standard
    *: the best of its column
    """

    command: str
    rows: tuple[dict[str, Any], ...]
    conventions: Conventions | None = None
    seed: int | None = None
    notes: tuple[str, ...] = ()
    index: str | None = None
    baseline: str | None = None
    settings: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    inputs: int = 0
    legend: tuple[str, ...] = ()
    same_queries: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    beside: tuple[Table, ...] = ()
    view: tuple[dict[str, Any], ...] = ()

    def add_settings(self, **settings: Any) -> Table:
        """The same table, with more to say on how it was made; None and False say nothing."""
        return dataclasses.replace(self, settings={**self.settings, **keep_given(**settings)})

    def grid(self, *, settings: bool = True) -> Grid:
        """Cells of every format: wide where the table has an index, else line by line."""
        rows = self.to_dicts()
        if self.index is None:
            grid = _mark_means(flat(self.view or rows), self.same_queries)
        else:
            bounds = self.settings.get("unjudged") == "bounds"
            grid = pivot(rows, self.index, baseline=self.baseline, same_queries=self.same_queries, bounds=bounds)
        warnings = [f"{WARNING}{warning}" for warning in self.warnings]
        made = self._settings() if settings else []
        return dataclasses.replace(grid, notes=[*warnings, *made, *grid.notes, *self.legend, *self.notes])

    def told_settings(self) -> list[tuple[str, str]]:
        """(name, value) of everything that the table was made with, as people read it."""
        return tell_settings(keep_given(conventions=self.conventions, seed=self.seed) | dict(self.settings))

    def _settings(self) -> list[str]:
        """All settings in one line, but a list of the table's own lines, which has its line to itself."""
        told = {f"{name}: {value}": name in OWN_LINE for name, value in self.told_settings()}
        line = "; ".join(text for text, alone in told.items() if not alone)
        return [*[line] * bool(line), *[text for text, alone in told.items() if alone]]

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows, with Python's own numbers, to change as you like."""
        return [{name: _plain(value) for name, value in row.items()} for row in self.rows]

    def to_columns(self) -> dict[str, list[Any]]:
        """Column by column, as ``pandas.DataFrame`` and ``polars.DataFrame`` take them; None where a row has none."""
        rows = self.to_dicts()
        return {name: [row.get(name) for row in rows] for name in _names(rows)}

    def to_frame(self, library: str = "pandas") -> Any:
        """A data frame of the rows: ``library`` is "pandas" or "polars"; None and NaN are its missing values."""
        from stagg.data.inputs.frames import make_frame

        return make_frame(self.to_columns(), library)

    def to_json(self) -> str:
        """``{command, version, conventions, seed, settings, warnings, notes, rows}``; what is not finite is null."""
        head = {"command": self.command, "version": __version__, "conventions": self.conventions, "seed": self.seed}
        rows = self._finite_rows()
        whole: dict[str, Any] = head | {
            "settings": dict(self.settings),
            "warnings": list(self.warnings),
            "notes": list(self.notes),
            "rows": rows,
        }
        for table in self.beside:
            whole[table.command] = {"notes": list(table.notes), "rows": table._finite_rows()}
        return json.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def _finite_rows(self) -> list[dict[str, Any]]:
        return [{name: _or_null(value) for name, value in row.items()} for row in self.to_dicts()]

    def to_csv(self) -> str:
        """A header and the rows, numbers in full; None and NaN are empty."""
        rows = self.to_dicts()
        text = io.StringIO()
        writer = csv.DictWriter(text, _names(rows), lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _or_empty(value) for name, value in row.items()} for row in rows)
        return text.getvalue()

    def to_markdown(self) -> str:
        """A Markdown table (GitHub's kind), its notes below."""
        return as_markdown(self.grid()) + "\n"

    def to_latex(self, *, caption: str | None = None, label: str | None = None) -> str:
        """A LaTeX table with a short caption and a label; needs booktabs and, for the marks, amssymb.

        ``caption`` is plain text; by default it says what the numbers are. What the marks mean follows in any case, but
        not after "", which gives no caption. ``label`` is "tab:compare" for the table of ``compare``, and so on. The
        settings and the notes are comments, so that the file says how it was made. Warnings stand below the table.
        """
        grid = self._head_grid()
        head, *lines = [*self._settings(), ""]
        settings = [f"stagg {__version__} {self.command}" + f"; {head}" * bool(head), *filter(None, lines)]
        return (
            as_latex(
                grid,
                caption=self._caption(grid, caption),
                label=_check_label(f"tab:{self.command}" if label is None else label),
                comments=[*settings, *self.notes],
                rule=self.inputs if self.index is not None else 0,
                below=[f"{WARNING}{warning}" for warning in self.warnings],
            )
            + "\n"
        )

    def _head_grid(self) -> Grid:
        """The grid with a capital letter over its first column, as papers have it."""
        grid = self.grid()
        return dataclasses.replace(grid, header=[name.capitalize() for name in grid.header[:1]] + grid.header[1:])

    def _caption(self, grid: Grid, given: str | None) -> str:
        """The caption that was given, or what the numbers are; then what a reader must know of the marks."""
        said = self._describe() if given is None else given
        best = ["Bold: the best of its column"] * grid.has_best
        legend = [*best, *_tell_marks(grid, self._tested(), self.rows), *self.legend]
        if given == "" or not legend:
            return said
        return " ".join(map(as_sentence, filter(None, [said, *legend])))

    def _tested(self) -> str | None:
        """The line that the others were tested against, unless they cannot be compared with it."""
        return None if self.baseline in self.same_queries else self.baseline

    def _describe(self) -> str:
        if self.index is None:
            return "".join(self.notes[:1])
        counts = {row.get("queries") for row in self.rows}
        count = counts.pop() if len(counts) == 1 else None
        return "Means." if count is None else f"Means over {count_range([count])}."

    def __repr__(self) -> str:
        return "\n\n".join(as_text(_shorten(each.grid())) for each in (self, *self.beside))

    def _repr_html_(self) -> str:
        return "\n".join(as_html(_shorten(each.grid())) for each in (self, *self.beside))


@dataclasses.dataclass(frozen=True)
class Cell:
    """One cell: its bare text (nothing escaped), whether it is the best of its column, and a mark behind it.

    ``contested``: the highest of its column, but not if unjudged items counted otherwise; a note says so.
    """

    text: str
    bold: bool = False
    mark: str = ""
    contested: bool = dataclasses.field(default=False, repr=False)


@dataclasses.dataclass(frozen=True)
class Grid:
    """A table laid out, before any format: all formats, and the command line, show the same.

    ``right``: which columns hold numbers and go to the right. ``notes``: what must be read with the table.
    """

    header: list[str]
    cells: list[list[Cell]]
    right: list[bool]
    notes: list[str] = dataclasses.field(default_factory=list)

    @property
    def has_best(self) -> bool:
        """Whether some cell is bold, which a note then explains."""
        return any(cell.bold for line in self.cells for cell in line)

    def column(self, name: str) -> int:
        """The number of the column of this name, which may be a measure's."""
        return self.header.index(name)


def flat(rows: Sequence[Row]) -> Grid:
    """One line per row, one column per name, as they come.

    >>> flat([{"query": "q1", "value": 0.25}]).cells
    [[Cell(text='q1', bold=False, mark=''), Cell(text='0.2500', bold=False, mark='')]]
    """
    names = _names(rows)
    cells = [[Cell(_cell_text(row.get(name))) for name in names] for row in rows]
    right = [not any(isinstance(row.get(name), str) for row in rows) for name in names]
    return Grid(names, cells, right)


def pivot(
    rows: Sequence[Row],
    index: str = "method",
    columns: str = "measure",
    *,
    value: str = "mean",
    baseline: str | None = None,
    intervals: bool = False,
    same_queries: Sequence[str] = (),
    bounds: bool = False,
) -> Grid:
    """Long rows as a wide grid: one line per method, one column per measure, both in order of appearance.

    The best mean of each measure is bold (with all that look the same). Against a baseline, ▲ and ▼ mark means that
    are better and worse with ``p_holm`` below 0.05. ``intervals`` adds ``low`` and ``high`` to the means. A method
    without a row for a measure, or without a mean, shows "-"; two rows for the same cell are an error.
    ``same_queries``: the methods that were trained on the queries they are tested on. They are marked with †, are never
    the best, and as a baseline they are no measure for the others.

    Where not all items are judged, a column beside the measure says how many are, nothing is bold that would not be the
    best if the unjudged items were relevant, and nothing is marked where ``unjudged_decides``. ``bounds`` adds a column
    with the lowest and the highest mean that the grades of unjudged items could give.
    """
    table = _by_line(rows, index, columns)
    measures = list(dict.fromkeys(row[columns] for row in rows))
    header, cells = [index], [[Cell(_cell_text(name))] for name in table]
    seen = [name in same_queries for name in table]
    for measure in measures:
        column = [line.get(measure, {}) for line in table.values()]
        base = None if baseline in same_queries else table.get(baseline, {}).get(measure, {}).get(value)
        beside = _beside(column, value, bounds, {*header, *measures})
        for title, added in [(_cell_text(measure), _column(column, value, base, intervals, seen)), *beside]:
            header.append(title)
            for line, cell in zip(cells, added, strict=True):
                line.append(cell)
    grid = Grid(header, cells, [False] + [True] * (len(header) - 1))
    return dataclasses.replace(grid, notes=_tell_marks(grid, None if baseline in same_queries else baseline, rows))


def _mark_means(grid: Grid, names: Sequence[str]) -> Grid:
    """The grid with a mark beside the means of the lines that were trained on the queries they are tested on."""
    if not names:
        return grid
    cells = [
        [
            dataclasses.replace(cell, mark=SEEN) if title == "mean" and line[0].text in names else cell
            for title, cell in zip(grid.header, line, strict=True)
        ]
        for line in grid.cells
    ]
    marked = dataclasses.replace(grid, cells=cells)
    return dataclasses.replace(marked, notes=_tell_marks(marked, None))


def _by_line(rows: Sequence[Row], index: str, columns: str) -> dict[Any, dict[Any, Row]]:
    """{method: {measure: row}}."""
    table: dict[Any, dict[Any, Row]] = {}
    for row in rows:
        line = table.setdefault(row[index], {})
        if row[columns] in line:
            raise InvalidParameter(
                f"two rows for {index} {shown(row[index])} and {columns} {shown(row[columns])}; one was expected"
            )
        line[row[columns]] = row
    return table


def _column(rows: Sequence[Row], value: str, base: Any, intervals: bool, seen: Sequence[bool]) -> list[Cell]:
    """The cells of one measure."""
    means = [_mean_text(row.get(value)) for row in rows]
    highest = _are_best(rows, value, seen)
    best = highest
    for reading in [name for name in rows[0] if name.startswith("mean_if_")]:
        best = [each and top for each, top in zip(best, _are_best(rows, reading, seen), strict=True)]
    return [
        Cell(
            mean + (_interval_text(row) if intervals else ""),
            bold,
            SEEN if saw else _mark(row, row.get(value), base),
            contested=top and not bold,
        )
        for row, mean, bold, top, saw in zip(rows, means, best, highest, seen, strict=True)
    ]


def _are_best(rows: Sequence[Row], value: str, seen: Sequence[bool]) -> list[bool]:
    """Which rows look like the best of all that can be compared; none where only one can."""
    means = [_mean_text(row.get(value)) for row in rows]
    known = [row[value] for row, mean, saw in zip(rows, means, seen, strict=True) if mean != UNKNOWN and not saw]
    best = _mean_text(max(known)) if len(known) > 1 else None
    return [mean == best for mean in means]


def _beside(rows: Sequence[Row], value: str, bounds: bool, known: set[str]) -> list[tuple[str, list[Cell]]]:
    """(title, cells) of the columns beside a measure: how much is judged where that is not all, and bounds."""
    measure, at = (next((row[name] for row in rows if row.get(name) is not None), None) for name in COLUMN_KEYS)
    shares = [row.get("judged") for row in rows]
    added = []
    if at is not None and f"judged@{at}" not in known and any(share is not None and share < 1 for share in shares):
        added.append(
            (f"judged@{at}", [Cell(UNKNOWN if share is None else f"{round_share(share):.2f}") for share in shares])
        )
    if bounds and at is not None and any("bound_low" in row for row in rows):
        added.append((f"{measure} bounds", [Cell(_bounds_text(row)) for row in rows]))
    return added


def _bounds_text(row: Row) -> str:
    ends: list[Any] = [row.get("bound_low"), row.get("bound_high")]
    return UNKNOWN if any(map(_unknown, ends)) else f"{_fix(ends[0])} to {_fix(ends[1])}"


def _mark(row: Row, mean: Any, base: Any) -> str:
    """▲ or ▼ where a method is significantly better or worse than the baseline."""
    p = row.get("p_holm", math.nan)
    if row.get("unjudged_decides") or _unknown(p) or _unknown(mean) or _unknown(base) or p >= ALPHA or mean == base:
        return ""
    return BETTER if mean > base else WORSE


def _mean_text(mean: Any) -> str:
    return UNKNOWN if _unknown(mean) else _fix(mean)


def _interval_text(row: Row) -> str:
    low, high = row.get("low", math.nan), row.get("high", math.nan)
    return "" if _unknown(low) or _unknown(high) else f" [{_fix(low)}, {_fix(high)}]"


def _unknown(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _fix(value: float) -> str:
    return f"{round(float(value), DIGITS) + 0.0:.{DIGITS}f}"  # + 0.0: no "-0.0000"


def _cell_text(value: Any) -> str:
    """A value as people read it: means with four digits, the very small and very large by their exponent."""
    if _unknown(value):
        return UNKNOWN
    if not isinstance(value, float):
        return str(value)
    usual = value == 0 or 10.0**-DIGITS <= abs(value) < 1e6
    return _fix(value) if usual else f"{value:.3g}"


def as_text(grid: Grid) -> str:
    """Aligned plain text, the best with a star before it.

    >>> print(as_text(Grid(["method", "ndcg@10"], [[Cell("rrf"), Cell("0.5", bold=True, mark="▲")]], [False, True])))
    method  ndcg@10
    ------  -------
    rrf       *0.5▲
    <BLANKLINE>
    *: the best of its column
    """
    header, lines, notes = _format(grid, "*", printable, lambda text, cell: f"{'*' * cell.bold}{text}{cell.mark}")
    for column, right in enumerate(grid.right):
        _make_room_for_marks(lines, grid, column, right)
    widths = _widths([header, *lines])
    rules = ["-" * width for width in widths]
    body = ["  ".join(_pad(line, widths, grid.right)).rstrip() for line in [header, rules, *lines]]
    return "\n".join(body + [""] * bool(notes) + notes)


def _make_room_for_marks(lines: list[list[str]], grid: Grid, column: int, right: bool) -> None:
    """Numbers without a mark get a blank in its place, so that digits stand below digits."""
    if right and any(line[column].mark for line in grid.cells):
        for line, cells in zip(lines, grid.cells, strict=True):
            line[column] += " " * (not cells[column].mark)


def as_markdown(grid: Grid) -> str:
    """A pipe table, the best in bold.

    >>> print(as_markdown(Grid(["method", "ndcg@10"], [[Cell("stagg_rrf"), Cell("0.5", mark="▲")]], [False, True])))
    | method     | ndcg@10 |
    | ---------- | ------: |
    | stagg\\_rrf |    0.5▲ |
    """
    header, lines, notes = _format(
        grid, "bold", _markdown, lambda text, cell: f"{'**' * cell.bold}{text}{'**' * cell.bold}{cell.mark}"
    )
    widths = [max(4, width) for width in _widths([header, *lines])]
    rules = ["-" * (width - right) + ":" * right for width, right in zip(widths, grid.right, strict=True)]
    body = [f"| {' | '.join(_pad(line, widths, grid.right))} |" for line in [header, rules, *lines]]
    return "\n".join(body + [text for note in notes for text in ("", note)])


def as_latex(
    grid: Grid,
    *,
    caption: str = "",
    label: str = "",
    comments: Sequence[str] | None = None,
    rule: int = 0,
    below: Sequence[str] = (),
) -> str:
    r"""A booktabs table, the best in bold; ``comments`` (by default the notes) stand before it, behind % signs.

    A label needs a caption, or it would name the section. ``rule``: a rule stands below so many lines. ``below``: what
    stands below the table, whatever its caption. Marks take no room, so that digits stand below digits.

    >>> grid = Grid(["run", "p@5"], [[Cell("a_b"), Cell("0.5", bold=True, mark="▲")]], [False, True], ["seed: 0"])
    >>> print(as_latex(grid, caption="Precision", label="tab:precision"))
    % \usepackage{booktabs,amssymb}
    % seed: 0
    \begin{table}
    \centering
    \caption{Precision}
    \label{tab:precision}
    \begin{tabular}{lr}
    \toprule
    run & p@5 \\
    \midrule
    a\_b & \textbf{0.5}\rlap{$^{\blacktriangle}$} \\
    \bottomrule
    \end{tabular}
    \end{table}
    """
    header, lines, _ = _format(grid, "bold", _latex, _latex_cell)
    body = [" & ".join(line) + r" \\" for line in [header, *lines]]
    if 0 < rule < len(lines):
        body.insert(rule + 1, r"\midrule")
    return "\n".join(
        [r"% \usepackage{booktabs,amssymb}"]
        + [f"% {printable(each)}" for each in (grid.notes if comments is None else comments)]
        + [r"\begin{table}", r"\centering"]
        + [rf"\caption{{{_latex_caption(caption)}}}"] * bool(caption)
        + [rf"\label{{{label}}}"] * bool(label and caption)
        + [rf"\begin{{tabular}}{{{''.join('lr'[right] for right in grid.right)}}}", r"\toprule"]
        + [body[0], r"\midrule", *body[1:], r"\bottomrule", r"\end{tabular}"]
        + [rf"\par\smallskip\parbox{{\linewidth}}{{\footnotesize {_latex(as_sentence(each))}}}" for each in below]
        + [r"\end{table}"]
    )


def _tell_marks(grid: Grid, baseline: str | None, rows: Sequence[Row] = ()) -> list[str]:
    """Explain the marks, or say that nothing has earned one; of some ``rows`` the unjudged items decide."""
    marks = {cell.mark for line in grid.cells for cell in line}
    seen = [f"{SEEN}: trained on the queries it is tested on: not comparable"] * (SEEN in marks)
    count = sum(SEEN not in {cell.mark for cell in line} for line in grid.cells) - 1
    told = [*_tell_contested(grid), *seen]
    if baseline is None or count < 1:
        return told
    test = f"(randomisation test, Holm-corrected for {count} comparison{'s' * (count != 1)}, p < {ALPHA})"
    if any(row.get("unjudged_decides") for row in rows):
        test = f"whether unjudged items are irrelevant or relevant {test}"
    if marks & {BETTER, WORSE}:
        return [f"{BETTER} {WORSE}: better, worse than {baseline} {test}", *told]
    return [f"No difference from {baseline} is significant {test}", *told]


def _tell_contested(grid: Grid) -> list[str]:
    """Which rows are highest and yet not called the best."""
    found: dict[str, list[str]] = {}
    for line in grid.cells:
        for title, cell in zip(grid.header, line, strict=True):
            if cell.contested:
                found.setdefault(line[0].text, []).append(title)
    short = shorten_names([line[0].text for line in grid.cells])
    names = ", ".join(f"{short[name]} ({', '.join(titles)})" for name, titles in found.items())
    return [f"Highest but not called the best, as unjudged items could change that: {names}"] * bool(found)


def as_sentence(text: str) -> str:
    """The text with a full stop, unless it ends in one of its kind."""
    return text if text.rstrip().endswith((".", "!", "?", ":")) else f"{text}."


def _check_label(label: str) -> str:
    if not re.fullmatch(r"[\w:./+ -]+", label, re.ASCII):
        raise InvalidParameter(f"the label {shown(label)} may have letters, digits and : . / + - _ only: tab:results")
    return label


def _latex_cell(text: str, cell: Cell) -> str:
    bold = rf"\textbf{{{text}}}" if cell.bold else text
    return bold + (rf"\rlap{{$^{{{_SIGNS[cell.mark]}}}$}}" if cell.mark in _SIGNS else _latex(cell.mark))


def _latex_caption(text: str) -> str:
    """The text, escaped; p < 0.05 is a formula."""
    return re.sub(r"\bp \\textless\{\} ([0-9.]*[0-9])", r"$p < \1$", _latex(text))


def as_html(grid: Grid) -> str:
    """An HTML table, the best in bold, the notes below."""
    header, lines, notes = _format(
        grid, "bold", _html, lambda text, cell: (f"<b>{text}</b>" if cell.bold else text) + _html(cell.mark)
    )
    body = [_html_line("td", line, grid.right) for line in lines]
    below = [f"<p>{'<br>'.join(notes)}</p>"] * bool(notes)
    head = f"<thead>{_html_line('th', header, grid.right)}</thead>"
    return "\n".join(["<table>", head, "<tbody>", *body, "</tbody>", "</table>", *below])


def _html_line(tag: str, line: Sequence[str], right: Sequence[bool]) -> str:
    sides = ["right" if numbers else "left" for numbers in right]
    cells = [f'<{tag} style="text-align: {side}">{text}</{tag}>' for text, side in zip(line, sides, strict=True)]
    return f"<tr>{''.join(cells)}</tr>"


def _format(
    grid: Grid, best: str, escape: Callable[[str], str], dress: Callable[[str, Cell], str]
) -> tuple[list[str], list[list[str]], list[str]]:
    """(header, lines, notes) in one format: every text escaped, then dressed as its cell says."""
    header = [escape(_cut(name)) for name in grid.header]
    lines = [[dress(escape(_cut(cell.text)), cell) for cell in line] for line in grid.cells]
    notes = [*grid.notes, *[f"{best}: the best of its column"] * grid.has_best]
    return header, lines, [escape(note) for note in notes]


def _shorten(grid: Grid) -> Grid:
    """The first lines of a long grid, and how many follow."""
    more = len(grid.cells) - SHOWN_LINES
    if more <= 0:
        return grid
    follow = f"{more:,} more line{'s' * (more != 1)}; to_csv(), to_columns() and the others have all"
    return dataclasses.replace(grid, cells=grid.cells[:SHOWN_LINES], notes=[follow, *grid.notes])


def _widths(lines: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(_width, column)) for column in zip(*lines, strict=True)]


def _pad(line: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> list[str]:
    blanks = [" " * (width - _width(text)) for text, width in zip(line, widths, strict=True)]
    return [blank + text if numbers else text + blank for text, blank, numbers in zip(line, blanks, right, strict=True)]


def _width(text: str) -> int:
    """The columns a text takes in a terminal: two for wide letters, none for accents set upon another."""
    return len(text) if text.isascii() else sum(map(_letter_width, text))


def _letter_width(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"


def _markdown(text: str) -> str:
    return printable(text).translate(_MARKDOWN)


def _latex(text: str) -> str:
    return printable(text).translate(_LATEX)


def _html(text: str) -> str:
    return html.escape(printable(text))


_MARKDOWN = str.maketrans({c: "\\" + c for c in "\\`*_{}[]#|~^$"} | {"&": "&amp;", "<": "&lt;", ">": "&gt;"})

_GREEK = {"λ": r"\lambda", "κ": r"\kappa"}  # of our own words; pdfLaTeX has no letters for them
_SIGNS = {BETTER: r"\blacktriangle", WORSE: r"\blacktriangledown", SEEN: r"\dagger"}

_LATEX = str.maketrans(
    {c: "\\" + c for c in "{}&%#_$"}
    | {c: f"{{{c}}}" for c in "[]*"}  # after \\ they would be its options
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "`": r"\textasciigrave{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
    | {mark: f"${sign}$" for mark, sign in (_SIGNS | _GREEK).items()}
)


def _names(rows: Sequence[Row]) -> list[str]:
    """The columns of all rows, in order of appearance."""
    return list(dict.fromkeys(name for row in rows for name in row))


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's."""
    return value.item() if isinstance(value, np.generic) else value


def _or_null(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _or_empty(value: Any) -> Any:
    return "" if _unknown(value) else value
