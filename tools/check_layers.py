#!/usr/bin/env python3
"""Keeps the house in order: a layer may include its own and lower layers only, and each heavy
library has one folder that may name it. Prints every violation and exits 1 if there is any."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "gradus"

LAYERS = {
    "core": 0, "parallel": 0,
    "simd": 1, "linalg": 1,
    "data": 2, "trace": 2,
    "contract": 3, "blocks": 3,
    "models": 4,
    "api": 5, "evaluate": 5,
    "report": 6,
}
# linalg may use simd's and parallel's kernels, and gathers rows from features in blocks/, not here.
SINGLE_INCLUDER = {
    r"oneapi/tbb|tbb/": "parallel",
    r"hwy/": "simd",
    r"cblas|lapacke|Eigen/": "linalg",
}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
# The catalogue and its consumers name every learner; nothing in src may name the fronts.
FRONTS = re.compile(r"^(cli|python|web|bench)/")


def folder_of(path: pathlib.Path) -> str:
    parts = path.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else ""


def learner_of(include: str) -> str | None:
    parts = include.split("/")
    return "/".join(parts[2:4]) if parts[:2] == ["gradus", "models"] and len(parts) > 4 else None


def violations():
    for path in sorted(SOURCE.rglob("*.[ch]pp")):
        here = folder_of(path)
        own_learner = learner_of("gradus/" + path.relative_to(SOURCE).as_posix())
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            include = match.group(1)
            place = f"{path.relative_to(ROOT)}:{number}"
            for pattern, owner in SINGLE_INCLUDER.items():
                if re.match(pattern, include) and here != owner:
                    yield f"{place}: only {owner}/ may include <{include}>"
            if FRONTS.match(include):
                yield f"{place}: the library may not include {include}"
            if not include.startswith("gradus/") or here == "":
                continue
            if path.name.endswith("_test.cpp"):
                continue  # a unit test may use anything to set the scene
            there = include.split("/")[1]
            if there in LAYERS and LAYERS[there] > LAYERS.get(here, 99):
                yield f"{place}: {here}/ (layer {LAYERS[here]}) may not include {there}/ (layer {LAYERS[there]})"
            other = learner_of(include)
            if own_learner and other and other != own_learner:
                yield f"{place}: learners share through blocks/, not with {other}"
            if here not in LAYERS:
                yield f"{place}: {here}/ is not a layer"


if __name__ == "__main__":
    found = list(violations())
    print("\n".join(found) if found else "layers: in order")
    sys.exit(1 if found else 0)
