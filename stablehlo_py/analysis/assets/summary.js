// The first page: figures, tables, and the memory over time.
"use strict";

// A table whose columns sort it; a column is [title, value(row), text(row), is a number, class of its cells].
function sortedTable(rows, columnsOf, choose, first = null) {
  let sortedBy = columnsOf.findIndex((column) => (first ? column[0] === first : column[3]));
  let direction = -1;
  const body = make("tbody");
  const heads = columnsOf.map(([title, , , isNumber], index) =>
    make("th", { class: isNumber ? "number" : null, tabindex: 0, click: () => sort(index),
      keydown: (event) => event.key === "Enter" && sort(index) }, title));

  function sort(index) {
    direction = index === sortedBy ? -direction : columnsOf[index][3] ? -1 : 1;
    sortedBy = index;
    draw();
  }

  function draw() {
    const value = columnsOf[sortedBy][1];
    const ordered = [...rows].sort((a, b) => (value(a) < value(b) ? -direction : value(a) > value(b) ? direction : 0));
    heads.forEach((head, index) => head.setAttribute("aria-sort",
      index === sortedBy ? (direction < 0 ? "descending" : "ascending") : "none"));
    body.replaceChildren(...ordered.map((row) => make("tr", {}, ...columnsOf.map(([, , text, isNumber, kind], index) => {
      const content = index === 0 && choose ? make("a", { click: () => choose(row), tabindex: 0 }, text(row)) : text(row);
      return make("td", { class: isNumber ? "number" : kind || null }, content);
    }))));
  }

  sortedBy = Math.max(sortedBy, 0);
  draw();
  return make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body);
}

function sumOf(ops, column) {
  return ops.reduce((sum, op) => sum + amount(op, column), 0);
}

function card(label, value) {
  return make("div", { class: "card" }, make("b", {}, String(value)), make("span", {}, label));
}

function cards() {
  const { totals, version } = data;
  const found = [
    card("functions", data.functions.length),
    card("ops", (opCount - 1 - data.functions.length).toLocaleString("en")),
    card("arithmetic operations", short(totals.flops)),
    card("exp, log, tanh, …", short(totals.transcendentals)),
    card("bytes read and written", short(totals.bytes, "B")),
    card("operations a byte", totals.intensity === null ? "depends on sizes" : Number(totals.intensity.toPrecision(3))),
    card("peak of live values", short(totals.peak, "B")),
    card("oldest StableHLO that fits", version ? version.minimum : "unknown"),
    card("unknown dimension sizes", data.dynamic.length),
  ];
  return make("div", { class: "cards" }, ...found);
}

function functionTable() {
  const rows = data.functions.map((op) => {
    const inside = [];
    for (let inner = op + 1; inner < program.end[op]; inner++) inside.push(inner);
    const runs = inside.length ? Math.max(0, amount(inside[0], "runs")) : 0;
    return { op, count: inside.length, runs, flops: sumOf(inside, "flops"), bytes: sumOf(inside, "bytes") };
  });
  return sortedTable(rows, [
    ["function", (row) => program.functionName.get(row.op), (row) => `@${program.functionName.get(row.op)}`],
    ["ops", (row) => row.count, (row) => row.count.toLocaleString("en"), true],
    ["runs", (row) => row.runs, (row) => String(row.runs), true],
    ["arithmetic", (row) => row.flops, (row) => short(row.flops), true],
    ["bytes", (row) => row.bytes, (row) => short(row.bytes, "B"), true],
  ], (row) => {
    select(row.op);
    openInGraph(row.op);
  }, "arithmetic");
}

function kindTable() {
  const kinds = new Map();
  for (let op = 0; op < opCount; op++) {
    if (op === 0 || isFunction.has(op)) continue;
    if (!kinds.has(program.name[op])) kinds.set(program.name[op], []);
    kinds.get(program.name[op]).push(op);
  }
  const rows = [...kinds].map(([name, ops]) => ({
    name, count: ops.length, runs: sumOf(ops, "runs"), flops: sumOf(ops, "flops"), bytes: sumOf(ops, "bytes"),
    types: [...new Set(ops.map((op) => program.result[op]))],
  }));
  return sortedTable(rows, [
    ["op", (row) => row.name, (row) => row.name],
    ["in the text", (row) => row.count, (row) => row.count.toLocaleString("en"), true],
    ["runs", (row) => row.runs, (row) => row.runs.toLocaleString("en"), true],
    ["arithmetic", (row) => row.flops, (row) => short(row.flops), true],
    ["bytes", (row) => row.bytes, (row) => short(row.bytes, "B"), true],
    ["types of results", (row) => row.types[0], (row) => typesText(row.types)],
  ], (row) => searchFor(row.name), "arithmetic");
}

