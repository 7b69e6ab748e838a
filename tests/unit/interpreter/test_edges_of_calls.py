"""Custom calls over several batch dimensions, the words of failed checks, and functions that are named to be run."""

from __future__ import annotations

import numpy as np
import pytest
from parsed import parsed

import stablehlo_py
from stablehlo_py.bindings.types import OtherType, TokenType
from stablehlo_py.errors import CheckError, InterpreterError, ResourceError
from stablehlo_py.interpreter.custom_calls import lookup, registry
from stablehlo_py.interpreter.custom_calls.call import CustomCall
from stablehlo_py.interpreter.program import Program, interpret
from stablehlo_py.interpreter.settings import Settings
from stablehlo_py.interpreter.values import Token, Witness, belongs_to


def test_pivots_of_every_batch_become_an_order_of_rows() -> None:
    """Each of two times three batches has its own swaps; a pivot outside is skipped, as is one right behind the end."""
    module = stablehlo_py.parse("""func.func @main(%p: tensor<2x3x2xi32>) -> tensor<2x3x3xi32> {
      %0 = stablehlo.custom_call @cu_lu_pivots_to_permutation_ffi(%p) : (tensor<2x3x2xi32>) -> tensor<2x3x3xi32>
      return %0 : tensor<2x3x3xi32>
    }""")
    pivots = np.array([[[0, 1], [1, 1], [2, 1]], [[1, 2], [3, 2], [-1, 0]]], np.int32)
    (order,) = interpret(module, [pivots])
    expected = [[[0, 1, 2], [1, 0, 2], [2, 1, 0]], [[1, 2, 0], [0, 2, 1], [1, 0, 2]]]
    assert np.asarray(order).tolist() == expected


@pytest.mark.parametrize(
    ("target", "type_", "actual", "expected"),
    [
        ("check.eq", "f32", 1.5, 2.5),
        ("check.eq", "i32", 3, 4),
        ("check.expect_eq", "f32", 1.5, 2.5),
        ("check.expect_almost_eq", "f32", 1.5, 2.5),
    ],
)
def test_failed_checks_tell_the_found_and_the_expected_value_apart(
    target: str, type_: str, actual: float, expected: float
) -> None:
    module = stablehlo_py.parse(f"""func.func @main(%a: tensor<{type_}>, %b: tensor<{type_}>) {{
      stablehlo.custom_call @{target}(%a, %b) {{has_side_effect = true}} : (tensor<{type_}>, tensor<{type_}>) -> ()
      return
    }}""")
    with pytest.raises(CheckError) as error:
        interpret(module, [actual, expected])
    message = error.value.message
    assert -1 < message.find(str(actual)) < message.find(str(expected)), message


def test_the_function_that_is_named_is_the_one_that_runs() -> None:
    module = stablehlo_py.parse("""
      func.func @main(%x: tensor<i32>) -> tensor<i32> { return %x : tensor<i32> }
      func.func @doubled(%x: tensor<i32>) -> tensor<i32> {
        %0 = stablehlo.add %x, %x : tensor<i32>
        return %0 : tensor<i32>
      }""")
    found = {
        name: [int(np.asarray(value)) for value in interpret(module, [21], function=name)]
        for name in ("main", "doubled")
    }
    assert found == {"main": [21], "doubled": [42]}


def test_a_later_handler_runs_in_a_program_that_ran_with_an_earlier_one() -> None:
    program = Program(
        stablehlo_py.parse("""func.func @main(%x: tensor<i32>) -> tensor<i32> {
          %0 = stablehlo.custom_call @edges_of_calls(%x) : (tensor<i32>) -> tensor<i32>
          return %0 : tensor<i32>
        }""")
    )
    found = []
    try:
        for factor in (2, 3):
            registry.custom_call_handler("edges_of_calls")(lambda _, x, factor=factor: x * np.int32(factor))
            found.append(int(np.asarray(program.run([7])[0])))
    finally:
        registry.USERS.pop("edges_of_calls")
    assert found == [14, 21]


