"""SciPy: clustering trees, spatial queries, optimisers. No task uses it yet: the learner it is measured beside is to come.

install: pip scipy
"""

from __future__ import annotations

from typing import Any

CALLS: dict[str, Any] = {}


def versions() -> dict[str, str]:
    """The package."""
    import scipy

    return {"scipy": scipy.__version__}
