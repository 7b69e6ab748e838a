"""Makes plans: walks a program's functions and regions once, when they are first needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ..bindings import ir
from ..bindings.diagnostics import file_location
from ..bindings.types import TensorType, ValueType
from ..bindings.walk import body_of, has_body, operations_of, symbols
from ..dialect.facts import facts
from ..errors import InterpreterError, StablehloError, UnsupportedOpError
from .limits import Clock, StepCounter, enter_call, leave_call
from .op import Kernel, Op, RegionFacts
from .plan import BoundPlan, Plan, RegionPlan, Step, byte_size, note_last_uses
from .quantization import is_quantized, on_expressed
from .reading import Reading, numbers
from .registry import MakeKernel, is_by_types, is_users, kernel_maker, registrations
from .scope import Scope
from .settings import Settings, require_bytes
from .values import belongs_to, type_text

if TYPE_CHECKING:
    from .probe import ProbeDirectory


# Control flow, whose inner ops are checked one by one; ops whose sizes are values, or that no verifier checks.
_REGIONS_TELL = frozenset({"func.call", "stablehlo.case", "stablehlo.if"})
_ALWAYS_CHECKED = frozenset(
    {
        *("stablehlo.dynamic_broadcast_in_dim", "stablehlo.dynamic_conv", "stablehlo.dynamic_gather"),
        *("stablehlo.dynamic_iota", "stablehlo.dynamic_pad", "stablehlo.dynamic_reshape"),
        *("stablehlo.real_dynamic_slice", "stablehlo.rng"),
        *("stablehlo.einsum", "stablehlo.torch_index_select", "stablehlo.unary_einsum"),
    }
)


class _Signature(NamedTuple):
    """The common parts of ops of one name and of the same types. `kernel` is theirs where it depends on nothing
    else."""

    operand_types: tuple[ValueType, ...]
    result_types: tuple[ValueType, ...]
    result_bytes: int
    on_expressed: bool
    is_dynamic: bool
    kernel: Kernel | None


class Planner:
    """The plans of one module's functions, made on demand and kept.

    When the first CHLO op is met, the functions that are not planned yet are expressed in StableHLO. With `shares` the
    processes of a grid share what they compute from equal values.
    """

    def __init__(
        self, module: ir.Operation, settings: Settings, reading: Reading | None = None, *, shares: bool = False
    ) -> None:
        self.settings = settings
        self.shares = shares
        self.reading = numbers(settings.fast) if reading is None else reading
        self.counter = StepCounter(settings.max_steps)
        self.clock = Clock(settings.timeout)
        self.types = self.reading.types()
        self._registrations = registrations()
        self._probes: ProbeDirectory | None = None
        self._plans: dict[str, Plan] = {}
        self._signatures: dict[tuple[Any, ...], _Signature] = {}
        self._given = module
        self._use(module)

    def start(self) -> None:
        """A run begins: its steps and its time count from now on."""
        self.counter.start()
        self.clock.start()

    def function(self, name: str) -> ir.Operation:
        """The function called `name`. Raises `InterpreterError` where the module has none with a body."""
        function = self.functions.get(name)
        if function is None:
            known = ", ".join(f"@{other}" for other in self.functions)
            notes = [f"the module defines {known}"] if known else []
            raise InterpreterError(f"function @{name} is not defined", notes=notes)
        if not has_body(function):
            raise InterpreterError(f"function @{name} has no body", location=file_location(function.location))
        return function

    def plan(self, name: str) -> Plan:
        """The plan of the function called `name`; a new one where users have registered something since."""
        if self._registrations != registrations():
            self._registrations = registrations()
            self._plans.clear()
            self._signatures.clear()
            self._use(self._given)  # with the CHLO ops, which may have kernels now
        known = self._plans.get(name)
        if known is None:
            try:
                known = self._plan_function(name)
            except UnsupportedOpError as error:
                if not error.op.startswith("chlo."):
                    raise
                from .chlo import lower_chlo

                self._use(lower_chlo(self._module))
                known = self._plan_function(name)
            self._plans[name] = known
        return known

    def _use(self, module: ir.Operation) -> None:
        """From here on, plan functions of this module."""
        self._module = module
        for name in ("symbols", "functions"):
            self.__dict__.pop(name, None)

    @cached_property
    def symbols(self) -> dict[str, ir.Operation]:
        """The module's symbols by name; looked up when first asked for, as folding an op hardly ever does."""
        return symbols(self._module)

    @cached_property
    def functions(self) -> dict[str, ir.Operation]:
        """The module's functions by name."""
        return {name: op for name, op in self.symbols.items() if op.name == "func.func"}

    def _plan_function(self, name: str) -> Plan:
        function = self.function(name)
        plan, captures = self._plan_region(function, function.regions[0], None, is_function=True)
        if captures:  # a function is isolated from above, so the verifier has seen to this
            raise InterpreterError(f"function @{name} uses values defined outside it")
        return plan

    def callable(self, name: str) -> Callable[..., tuple[Any, ...]]:
        """Return a callable for the function `name`, planned when it is first called, so that calls may be cyclic."""

        def call(*values: Any) -> tuple[Any, ...]:
            enter_call()
            try:
                return self.plan(name).run(*values)
            finally:
                leave_call()

        return call

    def planned(self, name: str) -> Plan | None:
        """Return the plan of the function called `name` if it has been made, or None."""
        return self._plans.get(name)

    def body(self, name: str) -> tuple[BoundPlan, RegionFacts]:
        """The function called `name` as the region of an op."""
        function = self.function(name)
        region = function.regions[0]
        plan, _ = self._plan_region(function, region, None)
        return BoundPlan(plan, ()), self._facts(region, plan, ())

    def parameter_count(self, name: str) -> int:
        """The number of arguments of the function called `name`."""
        return len(body_of(self.function(name)).arguments)

    def probes(self, op: Op) -> ProbeDirectory:
        """The folder that the program's probes write to; made when the first op needs it."""
        path = self.settings.probe_directory
        if path is None:
            raise op.error("needs the directory of the probes: --probe-output-dir (probe_directory in the API)")
        if self._probes is None:
            from pathlib import Path

            from .probe import ProbeDirectory

            self._probes = ProbeDirectory(Path(path))
        return self._probes

    def symbol(self, name: str) -> ir.Operation | None:
        """The op that defines the symbol `name` at the top of the module, or None."""
        return self.symbols.get(name)

    def read_types(self, values: Sequence[ir.Value]) -> tuple[ValueType, ...]:
        """The types of SSA values, decoded."""
        types = self.types
        return tuple([types[value.type] for value in values])

    def step(self, operation: ir.Operation, scope: Scope) -> Step:
        """One op of a block, ready to run; its last-use information is left empty."""
        self.clock.check()
        name = operation.name
        try:
            operands, results = scope.place(operation, self.types)
        except StablehloError as error:  # a type without values here, such as i128
            self._maker(operation)
            where = file_location(operation.location)
            raise InterpreterError(f"has a result of {error.message}", op=name, location=where) from None
        signature = name, len(operands), *[id(scope.types[slot]) for slot in operands + results]
        known = self._signatures.get(signature)
        if known is not None and known.kernel is not None:
            op = Op(operation, name, known.operand_types, known.result_types, (), self)
            return Step(op, known.kernel, operands, results, (), (), known.result_bytes, _size_check(op, known))
        make_kernel = self._maker(operation)
        run = () if facts(name).ignores_regions else operation.regions
        regions = tuple([self._region(operation, region, scope) for region in run])
        types = (scope.types_of(operands), scope.types_of(results)) if known is None else known[:2]
        op = Op(operation, name, *types, tuple([region.facts for region in regions]), self)

        def make(op: Op) -> Kernel:
            return self.reading.kernel(op, make_kernel)

        try:
            if known is None:
                known = _signature(op)
            require_bytes(known.result_bytes)
            kernel = on_expressed(op, make) if known.on_expressed else make(op)
        except StablehloError as error:
            if not error.op and not error.location:
                error.op, error.location = name, op.location
            raise
        can_share = is_by_types(name) and not known.on_expressed
        self._signatures[signature] = known._replace(kernel=kernel) if can_share else known
        return Step(op, kernel, operands, results, regions, (), known.result_bytes, _size_check(op, known))

    def _maker(self, operation: ir.Operation) -> MakeKernel:
        """The maker of the op's kernel. Raises `UnsupportedOpError`."""
        make_kernel = kernel_maker(operation.name)
        if make_kernel is None:
            where = file_location(operation.location)
            raise UnsupportedOpError("has no kernel in the interpreter", op=operation.name, location=where)
        return make_kernel

    def single_step_plan(self, step: Step, inputs: Sequence[int]) -> Plan:
        """A plan that takes the values of the slots `inputs`, runs one step and returns its results."""
        size = len(inputs) + len(step.results)
        plan = Plan(tuple(inputs), (step,), step.results, size, self.settings, self.counter, self.clock)
        return self.reading.plan(plan, is_function=True, shares=False)

    def _region(self, owner: ir.Operation, region: ir.Region, scope: Scope) -> RegionPlan:
        try:
            plan, captures = self._plan_region(owner, region, scope)
        except InterpreterError as error:
            self.clock.check()
            if not facts(owner.name).is_control_flow or error.op.startswith("chlo."):
                raise
            # It cannot be evaluated, which matters only if it ever runs.
            arguments = self.read_types([argument for block in region.blocks for argument in block.arguments])
            return RegionPlan(_Failing(error, self), (), RegionFacts(arguments, False, ""))
        return RegionPlan(plan, captures, self._facts(region, plan, captures))

    def _plan_region(
        self, owner: ir.Operation, region: ir.Region, parent: Scope | None, *, is_function: bool = False
    ) -> tuple[Plan, tuple[int, ...]]:
        blocks = list(region.blocks)
        if len(blocks) != 1:
            where = file_location(owner.location)
            raise InterpreterError(f"region has {len(blocks)} blocks, expected 1", location=where)
        block = blocks[0]
        scope = Scope(parent)
        arguments = [scope.add(argument, self.types[argument.type]) for argument in block.arguments]
        operations = operations_of(owner, region)
        if not operations or facts(operations[-1].name).ends != "region":
            raise InterpreterError("a region must end in a return", location=file_location(owner.location))
        steps = [self.step(operation, scope) for operation in operations[:-1]]
        returns = tuple([scope.find(value) for value in operations[-1].operands])
        outer = tuple([outside for outside, _ in scope.captures])
        inputs = tuple([inside for _, inside in scope.captures]) + tuple(arguments)
        dead = note_last_uses(steps, inputs, returns)
        plan = Plan(inputs, tuple(steps), returns, scope.size, self.settings, self.counter, self.clock, dead)
        return self.reading.plan(plan, is_function=is_function, shares=self.shares), outer

    def _facts(self, region: ir.Region, plan: Plan, captures: tuple[int, ...]) -> RegionFacts:
        arguments = self.read_types(list(region.blocks[0].arguments))
        scalars = all(isinstance(type_, TensorType) and type_.rank == 0 for type_ in arguments)
        elementwise = scalars and all(map(_is_elementwise_on_scalars, plan.steps))
        sole_op = ""
        if len(plan.steps) == 1 and not captures:
            step = plan.steps[0]
            if step.operands == plan.inputs and step.results == plan.returns:
                # On quantized values it is not what it is on integers, and a user's is not what its name says.
                sole_op = "" if _has_quantized(step.op) or is_users(step.op.name) else step.op.name
        return RegionFacts(arguments, elementwise, sole_op)


