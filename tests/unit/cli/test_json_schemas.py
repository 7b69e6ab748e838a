"""What verbs print with --json is as the published schemas say, field by field."""

from __future__ import annotations

import copy
import json
import shlex
from pathlib import Path

import click
import jsonschema
import pytest
from click.testing import CliRunner
from installed import needs

from stablehlo_py.cli.stablehlo import stablehlo

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "reference" / "json"
SCHEMAS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")}
# A script for shells, and servers with protocols of their own.
WITHOUT_JSON = {"completion", "lsp", "mcp"}
PROGRAMS = {
    "floats": """func.func @main(%x: tensor<2x3xf64>, %y: tensor<3xf32>) -> (tensor<2xf64>, tensor<3xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
  %1 = stablehlo.cosine %y : tensor<3xf32>
  return %0, %1 : tensor<2xf64>, tensor<3xf32>
}
""",
    "integers": """func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.not %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}
""",
    "bits": """func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.negate %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}
""",
    "cut": """sdy.mesh @m = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>}) -> tensor<8x4xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
""",
    "broken": "func.func @main(",
}
LOSSY = "--engine=reference:bf16 --tolerance=0.01ulp"
COMMANDS = [
    "run floats.mlir",
    "compare floats.mlir --engines=reference,reference:reverse",
    f"compare floats.mlir --engine=reference {LOSSY}",
    "equiv integers.mlir bits.mlir",
    "equiv integers.mlir integers.mlir",
    "judge floats.mlir --engine=reference:f32",
    f"trace floats.mlir {LOSSY}",
    f"bisect floats.mlir {LOSSY}",
    "bisect-passes integers.mlir --pass-pipeline=cse",
    "steps floats.mlir 'canonicalize,cse'",
    "reduce integers.mlir --command='grep -q not {module}' -o reduced.mlir -j1",
    "numerics floats.mlir",
    "fuzz --count=1 --engines=reference,reference:reverse",
    "corpus integers.mlir broken.mlir --check=verify -o rows.jsonl -j1",
    "conformance run --engine=reference --ops=not --level=smoke -j1",
    "check floats.mlir --profile=reference",
    pytest.param("partition cut.mlir", marks=needs("partition")),
    pytest.param("partition cut.mlir --why", marks=needs("partition")),
    pytest.param("simulate cut.mlir --check", marks=needs("partition")),
    "view floats.mlir -o page.html",
    "cost floats.mlir",
    "diff floats.mlir integers.mlir",
    "hash floats.mlir --by=function",
    "format floats.mlir --check",
    "explain floats.mlir --target=0.9.0",
    "minimum integers.mlir",
    "matrix floats.mlir broken.mlir",
    "downgrade integers.mlir --target=1.0.0 -o old.bc",
    "upgrade artifact.bc -o text.mlir",
    "info artifact.bc",
    "roundtrip integers.mlir --target=1.0.0 --args='[dense<1> : tensor<2xi32>]'",
]


def verb_of(command: object) -> str:
    return str(getattr(command, "values", [command])[0]).split()[0]


def closed(schema: dict) -> dict:
    """The schema without leave for fields that it does not name."""
    schema = copy.deepcopy(schema)
    pending = [schema]
    while pending:
        part = pending.pop()
        if "properties" in part:
            part.setdefault("additionalProperties", False)
        parts = [part.get("items"), part.get("additionalProperties"), *part.get("properties", {}).values()]
        pending += [each for each in parts if isinstance(each, dict)]
    return schema


def test_every_verb_has_a_schema_and_is_tried() -> None:
    verbs = set(stablehlo.list_commands(click.Context(stablehlo))) - WITHOUT_JSON
    assert {name.removesuffix("-compare") for name in SCHEMAS} == verbs
    assert set(map(verb_of, COMMANDS)) == verbs


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_a_schema_says_what_each_field_means(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])
    pending, nameless = [SCHEMAS[name]], []
    while pending:
        part = pending.pop()
        nameless += [field for field, each in part.get("properties", {}).items() if not each["description"]]
        parts = [part.get("items"), part.get("additionalProperties"), *part.get("properties", {}).values()]
        pending += [each for each in parts if isinstance(each, dict)]
    assert nameless == []


@pytest.mark.parametrize("command", COMMANDS)
def test_an_answer_has_the_fields_of_its_schema(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in PROGRAMS.items():
        (tmp_path / f"{name}.mlir").write_text(text, encoding="utf-8")
    if "artifact.bc" in command:
        stablehlo(["downgrade", "floats.mlir", "--target=1.0.0", "-o", "artifact.bc"], standalone_mode=False)
    verb = verb_of(command)
    words = [*shlex.split(command), "--json=kit.json" if verb == "conformance" else "--json"]
    ended = CliRunner().invoke(stablehlo, words, standalone_mode=False)
    assert ended.exception is None, ended.output
    answer = json.loads(Path("kit.json").read_text(encoding="utf-8") if verb == "conformance" else ended.stdout)
    jsonschema.Draft202012Validator(closed(SCHEMAS[verb])).validate(answer)
