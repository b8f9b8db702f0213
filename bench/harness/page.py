"""The results as one HTML page: a bar per competitor on a logarithmic scale, 1.0 marked.

No network and no script: styles are inside, colours follow the reader's light or dark setting, and
every figure of a bar also stands beside it as text.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import words
from .judge import Figure, Line

_STYLE = """
:root { color-scheme: light dark; --text: #1b1b1b; --soft: #666; --back: #fff; --line: #ddd;
  --win: #1a7f4b; --lose: #c0392b; --even: #8a8a8a; --card: #f7f7f5; }
@media (prefers-color-scheme: dark) { :root { --text: #e8e8e6; --soft: #a0a0a0; --back: #16181a;
  --line: #3a3d40; --win: #4cc38a; --lose: #ff7b6b; --even: #9a9a9a; --card: #1e2124; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back);
  max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .3rem; }
p, td, th { margin: .2rem 0; } .soft { color: var(--soft); } code { font-size: .92em; }
.task { background: var(--card); border-radius: .5rem; padding: .6rem .9rem; margin: .7rem 0; }
.row { display: grid; grid-template-columns: 10rem 5.5rem 1fr 15rem; gap: .6rem; align-items: center; }
.scale { position: relative; height: 1.1rem; background: linear-gradient(var(--line), var(--line))
  no-repeat var(--one) 0 / 2px 100%; }
.bar { position: absolute; top: .2rem; height: .7rem; border-radius: 2px; min-width: 2px; }
.win { background: var(--win); } .lose { background: var(--lose); } .even { background: var(--even); }
.num { font-variant-numeric: tabular-nums; text-align: right; }
@media (max-width: 44rem) { .row { grid-template-columns: 1fr 5rem; } .scale { grid-column: 1 / -1; } }
"""


class Scale:
    """Positions on a logarithmic axis that holds every ratio of the page and 1.0."""

    def __init__(self, ratios: Iterable[float]) -> None:
        logs = [math.log10(ratio) for ratio in ratios if ratio > 0] + [0.0]
        self.low, self.high = min(min(logs), -0.5), max(max(logs), 0.5)

    def at(self, ratio: float) -> float:
        """Percent from the left."""
        share = (math.log10(ratio) - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, share)), 2)


def _text(value: object) -> str:
    return html.escape(str(value))


def _bar(figure: Figure, scale: Scale) -> str:
    if figure.ratio is None:
        return '<div class="scale"></div>'
    one, here = scale.at(1.0), scale.at(figure.ratio.median)
    kind = "even" if not figure.ratio.decided else "win" if figure.ratio.median > 1 else "lose"
    left, width = min(one, here), abs(here - one)
    return (
        f'<div class="scale"><div class="bar {kind}" '
        f'style="left:{left:.2f}%;width:{width:.2f}%"></div></div>'
    )


def _verdict(figure: Figure) -> str:
    if figure.problem:
        return f"failed: {figure.problem}"
    if not figure.comparable:
        return f"no ratio: quality {figure.quality:.6g} is better than ours"
    return "" if figure.ratio is None else words.interval(figure.ratio)


def _row(figure: Figure, scale: Scale) -> str:
    median = figure.seconds.median if figure.seconds else None
    return (
        f'<div class="row"><div>{_text(figure.label)}</div>'
        f'<div class="num">{_text(words.seconds(median))}</div>{_bar(figure, scale)}'
        f'<div class="num">{_text(_verdict(figure))}</div></div>'
    )


def _line(line: Line, scale: Scale) -> str:
    goals = "; ".join(
        f"goal {state}: " + (f"at most {words.seconds(goal.seconds)}" if goal.seconds is not None
                             else f"{words.digits(goal.ratio or 0)}x of {goal.peer}")
        for goal, state in line.goals
    )
    ours = line.ours
    facts = [f"{words.share(line.limit_share)} of the physical limit" if line.limit_share else "",
             f"peak memory {words.size(ours.peak_bytes)}" if ours.peak_bytes else "",
             f"quality {ours.quality:.6g}" if ours.quality is not None else "", goals]
    return (
        f'<div class="task"><div><b>{_text(line.about)}</b>: {_text(line.phase)} '
        f'<span class="soft">({_text(line.task)}, {line.threads} thread(s))</span></div>'
        + _row(ours, scale) + "".join(_row(peer, scale) for peer in line.peers)
        + f'<div class="soft">{_text(" · ".join(fact for fact in facts if fact))}</div></div>'
    )


def render(result: Mapping[str, Any], lines: Sequence[Line]) -> str:
    """The whole page."""
    scale = Scale(p.ratio.median for line in lines for p in line.peers if p.ratio is not None)
    about = result["machine"]
    versions: dict[str, str] = {}
    for found in result["versions"].values():
        versions.update(found)
    families: dict[str, list[Line]] = {}
    for line in lines:
        families.setdefault(line.family, []).append(line)
    body = "".join(
        f"<h2>{_text(family)}</h2>" + "".join(_line(line, scale) for line in group)
        for family, group in families.items()
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Gradus beside its peers</title><style>{_STYLE}:root {{ --one: {scale.at(1.0)}%; }}"
        "</style></head><body><h1>Gradus beside its peers</h1>"
        f'<p>{_text(result["date"])}, revision {_text(result["revision"] or "unknown")}, '
        f'{_text(about["processor"])}, {about["cores"]} core(s), {_text(about["system"])}, '
        f'{result["repeat"]} rounds.</p>'
        "<p>A bar to the right of the mark: we are that many times as fast. To the left: the peer "
        "is. Grey: the interval holds 1. A ratio stands only where our quality is the same or "
        "better.</p>"
        f'<p class="soft">{_text(", ".join(f"{k} {v}" for k, v in sorted(versions.items())))}</p>'
        f"{body}</body></html>\n"
    )
