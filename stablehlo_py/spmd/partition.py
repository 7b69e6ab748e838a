"""From a global program and its shardings to the program of one device: Shardy propagates, rules of our own cut."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..bindings import ir
from ..bindings.bytecode import copy_of
from ..bindings.capabilities import require
from ..bindings.diagnostics import file_location
from ..bindings.handover import verify
from ..bindings.meshes import Mesh, symbol_mesh
from ..bindings.shardings import Sharding, sdy_shardings, sharding_texts
from ..bindings.walk import any_operation, functions, operations, symbols
from ..dialect.facts import facts
from ..errors import Diagnostic, InputError, PassError, VerificationError, counted
from ..passes.guarded_pipeline import run_guarded_pipeline
from ..passes.inlining import too_many_inlined
from ..syntax.tables import short, table
from .attributes import SHARDING, add_mesh, set_shardings, signature
from .collectives import Collective, collectives
from .gspmd import import_gspmd, import_round_trip
from .localize import localize
from .manual import enclose_manual
from .uneven import KeptWhole, Padding, keep_uneven_whole, pad_signature

_INLINE = "inline,symbol-dce"
_LOWER = "func.func(chlo-legalize-to-stablehlo)"
_PROPAGATE = "sdy-propagation-pipeline"
_ON_ELEMENTS = frozenset({"comparison", "element", "reduction"})


@dataclass(frozen=True)
class Placed:
    """A value of the global program, and how it is spread over the devices.

    Attributes:
        name: What it is, such as `argument 0` or `stablehlo.dot_general`.
        type: Its global type.
        sharding: Shardy's text for its sharding; empty where every device holds all of it.
        given: Whether the program said so, or it was propagated.
        location: The source line.
    """

    name: str
    type: str
    sharding: str
    given: bool
    location: str = ""

    @property
    def axes(self) -> list[str]:
        """The axes that cut it."""
        return re.findall(r'"([^"]+)"', self.sharding.partition("[")[2].rpartition("]")[0])


@dataclass(frozen=True)
class Partition:
    """The outcome of `partition`.

    Attributes:
        module: The program of one device.
        mesh: The devices.
        inputs: The sharding of each argument; None where every device holds all of it.
        outputs: The sharding of each result.
        values: All arguments, results and values, with their shardings.
        collectives: How the devices talk to each other.
        padding: The dimensions of arguments and results that are padded so that they can be cut.
        kept_whole: The dimensions of values that every device holds whole, since their sizes cannot be cut.
        steps: The passes and the steps of this package that made the program, in order.
    """

    module: ir.Module
    mesh: Mesh
    inputs: tuple[Sharding | None, ...]
    outputs: tuple[Sharding | None, ...]
    values: tuple[Placed, ...]
    collectives: tuple[Collective, ...]
    padding: tuple[Padding, ...] = ()
    kept_whole: tuple[KeptWhole, ...] = ()
    steps: tuple[str, ...] = ()

    @property
    def bytes_sent(self) -> int:
        """The bytes that each device sends in a run of the program; loops of unknown length count once."""
        return sum(one.runs * one.bytes_sent for one in self.collectives)

    @property
    def cut(self) -> dict[str, Any]:
        """How many arguments, results and other values are cut, and the axes that cut them."""
        found = [one for one in self.values if one.axes]
        kinds = [one.name.partition(" ")[0] for one in found]
        counts = {f"{kind}s": kinds.count(kind) for kind in ("argument", "result")}
        axes = [axis for axis in self.mesh.axes if any(axis in one.axes for one in found)]
        return {**counts, "values": len(found) - sum(counts.values()), "axes": axes}

    def __repr__(self) -> str:
        axes = ", ".join(f"{name}={size}" for name, size in self.mesh.axes.items())
        moved = f"{counted(len(self.collectives), 'collective')}, {short(self.bytes_sent, 'B')} a device"
        return f"<Partition over {axes}: {moved}>"

    def _repr_html_(self) -> str:
        rows = [(one.name, one.type, one.sharding, "given" if one.given else "", one.location) for one in self.values]
        rows += [
            (one.op, f"{short(one.bytes_sent, 'B')} sent", counted(len(one.groups), "group"), "", one.location)
            for one in self.collectives
        ]
        return table(repr(self)[1:-1], ("value or collective", "type", "sharding", "", "location"), rows)

    def as_dict(self) -> dict[str, Any]:
        """Return the partition as JSON holds it, without the program."""
        return {
            "mesh": {"axes": self.mesh.axes, "devices": len(self.mesh.device_ids)},
            "values": [vars(value) for value in self.values],
            "collectives": [one.as_dict() for one in self.collectives],
            "padding": [vars(one) for one in self.padding],
            "kept_whole": [vars(one) for one in self.kept_whole],
            "steps": list(self.steps),
            "bytes_sent": self.bytes_sent,
        }


def partition(
    module: ir.Module,
    *,
    mesh: Mapping[str, int] | None = None,
    in_shardings: Mapping[int, str] | None = None,
    out_shardings: Mapping[int, str] | None = None,
    after_step: Callable[[str, ir.Module], None] | None = None,
) -> Partition:
    """Partition a global program.

    Args:
        module: A program whose `main` has shardings, or gets them here; it stays as it is.
        mesh: Sizes by name of the axes, in place of the program's mesh.
        in_shardings: Shardings by number of the argument, in Shardy's form without the mesh: `[{"x"}, {}]`.
        out_shardings: The same of the results.
        after_step: Called after each step with its name and the program as it is then.

    Returns:
        The program of one device, with a report.

    Raises:
        InputError: The program has no mesh and none is given, or several; a sharding is not one; inlined calls are too
            many ops.
        VerificationError: A sharding does not fit its value.
        PassError: Shardy cannot partition the program; the message says where it stopped.
        ProviderError: The installed bindings cannot partition programs.
    """
    require("partition")
    refuse_mpmd(module)
    local = copy_of(module)
    _prepare(local, mesh, in_shardings or {}, out_shardings or {})
    known = symbols(local.operation)
    mesh_called, function = partial(symbol_mesh, symbol=known.get), known["main"]
    found = mesh_called(next(name for name, op in known.items() if op.name == "sdy.mesh"))
    given = {(one.kind, one.number) for one in signature(function) if one.sharding}
    padding = tuple(pad_signature(function, mesh_called))
    steps = _Steps(local, after_step)
    steps.done("pad-arguments-and-results", changes=bool(padding))
    steps.propagate()
    whole = tuple(keep_uneven_whole(function, mesh_called))
    steps.done("keep-uneven-dimensions-whole", changes=bool(whole))
    values = tuple(_placed(function, given))
    demands = localize(function, found, mesh_called)
    _check(local)
    steps.done("localize")
    known = symbols(local.operation)
    inputs, outputs = [_shardings(known["main"], known, kind) for kind in ("argument", "result")]
    moved, names = tuple(collectives(local, demands)), tuple(steps.names)
    return Partition(local, found, inputs, outputs, values, moved, padding, whole, names)


def is_mpmd(module: ir.Module) -> bool:
    """Whether a module has ops of the dialect MPMD, for programs of several meshes."""
    return any_operation(module.operation, lambda op: op.name.startswith("mpmd."))


def refuse_mpmd(module: ir.Module) -> None:
    """Raise InputError for a program of several meshes."""
    if is_mpmd(module):
        first = next(iter(functions(module.operation).values()))
        notes = ["partition the body of each fragment on its own, or run all of them with `stablehlo simulate`"]
        message = "found an MPMD program of several meshes, expected a program of one mesh"
        raise InputError(message, location=file_location(first.location), notes=notes)


@dataclass
class _Steps:
    """The steps that have made a program so far."""

    module: ir.Module
    after_step: Callable[[str, ir.Module], None] | None
    names: list[str] = field(default_factory=list[str])

    def done(self, name: str, *, changes: bool = True) -> None:
        """Note a step that changes the program, and let the caller see it."""
        self.names += [name] if changes else []
        if changes and self.after_step is not None:
            self.after_step(name, self.module)

    def propagate(self) -> None:
        """Give every value a sharding, in one function of StableHLO."""
        has_chlo = any_operation(self.module.operation, lambda op: op.name.startswith("chlo."))
        for pipeline in [_INLINE, *[_LOWER] * has_chlo, _PROPAGATE]:
            run_guarded_pipeline(self.module, pipeline)
            if pipeline == _INLINE:
                enclose_manual(functions(self.module.operation)["main"])
                verify(self.module)
            self.done(pipeline)


def _check(local: ir.Module) -> None:
    """Never give a program that is not valid."""
    try:
        verify(local)
    except VerificationError as error:
        raise PassError(
            [Diagnostic("error", "", "the program of one device is not valid"), *error.diagnostics]
        ) from error


def _prepare(
    module: ir.Module, mesh: Mapping[str, int] | None, inputs: Mapping[int, str], outputs: Mapping[int, str]
) -> None:
    """Put what the caller says into the program, whose shardings become Shardy's."""
    function = functions(module.operation).get("main")
    if function is None:
        raise InputError("the program has no function @main to partition")
    import_round_trip(module)
    for op in [op for op in symbols(module.operation).values() if op.name == "sdy.mesh" and mesh is not None]:
        sizes = ", ".join(f'"{name}"={size}' for name, size in (mesh or {}).items())
        op.attributes["mesh"] = _parsed(f"#sdy.mesh<[{sizes}]>", module.context)
    import_gspmd(module, mesh)
    names = [name for name, op in symbols(module.operation).items() if op.name == "sdy.mesh"]
    if not names and mesh is None:
        raise InputError("the program has no mesh", notes=["give one with --mesh=x=2,y=4 (mesh in the API)"])
    names = names or [add_mesh(module, mesh or {})]
    for kind, shardings in (("argument", inputs), ("result", outputs)):
        if shardings:
            _set_shardings(function, kind, shardings, names[0])
    size = too_many_inlined(module.operation, "main")
    if size:
        message = f"the program has {size} ops with its calls inlined, too many to partition"
        notes = ["Shardy's passes take one function: calls in calls multiply"]
        raise InputError(message, location=file_location(function.location), notes=notes)
    verify(module)


