"""The importer of torch's programs with small objects in place of torch's: what is asked of them and told."""

from __future__ import annotations

import sys
import warnings
import zipfile
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy_torch import Tensor, module_of, tensor

from stablehlo_py.artifacts.formats import torch_export
from stablehlo_py.artifacts.formats.torch_lowering import BACKEND, lower
from stablehlo_py.artifacts.formats.torch_lowering import _error as lowering_error
from stablehlo_py.bindings.torch_dialect import parse_torch, torch_context
from stablehlo_py.errors import InputError
from stablehlo_py.isolation import policy

# The last steps, which torch-mlir does without torch ---------------------------------------------------------------

TANH = """func.func @main(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %0 = torch.aten.tanh %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32> loc("node_7"("a.py":3:5))
  return %0 : !torch.vtensor<[2],f32>
}"""


def torch_program(text: str) -> Any:
    pytest.importorskip("torch_mlir", reason="the extra `torch` is not installed")
    return parse_torch(text, torch_context())


def test_ops_of_torch_are_lowered_with_their_locations() -> None:
    text = lower(torch_program(TANH), BACKEND).decode()
    assert "stablehlo.tanh" in text
    assert "torch." not in text
    assert 'loc("node_7"' in text


def test_pipelines_run_in_their_order() -> None:
    text = TANH.replace("torch.aten.tanh", "torch.aten.unheard_of") + "\nfunc.func private @unused() {\n  return\n}"
    unused = text[text.index("func.func private") :]
    assert "@unused" not in lower(torch_program(unused), "symbol-dce", "canonicalize").decode()
    with pytest.raises(ValueError, match="no-such-pass"):
        lower(torch_program(unused), "symbol-dce", "no-such-pass")


@pytest.mark.parametrize(
    ("location", "node", "place"),
    [
        ('loc("node_7"("a.py":3:5))', "node 'node_7' ", "a.py:3:5"),
        ('loc("node_7")', "node 'node_7' ", ""),
        ('loc("a.py":3:5)', "", "a.py:3:5"),
    ],
)
def test_what_cannot_be_lowered_is_told_with_its_node(location: str, node: str, place: str) -> None:
    text = f"""func.func @main(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {{
      %0 = torch.operator "onnx.Nothing"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {location}
      return %0 : !torch.vtensor<[2],f32>
    }}"""
    with pytest.raises(InputError) as raised:
        lower(torch_program(text), BACKEND)
    assert raised.value.message.startswith(f"{node}cannot be expressed in StableHLO: failed to legalize operation")
    assert raised.value.location == place
    assert "\n" not in raised.value.message


def test_long_reasons_are_cut() -> None:
    name = "x" * 400
    text = f"""func.func @main(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {{
      %0 = torch.operator "onnx.{name}"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
      return %0 : !torch.vtensor<[2],f32>
    }}"""
    with pytest.raises(InputError) as raised:
        lower(torch_program(text), BACKEND)
    assert len(raised.value.message.partition("StableHLO: ")[2]) == 300


def test_constants_of_arith_are_written_as_those_of_stablehlo() -> None:
    module = torch_program("""func.func @main() -> (tensor<2xf32>, i32) {
      %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
      %1 = arith.constant 3 : i32
      return %0, %1 : tensor<2xf32>, i32
    }""")
    text = lower(module).decode()
    assert "stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>" in text
    assert "arith.constant 3 : i32" in text


# Programs of torch.export --------------------------------------------------------------------------------------------


class Node(SimpleNamespace):
    """A node of a graph of torch.fx."""

    __hash__ = object.__hash__  # type: ignore[assignment]


def call(name: str, *inputs: Node, val: Any = None, target: str = "aten.add", trace: str | None = None) -> Node:
    meta = {"val": tensor([1.0]) if val is None else val, "stack_trace": trace}
    return Node(
        name=name, op="call_function", target=target, all_input_nodes=list(inputs), users=[], meta=meta, args=()
    )


class Program(SimpleNamespace):
    """An exported program that negates and adds, and changes its state."""

    def run_decompositions(self, table: Any) -> Program:
        if isinstance(table, Exception):
            raise table
        *nodes, output = self.graph.nodes
        graph = SimpleNamespace(nodes=[*nodes, Node(**vars(output))])
        return Program(**{**vars(self), "graph": graph})


def spec(kind: str, target: str | None, **fields: Any) -> SimpleNamespace:
    return SimpleNamespace(kind=SimpleNamespace(name=kind), target=target, **fields)


