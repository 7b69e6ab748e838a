// A pipeline, pass by pass: passes that changed nothing are folded, arrow keys lead to the others.
"use strict";

const shown = data.steps.filter((step) => step.sides || step.error);
const amounts = { ops: "", flops: "", transcendentals: "", bytes: "B", peak_bytes: "B" };
const about = make("div");
let at = 0;

// The passes in order; those in a row that changed nothing are one line that opens.
function drawPasses() {
  const box = make("nav", { class: "passes" });
  for (const step of data.steps) {
    const name = `${step.number} ${step.name}`, last = box.lastChild;
    if (shown.includes(step)) {
      step.button = make("button", { click: () => choose(shown.indexOf(step)) }, name);
      box.append(step.button);
    } else if (last?.tagName === "DETAILS") last.append(make("div", {}, name));
    else box.append(make("details", { class: "faint" }, make("summary", {}, "changed nothing"), make("div", {}, name)));
  }
  return box;
}

function choose(index) {
  if (!shown.length) return;
  shown[at].button.removeAttribute("aria-selected");
  at = Math.max(0, Math.min(shown.length - 1, index));
  const step = shown[at];
  step.button.setAttribute("aria-selected", "true");
  history.replaceState(null, "", `#pass=${step.number}`);
  const lines = [step.function, step.error && `error: ${step.error}`, ...step.remarks.map((remark) => `remark: ${remark}`)];
  const cells = (side, name) => make("td", { class: "number" }, side && name in side ? short(side[name], amounts[name]) : "");
  about.replaceChildren(make("h2", {}, `${step.number} ${step.name}`),
    ...lines.filter((line) => line).map((line) => make("div", { class: "told" }, line)),
    make("table", {}, make("tr", {}, ...["", "before", "after"].map((name) => make("th", {}, name))),
      ...Object.keys(amounts).map((name) => make("tr", {}, make("th", {}, name), cells(step.before, name), cells(step.after, name)))));
  drawSides(byId("sides"), step.sides ?? { beside: [], functions: [] });
  byId("sides").prepend(about);
}

byId("title").textContent = data.title;
byId("counts").textContent = `${shown.length} of ${data.steps.length} passes changed something`;
byId("sides").before(drawPasses());
const back = () => choose(at - 1), forth = () => choose(at + 1);
byId("previous").before(make("button", { click: back, title: "Previous pass (left arrow)" }, "←"),
  make("button", { click: forth, title: "Next pass (right arrow)" }, "→"));
const asked = Number(listen({ ArrowLeft: back, ArrowRight: forth }).get("pass"));
choose(Math.max(0, shown.findIndex((step) => step.number === asked)));
document.documentElement.dataset.ready = String(Math.round(performance.now()));
