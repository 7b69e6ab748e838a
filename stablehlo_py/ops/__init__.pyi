# Written by tools/generate/op_stubs.py.
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from ..bindings.types import ElementType as ElementType
from ..bindings.types import TensorType as TensorType
from ..bindings.types import element_type as element_type
from .builder import TypeLike
from .eager import TypedValue as TypedValue
from .eager import typed as typed
from .functions import Function as Function
from .functions import function as function
from .functions import module as module
from .values import Value as Value

Operand = Any
"""An array of any library, a number, a list of numbers, a `TypedValue`, or a `Value`."""
Operands = Operand | Sequence[Operand]
ResultType = TypeLike | Sequence[TypeLike] | Sequence[int | None]
"""A type, its text, one for each result; or of a tensor only the element type or the shape."""

from . import chlo as chlo

i1: ElementType
i8: ElementType
si8: ElementType
ui8: ElementType
i16: ElementType
si16: ElementType
ui16: ElementType
i32: ElementType
si32: ElementType
ui32: ElementType
i64: ElementType
si64: ElementType
ui64: ElementType
index: ElementType
f16: ElementType
f32: ElementType
f64: ElementType
complex_f32: ElementType
complex_f64: ElementType
i2: ElementType
ui2: ElementType
i4: ElementType
ui4: ElementType
f4E2M1FN: ElementType
f6E2M3FN: ElementType
f6E3M2FN: ElementType
f8E3M4: ElementType
f8E4M3: ElementType
f8E4M3FN: ElementType
f8E4M3FNUZ: ElementType
f8E4M3B11FNUZ: ElementType
f8E5M2: ElementType
f8E5M2FNUZ: ElementType
f8E8M0FNU: ElementType
bf16: ElementType

