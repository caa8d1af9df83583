"""The judging page in a browser: what is judged is kept, and what it saves is the sheet with its grades."""

from __future__ import annotations

import csv
import html
import io
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from stagg.errors import DataError
from stagg.judging.sheet import Row, Sheet, read_sheets, sheet_text
from stagg.report.markup import clean
from stagg.report.pages.judging import judging_page
from tests.browser import find_violations
from tests.checks import some
from tests.report.hostile import HOSTILE

PLAN = "5e1f0a9b3c77"
KEYS = "0123x"
GRADES = {key: "cannot" if key == "x" else key for key in KEYS}
LONG_TEXT = "A line of a document that goes on.\n\n" * 60
ALONE = """(() => {
  const own = new Map();
  const storage = {
    getItem: (key) => own.get(key) ?? null,
    setItem: (key, text) => void own.set(key, text),
    removeItem: (key) => void own.delete(key),
  };
  Object.defineProperty(window, 'localStorage', {get: () => storage});
})();"""
"""A storage that nobody shares, and that is empty after a reload."""
BLOCKED = "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError'); }});"


def make_sheet(count: int, *, batch: int = 1, texts: bool = True) -> Sheet:
    rows = [
        Row(f"q{k % 7}", f"d{k}", query_text=f"what is {k % 7}?", item_text=f"Text {k}. {LONG_TEXT}")
        if texts
        else Row(f"q{k % 7}", f"d{k}")
        for k in range(count)
    ]
    return Sheet(PLAN, batch, 2 * count, tuple(rows))


def graded(sheet: Sheet, grades: dict[int, str], assessor: str = "") -> Sheet:
    """The sheet with these grades, by the number of the row."""
    rows = [
        row._replace(grade=grades[k], assessor=assessor) if k in grades else row for k, row in enumerate(sheet.rows)
    ]
    return Sheet(sheet.plan, sheet.batch, sheet.points, tuple(rows), sheet.grades)


