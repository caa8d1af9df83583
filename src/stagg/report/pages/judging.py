"""Page on which people judge: one query and one document at a time, by key or touch; the file it saves is the sheet.

The page knows the documents and nothing of the rankers. ``judged.js`` keeps the grades and writes the file,
``judging.js`` shows the documents and listens to keys.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from stagg.errors import DataError, plural, shown
from stagg.judging.sheet import CANNOT, COLUMNS, Sheet
from stagg.report.markup import Html, escaped, joined
from stagg.report.shell import Section, page

__all__ = ["judging_page"]

CANNOT_KEY: Final = "x"
LONGEST_LABEL: Final = 16
"""Meanings of grades that are longer stand below each other on a phone, too."""
BY_FILE: Final = "The file is a CSV. The next call of “stagg judge” reads it as --judged FILE."


def judging_page(sheet: Sheet) -> str:
    """The page as text: the rows of a sheet in their order, and what is judged already.

    Every grade is kept in the browser at once, under the plan and the batch, and goes to a file when the assessor saves
    it. Half a surrogate pair or a NUL character in an id is an error, since no file could hold the id; in a text it
    becomes "?".

    >>> from stagg.judging.sheet import Row
    >>> "Judge 1 document" in judging_page(Sheet("5e1f", 1, 20, (Row("q1", "d7"),)))
    True
    """
    _check_ids(sheet)
    return page(
        f"Judge {plural(len(sheet.rows), 'document')}",
        [Section("Documents", _body(sheet))],
        notes=[f"Batch {sheet.batch} of the plan {sheet.plan}, up to its point {sheet.points}.", BY_FILE],
        data={"sheet": _describe(sheet)},
        scripts=("judged.js", "judging.js"),
        styles=("judging.css",),
    )


def _check_ids(sheet: Sheet) -> None:
    for row in sheet.rows:
        for kind, name in (("query", row.query), ("item", row.item)):
            if name != _as_text(name):
                raise DataError(
                    f"the {kind} id {shown(name)} holds half a surrogate pair or a NUL character, so that no file can "
                    "hold it; rename it"
                )


def _as_text(text: str) -> str:
    """The text as a file in UTF-8 can hold it."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "?")


def _describe(sheet: Sheet) -> dict[str, object]:
    """What the scripts need of a sheet."""
    return {
        "plan": sheet.plan,
        "batch": sheet.batch,
        "points": sheet.points,
        "columns": COLUMNS,
        "rows": [list(map(_as_text, row)) for row in sheet.rows],
        "grades": sheet.grades,
        "cannot": [CANNOT, "cannot judge", CANNOT_KEY],
    }


def _body(sheet: Sheet) -> Html:
    keys = [(grade, grade if len(grade) == 1 else "", meaning) for grade, meaning in sheet.grades]
    wordy = " wordy" if any(len(meaning) > LONGEST_LABEL for _, meaning in sheet.grades) else ""
    buttons = _buttons([*keys, (CANNOT, CANNOT_KEY, "cannot judge")])
    return Html(_SKELETON.format(buttons=buttons, wordy=wordy, meanings=_meanings(sheet)))


def _buttons(grades: Iterable[tuple[str, str, str]]) -> Html:
    return joined(
        Html(
            f'<button type="button" class="grade" data-grade="{escaped(grade)}" data-key="{escaped(key)}" '
            f'aria-pressed="false"><kbd>{escaped(key)}</kbd><span dir="auto">{escaped(meaning)}</span></button>'
        )
        for grade, key, meaning in grades
    )


def _meanings(sheet: Sheet) -> Html:
    rows = [*sheet.grades, (CANNOT_KEY, "cannot judge: the text is missing, or you cannot read it")]
    return joined(Html(f"<dt><kbd>{escaped(key)}</kbd></dt><dd>{escaped(meaning)}</dd>") for key, meaning in rows)


_SKELETON: Final = """<noscript><p class="warning">This page needs JavaScript. Allow it for this file, or write the
grades into the column <code>grade</code> of a CSV that <code>stagg judge -o todo.csv</code> writes.</p></noscript>
<div id="judge" hidden>
<div id="reading">
<div id="top">
<div id="bar">
<p id="progress"><span id="place"></span><span id="left"></span></p>
<button type="button" id="save">Save</button>
<button type="button" id="ask" aria-label="Help" aria-keyshortcuts="?">?</button>
<progress id="meter" aria-label="Judged"></progress>
</div>
<p id="message" role="status"></p>
<p class="warning" id="blocked" role="alert" hidden></p>
<div id="query"><h2 class="label">Query <bdi class="id"></bdi></h2>
<div class="text" dir="auto" tabindex="0" role="region" aria-label="Query"></div></div>
</div>
<article id="document"><h2 class="label">Document <bdi class="id"></bdi></h2>
<div class="text" dir="auto"></div></article>
<div id="end" hidden><h2></h2><p></p><div class="moves"><button type="button" id="finish">Save the grades</button>
<button type="button" id="open">Go to the next open document</button></div></div>
</div>
<div id="side">
<div id="grading">
<div class="grades{wordy}" id="grades" role="group" aria-label="Grade">
{buttons}
</div>
<div class="moves">
<button type="button" id="back" aria-keyshortcuts="ArrowLeft">‹ Back</button>
<button type="button" id="undo" aria-keyshortcuts="U Backspace">Undo</button>
<button type="button" id="next" aria-keyshortcuts="ArrowRight">Next ›</button>
</div>
<p id="last"></p>
</div>
<div id="file">
<label for="assessor">Your name</label>
<input id="assessor" dir="auto" autocomplete="off" spellcheck="false" maxlength="80"
placeholder="if several people judge">
<div class="moves">
<button type="button" id="write">Save to a file</button>
<button type="button" id="load">Load a file</button>
<input type="file" id="chosen" accept=".csv,text/csv" hidden aria-label="A file of grades">
</div>
</div>
</div>
</div>
<p class="spoken" id="told" role="status"></p>
<dialog id="help" aria-labelledby="help-title">
<h2 id="help-title">How to judge</h2>
<p>Read the query, then the document. How well does the document answer the query? Every document counts by itself:
it does not matter what you gave to others. The order is random.</p>
<dl>
{meanings}
<dt><kbd>u</kbd> <kbd>⌫</kbd></dt><dd>undo the last grade</dd>
<dt><kbd>←</kbd> <kbd>→</kbd></dt><dd>back and forth; a new grade replaces the old one</dd>
<dt><kbd>Space</kbd></dt><dd>read on</dd>
<dt><kbd>s</kbd></dt><dd>save to a file</dd>
<dt><kbd>?</kbd></dt><dd>this help</dd>
</dl>
<p id="kept">This browser keeps every grade at once: you can close the page and go on later. To hand your grades in,
save them to a file.</p>
<p>To go on in another browser, load your file there. If several people judge, each writes a name below the grades.</p>
<label class="choice"><input type="checkbox" id="keys" checked> Grade by single keys</label>
<form method="dialog"><button>Close</button></form>
</dialog>
<dialog id="whose" aria-labelledby="whose-title">
<h2 id="whose-title">Whose grades are these?</h2>
<p></p>
<form method="dialog" class="moves"><button value="mine">They are mine</button>
<button value="other">I am somebody else</button><button value="">Cancel</button></form>
</dialog>
"""
