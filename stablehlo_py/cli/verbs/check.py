"""`stablehlo check`: is a program legal on a backend?"""

from __future__ import annotations

from typing import Any

import click

from .shared import Named, json_option, load_program, print_json


@click.command("check")
@click.argument("file")
@click.option("--profile", type=Named("PROFILE"), required=True, help="A profile of the package, or a file.")
@json_option
def command(file: str, profile: str, as_json: bool) -> int:
    """Name each op that a backend does not take, by its profile.

    A profile says which element types, ranks and attributes of an op an engine took of the conformance kit; stablehlo
    conformance run --write-profile makes one. Exit code 0 where no op is outside; 1 where one is."""
    from ...errors import counted
    from ...passes.check_profile import BackendProfile
    from ..messages import say

    known, module = BackendProfile.read(profile), load_program(file)
    found, unmeasured = list(known.outside(module.operation)), known.unmeasured(module.operation)
    if as_json:
        outside: list[dict[str, Any]] = [{"location": each.location, "message": each.message} for each in found]
        print_json({"profile": known.about, "outside": outside, "unmeasured": dict(unmeasured)})
        return 1 if found else 0
    for each in found:
        say(each, f"{each}\n")
    told = f"{counted(len(found), 'problem')} for the profile '{known.name}'"
    ops = ", ".join([f"{op} ({count})" for op, count in unmeasured.most_common()])
    click.echo(f"{told}{f'; not measured: {ops}' if ops else ''}")
    return 1 if found else 0
