"""The cost of a program: arithmetic, bytes moved, and the memory of the values that live at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..bindings import ir
from ..bindings.attributes import callee_of
from ..bindings.diagnostics import file_location
from ..bindings.types import TypeReader
from ..bindings.walk import functions, has_body, operations
from ..errors import InputError
from ..passes.inlining import MAIN
from ..shapes.evaluation.symbols import substitute
from ..syntax.spelling import hint
from ..syntax.tables import short, table
from .arithmetic import operations as arithmetic
from .arithmetic import traffic
from .liveness import Liveness, Visit
from .sizes import Amount, DimensionSizes, Sizes, analysed, weight

if TYPE_CHECKING:
    from ..shapes.refinement.context import Context

AMOUNTS = ("flops", "transcendentals", "bytes", "live")
_IS_DYNAMIC = " is a dynamic size"
_UNKNOWN_LENGTH = "a loop of unknown length counts once"


@dataclass(frozen=True)
class OpCost:
    """The cost of one op in a run of the program. An amount is a number, or an expression in unknown sizes.

    Attributes:
        op: Its name.
        function: The function that it is in.
        index: Its position in the text of that function, which is 0 itself. `explain` has the same.
        location: Its source line.
        runs: How often it runs: more than once in loops and in functions that are called more than once.
        flops: Arithmetic operations in all runs.
        transcendentals: Transcendental functions in all runs.
        bytes: Bytes of operands and results in all runs.
        live: The bytes that live while it runs, the most of all runs.
    """

    op: str
    function: str
    index: int
    location: str
    runs: int
    flops: Amount
    transcendentals: Amount
    bytes: Amount
    live: Amount


@dataclass(frozen=True)
class Cost:
    """The outcome of `cost`.

    Attributes:
        ops: Every op that runs, in the order of the text.
        peak_bytes: The most that the arguments and the live values take at a time.
        peak_at: The op at which that is.
        notes: What could not be counted: unknown sizes, loops of unknown length.
    """

    ops: tuple[OpCost, ...]
    peak_bytes: Amount
    peak_at: str
    notes: tuple[str, ...] = ()

    @property
    def flops(self) -> Amount:
        """Arithmetic operations of the whole program."""
        return sum([one.flops for one in self.ops])

    @property
    def transcendentals(self) -> Amount:
        """Transcendental functions of the whole program."""
        return sum([one.transcendentals for one in self.ops])

    @property
    def bytes(self) -> Amount:
        """Bytes that all ops read and write."""
        return sum([one.bytes for one in self.ops])

    @property
    def intensity(self) -> float | None:
        """Arithmetic operations a byte; None where it depends on sizes that are not known."""
        flops, size = self.flops, self.bytes
        if not isinstance(flops, int) or not isinstance(size, int):
            return None
        return flops / size if size else 0.0

    def at(self, sizes: Mapping[str, int]) -> Cost:
        """Return the cost where symbols such as `arg0[0]` are these numbers. The peak stays at its op."""
        known = DimensionSizes(sizes)
        amounts = [{name: substitute(getattr(one, name), known) for name in AMOUNTS} for one in self.ops]
        ops = [replace(one, **found) for one, found in zip(self.ops, amounts, strict=True)]
        notes = [note for note in self.notes if note.removesuffix(_IS_DYNAMIC) not in sizes]
        return replace(self, ops=tuple(ops), peak_bytes=substitute(self.peak_bytes, known), notes=tuple(notes))

    def by_kind(self) -> dict[str, tuple[int, Amount, Amount, Amount]]:
        """Runs, arithmetic operations, transcendental functions and bytes of each kind of op, the costliest first."""
        kinds: dict[str, tuple[int, Amount, Amount, Amount]] = {}
        for one in self.ops:
            runs, flops, functions, size = kinds.get(one.op, (0, 0, 0, 0))
            kinds[one.op] = runs + one.runs, flops + one.flops, functions + one.transcendentals, size + one.bytes
        return dict(sorted(kinds.items(), key=lambda item: (-weight(item[1][1] + item[1][2]), -weight(item[1][3]))))

    def costliest(self, count: int) -> list[OpCost]:
        """Return the ops with the most arithmetic, then those that move the most bytes."""
        return sorted(self.ops, key=lambda one: (-weight(one.flops + one.transcendentals), -weight(one.bytes)))[:count]

    def __repr__(self) -> str:
        return f"<Cost: {short(self.flops)} operations, {short(self.bytes, 'B')}, peak {short(self.peak_bytes, 'B')}>"

    def _repr_html_(self) -> str:
        rows = [
            (name, runs, short(flops), short(functions), short(size, "B"))
            for name, (runs, flops, functions, size) in self.by_kind().items()
        ]
        return table(repr(self)[len("<Cost: ") : -1], ("op", "runs", "operations", "functions", "bytes"), rows)

    def as_dict(self) -> dict[str, Any]:
        """Return the cost as JSON holds it; an amount that depends on unknown sizes is a text."""
        return {
            "flops": plain(self.flops),
            "transcendentals": plain(self.transcendentals),
            "bytes": plain(self.bytes),
            "intensity": self.intensity,
            "peak_bytes": plain(self.peak_bytes),
            "peak_at": self.peak_at,
            "notes": list(self.notes),
            "ops": [{name: plain(value) for name, value in vars(one).items()} for one in self.ops],
        }


def plain(value: Any) -> int | str:
    """Return a number, or the text of anything else."""
    return value if isinstance(value, int) else str(value)


@dataclass
class _Function:
    """The cost of a function that is called once in one way."""

    name: str
    costs: list[OpCost] = field(default_factory=list[OpCost])
    # The called function, its number of executions, and the bytes that live outside.
    calls: list[tuple[object, int, Amount]] = field(default_factory=list[tuple[object, int, Amount]])
    peak: Amount = 0
    peak_at: str = ""


class _Counter:
    """Counts each function once for each context of its calls, and multiplies."""

    def __init__(self, module: ir.Module) -> None:
        self.functions = functions(module.operation)
        self.types = TypeReader()
        self.contexts = analysed(module, self.types)
        self.notes: dict[str, None] = {}
        self.counted: dict[object, _Function] = {}
        self.locations: dict[str, list[str]] = {}

    def count(self, name: str) -> list[object]:
        """Count a function and all that it calls; return them, callers first."""
        order: list[object] = []
        pending: list[tuple[object, str, Context | None, bool]] = [(name, name, self.contexts.get(name), False)]
        open_keys: set[object] = set()
        while pending:
            key, function, context, ended = pending.pop()
            if ended:
                self.counted[key] = self.function(key, function, context, open_keys)
                open_keys.discard(key)
                order.append(key)
            elif key not in self.counted and key not in open_keys:
                open_keys.add(key)
                pending.append((key, function, context, True))
                pending += self.callees(function, context)
        return order[::-1]

    def callees(self, name: str, context: Context | None) -> list[tuple[object, str, Context | None, bool]]:
        """Return the functions that a function calls, each with the known values of its arguments."""
        sizes = Sizes(self.types, context)
        named = [(callee_of(op), sizes.callees.get(op)) for op in operations(self.functions[name])]
        known = [one for one in named if one[0] in self.functions and has_body(self.functions[one[0]])]
        return [(callee if inner is None else id(inner), callee, inner, False) for callee, inner in known]

    def function(self, key: object, name: str, context: Context | None, open_keys: set[object]) -> _Function:
        """Count one function, whose callees are counted already unless they are still open, and so recursive."""
        found = _Function(name)
        sizes = Sizes(self.types, context)
        if len(self.functions[name].regions[0].blocks) > 1:
            self.notes[f"of @{name} the first block is counted: which others run is not known"] = None
        for visit in Liveness(self.functions[name], sizes).visits():
            if visit.trips is None:
                self.notes[_UNKNOWN_LENGTH] = None
            if visit.op.name.startswith("mpmd."):
                self.notes["fragments of MPMD are not counted here: stablehlo cost counts their global program"] = None
            peak, where = visit.peak, ""
            name_of_callee = callee_of(visit.op)
            if name_of_callee:
                inner = sizes.callees.get(visit.op)
                callee = name_of_callee if inner is None else id(inner)
                called = None if callee in open_keys else self.counted.get(callee)
                if called is None:
                    self.notes[f"@{name_of_callee} is not counted: it is recursive or has no body"] = None
                else:
                    outside = visit.live - sum(map(sizes.bytes, visit.op.operands))
                    found.calls.append((callee, visit.runs, outside))
                    if weight(outside + called.peak) > weight(peak):
                        peak, where = outside + called.peak, called.peak_at
            found.costs.append(self.cost(visit, name, sizes, peak))
            if weight(peak) > weight(found.peak):
                found.peak, found.peak_at = peak, where if where else _described(visit.op)
        found.costs.sort(key=lambda one: one.index)
        return found

    def cost(self, visit: Visit, name: str, sizes: Sizes, peak: Amount) -> OpCost:
        op, runs = visit.op, visit.runs
        for value in (*op.operands, *op.results):
            self.watch(value, sizes)
        flops, transcendentals, moved = (amount * runs for amount in (*arithmetic(op, sizes), traffic(op, sizes)))
        where = file_location(op.location)
        return OpCost(op.name, name, visit.number, where, runs, flops, transcendentals, moved, peak)

    def watch(self, value: ir.Value, sizes: Sizes) -> None:
        """Note which symbols stand for the dynamic sizes of a value."""
        type_ = self.types[value.type]
        shape = getattr(type_, "shape", ())
        if None not in shape:
            return
        known = sizes.shape(value)
        if known is None:
            self.notes[f"values of type {type_} are not counted: their shape is dynamic"] = None
        else:
            names = {str(symbol) for size in known if not isinstance(size, int) for symbol in size.symbols()}
            self.notes.update(dict.fromkeys([f"{symbol}{_IS_DYNAMIC}" for symbol in sorted(names)]))


def _described(op: ir.Operation) -> str:
    where = file_location(op.location)
    return f"{op.name} at {where}" if where else op.name


def _total(counter: _Counter, order: Sequence[object]) -> list[OpCost]:
    """Return the costs of all functions, multiplied by their calls; `order` has callers before callees."""
    runs: dict[object, int] = {order[0]: 1}
    outside: dict[object, Amount] = {order[0]: 0}
    totals: dict[tuple[str, int], OpCost] = {}
    for key in order:
        found = counter.counted[key]
        for callee, count, live in found.calls:
            runs[callee] = runs.get(callee, 0) + runs[key] * count
            live = live + outside[key]
            if callee not in outside or weight(live) > weight(outside[callee]):
                outside[callee] = live
        for one in found.costs:
            position = (one.function, one.index)
            totals[position] = _added(totals.get(position), one, runs[key], outside[key])
    return list(totals.values())


def _added(before: OpCost | None, one: OpCost, runs: int, outside: Amount) -> OpCost:
    """Add further executions to an op's cost."""
    live = one.live + outside
    sums: dict[str, Any] = {name: getattr(one, name) * runs for name in ("runs", *AMOUNTS[:-1])}
    if before is None:
        return replace(one, **sums, live=live)
    sums = {name: getattr(before, name) + more for name, more in sums.items()}
    return replace(before, **sums, live=live if weight(live) > weight(before.live) else before.live)


