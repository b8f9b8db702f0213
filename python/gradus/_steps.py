"""The numbered steps of an explanation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, overload


# No colours: the steps take those of the notebook, light or dark.
_FORMULA = " style='overflow-x: auto; background: none; color: inherit'"


class Steps(Sequence[dict[str, Any]]):
    """Steps of a fit or a prediction: a list of dicts that prints as text and shows as HTML.

    Each step has number, title, path, formula, values and text.
    """

    def __init__(self, steps: Iterable[dict[str, Any]], title: str = "") -> None:
        self._steps = list(steps)
        self.title = title

    def __len__(self) -> int:
        return len(self._steps)

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> Steps: ...
    def __getitem__(self, index: int | slice) -> dict[str, Any] | Steps:
        if isinstance(index, slice):
            return Steps(self._steps[index], self.title)
        return self._steps[index]

    def __repr__(self) -> str:
        return f"<{len(self)} steps: {self.title}>"

    def __str__(self) -> str:
        blocks = [self.title] if self.title else []
        for step in self._steps:
            lines = [f"Step {step['number']}. {step['title']}"]
            lines += [f"    {line}" for line in step["formula"].splitlines()]
            lines += [f"  {line}" for line in step["text"].splitlines()]
            blocks.append("\n".join(lines))
        return "\n\n".join(blocks)

    def _repr_html_(self) -> str:
        rows = []
        for step in self._steps:
            formula = f"<pre{_FORMULA}>{escape(step['formula'])}</pre>" if step["formula"] else ""
            text = f"<p>{escape(step['text'])}</p>" if step["text"] else ""
            rows.append(f"<li><b>{escape(step['title'])}</b>{formula}{text}</li>")
        heading = f"<p><b>{escape(self.title)}</b></p>" if self.title else ""
        return f"<div class='gradus-steps'>{heading}<ol>{''.join(rows)}</ol></div>"
