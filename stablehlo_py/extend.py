"""Decorators that add passes, patterns, op kernels, custom-call handlers and shape functions of your own.

A file that uses them works by importing it, by `--load=FILE.py` on every tool, by `load_file`, and for an installed
package by an entry point of the group `stablehlo_py.extensions`.
"""

from .extensions import load_file as load_file
from .interpreter.custom_calls import CustomCall as CustomCall
from .interpreter.custom_calls import custom_call_handler as custom_call_handler
from .interpreter.op import Op as Op
from .interpreter.registry import op_kernel as op_kernel
from .passes.base import Pass as Pass
from .passes.catalog import register_pass as register_pass
from .passes.matching import defining_op as defining_op
from .passes.pipeline import PassPipeline as PassPipeline
from .passes.rewriter import Rewriter as Rewriter
from .passes.users_patterns import PatternOp as PatternOp
from .passes.users_patterns import PatternValue as PatternValue
from .passes.users_patterns import pattern as pattern
from .shapes.language import DYNAMIC as DYNAMIC
from .shapes.language import Attribute as Attribute
from .shapes.language import ConvDimensionNumbers as ConvDimensionNumbers
from .shapes.language import DotDimensionNumbers as DotDimensionNumbers
from .shapes.language import DType as DType
from .shapes.language import GatherDimensionNumbers as GatherDimensionNumbers
from .shapes.language import PairValues as PairValues
from .shapes.language import RaggedDotDimensionNumbers as RaggedDotDimensionNumbers
from .shapes.language import ScatterDimensionNumbers as ScatterDimensionNumbers
from .shapes.language import Shape as Shape
from .shapes.language import Value as Value
from .shapes.language import Values as Values
from .shapes.registry import dtype_function as dtype_function
from .shapes.registry import shape_function as shape_function
