"""What the package uses of ml_dtypes, whose own stubs leave the limits of a type unknown."""

from typing import Any

class finfo:
    max: Any
    maxexp: int
    min: Any
    minexp: int
    nexp: int
    nmant: int
    smallest_normal: Any
    smallest_subnormal: Any
    def __init__(self, dtype: object) -> None: ...

class iinfo:
    max: int
    min: int
    def __init__(self, dtype: object) -> None: ...

bfloat16: Any
float8_e8m0fnu: Any

def __getattr__(name: str) -> Any: ...
