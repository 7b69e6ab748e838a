"""Write docs/reference/json: a JSON schema of what each verb prints with --json.

The schemas are read off the outputs of the commands below, the meanings of fields off docstrings and
`json_fields.toml`. Takes 3 minutes.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "reference" / "json"
_ELEMENTWISE = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<4xf32>
  %0 = stablehlo.tanh %x : tensor<4xf32> loc("layer/tanh")
  %1 = stablehlo.multiply %0, %c : tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""
_PROGRAMS = {
    "a": _ELEMENTWISE,
    "b": _ELEMENTWISE.replace("2.0", "2.5"),
    "overflow": _ELEMENTWISE.replace("tanh", "exponential").replace("dense<2.0>", "dense<3.0e38>"),
    "loop": """func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %r:2 = stablehlo.while(%a = %x, %i = %zero) : tensor<4xf32>, tensor<i32> cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %b = stablehlo.sine %a : tensor<4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %b, %j : tensor<4xf32>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<i32>
}
""",
    "sharded": """sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>},
                %b: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<4x4xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "new": """func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.tan %x : tensor<f32>
  return %0 : tensor<f32>
}
""",
    "wrong": "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n",
}
_LOSSY = "--engine=reference:bf16 --tolerance=0.01ulp"
_COMMANDS = f"""
run a.mlir
run a.mlir --engine=reference --max-memory=1
compare a.mlir b.mlir
compare a.mlir --engine=reference --engine=xla
compare a.mlir {_LOSSY} --engine=reference
compare overflow.mlir --engine=reference --engine=reference:bf16
compare a.mlir --engine=reference --engine='command:sleep 9 {{module}} {{inputs}} {{outputs}}' --timeout=1
equiv a.mlir b.mlir
equiv a.mlir a.mlir
judge a.mlir --engine=reference:bf16
judge loop.mlir --engine=xla
judge ROOT/examples/debug/xla_sort.mlir --inputs=ROOT/examples/debug/xla_sort.npz --engine=xla
trace a.mlir {_LOSSY}
trace loop.mlir {_LOSSY}
trace overflow.mlir --engine=reference:bf16
trace a.mlir --against=b.mlir --engine=reference
bisect a.mlir
bisect a.mlir {_LOSSY}
bisect-passes a.mlir --pass-pipeline=canonicalize
bisect-passes ROOT/tests/lit/cli/Inputs/division.mlir --xla --tolerance=0.1ulp
steps a.mlir 'canonicalize,func.func(stablehlo-aggressive-folder)'
steps sharded.mlir stablehlo-legalize-to-vhlo
reduce a.mlir --command='grep -q tanh {{module}}' -o reduced.mlir
numerics loop.mlir
numerics overflow.mlir
fuzz --count=3 --engines=reference,reference:bf16
conformance run --engine=reference:bf16 --ops=add --types=f32,i32 --level=smoke
corpus a.mlir b.mlir wrong.mlir -o corpus.jsonl
check a.mlir --profile=xla-cpu
check new.mlir --profile=narrow.toml
partition sharded.mlir
partition sharded.mlir --why
partition sharded.mlir --compare=sharded.mlir
simulate sharded.mlir
simulate sharded.mlir --check
view a.mlir -o view.html
cost loop.mlir
diff a.mlir b.mlir
diff a.mlir loop.mlir
hash a.mlir
format a.mlir loop.mlir --check
downgrade a.mlir --target=1.0.0 -o old.bc
upgrade old.bc -o upgraded.mlir
info old.bc
explain a.mlir --target=1.0.0
explain new.mlir --target=1.0.0
minimum new.mlir
matrix a.mlir new.mlir wrong.mlir
roundtrip a.mlir --target=1.0.0
roundtrip a.mlir --target=1.0.0 --args='[dense<1.0> : tensor<4xf32>]'
"""
# Objects whose keys are data, such as names of axes, versions, engines, files, lines; and an output that is one.
_MAPS = {
    *("answers", "axes", "cells", "counts", "groups", "lines", "marks", "programs", "sections", "statuses"),
    *("conformance.versions", "partition-compare", "trace.first_nonfinite", "unmeasured"),
}


def main() -> None:
    """Write a schema for each verb; fail if a field has no meaning."""
    values: dict[str, list[Any]] = {}
    for verb, value in _outputs():
        values.setdefault(verb, []).append(value)
    FOLDER.mkdir(exist_ok=True)
    meanings = Meanings()
    for verb, found in values.items():
        head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"stablehlo {verb} --json"}
        text = json.dumps(head | _schema(found, verb, verb, meanings), indent=1, ensure_ascii=False)
        (FOLDER / f"{verb}.json").write_text(text + "\n", encoding="utf-8")
    if meanings.lacking or meanings.unused:
        sys.exit(f"json_fields.toml lacks: {sorted(meanings.lacking)}\nand has for nothing: {sorted(meanings.unused)}")


