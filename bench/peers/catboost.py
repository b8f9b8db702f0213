"""CatBoost: boosted trees for categories. No task uses it yet: the learner it is measured beside is to come.

install: pip catboost
"""

from __future__ import annotations

from typing import Any

CALLS: dict[str, Any] = {}


def versions() -> dict[str, str]:
    """The package."""
    import catboost

    return {"catboost": catboost.__version__}