class _Failing(Plan):
    """A region that cannot be evaluated: it raises this error if it ever runs."""

    def __init__(self, error: InterpreterError, planner: Planner) -> None:
        super().__init__((), (), (), 0, planner.settings, planner.counter, planner.clock)
        self._error = error

    def run(self, *values: Any) -> tuple[Any, ...]:
        raise self._error


def _is_elementwise_on_scalars(step: Step) -> bool:
    if is_users(step.op.name):  # its results are checked, and arrays would not be of their types
        return False
    return facts(step.op.name).is_elementwise_on_scalars and all(
        isinstance(type_, TensorType) and type_.rank == 0 for type_ in (*step.op.operand_types, *step.op.result_types)
    )


def _has_quantized(op: Op) -> bool:
    return any(map(is_quantized, (*op.operand_types, *op.result_types)))


def _signature(op: Op) -> _Signature:
    """Return what the op's name and types tell about its results."""
    result_bytes = sum(map(byte_size, op.result_types))
    about = facts(op.name)
    on_expressed = _has_quantized(op) and about.quantized == "expressed"
    types = (*op.operand_types, *op.result_types)
    is_dynamic = any(isinstance(type_, TensorType) and not type_.is_static for type_ in types)
    return _Signature(op.operand_types, op.result_types, result_bytes, on_expressed, is_dynamic, None)


def _size_check(op: Op, signature: _Signature) -> Callable[[Sequence[Any]], None] | None:
    """Return the check of an op's sizes; None if its types tell them, for the verifier has seen to those."""
    if op.name == "stablehlo.while" and signature.is_dynamic:
        return partial(_check_state, op)
    if (not signature.is_dynamic and op.name not in _ALWAYS_CHECKED) or is_users(op.name) or op.name in _REGIONS_TELL:
        return None

    from ..shapes.refinement.actual_sizes import SizeCheck

    return SizeCheck(op.operation)


def _check_state(op: Op, operands: Sequence[Any]) -> None:
    """Raise `InterpreterError` unless the first state of a loop is of the types that its regions take."""
    for region in op.regions:
        for index, (operand, type_) in enumerate(zip(operands, region.argument_types, strict=True)):
            if not belongs_to(operand, type_):
                raise op.error(f"takes {type_text(operand)} as operand {index}, its regions expect {type_}")