class Meanings:
    """What fields mean: what the docstring says of the attribute, else what `json_fields.toml` says.

    The class of an object is the one with the most attributes of these names.
    """

    def __init__(self) -> None:
        self.others: dict[str, str] = tomllib.loads(Path(__file__).with_name("json_fields.toml").read_text("utf-8"))
        self.unused = set(self.others)
        self.lacking = set[str]()
        trees = [ast.parse(path.read_text("utf-8")) for path in sorted((ROOT / "stablehlo_py").rglob("*.py"))]
        classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        self.classes = [found for each in classes if (found := _attributes(ast.get_docstring(each) or ""))]

    def of(self, fields: Collection[str], verb: str) -> Iterator[tuple[str, str]]:
        """Yield each field of an object with its meaning."""
        described = max(self.classes, key=lambda found: sum(field in found for field in fields))
        count = sum(field in described for field in fields)
        if count < len(fields) and (count < 3 or 2 * count < len(fields)):
            described = {}
        for field in fields:
            for name, found in ((f"{verb}.{field}", self.others), (field, described), (field, self.others)):
                if name in found:
                    self.unused -= {name} if found is self.others else set()
                    yield field, found[name].replace("None", "null")
                    break
            else:
                self.lacking.add(f"{verb}.{field}")
                yield field, ""


def _attributes(docstring: str) -> dict[str, str]:
    """Return the attributes that a docstring describes."""
    section = docstring.partition("Attributes:\n")[2].partition("\n\n")[0]
    return {
        name: " ".join(text.split())
        for name, text in re.findall(r"^    (\w+): ((?:.|\n     )+)", section, re.MULTILINE)
    }


def _outputs() -> Iterator[tuple[str, Any]]:
    """Run the commands; yield the verb and what it says."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in _PROGRAMS.items():
            Path(folder, f"{name}.mlir").write_text(text, encoding="utf-8")
        Path(folder, "narrow.toml").write_text(_NARROW, encoding="utf-8")
        for line in _COMMANDS.strip().splitlines():
            words = shlex.split(line.replace("ROOT", str(ROOT)))
            is_kit = words[0] == "conformance"  # which writes a file
            command = [sys.executable, "-m", "stablehlo_py", *words, "--json=kit.json" if is_kit else "--json"]
            ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            printed = Path(folder, "kit.json").read_text("utf-8") if is_kit else ended.stdout
            if not printed.startswith(("{", "[", "null")):
                sys.exit(f"{line}: exit code {ended.returncode}\n{printed}{ended.stderr}")
            verb = f"{words[0]}-compare" if any(word.startswith("--compare") for word in words) else words[0]
            yield verb, json.loads(printed)


def _schema(values: Sequence[Any], name: str, verb: str, meanings: Meanings) -> dict[str, Any]:
    """Return the schema that takes all these values of a field; other fields than those that are seen are allowed."""
    kinds = list(dict.fromkeys(_KINDS[type(value)] for value in values))
    if "integer" in kinds and "number" in kinds:
        kinds.remove("integer")
    is_measured = "number" in kinds and all(value in _NOT_FINITE for value in values if isinstance(value, str))
    if is_measured:
        kinds = [kind for kind in kinds if kind != "string"] + ["string"]
    schema: dict[str, Any] = {"type": kinds if len(kinds) > 1 else kinds[0]} if kinds else {}
    if is_measured:
        schema["pattern"] = f"^({'|'.join(_NOT_FINITE)})$"
    objects = [value for value in values if isinstance(value, dict)]
    if objects and {name, f"{verb}.{name}"} & _MAPS:
        inner = [one for each in objects for one in each.values()]
        schema["additionalProperties"] = _schema(inner, "", verb, meanings)
    elif objects:
        fields = dict.fromkeys(field for each in objects for field in each)
        schema["properties"] = {
            field: {
                "description": meaning,
                **_schema([each[field] for each in objects if field in each], field, verb, meanings),
            }
            for field, meaning in meanings.of(fields, verb)
        }
        schema["required"] = [field for field in fields if all(field in each for each in objects)]
    elements = [element for value in values if isinstance(value, list) for element in value]
    if elements:
        schema["items"] = _schema(elements, "", verb, meanings)
    return schema


_NOT_FINITE = ("inf", "-inf", "nan")
_KINDS = {
    bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object", type(None): "null",
}  # fmt: skip
_NARROW = """[about]
engine = "narrow"
versions = ""
date = "2026-11-26"
cases = "none: written by hand"

[ops."stablehlo.sine".takes]
"element types" = ["f32"]
"""


if __name__ == "__main__":
    main()
