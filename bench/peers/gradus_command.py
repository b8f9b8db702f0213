"""Gradus through its command: whole processes, from start to exit.

install: build
"""

from __future__ import annotations

import pathlib
from typing import Any

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


CALLS = {"startup": startup, "convert": convert}
