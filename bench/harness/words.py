"""How numbers are written for people: three significant digits and a unit."""

from __future__ import annotations

from .intervals import Ratio


def seconds(value: float | None) -> str:
    """1.23 s, 4.56 ms, 789 us, 12.3 ns."""
    if value is None:
        return "-"
    for scale, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if value >= scale:
            return f"{digits(value / scale)} {unit}"
    return f"{digits(value / 1e-9)} ns"


def size(value: float | None) -> str:
    """Bytes as MB, as people measure memory."""
    if value is None:
        return "-"
    return f"{digits(value / 1e6)} MB"


def digits(value: float) -> str:
    """Three significant digits without an exponent."""
    if value == 0:
        return "0"
    magnitude = abs(value)
    places = 2 if magnitude < 10 else 1 if magnitude < 100 else 0
    return f"{value:.{places}f}" if magnitude >= 1 else f"{value:.3g}"


def times(value: float) -> str:
    """A ratio."""
    return f"{digits(value)}x"


def interval(ratio: Ratio) -> str:
    """A ratio with its interval."""
    return f"{times(ratio.median)} [{digits(ratio.low)}, {digits(ratio.high)}]"


def share(value: float | None) -> str:
    """A share of a limit."""
    if value is None:
        return "-"
    return f"{100 * value:.2g} %" if value < 0.1 else f"{100 * value:.0f} %"
