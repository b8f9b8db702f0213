"""Real tables for comparisons: those that R brings along, written by R itself, and the bundled ones."""

import csv
import functools
import pathlib
import tempfile

import numpy as np
from command import DATA
from peers import run

# Table of R's datasets, target, columns that are left out.
FROM_R = [
    ("mtcars", "mpg", []),
    ("swiss", "Fertility", []),
    ("longley", "Employed", []),
    ("stackloss", "stack.loss", []),
    ("attitude", "rating", []),
    ("trees", "Volume", []),
    ("LifeCycleSavings", "sr", []),
    ("rock", "perm", []),
    ("quakes", "mag", []),
    ("airquality", "Ozone", []),
]
BUNDLED = [("diabetes.csv", "progression", []), ("wine.csv", "proline", ["cultivar"])]
TABLES = [(f"{name}.csv", target, ignored) for name, target, ignored in FROM_R] + BUNDLED

WRITE = "d <- na.omit(get('{name}')); write.csv(d, '{path}', row.names = FALSE, quote = FALSE)"


@functools.cache
def folder():
    """The tables of R as files, in a folder that lives as long as the tests."""
    path = pathlib.Path(tempfile.mkdtemp(prefix="gradus-tables-"))
    script = "; ".join(WRITE.format(name=name, path=path / f"{name}.csv") for name, _, _ in FROM_R)
    run(["Rscript", "--vanilla", "-e", script])
    return path


def file_of(name):
    """Where the table is."""
    return DATA / name if (DATA / name).exists() else folder() / name


def numbers(name, target, ignored):
    """Names of the features, X and y."""
    with open(file_of(name), newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    features = [column for column in rows[0] if column != target and column not in ignored]
    x = np.array([[float(row[f]) for f in features] for row in rows])
    return features, x, np.array([float(row[target]) for row in rows])
