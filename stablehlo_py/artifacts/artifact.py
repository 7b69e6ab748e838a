"""Portable artifacts: writing a module as an artifact and reading it back."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from ..bindings import ir, make_context, passmanager
from ..bindings.build import attributes_of, detached_copy
from ..bindings.context import context_like, register_passes
from ..bindings.diagnostics import describe_exception, diagnostics_to, file_location, shows_op
from ..bindings.handover import module_in_child, verify
from ..bindings.mapped import parse_mapped
from ..bindings.printable import unprintable
from ..bindings.resources import write_out_resources
from ..bindings.walk import operations
from ..errors import ArtifactError, Diagnostic, DiagnosticsError, StablehloError, require_type
from ..isolation.policy import is_expendable
from ..syntax.expansion import excess
from ..syntax.source import MappedBytecode
from .versions import Version, bytecode_format, current_version, minimum_version, resolve_version
from .writers import ProducerWriter, Writer

if TYPE_CHECKING:
    from .bytecode import Bytecode
    from .header import ArtifactInfo

_Result = TypeVar("_Result")
# Since then a location can span a range of a file. The dialect writes ranges into artifacts of older versions too, and
# the readers of that time reject the whole artifact; so here each becomes what they know, its beginning.
_RANGES_SINCE = Version(1, 9)
# The ops that were in VHLO and are not any more, in spite of its promise; no program of StableHLO needed them.
_REMOVED_OP = re.compile(r"unregistered operation 'vhlo\.(compute_reshape_shape_v1|cstr_reshapable_v1|trace_v1)'")
_LAST_WITH_REMOVED_OPS = "0.19"
_PORTABLE_DIALECTS = frozenset({"builtin", "func", "stablehlo", "vhlo"})
# Strings, which can hold anything, or in the text of an attribute the dialect of one, or an array that VHLO lacks.
_FOREIGN = re.compile(r'"(?:[^"\\]|\\.)*"|#([A-Za-z_]\w*)[.<]|(array<(?:i8|i16|i32|f32|f64)\b[^>]*>)')


class UnreadableError(ArtifactError):
    """MLIR's reader rejects an artifact."""


def _collecting(context: ir.Context, call: Callable[[], _Result]) -> _Result:
    """Return what `call` returns, or raise `DiagnosticsError` with the compiler's messages without dumps of ops."""
    said: list[Diagnostic] = []
    with context, diagnostics_to(context, said.append):
        try:
            return call()
        except ir.MLIRError:
            pass
        except (MemoryError, RuntimeError, ValueError) as error:  # how the bindings pass on C++ exceptions
            said.append(describe_exception(error))
    reasons = said if said else [Diagnostic("error", "", "the compiler fails without saying why")]
    raise DiagnosticsError(
        [reason._replace(notes=tuple([note for note in reason.notes if not shows_op(note)])) for reason in reasons]
    )


def _run(module: ir.Operation, passes: str) -> None:
    register_passes()  # the module may be of a context that others made
    _collecting(module.context, lambda: passmanager.PassManager.parse(f"builtin.module({passes})").run(module))


# Serialization ------------------------------------------------------------------------------------------------------


def _cannot_legalize(first: Diagnostic, module: ir.Operation) -> ArtifactError:
    ops = operations(module, inner_first=True)
    foreign = [operation for operation in ops if operation.name.partition(".")[0] not in _PORTABLE_DIALECTS]
    notes: list[str] = []
    location, message = first.location, _without_op(first.message)
    if foreign:
        location = file_location(foreign[0].location)
        message = f"'{foreign[0].name}' op is not part of StableHLO, and a portable artifact holds nothing else"
        dialects = {operation.name.partition(".")[0] for operation in foreign}
        notes.append(f"the program uses these dialects besides stablehlo: {', '.join(sorted(dialects))}")
        if dialects & {"chlo", "shape"}:
            notes.append("lower chlo and shape first, with: stablehlo-opt --chlo-pre-serialization-pipeline")
    elif (carried := _foreign_attribute(module, message)) is not None:
        operation, name, kind = carried
        location = file_location(operation.location)
        message = f"'{operation.name}' op carries the attribute '{name}' {kind}"
        message += ", and a portable artifact holds only StableHLO's"
        notes.append("remove the attribute, or write its text as a string")
    elif (unheld := _unheld_value(module, message)) is not None:
        operation, path, value = unheld
        location = file_location(operation.location)
        message = f"'{operation.name}' op carries {path} = {value}, which no portable artifact can hold"
        notes.append(_in_other_words(value))
    notes.append("keep what is not stablehlo as it is, without the guarantee, with: --allow-other-dialects")
    return ArtifactError(message, location=location, notes=notes)


