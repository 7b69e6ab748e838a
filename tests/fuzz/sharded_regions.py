"""Loops, choices and computations of single devices in random sharded programs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sharded_ops import SIMPLE, unary
from sharded_writer import Value, Writer, compared


def _inner(w: Writer, values: Sequence[Value], wanted: Sequence[Value]) -> str:
    """A block's ops that use `values` and others, and end with values of the types of `wanted`."""
    outer_lines, outer_values = w.lines, w.values
    w.lines, w.values = [], [*outer_values, *values]
    for _ in range(w.draw.randint(0, 3)):
        w.draw.choice(SIMPLE)(w)
    mine = w.values[len(outer_values) :]
    ends = list[Value]()
    for one in wanted:
        same = [v for v in mine if v[1:] == one[1:]] or [v for v in w.values if v[1:] == one[1:]]
        ends.append(w.draw.choice(same) if same else w.constant(one.shape, one.element))
    words = ", ".join(one.name for one in ends), ", ".join(one.type for one in ends)
    text = "\n".join([*w.lines, f"stablehlo.return {words[0]} : {words[1]}"])
    w.lines, w.values = outer_lines, outer_values
    return text


def write_while(w: Writer) -> None:
    start = w.constant((), "i32", 0)
    first = w.pick(1)
    carried = [start, first, w.like(first.shape, first.element), *([w.pick()] if w.draw.random() < 0.5 else [])]
    heads = [
        "".join(f", {name}: {one.type}" for name, one in zip(names, carried, strict=True))[2:]
        for names in [[w.name() for _ in carried] for _ in range(2)]
    ]
    counters = [head.partition(":")[0] for head in heads]
    limit, one, pred, next_ = [w.name() for _ in range(4)]
    cond = f"""^bb0({heads[0]}):
      {limit} = stablehlo.constant dense<{w.draw.randint(0, 3)}> : tensor<i32>
      {compared("tensor<i32>", counters[0], limit, "LT", pred)}
      stablehlo.return {pred} : tensor<i1>"""
    inside = [
        Value(word.partition(":")[0], one_.shape, one_.element)
        for word, one_ in zip(heads[1].split(", "), carried, strict=True)
    ]
    head, _, last = f"\n{_inner(w, inside, carried[1:])}".rpartition("\n")
    last = last.replace("return ", f"return {next_}, ", 1).replace(" : ", " : tensor<i32>, ", 1)
    body = f"""^bb0({heads[1]}):
      {one} = stablehlo.constant dense<1> : tensor<i32>
      {next_} = stablehlo.add {counters[1]}, {one} : tensor<i32>
      {head}
      {last}"""
    made = w.op("while", carried, [(one_.shape, one_.element) for one_ in carried], "", f"{cond}\n}}, {{\n{body}")
    w.keep(*made[1:])


def write_branch(w: Writer) -> None:
    wanted = [w.pick() for _ in range(w.draw.randint(1, 2))]
    count = w.draw.randint(2, 3)
    name, chosen = ("if", w.like((), "i1")) if count == 2 else ("case", w.index())
    regions = "\n}, {\n".join(_inner(w, [], wanted) for _ in range(count))
    w.keep(*w.op(name, [chosen], [(one.shape, one.element) for one in wanted], "", regions))


def write_manual(w: Writer) -> None:
    """Write a computation of single devices, which keeps the shape of its operand, and sums along an axis."""
    value = w.pick(1, "f32 i32 ui8")
    axes = w.draw.sample(list(w.mesh), w.draw.randint(1, len(w.mesh)))
    dimensions: list[list[str]] = [[] for _ in value.shape]
    shape = list(value.shape)
    for axis in axes:
        d = w.dimension(value)
        if shape[d] and shape[d] % w.mesh[axis] == 0 and w.draw.random() < 0.8:
            dimensions[d].append(axis)
            shape[d] //= w.mesh[axis]
    quoted = [", ".join([f'"{axis}"' for axis in each]) for each in dimensions]
    words = ", ".join([f"{{{each}}}" for each in quoted])
    inside, result = Value(w.name(), tuple(shape), value.element), Value(w.name(), value.shape, value.element)
    outer_lines, outer_values, mesh = w.lines, w.values, w.mesh
    w.lines, w.values, w.mesh = [], [inside], {name: size for name, size in mesh.items() if name not in axes}
    for _ in range(w.draw.randint(0, 2)):
        unary(w)
    last = next(one for one in reversed(w.values) if one[1:] == inside[1:])
    names, sizes = list(mesh), list(mesh.values())
    axis = w.draw.choice(axes)
    grid = np.moveaxis(np.array(w.ids).reshape(sizes), names.index(axis), -1).reshape(-1, mesh[axis]).tolist()
    scalar = f"tensor<{value.element}>"
    body = f"^bb0(%p: {scalar}, %q: {scalar}):\n%r = stablehlo.add %p, %q : {scalar}\nstablehlo.return %r : {scalar}"
    text = f"""replica_groups = dense<{grid}> : tensor<{len(grid)}x{mesh[axis]}xi64>,
      channel_handle = #stablehlo.channel_handle<handle = {w.count}, type = 1>, use_global_device_ids"""
    summed = w.small(w.op("all_reduce", [last], [(shape, value.element)], text, body)[0])
    lines = "\n".join([*w.lines, f"sdy.return {summed.name} : {summed.type}"])
    w.lines, w.values, w.mesh = outer_lines, outer_values, mesh
    manual = ", ".join([f'"{name}"' for name in names if name in axes])
    w.lines.append(
        f"{result.name} = sdy.manual_computation({value.name}) in_shardings=[<@mesh, [{words}]>]"
        f" out_shardings=[<@mesh, [{words}]>] manual_axes={{{manual}}} ({inside.name}: {inside.type}) {{\n{lines}\n}}"
        f" : ({value.type}) -> {result.type}"
    )
    w.values.append(result)
