"""What users need for test suites of their own.

`lit` configures lit for the tools of this package, `filecheck` finds FileCheck and runs it on text, and `cases` runs
the cases that stand beside calculations.
"""

from .filecheck import filecheck, find_filecheck

__all__ = ["filecheck", "find_filecheck"]
