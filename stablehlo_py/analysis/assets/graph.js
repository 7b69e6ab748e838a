// The graph of one group at a time: functions, regions and name stacks are groups, and only the open one is laid out.
"use strict";

const MOST_NODES = 120;
const graph = { path: [], nodes: [], box: null };

// A group holds ops of one block. `depth` says how many names of their stacks lie behind them.
function group(label, ops, depth, kind) {
  return { label, ops, depth, kind };
}

function rootGroup() {
  const top = [];
  for (let op = 1; op < opCount; op = program.end[op]) top.push(op);
  return group(data.title, top, 0, "module");
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

const REGION_NAMES = { "stablehlo.while": ["condition", "body"], "stablehlo.if": ["true", "false"] };

// What is in a region op, function or group, as the members of the open group: ops and groups.
function openOp(op) {
  const regions = regionsOf(op);
  const label = isFunction.has(op) ? `@${program.functionName.get(op)}` : `${shortName(op)} #${op}`;
  if (regions.length === 1) return group(label, regions[0], 0, "op");
  const names = REGION_NAMES[program.name[op]] || [];
  const members = regions.map((ops, index) => group(names[index] || `region ${index}`, ops, 0, "region"));
  return { label, ops: regions.flat(), depth: 0, kind: "op", members };
}

function membersOf(open) {
  if (!open.members) open.members = chunked(byStack(open), open);
  return open.members;
}

// Ops with the same next name in their stacks are a group.
function byStack(open) {
  const named = new Map();
  const members = [];
  for (const op of open.ops) {
    const names = groupNames(op);
    const name = names.length > open.depth + 1 ? names[open.depth] : null;
    if (name === null) members.push(op);
    else if (named.has(name)) named.get(name).ops.push(op);
    else {
      const inner = group(name, [op], open.depth + 1, "stack");
      named.set(name, inner);
      members.push(inner);
    }
  }
  const flat = members.map((member) => (member.ops && member.ops.length === 1 ? member.ops[0] : member));
  if (flat.length === 1 && flat[0].ops && open.depth < 50) return byStack({ ...open, depth: open.depth + 1 });
  return flat;
}

// So many ops that nobody could see them become groups of neighbours.
function chunked(members, open) {
  if (members.length <= MOST_NODES) return members;
  const size = Math.max(2, Math.ceil(members.length / Math.ceil(Math.sqrt(Math.min(members.length, 3600)))));
  const chunks = [];
  for (let start = 0; start < members.length; start += size) {
    const part = members.slice(start, start + size);
    const ops = part.flatMap((member) => (member.ops ? member.ops : [member]));
    const label = `ops ${start + 1} to ${start + part.length}`;
    chunks.push({ label, ops, depth: open.depth, kind: "chunk", members: part.length <= MOST_NODES ? part : undefined });
  }
  return chunks;
}

function labelOf(member) {
  if (typeof member !== "number") return `${member.label} (${countOf(member).toLocaleString("en")})`;
  if (isFunction.has(member)) return `@${program.functionName.get(member)}`;
  const result = program.result[member].replace(/^tensor<(.*)>$/, "$1");
  return `${shortName(member)}${result && result.length < 28 ? ` ${result}` : ""}`;
}

function countOf(member) {
  return member.ops.reduce((sum, op) => sum + program.end[op] - op, 0);
}

// Which member of the open group an op is in, for every op within.
function owners(members) {
  const owner = new Map();
  members.forEach((member, index) => {
    for (const op of member.ops || [member]) {
      for (let inner = op; inner < program.end[op]; inner++) owner.set(inner, index);
    }
  });
  return owner;
}

function edgesOf(members) {
  const owner = owners(members);
  const edges = new Map();
  const add = (from, to, type) => {
    const key = `${from} ${to}`;
    const edge = edges.get(key) || { from, to, types: new Set() };
    edges.set(key, edge);
    edge.types.add(type);
  };
  for (const [op, to] of owner) {
    for (const operand of program.operands[op]) {
      if (operand < 0) {
        const [holder, number, type] = data.arguments[-1 - operand];
        if (!owner.has(holder)) add(isFunction.has(holder) ? `argument ${number}` : "carried values", to, data.strings[type]);
      } else if (!owner.has(operand)) {
        if (operand !== op) add("outside", to, program.result[operand]);
      } else if (owner.get(operand) !== to) add(owner.get(operand), to, program.result[operand]);
    }
  }
  return [...edges.values()];
}

function layOut(members) {
  const layout = new dagre.graphlib.Graph().setGraph({ ranksep: 34, nodesep: 16, marginx: 12, marginy: 12 });
  layout.setDefaultEdgeLabel(() => ({}));
  const size = (label) => ({ label, width: Math.min(320, 16 + 7 * label.length), height: 28 });
  members.forEach((member, index) => layout.setNode(String(index), { ...size(labelOf(member)), member }));
  const edges = edgesOf(members);
  const outside = new Set(edges.map((edge) => edge.from).filter((from) => typeof from === "string"));
  const many = outside.size > 24; // parameters of a large model would hide the graph
  for (const edge of edges) {
    if (typeof edge.from === "string" && many) edge.from = "arguments and outside";
    if (typeof edge.from === "string") layout.setNode(edge.from, { ...size(edge.from), outside: true });
    layout.setEdge(String(edge.from), String(edge.to), { title: [...edge.types].slice(0, 5).join("\n") });
  }
  dagre.layout(layout);
  return layout;
}

function drawGraph() {
  const open = graph.path[graph.path.length - 1];
  const layout = layOut(membersOf(open));
  const edges = layout.edges().map((key) => drawEdge(key, layout.edge(key)));
  graph.nodes = layout.nodes().map((key) => drawNode(layout.node(key)));
  const { width = 100, height = 100 } = layout.graph();
  const arrow = make("defs", {}, make("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7,
    markerHeight: 7, orient: "auto" }, make("path", { d: "M0,0L8,4L0,8Z", fill: "var(--faint)" })));
  const svg = make("svg", { role: "group", "aria-label": "graph" }, arrow, ...edges, ...graph.nodes.map((node) => node.element));
  const crumbs = make("div", { class: "crumbs" }, ...graph.path.flatMap((part, index) => [
    index ? " › " : "", make("a", { tabindex: 0, click: () => closeTo(index) }, part.label)]));
  byId("graph").replaceChildren(crumbs, svg);
  graph.svg = svg;
  graph.whole = { x: 0, y: 0, width: Math.max(width, 60), height: Math.max(height, 60) };
  enablePanning(svg);
  markNode();
  showStart();
}

