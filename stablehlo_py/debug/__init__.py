"""Find what is wrong with a program in an engine: which op, on what input, and the smallest program that shows it."""

from .bisect import Bisection, bisect
from .compare import Comparison, compare
from .inputs import draw_arguments
from .measures import Difference, Tolerance
from .program import Subject, examine
from .trace import Trace, trace

__all__ = [
    "Bisection",
    "Comparison",
    "Difference",
    "Subject",
    "Tolerance",
    "Trace",
    "bisect",
    "compare",
    "draw_arguments",
    "examine",
    "trace",
]
