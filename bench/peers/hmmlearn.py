"""hmmlearn: hidden Markov models. No task uses it yet: the learner it is measured beside is to come.

install: pip hmmlearn
"""

from __future__ import annotations

from typing import Any

CALLS: dict[str, Any] = {}


def versions() -> dict[str, str]:
    """The package."""
    import hmmlearn

    return {"hmmlearn": hmmlearn.__version__}
