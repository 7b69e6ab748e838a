"""Print as JSON what the installed bindings have; provider_matrix.py runs it with each release."""

from __future__ import annotations

import json
import re
from pathlib import Path

from stablehlo_py.artifacts.versions import current_version, version_log
from stablehlo_py.bindings import ir, provider, stablehlo_extension
from stablehlo_py.bindings.op_signatures import as_lists, declared_signature, op_names, op_signature
from stablehlo_py.cli.information import bytecode_version, missing
from stablehlo_py.dialect.catalog import contract_names
from stablehlo_py.interpreter.registry import kernels
from stablehlo_py.passes.catalog import available_passes

_DEFINITION = re.compile(r"^ *(?:class|def) (\w+)", re.MULTILINE)


def _stubs() -> list[str]:
    """The names that the `.pyi` files define, each with its module."""
    root = Path(str(ir.__file__)).parent / "_mlir_libs"
    paths = sorted(root.rglob("*.pyi"))
    return sorted({f"{path.relative_to(root).with_suffix('')}: {name}" for path in paths for name in _names(path)})


def _names(path: Path) -> list[str]:
    return _DEFINITION.findall(path.read_text(encoding="utf-8"))


def _attributes_and_types() -> list[str]:
    """The classes of the extensions for StableHLO and CHLO."""
    modules = {name: provider.optional_module(f"_mlir_libs._{name}") for name in ("stablehlo", "chlo")}
    return [f"{name}.{each}" for name, module in modules.items() for each in dir(module) if each[0].isupper()]


def _uncovered(ops: list[str]) -> list[str]:
    """Return the features that the package lacks for these bindings."""
    newest = version_log()[-1].version
    found = [f"StableHLO {current_version().opset}: the log ends at {newest}"] if current_version() > newest else []
    contracts, known = {f"stablehlo.{name}" for name in contract_names()}, set(kernels())
    for name in ops:
        if name.startswith("stablehlo.") and name not in contracts:
            found.append(f"{name}: no contract")
        if name.startswith("stablehlo.") and name not in known and name != "stablehlo.return":
            found.append(f"{name}: no kernel")
        declared, signature = declared_signature(name), op_signature(name)
        if declared is not None and signature is not None:
            have = {attribute.name for attribute in signature.attributes}
            found += [f"{name}: attribute {each.name}" for each in declared.attributes if each.name not in have]
    return found


def main() -> None:
    """Print one line of JSON."""
    ops = [name for dialect in ("stablehlo", "chlo") for name in op_names(dialect)]
    signatures = {name: declared_signature(name) for name in ops}
    print(
        json.dumps(
            {
                "version": provider.version(),
                "stablehlo": stablehlo_extension.get_current_version(),
                "oldest_stablehlo": stablehlo_extension.get_minimum_version(),
                "bytecode": bytecode_version(),
                "missing": missing(),
                "uncovered": _uncovered(ops),
                "ops": {name: as_lists(known) if known else [] for name, known in signatures.items()},
                "passes": available_passes(),
                "attributes and types": _attributes_and_types(),
                "stubs": _stubs(),
            }
        )
    )


if __name__ == "__main__":
    main()
