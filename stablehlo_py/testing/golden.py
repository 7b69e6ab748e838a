"""Golden values: the reference's results for a program, and whether others are permitted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..errors import ArgumentError

if TYPE_CHECKING:
    import numpy as np

    from ..bindings import ir
    from ..debug.allowed.enclosures import Allowed


@dataclass(frozen=True)
class Golden:
    """The results of a program for some arrays. `golden` makes one.

    Attributes:
        module: The program.
        arguments: The arrays that it took.
        values: The reference's results.
    """

    module: ir.Module
    arguments: tuple[np.ndarray, ...]
    values: tuple[np.ndarray, ...]

    def __repr__(self) -> str:
        return "\n".join(f"result {number}: {value!r}" for number, value in enumerate(self.values))

    @cached_property
    def allowed(self) -> tuple[Allowed, ...]:
        """The permitted values of each result of a program of one op; empty for longer programs."""
        from ..bindings.elements import constant_value
        from ..bindings.walk import body_of
        from ..debug.allowed.enclosures import Question
        from ..debug.allowed.ops import allowed
        from ..debug.programs.subject import Extractor

        block = body_of(self.module.body.operations[0].operation)
        *inner, end = [each.operation for each in block.operations]
        constants = {op.results[0]: constant_value(op) for op in inner if op.name == "stablehlo.constant"}
        ops = [op for op in inner if op.name != "stablehlo.constant"]
        if len(ops) != 1 or list(end.operands) != list(ops[0].results):
            return ()
        values: dict[ir.Value, np.ndarray] = {**dict(zip(block.arguments, self.arguments, strict=True)), **constants}
        types = [value.dtype for value in self.values]
        return tuple(allowed(Question(ops[0], values, self.values, types, Extractor(self.module), ops[0].results)))

    def check(self, *results: Any) -> None:
        """Check results of a backend: arrays of any library, one for each of `values`.

        Raises:
            AssertionError: One is not permitted; the text says where, by how much, and by which sentence.
            ArgumentError: One is no array.
        """
        from ..bindings.bytecode import bytecode_of
        from ..debug.allowed.measures import difference
        from ..debug.allowed.spread import tolerances
        from ..interpreter.arguments import as_array

        given = [as_array(result) for result in results]
        for each in given:
            if not hasattr(each, "dtype"):
                raise ArgumentError(f"a {type(each).__name__} is no array: give the results one by one")
        shapes = [(each.shape, each.dtype) for each in given]
        expected = [(each.shape, each.dtype) for each in self.values]
        if shapes != expected:
            raise AssertionError(f"results of {shapes} instead of {expected}")
        if self.allowed:
            found = [(one.measure(array), one.sentence) for one, array in zip(self.allowed, given, strict=True)]
        else:
            reach = tolerances(bytecode_of(self.module), self.arguments, given, self.values)
            triples = zip(given, self.values, reach, strict=True)
            found = [(difference(array, value, each), str(each)) for array, value, each in triples]
        wrong = [
            f"result {number}: {measured.mismatches} of {measured.count} elements are not permitted ({sentence}), the "
            "largest at {}: {}, expected {}".format(list(measured.worst[0][0]), *measured.worst[0][1:])
            for number, (measured, sentence) in enumerate(found)
            if measured.mismatches
        ]
        if wrong:
            raise AssertionError("\n".join(wrong))


def golden(program: Any, arrays: Sequence[Any]) -> Golden:
    """Return the golden values of a program, or of an op.

    Args:
        program: A Python function on values, such as `ops.tanh` or a lambda; a module; or what `stablehlo_py.parse`
            takes.
        arrays: The arguments: arrays of numpy, jax or torch, or `ops.typed` values.

    Raises:
        StablehloError: The program is wrong, does not fit the arrays, or fails.
    """
    import numpy as np

    from .. import interpret, parse
    from ..bindings import ir
    from ..ops.builder import readable
    from ..ops.functions import built

    values = [readable(array) for array in arrays]
    if callable(program):
        module = built(program, values)
    else:
        module = program if isinstance(program, ir.Module) else parse(program)
    given = [getattr(value, "value", value) for value in values]
    results = interpret(module, given)
    return Golden(module, tuple(map(np.asarray, given)), tuple(map(np.asarray, results)))
