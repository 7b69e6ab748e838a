"""The library language: what compiles means the same as the Python that it was, and what does not is one clear
error."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.errors import Diagnostic, StablehloError
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.shapes.element_types import CODES, UNKNOWN
from stablehlo_py.shapes.errors import LibraryError, LimitError
from stablehlo_py.shapes.evaluation.evaluator import Evaluator, InfeasibleError, RefutedAssertionError
from stablehlo_py.shapes.evaluation.op_arguments import results_of, written
from stablehlo_py.shapes.functions.movement import constant_dtype
from stablehlo_py.shapes.library import Library, activate, library, load_file
from stablehlo_py.shapes.refinement.op_evaluation import AbstractValues
from stablehlo_py.shapes.signatures import stub
from stablehlo_py.shapes.types import parse_annotation

HEAD = """from __future__ import annotations
from stablehlo_py.shapes.language import *
from stablehlo_py.shapes.registry import *

"""


@pytest.fixture(autouse=True)
def _built_in_library():
    yield
    activate(None)


def loaded(tmp_path: Path, source: str, signature: str = "") -> Library:
    """A library with one function of the target `it`; `signature` is its parameters and result."""
    path = tmp_path / "it.py"
    text = f'@shape_function("stablehlo.custom_call", target="it")\ndef it{signature}:\n' if signature else ""
    body = "\n".join(f"    {line}" if signature else line for line in source.strip("\n").splitlines())
    path.write_text(HEAD + text + body + "\n")
    return library([path])


def both_worlds(tmp_path: Path, signature: str, source: str, *arguments: object) -> object:
    """What a library function returns, after making sure that Python and the compiled form agree."""
    found = loaded(tmp_path, source, signature).find("shape", "stablehlo.custom_call", "it")
    assert found is not None
    evaluator = Evaluator(_Alone(loaded(tmp_path, source, signature)))
    values: list[object] = []
    for parameter, argument in zip(found.parameters, arguments, strict=True):
        type_ = parse_annotation(parameter.annotation)
        assert type_ is not None
        values.extend(written(argument, type_, AbstractValues()))
    compiled = evaluator.run(evaluator.environment.library.procedure(found), values)
    python = found.function(*[list(a) if isinstance(a, list) else a for a in arguments])
    (result,) = results_of(compiled, parse_annotation("Shape"), 1, "shape", AbstractValues())
    assert list(result) == python
    return python


class _Alone:
    def __init__(self, own: Library) -> None:
        self.library = own

    def sizes(self, value: ir.Value) -> None:
        return None

    def elements(self, value: ir.Value) -> None:
        return None

    def procedure_of(self, symbol_name: str) -> object:
        return self.library.procedure_of(symbol_name)


SHAPE = "(operand: Shape) -> Shape"
PROGRAMS = {
    "append": ("result = []\nfor x in operand:\n    result.append(x + 1)\nreturn result", [2, 3], [3, 4]),
    "extend": ("operand.extend([7, 8])\nreturn operand", [1], [1, 7, 8]),
    "concatenate": ("return operand + [4] + operand", [1, 2], [1, 2, 4, 1, 2]),
    "times": ("return operand * 2 + [0] * len(operand)", [1, 2], [1, 2, 1, 2, 0, 0]),
    "slices": ("return operand[1:] + operand[:2] + operand[1:3]", [1, 2, 3, 4], [2, 3, 4, 1, 2, 2, 3]),
    "negative index": ("operand[-1] = 9\nreturn [operand[-2], operand[-1]]", [1, 2, 3], [2, 9]),
    "range": ("return [i for i in range(2, 9, 3)] + [i for i in range(3, 0, -1)]", [], [2, 5, 8, 3, 2, 1]),
    "enumerate": ("return [i * x for i, x in enumerate(operand)]", [5, 6, 7], [0, 6, 14]),
    "comprehension with condition": ("return [x for x in operand if x % 2 == 0 and x > 2]", [2, 3, 4, 6], [4, 6]),
    "while": ("n = operand[0]\nwhile n > 10:\n    n = n // 3\nreturn [n]", [1000], [4]),
    "floor division": ("return [operand[0] // 4, operand[0] % 4, -7 // 2, -7 % 2]", [11], [2, 3, -4, 1]),
    "early return": (
        "for i in range(len(operand)):\n    if operand[i] == 5:\n        return [i]\nreturn [99]",
        [3, 5, 5],
        [1],
    ),
    "no early return": ("for x in operand:\n    if x == 5:\n        return [x]\nreturn [99]", [3, 4], [99]),
    "return in while": (
        "n = 0\nwhile n < 10:\n    n += 1\n    if n * n > 30:\n        return [n]\nreturn [0]",
        [],
        [6],
    ),
    "nested return": (
        "if len(operand) == 2:\n    if operand[0] == 1:\n        return [10]\n    x = 20\n"
        "else:\n    x = 30\nreturn [x]",
        [2, 2],
        [20],
    ),
    "conditional expression": ("return [1 if x > 2 else 0 for x in operand]", [1, 3], [0, 1]),
    "min, max, sum": ("return [min(operand[0], 3), max(operand[0], 3), sum(operand)]", [5, 6], [3, 5, 11]),
    "in": ("return [1 if 3 in operand else 0, 1 if 4 not in operand else 0]", [3, 5], [1, 1]),
    "chained comparison": ("return [1 if 0 < operand[0] <= 5 else 0]", [5], [1]),
    "list equality": ("return [1 if operand == [1, 2] else 0, 1 if operand != [1, 2] else 0]", [1, 2], [1, 0]),
    "lists of lists": (
        "rows = [operand, [7], operand[1:]]\nreturn [len(row) for row in rows] + rows[2]",
        [1, 2],
        [2, 1, 1, 2],
    ),
    "tuples": ("a, b = operand[0], operand[1]\nreturn [b, a]", [1, 2], [2, 1]),
    "guarded index": ("return [1 if len(operand) > 2 and operand[2] == 1 else 0]", [1], [0]),
    "bools as ints": ("return [(operand[0] == 1) + 1]", [1], [2]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_python_and_mlir_agree(name, tmp_path):
    source, argument, expected = PROGRAMS[name]
    assert both_worlds(tmp_path, SHAPE, source, argument) == expected


@pytest.mark.parametrize(
    "source",
    [
        "if k is None:\n    return operand\nreturn operand + [k]",
        "if k is not None:\n    return operand + [k]\nreturn operand",
        "if k is None:\n    k = len(operand) - 1\n    if k == 0:\n        return operand\nreturn operand + [k]",
        "if k is not None:\n    operand = operand + [k]\nreturn operand",
        "return operand if k is None else operand + [k]",
        "return operand + [k] if k is not None else operand",
        "return operand + [5] if k is not None and k > 4 else operand",
        "return operand if k is None or k < 5 else operand + [k]",
    ],
)
def test_optional_arguments(source, tmp_path):
    signature = "(operand: Shape, k: int | None) -> Shape"
    assert both_worlds(tmp_path, signature, source, [1], None) == [1]
    assert both_worlds(tmp_path, signature, source, [1], 5) == [1, 5]


@pytest.mark.parametrize(
    "source",
    [
        "if k is not None:\n    return operand + k\nreturn operand",
        "if k is None:\n    return operand\nreturn operand + k",
        "return operand if k is None else operand + [n for n in k]",
        "return operand + [7] if k is not None and k == [7] else operand",
    ],
)
def test_optional_lists(source, tmp_path):
    signature = "(operand: Shape, k: list[int] | None) -> Shape"
    assert [both_worlds(tmp_path, signature, source, [1], k) for k in (None, [7])] == [[1], [1, 7]]


def test_strings(tmp_path):
    source = (
        'count = 0\nfor letter in text:\n    if letter == "a":\n        count += 1\n'
        'return [count, 1 if text == "banana" else 0]'
    )
    assert both_worlds(tmp_path, "(text: str) -> Shape", source, "banana") == [3, 1]


UNSUPPORTED = {
    "class": ("class Inner: pass\nreturn operand", "ClassDef"),
    "lambda": ("f = lambda: 1\nreturn operand", "Lambda"),
    "float": ("return [operand[0] / 2]", "BinOp"),
    "dictionary": ("return [len({1: 2})]", "Dict"),
    "try": ("try:\n    pass\nfinally:\n    pass\nreturn operand", "Try"),
    "unknown call": ("return sorted(operand)", "call of 'sorted'"),
    "method": ("operand.reverse()\nreturn operand", "reverse"),
    "no return": ("x = 1", "can end without a return"),
    "undefined": ("if len(operand) > 1:\n    y = 1\nreturn [y]", "'y' is not defined here on every way"),
    "types differ": ("x = 1\nif len(operand) > 1:\n    x = operand\nreturn [1]", "on one way"),
    "number as condition": ("if len(operand):\n    return operand\nreturn []", "a condition has to be a bool"),
    "recursion": ("return it(operand)", "calls itself"),
    "assertion without message": ("assert len(operand) == 1\nreturn operand", "without a message"),
    "break": ("for x in operand:\n    break\nreturn operand", "Break"),
    "wrong result": ("return 3", r"expected list\[int\], found int"),
    **{
        f"a {operator} of {left} and {right}": (f"return [{left} {operator} {right}]", "expected int, found list")
        for left, operator, right in (
            *[("operand", operator, "operand") for operator in ("*", "-", "//", "%", "<", ">=")],
            *[("operand", operator, "2") for operator in ("+", "-", "%", "<", "==")],
            *[("2", operator, "operand") for operator in ("+", "*", "//", "!=")],
        )
    },
}


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_what_is_outside_the_subset_is_an_error_with_its_line(name, tmp_path):
    source, message = UNSUPPORTED[name]
    with pytest.raises(LibraryError, match=message) as caught:
        loaded(tmp_path, source, SHAPE)
    assert caught.value.location.startswith(f"{tmp_path / 'it.py'}:")


def test_a_wrong_signature_shows_the_right_one(tmp_path):
    head = '@shape_function("stablehlo.transpose")\n'
    source = head + "def transpose(x: Shape, permutation: list[int]) -> Shape:\n    return x\n"
    with pytest.raises(LibraryError, match=r"has to take \(operand: Shape, permutation: list\[int\]\)") as caught:
        loaded(tmp_path, source)
    assert caught.value.location.startswith(f"{tmp_path / 'it.py'}:")


def test_the_order_of_parameters_is_the_op_s(tmp_path):
    head = '@shape_function("stablehlo.transpose")\n'
    source = head + "def it(permutation: list[int], operand: Shape) -> Shape:\n    return operand\n"
    with pytest.raises(LibraryError, match="or some of these in this order"):
        loaded(tmp_path, source)


def test_a_parameter_that_a_library_function_leaves_out(tmp_path):
    source = '@shape_function("stablehlo.triangular_solve")\ndef it(b: Shape) -> Shape:\n    return b\n'
    found = loaded(tmp_path, source).find("shape", "stablehlo.triangular_solve")
    assert found is not None
    assert [p.name for p in found.parameters] == ["a", "b", "left_side", "lower", "unit_diagonal", "transpose_a"]
    text = loaded(tmp_path, source).text([found])
    assert "(%a: tensor<?xindex>, %b: tensor<?xindex>, %left_side: i1, %lower: i1, %unit_diagonal: i1)" in text
    assert "return %b : tensor<?xindex>" in text


def test_a_parameter_left_out_hides_no_name(tmp_path):
    source = '@shape_function("stablehlo.clamp")\ndef it(operand: Shape) -> Shape:\n    return [max(operand[0], 3)]\n'
    found = loaded(tmp_path, source).find("shape", "stablehlo.clamp")
    assert found is not None
    assert "arith.maxsi" in loaded(tmp_path, source).text([found])


SEVERAL = """@shape_function("stablehlo.negate", "stablehlo.transpose")
@cases(Invocation("2x3xf32", returns="2x3xf32"))
@cases(Invocation("2x3xf32", permutation=[0, 1], returns="2x3xf32"), ops=["stablehlo.transpose"])
def it(operand: Shape) -> Shape:
    return operand
