// The picture of one group at a time: nodes laid out from top to bottom, in as many columns as the window needs.
"use strict";

const graph = { path: [], nodes: [] };
const LONGEST_LABEL = 28;
const SMALLEST_SCALE = 0.8; // of a first picture; smaller labels cannot be read
const NODE_HEIGHT = 38;
const GAP = 36; // between columns and between parts that no edge connects

function cut(label) {
  return label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1)}…` : label;
}

// The two lines of a node: what it is, with folded operands; the type of its result, or a group's size.
function linesOf(member, folded) {
  if (typeof member !== "number") return [member.label, `${countOf(member).toLocaleString("en")} ops`];
  if (isFunction.has(member)) return [`@${program.functionName.get(member)}`, `${(program.end[member] - member - 1).toLocaleString("en")} ops`];
  const callee = calleeOf(member);
  const body = regionsOf(member);
  const only = body.length === 1 && body[0].length === 2 ? ` ${shortName(body[0][0])}` : "";
  const name = callee === undefined ? `${shortName(member).replace(/^func\./, "")}${only}` : `@${program.functionName.get(callee)}`;
  const constants = program.operands[member].map((operand) => foldedText.get(operand)).filter(Boolean);
  const texts = [...new Set([...constants, ...folded])];
  return [texts.length > 3 ? `${name}  ${texts.length} folded` : `${name}  ${texts.join(", ")}`.trim(),
    program.result[member].replace(/tensor<([^<>]*)>/g, "$1")];
}

// Arguments of one node that has other operands are part of its label; others are nodes, and many of the same users one.
function foldArguments(nodes, edges) {
  const users = new Map();
  for (const edge of edges.filter(({ from }) => typeof from === "string")) users.set(edge.from, [...(users.get(edge.from) || []), edge]);
  const fed = new Set(edges.filter(({ from }) => typeof from === "number").map(({ to }) => to));
  const shared = new Map();
  for (const [name, found] of users) {
    if (found.length === 1 && fed.has(found[0].to)) nodes[found[0].to].folded.push(name);
    else {
      const key = users.size > 8 ? found.map(({ to }) => to).join(" ") : name;
      shared.set(key, [...(shared.get(key) || []), name]);
    }
  }
  const kept = edges.filter(({ from }) => typeof from === "number");
  for (const names of shared.values()) {
    const label = names.length === 1 ? names[0] : `${names.length} arguments`;
    const found = names.flatMap((name) => users.get(name));
    nodes.push({ label, type: names.length === 1 ? [...found[0].types][0].replace(/tensor<(.*)>/, "$1") : "", cluster: null, folded: [],
      outside: true, names });
    for (const to of new Set(found.map((edge) => edge.to))) {
      kept.push({ from: nodes.length - 1, to, types: new Set(found.flatMap((edge) => [...edge.types])) });
    }
  }
  return kept;
}

// The nodes on the longest path: its edges are drawn straight.
function markMainPath(nodes, edges) {
  const length = new Array(nodes.length).fill(0);
  const before = [];
  const middle = nodes.map(({ member, outside }) => (outside ? -1 : typeof member === "number" ? member : (member.ops[0] + member.ops.at(-1)) / 2));
  const forward = edges.filter(({ from, to }) => middle[from] < middle[to]).sort((a, b) => middle[a.to] - middle[b.to]);
  for (const edge of forward) {
    const weight = nodes[edge.from].outside ? 0 : 1;
    if (length[edge.from] + weight > length[edge.to]) [length[edge.to], before[edge.to]] = [length[edge.from] + weight, edge];
  }
  let at = length.indexOf(Math.max(...length));
  for (; before[at]; at = before[at].from) before[at].main = true;
  if (nodes.length) nodes[at].starts = true;
}

// Nodes that edges or clusters connect, as lists of their numbers.
function partsOf(nodes, edges) {
  const root = nodes.map((_, index) => index);
  const find = (at) => {
    while (root[at] !== at) at = root[at] = root[root[at]];
    return at;
  };
  for (const { from, to } of edges) root[find(from)] = find(to);
  const clusters = new Map();
  nodes.forEach(({ cluster }, index) => {
    for (let around = cluster; around; around = around.outer) {
      if (clusters.has(around)) root[find(index)] = find(clusters.get(around));
      else clusters.set(around, index);
    }
  });
  const parts = new Map();
  nodes.forEach((_, index) => parts.set(find(index), [...(parts.get(find(index)) || []), index]));
  return [...parts.values()];
}

// Sets x and y of the nodes of a part and the points of its edges; returns its size.
function layOutPart(part, nodes, edges, box) {
  const nesting = Math.max(...part.map((index) => (nodes[index].cluster ? nodes[index].cluster.depth : 0)));
  const layout = new dagre.graphlib.Graph({ compound: nesting > 0 }).setGraph({ ranksep: 30, nodesep: 16 });
  const names = new Map();
  for (const index of part) {
    const node = nodes[index];
    layout.setNode(String(index), node);
    let inner = String(index);
    for (let around = node.cluster; around; around = around.outer) {
      if (!names.has(around)) layout.setNode(`cluster ${names.size}`, {}) && names.set(around, `cluster ${names.size}`);
      layout.setParent(inner, names.get(around));
      inner = names.get(around);
    }
  }
  const inside = new Set(part);
  for (const edge of edges) if (inside.has(edge.from)) layout.setEdge(String(edge.from), String(edge.to), Object.assign(edge, { weight: edge.main ? 12 : 1 }));
  dagre.layout(layout);
  const ofPart = part.map((index) => nodes[index]);
  tighten(ofPart, edges.filter(({ from }) => inside.has(from)));
  const counts = [1, 2, 3, 4, 5, 6].map((count) => columnsOf(ofPart, count));
  const scale = ({ width, height }) => Math.min(1, box.width / width, box.height / height);
  const best = counts.reduce((found, one) => (scale(one) > 1.04 * scale(found) ? one : found));
  moveToColumns(part, nodes, edges.filter(({ from }) => inside.has(from)), best);
  return best;
}

// Gives the gap above each rank the height that edges, and boxes which begin or end there, need.
function tighten(nodes, edges) {
  const ranks = [...new Set(nodes.map(({ y }) => y))].sort((a, b) => a - b);
  const begins = new Map(), ends = new Map();
  for (const { y, cluster } of nodes) {
    for (let around = cluster; around; around = around.outer) {
      begins.set(around, Math.min(y, begins.get(around) ?? y));
      ends.set(around, Math.max(y, ends.get(around) ?? y));
    }
  }
  const most = (found, y) => Math.max(0, ...[...found].filter(([, at]) => at === y).map(([around]) => around.depth));
  const least = (found, y) => Math.min(1e3, ...[...found].filter(([, at]) => at === y).map(([around]) => around.depth));
  const boxes = (found, y) => Math.max(0, most(found, y) - least(found, y) + 1);
  const moved = [ranks[0]];
  for (let at = 1; at < ranks.length; at++) {
    moved.push(moved[at - 1] + NODE_HEIGHT + 20 + 18 * boxes(begins, ranks[at]) + 8 * boxes(ends, ranks[at - 1]));
  }
  const move = (y) => {
    const at = Math.max(0, ranks.findLastIndex((rank) => rank <= y));
    if (at === ranks.length - 1 || y <= ranks[0]) return moved[at] + y - ranks[at];
    return moved[at] + ((y - ranks[at]) / (ranks[at + 1] - ranks[at])) * (moved[at + 1] - moved[at]);
  };
  for (const edge of edges) edge.points = edge.points.map(({ x, y }) => ({ x, y: move(y) }));
  for (const node of nodes) node.y = move(node.y);
}

// The nodes' ranks in so many columns: where each starts, its shift, and the size of all.
function columnsOf(nodes, count) {
  const ranks = [...new Set(nodes.map(({ y }) => y))].sort((a, b) => a - b);
  const high = (ranks[ranks.length - 1] - ranks[0]) / count;
  const columns = [];
  for (const y of ranks) {
    if (!columns.length || (y - columns[columns.length - 1].top >= high + 1 && columns.length < count)) columns.push({ top: y });
    columns[columns.length - 1].bottom = y;
  }
  let right = 0;
  for (const column of columns) {
    const inside = nodes.filter(({ y }) => y >= column.top && y <= column.bottom);
    const nesting = 12 * Math.max(...inside.map(({ cluster }) => (cluster ? cluster.depth : 0)));
    column.left = Math.min(...inside.map(({ x, width }) => x - width / 2)) - nesting;
    column.shift = right - column.left;
    right += Math.max(...inside.map(({ x, width }) => x + width / 2)) + nesting - column.left + GAP;
    column.gutter = right - GAP / 2;
  }
  const height = Math.max(...columns.map(({ top, bottom }) => bottom - top)) + NODE_HEIGHT;
  const deepest = Math.max(...nodes.map(({ cluster }) => (cluster ? cluster.depth : 0)));
  return { columns, width: right - GAP, height: height + 32 * deepest, inset: 22 * deepest };
}

function moveToColumns(part, nodes, edges, { columns, inset }) {
  const columnOf = (y) => columns.findIndex((column) => y <= column.bottom + 1);
  const placed = new Map(part.map((index) => [index, columnOf(nodes[index].y)]));
  const down = (y, column) => y - columns[column].top + NODE_HEIGHT / 2 + inset;
  for (const index of part) {
    const node = nodes[index];
    node.column = placed.get(index);
    node.x += columns[node.column].shift;
    node.y = down(node.y, node.column);
  }
  for (const edge of edges) {
    const [start, end] = [nodes[edge.from], nodes[edge.to]];
    const column = placed.get(edge.from);
    if (column === placed.get(edge.to)) {
      edge.points = edge.points.map(({ x, y }) => ({ x: x + columns[column].shift, y: down(y, column) }));
    } else {
      const [below, above] = [start.y + NODE_HEIGHT / 2, end.y - NODE_HEIGHT / 2];
      const gutter = columns[Math.max(0, Math.min(column, placed.get(edge.to) - 1))].gutter;
      edge.points = [[start.x, below], [start.x, below + 8], [gutter, below + 8], [gutter, above - 10], [end.x, above - 10], [end.x, above]]
        .map(([x, y]) => ({ x, y }));
      edge.square = true;
    }
  }
}

// Puts parts side by side, in rows about as wide as the window's shape asks for.
function layOut(nodes, edges, box) {
  const parts = partsOf(nodes, edges).map((part) => ({ part, ...layOutPart(part, nodes, edges, box) }));
  parts.sort((a, b) => b.height - a.height);
  const area = parts.reduce((sum, { width, height }) => sum + (width + GAP) * (height + GAP), 0);
  const widest = Math.max(...parts.map(({ width }) => width), Math.sqrt(1.15 * area * box.width / box.height));
  let x = 0, y = 0, row = 0, right = 0;
  for (const { part, width, height } of parts) {
    if (x && x + width > widest) [x, y, row] = [0, y + row + GAP, 0];
    const inside = new Set(part);
    for (const index of part) [nodes[index].x, nodes[index].y] = [nodes[index].x + x, nodes[index].y + y];
    for (const edge of edges) if (inside.has(edge.from)) edge.points = edge.points.map((point) => ({ x: point.x + x, y: point.y + y }));
    [x, row, right] = [x + width + GAP, Math.max(row, height), Math.max(right, x + width)];
  }
  return { x: -14, y: -14, width: right + 28, height: y + row + 28 };
}

// The boxes around nodes of a group that is opened in place: one in each column that it reaches.
function clusterBoxes(nodes) {
  const boxes = new Map();
  const deepest = Math.max(0, ...nodes.map(({ cluster }) => (cluster ? cluster.depth : 0)));
  for (const node of nodes) {
    for (let around = node.cluster; around; around = around.outer) {
      const pad = 6 + 5 * (deepest - around.depth);
      const key = `${around.group.label} ${around.depth} ${around.group.ops[0]} ${node.column}`;
      const box = boxes.get(key) || { around, left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
      box.left = Math.min(box.left, node.x - node.width / 2 - pad);
      box.right = Math.max(box.right, node.x + node.width / 2 + pad);
      box.top = Math.min(box.top, node.y - NODE_HEIGHT / 2 - 18 - 16 * (deepest - around.depth));
      box.bottom = Math.max(box.bottom, node.y + NODE_HEIGHT / 2 + pad);
      boxes.set(key, box);
    }
  }
  return [...boxes.values()].sort((a, b) => a.around.depth - b.around.depth);
}

// The fullest picture of a group whose labels can be read in a window of this size.
function pictureOf(open, box) {
  let picture;
  for (const most of [MOST_NODES, 32, 25, 19, 14, 10]) {
    const nodes = nodesOf(open, most).map((node) => ({ ...node, folded: [] }));
    if (picture && picture.members === nodes.length) continue;
    const members = nodes.length;
    const edges = foldArguments(nodes, edgesOf(nodes, open));
    for (const node of nodes) {
      if (!node.outside) [node.label, node.type] = linesOf(node.member, node.folded);
      const longest = 7.1 * Math.max(cut(node.label).length, cut(node.type).length);
      [node.width, node.height] = [Math.max(52, 18 + longest), NODE_HEIGHT];
    }
    markMainPath(nodes, edges);
    picture = { nodes, edges, members, whole: layOut(nodes, edges, box) };
    if (Math.min(box.width / picture.whole.width, box.height / picture.whole.height) >= SMALLEST_SCALE) break;
  }
  return picture;
}

function drawGraph() {
  const crumbs = make("div", { class: "crumbs" }, ...crumbLinks());
  const buttons = make("div", { class: "zoom" },
    make("button", { title: "Smaller (-)", click: () => zoom(1.25) }, "−"), make("button", { title: "Larger (+)", click: () => zoom(0.8) }, "+"),
    make("button", { title: "All (0)", click: () => showAll() }, "fit"));
  const svg = make("svg", { role: "group", "aria-label": "graph" });
  byId("graph").replaceChildren(crumbs, svg, buttons);
  const box = { width: svg.clientWidth || 700, height: svg.clientHeight || 600 };
  const { nodes, edges, whole } = pictureOf(graph.path[graph.path.length - 1], box);
  [graph.svg, graph.whole] = [svg, whole];
  graph.nodes = nodes.map(drawNode);
  const arrow = make("defs", {}, make("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7,
    markerHeight: 7, orient: "auto" }, make("path", { d: "M0,0L8,4L0,8Z", fill: "var(--faint)" })));
  const boxes = clusterBoxes(nodes);
  svg.append(arrow, ...boxes.map(drawCluster), ...edges.flatMap((edge) => drawEdge(edge, nodes)), ...boxes.map(({ around, left, top }) =>
    make("text", { class: "cluster-name", x: left + 8, y: top + 13 }, cut(around.group.label))), ...graph.nodes.map((node) => node.element));
  drawMinimap();
  enablePanning(svg);
  markNode();
  showStart();
  const start = graph.view;
  new ResizeObserver(() => graph.svg === svg && svg.clientWidth && graph.view === start && pictureChanges(box) && drawGraph()).observe(svg);
}

function pictureChanges({ width, height }) {
  return Math.abs(graph.svg.clientWidth - width) > 40 || Math.abs(graph.svg.clientHeight - height) > 40;
}

function crumbLinks() {
  const shown = graph.path.map((part, index) => ({ part, index })).filter(({ part, index }) => !index || part.label !== graph.path[index - 1].label);
  return shown.flatMap(({ part, index }) => [index ? " › " : "", make("a", { tabindex: 0, class: holdsCulprit({ member: part }) ? "wrong" : "", click: () => closeTo(index) }, part.label)]);
}

function drawNode(node) {
  const { member } = node;
  const found = { ...node, isGroup: member !== undefined && isGroup(member) };
  const element = make("g", { class: `node${found.isGroup ? " group" : ""}${node.outside ? " outside" : ""}${holdsCulprit(node) ? " wrong" : ""}`, tabindex: 0,
    transform: `translate(${node.x - node.width / 2},${node.y - node.height / 2})`,
    click: () => chooseNode(found, false), dblclick: () => chooseNode(found, true) },
  make("title", {}, nodeTitle(node)), make("rect", { width: node.width, height: node.height, rx: 5 }),
  make("text", { x: 9, y: 16 }, cut(node.label)), make("text", { x: 9, y: 31, class: "type" }, cut(node.type)));
  const colour = heatColour(state.overlay, member === undefined ? 0 : memberValue(member));
  if (colour) element.querySelector("rect").style.fill = colour;
  found.element = element;
  element.addEventListener("keydown", (event) => nodeKey(event, found));
  return found;
}

function drawCluster({ around, left, top, right, bottom }) {
  return make("g", { class: holdsCulprit({ member: around.group }) ? "cluster wrong" : "cluster", dblclick: () => openGroup(around.group), click: () => drawGroupDetail(around.group) },
    make("rect", { x: left, y: top, width: right - left, height: bottom - top, rx: 7 }));
}

// Whether a node is, or holds, the op that the tool calls wrong.
function holdsCulprit(node) {
  return state.overlay.culprit.some((op) => holds(node, op));
}

// The sum of costs in a group; of what other tools found the largest.
function memberValue(member, overlay = state.overlay) {
  let total = 0;
  for (const op of typeof member === "number" ? [member] : member.ops) {
    for (let inner = op; inner < program.end[op]; inner++) {
      total = overlay.marks ? Math.max(total, overlay.value(inner)) : total + overlay.value(inner);
    }
  }
  return total;
}

function nodeTitle({ member, names, label, folded }) {
  if (member === undefined) return (names || [label]).join("\n");
  const head = typeof member === "number" ? data.lines[program.line[member]].trim() : `${label}: ${mainKinds(member.ops)}`;
  return [head, ...folded, `${state.overlay.name} ${short(memberValue(member), state.overlay.unit)}`].join("\n");
}

// An edge as a curve with an arrow, and a wide one that nobody sees, to point at.
function drawEdge(edge, nodes) {
  const [first, ...rest] = edge.points;
  const last = rest[rest.length - 1];
  const between = (a, b, share) => `${a.x + (b.x - a.x) * share},${a.y + (b.y - a.y) * share}`;
  const turn = (point, index) => {
    const [before, after] = [edge.points[index], rest[index + 1]];
    if (!edge.square) return `Q${point.x},${point.y} ${between(point, after, 0.5)}`;
    const near = (other) => between(point, other, Math.min(0.5, 6 / (1 + Math.hypot(other.x - point.x, other.y - point.y))));
    return `L${near(before)}Q${point.x},${point.y} ${near(after)}`;
  };
  const d = `M${first.x},${first.y}${rest.slice(0, -1).map(turn).join("")}L${last.x},${last.y}`;
  const title = `${nodes[edge.from].label} → ${nodes[edge.to].label}\n${[...edge.types].slice(0, 5).join("\n")}`;
  return [make("path", { class: `edge${edge.main ? " main" : ""}`, d, "marker-end": "url(#arrow)" }),
    make("path", { class: "edge-target", d }, make("title", {}, title))];
}

// The whole graph in a corner, with the visible part; a click goes there.
function drawMinimap() {
  const { x, y, width, height } = graph.whole;
  const part = make("rect", { class: "part" });
  const go = (event) => {
    if (event.type === "pointermove" && !(event.buttons & 1)) return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
    setView({ ...graph.view, x: point.x - graph.view.width / 2, y: point.y - graph.view.height / 2 });
  };
  const map = make("svg", { class: "minimap", viewBox: `${x} ${y} ${width} ${height}`, pointerdown: go, pointermove: go,
    "aria-label": "minimap" }, ...graph.nodes.map((node) => make("rect", { x: node.x - node.width / 2, y: node.y - node.height / 2,
    width: node.width, height: node.height })), part);
  graph.minimap = { map, part };
  byId("graph").append(map);
}
