"""What the compatibility tools advise works as it is printed, on the file that it was given for."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import click
import pytest
from parsed import parsed
from speeds import later
from warm_tools import make_warm_tool_folder

from stablehlo_py.artifacts import serialize
from stablehlo_py.artifacts.artifact import legalize_to_vhlo
from stablehlo_py.artifacts.versions import Feature, current_version, features, opset_versions
from stablehlo_py.bindings import make_context
from stablehlo_py.cli.compat import compat
from stablehlo_py.cli.stablehlo import VERBS, stablehlo
from stablehlo_py.syntax import Source
from stablehlo_py.syntax.positions import positions_in_text
from stablehlo_py.syntax.tokens import without_locations

WRITABLE = [feature for feature in features() if feature.lifted_by and feature.version <= current_version()]
# A script for shells, and a server with a protocol of its own.
WITHOUT_JSON = {"completion", "lsp", "mcp"}


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tools of mine")
    make_warm_tool_folder(str(folder), os.environ)
    return {**os.environ, "PATH": os.pathsep.join([str(folder), os.environ["PATH"]])}


def run(command: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], env=environment, capture_output=True, text=True, check=False
    )


def write(feature: Feature, form: str, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    module = parsed(feature.program)
    path = folder / f"a program.{form}"
    if form == "bc":
        path.write_bytes(serialize(module))
    elif form == "vhlo.mlir":
        path.write_text(str(legalize_to_vhlo(module)))
    else:
        path.write_text(feature.program)
    return path


@pytest.mark.parametrize("form", ["bc", later("mlir"), later("vhlo.mlir")])
@pytest.mark.parametrize("feature", WRITABLE, ids=lambda feature: feature.name)
def test_a_remedy_lifts_what_it_was_given_for(feature, form, tmp_path, tools):
    path = write(feature, form, tmp_path / "with a space")
    before = opset_versions()[opset_versions().index(feature.version) - 1]
    explained = run(f"stablehlo-compat explain --target={before} {shlex.quote(str(path))}", tools)
    assert explained.returncode == 1, explained.stderr
    commands = set(re.findall(r"with: (stablehlo-opt .*)$", explained.stdout, re.MULTILINE))
    assert len(commands) == 1, explained.stdout
    lifted = run(f"{commands.pop()} | stablehlo-translate --serialize --target={before} -o {tmp_path}/out.bc", tools)
    assert lifted.returncode == 0, lifted.stderr
    assert run(f"stablehlo-compat explain --target={before} {tmp_path}/out.bc", tools).returncode == 0


def test_the_advice_of_a_failed_serialization_works(tmp_path, tools):
    path = tmp_path / "tan.mlir"
    path.write_text("func.func @main(%x: tensor<f32>) {\n  %0 = stablehlo.tan %x : tensor<f32>\n  return\n}\n")
    failed = run(f"stablehlo-translate --serialize --target=1.3.0 {path}", tools)
    command = re.search(r"without: (stablehlo-compat .*)", failed.stderr)
    assert command is not None
    assert "--stablehlo-compatibility-expander=target=1.3.0" in run(command[1], tools).stdout
    path.write_text(
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  %0 = chlo.sinh %x : tensor<f32> -> tensor<f32>\n"
        "  return %0 : tensor<f32>\n}\n"
    )
    failed = run(f"stablehlo-translate --serialize {path}", tools)
    command = re.search(r"with: (stablehlo-opt .*)", failed.stderr)
    assert command is not None
    assert run(f"{command[1]} {path} | stablehlo-translate --serialize -o {tmp_path}/out.bc", tools).returncode == 0
    keeping = re.search(r"with: (--allow-.*)", failed.stderr)
    assert keeping is not None
    assert run(f"stablehlo-translate --serialize {keeping[1]} {path} -o {tmp_path}/out.bc", tools).returncode == 0


JAX = """#loc1 = loc("x")
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32> loc("x")) -> (tensor<4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.tan %arg0 : tensor<4xf32> loc(#loc2)
    return %0 : tensor<4xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc2 = loc("jit(f)/tan)"(#loc))
"""


def test_a_blocker_in_a_file_of_jax_has_its_place(tmp_path, tools):
    path = tmp_path / "jax.mlir"
    path.write_text(JAX)
    explained = run(f"stablehlo-compat explain --target=1.3.0 {path}", tools)
    assert f"{path}:4:10: the op tan needs StableHLO 1.4.0" in explained.stdout
    [blocker] = json.loads(run(f"stablehlo-compat explain --json --target=1.3.0 {path}", tools).stdout)["blockers"]
    assert blocker["places"][0]["location"] == f"{path}:4:10"
    assert blocker["command"].startswith("stablehlo-opt --stablehlo-compatibility-expander=target=1.3.0 ")


def test_positions_are_those_of_the_text():
    bare = without_locations(JAX.encode()).decode()
    assert "loc(" not in bare
    assert [len(line) for line in bare.splitlines()] == [len(line) for line in JAX.splitlines()]
    found = positions_in_text(Source("jax.mlir", JAX.encode()), make_context())
    assert found["main", 1] == ("stablehlo.tan", "jax.mlir:4:10")


def speaks_json(command: click.Command | None) -> bool:
    """Whether the verb, or one of a family of verbs, has the option."""
    inner = command.commands.values() if isinstance(command, click.Group) else ()
    own = command is not None and any("--json" in parameter.opts for parameter in command.params)
    return own or any(map(speaks_json, inner))


def test_every_verb_speaks_json():
    context = click.Context(stablehlo)
    commands = {name: stablehlo.get_command(context, name) for name in VERBS if name not in WITHOUT_JSON}
    commands.update({name: compat.get_command(context, name) for name in compat.list_commands(context)})
    assert [name for name, command in commands.items() if not speaks_json(command)] == []
