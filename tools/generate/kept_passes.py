"""Write kept_passes.txt in tests/unit/passes and tests/unit/shapes: what passes make of drawn programs, as digests.

Each pass runs as it is by default, and with each of its switches and limits set otherwise; of several that make the
same of all programs, the first is kept. Takes 30 seconds.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

from kept_draws import OPTIONS, write

from stablehlo_py.bindings import ir, make_context
from stablehlo_py.bindings.bytecode import copy_of
from stablehlo_py.bindings.walk import operations
from stablehlo_py.conformance.fuzz.structures import draw_program
from stablehlo_py.errors import StablehloError
from stablehlo_py.passes.base import Pass
from stablehlo_py.passes.catalog import PYTHON_PASSES, find_pass
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.passes.pipeline_text import option_name

_UNIT = Path(__file__).resolve().parents[2] / "tests" / "unit"
_SHAPES = ("abstract_refinement:", "hlo_test.")  # modules of passes that are about shapes
_WITH_ARGUMENTS = ("stablehlo-check-profile", "stablehlo-deserialize")


def path(room: str) -> Path:
    """Return the file of a room."""
    return _UNIT / room / "kept_passes.txt"


def programs(context: ir.Context) -> list[ir.Module]:
    """Return programs of every step, with and without dynamic sizes."""
    texts = [draw_program(Random(seed), options, context).text for options in OPTIONS.values() for seed in range(4)]
    texts += [draw_program(Random(seed), OPTIONS["dynamic"], context).text for seed in range(4, 16)]
    return [ir.Module.parse(text, context) for text in texts]


def loosened(module: ir.Module) -> ir.Module:
    """Return the program with unknown sizes in the results of its ops, wherever it is valid with them."""
    changed = copy_of(module)
    for op in operations(changed.operation):
        for result in op.results:
            before = result.type
            if not isinstance(before, ir.RankedTensorType):
                continue
            unknown = [ir.ShapedType.get_dynamic_size()] * before.rank
            result.set_type(ir.RankedTensorType.get(unknown, before.element_type, loc=op.location))
            try:
                changed.operation.verify()
            except ir.MLIRError:
                result.set_type(before)
    return changed


def pipelines(room: str) -> Iterator[str]:
    """Yield the passes of a room that are written in Python, each once more for each option."""
    for name, module in PYTHON_PASSES.items():
        if module.startswith(_SHAPES) != (room == "shapes") or name in _WITH_ARGUMENTS:
            continue
        pass_class = find_pass(name)
        assert pass_class is not None, name
        yield _nested(pass_class, name)
        for field in dataclasses.fields(pass_class):
            option = option_name(field.name)
            if isinstance(field.default, bool):
                yield _nested(pass_class, f"{name}{{{option}={str(not field.default).lower()}}}")
            elif isinstance(field.default, int):
                yield _nested(pass_class, f"{name}{{{option}=3}}")


def _nested(pass_class: type[Pass], text: str) -> str:
    inner = text if pass_class.anchor == "builtin.module" else f"{pass_class.anchor}({text})"
    return f"builtin.module({inner})"


def of_passes(room: str, chosen: Iterable[str]) -> dict[str, str]:
    """Return a digest of what each of the pipelines makes of all programs, and of its errors."""
    context, found = make_context(), dict[str, str]()
    drawn = programs(context)
    drawn = [loosened(module) for module in drawn] if room == "shapes" else drawn
    for pipeline in chosen:
        digest = hashlib.sha256()
        for module in drawn:
            changed = copy_of(module)
            try:
                run_pipeline(changed, pipeline)
            except StablehloError as error:
                digest.update(str(error).encode())
            else:
                digest.update(str(changed.operation).encode())
        found[f"{room} {pipeline}"] = digest.hexdigest()[:10]
    return found


def main() -> None:
    """Write the files."""
    for room in ("passes", "shapes"):
        found = of_passes(room, pipelines(room))
        write(path(room), {part: digest for digest, part in {found[part]: part for part in reversed(found)}.items()})


if __name__ == "__main__":
    main()
