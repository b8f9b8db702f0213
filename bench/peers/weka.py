"""Weka: the Java workbench whose format ARFF is. Whole processes, the JVM included.

install: debian weka
"""

from __future__ import annotations

import pathlib
import shutil
import subprocess
from typing import Any

from outputs import sum_of_file
from processes import run_process
from protocol import Job

JAR = "/usr/share/java/weka.jar"


def versions() -> dict[str, str]:
    """As Debian numbers it; the jar itself has no short way to tell."""
    if shutil.which("java") is None or not pathlib.Path(JAR).exists():
        raise ImportError("java or weka.jar is missing")
    found = subprocess.run(
        ["dpkg-query", "-W", "-f=${Version}", "weka"], capture_output=True, text=True, check=False
    )
    return {"weka": found.stdout or "unknown"}


def to_arff(data: Any, spec: dict[str, Any], threads: int) -> Job:
    """CSVLoader writes ARFF to standard output; the shell sends it to a file."""
    out = pathlib.Path(spec["scratch"]) / "weka.arff"
    script = 'exec java -Xmx4g -cp "$0" weka.core.converters.CSVLoader "$1" >"$2"'
    command = ["sh", "-c", script, JAR, data.files["csv"], str(out)]
    return Job(
        fit=lambda: run_process(command),
        quality=lambda done, _: sum_of_file(out),
        peak=lambda done: done.peak_bytes,
    )


CALLS = {"to_arff": to_arff}