class Desk:
    """A browser's profile: pages that share one storage, and all that went wrong in them."""

    def __init__(self, context: Any, folder: Path) -> None:
        self.context, self.folder = context, folder
        self.faults: list[str] = []
        self.requests: list[str] = []
        self.asked = 0  # how often a page asked whether to leave it

    def open(self, sheet: Sheet | str, *, name: str = "todo", script: str = "") -> Any:
        """A new page; ``script`` runs in it before its own."""
        path = self.folder / f"{name}.html"
        path.write_text(sheet if isinstance(sheet, str) else judging_page(sheet), encoding="utf-8")
        page = self.context.new_page()
        page.set_default_timeout(20_000)
        page.add_init_script(script)
        page.on("console", lambda message: self.faults.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("dialog", self._answer)
        page.goto(path.as_uri())
        return page

    def _answer(self, dialog: Any) -> None:
        if dialog.type == "beforeunload":
            self.asked += 1
        else:
            self.faults.append(f"a dialog: {dialog.message}")
        dialog.accept()

    def save(self, page: Any, *, name: str = "judged.csv", press: Callable[[Any], None] | None = None) -> Path:
        """The file that the page saves."""
        with page.expect_download() as download:
            (press or (lambda page: page.keyboard.press("s")))(page)
        path = self.folder / name
        download.value.save_as(path)
        return path


@pytest.fixture
def make_desk(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    desks: list[Desk] = []

    def make(**options: Any) -> Desk:
        folder = tmp_path / f"desk-{len(desks)}"
        folder.mkdir()
        desks.append(Desk(browser.new_context(**options), folder))
        return desks[-1]

    yield make
    for each in desks:
        each.context.close()
        assert each.faults == []
        assert [url for url in each.requests if not url.startswith(("file:", "data:,", "blob:"))] == []


@pytest.fixture
def desk(make_desk: Callable[..., Desk]) -> Desk:
    return make_desk()


def place(page: Any) -> str:
    return str(page.locator("#place").inner_text())


WAIT = """([condition, most]) => new Promise((done, fail) => {
  const look = () => CONDITION ? done() : performance.now() > end ? fail(new Error(condition)) : setTimeout(look, 5);
  const end = performance.now() + most;
  look();
})"""


def wait_for(page: Any, condition: str, *, most: int = 20_000) -> None:
    """Wait until an expression holds; playwright's own way evaluates a text, which the page's policy refuses."""
    page.evaluate(WAIT.replace("CONDITION", f"({condition})"), [condition, most])


def wait_for_place(page: Any, end: str) -> None:
    wait_for(page, f"document.getElementById('place').textContent.endsWith('{end}')")


def wait_for_rest(page: Any) -> None:
    """Wait until a smooth scroll has ended: the page stands still over ten frames."""
    page.evaluate("""() => new Promise((done) => {
      let [last, still] = [-1, 0];
      const look = () => {
        still = scrollY === last ? still + 1 : 0;
        last = scrollY;
        if (still === 10) done(); else requestAnimationFrame(look);
      };
      look();
    })""")


def press(page: Any, keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def pick(page: Any, path: Path) -> str:
    """Load a file, and what the page says of it."""
    page.locator("#message").evaluate("(each) => { each.textContent = ''; }")
    page.locator("#chosen").set_input_files(path)
    wait_for(page, "document.getElementById('message').textContent !== ''")
    return str(page.locator("#message").inner_text())


# --- judging ----------------------------------------------------------------------------------------------------------


def test_200_documents_judged_by_keyboard_with_a_reload_are_the_file_that_is_read_back(desk: Desk) -> None:
    sheet = make_sheet(200)
    page = desk.open(sheet)
    keys = "".join(random.Random(1).choices(KEYS, k=200))
    press(page, keys[:117])
    page.reload()
    assert desk.asked == 1
    assert place(page) == "Document 118 of 200 · 117 judged"
    press(page, keys[117:])
    assert place(page) == "200 of 200 judged"
    assert page.locator("#end h2").inner_text() == "All documents are judged. Thank you!"
    path = desk.save(page)
    expected = graded(sheet, {k: GRADES[key] for k, key in enumerate(keys)})
    assert read_sheets([path]) == (expected,)
    assert path.read_bytes() == sheet_text(expected).encode()


def test_a_grade_is_for_the_document_that_is_shown_and_buttons_do_what_keys_do(desk: Desk) -> None:
    sheet = make_sheet(6)
    page = desk.open(sheet)
    given = {}
    for k, grade in enumerate(["2", "0", "cannot", "1", "3", "2"]):
        row = sheet.rows[k]
        assert page.locator("#query .text").inner_text() == row.query_text
        assert page.locator("#document .text").text_content() == row.item_text
        assert page.locator("#document .id").inner_text() == row.item
        page.locator(f'[data-grade="{grade}"]').click()
        assert page.evaluate("document.activeElement === document.body")  # the space bar reads on, and grades nothing
        given[k] = grade
    saved = desk.save(page, press=lambda page: page.get_by_role("button", name="Save the grades").click())
    assert read_sheets([saved]) == (graded(sheet, given),)


def test_a_long_document_starts_at_its_top_and_the_query_stays_in_view(desk: Desk) -> None:
    page = desk.open(make_sheet(3))
    for _ in range(3):
        page.keyboard.press("Space")
    wait_for(page, "scrollY > 300")
    wait_for_rest(page)
    assert page.locator("#query").bounding_box()["y"] >= 0
    page.keyboard.press("1")
    wait_for(page, "scrollY < 60")
    top = page.locator("#document .text").bounding_box()["y"]
    query = page.locator("#query").bounding_box()
    assert top >= query["y"] + query["height"]


def test_undo_takes_back_grade_by_grade_also_after_a_reload(desk: Desk) -> None:
    sheet = make_sheet(5)
    page = desk.open(sheet)
    press(page, "012")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("3")  # document 3 has had a 2
    assert place(page) == "Document 4 of 5 · 3 judged"
    page.reload()
    page.keyboard.press("u")
    assert place(page) == "Document 3 of 5 · 3 judged"
    assert page.locator('[aria-pressed="true"]').get_attribute("data-grade") == "2"
    page.keyboard.press("Backspace")
    page.get_by_role("button", name="Undo").click()
    assert place(page) == "Document 2 of 5 · 1 judged"
    page.keyboard.press("u")
    assert page.get_by_role("button", name="Undo").is_disabled()
    page.keyboard.press("u")
    assert place(page) == "Document 1 of 5 · 0 judged"


def test_a_document_left_open_is_offered_at_the_end(desk: Desk) -> None:
    page = desk.open(make_sheet(4))
    page.keyboard.press("ArrowRight")
    press(page, "12")
    page.keyboard.press("ArrowRight")
    assert page.locator("#end h2").inner_text() == "2 documents are not judged yet."
    page.get_by_role("button", name="Go to the next open document").click()
    assert place(page) == "Document 1 of 4 · 2 judged"
    press(page, "0")
    assert place(page) == "Document 4 of 4 · 3 judged"
    press(page, "0")
    assert place(page) == "4 of 4 judged"


def test_keys_mean_the_same_on_every_keyboard_and_grade_once(desk: Desk) -> None:
    page = desk.open(make_sheet(9))

    def send(**event: Any) -> str:
        page.evaluate(
            "(event) => document.body.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, ...event}))", event
        )
        return place(page).partition(" · ")[2]

    assert send(key="é", code="Digit2") == "1 judged"  # French: digits need Shift
    assert send(key="2", code="Digit2", shiftKey=True) == "2 judged"
    assert send(key="ч", code="KeyX") == "3 judged"  # Russian
    assert send(key="X", code="KeyX", shiftKey=True) == "4 judged"
    assert send(key="3", code="Numpad3") == "5 judged"
    for ignored in (
        {"key": "3", "code": "Digit3", "repeat": True},  # a key held down
        {"key": "3", "code": "Digit3", "ctrlKey": True},
        {"key": "!", "code": "Digit1", "shiftKey": True},
        {"key": "End", "code": "Numpad1"},
        {"key": "7", "code": "Digit7"},
        {"key": "constructor", "code": ""},
    ):
        assert send(**ignored) == "5 judged", ignored
    page.locator('[data-grade="0"]').dblclick()
    assert place(page) == "Document 7 of 9 · 6 judged"
    page.locator("#assessor").click()
    page.keyboard.type("x1u")
    assert place(page) == "Document 7 of 9 · 6 judged"
    page.keyboard.press("Enter")
    page.keyboard.press("?")
    page.keyboard.press("1")
    page.get_by_label("Grade by single keys").uncheck()
    page.keyboard.press("Escape")
    assert not page.locator("#help").is_visible()
    press(page, "1xu")
    assert place(page) == "Document 7 of 9 · 6 judged"
    page.locator('[data-grade="1"]').focus()
    page.keyboard.press("Enter")
    assert place(page) == "Document 8 of 9 · 7 judged"
    assert page.evaluate("document.activeElement.dataset.grade") == "1"


def test_progress_is_told_to_those_who_do_not_see_it(desk: Desk) -> None:
    page = desk.open(make_sheet(2))
    told = page.locator("#told")
    page.keyboard.press("2")
    assert told.text_content() == "2 relevant. Document 2 of 2, 1 judged."
    page.keyboard.press("u")
    assert told.text_content() == "Undone. Document 1 of 2, 0 judged."
    press(page, "xx")
    assert told.text_content() == "cannot judge. All documents are judged. Thank you!"
    assert page.locator("#meter").evaluate("(each) => each.value / each.max") == 1


# --- what is kept -----------------------------------------------------------------------------------------------------


def judge_in_two_tabs(desk: Desk, sheet: Sheet, *, scripts: tuple[str, str] = ("", "")) -> None:
    one, other = (desk.open(sheet, script=script) for script in scripts)
    press(one, "01")
    wait_for_place(other, "2 judged")
    assert other.locator('[aria-pressed="true"]').get_attribute("data-grade") == "0"  # both look at the first document
    press(other, "3")  # the first document again, with another grade; then the first that is open, the third
    press(other, "22")
    wait_for_place(one, "4 judged")
    assert place(one) == "Document 3 of 12 · 4 judged"
    press(one, "u")  # the last grade of both: document 4
    press(one, "1")
    press(one, "x")
    wait_for_place(other, "5 judged")
    given = {0: "3", 1: "1", 2: "2", 3: "1", 4: "cannot"}
    for page in (one, other):
        assert read_sheets([desk.save(page)]) == (graded(sheet, given),)
        page.reload()
        assert place(page) == "Document 6 of 12 · 5 judged"
        assert read_sheets([desk.save(page)]) == (graded(sheet, given),)
    assert read_sheets([desk.save(desk.open(sheet))]) == (graded(sheet, given),)


def test_two_tabs_do_not_overwrite_each_other(desk: Desk) -> None:
    judge_in_two_tabs(desk, make_sheet(12))


@pytest.mark.parametrize("scripts", [(ALONE, ""), ("", ALONE), (ALONE, ALONE)])
def test_a_page_outside_the_storage_that_pages_share_loses_nothing(desk: Desk, scripts: tuple[str, str]) -> None:
    """Chromium leaves some of the pages that it opens as it starts there: 17 of 200 in fresh profiles, for good."""
    judge_in_two_tabs(desk, make_sheet(12), scripts=scripts)


def test_what_a_page_outside_the_storage_kept_is_there_again_with_its_assessor(desk: Desk) -> None:
    sheet = make_sheet(6)
    page = desk.open(sheet, script=ALONE)
    press(page, "12")
    page.locator("#assessor").fill("ann")
    page.locator("#assessor").press("Enter")
    press(page, "03u")
    page.close()
    again = desk.open(sheet)
    wait_for_place(again, "Document 4 of 6 · 3 judged")
    assert again.locator("#assessor").input_value() == "ann"
    assert read_sheets([desk.save(again)]) == (graded(sheet, {0: "1", 1: "2", 2: "0"}, "ann"),)


def test_a_browser_without_a_database_or_channels_keeps_grades_all_the_same(desk: Desk) -> None:
    script = (
        "delete window.BroadcastChannel; Object.defineProperty(window, 'indexedDB', {get() { throw new Error(); }});"
    )
    page = desk.open(make_sheet(4), script=script)
    press(page, "12")
    page.reload()
    assert place(page) == "Document 3 of 4 · 2 judged"
    assert read_sheets([desk.save(page)]) == (graded(make_sheet(4), {0: "1", 1: "2"}),)


def test_pages_of_other_batches_and_plans_have_grades_of_their_own(desk: Desk) -> None:
    first = make_sheet(3)
    press(desk.open(first), "12")
    assert place(desk.open(make_sheet(3, batch=2), name="second")) == "Document 1 of 3 · 0 judged"
    assert place(desk.open(Sheet("other", 1, 6, first.rows), name="other")) == "Document 1 of 3 · 0 judged"
    assert place(desk.open(Sheet(PLAN, 1, 6, first.rows[::-1]), name="again")) == "Document 1 of 3 · 2 judged"


def test_leaving_warns_of_grades_that_are_in_no_file(desk: Desk) -> None:
    from playwright.sync_api import expect

    page = desk.open(make_sheet(4))
    page.keyboard.press("ArrowRight")
    page.reload()
    assert desk.asked == 0  # nothing was judged
    press(page, "12")
    page.reload()
    assert desk.asked == 1
    desk.save(page)
    page.reload()
    assert desk.asked == 1
    expect(page.locator("#save.wanted")).to_have_count(0)
    page.keyboard.press("3")
    expect(page.locator("#save.wanted")).to_have_count(1)
    page.reload()
    assert desk.asked == 2


def test_where_storage_is_blocked_the_page_says_so_and_goes_on_by_file(desk: Desk) -> None:
    desk.context.add_init_script(BLOCKED)
    sheet = make_sheet(4)
    page = desk.open(sheet)
    assert "keeps nothing for this page" in page.locator("#blocked").inner_text()
    press(page, "12")
    assert place(page) == "Document 3 of 4 · 2 judged"
    path = desk.save(page)
    assert read_sheets([path]) == (graded(sheet, {0: "1", 1: "2"}),)
    press(page, "u")
    page.reload()
    assert desk.asked == 1
    assert place(page) == "Document 1 of 4 · 0 judged"
    assert pick(page, path) == "2 grades read from the file."
    assert place(page) == "Document 3 of 4 · 2 judged"
    press(page, "0x")
    assert read_sheets([desk.save(page)]) == (graded(sheet, {0: "1", 1: "2", 2: "0", 3: "cannot"}),)


def test_storage_that_a_browser_refuses_a_frame_is_blocked_storage(desk: Desk) -> None:
    inside = html.escape(judging_page(make_sheet(3)), quote=True)
    page = desk.open(f'<!doctype html><title>frame</title><iframe sandbox="allow-scripts" srcdoc="{inside}"></iframe>')
    frame = page.frame_locator("iframe")
    frame.locator("#blocked").wait_for()
    frame.locator('[data-grade="2"]').click()
    assert frame.locator("#place").inner_text() == "Document 2 of 3 · 1 judged"


def test_a_full_storage_is_said_and_the_grades_stay(desk: Desk) -> None:
    page = desk.open(make_sheet(5))
    press(page, "1")
    assert not page.locator("#blocked").is_visible()
    page.evaluate("void (Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); })")
    press(page, "23")
    assert page.locator("#blocked").is_visible()
    assert read_sheets([desk.save(page)]) == (graded(make_sheet(5), {0: "1", 1: "2", 2: "3"}),)


# --- files and assessors ----------------------------------------------------------------------------------------------


def test_a_saved_file_resumes_in_another_browser(make_desk: Callable[..., Desk]) -> None:
    sheet, one, other = make_sheet(5), make_desk(), make_desk()
    page = one.open(sheet)
    page.locator("#assessor").fill("Zoë \u05e9")
    page.locator("#assessor").press("Enter")
    press(page, "201")
    path = one.save(page)
    assert read_sheets([path]) == (graded(sheet, {0: "2", 1: "0", 2: "1"}, "Zoë \u05e9"),)
    page = other.open(sheet)
    assert pick(page, path) == "3 grades read from the file."
    assert page.locator("#assessor").input_value() == "Zoë \u05e9"
    assert page.get_by_role("button", name="Undo").is_disabled()  # nothing was graded here
    assert place(page) == "Document 4 of 5 · 3 judged"
    page.reload()
    assert other.asked == 0  # the file has them all
    press(page, "3u")
    page.keyboard.press("ArrowLeft")
    press(page, "2")  # document 3 is 2 here, and 1 in the file
    assert pick(page, path) == (
        "0 grades read from the file; 2 were here already; 1 differ from grades given here, which stay."
    )
    expected = graded(sheet, {0: "2", 1: "0", 2: "2"}, "Zoë \u05e9")
    assert read_sheets([other.save(page)]) == (expected,)


def test_a_file_that_came_through_a_spreadsheet_is_read(desk: Desk) -> None:
    page = desk.open(make_sheet(4))
    rows = [[f"q{k}", f"d{k}", grade, "", PLAN, "1"] for k, grade in enumerate(["2", " CANNOT ", "7", ""])]
    text = "\ufeff" + "\r\n".join(
        ";".join(row) for row in [["query", "item", "grade", "assessor", "plan", "batch"], *rows]
    )
    (desk.folder / "excel.csv").write_text(text, encoding="utf-8")
    assert pick(page, desk.folder / "excel.csv") == "2 grades read from the file."
    assert place(page) == "Document 3 of 4 · 2 judged"


HEADER = "query,item,grade,assessor,plan,batch\n"
WRONG_FILES = {
    sheet_text(make_sheet(3, batch=2)): f"It belongs to batch 2 of the plan {PLAN}; this page is batch 1 of {PLAN}.",
    "query,item\na,b\n": "It is not a file of this page: it has no column “grade”.",
    "": "It is not a file of this page: it has no column “query”.",
    'query,"item\n': "a quotation mark is not closed, or stands inside a cell",
    f"{HEADER}q0,d0,1,ann,{PLAN},1\nq1,d1,1,ben,{PLAN},1\n": (
        "It has grades of several assessors. Give it to stagg judge, which joins them."
    ),
    f"{HEADER}q2,d2,1,ann,{PLAN},1\n": (
        "It has grades of “ann”. To go on with them, write that name into “Your name”, and load the file again."
    ),
}


def test_a_file_that_does_not_fit_is_refused_and_nothing_is_lost(desk: Desk) -> None:
    page = desk.open(make_sheet(3))
    press(page, "12")
    for text, told in WRONG_FILES.items():
        path = desk.folder / "wrong.csv"
        path.write_text(text, encoding="utf-8")
        assert pick(page, path) == f"This file cannot be loaded. {told}"
        assert place(page) == "Document 3 of 3 · 2 judged"
        assert page.locator("#assessor").input_value() == ""


def test_two_assessors_in_one_browser_do_not_see_each_other(desk: Desk) -> None:
    sheet = make_sheet(4)
    page = desk.open(sheet)

    def name(text: str, answer: str | None = None) -> None:
        page.locator("#assessor").fill(text)
        page.locator("#assessor").press("Enter")
        if answer is not None:
            page.locator("#whose").get_by_role("button", name=answer).click()

    press(page, "12")
    name(" ann ")  # grades without a name are hers
    assert place(page) == "Document 3 of 4 · 2 judged"
    name("ben", "I am somebody else")
    wait_for_place(page, "0 judged")
    assert place(page) == "Document 1 of 4 · 0 judged"
    press(page, "0")
    name("eve", "Cancel")
    assert page.locator("#assessor").input_value() == "ben"
    name("bob", "They are mine")
    wait_for(page, "document.getElementById('assessor').value === 'bob'")
    assert place(page) == "Document 2 of 4 · 1 judged"
    page.reload()
    assert page.locator("#assessor").input_value() == "bob"
    by_bob = desk.save(page, name="bob.csv")
    name("ann", "I am somebody else")
    wait_for_place(page, "2 judged")
    by_ann = desk.save(page, name="ann.csv")
    assert read_sheets([by_ann, by_bob]) == (
        graded(sheet, {0: "1", 1: "2"}, "ann"),
        graded(sheet, {0: "0"}, "bob"),
    )


def test_grades_that_the_sheet_has_are_shown_and_keep_their_assessor(desk: Desk) -> None:
    sheet = graded(make_sheet(4), {0: "2", 1: "cannot"}, "ann")
    page = desk.open(sheet)
    assert place(page) == "Document 3 of 4 · 2 judged"
    press(page, "1")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    press(page, "3")
    [found] = read_sheets([desk.save(page)])
    assert [(row.grade, row.assessor) for row in found.rows] == [("2", "ann"), ("3", ""), ("1", ""), ("", "")]


def test_cells_of_all_kinds_are_written_and_read_as_python_does(desk: Desk) -> None:
    page = desk.open(make_sheet(1))
    draw = random.Random(3)
    parts = ['"', ",", "\r", "\n", "\r\n", ";", "\t", " ", "", "é", "\u2028", "x", "=1+1", "\x00"]
    rows = [["".join(draw.choices(parts, k=draw.randrange(5))) for _ in range(4)] for _ in range(300)]
    rows = [["a", "b", "c", "d"], *rows]
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    assert page.evaluate("(rows) => Judged.writeCsv(rows)", rows) == text.getvalue()
    assert page.evaluate("(text) => Judged.readCsv(text)", text.getvalue()) == rows
    assert page.evaluate("Judged.readCsv('a,b\\n1,2')") == [["a", "b"], ["1", "2"]]
    assert page.evaluate("Judged.readCsv('a,b\\n1,')") == [["a", "b"], ["1", ""]]


# --- what a page holds ------------------------------------------------------------------------------------------------


def test_the_page_knows_the_documents_and_nothing_of_those_who_ranked_them() -> None:
    sheet = make_sheet(3)
    text = judging_page(sheet)
    [block] = re.findall(r'<script type="application/json" id="(?:.*?)">(.*?)</script>', text)
    data = json.loads(block)
    assert set(data) == {"plan", "batch", "points", "columns", "rows", "grades", "cannot"}
    assert [Row(*row) for row in data["rows"]] == list(sheet.rows)
    assert judging_page(sheet) == text
    assert not re.findall(r"url\(|@import|fetch\(|XMLHttpRequest|innerHTML|\bon\w+=", text.partition("<main>")[2])


def test_hostile_ids_and_texts_are_text_and_come_back_as_they_were(desk: Desk) -> None:
    fit = [text for text in HOSTILE if not {"\ud800", "\0"} & set(text)]
    rows = [
        Row(text, fit[k - 1], query_text=fit[k - 2], item_text=text + "\r\nx\n" + text) for k, text in enumerate(fit)
    ]
    rows += [Row(text, text) for text in fit]
    sheet = Sheet("</script>", 1, 40, tuple(rows), ((*[("0", "</script>")], ("1", "<b>{x}"), ("2", "ok"), ("3", '"'))))
    page = desk.open(sheet)
    for row in rows:
        shown = page.locator("#document .text").text_content()
        wanted = row.item_text.replace("\r\n", "\n") if row.item_text else row.item
        assert (
            [clean(line) for line in wanted.split("\n")] == shown.split("\n") or len(wanted) > 4000 or not row.item_text
        )
        if not row.item_text and len(row.item) < 4000:
            assert shown == clean(row.item) + "This page has no text of the document. Look it up by its id."
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.keyboard.press("2")
    assert page.locator("img, iframe, object, [onerror], [onload]").count() == 0
    assert page.locator("script").count() == 4  # the sheet, and three scripts
    found = read_sheets([desk.save(page)])
    assert found == (Sheet("</script>", 1, 40, graded(sheet, dict.fromkeys(range(len(rows)), "2")).rows),)


def test_what_no_file_can_hold_is_refused_in_an_id_and_replaced_in_a_text() -> None:
    for row in (Row("q\ud800", "d"), Row("q", "d\ud800"), Row("q", "d\0")):
        with pytest.raises(DataError, match="half a surrogate pair or a NUL character, so that no file can hold it"):
            judging_page(Sheet(PLAN, 1, 2, (row,)))
    assert "a?b?c" in judging_page(Sheet(PLAN, 1, 2, (Row("q", "d", item_text="a\ud800b\0c"),)))


def test_without_texts_the_page_shows_the_ids(desk: Desk) -> None:
    page = desk.open(make_sheet(2, texts=False))
    assert page.locator("#query .text").inner_text() == "q0"
    assert page.locator("#document .text").inner_text().splitlines()[0] == "d0"
    assert "Look it up by its id" in page.locator("#document").inner_text()


def test_every_line_has_the_direction_of_its_own_letters(desk: Desk) -> None:
    row = Row("q", "d", query_text="\u05e9\u05dc\u05d5\u05dd", item_text="latin\n\u05e9\u05dc\u05d5\u05dd")
    page = desk.open(Sheet(PLAN, 1, 2, (row,)))
    assert page.locator("#query .text").evaluate("(each) => getComputedStyle(each).direction") == "rtl"
    edges = page.locator("#document .text").evaluate(
        "(each) => [0, 6].map((at) => { const range = document.createRange(); range.setStart(each.firstChild, at);"
        " range.setEnd(each.firstChild, at + 1); const box = range.getBoundingClientRect(),"
        " all = each.getBoundingClientRect(); return (box.left - all.left) / all.width; })"
    )
    assert edges[0] < 0.1
    assert edges[1] > 0.8


def test_an_empty_sheet_says_so(desk: Desk) -> None:
    page = desk.open(Sheet(PLAN, 1, 0, ()))
    assert page.locator("#end h2").inner_text() == "There is nothing to judge."
    press(page, "1u")
    page.keyboard.press("ArrowRight")
    assert page.locator("#end h2").is_visible()


# --- how it looks -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_grades_are_within_reach_and_in_one_place_at_every_width(make_desk: Callable[..., Desk], width: int) -> None:
    desk = make_desk(viewport={"width": width, "height": 780}, has_touch=True, color_scheme="dark")
    sheet = make_sheet(8)
    short = Row("q", "short", query_text="?", item_text="One line.")
    page = desk.open(Sheet(PLAN, 1, 16, (short, *sheet.rows, short._replace(item="short2"))))
    before = None
    for _ in range(9):
        boxes = page.locator(".grade").evaluate_all("all => all.map((each) => each.getBoundingClientRect().toJSON())")
        assert all(box["height"] >= 44 and box["width"] >= 44 and box["bottom"] <= 780 for box in some(boxes))
        assert all(box["left"] >= 0 and box["right"] <= width for box in boxes)
        assert width > 900 or all(box["top"] > 780 * 0.6 for box in boxes)
        assert before in (None, boxes)  # a hand need not look for them
        before = boxes
        reading = page.locator("#document").bounding_box()
        edge = boxes[0]["top"] if width < 900 else 780
        assert min(edge, reading["y"] + reading["height"]) - reading["y"] > 180
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.keyboard.press("1")
    page.locator('[data-grade="1"]').tap()
    assert place(page) == "10 of 10 judged"
    fits = "all => all.every((each) => each.scrollWidth <= each.clientWidth)"
    assert page.locator(".grade").evaluate_all(fits)


def test_meanings_of_many_words_stand_below_each_other(make_desk: Callable[..., Desk]) -> None:
    desk = make_desk(viewport={"width": 390, "height": 780})
    grades = (("0", "has nothing to do with the query"), ("10", "answers it"))
    page = desk.open(Sheet(PLAN, 1, 2, (Row("q", "d"),), grades))
    tops = page.locator(".grade").evaluate_all("all => all.map((each) => each.getBoundingClientRect().top)")
    assert len(set(tops)) == 3
    press(page, "1")  # no key of a grade
    assert place(page) == "Document 1 of 1 · 0 judged"
    page.get_by_role("button", name="answers it").click()
    assert place(page) == "1 of 1 judged"


@pytest.mark.parametrize(("scheme", "width"), [("light", 390), ("dark", 1280)])
def test_the_page_has_no_serious_barrier(make_desk: Callable[..., Desk], scheme: str, width: int) -> None:
    desk = make_desk(viewport={"width": width, "height": 780}, color_scheme=scheme, reduced_motion="reduce")
    if width == 390:
        desk.context.add_init_script(BLOCKED)
    page = desk.open(make_sheet(3))
    press(page, "1")
    page.keyboard.press("ArrowLeft")
    assert find_violations(page) == []
    page.keyboard.press("?")
    assert find_violations(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    press(page, "23")
    assert page.locator("#end").is_visible()
    assert find_violations(page) == []


def test_nothing_moves_for_those_who_asked_for_that(desk: Desk) -> None:
    page = desk.open(make_sheet(3))
    for motion, count in (("reduce", 0), ("no-preference", 1)):
        page.emulate_media(reduced_motion=motion)
        page.keyboard.press("2")
        assert page.evaluate("document.querySelector('.hit').getAnimations().length") == count


def test_the_keyboard_reaches_every_control(desk: Desk) -> None:
    page = desk.open(make_sheet(3))
    press(page, "1")
    controls = page.evaluate(
        "() => [...document.querySelectorAll('#judge :is(button, input)')]"
        ".filter((each) => !each.disabled && each.checkVisibility()).map((each, k) => (each.dataset.stop = k))"
    )
    reached = set()
    for _ in range(len(controls) + 4):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("Number(document.activeElement?.dataset.stop ?? -1)"))
    assert reached >= set(some(controls))
