"""Tools for test suites of users.

`lit` configures lit for the tools of this package, `filecheck` finds FileCheck and runs it on text, and `cases` runs
the cases of library functions. `assert_engines_agree` compares engines on a program, and `assert_programs_agree` two
programs. `pytest` is a plugin, and `checks` are for continuous integration.
"""

from .engines import assert_engines_agree
from .filecheck import filecheck, find_filecheck
from .golden import Golden, golden
from .programs import assert_programs_agree

__all__ = ["Golden", "assert_engines_agree", "assert_programs_agree", "filecheck", "find_filecheck", "golden"]
