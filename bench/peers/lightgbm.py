"""LightGBM: boosted trees on histograms. No task uses it yet: the learner it is measured beside is to come.

install: pip lightgbm
"""

from __future__ import annotations

from typing import Any

CALLS: dict[str, Any] = {}


def versions() -> dict[str, str]:
    """The package."""
    import lightgbm

    return {"lightgbm": lightgbm.__version__}
