"""Writes the data of one task into a folder: arrays as .npy, files as they are, about.json last.

  python make.py SPEC.json FOLDER

SPEC is the `data` table of a task. The folder is filled beside its place and renamed, so that an
interrupted run leaves nothing that looks complete.
"""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import sys
from typing import Any

import numpy as np
from external import EXTERNAL, bundled
from files import WRITERS
from generators import GENERATORS


def _store(folder: pathlib.Path, arrays: dict[str, Any]) -> dict[str, list[int]]:
    """Saves dense arrays as one file, sparse ones as three; the shapes of the sparse ones."""
    sparse = {}
    for name, array in arrays.items():
        if hasattr(array, "indptr"):
            sparse[name] = list(array.shape)
            for part in ("data", "indices", "indptr"):
                np.save(folder / f"{name}.{part}.npy", getattr(array, part))
        else:
            np.save(folder / f"{name}.npy", np.ascontiguousarray(array))
    return sparse


def _sizes(arrays: dict[str, Any]) -> dict[str, float]:
    """The names that cost models may use."""
    X = arrays["X"]
    sizes = {"n": X.shape[0], "d": X.shape[1]}
    if hasattr(X, "nnz"):
        sizes["nnz"] = X.nnz
    else:
        sizes["item"] = X.dtype.itemsize
    if "X_test" in arrays:
        sizes["q"] = arrays["X_test"].shape[0]
        if hasattr(X, "nnz"):
            sizes["nnz_test"] = arrays["X_test"].nnz
    if "centers" in arrays:
        sizes["k"] = arrays["centers"].shape[0]
    if "y" in arrays and arrays["y"].dtype.kind in "iu":
        sizes["k"] = int(arrays["y"].max()) + 1
    return sizes


def make(spec: dict[str, Any], folder: pathlib.Path) -> dict[str, Any]:
    """Fills the folder and returns its description."""
    spec = dict(spec)
    if "bundled" in spec:
        arrays = bundled(**spec)
    else:
        kind = spec.pop("make", None) or spec.pop("external")
        if kind in WRITERS:
            about = WRITERS[kind](folder, **spec)
            main_file = folder / next(iter(about["files"].values()))
            about["sizes"]["file_bytes"] = main_file.stat().st_size
            return {"sparse": {}, **about}
        arrays = {**GENERATORS, **EXTERNAL}[kind](**spec)
    return {"sparse": _store(folder, arrays), "files": {}, "sizes": _sizes(arrays)}


def main() -> None:
    """The command line of a worker: no checks beyond what the harness has done."""
    spec = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    place = pathlib.Path(sys.argv[2])
    partial = place.with_name(place.name + f".{os.getpid()}.part")
    partial.mkdir(parents=True)
    try:
        about = make(spec, partial)
        (partial / "about.json").write_text(json.dumps(about), encoding="utf-8")
        partial.rename(place)
    except OSError:
        # Another process has made the same data meanwhile: they are as good.
        if not (place / "about.json").exists():
            raise
    finally:
        shutil.rmtree(partial, ignore_errors=True)


if __name__ == "__main__":
    main()
