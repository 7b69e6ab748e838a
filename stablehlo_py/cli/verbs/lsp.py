"""`stablehlo lsp`: the language server, for editors."""

from __future__ import annotations

import gc
import os

import click


@click.command("lsp")
@click.option("--tcp", type=click.IntRange(1, 65535), metavar="PORT", help="Serve this port of localhost.")
def command(tcp: int | None) -> int:
    """Serve an editor by the Language Server Protocol, on standard input and output.

    `stablehlo-lsp-server` is the same under the name that editors' settings for MLIR expect. Needs the extra lsp."""
    from ...errors import UsageError
    from ...isolation.policy import guarding

    try:
        from ...lsp.server import make_server
    except ModuleNotFoundError as error:
        if error.name not in ("pygls", "lsprotocol"):
            raise
        raise UsageError(f"{error.name} is not installed", notes=["pip install 'stablehlo-py[lsp]'"]) from None
    server = make_server(_flags)
    gc.set_threshold(1_000_000)  # documents leave no cycles, and a search for some would hold up a request
    with guarding(True):  # a text that crashes the compiler must not end the session
        if tcp is not None:
            server.start_tcp("localhost", tcp)
        else:  # the server closes what it is given
            server.start_io(open(os.dup(0), "rb"), open(os.dup(1), "wb"))  # noqa: SIM115
    return 0


def _flags() -> list[tuple[str, str]]:
    """Return the flags that RUN lines can use, with their summaries."""
    from ...passes.catalog import available_passes, compiled_passes, find_pass
    from ..options import OPT, options_of

    flags = [(name, one.summary) for name, one in options_of(OPT).items() if len(name) > 1 and not one.refused]
    for name in available_passes():
        python_pass = find_pass(name)
        flags.append((name, compiled_passes()[name].summary if python_pass is None else python_pass.summary))
    return flags
