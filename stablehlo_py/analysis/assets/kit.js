// The conformance kit: ops by element types or by engines, and the cases that do not pass, by cause.
"use strict";

const table = make("table", { class: "kit" });
const causes = make("div");
let withParts = false;

function row(entry, isPart) {
  const cells = entry.cells.map((cell) => make("td", { class: cell && cell.worst, title: cell && cell.title }, cell ? `${cell.pass}/${cell.all}` : ""));
  return make("tr", {}, make(isPart ? "td" : "th", {}, entry.name), ...cells);
}

function draw() {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter((word) => word);
  const wanted = byId("verdict").value;
  const matches = (...texts) => words.every((word) => texts.some((text) => text.toLowerCase().includes(word)));
  const groups = data.causes
    .map((group) => ({ ...group, cases: group.cases.filter((each) =>
      (!wanted || each.verdict.split(", ").includes(wanted)) && matches(group.cause, each.name, each.message)) }))
    .filter((group) => group.cases.length);
  const named = new Set(groups.flatMap((group) => group.cases.map((each) => each.name.split(".")[0])));
  const rows = data.rows.filter((entry) => (!words.length && !wanted) || named.has(entry.name) || (!wanted && matches(entry.name)));
  table.replaceChildren(make("thead", {}, make("tr", {}, ...["", ...data.columns].map((name) => make("th", {}, name)))),
    make("tbody", {}, ...rows.flatMap((entry) => [row(entry, false), ...(withParts ? entry.parts.map((part) => row(part, true)) : [])])));
  const isOne = groups.length === 1;
  causes.replaceChildren(...groups.map((group) => make("details", { open: isOne || null },
    make("summary", {}, `${group.cases.length} × ${group.cause}`),
    ...group.cases.map((each) => make("details", { class: "case" }, make("summary", {}, `${each.name}: ${each.verdict}`),
      make("code", { class: "told" }, each.message),
      each.source && make("p", { class: "faint" }, `Expectation: ${each.source}. `, make("a", { href: each.reference }, "Specification")))))));
  byId("none").hidden = groups.length > 0;
}

byId("title").textContent = data.title;
for (const verdict of data.verdicts) byId("verdict").append(make("option", { value: verdict }, verdict));
byId("kit").append(...data.about.map((line) => make("p", {}, line)), table, make("h2", {}, data.heading),
  make("p", { class: "faint", id: "none" }, "No case."), causes);
byId("parts").hidden = !data.rows.some((entry) => entry.parts.length);
byId("parts").addEventListener("click", () => {
  withParts = !withParts;
  byId("parts").setAttribute("aria-selected", withParts);
  draw();
});
byId("search").addEventListener("input", draw);
byId("verdict").addEventListener("change", draw);
byId("theme").addEventListener("click", otherTheme);
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT") return;
  if (event.key === "t") otherTheme();
  if (event.key === "/") { event.preventDefault(); byId("search").focus(); }
});
draw();
document.documentElement.dataset.ready = String(Math.round(performance.now()));