def _foreign_attribute(module: ir.Operation, message: str) -> tuple[ir.Operation, str, str] | None:
    """Return an op that a message names, its attribute without a form in VHLO, and the kind of the attribute."""
    for operation in operations(module):
        if f"'{operation.name}'" not in message:
            continue
        for name, attribute in operation.attributes.items():
            for found in _FOREIGN.finditer(str(attribute)):
                if found[1] is not None and found[1] not in _PORTABLE_DIALECTS:
                    return operation, name, f"of the dialect {found[1]}"
                if found[2] is not None and ("." in name or name == "composite_attributes"):
                    return operation, name, f"with {found[2]}"
    return None


_MOST_VALUES = 1000
_CARRIES = """func.func @main() {{
  stablehlo.custom_call @target() {{api_version = 4 : i32, backend_config = {{value = {}}}}} : () -> ()
  return
}}"""


def _unheld_value(module: ir.Operation, message: str) -> tuple[ir.Operation, str, str] | None:
    """Return an op that a message names, the path to a value in its attributes without a form in VHLO, and the value.

    A value is tried by itself, in a dictionary. Attributes that are the op's own have forms of their own.
    """
    named = [operation for operation in operations(module) if f"'{operation.name}'" in message]
    pending = [(op, name, value, "." in name) for op in named for name, value in attributes_of(op).items()]
    for _ in range(_MOST_VALUES):
        if not pending:
            break
        operation, path, value, is_free = pending.pop(0)
        if isinstance(value, ir.DictAttr):
            pending += [(operation, f"{path}.{each.name}", each.attr, True) for each in value]
        elif isinstance(value, ir.ArrayAttr):
            pending += [(operation, f"{path}[{index}]", part, True) for index, part in enumerate(value)]
        elif is_free:
            trial = ir.Module.parse(_CARRIES.format(value), module.context)
            try:
                _run(trial.operation, "stablehlo-legalize-to-vhlo")
            except DiagnosticsError:
                return operation, path, str(value)
    return None


def _in_other_words(value: str) -> str:
    """Return the remedy for a value that VHLO does not hold."""
    array = re.fullmatch(r"array<(\w+)(?:: (.*))?>", value)
    if array is None:
        return "write its text as a string"
    elements = array[2] if array[2] else ""
    count = len(elements.split(", ")) if elements else 0
    return f"write dense<[{elements}]> : tensor<{count}x{array[1]}>"


def _without_op(message: str) -> str:
    """Return `failed to legalize operation 'x'` without the print of the op that follows it."""
    return message.partition(" that was explicitly marked illegal")[0]


def legalize_to_vhlo(
    module: ir.Module, *, allow_other_dialects: bool = False, strip_debuginfo: bool = False
) -> ir.Operation:
    """Return a copy of a StableHLO module in the current version of VHLO, its resources written out as constants.

    Raises:
        ArtifactError: The module contains ops of other dialects.
    """
    option = "{allow-other-dialects=true}" if allow_other_dialects else ""
    passes = f"{'strip-debuginfo,' if strip_debuginfo else ''}stablehlo-legalize-to-vhlo{option}"
    reasons: list[Diagnostic] = []
    for written_out in (False, True):
        copy = detached_copy(module.operation)
        if not written_out or write_out_resources(copy):
            try:
                _run(copy, passes)
                return copy
            except DiagnosticsError as error:
                reasons.append(error.diagnostics[0])
    raise _cannot_legalize(reasons[-1], module.operation)


def try_downgrade(vhlo: ir.Operation, target: Version) -> Diagnostic | None:
    """Convert the VHLO module `vhlo` to version `target` in place.

    Returns the dialect's messages, and leaves the module as it was, where it cannot be converted.
    """
    try:
        _run(vhlo, f"vhlo-to-version{{target={target}}}")
    except DiagnosticsError as error:
        return error.diagnostics[0]
    return None


