// The page: what is chosen, the tabs, the search, and the keys.
"use strict";

const state = { op: null, overlay: overlays[0], tab: "summary", found: new Set() };

function showTab(tab) {
  state.tab = tab;
  document.body.dataset.tab = tab;
  for (const button of document.querySelectorAll("button[data-tab]")) {
    button.setAttribute("aria-selected", String(button.dataset.tab === tab));
    byId(button.dataset.tab).hidden = button.dataset.tab !== tab;
  }
  if (tab === "ops") list.rows.draw();
  if (tab === "graph") {
    if (!graph.path.length) graph.path = firstPath();
    drawGraph();
  }
  remember();
}

// The first picture is that of the op that a tool calls wrong, otherwise of the main function.
function firstPath() {
  if (state.overlay.culprit.length) return pathTo(state.overlay.culprit[0]);
  const main = functionOfName.has("main") ? functionOfName.get("main") : data.functions[0];
  return [rootGroup(), openOp(main)];
}

function select(op, { keepGraph = false } = {}) {
  state.op = op;
  drawDetail(op);
  text.rows.reveal(program.line[op]);
  const place = state.tab === "ops" ? list.order.indexOf(op) : -1;
  if (place >= 0) list.rows.reveal(place);
  if (state.tab === "graph") {
    if (!keepGraph && !isShown(op)) openInGraph(op);
    markNode();
  }
  remember();
}

function isShown(op) {
  return graph.nodes.some((node) => node.member === op);
}

function drawDetail(op) {
  const link = (other) => make("a", { click: () => select(other), tabindex: 0, title: data.lines[program.line[other]].trim() },
    numbered(other, shortName(other)));
  const links = (ops) => ops.slice(0, 12).flatMap((other, index) => [index ? ", " : "", link(other)])
    .concat(ops.length > 12 ? [` and ${ops.length - 12} more`] : []);
  const entries = [
    ["result", program.result[op]],
    ["takes", links(program.operands[op].filter((other) => other >= 0 && other !== op))],
    ["used by", links([...new Set(program.users[op])])],
    ["names", program.stack[op]],
    ["location", program.location[op]],
    ["runs", amountText(op, "runs", "")],
    ["arithmetic", amountText(op, "flops", "")],
    ["exp, log, …", amountText(op, "transcendentals", "")],
    ["bytes", amountText(op, "bytes", "B")],
    ["live", amountText(op, "live", "B")],
    ...overlays.filter((overlay) => overlay.marks).map((overlay) => [overlay.name, overlay.text(op)]),
  ].filter(([, value]) => value && value !== "0" && value !== "0 B" && value.length);
  byId("detail").replaceChildren(make("b", {}, numbered(op)), definitions(entries), ...sourceLines(op));
}

function definitions(entries) {
  return make("dl", {}, ...entries.flatMap(([name, value]) =>
    [make("dt", {}, name), make("dd", {}, ...(Array.isArray(value) ? value : [value]))]));
}

// What a group of the graph holds: its sums, and the largest value of each tool's findings.
function drawGroupDetail(open) {
  const entries = [["ops", countOf(open).toLocaleString("en")], ["mostly", mainKinds(open.ops)],
    ...overlays.map((overlay) => [overlay.marks ? `largest ${overlay.name}` : overlay.name, memberValue(open, overlay), overlay.unit])
      .filter(([name, value]) => value > 0 && name !== "live bytes").map(([name, value, unit]) => [name, short(value, unit)])];
  byId("detail").replaceChildren(make("b", {}, open.label), definitions(entries));
}

// The lines of the source file around an op's location.
function sourceLines(op) {
  const found = /^(.*):(\d+):\d+$/.exec(program.location[op]);
  const lines = found && data.sources[found[1]];
  if (!lines) return [];
  const around = Object.keys(lines).map(Number).filter((line) => Math.abs(line - found[2]) <= 3).sort((a, b) => a - b);
  const shown = around.map((line) => make(line === Number(found[2]) ? "b" : "span", {},
    `${String(line).padStart(5)}  ${lines[line]}${line === Number(found[2]) ? "" : "\n"}`));
  return [make("pre", { id: "source" }, ...shown)];
}

