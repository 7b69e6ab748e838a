// What all pages share: elements, numbers for people, lists of which only the visible rows exist, light and dark.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);

function byId(id) {
  return document.getElementById(id);
}

// An element with attributes (a function becomes a listener) and children; texts are text, never markup.
function make(tag, attributes = {}, ...children) {
  const svg = ["svg", "g", "rect", "path", "text", "title", "line", "defs", "marker"].includes(tag);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// 1234567 as "1.23 M"; an amount that depends on unknown sizes as it is.
function short(number, unit = "") {
  if (!Number.isFinite(number)) return `${number} ${unit}`.trim();
  for (const prefix of ["", "k", "M", "G", "T"]) {
    if (Math.abs(number) < 999.5 || prefix === "T") {
      return `${Number(number.toPrecision(3))} ${prefix}${unit}`.trim();
    }
    number /= 1000;
  }
}

const ROW_HEIGHT = 20;
const ROWS_AROUND = 12;

// A long list in `box`: `row(index)` makes the row at a place, and only those near the visible part exist.
class Rows {
  constructor(box, row) {
    this.box = box;
    this.row = row;
    this.space = make("div");
    box.append(this.space);
    box.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(box);
  }

  show(count) {
    this.count = count;
    this.space.style.height = `${count * ROW_HEIGHT}px`;
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW_HEIGHT) - ROWS_AROUND);
    const visible = Math.ceil(this.box.clientHeight / ROW_HEIGHT) + 2 * ROWS_AROUND;
    const rows = [];
    for (let index = first; index < Math.min(this.count, first + visible); index++) {
      const row = this.row(index);
      row.classList.add("row");
      row.style.top = `${index * ROW_HEIGHT}px`;
      rows.push(row);
    }
    this.space.replaceChildren(...rows);
  }

  reveal(index) {
    const top = index * ROW_HEIGHT;
    const { scrollTop, clientHeight } = this.box;
    if (top < scrollTop + ROW_HEIGHT || top > scrollTop + clientHeight - 2 * ROW_HEIGHT) {
      this.box.scrollTop = top - clientHeight / 3;
    }
    this.draw();
  }
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
}

function otherTheme() {
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
}

setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
