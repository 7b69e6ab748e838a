// Why a sharded program is cut as it is: a picture of each layout, the origins of axes, and what collectives settle.
"use strict";

// The number of parts of each dimension of a layout such as [{"x", "y"}, {}].
function partCounts(layout, axes) {
  return [...layout.matchAll(/\{([^}]*)\}/g)].map(([, names]) => {
    const sizes = [...names.matchAll(/"([^"]+)"(?::\(\d+\)(\d+))?/g)].map(([, name, part]) => Number(part || axes[name]));
    return sizes.reduce((all, size) => all * size, 1);
  });
}

// A value with its cuts, the part of one device filled: of the first two dimensions that are cut, rows and columns.
function layoutPicture(layout, axes) {
  if (!layout.startsWith("[")) return "";
  const parts = partCounts(layout, axes);
  const cut = parts.map((count, d) => d).filter((d) => parts[d] > 1);
  const [rows, columns] = cut.length === 1 && cut[0] > 0 ? [1, parts[cut[0]]] : [parts[cut[0]] || 1, parts[cut[1]] || 1];
  const width = 48, height = 30;
  const lines = (count, place) => (count > 12 ? [] : Array.from({ length: count - 1 }, (_, n) => place((n + 1) / count)));
  return make("svg", { class: "layout", viewBox: `-1 -1 ${width + 2} ${height + 2}`, role: "img", "aria-label": layout },
    make("title", {}, cut.length ? `cut into ${parts.join(" x ")} parts` : "whole on every device"),
    make("rect", { width, height }),
    make("rect", { class: "part", width: width / columns, height: height / rows }),
    ...lines(rows, (at) => make("line", { x1: 0, x2: width, y1: at * height, y2: at * height })),
    ...lines(columns, (at) => make("line", { x1: at * width, x2: at * width, y1: 0, y2: height })));
}

function shardingSection(why) {
  const { values, collectives } = why, most = 200;
  const axes = Object.fromEntries(why.axes.map(({ name, size }) => [name, size]));
  const pictured = (layout) => make("div", { class: "pictured" }, layoutPicture(layout, axes), make("code", {}, layout));
  const shortened = (told) => told.replace(/\S*\//g, ""); // without the folders of locations
  const chosen = (row) => row.at >= 0 && select(row.at);
  const origins = ({ name, location, origins: found }) => found.map(({ axis, source, step, carried }) =>
    source === `${name} ${location}`.trim() ? `"${axis}": given here`
      : shortened(`"${axis}": from ${source}${step === null ? "" : `, step ${step}: ${carried}`}`)).join("\n");
  const change = (tried) => {
    const best = tried.find((one) => one.removes);
    if (!best) return tried.length ? `none of ${tried.length} changes of one sharding removes it` : "no change was tried";
    return `${shortened(best.source)} as ${best.sharding} removes it: a device sends ${best.bytes_sent[1].toLocaleString("en")} B ` +
      `(now ${best.bytes_sent[0].toLocaleString("en")}), holds ${best.bytes_held[1].toLocaleString("en")} B ` +
      `(now ${best.bytes_held[0].toLocaleString("en")})`;
  };
  const demands = ({ demand }) => make("div", {}, `${demand.producer} has`, pictured(demand.had),
    `${demand.consumer} wants`, pictured(demand.wanted));
  const moved = sortedTable([...collectives].sort((a, b) => b.sent - a.sent).slice(0, most), [
    ["collective", (row) => row.op, (row) => row.op.replace("stablehlo.", "")],
    ["B of a device", (row) => row.sent, (row) => row.sent.toLocaleString("en"), true],
    ["µs", (row) => row.seconds, (row) => (row.seconds * 1e6).toFixed(1), true],
    ["what it settles", (row) => row.demand.producer, demands],
    ["what would remove it", (row) => row.tried.length, (row) => change(row.tried), false, "told"],
    ["location", (row) => row.location, (row) => shortened(row.location), false, "place"],
  ], chosen);
  const cut = sortedTable(values.slice(0, most), [
    ["value", (row) => -values.indexOf(row), (row) => row.name],
    ["layout", (row) => row.layout, (row) => make("div", {}, pictured(row.layout), make("code", {}, row.type))],
    ["where its axes come from", origins, origins, false, "told"],
  ], chosen);
  const mesh = Object.entries(axes).map(([name, size]) => `${name}=${size}`).join(", ");
  const more = (rows) => rows.length > most ? make("div", { class: "faint" }, `and ${rows.length - most} more`) : null;
  return make("div", {}, make("div", { class: "faint" }, `mesh ${mesh}; the filled part is that of the first device`),
    collectives.length ? moved : make("div", {}, "no collectives"), more(collectives),
    make("h2", {}, "Where axes come from"), cut, more(values));
}
