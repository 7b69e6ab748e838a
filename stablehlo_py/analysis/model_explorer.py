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
