"""The numbered steps of an explanation."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


class Steps(Sequence):
    """Steps of a fit or a prediction: a list of dicts that prints as text and shows as HTML.

    Each step has number, title, path, formula, values and text.
    """

    def __init__(self, steps, title=""):
        self._steps = list(steps)
        self.title = title

    def __len__(self):
        return len(self._steps)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return Steps(self._steps[index], self.title)
        return self._steps[index]

    def __repr__(self):
        return f"<{len(self)} steps: {self.title}>"

    def __str__(self):
        blocks = [self.title] if self.title else []
        for step in self._steps:
            lines = [f"Step {step['number']}. {step['title']}"]
            lines += [f"    {line}" for line in step["formula"].splitlines()]
            lines += [f"  {line}" for line in step["text"].splitlines()]
            blocks.append("\n".join(lines))
        return "\n\n".join(blocks)

    def _repr_html_(self):
        rows = []
        for step in self._steps:
            formula = f"<pre>{escape(step['formula'])}</pre>" if step["formula"] else ""
            text = f"<p>{escape(step['text'])}</p>" if step["text"] else ""
            rows.append(f"<li><b>{escape(step['title'])}</b>{formula}{text}</li>")
        heading = f"<p><b>{escape(self.title)}</b></p>" if self.title else ""
        return f"<div class='gradus-steps'>{heading}<ol>{''.join(rows)}</ol></div>"
