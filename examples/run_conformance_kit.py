"""Run a conformance kit in XLA with numpy and jaxlib: KIT RESULTS. What ends the process is passed over next time."""

import functools
import json
import pathlib
import re
import sys
from typing import Any

import ml_dtypes
import numpy as np
from jaxlib import _jax, xla_client

kit, results = map(pathlib.Path, sys.argv[1:])
client = xla_client.make_cpu_client()
device = client.local_devices()[0]
# Types that DLPack lacks cross in another one: element type, data type, the op that changes it, and ml_dtypes' name.
carriers: dict[str, tuple[str, Any, str, str]] = {"bf16": ("ui16", np.uint16, "bitcast_convert", "bfloat16")}
for sign, name, bits in (("i", "int", 2), ("i", "int", 4), ("ui", "uint", 2), ("ui", "uint", 4)):
    carriers[f"{sign}{bits}"] = f"{sign}8", f"{name}8", "convert", f"{name}{bits}"
for name in filter(re.compile(r"float\d_").match, dir(ml_dtypes)):
    carrier = ("ui8", np.uint8, "bitcast_convert") if name[5] == "8" else ("f32", np.float32, "convert")
    carriers[f"f{name[5]}{name[7:].upper()}"] = (*carrier, name)


@functools.lru_cache
def compiled(text: str) -> Any:
    return client.compile_and_load(text, _jax.DeviceList((device,)), _jax.CompileOptions())


def cross(array: Any, type_: str, *, enter: bool) -> Any:
    element = re.search(r"([^x<]+|complex<f\d+>)>$", type_)[1]
    carrier, dtype, op, narrow = carriers.get(element, (element, array.dtype, "", ""))
    ends = type_.removesuffix(f"{element}>") + f"{carrier}>", type_
    source, target = ends if enter else ends[::-1]
    line = f"%r = stablehlo.{op} %a : ({source}) -> {target} return %r : {target}"
    change = f"func.func @main(%a: {source}) -> {target} {{ {line} }}"
    if enter:
        given = array.view(getattr(ml_dtypes, narrow)).astype(dtype) if op == "convert" else array.view(dtype)
        buffer = _jax.dlpack_managed_tensor_to_buffer(np.array(given).__dlpack__(), device, None)
        return compiled(change).execute([buffer])[0] if op else buffer
    given = np.array(compiled(change).execute([array])[0] if op else array)
    return given.astype(getattr(ml_dtypes, narrow)).view(np.uint8) if op == "convert" else given


results.mkdir(exist_ok=True)
for case in json.loads((kit / "manifest.json").read_text())["cases"]:
    place, said, stage = kit / case["op"] / case["case"], results / f"{case['case']}.txt", "unsupported"
    if said.exists() or said.with_suffix(".npz").exists():
        continue
    said.write_text("crash: the process ended")
    try:
        program, inputs = compiled(pathlib.Path(f"{place}.mlir").read_text()), np.load(f"{place}.inputs.npz")
        stage = "crash"
        buffers = [cross(inputs[str(n)], type_, enter=True) for n, type_ in enumerate(case["parameters"])]
        outputs = enumerate(zip(program.execute(buffers), case["results"], strict=True))
        np.savez(said.with_suffix(".npz"), **{str(n): cross(a, r["type"], enter=False) for n, (a, r) in outputs})
        said.unlink()
    except Exception as error:
        said.write_text(f"{'unsupported' if 'UNIMPLEMENTED' in str(error) else stage}: {error}")
