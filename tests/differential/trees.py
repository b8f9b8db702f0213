"""What the comparisons of trees, forests and boosting share: real tables and our answers."""

import csv
import json

import numpy as np
from command import DATA, gradus

TABLES = [("iris.csv", "species"), ("wine.csv", "cultivar"), ("breast_cancer.csv", "diagnosis")]


def read(name, target):
    """Names of the numeric columns, the numbers, and the target as texts."""
    with open(DATA / name, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = [column for column in rows[0] if column != target]
    return names, np.array([[float(row[c]) for c in names] for row in rows]), [r[target] for r in rows]


def write(path, names, x, y):
    """A table with the target in the column `y`."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*names, "y"])
        writer.writerows([*map(repr, map(float, row)), label] for row, label in zip(x, y))
    return path


def train(learner, path, folder, *options):
    """What was learned, and the model."""
    model = folder / "model.gradus"
    out = gradus("train", learner, "--data", path, "--target", "y", "--model", model, "--json", *options)
    return json.loads(out)["fitted"], model


def predictions(model, path, folder, *options):
    """The rows of the prediction table."""
    out = folder / "predictions.csv"
    gradus("predict", model, "--data", path, "--output", out, *options)
    with open(out, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def probabilities(model, path, classes, folder):
    """Rows x classes."""
    rows = predictions(model, path, folder, "--probabilities")
    return np.array([[float(row[f"p({c})"]) for c in classes] for row in rows])
