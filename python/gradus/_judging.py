"""How answers are judged and where a page about it goes, in the words of the library."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Union

from ._data import level_text

Report = Union[str, "os.PathLike[str]", None]
Costs = Union[Mapping[tuple[Any, Any], float], None]
Threshold = Union[tuple[Any, float], None]


def decided(
    positive: Any = None, threshold: Threshold = None, costs: Costs = None, by_costs: bool = False
) -> dict[str, Any]:
    """How classes are decided and judged: names as the library writes them."""
    out: dict[str, Any] = {} if positive is None else {"positive": level_text(positive)}
    if threshold is not None:
        name, probability = threshold
        if not 0 <= probability <= 1:
            raise ValueError(f"a threshold is a probability from 0 to 1 (got {probability!r})")
        out.update(threshold_class=level_text(name), threshold=float(probability))
    if costs is not None:
        out["costs"] = {
            f"{level_text(actual)}:{level_text(said)}": float(cost) for (actual, said), cost in costs.items()
        }
    if by_costs:
        out["by_costs"] = True
    return out


def paged(report: Report, function: str, subjects: Sequence[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """Where the page goes, and the call that it tells; nothing without a page."""
    if report is None:
        return {}
    told = [f"{name}={value!r}" for name, value in options.items() if value not in (None, [], {}, False)]
    call = f"gradus.evaluate.{function}({', '.join([*subjects, *told])})"
    return {"report": os.fspath(report), "paged": True, "call": call}


def name_of(estimator: Any) -> str:
    """The estimator with the parameters that are not the default."""
    usual = type(estimator)()
    changed = [
        f"{name}={value!r}"
        for name, value in estimator.get_params(deep=False).items()
        if name != "n_jobs" and value != getattr(usual, name)
    ]
    return f"{type(estimator).__name__}({', '.join(changed)})"
