// Which nodes the graph shows: functions, regions and name stacks are groups; constants and scalar broadcasts are folded.
"use strict";

const MOST_NODES = 40;
const FEWEST_LAYERS = 4;
const OPENED_IN_PLACE = new Set(["stack", "region", "stablehlo.while", "stablehlo.if", "stablehlo.case"]);
const REGION_NAMES = { "stablehlo.while": ["condition", "body"], "stablehlo.if": ["true", "false"] };
const SHAPE_OPS = new Set(["stablehlo.broadcast_in_dim", "stablehlo.broadcast", "stablehlo.reshape", "stablehlo.convert"]);
const INFINITIES = { FF800000: "-inf", "7F800000": "inf", FF80: "-inf", "7F80": "inf", FC00: "-inf", "7C00": "inf",
  FFF0000000000000: "-inf", "7FF0000000000000": "inf" };

// The text of a folded op: a constant's value; an empty text for a broadcast of a computed scalar or before another
// broadcast, and for a conversion to the same type. Others have none.
const foldedText = new Map();
for (let op = 0; op < opCount; op++) {
  const [operand] = program.operands[op];
  if (!program.users[op].length) continue;
  if (program.name[op].endsWith(".constant")) foldedText.set(op, constantText(op));
  else if (SHAPE_OPS.has(program.name[op]) && foldedText.get(operand)) foldedText.set(op, foldedText.get(operand));
  else if (program.name[op] === "stablehlo.broadcast_in_dim" && (isScalar(operand) || isBroadcastAgain(op))) foldedText.set(op, "");
  else if (program.name[op] === "stablehlo.convert" && typeOf(operand) === program.result[op]) foldedText.set(op, "");
}

function typeOf(value) {
  return value < 0 ? data.strings[data.arguments[-1 - value][2]] : program.result[value];
}

function isBroadcastAgain(op) {
  return program.users[op].length === 1 && program.name[program.users[op][0]] === program.name[op];
}

function isScalar(value) {
  return /^tensor<[a-z]\w*>$/i.test(typeOf(value));
}

function constantText(op) {
  const found = /dense<([^<>\s]{1,24})>/.exec(data.lines[program.line[op]]);
  if (!found) return program.result[op].replace(/^tensor<(.*)>$/, "$1");
  const hex = /^0x([0-9A-F]+)$/i.exec(found[1]);
  if (hex) return INFINITIES[hex[1].toUpperCase()] || found[1];
  return /^-?[\d.]+(e[-+]?\d+)?$/i.test(found[1]) ? String(Number(Number(found[1]).toPrecision(5))) : found[1];
}

// The value behind folded ops.
function sourceOf(value) {
  while (value >= 0 && foldedText.get(value) === "") [value] = program.operands[value];
  return value;
}

function group(label, ops, depth, kind) {
  return { label, ops, depth, kind };
}

function rootGroup() {
  return { ...group(data.title, [...data.functions], 0, "module"), members: chunked([...data.functions]) };
}

function isGroup(member) {
  if (typeof member !== "number" || calleeOf(member) !== undefined) return true;
  const regions = regionsOf(member);
  return regions.length > 1 || (regions.length === 1 && regions[0].length > 2);
}

// The ops of each region of an op.
function regionsOf(op) {
  const regions = [];
  for (let inner = op + 1; inner < program.end[op]; inner = program.end[inner]) {
    const region = program.region[inner];
    (regions[region] = regions[region] || []).push(inner);
  }
  return regions.filter(Boolean);
}

const functionOfName = new Map([...program.functionName].map(([op, name]) => [name, op]));

// The function that a call or a composite names.
function calleeOf(op) {
  if (!/(\.call|\.composite)$/.test(program.name[op])) return undefined;
  const names = data.lines[program.line[op]].match(/@("(?:[^"\\]|\\.)*"|[\w$.-]+)/g) || [];
  return functionOfName.get((names[0] || "").slice(1));
}

// An op with regions, a call or a function as a group.
function openOp(op) {
  const callee = calleeOf(op);
  if (callee !== undefined) return openOp(callee);
  const regions = regionsOf(op);
  const label = isFunction.has(op) ? `@${program.functionName.get(op)}` : shortName(op);
  const opened = { ...group(label, regions.flat(), 0, isFunction.has(op) ? "function" : program.name[op]), holder: op };
  const names = REGION_NAMES[program.name[op]] || [];
  if (regions.length > 1) opened.members = regions.map((ops, index) => group(names[index] || `region ${index}`, ops, 0, "region"));
  return opened;
}

function asGroup(member) {
  return typeof member === "number" ? openOp(member) : member;
}

