"""Shape functions of users on ops with any number of operands and results, evaluated directly and step by step."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from parsed import shared_context

from stablehlo_py.bindings import ir
from stablehlo_py.bindings.walk import operations
from stablehlo_py.errors import StablehloError
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.shapes.library import activate, library

SOURCE = '''from __future__ import annotations
from stablehlo_py.shapes.language import *
from stablehlo_py.shapes.registry import *


@shape_function("stablehlo.custom_call", target="turned")
def turned(operands: list[Shape]) -> list[Shape]:
    """The operands' shapes from the last to the first."""
    return [operands[len(operands) - 1 - i] for i in range(len(operands))]


@shape_function("stablehlo.custom_call", target="three")
def three(operands: list[Shape]) -> list[Shape]:
    """Three shapes, however many are taken."""
    return [operands[0], operands[0] + operands[0], [len(operands)]]


@shape_function("stablehlo.custom_call", target="summed")
def summed(pairs: PairValues) -> Shape:
    """The sum of each pair."""
    return [pair[0] + pair[1] for pair in pairs]


@shape_function("stablehlo.custom_call", target="counted")
def counted(operands: list[Shape], rows: int) -> Shape:
    """So many rows, and a column for each dimension of an operand."""
    return [rows, sum([len(operand) for operand in operands])]


@shape_function("stablehlo.custom_call", target="valued")
def valued(size: Value) -> Shape:
    """As many elements as the operand says."""
    return [size]


@shape_function("stablehlo.custom_call", target="named")
def named(operand: Values, other: Shape) -> Shape:
    """The sizes that the first operand holds, and those of the second."""
    return operand + other


@shape_function("stablehlo.custom_call", target="refused")
def refused(operand: Shape) -> Shape:
    """No shape."""
    assert len(operand) == 0, "its shape is refused"
    return operand


@dtype_function("stablehlo.custom_call", target="refused")
def refused_dtype(operand: DType) -> DType:
    """No element type."""
    assert operand == 0, "its element type is refused"
    return operand
