"""Functions that are called in several ways: how many are looked at, what they are named, and what each one returns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.attributes import callee_of
from stablehlo_py.bindings.walk import functions, operations
from stablehlo_py.errors import Diagnostic
from stablehlo_py.interpreter.program import interpret
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.shapes.refinement.analysis import CALL_LIMIT

V = "tensor<?xf32>"


@pytest.fixture(scope="module", autouse=True)
def context() -> Iterator[ir.Context]:
    with make_context() as made:
        yield made


def refined(text: str, options: str = "") -> tuple[ir.Module, list[str]]:
    """The refined program, and what was warned about."""
    said: list[Diagnostic] = []
    module = ir.Module.parse(text)
    run_pipeline(module, f"builtin.module(stablehlo-shape-refinement-pipeline{options})", sink=said.append)
    assert module.operation.verify()
    return module, [diagnostic.message for diagnostic in said]


def called(module: ir.Module, caller: str = "main") -> list[tuple[str, str]]:
    """The callees of a function's calls, and the types that these return."""
    calls = [op for op in operations(functions(module.operation)[caller]) if op.name == "func.call"]
    return [(callee_of(op), str(op.results[0].type)) for op in calls]


def of_sizes(sizes: list[int], visibility: str = "private", other: str = "") -> str:
    """A function that is called with a vector of each size."""
    calls = [
        f"""%x{number} = stablehlo.constant dense<1.0> : tensor<{size}xf32>
        %o{number} = stablehlo.negate %x{number} : (tensor<{size}xf32>) -> {V}
        %r{number} = func.call @f(%o{number}) : ({V}) -> {V}"""
        for number, size in enumerate(sizes)
    ]
    lines = "\n".join(calls)
    return f"""func.func @main() {{ {lines}
      return
    }}
    func.func {visibility} @f(%x: {V}) -> {V} {{
      %0 = stablehlo.abs %x : {V}
      return %0 : {V}
    }}
    {other}"""


@pytest.mark.parametrize("visibility", ["private", ""])
@pytest.mark.parametrize("more", [0, 1])
def test_a_function_is_looked_at_for_so_many_kinds_of_calls(visibility: str, more: int) -> None:
    """Calls like one before are no kind of their own; what comes from outside is none either."""
    sizes = [*range(1, CALL_LIMIT + more + 1), 1, CALL_LIMIT]
    main, other = of_sizes(sizes, visibility).split("func.func " + visibility + " @f")
    head = f"func.func {visibility} @f"
    module, said = refined(head + other + main)
    types = [type_ for _, type_ in called(module)]
    known = [f"tensor<{size}xf32>" if size <= CALL_LIMIT else V for size in sizes]
    assert types == known
    assert said == [f"'f' is called in more than {CALL_LIMIT} ways, not all are refined"] * more


