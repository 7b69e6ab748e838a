// Two programs side by side, for several pages: equal lines are folded, keys lead from difference to difference.
"use strict";

const LINES_AROUND = 3;
let differences = [];
let current = -1;

function drawRow([kind, first, second, details]) {
  const cells = [make("div", {}, first ?? ""), make("div", {}, second ?? "")];
  const told = details.map((detail) => make("div", { class: "detail" }, detail));
  return make("div", { class: `pair ${kind}` }, ...cells, ...told);
}

// The rows of a function; a long run of equal ones is a button that shows it.
function drawRows(rows) {
  const near = new Uint8Array(rows.length);
  rows.forEach(([kind], index) => {
    if (kind !== "same") near.fill(1, Math.max(0, index - LINES_AROUND), index + LINES_AROUND + 1);
  });
  const drawn = [];
  for (let index = 0; index < rows.length;) {
    let end = index;
    while (end < rows.length && near[end] === near[index]) end++;
    const part = rows.slice(index, end);
    if (near[index] || part.length < 3) drawn.push(...part.map(drawRow));
    else drawn.push(fold(part));
    index = end;
  }
  return drawn;
}

function fold(rows) {
  const button = make("button", { class: "fold", click: () => button.replaceWith(...rows.map(drawRow)) },
    `${rows.length.toLocaleString("en")} equal lines`);
  return button;
}

function go(step) {
  if (!differences.length) return;
  if (current >= 0) differences[current].classList.remove("current");
  current = (current + step + differences.length) % differences.length;
  differences[current].classList.add("current");
  differences[current].scrollIntoView({ block: "center" });
}

function drawSides(sides, { beside, functions }) {
  sides.replaceChildren();
  if (beside.length) sides.append(make("h2", {}, "Beside the functions"), ...beside.map((line) => make("div", { class: "mono" }, line)));
  for (const { name, rows } of functions) {
    const count = rows.filter(([kind]) => kind !== "same").length;
    sides.append(make("h2", {}, `@${name}`, make("span", { class: "faint" }, count ? `  ${count} differences` : "  the same")), ...drawRows(rows));
  }
  differences = [...sides.querySelectorAll(".pair:not(.same)")];
  current = -1;
}

// The buttons and keys of a page with sides; `more` has the page's own keys.
function listen(more) {
  byId("previous").addEventListener("click", () => go(-1));
  byId("next").addEventListener("click", () => go(1));
  byId("theme").addEventListener("click", otherTheme);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = { n: () => go(1), p: () => go(-1), t: otherTheme, ...more };
    if (keys[event.key]) keys[event.key]();
  });
  const parts = new URLSearchParams(location.hash.slice(1));
  if (parts.has("theme")) setTheme(parts.get("theme"));
  return parts;
}
