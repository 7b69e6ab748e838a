"""Which ops have a faster kernel, on both sides of each condition; the gathers among them against the definition."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from test_edges_of_accelerators import both, programs

from stablehlo_py.interpreter import reading
from stablehlo_py.interpreter.fast.plans import DonatingKernel
from stablehlo_py.interpreter.fast.reading import FastReading

F = np.float32
LARGE = "16384xf32"  # 65,536 bytes
CHOSEN = [
    ("reshape %a : (A) -> R", ["1x1xf32"], "f32", "fast"),
    ("reshape %a : (A) -> R", ["f32"], "1x1xf32", "definition"),
    ("reshape %a : (A) -> R", ["2xf32"], "2x1xf32", "definition"),
    ("broadcast_in_dim %a, dims = [] : (A) -> R", ["f32"], "4096xf32", "fast"),
    ("broadcast_in_dim %a, dims = [] : (A) -> R", ["f32"], "4097xf32", "definition"),
    ("select %a, %b, %c : A, R", ["8xi1", "8xf32", "8xf32"], "8xf32", "fast"),
    ("select %a, %b, %c : A, R", ["8xi1", "8xcomplex<f32>", "8xcomplex<f32>"], "8xcomplex<f32>", "fast"),
    ("select %a, %b, %c : A, R", ["8xi1", "8xcomplex<f64>", "8xcomplex<f64>"], "8xcomplex<f64>", "definition"),
    ("select %a, %b, %c : A, R", ["i1", "8xf32", "8xf32"], "8xf32", "definition"),
    ("dynamic_slice %a, %b, sizes = [2] : (A, B) -> R", ["8xf32", "i32"], "2xf32", "fast"),
    ("dynamic_slice %a, %b, sizes = [2] : (A, B) -> R", ["?xf32", "i32"], "2xf32", "definition"),
    ("dynamic_update_slice %a, %b, %c : (A, B, C) -> R", [LARGE, "2xf32", "i32"], LARGE, "donating"),
    ("dynamic_update_slice %a, %b, %c : (A, B, C) -> R", ["16383xf32", "2xf32", "i32"], "16383xf32", "fast"),
    ("dynamic_update_slice %a, %b, %c : (A, B, C) -> R", ["?xf32", "2xf32", "i32"], "?xf32", "donating"),
]


@pytest.mark.parametrize(("line", "operands", "result", "expected"), CHOSEN)
def test_an_op_has_the_kernel_for_its_types(line: str, operands: list[str], result: str, expected: str) -> None:
    types = [f"tensor<{each}>" for each in operands]
    op = line.replace("R", f"tensor<{result}>")
    for letter, type_ in zip("ABC", types, strict=False):
        op = op.replace(letter, type_)
    given = ", ".join(f"%{letter}: {type_}" for letter, type_ in zip("abc", types, strict=False))
    text = f"func.func @main({given}) -> tensor<{result}> {{ %r = stablehlo.{op}\nreturn %r : tensor<{result}> }}"
    for program, wanted in zip(programs(text), ("definition", expected), strict=True):
        (step,) = program._planner.plan("main").steps
        module = type(step.kernel).__module__ if isinstance(step.kernel, DonatingKernel) else step.kernel.__module__
        found = "donating" if isinstance(step.kernel, DonatingKernel) else module.split(".")[2]
        assert found.replace("ops", "definition") == wanted, f"{found} of\n{text}"


@pytest.mark.parametrize("is_same", [True, False])
@pytest.mark.parametrize("op", ["clamp", "convert", "reverse"])
def test_ops_whose_kernels_depend_on_their_types_alone_have_one_for_each(op: str, is_same: bool) -> None:
    lines = {"clamp": "clamp %X, %X, %X", "convert": "convert %X : (TYPE) -> tensor<2xi32>",
             "reverse": "reverse %X, dims = [0]"}  # fmt: skip
    line = lines[op] if ":" in lines[op] else f"{lines[op]} : TYPE"
    types = ["tensor<2xf32>", "tensor<2xf32>" if is_same else "tensor<2xf64>"]
    body = [f"%{n} = stablehlo.{line}".replace("X", "ab"[n]).replace("TYPE", type_) for n, type_ in enumerate(types)]
    text = f"func.func @main(%a: {types[0]}, %b: {types[1]}) {{\n{body[0]}\n{body[1]}\nreturn }}"
    for program in programs(text):
        first, second = program._planner.plan("main").steps
        assert (first.kernel is second.kernel) == (is_same and op != "reverse"), text
        assert first.operands[0] < second.operands[0]


GATHER = """func.func @main(%x: tensor<SHAPExf32>, %i: tensor<INDICESxi32>) -> tensor<RESULTxf32> {
  %r = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = OFFSETS,
      collapsed_slice_dims = [AXIS], start_index_map = [AXIS], index_vector_dim = VECTOR>,
      slice_sizes = array<i64: SIZES>} : (tensor<SHAPExf32>, tensor<INDICESxi32>) -> tensor<RESULTxf32>
  return %r : tensor<RESULTxf32>
}"""


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize(("indices", "vector"), [((5, 1), 1), ((1, 5), 0), ((5,), 1), ((2, 3, 1), 2), ((2, 1, 3), 1)])
def test_rows_along_each_dimension(axis: int, indices: tuple[int, ...], vector: int) -> None:
    shape = (4, 3, 2)
    batch = indices[:vector] + indices[vector + 1 :]
    rest = shape[:axis] + shape[axis + 1 :]
    sizes = [1 if d == axis else size for d, size in enumerate(shape)]
    rank = len(batch) + len(rest)
    values = np.random.default_rng(0).standard_normal(shape).astype(F)
    given = np.random.default_rng(1).integers(-3, 8, indices).astype(np.int32)  # some of them out of bounds
    for first, second in sorted({tuple(sorted(order[:2])) for order in permutations(range(rank))}):
        result = iter(batch), iter(rest)
        found = [next(result[d in (first, second)]) for d in range(rank)]
        words = {"SHAPE": shape, "INDICES": indices, "RESULT": found}
        text = GATHER
        for word, dims in words.items():
            text = text.replace(word, "x".join(map(str, dims)))
        text = text.replace("OFFSETS", str([first, second])).replace("AXIS", str(axis)).replace("VECTOR", str(vector))
        plain, fast = both(programs(text.replace("SIZES", ", ".join(map(str, sizes)))), values, given)
        assert plain == fast, text


Q = "!quant.uniform<i8:f32, 0.5:10>"
QUANTIZED = f"""func.func @main(%x: tensor<3x{Q}>, %i: tensor<4x1xi32>, %u: tensor<4x{Q}>, %n: tensor<{Q}>)
    -> (tensor<3x{Q}>, tensor<{Q}>) {{
  %s = "stablehlo.scatter"(%x, %i, %u) ({{
    ^bb0(%a: tensor<{Q}>, %b: tensor<{Q}>):
      %c = stablehlo.OP %a, %b : tensor<{Q}>
      stablehlo.return %c : tensor<{Q}>
  }}) {{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}
    : (tensor<3x{Q}>, tensor<4x1xi32>, tensor<4x{Q}>) -> tensor<3x{Q}>
  %r = stablehlo.reduce(%u init: %n) applies stablehlo.OP across dimensions = [0]
    : (tensor<4x{Q}>, tensor<{Q}>) -> tensor<{Q}>
  return %s, %r : tensor<3x{Q}>, tensor<{Q}>
}}"""


@pytest.mark.parametrize("op", ["add", "multiply", "maximum", "minimum"])
def test_bodies_of_quantized_values_compute_what_the_integers_stand_for(op: str) -> None:
    function = {"add": np.add, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum}[op]
    operand, updates, indices, initial = [[12, 4, 10], [14, 7, 20, 11], [0, 2, 0, 2], 12]

    def combined(first: int, second: int) -> int:
        value = float(function((first - 10) / 2, (second - 10) / 2))
        return int(np.clip(np.rint(value * 2) + 10, -128, 127))

    scattered, reduced = list(operand), initial
    for index, update in zip(indices, updates, strict=True):
        scattered[index], reduced = combined(scattered[index], update), combined(reduced, update)
    given = [np.int8(operand), np.int32(indices)[:, np.newaxis], np.int8(updates), np.int8(initial)]
    for program in programs(QUANTIZED.replace("OP", op)):
        for _ in range(2):
            assert [np.asarray(each).tolist() for each in program.run(given)] == [scattered, reduced]


def test_numbers_are_read_plainly_where_accelerators_are_not_wanted_or_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder of accelerators can be deleted."""
    monkeypatch.setattr(reading, "__file__", str(tmp_path / "reading.py"))
    numbers = reading.numbers.__wrapped__
    for made in (tmp_path, tmp_path / "fast"):
        made.mkdir(exist_ok=True)
        assert numbers(True) is reading.PLAIN, made
        assert numbers(False) is reading.PLAIN, made
    (tmp_path / "fast" / "reading.py").touch()
    assert isinstance(numbers(True), FastReading)
    assert numbers(False) is reading.PLAIN
