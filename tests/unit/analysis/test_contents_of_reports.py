"""All that a report has of one program, with a loop, a call, and a size that is known only while running."""

from __future__ import annotations

from typing import Any

import pytest
from viewed_programs import data_of

import stablehlo_py
from stablehlo_py.analysis import cost
from stablehlo_py.analysis.model_explorer import explorer_graphs, explorer_node_data
from stablehlo_py.analysis.op_description import describe
from stablehlo_py.dialect.catalog import contract

TEXT = """func.func @main(%x: tensor<?x2xf32> loc("images"), %n: tensor<i32>) -> (tensor<?x2xf32>, tensor<i32>) {
  %c = stablehlo.constant dense<3> : tensor<i32> loc("m/start"("model.py":1:2))
  %0:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<?x2xf32>
  cond {
    %p = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %c : tensor<i32>
    %z = stablehlo.tanh %y : tensor<?x2xf32> loc("m/layer/tanh")
    stablehlo.return %j, %z : tensor<i32>, tensor<?x2xf32>
  }
  %1 = func.call @f(%0#0) : (tensor<i32>) -> tensor<i32>
  return %0#1, %1 : tensor<?x2xf32>, tensor<i32>
}
func.func private @f(%a: tensor<i32>) -> tensor<i32> {
  return %a : tensor<i32>
}
"""
X, N, LOOP = "tensor<?x2xf32>", "tensor<i32>", "stablehlo.while at line 4"


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return data_of(TEXT)[1]


def test_each_op_with_its_place_its_operands_and_its_number(data: dict[str, Any]) -> None:
    strings, ops = data["strings"], data["ops"]
    texts = [[strings[number] for number in ops[name]] for name in ("name", "location", "stack", "result", "number")]
    rows = zip(*texts, ops["parent"], ops["region"], ops["operands"], ops["line"], strict=True)
    assert list(rows) == [
        ("builtin.module", "<string>:0:0", "", "", "", -1, 0, [], 0),
        ("func.func", "<string>:1:1", "", "", "", 0, 0, [], 1),
        ("stablehlo.constant", "model.py:1:2", "m/start", N, "#0", 1, 0, [], 2),
        ("stablehlo.while", "<string>:3:10", "", f"{N}, {X}", "#1", 1, 0, [-2, -1], 3),
        ("stablehlo.compare", "<string>:5:10", "", "tensor<i1>", "#1 condition: #0", 3, 0, [-3, 2], 5),
        ("stablehlo.return", "<string>:6:5", "", "", "", 3, 0, [4], 6),
        ("stablehlo.add", "<string>:8:10", "", N, "#1 body: #0", 3, 1, [-5, 2], 8),
        ("stablehlo.tanh", "", "m/layer/tanh", X, "#1 body: #1", 3, 1, [-6], 9),
        ("stablehlo.return", "<string>:10:5", "", "", "", 3, 1, [6, 7], 10),
        ("func.call", "<string>:12:8", "", N, "", 1, 0, [3], 12),
        ("func.return", "<string>:13:3", "", "", "", 1, 0, [3, 9], 13),
        ("func.func", "<string>:15:1", "", "", "", 0, 0, [], 15),
        ("func.return", "<string>:16:3", "", "", "", 11, 0, [-7], 16),
    ]
    arguments = [(holder, number, strings[type_], strings[name]) for holder, number, type_, name in data["arguments"]]
    inner = [(3, 0, N, ""), (3, 1, X, "")]
    assert arguments == [(1, 0, X, "images"), (1, 1, N, ""), *inner, *inner, (11, 0, N, "")]
    assert (data["title"], data["functions"], data["sources"], data["overlays"]) == ("test", [1, 11], {}, [])
    assert data["version"] == {"minimum": "0.9.0", "held_by": []}


