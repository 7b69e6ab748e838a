"""The one notion of the allowed result, its measures, and the effects of rounding on whole programs."""

from .ops import allowed

__all__ = ["allowed"]
