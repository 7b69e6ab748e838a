"""StableHLO programs in Python: parse, verify, transform, run and exchange them.

    import numpy as np
    import stablehlo_py

    add = stablehlo_py.load(pathlib.Path("add.mlir"))
    total = add(1.0, np.float32(2))

    module = stablehlo_py.parse(pathlib.Path("add.mlir"))
    (total,) = stablehlo_py.interpret(module, [np.float32(1), np.float32(2)])

A module is the `ir.Module` of MLIR's Python bindings, with the official dialects. A tensor is a numpy array of its
shape and element type; ml_dtypes has the types that numpy lacks (bfloat16, float8_e5m2, int4, …). Wrong input raises a
`StablehloError`. Importing this package is cheap: each function imports what it needs when it is called.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from .errors import (
    ArgumentError,
    ArtifactError,
    CheckError,
    Diagnostic,
    DiagnosticsError,
    InputError,
    InterpreterError,
    ParseError,
    PassError,
    ProviderError,
    ResourceError,
    StablehloError,
    UnsupportedOpError,
    UsageError,
    VerificationError,
    documented_errors,
    require_type,
)
from .version import __version__

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from .bindings import ir
    from .interpreter.custom_calls import Handler
    from .interpreter.settings import Listener
    from .program import Program

__all__ = [
    "ArgumentError",
    "ArtifactError",
    "CheckError",
    "Diagnostic",
    "DiagnosticsError",
    "InputError",
    "InterpreterError",
    "ParseError",
    "PassError",
    "Program",
    "ProviderError",
    "ResourceError",
    "StablehloError",
    "UnsupportedOpError",
    "UsageError",
    "VerificationError",
    "__version__",
    "custom_call_handler",
    "deserialize",
    "export",
    "from_numpy",
    "interpret",
    "load",
    "parse",
    "run_passes",
    "serialize",
    "to_numpy",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name != "Program":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .program import Program

    return Program


def __dir__() -> list[str]:
    return sorted(__all__)


def load_ipython_extension(ipython: Any) -> None:
    """Add the magic `%%stablehlo`, which takes a cell for a program, to a notebook: for `%load_ext stablehlo_py`."""
    from .notebook import register

    register(ipython)


def load(
    source: Any,
    *,
    function: str = "main",
    form: str = "",
    check_import: bool | None = None,
    max_memory: int | None = None,
    max_steps: int | None = None,
    timeout: float | None = None,
    deterministic: bool = False,
    probe_directory: str | os.PathLike[str] | None = None,
    listeners: Sequence[Listener] = (),
) -> Program:
    """Return the program in `source` as a function: planned once, called many times.

    Args:
        source: A path (`pathlib.Path`), text, bytes of text, MLIR bytecode, a portable artifact or a serialized
            `jax.export`; a module; a `Traced`, `Lowered` or `Exported` of JAX's, an `onnx.ModelProto` or an
            `ExportedProgram` of PyTorch's.
        function: Which of the module's functions is called.
        form: What a path, text or bytes hold where they do not show it: `hlo-text`, `hlo-proto`, `jax-export`, `mhlo`,
            `onnx` or `torch-export`.
        check_import: Whether a program from another framework is compared with what that framework computes; by default
            a small one from PyTorch or ONNX is.
        max_memory: The bytes that one tensor may have; by default what the machine has.
        max_steps: How many ops a call may run.
        timeout: For how many seconds a call may run.
        deterministic: Whether contractions of any size give the same bits on every processor.
        probe_directory: Where `interpreter.probe` writes.
        listeners: Observers of every op, such as a `stablehlo_py.interpreter.profile.Profile`.

    Raises:
        StablehloError: `source` cannot be read, is no program, has no such function, or its import differs from it.
    """
    from .interpreter.settings import Settings, physical_memory
    from .program import load

    require_type(str, form=form)
    require_type(Sequence, listeners=listeners)
    settings = Settings(
        max_memory=physical_memory() if max_memory is None else max_memory,
        max_steps=max_steps,
        timeout=timeout,
        deterministic=deterministic,
        probe_directory=probe_directory,
        listeners=tuple(listeners),
    )
    with documented_errors():
        return load(source, function, settings, form, check_import)


def parse(
    source: Any,
    *,
    source_name: str | None = None,
    form: str = "",
    allow_unregistered_dialects: bool = False,
    trust_input: bool = False,
) -> ir.Module:
    """Return the verified module in `source`: text, MLIR bytecode or a portable artifact.

    An artifact comes as it is stored, in the VHLO dialect; use `deserialize` for StableHLO. Input is read in a child
    process, which hands the module over, so damaged input does not crash this one. Source: MLIR's language reference.

    Args:
        source: A path (`pathlib.Path`), text, bytes of text or bytecode, or whatever else `load` takes.
        source_name: What stands for the file in locations of text and bytes, `<string>` by default.
        form: As in `load`.
        allow_unregistered_dialects: Let ops of unknown dialects pass.
        trust_input: Read in this process, which saves some milliseconds.

    Raises:
        InputError: The file cannot be read, or `source` is none of these.
        ParseError: The source is not a program of the dialects, or crashes their parser.
        ArtifactError: Bytecode is damaged or no such program; the error is a ParseError as well.
        VerificationError: The program breaks a constraint. As in ParseError, `diagnostics` have the locations.
    """
    from .artifacts.artifact import check_bytecode
    from .program import read_other_form
    from .syntax import parse
    from .syntax.parser import as_source, is_path

    with documented_errors():
        if is_path(source) and not os.path.isfile(source):  # a pipe can be read once
            source = as_source(source)
        other = read_other_form(source, form)
        if other is not None:
            return other[0]
        return parse(
            source,
            source_name=source_name,
            allow_unregistered_dialects=allow_unregistered_dialects,
            trust_input=trust_input,
            check=check_bytecode,
        )


def verify(module: Any, *, trust_input: bool = False, strict: bool = False) -> None:
    """Raise unless every op in `module` obeys its constraints.

    Source: the constraints (C1, C2, …) of each op in the spec.

    Args:
        module: A module, an op, or whatever else `load` takes.
        trust_input: Verify in this process, which some invalid programs crash, and not in a child process.
        strict: Check the constraints too that MLIR's verifier leaves out, in the whole program that an op belongs to;
            docs/spec-gaps.md lists them.

    Raises:
        VerificationError: `diagnostics` name the ops and locations that break a constraint.
    """
    from .bindings import ir
    from .bindings.handover import verify
    from .bindings.walk import outermost

    with documented_errors():
        if not isinstance(module, (ir.Operation, ir.OpView)):
            from .program import read_program

            module = read_program(module)[0]
        # Verify the whole program: some constraints are about the ops around an op.
        op = outermost(module.operation) if strict else module.operation
        verify(op, trust_input=trust_input)
        if strict:
            from .passes.verify_spec import broken_constraints

            found = list(broken_constraints(op))
            if found:
                raise VerificationError(found)


def run_passes(module: ir.Module | ir.Operation, pipeline: str, *, trust_input: bool = False) -> None:
    """Change `module` in place by `pipeline`, with the passes of `stablehlo-opt --list-passes`.

    Args:
        module: A module or an op.
        pipeline: MLIR's textual form with or without the op that it is anchored on:
            `"builtin.module(func.func(chlo-legalize-to-stablehlo),canonicalize)"` or `"canonicalize,cse"`. In the
            second form a pass on functions runs on all functions, as its flag does.
        trust_input: Do without a trial run in a child process, which finds out whether a pass crashes. Pipelines of
            passes that are written in Python have none, unless a limit of time or memory is set.

    Raises:
        UsageError: The pipeline cannot be understood.
        PassError: A pass fails or crashes; after a crash `module` is as it was.
    """
    from .passes.guarded_pipeline import run_guarded_pipeline

    require_type(str, pipeline=pipeline)
    with documented_errors():
        if not hasattr(module, "operation"):
            remedy = "stablehlo_py.parse returns a module, and so does the attribute `module` of a Program"
            raise UsageError(f"passes change a module in place, not a {type(module).__name__}", notes=[remedy])
        run_guarded_pipeline(module, pipeline, trust_input=trust_input)


def interpret(
    module: Any,
    args: Sequence[Any] = (),
    *,
    function: str = "main",
    max_memory: int | None = None,
    max_steps: int | None = None,
    timeout: float | None = None,
    deterministic: bool = False,
    fast: bool | None = None,
) -> list[np.ndarray]:
    """Run a function of `module` in the reference interpreter.

    Plans are kept for modules that were run lately and have not changed.

    Args:
        module: A module or whatever else `load` takes.
        args: Arrays of exactly the parameters' shapes and data types, or Python numbers and lists that lose nothing; a
            tuple for a parameter of tuple type.
        function: Which function runs.
        max_memory: The bytes that one tensor may have; by default what the machine has.
        max_steps: How many ops may run.
        timeout: For how many seconds the run may last.
        deterministic: Give the same bits on every processor for contractions of any size, of which large use BLAS.
        fast: Use accelerators, which give the same results; by default unless STABLEHLO_PY_FAST=0 is set.

    Returns:
        A new array for each result, of that result's shape and data type; a tuple for one of tuple type.

    Raises:
        ArgumentError: The arguments do not fit.
        InterpreterError: The program fails, with the op and its location; also one of its kinds.

    Source: the Execution section and the semantics of each op in the spec.
    """
    from .bindings import ir
    from .interpreter.program import Program
    from .interpreter.reading import numbers
    from .interpreter.settings import Settings, physical_memory

    memory = physical_memory() if max_memory is None else max_memory
    is_fast = Settings.fast if fast is None else fast
    settings = Settings(memory, max_steps, timeout=timeout, deterministic=deterministic, fast=is_fast)
    if not isinstance(module, (ir.Module, ir.Operation)):
        from .program import read_program

        module = read_program(module)[0]
    with documented_errors(), numbers(settings.fast).program(module, settings, Program) as program:
        return cast("list[np.ndarray]", program.run(args, function=function))


def custom_call_handler(target: str) -> Callable[[Handler], Handler]:
    """Decorate a function that `interpret` runs for `stablehlo.custom_call @target`.

    The function takes a `CustomCall` (target, backend_config, result_types) and the operands as arrays. It returns the
    result as an array, a tuple of several, or None. It replaces an earlier one for the same target. Raises nothing;
    `interpret` raises UnsupportedOpError for a target without a handler.

    Args:
        target: The `call_target_name` of the custom call.

    Returns:
        The decorator, which returns the function unchanged.

    Source: the section custom_call in the spec.
    """
    from .interpreter.custom_calls import custom_call_handler

    return custom_call_handler(target)


def export(module: Any, form: str) -> bytes:
    """Return `module` in another form: text or bytes that `stablehlo-translate --export` would write.

    Args:
        module: A module, which stays as it is, or whatever else `load` takes.
        form: `hlo-text`, `hlo-proto` or `mhlo`.

    Raises:
        UsageError: There is no such form.
        InputError: The form cannot express the program, or its writer crashes on it.
    """
    from .artifacts.formats import export
    from .program import read_program

    require_type(str, form=form)
    with documented_errors():
        return export(read_program(module)[0], form)


def serialize(
    module: Any,
    target: str = "current",
    *,
    allow_other_dialects: bool = False,
    strip_debuginfo: bool = False,
) -> bytes:
    """Return the portable artifact of `module`, which stays as it is.

    The artifact depends on the program and the target alone. StableHLO `target` and later versions read it for five
    years.

    Args:
        module: A module, or whatever else `load` takes.
        target: The oldest version that has to read the artifact, such as `1.9.0`, or `current` or `minimum`.
        allow_other_dialects: Write ops of other dialects as they are instead of raising.
        strip_debuginfo: Leave out locations.

    Returns:
        The artifact.

    Raises:
        UsageError: The target is not a known version.
        VerificationError: The program breaks a constraint.
        ArtifactError: The program cannot be expressed in the target version.

    Source: the compatibility guarantees of StableHLO.
    """
    from .artifacts.artifact import serialize
    from .program import read_program

    with documented_errors():
        module = read_program(module)[0]
    return serialize(module, target, allow_other_dialects=allow_other_dialects, strip_debuginfo=strip_debuginfo)


def deserialize(artifact: bytes | os.PathLike[str]) -> ir.Module:
    """Return the StableHLO module in a portable artifact of any supported version.

    Args:
        artifact: The artifact's bytes, or its path.

    Returns:
        The module.

    Raises:
        InputError: The file cannot be read.
        ArtifactError: The data is damaged, or of a version that this release does not read.
    """
    from .artifacts.artifact import deserialize
    from .syntax.parser import as_source

    with documented_errors():
        return deserialize(as_source(artifact).data)


def to_numpy(constant: ir.Attribute | ir.Operation | ir.OpView) -> np.ndarray:
    """Return the values of a constant as a read-only array, every bit kept.

    Args:
        constant: A constant op, or an attribute that holds numbers.

    Returns:
        An array of the attribute's shape, `()` for a single number. A constant of quantized type gives its storage
        values.

    Raises:
        InputError: The attribute does not hold numbers.
    """
    from .bindings import ir
    from .bindings.elements import constant_value, to_numpy

    if isinstance(constant, ir.Attribute):
        return to_numpy(constant)
    operation = getattr(constant, "operation", constant)
    require_type(ir.Operation, constant=operation)
    if "value" not in operation.attributes:
        raise InputError(f"'{operation.name}' op is no constant: it has no value")
    return constant_value(operation)


def from_numpy(array: npt.ArrayLike, type: ir.Type) -> ir.Attribute:  # noqa: A002 (the bindings' own name)
    """Return the dense attribute that holds `array`.

    Args:
        array: An array of the type's data type, or numbers and lists, which are converted to it.
        type: The tensor type, or an element type to go with the array's shape.

    Returns:
        The attribute, in the context of `type`.

    Raises:
        InputError: The shape or the data type does not match `type`.
    """
    from .bindings import ir
    from .bindings.elements import from_numpy

    require_type(ir.Type, type=type)
    return from_numpy(array, type)
