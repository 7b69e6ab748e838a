"""Locations that older readers do not know.

Since StableHLO 1.9.0 a location can span a range of a file. The dialect writes ranges into artifacts of older versions
too, and the readers of that time reject the whole artifact; so here each becomes what they know, its beginning.
"""

from __future__ import annotations

from typing import cast

from ..bindings import ir
from ..bindings.walk import relocate
from .versions import Version

RANGES_SINCE = Version(1, 9)


def _is_range(location: ir.FileLineColLoc) -> bool:
    return (location.start_line, location.start_col) != (location.end_line, location.end_col)


class _Narrowing:
    """Replaces locations by ones without ranges; each location is looked at once."""

    def __init__(self) -> None:
        self._narrow: dict[str, ir.Location] = {}

    def of(self, location: ir.Location) -> ir.Location:
        """`location` with each range replaced by its beginning; the same object where there is none."""
        if isinstance(location, ir.FileLineColLoc):
            if not _is_range(location):
                return location
            return ir.Location.file(location.filename, location.start_line, location.start_col, location.context)
        if not isinstance(location, ir.NameLoc | ir.CallSiteLoc | ir.FusedLoc):
            return location
        key = str(location)
        if key not in self._narrow:
            self._narrow[key] = self._compound(location)
        return self._narrow[key]

    def _compound(self, location: ir.Location) -> ir.Location:
        if isinstance(location, ir.NameLoc):
            child = self.of(location.child_loc)
            return location if child is location.child_loc else ir.Location.name(location.name_str, child)
        if isinstance(location, ir.CallSiteLoc):
            return ir.Location.callsite(self.of(location.callee), [self.of(location.caller)])
        if isinstance(location, ir.FusedLoc):
            inner = [self.of(cast("ir.Location", part)) for part in location.locations]
            return ir.Location.fused(inner, location.metadata)
        return location


def narrow_ranges(module: ir.Operation) -> None:
    """Replaces every location range in `module` by its beginning, in place."""
    with module.context:
        relocate(module, _Narrowing().of)