@pytest.mark.parametrize(
    ("text", "message", "notes"),
    [
        (
            "func.func @a() { return } func.func @b() { return }",
            "function @main is not defined",
            ["the module defines @a, @b"],
        ),
        ("", "function @main is not defined", []),
        ("func.func private @main()", "function @main has no body", []),
    ],
)
def test_a_module_without_the_function_tells_which_ones_it_has(text: str, message: str, notes: list[str]) -> None:
    with pytest.raises(InterpreterError) as error:
        interpret(stablehlo_py.parse(f"module {{ {text} }}"))
    assert (error.value.message, list(error.value.notes)) == (message, notes)


def test_a_shape_operand_cannot_ask_for_more_memory_than_the_limit() -> None:
    module = stablehlo_py.parse("""func.func @main(%x: tensor<2xf32>, %n: tensor<1xi64>) -> tensor<?xf32> {
      %0 = stablehlo.custom_call @edges_of_shapes(%x, %n) {indices_of_shape_operands = dense<1> : tensor<1xi64>}
        : (tensor<2xf32>, tensor<1xi64>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }""")
    asked = []

    def zeros(call: CustomCall, *_: np.ndarray) -> np.ndarray:
        asked.append(call.result_types[0].static_shape)
        return np.zeros(asked[-1], np.float32)

    registry.custom_call_handler("edges_of_shapes")(zeros)
    settings = Settings(max_memory=10_000)
    try:
        interpret(module, [np.zeros(2, np.float32), np.array([10])], settings=settings)
        with pytest.raises(ResourceError, match="needs 4000000 bytes"):
            interpret(module, [np.zeros(2, np.float32), np.array([10**6])], settings=settings)
    finally:
        registry.USERS.pop("edges_of_shapes")
    assert asked == [(10,)]


@pytest.mark.parametrize(
    ("type_", "result", "expected"),
    [
        ("f32", 2.5, 2.5),
        ("1xi32", [7], [7]),
        ("2x2xi32", [[1, 2], [3, 4]], [[1, 2], [3, 4]]),
        ("2xi32", [1, 2], [1, 2]),
        ("2xi32", np.array([1, 2], np.int32), [1, 2]),
    ],
)
def test_numbers_and_lists_of_a_handler_are_arrays(type_: str, result: object, expected: object) -> None:
    for count in (1, 2):
        types = ", ".join([f"tensor<{type_}>"] * count)
        names = ", ".join(["%0", "%1"][:count])
        module = stablehlo_py.parse(f"""func.func @main() -> ({types}) {{
          {names} = stablehlo.custom_call @edges_of_numbers() : () -> ({types})
          return {names} : {types}
        }}""")
        registry.custom_call_handler("edges_of_numbers")(lambda _, count=count: result if count == 1 else [result] * 2)
        try:
            found = interpret(module, [])
        finally:
            registry.USERS.pop("edges_of_numbers")
        assert [np.asarray(each).tolist() for each in found] == [expected] * count


def test_a_shape_operand_of_a_scalar_is_empty() -> None:
    module = stablehlo_py.parse("""func.func @main(%x: tensor<2xf32>, %n: tensor<0xi64>) -> tensor<f32> {
      %0 = stablehlo.custom_call @edges_of_shapes(%x, %n) {indices_of_shape_operands = dense<1> : tensor<1xi64>}
        : (tensor<2xf32>, tensor<0xi64>) -> tensor<f32>
      return %0 : tensor<f32>
    }""")
    registry.custom_call_handler("edges_of_shapes")(lambda _, x: x[0])
    try:
        (found,) = interpret(module, [np.array([3, 4], np.float32), np.zeros(0, np.int64)])
    finally:
        registry.USERS.pop("edges_of_shapes")
    assert found == 3


