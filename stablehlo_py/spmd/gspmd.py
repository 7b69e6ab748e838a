"""Shardings in GSPMD's form, `mhlo.sharding`, and in the form of Shardy's round trip, `xla.sdy.*`, as Shardy's own.

GSPMD numbers devices; Shardy names axes. The axes are read off the numbers: a device's place along a dimension has to
be made of digits of its number, in a numeral system that all shardings have in common.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..bindings import ir
from ..bindings.attributes import int_of, is_private, string_of
from ..bindings.build import create_value
from ..bindings.diagnostics import file_location
from ..bindings.meshes import Mesh, symbol_mesh
from ..bindings.shardings import XlaSharding, xla_shardings
from ..bindings.walk import any_operation, operations, symbols
from ..errors import InputError, StablehloError
from ..passes.guarded_pipeline import run_guarded_pipeline
from .attributes import SHARDING, add_mesh, parsed
from .manual import FRONTEND, IN, MANUAL, OUT, TO_GLOBAL, TO_LOCAL, frontend, make_call, one_by_one, target_of

_GSPMD = "mhlo.sharding"
_MESHES = "xla.sdy.meshes"
_OPEN = re.compile(r"unspecified_dims=\[([\d,]+)\]")
_LEFT = re.compile(r'xla\.sdy\.sharding = "(?:[^"\\]|\\.)*"')
_ROUND_TRIP = {"Sharding": "Sharding", "SPMDFullToShardShape": TO_LOCAL, "SPMDShardToFullShape": TO_GLOBAL}
_SIGNED = {"arg_attrs": "argument", "res_attrs": "result"}

_Digits = list[tuple[int, int]]
"""Digits of a device's number, the major first: the step from one value of it to the next, and of the next digit."""


class _Given(NamedTuple):
    """Where shardings are given: for the results of an op, or for an argument or a result of a function."""

    op: ir.Operation
    list_name: str
    number: int
    text: str
    types: list[ir.Type]

    def error(self, reason: str) -> InputError:
        what = f"{_SIGNED[self.list_name]} {self.number}" if self.list_name else f"'{self.op.name}' op"
        message = f'cannot read {_GSPMD} = "{self.text}" of {what}: {reason}'
        return InputError(message, location=file_location(self.op.location))

    def shardings(self) -> list[XlaSharding]:
        """Return one for each value."""
        try:
            found = xla_shardings(self.text)
        except StablehloError as error:
            raise self.error(error.message.rpartition(": ")[2]) from None
        found = found * len(self.types) if len(found) == 1 else found
        if len(found) != len(self.types):
            raise self.error(f"it has {len(found)} shardings for {len(self.types)} values")
        for one, type_ in zip(found, self.types, strict=True):
            if one.kind == "tiled" and one.devices.ndim - len(one.subgroups) != _rank(type_):
                raise self.error(f"it does not have the dimensions of {type_}")
            if one.kind == "tiled" and not np.array_equal(np.unique(one.devices), np.arange(one.devices.size)):
                raise self.error(f"the devices 0 to {one.devices.size - 1} were expected")
            if one.kind == "unreduced" or "unreduced" in one.subgroups or one.group >= 0:
                raise self.error("unreduced values and groups of values are supported in Shardy's own form only")
            if self.list_name and not is_private(self.op) and {"maximal", "manual"} & {one.kind, *one.subgroups}:
                raise self.error("for each device a part of the value, or all of it, was expected")
        return found


class _Axes(NamedTuple):
    """A mesh, and the name of its op."""

    name: str
    mesh: Mesh

    def names(self, digits: _Digits) -> list[str]:
        """Return the axes with these digits, or the parts of axes."""
        found: list[str] = []
        for start, end in digits:
            low = len(self.mesh.device_ids)
            for axis, size in self.mesh.axes.items():
                high, low = low, low // size
                first, last = max(start, low), min(end, high)
                if first < last:
                    found.append(f'"{axis}"' + f":({high // last}){last // first}" * ((first, last) != (low, high)))
        return found

    def sharding(self, one: XlaSharding, cut: Sequence[_Digits], rank: int, chosen: set[int]) -> str:
        """Return Shardy's text for the sharding of a value, open in the dimensions that GSPMD may choose."""
        free = set(range(rank)) if one.kind in ("unknown", "manual") else chosen
        axes = [[*(self.names(cut[d]) if cut else []), *["?"] * (d in free)] for d in range(rank)]
        return f"<@{self.name}, [{', '.join(['{' + ', '.join(names) + '}' for names in axes])}]>"

    def manual(self, one: XlaSharding, cut: Sequence[_Digits]) -> list[str]:
        """Return the axes along which each device is on its own."""
        digits = [digit for digits in cut[one.devices.ndim - len(one.subgroups) :] for digit in digits]
        return [f'"{axis}"' for axis in self.mesh.axes] if one.kind == "manual" else self.names(digits)


