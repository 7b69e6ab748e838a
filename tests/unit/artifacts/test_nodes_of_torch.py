"""One node of a graph of torch as a program of its own, with a stand-in for torch.fx."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from numpy_torch import module_of

from stablehlo_py.artifacts.formats import torch_export


class Node(SimpleNamespace):
    __hash__ = object.__hash__  # type: ignore[assignment]


class Graph:
    """A graph that is being made, as torch.fx makes it."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.returned: Any = None

    def _add(self, **fields: Any) -> Node:
        self.nodes.append(Node(**fields))
        return self.nodes[-1]

    def placeholder(self, name: str) -> Node:
        return self._add(name=name, target="placeholder", inputs=[])

    def node_copy(self, node: Node, copy_of: Callable[[Node], Node]) -> Node:
        inputs = [copy_of(each) for each in node.all_input_nodes]
        assert all(each in self.nodes for each in inputs)
        return self._add(name=node.name, target=node.target, inputs=inputs, meta=node.meta)

    def output(self, value: Any) -> None:
        assert self.returned is None
        self.returned = value


@pytest.fixture(autouse=True)
def _fx(monkeypatch: pytest.MonkeyPatch) -> None:
    fx = module_of("torch.fx", Graph=Graph, GraphModule=lambda root, graph: (root, graph))
    monkeypatch.setitem(sys.modules, "torch", module_of("torch", fx=fx))
    monkeypatch.setitem(sys.modules, "torch.fx", fx)


def node(name: str, *inputs: Node, target: Any = "op") -> Node:
    return Node(name=name, target=target, all_input_nodes=list(inputs), users=[], meta={"val": f"value of {name}"})


@pytest.mark.parametrize("items", [0, 1, 3])
@pytest.mark.parametrize("others", [0, 2])
@pytest.mark.parametrize("operands", [0, 1, 2])
def test_a_node_alone_takes_its_operands_and_returns_its_results(operands: int, others: int, items: int) -> None:
    inputs = [node(f"x{number}", node("before")) for number in range(operands)]
    alone = node("alone", *inputs, target="aten.split")
    alone.users = [
        *[node(f"other{number}", alone, target="aten.neg") for number in range(others)],
        *[node(f"item{number}", alone, target=operator.getitem) for number in range(items)],
    ]
    root, graph = torch_export._alone(alone)
    assert root == {}
    assert [each.name for each in graph.nodes] == [
        *[f"x{number}" for number in range(operands)],
        "alone",
        *[f"item{number}" for number in range(items)],
    ]
    assert [each.meta for each in graph.nodes[:operands]] == [each.meta for each in inputs]
    copy = graph.nodes[operands]
    assert (copy.target, copy.inputs) == ("aten.split", graph.nodes[:operands])
    parts = graph.nodes[operands + 1 :]
    assert all(part.inputs == [copy] for part in parts)
    assert isinstance(graph.returned, tuple)
    assert list(graph.returned) == (parts if items else [copy])
