// Ways through the graph: opening groups, keys, zoom and the visible part.
"use strict";

function chooseNode(node, open) {
  if (node.member === undefined) return;
  graph.chosen = node.element;
  if (open && node.isGroup) openGroup(asGroup(node.member));
  else if (typeof node.member === "number") select(node.member, { keepGraph: true });
  else drawGroupDetail(node.member);
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
  const { whole, minimap } = graph;
  const hidden = view.width >= 0.95 * whole.width && view.height >= 0.95 * whole.height;
  minimap.map.classList.toggle("needless", hidden);
  for (const name of ["x", "y", "width", "height"]) minimap.part.setAttribute(name, view[name]);
}

// The part around a point in the shape of the window, `scale` units of the graph a pixel.
function showAround(x, y, scale) {
  const width = scale * (graph.svg.clientWidth || 700), height = scale * (graph.svg.clientHeight || 600);
  setView({ x: x - width / 2, y: y - height / 2, width, height });
}

// All of the graph, a small one not larger than its text needs.
function showAll() {
  const { x, y, width, height } = graph.whole;
  const scale = Math.max(0.8, width / (graph.svg.clientWidth || 700), height / (graph.svg.clientHeight || 600));
  showAround(x + width / 2, y + height / 2, scale);
}

// All of the graph if its text can be read then; else the part around the chosen op, or where the main path starts.
function showStart() {
  showAll();
  const { clientWidth, clientHeight } = graph.svg;
  if (!clientWidth || graph.view.width / clientWidth < 1.5) return;
  const chosen = graph.nodes.find((node) => node.element.classList.contains("chosen"));
  const { x, y } = graph.nodes.find((node) => node.starts);
  const wrong = graph.nodes.find((node) => node.element.classList.contains("wrong"));
  if (chosen || wrong) showAround((chosen || wrong).x, (chosen || wrong).y, 1);
  else showAround(Math.max(x, graph.whole.x + clientWidth / 2), Math.max(y - 3 * NODE_HEIGHT, graph.whole.y) + clientHeight / 2, 1);
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

function holds(node, op) {
  const ops = node.member === undefined ? [] : typeof node.member === "number" ? [node.member] : node.member.ops;
  return ops.some((part) => op >= part && op < program.end[part]);
}

function markNode() {
  for (const node of graph.nodes) node.element.classList.toggle("chosen", state.op !== null && holds(node, state.op));
}

// The groups around an op until it is a node; a function shows what is in it, a folded op its first user.
function pathTo(op) {
  while (foldedText.has(op)) [op] = program.users[op];
  const func = program.func[op];
  const path = [rootGroup()];
  if (func >= 0) path.push(openOp(func));
  for (let level = 0; level < 1000 && op !== func && op > 0; level++) {
    const node = nodesOf(path[path.length - 1]).find((found) => holds(found, op));
    if (!node || node.member === op) break;
    path.push(asGroup(node.member));
  }
  return path;
}

function openInGraph(op) {
  graph.path = pathTo(op);
  showTab("graph");
}
