"""What each device does on its own, between custom calls of Shardy's round trip, as Shardy's manual computations."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..bindings import ir
from ..bindings.attributes import string_of
from ..bindings.build import add_block, create
from ..bindings.diagnostics import file_location
from ..bindings.walk import captured_values, insertion_point_after, is_result, operations, replace_operands
from ..dialect.facts import entry, facts
from ..errors import InputError

FRONTEND = "mhlo.frontend_attributes"
TO_LOCAL, TO_GLOBAL = "xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape"
IN, OUT, MANUAL = "xla.sdy.in_shardings", "xla.sdy.out_shardings", "xla.sdy.manual_axes"
_CALLS = (TO_LOCAL, TO_GLOBAL)
_PER_VALUE = "#sdy.sharding_per_value<["
_GROUPS = frozenset({"replica_groups", "source_target_pairs"})


def target_of(op: ir.Operation) -> str:
    """Return the target of a custom call; nothing for another op."""
    return string_of(op.attributes["call_target_name"]) if op.name == "stablehlo.custom_call" else ""


def frontend(op: ir.Operation) -> dict[str, str]:
    """Return the frontend attributes of an op, or of the module."""
    given = ir.DictAttr(op.attributes[FRONTEND]) if FRONTEND in op.attributes else ()
    return {one.name: string_of(one.attr) for one in given}


def rename(call: ir.Operation, target: str, attributes: Mapping[str, str]) -> None:
    """Give a custom call another target, and frontend attributes."""
    with call.context:
        call.attributes["call_target_name"] = ir.StringAttr.get(target)
        texts = {name: ir.StringAttr.get(text) for name, text in attributes.items()}
        call.attributes[FRONTEND] = ir.DictAttr.get(texts)


def inner_text(text: str) -> str:
    """Return the shardings in the text of a list of them."""
    return text.removeprefix(_PER_VALUE).removesuffix("]>")


def enclose_manual(function: ir.Operation) -> None:
    """Put what devices do on their own into manual computations.

    Raises:
        InputError: It cannot be told from the rest of the program, or a call's attribute cannot be read.
    """
    calls = [op for op in operations(function) if target_of(op) in _CALLS]
    for block in dict.fromkeys([op.block for op in calls]):
        for members in _bodies(block):
            with function.context, members[0].location:
                _enclose(members)


def _bodies(block: ir.Block) -> list[list[ir.Operation]]:
    """List the ops between calls that depend on each other, with the calls, or that talk to single devices."""
    group: dict[ir.Operation, list[ir.Operation]] = {}
    for op in [inner.operation for inner in block.operations]:
        used = [*op.operands, *(captured_values(op) if len(op.regions) else [])]
        sources = [value.owner.operation for value in used if is_result(value)]
        inside = [source for source in sources if source in group and target_of(source) != TO_GLOBAL]
        if inside and target_of(op) == TO_LOCAL:
            raise _error(op, "devices are on their own already")
        if inside or target_of(op) in _CALLS or names_devices(op.name):
            mine = group[inside[0]] if inside else []
            for source in inside:
                if group[source] is not mine:
                    mine += group[source]
                    group |= dict.fromkeys(group[source], mine)
            mine.append(op)
            group[op] = mine
    order = {inner.operation: number for number, inner in enumerate(block.operations)}
    bodies = {id(members): sorted(members, key=order.__getitem__) for members in group.values()}
    return [members for members in bodies.values() if any(target_of(op) in _CALLS for op in members)]


def names_devices(name: str) -> bool:
    """Return whether ops of this name talk to single devices, or ask for one."""
    known, attributes = facts(name), (entry(name) or {}).get("attributes", ())
    return known.per_process or known.effect.startswith("reads and writes") or not _GROUPS.isdisjoint(attributes)


def _enclose(members: list[ir.Operation]) -> None:
    """Replace a body and the calls around it."""
    entries, exits = [[op for op in members if target_of(op) == target] for target in _CALLS]
    inner = [op for op in members if target_of(op) not in _CALLS]
    last = max([*entries, *inner] or exits, key=members.index)
    manual = next((frontend(op)[MANUAL] for op in members if MANUAL in frontend(op)), "")
    holder = create("sdy.manual_computation", [], [], regions=1, at=insertion_point_after(last))
    body = add_block(holder.regions[0])
    for op in inner:
        if op.name.endswith(".return"):
            raise _error(op, f"a part of a value is returned; '{TO_GLOBAL}' was expected")
        body.append(op)
    create("sdy.return", [value for op in exits for value in op.operands], [], at=ir.InsertionPoint(body))
    given = {
        result: pair
        for op in entries
        for result, pair in zip(op.results, zip(op.operands, _shardings(op, IN), strict=True), strict=True)
    }
    outs = [text for op in exits for text in _shardings(op, OUT)]
    mesh = [*[text for _, text in given.values()], *outs][0].partition(",")[0]
    taken = captured_values(holder)
    whole = [f"{mesh}, [{', '.join(['{}'] * getattr(value.type, 'rank', 0))}]>" for value in taken]
    sources = [given.get(value, (value, text)) for value, text in zip(taken, whole, strict=True)]
    types = [result.type for op in exits for result in op.results]
    attributes = {
        "in_shardings": _parsed(members[0], IN, f"{_PER_VALUE}{', '.join([text for _, text in sources])}]>"),
        "out_shardings": _parsed(members[0], OUT, f"{_PER_VALUE}{', '.join(outs)}]>"),
        "manual_axes": _parsed(members[0], MANUAL, manual),
    }
    for value in taken:
        replace_operands(holder, {value: body.add_argument(value.type, members[0].location)})
    operands = [operand for operand, _ in sources]
    new = create(holder.name, operands, types, attributes, regions=1, at=ir.InsertionPoint(holder))
    body.append_to(new.regions[0])
    for result, value in zip([result for op in exits for result in op.results], new.results, strict=True):
        result.replace_all_uses_with(value)
    for op in (*exits, holder, *reversed(entries)):
        op.erase()


def _shardings(call: ir.Operation, name: str) -> list[str]:
    """Return the text of each of a call's shardings."""
    text = frontend(call).get(name, "")
    found = re.split(r"(?<=>), (?=<)", inner_text(str(_parsed(call, name, text))))
    if len(found) != len(call.operands):
        raise _error(call, f"cannot read {name} = {text}: {len(call.operands)} shardings were expected")
    return found


def _parsed(op: ir.Operation, name: str, text: str) -> ir.Attribute:
    try:
        return ir.Attribute.parse(text, op.context)
    except ir.MLIRError:
        raise _error(op, f"cannot read {name} = {text}") from None


def _error(op: ir.Operation, reason: str) -> InputError:
    return InputError(f"'{target_of(op) or op.name}' op: {reason}", location=file_location(op.location))
