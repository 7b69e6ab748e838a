"""The abstract interpretation library: what every op does to shapes and element types, as functions in Python that
are tested as Python and run inside the compiler."""
