"use strict";
// The explorer: controls over a setting, and views that follow it. The arithmetic is Fusion's, the charts are Report's.
(() => {
  const {html, svg, bdi, brief, number, percent, text, line, fill} = Report;
  const data = Report.read("explorer"), packed = Report.read("fusion");
  if (!data) return;
  const opened = Fusion.unpack(data), names = data.rankers, count = data.queries.length;
  const MOST_LISTS = 30, RANKS = 30, TOP = 10, ROWS = 25, STEP = 0.05;
  const LENGTHS = [10, 20, 50, 100];
  const byId = (id) => document.getElementById(id);
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const plural = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
  const signed = (value, digits = 4) => {
    const words = value.toFixed(digits);
    return Number(words) === 0 ? (0).toFixed(digits) : (value > 0 ? "+" : "−") + words.replace("-", "");
  };

  // --- the setting ------------------------------------------------------------------------------------------------------

  const offered = new Map(data.methods.map((each) => [each.default.name, each]));
  const start = () => ({
    method: {...data.start.method}, depth: data.start.depth,
    weights: data.start.weights.map((weight) => weight || 1), on: data.start.weights.map((weight) => weight > 0),
  });
  let state = start(), reference = start(), shown = 20;
  // what Fusion takes: a ranker that is off has weight 0
  const settingOf = ({method, weights, on, depth}) =>
    ({...method, weights: weights.map((weight, k) => (on[k] ? weight : 0)), depth: depth ?? data.cut});
  const same = (one, other) => JSON.stringify(settingOf(one)) === JSON.stringify(settingOf(other));
  const isStart = () => same(state, start());

  const call = ([name, value]) => (value === undefined || value === null ? name : `${name}(${value})`);
  // the method as stagg writes it
  const methodText = (method) => {
    const usual = offered.get(method.name).default, given = [];
    for (const key of ["c", "phi", "sigma", "gamma"]) if (key in method) given.push(`${key}=${method[key]}`);
    if (method.norm && method.norm !== "min-max") given.push(`norm='${method.norm}'`);
    if (method.name === "stagg") given.push(`utility='${call(method.utility)}'`);
    if (method.shape && method.name !== "stagg_trust" && call(method.shape) !== call(usual.shape)) given.push(`shape='${call(method.shape)}'`);
    return given.length ? `${method.name}(${given.join(", ")})` : method.name;
  };
  const weightsText = (weights) => {
    if (weights.every((weight) => weight === 1)) return "";
    if (!data.source.names) return weights.join(",");
    return weights.flatMap((weight, k) => (weight === 1 ? [] : [`${data.source.names[k]}=${weight}`])).join(",");
  };
  const describe = (given) => {
    const {weights, depth, missing, name} = settingOf(given);
    const words = [methodText(given.method)];
    words.push(weights.every((weight) => weight === weights[0]) ? "equal weights" : `weights ${weights.map((w) => number(w)).join(", ")}`);
    if (missing !== offered.get(name).honours[0]) words.push(`missing ${missing}`);
    if (depth !== null) words.push(`depth ${depth}`);
    return words.join("; ");
  };
  const [MODEL, MODEL_TEXT] = data.source.model ?? ["stagg-trust.json", '"stagg-trust.json"'];
  const commandText = () => {
    const {weights, depth, missing, name} = settingOf(state), words = ["stagg fuse", data.source.words];
    words.push(name === "stagg_trust" ? `--model ${MODEL}` : `--method "${methodText(state.method)}"`);
    if (weightsText(weights)) words.push(`--weights ${weightsText(weights)}`);
    if (missing !== offered.get(name).honours[0]) words.push(`--missing ${missing}`);
    if (depth !== null) words.push(`--depth ${depth}`);
    if (data.keep !== null) words.push(`--top ${data.keep}`);
    return [...words, "-o fused-new.trec"].join(" ");  // no name that other examples have: -o replaces a file
  };
  const pythonText = () => {
    const {weights, depth, missing, name} = settingOf(state);
    const given = [name === "stagg_trust" ? `stagg.load_model(${MODEL_TEXT})` : JSON.stringify(methodText(state.method))];
    const named = data.source.names;
    if (weightsText(weights)) {
      given.push(named ? `weights={${weights.flatMap((weight, k) => (weight === 1 ? [] : [`${JSON.stringify(named[k])}: ${weight}`])).join(", ")}}`
        : `weights=[${weights.join(", ")}]`);
    }
    if (missing !== offered.get(name).honours[0]) given.push(`missing="${missing}"`);
    if (depth !== null) given.push(`depth=${depth}`);
    if (data.keep !== null) given.push(`top=${data.keep}`);
    return `stagg.fuse(${data.source.call}, ${given.join(", ")})`;
  };

  // --- the setting as part of the address ---------------------------------------------------------------------------------

  const NUMBERS = ["c", "phi", "sigma", "gamma"];
  const encode = ({method, weights, on, depth}) => {
    const found = new URLSearchParams({m: method.name});
    for (const key of [...NUMBERS, "norm", "missing"]) if (key in method) found.set(key, method[key]);
    if (method.name === "stagg") found.set("utility", method.utility.join(" "));
    if (method.shape) found.set("shape", method.shape.join(" "));
    found.set("w", weights.join(" "));
    const off = on.flatMap((each, k) => (each ? [] : [k + 1]));
    if (off.length) found.set("off", off.join(" "));
    if (depth !== null) found.set("depth", depth);
    return found.toString();
  };
  // Whether a text or a number lies within the limits of what it is for; NaN lies nowhere.
  const isNumber = (words, key) => {
    const value = Number(words), [low, high] = data.limits[key];
    return words !== null && words !== "" && value >= low && value <= high;
  };
  const isWeight = (value) => value === 0 || isNumber(value, "weight");
  const isDepth = (value) => Number.isInteger(value) && value >= 1;
  const cutTo = (value) => (value >= data.depth ? null : value);  // no list is longer
  // [name, number] of a shape or a utility, null if it is none: some need a number, the others have none
  const pair = (words, known) => {
    const [name, value] = (words ?? "").split(" ");
    if (!known.includes(name)) return null;
    if (!(name in data.limits)) return value === undefined ? [name] : null;
    return value !== undefined && isNumber(value, name) ? [name, Number(value)] : null;
  };
  // What somebody sent may be anything: what is not understood is left as it was at the start.
  const decode = (words) => {
    const given = new URLSearchParams(words), found = start(), entry = offered.get(given.get("m"));
    if (entry) found.method = {...(found.method.name === given.get("m") ? found.method : entry.default)};
    const {method} = found, chosen = offered.get(method.name);
    for (const key of NUMBERS) if (key in method && isNumber(given.get(key), key)) method[key] = Number(given.get(key));
    if (chosen.norms.includes(given.get("norm"))) method.norm = given.get("norm");
    if (chosen.honours.includes(given.get("missing"))) method.missing = given.get("missing");
    if (method.name === "stagg") method.utility = pair(given.get("utility"), data.utilities) ?? method.utility;
    if (method.shape && method.name !== "stagg_trust") method.shape = pair(given.get("shape"), data.shapes) ?? method.shape;
    if (method.name === "stagg_rrf") method.utility = ["rrf", method.c];
    const weights = (given.get("w") ?? "").split(" ").map(Number);
    if (weights.length === names.length && weights.every((weight, k) => isWeight(weight) || weight === found.weights[k])) found.weights = weights;
    if (given.has("w")) found.on = names.map(() => true);
    for (const k of (given.get("off") ?? "").split(" ")) if (found.on[k - 1]) found.on[k - 1] = false;
    const depth = Number(given.get("depth") ?? NaN);
    if (given.has("w")) found.depth = isDepth(depth) ? cutTo(depth) : null;
    return found;
  };
  const address = () => {
    const found = new URLSearchParams();
    if (count > 1) found.set("query", data.queries[query].id);
    if (!isStart()) found.set("s", encode(state));
    if (!same(reference, start())) found.set("ref", encode(reference));
    return `#${found}`;
  };
  const keep = () => {
    try {
      history.replaceState(null, "", address());
    } catch { /* inside the frame of a notebook there is no address to keep */ }
  };
  const readAddress = (hash) => {
    const given = new URLSearchParams(hash.slice(1));
    state = given.has("s") ? decode(given.get("s")) : start();
    reference = given.has("ref") ? decode(given.get("ref")) : start();
    return given.get("query");
  };

  // --- controls ---------------------------------------------------------------------------------------------------------------

  const on = (element, type, act) => {
    element.addEventListener(type, act);
    return element;
  };
  const button = (words, act, attributes = {}) => on(html("button", {type: "button", ...attributes}, words), "click", act);
  const option = (value, words = value) => html("option", {value}, words);
  const field = (id, words, ...inputs) => html("div", {class: "field"}, html("label", {for: id}, words), ...inputs);

  // a slider and the same as a number: a person may type what the slider has no place for
  const slider = (id, label, [low, high, step], set) => {
    const range = html("input", {type: "range", id, min: low, max: high, step});
    const exact = html("input", {type: "number", id: `${id}-number`, "aria-label": `${label}, as a number`, step: "any"});
    on(range, "input", () => { exact.value = range.value; set(Number(range.value)); });
    on(exact, "input", () => {
      if (exact.value === "" || !exact.validity.valid) return;
      range.value = exact.value;
      set(Number(exact.value));
    });
    const show = (value) => { range.value = value; exact.value = value; };
    return {range, exact, show};
  };

  const change = (edit) => {
    edit(state);
    update();
  };
  const WORDS = {c: "c: how much the first ranks count (small: more)", phi: "φ: how far a reader goes on",
    sigma: "σ: what single finds count", gamma: "γ: how much the number of lists counts"};
  const ABSENCE = {below: "it lost (below)", neutral: "nothing is known (neutral)", skip: "the list does not speak of it (skip)"};
  const method = html("select", {id: "method"}, [...offered.keys()].map((name) => option(name)));
  on(method, "change", () => change(() => {
    state.method = {...(method.value === data.start.method.name ? data.start.method : offered.get(method.value).default)};
  }));
  const hint = html("p", {class: "hint"});
  const numbers = Object.fromEntries(NUMBERS.map((key) => {
    const made = slider(`parameter-${key}`, key, key === "phi" ? [0.5, 0.99, 0.01] : key === "sigma" ? [0, 1, 0.01]
      : key === "gamma" ? [-1, 3, 0.1] : [0, 120, 1], (value) => {
      if (!isNumber(String(value), key)) return;
      change(({method}) => {
        method[key] = value;
        if (method.name === "stagg_rrf") method.utility = ["rrf", value];
      });
    });
    return [key, {...made, row: field(`parameter-${key}`, WORDS[key], html("div", {class: "pair"}, made.range, made.exact))}];
  }));
  const choice = (id, words, set) => {
    const select = on(html("select", {id}), "change", () => change(set(select)));
    return {select, row: field(id, words, select)};
  };
  const norm = choice("norm", "Scores are brought to one scale by", (select) => ({method}) => { method.norm = select.value; });
  const missing = choice("missing", "An item that a list does not hold", (select) => ({method}) => { method.missing = select.value; });
  const depth = slider("depth", "depth", [1, data.depth, 1], (value) => {
    if (isDepth(value)) change((given) => { given.depth = cutTo(value); });
  });
  const rankers = names.map((name, k) => {
    const label = `weight of ${brief(name)}`;
    const {range, exact, show} = slider(`weight-${k}`, label, [0, 3, STEP], (value) => {
      if (isWeight(value)) change((given) => { given.weights[k] = value; given.on[k] = value > 0; });
    });
    exact.setAttribute("min", 0);
    range.setAttribute("aria-label", label);
    const used = on(html("input", {type: "checkbox", id: `use-${k}`}), "change", () => change((given) => {
      given.on[k] = used.checked;
      if (used.checked && !given.weights[k]) given.weights[k] = 1;
    }));
    const note = html("span", {class: "note"});
    const row = html("div", {class: "ranker"}, html("label", {class: "use", for: `use-${k}`}, used, html("bdi", {"data-name": brief(name)}, name), note),
      html("div", {class: "pair"}, range, exact));
    return {row, used, show, note};
  });

  const preset = (words, edit) => button(words, () => change(edit));
  const even = (given) => { given.weights = names.map(() => 1); given.on = names.map(() => true); };
  const presets = [
    preset("Equal", even),
    data.learned?.method ? preset("Learned weights", (given) => {
      given.method = {...data.learned.method};
      given.weights = data.learned.weights.map((weight) => weight || 1);
      given.on = data.learned.weights.map((weight) => weight > 0);
    }) : null,
    data.trust ? preset("Trust", (given) => { even(given); given.method = {...offered.get("stagg_trust").default}; }) : null,
    button("Reset", () => { state = start(); update(); }),
  ];
  const against = html("p", {class: "hint"}), scoreLine = html("p", {class: "score-line", hidden: !data.measures});
  const pin = html("div", {class: "buttons"}, button("Pin as reference", () => { reference = structuredClone(state); update(); }),
    button("Go back to it", () => { state = structuredClone(reference); update(); }));

  const copied = html("span", {class: "told", role: "status"});
  const copy = (area, words) => button("Copy", async () => {
    try {
      await navigator.clipboard.writeText(area.value);
      copied.textContent = "Copied.";
    } catch {
      area.select();
      copied.textContent = "Selected: copy it with the keyboard.";
    }
    setTimeout(() => { copied.textContent = ""; }, 3000);
  }, {"aria-label": `Copy the ${words}`});
  const area = (id, words, rows) => {
    const box = html("textarea", {id, readonly: true, rows, spellcheck: "false"});
    return {box, row: html("div", {class: "field"}, html("label", {for: id}, words), html("div", {class: "copied"}, box, copy(box, words)))};
  };
  const command = area("command", "command", 3), python = area("python", "Python call", 3), link = area("link", "link to this setting", 2);
  const save = button("Save the trust as a file", () => {
    const url = URL.createObjectURL(new Blob([data.trust.file], {type: "application/json"}));
    html("a", {href: url, download: "stagg-trust.json"}).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  });

  const build = () => {
    byId("controls").append(
      html("div", {class: "buttons", role: "group", "aria-label": "Presets"}, presets), scoreLine,
      field("method", "Method", method), hint, ...NUMBERS.map((key) => numbers[key].row), norm.row, missing.row,
      field("depth", "Items used of every list", html("div", {class: "pair"}, depth.range, depth.exact)),
      html("fieldset", {}, html("legend", {}, "Weights of the rankers"), rankers.map(({row}) => row)),
      pin, against,
      html("details", {open: true, class: "take"}, html("summary", {}, "Take this setting with you"), command.row, save, python.row, link.row, copied));
  };
  let listedFor = null;
  const lead = packed && document.querySelector(".lead");
  const showControls = () => {
    if (lead) lead.hidden = !isStart();  // it speaks of the fusion that was made
    const {name} = state.method, chosen = offered.get(name);
    method.value = name;
    hint.textContent = chosen.summary;
    for (const key of NUMBERS) {
      numbers[key].row.hidden = !(key in state.method);
      if (key in state.method && Number(numbers[key].exact.value) !== state.method[key]) numbers[key].show(state.method[key]);
    }
    norm.row.hidden = !chosen.norms.length;
    if (listedFor !== name) {
      norm.select.replaceChildren(...chosen.norms.map((each) => option(each)));
      missing.select.replaceChildren(...chosen.honours.map((each) => option(each, ABSENCE[each])));
      listedFor = name;
    }
    norm.select.value = state.method.norm ?? "";
    missing.select.value = state.method.missing;
    missing.select.disabled = chosen.honours.length < 2;
    if (Number(depth.exact.value) !== (state.depth ?? data.depth)) depth.show(state.depth ?? data.depth);
    rankers.forEach(({row, used, show, note}, k) => {
      used.checked = state.on[k];
      row.classList.toggle("off", !state.on[k]);
      const [range, exact] = row.querySelectorAll(".pair input");
      if (Number(exact.value) !== state.weights[k] || Number(range.value) === 0) show(state.weights[k]);
      note.textContent = name === "stagg_trust" && data.trust.rankers[k] ? `trust ×${number(data.trust.rankers[k].influence)}` : "";
    });
    link.row.hidden = location.protocol === "about:";  // the frame of a notebook has no address
    save.hidden = name !== "stagg_trust" || data.source.model !== null;
    against.textContent = `Reference: ${same(state, reference) ? "this setting" : describe(reference)}.`;
  };
  const showTexts = () => {
    command.box.value = commandText();
    python.box.value = pythonText();
    link.box.value = location.href;
  };

  // --- one query ------------------------------------------------------------------------------------------------------------

  let query = 0, wanted = null;  // the item that is to be first
  const fused = (k, given, most) => opened.fuse(k, settingOf(given), most);
  const placesOf = (order) => {
    const places = new Map();
    order.forEach((item, place) => places.set(item, place));
    return places;
  };
  const heaviest = (lists, weights) => {
    const order = lists.map((_, k) => k).sort((a, b) => weights[b] - weights[a] || a - b);
    return order.slice(0, MOST_LISTS).sort((a, b) => a - b);
  };
  const ranksOf = ({items, tied}, n) => {
    const ranks = new Array(n).fill(null);
    for (let low = 0, high; low < items.length; low = high) {
      for (high = low + 1; high < items.length && tied[high]; high++);
      for (let e = low; e < high; e++) ranks[items[e]] = (low + high + 1) / 2;
    }
    return ranks;
  };
  // the scores of summed methods as parts; what rounding or a factor of the item makes of the sum is shared
  const partsOf = (found, items, shownLists) => {
    const all = Fusion.parts(opened.input, found.bound, found.votes, items);
    const totals = items.map((_, i) => sum(all.map((row) => row[i])));
    const scaled = all.map((row) => Array.from(row, (value, i) => (totals[i] ? value * found.scores[i] / totals[i] : value)));
    const inside = new Set(shownLists);
    return {parts: shownLists.map((k) => scaled[k]),
      rest: items.map((_, i) => sum(scaled.filter((_, k) => !inside.has(k)).map((row) => row[i])))};
  };
  // lists of two items each: wins[i][j] voters put items[i] above items[j]
  const winsOf = (lists, items) => {
    const at = placesOf(items), wins = items.map(() => new Array(items.length).fill(0));
    for (const {ranker, items: [above, below], tied} of lists) {
      const i = at.get(above), j = at.get(below), votes = data.multiplicities[ranker];
      if (i === undefined || j === undefined) continue;
      wins[i][j] += tied[1] ? votes / 2 : votes;
      if (tied[1]) wins[j][i] += votes / 2;
    }
    return wins;
  };
  const SHORT = "No intervals or rank distribution: this method's score is not a weighted sum over the rankers. stagg fuse --intervals has them.";
  const OTHERS = "No intervals or rank distribution: this file has no draws of just these rankers. stagg fuse --intervals has them.";
  const look = (k) => {
    const found = fused(k, state), before = placesOf(fused(k, reference).order);
    const items = found.order.slice(0, shown), {lists} = found.bound, {summed, additive} = Fusion.METHODS[state.method.name];
    const some = heaviest(lists, lists.map(({ranker}) => found.votes[ranker]));
    const result = {
      id: data.queries[k].id, size: found.size, items: items.map((item) => data.queries[k].items[item]), numbers: items, found,
      scores: Array.from(found.scores.slice(0, shown)), lists: some.map((each) => lists[each].ranker),
      lengths: some.map((each) => lists[each].items.length),
      ranks: some.map((each) => ranksOf(lists[each], found.bound.query.n)).map((ranks) => items.map((item) => ranks[item])),
      changes: items.map((item, place) => (before.has(item) ? before.get(item) - place : null)),
    };
    const {name, norm} = state.method;
    if (offered.get(name).relevant.includes(offered.get(name).norms.length ? norm : true)) {
      result.best = sum(lists.map((list) => list.top * found.votes[list.ranker] * data.multiplicities[list.ranker] * list.factor));
    }
    if (packed?.queries[k]?.wins) result.wins = winsOf(lists, items);
    if (state.method.name === "stagg_trust") result.confidence = some.map((each) => lists[each].factor);
    if (summed) Object.assign(result, partsOf(found, items, some));
    if (Fusion.canResample(opened.input, found)) {
      const ranks = Fusion.resample(opened.input, found, shown), sure = Fusion.intervals(ranks, found.tied, data.level, data.top);
      for (const [name, values] of Object.entries(sure)) result[name] = values.slice(0, shown);
      result.chances = Fusion.rankShares(ranks, RANKS).slice(0, shown).map((row) => row.map((share) => 1000 * share));
    } else result.reasons = {chances: additive ? OTHERS : SHORT};
    return result;
  };
  let current = null;
  // a report shows what was fused, with its own intervals, until a control is moved
  const asWritten = () => packed && isStart() && shown === 20 && packed.queries[query]?.id === data.queries[query].id;
  // what has many marks waits until the slider rests
  const AT_ONCE = ["consensus", "bump", "parts", "strengths", "wins"], AFTERWARDS = ["chances"];
  const showRest = later(() => {
    Report.draw(asWritten() ? Report.unpacked(packed.queries[query]) : current, AFTERWARDS);
    showFirst();
  }, 60);
  const showQuery = (k) => {
    query = k;
    current = look(k);
    Report.use(asWritten() ? packed : data);
    Report.draw(asWritten() ? Report.unpacked(packed.queries[k]) : current, AT_ONCE);
    showRest();
    return current;
  };

  // --- what would put this item first? ------------------------------------------------------------------------------------------

  const item = html("select", {id: "item"}), answer = html("p", {class: "answer", role: "status"});
  const apply = button("Apply", () => {
    change((given) => { given.weights = apply.weights; });
    item.focus();  // the button leaves
  }, {hidden: true});
  on(item, "change", () => { wanted = Number(item.value); answerFirst(); });
  const showFirst = () => {
    if (!byId("first")) return;
    const {order} = current.found;
    if (!order.includes(wanted)) wanted = order[1] ?? order[0];
    item.replaceChildren(...order.slice(0, 500).map((each, place) => html("option", {value: each, dir: "auto"}, `${place + 1}. ${data.queries[query].items[each]} ${Report.titles.items.get(data.queries[query].items[each]) ?? ""}`.trim())));
    item.value = String(wanted);
    answerFirst();
  };
  const answerFirst = () => {
    apply.hidden = true;
    if (!current?.found.order.length) {
      answer.textContent = "This query has no candidates.";
      return;
    }
    answer.textContent = words();
  };
  const words = () => {
    if (current.found.order[0] === wanted) return "It is first already.";
    if (!Fusion.METHODS[state.method.name].additive) {
      return "There is no simple answer for this method: its score is not a weighted sum over the rankers. Try rrf, borda or combsum.";
    }
    const setting = settingOf(state), weights = Fusion.putFirst(opened, query, setting, wanted);
    if (!weights) return "No weights put it first, as long as each ranker that is on keeps at least 0.01.";
    apply.hidden = false;
    apply.weights = state.weights.map((weight, k) => (state.on[k] ? weights[k] : weight));
    const moves = weights.flatMap((weight, k) => (weight === setting.weights[k] ? [] : [[k, setting.weights[k], weight]]));
    const total = sum(moves.map(([, from, to]) => Math.abs(to - from)));
    return `${moves.map(([k, from, to]) => `${brief(names[k])} from ${number(from)} to ${number(to)}`).join(", ")} puts it first: a change of ${number(total)} in all, the smallest there is, but for rounding.`;
  };
  function later(act, wait) {
    let timer = 0;
    return () => {
      clearTimeout(timer);
      timer = setTimeout(act, wait);
    };
  }

  // --- across the queries -------------------------------------------------------------------------------------------------------

  let measure = data.measures?.[0];
  const measures = on(html("select", {id: "measure"}, (data.measures ?? []).map(({name}, k) => option(k, name))), "change", () => {
    measure = data.measures[measures.value];
    pinned = {key: null};
    update();
  });
  const tops = (given) => {
    const setting = settingOf(given), prepared = opened.prepare(setting);
    const most = Math.max(TOP, measure ? measure.cutoff ?? Infinity : 0);
    return data.queries.map((_, k) => opened.fuse(k, setting, most, prepared).order);
  };
  const valueOf = (order, k) => {
    const {judged} = opened.queries[k];
    return judged ? Fusion.evaluate(order, judged, measure) : null;
  };
  // how much of the lists is judged, down to the cutoff, as stagg evaluate tells it; nothing where all is
  const shareOf = (lists, at) => {
    const shares = lists.flatMap((order, k) => {
      const {judged} = opened.queries[k], first = order.slice(0, at);
      return judged && first.length ? [first.filter((item) => item in judged.grades).length / first.length] : [];
    });
    return shares.length ? sum(shares) / shares.length : 1;
  };
  const toShare = (share) => (share > 0 && share < 1 ? Math.min(Math.max(Math.round(100 * share), 1), 99) / 100 : share).toFixed(2);
  let pinned = {key: null}, now = [];
  const across = () => {
    const key = JSON.stringify(settingOf(reference));
    if (pinned.key !== key) {
      const lists = tops(reference);
      pinned = {key, lists, values: measure ? lists.map(valueOf) : []};
    }
    now = tops(state).map((order, k) => {
      const value = measure ? valueOf(order, k) : null;
      return {k, order, change: 1 - Fusion.rbo(order, pinned.lists[k]), value,
        difference: value === null ? null : value - pinned.values[k]};
    });
  };
  const ORDERS = {
    change: ["most changed first", (a, b) => b.change - a.change || a.k - b.k],
    id: ["by id", (a, b) => a.k - b.k],
    apart: ["most disagreement first", (a, b) => (data.queries[b.k].apart ?? -1) - (data.queries[a.k].apart ?? -1) || a.k - b.k],
    ...(measure ? {
      worse: ["most lost first", (a, b) => (a.difference ?? 9) - (b.difference ?? 9) || a.k - b.k],
      better: ["most gained first", (a, b) => (b.difference ?? -9) - (a.difference ?? -9) || a.k - b.k],
      low: ["lowest value first", (a, b) => (a.value ?? 9) - (b.value ?? 9) || a.k - b.k],
    } : {}),
  };
  const find = on(html("input", {type: "search", id: "find", placeholder: Report.titles.queries.size ? "part of a query" : "part of a query's id"}), "input", () => showQueries());
  const sorting = on(html("select", {id: "sorting"}, Object.entries(ORDERS).map(([value, [label]]) => option(value, label))), "change", () => showQueries());
  let rows = ROWS;
  const more = button("Show more", () => { rows *= 4; showQueries(); });
  const listed = html("tbody"), matched = html("p", {class: "hint", role: "status"});
  const queryTable = () => html("div", {},
    html("div", {class: "picker"}, html("label", {for: "find"}, "Find"), find, html("label", {for: "sorting"}, "Order"), sorting),
    html("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Queries"}, html("table", {class: "queries"},
      html("thead", {}, html("tr", {}, ["query", "change", ...(measure ? ["value", "difference"] : [])].map((name, k) =>
        html("th", {scope: "col", class: k ? "number" : null}, name)))), listed)), matched, more);
  const queryRow = ({k, change, value, difference}) => html("tr", {class: k === query ? "on" : null},
    html("td", {}, button(bdi(Report.ask(data.queries[k].id)), () => { picker.go(k); byId("query").scrollIntoView({block: "start"}); }, {class: "link", "data-query": k})),
    html("td", {class: "number"}, html("span", {class: "meter"}, svg("svg", {height: 8, "aria-hidden": "true"}, svg("rect", {class: "bar", width: percent(change), height: 8}))), change.toFixed(3)),
    measure ? html("td", {class: "number"}, value === null ? "–" : value.toFixed(4)) : null,
    measure ? html("td", {class: "number"}, difference === null ? "–" : signed(difference)) : null);
  const showQueries = () => {
    if (!byId("queries")) return;
    const words = find.value.toLowerCase();
    const some = now.filter(({k}) => Report.ask(data.queries[k].id).toLowerCase().includes(words)).sort(ORDERS[sorting.value][1]);
    const held = listed.contains(document.activeElement) ? document.activeElement.dataset.query : null;
    listed.replaceChildren(...some.slice(0, rows).map(queryRow));
    if (held !== null) listed.querySelector(`[data-query="${held}"]`)?.focus({preventScroll: true});
    const moved = now.filter(({change}) => change > 1e-12).length;
    matched.textContent = `${Math.min(rows, some.length)} of ${plural(count, "query", "queries")} shown; the first ten items differ from the reference in ${moved}.`;
    more.hidden = some.length <= rows;
  };

  const showScore = (rests) => {
    if (!measure) return;
    const judged = now.filter(({value}) => value !== null), all = judged.length + data.lacking;
    if (!all) return fill("score", html("p", {}, "No query here has labels."));
    const padded = (values) => [...values, ...new Array(data.lacking).fill(0)];
    const mean = sum(judged.map(({value}) => value)) / all, before = sum(judged.map(({k}) => pinned.values[k])) / all;
    const differences = padded(judged.map(({difference}) => (Math.abs(difference) < 1e-9 ? 0 : difference)));
    const [low, high] = rests ? Fusion.bootstrapMean(differences) : [NaN, NaN];
    const won = differences.filter((each) => each > 0).length, lost = differences.filter((each) => each < 0).length;
    const tile = (label, words, note, exact) => html("div", {class: "tile"}, html("span", {class: "label"}, label),
      html("span", {class: "large", "data-value": exact}, words), html("span", {class: "note"}, note));
    const at = measure.cutoff ?? TOP, [share, others] = [now.map(({order}) => order), pinned.lists].map((lists) => shareOf(lists, at));
    const partly = share < 1 || others < 1;
    scoreLine.textContent = `mean ${measure.name} ${mean.toFixed(4)}${same(state, reference) ? "" : ` (${signed(mean - before)} against the reference)`}${partly ? `, judged@${at} ${toShare(share)}` : ""}`;
    const sure = !rests ? "" : low > 0 ? "The interval lies above 0." : high < 0 ? "The interval lies below 0." : "The interval holds 0: it may be chance.";
    const columns = rests ? differenceColumns([...judged].sort((a, b) => b.difference - a.difference || a.k - b.k)) : byId("score").querySelector(".plane");
    fill("score", html("div", {},
      data.measures.length > 1 ? html("div", {class: "picker"}, html("label", {for: "measure"}, "Measure"), measures) : null,
      html("div", {class: "tiles"},
        tile(`mean ${measure.name}`, mean.toFixed(4), plural(all, "query", "queries"), mean),
        tile("difference", signed(mean - before), same(state, reference) ? "this is the reference" : rests ? `${signed(low)} to ${signed(high)}. ${sure}` : "…", mean - before),
        tile("queries", `${won} / ${lost}`, `better / worse, ${all - won - lost} equal`),
        partly ? tile(`judged@${at}`, toShare(share), same(state, reference) ? "unjudged counts as irrelevant" : `of the reference ${toShare(others)}; unjudged counts as irrelevant`, share) : null), columns));
  };
  const differenceColumns = (judged) => {
    const height = 96, middle = height / 2, width = 1 / judged.length;
    const most = Math.max(0.05, ...judged.map(({difference}) => Math.abs(difference)));
    return html("div", {class: "plane marks", role: "group", "aria-label": "Differences to the reference, query by query"},
      svg("svg", {height, "aria-hidden": "true"}, text("100%", 10, signed(most, 2), "end"), text("100%", middle + 4, "0", "end"), text("100%", height - 2, signed(-most, 2), "end")),
      svg("svg", {height}, line("axis", 0, middle, "100%", middle), judged.map(({k, difference}, place) => {
        const kind = difference > 1e-9 ? "won" : difference < -1e-9 ? "lost" : "tied";
        const tall = kind === "tied" ? 6 : Math.max(0.75, Math.abs(difference) / most * (middle - 4));
        return svg("rect", {class: kind, x: percent(place * width), width: percent(width), height: tall,
          y: kind === "tied" ? middle - 3 : difference > 0 ? middle - tall : middle, "data-tip": `${brief(data.queries[k].id)}: ${signed(difference)}`});
      })));
  };

  // --- a map of the rankers -------------------------------------------------------------------------------------------------------

  const overlap = (pairs) => (pairs.length ? sum(pairs.map(([a, b]) => Fusion.rbo(a, b))) / pairs.length : NaN);
  const firstItems = opened.queries.map(({lists}) => new Map(lists.map((list) => [list.ranker, Array.from(list.items.subarray(0, TOP))])));
  const nearness = () => names.map((_, a) => names.map((_, b) => (a === b ? 1
    : overlap(firstItems.filter((lists) => lists.has(a) && lists.has(b)).map((lists) => [lists.get(a), lists.get(b)])))));
  // Classical scaling: two coordinates whose distances are near to 1 - overlap.
  const layout = (near) => {
    const m = near.length, squares = near.map((row) => row.map((value) => (1 - (Number.isNaN(value) ? 0 : value)) ** 2));
    const means = squares.map((row) => sum(row) / m), all = sum(means) / m;
    const centred = squares.map((row, a) => row.map((value, b) => -0.5 * (value - means[a] - means[b] + all)));
    const axes = [];
    for (const seed of [1, 2]) {
      let v = Array.from({length: m}, (_, k) => Math.sin(seed * (k + 1)));
      let root = 0;
      for (let step = 0; step < 300; step++) {
        const next = centred.map((row) => sum(row.map((value, k) => value * v[k])));
        for (const {v: other} of axes) {
          const along = sum(next.map((value, k) => value * other[k]));
          next.forEach((_, k) => { next[k] -= along * other[k]; });
        }
        root = Math.sqrt(sum(next.map((value) => value * value)));
        if (!(root > 1e-12)) break;
        v = next.map((value) => value / root);
      }
      axes.push(root > 1e-12 ? {v, root} : {v: v.map(() => 0), root: 0});
    }
    const places = near.map((_, k) => axes.map(({v, root}) => v[k] * Math.sqrt(root)));
    // a further point by its distances to all (Gower 1968)
    const place = (nearTo) => axes.map(({v, root}) => (root ? sum(nearTo.map((value, k) =>
      v[k] * Math.sqrt(root) * (centred[k][k] - (1 - (Number.isNaN(value) ? 0 : value)) ** 2))) / (2 * root) : 0));
    return {places, place};
  };
  // labels that would lie on one another move down
  const spreadLabels = (spots, width) => {
    const heights = spots.map(([, y]) => y), order = spots.map((_, k) => k).sort((a, b) => heights[a] - heights[b] || a - b);
    order.forEach((k, place) => {
      for (const other of order.slice(0, place)) {
        const beside = Math.abs(spots[other][0] - spots[k][0]) * width < 190;
        if (beside && heights[k] < heights[other] + 15) heights[k] = heights[other] + 15;
      }
    });
    return heights;
  };
  let near = null, drawn = null;
  const showMap = () => {
    if (!byId("map")) return;
    near ??= nearness();
    drawn ??= layout(near);
    const nearTo = names.map((_, k) => overlap(now.flatMap(({order}, q) => (firstItems[q].has(k) ? [[order, firstItems[q].get(k)]] : []))));
    const points = [...drawn.places, drawn.place(nearTo)], height = 320, pad = 0.08;
    const span = Math.max(...[0, 1].map((axis) => Math.max(...points.map((p) => p[axis])) - Math.min(...points.map((p) => p[axis]))), 0.1);
    const middle = [0, 1].map((axis) => (Math.max(...points.map((p) => p[axis])) + Math.min(...points.map((p) => p[axis]))) / 2);
    const spot = (p) => [0.5 + (p[0] - middle[0]) / span * (1 - 4 * pad), (0.5 + (p[1] - middle[1]) / span * (1 - 2 * pad)) * height];
    const said = (k) => `${brief(names[k])}\noverlap with the fused list: ${Number.isNaN(nearTo[k]) ? "none" : nearTo[k].toFixed(3)}${state.on[k] ? "" : "\nswitched off"}`;
    const spots = points.map(spot), heights = spreadLabels(spots, byId("map").clientWidth || 800);
    const label = (k, words, kind) => svg("text", {x: percent(spots[k][0]), y: heights[k] + 4, dx: spots[k][0] > 0.7 ? -12 : 12,
      "text-anchor": spots[k][0] > 0.7 ? "end" : "start", class: kind}, words.length > 24 ? `${words.slice(0, 23)}…` : words);
    const marks = names.map((name, k) => {
      const [x, y] = spots[k], kind = `point c${k % Report.COLOURS + 1}${state.on[k] ? "" : " out"}`;
      return svg("g", {"data-tip": said(k)}, svg("circle", {class: kind, cx: percent(x), cy: y, r: 6}), label(k, name));
    });
    const [x, y] = spots[names.length];
    marks.push(svg("g", {"data-tip": "the fused list"}, svg("circle", {class: "ring", cx: percent(x), cy: y, r: 10}), label(names.length, "fused", "strong")));
    fill("map", html("div", {class: "marks", role: "group", "aria-label": "Map of the rankers"}, svg("svg", {height}, marks)),
      () => Report.table(["ranker", "overlap with the fused list", ...names], names.map((name, k) => [name, nearTo[k], ...near[k].map((value) => (Number.isNaN(value) ? null : value))])));
  };

  // --- together ---------------------------------------------------------------------------------------------------------------------

  const spoken = html("p", {class: "spoken", role: "status", "aria-live": "polite"});
  const tell = later(() => {
    const [first, second] = current?.items ?? [];
    spoken.textContent = first === undefined ? "" : `First: ${brief(first)}${second === undefined ? "" : `, then ${brief(second)}`}.`;
  }, 700);
  const showLater = later(() => {
    keep();
    showTexts();
    showScore(true);
    showQueries();
    showMap();
  }, 80);
  const refresh = () => {
    across();
    showScore(false);
    showLater();
    tell();
  };
  let waiting = false, picker = null;
  const update = () => {
    showControls();
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      step();
    });
  };
  // one step of a slider: everything that follows it at once
  const step = () => {
    const began = performance.now();
    showQuery(query);
    refresh();
    performance.measure("step", {start: began});  // bench/explorer.py reads it
  };

  build();
  byId("controls").append(spoken);
  Report.foldOnPhone(byId("settings"));
  const asked = readAddress(location.hash);
  showControls();
  if (byId("first")) fill("first", html("div", {}, html("div", {class: "picker"}, html("label", {for: "item"}, "Item"), item), answer, apply));
  if (byId("queries")) fill("queries", queryTable());
  picker = Report.pick(data.queries, {show: showQuery, keep: () => { keep(); showTexts(); showQueries(); tell(); }, asked});
  const lengths = html("select", {id: "length"}, LENGTHS.map((each) => option(each)));
  lengths.value = String(shown);
  on(lengths, "change", () => { shown = Number(lengths.value); showQuery(query); });
  byId("picker").append(html("label", {for: "length"}, "Items shown"), lengths);
  byId("consensus")?.addEventListener("click", ({target}) => {
    const row = target.closest("tbody tr[data-item]");
    if (!row || !current || !byId("first")) return;
    wanted = current.numbers[Number(row.dataset.item)];
    item.value = String(wanted);
    answerFirst();
  });
  // the event's own address: by the time it comes, `keep` may have written the setting of before over the page's
  addEventListener("hashchange", ({newURL}) => {
    const id = readAddress(new URL(newURL).hash), k = data.queries.findIndex((each) => each.id === id);
    showControls();
    if (k >= 0 && k !== query) picker.go(k);
    update();
  });
  if (count) refresh();
  showTexts();
})();
