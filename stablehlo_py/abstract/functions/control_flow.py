"""Ops that choose, repeat, pass on and order: what is inside their regions decides."""

from __future__ import annotations

from ..element_types import FUTURE, TOKEN, UNKNOWN
from ..language import DYNAMIC, Attribute, DType, Shape
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function


def joined(first: Shape, second: Shape) -> Shape:
    """What two ways agree on; an extent that differs, or is unknown on one of them, is unknown."""
    assert len(first) == len(second), f"the ranks on two ways differ, {len(first)} and {len(second)}"
    result: Shape = []
    for i in range(len(first)):
        result.append(first[i] if first[i] == second[i] else DYNAMIC)
    return result


def joined_all(branches: list[Shape], results: int) -> list[Shape]:
    """As `joined`, for the results of any number of branches, one branch after the other."""
    found: list[Shape] = []
    for i in range(results):
        shape = branches[i]
        for branch in range(len(branches) // results):
            shape = joined(shape, branches[branch * results + i])
        found.append(shape)
    return found


def agreed(branches: list[DType], results: int) -> list[DType]:
    """The element types that all branches return; UNKNOWN where they differ, as quantized ones may."""
    found: list[DType] = []
    for i in range(results):
        dtype = branches[i]
        for branch in range(len(branches) // results):
            if branches[branch * results + i] != dtype:
                dtype = UNKNOWN
        found.append(dtype)
    return found


@shape_function("stablehlo.if")
@cases(
    Invocation(
        "i1",
        regions=[
            '"stablehlo.return"(%two) : (tensor<2xf32>) -> ()',
            '"stablehlo.return"(%two) : (tensor<2xf32>) -> ()',
        ],
        returns="2xf32",
    ),
)
def if_(pred: Shape, true_branch: list[Shape], false_branch: list[Shape], result: list[Shape]) -> list[Shape]:
    """What both branches agree on (C1, C3). Spec: if."""
    return joined_all(true_branch + false_branch, len(result))


@dtype_function("stablehlo.if")
def if_dtype(pred: DType, true_branch: list[DType], false_branch: list[DType], result: list[DType]) -> list[DType]:
    """The element types that both branches return (C1, C3). Spec: if."""
    return agreed(true_branch + false_branch, len(result))


@shape_function("stablehlo.case")
@cases(
    Invocation("i32", regions=['"stablehlo.return"(%two) : (tensor<2xf32>) -> ()'] * 3, returns="2xf32"),
)
def case(index: Shape, branches: list[Shape], result: list[Shape]) -> list[Shape]:
    """What all branches agree on (C2, C4). Spec: case."""
    return joined_all(branches, len(result))


@dtype_function("stablehlo.case")
def case_dtype(index: DType, branches: list[DType], result: list[DType]) -> list[DType]:
    """The element types that all branches return (C2, C4). Spec: case."""
    return agreed(branches, len(result))


@shape_function("stablehlo.while")
@cases(
    Invocation(
        ["2xf32"],
        regions=[
            '^bb0(%a: tensor<2xf32>): "stablehlo.return"(%true) : (tensor<i1>) -> ()',
            '^bb0(%a: tensor<2xf32>): "stablehlo.return"(%a) : (tensor<2xf32>) -> ()',
        ],
        returns="2xf32",
    ),
)
def while_(operand: list[Shape], cond: list[Shape], body: list[Shape], result: list[Shape]) -> list[Shape]:
    """What stays the same in every round (C2, C3). Spec: while."""
    return joined_all(operand + body, len(result))


@dtype_function("stablehlo.while")
def while_dtype(operand: list[DType], cond: list[DType], body: list[DType], result: list[DType]) -> list[DType]:
    """The element types of what is carried (C2, C3). Spec: while."""
    return agreed(operand + body, len(result))


@shape_function("stablehlo.optimization_barrier")
@cases(Invocation(["2x?xf32", "3xi32"], returns=["2x?xf32", "3xi32"]))
def optimization_barrier(operand: list[Shape]) -> list[Shape]:
    """The operands' shapes (C1). Spec: optimization_barrier."""
    return operand


@dtype_function("stablehlo.optimization_barrier")
def optimization_barrier_dtype(operand: list[DType]) -> list[DType]:
    """The operands' element types (C1). Spec: optimization_barrier."""
    return operand


@shape_function("stablehlo.custom_call")
@cases(Invocation(["2xf32"], call_target_name='"unheard_of"', returns="3xf32"))
def custom_call(
    inputs: list[Shape],
    call_target_name: Attribute,
    has_side_effect: bool,
    backend_config: Attribute,
    api_version: Attribute,
    called_computations: Attribute,
    operand_layouts: Attribute,
    result_layouts: Attribute,
    output_operand_aliases: Attribute,
    result: list[Shape],
) -> list[Shape]:
    """What is declared; a target can have a calculation of its own. Spec: custom_call."""
    return result


@dtype_function("stablehlo.custom_call")
def custom_call_dtype(
    inputs: list[DType],
    call_target_name: Attribute,
    has_side_effect: bool,
    backend_config: Attribute,
    api_version: Attribute,
    called_computations: Attribute,
    operand_layouts: Attribute,
    result_layouts: Attribute,
    output_operand_aliases: Attribute,
    result: list[DType],
) -> list[DType]:
    """What is declared; a target can have a calculation of its own. Spec: custom_call."""
    return result


@shape_function("stablehlo.composite")
@cases(Invocation(["2xf32"], name='"my.twice"', decomposition="@twice", version=None, returns="2xf32"))
def composite(
    inputs: list[Shape],
    name: Attribute,
    decomposition: Attribute,
    composite_attributes: Attribute,
    version: int | None,
    composite_regions: list[Shape],
    result: list[Shape],
) -> list[Shape]:
    """What is declared, and what refining the decomposition comes to; a name can have a calculation of its own (C4).
    Spec: composite."""
    return result


@dtype_function("stablehlo.composite")
def composite_dtype(
    inputs: list[DType],
    name: Attribute,
    decomposition: Attribute,
    composite_attributes: Attribute,
    version: int | None,
    composite_regions: list[DType],
    result: list[DType],
) -> list[DType]:
    """What is declared (C4). Spec: composite."""
    return result


@shape_function("stablehlo.tuple")
@cases(Invocation(["2xf32", "3xi32"], returns="tuple<tensor<2xf32>, tensor<3xi32>>"))
def tuple_(val: list[Shape]) -> Shape:
    """Nothing: a tuple has no extents of its own. Spec: tuple."""
    return []


@dtype_function("stablehlo.tuple")
def tuple_dtype(val: list[DType]) -> DType:
    """Nothing: a tuple has no elements of one type. Spec: tuple."""
    return UNKNOWN


@shape_function("stablehlo.get_tuple_element")
@cases(
    Invocation("tuple<tensor<2xf32>, tensor<3xi32>>", index=1, returns="3xi32"),
    ErrorInvocation("tuple<tensor<2xf32>>", index=1, match="member 1 .* 1 members"),
)
def get_tuple_element(operand: list[Shape], index: int) -> Shape:
    """The shape of the member (C1, C2). Spec: get_tuple_element."""
    assert index >= 0, f"member {index} is negative"
    assert index < len(operand), f"member {index} is asked for of a tuple of {len(operand)} members"
    return operand[index]


@dtype_function("stablehlo.get_tuple_element")
def get_tuple_element_dtype(operand: list[DType], index: int) -> DType:
    """The element type of the member (C2). Spec: get_tuple_element."""
    assert index < len(operand), f"member {index} is asked for of a tuple of {len(operand)} members"
    return operand[index]


@shape_function("stablehlo.after_all")
@cases(Invocation(["!stablehlo.token"], returns="!stablehlo.token"))
def after_all(inputs: list[Shape]) -> Shape:
    """A token. Spec: after_all."""
    return []


@dtype_function("stablehlo.after_all")
def after_all_dtype(inputs: list[DType]) -> DType:
    """A token. Spec: after_all."""
    return TOKEN


@shape_function("stablehlo.create_token")
@cases(Invocation(returns="!stablehlo.token"))
def create_token() -> Shape:
    """A token. Deprecated: after_all."""
    return []


@dtype_function("stablehlo.create_token")
def create_token_dtype() -> DType:
    """A token. Deprecated: after_all."""
    return TOKEN


@shape_function("stablehlo.infeed")
@cases(
    Invocation("!stablehlo.token", infeed_config='"config"', layout="[[0]]", returns=["2xf32", "!stablehlo.token"]),
)
def infeed(token: Shape, infeed_config: Attribute, layout: Attribute, result: list[Shape]) -> list[Shape]:
    """What is declared (C1 to C3). Spec: infeed."""
    return result


@dtype_function("stablehlo.infeed")
def infeed_dtype(token: DType, infeed_config: Attribute, layout: Attribute, result: list[DType]) -> list[DType]:
    """What is declared, the last of it a token (C1 to C3). Spec: infeed."""
    assert result[-1] == TOKEN, "the last result has to be a token"
    return result


@shape_function("stablehlo.outfeed")
@cases(Invocation(["2xf32"], "!stablehlo.token", returns="!stablehlo.token"))
def outfeed(inputs: list[Shape], token: Shape, outfeed_config: Attribute) -> Shape:
    """A token. Spec: outfeed."""
    return []


@dtype_function("stablehlo.outfeed")
def outfeed_dtype(inputs: list[DType], token: DType, outfeed_config: Attribute) -> DType:
    """A token. Spec: outfeed."""
    return TOKEN


@shape_function("stablehlo.send")
@cases(
    Invocation(
        ["2xf32"],
        "!stablehlo.token",
        channel_handle="#stablehlo.channel_handle<handle = 1, type = 2>",
        is_host_transfer=True,
        source_target_pairs=None,
        returns="!stablehlo.token",
    ),
)
def send(
    inputs: list[Shape],
    token: Shape,
    channel_handle: Attribute,
    is_host_transfer: bool,
    source_target_pairs: list[list[int]] | None,
) -> Shape:
    """A token. Spec: send."""
    return []


@dtype_function("stablehlo.send")
def send_dtype(
    inputs: list[DType],
    token: DType,
    channel_handle: Attribute,
    is_host_transfer: bool,
    source_target_pairs: list[list[int]] | None,
) -> DType:
    """A token. Spec: send."""
    return TOKEN


@shape_function("stablehlo.recv")
@cases(
    Invocation(
        "!stablehlo.token",
        channel_handle="#stablehlo.channel_handle<handle = 1, type = 3>",
        is_host_transfer=True,
        source_target_pairs=None,
        returns=["2xf32", "!stablehlo.token"],
    ),
)
def recv(
    token: Shape,
    channel_handle: Attribute,
    is_host_transfer: bool,
    source_target_pairs: list[list[int]] | None,
    result: list[Shape],
) -> list[Shape]:
    """What is declared (C2, C3). Spec: recv."""
    return result


@dtype_function("stablehlo.recv")
def recv_dtype(
    token: DType,
    channel_handle: Attribute,
    is_host_transfer: bool,
    source_target_pairs: list[list[int]] | None,
    result: list[DType],
) -> list[DType]:
    """What is declared, the last of it a token (C2 to C4). Spec: recv."""
    assert result[-1] == TOKEN, "the last result has to be a token"
    return result


@shape_function("stablehlo.async_start")
@cases()
def async_start(operands: list[Shape], body: list[Shape], result: Shape) -> Shape:
    """Nothing: a future has no extents of its own. Spec: async_start."""
    return []


@dtype_function("stablehlo.async_start")
def async_start_dtype(operands: list[DType], body: list[DType], result: DType) -> DType:
    """A future. Spec: async_start."""
    return FUTURE


@shape_function("stablehlo.async_done")
@cases()
def async_done(operand: list[Shape]) -> list[Shape]:
    """The shapes that the future will come to. Spec: async_done."""
    return operand


@dtype_function("stablehlo.async_done")
def async_done_dtype(operand: list[DType]) -> list[DType]:
    """The element types that the future will come to. Spec: async_done."""
    return operand