# The second calls the first, whose types are known.
IDLE = """func.func private @NAME(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }
func.func @to_NAME(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = func.call @NAME(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


@pytest.mark.parametrize(
    ("visibility", "taken", "names"),
    [
        ("private", [], ["f", "f_0", "f_1"]),
        ("private", ["f_0"], ["f", "f_1", "f_2"]),
        ("private", ["f_1"], ["f", "f_0", "f_2"]),
        ("private", ["f_0", "f_1", "f_3"], ["f", "f_2", "f_4"]),
        ("", [], ["f_0", "f_1", "f_2"]),
        ("", ["f_1"], ["f_0", "f_2", "f_3"]),
    ],
)
def test_kinds_of_calls_have_functions_with_names_that_nothing_has(
    visibility: str, taken: list[str], names: list[str]
) -> None:
    """A function that others can call as well stays as it is."""
    others = "\n".join(IDLE.replace("NAME", name) for name in taken)
    sizes = [3, 4, 3, 5, 4]
    module, said = refined(of_sizes(sizes, visibility, others))
    by_size = dict(zip([3, 4, 5], names, strict=True))
    assert called(module) == [(by_size[size], f"tensor<{size}xf32>") for size in sizes], str(module)
    found = functions(module.operation)
    assert sorted(found) == sorted({"main", "f", *taken, *[f"to_{name}" for name in taken], *names})
    for size, name in by_size.items():
        assert str(found[name].attributes["function_type"]) == f"(tensor<{size}xf32>) -> tensor<{size}xf32>"
        assert str(found[name].attributes["sym_visibility"]) == '"private"'
    if not visibility:
        assert str(found["f"].attributes["function_type"]) == f"({V}) -> {V}"
        assert "sym_visibility" not in found["f"].attributes
    assert said == []


def test_functions_that_nothing_unknown_is_in_are_shared_by_all_calls() -> None:
    text = """func.func @main(%n: tensor<2xi32>) -> tensor<2xi32> {
      %a = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
      %0 = func.call @twice(%a) : (tensor<2xi32>) -> tensor<2xi32>
      %1 = func.call @twice(%0) : (tensor<2xi32>) -> tensor<2xi32>
      %z = stablehlo.dynamic_iota %1, dim = 0 : (tensor<2xi32>) -> tensor<?x?xf32>
      return %1 : tensor<2xi32>
    }
    func.func private @twice(%x: tensor<2xi32>) -> tensor<2xi32> {
      %0 = stablehlo.add %x, %x : tensor<2xi32>
      return %0 : tensor<2xi32>
    }"""
    module, _ = refined(text)
    assert [name for name, _ in called(module)] == ["twice", "twice"]
    assert "tensor<12x16xf32>" in str(module)


MANY = f"""func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>) -> ({V}, {V}) {{
  %a = stablehlo.negate %x : (tensor<2xf32>) -> {V}
  %b = stablehlo.negate %y : (tensor<3xf32>) -> {V}
  %0 = func.call @outer(%a) : ({V}) -> {V}
  %1 = func.call @outer(%b) : ({V}) -> {V}
  return %0, %1 : {V}, {V}
}}
func.func private @outer(%x: {V}) -> {V} {{
  %d = stablehlo.concatenate %x, %x, dim = 0 : ({V}, {V}) -> {V}
  %0 = func.call @inner(%x, %d) : ({V}, {V}) -> {V}
  %1 = func.call @inner(%d, %x) : ({V}, {V}) -> {V}
  %2 = stablehlo.concatenate %0, %1, dim = 0 : ({V}, {V}) -> {V}
  return %2 : {V}
}}
func.func private @inner(%x: {V}, %y: {V}) -> {V} {{
  %w = stablehlo.concatenate %x, %y, %y, dim = 0 : ({V}, {V}, {V}) -> {V}
  %c = stablehlo.constant dense<true> : tensor<i1>
  %r:2 = "stablehlo.while"(%w, %x) ({{
  ^bb0(%p: {V}, %q: {V}):
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }}, {{
  ^bb0(%p: {V}, %q: {V}):
    %n = stablehlo.negate %p : {V}
    "stablehlo.return"(%n, %q) : ({V}, {V}) -> ()
  }}) : ({V}, {V}) -> ({V}, {V})
  return %r#0 : {V}
}}"""


@pytest.mark.parametrize("options", ["", "{steps=true}"])
def test_calls_in_calls_are_told_apart(options: str) -> None:
    module, _ = refined(MANY, options)
    assert "?" not in str(module), str(module)
    assert called(module) == [("outer", "tensor<18xf32>"), ("outer_0", "tensor<27xf32>")]
    assert [type_ for _, type_ in called(module, "outer")] == ["tensor<10xf32>", "tensor<8xf32>"]
    assert [type_ for _, type_ in called(module, "outer_0")] == ["tensor<15xf32>", "tensor<12xf32>"]
    assert len({name for caller in ("outer", "outer_0") for name, _ in called(module, caller)}) == 4


def test_functions_that_call_each_other_return_what_they_declare() -> None:
    text = f"""func.func @main(%x: tensor<2xf32>) -> {V} {{
      %a = stablehlo.negate %x : (tensor<2xf32>) -> {V}
      %0 = func.call @even(%a) : ({V}) -> {V}
      return %0 : {V}
    }}
    func.func private @even(%x: {V}) -> {V} {{
      %d = stablehlo.concatenate %x, %x, dim = 0 : ({V}, {V}) -> {V}
      %0 = func.call @odd(%d) : ({V}) -> {V}
      return %0 : {V}
    }}
    func.func private @odd(%x: {V}) -> {V} {{
      %0 = func.call @even(%x) : ({V}) -> {V}
      return %0 : {V}
    }}"""
    module, said = refined(text)
    found = functions(module.operation)
    types = {name: str(found[name].attributes["function_type"]) for name in found}
    assert types == {
        "main": f"(tensor<2xf32>) -> {V}",
        "even": f"({V}) -> {V}",
        "even_0": f"(tensor<2xf32>) -> {V}",
        "odd": f"({V}) -> {V}",
        "odd_0": f"(tensor<4xf32>) -> {V}",
    }, str(module)
    assert called(module) == [("even_0", V)]
    assert called(module, "even_0") == [("odd_0", V)]
    assert [called(module, name) for name in ("odd_0", "odd", "even")] == [[("even", V)], [("even", V)], [("odd", V)]]
    assert said == []


FORWARD = """func.func @main() -> (tensor<i32>, tensor<i32>) {
  %a = stablehlo.constant dense<[3]> : tensor<1xi32>
  %b = stablehlo.constant dense<[4]> : tensor<1xi32>
  %0 = func.call @FIRST(%a) : (tensor<1xi32>) -> tensor<i32>
  %1 = func.call @SECOND(%b) : (tensor<1xi32>) -> tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}
