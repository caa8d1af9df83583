"use strict";
// The page's script: tooltips and keys for every chart, and the charts of the chosen query of a fusion.
// Text only ever enters the page as text (textContent, attributes): an id cannot become markup.
// What the explorer needs of it is returned.
const Report = (() => {
  const ROW = 24;  // pixels of a row, as the style has them
  const COLOURS = 7;
  const BRIEF = 200;  // characters of an id in a tooltip; the tables have all
  const LONG = 60;  // characters of a cell that may be broken into lines
  const MOST_LINES = 8;  // rankers whose lines can be followed; of more the ranks are shaded

  // --- elements -------------------------------------------------------------------------------------------------

  const build = (space) => (name, attributes = {}, ...children) => {
    const made = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
    }
    made.append(...children.flat().filter((child) => child !== null));
    return made;
  };
  const html = build("http://www.w3.org/1999/xhtml");
  const svg = build("http://www.w3.org/2000/svg");
  const bdi = (text) => html("bdi", {}, text);
  const isolated = (text) => `\u2068${text}\u2069`;
  const brief = (text) => isolated(text.length > BRIEF ? `${text.slice(0, BRIEF)}…` : text);
  const titles = ((found) => ({items: new Map(Object.entries(found?.items ?? {})), queries: new Map(Object.entries(found?.queries ?? {}))}))(
    JSON.parse(document.getElementById("titles")?.textContent ?? "null"));
  // an item in a tooltip: its id, and its title below it
  const known = (item) => (titles.items.has(item) ? `${brief(item)}\n${isolated(titles.items.get(item))}` : brief(item));
  // the same in one line of a table
  const entitled = (item) => [bdi(item), titles.items.has(item) ? html("span", {class: "title"}, bdi(titles.items.get(item))) : null];
  const ask = (id) => (titles.queries.has(id) ? `${isolated(id)} ${isolated(titles.queries.get(id))}` : id);
  const percent = (share) => `${+(100 * share).toFixed(3)}%`;
  const number = (value) => String(+value.toPrecision(4)).replace("-", "−");
  // a column of numbers: as many digits behind the point as its largest has for four in all
  const column = (values) => {
    const most = Math.max(...values.map(Math.abs), 1e-9);
    const digits = Math.min(8, Math.max(0, 3 - Math.floor(Math.log10(most))));
    return values.map((value) => value.toFixed(digits).replace("-", "−"));
  };
  const line = (kind, x1, y1, x2, y2) => svg("line", {class: kind, x1, y1, x2, y2});
  const text = (x, y, words, anchor = "middle") => svg("text", {x, y, "text-anchor": anchor}, words);

  // --- tooltips and keys: everything with data-tip --------------------------------------------------------------

  const tip = html("div", {id: "tip", role: "tooltip", hidden: true});
  document.body.append(tip);
  let told = null;

  const hide = () => {
    tip.hidden = true;
    if (told) trace(told, false);
    told = null;
  };
  const show = (mark) => {
    if (told) trace(told, false);
    told = mark;
    trace(mark, true);
    tip.textContent = mark.dataset.tip ?? mark.dataset.name;
    tip.hidden = false;
    const box = mark.getBoundingClientRect();
    const width = tip.offsetWidth, height = tip.offsetHeight;
    const left = Math.min(Math.max(8, box.left + box.width / 2 - width / 2), innerWidth - width - 8);
    const above = box.top - height - 8;
    tip.style.left = `${left}px`;
    tip.style.top = `${above >= 8 ? above : Math.min(box.bottom + 8, innerHeight - height - 8)}px`;
  };
  // a mark, a name that may be cut where it is drawn, or the row of a mark
  const markOf = ({target}) => target instanceof Element
    ? target.closest("[data-tip], [data-name]") ?? target.closest("tr[data-item]")?.querySelector("[data-tip]") : null;

  // what belongs to one item (or one series) is followed through all charts of its kin
  const trace = (mark, on) => {
    const kin = mark.closest("[data-kin]");
    const name = mark.dataset.item ?? mark.closest("[data-item]")?.dataset.item;
    if (!kin || name === undefined) return;
    kin.classList.toggle("tracing", on);
    for (const each of kin.querySelectorAll(`[data-item="${CSS.escape(name)}"]`)) each.classList.toggle("on", on);
  };

  document.addEventListener("pointerover", (event) => {
    const mark = markOf(event);
    if (mark) show(mark);
    else if (told && told !== document.activeElement) hide();
  });
  document.addEventListener("focusin", (event) => {
    const mark = markOf(event);
    if (mark) show(mark);
    else hide();
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("scroll", () => told && show(told), {capture: true, passive: true});

  // One stop of the tab key for each chart; inside it the arrows go from mark to mark.
  const enliven = (chart) => {
    const marks = [...chart.querySelectorAll("[data-tip]")];
    marks.forEach((mark, number) => {
      mark.setAttribute("tabindex", number ? "-1" : "0");
      mark.setAttribute("aria-label", mark.dataset.tip);
      if (!mark.matches("td")) mark.setAttribute("role", "img");
    });
  };
  const centre = (mark) => {
    const box = mark.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  // up and down: the nearest mark there, by where things stand on the page
  const neighbour = (mark, marks, down) => {
    const [x, y] = centre(mark);
    let best, least = Infinity;
    for (const other of marks) {
      const [u, v] = centre(other);
      const ahead = (v - y) * down, cost = ahead + 8 * Math.abs(u - x);
      if (ahead > 1 && cost < least) [best, least] = [other, cost];
    }
    return best;
  };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return hide();
    const mark = markOf(event), chart = mark && mark.closest(".marks");
    if (!chart) return;
    const marks = [...chart.querySelectorAll("[data-tip]")], at = marks.indexOf(mark);
    const ways = {
      ArrowRight: () => marks[at + 1], ArrowLeft: () => marks[at - 1],  // in order: they reach every mark
      ArrowDown: () => neighbour(mark, marks, 1), ArrowUp: () => neighbour(mark, marks, -1),
      Home: () => marks[0], End: () => marks[marks.length - 1],
    };
    if (!(event.key in ways) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = ways[event.key]();
    if (!next) return;
    for (const each of marks) each.setAttribute("tabindex", each === next ? "0" : "-1");
    next.focus();
  });
  // the cells of a matrix say what stands in its margins
  for (const matrix of document.querySelectorAll(".matrix")) {
    for (const head of matrix.querySelectorAll("th")) head.dataset.name = brief(head.textContent);
    const names = [...matrix.tHead.rows[0].cells].map((cell) => brief(cell.textContent));
    for (const row of matrix.tBodies[0].rows) {
      for (const cell of row.querySelectorAll("td:not(.none)")) {
        cell.dataset.tip = `${brief(row.cells[0].textContent)}, ${names[cell.cellIndex]}: ${cell.textContent}`;
      }
    }
  }
  document.querySelectorAll(".marks").forEach(enliven);

  // --- the charts of a fused query --------------------------------------------------------------------------------

  const read = (name) => {
    const block = document.getElementById(name);
    return block && JSON.parse(block.textContent);
  };
  let data = read("fusion");  // {rankers, level, top, queries}

  const label = (query, i) =>
    html("li", {"data-item": i, "data-name": known(query.items[i])}, html("span", {class: "place"}, String(i + 1)), bdi(query.items[i]));
  const labels = (query) => html("ol", {class: "labels", "aria-hidden": "true"}, query.items.map((_, i) => label(query, i)));
  const table = (head, rows) => html("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Table"}, html("table", {},
    html("thead", {}, html("tr", {}, head.map((name, k) =>
      html("th", {scope: "col", class: rows.some((row) => typeof row[k] === "number") ? "number" : null}, bdi(name))))),
    html("tbody", {}, rows.map((row) => html("tr", {}, row.map((cell) =>
      typeof cell === "number" ? html("td", {class: "number"}, number(cell))
        : html("td", {class: cell && cell.length > LONG ? "long" : null}, bdi(cell ?? "–"))))))));

  // 1, 2, 5, 10, ...: as many as fit
  const ticks = (low, high, most) => {
    if (!(high > low)) return [low];
    const rough = (high - low) / most, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough * 0.999);
    const found = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) found.push(+(k * step).toPrecision(12));
    return found;
  };

  const rankTicks = (most) => {
    const found = ticks(1, most, 8).filter(Number.isInteger), step = found[1] - found[0];
    return [1, ...found.filter((rank) => rank > 1 + step * 0.6)];
  };

  // Where a rank lies across: by itself while there are few, by its logarithm where intervals reach far.
  const rankScale = (most) => {
    const far = most > 60;
    const place = far ? (r) => Math.log(r) / Math.log(most) : (r) => (most > 1 ? (r - 1) / (most - 1) : 0.5);
    const marks = far ? [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 1e4, 1e5].filter((r) => r <= most)
        .reduce((kept, r) => place(r) - place(kept[kept.length - 1] ?? 0) < 0.12 ? kept : [...kept, r], [])
      : rankTicks(most);
    return {place, marks};
  };

  // places gained or lost; null is an item that was not there
  const moved = (places) => {
    if (places === null) return html("span", {class: "up"}, "new");
    if (!places) return html("span", {}, "–");
    const words = `${Math.abs(places)} ${Math.abs(places) === 1 ? "place" : "places"} ${places > 0 ? "up" : "down"}`;
    return html("span", {class: places > 0 ? "up" : "down"}, html("span", {"aria-hidden": "true"}, `${places > 0 ? "▲" : "▼"}${Math.abs(places)}`),
      html("span", {class: "spoken"}, words));
  };
  // shares of what an item would have that is first in every list, where the scores themselves say nothing
  const relevanceOf = ({best, scores}) => (best > 0 ? scores.map((score) => Math.max(0, Math.min(1, score / best))) : null);
  const consensus = (query) => {
    const sure = query.low !== undefined;
    const {place, marks} = rankScale(Math.max(query.items.length, ...(sure ? query.high : [1])));
    const relevance = relevanceOf(query)?.map((share) => share.toFixed(3));
    const scores = column(query.scores), told = relevance ?? scores;
    const rows = query.items.map((item, i) => {
      const span = sure ? (query.low[i] === query.high[i] ? `${query.low[i]}` : `${query.low[i]}–${query.high[i]}`) : "";
      const words = [known(item), `rank ${i + 1} of ${query.size}, score ${scores[i]}`];
      if (relevance) words.push(`relevance ${relevance[i]} (1: first in every list)`);
      if (sure) words.push(`${number(100 * data.level)} % interval: ${span}`,
        `among the first ${data.top} in ${number(100 * query.often[i])} % of the draws`);
      const lane = svg("svg", {height: ROW, "data-tip": words.join("\n")},
        marks.map((r) => line("grid", percent(place(r)), 0, percent(place(r)), ROW)),
        sure ? line("interval", percent(place(query.low[i])), ROW / 2, percent(place(query.high[i])), ROW / 2) : null,
        svg("circle", {class: "dot", cx: percent(place(i + 1)), cy: ROW / 2, r: 4.5}));
      const split = sure && i > 0 && query.group[i] !== query.group[i - 1];
      return html("tr", {"data-item": i, "data-score": query.changes ? query.scores[i] : null, class: split ? "group" : null},
        html("td", {class: "place"}, String(i + 1)), query.changes ? html("td", {class: "change"}, moved(query.changes[i])) : null,
        html("td", {class: "item"}, entitled(item)),
        html("td", {class: "score"}, told[i]),
        html("td", {class: "lane"}, lane), sure ? html("td", {class: "span"}, span) : null);
    });
    const changes = (name) => (query.changes ? html(name, {class: "change", scope: name === "th" ? "col" : null}, name === "th" ? "±" : "") : null);
    const head = html("tr", {}, html("th", {class: "place", scope: "col"}, "#"), changes("th"), html("th", {class: "item", scope: "col"}, "item"),
      html("th", {class: "score", scope: "col"}, relevance ? "relevance" : data.strengths ? "strength" : "score"), html("th", {class: "lane", scope: "col"}, "rank"),
      sure ? html("th", {class: "span", scope: "col"}, `${number(100 * data.level)} %`) : null);
    const axis = svg("svg", {height: 26, "aria-hidden": "true"}, marks.map((r) => text(percent(place(r)), 16, String(r))));
    const foot = html("tr", {}, html("td", {class: "place"}), changes("td"), html("td", {class: "item"}), html("td", {class: "score"}),
      html("td", {class: "lane"}, axis), sure ? html("td", {class: "span"}) : null);
    return html("table", {class: "ranking marks"}, html("thead", {}, head), html("tbody", {}, rows), html("tfoot", {}, foot));
  };
  const consensusTable = (query) => table(
    ["rank", "item", ...(titles.items.size ? ["title"] : []), ...(query.best > 0 ? ["relevance"] : []), "score", ...(query.low ? ["low", "high", `in the first ${data.top}`, "group"] : [])],
    query.items.map((item, i) => [i + 1, item, ...(titles.items.size ? [titles.items.get(item) ?? ""] : []), ...(query.best > 0 ? [relevanceOf(query)[i]] : []), query.scores[i],
      ...(query.low ? [query.low[i], query.high[i], query.often[i], query.group[i]] : [])]));

  const placeIn = (query, k, i) => {
    const rank = query.ranks[k][i];
    const ranker = brief(data.rankers[query.lists[k]]);
    const sure = query.confidence ? `\nits confidence in this query: ${number(query.confidence[k])}` : "";
    return (rank === null ? `not listed by ${ranker}` : `rank ${number(rank)} of ${query.lengths[k]} by ${ranker}`) + sure;
  };
  const nameColumns = (query) => html("div", {class: `heads${query.lists.length > MOST_LINES ? " many" : ""}`, "aria-hidden": "true"},
    query.lists.map((k) => html("bdi", {"data-name": brief(data.rankers[k])}, data.rankers[k])), bdi("consensus"));
  const places = (query, height) => svg("svg", {height, "aria-hidden": "true"},
    query.items.map((_, i) => text("100%", (i + 0.5) * ROW + 4, String(i + 1), "end")));
  // many rankers: a cell for each rank, the darker, the nearer the top; none where an item is not listed
  const shaded = (query) => {
    const shown = query.items.length, columns = query.lists.length + 1, height = shown * ROW;
    const deepest = Math.max(2, shown, ...query.ranks.flat().map((rank) => rank ?? 0));
    const opacity = (rank) => +(1 - 0.92 * Math.log(rank) / Math.log(deepest)).toFixed(3);
    const cell = (i, k, rank, words) => svg("rect", {class: rank === null ? "cell none" : "cell", x: percent(k / columns), y: i * ROW,
      width: percent(1 / columns), height: ROW, "fill-opacity": rank === null ? null : opacity(rank), "data-item": i, "data-tip": `${known(query.items[i])}\n${words}`});
    const cells = query.items.flatMap((_, i) => [...query.lists.map((_, k) => cell(i, k, query.ranks[k][i], placeIn(query, k, i))),
      cell(i, columns - 1, i + 1, `rank ${i + 1} in the consensus`)]);
    const chart = html("div", {class: "bump marks"}, nameColumns(query), html("div", {class: "side"}, places(query, height)), svg("svg", {height}, cells), labels(query));
    chart.style.minWidth = `${columns * 13 + 150}px`;
    const steps = [1, ...[2, 5, 10, 20, 50, 100, 500, 1000].filter((rank) => rank < deepest), deepest];
    const ramp = svg("svg", {class: "ramp"}, steps.map((rank, k) => svg("rect", {class: "cell", x: percent(k / steps.length),
      width: percent(1 / steps.length), height: 12, "fill-opacity": opacity(rank)})));
    return html("div", {}, html("div", {class: "scroll"}, chart), html("ul", {class: "legend"}, html("li", {}, "rank 1", ramp, number(deepest)),
      html("li", {}, svg("svg", {}, svg("rect", {class: "cell none", width: 14, height: 12})), "not listed")));
  };
  const bump = (query) => {
    if (query.lists.length > MOST_LINES) return shaded(query);
    const shown = query.items.length, columns = query.lists.length + 1;
    const flat = query.ranks.flat();
    const deep = flat.some((rank) => rank !== null && rank > shown), absent = flat.some((rank) => rank === null);
    const gap = ROW * 0.4;
    const later = shown * ROW + gap, nowhere = later + (deep ? ROW : 0), height = nowhere + (absent ? ROW : 0);
    const y = (rank) => (rank === null ? nowhere + ROW / 2 : rank > shown ? later + ROW / 2 : (rank - 0.5) * ROW);
    const x = (column) => (column + 0.5) / columns;
    const lines = [], points = [];
    query.items.forEach((item, i) => {
      const colour = i < COLOURS ? `c${i + 1}` : "c0";
      const ranks = [...query.ranks.map((row) => row[i]), i + 1];
      let solid = "", faint = "";
      for (let k = 1; k < columns; k++) {
        const curve = `M${k - 0.5} ${y(ranks[k - 1])}C${k} ${y(ranks[k - 1])} ${k} ${y(ranks[k])} ${k + 0.5} ${y(ranks[k])}`;
        const known = (rank) => rank !== null && rank <= shown;
        if (known(ranks[k - 1]) && known(ranks[k])) solid += curve;
        else faint += curve;
      }
      lines.unshift(svg("g", {"data-item": i},
        faint ? svg("path", {class: `line faint ${colour}`, d: faint}) : null,
        solid ? svg("path", {class: `line ${colour}`, d: solid}) : null));
      ranks.forEach((rank, k) => {
        if (rank === null || rank > shown) return;
        const last = k === columns - 1;
        const words = `${known(item)}\n${last ? `rank ${i + 1} in the consensus` : placeIn(query, k, i)}`;
        points.push(svg("circle", {class: `point ${colour}`, cx: percent(x(k)), cy: y(rank), r: last ? 5.5 : 4.5,
          "data-item": i, "data-tip": words}));
      });
    });
    // what a ranker has further down, or not at all, is one mark that names all
    const gathered = (k, height, title, is, say) => {
      const items = query.items.flatMap((item, i) => is(query.ranks[k][i]) ? [say(brief(item), query.ranks[k][i])] : []);
      return items.length ? svg("circle", {class: "point out c0", cx: percent(x(k)), cy: height + ROW / 2, r: 4.5,
        "data-tip": `${title} ${brief(data.rankers[query.lists[k]])}:\n${items.join("\n")}`}) : null;
    };
    query.lists.forEach((_, k) => points.push(
      gathered(k, later, "further down by", (rank) => rank !== null && rank > shown, (item, rank) => `${number(rank)} ${item}`),
      gathered(k, nowhere, "not listed by", (rank) => rank === null, (item) => item)));
    const stretched = svg("svg", {viewBox: `0 0 ${columns} ${height}`, preserveAspectRatio: "none", width: "100%", height}, lines);
    const posts = Array.from({length: columns}, (_, k) => line("grid", percent(x(k)), 0, percent(x(k)), height));
    const side = svg("svg", {height, "aria-hidden": "true"},
      query.items.map((_, i) => text("100%", (i + 0.5) * ROW + 4, String(i + 1), "end")),
      deep ? text("100%", later + ROW / 2 + 4, "later", "end") : null,
      absent ? text("100%", nowhere + ROW / 2 + 4, "unlisted", "end") : null);
    const chart = html("div", {class: "bump marks"}, nameColumns(query), html("div", {class: "side"}, side),
      svg("svg", {height}, posts, stretched, points), labels(query));
    chart.style.minWidth = `${columns * 13 + 150}px`;  // many rankers on a phone: the chart scrolls inside its box
    return html("div", {class: "scroll"}, chart);
  };
  const bumpTable = (query) => table(["item", "consensus", ...query.lists.map((k) => data.rankers[k])],
    [...(query.confidence ? [["confidence in this query", null, ...query.confidence]] : []),
      ...query.items.map((item, i) => [item, i + 1, ...query.ranks.map((row) => row[i])])]);

  // --- rank distribution: the darker, the likelier; an outline where the consensus puts the item
  const heat = (query) => {
    const last = query.chances[0].length - 1, some = Math.min(query.size, last);
    const beyond = query.size > some;
    const columns = some + (beyond ? 1 : 0), shown = query.items.length;
    // "later" gathers many ranks: it must not take the shades of the others
    const most = Math.max(1, ...query.chances.flatMap((row) => row.slice(0, some)));
    const opacity = (chance) => +Math.sqrt(Math.min(1, chance / most)).toFixed(3);
    const cells = query.items.flatMap((item, i) => Array.from({length: columns}, (_, r) => {
      const chance = query.chances[i][r < some ? r : last];
      const rank = r < some ? `rank ${r + 1}` : `after rank ${some}`;
      return svg("rect", {class: "cell", x: percent(r / columns), y: i * ROW, width: percent(1 / columns), height: ROW,
        "fill-opacity": opacity(chance), "data-item": i, "data-tip": `${known(item)}\n${rank}: ${number(chance / 10)} %`});
    }));
    const here = query.items.map((_, i) => i < some ? svg("rect", {class: "here", x: percent(i / columns), y: i * ROW,
      width: percent(1 / columns), height: ROW, "pointer-events": "none"}) : null);
    const marks = rankTicks(some).filter((rank) => !beyond || rank < some - some / 12);
    const axis = marks.map((r) => text(percent((r - 0.5) / columns), shown * ROW + 16, String(r)));
    if (beyond) axis.push(text(percent((columns - 0.5) / columns), shown * ROW + 16, "later"));
    const ramp = svg("svg", {class: "ramp"}, Array.from({length: 12}, (_, k) => svg("rect", {class: "cell",
      x: percent(k / 12), width: percent(1 / 12), height: 12, "fill-opacity": opacity(most * k / 11)})));
    return html("div", {}, html("div", {class: "split marks"}, labels(query), svg("svg", {height: shown * ROW + 22}, cells, here, axis)),
      html("ul", {class: "legend"}, html("li", {}, "0 %", ramp, `${number(most / 10)} %${beyond ? " or more" : ""}`)));
  };
  const heatTable = (query) => {
    const last = query.chances[0].length - 1, some = Math.min(query.size, last);
    const ranks = Array.from({length: some}, (_, r) => `${r + 1}`);
    return table(["item, P in %", ...ranks, ...(query.size > some ? ["later"] : [])],
      query.items.map((item, i) => [item, ...ranks.map((_, r) => query.chances[i][r] / 10),
        ...(query.size > some ? [query.chances[i][last] / 10] : [])]));
  };

  // --- contributions: the rankers that gave most have colours
  const parts = (query) => {
    const sum = (row) => row.reduce((total, value) => total + Math.abs(value), 0);
    const order = query.parts.map((_, k) => k).sort((a, b) => sum(query.parts[b]) - sum(query.parts[a]) || a - b);
    const named = order.slice(0, COLOURS).sort((a, b) => a - b), others = order.slice(COLOURS).sort((a, b) => a - b);
    const one = (k, colour) => ({name: data.rankers[query.lists[k]], values: query.parts[k], colour});
    const hidden = query.rest.some((value) => value !== 0);
    // few rankers keep their colours, whoever takes part in a query
    const colour = (k, c) => `c${(data.rankers.length <= COLOURS ? query.lists[k] : c) + 1}`;
    return [...named.map((k, c) => one(k, colour(k, c))), ...others.map((k) => one(k, "c0")),
      ...(hidden ? [{name: "the rankers not shown", values: query.rest, colour: "c0"}] : [])];
  };
  const stacked = (query) => {
    const series = parts(query), shown = query.items.length;
    const ends = query.items.map((_, i) => series.reduce(([low, high], {values}) =>
      values[i] < 0 ? [low + values[i], high] : [low, high + values[i]], [0, 0]));
    const low = Math.min(0, ...ends.map((end) => end[0])), high = Math.max(...ends.map((end) => end[1]), low + 1e-12);
    const place = (value) => (value - low) / (high - low);
    const bars = query.items.flatMap((item, i) => {
      let left = 0, right = 0;
      return series.map(({name, values, colour}) => {
        const value = values[i];
        if (!value) return null;
        const from = value < 0 ? left + value : right;
        if (value < 0) left += value;
        else right += value;
        const share = query.scores[i] ? `, ${number(100 * value / query.scores[i])} % of the score` : "";
        return svg("rect", {class: `part ${colour}`, x: percent(place(from)), y: i * ROW + 3,
          width: percent(Math.abs(value) / (high - low)), height: ROW - 6, "data-item": i,
          "data-tip": `${known(item)}\n${brief(name)} gave ${number(value)}${share}`});
      });
    });
    const marks = ticks(low, high, 4);
    const grid = marks.map((value) => line("grid", percent(place(value)), 0, percent(place(value)), shown * ROW));
    const axis = marks.map((value) => text(percent(place(value)), shown * ROW + 16, number(value)));
    const named = series.filter(({colour}) => colour !== "c0");
    if (named.length < series.length) named.push({name: `${series.length - named.length} other rankers`, colour: "c0"});
    const zero = low < 0 ? line("axis", percent(place(0)), 0, percent(place(0)), shown * ROW) : null;
    return html("div", {},
      html("div", {class: "split marks"}, labels(query), svg("svg", {height: shown * ROW + 22}, grid, bars, zero, axis)),
      html("ul", {class: "legend"}, named.map(({name, colour}) => html("li", {},
        svg("svg", {}, svg("rect", {class: colour, width: 14, height: 12, rx: 2})), bdi(name)))));
  };
  const partsTable = (query) => table(["item", "score", ...query.lists.map((k) => data.rankers[k]), "others"],
    query.items.map((item, i) => [item, query.scores[i], ...query.parts.map((row) => row[i]), query.rest[i]]));

  // --- comparisons of two items each: strengths, and who was above whom
  const strengths = (query) => {
    const values = query.scores, low = Math.min(...values), high = Math.max(...values, low + 1e-12), shown = values.length;
    const marks = ticks(low, high, 4), from = Math.min(low, ...marks), to = Math.max(high, ...marks);
    const place = (value) => 0.02 + 0.96 * (value - from) / (to - from), height = shown * ROW, words = column(values);
    const grid = marks.map((value) => line("grid", percent(place(value)), 0, percent(place(value)), height));
    const dots = query.items.map((item, i) => svg("circle", {class: "dot", cx: percent(place(values[i])), cy: (i + 0.5) * ROW, r: 4.5, "data-item": i,
      "data-tip": `${known(item)}\n${words[i]}`}));
    const axis = marks.map((value) => text(percent(place(value)), height + 16, number(value)));
    return html("div", {class: "split marks"}, labels(query), svg("svg", {height: height + 22}, grid, dots, axis));
  };
  const strengthsTable = (query) => table(["item", data.strengths ? "strength" : "score"], query.items.map((item, i) => [item, query.scores[i]]));
  const wins = (query) => {
    const dense = query.items.length > MOST_LINES, head = (name, scope) => html("th", {scope, "data-name": brief(name)}, html("span", {}, bdi(name)));
    const cell = (i, j) => {
      const won = query.wins[i][j], games = won + query.wins[j][i];
      if (i === j || !games) return html("td", {class: "none"});
      const shade = Math.round(10 * (2 * won / games - 1));
      return html("td", {class: `${shade >= 0 ? "p" : "n"}${Math.abs(shade)}`, "data-tip": `${brief(query.items[i])} above ${brief(query.items[j])}: ${number(won)} of ${number(games)}`},
        dense ? "" : `${number(won)}:${number(games - won)}`);
    };
    return html("div", {class: "scroll marks"}, html("table", {class: `matrix${dense ? " dense" : ""}`, "aria-label": "How often the row was above the column"},
      html("thead", {}, html("tr", {}, html("td"), query.items.map((name) => head(name, "col")))),
      html("tbody", {}, query.items.map((name, i) => html("tr", {}, head(name, "row"), query.items.map((_, j) => cell(i, j)))))));
  };
  const winsTable = (query) => table(["above", ...query.items], query.items.map((item, i) => [item, ...query.items.map((_, j) => (i === j ? null : query.wins[i][j]))]));

  // --- the query picker -------------------------------------------------------------------------------------------

  const WITHOUT = {parts: "The score of this method is not a sum over the rankers, so there are no contributions.",
    chances: "There is no rank distribution for this setting."};
  const CHARTS = {consensus: [consensus, consensusTable], bump: [bump, bumpTable], chances: [heat, heatTable],
    parts: [stacked, partsTable], strengths: [strengths, strengthsTable], wins: [wins, winsTable]};
  // as the page has it, a rank of 0 is none, and parts count in units: that is shorter
  const unpacked = (query) => ({
    ...query,
    ranks: query.ranks.map((row) => row.map((rank) => rank || null)),
    parts: query.parts?.map((row) => row.map((part) => part * query.unit)),
    rest: query.rest?.map((part) => part * query.unit),
  });
  // one chart into its figure; its numbers are made when first asked for
  const fill = (name, drawn, numbers) => {
    const figure = document.getElementById(name);
    if (!figure?.querySelector(".chart")) return;
    const held = figure.contains(document.activeElement) && document.activeElement.closest(".marks");
    figure.querySelector(".chart").replaceChildren(drawn);
    figure.querySelectorAll(".marks").forEach(enliven);
    if (held) figure.querySelector('.marks [tabindex="0"]')?.focus();
    const details = figure.querySelector("details");
    if (!details) return;
    details.hidden = !numbers;
    const inside = details.querySelector("div");
    const unfold = () => details.open && numbers && inside.replaceChildren(numbers());
    inside.replaceChildren();
    details.ontoggle = unfold;
    unfold();
  };
  const draw = (query, names = Object.keys(CHARTS)) => {
    hide();
    for (const name of names.filter((each) => document.getElementById(each))) {
      const [chart, numbers] = CHARTS[name];
      if (name in WITHOUT && !query[name]) fill(name, html("p", {}, query.reasons?.[name] ?? WITHOUT[name]));
      else if (!query.items.length) fill(name, html("p", {}, "This query has no candidates."));
      else fill(name, chart(query), () => numbers(query));
    }
  };

  // Open where there is room; on a phone what matters first has the screen.
  const foldOnPhone = (details) => {
    if (!details.open) return details;
    const small = matchMedia("screen and (max-width: 63.99rem)");
    if (small.matches) details.open = false;
    small.addEventListener("change", () => { if (!small.matches) details.open = true; });
    return details;
  };
  // The picker of queries; show(k) draws one of them. Returns how to choose one from elsewhere.
  const pick = (queries, {show, keep, asked}) => {
    const picker = document.getElementById("picker");
    const select = html("select", {id: "which"});
    const before = html("button", {type: "button", "aria-label": "Previous query"}, "‹");
    const after = html("button", {type: "button", "aria-label": "Next query"}, "›");
    const counted = html("span", {class: "told", role: "status"});
    const seek = html("input", {type: "search", id: "seek", placeholder: titles.queries.size ? "part of a query" : "part of its id"});
    const arrange = html("select", {id: "arrange"}, html("option", {value: "id"}, "by id"), html("option", {value: "apart"}, "most disagreement first"));
    let listed = [];
    const list = () => {
      const words = seek.value.toLowerCase();
      listed = queries.map((_, k) => k).filter((k) => ask(queries[k].id).toLowerCase().includes(words));
      if (arrange.value === "apart") listed.sort((a, b) => (queries[b].apart ?? -1) - (queries[a].apart ?? -1) || a - b);
      select.replaceChildren(...listed.map((k) => html("option", {value: k, dir: "auto"}, ask(queries[k].id))));
    };
    let now = 0;
    const choose = (k) => {
      if (!listed.includes(k)) {  // chosen from elsewhere
        seek.value = "";
        list();
      }
      now = k;
      select.value = k;
      const at = listed.indexOf(k), {size, lists} = show(k), {apart} = queries[k];
      before.disabled = at === 0;
      after.disabled = at === listed.length - 1;
      const far = apart === undefined ? "" : `, disagreement ${apart.toFixed(2)}`;
      counted.textContent = `${at + 1} of ${listed.length}: ${size} candidates, ${lists.length} lists${far}`;
    };
    const go = (k) => {
      choose(k);
      keep(k);
    };
    const narrow = () => {
      list();
      if (!listed.length) counted.textContent = "No query has this text.";
      else if (arrange.value === "apart" || !listed.includes(now)) go(listed[0]);
      else go(now);
    };
    seek.addEventListener("input", narrow);
    arrange.addEventListener("change", narrow);
    select.addEventListener("change", () => go(Number(select.value)));
    before.addEventListener("click", () => go(listed[listed.indexOf(now) - 1]));
    after.addEventListener("click", () => go(listed[listed.indexOf(now) + 1]));
    if (queries.length > 1) picker.append(html("label", {for: "which"}, "Query"), before, select, after, counted);
    if (queries.length > 1 && !document.getElementById("queries")) {  // where the explorer lists them, that table is searched
      picker.append(foldOnPhone(html("details", {class: "more", open: true}, html("summary", {}, "Find a query"),
        html("span", {}, html("label", {for: "seek"}, "Find"), seek, html("label", {for: "arrange"}, "Order"), arrange))));
    }
    if (queries.length === 1 && titles.queries.has(queries[0].id)) picker.append(html("span", {}, ask(queries[0].id)));
    list();
    if (queries.length) choose(Math.max(0, queries.findIndex(({id}) => id === asked)));
    return {go, chosen: () => now};
  };
  // a hash that nobody here has written says nothing
  const asked = () => {
    try {
      return decodeURIComponent(location.hash.replace(/^#query=/, ""));
    } catch {
      return null;
    }
  };
  const showPacked = (k) => {
    draw(unpacked(data.queries[k]));
    return data.queries[k];
  };
  const keep = (k) => history.replaceState(null, "", `#query=${encodeURIComponent(data.queries[k].id)}`);
  if (data && !document.getElementById("explorer")) pick(data.queries, {show: showPacked, keep, asked: asked()});

  return {html, svg, bdi, brief, titles, entitled, ask, number, percent, text, line, table, draw, fill, pick, read, unpacked, COLOURS,
    foldOnPhone, use: (given) => { data = given; }};
})();
