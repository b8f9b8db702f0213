"""k-means beside scikit-learn's Lloyd from the same start: centres, labels and inertia must agree.

Tolerance: 1e-9 on centres and inertia; labels exactly. Starts that are rows of the data make exact
ties; there both are compared with a third Lloyd, in fractions, that gives a tie to the lowest index.
"""

import csv
import json
from fractions import Fraction

import numpy
import pytest
from command import DATA, gradus
from sklearn import cluster

IRIS = DATA / "iris.csv"


def iris():
    return numpy.loadtxt(IRIS, delimiter=",", skiprows=1, usecols=range(4))


def start_of(X, clusters, offset):
    """Some rows, pushed off the grid of one decimal: an exact tie is broken by the lowest index
    here and by the rounding of a longer formula there, and ends in another local minimum."""
    rows = X[offset::150 // clusters][:clusters]
    return rows + 0.03 * numpy.sin(1 + numpy.arange(rows.size)).reshape(rows.shape)


def fitted(start, *options, data=IRIS):
    flags = ["--n_clusters", str(len(start)), "--init", "given", "--json"]
    flags += ["--ignore", "species"] if data == IRIS else []
    centers = ",".join(repr(float(x)) for x in start.ravel())
    out = gradus("train", "kmeans", "--data", data, *flags, f"--centers={centers}", *options)
    return json.loads(out)["fitted"]


def exact_lloyd(rows, centers):
    """Centres and sizes in fractions, and in how many passes a row had two nearest centres."""
    labels, tied_passes = None, []
    while True:
        chosen, tied = [], False
        for row in rows:
            distances = [sum((x - c) ** 2 for x, c in zip(row, center)) for center in centers]
            chosen.append(distances.index(min(distances)))
            tied = tied or distances.count(min(distances)) > 1
        tied_passes.append(tied)
        if chosen == labels:
            return centers, [labels.count(k) for k in range(len(centers))], tied_passes
        labels = chosen
        members = [[row for row, label in zip(rows, labels) if label == k] for k in range(len(centers))]
        assert all(members), "this start empties a cluster"
        centers = [[Fraction(sum(column), len(part)) for column in zip(*part)] for part in members]


@pytest.mark.parametrize("clusters", [1, 2, 3, 5, 8, 20])
@pytest.mark.parametrize("offset", [0, 7])
def test_same_start_same_clusters(clusters, offset):
    X = iris()
    start = start_of(X, clusters, offset)
    peer = cluster.KMeans(clusters, init=start, n_init=1, algorithm="lloyd").fit(X)
    ours = fitted(start)
    numpy.testing.assert_allclose(ours["centers"], peer.cluster_centers_, rtol=1e-9, atol=1e-9)
    assert ours["inertia"] == pytest.approx(peer.inertia_, rel=1e-9)
    assert ours["n_iter"] == peer.n_iter_
    assert ours["sizes"] == numpy.bincount(peer.labels_, minlength=clusters).tolist()


def test_tolerance_means_the_same():
    X = iris()
    start = start_of(X, 4, 0)
    peer = cluster.KMeans(4, init=start, n_init=1, algorithm="lloyd", tol=0.05).fit(X)
    ours = fitted(start, "--tol", "0.05")
    assert ours["n_iter"] == peer.n_iter_
    numpy.testing.assert_allclose(ours["centers"], peer.cluster_centers_, rtol=1e-9, atol=1e-9)


def test_the_start_of_our_own_is_as_good():
    X = iris()
    flags = ["--data", IRIS, "--ignore", "species", "--json", "--n_clusters", 3]
    ours = min(json.loads(gradus("train", "kmeans", *flags, "--seed", seed))["fitted"]["inertia"]
               for seed in range(5))
    peer = cluster.KMeans(3, n_init=5, random_state=0).fit(X)
    assert ours <= peer.inertia_ * 1.01


@pytest.fixture(scope="module")
def millimetres(tmp_path_factory):
    """Iris in whole millimetres: differences and first distances are exact in any arithmetic."""
    rows = [[round(10 * x) for x in row] for row in iris()]
    path = tmp_path_factory.mktemp("iris") / "iris_mm.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["a", "b", "c", "d"], *rows])
    return rows, path


# (clusters, first row, distance between the rows)
RAW_STARTS = [(3, 0, 50), (3, 4, 37), (4, 1, 30), (5, 2, 29), (6, 0, 23), (8, 3, 17)]


@pytest.mark.parametrize("clusters, first, step", RAW_STARTS)
def test_rows_as_start_and_ties_to_the_lowest_index(millimetres, clusters, first, step):
    rows, path = millimetres
    start = rows[first::step][:clusters]
    centers, sizes, tied = exact_lloyd(rows, start)
    ours = fitted(numpy.array(start), "--tol", 0, data=path)
    numpy.testing.assert_allclose(ours["centers"], numpy.array(centers, dtype=float), rtol=1e-9)
    assert ours["sizes"] == sizes and ours["n_iter"] == len(tied)
    peer = cluster.KMeans(clusters, init=numpy.array(start, dtype=float), n_init=1, tol=0).fit(rows)
    if not any(tied[1:]):
        numpy.testing.assert_allclose(ours["centers"], peer.cluster_centers_, rtol=1e-9)


def test_some_of_these_starts_do_tie(millimetres):
    rows, _ = millimetres
    ties = [exact_lloyd(rows, rows[first::step][:clusters])[2] for clusters, first, step in RAW_STARTS]
    assert sum(any(tied) for tied in ties) >= 2 and not all(any(tied) for tied in ties)
