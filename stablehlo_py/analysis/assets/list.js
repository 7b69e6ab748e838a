// The list of all ops, and the text of the program.
"use strict";

const LIST = [
  ["#", 10, false, (op) => op, (op) => program.number[op]],
  ["op", 20, false, (op) => program.name[op], (op) => shortName(op)],
  ["function", 12, false, (op) => program.func[op], (op) => (program.func[op] < 0 ? "" : `@${program.functionName.get(program.func[op])}`)],
  ["result", 28, false, (op) => program.result[op], (op) => program.result[op]],
  ["runs", 12, true, (op) => amount(op, "runs"), (op) => amountText(op, "runs", "")],
  ["arithmetic", 12, true, (op) => amount(op, "flops"), (op) => amountText(op, "flops", "")],
  ["bytes", 10, true, (op) => amount(op, "bytes"), (op) => amountText(op, "bytes", "B")],
  ["live", 10, true, (op) => amount(op, "live"), (op) => amountText(op, "live", "B")],
  ["location", 40, false, (op) => program.location[op], (op) => program.location[op]],
];

const list = { order: [], sortedBy: 0, direction: 1, matches: null };

function buildList() {
  const head = make("div", { class: "head mono" }, ...LIST.map(([title, width, isNumber], index) =>
    make("button", { style: `width:${width}ch`, class: isNumber ? "number" : null, click: () => sortList(index) }, title)));
  const box = make("div", { class: "rows", tabindex: 0, "aria-label": "ops" });
  byId("ops").append(head, box);
  list.rows = new Rows(box, (index) => {
    const op = list.order[index];
    const row = make("div", { "data-op": op, click: () => select(op) }, ...LIST.map(([, width, isNumber, , text]) =>
      make("span", { style: `width:${width}ch`, class: isNumber ? "number" : null }, text(op))));
    row.style.background = op === state.op ? "" : heatColour(state.overlay, state.overlay.value(op));
    row.classList.toggle("chosen", op === state.op);
    return row;
  });
  fillList();
}

function sortList(index) {
  list.direction = index === list.sortedBy ? -list.direction : LIST[index][2] && index ? -1 : 1;
  list.sortedBy = index;
  fillList();
}

function fillList() {
  const value = LIST[list.sortedBy][3];
  list.order = list.matches === null ? Array.from({ length: opCount }, (_, op) => op) : [...list.matches];
  if (list.sortedBy || list.direction < 0) {
    const keys = list.order.map((op) => [value(op), op]);
    keys.sort((a, b) => (a[0] < b[0] ? -list.direction : a[0] > b[0] ? list.direction : a[1] - b[1]));
    list.order = keys.map(([, op]) => op);
  }
  list.rows.show(list.order.length);
}

// The ops whose name, text, location or stack of names contain every word.
function matching(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return null;
  const found = [];
  for (let op = 0; op < opCount; op++) {
    const text = `${program.name[op]} ${data.lines[program.line[op]]} ${program.location[op]} ${program.stack[op]}`.toLowerCase();
    if (words.every((word) => text.includes(word))) found.push(op);
  }
  return found;
}

const text = {};

function buildText() {
  text.rows = new Rows(byId("text"), (index) => {
    const op = opsOfLine.get(index);
    const attributes = op === undefined ? {} : { click: () => select(op), "data-op": op };
    const row = make("div", attributes, make("i", {}, String(index + 1)), make("span", {}, data.lines[index]));
    if (op !== undefined) row.style.background = heatColour(state.overlay, state.overlay.value(op));
    if (state.op !== null && index === program.line[state.op]) {
      row.style.background = "";
      row.classList.add("chosen");
    }
    if (op !== undefined && list.matches !== null && state.found.has(op)) row.classList.add("match");
    return row;
  });
  text.rows.show(data.lines.length);
}
