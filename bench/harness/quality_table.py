"""What the answers of the quality study say: ranks, wins, and the sentences of docs/benchmarks.md."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

from .quality import OURS, Method, chooses

BETTER = {"log_loss": "lower", "accuracy": "higher", "rmse": "lower", "r2": "higher"}
_WORDS = {"log_loss": "log-loss", "accuracy": "accuracy", "rmse": "RMSE", "r2": "R²"}
PARTS = {
    "all": "all data sets", "classes": "classes", "numbers": "numbers",
    "judging": "not used to choose our defaults",
}


@dataclasses.dataclass(frozen=True)
class Row:
    """A data set that every competitor answered: means over the folds, by label."""

    data: Mapping[str, Any]
    rows: int
    scores: Mapping[str, Mapping[str, float]]
    seconds: Mapping[str, float]

    def value(self, label: str, metric: str) -> float:
        """The score such that less is better."""
        value = self.scores[label][metric]
        return -value if BETTER[metric] == "higher" else value


def rows_of(method: Method, answers: Sequence[Mapping[str, Any]], sets: Sequence[Mapping[str, Any]],
            labels: Sequence[str]) -> list[Row]:
    """The data sets that all of `labels` answered, in the order of their descriptions."""
    known = {(a["set"], a["label"]): a for a in answers if a["method"] == method.name and "scores" in a}
    out = []
    for data in sets:
        found = {label: known.get((data["name"], label)) for label in labels}
        if all(found.values()):
            means = {label: {name: sum(v) / len(v) for name, v in a["scores"].items()}
                     for label, a in found.items() if a}
            seconds = {label: a["cpu_seconds"] for label, a in found.items() if a}
            out.append(Row(data, found[labels[0]]["rows"], means, seconds))  # type: ignore[index]
    return out


def part_of(rows: Sequence[Row], part: str) -> list[Row]:
    """The rows of one of PARTS."""
    if part == "judging":
        return [row for row in rows if not chooses(row.data)]
    return [row for row in rows if part in ("all", row.data["task"])]


def ranks(values: Sequence[float]) -> list[float]:
    """1 is least; equal values share the mean of their ranks."""
    return [sum(v < x for v in values) + (sum(v == x for v in values) + 1) / 2 for x in values]


def mean_ranks(method: Method, rows: Sequence[Row], labels: Sequence[str], which: str) -> dict[str, float]:
    """By label, over the rows; `which` is rank_by or beside."""
    if not rows:
        return dict.fromkeys(labels, math.nan)
    each = []
    for row in rows:
        metric = method.ranks[row.data["task"]][which]
        each.append(ranks([row.value(label, metric) for label in labels]))
    return {label: sum(one[i] for one in each) / len(each) for i, label in enumerate(labels)}


def scores_of(method: Method, rows: Sequence[Row], labels: Sequence[str], part: str) -> dict[str, Any]:
    """Of each data set the score of each competitor, less is better: what the tests are given.
    Errors go in as logarithms, so that a difference is a ratio and no scale counts more."""
    out = {}
    for row in part_of(rows, part):
        metric = method.ranks[row.data["task"]]["rank_by"]
        values = {label: row.value(label, metric) for label in labels}
        out[row.data["name"]] = {
            label: math.log(value) if value > 0 else value for label, value in values.items()
        }
    return out


def tally(method: Method, rows: Sequence[Row], label: str) -> tuple[int, int, int]:
    """(wins, draws, losses) of ours against `label`."""
    signs = []
    for row in rows:
        metric = method.ranks[row.data["task"]]["rank_by"]
        ours, theirs = row.value(OURS, metric), row.value(label, metric)
        signs.append((theirs > ours) - (theirs < ours))
    return signs.count(1), signs.count(0), signs.count(-1)


def geometric(values: Sequence[float]) -> float:
    """The geometric mean: times of small and large data sets count alike."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def summary(method: Method, rows: Sequence[Row], labels: Sequence[str]) -> list[str]:
    """The table of mean ranks."""
    head = ["", "all", "classes", "numbers", PARTS["judging"],
            "by " + " and ".join(_WORDS[method.ranks[t]["beside"]] for t in ("classes", "numbers")),
            "Gradus wins : draws : losses", "processor time of a fit"]
    out = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    parts = [mean_ranks(method, part_of(rows, part), labels, "rank_by") for part in PARTS]
    beside = mean_ranks(method, rows, labels, "beside")
    for label in labels:
        score = "" if label == OURS else "{} : {} : {}".format(*tally(method, rows, label))
        took = geometric([max(row.seconds[label], 1e-4) for row in rows])
        cells = [f"**{label}**" if label == OURS else label, *(f"{part[label]:.2f}" for part in parts),
                 f"{beside[label]:.2f}", score, f"{took:.3g} s"]
        out.append("| " + " | ".join(cells) + " |")
    return out