def test_an_unknown_target_with_shape_operands_is_refused_before_anything_runs() -> None:
    module = stablehlo_py.parse("""func.func @main(%n: tensor<1xi64>) -> tensor<?xf32> {
      %0 = stablehlo.custom_call @edges_of_first(%n) : (tensor<1xi64>) -> tensor<1xi64>
      %1 = stablehlo.custom_call @edges_of_nothing(%0) {indices_of_shape_operands = dense<0> : tensor<1xi64>}
        : (tensor<1xi64>) -> tensor<?xf32>
      return %1 : tensor<?xf32>
    }""")
    ran = list[int]()
    registry.custom_call_handler("edges_of_first")(lambda _, n: (ran.append(int(n[0])), n)[1])
    try:
        with pytest.raises(InterpreterError, match="'edges_of_nothing', which has no handler"):
            interpret(module, [np.array([3])])
    finally:
        registry.USERS.pop("edges_of_first")
    assert ran == []


def test_handlers_of_installed_extensions_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def handler(call: CustomCall) -> None: ...

    monkeypatch.setattr(registry, "USERS", {})
    monkeypatch.setattr(lookup, "USERS", registry.USERS)
    monkeypatch.setattr(lookup, "load_installed", lambda: registry.USERS.update(edges_of_extensions=handler))
    assert lookup.find_handler("edges_of_extensions") is handler
    assert lookup.find_handler("edges_of_nothing") is None


def test_a_witness_is_of_its_own_type_and_of_no_other() -> None:
    assert belongs_to(Witness(), OtherType("!shape.witness"))
    for value, type_ in [
        (Witness(), OtherType("!shape.shape")),
        (Witness(), TokenType()),
        (Token(), OtherType("!shape.witness")),
        (np.float32(1), OtherType("!shape.witness")),
    ]:
        assert not belongs_to(value, type_), type_


def test_targets_are_listed_by_their_names() -> None:
    found = list(lookup.targets())
    assert found == sorted(found)
    assert len(found) > 50


def test_an_op_knows_its_function_through_whatever_it_is_in() -> None:
    program = Program(
        stablehlo_py.parse("""func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
          %0 = "stablehlo.if"(%p) ({
            %1 = "stablehlo.if"(%p) ({
              %2 = stablehlo.negate %x : tensor<f32>
              stablehlo.return %2 : tensor<f32>
            }, { stablehlo.return %x : tensor<f32> }) : (tensor<i1>) -> tensor<f32>
            stablehlo.return %1 : tensor<f32>
          }, { stablehlo.return %x : tensor<f32> }) : (tensor<i1>) -> tensor<f32>
          return %0 : tensor<f32>
        }"""),
        Settings(fast=False),
    )
    found, steps = [], list(program._planner.plan("main").steps)
    while steps:
        step = steps.pop()
        found.append((step.op.name, step.op.function_name))
        steps += [inner for region in step.regions for inner in region.plan.steps]
    assert found == [("stablehlo.if", "main")] * 2 + [("stablehlo.negate", "main")]


@pytest.mark.parametrize(
    ("results", "count"), [((np.zeros(3, np.float32),), 1), ((np.zeros(3, np.float32),) * 3, 3), (None, 0)]
)
def test_a_handler_of_two_results_of_unknown_sizes_gives_two(results: object, count: int) -> None:
    module = stablehlo_py.parse("""func.func @main(%n: tensor<1xi64>) -> (tensor<?xf32>, tensor<?xf32>) {
      %0:2 = stablehlo.custom_call @edges_of_two(%n, %n) {indices_of_shape_operands = dense<[0, 1]> : tensor<2xi64>}
        : (tensor<1xi64>, tensor<1xi64>) -> (tensor<?xf32>, tensor<?xf32>)
      return %0#0, %0#1 : tensor<?xf32>, tensor<?xf32>
    }""")
    registry.custom_call_handler("edges_of_two")(lambda _: results)
    try:
        with pytest.raises(InterpreterError, match=f"'stablehlo.custom_call' op produced {count} results, expected 2$"):
            interpret(module, [np.array([3])])
    finally:
        registry.USERS.pop("edges_of_two")