def import_round_trip(module: ir.Module) -> None:
    """Let XLA read `xla.sdy.*`. It takes a malformed sharding for none, which is an `InputError` here."""

    def text(op: ir.Operation) -> str:
        return " ".join([str(op.attributes[name]) for name in (FRONTEND, *_SIGNED) if name in op.attributes])

    if not any_operation(module.operation, lambda op: "xla.sdy." in text(op)):
        return
    parsed(module.operation, _MESHES, frontend(module.operation).get(_MESHES, "{}"))  # XLA would crash
    run_guarded_pipeline(module, "xla-sdy-round-trip-import-shardy-attrs")
    for op in operations(module.operation):
        if left := _LEFT.search(text(op)):
            raise InputError(f"cannot read {left[0]} of '{op.name}' op", location=file_location(op.location))


def import_gspmd(module: ir.Module, axes: Mapping[str, int] | None) -> None:
    """Give a program Shardy's shardings in place of GSPMD's. Its calls around single devices become the round trip's.

    Args:
        module: The program.
        axes: The sizes by name of the axes of the mesh, if the program has none.

    Raises:
        InputError: A sharding cannot be read, or no mesh fits all of them.
    """
    given = [(one, one.shardings()) for one in _all_given(module.operation)]
    with module.context:
        if given:
            found, cuts = _axes(module, given, axes)
            for (one, shardings), cut in zip(given, cuts, strict=True):
                _set(one, shardings, cut, found)
        for op in operations(module.operation):
            if target_of(op) == "Sharding":
                _constrain(op)


def _rank(type_: ir.Type) -> int:
    return type_.rank if isinstance(type_, ir.RankedTensorType) else 0


def _constrain(op: ir.Operation) -> None:
    """Replace a call that gives the sharding of its operand."""
    value = op.operands[0]
    if SHARDING in op.attributes and _rank(value.type):
        with op.location:
            sharding = {"sharding": ir.Attribute.parse(f"#sdy.sharding{one_by_one(str(op.attributes[SHARDING]))[0]}")}
            value = create_value("sdy.sharding_constraint", [value], value.type, sharding, at=ir.InsertionPoint(op))
    op.results[0].replace_all_uses_with(value)
    op.erase()


def _all_given(module: ir.Operation) -> Iterator[_Given]:
    for op in operations(module):
        for name in [name for name in _SIGNED if name in op.attributes]:
            signature = ir.FunctionType(ir.TypeAttr(op.attributes["function_type"]).value)
            types = signature.inputs if name == "arg_attrs" else signature.results
            for number, own in enumerate(map(ir.DictAttr, ir.ArrayAttr(op.attributes[name]))):
                if _GSPMD in own:
                    yield _Given(op, name, number, string_of(own[_GSPMD]), [types[number]])
        if _GSPMD in op.attributes:
            yield _Given(op, "", 0, string_of(op.attributes[_GSPMD]), [result.type for result in op.results])