function membersOf(open) {
  if (!open.members) open.members = chunked(withLayers(byStack(open.ops.filter((op) => !foldedText.has(op)), open.depth)));
  return open.members;
}

// Ops with the same next name in their stacks are a group. A group that holds nearly all of them opens by itself.
function byStack(ops, depth) {
  const named = new Map();
  const members = [];
  for (const op of ops) {
    const names = groupNames(op);
    const name = names.length > depth + 1 ? names[depth] : null;
    if (name === null) members.push(op);
    else if (named.has(name)) named.get(name).ops.push(op);
    else {
      named.set(name, group(name, [op], depth + 1, "stack"));
      members.push(named.get(name));
    }
  }
  return members.flatMap((member) => {
    if (typeof member === "number") return [member];
    if (member.ops.length === 1) return member.ops;
    return member.ops.length > 0.6 * ops.length ? byStack(member.ops, member.depth) : [withOnlyChild(member)];
  });
}

// Groups in a row that differ by a number in their names alone, such as layers, are one: `layer × 12`.
function withLayers(members) {
  const found = [];
  for (let start = 0, end; start < members.length; start = end) {
    const [first, key] = [members[start], layerKey(members[start])];
    for (end = start + 1; key && end < members.length && layerKey(members[end]) === key; end++);
    const layers = members.slice(start, end), name = key && (first.label.replace(/[\W_]*\d+.*/, "") || first.label);
    if (layers.length < FEWEST_LAYERS || layers.length === members.length) found.push(...layers);
    else found.push({ ...group(`${name} × ${layers.length}`, layers.flatMap(({ ops }) => ops), 0, "chunk"), members: chunked(layers) });
  }
  return found;
}

function layerKey(member) {
  return typeof member === "number" || !/\d/.test(member.label) ? null : `${member.label.replace(/\d+/g, "#")} ${member.ops.length}`;
}

// A group with a single group in it is one group, with both names.
function withOnlyChild(outer) {
  const inside = membersOf(outer);
  if (inside.length !== 1 || typeof inside[0] === "number") return outer;
  return { ...inside[0], label: inside[0].label === outer.label ? outer.label : `${outer.label}/${inside[0].label}` };
}

// More members than a picture can show become groups: the repetitions of a pattern, such as layers, else neighbours.
function chunked(members) {
  if (members.length <= MOST_NODES) return members;
  const found = repeated(members);
  if (found.length <= MOST_NODES) return found;
  const size = Math.max(2, Math.ceil(found.length / Math.min(MOST_NODES - 10, Math.ceil(Math.sqrt(found.length)))));
  const chunks = [];
  for (let start = 0; start < found.length; start += size) chunks.push(neighbours(found.slice(start, start + size)));
  return chunks;
}

function neighbours(members) {
  const ops = members.flatMap((member) => (typeof member === "number" ? [member] : member.ops));
  const named = members.filter((member) => typeof member !== "number");
  const label = named.length > 1 ? `${named[0].label} … ${named[named.length - 1].label}` : mainKinds(ops);
  return { ...group(label, ops, 0, "chunk"), members: chunked(members) };
}

// The kinds of ops that cost most, or occur most.
function mainKinds(ops) {
  const weights = new Map();
  for (const op of ops) weights.set(shortName(op), (weights.get(shortName(op)) || 0) + 1 + amount(op, "flops"));
  return [...weights].sort((a, b) => b[1] - a[1]).slice(0, 2).map(([name]) => name).join(", ");
}

// Groups for the longest repetition of a pattern of different kinds, and for those before and behind it.
function repeated(members) {
  const keys = members.map((member) => (typeof member === "number" ? program.name[member] : member.label.replace(/\d+/g, "#")));
  const alike = keys.map(() => 1); // of one kind, up to here
  for (let at = 1; at < keys.length; at++) if (keys[at] === keys[at - 1]) alike[at] = alike[at - 1] + 1;
  let best = { size: 0 };
  for (let period = 3; period <= Math.min(keys.length / 2, 4e6 / keys.length); period++) {
    let run = 0;
    for (let at = 0; at + period <= keys.length; at++) {
      run = keys[at] === keys[at + period] ? run + 1 : 0;
      const size = run < period ? 0 : (Math.floor(run / period) + 1) * period;
      if (size > best.size && alike[at + period] < size) best = { size, period, start: at - run + 1 };
    }
  }
  if (best.size < 12) return members;
  const count = best.size / best.period;
  const blocks = Array.from({ length: count }, (_, index) => {
    const part = members.slice(best.start + index * best.period, best.start + (index + 1) * best.period);
    return { ...neighbours(part), label: `block ${index + 1} of ${count}` };
  });
  const end = best.start + best.size;
  return [...repeated(members.slice(0, best.start)), ...blocks, ...repeated(members.slice(end))];
}

