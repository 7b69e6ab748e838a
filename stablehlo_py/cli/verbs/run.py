"""`stablehlo run`: one program, one engine."""

from __future__ import annotations

import click

from .shared import Inputs, OutputFile, engine_option, input_options, print_json, print_results, tell, xla_option


@click.command("run")
@click.argument("file")
@engine_option("--engine", "name", summary="Where to run it.")
@click.option(
    "-o", "--output", metavar="FILE", type=OutputFile(".npy", ".npz"), help="Write the results to an .npy or .npz file."
)
@click.option("--json", "as_json", is_flag=True, help="Print status, time and memory as JSON.")
@click.option("--stats", is_flag=True, help="Also print time and memory to standard error.")
@input_options
@xla_option
def command(file: str, name: str, output: str | None, as_json: bool, stats: bool, inputs: Inputs) -> int:
    """Run FILE in one engine and print its results.

    Engines: reference, official, xla, command:… and those of installed packages; docs/debugging.md has their options.
    @PYTHON behind one takes it from another environment."""
    from ...errors import Diagnostic
    from ...interpreter.storage import save_arrays
    from ..messages import say
    from ..output import write_output

    subject, arguments = inputs.sampled(file)
    if inputs.are_drawn and arguments:
        tell(f"the arguments are drawn with --seed={inputs.seed}; --inputs and --args give others")
    (name,) = inputs.named([name])
    with inputs.engine(name) as engine:
        outcome = engine.run(subject.bytecode(), arguments)
    seconds = {"load_seconds": outcome.load_seconds, "run_seconds": outcome.run_seconds}
    if as_json:
        print_json({"status": outcome.status, "message": outcome.message, **seconds, "peak_bytes": outcome.peak_bytes})
    if not outcome.ok:
        if not as_json:
            message = f"{name}: {outcome.message if outcome.status == 'error' else outcome}"
            say(Diagnostic("error", "", message), f"stablehlo run: error: {message}\n")
        return 2
    if output is not None:
        write_output(output, save_arrays(output, list(outcome.results)))
    elif not as_json:
        print_results(subject, outcome.results)
    if stats:
        click.echo(
            f"load {outcome.load_seconds:.3f} s, run {outcome.run_seconds:.3f} s, peak {outcome.peak_bytes >> 20} MiB",
            err=True,
        )
    return 0