def _axes(
    module: ir.Module, given: Sequence[tuple[_Given, list[XlaSharding]]], axes: Mapping[str, int] | None
) -> tuple[_Axes, list[list[list[_Digits]]]]:
    """Find a mesh for all shardings, of these axes or the program's if there are any, and how each of them cuts."""
    known, partitions = symbols(module.operation), module.operation.attributes.get("mhlo.num_partitions")
    name = next((name for name, op in known.items() if op.name == "sdy.mesh"), "")
    tiled = [(one, each) for one, found in given for each in found if each.kind == "tiled"]
    count = tiled[0][1].devices.size if tiled else int_of(partitions) if partitions is not None else 1
    mesh = symbol_mesh(name, known.get) if name else None
    axes = axes if mesh is None else mesh.axes
    count = count if axes is None else math.prod(axes.values())
    for one, each in tiled:
        if each.devices.size != count:
            raise one.error(f"{count} devices were expected")
    orders = [tuple(range(count)) if mesh is None else mesh.device_ids]
    if mesh is None and tiled:  # by the places in the first sharding, then in the second, and so on
        orders.append(tuple(np.lexsort([_places(each)[1] for _, each in tiled[::-1]]).tolist()))
    own = [count // size for size in itertools.accumulate((axes or {}).values(), int.__mul__, initial=1)]
    for order in orders:
        cuts = [[_cut(each, order) for each in found] for _, found in given]
        digits = [digit for each in cuts for cut in each for some in cut or () for digit in some]
        steps = list(itertools.pairwise(sorted({1, count, *own, *itertools.chain(*digits)})))
        if not any(None in each for each in cuts) and not any(after % before for before, after in steps):
            made = axes or {f"axis_{n}": after // before for n, (before, after) in enumerate(reversed(steps))}
            whole = [[cut for cut in each if cut is not None] for each in cuts]
            return _Axes(name or add_mesh(module, made, order), Mesh(dict(made), order)), whole
    of = f" with the axes {', '.join([f'{axis}={size}' for axis, size in axes.items()])}" if axes else ""
    raise tiled[-1][0].error(f"no mesh{of} fits this sharding and the other ones")


def _places(one: XlaSharding) -> tuple[list[tuple[int, int]], np.ndarray]:
    """Return the size of each dimension and manual subgroup, with its weight in a device's place, and the places."""
    rank = one.devices.ndim - len(one.subgroups)
    is_kept = [d < rank or one.subgroups[d - rank] == "manual" for d in range(one.devices.ndim)]
    sizes = [size if kept else 1 for size, kept in zip(one.devices.shape, is_kept, strict=True)]
    weights = [math.prod(sizes[d + 1 :]) for d in range(len(sizes))]
    places = np.empty(one.devices.size, np.int64)
    places[one.devices] = np.tensordot(np.multiply(weights, is_kept), np.indices(one.devices.shape), 1)
    return list(zip(sizes, weights, strict=True)), places


def _cut(one: XlaSharding, order: Sequence[int]) -> list[_Digits] | None:
    """Return the digits of a device's number in this order that make its place in each dimension and manual subgroup.

    There may be none.
    """
    if one.kind != "tiled":
        return []
    kept, places = _places(one)
    found = _digits(places[list(order)])
    if found is None:
        return None
    cuts: list[_Digits] = []
    for size, weight in kept:
        ranges = [(max(w, weight), min(w * length, weight * size), w, step) for w, step, length in found if w]
        parts = [(low, high, w, step) for low, high, w, step in ranges if low < high]
        if any(low % w or high % w for low, high, w, _ in parts):
            return None
        cuts.append([(step * low // w, step * high // w) for low, high, w, step in parts])
    return cuts


def _digits(places: np.ndarray) -> list[tuple[int, int, int]] | None:
    """Return the digits of its arguments that a function sums up, each with its weight, step and number of values."""
    found, step, numbers = list[tuple[int, int, int]](), 1, np.arange(len(places))
    while step < len(places):
        row, weight = places[::step], int(places[step] - places[0])
        (wrong,) = np.nonzero(row != places[0] + weight * numbers[: len(row)])
        length = int(wrong[0]) if wrong.size else len(row)
        if weight < 0 or len(row) % length:
            return None
        found.append((weight, step, length))
        step *= length
    sums = sum([numbers // step % length * weight for weight, step, length in found])
    return sorted(found, reverse=True) if np.array_equal(places, np.broadcast_to(sums, places.shape)) else None


def _set(one: _Given, shardings: Sequence[XlaSharding], cuts: Sequence[list[_Digits]], axes: _Axes) -> None:
    """Replace GSPMD's attribute."""
    config = one.op.attributes.get("backend_config", None)
    match = _OPEN.search(string_of(config)) if isinstance(config, ir.StringAttr) and not one.list_name else None
    chosen = {int(number) for number in match[1].split(",")} if match else set[int]()
    texts = [
        axes.sharding(each, cut, _rank(type_), chosen)
        for each, cut, type_ in zip(shardings, cuts, one.types, strict=True)
    ]
    if one.list_name:
        lists = list(ir.ArrayAttr(one.op.attributes[one.list_name]))
        own = {each.name: each.attr for each in ir.DictAttr(lists[one.number]) if each.name != _GSPMD}
        lists[one.number] = ir.DictAttr.get(own | {SHARDING: ir.Attribute.parse(f"#sdy.sharding{texts[0]}")})
        one.op.attributes[one.list_name] = ir.ArrayAttr.get(lists)
        return
    del one.op.attributes[_GSPMD]
    if any(each.kind not in ("unknown", "manual") for each in shardings):
        one.op.attributes[SHARDING] = ir.Attribute.parse(f"#sdy.sharding_per_value<[{', '.join(texts)}]>")
    if target_of(one.op) in _ROUND_TRIP:
        _set_manual(one, axes.manual(shardings[0], cuts[0]))


def _set_manual(one: _Given, manual: Sequence[str]) -> None:
    """Let a call of GSPMD say along which axes devices are on their own, and what the round trip's calls say."""
    owner, target = one.op.operands[0].owner, target_of(one.op)
    producer = one.op if isinstance(owner, ir.Block) else owner.operation
    outer = re.findall(r'"[^"]*"', frontend(producer).get(MANUAL, ""))
    attributes = dict[str, str]()
    if target == "SPMDFullToShardShape":
        if SHARDING not in producer.attributes:
            raise one.error("an operand that has a sharding was expected")
        attributes[IN], manual = str(producer.attributes[SHARDING]), [axis for axis in manual if axis not in outer]
    elif target == "SPMDShardToFullShape":
        attributes[OUT], manual = str(one.op.attributes[SHARDING]), [axis for axis in outer if axis not in manual]
    attributes |= {MANUAL: f"#sdy<manual_axes{{{', '.join(manual)}}}>"} if manual else {}
    make_call(one.op, _ROUND_TRIP[target], attributes)
