"""The library functions that come with the package, one file a family of ops."""

import sys
from importlib.machinery import FileFinder, SourceFileLoader
from types import CodeType


class _WithAssertions(SourceFileLoader):
    """Compiles the functions with their assertions, which are the ops' constraints, also for `python -O`."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return compile(self.get_data(path), path, "exec", dont_inherit=True, optimize=0)


if sys.flags.optimize:
    sys.path_importer_cache[__path__[0]] = FileFinder(__path__[0], (_WithAssertions, [".py"]))
