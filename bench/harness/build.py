"""Builds what is measured: the `bench` preset, and the Python package on top of it."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

from .errors import BenchError
from .places import ROOT, Places


def _run(command: list[str], log: pathlib.Path) -> None:
    with log.open("ab") as out:
        done = subprocess.run(command, cwd=ROOT, stdout=out, stderr=out, check=False)
    if done.returncode != 0:
        raise BenchError(f"building failed: see {log.relative_to(ROOT)}")


def _install_system_packages() -> None:
    """The compiler and the libraries, by the same lists and script as ./quickstart."""
    script = ". tools/setup.sh && install_packages build bench-build"
    if subprocess.run(["bash", "-c", script], cwd=ROOT, stdout=sys.stderr, check=False).returncode != 0:
        raise BenchError("what building needs could not be installed: see build/apt.log")


def build(places: Places) -> None:
    """The command, the native programmes and the package, in release form."""
    places.cache.mkdir(parents=True, exist_ok=True)
    _install_system_packages()
    log = places.cache / "build.log"
    log.unlink(missing_ok=True)
    jobs = str(os.cpu_count() or 2)
    _run(["cmake", "--preset", "bench"], log)
    _run(["cmake", "--build", "--preset", "bench", "--parallel", jobs], log)
    _install_package(places, log)


def _install_package(places: Places, log: pathlib.Path) -> None:
    """Only when the library or the package changed since: installing takes half a minute."""
    stamp = places.cache / "package.stamp"
    sources = [*(ROOT / "python").rglob("*"), places.build / "src" / "libgradus.a"]
    newest = max(source.stat().st_mtime for source in sources if source.is_file())
    if stamp.exists() and stamp.stat().st_mtime > newest:
        return
    pip = [str(places.own_python()), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _run([*pip, "-r", "tools/packages/python.requirements"], log)
    _run(
        [*pip, "--no-build-isolation", "--no-deps", "--force-reinstall",
         "-C", f"build-dir={places.cache / 'python'}",
         "-C", f"cmake.define.gradus_DIR={places.build}", "."],
        log,
    )
    stamp.touch()
