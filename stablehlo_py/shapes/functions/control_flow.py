"""Ops that pass on, order and call. For `if`, `case` and `while` their regions decide, which refinement walks."""

from __future__ import annotations

from ..element_types import FUTURE, TOKEN, UNKNOWN
from ..language import DType, Shape
from ..registry import ErrorInvocation, Invocation, cases, dtype_function, shape_function

CHANNEL = "#stablehlo.channel_handle<handle = 1, type = %d>"


@shape_function("stablehlo.optimization_barrier", "stablehlo.async_done", "stablehlo.all_reduce")
@cases(Invocation(["2x?xf32", "3xi32"], returns=["2x?xf32", "3xi32"]), ops=["stablehlo.optimization_barrier"])
@cases(ops=["stablehlo.async_done"])
@cases(Invocation(["2x?xf32"], returns="2x?xf32"), ops=["stablehlo.all_reduce"], replica_groups=[[0, 1]])
def passed_on(operands: list[Shape], /) -> list[Shape]:
    """The shapes of the operands, or of the values of a future. Spec: all_reduce (C6), async_done, optimization_barrier
    (C1)."""
    return operands


@shape_function("stablehlo.custom_call", "stablehlo.composite", "stablehlo.infeed", "stablehlo.recv")
@cases(Invocation(["2xf32"], call_target_name='"unheard_of"', returns="3xf32"), ops=["stablehlo.custom_call"])
@cases(Invocation(["2xf32"], name='"my.twice"', decomposition="@twice", returns="2xf32"), ops=["stablehlo.composite"])
@cases(
    Invocation("!stablehlo.token", returns=["2xf32", "!stablehlo.token"]),
    ops=["stablehlo.infeed"],
    infeed_config='"config"',
    layout="[[0]]",
)
@cases(
    Invocation("!stablehlo.token", returns=["2xf32", "!stablehlo.token"]),
    ops=["stablehlo.recv"],
    channel_handle=CHANNEL % 3,
    is_host_transfer=True,
)
def declared(result: list[Shape]) -> list[Shape]:
    """The declared results, and what refining a decomposition gives; a target or a name can have a library function
    of its own. Spec: composite (C4), custom_call, infeed (C1 to C3), recv (C2, C3)."""
    return result


@shape_function(
    *("stablehlo.after_all", "stablehlo.async_start", "stablehlo.create_token", "stablehlo.outfeed"),
    *("stablehlo.partition_id", "stablehlo.replica_id", "stablehlo.send", "stablehlo.tuple"),
)
@cases(Invocation(["!stablehlo.token"], returns="!stablehlo.token"), ops=["stablehlo.after_all"])
@cases(ops=["stablehlo.async_start"])
@cases(Invocation(returns="!stablehlo.token"), ops=["stablehlo.create_token"])
@cases(Invocation(["2xf32"], "!stablehlo.token", returns="!stablehlo.token"), ops=["stablehlo.outfeed"])
@cases(Invocation(returns="ui32"), ops=["stablehlo.partition_id", "stablehlo.replica_id"])
@cases(
    Invocation(["2xf32"], "!stablehlo.token", returns="!stablehlo.token"),
    ops=["stablehlo.send"],
    channel_handle=CHANNEL % 2,
    is_host_transfer=True,
)
@cases(Invocation(["2xf32", "3xi32"], returns="tuple<tensor<2xf32>, tensor<3xi32>>"), ops=["stablehlo.tuple"])
def without_sizes() -> Shape:
    """No dimension sizes: for a scalar, and for tokens, futures and tuples, which have none. Spec: the section of
    each op."""
    return []


@dtype_function("stablehlo.tuple")
def tuple_dtype() -> DType:
    """No element type: the elements of a tuple have types of their own. Spec: tuple."""
    return UNKNOWN


@dtype_function("stablehlo.async_start")
def async_start_dtype() -> DType:
    """A future. Spec: async_start."""
    return FUTURE


@shape_function("stablehlo.get_tuple_element")
@cases(
    Invocation("tuple<tensor<2xf32>, tensor<3xi32>>", returns="3xi32"),
    ErrorInvocation("tuple<tensor<2xf32>>", match="member 1 .* 1 members"),
    index=1,
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


@dtype_function("stablehlo.after_all", "stablehlo.create_token", "stablehlo.outfeed", "stablehlo.send")
def token_dtype() -> DType:
    """A token. Spec: after_all, outfeed, send."""
    return TOKEN


@dtype_function("stablehlo.infeed", "stablehlo.recv")
def received_dtype(result: list[DType]) -> list[DType]:
    """The declared result, the last of it a token. Spec: infeed (C1 to C3), recv (C2 to C4)."""
    assert result[-1] == TOKEN, "the last result has to be a token"
    return result
