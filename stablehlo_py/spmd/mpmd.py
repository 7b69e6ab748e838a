"""Programs of several meshes, in Shardy's dialect MPMD: their global program, and a run of each fragment on its mesh.

In the global program a fragment is a function and a transfer a barrier, whose attributes say what is where. So it runs
in any engine; `simulate_meshes` follows its calls, and runs each fragment on all devices of its mesh.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from ..bindings import ir
from ..bindings.attributes import callee_of, string_of, symbol_of
from ..bindings.build import create, create_value, refresh_type
from ..bindings.bytecode import copy_of
from ..bindings.diagnostics import file_location
from ..bindings.elements import from_numpy, to_numpy
from ..bindings.handover import verify
from ..bindings.meshes import read_mesh
from ..bindings.shardings import sdy_shardings
from ..bindings.walk import functions
from ..errors import InputError, counted
from ..interpreter.reading import Reading
from ..interpreter.settings import Settings
from ..passes.inlining import name_main
from ..syntax.tables import short
from .partition import Partition, is_mpmd, partition
from .simulation import simulate

_TYPE = re.compile(
    r'!mpmd\.mesh_tensor<"(?P<mesh>[^"]*)", (?P<type>tensor<(?:[^<>]|<[^<>]*>)*>)'
    r'(?:, sharding=<@"?[\w.$-]+"?, (?P<sharding>\[.*?\])(?P<rest>(?:, \w+=\{[^}]*\})*)>)?(?:, memory_kind="[^"]*")?>'
)
_SHARDING = re.compile(r'<@"?[\w.$-]+"?, (\[.*?\])(?:, \w+=\{[^}]*\})*>')
_MESH = re.compile(r'<"(?P<name>[^"]*)" : <(?P<axes>\[[^\]]*\](?:, device_ids=\[[^\]]*\])?)>>')
_IDENTITIES = frozenset({"mpmd.assign", "mpmd.broadcast", "mpmd.named_tensor", "mpmd.unassign"})
_BODIES = {"mpmd.fragment": "fragment", "mpmd.named_computation": "computation", "mpmd.for": "loop"}
_TOPOLOGY = "topology"
# The attribute of fragments and transfers in the global program: JSON.
_PLACE = "mpmd_place"


class MeshPlace(NamedTuple):
    """Where a value is: the name of a mesh and the mesh as Shardy writes it, and how that holds the value."""

    name: str = ""
    mesh: str = ""
    sharding: str = ""

    def parts(self) -> int:
        """Return the number of parts that the value is cut into."""
        mesh = read_mesh(self.mesh)
        return math.prod(sdy_shardings(f"<@mesh, {self.sharding}>", lambda _: mesh)[0].counts)


@dataclass(frozen=True)
class Fragment:
    """A run of a fragment: its name, its mesh and the size of that, and what its devices sent each other."""

    name: str
    mesh: str
    devices: int
    collectives: int
    bytes_sent: int


@dataclass(frozen=True)
class Transfer:
    """A value that went from a mesh to a mesh, and how many bytes each device of that got."""

    source: str
    target: str
    type: str
    bytes_received: int
    location: str


@dataclass
class MeshesRun:
    """The outcome of `simulate_meshes`: the global results, and what happened on the way, in order."""

    results: tuple[np.ndarray, ...] = ()
    fragments: list[Fragment] = field(default_factory=list[Fragment])
    transfers: list[Transfer] = field(default_factory=list[Transfer])

    @property
    def devices(self) -> int:
        """The number of devices of all meshes that run something."""
        return sum({one.mesh: one.devices for one in self.fragments}.values())

    def steps(self) -> dict[str, Any]:
        """Return fragments and transfers as JSON holds them."""
        return {name: [vars(one) for one in getattr(self, name)] for name in ("fragments", "transfers")}

    def __str__(self) -> str:
        lines = [f"{one.name} on {one.mesh}: {counted(one.devices, 'device')}, "
                 f"{counted(one.collectives, 'collective')}, {short(one.bytes_sent, 'B')} sent by each"
                 for one in self.fragments]  # fmt: skip
        lines += [f"{one.source} -> {one.target}: {one.type}, {short(one.bytes_received, 'B')} to each device"
                  for one in self.transfers]  # fmt: skip
        return "\n".join(lines)


def has_fragments(module: ir.Module) -> bool:
    """Whether a module is the global program of one with several meshes."""
    return any(_PLACE in op.attributes for op in functions(module.operation).values())


def global_program(module: ir.Module) -> ir.Module:
    """Return the program that a program of several meshes computes, and other programs as they are.

    Raises:
        InputError: An op is one that only other steps of Shardy's partitioner make or take.
    """
    if not is_mpmd(module):
        return module
    copy = copy_of(module)
    lowering = _Lowering(copy)
    for function in functions(copy.operation).values():
        lowering.lower(function)
    verify(copy)
    return copy


class _Lowering:
    """Takes the dialect out of a module."""

    def __init__(self, module: ir.Module) -> None:
        self.module, self.numbers = module, count()
        defined = functions(module.operation).values()
        text = "".join([str(op.attributes[_TOPOLOGY]) for op in defined if _TOPOLOGY in op.attributes])
        self.meshes = {found["name"]: f"#sdy.mesh<{found['axes']}>" for found in _MESH.finditer(text)}

    def place(self, type_: ir.Type) -> tuple[MeshPlace, ir.Type]:
        """Return where a type says that values are, and the type of the whole."""
        text = str(type_)
        if not text.startswith("!mpmd."):
            return MeshPlace(), type_
        found = _TYPE.fullmatch(text)
        if found is None or found["mesh"] not in self.meshes or "unreduced" in (found["rest"] or ""):
            raise InputError(f"values of type {text} cannot be simulated")
        whole = ir.RankedTensorType(ir.Type.parse(found["type"], self.module.context))
        sharding = found["sharding"] or f"[{', '.join(['{}'] * whole.rank)}]"
        return MeshPlace(found["mesh"], self.meshes[found["mesh"]], sharding), whole

    def lower(self, function: ir.Operation) -> None:
        """Put ops of other dialects in the place of those of a function."""
        block = function.regions[0].blocks[0]
        ops = [op.operation for op in block.operations]
        places = [[self.place(value.type)[0] for value in op.operands] for op in ops]
        for argument in block.arguments:
            argument.set_type(self.place(argument.type)[1])
        for op, held in zip(ops, places, strict=True):
            with op.context, op.location, ir.InsertionPoint(op):
                if op.name.startswith("mpmd."):
                    for result, value in zip(op.results, self.replaced(op, held), strict=True):
                        result.replace_all_uses_with(value)
                    op.erase()
        refresh_type(function)
        if _TOPOLOGY in function.attributes:
            del function.attributes[_TOPOLOGY]

    def replaced(self, op: ir.Operation, places: Sequence[MeshPlace]) -> list[ir.Value]:
        """Return the values that take the place of an op's results; its operands are in `places`."""
        operands, name = list(op.operands), op.name
        held = [self.place(result.type) for result in op.results]
        types = [type_ for _, type_ in held]
        if name in _IDENTITIES:
            return operands
        if name == "mpmd.return":
            create("func.return", operands, [])
            return []
        if name == "mpmd.transfer":
            written = ir.StringAttr.get(json.dumps([*places, held[0][0]]))
            return list(create("stablehlo.optimization_barrier", operands, types, {_PLACE: written}).results)
        if name == "mpmd.call":
            return _call(symbol_of(op.attributes["callee"]), operands, types)
        if name not in _BODIES:
            where = file_location(op.location)
            notes = ["fragments, transfers, calls and loops are simulated; Shardy's other passes make or take the rest"]
            raise InputError(f"'{name}' op cannot be simulated", location=where, notes=notes)
        body = self.outlined(op, places, [place for place, _ in held])
        if name != "mpmd.for":
            return _call(body, operands, types)
        for number in range(ir.IntegerAttr(op.attributes["iterations"]).value):
            index = from_numpy(np.array(number, np.uint32))
            operands = _call(body, [*operands, create_value("stablehlo.constant", (), None, {"value": index})], types)
        return operands

    def outlined(self, op: ir.Operation, inputs: Sequence[MeshPlace], outputs: Sequence[MeshPlace]) -> str:
        """Make the body of an op a function, and return its name."""
        name = f"mpmd_{_BODIES[op.name]}_{next(self.numbers)}"
        attributes: dict[str, ir.Attribute] = {
            "sym_name": ir.StringAttr.get(name),
            "sym_visibility": ir.StringAttr.get("private"),
            "function_type": ir.TypeAttr.get(ir.FunctionType.get([], [])),
        }
        function = create("func.func", (), [], attributes, regions=1, at=ir.InsertionPoint(self.module.body))
        op.regions[0].blocks[0].append_to(function.regions[0])
        self.lower(function)
        if op.name == "mpmd.fragment":
            mesh, label = string_of(op.attributes["mesh_name"]), re.findall(r'"([^"]*)"', str(op.attributes["origin"]))
            told: dict[str, Any] = {"mesh": mesh, "devices": self.meshes[mesh], "name": "/".join(label) or name}
            for kind, places in (("in_shardings", inputs), ("out_shardings", outputs)):
                text = str(op.attributes[kind]) if kind in op.attributes else ""
                if "unreduced=" in text:
                    raise InputError(f"a fragment with unreduced {kind} cannot be simulated")
                told[kind] = _SHARDING.findall(text) or [place.sharding for place in places]
            function.attributes[_PLACE] = ir.StringAttr.get(json.dumps(told))
        return name


