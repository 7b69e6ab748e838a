"""Checks of thousands of modules: independent tasks here or on a cluster, one file of results that can be gone on with.

`checks` is what a child process does with a module, `tasks` asks such a child under limits, `run` gives all workers
something to do and writes `results` as they come.
"""

from .results import Results, Row, Summary
from .run import check_corpus, find_modules
from .tasks import TaskLimits, read_check

__all__ = ["Results", "Row", "Summary", "TaskLimits", "check_corpus", "find_modules", "read_check"]
