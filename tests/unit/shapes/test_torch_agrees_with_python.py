"""Library functions for torch ops mean what they mean in Python, whatever words of the language they use.

All of them are in one library, and one program uses each, so that torch-mlir's pipeline runs once.
"""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from stablehlo_py.shapes.library import load_file
from stablehlo_py.shapes.torch import refine_torch, torch_library_text, torch_to_stablehlo

needs_torch_mlir = pytest.mark.skipif(
    importlib.util.find_spec("torch_mlir") is None, reason="torch-mlir is not installed: the extra 'torch'"
)
HEAD = """from __future__ import annotations

from stablehlo_py.shapes.language import DType, Shape
from stablehlo_py.shapes.registry import dtype_function, shape_function

"""
SHAPES = {
    "sum and difference": ["return [x[0] + x[1], x[0] - x[1] + 9, x[0] * x[1]]"],
    "quotients": ["return [x[0] // x[1], x[0] % x[1] + 1, (0 - x[0]) // x[1] + 50]"],
    "extremes": ["return [min(x[0], x[1]), max(x[0], x[1]), min(x[0], x[1], 2), max(x[0], 5)]"],
    "smaller": ["return [3 if x[0] < x[1] else 4, 3 if x[0] <= x[1] else 4]"],
    "greater": ["return [3 if x[0] > x[1] else 4, 3 if x[0] >= x[1] else 4]"],
    "equal": ["return [3 if x[0] == x[1] else 4, 3 if x[0] != x[1] else 4]"],
    "both": ["return [5 if x[0] > 3 and x[1] > 3 else 6]"],
    "either": ["return [5 if x[0] > 3 or x[1] > 3 else 6]"],
    "negation": ["return [5 if not x[0] > 3 else 6, -x[0] + 20]"],
    "guarded": ["return [5 if len(x) > 2 and x[2] == 4 else 6, 5 if len(x) < 3 or x[2] == 4 else 6]"],
    "same truth": ["return [5 if (x[0] > 3) == (x[1] > 3) else 6, 5 if (x[0] > 3) != (x[1] > 3) else 6]"],
    "truth as number": ["return [(x[0] > 3) + 1, x[0] > 0]"],
    "parts": ["return x[1:] + x[:1] + x[1:2] + x[-1:] + x[:-1]"],
    "replaced": ["x[0] = 7", "return x"],
    "replaced at the end": ["x[-1] = 7", "return x + [len(x)]"],
    "replaced in a copy": ["y = x[:]", "y[1] = 8", "return x + y"],
    "rounds": ["for i in range(1, 4):", "    x[0] = x[0] + i", "return x"],
    "rounds by three": ["for i in range(9, 2, -3):", "    x[0] = x[0] + i", "return x"],
    "rounds over sizes": ["n = 1", "for size in x:", "    n = n * size", "return [n]"],
    "several values": [
        "n, m = 1, 0",
        "for i, size in enumerate(x):",
        "    n, m = n * size, m + i",
        "return [n, m + 1]",
    ],
    "no round": ["for i in range(0):", "    x[0] = 99", "return x"],
    "early": ["for i in range(len(x)):", "    if x[i] == 4:", "        return [i + 1]", "return [9]"],
    "branches": ["if x[0] > 3:", "    n = 2", "elif x[1] > 3:", "    n = 3", "else:", "    n = 4", "return [n]"],
    "lists of lists": ["rows = [x, [7], x[1:]]", "return [len(row) for row in rows] + rows[1]"],
    "chosen": ["return [n + 1 for n in x if n % 2 == 0 and n > 1] + [1]"],
    "times": ["return [2] * len(x)"],
    "contained": ["return [3 if 4 in x else 2, 3 if 4 not in x else 2, 3 if x == [4, 2] else 2]"],
    "sum": ["return [sum(x)]"],
    "checked": ['assert len(x) > 1, f"at least two are needed, not {len(x)}"', "return x"],
    "nothing": ["return []"],
}
SEVERAL = "smaller", "greater", "equal", "both", "either", "same truth", "guarded", "branches"