def downgrade(vhlo: ir.Operation, target: Version) -> None:
    """Convert the VHLO module `vhlo` to version `target` in place.

    Raises:
        ArtifactError: Something in the module needs a newer version; the error names it.
    """
    complaint = try_downgrade(vhlo, target)
    if complaint is None:
        return
    from .needs import needs

    blockers = [need for need in needs(vhlo) if need.version > target]
    file = file_location(vhlo.location).rsplit(":", 2)[0]
    hint = f"all of it, and what would do without: stablehlo-compat explain --target {target} {_as_argument(file)}"
    if not blockers:
        message = f"{_without_op(complaint.message)}: it has no form in StableHLO {target}"
        raise ArtifactError(message, location=complaint.location, notes=[hint])
    messages = [f"{need.feature.what} needs StableHLO {need.version}" for need in blockers]
    raise ArtifactError(
        f"{messages[0]}, and the target is {target}",
        location=blockers[0].places[0].location,
        notes=[
            *(f"{message}, at {need.places[0]}" for message, need in zip(messages[1:], blockers[1:], strict=True)),
            hint,
        ],
    )


def _as_argument(file: str) -> str:
    """Return the program's file for a command line; `-` where its locations name none, or the Python that made it."""
    import shlex

    return "-" if not file or file.endswith(".py") or file.startswith("<") else shlex.quote(file)


def serialize_to(
    module: ir.Module,
    writer: Writer,
    target: str | Version = "current",
    *,
    allow_other_dialects: bool = False,
    strip_debuginfo: bool = False,
) -> None:
    """Write the portable artifact of `module` for StableHLO version `target` (see `resolve_version`) to `writer`.

    Nothing is written before the program is known to have a form in `target`. The weights are passed on without
    being collected, so memory stays below twice the module's. The bytes depend on the module and the version only.

    Raises:
        UsageError: The target is unknown.
        VerificationError: The program breaks a constraint, which the passes to VHLO do not look for.
        ArtifactError: The program cannot be written for the target.
    """
    require_type(bool, allow_other_dialects=allow_other_dialects, strip_debuginfo=strip_debuginfo)
    verify(module)
    version = target.opset if isinstance(target, Version) else resolve_version(target)
    vhlo = legalize_to_vhlo(module, allow_other_dialects=allow_other_dialects, strip_debuginfo=strip_debuginfo)
    downgrade(vhlo, version)
    if version < _RANGES_SINCE and not strip_debuginfo:
        from ..bindings.locations import FilePosition, map_positions

        vhlo = map_positions(vhlo, FilePosition.at_start)
    producer = f"StableHLO_v{version}"
    vhlo.write_bytecode(ProducerWriter(writer, producer), bytecode_format(version))


def serialize(
    module: ir.Module,
    target: str | Version = "current",
    *,
    allow_other_dialects: bool = False,
    strip_debuginfo: bool = False,
) -> bytes:
    """Return the portable artifact of `module` for StableHLO version `target`; see `serialize_to`."""
    buffer = io.BytesIO()
    serialize_to(module, buffer, target, allow_other_dialects=allow_other_dialects, strip_debuginfo=strip_debuginfo)
    data = buffer.getvalue()
    _check_readable(data, context_like(module.context, allow_unregistered_dialects=allow_other_dialects))
    return data


def _read_back_job(data: bytes, context: ir.Context) -> tuple[None, None]:
    upgrade(_parse(data, context, None))
    return None, None


def _check_readable(data: bytes, context: ir.Context) -> None:
    """Raise ArtifactError for an artifact that cannot be read: MLIR writes some attributes that it cannot read."""
    outcome = module_in_child(partial(_read_back_job, data), context, len(data))
    if outcome.crash:
        raise ArtifactError(f"the artifact could not be read back: {outcome.crash}", notes=outcome.notes)
    if isinstance(outcome.error, StablehloError):
        raise ArtifactError(
            f"the artifact could not be read back: {outcome.error.message}", location=outcome.error.location
        )


# Deserialization ----------------------------------------------------------------------------------------------------


def _supported() -> str:
    return f"this stablehlo_py reads StableHLO {minimum_version()} to {current_version()}"


def _unreadable(
    first: Diagnostic, info: ArtifactInfo | None, kind: type[ArtifactError] = ArtifactError
) -> ArtifactError:
    notes = [note.message for note in first.notes]
    if info is not None and info.version is not None and info.version.opset > current_version().opset:
        notes.append(
            f"the artifact is of StableHLO {info.version}; {_supported()}: update stablehlo_py and jaxlib, or ask for "
            f"an artifact written with --target={current_version()}"
        )
    elif info is not None and (removed := _REMOVED_OP.search(first.message)) is not None:
        notes.append(
            f"StableHLO took vhlo.{removed[1]} out after {_LAST_WITH_REMOVED_OPS}: versions from "
            f"{info.version} to {_LAST_WITH_REMOVED_OPS} read it, such as that of jaxlib 0.4.25; {_supported()}"
        )
    elif info is not None:
        what = f"an artifact of StableHLO {info.version}" if info.is_portable else f"MLIR bytecode by {info.producer}"
        notes.append(f"the file says that it is {what}; {_supported()}: it is damaged, or not what it says")
    location = "" if first.location.endswith(":0:0") else first.location  # the reader's way to say that it knows none
    return kind(first.message, location=location, notes=notes)


