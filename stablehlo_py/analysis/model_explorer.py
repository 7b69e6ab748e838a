"""The graph of a report in Model Explorer's JSON, with costs and the findings of other tools as node data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

_COSTS = {"arithmetic": "flops", "bytes": "bytes", "live bytes": "live"}
_GRADIENT = [{"stop": 0, "bgColor": "#fdf3ee"}, {"stop": 1, "bgColor": "#d6541a"}]


def explorer_graphs(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the functions of a program as a collection of graphs.

    Args:
        data: What `contents` returns.

    Returns:
        A collection that Model Explorer opens: a graph for each function, name stacks and regions as namespaces.
    """
    return {"label": data["title"], "graphs": [_graph(data, head) for head in data["functions"]]}


def explorer_node_data(data: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return Model Explorer's node data by measurement: costs, then each overlay."""
    functions = {head: _function_name(data, head) for head in data["functions"]}
    heads = list(functions)
    found = {
        name: _node_data(name, zip(data["cost"]["op"], data["cost"][column], strict=True), functions, heads)
        for name, column in _COSTS.items()
    }
    for overlay in data["overlays"]:
        marks = ((number, float(value)) for number, value, _ in overlay["marks"])
        found[overlay["name"]] = _node_data(overlay["name"], marks, functions, heads)
    return found


def _node_data(
    name: str, values: Iterator[tuple[int, float]], functions: dict[int, str], heads: list[int]
) -> dict[str, Any]:
    """Return the values of ops, by function; an infinite value, which JSON has not, is the largest number."""
    data: dict[str, Any] = {}
    for number, value in values:
        head = next((one for one in reversed(heads) if one <= number), None)
        if head is None or number == head:
            continue
        of_function = data.setdefault(functions[head], {"name": name, "results": {}, "gradient": _GRADIENT})
        of_function["results"][str(number)] = {"value": value if math.isfinite(value) else 1.7976931348623157e308}
    return data


def _function_name(data: Mapping[str, Any], head: int) -> str:
    line: str = data["lines"][data["ops"]["line"][head]]
    return line.partition("@")[2].partition("(")[0]


def _graph(data: Mapping[str, Any], head: int) -> dict[str, Any]:
    parents: list[int] = data["ops"]["parent"]
    numbers = [head]
    within = {head}
    for number in range(head + 1, len(parents)):
        if parents[number] not in within:
            break
        within.add(number)
        numbers.append(number)
    arguments = [index for index, (holder, *_) in enumerate(data["arguments"]) if holder == head]
    nodes = [_argument(data, index) for index in arguments] + [_node(data, number, head) for number in numbers[1:]]
    return {"id": _function_name(data, head), "nodes": nodes}


def _argument(data: Mapping[str, Any], index: int) -> dict[str, Any]:
    _, number, type_, name = data["arguments"][index]
    label = data["strings"][name]
    return _entry(f"argument {index}", label if label else f"argument {number}", "", {}, [], data["strings"][type_])


def _entry(
    name: str, label: str, namespace: str, attributes: dict[str, str], edges: list[dict[str, str]], types: str
) -> dict[str, Any]:
    return {
        "id": name,
        "label": label,
        "namespace": namespace,
        "attrs": [{"key": key, "value": value} for key, value in attributes.items() if value],
        "incomingEdges": edges,
        "outputsMetadata": _outputs(types),
    }


def _node(data: Mapping[str, Any], number: int, head: int) -> dict[str, Any]:
    ops, strings = data["ops"], data["strings"]
    edges: list[dict[str, str]] = []
    for slot, operand in enumerate(ops["operands"][number]):
        source = str(operand)
        if operand < 0:
            holder = data["arguments"][-1 - operand][0]
            source = f"argument {-1 - operand}" if holder == head else str(holder)
        if source != str(number):
            edges.append({"sourceNodeId": source, "sourceNodeOutputId": "0", "targetNodeInputId": str(slot)})
    attributes = {
        "number": strings[ops["number"][number]],
        "text": data["lines"][ops["line"][number]].strip(),
        "location": strings[ops["location"][number]],
    }
    around: list[str] = []
    holder = ops["parent"][number]
    while holder != head:
        around.insert(0, f"{strings[ops['name'][holder]]} at line {ops['line'][holder] + 1}")
        holder = ops["parent"][holder]
    # The regions around the op, or the names that JAX and PyTorch keep in its location.
    namespace = "/".join(around) if around else strings[ops["stack"][number]].rpartition("/")[0]
    name, types = strings[ops["name"][number]], strings[ops["result"][number]]
    return _entry(str(number), name, namespace, attributes, edges, types)


def _outputs(types: str) -> list[dict[str, Any]]:
    found = types.split(", tensor") if types else []
    shapes = [found[0], *(f"tensor{rest}" for rest in found[1:])] if found else []
    return [{"id": str(n), "attrs": [{"key": "tensor_shape", "value": shape}]} for n, shape in enumerate(shapes)]