def library(tmp_path: Path) -> Path:
    path = tmp_path / "words.py"
    texts = [
        f'@shape_function("torch.my.f{number}")\ndef f{number}(x: Shape) -> Shape:\n'
        + "".join(f"    {line}\n" for line in lines)
        for number, lines in enumerate(SHAPES.values())
    ]
    path.write_text(HEAD + "\n\n".join(texts))
    return path


def program(calls: list[tuple[str, list[int]]]) -> str:
    types = [f"!torch.vtensor<{sizes},f32>" for _, sizes in calls]
    given = ", ".join([f"%x{n}: {type_}" for n, type_ in enumerate(types)])
    results = ", ".join(["!torch.vtensor"] * len(calls))
    ops = [
        f'  %{n} = torch.operator "my.{name}"(%x{n}) : ({type_}) -> !torch.vtensor'
        for n, ((name, _), type_) in enumerate(zip(calls, types, strict=True))
    ]
    names = ", ".join([f"%{n}" for n in range(len(calls))])
    end = f"  return {names} : {results}\n}}"
    return "\n".join([f"func.func @main({given}) -> ({results}) {{", *ops, end])


def shapes_of(text: str) -> list[list[int]]:
    """The shapes of the results of the operators."""
    found = re.findall(r"torch\.operator .* -> !torch\.vtensor<\[([\d,?]*)\]", text)
    return [[int(size) for size in each.split(",") if size] for each in found]


@needs_torch_mlir
def test_shapes_by_torch_mlir_are_those_of_python(tmp_path: Path) -> None:
    path = library(tmp_path)
    functions = {key[1]: entry.function for key, entry in load_file(path).registrations.items()}
    calls = [(f"f{number}", [2, 3, 4]) for number in range(len(SHAPES))]
    calls += [(f"f{[*SHAPES].index(name)}", sizes) for name in SEVERAL for sizes in ([4, 2], [5, 5])]
    expected = [functions[f"torch.my.{name}"](list(sizes)) for name, sizes in calls]
    found = shapes_of(refine_torch(program(calls), [path]))
    names = [[*SHAPES][int(name[1:])] for name, _ in calls]
    assert [*zip(names, found, strict=True)] == [*zip(names, expected, strict=True)]


MORE = """@shape_function("torch.my.two")
def two(x: Shape, y: Shape) -> tuple[Shape, Shape]:
    return y + [1], x


@dtype_function("torch.my.two")
def two_dtypes(x: DType, y: DType) -> tuple[DType, DType]:
    return y, x


@shape_function("torch.my.size")
def size(x: Shape, size: list[int] | None, scale: float, keep: bool) -> Shape:
    if keep:
        return x
    return x[1:] if size is None else x + [1]


@dtype_function("torch.my.size")
def size_dtype(x: DType, size: list[int] | None, scale: float, keep: bool) -> DType:
    return x if size is None else 11
"""


@needs_torch_mlir
def test_ops_of_several_results_and_of_optional_lists(tmp_path: Path) -> None:
    path = tmp_path / "more.py"
    path.write_text(HEAD + MORE)
    f, i, many = "!torch.vtensor<[3,4],f32>", "!torch.vtensor<[5],si64>", "!torch.list<int>"
    text = f"""func.func @main(%x: {f}, %y: {i}) -> (!torch.vtensor, !torch.vtensor, !torch.vtensor, !torch.vtensor) {{
      %none = torch.constant.none
      %half = torch.constant.float 5.000000e-01
      %yes = torch.constant.bool true
      %no = torch.constant.bool false
      %n = torch.constant.int 7
      %s = torch.prim.ListConstruct %n : (!torch.int) -> {many}
      %0:2 = torch.operator "my.two"(%x, %y) : ({f}, {i}) -> (!torch.vtensor, !torch.vtensor)
      %1 = torch.operator "my.size"(%x, %none, %half, %no) :
        ({f}, !torch.none, !torch.float, !torch.bool) -> !torch.vtensor
      %2 = torch.operator "my.size"(%x, %s, %half, %no) :
        ({f}, {many}, !torch.float, !torch.bool) -> !torch.vtensor
      %3 = torch.operator "my.size"(%x, %none, %half, %yes) :
        ({f}, !torch.none, !torch.float, !torch.bool) -> !torch.vtensor
      return %0#0, %0#1, %1, %2 : !torch.vtensor, !torch.vtensor, !torch.vtensor, !torch.vtensor
    }}"""
    refined = refine_torch(text, [path])
    results = [line.rpartition("->")[2] for line in refined.splitlines() if '"my.' in line]
    types = [re.findall(r"!torch\.vtensor<([^>]*)>", each) for each in results]
    assert types == [["[5,1],si64", "[3,4],f32"], ["[4],f32"], ["[3,4,1],i1"], ["[3,4],f32"]]


