"""Checks of thousands of modules: independent tasks here or on a cluster, one file of results that can be gone on with.

`checks` runs in a child process on a module. `run` asks such children under limits, gives work to all workers and
writes `results` as they arrive.
"""

from .run import Results, Row, Summary, TaskLimits, check_corpus, find_modules, read_check

__all__ = ["Results", "Row", "Summary", "TaskLimits", "check_corpus", "find_modules", "read_check"]
