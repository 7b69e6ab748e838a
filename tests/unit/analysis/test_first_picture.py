"""The picture that a report opens with."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import CHROMIUM, evaluate
from viewed_programs import NETWORK, T

import stablehlo_py
from stablehlo_py.analysis import view

ROOT = Path(__file__).parents[3]
EXAMPLES = [*sorted((ROOT / "examples" / "jax").glob("*.mlir")), ROOT / "examples" / "rows.mlir"]
LOOP = ROOT / "examples" / "jax" / "recurrent_network.mlir"
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium to open the page in")


@needs_chromium
def test_the_first_picture_is_the_main_function_with_constants_folded():
    script = """const titles = () => [...document.querySelectorAll('.node')].map(
      (node) => [...node.querySelectorAll('text')].map((text) => text.textContent));
    const seen = {nodes: titles()};
    seen.crumbs = [...document.querySelectorAll('.crumbs a')].map((link) => link.textContent);
    seen.clusters = [...document.querySelectorAll('.cluster-name')].map((text) => text.textContent);
    seen.edges = [...document.querySelectorAll('.edge-target')].map((edge) => edge.textContent);
    showAll();
    seen.aspect = graph.view.width / graph.view.height / (graph.svg.clientWidth / graph.svg.clientHeight);
    document.querySelector('.cluster').dispatchEvent(new Event('click'));
    seen.detail = byId('detail').textContent;
    openInGraph(6);
    seen.inner = titles();
    closeTo(0);
    seen.calls = document.querySelectorAll('.edge').length;
    return seen;"""
    seen = evaluate(view(stablehlo_py.parse(NETWORK), title="net").html, script, "#tab=graph")
    labels = [label for label, _ in seen["nodes"]]
    assert sorted(labels) == ["@twice", "dot_general", "images", "maximum  0", "multiply", "return", "weights['head']"]
    assert seen["crumbs"] == ["net", "@main"]
    assert seen["clusters"] == ["layer_1", "layer_2"]
    assert f"images \u2192 dot_general\n{T}" in seen["edges"]
    assert abs(seen["aspect"] - 1) < 0.05
    assert "layer_1ops2mostlydot_general" in seen["detail"]
    assert "arithmetic" in seen["detail"]
    assert ["maximum  0", "4x4xf32"] in seen["inner"]
    assert seen["calls"] == 1


@needs_chromium
@pytest.mark.parametrize("count", [3, 4])
def test_four_layers_or_more_are_one_node(count):
    lines = [
        line
        for n in range(count)
        for line in (
            f'%a{n} = stablehlo.add %b{n}, %b{n} : {T} loc("jit(f)/h_{n}/add")',
            f'%b{n + 1} = stablehlo.tanh %a{n} : {T} loc("jit(f)/h_{n}/tanh")',
        )
    ]
    text = f"func.func @main(%b0: {T}) -> {T} {{\n" + "\n".join(lines)
    text += f'\n%e = stablehlo.negate %b{count} : {T} loc("jit(f)/neg")\nreturn %e : {T}\n}}'
    script = """const titles = () => [...document.querySelectorAll('.node')].map(
      (node) => [...node.querySelectorAll('text')].map((text) => text.textContent));
    return titles();"""
    seen = evaluate(view(stablehlo_py.parse(text), title="f").html, script, "#tab=graph")
    assert (["h \u00d7 4", "8 ops"] in seen) == (count == 4), seen


@needs_chromium
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_first_picture_fits_the_window(path):
    from first_view import first_view

    found = first_view(path.read_text(encoding="utf-8"), path.stem)
    assert found["nodes"] <= 40
    assert (found["outside"], found["overlaps"]) == (0, 0)
    assert found["label"] >= 9


@needs_chromium
@pytest.mark.parametrize("tab", ["summary", "ops", "graph"])
def test_a_phone_shows_all_of_the_page(tab):
    script = f"""showTab('{tab}');
    const [left, right] = [byId('left').getBoundingClientRect(), byId('right').getBoundingClientRect()];
    return {{width: innerWidth, page: document.documentElement.scrollWidth, covered: left.bottom - right.top,
      header: document.querySelector('header').scrollWidth}};"""
    seen = evaluate(view(stablehlo_py.parse(LOOP), title=LOOP.name).html, script, size=(390, 844))
    assert seen["page"] <= seen["width"] <= 500  # Chromium has no narrower window
    assert seen["header"] <= seen["width"]
    assert seen["covered"] <= 0


@needs_chromium
def test_a_graph_too_large_for_a_phone_begins_with_the_main_path():
    path = ROOT / "examples" / "jax" / "attention.mlir"
    script = """const [window, box] = [graph.svg, graph.nodes.find(({starts}) => starts).element].map((e) => e.getBoundingClientRect());
    return {inside: box.left >= window.left && box.right <= window.right && box.top >= window.top && box.bottom <= window.bottom,
      scale: graph.svg.getScreenCTM().a};"""  # noqa: E501
    seen = evaluate(view(stablehlo_py.load(path).module, title="attention").html, script, "#tab=graph", (390, 844))
    assert seen == {"inside": True, "scale": 1}