def each_set(method: Method, rows: Sequence[Row], labels: Sequence[str], task: str) -> list[str]:
    """The scores of every data set of a task, the best in bold, with the time of a fit."""
    metric = method.ranks[task]["rank_by"]
    head = [f"{_WORDS[metric]} (seconds of a fit)", "rows x columns", *labels]
    out = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    for row in part_of(rows, task):
        best = min(row.value(label, metric) for label in labels)
        cells = []
        for label in labels:
            text = f"{row.scores[label][metric]:.4g}"
            text = f"**{text}**" if row.value(label, metric) == best else text
            cells.append(f"{text} ({row.seconds[label]:.2g})")
        name = row.data["name"] + (" *" if chooses(row.data) else "")
        out.append(f"| {name} | {row.rows} x {row.data['columns']} | " + " | ".join(cells) + " |")
    return out


def losses(method: Method, rows: Sequence[Row], labels: Sequence[str]) -> list[str]:
    """Where ours is the last of all: nothing is hidden."""
    last = []
    for row in rows:
        metric = method.ranks[row.data["task"]]["rank_by"]
        values = {label: row.value(label, metric) for label in labels}
        if len(labels) > 1 and values[OURS] > max(v for label, v in values.items() if label != OURS):
            last.append(row.data["name"])
    return ["", f"Gradus is last of all on {len(last)} of {len(rows)} data sets"
            + (": " + ", ".join(last) if last else "") + "."]


_ABOUT = """## Quality of the defaults

`bench/run quality`: every library as it comes, without any setting, on real data sets (cut to
{most} random rows at most), 5 folds, the same for everybody. Nominal columns and missing cells go in as
each library takes them. A rank is the place on one data set, 1 the best; the tables show mean ranks, and
the processor time of one fit, all threads summed (geometric mean over the data sets). Our defaults were chosen
on the data sets marked * ([why these](design/0011-defaults-by-study.md)); the others judge them.
Measured {date}, revision {revision}, {threads} thread(s) each, {versions}."""


def render(result: Mapping[str, Any], methods: Sequence[Method], sets: Sequence[Mapping[str, Any]],
           most: int) -> list[str]:
    """The section of docs/benchmarks.md, line by line."""
    versions: dict[str, str] = {}
    for found in result["versions"].values():
        versions.update(found)
    out = ["", *_ABOUT.format(
        most=most, date=result["date"],
        revision=result["revision"] or "unknown", threads=result["threads"],
        versions=", ".join(f"{k} {v}" for k, v in sorted(versions.items())),
    ).splitlines()]
    for method in methods:
        labels = [who.label for who in method.competitors]
        rows = rows_of(method, result["answers"], sets, labels)
        if not rows:
            continue
        out += ["", f"### {method.title}: {len(rows)} data sets", "", *summary(method, rows, labels), ""]
        for part, verdict in result.get("verdicts", {}).get(method.name, {}).items():
            out.append(f"- {PARTS[part]}: {verdict['conclusion']}")
        out += losses(method, rows, labels)
        for task in ("classes", "numbers"):
            if part_of(rows, task):
                out += ["", *each_set(method, rows, labels, task)]
        names = {row.data["name"] for row in rows}
        if absent := [one["name"] for one in sets if one["name"] not in names]:
            out += ["", "Described, but not answered by everybody in this run: " + ", ".join(absent) + "."]
    return out
