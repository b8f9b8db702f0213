"""PyTorch on the processor: neural networks. Optional, for it is large. No task uses it yet: the learner it is measured beside is to come.

install: pip torch
"""

from __future__ import annotations

from typing import Any

CALLS: dict[str, Any] = {}


def versions() -> dict[str, str]:
    """The package."""
    import torch

    return {"torch": torch.__version__}
