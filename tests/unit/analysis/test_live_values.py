"""Bytes that live at each op, held against a walk over random programs that looks at every value at every op."""

from __future__ import annotations

import random

import pytest
from parsed import parsed

from stablehlo_py.analysis import cost
from stablehlo_py.analysis.liveness import Liveness
from stablehlo_py.analysis.sizes import Sizes
from stablehlo_py.bindings.types import TypeReader
from stablehlo_py.bindings.walk import functions

ELEMENTS = {"i8": 1, "f16": 2, "f32": 4, "f64": 8}


def drawn(chance: random.Random) -> tuple[str, list[tuple[str, list[str], int]], dict[str, int], list[str]]:
    """A straight program: its text, each op's result with its operands and bytes, the arguments, what it returns."""
    arguments = {f"a{index}": 10 * chance.choice([1, 2, 4, 8]) for index in range(chance.randint(0, 3))}
    types = {name: next(e for e, size in ELEMENTS.items() if size * 10 == bytes_) for name, bytes_ in arguments.items()}
    lines, ops = [], []
    for index in range(chance.randint(1, 9)):
        name, target = f"v{index}", chance.choice([*ELEMENTS])
        if types and chance.random() < 0.8:
            source = chance.choice([*types])
            lines.append(f"%{name} = stablehlo.convert %{source} : (tensor<10x{types[source]}>) -> tensor<10x{target}>")
            ops.append((name, [source], 10 * ELEMENTS[target]))
        else:
            value = "dense<1>" if target == "i8" else "dense<1.0>"
            lines.append(f"%{name} = stablehlo.constant {value} : tensor<10x{target}>")
            ops.append((name, [], 10 * ELEMENTS[target]))
        types[name] = target
    returned = chance.sample([*types], chance.randint(0, min(2, len(types))))
    results = ", ".join(f"tensor<10x{types[name]}>" for name in returned)
    given = ", ".join(f"%{name}: tensor<10x{types[name]}>" for name in arguments)
    end = f"return {', '.join(f'%{name}' for name in returned)} : {results}" if returned else "return"
    body = "\n  ".join([*lines, end])
    return f"func.func @main({given}) -> ({results}) {{\n  {body}\n}}", ops, arguments, returned


def visits(text: str) -> list[tuple[str, int, int, int, int]]:
    module = parsed(text)
    function = functions(module.operation)["main"]
    found = Liveness(function, Sizes(TypeReader())).visits()
    return [(visit.op.name, visit.live, visit.results, visit.dying, visit.peak) for visit in found]


@pytest.mark.parametrize("seed", range(40))
def test_bytes_before_and_after_each_op_are_those_of_the_values_that_live(seed: int) -> None:
    """An argument lives up to its last use, or the first op; a result that nothing uses lives during its op."""
    text, ops, arguments, returned = drawn(random.Random(seed))
    sizes = arguments | {name: size for name, _, size in ops}
    made = dict.fromkeys(arguments, -1) | {name: index for index, (name, _, _) in enumerate(ops)}
    last = {name: max(made[name], 0) for name in sizes}
    for index, (_, operands, _) in enumerate(ops):
        last |= dict.fromkeys(operands, index)
    last |= dict.fromkeys(returned, len(ops))
    for index, (found, (name, _, size)) in enumerate(zip(visits(text), ops, strict=True)):
        live = [each for each in sizes if made[each] < index <= last[each]]
        dying = [each for each in live if last[each] == index]
        expected = sum(map(sizes.get, live)), size, sum(map(sizes.get, dying)), sum(map(sizes.get, live)) + size
        assert found[1:] == expected, f"at %{name} of\n{text}"


LOOP = """func.func @main(%a: tensor<10xf32>, %b: tensor<3xf64>) -> tensor<10xf32> {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<5> : tensor<i32>
  %r:2 = stablehlo.while(%k = %i, %x = %a) : tensor<i32>, tensor<10xf32> cond {
    %p = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %k, %one : tensor<i32>
    %y = stablehlo.add %x, %x : tensor<10xf32>
    stablehlo.return %j, %y : tensor<i32>, tensor<10xf32>
  }
  %u = stablehlo.convert %b : (tensor<3xf64>) -> tensor<3xf32>
  %z = stablehlo.tanh %r#1 : tensor<10xf32>
  return %z : tensor<10xf32>
}"""


