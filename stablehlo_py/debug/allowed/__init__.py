"""What a result may be: the one notion of the allowed result, its measures, and how far rounding takes programs."""

from .ops import allowed

__all__ = ["allowed"]
