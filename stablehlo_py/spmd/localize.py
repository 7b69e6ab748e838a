"""The program of one device, op by op.

Each op gets its operands cut as its rule says. The same op on the parts then gives the parts of its results. Shardings
choose between right programs: they decide about communication, never about results.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple, NoReturn

import numpy as np

from ..bindings import ir
from ..bindings.attributes import ints_of
from ..bindings.build import add_block, attributes_of, create, refresh_type, tensor_type
from ..bindings.diagnostics import file_location
from ..bindings.elements import to_numpy
from ..bindings.meshes import AxisRef, Mesh
from ..bindings.shardings import Sharding, manual_axes, sdy_shardings
from ..bindings.walk import body_of, captured_values, operations, replace_operands
from ..dialect.facts import facts
from ..errors import Diagnostic, PassError
from .attributes import SHARDING, SHARDING_RULE, signature
from .choices import Exchange, LayoutChoice, choose
from .demands import LayoutDemand
from .halos import HaloRange, local_window
from .layouts import Devices, Layout, whole
from .manual import names_devices, target_of
from .reshard import LocalEmitter, identity
from .rules import Rule, is_static, rule_of, shape_of

_LISTS = (SHARDING, "sharding", "out_sharding", "in_shardings", "out_shardings")
_CONSTANTS = frozenset({"stablehlo.constant", "sdy.constant"})
_SAME = frozenset({"sdy.data_flow_edge", "sdy.func_data_flow_edge", "sdy.propagation_barrier"})
_SIZES = {
    "stablehlo.dynamic_slice": "slice_sizes",
    "stablehlo.gather": "slice_sizes",
}
"""Attributes with the size of each dimension that the op takes whole."""

Work = Generator["Work", None, None]


class _Held(NamedTuple):
    """A value of the global program in the local one: the local value, or the element of a splat constant."""

    value: ir.Value | None
    layout: Layout
    splat: np.ndarray | None = None


class _Frame(NamedTuple):
    """A block in progress, and the values that it has resharded."""

    emitter: LocalEmitter
    known: dict[tuple[ir.Value, Layout], ir.Value]


def localize(
    function: ir.Operation, mesh: Mesh, mesh_called: Callable[[str], Mesh]
) -> dict[ir.Operation, LayoutDemand]:
    """Replace a function by the one that each device runs.

    Args:
        function: A function without calls, after propagation.
        mesh: The mesh of the devices.
        mesh_called: Finds the mesh of a name.

    Returns:
        What each inserted collective is for.

    Raises:
        PassError: An op, or a sharding, has no meaning for single devices; the message names its location.
    """
    with function.context, function.location:
        localizer = _Localizer(function, mesh, mesh_called)
        localizer.run()
        function.erase()
    return localizer.demands


class _Localizer:
    def __init__(self, function: ir.Operation, mesh: Mesh, mesh_called: Callable[[str], Mesh]) -> None:
        self._function = function
        self._mesh_called = mesh_called
        self._read: dict[str, list[Sharding]] = {}
        texts = [one.sharding for one in signature(function)]
        texts += [
            str(op.attributes[name]) for op in operations(function)[1:] for name in _LISTS if name in op.attributes
        ]
        found = [sharding for text in dict.fromkeys(texts) for sharding in self._shardings(text)]
        self._devices = Devices(mesh, found)
        self._channels: list[int] = []
        self._consumer = ("", "")
        self.demands: dict[ir.Operation, LayoutDemand] = {}
        self._values: dict[ir.Value, _Held] = {}
        self._manual: frozenset[str] = frozenset()
        self._frame: _Frame

    def run(self) -> None:
        """Write the local function in front of the global one."""
        layouts = {"argument": list[Layout](), "result": list[Layout]()}
        for one in signature(self._function):
            what = f"{one.kind} {one.number}"
            layouts[one.kind].append(self._given(self._function, one.sharding, one.value.type, what))
        before = ir.InsertionPoint(self._function)
        function = create("func.func", [], [], attributes_of(self._function), regions=1, at=before)
        body = body_of(self._function)
        work: list[Work] = [self._block(body, function.regions[0], layouts["argument"], layouts["result"])]
        while work:
            more = next(work[-1], None)
            if more is None:
                work.pop()
            else:
                work.append(more)
        self._values.clear()
        refresh_type(function)

    # Shardings as layouts.

    def _shardings(self, text: str) -> list[Sharding]:
        if text not in self._read:
            self._read[text] = sdy_shardings(text, self._mesh_called) if text else []
        return self._read[text]

    def _given(self, op: ir.Operation, text: str, type_: ir.Type, what: str) -> Layout:
        """Return the layout of an argument or result of the function."""
        rank = _rank(type_)
        if not text:
            return whole(rank)
        (sharding,) = self._shardings(text)
        layout = self._devices.layout(sharding)
        if layout is None or sharding.has_unreduced:
            has = "unreduced axes" if sharding.has_unreduced else "another mesh than the program"
            _refuse(op, f"the sharding of {what} has {has}")
        if len(layout) != rank:
            _refuse(op, f"the sharding of {what} puts it on a single device")
        fitted = self._fitted(layout, type_)
        sizes = ir.ShapedType(type_).shape if is_static(type_) else [1] * rank
        if any(had != has and size for had, has, size in zip(layout, fitted, sizes, strict=True)):
            _refuse(op, f"the sharding of {what} does not cut {type_} into equal parts")
        return fitted

    def _fitted(self, layout: Layout | None, type_: ir.Type) -> Layout:
        """Return a layout without the atoms that do not cut values of a type evenly."""
        rank = _rank(type_)
        if layout is None or len(layout) != rank or not is_static(type_):
            return whole(rank)
        sizes = ir.ShapedType(type_).shape
        return tuple([self._devices.fitted(atoms, size) for atoms, size in zip(layout, sizes, strict=True)])

    def _wanted(self, op: ir.Operation, name: str = SHARDING) -> list[Layout]:
        """Return the layouts that propagation found for the results of an op."""
        found = self._shardings(str(op.attributes[name])) if name in op.attributes else []
        layouts = [self._devices.layout(sharding) for sharding in found]
        if len(layouts) != len(op.results):
            layouts = [None] * len(op.results)
        return [self._fitted(layout, result.type) for layout, result in zip(layouts, op.results, strict=True)]

    # Values.

    def _type(self, type_: ir.Type, layout: Layout) -> ir.Type:
        if not any(layout):
            return type_
        shaped = ir.ShapedType(type_)
        return tensor_type(self._devices.local_shape(shaped.shape, layout), shaped.element_type)

    def _local(self, value: ir.Value, layout: Layout) -> ir.Value:
        """Return the value in a layout. A block reshards it once."""
        held = self._values[value]
        if held.value is not None and held.layout == layout:
            return held.value
        found = self._frame.known.get((value, layout))
        if found is None:
            emitter = self._frame.emitter
            if held.splat is not None:
                type_ = self._type(value.type, layout)
                found = emitter.constant(np.broadcast_to(held.splat, tuple(ir.ShapedType(type_).shape)), type_)
            else:
                assert held.value is not None
                emitter.demand = self._devices.demand(value, held.layout, self._consumer, layout)
                found = emitter.reshard(held.value, held.layout, layout)
            self._frame.known[value, layout] = found
        return found

    def _whole(self, value: ir.Value) -> ir.Value:
        return self._local(value, whole(_rank(value.type)))

    def _hold(self, values: Sequence[ir.Value], locals_: Sequence[ir.Value], layouts: Sequence[Layout]) -> None:
        for value, local, layout in zip(values, locals_, layouts, strict=True):
            self._values[value] = _Held(local, layout)

    # Blocks.

    def _block(self, source: ir.Block, region: ir.Region, given: Sequence[Layout], ends: Sequence[Layout]) -> Work:
        """Write the block of a region. Its arguments have layouts `given`, the terminator's operands get `ends`."""
        types = [self._type(argument.type, layout) for argument, layout in zip(source.arguments, given, strict=True)]
        block = add_block(region, types)
        outer = getattr(self, "_frame", None)
        self._frame = _Frame(LocalEmitter(self._devices, ir.InsertionPoint(block), self._channels, self.demands), {})
        self._hold(list(source.arguments), list(block.arguments), given)
        yield self._ops(source)
        last = source.operations[len(source.operations) - 1].operation
        with last.location:
            taken = list[ir.Value]()
            for number, (value, layout) in enumerate(zip(last.operands, ends, strict=True)):
                is_result = last.name == "func.return"
                self._consumer = (f"result {number}", "") if is_result else (last.name, file_location(last.location))
                taken.append(self._local(value, layout))
            create(last.name, taken, [], attributes_of(last), at=self._frame.emitter.at)
        if outer is not None:
            self._frame = outer

    def _ops(self, source: ir.Block) -> Work:
        for op in [inner.operation for inner in source.operations][:-1]:
            with op.location:
                work = self._visit(op)
            if work is not None:
                yield work

    def _visit(self, op: ir.Operation) -> Work | None:
        name = op.name
        self._consumer = op.name, file_location(op.location)
        if name in _CONSTANTS:
            self._constant(op)
        elif name in _SAME:
            self._values[op.results[0]] = self._values[op.operands[0]]
        elif name.startswith("sdy.") and facts(name).shape == "like operand 0":
            # It changes the layout, never the value. A value with unreduced axes is summed where it is made.
            attribute = "sharding" if "sharding" in op.attributes else "out_sharding"
            layouts = self._wanted(op, attribute)
            self._hold(op.results, [self._local(op.operands[0], layouts[0])], layouts)
        elif name in ("sdy.manual_computation", "sdy.named_computation"):
            return self._inlined(op)
        elif name in ("stablehlo.while", "stablehlo.if", "stablehlo.case"):
            return self._control(op)
        elif name != "sdy.sharding_group":
            self._check(op)
            self._compute(op)
        return None

    def _check(self, op: ir.Operation) -> None:
        """Refuse ops of single devices outside of manual computations, and unknown ops of Shardy's."""
        if not self._manual and names_devices(op.name):
            _refuse(op, f"'{op.name}' op talks to, or asks for, single devices in a program for all of them")
        if op.name.startswith("sdy.") or target_of(op) in ("SPMDFullToShardShape", "SPMDShardToFullShape"):
            _refuse(op, f"'{target_of(op) or op.name}' cannot be partitioned")

    def _constant(self, op: ir.Operation) -> None:
        attribute, result = op.attributes["value"], op.results[0]
        layout = whole(_rank(result.type))
        is_plain = is_static(result.type) and "quant" not in str(result.type) and 0 not in shape_of(result)
        if is_plain and isinstance(attribute, ir.DenseElementsAttr) and attribute.is_splat:
            element = np.asarray(to_numpy(attribute).reshape(-1)[0])
            self._values[result] = _Held(None, layout, element)
        else:
            value = create("stablehlo.constant", [], result.type, {"value": attribute}, at=self._frame.emitter.at)
            self._hold(op.results, value.results, [layout])

    def _inlined(self, op: ir.Operation) -> Work:
        """Write the body of a manual or named computation in place of the op."""
        manual = manual_axes(str(op.attributes["manual_axes"])) if "manual_axes" in op.attributes else frozenset[str]()
        block, outer = body_of(op), self._manual
        ins, outs = [self._given_all(op, name, manual) for name in ("in_shardings", "out_shardings")]
        with op.location:
            for number, (operand, argument) in enumerate(zip(op.operands, block.arguments, strict=True)):
                if ins is None:
                    self._values[argument] = self._values[operand]
                else:
                    cut, free = self._split(op, ins[number], argument.type, manual, f"operand {number}")
                    self._values[argument] = _Held(self._local(operand, cut), free)
        self._manual = outer | manual
        yield self._ops(block)
        self._manual = outer
        with op.location:
            returned = block.operations[len(block.operations) - 1].operation.operands
            for number, (result, value) in enumerate(zip(op.results, returned, strict=True)):
                if outs is None:
                    self._values[result] = self._values[value]
                else:
                    cut, free = self._split(op, outs[number], value.type, manual, f"result {number}")
                    self._values[result] = _Held(self._local(value, free), cut)

    def _given_all(self, op: ir.Operation, name: str, manual: frozenset[str]) -> list[Sharding] | None:
        if not manual and op.name == "sdy.named_computation":
            return None
        return self._shardings(str(op.attributes[name]))

    def _split(
        self, op: ir.Operation, sharding: Sharding, inner: ir.Type, manual: frozenset[str], what: str
    ) -> tuple[Layout, Layout]:
        """Return the layout of an operand or result of a manual computation, and the layout of the same value inside.

        The type inside is that of a part along the manual axes.
        """
        layout = self._devices.layout(sharding)
        if layout is None or sharding.has_unreduced:
            _refuse(op, f"the sharding of {what} has unreduced axes or another mesh than the program")
        mine = {
            atom
            for axis in sharding.mesh.axes
            if axis in manual
            for atom in self._devices.atoms(sharding.mesh, AxisRef(axis, 1, None))
        }
        counts = [next((k for k, atom in enumerate(atoms) if atom not in mine), len(atoms)) for atoms in layout]
        heads = [atoms[:count] for atoms, count in zip(layout, counts, strict=True)]
        free = self._fitted(tuple([atoms[count:] for atoms, count in zip(layout, counts, strict=True)]), inner)
        if mine & {atom for atoms in free for atom in atoms}:
            _refuse(op, f"the sharding of {what} has manual axes behind others")
        return tuple([head + tail for head, tail in zip(heads, free, strict=True)]), free

    def _control(self, op: ir.Operation) -> Work:
        """Write a loop or a choice. Carried values and results have the layouts that propagation found."""
        layouts = self._wanted(op)
        is_loop = op.name == "stablehlo.while"
        with op.location:
            taken = [
                self._local(value, layout)
                for value, layout in zip(op.operands, layouts if is_loop else [()], strict=True)
            ]
            types = [self._type(result.type, layout) for result, layout in zip(op.results, layouts, strict=True)]
            at, attributes = self._frame.emitter.at, _plain(op)
            new = create(op.name, taken, types, attributes, regions=len(op.regions), at=at)
        self._hold(op.results, new.results, layouts)
        for number, region in enumerate(op.regions):
            ends = [()] if is_loop and number == 0 else layouts
            yield self._block(region.blocks[0], new.regions[number], layouts if is_loop else [], ends)

    # Ops.

    def _compute(self, op: ir.Operation) -> None:
        rule = rule_of(op)
        have = [self._values[value].layout for value in op.operands]
        wanted = self._wanted(op)
        choice = choose(self._devices, op, rule, have, wanted)
        taken = [self._local(value, layout) for value, layout in zip(op.operands, choice.operands, strict=True)]
        for one in choice.exchanges:
            taken = self._exchanged(op, choice, one, taken)
        start = self._start(op, rule, taken) if choice.reduced else None
        attributes = self._attributes(op, choice)
        types = [self._type(result.type, layout) for result, layout in zip(op.results, choice.results, strict=True)]
        captured = captured_values(op) if len(op.regions) else []
        replace_operands(op, {value: self._whole(value) for value in captured})
        new = create(op.name, taken, types, attributes, regions=len(op.regions), at=self._frame.emitter.at)
        for before, after in zip(op.regions, new.regions, strict=True):
            while len(before.blocks):
                before.blocks[0].append_to(after)
        layouts, results = choice.results, list[ir.Value](new.results)
        if choice.reduced:
            terms = self._devices.axes_text(choice.reduced)
            demand = self._devices.demand(op.results[0], choice.results[0], self._consumer, wanted[0])
            self._frame.emitter.demand = demand._replace(had=f"terms along {{{terms}}}")
            layout, results[0] = self._combined(rule, choice, wanted[0], results[0])
            layouts = [layout]
            if start is not None:
                first = self._local(start, layout if _rank(start.type) else ())
                results[0] = self._frame.emitter.start_from(rule.combiner, first, results[0])
        if op.name == "stablehlo.rng" and not self._manual:  # each device has a generator of its own
            results = [self._frame.emitter.from_first(results[0])]
        self._hold(op.results, results, layouts)

    def _exchanged(
        self, op: ir.Operation, choice: LayoutChoice, one: Exchange, taken: list[ir.Value]
    ) -> list[ir.Value]:
        """Let each device have the range of a dimension that it needs; return the operands of the local op."""
        ranges = list(zip(one.operands, one.needs, strict=True))
        if all(need.is_own for _, need in ranges):
            return taken
        parts = list[tuple[ir.Value, HaloRange, LayoutDemand]]()
        for number, need in ranges:
            demand = self._devices.demand(op.operands[number], choice.operands[number], self._consumer, ())
            wanted = f"{need.words(one.dimension)}, along {{{self._devices.axes_text(one.atoms)}}}"
            parts.append((taken[number], need, demand._replace(wanted=wanted)))
        if op.name == "stablehlo.concatenate":
            return [self._frame.emitter.ranges(parts, one.dimension, one.atoms, None)]
        first = {"stablehlo.pad": 1, "stablehlo.reduce_window": len(op.results)}.get(op.name)
        taken = list(taken)
        for number, part in zip(one.operands, parts, strict=True):
            fill = None if first is None else taken[first + number]
            taken[number] = self._frame.emitter.ranges([part], one.dimension, one.atoms, fill)
        return taken

    def _start(self, op: ir.Operation, rule: Rule, taken: list[ir.Value]) -> ir.Value | None:
        """Let each device start from an identity if the initial value would count more than once; return that value."""
        if rule.initial < 0 or facts(f"stablehlo.{rule.combiner}").idempotent:
            return None
        start, local = op.operands[rule.initial], taken[rule.initial]
        neutral, splat = identity(rule.combiner, local.type), self._values[start].splat
        if splat is not None and splat == neutral:
            return None
        taken[rule.initial] = self._frame.emitter.constant(np.broadcast_to(neutral, tuple(shape_of(local))), local.type)
        return start

    def _combined(self, rule: Rule, choice: LayoutChoice, wanted: Layout, value: ir.Value) -> tuple[Layout, ir.Value]:
        """Combine the results of all devices; each device keeps its part if that is the wanted layout."""
        emitter, (layout,) = self._frame.emitter, choice.results
        for d, atoms in enumerate(layout):
            after = (*layout[:d], atoms + choice.reduced, *layout[d + 1 :])
            if wanted == after:
                return after, emitter.combine(rule.combiner, value, choice.reduced, d)
        return layout, emitter.combine(rule.combiner, value, choice.reduced)

    def _attributes(self, op: ir.Operation, choice: LayoutChoice) -> dict[str, ir.Attribute]:
        attributes = _plain(op)
        name = _SIZES.get(op.name)
        if name is not None and any(choice.operands[0]):
            shape = shape_of(op.operands[0])
            cut = self._devices.local_shape(shape, choice.operands[0])
            sizes = zip(ints_of(attributes[name]), shape, cut, strict=True)
            attributes[name] = ir.DenseI64ArrayAttr.get([part if size == full else size for size, full, part in sizes])
        return attributes | local_window(op, {one.number: one.needs[0] for one in choice.exchanges})


def _plain(op: ir.Operation) -> dict[str, ir.Attribute]:
    """Return the attributes of an op without its shardings and their rule, which is that of the whole."""
    return {name: value for name, value in attributes_of(op).items() if name not in (SHARDING, SHARDING_RULE)}


def _rank(type_: ir.Type) -> int:
    return type_.rank if isinstance(type_, ir.RankedTensorType) else 0


def _refuse(op: ir.Operation, message: str) -> NoReturn:
    raise PassError([Diagnostic("error", file_location(op.location), message)])
