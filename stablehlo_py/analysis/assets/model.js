// The program as objects over the columns of `data`.
"use strict";

const columns = data.ops;
const opCount = columns.name.length;

function stringsOf(column) {
  return column.map((number) => data.strings[number]);
}

const program = {
  name: stringsOf(columns.name),
  number: stringsOf(columns.number), // as debug verbs count; an op itself is known by its position in the text
  result: stringsOf(columns.result),
  location: stringsOf(columns.location),
  stack: stringsOf(columns.stack),
  parent: columns.parent,
  region: columns.region,
  operands: columns.operands,
  line: columns.line,
  end: new Int32Array(opCount), // behind the last op within the op
  users: Array.from({ length: opCount }, () => []),
  func: new Int32Array(opCount).fill(-1), // the function around the op
  cost: new Int32Array(opCount).fill(-1), // the op's place in `data.cost`, -1 where it does not run
  functionName: new Map(),
};

const isFunction = new Set(data.functions);
for (let op = opCount - 1; op >= 0; op--) {
  program.end[op] = Math.max(program.end[op], op + 1);
  const parent = program.parent[op];
  if (parent >= 0) program.end[parent] = Math.max(program.end[parent], program.end[op]);
}
for (let op = 0; op < opCount; op++) {
  const parent = program.parent[op];
  program.func[op] = isFunction.has(op) ? op : parent >= 0 ? program.func[parent] : -1;
  for (const operand of program.operands[op]) {
    if (operand >= 0 && operand !== op) program.users[operand].push(op);
  }
}
data.cost.op.forEach((op, place) => {
  program.cost[op] = place;
});
for (const op of data.functions) {
  const found = /@("(?:[^"\\]|\\.)*"|[\w$.-]+)/.exec(data.lines[program.line[op]]);
  program.functionName.set(op, found ? found[1] : `function ${op}`);
}
const opsOfLine = new Map();
for (let op = opCount - 1; op >= 0; op--) opsOfLine.set(program.line[op], op);

// The names that an op is grouped by; a constant, which often has none of its own, goes to what uses it first.
function groupNames(op) {
  const [user] = program.users[op];
  const namedLike = program.name[op] === "stablehlo.constant" && user !== undefined ? user : op;
  return program.stack[namedLike] ? program.stack[namedLike].split("/") : [];
}

// An amount of an op: its number, or 0; and its text, which has symbols where sizes are not known.
function amount(op, column) {
  const place = program.cost[op];
  return place < 0 ? 0 : data.cost[column][place];
}

function amountText(op, column, unit) {
  const place = program.cost[op];
  if (place < 0) return "";
  const texts = data.cost[`${column}_texts`];
  return texts && texts[place] !== undefined ? texts[place] : short(data.cost[column][place], unit);
}

function numbered(op, name = program.name[op]) {
  return program.number[op] ? `${name} ${program.number[op]}` : name;
}

function shortName(op) {
  return program.name[op].replace(/^stablehlo\./, "");
}

// What ops can be coloured by: the costs, and what other tools found out.
const COSTS = [["flops", "arithmetic", ""], ["bytes", "bytes", "B"], ["live", "live bytes", "B"]];
const overlays = [
  ...COSTS.map(([column, name, unit]) => ({
    name,
    unit,
    value: (op) => amount(op, column),
    text: (op) => amountText(op, column, unit),
    culprit: [],
  })),
  ...data.overlays.map((overlay) => {
    const marks = new Map(overlay.marks.map(([op, value, text]) => [op, { value: Number(value), text }]));
    return {
      name: overlay.name,
      unit: overlay.unit,
      missed: overlay.missed,
      culprit: overlay.culprit,
      marks,
      value: (op) => (marks.has(op) ? marks.get(op).value : 0),
      text: (op) => (marks.has(op) ? marks.get(op).text : ""),
    };
  }),
];
for (const overlay of overlays) {
  overlay.largest = 0;
  for (let op = 0; op < opCount; op++) {
    if (Number.isFinite(overlay.value(op))) overlay.largest = Math.max(overlay.largest, overlay.value(op));
  }
}

// How strongly an op is coloured, from 0 to 1: by the logarithm, so that small values are seen beside large ones.
function heat(overlay, value) {
  if (!(value > 0)) return 0;
  if (value >= overlay.largest) return 1;
  return Math.max(0.06, 1 + Math.log10(value / overlay.largest) / 6);
}

function heatColour(overlay, value) {
  const strength = heat(overlay, value);
  return strength ? `rgba(var(--heat), ${(0.08 + 0.6 * strength).toFixed(3)})` : "";
}