def abs(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.abs on arrays, or add it to the function that is being built.

    Constraints:
        C1: result has the shape of operand
        C2: the magnitude of a complex number is real; other element types stay
    """

def add(lhs: Operand, rhs: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.add on arrays, or add it to the function that is being built.

    Constraints:
        C1: lhs, rhs and result have one type
        C2: all or none of lhs, rhs and result are quantized
        C3: one storage type
        C4: one expressed type
        C5: result is per axis just when an operand is
        C6: result is quantized along the dimension of lhs
        C7: result is quantized along the dimension of rhs
    """

def after_all(inputs: Operands, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.after_all on arrays, or add it to the function that is being built."""

def all_gather(
    operands: Operands,
    all_gather_dim: int,
    replica_groups: Any,
    channel_id: int | None = None,
    channel_type: int | None = None,
    use_global_device_ids: bool | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.all_gather on arrays, or add it to the function that is being built.

    Args:
        all_gather_dim: i64, not negative
        replica_groups: two-dimensional elements of i64, or mesh axes
        channel_id: handle of #stablehlo.channel_handle; by default none
        channel_type: type of #stablehlo.channel_handle; by default none
        use_global_device_ids: unit; by default false

    Constraints:
        C1: all_gather_dim is a dimension
        C2: no process is in two groups
        C3: every process is in a group
        C4: ids count up from zero without gaps
        C5: global ids need a channel
        C6: all_gather_dim grows by the size of a group; nothing else changes
    """

def all_reduce(
    operands: Operands,
    replica_groups: Any,
    computation: Callable[..., Any],
    channel_id: int | None = None,
    channel_type: int | None = None,
    use_global_device_ids: bool | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.all_reduce on arrays, or add it to the function that is being built.

    Args:
        replica_groups: two-dimensional elements of i64, or mesh axes
        channel_id: handle of #stablehlo.channel_handle; by default none
        channel_type: type of #stablehlo.channel_handle; by default none
        use_global_device_ids: unit; by default false

    Constraints:
        C1: no process is in two groups
        C2: every process is in a group
        C3: ids count up from zero without gaps
        C4: global ids need a channel
        C5: computation takes two scalars to one, of a type the operand promotes to
        C6: results have the shapes of operands
        C7: results have computation's element type
    """

def all_to_all(
    operands: Operands,
    split_dimension: int,
    concat_dimension: int,
    split_count: int,
    replica_groups: Any,
    channel_id: int | None = None,
    channel_type: int | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.all_to_all on arrays, or add it to the function that is being built.

    Args:
        split_dimension: i64, not negative
        concat_dimension: i64, not negative
        split_count: i64, positive
        replica_groups: two-dimensional elements of i64, or mesh axes
        channel_id: handle of #stablehlo.channel_handle; by default none
        channel_type: type of #stablehlo.channel_handle; by default none

    Constraints:
        C1: split_dimension is a dimension
        C2: split_dimension divides into split_count parts
        C3: concat_dimension is a dimension
        C4: split_count is positive
        C5: no process is in two groups
        C6: every process is in a group
        C7: ids count up from zero without gaps
        C8: a group has split_count processes
        C9: split_dimension shrinks and concat_dimension grows by split_count
    """

def and_(lhs: Operand, rhs: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.and on arrays, or add it to the function that is being built.

    Constraints:
        C1: lhs, rhs and result have one type
    """

def async_done(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.async_done on arrays, or add it to the function that is being built.

    Constraints:
        C1: result is what the future holds
    """

def async_start(operands: Operands, body: Callable[..., Any], result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.async_start on arrays, or add it to the function that is being built.

    Constraints:
        C1: body is one op and a return
        C2: the op is a collective or a slice
        C3: body takes what async_start takes
        C4: result is a future of what body returns
    """

def atan2(lhs: Operand, rhs: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.atan2 on arrays, or add it to the function that is being built.

    Constraints:
        C1: lhs, rhs and result agree but for scales and zero points
    """

def batch_norm_grad(
    operand: Operand,
    scale: Operand,
    mean: Operand,
    variance: Operand,
    grad_output: Operand,
    epsilon: float,
    feature_index: int,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.batch_norm_grad on arrays, or add it to the function that is being built.

    Args:
        epsilon: f32
        feature_index: i64, not negative

    Constraints:
        C1: feature_index is a dimension
        C2: one element type
        C3: operand, grad_output and grad_operand have one shape
        C4: scale, mean, variance and the other results have one shape
        C5: scale has an element for each feature
    """

def batch_norm_inference(
    operand: Operand,
    scale: Operand,
    offset: Operand,
    mean: Operand,
    variance: Operand,
    epsilon: float,
    feature_index: int,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.batch_norm_inference on arrays, or add it to the function that is being built.

    Args:
        epsilon: f32
        feature_index: i64, not negative

    Constraints:
        C1: feature_index is a dimension
        C2: one element type
        C3: scale has an element for each feature
        C4: offset has an element for each feature
        C5: mean has an element for each feature
        C6: variance has an element for each feature
        C7: result has the type of operand
    """

def batch_norm_training(
    operand: Operand,
    scale: Operand,
    offset: Operand,
    epsilon: float,
    feature_index: int,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.batch_norm_training on arrays, or add it to the function that is being built.

    Args:
        epsilon: f32
        feature_index: i64, not negative

    Constraints:
        C1: feature_index is a dimension
        C2: one element type
        C3: scale has an element for each feature
        C4: offset has an element for each feature
        C5: batch_mean has an element for each feature
        C6: batch_var has an element for each feature
        C7: output has the type of operand
    """

def bitcast_convert(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.bitcast_convert on arrays, or add it to the function that is being built.

    Constraints:
        C1: the bits stay the same: a last dimension appears or vanishes where the widths differ
        C2: complex goes to complex only
    """

def broadcast_in_dim(
    operand: Operand,
    broadcast_dimensions: Sequence[int],
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.broadcast_in_dim on arrays, or add it to the function that is being built.

    Args:
        broadcast_dimensions: array<i64>

    Constraints:
        C1: element type stays, per-axis parameters aside
        C2: broadcast_dimensions has an entry for each dimension of operand
        C3: its entries are dimensions of result
        C4: its entries differ
        C5: a dimension is 1 or stays as it is
        C6: the quantized dimension moves along, and its parameters are repeated where it grows
    """

def broadcast(operand: Operand, broadcast_sizes: Sequence[int], result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.broadcast on arrays, or add it to the function that is being built.

    Args:
        broadcast_sizes: array<i64>
    """

def case(index: Operand, branches: Sequence[Callable[..., Any]], result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.case on arrays, or add it to the function that is being built.

    Constraints:
        C1: there is a branch
        C2: branches take nothing
        C3: branches return the same types
        C4: results are what a branch returns
    """

def cbrt(operand: Operand, result_accuracy: Any | None = None, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.cbrt on arrays, or add it to the function that is being built.

    Args:
        result_accuracy: #stablehlo.result_accuracy; by default the DEFAULT mode

    Constraints:
        C1: operand and result agree but for scales and zero points
    """

def ceil(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.ceil on arrays, or add it to the function that is being built.

    Constraints:
        C1: operand and result agree but for scales and zero points
    """

def cholesky(a: Operand, lower: bool | None = None, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.cholesky on arrays, or add it to the function that is being built.

    Args:
        lower: bool; by default false

    Constraints:
        C1: result has the type of a
        C2: a is a matrix or a batch of them
        C3: the matrices are square
    """

def clamp(min: Operand, operand: Operand, max: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.clamp on arrays, or add it to the function that is being built.

    Constraints:
        C1: min is a scalar or has the shape of operand
        C2: max is a scalar or has the shape of operand
        C3: one element type
        C4: result has the type of operand
    """

def count_leading_zeros(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.count_leading_zeros on arrays, or add it to the function that is being built.

    Constraints:
        C1: operand and result have one type
    """

def collective_broadcast(
    operands: Operands,
    replica_groups: Any,
    channel_id: int | None = None,
    channel_type: int | None = None,
    has_dynamic_root: bool | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.collective_broadcast on arrays, or add it to the function that is being built.

    Args:
        replica_groups: two-dimensional elements of i64, or mesh axes
        channel_id: handle of #stablehlo.channel_handle; by default none
        channel_type: type of #stablehlo.channel_handle; by default none
        has_dynamic_root: unit, since 1.20.0; by default false

    Constraints:
        C1: no process is in two groups
        C2: ids are those of processes
        C3: without a dynamic root there is an operand, and results have the types of operands
        C4: with a dynamic root the last operand holds a position for each of the others, which results have the
            types of
        C5: there is a result for each operand but that of the roots
        C6: roots are positions in a group
    """

def collective_permute(
    operand: Operand,
    source_target_pairs: Sequence[Sequence[int]],
    channel_id: int | None = None,
    channel_type: int | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.collective_permute on arrays, or add it to the function that is being built.

    Args:
        source_target_pairs: elements of i64, pairs
        channel_id: handle of #stablehlo.channel_handle; by default none
        channel_type: type of #stablehlo.channel_handle; by default none

    Constraints:
        C1: entries are pairs
        C2: no source sends twice
        C3: no target receives twice
        C4: ids are those of processes
        C5: result has the type of operand
    """

def collective_reduce(
    operands: Operands,
    replica_groups: Any,
    computation: Callable[..., Any],
    channel_id: int | None = None,
    channel_type: int | None = None,
    use_global_device_ids: bool | None = None,
    has_dynamic_root: bool | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.collective_reduce on arrays, or add it to the function that is being built.

    Args:
        replica_groups: two-dimensional elements of i64, or mesh axes
        channel_id: handle of #stablehlo.channel_handle; by default none
        channel_type: type of #stablehlo.channel_handle; by default none
        use_global_device_ids: unit; by default false
        has_dynamic_root: unit; by default false

    Constraints:
        C1: no process is in two groups
        C2: ids are those of processes
        C3: results have the shapes of operands, but for a last operand with a position for each of the others
        C4: computation combines two scalars of a type that the operand's can be promoted to
    """

def compare(
    lhs: Operand,
    rhs: Operand,
    comparison_direction: Literal["EQ", "NE", "GE", "GT", "LE", "LT"],
    compare_type: Literal["FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.compare on arrays, or add it to the function that is being built.

    Args:
        comparison_direction: #stablehlo<comparison_direction EQ|NE|GE|GT|LE|LT>
        compare_type: #stablehlo<comparison_type FLOAT|TOTALORDER|SIGNED|UNSIGNED>; by default follows from the
            element type

    Constraints:
        C1: one element type
        C2: one shape
        C3: compare_type fits the element type
    """

def complex(lhs: Operand, rhs: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.complex on arrays, or add it to the function that is being built.

    Constraints:
        C1: lhs and rhs have one type
        C2: result has the shape of lhs
        C3: result's parts have the element type of lhs
    """

def composite(
    inputs: Operands,
    name: str,
    decomposition: str | Function | Callable[..., Any],
    composite_attributes: Mapping[str, Any] | None = None,
    version: int | None = None,
    composite_regions: Sequence[Callable[..., Any]] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.composite on arrays, or add it to the function that is being built.

    Args:
        name: string
        decomposition: symbol
        composite_attributes: dictionary; by default {}
        version: i32; by default 0

    Constraints:
        C1: name has a namespace
        C2: decomposition is a function of the module
        C3: decomposition takes the inputs
        C4: decomposition returns the results
    """

def concatenate(inputs: Operands, dimension: int, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.concatenate on arrays, or add it to the function that is being built.

    Args:
        dimension: i64, not negative

    Constraints:
        C1: one element type
        C2: shapes agree but along dimension
        C3: there is an input
        C4: dimension is one
        C5: result has the inputs' element type
        C6: sizes along dimension add up
    """

def constant(value: Any, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.constant on arrays, or add it to the function that is being built.

    Args:
        value: elements

    Constraints:
        C1: output has the type of value
    """

def convert(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.convert on arrays, or add it to the function that is being built.

    Constraints:
        C1: operand and result have one shape
    """

def convolution(
    lhs: Operand,
    rhs: Operand,
    input_batch_dimension: int,
    input_feature_dimension: int,
    kernel_input_feature_dimension: int,
    kernel_output_feature_dimension: int,
    output_batch_dimension: int,
    output_feature_dimension: int,
    feature_group_count: int,
    batch_group_count: int,
    input_spatial_dimensions: Sequence[int] | None = None,
    kernel_spatial_dimensions: Sequence[int] | None = None,
    output_spatial_dimensions: Sequence[int] | None = None,
    window_strides: Sequence[int] | None = None,
    padding: Sequence[Sequence[int]] | None = None,
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    window_reversal: Sequence[bool] | None = None,
    precision_config: Sequence[Literal["DEFAULT", "HIGH", "HIGHEST"]] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.convolution on arrays, or add it to the function that is being built.

    Args:
        input_batch_dimension: input_batch_dimension of #stablehlo.conv
        input_feature_dimension: input_feature_dimension of #stablehlo.conv
        kernel_input_feature_dimension: kernel_input_feature_dimension of #stablehlo.conv
        kernel_output_feature_dimension: kernel_output_feature_dimension of #stablehlo.conv
        output_batch_dimension: output_batch_dimension of #stablehlo.conv
        output_feature_dimension: output_feature_dimension of #stablehlo.conv
        feature_group_count: i64, positive
        batch_group_count: i64, positive
        input_spatial_dimensions: input_spatial_dimensions of #stablehlo.conv; by default []
        kernel_spatial_dimensions: kernel_spatial_dimensions of #stablehlo.conv; by default []
        output_spatial_dimensions: output_spatial_dimensions of #stablehlo.conv; by default []
        window_strides: array<i64>; by default 1 for each spatial dimension
        padding: elements of i64, pairs; by default 0 on both sides of each spatial dimension
        lhs_dilation: array<i64>; by default 1 for each spatial dimension
        rhs_dilation: array<i64>; by default 1 for each spatial dimension
        window_reversal: array<i1>; by default false for each spatial dimension
        precision_config: array of #stablehlo<precision DEFAULT|HIGH|HIGHEST>; by default DEFAULT for each operand

    Constraints:
        C1: lhs and rhs have one rank
        C2: window_strides has an entry for each spatial dimension
        C3: strides are positive
        C4: padding has a pair for each spatial dimension
        C5: lhs_dilation has an entry for each spatial dimension
        C6: its entries are positive
        C7: rhs_dilation has an entry for each spatial dimension
        C8: its entries are positive
        C9: window_reversal has an entry for each spatial dimension
        C10: the batch divides into batch_group_count groups
        C11: input features divide into feature_group_count groups
        C12: as many input spatial dimensions as there are
        C13: input dimensions are distinct dimensions of lhs
        C14: the kernel takes the features of a group
        C15: output features divide into batch_group_count groups
        C16: output features divide into feature_group_count groups
        C17: as many kernel spatial dimensions as there are
        C18: kernel dimensions are distinct dimensions of rhs
        C19: as many output spatial dimensions as there are
        C20: output dimensions are distinct dimensions of result
        C21: feature_group_count is positive
        C22: batch_group_count is positive
        C23: at most one of the two counts exceeds 1
        C24: precision_config has an entry for each operand
        C25: sizes of result: groups, output features, windows
        C26: result has the rank of lhs
        C27: one element type
        C28: lhs and result are quantized together, then rhs too
        C29: rhs is quantized along its output features
        C30: result is quantized along its output features
        C31: lhs and rhs have one storage type
        C32: one expressed type
        C33: a per-tensor rhs makes a per-tensor result
        C34: in a hybrid convolution lhs and result have rhs's expressed type
    """

def cosine(operand: Operand, result_accuracy: Any | None = None, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.cosine on arrays, or add it to the function that is being built.

    Args:
        result_accuracy: #stablehlo.result_accuracy; by default the DEFAULT mode

    Constraints:
        C1: operand and result agree but for scales and zero points
    """

def create_token(result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.create_token on arrays, or add it to the function that is being built."""

def cross_replica_sum(
    operand: Operand,
    replica_groups: Sequence[Sequence[int]],
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.cross-replica-sum on arrays, or add it to the function that is being built.

    Args:
        replica_groups: elements of i64
    """

def custom_call(
    inputs: Operands,
    call_target_name: str,
    has_side_effect: bool | None = None,
    backend_config: Any | None = None,
    api_version: Any | None = None,
    called_computations: Sequence[Any] | None = None,
    operand_layouts: Sequence[Any] | None = None,
    result_layouts: Sequence[Any] | None = None,
    output_operand_aliases: Sequence[Any] | None = None,
    result_tilings: Sequence[Any] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.custom_call on arrays, or add it to the function that is being built.

    Args:
        call_target_name: string
        has_side_effect: bool; by default false
        backend_config: string or dictionary; by default none
        api_version: i32, from 0 to 4; by default 1 (API_VERSION_ORIGINAL)
        called_computations: array of symbols; by default []
        operand_layouts: array of one-dimensional elements of index; by default the compiler's choice
        result_layouts: array of one-dimensional elements of index; by default the compiler's choice
        output_operand_aliases: array of #stablehlo.output_operand_alias; by default []
        result_tilings: array of arrays of one-dimensional elements of index, since 1.18.0; by default the
            compiler's choice
    """

def divide(lhs: Operand, rhs: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.divide on arrays, or add it to the function that is being built.

    Constraints:
        C1: lhs, rhs and result agree but for scales and zero points
    """

def dot_general(
    lhs: Operand,
    rhs: Operand,
    lhs_batching_dimensions: Sequence[int] | None = None,
    rhs_batching_dimensions: Sequence[int] | None = None,
    lhs_contracting_dimensions: Sequence[int] | None = None,
    rhs_contracting_dimensions: Sequence[int] | None = None,
    precision_config: Sequence[Literal["DEFAULT", "HIGH", "HIGHEST"]] | None = None,
    lhs_precision_type: str | None = None,
    rhs_precision_type: str | None = None,
    accumulation_type: str | None = None,
    lhs_component_count: int | None = None,
    rhs_component_count: int | None = None,
    num_primitive_operations: int | None = None,
    allow_imprecise_accumulation: bool | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.dot_general on arrays, or add it to the function that is being built.

    Args:
        lhs_batching_dimensions: lhs_batching_dimensions of #stablehlo.dot; by default []
        rhs_batching_dimensions: rhs_batching_dimensions of #stablehlo.dot; by default []
        lhs_contracting_dimensions: lhs_contracting_dimensions of #stablehlo.dot; by default []
        rhs_contracting_dimensions: rhs_contracting_dimensions of #stablehlo.dot; by default []
        precision_config: array of #stablehlo<precision DEFAULT|HIGH|HIGHEST>; by default DEFAULT for each operand
        lhs_precision_type: lhs_precision_type of #stablehlo.dot_algorithm; by default none
        rhs_precision_type: rhs_precision_type of #stablehlo.dot_algorithm; by default none
        accumulation_type: accumulation_type of #stablehlo.dot_algorithm; by default none
        lhs_component_count: lhs_component_count of #stablehlo.dot_algorithm; by default none
        rhs_component_count: rhs_component_count of #stablehlo.dot_algorithm; by default none
        num_primitive_operations: num_primitive_operations of #stablehlo.dot_algorithm; by default none
        allow_imprecise_accumulation: allow_imprecise_accumulation of #stablehlo.dot_algorithm; by default none

    Constraints:
        C1: as many batching dimensions on both sides
        C2: as many contracting dimensions on both sides
        C3: lhs dimensions are named once
        C4: rhs dimensions are named once
        C5: lhs batching dimensions are dimensions
        C6: lhs contracting dimensions are dimensions
        C7: rhs batching dimensions are dimensions
        C8: rhs contracting dimensions are dimensions
        C9: batching dimensions have equal sizes
        C10: contracting dimensions have equal sizes
        C11: precision_config has an entry for each operand
        C12: result: batching, rest of lhs, rest of rhs
        C13: lhs and rhs have one element type
        C14: lhs and result are quantized together, then rhs too
        C15: rhs has zero points 0
        C16: rhs is not quantized along a contracting dimension
        C17: lhs and rhs have one storage type
        C18: one expressed type
        C19: a per-tensor rhs makes a per-tensor result
        C20: in a hybrid dot lhs and result have rhs's expressed type
        C21: an algorithm excludes other precisions
        C22: lhs_component_count is positive
        C23: rhs_component_count is positive
        C24: num_primitive_operations is positive
    """

def dot(
    lhs: Operand,
    rhs: Operand,
    precision_config: Sequence[Literal["DEFAULT", "HIGH", "HIGHEST"]] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.dot on arrays, or add it to the function that is being built.

    Args:
        precision_config: array of #stablehlo<precision DEFAULT|HIGH|HIGHEST>; by default DEFAULT for each operand
    """

def dynamic_broadcast_in_dim(
    operand: Operand,
    output_dimensions: Operand,
    broadcast_dimensions: Sequence[int],
    known_expanding_dimensions: Sequence[int] | None = None,
    known_nonexpanding_dimensions: Sequence[int] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.dynamic_broadcast_in_dim on arrays, or add it to the function that is being built.

    Args:
        broadcast_dimensions: array<i64>
        known_expanding_dimensions: array<i64>; by default none
        known_nonexpanding_dimensions: array<i64>; by default none

    Constraints:
        C1: element type stays, per-axis parameters aside
        C2: broadcast_dimensions has an entry for each dimension of operand
        C3: its entries are dimensions of result
        C4: its entries differ
        C5: a dimension is 1 or stays as it is
        C6: the quantized dimension moves along, and its parameters are repeated where it grows
        C7: output_dimensions has an element for each dimension of result
        C8: no dimension is hinted at twice
        C9: known_expanding_dimensions are dimensions of operand
        C10: known_nonexpanding_dimensions are dimensions of operand
    """

def dynamic_conv(
    lhs: Operand,
    rhs: Operand,
    padding: Operand,
    input_batch_dimension: int,
    input_feature_dimension: int,
    kernel_input_feature_dimension: int,
    kernel_output_feature_dimension: int,
    output_batch_dimension: int,
    output_feature_dimension: int,
    feature_group_count: int,
    batch_group_count: int,
    input_spatial_dimensions: Sequence[int] | None = None,
    kernel_spatial_dimensions: Sequence[int] | None = None,
    output_spatial_dimensions: Sequence[int] | None = None,
    window_strides: Sequence[int] | None = None,
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    window_reversal: Sequence[bool] | None = None,
    precision_config: Sequence[Literal["DEFAULT", "HIGH", "HIGHEST"]] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.dynamic_conv on arrays, or add it to the function that is being built.

    Args:
        input_batch_dimension: input_batch_dimension of #stablehlo.conv
        input_feature_dimension: input_feature_dimension of #stablehlo.conv
        kernel_input_feature_dimension: kernel_input_feature_dimension of #stablehlo.conv
        kernel_output_feature_dimension: kernel_output_feature_dimension of #stablehlo.conv
        output_batch_dimension: output_batch_dimension of #stablehlo.conv
        output_feature_dimension: output_feature_dimension of #stablehlo.conv
        feature_group_count: i64, positive
        batch_group_count: i64, positive
        input_spatial_dimensions: input_spatial_dimensions of #stablehlo.conv; by default []
        kernel_spatial_dimensions: kernel_spatial_dimensions of #stablehlo.conv; by default []
        output_spatial_dimensions: output_spatial_dimensions of #stablehlo.conv; by default []
        window_strides: array<i64>; by default 1 for each spatial dimension
        lhs_dilation: array<i64>; by default 1 for each spatial dimension
        rhs_dilation: array<i64>; by default 1 for each spatial dimension
        window_reversal: array<i1>; by default false for each spatial dimension
        precision_config: array of #stablehlo<precision DEFAULT|HIGH|HIGHEST>; by default DEFAULT for each operand

    Constraints:
        C1: lhs and rhs have one rank
        C2: window_strides has an entry for each spatial dimension
        C3: strides are positive
        C4: padding has a pair for each spatial dimension
        C5: lhs_dilation has an entry for each spatial dimension
        C6: its entries are positive
        C7: rhs_dilation has an entry for each spatial dimension
        C8: its entries are positive
        C9: window_reversal has an entry for each spatial dimension
        C10: the batch divides into batch_group_count groups
        C11: input features divide into feature_group_count groups
        C12: as many input spatial dimensions as there are
        C13: input dimensions are distinct dimensions of lhs
        C14: the kernel takes the features of a group
        C15: output features divide into batch_group_count groups
        C16: output features divide into feature_group_count groups
        C17: as many kernel spatial dimensions as there are
        C18: kernel dimensions are distinct dimensions of rhs
        C19: as many output spatial dimensions as there are
        C20: output dimensions are distinct dimensions of result
        C21: feature_group_count is positive
        C22: batch_group_count is positive
        C23: at most one of the two counts exceeds 1
        C24: precision_config has an entry for each operand
        C25: sizes of result: groups, output features, windows
        C26: result has the rank of lhs
        C27: one element type
        C28: lhs and result are quantized together, then rhs too
        C29: rhs is quantized along its output features
        C30: result is quantized along its output features
        C31: lhs and rhs have one storage type
        C32: one expressed type
        C33: a per-tensor rhs makes a per-tensor result
        C34: in a hybrid convolution lhs and result have rhs's expressed type
    """

def dynamic_gather(
    operand: Operand,
    start_indices: Operand,
    slice_sizes: Operand,
    index_vector_dim: int,
    offset_dims: Sequence[int] | None = None,
    collapsed_slice_dims: Sequence[int] | None = None,
    operand_batching_dims: Sequence[int] | None = None,
    start_indices_batching_dims: Sequence[int] | None = None,
    start_index_map: Sequence[int] | None = None,
    indices_are_sorted: bool | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.dynamic_gather on arrays, or add it to the function that is being built.

    Args:
        index_vector_dim: index_vector_dim of #stablehlo.gather
        offset_dims: offset_dims of #stablehlo.gather; by default []
        collapsed_slice_dims: collapsed_slice_dims of #stablehlo.gather; by default []
        operand_batching_dims: operand_batching_dims of #stablehlo.gather; by default []
        start_indices_batching_dims: start_indices_batching_dims of #stablehlo.gather; by default []
        start_index_map: start_index_map of #stablehlo.gather; by default []
        indices_are_sorted: bool; by default false

    Constraints:
        C1: offset and collapsed dimensions make up operand
        C2: index_vector_dim is a dimension of start_indices or the one after
        C3: start_index_map covers an index vector
        C4: offset_dims ascend
        C5: offset_dims are dimensions of result
        C6: collapsed_slice_dims ascend
        C7: collapsed_slice_dims are dimensions of operand
        C8: collapsed slices have at most one element
        C9: start_index_map entries differ
        C10: start_index_map entries are dimensions of operand
        C11: slice_sizes has an element for each dimension of operand
        C12: slices fit into operand
        C13: result: batches and offsets interleaved
        C14: element type stays
    """

def dynamic_iota(output_shape: Operand, iota_dimension: int, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.dynamic_iota on arrays, or add it to the function that is being built.

    Args:
        iota_dimension: i64, not negative

    Constraints:
        C1: iota_dimension is a dimension
        C2: output_shape has an element for each dimension of result
    """

def dynamic_pad(
    operand: Operand,
    padding_value: Operand,
    edge_padding_low: Operand,
    edge_padding_high: Operand,
    interior_padding: Operand,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.dynamic_pad on arrays, or add it to the function that is being built.

    Constraints:
        C1: one element type
        C2: paddings have an entry for each dimension
        C3: interior_padding is not negative
        C4: sizes grow by the padding
    """

def dynamic_reshape(operand: Operand, output_shape: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.dynamic_reshape on arrays, or add it to the function that is being built.

    Constraints:
        C1: element type stays, the quantized dimension aside
        C2: the number of elements stays
        C3: elements before, along and after the quantized dimension stay as many
        C4: output_shape has an element for each dimension of result
    """

def dynamic_slice(
    operand: Operand,
    start_indices: Operands,
    slice_sizes: Sequence[int],
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.dynamic_slice on arrays, or add it to the function that is being built.

    Args:
        slice_sizes: array<i64>

    Constraints:
        C1: element type stays
        C2: a start index and a size for each dimension
        C3: start indices have one type
        C4: slices fit into operand
        C5: result has shape slice_sizes
    """

def dynamic_update_slice(
    operand: Operand,
    update: Operand,
    start_indices: Operands,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.dynamic_update_slice on arrays, or add it to the function that is being built.

    Constraints:
        C1: result has the type of operand
        C2: update has the element type of operand
        C3: update has the rank of operand
        C4: a start index for each dimension
        C5: start indices have one type
        C6: update fits into operand
    """

def einsum(lhs: Operand, rhs: Operand, einsum_config: str, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.einsum on arrays, or add it to the function that is being built.

    Args:
        einsum_config: string
    """

def exponential(operand: Operand, result_accuracy: Any | None = None, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.exponential on arrays, or add it to the function that is being built.

    Args:
        result_accuracy: #stablehlo.result_accuracy; by default the DEFAULT mode

    Constraints:
        C1: operand and result agree but for scales and zero points
    """

def exponential_minus_one(
    operand: Operand,
    result_accuracy: Any | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.exponential_minus_one on arrays, or add it to the function that is being built.

    Args:
        result_accuracy: #stablehlo.result_accuracy; by default the DEFAULT mode

    Constraints:
        C1: operand and result agree but for scales and zero points
    """

def fft(
    operand: Operand,
    fft_type: Literal["FFT", "IFFT", "RFFT", "IRFFT"],
    fft_length: Sequence[int],
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.fft on arrays, or add it to the function that is being built.

    Args:
        fft_type: #stablehlo<fft_type FFT|IFFT|RFFT|IRFFT>
        fft_length: array<i64>

    Constraints:
        C1: no more lengths than dimensions
        C2: element types fit fft_type
        C3: one to three lengths
        C4: the real side has the lengths as its last sizes
        C5: complex sizes are halved along the last dimension; the rest stays
    """

def floor(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.floor on arrays, or add it to the function that is being built.

    Constraints:
        C1: operand and result agree but for scales and zero points
    """

def gather(
    operand: Operand,
    start_indices: Operand,
    index_vector_dim: int,
    slice_sizes: Sequence[int],
    offset_dims: Sequence[int] | None = None,
    collapsed_slice_dims: Sequence[int] | None = None,
    operand_batching_dims: Sequence[int] | None = None,
    start_indices_batching_dims: Sequence[int] | None = None,
    start_index_map: Sequence[int] | None = None,
    indices_are_sorted: bool | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.gather on arrays, or add it to the function that is being built.

    Args:
        index_vector_dim: index_vector_dim of #stablehlo.gather
        slice_sizes: array<i64>
        offset_dims: offset_dims of #stablehlo.gather; by default []
        collapsed_slice_dims: collapsed_slice_dims of #stablehlo.gather; by default []
        operand_batching_dims: operand_batching_dims of #stablehlo.gather; by default []
        start_indices_batching_dims: start_indices_batching_dims of #stablehlo.gather; by default []
        start_index_map: start_index_map of #stablehlo.gather; by default []
        indices_are_sorted: bool; by default false

    Constraints:
        C1: offset, collapsed and batching dimensions make up operand
        C2: index_vector_dim is a dimension of start_indices or the one after
        C3: start_index_map covers an index vector
        C4: offset_dims ascend
        C5: offset_dims are dimensions of result
        C6: no dimension is both collapsed and batching
        C7: collapsed_slice_dims ascend
        C8: collapsed_slice_dims are dimensions of operand
        C9: collapsed slices have at most one element
        C10: operand_batching_dims ascend
        C11: operand_batching_dims are dimensions of operand
        C12: batching slices have at most one element
        C13: start_indices_batching_dims differ
        C14: start_indices_batching_dims are dimensions of start_indices
        C15: the index vector is not batching
        C16: batching dimensions on both sides are as many
        C17: batching dimensions have equal sizes
        C18: no dimension is indexed twice, or batching too
        C19: start_index_map entries are dimensions of operand
        C20: slice_sizes has an entry for each dimension of operand
        C21: slices fit into operand
        C22: result: batches and offsets interleaved
        C23: element type stays
    """

def get_dimension_size(operand: Operand, dimension: int, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.get_dimension_size on arrays, or add it to the function that is being built.

    Args:
        dimension: i64, not negative

    Constraints:
        C1: dimension is one
    """

def get_tuple_element(operand: Operand, index: int, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.get_tuple_element on arrays, or add it to the function that is being built.

    Args:
        index: i32, not negative

    Constraints:
        C1: index is within the tuple
        C2: result is that element
    """

def if_(
    pred: Operand,
    true_branch: Callable[..., Any],
    false_branch: Callable[..., Any],
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.if on arrays, or add it to the function that is being built.

    Constraints:
        C1: branches take nothing
        C2: branches return the same types
        C3: results are what a branch returns
    """

def imag(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.imag on arrays, or add it to the function that is being built.

    Constraints:
        C1: result has the shape of operand
        C2: the part of a complex number is real; floats stay
    """

def infeed(
    token: Operand,
    infeed_config: str | None = None,
    layout: Sequence[Any] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.infeed on arrays, or add it to the function that is being built.

    Args:
        infeed_config: string; by default ""
        layout: array of arrays of integers; by default none

    Constraints:
        C1: there is a result
        C2: all but the last result are tensors
        C3: the last result is a token
    """

def iota(iota_dimension: int, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.iota on arrays, or add it to the function that is being built.

    Args:
        iota_dimension: i64, not negative

    Constraints:
        C1: iota_dimension is a dimension
    """

def is_finite(x: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.is_finite on arrays, or add it to the function that is being built.

    Constraints:
        C1: operand and result have one shape
    """

def log_plus_one(operand: Operand, result_accuracy: Any | None = None, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.log_plus_one on arrays, or add it to the function that is being built.

    Args:
        result_accuracy: #stablehlo.result_accuracy; by default the DEFAULT mode

    Constraints:
        C1: operand and result agree but for scales and zero points
    """

def log(operand: Operand, result_accuracy: Any | None = None, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.log on arrays, or add it to the function that is being built.

    Args:
        result_accuracy: #stablehlo.result_accuracy; by default the DEFAULT mode

    Constraints:
        C1: operand and result agree but for scales and zero points
    """

def logistic(operand: Operand, result_accuracy: Any | None = None, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.logistic on arrays, or add it to the function that is being built.

    Args:
        result_accuracy: #stablehlo.result_accuracy; by default the DEFAULT mode

    Constraints:
        C1: operand and result agree but for scales and zero points
    """

def map(
    inputs: Operands,
    dimensions: Sequence[int],
    computation: Callable[..., Any],
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.map on arrays, or add it to the function that is being built.

    Args:
        dimensions: array<i64>

    Constraints:
        C1: inputs and result have one shape
        C2: there is an input
        C3: dimensions counts up over all
        C4: computation takes a scalar of each input's element type to one
    """

def maximum(lhs: Operand, rhs: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.maximum on arrays, or add it to the function that is being built.

    Constraints:
        C1: lhs, rhs and result agree but for scales and zero points
    """

def minimum(lhs: Operand, rhs: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.minimum on arrays, or add it to the function that is being built.

    Constraints:
        C1: lhs, rhs and result agree but for scales and zero points
    """

def multiply(lhs: Operand, rhs: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.multiply on arrays, or add it to the function that is being built.

    Constraints:
        C1: lhs, rhs and result agree but for scales and zero points
    """

def negate(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.negate on arrays, or add it to the function that is being built.

    Constraints:
        C1: operand and result agree but for scales and zero points
    """

def not_(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.not on arrays, or add it to the function that is being built.

    Constraints:
        C1: operand and result have one type
    """

def optimization_barrier(operand: Operands, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.optimization_barrier on arrays, or add it to the function that is being built.

    Constraints:
        C1: results have the types of operands
    """

def or_(lhs: Operand, rhs: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.or on arrays, or add it to the function that is being built.

    Constraints:
        C1: lhs, rhs and result have one type
    """

def outfeed(
    inputs: Operands,
    token: Operand,
    outfeed_config: str | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.outfeed on arrays, or add it to the function that is being built.

    Args:
        outfeed_config: string; by default ""
    """

def pad(
    operand: Operand,
    padding_value: Operand,
    edge_padding_low: Sequence[int],
    edge_padding_high: Sequence[int],
    interior_padding: Sequence[int],
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.pad on arrays, or add it to the function that is being built.

    Args:
        edge_padding_low: array<i64>
        edge_padding_high: array<i64>
        interior_padding: array<i64>

    Constraints:
        C1: one element type
        C2: paddings have an entry for each dimension
        C3: interior_padding is not negative
        C4: sizes grow by the padding
    """

def partition_id(result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.partition_id on arrays, or add it to the function that is being built."""

def popcnt(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.popcnt on arrays, or add it to the function that is being built.

    Constraints:
        C1: operand and result have one type
    """

def power(lhs: Operand, rhs: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.power on arrays, or add it to the function that is being built.

    Constraints:
        C1: lhs, rhs and result agree but for scales and zero points
    """

def real_dynamic_slice(
    operand: Operand,
    start_indices: Operand,
    limit_indices: Operand,
    strides: Operand,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.real_dynamic_slice on arrays, or add it to the function that is being built."""

def real(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.real on arrays, or add it to the function that is being built.

    Constraints:
        C1: result has the shape of operand
        C2: the part of a complex number is real; floats stay
    """

def recv(
    token: Operand,
    channel_id: int,
    channel_type: int | None = None,
    is_host_transfer: bool | None = None,
    source_target_pairs: Sequence[Sequence[int]] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.recv on arrays, or add it to the function that is being built.

    Args:
        channel_id: handle of #stablehlo.channel_handle
        channel_type: type of #stablehlo.channel_handle; by default 1
        is_host_transfer: bool; by default false
        source_target_pairs: elements of i64, pairs; by default none

    Constraints:
        C1: entries are pairs
        C2: no source sends twice
        C3: no target receives twice
        C4: ids are those of processes
        C5: the channel's type fits is_host_transfer
    """

def reduce(
    inputs: Operands,
    init_values: Operands,
    dimensions: Sequence[int],
    body: Callable[..., Any],
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.reduce on arrays, or add it to the function that is being built.

    Args:
        dimensions: array<i64>

    Constraints:
        C1: inputs have one shape
        C2: init values have the inputs' element types
        C3: inputs, init values and results are as many, and some
        C4: dimensions are those of the inputs
        C5: dimensions differ
        C6: body takes two scalars of each kind to one, of types the inputs promote to
        C7: the reduced dimensions vanish
        C8: results have body's element types
    """

def reduce_precision(
    operand: Operand,
    exponent_bits: int,
    mantissa_bits: int,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.reduce_precision on arrays, or add it to the function that is being built.

    Args:
        exponent_bits: i32, positive
        mantissa_bits: i32, not negative

    Constraints:
        C1: result has the type of operand
        C2: at least one exponent bit
        C3: no negative number of mantissa bits
    """

def reduce_scatter(
    operand: Operand,
    scatter_dimension: int,
    replica_groups: Any,
    computation: Callable[..., Any],
    channel_id: int | None = None,
    channel_type: int | None = None,
    use_global_device_ids: bool | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.reduce_scatter on arrays, or add it to the function that is being built.

    Args:
        scatter_dimension: i64, not negative
        replica_groups: two-dimensional elements of i64, or mesh axes
        channel_id: handle of #stablehlo.channel_handle; by default none
        channel_type: type of #stablehlo.channel_handle; by default none
        use_global_device_ids: unit; by default false

    Constraints:
        C1: scatter_dimension divides among a group
        C2: scatter_dimension is a dimension
        C3: no process is in two groups
        C4: every process is in a group
        C5: ids count up from zero without gaps
        C6: global ids need a channel
        C7: computation takes two scalars to one, of a type the operand promotes to
        C8: scatter_dimension shrinks by the size of a group; nothing else changes
        C9: result has computation's element type
    """

def reduce_window(
    inputs: Operands,
    init_values: Operands,
    window_dimensions: Sequence[int],
    body: Callable[..., Any],
    window_strides: Sequence[int] | None = None,
    base_dilations: Sequence[int] | None = None,
    window_dilations: Sequence[int] | None = None,
    padding: Sequence[Sequence[int]] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.reduce_window on arrays, or add it to the function that is being built.

    Args:
        window_dimensions: array<i64>
        window_strides: array<i64>; by default 1 for each dimension
        base_dilations: array<i64>; by default 1 for each dimension
        window_dilations: array<i64>; by default 1 for each dimension
        padding: elements of i64, pairs; by default 0 on both sides of each dimension

    Constraints:
        C1: inputs, init values and results are as many, and some
        C2: inputs have one shape
        C3: init values have the inputs' element types
        C4: window_dimensions has an entry for each dimension
        C5: windows are not empty
        C6: window_strides has an entry for each dimension
        C7: strides are positive
        C8: base_dilations has an entry for each dimension
        C9: its entries are positive
        C10: window_dilations has an entry for each dimension
        C11: its entries are positive
        C12: padding has a pair for each dimension
        C13: body takes two scalars of each kind to one, of types the inputs promote to
        C14: results have one shape
        C15: results have an element for each window
        C16: results have body's element types
    """

def remainder(lhs: Operand, rhs: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.remainder on arrays, or add it to the function that is being built.

    Constraints:
        C1: lhs, rhs and result agree but for scales and zero points
    """

def replica_id(result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.replica_id on arrays, or add it to the function that is being built."""

def reshape(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.reshape on arrays, or add it to the function that is being built.

    Constraints:
        C1: element type stays, the quantized dimension aside
        C2: the number of elements stays
        C3: elements before, along and after the quantized dimension stay as many
    """

def reverse(operand: Operand, dimensions: Sequence[int], result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.reverse on arrays, or add it to the function that is being built.

    Args:
        dimensions: array<i64>

    Constraints:
        C1: result has the type of operand
        C2: dimensions differ
        C3: dimensions are those of operand
    """

def rng_bit_generator(
    initial_state: Operand,
    rng_algorithm: Literal["DEFAULT", "THREE_FRY", "PHILOX"],
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.rng_bit_generator on arrays, or add it to the function that is being built.

    Args:
        rng_algorithm: #stablehlo<rng_algorithm DEFAULT|THREE_FRY|PHILOX>

    Constraints:
        C1: the state keeps its type
        C2: the state has the algorithm's size
    """

def rng(
    a: Operand,
    b: Operand,
    shape: Operand,
    rng_distribution: Literal["UNIFORM", "NORMAL"],
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.rng on arrays, or add it to the function that is being built.

    Args:
        rng_distribution: #stablehlo<rng_distribution UNIFORM|NORMAL>

    Constraints:
        C1: one element type
        C2: a normal distribution is of floats
        C3: result has the shape given
    """

def round_nearest_even(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.round_nearest_even on arrays, or add it to the function that is being built.

    Constraints:
        C1: operand and result agree but for scales and zero points
    """

def round_nearest_afz(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.round_nearest_afz on arrays, or add it to the function that is being built.

    Constraints:
        C1: operand and result agree but for scales and zero points
    """

def rsqrt(operand: Operand, result_accuracy: Any | None = None, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.rsqrt on arrays, or add it to the function that is being built.

    Args:
        result_accuracy: #stablehlo.result_accuracy; by default the DEFAULT mode

    Constraints:
        C1: operand and result agree but for scales and zero points
    """

def scatter(
    inputs: Operands,
    scatter_indices: Operand,
    updates: Operands,
    index_vector_dim: int,
    update_computation: Callable[..., Any],
    update_window_dims: Sequence[int] | None = None,
    inserted_window_dims: Sequence[int] | None = None,
    input_batching_dims: Sequence[int] | None = None,
    scatter_indices_batching_dims: Sequence[int] | None = None,
    scatter_dims_to_operand_dims: Sequence[int] | None = None,
    indices_are_sorted: bool | None = None,
    unique_indices: bool | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.scatter on arrays, or add it to the function that is being built.

    Args:
        index_vector_dim: index_vector_dim of #stablehlo.scatter
        update_window_dims: update_window_dims of #stablehlo.scatter; by default []
        inserted_window_dims: inserted_window_dims of #stablehlo.scatter; by default []
        input_batching_dims: input_batching_dims of #stablehlo.scatter; by default []
        scatter_indices_batching_dims: scatter_indices_batching_dims of #stablehlo.scatter; by default []
        scatter_dims_to_operand_dims: scatter_dims_to_operand_dims of #stablehlo.scatter; by default []
        indices_are_sorted: bool; by default false
        unique_indices: bool; by default false

    Constraints:
        C1: inputs have one shape
        C2: window, inserted and batching dimensions make up an input
        C3: updates have one shape
        C4: updates: scatter dimensions as in scatter_indices, windows that fit
        C5: inputs and updates are as many, and some
        C6: updates have the inputs' element types
        C7: update_window_dims ascend
        C8: update_window_dims are dimensions of updates
        C9: no dimension is both inserted and batching
        C10: inserted_window_dims ascend
        C11: inserted_window_dims are dimensions of inputs
        C12: input_batching_dims ascend
        C13: input_batching_dims are dimensions of inputs
        C14: scatter_indices_batching_dims differ
        C15: scatter_indices_batching_dims are dimensions of scatter_indices
        C16: the index vector is not batching
        C17: batching dimensions on both sides are as many
        C18: batching dimensions have equal sizes
        C19: scatter_dims_to_operand_dims covers an index vector
        C20: no dimension is indexed twice, or batching too
        C21: scatter_dims_to_operand_dims entries are dimensions of inputs
        C22: index_vector_dim is a dimension of scatter_indices or the one after
        C23: update_computation takes two scalars of each kind to one, of types the inputs promote to
        C24: results have the shapes of inputs
        C25: results have update_computation's element types
    """

def select_and_scatter(
    operand: Operand,
    source: Operand,
    init_value: Operand,
    select: Callable[..., Any],
    scatter: Callable[..., Any],
    window_dimensions: Sequence[int] | None = None,
    window_strides: Sequence[int] | None = None,
    padding: Sequence[Sequence[int]] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.select_and_scatter on arrays, or add it to the function that is being built.

    Args:
        window_dimensions: array<i64>; by default 1 for each dimension
        window_strides: array<i64>; by default 1 for each dimension
        padding: elements of i64, pairs; by default 0 on both sides of each dimension

    Constraints:
        C1: source has the element type of operand
        C2: source has an element for each window
        C3: init_value has the element type of operand
        C4: window_dimensions has an entry for each dimension
        C5: windows are not empty
        C6: window_strides has an entry for each dimension
        C7: strides are positive
        C8: padding has a pair for each dimension
        C9: select takes two scalars to a boolean
        C10: scatter takes two scalars to one, of a type the operand promotes to
        C11: result has the shape of operand
        C12: result has scatter's element type
    """

def select(pred: Operand, on_true: Operand, on_false: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.select on arrays, or add it to the function that is being built.

    Constraints:
        C1: pred is a scalar or has the shape of on_true
        C2: on_true, on_false and result agree but for scales and zero points
    """

def send(
    inputs: Operands,
    token: Operand,
    channel_id: int,
    channel_type: int | None = None,
    is_host_transfer: bool | None = None,
    source_target_pairs: Sequence[Sequence[int]] | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.send on arrays, or add it to the function that is being built.

    Args:
        channel_id: handle of #stablehlo.channel_handle
        channel_type: type of #stablehlo.channel_handle; by default 1
        is_host_transfer: bool; by default false
        source_target_pairs: elements of i64, pairs; by default none

    Constraints:
        C1: entries are pairs
        C2: no source sends twice
        C3: no target receives twice
        C4: ids are those of processes
        C5: the channel's type fits is_host_transfer
    """

def set_dimension_size(operand: Operand, size: Operand, dimension: int, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.set_dimension_size on arrays, or add it to the function that is being built.

    Args:
        dimension: i64, not negative
    """

def shift_left(lhs: Operand, rhs: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.shift_left on arrays, or add it to the function that is being built.

    Constraints:
        C1: lhs, rhs and result have one type
    """

def shift_right_arithmetic(lhs: Operand, rhs: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.shift_right_arithmetic on arrays, or add it to the function that is being built.

    Constraints:
        C1: lhs, rhs and result have one type
    """

def shift_right_logical(lhs: Operand, rhs: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.shift_right_logical on arrays, or add it to the function that is being built.

    Constraints:
        C1: lhs, rhs and result have one type
    """

def sign(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.sign on arrays, or add it to the function that is being built.

    Constraints:
        C1: operand and result agree but for scales and zero points
    """

def sine(operand: Operand, result_accuracy: Any | None = None, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.sine on arrays, or add it to the function that is being built.

    Args:
        result_accuracy: #stablehlo.result_accuracy; by default the DEFAULT mode

    Constraints:
        C1: operand and result agree but for scales and zero points
    """

def slice(
    operand: Operand,
    start_indices: Sequence[int],
    limit_indices: Sequence[int],
    strides: Sequence[int],
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.slice on arrays, or add it to the function that is being built.

    Args:
        start_indices: array<i64>
        limit_indices: array<i64>
        strides: array<i64>

    Constraints:
        C1: element type stays
        C2: bounds and strides have an entry for each dimension
        C3: bounds are in order and within operand
        C4: strides are positive
        C5: result has an element for each stride
    """

def sort(
    inputs: Operands,
    comparator: Callable[..., Any],
    dimension: int | None = None,
    is_stable: bool | None = None,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.sort on arrays, or add it to the function that is being built.

    Args:
        dimension: i64; by default -1
        is_stable: bool; by default false

    Constraints:
        C1: there is an input
        C2: results have the types of inputs
        C3: inputs and results have one shape
        C4: dimension is one, possibly counted from the end
        C5: comparator takes two scalars of each input to a boolean
    """

def sqrt(operand: Operand, result_accuracy: Any | None = None, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.sqrt on arrays, or add it to the function that is being built.

    Args:
        result_accuracy: #stablehlo.result_accuracy; by default the DEFAULT mode

    Constraints:
        C1: operand and result agree but for scales and zero points
    """

def subtract(lhs: Operand, rhs: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.subtract on arrays, or add it to the function that is being built.

    Constraints:
        C1: lhs, rhs and result agree but for scales and zero points
    """

def tan(operand: Operand, result_accuracy: Any | None = None, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.tan on arrays, or add it to the function that is being built.

    Args:
        result_accuracy: #stablehlo.result_accuracy; by default the DEFAULT mode

    Constraints:
        C1: operand and result agree but for scales and zero points
    """

def tanh(operand: Operand, result_accuracy: Any | None = None, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.tanh on arrays, or add it to the function that is being built.

    Args:
        result_accuracy: #stablehlo.result_accuracy; by default the DEFAULT mode

    Constraints:
        C1: operand and result agree but for scales and zero points
    """

def torch_index_select(
    operand: Operand,
    index: Operand,
    dim: int,
    batch_dims: int,
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.torch_index_select on arrays, or add it to the function that is being built.

    Args:
        dim: i64
        batch_dims: i64
    """

def transpose(operand: Operand, permutation: Sequence[int], result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.transpose on arrays, or add it to the function that is being built.

    Args:
        permutation: array<i64>

    Constraints:
        C1: element type stays, the quantized dimension aside
        C2: permutation is one
        C3: sizes are permuted
        C4: the quantized dimension is permuted
    """

def triangular_solve(
    a: Operand,
    b: Operand,
    left_side: bool,
    lower: bool,
    unit_diagonal: bool,
    transpose_a: Literal["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"],
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.triangular_solve on arrays, or add it to the function that is being built.

    Args:
        left_side: bool
        lower: bool
        unit_diagonal: bool
        transpose_a: #stablehlo<transpose NO_TRANSPOSE|TRANSPOSE|ADJOINT>

    Constraints:
        C1: a and b have one element type
        C2: a and b are matrices or batches of them, of one rank
        C3: a is square and fits b; batches are alike
        C4: result has the type of b
    """

def tuple(val: Operands, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.tuple on arrays, or add it to the function that is being built.

    Constraints:
        C1: result's element types are those of the values
    """

def unary_einsum(operand: Operand, einsum_config: str, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.unary_einsum on arrays, or add it to the function that is being built.

    Args:
        einsum_config: string
    """

def uniform_dequantize(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.uniform_dequantize on arrays, or add it to the function that is being built.

    Constraints:
        C1: operand and result have one shape
        C2: result has the expressed type of operand
    """

def uniform_quantize(operand: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.uniform_quantize on arrays, or add it to the function that is being built.

    Constraints:
        C1: operand and result have one shape
        C2: the expressed type of result is that of operand
    """

def while_(
    operand: Operands,
    cond: Callable[..., Any],
    body: Callable[..., Any],
    result_type: ResultType | None = None,
) -> Any:
    """Evaluate stablehlo.while on arrays, or add it to the function that is being built.

    Constraints:
        C1: cond takes the operands to a boolean
        C2: body takes the operands to values of their types
        C3: results have the types of operands
    """

def xor(lhs: Operand, rhs: Operand, result_type: ResultType | None = None) -> Any:
    """Evaluate stablehlo.xor on arrays, or add it to the function that is being built.

    Constraints:
        C1: lhs, rhs and result have one type
    """