function drawNode(node) {
  const { member } = node;
  const isGroup = member !== undefined && (typeof member !== "number" || program.end[member] > member + 1);
  const element = make("g", { class: `node${isGroup ? " group" : ""}${node.outside ? " outside" : ""}`, tabindex: 0,
    transform: `translate(${node.x - node.width / 2},${node.y - node.height / 2})`,
    click: () => chooseNode(found, false), dblclick: () => chooseNode(found, true) },
  make("title", {}, nodeTitle(node)), make("rect", { width: node.width, height: node.height, rx: 5 }),
  make("text", { x: 8, y: 18 }, node.label.length > 44 ? `${node.label.slice(0, 43)}…` : node.label));
  const value = member === undefined ? 0 : memberValue(member);
  const colour = heatColour(state.overlay, value);
  if (colour) element.querySelector("rect").style.fill = colour;
  const found = { element, member, isGroup, x: node.x, y: node.y };
  element.addEventListener("keydown", (event) => nodeKey(event, found));
  return found;
}

// The sum of costs in a group; of what other tools found the largest.
function memberValue(member) {
  const ops = typeof member === "number" ? [member] : member.ops;
  let total = 0;
  for (const op of ops) {
    for (let inner = op; inner < program.end[op]; inner++) {
      const value = state.overlay.value(inner);
      total = state.overlay.marks || state.overlay.unit === "B" ? Math.max(total, value) : total + value;
    }
  }
  return total;
}

function nodeTitle(node) {
  if (node.member === undefined) return node.label;
  if (typeof node.member !== "number") return `${node.label}\n${state.overlay.name}: ${short(memberValue(node.member), state.overlay.unit)}`;
  return `${data.lines[program.line[node.member]].trim()}\n${state.overlay.text(node.member)}`;
}

function drawEdge(key, edge) {
  const [first, ...rest] = edge.points;
  const path = `M${first.x},${first.y}${rest.map(({ x, y }) => `L${x},${y}`).join("")}`;
  return make("path", { class: "edge", d: path, "marker-end": "url(#arrow)", "data-from": key.v, "data-to": key.w },
    make("title", {}, edge.title));
}

