"""Gradus through its command: whole processes, from start to exit.

install: build
"""

from __future__ import annotations

import pathlib
from typing import Any

from metrics import METRICS
from outputs import sum_of_file
from processes import run_process
from protocol import Job


def versions() -> dict[str, str]:
    """Asked of the package: the command of a run is known only to its specification."""
    import gradus

    return {"gradus": gradus.__version__}


def startup(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """The shortest useful call."""
    command = [spec["command"], "--version"]
    return Job(
        fit=lambda: run_process(command),
        quality=lambda done, _: float(done.out.startswith("gradus")),
        peak=lambda done: done.peak_bytes,
    )


def convert(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """`gradus convert` from CSV to the format in the settings."""
    ending = spec["settings"]["to"]
    out = pathlib.Path(spec["scratch"]) / f"gradus.{ending}"
    command = [spec["command"], "convert", data.files["csv"], str(out), "--force", "--quiet",
               "--threads", str(threads)]
    if "target" in spec["settings"]:
        command += ["--target", spec["settings"]["target"]]
    return Job(
        fit=lambda: run_process(command),
        quality=lambda done, _: sum_of_file(out),
        peak=lambda done: done.peak_bytes,
    )


def train_in_parts(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """`gradus train LEARNER --in-parts ROWS` on a file whose last column `y` is 0 or 1."""
    import gradus

    settings = dict(spec["settings"])
    out = pathlib.Path(spec["scratch"]) / "parts.gradus"
    command = [spec["command"], "train", settings.pop("learner"), "--data", data.files["csv"],
               "--target", "y", "--task", "classification", "--classes", "0,1",
               "--in-parts", str(settings.pop("rows")), "--model", str(out), "--force", "--quiet",
               "--threads", str(threads)]
    for name, value in settings.items():
        command += [f"--{name}", str(value)]

    def predicted() -> Any:
        names = [f"c{j}" for j in range(data.X_test.shape[1])]
        return gradus.load(out).predict(_named(data.X_test, names))

    return Job(
        fit=lambda: run_process(command),
        quality=lambda done, _: METRICS[spec["metric"]](predicted(), data),
        peak=lambda done: done.peak_bytes,
    )


def _named(X: Any, names: list[str]) -> Any:
    import pandas

    return pandas.DataFrame(X, columns=names)


CALLS = {"startup": startup, "convert": convert, "train_in_parts": train_in_parts}
