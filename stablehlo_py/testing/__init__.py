"""Tools for test suites of users.

`lit` configures lit for the tools of this package, `filecheck` finds FileCheck and runs it on text, and `cases` runs
the cases that stand beside calculations. `assert_engines_agree` compares engines on a program.
"""

from .engines import assert_engines_agree
from .filecheck import filecheck, find_filecheck

__all__ = ["assert_engines_agree", "filecheck", "find_filecheck"]
