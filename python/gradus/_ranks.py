"""Scores over several data sets: ranks, and what the tests say about them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core
from ._judging import Report, paged


def compare_scores(
    scores: Mapping[str, Mapping[str, float]],
    *,
    better: str = "higher",
    level: float = 0.95,
    report: Report = None,
) -> dict[str, Any]:
    """Which of several competitors is better in general, by their scores on several data sets.

    The scores may come from anywhere. Each data set ranks the competitors; Friedman's test says
    whether the mean ranks differ, Nemenyi's critical difference which of them do.

    >>> from gradus import evaluate
    >>> scores = {"iris": {"a": 0.95, "b": 0.9}, "wine": {"a": 0.97, "b": 0.93}}
    >>> evaluate.compare_scores(scores)["mean_ranks"]
    {'a': 1.0, 'b': 2.0}

    Parameters
    ----------
    scores : mapping
        Of each data set the score of each competitor, by their names.
    better : str, default='higher'
        Whether a 'higher' or a 'lower' score is better.
    level : float, default=0.95
        Confidence of the tests.
    report : path, optional
        Also write one self-contained HTML page.

    Returns
    -------
    dict
        `mean_ranks` (the best first), `friedman`, `critical_difference`, `conclusion` in words.
    """
    if better not in ("higher", "lower"):
        raise ValueError(f"better is 'higher' or 'lower' (got {better!r})")
    names = list(next(iter(scores.values()), {}))
    for data, found in scores.items():
        if set(found) != set(names):
            raise ValueError(f"every data set needs the scores of {names} ({data!r} has {list(found)})")
    rows = [[float(found[name]) for name in names] for found in scores.values()]
    if not all(np.isfinite(row).all() for row in rows):
        raise ValueError("a score is missing or infinite: leave its data set out")
    options = {"lower": better == "lower", "level": level}
    options.update(paged(report, "compare_scores", ["scores"], {"better": better}))
    return dict(_core.compare_scores(names, [str(data) for data in scores], rows, json.dumps(options)))
