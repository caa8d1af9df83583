"use strict";
// The grades of a sheet: kept in the browser, an entry for each document, and written as the file that stagg reads.
// An entry of its own for each means that two tabs of one page cannot overwrite each other's grades.
const Judged = (() => {
  // --- CSV (RFC 4180) -------------------------------------------------------------------------------------------

  const quote = (cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const writeCsv = (rows) => rows.map((cells) => `${cells.map((cell) => quote(String(cell))).join(",")}\r\n`).join("");
  // rows of cells; a spreadsheet may have put semicolons or tabs between them
  const readCsv = (text) => {
    const first = text.split(/[\r\n]/, 1)[0];
    const counted = [",", ";", "\t"].map((each) => [first.split(each).length, each]);
    const mark = counted.reduce((one, other) => (other[0] > one[0] ? other : one))[1];
    const cell = new RegExp(`("(?:[^"]|"")*"|(?!")[^${mark}\r\n]*)(${mark}|\r\n|\r|\n|$)`, "y");
    const rows = [];
    let row = [];
    while (cell.lastIndex < text.length) {
      const found = cell.exec(text);
      if (!found) throw new Error("a quotation mark is not closed, or stands inside a cell");
      row.push(found[1].startsWith('"') ? found[1].slice(1, -1).replaceAll('""', '"') : found[1]);
      if (found[2] === mark) {
        if (cell.lastIndex === text.length) row.push("");
        else continue;
      }
      rows.push(row);
      row = [];
    }
    return rows;
  };

  // --- the browser's storage ------------------------------------------------------------------------------------

  const attempt = (act) => {
    try {
      return act();
    } catch {
      return null;
    }
  };
  // Values by key, each with a stamp: of two values the newer counts. The browser's storage alone would lose grades:
  // Chromium leaves some of the pages that it opens as it starts outside the storage that all pages share, so that
  // nobody sees what they keep there, not even they themselves once they are loaded anew. So each value also goes to the
  // storage of the tab, to a database, and to the other tabs. What the browser does not take is in memory while the page
  // is open.
  const openStore = (prefix, changed) => {
    const memory = new Map();
    let kept = true;
    const ask = (act) => {
      try {
        return act(localStorage);
      } catch {
        kept = false;
        return null;
      }
    };
    const read = (text) => {
      try {
        const found = JSON.parse(text);
        return Array.isArray(found) && Number.isFinite(found[0]) ? found : [0, null];
      } catch {
        return [0, null];
      }
    };
    const textOf = (key) => memory.get(key) ?? ask((storage) => storage.getItem(key));
    const write = (key, text) => {
      memory.set(key, text);
      if (ask((storage) => storage.setItem(key, text)) === undefined) memory.delete(key);
      if (kept && key.startsWith(prefix)) attempt(() => sessionStorage.setItem(key, text));
    };
    // whether this value of another tab, or of the database, is news here
    const take = (key, text) => {
      const here = textOf(key), newer = read(text)[0] - read(here)[0];
      if (newer < 0 || (newer === 0 && !(text > (here ?? "")))) return false;
      write(key, text);
      return true;
    };
    ask((storage) => {
      storage.setItem(prefix, "");
      storage.removeItem(prefix);
    });
    const ofTab = (kept && attempt(() => Object.entries(sessionStorage))) || [];
    for (const [key, text] of ofTab) if (key.startsWith(prefix)) take(key, text);
    const others = kept ? openOthers((key, text) => { if (take(key, text)) changed(); }) : null;
    const set = (key, value) => {
      const text = JSON.stringify([Math.max(Date.now(), read(textOf(key))[0] + 1), value]);
      write(key, text);
      others?.tell(key, text);
    };
    const restore = async (ranges) => {
      const found = await others?.recall(ranges) ?? [];
      return found.map(([key, text]) => take(key, text)).includes(true);
    };
    return {get: (key) => read(textOf(key))[1] ?? null, set, remove: (key) => set(key, null), isKept: () => kept, restore};
  };

  // The database and the other tabs; where a browser has neither, nothing is told and nothing recalled.
  const NAME = "stagg judge", VALUES = "values", PATIENCE = 2000;
  const openOthers = (receive) => {
    const answer = (request) => new Promise((done) => {
      request.onsuccess = () => done(request.result);
      request.onerror = () => done(null);
    });
    const channel = attempt(() => new BroadcastChannel(NAME));
    channel?.addEventListener("message", ({data}) => {
      if (Array.isArray(data) && data.every((each) => typeof each === "string")) receive(...data);
    });
    const opening = attempt(() => indexedDB.open(NAME, 1));
    if (opening) opening.onupgradeneeded = () => opening.result.createObjectStore(VALUES);
    const database = opening ? answer(opening) : Promise.resolve(null);
    const values = async (mode) => (await database)?.transaction(VALUES, mode).objectStore(VALUES);
    const tell = (key, text) => {
      attempt(() => channel?.postMessage([key, text]));
      values("readwrite").then((store) => {
        store?.put(text, key);
        store?.transaction.commit?.();  // or a page that is closed at once would take it back
      }).catch(() => {});
    };
    const find = async (first, last) => {
      const store = await values("readonly"), range = IDBKeyRange.bound(first, last);
      const [keys, texts] = await Promise.all([answer(store.getAllKeys(range)), answer(store.getAll(range))]);
      return keys.map((key, k) => [key, texts[k]]);
    };
    const recall = async (ranges) => {
      const late = new Promise((done) => { setTimeout(done, PATIENCE, []); });
      const found = Promise.all(ranges.map(([first, last]) => find(first, last).catch(() => [])));
      return (await Promise.race([found, late])).flat().filter(([, text]) => typeof text === "string");
    };
    return {tell, recall};
  };

  // --- the grades of one assessor ---------------------------------------------------------------------------------

  const open = (sheet, changed) => {
    const prefix = `${JSON.stringify(["stagg judge", sheet.plan, sheet.batch]).slice(0, -1)},`;
    const store = openStore(prefix, changed);
    const rows = sheet.rows.map(([query, item, grade, assessor, queryText, itemText]) => ({query, item, grade, assessor, queryText, itemText}));
    const known = new Set([...sheet.grades.map(([grade]) => grade), sheet.cannot[0]]);
    let name = "";
    // pages that are opened as files share one storage: keys carry the plan, the batch and the assessor
    const keyOf = (k, whose = name) => JSON.stringify(["stagg judge", sheet.plan, sheet.batch, whose, ...(k === null ? [] : [rows[k].query, rows[k].item])]);
    const LAST = JSON.stringify(["stagg judge", "assessor"]);

    // [grade, time, the entry before it or null]; anything else that stands there is none
    const entryOf = (k, whose = name) => {
      try {
        const entry = JSON.parse(store.get(keyOf(k, whose)));
        return Array.isArray(entry) && known.has(entry[0]) ? entry : null;
      } catch {
        return null;
      }
    };
    const entries = () => rows.map((_, k) => entryOf(k));
    const gradeOf = (k) => entryOf(k)?.[0] ?? rows[k].grade;
    const grades = () => rows.map((_, k) => gradeOf(k));
    const keep = (k, entry, whose = name) => {
      if (entry) store.set(keyOf(k, whose), JSON.stringify(entry));
      else store.remove(keyOf(k, whose));
    };
    const newest = () => entries().reduce((best, entry, k) => (entry && entry[1] > best[0] ? [entry[1], k] : best), [0, -1]);
    const give = (k, grade) => keep(k, [grade, Math.max(Date.now(), newest()[0] + 1), entryOf(k)]);
    // the last grade that was given, in whichever tab, goes; the number of its row, -1 if there is none
    const undo = () => {
      const [, k] = newest();
      if (k >= 0) keep(k, entryOf(k)[2]);
      return k;
    };

    // What a file would hold, to know whether the last one still holds it.
    const signature = () => JSON.stringify([name, ...grades()]);
    const isSaved = () => entries().every((entry) => !entry) || store.get(keyOf(null)) === signature();
    const markSaved = () => store.set(keyOf(null), signature());

    const hasGrades = (whose) => rows.some((_, k) => entryOf(k, whose));
    // an earlier name of this assessor; the newer of two grades stays
    const rename = (to) => {
      rows.forEach((_, k) => {
        const mine = entryOf(k), there = entryOf(k, to);
        if (mine && !(there && there[1] > mine[1])) keep(k, mine, to);
        keep(k, null);
      });
      store.remove(keyOf(null));
      call(to);
    };
    const call = (whose) => {
      name = whose;
      store.set(LAST, name);
      try {
        sessionStorage.setItem(LAST, name);
      } catch { /* then two assessors in two tabs must look at the name after a reload */ }
    };
    const recall = () => {
      try {
        return sessionStorage.getItem(LAST) ?? store.get(LAST) ?? "";
      } catch {
        return store.get(LAST) ?? "";
      }
    };
    name = recall();
    // what the browser kept elsewhere; resolves to whether any of it is news
    const ready = store.restore([[prefix, `${prefix}\uffff`], [LAST, LAST]]).then((news) => {
      if (news && name === "" && !hasGrades(name)) name = recall();
      return news;
    });

    const text = () => writeCsv([sheet.columns, ...rows.map((row, k) => {
      const entry = entryOf(k);
      return [row.query, row.item, entry?.[0] ?? row.grade, entry ? name : row.assessor, sheet.plan, sheet.batch, sheet.points, row.queryText, row.itemText];
    })]);

    // Grades from a file that was saved before; returns what became of them, or throws what is wrong with the file.
    const load = (given) => {
      const found = readGrades(given);
      const names = new Set(found.map(({assessor}) => assessor).filter((each) => each));
      if (names.size > 1) throw new Error("It has grades of several assessors. Give it to stagg judge, which joins them.");
      const [whose] = [...names, name];
      if (whose !== name) {
        if (name !== "" || hasGrades(name)) throw new Error(`It has grades of “${whose}”. To go on with them, write that name into “Your name”, and load the file again.`);
        call(whose);
      }
      let taken = 0, differ = 0;
      for (const {k, grade} of found) {
        const entry = entryOf(k);
        if (!entry) {
          keep(k, [grade, 0, null]);  // at time 0: nothing to undo
          taken++;
        } else if (entry[0] !== grade) differ++;
      }
      const inFile = new Map(found.map(({k, grade}) => [k, grade]));
      if (entries().every((entry, k) => !entry || inFile.get(k) === entry[0])) markSaved();
      return {taken, differ, same: found.length - taken - differ};
    };
    const readGrades = (given) => {
      const [header = [], ...lines] = readCsv(given.replace(/^\ufeff/, ""));
      const columns = header.map((each) => each.trim());
      const lacking = ["query", "item", "grade", "plan", "batch"].filter((each) => !columns.includes(each));
      if (lacking.length) throw new Error(`It is not a file of this page: it has no column “${lacking[0]}”.`);
      const cell = (line, column) => line[columns.indexOf(column)] ?? "";
      const ours = lines.filter((line) => cell(line, "plan").trim() === sheet.plan && Number(cell(line, "batch")) === sheet.batch);
      const other = lines.find((line) => cell(line, "plan"));
      if (!ours.length && other) {
        throw new Error(`It belongs to batch ${cell(other, "batch")} of the plan ${cell(other, "plan")}; this page is batch ${sheet.batch} of ${sheet.plan}.`);
      }
      const place = new Map(rows.map(({query, item}, k) => [JSON.stringify([query, item]), k]));
      return ours.map((line) => ({
        k: place.get(JSON.stringify([cell(line, "query"), cell(line, "item")])),
        grade: cell(line, "grade").trim().toLowerCase(), assessor: cell(line, "assessor").trim(),
      })).filter(({k, grade, assessor}) => k !== undefined && known.has(grade)
        && !(grade === rows[k].grade && assessor === rows[k].assessor));
    };

    return {rows, entries, entryOf, gradeOf, grades, give, undo, newest, isSaved, markSaved, hasGrades, rename, call, text, load, ready,
      isKept: store.isKept, name: () => name};
  };

  return {open, readCsv, writeCsv};
})();
