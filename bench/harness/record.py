"""The results file of a run, written after every task: a run that was stopped goes on."""

from __future__ import annotations

import json
import pathlib
from typing import Any

from . import machine
from .errors import BenchError

# What must be the same in all parts of a file, and how it is called.
_SAME = {"machine": "on another machine", "quick": "with another --quick", "repeat": "with other rounds"}


class Record:
    """What is known so far, and where it is kept."""

    def __init__(self, path: pathlib.Path, result: dict[str, Any]) -> None:
        self.path, self.result = path, result

    @classmethod
    def begin(cls, path: pathlib.Path | None, folder: pathlib.Path, about: dict[str, Any]) -> Record:
        """A new file; `about` holds limits, quick, repeat and versions."""
        result = {
            "date": machine.now(), "revision": machine.revision(), "machine": machine.describe(),
            **about, "skipped": {}, "results": [],
        }
        name = machine.file_name(result["date"], result["machine"]["processor"])
        return cls(path or folder / name, result)

    @classmethod
    def resume(cls, path: pathlib.Path, about: dict[str, Any]) -> Record:
        """Goes on with a file of the same machine, rounds and versions of the peers."""
        result = json.loads(path.read_text(encoding="utf-8"))
        now = {"machine": machine.describe(), **about}
        # An update of the kernel makes no other machine: the file names all that it saw.
        kernels = result["machine"]["kernel"].split(", ")
        if now["machine"]["kernel"] not in kernels:
            kernels.append(now["machine"]["kernel"])
        result["machine"]["kernel"] = now["machine"]["kernel"] = ", ".join(kernels)
        for key, other in _SAME.items():
            if result.get(key) != now[key]:
                raise BenchError(f"{path} was measured {other}; begin a new file")
        for peer, versions in now["versions"].items():
            before = result["versions"].setdefault(peer, versions)
            if before != versions:
                raise BenchError(
                    f"{path} was measured with {before} of {peer}, and now there is {versions}; begin a new file"
                )
        result["skipped"] = {}
        return cls(path, result)

    def has(self, task: str, threads: int) -> bool:
        """Whether a task is measured already."""
        return any(one["task"] == task and one["threads"] == threads for one in self.result["results"])

    def add(self, outcome: dict[str, Any]) -> None:
        """Keeps a measured task with the revision that it is of, in the place of an earlier one."""
        others = [one for one in self.result["results"]
                  if (one["task"], one["threads"]) != (outcome["task"], outcome["threads"])]
        new = {**outcome, "revision": machine.revision(), "date": machine.now()}
        self.result["results"] = [*others, new]
        self.write()

    def skip(self, task: str, why: str) -> None:
        """Keeps why a task was not measured."""
        self.result["skipped"][task] = why
        self.write()

    def write(self) -> None:
        """The whole file at once, or the old one."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.path.with_suffix(".unfinished")
        unfinished.write_text(json.dumps(self.result, indent=1) + "\n", encoding="utf-8")
        unfinished.replace(self.path)


def revisions(result: dict[str, Any]) -> list[str]:
    """The revisions of the tasks of a results file, in the order in which they were measured."""
    found = [one.get("revision") or result["revision"] for one in result["results"]]
    return list(dict.fromkeys(found or [result["revision"]]))
