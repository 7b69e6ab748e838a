"""Find what is wrong with a program in an engine: which op, on what input, and the smallest program that shows it.

Results print as the verbs of `stablehlo` print them, and show as tables in notebooks.
"""

from .against import trace_against
from .bisect import Bisection, bisect
from .bisect_passes import PassBisection, bisect_pipeline, bisect_xla
from .compare import Comparison, compare
from .inputs import draw_arguments
from .judge import Judgement, judge
from .measures import Difference, Tolerance
from .numerics import Numerics, numerics
from .predicates import Command, Disagreement, Failure
from .program import Subject, examine
from .reduction import Reduction, reduce
from .rows import Trace
from .search import Search
from .trace import trace

__all__ = [
    "Bisection",
    "Command",
    "Comparison",
    "Difference",
    "Disagreement",
    "Failure",
    "Judgement",
    "Numerics",
    "PassBisection",
    "Reduction",
    "Search",
    "Subject",
    "Tolerance",
    "Trace",
    "bisect",
    "bisect_pipeline",
    "bisect_xla",
    "compare",
    "draw_arguments",
    "examine",
    "judge",
    "numerics",
    "reduce",
    "trace",
    "trace_against",
]