function typesText(types) {
  const shown = types[0].length > 48 ? `${types[0].slice(0, 48)}…` : types[0];
  return types.length > 1 ? `${shown} and ${types.length - 1} more` : shown;
}

// Live bytes while each op runs, in the order of the text, as steps; a click goes to the op.
function memoryChart() {
  const { op, live } = data.cost;
  const width = 1000, height = 150, top = Math.max(1, ...live.slice(0, 1), live.reduce((a, b) => Math.max(a, b), 0));
  const x = (place) => (width * place) / Math.max(op.length, 1);
  const y = (value) => height - (height - 14) * (value / top);
  let path = `M0,${height}`;
  live.forEach((value, place) => {
    path += `L${x(place).toFixed(1)},${y(value).toFixed(1)}L${x(place + 1).toFixed(1)},${y(value).toFixed(1)}`;
  });
  const cursor = make("line", { x1: 0, x2: 0, y1: 0, y2: height });
  const at = (event) => {
    const box = chart.getBoundingClientRect();
    return Math.min(op.length - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * op.length)));
  };
  const chart = make("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img",
    "aria-label": "memory over time",
    click: (event) => op.length && select(op[at(event)]),
    mousemove: (event) => {
      if (!op.length) return;
      const place = at(event);
      cursor.setAttribute("x1", x(place + 0.5));
      cursor.setAttribute("x2", x(place + 0.5));
      caption.textContent = `${amountText(op[place], "live", "B")} at ${program.name[op[place]]} ${program.location[op[place]]}`;
    } }, make("path", { d: `${path}L${width},${height}Z` }), cursor);
  const caption = make("div", { class: "faint" }, `peak ${short(data.totals.peak, "B")} at ${data.totals.peak_at}`);
  return make("div", {}, chart, caption);
}

function dynamicList() {
  const found = data.dynamic.slice(0, 200).map(({ size, reasons }) =>
    make("div", { class: "mono" }, make("div", {}, size), ...reasons.map((reason) => make("div", { class: "faint" }, `  ${reason}`))));
  const more = data.dynamic.length - found.length;
  return make("div", {}, ...found, more > 0 ? make("div", { class: "faint" }, `and ${more} more`) : null);
}

function versionNote() {
  const held = data.version.held_by.map(({ what, places }) => make("li", {}, `${what}: ${places.join(", ")}`));
  return make("ul", {}, ...held);
}

function overlayTable(overlay) {
  const rank = ({ op, value }) => (overlay.culprit.includes(op) ? Infinity : value);
  const rows = [...overlay.marks].map(([op, { value, text }]) => ({ op, value, text }))
    .sort((a, b) => rank(b) - rank(a) || 0).slice(0, 50);
  const table = sortedTable(rows, [
    ["op", (row) => row.op, (row) => numbered(row.op)],
    [overlay.unit, rank, (row) => (row.value ? short(row.value) : ""), true],
    ["what", (row) => row.text, (row) => row.text, false, "told"],
    ["location", (row) => program.location[row.op], (row) => program.location[row.op].split("/").pop(), false, "place"],
  ], (row) => select(row.op));
  const missed = overlay.missed ? make("div", { class: "faint" }, `${overlay.missed} are of no op of this program`) : null;
  return make("div", {}, table, missed);
}

function drawSummary() {
  const box = byId("summary");
  const section = (title, content) => box.append(make("h2", {}, title), content);
  box.append(cards());
  data.overlays.filter(({ why }) => why.axes).forEach(({ why }) => section("Why collectives are there", shardingSection(why)));
  overlays.filter((overlay) => overlay.marks).forEach((overlay) => section(overlay.name, overlayTable(overlay)));
  section("Functions", functionTable());
  section("Ops by kind", kindTable());
  section("Memory over time", memoryChart());
  if (data.dynamic.length) section("Sizes that stay unknown, and where they come from", dynamicList());
  if (data.version && data.version.held_by.length) section(`Why StableHLO ${data.version.minimum}`, versionNote());
  if (data.notes.length) section("Notes", make("ul", {}, ...data.notes.map((note) => make("li", {}, note))));
}
