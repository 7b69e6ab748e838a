"""The answer of the tools to `--version`."""

from __future__ import annotations

from ..artifacts.header import read_header
from ..bindings import ir, make_context, provider, stablehlo_extension
from ..bindings.capabilities import missing as missing_capabilities
from ..bindings.context import PROGRAM_DIALECTS, has_dialect
from ..passes.compiled import compiled_passes
from ..passes.description import available_passes
from ..version import __version__


def bytecode_version() -> int:
    """Return the version of the MLIR bytecode in artifacts of the current version."""
    with make_context():
        module = ir.Module.parse("func.func @main() {\n  return\n}")
        data = stablehlo_extension.serialize_portable_artifact(module, stablehlo_extension.get_current_version())
    return read_header(data).bytecode_version


def missing() -> dict[str, list[str]]:
    """Return by kind what other releases have and the installed one lacks."""
    context = make_context()
    return {
        "dialects": [name for name in PROGRAM_DIALECTS if not has_dialect(context, name)],
        "passes": sorted(set(compiled_passes()) - set(available_passes())),
        "capabilities": missing_capabilities(with_substitute=False),
        "capabilities that have a substitute": missing_capabilities(with_substitute=True),
    }


def version_text() -> str:
    """Return the versions of this package, of StableHLO with the oldest writable one, of the bytecode and of the
    provider, and the provider's missing features."""
    current, minimum = stablehlo_extension.get_current_version(), stablehlo_extension.get_minimum_version()
    lines = [
        f"stablehlo-py {__version__}",
        f"StableHLO {current} (minimum {minimum})",
        f"MLIR bytecode {bytecode_version()}",
        f"provider {provider.name} {provider.version()}",
        *(f"  lacks {kind}: {', '.join(names)}" for kind, names in missing().items() if names),
    ]
    return "".join(f"{line}\n" for line in lines)
