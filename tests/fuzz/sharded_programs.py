"""Random programs with random shardings: the devices together have to give what the global program gives, exactly, and
be the same function.

Floats are small whole numbers throughout, so that sums in another order are the same.
"""

from __future__ import annotations

import random
from functools import partial

import numpy as np
from fuzzing import WrongError
from sharded_ops import SIMPLE
from sharded_regions import write_branch, write_manual, write_while
from sharded_writer import ELEMENTS, Value, Writer

import stablehlo_py
from stablehlo_py.bindings.types import element_type
from stablehlo_py.debug.equivalence import DIFFERENT, same_function
from stablehlo_py.spmd import partition, simulate
from stablehlo_py.spmd.simulation import fingerprint_runs, global_results


def draw_sharded(generator: random.Random) -> bytes:
    """A program with shardings of its arguments, of its results and of some values."""
    w = Writer(generator)
    arguments = list[Value]()
    for number in range(generator.randint(1, 3)):
        shape = (generator.choice(w.sizes), *w.shape(2))
        arguments.append(Value(f"%a{number}", shape, generator.choice(ELEMENTS)))
    w.values += arguments
    for _ in range(generator.randint(1, 6)):
        generator.choices((*SIMPLE, write_while, write_branch, write_manual), (*[1] * len(SIMPLE), 2, 1, 2))[0](w)
    results = [generator.choice(w.values[-4:]) for _ in range(generator.randint(1, 3))]

    def placed(value: Value) -> str:
        return (
            f"{value.type} {{sdy.sharding = #sdy.sharding{w.sharding(value.shape)}}}"
            if generator.random() < 0.8
            else value.type
        )

    shuffled = "" if w.ids == sorted(w.ids) else f", device_ids={w.ids}"
    axes = ", ".join([f'"{name}"={size}' for name, size in w.mesh.items()])
    mesh = f"sdy.mesh @mesh = <[{axes}]{shuffled}>"
    ins = ", ".join(f"{value.name}: {placed(value)}" for value in arguments)
    outs = ", ".join(placed(value) for value in results)
    words = ", ".join(value.name for value in results), ", ".join(value.type for value in results)
    lines = "\n".join(w.lines)
    return f"{mesh}\nfunc.func @main({ins}) -> ({outs}) {{\n{lines}\nreturn {words[0]} : {words[1]}\n}}\n".encode()


def judge_sharded(case: bytes) -> str:
    """The devices together give what the global program gives, or the program is refused with a reason."""
    module = stablehlo_py.parse(case, trust_input=True)
    numbers = np.random.default_rng(len(case))
    types = [argument.type for argument in module.body.operations[1].regions[0].blocks[0].arguments]
    arguments = [
        numbers.integers(0, 5, type_.shape).astype(element_type(str(type_.element_type)).dtype) for type_ in types
    ]
    expected = global_results(module, arguments)
    try:
        found = partition(module)
    except stablehlo_py.StablehloError as error:
        if "not valid" in str(error):
            raise WrongError(str(error)) from error
        return f"refused: {' '.join(str(error).split()[-12:])}"
    for index, (result, right) in enumerate(zip(simulate(found, arguments).results, expected, strict=True)):
        if result.dtype != right.dtype or not np.array_equal(result, right, equal_nan=right.dtype.kind in "fc"):
            raise WrongError(f"result {index} is {result.tolist()}, not {right.tolist()}")
    function = same_function([fingerprint_runs(module, partial(simulate, found), arguments)])
    if function.verdict == DIFFERENT:
        raise WrongError(str(function))
    same = "same function" if function.is_same else "same results"
    asked = [one.demand for one in found.collectives if one.demand is not None]
    if any(demand.is_halo for demand in asked):
        return f"{same} with halos"
    return same if found.collectives else f"{same} without collectives"