def test_what_runs_with_its_costs_where_a_size_is_open(data: dict[str, Any]) -> None:
    """The numbers take 1024 for the size, the texts have its name."""
    assert data["cost"] == {
        "op": [2, 3, 4, 6, 7, 9],
        "runs": [1, 1, 2, 1, 1, 1],  # the condition runs once more than the body
        "flops": [0, 0, 2, 1, 0, 0],
        "transcendentals": [0, 0, 0, 0, 2 * 1024, 0],
        "transcendentals_texts": {"4": "2*arg0[0]"},
        "bytes": [0, 0, 2 * 9, 12, 16 * 1024, 0],
        "bytes_texts": {"4": "16*arg0[0]"},
        "live": [8200, 8200, 8201, 8204, 16392, 8200],
        "live_texts": {
            **dict.fromkeys(("0", "1", "5"), "8*arg0[0] + 8"),
            "2": "8*arg0[0] + 9",
            "3": "8*arg0[0] + 12",
            "4": "16*arg0[0] + 8",
        },
    }
    assert data["totals"] == {
        "flops": 3,
        "transcendentals": "2*arg0[0]",
        "bytes": "16*arg0[0] + 30",
        "intensity": None,
        "peak": "16*arg0[0] + 8",
        "peak_at": "stablehlo.tanh",
    }
    assert data["notes"] == ["a loop of unknown length counts once", "arg0[0] is a dynamic size"]
    pin = "pin down dimension 0 of argument 0 ('images') of @main, with --stablehlo-refine-arguments"
    assert data["dynamic"] == [
        {"size": size, "reasons": ["dimension 0 is arg0[0]", f"handed on by {way}", pin]}
        for size, way in (
            (f"<string>:3:10: %0#1 = stablehlo.while : {X}", "%0#1 <- %arg0"),
            (f"%3 = stablehlo.tanh : {X}", "%3 <- %iterArg_0"),
        )
    ]


def test_the_graphs_of_the_functions(data: dict[str, Any]) -> None:
    found = explorer_graphs(data)
    assert found["label"] == "test"
    main, other = found["graphs"]
    assert (main["id"], other["id"]) == ("main", "f")

    def edges(*sources: str) -> list[dict[str, str]]:
        return [
            {"sourceNodeId": source, "sourceNodeOutputId": "0", "targetNodeInputId": str(slot)}
            for slot, source in enumerate(sources)
        ]

    def types(*found: str) -> list[dict[str, Any]]:
        return [{"id": str(n), "attrs": [{"key": "tensor_shape", "value": type_}]} for n, type_ in enumerate(found)]

    nodes = [*main["nodes"], *other["nodes"]]
    assert [
        (node["id"], node["label"], node["namespace"], node["incomingEdges"], node["outputsMetadata"]) for node in nodes
    ] == [
        ("argument 0", "images", "", [], types(X)),
        ("argument 1", "argument 1", "", [], types(N)),
        ("2", "stablehlo.constant", "m", [], types(N)),
        ("3", "stablehlo.while", "", edges("argument 1", "argument 0"), types(N, X)),
        ("4", "stablehlo.compare", LOOP, edges("3", "2"), types("tensor<i1>")),
        ("5", "stablehlo.return", LOOP, edges("4"), []),
        ("6", "stablehlo.add", LOOP, edges("3", "2"), types(N)),
        ("7", "stablehlo.tanh", LOOP, edges("3"), types(X)),
        ("8", "stablehlo.return", LOOP, edges("6", "7"), []),
        ("9", "func.call", "", edges("3"), types(N)),
        ("10", "func.return", "", edges("3", "9"), []),
        ("argument 6", "argument 0", "", [], types(N)),
        ("12", "func.return", "", edges("argument 6"), []),
    ]
    attributes = {node["id"]: {each["key"]: each["value"] for each in node["attrs"]} for node in nodes}
    assert attributes["argument 0"] == {}
    text = "%c = stablehlo.constant dense<3> : tensor<i32>"
    assert attributes["2"] == {"number": "#0", "text": text, "location": "model.py:1:2"}
    text = "%3 = stablehlo.tanh %iterArg_0 : tensor<?x2xf32>"
    assert attributes["7"] == {"number": "#1 body: #1", "text": text}
    assert attributes["12"] == {"text": "return %arg0 : tensor<i32>", "location": "<string>:16:3"}


def test_node_data_of_costs_and_of_overlays(data: dict[str, Any]) -> None:
    overlay = {"name": "time", "marks": [[2, 0.5, "x"], [7, "Infinity", "y"], [12, 2.0, "z"]]}
    found = explorer_node_data({**data, "overlays": [overlay]})
    gradient = [{"stop": 0, "bgColor": "#fdf3ee"}, {"stop": 1, "bgColor": "#d6541a"}]
    values = {
        "arithmetic": {"main": data["cost"]["flops"]},
        "bytes": {"main": data["cost"]["bytes"]},
        "live bytes": {"main": data["cost"]["live"]},
    }
    ops = [str(number) for number in data["cost"]["op"]]
    expected: dict[str, Any] = {
        name: {
            function: {
                "name": name,
                "results": {op: {"value": value} for op, value in zip(ops, column, strict=True)},
                "gradient": gradient,
            }
            for function, column in each.items()
        }
        for name, each in values.items()
    }
    expected["time"] = {
        "main": {
            "name": "time",
            "results": {"2": {"value": 0.5}, "7": {"value": 1.7976931348623157e308}},
            "gradient": gradient,
        },
        "f": {"name": "time", "results": {"12": {"value": 2.0}}, "gradient": gradient},
    }
    assert found == expected


