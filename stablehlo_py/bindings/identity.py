"""The identity of ops behind Python objects.

Two Python objects can be one op, and `hash(op)` is a hash of the op's contents: it changes with the op's operands.
Where ops are kept in sets and dictionaries while a program changes, their address is the key.
"""

from __future__ import annotations

import ctypes

from .provider import ir

_get_name = ctypes.pythonapi.PyCapsule_GetName
_get_name.restype = ctypes.c_char_p
_get_name.argtypes = [ctypes.py_object]
_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype = ctypes.c_void_p
_get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


def address_of(op: ir.Operation) -> int:
    """Return the op's address: equal for objects that stand for the same op, until the op is erased."""
    capsule = op._CAPIPtr
    return _get_pointer(capsule, _get_name(capsule))
