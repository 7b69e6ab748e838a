"""Control flow, tuples and barriers: ops that pass values of any type on."""

from __future__ import annotations

from hypothesis import strategies as st

from . import ELEMENTS, Break, Draw, Instance, grown, instances_of, other, shape, tensor

TRUE = "%t = stablehlo.constant dense<true> : tensor<i1> stablehlo.return %t : tensor<i1>"


def _types(draw: Draw, least: int = 1) -> list[str]:
    kinds = st.builds(tensor, st.just(shape(draw, 0, 2)), st.sampled_from(ELEMENTS))
    return draw(st.lists(kinds, min_size=least, max_size=3))


def _another(draw: Draw, kind: str) -> str:
    """A type that no value of `kind` has."""
    return draw(st.sampled_from((kind.replace("<", "<9x", 1), "!stablehlo.token")))


def _constants(kinds: list[str]) -> str:
    """The body of a branch that returns something of each type."""
    names = [f"%v{position}" for position in range(len(kinds))]
    values = " ".join(
        f'{name} = "stablehlo.constant"() {{value = dense<{_zero(kind)}> : {kind}}} : () -> {kind}'
        for name, kind in zip(names, kinds, strict=True)
    )
    returned = f"stablehlo.return {', '.join(names)} : {', '.join(kinds)}" if kinds else "stablehlo.return"
    return f"{values} {returned}"


def _zero(kind: str) -> str:
    if "complex" in kind:
        return "(0.0, 0.0)"
    if "xi1>" in kind or "<i1>" in kind:
        return "false"
    return "0.0" if any(f"{float_}>" in kind for float_ in ("f16", "f32", "f64")) else "0"


@instances_of("if", "case")
def branches(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    kinds = _types(draw)
    count = 2 if op == "if" else draw(st.integers(1, 4))
    branch = f"{{ {_constants(kinds)} }}"
    selector = "tensor<i1>" if op == "if" else "tensor<i32>"
    instance = Instance(op, (selector,), tuple(kinds), {}, (branch,) * count)
    with_argument = f"{{ ^bb0(%x: tensor<f32>): {_constants(kinds)} }}"
    longer = f"{{ {_constants([kinds[0].replace('<', '<9x', 1), *kinds[1:]])} }}"
    takes, returns, result = ("C1", "C2", "C3") if op == "if" else ("C2", "C3", "C4")
    wrong = [kinds[0].replace("<", "<9x", 1), *kinds[1:]]
    breaks = [
        Break(takes, Instance(op, (selector,), tuple(kinds), {}, (with_argument, *[branch] * (count - 1)))),
        Break(result, Instance(op, (selector,), tuple(wrong), {}, (branch,) * count)),
    ]
    if count > 1:
        breaks.append(Break(returns, Instance(op, (selector,), tuple(kinds), {}, (*[branch] * (count - 1), longer))))
    return instance, breaks


@instances_of("while")
def while_(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    kinds = _types(draw)
    names = [f"%a{position}" for position in range(len(kinds))]

    def region(types: list[str], rest: str) -> str:
        arguments = ", ".join(f"{name}: {kind}" for name, kind in zip(names, types, strict=False))
        return f"{{ ^bb0({arguments}): {rest} }}"

    cond = region(kinds, TRUE)
    body = region(kinds, f"stablehlo.return {', '.join(names)} : {', '.join(kinds)}")
    wrong = [_another(draw, kinds[0]), *kinds[1:]]

    def instance(cond: str, body: str) -> Instance:
        return Instance(op, tuple(kinds), tuple(kinds), {}, (cond, body))

    return instance(cond, body), [
        Break("C1", instance(region(wrong, TRUE), body)),
        Break("C1", instance(region(kinds, "stablehlo.return"), body)),
        Break("C2", instance(cond, region(kinds, "stablehlo.return"))),
        Break("C3", instance(cond, body).with_result(0, kinds[0].replace("<", "<9x", 1))),
    ]


@instances_of("optimization_barrier")
def optimization_barrier(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    kinds = tuple(_types(draw))
    instance = Instance(op, kinds, kinds)
    return instance, [
        Break("C1", instance.with_result(0, kinds[0].replace("<", "<9x", 1))),
        Break("C1", Instance(op, kinds, kinds[1:])),
    ]


@instances_of("tuple")
def tuple_(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    kinds = tuple(_types(draw))
    instance = Instance(op, kinds, (f"tuple<{', '.join(kinds)}>",))
    return instance, [
        Break("C1", instance.with_operand(0, kinds[0].replace("<", "<9x", 1))),
        Break("C1", instance.with_result(0, f"tuple<{', '.join((*kinds, kinds[0]))}>")),
    ]


@instances_of("get_tuple_element")
def get_tuple_element(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    kinds = _types(draw)
    index = draw(st.integers(0, len(kinds) - 1))
    operand = f"tuple<{', '.join(kinds)}>"
    instance = Instance(op, (operand,), (kinds[index],), {"index": f"{index} : i32"})
    return instance, [
        Break("C1", instance.with_attributes(index=f"{len(kinds)} : i32")),
        Break("C1", instance.with_attributes(index="-1 : i32")),
        Break("C2", instance.with_result(0, kinds[index].replace("<", "<9x", 1))),
    ]


@instances_of("uniform_quantize", "uniform_dequantize")
def quantization(draw: Draw, op: str) -> tuple[Instance, list[Break]]:
    floats = ("f16", "bf16", "f32", "f64")
    expressed, sizes = draw(st.sampled_from(floats)), shape(draw, 1)
    storage = draw(st.sampled_from(("i4", "i8", "u8", "i16", "i32")))

    def quantized(element: str, dimension_sizes: list[int]) -> str:
        return tensor(dimension_sizes, f"!quant.uniform<{storage}:{element}, 0.5:1>")

    kinds = (tensor(sizes, expressed), quantized(expressed, sizes))
    operand, result = kinds if op == "uniform_quantize" else kinds[::-1]
    instance = Instance(op, (operand,), (result,))
    longer, wrong = grown(sizes, 0), other(draw, floats, expressed)
    results = (
        (quantized(expressed, longer), quantized(wrong, sizes))
        if op == "uniform_quantize"
        else (tensor(longer, expressed), tensor(sizes, wrong))
    )
    return instance, [
        Break("C1", instance.with_result(0, results[0])),
        Break("C2", instance.with_result(0, results[1])),
    ]