CHECKED = """@shape_function("torch.my.checked")
def checked(x: Shape, n: int) -> Shape:
    assert n > 1, f'a "size" has to be {n}\\\\{len(x)}'
    assert n < 9, "it is too large"
    return [n]


@dtype_function("torch.my.checked")
def checked_dtype(x: DType, n: int) -> DType:
    return x
"""


def test_the_words_of_an_assertion_with_its_numbers(tmp_path: Path) -> None:
    path = tmp_path / "checked.py"
    path.write_text(HEAD + CHECKED)
    lines = torch_library_text([load_file(path)]).splitlines()
    strings = [line.partition("constant.str ")[2] for line in lines if "torch.constant.str" in line]
    assert strings == [r'"a \"size\" has to be {}\\{}"', '"it is too large"']
    (formatted,) = [line for line in lines if "aten.format" in line]
    assert re.search(r"aten\.format\(%\S+, %\S+, %\S+\) : ", formatted)
    assert formatted.endswith(" : !torch.str, !torch.int, !torch.int -> !torch.str")
    raised = [line for line in lines if "RaiseException" in line]
    assert len(raised) == 2
    assert all(line.endswith(" : !torch.str, !torch.none") for line in raised)
    assert formatted.split(" = ")[0] == raised[0].split()[1].rstrip(",")


@needs_torch_mlir
def test_custom_ops_become_custom_calls_of_their_names(tmp_path: Path) -> None:
    """Also those of several results, and the same op twice; what other passes call stays."""
    path = tmp_path / "more.py"
    path.write_text(HEAD + MORE)
    f = "!torch.vtensor<[3,4],f32>"
    text = f"""func.func @main(%x: {f}) -> (!torch.vtensor, !torch.vtensor, !torch.vtensor) {{
      %0:2 = torch.operator "my.two"(%x, %x) : ({f}, {f}) -> (!torch.vtensor, !torch.vtensor)
      %1:2 = torch.operator "my.two"(%0#0, %x) : (!torch.vtensor, {f}) -> (!torch.vtensor, !torch.vtensor)
      return %0#1, %1#0, %1#1 : !torch.vtensor, !torch.vtensor, !torch.vtensor
    }}"""
    lines = [line.strip() for line in torch_to_stablehlo(text, [path]).splitlines()]
    a, b = "tensor<3x4xf32>", "tensor<3x4x1xf32>"
    assert lines == [
        "module {",
        f"func.func @main(%arg0: {a}) -> ({a}, {b}, {b}) {{",
        f"%0:2 = stablehlo.custom_call @my.two(%arg0, %arg0) : ({a}, {a}) -> ({b}, {a})",
        f"%1:2 = stablehlo.custom_call @my.two(%0#0, %arg0) : ({b}, {a}) -> ({b}, {b})",
        f"return %0#1, %1#0, %1#1 : {a}, {b}, {b}",
        "}",
        "}",
    ]


def test_functions_that_are_not_about_torch_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "other.py"
    path.write_text(HEAD + CHECKED + '\n\n@shape_function("my.torch.op")\ndef op(x: Shape) -> Shape:\n    return x\n')
    lines = [line for line in torch_library_text([load_file(path)]).splitlines() if line.startswith("func.func")]
    heads = "(%x: !torch.list<int>, %n: !torch.int)", "(%x.packed: !torch.tuple<int, int>, %n: !torch.int)"
    assert lines == [
        f'func.func @"__torch_mlir_shape_fn.my.checked"{heads[0]} -> !torch.list<int> {{',
        f'func.func @"__torch_mlir_dtype_fn.my.checked"{heads[1]} -> !torch.int {{',
    ]
