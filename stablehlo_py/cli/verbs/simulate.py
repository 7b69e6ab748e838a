"""`stablehlo simulate`: all devices of a global program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import click

from ...errors import StablehloError, counted
from .sharding_options import sharding_options
from .shared import Inputs, input_options, json_option, print_json, print_results

if TYPE_CHECKING:
    import numpy as np

    from ...bindings import ir
    from ...debug.equivalence import Equivalence
    from ...debug.programs.subject import Subject
    from ...interpreter.process_grid import ProcessGrid
    from ...spmd import Partition, Simulation
    from ...spmd.mpmd import MeshesRun


@click.command("simulate")
@click.argument("file")
@click.option("--check", is_flag=True, help="Compare with the global program's results.")
@click.option("-o", "--output", metavar="FILE", help="Write the global results to an .npy or .npz file.")
@click.option("--trace", metavar="FILE", help="Write a time line of ops and waits in Chrome's trace format.")
@click.option("--grid", type=click.Choice(["local", "mpi"]), default="local", help="What runs the devices.")
@json_option
@sharding_options
@input_options
def command(
    file: str,
    check: bool,
    output: str | None,
    trace: str | None,
    grid: str,
    as_json: bool,
    inputs: Inputs,
    partitioned: Callable[[ir.Module], Partition],
) -> int:
    """Partition FILE, run the program of one device on all devices, and join the results.

    With --check, exit code 1 where they differ from the global program's by more than usual for their types, where they
    are another function, or where nothing is sharded. With --grid=mpi, the devices are spread over the ranks that
    mpiexec started. Each fragment of an MPMD program runs on its own mesh."""
    show = partial(_show, check=check, output=output, as_json=as_json, inputs=inputs)
    if grid == "mpi":
        if trace is not None:
            raise click.UsageError("--trace is for the grid of one machine, not for --grid=mpi")
        from ...spmd.ranks import ranks
        from ..ranks import run_on_ranks, together
        from ..stablehlo import UNANSWERED

        def work() -> int:
            with together(f"simulating {file}") as make_grid:
                found = _simulated(file, inputs, partitioned, None, make_grid)
            return 0 if ranks().rank else show(*found)

        run_on_ranks(work, UNANSWERED)
    return show(*_simulated(file, inputs, partitioned, trace))


def _show(
    subject: Subject,
    arguments: list[np.ndarray],
    run: Callable[..., Simulation | MeshesRun],
    partition: Partition | None,
    found: Simulation | MeshesRun,
    *,
    check: bool,
    output: str | None,
    as_json: bool,
    inputs: Inputs,
) -> int:
    """Write or print the results, compare them if asked, and return the exit code."""
    from ...interpreter.storage import save_arrays
    from ..output import write_output

    if output is not None:
        write_output(output, save_arrays(output, list(found.results)))
    wrong = _wrong_results(subject, inputs, arguments, found.results) if check else None
    function = _function(subject, run, arguments, inputs) if check else None
    cut = None if partition is None else partition.cut
    whole = partition is not None and not any(partition.cut.values()) and not partition.collectives
    if as_json:
        results = [{"shape": list(result.shape), "values": result.tolist()} for result in found.results]
        print_json({"devices": found.devices, "results": results, "differing_results": wrong, "cut": cut,
                    "function": function and function.as_dict(), **found.steps()})  # fmt: skip
    elif wrong:
        click.echo(f"results {', '.join(map(str, wrong))} of {found.devices} devices differ from the global program's")
    elif check and whole:
        click.echo(f"nothing is sharded: each of {found.devices} devices ran the global program, which checks nothing")
    elif check:
        count = len(found.results)
        head = f"{counted(count, 'result')} of {counted(found.devices, 'device')}"
        click.echo(f"{head} agree{'s' * (count == 1)} with the global program")
        if cut is None:
            click.echo(found)
        else:
            kinds = ("argument", "arguments"), ("result", "results"), ("other value", "values")
            amounts = "{}, {} and {}".format(*(counted(cut[key], noun) for noun, key in kinds))
            click.echo(f"cut along {', '.join(cut['axes']) or 'no axis'}: {amounts}")
        click.echo(function)
    elif output is None:
        print_results(subject, found.results)
    return int(bool(wrong) or (check and whole) or (function is not None and function.exit_code == 1))


def _function(
    subject: Subject, run: Callable[..., Simulation | MeshesRun], arguments: list[np.ndarray], inputs: Inputs
) -> Equivalence:
    """Return whether the devices compute the function of the global program."""
    from ...debug.equivalence import same_function
    from ...interpreter.settings import Settings
    from ...spmd.simulation import fingerprint_runs

    settings = Settings(timeout=inputs.timeout)
    return same_function([fingerprint_runs(subject.module, run, arguments, settings)])


def _simulated(
    file: str,
    inputs: Inputs,
    partitioned: Callable[[ir.Module], Partition],
    trace: str | None,
    make_grid: Callable[..., ProcessGrid] | None = None,
) -> tuple[Subject, list[np.ndarray], Callable[..., Simulation | MeshesRun], Partition | None, Simulation | MeshesRun]:
    """Run all devices, and write the time line if asked."""
    from ...interpreter.settings import Settings, physical_memory
    from ...spmd import Timeline, simulate
    from ...spmd.mpmd import has_fragments, simulate_meshes
    from ..output import write_output

    subject, arguments = inputs.sampled(file)
    partition, timeline = None, Timeline()
    run: Callable[..., Simulation | MeshesRun] = partial(simulate_meshes, subject.source)
    if not has_fragments(subject.source):
        partition = partitioned(subject.module)
        run = partial(simulate, partition)
    elif make_grid or trace or any(click.get_current_context().params[name] for name in ("mesh", "inputs", "outputs")):
        raise click.UsageError("an MPMD program says its meshes and shardings, and has no --trace and no --grid=mpi")
    inputs.note(f"simulating {file}", runs=True)
    memory = physical_memory() if inputs.max_memory is None else inputs.max_memory
    settings = Settings(max_memory=memory, timeout=inputs.timeout)
    if make_grid is not None:
        settings = replace(settings, make_grid=make_grid)
    elif trace is not None:
        settings = replace(settings, listeners=(timeline,), make_grid=timeline.make_grid)
    found = run(arguments, settings)
    if trace is not None:
        write_output(trace, timeline.as_json().encode())
    return subject, arguments, run, partition, found


def _wrong_results(
    subject: Subject, inputs: Inputs, arguments: list[np.ndarray], results: Sequence[np.ndarray]
) -> list[int]:
    """The numbers of the results that differ from the global program's. Raise StablehloError if it does not run."""
    from ...debug.compare import compare_results

    with inputs.engine("reference") as engine:
        whole = engine.run(subject.bytecode(), arguments)
    if not whole.ok:
        raise StablehloError(f"the global program does not run: {whole}")
    entries = compare_results(subject, 0, "simulation", results, whole.results, {}, arguments)
    return [entry.result for entry in entries if entry.verdict != "same"]