def cost(module: ir.Module, function: str = "main") -> Cost:
    """Count what a function of a program costs.

    Args:
        module: The program.
        function: The function that runs; for `main`, where it is missing, the only one.

    Returns:
        The cost of every op, and the most memory that values take at a time. Both branches of an `if` count. Unknown
        sizes are symbols; of two amounts with symbols the larger is the one that is larger at 1024 for each.

    Raises:
        InputError: The module has no such function.
    """
    counter = _Counter(module)
    known = counter.functions
    name = next(iter(known)) if function == MAIN and MAIN not in known and len(known) == 1 else function
    if name not in known or not has_body(known[name]):
        bodies = [each for each, op in known.items() if has_body(op)]
        raise InputError(f"the program has no function @{function}{hint(function, bodies)}")
    order = counter.count(name)
    whole = counter.counted[order[0]]
    return Cost(tuple(_total(counter, order)), whole.peak, whole.peak_at, tuple(counter.notes))


def cost_text(found: Cost, top: int, *, each: bool = False) -> str:
    """Return the cost of a program, and of the costliest kinds of ops; with `each`, of the costliest ops."""
    intensity = found.intensity
    lines = [
        f"arithmetic operations:   {short(found.flops)}",
        f"functions (exp, log, …): {short(found.transcendentals)}",
        f"bytes read and written:  {short(found.bytes, 'B')}",
        f"operations a byte:       {'depends on sizes' if intensity is None else f'{intensity:.3g}'}",
        f"peak of live values:     {short(found.peak_bytes, 'B')} at {found.peak_at}",
        f"{'runs':>10}{'operations':>12}{'functions':>12}{'bytes':>12}  op",
        *(_ops(found, top) if each else _kinds(found, top)),
        *(f"note: {note}" for note in found.notes),
    ]
    return "\n".join(lines)


def _row(runs: int, flops: object, functions: object, size: object, name: str) -> str:
    return f"{runs:>10}{_cell(flops)}{_cell(functions)}{_cell(size)}  {name}"


def _cell(amount: object) -> str:
    text = short(amount)
    return f"{text:>12}" if len(text) < 12 else f"  {text}"


def _kinds(found: Cost, top: int) -> list[str]:
    return [_row(*amounts, name) for name, amounts in list(found.by_kind().items())[:top]]


def _ops(found: Cost, top: int) -> list[str]:
    return [
        _row(one.runs, one.flops, one.transcendentals, one.bytes, f"{one.op} {one.location}".rstrip())
        for one in found.costliest(top)
    ]
