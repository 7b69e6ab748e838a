"""The specification's example with values is in the suite of each op, as `spec_example`.

`tests/lit/interpret/spec_examples.toml` keeps the numbers of each example. With `STABLEHLO_CHECKOUT`, a checkout of
openxla/stablehlo, they are compared with docs/spec.md.

    STABLEHLO_CHECKOUT=../stablehlo pytest tests/unit/interpreter/test_spec_examples.py
    STABLEHLO_CHECKOUT=../stablehlo python tests/unit/interpreter/test_spec_examples.py    # write the numbers anew
"""

from __future__ import annotations

import math
import os
import re
import tomllib
from pathlib import Path

import pytest

SUITES = Path(__file__).parents[2] / "lit" / "interpret"
KEPT = SUITES / "spec_examples.toml"
CHECKOUT = os.environ.get("STABLEHLO_CHECKOUT", "")

_NUMBER = re.compile(r"-?\b(?:0x[\dA-F]+|\d[\d.]*(?:e[-+]?\d+)?|inf|nan|true|false)\b", re.IGNORECASE)
_LABEL = re.compile(r"^ *// *%?[\w#]+(?:@\(\d, \d\))? *[:=] *(.*)$")


def numbers(text):
    """The numbers in a text, in order, as Python writes them."""
    text = re.sub(r"0xFFF0+\b|0xFF80+\b", "-inf", re.sub(r"0x7FF0+\b|0x7F80+\b", "inf", text))
    text = re.sub(r"0x[7F]F[8-F]\w*|0x[7F]FC\w*", "nan", text)
    words = {"true": "1", "false": "0"}
    texts = [words.get(each, each) for each in _NUMBER.findall(text)]
    found = [float(int(each, 16) if each.startswith("0x") else each) for each in texts]
    return [abs(each) if math.isnan(each) else each for each in found]


def examples_of_the_spec():
    """The numbers of each value that the comments of the specification's examples show, by op."""
    text = (Path(CHECKOUT) / "docs" / "spec.md").read_text(encoding="utf-8")
    result = {}
    for section in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
        op, _, rest = section.partition("\n")
        values = []
        for block in re.findall(r"```mlir\n(.*?)```", rest.partition("#### Example")[2], re.DOTALL):
            current = None
            for line in block.splitlines():
                line = re.sub(r"(//.*?) // .*", r"\1", line)
                label = _LABEL.match(line)
                if label is not None and not label[1].startswith("!"):
                    current = "" if re.search(r"num_(replicas|partitions)|channel_id|use_global", line) else label[1]
                    values.append(current)
                elif current is not None and line.lstrip().startswith("//"):
                    values[-1] += line
                else:
                    current = None
        found = [each for each in map(numbers, values) if each]
        if found:
            result[op.strip()] = found
    return result


def constants(text):
    """The numbers of each dense constant in a program; a splat as often as its type has elements."""
    found = []
    for value, shape in re.findall(r"dense<([^>]*)> : tensor<([\dx]*)", text):
        count = math.prod(int(size) for size in shape.split("x") if size)
        listed = numbers(value)
        complex_splat = "(" in value and len(listed) == 2
        found.append(listed * count if "[" not in value and (len(listed) == 1 or complex_splat) else listed)
    return found


def is_shown(value, shown):
    """Whether a constant has these numbers, which the specification rounds."""
    return any(
        len(value) == len(other)
        and all(
            a == b or (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-6)
            for a, b in zip(value, other, strict=True)
        )
        for other in shown
    )


def spec_chunks(op):
    """The chunks of an op's suites that are named after the specification's example."""
    for path in sorted(SUITES.glob(f"{op}*.mlir")):
        if path.stem == op or path.stem.startswith(f"{op}."):
            text = path.read_text(encoding="utf-8")
            yield from (chunk for chunk in text.split("// -----\n") if "@spec_example" in chunk)


def kept():
    return tomllib.loads(KEPT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("op", sorted(kept().get("examples", ())))
def test_the_example_is_in_the_suite(op):
    shown = [value for chunk in spec_chunks(op) for value in constants(chunk)]
    missing = [value for value in kept()["examples"][op] if not is_shown(value, shown)]
    reason = kept()["others"].get(op)
    assert bool(missing) == (reason is not None), f"{op}: {missing} of the specification's example; {reason}"


@pytest.mark.skipif(not CHECKOUT, reason="STABLEHLO_CHECKOUT names no checkout of openxla/stablehlo")
def test_the_kept_numbers_are_those_of_the_specification():
    assert repr(kept()["examples"]) == repr(examples_of_the_spec())


if __name__ == "__main__":
    lines = ["[examples]"]
    for name, lists in sorted(examples_of_the_spec().items()):
        rows = ",\n  ".join(f"[{', '.join(map(repr, value))}]" for value in lists)
        lines.append(f'"{name}" = [\n  {rows},\n]')
    others = KEPT.read_text(encoding="utf-8").partition("[examples]")[0]
    KEPT.write_text(others + "\n".join(lines) + "\n", encoding="utf-8")
