"""The one exception that ends a run with a sentence instead of a traceback."""

from __future__ import annotations


class BenchError(Exception):
    """A mistake of the user or of a task file. `bench/run` prints it and exits with 2."""
