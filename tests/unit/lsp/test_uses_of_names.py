"""Uses of a name in a text, which may stand before the line that defines it."""

from __future__ import annotations

import re

import pytest

from stablehlo_py.lsp import navigation
from stablehlo_py.lsp.document import Document

USED_BEFORE = """func.func @first() {
  // 🙂
  call @later() : () -> () loc(#loc1)
  cf.br ^bb2 loc(#loc1)
^bb1:
  call @first() : () -> ()
  return
^bb2:
  cf.br ^bb1
}
func.func private @later()
#loc1 = loc("🙂.py":3:4)
"""
DEFINED = {"@first": 0, "@later": 1, "^bb1": 0, "^bb2": 1, "#loc1": 2}  # which of the places defines the name


@pytest.mark.parametrize("name", DEFINED)
def test_uses_are_listed_as_they_stand_in_the_text_whichever_is_asked_about(name: str) -> None:
    """A name may be used before the line that defines it."""
    document = Document(USED_BEFORE)
    places = [found.start() for found in re.finditer(re.escape(name), USED_BEFORE)]
    assert len(places) >= 2
    for place in places:
        found = navigation.occurrences(document, place + 1)
        assert [(token.start, token.end) for token in found] == [(each, each + len(name)) for each in places]
        token = navigation.definition(document, place)
        assert token is not None
        uses = navigation.occurrences(document, place, with_definition=False)
        assert [each.start for each in uses] == [each for each in places if each != token.start]
        assert token.start == places[DEFINED[name]]
