"""The table in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from . import words
from .judge import Figure, Line

_HEADER = ("task", "thr", "who", "time", "spread", "memory", "quality", "peer/us", "limit")


def _quality(figure: Figure) -> str:
    return "-" if figure.quality is None else f"{figure.quality:.7g}"


def verdict(figure: Figure) -> str:
    """The ratio, or why there is none."""
    if figure.problem:
        return f"failed: {figure.problem}"
    if not figure.comparable:
        return "no ratio: better quality than ours"
    if figure.ratio is None:
        return "-"
    mark = "" if figure.ratio.decided else " ~"
    lost = "  PEER WINS" if figure.ratio.lost else ""
    return words.interval(figure.ratio) + mark + lost


def _cells(name: str, threads: str, figure: Figure, limit: str, ours: bool) -> tuple[str, ...]:
    spread = "" if figure.seconds is None else f"{100 * figure.seconds.spread:.0f} %"
    return (
        name, threads, figure.label,
        words.seconds(figure.seconds.median if figure.seconds else None), spread,
        words.size(figure.peak_bytes), _quality(figure),
        (figure.problem and f"failed: {figure.problem}") if ours else verdict(figure), limit,
    )


def _goal_rows(line: Line) -> Iterable[str]:
    for goal, state in line.goals:
        if goal.seconds is not None:
            yield f"goal {state}: at most {words.seconds(goal.seconds)}"
        else:
            who = "the best peer" if goal.peer == "best" else goal.peer
            yield f"goal {state}: {words.digits(goal.ratio or 0)} times as fast as {who}"


def render(lines: Sequence[Line]) -> str:
    """Columns as wide as their contents; `limit` is the share of the physical limit."""
    rows: list[tuple[str, ...]] = [_HEADER]
    notes: dict[int, list[str]] = {}
    for line in lines:
        name = f"{line.task} {line.phase}"
        rows.append(_cells(name, str(line.threads), line.ours, words.share(line.limit_share), True))
        rows.extend(_cells("", "", peer, "", False) for peer in line.peers)
        notes[len(rows) - 1] = list(_goal_rows(line))
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEADER) - 2)]
    widths.append(min(44, max(len(row[-2]) for row in rows)))
    out = []
    for number, row in enumerate(rows):
        cells = [cell.ljust(width) for cell, width in zip(row, widths)]
        out.append("  ".join([*cells, row[-1]]).rstrip())
        out.extend(f"    {note}" for note in notes.get(number, ()))
    return "\n".join(out) + "\n"