"""


def test_a_library_function_of_several_ops_has_cases_for_each(tmp_path):
    found = loaded(tmp_path, SEVERAL)
    attributes = {
        op: [dict(case.attributes) for case in library_function.registration.cases]
        for op in ("stablehlo.negate", "stablehlo.transpose")
        if (library_function := found.find("shape", op)) is not None
    }
    assert attributes == {"stablehlo.negate": [{}], "stablehlo.transpose": [{"permutation": [0, 1]}]}


def test_cases_of_an_op_that_the_function_is_not_for(tmp_path):
    with pytest.raises(LibraryError, match="whose shape function it is not"):
        loaded(tmp_path, SEVERAL.replace(', "stablehlo.transpose")', ")"))


def test_an_op_that_its_dialect_does_not_have(tmp_path):
    source = '@shape_function("stablehlo.unheard_of")\ndef unheard_of(x: Shape) -> Shape:\n    return x\n'
    with pytest.raises(LibraryError, match=r"the dialect 'stablehlo' has no op 'stablehlo\.unheard_of'"):
        loaded(tmp_path, source)


def test_a_target_of_an_op_that_has_none(tmp_path):
    source = '@shape_function("stablehlo.add", target="mine")\ndef it(x: Shape) -> Shape:\n    return x\n'
    with pytest.raises(LibraryError, match="only custom_call and composite have targets"):
        loaded(tmp_path, source)


GROWING = """func.func @main(%x: tensor<4xf32>, %go: tensor<i1>) -> tensor<?xf32> {
  %open = stablehlo.negate %x : (tensor<4xf32>) -> tensor<?xf32>
  %end = stablehlo.while(%carried = %open) : tensor<?xf32>
   cond {
    stablehlo.return %go : tensor<i1>
  } do {
    %longer = stablehlo.concatenate %carried, %x, dim = 0 : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
    stablehlo.return %longer : tensor<?xf32>
  }
  return %end : tensor<?xf32>
}"""


LIMITED = (
    "stablehlo-shape-refinement-pipeline{{max-iterations={}}}",
    "stablehlo-shape-refinement-pipeline{{steps=true max-iterations={}}}",
    "stablehlo-dtype-refinement-pipeline{{shapes=true max-iterations={}}}",
    "stablehlo-insert-shape-guards{{max-iterations={}}}",
    "stablehlo-reify-shape-calculations,stablehlo-inline-calculations,"
    "stablehlo-simplify-shape-calculations{{max-iterations={}}}",
)


@pytest.mark.parametrize("passes", LIMITED)
@pytest.mark.parametrize(("limit", "warnings"), [(1, 1), (10, 0)])
def test_a_loop_that_does_not_settle_in_time_is_warned_about(passes, limit, warnings):
    said: list[Diagnostic] = []
    with make_context():
        module = ir.Module.parse(GROWING)
        pipeline = f"builtin.module({passes.format(limit)})"
        run_pipeline(module, pipeline, sink=said.append)
        assert "tensor<?xf32>" in str(module)
    assert len([d for d in said if "refinement stopped after 1 iterations" in d.message]) == warnings


def test_registering_twice_is_an_error(tmp_path):
    one = '@shape_function("stablehlo.custom_call", target="it")\ndef {0}(x: Shape) -> Shape:\n    return x\n'
    with pytest.raises(LibraryError, match="already has a shape function"):
        loaded(tmp_path, one.format("first") + one.format("second"))


def test_a_library_that_raises_is_one_error_with_its_line(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("x = 1\nraise ValueError('not today')\n")
    with pytest.raises(LibraryError, match="raises ValueError: not today") as caught:
        load_file(path)
    assert caught.value.location == f"{path}:2:1"


def test_a_library_that_is_not_there(tmp_path):
    with pytest.raises(LibraryError, match="there is no such file"):
        library([tmp_path / "missing.py"])


def test_a_user_s_function_comes_before_the_built_in_one(tmp_path):
    source = '@shape_function("stablehlo.negate")\ndef negate(operand: Shape) -> Shape:\n    return operand + [1]\n'
    found = loaded(tmp_path, source).find("shape", "stablehlo.negate")
    assert found is not None
    assert found.function([2]) == [2, 1]


def test_installed_packages_add_library_functions(tmp_path, monkeypatch):
    from stablehlo_py.shapes import library as module

    (tmp_path / "installed_ops.py").write_text(
        HEAD
        + '@shape_function("stablehlo.custom_call", target="installed")\ndef it(x: Shape) -> Shape:\n    return x\n'
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    entry = EntryPoint("ops", "installed_ops", module.ENTRY_POINTS)
    monkeypatch.setattr(module, "entry_points", lambda group: [entry] if group == module.ENTRY_POINTS else [])
    module._installed.cache_clear()
    module._library.cache_clear()
    try:
        assert library().find("shape", "stablehlo.custom_call", "installed") is not None
    finally:
        module._installed.cache_clear()
        module._library.cache_clear()


PROGRAM = """func.func @main(%x: tensor<2x3xf32>) -> tensor<?xf32> {
  %0 = stablehlo.custom_call @it(%x) : (tensor<2x3xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}"""

BAD = {
    "does not end": ("n = 1\nwhile n > 0:\n    n += 1\nreturn [n]", "does not end within"),
    "index": ("return [operand[5]]", "index 5 is outside a list of 2"),
    "division": ("return [operand[0] // (operand[1] - 3)]", "division by zero"),
    "rank": ("return operand", "declared with rank 1, it has rank 2"),
    "negative": ("return [0 - 3]", "would be -3"),
    "assertion": ('assert operand[0] == 7, f"rows: {operand[0]}"\nreturn [1]', "rows: 2"),
}


@pytest.mark.parametrize("steps", ["", "{steps=true}"])
@pytest.mark.parametrize("name", BAD)
def test_a_library_function_that_fails_is_an_error_at_its_op_and_changes_nothing(name, steps, tmp_path):
    source, message = BAD[name]
    activate(loaded(tmp_path, source, SHAPE))
    with make_context():
        module = ir.Module.parse(PROGRAM)
        before = str(module)
        with pytest.raises(StablehloError, match=message) as caught:
            run_pipeline(module, f"builtin.module(stablehlo-shape-refinement-pipeline{steps})")
        assert "<string>:2:8" in str(caught.value)
        assert str(module) == before


def test_too_many_operands_for_a_library_function(tmp_path):
    activate(loaded(tmp_path, "return x", "(x: Shape, y: Shape) -> Shape"))
    with make_context():
        module = ir.Module.parse(PROGRAM)
        with pytest.raises(StablehloError, match=r"<string>:2:8.*takes 2 operands, the op has 1"):
            run_pipeline(module, "builtin.module(stablehlo-shape-refinement-pipeline)")


def test_a_wrong_number_of_results(tmp_path):
    activate(loaded(tmp_path, "return x, x", "(x: Shape) -> tuple[Shape, Shape]"))
    with make_context():
        module = ir.Module.parse(PROGRAM)
        with pytest.raises(StablehloError, match="returns 2 types, the op has 1 results"):
            run_pipeline(module, "builtin.module(stablehlo-shape-refinement-pipeline)")


def test_dtypes_that_contradict_are_an_error():
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf64> {
      %0 = stablehlo.custom_call @it(%x) : (tensor<2xf32>) -> tensor<2xf64>
      return %0 : tensor<2xf64>
    }"""
    with make_context():
        module = ir.Module.parse(text)
        run_pipeline(module, "builtin.module(stablehlo-dtype-refinement-pipeline)")


def test_dtype_functions_of_users(tmp_path):
    source = '@dtype_function("stablehlo.custom_call", target="it")\ndef it(x: DType) -> DType:\n    return x\n'
    activate(loaded(tmp_path, source))
    with make_context():
        module = ir.Module.parse(
            PROGRAM.replace("-> tensor<?xf32>", "-> tensor<?xf64>").replace("%0 : tensor<?xf32>", "%0 : tensor<?xf64>")
        )
        with pytest.raises(StablehloError, match="the element type of result 0 is declared f64, it is f32"):
            run_pipeline(module, "builtin.module(stablehlo-dtype-refinement-pipeline)")


def test_the_stub_of_a_missing_function():
    assert stub("stablehlo.pad", "shape") == (
        '@shape_function("stablehlo.pad")\n'
        "def pad(operand: Shape, padding_value: Shape, edge_padding_low: list[int], edge_padding_high: list[int], "
        "interior_padding: list[int]) -> Shape:\n"
    )
    with pytest.raises(LibraryError, match="no op class"):
        stub("stablehlo.unheard_of", "shape")


def test_errors_of_the_machine_are_exceptions_of_their_own():
    assert not issubclass(RefutedAssertionError, StablehloError)
    assert not issubclass(InfeasibleError, StablehloError)
    assert issubclass(LimitError, StablehloError)


@pytest.mark.parametrize("relative", [False, True])
def test_a_library_that_raises_is_reported_with_its_line(tmp_path, monkeypatch, relative):
    path = tmp_path / "mine.py"
    path.write_text('"""Mine."""\n\nraise KeyError("no such thing")\n')
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LibraryError, match="the library raises KeyError") as caught:
        load_file(Path("mine.py") if relative else path)
    assert caught.value.location.endswith("mine.py:3:1")


def test_integers_of_a_constant_may_store_quantized_ones_and_those_of_64_bits_do_not():
    found = {name: constant_dtype(code) for name, code in CODES.items()}
    stored = {f"{sign}{bits}" for sign in ("i", "ui") for bits in (2, 4, 8, 16, 32, 64)} - {"i64"}
    assert {name for name, made in found.items() if made == UNKNOWN} == stored
    assert {name for name, made in found.items() if made == CODES[name]} == CODES.keys() - stored
