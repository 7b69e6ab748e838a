"""`stablehlo completion`: the script that makes a shell complete the command lines of all tools."""

from __future__ import annotations

import click

from ..completion import SHELLS, script


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> int:
    """Print the completion script for SHELL, for all tools of this package.

    bash: eval "$(stablehlo completion bash)" in ~/.bashrc

    zsh: eval "$(stablehlo completion zsh)" in ~/.zshrc, after compinit

    fish: stablehlo completion fish | source in ~/.config/fish/config.fish
    """
    click.echo(script(shell), nl=False)
    return 0
