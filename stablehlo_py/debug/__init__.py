"""Find what is wrong with a program in an engine: which op, on what input, and the smallest program that shows it.

Results print as the verbs of `stablehlo` print them, and show as tables in notebooks.
"""

from .allowed.measures import Difference, Tolerance
from .bisect import Bisection, bisect
from .bisect_passes import PassBisection, bisect_pipeline, bisect_xla
from .compare import Comparison, compare
from .equivalence import Equivalence, equivalent
from .judge import Judgement, judge
from .programs.inputs import draw_arguments
from .programs.subject import Subject, examine
from .reduction.predicates import Command, Disagreement, Failure
from .reduction.reduce import Reduction, reduce
from .reduction.search import Search
from .tracing.against import trace_against
from .tracing.numerics import Numerics, numerics
from .tracing.rows import Trace
from .tracing.trace import trace

__all__ = [
    "Bisection", "Command", "Comparison", "Difference", "Disagreement", "Equivalence", "Failure", "Judgement",
    "Numerics", "PassBisection", "Reduction", "Search", "Subject", "Tolerance", "Trace", "bisect", "bisect_pipeline",
    "bisect_xla", "compare", "draw_arguments", "equivalent", "examine", "judge", "numerics", "reduce", "trace",
    "trace_against",
]  # fmt: skip
