"""What each device does on its own, between custom calls of Shardy's round trip, as Shardy's manual computations."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..bindings import ir
from ..bindings.attributes import string_of
from ..bindings.build import add_block, create
from ..bindings.diagnostics import file_location
from ..bindings.walk import captured_values, insertion_point_after, operations, replace_operands
from ..dialect.facts import entry, facts
from ..errors import InputError
from .attributes import parsed

FRONTEND = "mhlo.frontend_attributes"
TO_LOCAL, TO_GLOBAL = _CALLS = ("xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape")
IN, OUT, MANUAL = "xla.sdy.in_shardings", "xla.sdy.out_shardings", "xla.sdy.manual_axes"
_GROUPS = frozenset({"replica_groups", "source_target_pairs"})


def target_of(op: ir.Operation) -> str:
    """Return the target of a custom call; nothing for another op."""
    return string_of(op.attributes["call_target_name"]) if op.name == "stablehlo.custom_call" else ""


def frontend(op: ir.Operation) -> dict[str, str]:
    """Return the frontend attributes of an op or of a module."""
    given = ir.DictAttr(op.attributes[FRONTEND]) if FRONTEND in op.attributes else ()
    return {one.name: string_of(one.attr) for one in given}


def make_call(op: ir.Operation, target: str, attributes: Mapping[str, str]) -> None:
    """Make a custom call one of the round trip's, with these frontend attributes."""
    op.attributes["call_target_name"] = ir.StringAttr.get(target)
    op.attributes[FRONTEND] = ir.DictAttr.get({name: ir.StringAttr.get(text) for name, text in attributes.items()})


def one_by_one(text: str) -> list[str]:
    """Return the text of each sharding in a list of Shardy's."""
    return re.split(r"(?<=>), (?=<)", text.removeprefix("#sdy.sharding_per_value<[").removesuffix("]>"))


def names_devices(name: str) -> bool:
    """Return whether ops of this name talk to single devices, or ask for one."""
    known, attributes = facts(name), (entry(name) or {}).get("attributes", ())
    return known.per_process or known.effect.startswith("reads and writes") or not _GROUPS.isdisjoint(attributes)


def enclose_manual(function: ir.Operation) -> None:
    """Put what devices do on their own into manual computations. Raises `InputError` where a call cannot be read."""
    calls = [op for op in operations(function) if target_of(op) in _CALLS]
    pending = list(dict.fromkeys([op.block for op in calls]))
    while pending:
        for members in _bodies(pending.pop()):
            with function.context, next(iter(members)).location:
                pending.append(_enclose(members))


def _bodies(block: ir.Block) -> list[dict[ir.Operation, int]]:
    """List the bodies: ops that depend on each other, and the calls around them, with the number of calls around each.

    The number of a call is that of its operands.
    """
    bodies, after = dict[ir.Operation, dict[ir.Operation, int]](), dict[ir.Operation, int]()
    for op in [inner.operation for inner in block.operations]:
        used = [*op.operands, *(captured_values(op) if len(op.regions) else [])]
        owners = [owner.operation for value in used if not isinstance(owner := value.owner, ir.Block)]
        sources = [owner for owner in owners if owner in after]
        depth, target = max([after[source] for source in sources], default=0), target_of(op)
        depth = max(depth, int(names_devices(op.name)))
        if depth or target in _CALLS:
            mine = bodies[sources[0]] if sources else {}
            for source in sources:
                if bodies[source] is not mine:
                    mine |= bodies[source]
                    bodies |= dict.fromkeys(bodies[source], mine)
            mine[op], bodies[op] = depth, mine
            if (rest := depth + (target == TO_LOCAL) - (target == TO_GLOBAL)) > 0:
                after[op] = rest
    found = {id(body): body for body in bodies.values() if any(target_of(op) in _CALLS for op in body)}
    order = {inner.operation: number for number, inner in enumerate(block.operations)}
    return [dict(sorted(body.items(), key=lambda one: order[one[0]])) for body in found.values()]


def _enclose(members: Mapping[ir.Operation, int]) -> ir.Block:
    """Put a body into a manual computation, and return its block."""
    entries = [op for op, depth in members.items() if target_of(op) == TO_LOCAL and not depth]
    exits = [op for op, depth in members.items() if target_of(op) == TO_GLOBAL and depth <= 1]
    inner = [op for op in members if op not in {*entries, *exits}]
    if inner and inner[-1].name.endswith(".return"):
        raise _error(inner[-1], f"a value of single devices is returned; a '{TO_GLOBAL}' call was expected")
    holder = create(
        "builtin.module", regions=1, results=[], at=insertion_point_after([*entries, *exits[:1], *inner][-1])
    )
    body, first = add_block(holder.regions[0]), [*entries, *exits][0]
    for op in inner:
        body.append(op)
    create("sdy.return", [value for op in exits for value in op.operands], [], at=ir.InsertionPoint(body))
    given: dict[ir.Value, tuple[ir.Value, str]] = {
        result: (value, text)
        for op in entries
        for result, value, text in zip(op.results, op.operands, _shardings(op, IN), strict=True)
    }
    outs = [text for op in exits for text in _shardings(op, OUT)]
    mesh = [*[text for _, text in given.values()], *outs][0].partition(",")[0]
    operands, ins = list[ir.Value](), list[str]()
    for value in captured_values(holder):
        replace_operands(holder, {value: body.add_argument(value.type, first.location)})
        dimensions = ["{}"] * (value.type.rank if isinstance(value.type, ir.RankedTensorType) else 0)
        source, text = given.get(value, (value, f"{mesh}, [{', '.join(dimensions)}]>"))
        operands.append(source)
        ins.append(text)
    attributes = {name: f"#sdy.sharding_per_value<[{', '.join(texts)}]>" for name, texts in ((IN, ins), (OUT, outs))}
    attributes[MANUAL] = next((frontend(op)[MANUAL] for op in (*entries, *exits) if MANUAL in frontend(op)), "")
    made = {name.removeprefix("xla.sdy."): parsed(first, name, text) for name, text in attributes.items()}
    results = [result for op in exits for result in op.results]
    types, at = [result.type for result in results], ir.InsertionPoint(holder)
    new = create("sdy.manual_computation", operands, types, made, regions=1, at=at)
    body.append_to(new.regions[0])
    for result, value in zip(results, new.results, strict=True):
        result.replace_all_uses_with(value)
    for op in (*exits, holder, *entries):
        op.erase()
    return new.regions[0].blocks[0]


def _shardings(call: ir.Operation, name: str) -> list[str]:
    """Return the text of the sharding of each of a call's operands or results."""
    text = frontend(call).get(name, "")
    found = one_by_one(str(parsed(call, name, text)))
    if len(found) != len(call.operands):
        raise _error(call, f'cannot read {name} = "{text}": {len(call.operands)} shardings were expected')
    return found


def _error(op: ir.Operation, reason: str) -> InputError:
    return InputError(f"'{target_of(op) or op.name}' op: {reason}", location=file_location(op.location))
