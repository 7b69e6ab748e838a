"""`stablehlo mcp`: the verbs as tools, for agents and other programs."""

from __future__ import annotations

import click


@click.command("mcp")
@click.option("--folder", default=".", metavar="DIR", help="The only folder that calls read and write.")
@click.option("--allow-commands", is_flag=True, help="Let calls name engines and predicates that are commands.")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), default=600.0, help="The time of a call.")
def command(folder: str, allow_commands: bool, seconds: float) -> None:
    """Serve the verbs as tools by the Model Context Protocol, on standard input and output.

    A tool takes what its verb takes, programs as paths or as text, and gives its JSON. Needs the extra mcp."""
    from ...errors import UsageError

    try:
        from ..mcp_server import main
    except ModuleNotFoundError as error:
        if error.name not in ("mcp", "anyio"):
            raise
        raise UsageError("mcp is not installed", notes=["pip install 'stablehlo-py[mcp]'"]) from None
    main(folder, allow_commands, seconds)
