"""Refinement of programs with symbolic dimensions, exported by tools/generate/export_dynamic_programs.py, against
`stablehlo-refine-shapes`; and the two ways in which the pipeline can run against each other."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from samples import chequered, sampled

import stablehlo_py
from stablehlo_py.bindings import ir, make_context, passmanager
from stablehlo_py.passes.pipeline import run_pipeline
from stablehlo_py.shapes.library import activate, library

FOLDER = Path(__file__).parent / "dynamic_programs"
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.mlir"))
OURS = "stablehlo-shape-refinement-pipeline"
# Where one helper function is called with different numbers, the C++ pass gives up.
OFFICIAL_FAILS = {"halves", "custom_downsample"}


@pytest.fixture(autouse=True)
def _built_in_library():
    yield
    activate(None)


def pinned(name: str) -> str:
    """The pass that pins a program's arguments."""
    head = (FOLDER / f"{name}.mlir").read_text().splitlines()[0]
    found = re.search(r"types=(\S+)", head)
    assert found is not None
    return f"stablehlo-refine-arguments{{types={found[1]}}}"


def parse(name: str) -> ir.Module:
    return ir.Module.parse((FOLDER / f"{name}.mlir").read_text())


def unknown_types(op: ir.Operation) -> int:
    """How many values of a program have an unknown size."""
    count = sum("?" in str(result.type) for result in op.results)
    for region in op.regions:
        for block in region:
            count += sum("?" in str(argument.type) for argument in block.arguments)
            count += sum(unknown_types(view.operation) for view in block.operations)
    return count


def refined(name: str, *passes: str) -> ir.Module:
    module = parse(name)
    run_pipeline(module, f"builtin.module({','.join(passes)})")
    return module


@pytest.mark.parametrize("name", sampled(PROGRAMS, len(PROGRAMS) // 2))
def test_refines_at_least_what_the_official_pass_does(name):
    with make_context():
        module = refined(name, pinned(name), OURS)
        module.operation.verify()
        official = parse(name)
        manager = passmanager.PassManager.parse(f"builtin.module({pinned(name)},stablehlo-refine-shapes)")
        if name in OFFICIAL_FAILS:
            with pytest.raises(ir.MLIRError):
                manager.run(official.operation)
        else:
            manager.run(official.operation)
            assert unknown_types(module.operation) <= unknown_types(official.operation)


@pytest.mark.parametrize("name", sampled(PROGRAMS, len(PROGRAMS) // 2))
def test_refines_everything_once_the_library_knows_the_targets(name):
    activate(library([FOLDER / "my_library.py"]))
    with make_context():
        module = refined(name, pinned(name), OURS)
        assert unknown_types(module.operation) == 0


@pytest.mark.parametrize("name", sampled(PROGRAMS, len(PROGRAMS) // 2))
def test_dynamic_ops_become_static(name):
    activate(library([FOLDER / "my_library.py"]))
    with make_context():
        module = refined(name, pinned(name), OURS, "func.func(stablehlo-canonicalize-dynamism)")
        dynamic = re.findall(
            r"stablehlo\.(?:dynamic_(?:reshape|broadcast|iota|pad|gather|conv)|real_dynamic)\w*", str(module)
        )
        assert dynamic == []


@pytest.mark.parametrize(("pin", "name"), chequered([False, True], PROGRAMS))
def test_writing_the_steps_into_the_program_comes_to_the_same(name, pin):
    activate(library([FOLDER / "my_library.py"]))
    first = [pinned(name)] if pin else []
    with make_context():
        fused = refined(name, *first, OURS)
        steps = refined(name, *first, f"{OURS}{{steps=true}}")
        assert str(fused) == str(steps)


@pytest.mark.parametrize("name", sampled(PROGRAMS, len(PROGRAMS) // 2))
def test_nothing_is_left_to_refine(name):
    with make_context():
        once = refined(name, pinned(name), OURS)
        text = str(once)
        run_pipeline(once, f"builtin.module({OURS})")
        assert str(once) == text


@pytest.mark.parametrize("name", sampled(PROGRAMS, len(PROGRAMS) // 2))
def test_every_step_round_trips(name):
    steps = ("reify-shape-calculations", "inline-calculations", "simplify-shape-calculations")
    with make_context():
        module = parse(name)
        for step in steps:
            run_pipeline(module, f"builtin.module(stablehlo-{step})")
            assert str(ir.Module.parse(str(module))) == str(module)
        run_pipeline(module, "builtin.module(stablehlo-drop-abstract-interp-calculations)")
        assert "calculation" not in str(module)


def random_arguments(name: str) -> list[np.ndarray]:
    """Arrays of the types that a program is pinned to."""
    random = np.random.default_rng(11)
    arrays: list[np.ndarray] = []
    for part in re.findall(r"tensor<([^>]*)>", pinned(name)):
        *sizes, element = part.split("x")
        shape = [int(size) for size in sizes]
        drawn = random.integers(0, 90, shape) if element == "i32" else random.uniform(-1, 1, shape)
        arrays.append(drawn.astype(np.int32 if element == "i32" else np.float32))
    return arrays


@pytest.fixture
def _my_library_runs():
    """What the custom calls in the programs do."""
    handlers = {
        "rotate": lambda call, x: x.T.copy(),
        "downsample": lambda call, x: x[:, ::2].copy(),
        "same": lambda call, x: x,
        "pair_up": lambda call, x, y: np.concatenate([np.repeat(x, len(y), 0), np.tile(y, (len(x), 1))], 1),
    }
    for target, handler in handlers.items():
        stablehlo_py.custom_call_handler(f"my_library.{target}")(handler)


@pytest.mark.usefixtures("_my_library_runs")
@pytest.mark.parametrize("name", sampled(PROGRAMS, len(PROGRAMS) // 2))
def test_refinement_guards_and_folding_do_not_change_what_a_program_computes(name):
    activate(library([FOLDER / "my_library.py"]))
    arguments = random_arguments(name)
    with make_context():
        before = stablehlo_py.interpret(parse(name), arguments)
        for passes in ([OURS], [pinned(name), OURS], ["stablehlo-insert-shape-guards"]):
            after = stablehlo_py.interpret(refined(name, *passes), arguments)
            for one, other in zip(before, after, strict=True):
                np.testing.assert_array_equal(one, other)
