"""A module for each dialect that the bindings have in C++ alone; see `context.provide_dialect_modules`."""
