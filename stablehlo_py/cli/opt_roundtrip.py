"""`--verify-roundtrip`: the module has to survive printing and reading, as text and as bytecode."""

from __future__ import annotations

from ..bindings import ir
from ..bindings.bytecode import bytecode_of
from ..bindings.diagnostics import file_location
from ..errors import STRING, Diagnostic, VerificationError
from ..syntax import Printing, Source, parse_source, print_text


def _first_difference(expected: str, actual: str) -> str:
    for expected_line, actual_line in zip(expected.splitlines(), actual.splitlines(), strict=False):
        if expected_line != actual_line:
            return f"'{actual_line.strip()}' where '{expected_line.strip()}' was written"
    return "the number of lines differs"


def verify_roundtrip(module: ir.Module) -> None:
    """Raises VerificationError where reading back what was written gives another module, and ParseError where what was
    written cannot be read."""
    printing = Printing(enable_debug_info=True)
    expected = print_text(module, printing)
    for form, data in (("text", expected.encode()), ("bytecode", bytecode_of(module))):
        actual = print_text(parse_source(Source(STRING, data), module.context), printing)
        if actual != expected:
            location = file_location(module.operation.location)
            message = f"the module read back from {form} differs: {_first_difference(expected, actual)}"
            raise VerificationError([Diagnostic("error", location, message)])
