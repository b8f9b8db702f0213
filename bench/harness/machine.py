"""What the figures were measured on: processor, memory, system, load."""

from __future__ import annotations

import datetime
import os
import pathlib
import platform
import re
import subprocess
from typing import Any

from .places import ROOT


def _first(path: str, pattern: str) -> str:
    try:
        found = re.search(pattern, pathlib.Path(path).read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        return ""
    return found.group(1).strip() if found else ""


def processor() -> str:
    """The model name, or the architecture where the kernel does not tell."""
    return _first("/proc/cpuinfo", r"^model name\s*:\s*(.*)$") or platform.machine()


def describe() -> dict[str, Any]:
    """The machine as plain data, for every result."""
    memory = _first("/proc/meminfo", r"^MemTotal:\s*(\d+)")
    flags = set(_first("/proc/cpuinfo", r"^flags\s*:\s*(.*)$").split())
    return {
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(int(memory) / 2**20, 1) if memory else None,
        "simd": [flag for flag in ("sse4_2", "avx", "avx2", "fma", "avx512f") if flag in flags],
        "system": _first("/etc/os-release", r'^PRETTY_NAME="?([^"\n]*)') or platform.system(),
        "kernel": platform.release(),
        "python": platform.python_version(),
    }


def load() -> list[float]:
    """The load averages now: above the number of our threads, somebody else is measuring too."""
    return [round(value, 2) for value in os.getloadavg()]


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def revision() -> str:
    """The commit that is measured, with a + when files are changed."""
    def git(*words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=ROOT, capture_output=True, text=True, check=False
        )
        return done.stdout.strip() if done.returncode == 0 else ""

    head = git("rev-parse", "--short", "HEAD")
    return head + ("+" if head and git("status", "--porcelain", "--untracked-files=no") else "")


def file_name(date: str, cpu: str) -> str:
    """`<date>-<cpu>.json`, with a processor name that is short and safe in a path."""
    cpu = re.sub(r"\((R|TM)\)|processor|cpu|@.*", "", cpu, flags=re.IGNORECASE)
    return f"{date[:10]}-{re.sub(r'[^a-z0-9]+', '-', cpu.lower()).strip('-') or 'unknown'}.json"