def test_a_loop_takes_the_memory_of_what_ends_there_and_runs_its_body_as_often_as_it_counts() -> None:
    module = parsed(LOOP)
    found = list(Liveness(functions(module.operation)["main"], Sizes(TypeReader())).visits())
    rows = [(each.op.name.removeprefix("stablehlo."), each.runs, each.live, each.results, each.dying) for each in found]
    bytes_ = {"a": 40, "b": 24, "i": 4, "n": 4, "p": 1}
    around = bytes_["b"] + bytes_["n"]  # what lives beside the state of the loop
    assert rows == [
        ("constant", 1, 64, 4, 0),
        ("constant", 1, 68, 4, 0),
        ("while", 1, 72, 44, 44),
        ("convert", 1, 64, 12, 24),
        ("tanh", 1, 40, 40, 40),
        ("compare", 6, around + 44, 1, 44),
        ("constant", 5, around + 44, 4, 0),
        ("add", 5, around + 48, 4, 8),
        ("add", 5, around + 44, 40, 40),
    ], "\n".join(map(str, rows))
    assert [each.peak for each in found if each.op.name == "stablehlo.while"] == [72]
    assert [each.trips for each in found if each.op.name == "stablehlo.while"] == [5]


@pytest.mark.parametrize("sizes", [(4, 400), (400, 4), (7, 7), (400, 4, 300), (4, 300, 400)])
def test_an_op_of_a_function_that_is_called_with_several_sizes_has_its_largest_peak(sizes: tuple[int, ...]) -> None:
    lines, given, results = list[str](), list[str](), list[str]()
    for number, size in enumerate(sizes):
        given.append(f"%a{number}: tensor<{size}xf32>")
        lines += [
            f"%n{number} = stablehlo.constant dense<{size}> : tensor<1xi32>",
            f"%b{number} = stablehlo.dynamic_reshape %a{number}, %n{number} : "
            f"(tensor<{size}xf32>, tensor<1xi32>) -> tensor<?xf32>",
            f"%c{number} = call @f(%b{number}) : (tensor<?xf32>) -> tensor<?xf32>",
        ]
        results.append(f"%c{number}")
    types = ", ".join(["tensor<?xf32>"] * len(sizes))
    body = "\n".join([*lines, f"return {', '.join(results)} : {types}"])
    module = parsed(f"""func.func @main({", ".join(given)}) -> ({types}) {{ {body} }}
func.func private @f(%x: tensor<?xf32>) -> tensor<?xf32> {{
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}}""")
    (found,) = [one for one in cost(module).ops if one.function == "f"]
    assert (found.runs, found.flops, found.bytes) == (len(sizes), sum(sizes), 12 * sum(sizes))
    # Before each call there are the results of those before it, and the arguments of those after it.
    around = [sum(sizes[:number]) + sum(sizes[number + 1 :]) for number in range(len(sizes))]
    assert found.live == 4 * max(rest + 2 * size for rest, size in zip(around, sizes, strict=True))


def test_tokens_and_tuples_have_no_bytes() -> None:
    module = parsed("""
func.func @main(%t: !stablehlo.token, %u: tuple<tensor<2xf32>, !stablehlo.token>) -> tensor<4xf32> {
  %0 = stablehlo.after_all %t, %t : !stablehlo.token
  %1 = stablehlo.get_tuple_element %u[0] : (tuple<tensor<2xf32>, !stablehlo.token>) -> tensor<2xf32>
  %2:2 = "stablehlo.infeed"(%0) : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %3 = "stablehlo.outfeed"(%1, %2#1) : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return %2#0 : tensor<4xf32>
}""")
    found = cost(module)
    names = [one.op.removeprefix("stablehlo.") for one in found.ops]
    assert names == ["after_all", "get_tuple_element", "infeed", "outfeed"]
    assert [(one.flops, one.live) for one in found.ops] == [(0, 0), (0, 8), (0, 24), (0, 24)]
    assert found.notes == ()
    sizes = Sizes(TypeReader())
    function = functions(module.operation)["main"]
    for value in function.regions[0].blocks[0].arguments:
        assert (sizes.shape(value), sizes.count(value), sizes.bytes(value)) == (None, 0, 0)


@pytest.mark.parametrize("position", [0, 1, 2])
def test_around_a_called_function_lives_the_most_of_its_calls(position: int) -> None:
    """A value of 4000 bytes lives during one of three calls."""
    lines = [f"%c{number} = call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>" for number in range(3)]
    lines.insert(position + 1, "%k = stablehlo.slice %b [0:2] : (tensor<1000xf32>) -> tensor<2xf32>")
    lines.insert(position, "%b = stablehlo.iota dim = 0 : tensor<1000xf32>")
    module = parsed(f"""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
{chr(10).join(lines)}
return %x : tensor<2xf32> }}
func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32> }}""")
    found = cost(module)
    (inner,) = [one for one in found.ops if one.function == "f"]
    assert (inner.runs, inner.live) == (3, 4000 + 16)
    assert found.peak_bytes == 4000 + 16