// The nodes of a picture of a group, at most `most` if groups can be closed. Inner groups are opened in place, outer and
// large ones first, while there is room; groups of one kind, such as layers, are opened together.
function nodesOf(open, most = MOST_NODES) {
  let nodes = membersOf(open).map((member) => ({ member, cluster: null }));
  for (;;) {
    const alike = new Map();
    for (const node of nodes.filter(({ member }) => canOpenInPlace(member))) {
      const key = [node.cluster ? node.cluster.number : 0, asGroup(node.member).label.replace(/\d+/g, "#")].join(" ");
      alike.set(key, [...(alike.get(key) || []), node]);
    }
    const added = (found) => found.reduce((sum, { member }) => sum + membersOf(asGroup(member)).length - 1, 0);
    const fits = [...alike.values()].filter((found) => nodes.length + added(found) <= most);
    if (!fits.length) return nodes;
    const rank = ([node]) => (node.cluster ? node.cluster.depth : 0) * 1e9 - countOf(asGroup(node.member));
    const next = new Set(fits.reduce((best, found) => (rank(found) < rank(best) ? found : best)));
    nodes = nodes.flatMap((node, index) => (next.has(node) ? openedInPlace(node, index + 1) : [node]));
  }
}

function openedInPlace({ member, cluster: outer }, number) {
  const inner = asGroup(member);
  const cluster = { group: inner, outer, depth: outer ? outer.depth + 1 : 1, number: `${outer ? outer.number : ""}.${number}` };
  return membersOf(inner).map((found) => ({ member: found, cluster }));
}

function canOpenInPlace(member) {
  const kind = typeof member === "number" ? program.name[member] : member.kind;
  if (!OPENED_IN_PLACE.has(kind)) return false;
  const inside = membersOf(asGroup(member));
  return inside.length > 0 && !inside.some((found) => found.kind === "chunk");
}

function countOf(open) {
  return open.ops.reduce((sum, op) => sum + program.end[op] - op, 0);
}

// The node of each op; an op that is opened in place is where its last region ends, which its users take.
function ownersOf(nodes) {
  const owner = new Map();
  nodes.forEach(({ member }, index) => {
    for (const op of typeof member === "number" ? [member] : member.ops) {
      for (let inner = op; inner < program.end[op]; inner++) owner.set(inner, index);
    }
  });
  for (const { cluster } of nodes) {
    for (let around = cluster; around; around = around.outer) {
      const { holder, ops } = around.group;
      if (holder !== undefined && owner.has(ops[ops.length - 1])) owner.set(holder, owner.get(ops[ops.length - 1]));
    }
  }
  return owner;
}

// Edges between nodes, from arguments, and from outside; and the texts of folded operands, by node.
function edgesOf(nodes, open) {
  if (open.kind === "module") return callsOf(nodes);
  const owner = ownersOf(nodes);
  const edges = new Map();
  const add = (from, to, type) => {
    const edge = edges.get(`${from} ${to}`) || { from, to, types: new Set() };
    edges.set(`${from} ${to}`, edge);
    edge.types.add(type);
  };
  for (const [op, to] of owner) {
    for (const operand of program.operands[op]) {
      const value = insideSource(sourceOf(operand), owner);
      if (value < 0) {
        const [holder, , type] = data.arguments[-1 - value];
        if (!owner.has(holder)) add(argumentName(value), to, data.strings[type]);
      } else if (!owner.has(value)) {
        if (!foldedText.has(value) && value !== op) add("outside", to, program.result[value]);
      } else if (owner.get(value) !== to) add(owner.get(value), to, program.result[value]);
    }
  }
  return [...edges.values()];
}

// A loop's carried value is the loop's operand if the loop is opened in place.
function insideSource(value, owner) {
  while (value < 0) {
    const [holder, number] = data.arguments[-1 - value];
    if (!owner.has(holder) || program.name[holder] !== "stablehlo.while") return value;
    value = sourceOf(program.operands[holder][number]);
  }
  return value;
}

function argumentName(value) {
  const [holder, number, , name] = data.arguments[-1 - value];
  if (data.strings[name]) return data.strings[name];
  return isFunction.has(holder) ? `argument ${number}` : `carried value ${number}`;
}

// What each function calls.
function callsOf(nodes) {
  const owner = ownersOf(nodes);
  const edges = new Map();
  for (const [op, from] of owner) {
    const to = owner.get(calleeOf(op));
    if (to !== undefined && to !== from) edges.set(`${from} ${to}`, { from, to, types: new Set(["calls"]) });
  }
  return [...edges.values()];
}