def _parsed(text: str, context: ir.Context) -> ir.Attribute:
    try:
        return ir.Attribute.parse(text, context)
    except ir.MLIRError:
        raise InputError(f"not an attribute of Shardy's: {text}") from None


def _set_shardings(function: ir.Operation, kind: str, shardings: Mapping[int, str], mesh: str) -> None:
    count = sum(one.kind == kind for one in signature(function))
    parsed: dict[int, ir.Attribute] = {}
    for number, text in shardings.items():
        if not 0 <= number < count:
            raise InputError(f"there is no value number {number} to shard; there are {count}")
        parsed[number] = _parsed(f"#sdy.sharding<@{mesh}, {text}>", function.context)
    set_shardings(function, kind, count, parsed)


def _placed(function: ir.Operation, given: set[tuple[str, int]]) -> list[Placed]:
    found = [
        Placed(f"{kind} {number}", str(value.type), text, (kind, number) in given)
        for kind, number, value, text in signature(function)
    ]
    for op in operations(function)[1:]:
        around = facts(op.parent.name if op.parent is not None else "")
        if not _ON_ELEMENTS.isdisjoint(around.regions):
            continue
        explicit = op.name in ("sdy.sharding_constraint", "sdy.reshard")
        name = "sharding" if explicit else "out_shardings" if op.name == "sdy.manual_computation" else SHARDING
        text = str(op.attributes[name]) if name in op.attributes else ""
        for result, one in zip(op.results, sharding_texts(text) or [""] * len(op.results), strict=True):
            found.append(Placed(op.name, str(result.type), one, explicit, file_location(op.location)))
    return found


def _shardings(function: ir.Operation, known: Mapping[str, ir.Operation], kind: str) -> tuple[Sharding | None, ...]:
    """Return the shardings of the arguments or of the results of the program of one device."""
    texts = [one.sharding for one in signature(function) if one.kind == kind]
    return tuple(
        [sdy_shardings(text, lambda name: symbol_mesh(name, known.get))[0] if text else None for text in texts]
    )
