"""ID3 against a second, straightforward one, written here from the definition alone.

Both trees must agree node by node: attribute, entropy, class counts and the answer of every leaf.
Tolerance: 1e-9 on entropies; everything else exactly.
"""

import collections
import csv
import json
import math
import random

import pytest
from command import DATA, gradus

TIE = 1e-12
TOLERANCE = 1e-9


def entropy(labels):
    counts = collections.Counter(labels)
    return -sum(c / len(labels) * math.log2(c / len(labels)) for c in counts.values())


def gain(rows, column, target):
    parts = collections.defaultdict(list)
    for row in rows:
        parts[row[column]].append(row[target])
    rest = sum(len(part) / len(rows) * entropy(part) for part in parts.values())
    return entropy([row[target] for row in rows]) - rest


def majority(rows, target, classes):
    counts = collections.Counter(row[target] for row in rows)
    return max(classes, key=lambda name: (counts[name], -classes.index(name)))


def grow(rows, columns, target, levels, classes):
    """The tree as nested dictionaries; `columns` in the order that breaks ties."""
    labels = [row[target] for row in rows]
    node = {"n": len(rows), "entropy": entropy(labels), "counts": collections.Counter(labels)}
    separable = any(len({row[column] for row in rows}) > 1 for column in columns)
    if len(set(labels)) == 1 or not separable:
        return node | {"leaf": majority(rows, target, classes)}
    gains = [gain(rows, column, target) for column in columns]
    best = next(c for c, g in zip(columns, gains) if g >= max(gains) - TIE)
    rest = [column for column in columns if column != best]
    branches = {}
    for level in levels[best]:
        part = [row for row in rows if row[best] == level]
        if part:
            branches[level] = grow(part, rest, target, levels, classes)
        else:
            branches[level] = {"n": 0, "leaf": majority(rows, target, classes)}
    return node | {"attribute": best, "branches": branches}


def assert_same(ours, theirs, path="tree"):
    assert ours["n"] == theirs["n"], path
    if theirs["n"] > 0:
        assert ours["entropy"] == pytest.approx(theirs["entropy"], abs=TOLERANCE), path
        assert {k: v for k, v in ours["counts"].items() if v} == dict(theirs["counts"]), path
    if "leaf" in theirs:
        assert ours.get("leaf") == theirs["leaf"], path
        return
    assert ours.get("attribute") == theirs["attribute"], path
    assert set(ours["branches"]) == set(theirs["branches"]), path
    for level, branch in theirs["branches"].items():
        assert_same(ours["branches"][level], branch, f"{path}/{theirs['attribute']}={level}")


def compare(path, target, ignore=()):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = [name for name in rows[0] if name != target and name not in ignore]
    levels = {name: sorted({row[name] for row in rows}) for name in columns}
    classes = sorted({row[target] for row in rows})
    flags = [flag for name in ignore for flag in ("--ignore", name)]
    out = gradus("train", "id3", "--data", path, "--target", target, "--json", *flags)
    fitted = json.loads(out)["fitted"]
    assert_same(fitted["tree"], grow(rows, columns, target, levels, classes))


def test_play_tennis():
    compare(DATA / "play_tennis.csv", "playtennis", ignore=["Day"])


@pytest.mark.parametrize("seed", range(20))
def test_random_tables(seed, tmp_path):
    rng = random.Random(seed)
    columns = rng.randint(1, 6)
    names = [f"a{j}" for j in range(columns)]
    path = tmp_path / "table.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*names, "class"])
        for _ in range(rng.randint(2, 200)):
            writer.writerow([*(rng.choice("pqrs") for _ in names), rng.choice(["u", "v", "w"])])
    compare(path, "class")
