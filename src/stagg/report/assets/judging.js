"use strict";
// The judging page: the document at hand, keys and buttons for its grade, and what is told of the rest.
(() => {
  const sheet = Report.read("sheet");
  if (!sheet) return;
  const judged = Judged.open(sheet, () => showGrades()), {rows} = judged, count = rows.length;
  const byId = (id) => document.getElementById(id);
  const plural = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
  const meaning = new Map([...sheet.grades, sheet.cannot.slice(0, 2)].map(([grade, words]) => [grade, words]));
  const buttons = [...document.querySelectorAll(".grade")];
  const byKey = new Map(buttons.filter(({dataset}) => dataset.key).map((each) => [each.dataset.key, each.dataset.grade]));
  let at = 0;  // the row at hand; `count` is the end, behind the last one

  const isOpen = (k) => judged.gradeOf(k) === "";
  // the next row without a grade, from k on and then from the start; the end if all have one
  const nextOpen = (k) => {
    const all = judged.grades();
    const after = all.indexOf("", k);
    return after >= 0 ? after : all.includes("") ? all.indexOf("") : count;
  };

  // --- what is shown ---------------------------------------------------------------------------------------------

  // a control character has no look of its own
  const escape = (letter) => {
    const code = letter.codePointAt(0).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, "0")}` : `\\x${code.padStart(2, "0")}`;
  };
  const visible = (text) => text.replace(/\r\n?/g, "\n").replace(/(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, escape);
  const LONG_QUERY = 160;
  const fill = (place, id, text, missing) => {
    const body = place.querySelector(".text");
    place.querySelector(".id").textContent = text ? visible(id) : "";
    body.replaceChildren(...(text ? [visible(text)] : [Report.html("span", {class: "bare"}, Report.bdi(visible(id))), ...missing]));
    body.classList.toggle("long", text.length > LONG_QUERY);
    body.scrollTop = 0;
  };
  const NO_TEXT = "This page has no text of the document. Look it up by its id.";

  const minutesLeft = (left) => {
    const times = judged.entries().flatMap((entry) => (entry?.[1] ? [entry[1]] : [])).sort((a, b) => a - b).slice(-21);
    const pauses = times.slice(1).map((time, k) => time - times[k]).filter((pause) => pause < 300000).sort((a, b) => a - b);
    if (pauses.length < 5 || !left) return "";
    return `about ${Math.max(1, Math.round((left * pauses[pauses.length >> 1]) / 60000))} min left`;
  };
  const showProgress = () => {
    const done = judged.grades().filter((grade) => grade !== "").length, atEnd = at === count;
    byId("place").textContent = atEnd ? `${done} of ${count} judged` : `Document ${at + 1} of ${count} · ${done} judged`;
    byId("left").textContent = minutesLeft(count - done);
    byId("meter").max = Math.max(1, count);
    byId("meter").value = done;
    const wanted = !judged.isSaved();
    for (const id of ["save", "write", "finish"]) byId(id).classList.toggle("wanted", wanted);
    document.title = `${done}/${count} · Judge`;
    const blocked = byId("blocked");
    if (blocked.hidden === judged.isKept()) return;
    blocked.textContent = "This browser keeps nothing for this page. Save to a file before you close it, or your grades are lost.";
    blocked.hidden = judged.isKept();
    byId("kept").hidden = !judged.isKept();
  };
  const showEnd = () => {
    const left = judged.grades().filter((grade) => grade === "").length, [title, words] = byId("end").children;
    title.textContent = left ? `${plural(left, "document is", "documents are")} not judged yet.` : count ? "All documents are judged. Thank you!" : "There is nothing to judge.";
    words.textContent = left ? "You can go on now or later." : "Save the grades to a file. The next call of stagg judge reads it.";
    byId("open").hidden = !left;
    byId("finish").hidden = !count;
  };
  const show = () => {
    const atEnd = at === count, row = rows[at];
    for (const id of ["query", "document", "grades"]) byId(id).hidden = atEnd;
    byId("end").hidden = !atEnd;
    if (atEnd) showEnd();
    else {
      fill(byId("query"), row.query, row.queryText, []);
      fill(byId("document"), row.item, row.itemText, [Report.html("span", {class: "hint"}, NO_TEXT)]);
    }
    byId("back").disabled = at === 0;
    byId("next").disabled = atEnd;
    showGrades();
  };
  // without the texts, which stay as they are
  const showGrades = () => {
    const grade = at < count ? judged.gradeOf(at) : "";
    for (const each of buttons) each.setAttribute("aria-pressed", String(each.dataset.grade === grade));
    const [, last] = judged.newest();
    byId("undo").disabled = last < 0;
    byId("last").textContent = last < 0 ? "" : `Last grade: ${tell(judged.gradeOf(last))}, document ${last + 1}`;
    if (at === count) showEnd();
    showProgress();
  };
  const tell = (grade) => (grade === sheet.cannot[0] ? meaning.get(grade) : `${grade} ${meaning.get(grade) ?? ""}`.trim());
  const say = (words) => { byId("told").textContent = words; };
  const note = (words) => { byId("message").textContent = words; };
  const sayPlace = (before = "") => {
    const done = judged.grades().filter((grade) => grade !== "").length;
    say(`${before}${at === count ? byId("end").firstElementChild.textContent : `Document ${at + 1} of ${count}, ${done} judged.`}`);
  };
  const go = (k, before = "") => {
    at = k;
    show();
    scrollTo({top: Math.min(scrollY, byId("judge").offsetTop), behavior: "instant"});
    sayPlace(before);
  };

  // --- what a person does -----------------------------------------------------------------------------------------

  const grade = (value) => {
    if (at === count) return;
    judged.give(at, value);
    note("");
    flash(value);
    go(nextOpen(at + 1), `${tell(value)}. `);
  };
  const flash = (value) => {
    const button = buttons.find(({dataset}) => dataset.grade === value);
    button.classList.remove("hit");
    void button.offsetWidth;  // so that it starts anew
    button.classList.add("hit");
  };
  const undo = () => {
    const k = judged.undo();
    if (k >= 0) go(k, "Undone. ");
    else say("There is nothing to undo.");
  };
  const step = (by) => at + by >= 0 && at + by <= count && go(at + by);

  const fileName = () => {
    const words = [judged.name(), sheet.plan].map((each) => each.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 40));
    return ["judged", words[1], sheet.batch, words[0]].filter((each) => each !== "").join("-") + ".csv";
  };
  const save = async () => {
    await judged.ready;
    const url = URL.createObjectURL(new Blob([judged.text()], {type: "text/csv"})), name = fileName();
    Report.html("a", {href: url, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
    judged.markSaved();
    showGrades();
    const open = judged.grades().filter((each) => each === "").length;
    note(`Saved as ${name} among your downloads${open ? `; ${plural(open, "document is", "documents are")} open` : ""}.`);
  };
  const load = async (file) => {
    try {
      const {taken, differ, same} = judged.load(await file.text());
      const others = [same && `${same} were here already`, differ && `${differ} differ from grades given here, which stay`].filter((each) => each);
      note([`${plural(taken, "grade")} read from the file`, ...others].join("; ") + ".");
      byId("assessor").value = judged.name();
      go(nextOpen(0));
    } catch (error) {
      note(`This file cannot be loaded. ${error.message}`);
    }
  };

  // A name that comes to grades without one is theirs; else somebody has to say whose they are.
  const commitName = () => {
    const field = byId("assessor"), to = field.value.trim();
    field.value = to;
    if (to === judged.name()) return;
    if (judged.name() === "" || !judged.hasGrades(judged.name())) take(to, judged.name() === "");
    else askWhose(to);
  };
  const take = (to, mine) => {
    if (mine) judged.rename(to);
    else judged.call(to);
    note("");
    go(nextOpen(0));
  };
  const askWhose = (to) => {
    const dialog = byId("whose"), given = judged.entries().filter((entry) => entry).length;
    byId("assessor").value = judged.name();
    dialog.querySelector("p").textContent = `${plural(given, "grade")} on this page ${given === 1 ? "was" : "were"} given as \u2068${judged.name()}\u2069. If you are somebody else, you start without them; they are kept.`;
    dialog.returnValue = "";
    dialog.onclose = () => {
      if (!dialog.returnValue) return;
      byId("assessor").value = to;
      take(to, dialog.returnValue === "mine");
    };
    dialog.showModal();
  };

  // --- keys and buttons -------------------------------------------------------------------------------------------

  const help = () => {
    byId("help").showModal();
    byId("help").querySelector("form button").focus();
  };
  const ACTIONS = new Map([["u", undo], ["Backspace", undo], ["ArrowLeft", () => step(-1)], ["ArrowRight", () => step(1)],
    ["s", save], ["?", help]]);
  // The key that is meant, also where digits need Shift (French keyboards) or letters are not Latin.
  const keyOf = ({key, code, shiftKey}) => {
    const plain = key.length === 1 ? key.toLowerCase() : key;
    if (byKey.has(plain) || ACTIONS.has(plain)) return plain;
    const [, kind, sign] = /^(Digit|Key)(.)$/.exec(code) ?? [];
    if (kind === "Digit") return shiftKey ? plain : sign;
    return kind === "Key" && plain > "\u024f" ? sign.toLowerCase() : plain;
  };
  const isTyping = ({target}) => target instanceof Element && target.matches('input:not([type="checkbox"]), textarea, select');
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event) || document.querySelector("dialog[open]")) return;
    const key = keyOf(event), act = byKey.has(key) ? () => grade(byKey.get(key)) : ACTIONS.get(key);
    if (!act || (!byId("keys").checked && key.length === 1 && key !== "?")) return;
    event.preventDefault();
    if (!event.repeat || key.startsWith("Arrow")) act();  // a key held down is one grade
  });
  for (const each of buttons) {
    each.addEventListener("click", (event) => {
      if (event.detail > 1) return;  // the second half of a double click would grade a document that nobody has read
      grade(each.dataset.grade);
      if (event.detail) each.blur();  // so that the space bar reads on
    });
  }
  const press = (id, act) => byId(id).addEventListener("click", act);
  press("undo", undo);
  press("back", () => step(-1));
  press("next", () => step(1));
  for (const id of ["save", "write", "finish"]) press(id, save);
  press("open", () => go(nextOpen(0)));
  press("ask", help);
  press("load", () => byId("chosen").click());
  byId("chosen").addEventListener("change", async ({target}) => {
    const [file] = target.files;
    if (file) await load(file);
    target.value = "";
  });
  byId("assessor").addEventListener("change", commitName);
  byId("assessor").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();  // or it would press the first button of the dialog that this may open
    event.target.blur();
  });

  // --- other tabs, leaving, and what sticks --------------------------------------------------------------------------

  addEventListener("storage", showGrades);
  addEventListener("pageshow", showGrades);
  addEventListener("beforeunload", (event) => { if (!judged.isSaved()) event.preventDefault(); });
  // what is brought into view must not be below what sticks to the edges of the window
  const makeRoom = () => {
    const {style} = document.documentElement, beside = getComputedStyle(byId("side")).display !== "contents";
    style.scrollPaddingTop = `${byId("top").offsetHeight}px`;
    style.scrollPaddingBottom = `${beside ? 0 : byId("grading").offsetHeight}px`;
  };

  byId("judge").hidden = false;
  byId("assessor").value = judged.name();
  new ResizeObserver(makeRoom).observe(byId("reading"));
  const first = at = nextOpen(0);
  show();
  judged.ready.then((news) => {
    if (!news) return;
    byId("assessor").value = judged.name();
    if (at === first) at = nextOpen(0);  // nobody has gone on meanwhile
    show();
  });
})();
