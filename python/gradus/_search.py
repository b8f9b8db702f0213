"""What is searched, in the words of the library, and what a search found."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._data import level_text


class Tuned:
    """What a search found; `history` is all of it, as the command prints with --json."""

    def __init__(self, estimator: Any, history: dict[str, Any]):
        self.best_estimator = estimator
        self.history = history

    @property
    def best_params(self) -> dict[str, Any]:
        """The parameters that were searched, at their best."""
        return dict(self.history["best"]["settings"])

    @property
    def best_score(self) -> float:
        """The mean of the metric over the folds: too good, for it was chosen by this figure."""
        return float(self.history["best"]["mean"])

    @property
    def nested_score(self) -> float | None:
        """The honest figure, when `nested` asked for one."""
        nested = self.history.get("nested")
        return None if nested is None else float(nested["mean"])

    @property
    def conclusion(self) -> str:
        """What the search was worth, in words."""
        return str(self.history["conclusion"])

    def __repr__(self) -> str:
        return f"<Tuned: {self.conclusion}>"


def _written(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    return repr(float(value)) if isinstance(value, (float, np.floating)) else level_text(value)


def searched(search: Any) -> list[str]:
    """Search spaces as the command writes them: alpha=1e-4..10:log, criterion=gini,entropy. The alpha
    of the learner inside is estimator.alpha, or estimator__alpha as scikit-learn has it."""
    if search is None:
        return []
    if isinstance(search, str):
        return [search]
    if not isinstance(search, Mapping):
        return [str(one) for one in search]
    out = []
    for key, values in search.items():
        name = str(key).replace("__", ".")
        if isinstance(values, str):
            out.append(f"{name}={values}")
        else:
            listed = ",".join("none" if value is None else _written(value) for value in values)
            out.append(f"{name}={listed}")
    return out


def with_best(estimator: Any, history: Mapping[str, Any]) -> Any:
    """An unfitted copy with the settings that won; `estimator.alpha` is alpha of the learner inside."""
    given = estimator.get_params(deep=False)
    best = type(estimator)(**{k: copy.deepcopy(v) if hasattr(v, "get_params") else v for k, v in given.items()})
    for name, value in history["best"]["settings"].items():
        outer, _, inner = name.partition(".")
        if inner and hasattr(getattr(best, outer), "set_params"):
            best.set_params(**{f"{outer}__{inner.replace('.', '__')}": value})
        elif inner:
            best.set_params(**{outer: history["winner"][outer]})
        else:
            best.set_params(**{name: value})
    return best
