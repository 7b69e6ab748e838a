"""The ops of a function in the order of the analysis."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...bindings import ir
from . import wrapping
from .reification import STRUCTURAL

# Ops whose regions are visited, and ops whose blocks pass their facts on.
_OPEN = "scf.execute_region"
HOLDERS = {*STRUCTURAL, _OPEN}


@dataclass(slots=True)
class OutlineNode:
    """A position in a function. `kind` is op, wrapper, entry (in front of the regions of an op) or exit (behind them).
    Facts learned here hold up to the node `last`; `start` is the first node in the regions that an exit ends."""

    op: ir.Operation
    kind: str
    index: int
    body: ir.Operation  # what a wrapper is around; the op itself where it is none
    name: str  # of the body
    last: int = -1
    start: int = -1


@dataclass
class _Frame:
    """An op whose regions are being listed."""

    op: ir.Operation
    blocks: Iterator[ir.Block]
    operations: Iterator[ir.Operation]
    start: int
    direct: list[OutlineNode] = field(default_factory=list[OutlineNode])  # the nodes of the current block
    ends: list[ir.Operation] = field(default_factory=list[ir.Operation])  # the terminators


class FunctionOutline:
    """The nodes of a function in program order, and which of them to look at again when an operand changes."""

    def __init__(self, function: ir.Operation) -> None:
        self.nodes: list[OutlineNode] = []
        self._index: dict[ir.Operation, int] = {}
        frames = [_frame(function, 0)]
        while frames:
            frame = frames[-1]
            op = next(frame.operations, None)
            if op is not None:
                self._visit(op, frame, frames)
                continue
            if frame.op.name != _OPEN:
                self._close(frame)
            block = next(frame.blocks, None)
            if block is not None:
                frame.operations = _listed(block, frame)
                continue
            frames.pop()
            if frames:
                self._leave(frame, frames[-1])

    def _add(self, op: ir.Operation, kind: str, frame: _Frame) -> OutlineNode:
        body = wrapping.body_of(op) if kind == "wrapper" else op
        node = OutlineNode(op, kind, len(self.nodes), body, body.name)
        self.nodes.append(node)
        frame.direct.append(node)
        return node

    def _visit(self, op: ir.Operation, frame: _Frame, frames: list[_Frame]) -> None:
        if op.name not in HOLDERS:
            self._index[op] = self._add(op, "op", frame).index
        elif wrapping.is_wrapper(op):
            self._index[op] = self._add(op, "wrapper", frame).index
        else:
            self._index[op] = len(self.nodes)
            if op.name == "stablehlo.while":
                self._add(op, "entry", frame)
            frames.append(_frame(op, len(self.nodes)))

    def _close(self, frame: _Frame) -> None:
        for node in frame.direct:
            node.last = len(self.nodes) - 1
        frame.direct = []

    def _leave(self, frame: _Frame, outer: _Frame) -> None:
        outer.direct.extend(frame.direct)
        node = self._add(frame.op, "exit", outer)
        node.start = frame.start
        for end in frame.ends:
            self._index[end] = node.index

    def index_of(self, user: ir.Operation) -> int | None:
        """Return the node to look at again where an operand of `user` changes; None for the end of the function."""
        op = user
        while op not in self._index:
            if op.name in ("func.return", "func.func") or op.parent is None:
                return None
            op = op.parent.operation
        return self._index[op]


def _frame(op: ir.Operation, start: int) -> _Frame:
    blocks = iter([region.blocks[0] for region in op.regions if len(region.blocks)])
    return _Frame(op, blocks, iter(()), start)


def _listed(block: ir.Block, frame: _Frame) -> Iterator[ir.Operation]:
    operations = [view.operation for view in block.operations]
    frame.ends.append(operations.pop())
    return iter(operations)