func.func private @hand_on(%n: tensor<1xi32>) -> tensor<i32> {
  %0 = func.call @length(%n) : (tensor<1xi32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func private @length(%n: tensor<1xi32>) -> tensor<i32> {
  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  return %1 : tensor<i32>
}"""


@pytest.mark.parametrize("first", ["hand_on", "length"])
@pytest.mark.parametrize("second", ["hand_on", "length"])
def test_a_function_of_known_sizes_calls_the_kind_that_it_hands_numbers_to(first: str, second: str) -> None:
    module, _ = refined(FORWARD.replace("FIRST", first).replace("SECOND", second))
    assert [int(each) for each in interpret(module)] == [3, 4], str(module)


def test_a_function_that_nobody_gets_to_may_call_others_as_before() -> None:
    again = f"""func.func private @again(%x: {V}) -> {V} {{
      %0 = func.call @f(%x) : ({V}) -> {V}
      %1 = func.call @again(%0) : ({V}) -> {V}
      return %1 : {V}
    }}"""
    module, _ = refined(of_sizes([3], "private", again))
    assert called(module) == [("f_0", "tensor<3xf32>")]
    assert called(module, "again") == [("f", V), ("again", V)]


def test_a_value_that_is_partly_known_goes_to_a_call_that_is_not_as_declared() -> None:
    """The shape of one dimension is known, that of the other only while the program runs."""
    open_ = "tensor<?x?xf32>"
    text = f"""func.func @main(%x: tensor<?x3xf32>, %p: tensor<i1>) -> {open_} {{
      %a = stablehlo.negate %x : (tensor<?x3xf32>) -> {open_}
      %0 = func.call @halve(%a, %p) : ({open_}, tensor<i1>) -> {open_}
      return %0 : {open_}
    }}
    func.func private @halve(%x: {open_}, %p: tensor<i1>) -> {open_} {{
      %no = stablehlo.constant dense<false> : tensor<i1>
      %0 = "stablehlo.if"(%p) ({{
        %1 = func.call @halve(%x, %no) : ({open_}, tensor<i1>) -> {open_}
        stablehlo.return %1 : {open_}
      }}, {{
        stablehlo.return %x : {open_}
      }}) : (tensor<i1>) -> {open_}
      return %0 : {open_}
    }}"""
    module, _ = refined(text)
    kinds = functions(module.operation)
    assert str(kinds["halve_0"].attributes["function_type"]).startswith("(tensor<?x3xf32>, ")
    for given in (np.ones((2, 3), np.float32), np.ones((0, 3), np.float32)):
        for p in (True, False):
            (found,) = interpret(module, [given, np.bool_(p)])
            assert np.array_equal(np.asarray(found), -given)


@pytest.mark.parametrize("first", ["call", "loop"])
def test_a_value_can_go_to_a_call_and_to_a_loop_that_changes_it(first: str) -> None:
    """The function takes it with the size that is known, the loop without."""
    call = f"%0 = func.call @f(%a) : ({V}) -> {V}"
    loop = f"""%r = "stablehlo.while"(%a) ({{
      ^bb0(%v: {V}):
        "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }}, {{
      ^bb0(%v: {V}):
        %d = stablehlo.concatenate %v, %v, dim = 0 : ({V}, {V}) -> {V}
        "stablehlo.return"(%d) : ({V}) -> ()
    }}) : ({V}) -> {V}"""
    lines = "\n".join([call, loop] if first == "call" else [loop, call])
    text = f"""func.func @main(%x: tensor<2xf32>, %p: tensor<i1>) -> ({V}, {V}) {{
      %a = stablehlo.negate %x : (tensor<2xf32>) -> {V}
      {lines}
      return %0, %r : {V}, {V}
    }}
    func.func private @f(%x: {V}) -> {V} {{
      %0 = stablehlo.abs %x : {V}
      return %0 : {V}
    }}"""
    module, _ = refined(text)
    assert called(module) == [("f", "tensor<2xf32>")]
    found = interpret(module, [np.ones(2, np.float32), np.bool_(False)])
    assert [np.asarray(each).tolist() for each in found] == [[1, 1], [-1, -1]]


def test_a_public_function_that_calls_itself_keeps_none_of_those_that_it_calls() -> None:
    text = f"""func.func @main(%x: tensor<2xf32>) -> {V} {{
      %a = stablehlo.negate %x : (tensor<2xf32>) -> {V}
      %0 = func.call @f(%a) : ({V}) -> {V}
      %1 = func.call @main(%x) : (tensor<2xf32>) -> {V}
      return %1 : {V}
    }}
    func.func private @f(%x: {V}) -> {V} {{
      %0 = stablehlo.abs %x : {V}
      return %0 : {V}
    }}"""
    module, _ = refined(text)
    assert called(module) == [("f", "tensor<2xf32>"), ("main", V)]