function searchFor(query) {
  byId("search").value = query;
  list.matches = matching(query);
  state.found = new Set(list.matches);
  fillList();
  text.rows.draw();
  if (list.matches !== null && state.tab === "summary") showTab("ops");
  remember();
}

function nextMatch(step) {
  const ops = list.order.filter((op) => op > 0);
  if (!ops.length) return;
  const at = ops.indexOf(state.op);
  select(ops[at < 0 ? 0 : (at + step + ops.length) % ops.length]);
}

function chooseOverlay(index) {
  state.overlay = overlays[index];
  byId("overlay").value = String(index);
  list.rows.draw();
  text.rows.draw();
  if (state.tab === "graph") drawGraph();
  remember();
}

const KEYS = {
  1: () => showTab("summary"),
  2: () => showTab("ops"),
  3: () => showTab("graph"),
  "/": () => byId("search").focus(),
  j: () => nextMatch(1),
  k: () => nextMatch(-1),
  d: () => follow(program.operands),
  u: () => follow(program.users),
  g: () => state.op !== null && openInGraph(state.op),
  t: otherTheme,
  "?": () => byId("help").showModal(),
  Backspace: () => state.tab === "graph" && graph.path.length > 1 && closeTo(graph.path.length - 2),
  "+": () => state.tab === "graph" && zoom(1 / 1.25),
  "-": () => state.tab === "graph" && zoom(1.25),
  0: () => state.tab === "graph" && showAll(),
};

function follow(edges) {
  const next = state.op === null ? undefined : edges[state.op].find((op) => op >= 0 && op !== state.op);
  if (next !== undefined) select(next);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === byId("search")) {
    if (event.key === "Enter") nextMatch(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.target.tagName === "SELECT" || byId("help").open || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.tagName === "A") event.target.click();
});

// What is shown is in the address, so that a link leads to it: #tab=graph&at=12&search=dot&overlay=1&theme=dark
function remember() {
  if (!state.ready) return;
  const overlay = overlays.indexOf(state.overlay);
  const parts = { tab: state.tab, at: state.op, search: byId("search").value, overlay: overlay === firstOverlay() ? null : overlay };
  const text = Object.entries(parts).filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  try {
    history.replaceState(null, "", `#${text}`);
  } catch { /* a frame of a notebook has no address */ }
}

// What another tool found is why a report has it; without such findings it is the arithmetic.
function firstOverlay() {
  return Math.max(0, overlays.findIndex((overlay) => overlay.marks));
}

function recall() {
  const parts = new URLSearchParams(location.hash.slice(1));
  if (parts.has("theme")) setTheme(parts.get("theme"));
  chooseOverlay(parts.has("overlay") ? Math.min(Number(parts.get("overlay")), overlays.length - 1) : firstOverlay());
  if (parts.has("search")) searchFor(parts.get("search"));
  const op = Number(parts.get("at"));
  const tab = parts.get("tab");
  showTab(["summary", "ops", "graph"].includes(tab) ? tab : "summary");
  if (parts.has("at") && op >= 0 && op < opCount) select(op);
}

function start() {
  byId("title").textContent = data.title;
  byId("overlay").append(...overlays.map((overlay, index) => make("option", { value: index }, overlay.name)));
  byId("overlay").addEventListener("change", (event) => chooseOverlay(Number(event.target.value)));
  byId("search").addEventListener("input", (event) => searchFor(event.target.value));
  byId("theme").addEventListener("click", otherTheme);
  byId("help-button").addEventListener("click", () => byId("help").showModal());
  for (const button of document.querySelectorAll("button[data-tab]")) {
    button.addEventListener("click", () => showTab(button.dataset.tab));
  }
  drawSummary();
  buildList();
  buildText();
  byId("detail").append(make("span", { class: "faint" }, "Choose an op: here are its types, costs, neighbours and source."));
  recall();
  state.ready = true;
}

start();
document.documentElement.dataset.ready = String(Math.round(performance.now()));
