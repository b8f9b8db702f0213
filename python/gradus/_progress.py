"""How far a fit is, for functions that want to know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Progress(NamedTuple):
    """How far a fit is: `done` of `total` units of a stage; `total` is 0 when nobody knows."""

    stage: str
    done: int
    total: int


def check_callbacks(callbacks: tuple[Any, ...]) -> tuple[Callable[[Progress], object], ...]:
    """The callbacks, when all are functions."""
    for callback in callbacks:
        if not callable(callback):
            raise TypeError(
                "a callback must be a function of one gradus.Progress(stage, done, total), "
                f"got {callback!r} of type {type(callback).__name__}"
            )
    return callbacks


def teller(
    callbacks: tuple[Callable[[Progress], object], ...],
) -> Callable[[str, int, int], None] | None:
    """One function that tells them all; None when there is nobody to tell."""
    if not callbacks:
        return None

    def tell(stage: str, done: int, total: int) -> None:
        for callback in callbacks:
            callback(Progress(stage, done, total))

    return tell
