"""Writes stablehlo_py/bindings/op_signatures.json: the signatures of the ops in the newest bindings.

Run it with the newest jaxlib. Older releases do not tell what the parameters of an op are.
"""

from __future__ import annotations

import json
from pathlib import Path

from stablehlo_py.bindings.op_signatures import as_lists, declared_signature, op_names

OUTPUT = Path(__file__).resolve().parent.parent / "stablehlo_py" / "bindings" / "op_signatures.json"
DIALECTS = ("stablehlo", "chlo", "arith", "math")


def text() -> str:
    """The file: a line for each op."""
    names = sorted(name for dialect in DIALECTS for name in op_names(dialect))
    known = {name: declared_signature(name) for name in names}
    entries = {name: as_lists(signature) for name, signature in known.items() if signature is not None}
    lines = [f"{json.dumps(name)}: {json.dumps(entry, separators=(',', ':'))}" for name, entry in entries.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    OUTPUT.write_text(text(), encoding="utf-8")
