"""Handlers of `stablehlo.custom_call @target`: the interpreter's own and users'."""

from .call import CustomCall as CustomCall
from .lookup import find_handler as find_handler
from .lookup import kind_of as kind_of
from .registry import Handler as Handler
from .registry import custom_call_handler as custom_call_handler
from .registry import is_users_handler as is_users_handler