def exported() -> Program:
    x = Node(name="x", op="placeholder", target="x", all_input_nodes=[], users=[], meta={"val": tensor([1.0])}, args=())
    trace = 'File "/a.py", line 3, in f\n  x\nFile "/b.py", line 17, in g\n  y'
    negated, count = call("neg", x, target="aten.neg", trace=trace), call("size", x, val=7, target="sym_size")
    added = call("add", negated, x)
    output = Node(name="output", op="output", target="output", all_input_nodes=[], users=[], meta={},
                  args=((negated, added, 3, added),))  # fmt: skip
    outputs = [spec("BUFFER_MUTATION", "calls"), spec("USER_OUTPUT", None), spec("USER_OUTPUT", None),
               spec("USER_INPUT_MUTATION", "x")]  # fmt: skip
    inputs = [spec("PARAMETER", "weight"), spec("USER_INPUT", None, arg=SimpleNamespace(name="x")),
              spec("USER_INPUT", None, arg=SimpleNamespace(name="k", value=5))]  # fmt: skip
    return Program(
        graph=SimpleNamespace(nodes=[x, negated, count, added, output]),
        graph_signature=SimpleNamespace(output_specs=outputs, input_specs=inputs),
        graph_module="graph module",
        constants={"weight": "constant", "table": "table"},
        state_dict={"weight": tensor([2.0]).view(TorchTensor)},
        example_inputs=None,
    )


class Interpreter:
    """Keeps the values of all nodes, which are here their names."""

    runs: list[tuple[Any, ...]] = []  # noqa: RUF012 (the fixture empties it)

    def __init__(self, module: Any, garbage_collect_values: bool = True) -> None:
        assert module == "graph module"
        assert not garbage_collect_values
        self.env = _Values()

    def run(self, *values: Any) -> None:
        self.runs.append(values)


class _Values:
    def __getitem__(self, node: Node) -> Any:
        plain = SimpleNamespace(resolve_neg=lambda: f"value of {node.name}")
        return SimpleNamespace(resolve_conj=lambda: plain)


class TorchTensor(Tensor):
    def clone(self) -> TorchTensor:
        return (self * 1).view(TorchTensor)