def parse_bytecode(data: bytes, context: ir.Context, *, trusted: bool = False) -> ir.Module:
    """Return the module that MLIR bytecode holds, in the dialects that it is written in (VHLO for an artifact).

    Args:
        data: The bytecode.
        context: Where the module is made.
        trusted: Read in this process, which damaged data can crash; otherwise the structure is checked, and this
            process reads what a child process read and wrote again.

    Raises:
        ArtifactError: What the reader says about the data.
    """
    return _read(data, context, trusted=trusted, upgraded=False)


def check_bytecode(data: bytes) -> Bytecode:
    """Return the tables of MLIR bytecode, which are sound, so that MLIR's reader can be tried.

    Raises:
        ArtifactError: They are not.
    """
    from .bytecode import Bytecode
    from .soundness import check

    bytecode = Bytecode(data)
    check(bytecode)
    return bytecode


def _read(data: bytes, context: ir.Context, *, trusted: bool, upgraded: bool) -> ir.Module:
    """Return the module in `data`, read here or in a child. Raises `ArtifactError` also for a crash."""
    from .header import read_header  # serializing does without what reads

    job = partial(_read_job, data, trusted, upgraded)
    if trusted or is_expendable():
        return job(context)[0]
    outcome = module_in_child(job, context, len(data))
    if outcome.crash:
        notes = tuple(Diagnostic("note", "", note) for note in outcome.notes)
        message = f"MLIR's reader fails on the bytecode: {outcome.crash}"
        raise _unreadable(Diagnostic("error", "", message, notes), read_header(data))
    return outcome.result()[0]


def _read_job(data: bytes, trusted: bool, upgraded: bool, context: ir.Context) -> tuple[ir.Module, None]:
    from .header import header_of

    module = _parse(data, context, None if trusted else header_of(check_bytecode(data)))
    if upgraded:
        upgrade(module)
    return module, None


def _parse(data: bytes, context: ir.Context, info: ArtifactInfo | None) -> ir.Module:
    def read() -> ir.Module:
        if isinstance(data, MappedBytecode):
            return parse_mapped(data.path, data, context)
        return ir.Module.parse(data, context)

    try:
        module = _collecting(context, read)
    except DiagnosticsError as error:
        raise _unreadable(error.diagnostics[0], info, UnreadableError) from None
    found = None if info is None else unprintable(module.operation)
    if found is not None:
        raise _unreadable(Diagnostic("error", file_location(found[0].location), found[1]), info)
    return module


def upgrade(module: ir.Module) -> None:
    """Convert a VHLO module of any version to StableHLO in place.

    Raises:
        ArtifactError: The module cannot be converted.
    """
    try:
        _run(module.operation, f"vhlo-to-version{{target={current_version()}}},vhlo-legalize-to-stablehlo")
    except DiagnosticsError as error:
        raise _unreadable(error.diagnostics[0], None) from None


def deserialize(data: bytes, *, context: ir.Context | None = None, trusted: bool = False) -> ir.Module:
    """Return the StableHLO program in a portable artifact.

    Args:
        data: The artifact.
        context: Where the module is made, a new one by default.
        trusted: Read in this process, which damaged data can crash; see `parse_bytecode`.

    Raises:
        ArtifactError: What was found and what is supported.
    """
    return _read(data, make_context() if context is None else context, trusted=trusted, upgraded=True)


def deserialize_text(data: bytes, *, context: ir.Context | None = None) -> ir.Module:
    """Return the StableHLO program in the text of a VHLO or StableHLO module, which MLIR's tools accept as well.

    Raises:
        ArtifactError: The text is something else.
    """
    from .header import read_header

    context = make_context() if context is None else context
    too_much = excess(data)
    if too_much is not None:
        raise ArtifactError(f"{too_much[1]}, which would take too long")
    try:
        module = _collecting(context, lambda: ir.Module.parse(data, context))
    except DiagnosticsError as error:
        read_header(data)  # raises the error about data that is not bytecode
        raise _unreadable(error.diagnostics[0], None, UnreadableError) from None
    upgrade(module)
    return module