@pytest.mark.parametrize("target", ["Sharding", "xla.sdy.ShardingGroup", "LayoutConstraint", "MoveToHost"])
@pytest.mark.parametrize("count", [1, 2])
def test_a_call_that_marks_values_gives_them_back_or_nothing(target: str, count: int) -> None:
    given = [np.float32([1, 2]), np.float32([3, 4])][:count]
    types, names = ", ".join(["tensor<2xf32>"] * count), ", ".join(f"%{number}" for number in range(count))
    parameters = ", ".join(f"%{number}: tensor<2xf32>" for number in range(count))
    marked = f"stablehlo.custom_call @{target}({names}) {{has_side_effect = true}} : ({types}) -> ()"
    passed = f"%r:{count} = stablehlo.custom_call @{target}({names}) : ({types}) -> ({types})"
    results = ", ".join(f"%r#{number}" for number in range(count))
    text = f"func.func @main({parameters}) -> ({types}) {{ {marked}\n{passed}\nreturn {results} : {types} }}"
    found = Program(parsed(text)).run(given)
    assert [each.tolist() for each in found] == [each.tolist() for each in given]


@pytest.mark.parametrize(
    ("groups", "channel", "expected"),
    [
        ([[0, 1, 2, 3]], 0, [0, 1, 2, 3]),
        ([[3, 1], [2, 0]], 0, [3, 1]),
        ([[0, 1], [2, 3]], 1, [0, 1]),
    ],
)
def test_an_asynchronous_collective_has_the_groups_of_its_configuration(
    groups: list[list[int]], channel: int, expected: list[int]
) -> None:
    config = f'{{"all_gather_dimension": 0, "replica_groups": {groups}, "channel_id": {channel}}}'.replace('"', "\\22")
    size, part = len(expected), "tensor<1xi32>"
    whole = f"tensor<{size}xi32>"
    text = f"""func.func @main(%x: {part}) -> {whole} {{
      %0 = stablehlo.custom_call @"all-gather-start"(%x) {{mhlo.frontend_attributes = {{
        async_collective_config = "{config}"}}}} : ({part}) -> {whole}
      %1 = stablehlo.custom_call @"all-gather-done"(%0) : ({whole}) -> {whole}
      return %1 : {whole} }}"""
    rows = Program(parsed(text)).run_parallel([[np.int32([number])] for number in range(4)], num_replicas=4)
    assert rows[1][0].tolist() == expected


@pytest.mark.parametrize("pairs", [[], [[0, 1]], [[0, 1], [1, 0]]])
def test_an_asynchronous_permutation_may_send_nothing(pairs: list[list[int]]) -> None:
    config = f'{{"permutation": {pairs}}}'.replace('"', "\\22")
    part = "tensor<1xi32>"
    text = f"""func.func @main(%x: {part}) -> {part} {{
      %0 = stablehlo.custom_call @"collective-permute-start"(%x) {{mhlo.frontend_attributes = {{
        async_collective_config = "{config}"}}}} : ({part}) -> {part}
      return %0 : {part} }}"""
    rows = Program(parsed(text)).run_parallel([[np.int32([5 + number])] for number in range(2)], num_replicas=2)
    sources = {target: source for source, target in pairs}
    assert [int(row[0][0]) for row in rows] == [5 + sources[number] if number in sources else 0 for number in range(2)]


@pytest.mark.parametrize("count", [0, 1, 2, 3])
@pytest.mark.parametrize("kind", [tuple, list])
def test_a_tuple_of_a_handler_has_as_many_parts_as_its_type(count: int, kind: type) -> None:
    type_ = "tuple<tensor<f32>, tensor<f32>>"
    module = parsed(f"""func.func @main() -> {type_} {{
      %0 = stablehlo.custom_call @edges_of_tuples() : () -> {type_}
      return %0 : {type_} }}""")
    registry.custom_call_handler("edges_of_tuples")(lambda _: kind([1.0, 2.0, 3.0][:count]))
    try:
        if count == 2:
            assert [[float(part) for part in found] for found in interpret(module, [])] == [[1.0, 2.0]]
            return
        with pytest.raises(InterpreterError, match=r"produced .* as result 0, expected tuple<"):
            interpret(module, [])
    finally:
        registry.USERS.pop("edges_of_tuples")
