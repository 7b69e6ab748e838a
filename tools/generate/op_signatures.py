"""Write stablehlo_py/bindings/op_signatures.json: the signatures of the ops in the newest bindings.

Run it with the newest jaxlib. Older releases do not describe the parameters of an op.
"""

from __future__ import annotations

import json
from pathlib import Path

from stablehlo_py.bindings.op_signatures import as_lists, declared_signature, op_names

OUTPUT = Path(__file__).resolve().parents[2] / "stablehlo_py" / "bindings" / "op_signatures.json"
DIALECTS = ("stablehlo", "chlo", "arith", "math")


def text() -> str:
    """The file: a line for each signature, with the ops that have it."""
    names = sorted(name for dialect in DIALECTS for name in op_names(dialect))
    ops: dict[str, list[str]] = {}
    for name in names:
        signature = declared_signature(name)
        if signature is not None:
            ops.setdefault(json.dumps(as_lists(signature), separators=(",", ":")), []).append(name)
    lines = [f"{json.dumps(' '.join(alike))}: {signature}" for signature, alike in ops.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    OUTPUT.write_text(text(), encoding="utf-8")