@pytest.fixture(name="torch")
def _torch(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Torch, as far as the importer asks for it, and the importer without a child process."""
    seeds = list[int]()
    fx = module_of("torch.fx", Node=Node, Interpreter=Interpreter)
    tree = module_of("torch.utils._pytree", tree_leaves=lambda given: [] if given is None else [*given])
    torch = module_of(
        "torch",
        fx=fx,
        Tensor=Tensor,
        seeds=seeds,
        manual_seed=seeds.append,
        no_grad=lambda: _Nothing(),
        float32=np.float32,
        int8=np.int8,
        frombuffer=lambda data, dtype: np.frombuffer(data, dtype).view(TorchTensor),
        empty=lambda count, dtype: np.empty(count, dtype).view(TorchTensor),
        export=SimpleNamespace(),
    )
    Interpreter.runs = []
    modules = {"torch": torch, "torch.fx": fx, "torch.utils": module_of("torch.utils"), "torch.utils._pytree": tree}
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(policy, "_expendable", True)
    monkeypatch.setattr(torch_export, "decompositions", dict)
    return torch


class _Nothing:
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...


@pytest.mark.parametrize(
    ("module", "name", "expected"),
    [
        ("torch.export.exported_program", "ExportedProgram", True),
        ("torch.export.exported_program", "Other", False),
        ("torch.export", "ExportedProgram", False),
        ("builtins", "str", False),
    ],
)
def test_exported_programs_are_told_by_their_class(module: str, name: str, expected: bool) -> None:
    assert torch_export.is_exported_program(type(name, (), {"__module__": module})()) is expected


def test_programs_are_saved_or_it_is_said_why_not(torch: Any) -> None:
    torch.export.save = lambda program, file: file.write(program)
    assert torch_export.saved(b"program") == b"program"
    for kind in (NotImplementedError, RuntimeError, ValueError, TypeError):
        torch.export.save = _raising(kind("no"))
        with pytest.raises(InputError, match=r"torch\.export cannot save the program, .*: no") as raised:
            torch_export.saved(None)
        assert raised.value.notes == ("a module that returns tuples, lists and dictionaries of tensors can be saved",)
    torch.export.save = _raising(KeyError("no"))
    with pytest.raises(KeyError):
        torch_export.saved(None)


def _raising(error: Exception) -> Callable[..., Any]:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    return fail


def test_nodes_are_described_with_the_last_line_of_their_code(torch: Any) -> None:
    _, negated, _, added, _ = exported().graph.nodes
    assert torch_export._described(negated) == torch_export.Node("neg (aten.neg)", "/b.py:17:1")
    assert torch_export._described(added) == torch_export.Node("add (aten.add)", "")


def test_computed_and_returned_nodes(torch: Any) -> None:
    program = exported()
    assert [node.name for node in torch_export._computed(program)] == ["neg", "add"]
    assert [node.name for node in torch_export._returned(program)] == ["add"]  # a number is no node


def test_programs_run_on_their_state_and_the_arguments(torch: Any) -> None:
    program = exported()
    nodes = torch_export._computed(program)
    argument = np.array([[1.5, 2.5]], np.float32)
    assert torch_export._run(program, nodes, [argument], 11) == ["value of neg", "value of add"]
    assert torch.seeds == [11]
    ((state, value, number),) = Interpreter.runs
    np.testing.assert_array_equal(state, [2.0])
    assert state is not program.state_dict["weight"], "the program's own state is copied"
    np.testing.assert_array_equal(value, argument)
    assert (value.dtype, value.shape, number) == (np.float32, (1, 2), 5)
    assert torch_export._tensor(np.empty((0, 3), np.int8), torch).shape == (0, 3)
    given = tensor([1.0])
    assert torch_export._tensor(given, torch) is given


Lowered = list[tuple[str, list[str]]]


@pytest.fixture(name="lowered")
def _lowered(monkeypatch: pytest.MonkeyPatch, torch: Any) -> Lowered:
    """What is lowered: the name of the function, and the nodes that it returns. `bad` in a name is refused."""
    found: Lowered = []

    def export_and_import(program: Any, func_name: str, decomposition_table: Any) -> Any:
        assert decomposition_table == {}
        found.append((func_name, [node.name for node in program.graph.nodes[-1].args[0]]))
        if any("bad" in node.name for node in program.graph.nodes):
            raise NotImplementedError("the whole")
        return func_name

    def one(node: Node) -> Any:
        if "bad" in node.name:
            raise RuntimeError("long story: cannot be expressed in StableHLO: the reason")
        return node.name

    fx = SimpleNamespace(export_and_import=export_and_import, stateless_fx_import=one)
    monkeypatch.setattr(torch_export, "torch_module", {"fx": fx}.__getitem__)
    monkeypatch.setattr(torch_export, "lower", lambda module, *pipelines: f"{module} {len(pipelines)}".encode())
    monkeypatch.setattr(torch_export, "_alone", lambda node: node)
    return found


def loads(torch: Any, program: Any) -> None:
    torch.export.load = lambda file: program


def test_a_program_is_imported_and_lost_state_is_told(torch: Any, lowered: Lowered) -> None:
    loads(torch, exported())
    imported, doubt = torch_export.torch_export_to_text(b"data")
    assert imported == b"main 2"
    assert doubt == "it returns no new values of calls, x"
    assert lowered == [("main", ["add"])]
    program = exported()
    program.graph_signature.output_specs = [spec("USER_OUTPUT", None)] * 4

    def load(_: Any) -> Program:
        warnings.warn("torch's own", stacklevel=1)
        return program

    torch.export.load = load
    warnings.simplefilter("error")  # pytest takes it back
    assert torch_export.torch_export_to_text(b"data")[1] == ""
    assert program.state_dict["table"] == "table"
    np.testing.assert_array_equal(program.state_dict["weight"], [2.0])


def test_an_import_is_checked_against_torch(torch: Any, lowered: Lowered) -> None:
    program = exported()
    program.example_inputs = (tensor([1.0]), 5)
    seen: list[Any] = []

    def check(imported: bytes, original: Any) -> str:
        seen.append((imported, original))
        return "the check's doubt"

    loads(torch, program)
    assert torch_export.torch_export_to_text(b"", check)[1] == "it returns no new values of calls, x; the check's doubt"
    ((imported, original),) = seen
    assert (imported, original.framework, len(original.examples), len(original.examples[0])) == (
        b"main 2",
        "torch",
        1,
        1,
    )
    assert original.run([np.zeros(1, np.float32)], 3) == ["value of add"]
    text, inner, nodes = original.expanded()
    assert text == b"main 2"
    assert [node.name for node in nodes] == ["neg (aten.neg)", "add (aten.add)"]
    assert inner.run([np.zeros(1, np.float32)], 4) == ["value of neg", "value of add"]
    assert torch.seeds == [3, 4]
    assert lowered[-1] == ("main", ["neg", "add"])
    program.example_inputs = None
    torch_export.torch_export_to_text(b"", check)
    assert seen[1][1].examples == []


def test_the_first_node_that_is_refused_alone_is_named(torch: Any, lowered: Lowered) -> None:
    program = exported()
    x = program.graph.nodes[0]
    program.graph.nodes[1:1] = [
        Node(name="bad item", op="call_function", target=torch_export.operator.getitem, all_input_nodes=[x], meta={}),
        Node(name="bad input", op="placeholder", target="y", all_input_nodes=[], meta={}),
        call("bad first", x, target="aten.bad", trace='File "/c.py", line 9, in h'),
        call("bad second", x, target="aten.worse"),
    ]
    loads(torch, program)
    with pytest.raises(InputError) as raised:
        torch_export.torch_export_to_text(b"")
    assert raised.value.message == "node 'bad first (aten.bad)' cannot be expressed in StableHLO"
    assert (raised.value.location, raised.value.notes) == ("/c.py:9:1", ("the reason",))


def test_ops_that_are_alike_are_tried_once(torch: Any, lowered: Lowered, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    monkeypatch.setattr(torch_export, "_alone", lambda node: tried.append(node.name) or node)
    asked = list[tuple[Any, ...]]()
    monkeypatch.setattr(torch_export, "lower", lambda *given: asked.append(given))
    program = exported()
    x = program.graph.nodes[0]
    y = call("y", x, val=tensor([1.0, 2.0]))
    program.graph.nodes[1:1] = [call("a", x), call("b", x), call("c", x, target="aten.mul"), call("d", y), call("e", y)]
    assert torch_export._first_refused(program) is None
    assert tried == ["a", "c", "d", "neg", "size", "add"][: len(tried)]
    assert "b" not in tried
    assert "e" not in tried
    assert len(asked) == len(tried)
    assert {given[1:] for given in asked} == {(torch_export._CONTRACT, torch_export.BACKEND)}


def test_a_program_that_is_refused_as_a_whole_says_so(torch: Any, lowered: Lowered) -> None:
    program = exported()
    program.graph.nodes.insert(0, Node(name="bad", op="placeholder", target="y", all_input_nodes=[], meta={}))
    loads(torch, program)
    with pytest.raises(InputError, match=r"^error: cannot be imported from torch\.export: the whole$"):
        torch_export.torch_export_to_text(b"")


def test_files_and_programs_that_torch_refuses(torch: Any, lowered: Lowered, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = (RuntimeError, ValueError, KeyError, OSError, AssertionError, zipfile.BadZipFile)
    for kind in kinds:
        torch.export.load = _raising(kind("no"))
        with pytest.raises(InputError, match=r"cannot be read as a program of torch\.export: '?no"):
            torch_export.torch_export_to_text(b"")
    loads(torch, exported())
    monkeypatch.setattr(torch_export, "decompositions", lambda: RuntimeError("no table"))
    with pytest.raises(InputError, match=r"cannot be decomposed by torch\.export: no table"):
        torch_export.torch_export_to_text(b"")


@pytest.mark.parametrize(
    ("location", "message", "said", "place"),
    [
        ('loc("m.py":3:4)', "no\n  luck", "cannot be expressed in StableHLO: no luck", "m.py:3:4"),
        ('loc("node"("m.py":3:4))', "no", "node 'node' cannot be expressed in StableHLO: no", "m.py:3:4"),
        ('loc("node")', "no", "node 'node' cannot be expressed in StableHLO: no", ""),
        ("loc(unknown)", "x" * 301, f"cannot be expressed in StableHLO: {'x' * 300}", ""),
        ("loc(unknown)", "x " * 150, f"cannot be expressed in StableHLO: {('x ' * 150).strip()}", ""),
    ],
)
def test_the_first_error_of_a_lowering_is_told_with_its_node(location, message, said, place):
    later = SimpleNamespace(location="loc(unknown)", message="later")
    found = lowering_error([SimpleNamespace(location=location, message=message), later])
    assert (found.message, found.location) == (said, place)
    silent = lowering_error([])
    assert silent.message == "cannot be expressed in StableHLO: torch-mlir gives no reason"
    assert silent.location == ""