def _call(callee: str, operands: Sequence[ir.Value], types: Sequence[ir.Type]) -> list[ir.Value]:
    return list(create("func.call", operands, types, {"callee": ir.FlatSymbolRefAttr.get(callee)}).results)


def simulate_meshes(
    module: ir.Module,
    arguments: Sequence[np.ndarray],
    settings: Settings | None = None,
    reading: Reading | None = None,
) -> MeshesRun:
    """Run each fragment on the devices of its mesh, and move what transfers say.

    Args:
        module: What `global_program` returned.
        arguments: The arguments of the global program.
        settings: Limits of the run of each fragment.
        reading: What elements are; numbers by default.

    Raises:
        InputError: The program computes something outside of fragments, on no mesh.
        StablehloError: A fragment cannot be partitioned, or something goes wrong while it runs.
    """
    run = _Meshes(module, settings, reading)
    run.told.results = tuple([np.asarray(value) for value in run.function("main", list(arguments))])
    return run.told


class _Meshes:
    """One run, with the partition of each fragment."""

    def __init__(self, module: ir.Module, settings: Settings | None, reading: Reading | None) -> None:
        self.module, self.settings, self.reading = module, settings, reading
        self.functions = functions(module.operation)
        self.partitions: dict[str, Partition] = {}
        self.told = MeshesRun()

    def function(self, name: str, arguments: Sequence[Any]) -> list[Any]:
        """Return the results of a function: each op in order, wherever it runs."""
        block = self.functions[name].regions[0].blocks[0]
        values = dict[ir.Value, Any](zip(block.arguments, arguments, strict=True))
        for op in [inner.operation for inner in block.operations]:
            given = [values[operand] for operand in op.operands]
            if op.name == "func.return":
                return given
            if op.name == "stablehlo.constant":
                given = [to_numpy(op.attributes["value"])]
            elif op.name == "func.call":
                callee = callee_of(op)
                is_fragment = _PLACE in self.functions[callee].attributes
                given = list((self.fragment if is_fragment else self.function)(callee, given))
            elif _PLACE in op.attributes:
                source, target = [MeshPlace(*place) for place in json.loads(string_of(op.attributes[_PLACE]))]
                size, where = np.asarray(given[0]).nbytes // target.parts(), file_location(op.location)
                self.told.transfers.append(Transfer(source.name, target.name, str(op.results[0].type), size, where))
            else:
                where = file_location(op.location)
                raise InputError(f"'{op.name}' op is in no fragment, so on no mesh", location=where)
            values.update(zip(op.results, given, strict=True))
        return []

    def fragment(self, name: str, arguments: Sequence[Any]) -> tuple[Any, ...]:
        told = json.loads(string_of(self.functions[name].attributes[_PLACE]))
        if name not in self.partitions:
            copy = copy_of(self.module)
            name_main(copy, name)
            ins, outs = [{number: text for number, text in enumerate(told[kind]) if text}
                         for kind in ("in_shardings", "out_shardings")]  # fmt: skip
            axes = read_mesh(told["devices"]).axes
            self.partitions[name] = partition(copy, mesh=axes, in_shardings=ins, out_shardings=outs)
        found = self.partitions[name]
        ran = simulate(found, arguments, self.settings, self.reading)
        sent = len(found.collectives), found.bytes_sent
        self.told.fragments.append(Fragment(told["name"], told["mesh"], ran.devices, *sent))
        return ran.results
