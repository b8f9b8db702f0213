"""XGBoost: boosted trees. No task uses it yet: the learner it is measured beside is to come.

install: pip xgboost
"""

from __future__ import annotations

from typing import Any

CALLS: dict[str, Any] = {}


def versions() -> dict[str, str]:
    """The package."""
    import xgboost

    return {"xgboost": xgboost.__version__}
