"""Puts library functions next to the ops of a program, calls into them where calls are, and takes them out again."""

from __future__ import annotations

from collections.abc import Callable

from ...bindings import ir
from ...bindings.attributes import string_of, symbol_name, symbol_of
from ...bindings.build import detached_copy
from ...bindings.walk import body_of, children, descend, has_body, terminator_of
from ...bindings.walk import functions as functions_of
from ...bindings.walk import symbols as symbols_of
from ..evaluation.op_arguments import ElementTypes
from ..library import Library, LibraryFunction
from ..signatures import DTYPE, SHAPE
from . import wrapping

# The ops inside, or the named function, decide about the types of these; see `control_flow`.
STRUCTURAL = {"stablehlo.if", "stablehlo.case", "stablehlo.while"}
TARGETS = {"stablehlo.custom_call": "call_target_name", "stablehlo.composite": "name"}


def target_of(op: ir.Operation) -> str:
    """Return the target of a custom call, the name of a composite, or an empty string."""
    attribute = TARGETS.get(op.name)
    return "" if attribute is None else string_of(op.attributes[attribute])


def find_function(library: Library, kind: str, op: ir.Operation) -> LibraryFunction | None:
    """The library function for an op; one for the target of a custom call or composite comes before the op's own."""
    found = library.find(kind, op.name, target_of(op)) if op.name in TARGETS else None
    return library.find(kind, op.name) if found is None else found


def _candidates(module: ir.Operation) -> list[ir.Operation]:
    """List the ops of a program that a library function can be put next to: those with results in functions and in the
    bodies of if, case and while. Reducers on scalars stay as they are."""
    entered = ("func.func", "builtin.module", *STRUCTURAL)
    found = _outermost(module, lambda op: op.name not in entered or wrapping.is_library_function(op))
    skipped = ("func.call", "scf.execute_region")
    return [
        wrapping.inside(op) for op in found if wrapping.is_wrapper(op) or (len(op.results) and op.name not in skipped)
    ]


def is_ranked(op: ir.Operation) -> bool:
    """Whether library functions can talk about all operands and results; nothing has a rank in a type like
    tensor<*xf32>."""
    return not any(isinstance(value.type, ir.UnrankedTensorType) for value in [*op.operands, *op.results])


def element_types_of(module: ir.Operation) -> ElementTypes:
    """Return the codes of a module's element types, with the numbers that library functions in it already use."""
    name = wrapping.QUANTIZED_TYPES
    types = ir.ArrayAttr(module.attributes[name]) if name in module.attributes else ()
    return ElementTypes([str(ir.TypeAttr(type_).value) for type_ in types])


def reify(module: ir.Operation, library: Library, kind: str) -> None:
    """Wrap every op that has a shape or dtype function, and add the functions to the module. Raises
    `LibraryError` at the op whose library function does not fit it."""
    codes = element_types_of(module)
    used: dict[str, None] = {}
    for op in _candidates(module):
        library_function = find_function(library, kind, op)
        if library_function is None or not is_ranked(op) or _has_function_region(op, kind):
            continue
        used[library.compile(library_function)] = None
        wrapping.add_function_region(op, library_function, codes)
    if kind == DTYPE and codes.quantized:
        types = [ir.TypeAttr.get(ir.Type.parse(text, module.context)) for text in codes.quantized]
        module.attributes[wrapping.QUANTIZED_TYPES] = ir.ArrayAttr.get(types, module.context)
    if used:
        shared = [library.compiler.compile_prelude("list.at")] if kind == SHAPE else []
        add_functions(module, library.text_of([*used, *shared]))


def _has_function_region(op: ir.Operation, kind: str) -> bool:
    wrapper = wrapping.around(op)
    return wrapper != op and any(found == kind for found, _ in wrapping.function_regions(wrapper))


def add_functions(module: ir.Operation, text: str) -> None:
    """Move the library's functions in MLIR text into the module, which may have some of them."""
    present = symbols_of(module)
    parsed = ir.Module.parse(text, module.context)
    for function in children(parsed.operation):
        if symbol_name(function) not in present:
            function.detach_from_parent()
            function.attributes[wrapping.FUNCTION] = ir.UnitAttr.get(module.context)
            body_of(module).append(function)


def inline(module: ir.Operation) -> None:
    """Inline calls in library functions, and drop functions without calls."""
    functions = {name: op for name, op in functions_of(module).items() if wrapping.is_library_function(op)}
    for function in functions.values():
        _inline_calls(function, functions)
    for op in _outermost(module, wrapping.is_function_region):
        _inline_calls(op, functions)
    drop_functions(module, keep_called=True)


def _outermost(op: ir.Operation, wanted: Callable[[ir.Operation], bool]) -> list[ir.Operation]:
    """List the ops below `op` that are wanted, without those inside others that are."""
    found = list[ir.Operation]()

    def enters(inner: ir.Operation) -> bool:
        if wanted(inner):
            found.append(inner)
        return found[-1:] != [inner]

    descend(op, enters)
    return found


def _inline_calls(op: ir.Operation, functions: dict[str, ir.Operation]) -> None:
    """Replace all calls below `op`. The called functions have lost theirs by then, or lose them here."""
    for inner in children(op):
        if inner.name != "func.call":
            if len(inner.regions):
                _inline_calls(inner, functions)
            continue
        callee = functions.get(symbol_of(inner.attributes["callee"]))
        if callee is not None and has_body(callee):
            _inline_calls(callee, functions)
            _replace_call(inner, callee)


def _replace_call(call: ir.Operation, callee: ir.Operation) -> None:
    """Put a copy of the body of `callee` in the place of a call of it."""
    copy = detached_copy(callee)
    body = copy.regions[0].blocks[0]
    for argument, operand in zip(body.arguments, call.operands, strict=True):
        argument.replace_all_uses_with(operand)
    operations = [view.operation for view in body.operations]
    for op in operations[:-1]:
        op.move_before(call)
    returned = list(operations[-1].operands)
    operations[-1].erase()
    for old, new in zip(call.results, returned, strict=True):
        old.replace_all_uses_with(new)
    call.erase()


def drop_functions(module: ir.Operation, *, keep_called: bool = False) -> None:
    """Remove the library's functions; with `keep_called` those that are still called stay."""
    called = set[str]()
    if keep_called:
        found = _outermost(module, lambda op: op.name == "func.call" or wrapping.is_library_function(op))
        called = {symbol_of(op.attributes["callee"]) for op in found if op.name == "func.call"}
    for name, op in functions_of(module).items():
        if wrapping.is_library_function(op) and name not in called:
            op.erase()


def drop(module: ir.Operation) -> None:
    """Take every op out of its wrapper, and remove all library functions."""
    for wrapper in _outermost(module, wrapping.is_wrapper):
        body = wrapping.body_of(wrapper)
        for inner, outer in zip(body.results, wrapper.results, strict=True):
            outer.replace_all_uses_with(inner)
        terminator_of(wrapper.regions[0].blocks[0]).erase()
        body.detach_from_parent()
        ir.InsertionPoint(wrapper).insert(body)
        wrapper.erase()
    drop_functions(module)
    if wrapping.QUANTIZED_TYPES in module.attributes:
        del module.attributes[wrapping.QUANTIZED_TYPES]