@pytest.mark.parametrize(
    ("op", "parts"),
    [
        (
            "while",
            [
                "stablehlo.while, since StableHLO 0.9.0 or before\n\nOperands\n  operand  variadic of ranked ",
                "float or bool or 2/4/8/16/32/64-bit\n           integer or complex type",
                "\n\nRegions\n  cond\n  body\n\nResults\n  results  variadic of ",
                "Constraints\n  C1  cond takes the operands to a boolean\n  C2  body takes",
                "\n\nExample\n  func.func @while(%counter: tensor<i32>, %values: tensor<4xf32>) {\n"
                '    %0:2 = "stablehlo.while"(',
                "    return\n  }\n\nThe constraints are numbered as in "
                "https://github.com/openxla/stablehlo/blob/main/docs/spec.md#while\n",
            ],
        ),
        (
            "tanh",
            [
                "Attributes\n  result_accuracy  #stablehlo.result_accuracy; default: the DEFAULT mode\n\nResults\n",
                "Traits\n  Elementwise\n",
                "\n\nAccuracy\n  The interpreter rounds results correctly",
                "a float can meet.\n\nExample\n  func.func @tanh",
            ],
        ),
        ("after_all", ["Operands\n  inputs  variadic of token\n\nResults\n  result  token\n\nTraits\n  AlwaysSpecul"]),
        ("case", ["Regions\n  branches  any number of them\n"]),
    ],
)
def test_the_page_about_an_op(op: str, parts: list[str]) -> None:
    known = contract(op)
    assert known is not None
    page = describe(known)
    at = 0
    for part in parts:
        assert part in page[at:], part
        at = page.index(part, at)
    assert max(map(len, page.partition("Example")[0].splitlines())) <= 100
    assert page.endswith("\n" if known.constraints else "}\n")
    assert ("\nConstraints" in page, "\nThe constraints" in page) == (bool(known.constraints),) * 2
    assert ("\nRegions" in page, "\nAccuracy" in page) == (op in ("while", "case"), op == "tanh")


def test_an_open_size_of_a_convolution_counts_without_padding() -> None:
    window = "window = {stride = [1, 2], pad = [[1, 1], [1, 1]]}"
    groups = "{batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
    numbers = "dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"

    def flops(height: str, rows: str) -> str:
        types = f"tensor<2x{height}x5x3xf32>", "tensor<3x3x3x4xf32>", f"tensor<2x{rows}x3x4xf32>"
        text = f"""func.func @main(%a: {types[0]}, %b: {types[1]}) -> {types[2]} {{
          %0 = stablehlo.convolution(%a, %b) {numbers}, {window} {groups} : ({types[0]}, {types[1]}) -> {types[2]}
          return %0 : {types[2]}
        }}"""
        return str(cost(stablehlo_py.parse(text)).flops)

    # Windows of a row of 5 with padding begin at -1, 1 and 3: they hold 2, 3 and 2 elements.
    assert flops("7", "7") == str(2 * (2 + 5 * 3 + 2) * (2 + 3 + 2) * 3 * 4 * 2)
    assert flops("?", "?") == f"{2 * 3 * (2 + 3 + 2) * 3 * 4 * 2}*arg0[1]"


def test_each_dimension_of_a_convolution_has_its_own_padding() -> None:
    types = "tensor<1x2x3x4x1xf32>", "tensor<2x2x2x1x1xf32>", "tensor<1x2x4x4x1xf32>"
    text = f"""func.func @main(%a: {types[0]}, %b: {types[1]}) -> {types[2]} {{
      %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f],
        window = {{pad = [[0, 1], [2, 0], [1, 0]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} :
        ({types[0]}, {types[1]}) -> {types[2]}
      return %0 : {types[2]}
    }}"""
    # Windows of two begin at 0 and 1 of 2; at -2 to 1 of 3; at -1 to 2 of 4.
    assert cost(stablehlo_py.parse(text)).flops == 2 * (2 + 1) * (0 + 1 + 2 + 2) * (1 + 2 + 2 + 2)
