"""Finds errors in the communication of processes that a program shows before it runs."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from ..bindings import ir, stablehlo_extension
from ..bindings.attributes import callee_of, int_of, is_set, symbol_rows
from ..bindings.diagnostics import file_location
from ..bindings.elements import to_numpy
from ..bindings.meshes import replica_groups
from ..bindings.walk import operations, symbols
from ..dialect.facts import facts
from ..errors import Diagnostic, PassError, StablehloError
from ..interpreter.ops.collectives import split_of
from ..interpreter.process_grid import ProcessGrid, ProcessGroups, ProcessId
from .base import Pass

_NEED_NO_GROUP = frozenset({f"stablehlo.collective_{name}" for name in ("broadcast", "permute", "reduce")})
_SEND, _RECEIVE = "stablehlo.send", "stablehlo.recv"


@dataclass(frozen=True)
class _Talk:
    """An op that lets processes communicate."""

    op: ir.Operation
    is_certain: bool
    """Whether it runs whenever its program does: it is in no branch or loop."""

    @property
    def name(self) -> str:
        return self.op.name

    @property
    def where(self) -> str:
        return file_location(self.op.location)

    @cached_property
    def channel(self) -> int:
        if "channel_handle" not in self.op.attributes:
            return 0
        return stablehlo_extension.ChannelHandle(self.op.attributes["channel_handle"]).handle

    @property
    def types(self) -> list[str]:
        """The types that it sends or receives, tokens left out."""
        values = self.op.results if self.name == _RECEIVE else self.op.operands
        return [text for value in values if (text := str(value.type)) != "!stablehlo.token"]

    def error(self, message: str, *notes: str) -> Diagnostic:
        details = tuple([Diagnostic("note", self.where, note) for note in notes])
        return Diagnostic("error", self.where, f"'{self.name}' op {message}", details)


@dataclass
class _Run:
    """A grid and the talks of the program in each of its processes."""

    known: dict[str, ir.Operation]
    """The symbols of the module."""
    grid: ProcessGrid
    programs: dict[ProcessId, list[_Talk]]
    is_whole: bool = True
    """Whether the size of the grid is known, and not only that it is at least so large."""

    def groups(self, talk: _Talk) -> ProcessGroups:
        """Return the processes that an op lets communicate."""
        attributes = talk.op.attributes
        if "replica_groups" in attributes:
            ids = replica_groups(attributes["replica_groups"], self.known.get)
        elif "source_target_pairs" in attributes:
            ids = to_numpy(attributes["source_target_pairs"]).tolist()
        else:
            return []
        is_end = talk.name in (_SEND, _RECEIVE)
        name = "stablehlo.collective_permute" if is_end else talk.name
        channel = talk.channel if not is_end or self.grid.num_partitions > 1 else 0
        return split_of(name, ids, channel, use_global_device_ids="use_global_device_ids" in attributes)(self.grid)


@dataclass(frozen=True)
class CheckCommunication(Pass):
    """The pass `check-communication`.

    The grid is the one of `interpreter.run_parallel`, or that of the options, or of the module's attributes.
    """

    name: ClassVar[str] = "check-communication"
    summary: ClassVar[str] = "Find groups, channels and permutations by which processes would wait forever or fail"

    num_replicas: int = 0
    num_partitions: int = 0

    def run(self, op: ir.Operation) -> None:
        """Raise `PassError` with everything that is found; the program stays as it is."""
        found: dict[tuple[str, str], Diagnostic] = {}
        for run in _runs(op, self.num_replicas, self.num_partitions):
            for problem in itertools.chain(_group_problems(run), _channel_problems(run), _meeting_problems(run)):
                found.setdefault((problem.location, problem.message), problem)
        if found:
            raise PassError(list(found.values()))


def _runs(module: ir.Operation, num_replicas: int, num_partitions: int) -> Iterator[_Run]:
    known = symbols(module)
    talks = {name: _talks(name, known) for name, op in known.items() if op.name == "func.func"}
    parallel = [op for op in operations(module) if op.name == "interpreter.run_parallel"]
    for op in parallel:
        rows = symbol_rows(op.attributes["programs"])
        grid = ProcessGrid(len(rows), len(rows[0]))
        names = [name for row in rows for name in row]
        yield _Run(known, grid, {process: talks[name] for process, name in zip(grid.process_ids, names, strict=True)})
    if parallel or "main" not in talks:
        return
    sizes = [num_replicas, num_partitions]
    for number, name in enumerate(("mhlo.num_replicas", "mhlo.num_partitions")):
        if not sizes[number] and name in module.attributes:
            sizes[number] = int_of(module.attributes[name])
    grid = ProcessGrid(max(sizes[0], 1), max(sizes[1], 1))
    yield _Run(known, grid, dict.fromkeys(grid.process_ids, talks["main"]), is_whole=any(sizes))


def _talks(name: str, known: dict[str, ir.Operation]) -> list[_Talk]:
    """Return the talks of a function and of those that it calls, in the order of the text; each function once."""
    found: list[_Talk] = []
    reached, seen = [name], {name}
    for function in reached:  # which grows
        for op in operations(known[function])[1:]:
            if {"replica_groups", "source_target_pairs", "channel_handle"} & {*op.attributes.keys()}:
                found.append(_Talk(op, function == name and not _is_conditional(op)))
            elif (callee := callee_of(op)) in known and callee not in seen:
                seen.add(callee)
                reached.append(callee)
    return found


def _is_conditional(op: ir.Operation) -> bool:
    parent = op.parent
    while parent is not None and parent.operation.name != "func.func":
        if facts(parent.operation.name).is_control_flow:
            return True
        parent = parent.operation.parent
    return False


def _listed(processes: Sequence[ProcessId]) -> str:
    text = ", ".join(map(str, processes[:4]))
    return text if len(processes) <= 4 else f"{text} and {len(processes) - 4} more"


def _group_problems(run: _Run) -> Iterator[Diagnostic]:
    """Ids outside the grid, processes without a group or in several, and pairs with one target or source."""
    grid = run.grid
    users: dict[int, tuple[_Talk, list[ProcessId]]] = {}
    for process, talks in run.programs.items():
        for talk in talks:
            users.setdefault(id(talk), (talk, []))[1].append(process)
    for talk, processes in users.values():
        try:
            groups = run.groups(talk)
        except StablehloError as error:
            yield talk.error(error.message)
            continue
        members = [member for group in groups for member in group]
        outside = [member for member in dict.fromkeys(members) if member not in grid]
        if not groups or not run.is_whole:
            continue
        if outside:
            size = f"{grid.num_replicas} replicas by {grid.num_partitions} partitions"
            yield talk.error(f"names processes outside the grid of {size}: {_listed(outside)}")
        if "source_target_pairs" in talk.op.attributes:
            for side, title in ((0, "source"), (1, "target")):
                ends = Counter(pair[side] for pair in groups)
                twice = [end for end, count in ends.items() if count > 1]
                if twice:
                    yield talk.error(f"has pairs with the same {title}: {_listed(twice)}")
            continue
        counted = Counter(members)
        twice = [member for member, count in counted.items() if count > 1]
        if twice:
            yield talk.error(f"has groups that overlap in {_listed(sorted(twice))}")
        missing = [process for process in processes if process not in counted]
        if missing and talk.name not in _NEED_NO_GROUP:
            yield talk.error(f"has no group with {_listed(missing)}")


def _channel_problems(run: _Run) -> Iterator[Diagnostic]:
    """Report channels of collectives and sends together, and channels with one end. Collectives may share a channel:
    JAX gives all of a program the first one."""
    everything = {id(talk): talk for talks in run.programs.values() for talk in talks}.values()
    ends = [talk for talk in everything if talk.name in (_SEND, _RECEIVE)]
    meets = {talk.channel: talk for talk in everything if talk.channel and talk not in ends}
    several = len({id(talks) for talks in run.programs.values()}) > 1
    for talk in ends:
        other_name = _SEND if talk.name == _RECEIVE else _RECEIVE
        others = [other for other in ends if other.name == other_name and other.channel == talk.channel]
        if talk.channel in meets:
            other = meets[talk.channel]
            yield talk.error(f"uses channel {talk.channel}, as '{other.name}' does", f"which stands at {other.where}")
        elif not others and (several or not is_set(talk.op, "is_host_transfer")):
            what = "to which no process sends" if talk.name == _RECEIVE else "from which no process receives"
            yield talk.error(f"uses channel {talk.channel}, {what}")
        elif others and talk.name == _RECEIVE and all(other.types != talk.types for other in others):
            sent = ", ".join(others[0].types)
            what = f"receives {', '.join(talk.types)} from channel {talk.channel}, to which {sent} is sent"
            yield talk.error(what, f"it is sent at {others[0].where}")


def _meeting_problems(run: _Run) -> Iterator[Diagnostic]:
    """Different programs whose processes meet in different collectives, or bring different shapes."""
    programs = {id(talks): (process, talks) for process, talks in run.programs.items()}
    for (process, talks), (other, others) in itertools.combinations(programs.values(), 2):
        channels = dict.fromkeys([talk.channel for talk in (*talks, *others)])
        for channel in channels:
            mine, theirs = [_on_channel(run, some, channel, {process, other}) for some in (talks, others)]
            if mine is None or theirs is None:
                continue
            for one, its in zip(mine, theirs, strict=False):
                if one.name != its.name:
                    yield its.error(f"meets '{one.name}' of process {process} on channel {channel}",
                                    f"which stands at {one.where}")  # fmt: skip
                    break
                if one.types != its.types:
                    brought = ", ".join(one.types)
                    yield its.error(f"brings {', '.join(its.types)}, where process {process} brings {brought}",
                                    f"which stands at {one.where}")  # fmt: skip
            if len(mine) != len(theirs):
                longer, short = (mine, other) if len(mine) > len(theirs) else (theirs, process)
                extra = longer[min(len(mine), len(theirs))]
                yield extra.error(f"waits for process {short}, which does not come to it")


def _on_channel(run: _Run, talks: Sequence[_Talk], channel: int, pair: set[ProcessId]) -> list[_Talk] | None:
    """Return the collectives on a channel where two processes meet, or None if one of them may not run."""
    found = [talk for talk in talks if talk.channel == channel and "replica_groups" in talk.op.attributes]
    if not all(talk.is_certain for talk in found):
        return None
    return [talk for talk in found if any(pair <= {*group} for group in run.groups(talk))]