'''


@pytest.fixture(scope="module", autouse=True)
def active(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    path: Path = tmp_path_factory.mktemp("functions") / "mine.py"
    path.write_text(SOURCE)
    activate(library([path]))
    yield
    activate(None)


def tensor(sizes: list[int | None], known: bool = True) -> str:
    return f"tensor<{''.join(f'{size if known and size is not None else chr(63)}x' for size in sizes)}f32>"


STEPS = [
    "stablehlo-shape-refinement-pipeline",
    "stablehlo-shape-refinement-pipeline{steps=true}",
    "stablehlo-reify-shape-calculations,stablehlo-simplify-shape-calculations",
    "stablehlo-reify-shape-calculations,stablehlo-inline-calculations,stablehlo-simplify-shape-calculations",
]


def refined(lines: list[str], head: str, passes: str) -> dict[str, list[str]]:
    """The types of the results of each custom call, by its target."""
    with shared_context():
        module = ir.Module.parse(f"func.func @main({head}) {{\n{chr(10).join(lines)}\nreturn }}")
        run_pipeline(module, f"builtin.module({passes})")
        found: dict[str, list[str]] = {}
        for op in operations(module.operation):
            if op.name == "stablehlo.custom_call":
                target = str(op.attributes["call_target_name"]).strip('"')
                found.setdefault(target, []).append(" ".join(str(result.type) for result in op.results))
        assert module.operation.verify()
        return found


@pytest.mark.parametrize("passes", STEPS)
def test_operands_of_several_ranks_are_told_apart(passes: str) -> None:
    shapes: list[list[int | None]] = [[2, 3], [4], [], [5, None, 7]]
    for order in itertools.permutations(range(4), 3):
        chosen = [shapes[n] for n in order]
        given, types = ", ".join(f"%{n}" for n in order), ", ".join(tensor(shape) for shape in chosen)
        open_types = ", ".join(tensor(shape, known=False) for shape in chosen[::-1])
        head = ", ".join(f"%{n}: {tensor(shape)}" for n, shape in enumerate(shapes))
        lines = [
            f"%r:3 = stablehlo.custom_call @turned({given}) : ({types}) -> ({open_types})",
            f"%c = stablehlo.custom_call @counted({given}) {{rows = 9 : i64}} : ({types}) -> tensor<?x?xf32>",
        ]
        lines = [line.replace("{rows", "{mhlo.backend_config = {rows").replace("i64}", "i64}}") for line in lines]
        found = refined(lines, head, passes)
        assert found == {
            "turned": [" ".join(tensor(shape) for shape in chosen[::-1])],
            "counted": [f"tensor<9x{sum(map(len, chosen))}xf32>"],
        }, order


@pytest.mark.parametrize("passes", STEPS)
def test_ops_that_differ_in_one_thing_have_shapes_of_their_own(passes: str) -> None:
    """Whatever is remembered of one op holds for ops that are alike in all that counts."""
    head, one = "%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %c: tensor<2x3xi8>", "tensor<?x?xf32>"
    operands = {"%a": "tensor<2x3xf32>", "%b": "tensor<3x2xf32>", "%c": "tensor<2x3xi8>"}
    lines, expected = list[str](), list[str]()
    for number, (rows, name, times) in enumerate(itertools.product((3, 4), operands, (1, 2, 3))):
        given, types = ", ".join([name] * times), ", ".join([operands[name]] * times)
        lines.append(f"%k{number} = stablehlo.custom_call @counted({given}) "
                     f"{{mhlo.backend_config = {{rows = {rows} : i64}}}} : ({types}) -> {one}")  # fmt: skip
        expected.append(f"tensor<{rows}x{2 * times}xf32>")
    turned = list[str]()
    for number, names in enumerate(
        itertools.chain.from_iterable(itertools.product(operands, repeat=n) for n in (1, 2))
    ):
        types = [operands[name] for name in names]
        lines.append(f"%t{number}:{len(names)} = stablehlo.custom_call @turned({', '.join(names)}) : "
                     f"({', '.join(types)}) -> ({', '.join([one] * len(names))})")  # fmt: skip
        turned.append(" ".join(type_.replace("i8", "f32") for type_ in types[::-1]))
    three = ["tensor<3x2xf32>", "tensor<3x2x3x2xf32>", "tensor<1xf32>"]
    for count in (3, 2, 1, 3):
        types = [one, "tensor<?x?x?x?xf32>", "tensor<?xf32>"][:count]
        lines.append(f"%s{len(lines)}:{count} = stablehlo.custom_call @three(%b) : (tensor<3x2xf32>) -> "
                     f"({', '.join(types)})")  # fmt: skip
    found = refined(lines, head, passes)
    assert found == {"counted": expected, "turned": turned, "three": [" ".join(three[:n]) for n in (3, 2, 1, 3)]}


@pytest.mark.parametrize("passes", STEPS)
def test_integers_that_a_function_of_a_user_reads_are_found_out(passes: str) -> None:
    head = "%x: tensor<4x?xf32>, %y: tensor<2xf32>"
    lines = [
        "%d = stablehlo.get_dimension_size %x, dim = 0 : (tensor<4x?xf32>) -> tensor<i32>",
        "%e = stablehlo.get_dimension_size %x, dim = 1 : (tensor<4x?xf32>) -> tensor<i32>",
        "%f = stablehlo.add %e, %d : tensor<i32>",
        "%g = stablehlo.subtract %f, %e : tensor<i32>",
        "%h = stablehlo.reshape %g : (tensor<i32>) -> tensor<1xi32>",
        "%r = stablehlo.custom_call @named(%h, %y) : (tensor<1xi32>, tensor<2xf32>) -> tensor<?x?xf32>",
    ]
    assert refined(lines, head, passes) == {"named": ["tensor<4x2xf32>"]}


@pytest.mark.parametrize("passes", STEPS)
@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
def test_pairs_of_integers_are_pairs_however_many_there_are(count: int, passes: str) -> None:
    pairs = [[number + 1, 2 * number] for number in range(count)]
    held = f"dense<{pairs or ''}> : tensor<{count}x2xi64>".replace("dense<[]>", "dense<>")
    type_ = f"tensor<{'?x' * count}f32>"
    lines = [f"%p = stablehlo.constant {held}",
             f"%r = stablehlo.custom_call @summed(%p) : (tensor<{count}x2xi64>) -> {type_}"]  # fmt: skip
    assert refined(lines, "", passes) == {"summed": [tensor([sum(pair) for pair in pairs])]}


@pytest.mark.parametrize("passes", STEPS[:2])
def test_pairs_that_nobody_counts_tell_nothing(passes: str) -> None:
    line = "%r = stablehlo.custom_call @summed(%p) : (tensor<?x2xi64>) -> tensor<?x?xf32>"
    assert refined([line], "%p: tensor<?x2xi64>", passes) == {"summed": ["tensor<?x?xf32>"]}


@pytest.mark.parametrize("passes", STEPS[:2])
@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("@named(%x)", "the library function takes 2 operands, the op has 1"),
        ("@named(%x, %x, %x)", "the library function takes 2 operands, the op has 3"),
        ("@counted(%x)", "an attribute of type int is missing"),
    ],
)
def test_an_op_that_its_function_does_not_fit_is_named_with_its_place(call: str, said: str, passes: str) -> None:
    types = ", ".join(["tensor<2xi64>"] * call.count("%"))
    text = f"func.func @main(%x: tensor<2xi64>) -> tensor<?x?xf32> {{\n  %r = stablehlo.custom_call {call} : "
    text += f"({types}) -> tensor<?x?xf32>\n  return %r : tensor<?x?xf32>\n}}"
    with shared_context() as context, pytest.raises(StablehloError) as raised:
        run_pipeline(ir.Module.parse(text, context), f"builtin.module({passes})")
    assert f"<string>:2:8: error: 'stablehlo.custom_call' op {said}" in str(raised.value)


@pytest.mark.parametrize("passes", STEPS[:2])
def test_a_number_is_taken_where_it_is_known(passes: str) -> None:
    text = """func.func @main(%n: tensor<i32>) -> (tensor<?xf32>, tensor<?xf32>) {
      %c = stablehlo.constant dense<3> : tensor<i32>
      %0 = stablehlo.custom_call @valued(%c) : (tensor<i32>) -> tensor<?xf32>
      %1 = stablehlo.custom_call @valued(%n) : (tensor<i32>) -> tensor<?xf32>
      return %0, %1 : tensor<?xf32>, tensor<?xf32>
    }"""
    with shared_context() as context:
        module = ir.Module.parse(text, context)
        run_pipeline(module, f"builtin.module({passes})")
        calls = [op for op in operations(module.operation) if op.name == "stablehlo.custom_call"]
        assert [str(op.results[0].type) for op in calls] == ["tensor<3xf32>", "tensor<?xf32>"]


@pytest.mark.parametrize(
    ("passes", "said"),
    [
        ("stablehlo-shape-refinement-pipeline", "shape"),
        ("stablehlo-shape-refinement-pipeline{dtypes=true}", "shape"),
        ("stablehlo-shape-refinement-pipeline{dtypes=true steps=true}", "shape"),
        ("stablehlo-dtype-refinement-pipeline", "element type"),
        ("stablehlo-dtype-refinement-pipeline{shapes=true}", "shape"),
        ("stablehlo-dtype-refinement-pipeline{shapes=true steps=true}", "shape"),
    ],
)
def test_what_is_wrong_with_a_shape_is_said_before_what_is_wrong_with_its_elements(passes: str, said: str) -> None:
    line = "%r = stablehlo.custom_call @refused(%x) : (tensor<2xf32>) -> tensor<?xf32>"
    with pytest.raises(StablehloError) as raised:
        refined([line], "%x: tensor<2xf32>", passes)
    assert f"its {said} is refused" in str(raised.value)
