"""The peers: which files there are, how each is started, installed, and whether it is there.

A peer is one file in bench/peers. Its header says how to install it, in lines that start with
`install:` followed by `pip REQUIREMENT`, `debian PACKAGE` or `build` (ours). Python files are run
by bench/worker/main.py, .R files by Rscript, .sh files by sh; all are asked `versions` first.
"""

from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence

from .errors import BenchError
from .places import BENCH, ROOT, Places
from .workers import Answer, ask

_INSTALL = re.compile(r"^\W*install:\s*(pip|debian|build)\s*(\S*)", re.MULTILINE)
VERSION_TIMEOUT = 120


@dataclasses.dataclass(frozen=True)
class Peer:
    """A file of bench/peers."""

    name: str
    file: pathlib.Path

    def command(self, places: Places) -> list[str]:
        """What starts it; `versions` or `run SPEC` follow."""
        if self.file.suffix == ".py":
            return [str(places.python), str(BENCH / "worker" / "main.py"), str(self.file)]
        if self.file.suffix == ".R":
            return ["Rscript", "--vanilla", str(self.file)]
        return ["sh", str(self.file)]

    def recipe(self) -> list[tuple[str, str]]:
        """(how, what) of every install line."""
        return _INSTALL.findall(self.file.read_text(encoding="utf-8"))

    def versions(self, places: Places) -> Answer:
        """Asks the peer for its versions: the test of whether it is installed."""
        return ask([*self.command(places), "versions"], 1, VERSION_TIMEOUT)


def all_peers() -> dict[str, Peer]:
    """Every peer by name."""
    files = sorted(f for f in (BENCH / "peers").iterdir() if f.suffix in (".py", ".R", ".sh"))
    return {file.stem: Peer(file.stem, file) for file in files}


def check_names(names: Iterable[str], known: Iterable[str]) -> None:
    """BenchError for a name that is no peer."""
    known = sorted(known)
    for name in names:
        if name not in known:
            raise BenchError(f"unknown peer {name!r} (known: {', '.join(known)})")


def install(peers: Sequence[Peer], places: Places) -> None:
    """Installs what is missing: PyPI packages into the private environment, Debian ones by apt.

    Each peer is installed on its own, and one that fails is reported and skipped: a missing peer
    must not cost the others.
    """
    python = places.own_python()
    lists_are_fresh = False
    if not python.exists():
        print(f"creating {python.parent.parent.relative_to(ROOT)}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", str(python.parent.parent)], check=True)
    for peer in peers:
        if peer.versions(places).outcome is not None:
            continue
        for how, what in peer.recipe():
            command = _installer(how, what, python)
            if command is None:
                continue
            if how == "debian" and not lists_are_fresh:
                lists_are_fresh = True
                _succeeds([*_as_root(), "apt-get", "-qq", "update"])
            print(f"installing {what} for {peer.name}", file=sys.stderr)
            if not _succeeds(command):
                print(f"  {what} could not be installed; {peer.name} will be skipped", file=sys.stderr)
                break


def _succeeds(command: Sequence[str]) -> bool:
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        return False


def _installer(how: str, what: str, python: pathlib.Path) -> list[str] | None:
    if how == "pip":
        return [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", what]
    if how == "debian":
        quiet = ["env", "DEBIAN_FRONTEND=noninteractive"]
        return [*_as_root(), *quiet, "apt-get", "-qq", "install", "-y", "--no-install-recommends", what]
    return None


def _as_root() -> list[str]:
    return [] if os.geteuid() == 0 else ["sudo", "-n"]
