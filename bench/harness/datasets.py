"""The data of tasks on disk: made once per description, found again by its hash."""

from __future__ import annotations

import hashlib
import json
import pathlib
import subprocess
import tempfile
from collections.abc import Mapping
from typing import Any

from .errors import BenchError
from .places import BENCH, ROOT, Places


class Unavailable(Exception):
    """Data that this machine does not have; the task is skipped and says why."""


def _resolved(data: Mapping[str, Any], places: Places) -> dict[str, Any]:
    """The description with real paths for bundled and external files."""
    out = dict(data)
    if "bundled" in out:
        out["bundled"] = str(ROOT / "data" / out["bundled"])
    if "external" in out:
        if places.data_dir is None:
            raise Unavailable(f"needs --data-dir with {out['path']}")
        out["path"] = str(places.data_dir / out["path"])
        if not pathlib.Path(out["path"]).exists():
            raise Unavailable(f"there is no {out['path']}")
    return out


def _generator_version() -> str:
    """Changes with the code that makes data, so that old data are not taken for new."""
    digest = hashlib.sha256()
    for file in sorted((BENCH / "data").glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def folder_of(data: Mapping[str, Any], places: Places) -> pathlib.Path:
    """The folder with the data, made if it is not there."""
    spec = _resolved(data, places)
    text = json.dumps(spec, sort_keys=True)
    key = hashlib.sha256((text + _generator_version()).encode()).hexdigest()[:16]
    name = str(spec.get("make") or spec.get("external") or pathlib.Path(spec["bundled"]).stem)
    place = places.cache / "data" / f"{name}-{key}"
    if not place.exists():
        _make(text, place, places)
    return place


def _make(spec: str, place: pathlib.Path, places: Places) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(spec)
        file.flush()
        done = subprocess.run(
            [str(places.python), str(BENCH / "data" / "make.py"), file.name, str(place)],
            capture_output=True, text=True, check=False,
        )
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        raise BenchError(f"making data failed ({spec}): {said[-1] if said else done.returncode}")


def sizes_of(folder: pathlib.Path) -> dict[str, float]:
    """n, d, ... for cost models."""
    return json.loads((folder / "about.json").read_text(encoding="utf-8"))["sizes"]
