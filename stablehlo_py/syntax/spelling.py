"""The nearest spelling of a word that a user may have meant."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the entry of `known` most like `word`, or None if none is alike."""
    import difflib

    matches = difflib.get_close_matches(word, list(known))
    return matches[0] if matches else None


def hint(word: str, known: Iterable[str], prefix: str = "") -> str:
    """Return the end of a message about an unknown word: a question that names the nearest one, or nothing."""
    guess = nearest(word, known)
    return f"; did you mean {prefix}{guess}?" if guess else ""
