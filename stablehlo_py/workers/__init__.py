"""Independent tasks and those who perform them: threads of this process, or processes of a Dask cluster.

`pool` is the same for both; `cluster` is the only file that imports Dask.
"""

from .pool import Pool, Work, open_pool, perform_all

__all__ = ["Pool", "Work", "open_pool", "perform_all"]