function chooseNode(node, open) {
  if (node.member === undefined) return;
  if (typeof node.member === "number") {
    select(node.member, { keepGraph: true });
    if (open && node.isGroup) openGroup(openOp(node.member));
  } else if (open || graph.chosen === node.element) openGroup(node.member);
  graph.chosen = node.element;
}

function openGroup(member) {
  graph.path.push(member);
  drawGraph();
}

function closeTo(index) {
  graph.path.length = index + 1;
  drawGraph();
}

const DIRECTIONS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

function nodeKey(event, node) {
  if (event.key === "Enter") {
    chooseNode(node, true);
    if (node.isGroup && graph.nodes.length) graph.nodes[0].element.focus();
  } else if (DIRECTIONS[event.key]) neighbour(node, ...DIRECTIONS[event.key]);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

// Moves the focus to the nearest node in a direction.
function neighbour(node, right, down) {
  const distance = (other) => {
    const along = (other.x - node.x) * right + (other.y - node.y) * down;
    const across = Math.abs((other.x - node.x) * down) + Math.abs((other.y - node.y) * right);
    return along > 1 ? along + 2 * across : Infinity;
  };
  const nearest = graph.nodes.reduce((best, other) => (distance(other) < distance(best) ? other : best), node);
  nearest.element.focus();
}

function setView(view) {
  graph.view = view;
  graph.svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
}

// All of the graph, a small one not larger than its text needs.
function showAll() {
  const { width, height } = graph.whole;
  const wide = Math.max(width, graph.svg.clientWidth / 1.25), high = Math.max(height, graph.svg.clientHeight / 1.25);
  setView({ x: (width - wide) / 2, y: (height - high) / 2, width: wide, height: high });
}

// All of the graph if its text can be read then; else the part around the chosen op, or the top.
function showStart() {
  showAll();
  const { clientWidth, clientHeight } = graph.svg;
  if (!clientWidth || Math.max(graph.view.width / clientWidth, graph.view.height / clientHeight) < 1.5) return;
  const chosen = graph.nodes.find((node) => node.element.classList.contains("chosen"));
  const top = graph.nodes.reduce((best, node) => (node.y < best.y ? node : best), graph.nodes[0]);
  const { x, y } = chosen || { x: top.x, y: top.y + clientHeight / 2 };
  setView({ x: x - clientWidth / 2, y: y - clientHeight / 2, width: clientWidth, height: clientHeight });
}

function zoom(factor, x = graph.view.x + graph.view.width / 2, y = graph.view.y + graph.view.height / 2) {
  const { view } = graph;
  setView({ x: x - (x - view.x) * factor, y: y - (y - view.y) * factor, width: view.width * factor, height: view.height * factor });
}

function enablePanning(svg) {
  const scale = () => Math.max(graph.view.width / svg.clientWidth, graph.view.height / svg.clientHeight);
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, point.x, point.y);
  }, { passive: false });
  svg.addEventListener("pointermove", (event) => {
    if (!(event.buttons & 1)) return;
    const { view } = graph;
    setView({ ...view, x: view.x - event.movementX * scale(), y: view.y - event.movementY * scale() });
  });
}

function markNode() {
  for (const node of graph.nodes) {
    const holds = (op) => state.op !== null && state.op >= op && state.op < program.end[op];
    const chosen = node.member !== undefined && (typeof node.member === "number" ? [node.member] : node.member.ops).some(holds);
    node.element.classList.toggle("chosen", chosen);
  }
}

// Opens the groups around an op, so that it is seen; a function shows what is in it.
function openInGraph(op) {
  const around = [];
  for (let holder = isFunction.has(op) ? op : program.parent[op]; holder > 0; holder = program.parent[holder]) around.unshift(holder);
  graph.path = [rootGroup()];
  for (const holder of around) {
    graph.path.push(openOp(holder));
    descend(op);
  }
  showTab("graph");
}

// Opens groups of names and neighbours as long as the op is within one.
function descend(op) {
  for (let level = 0; level < 100; level++) {
    const inside = (member) => typeof member !== "number" && member.ops.some((part) => op >= part && op < program.end[part]);
    const next = op === program.func[op] ? undefined : membersOf(graph.path[graph.path.length - 1]).find(inside);
    if (!next) return;
    graph.path.push(next);
  }
}
