"""k-means beside scikit-learn's Lloyd from the same start: centres, labels and inertia must agree.

Tolerance: 1e-9 on centres and inertia; labels exactly.
"""

import json

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


def fitted(start, *options):
    flags = ["--n_clusters", str(len(start)), "--init", "given", "--json", "--ignore", "species"]
    centers = ",".join(repr(float(x)) for x in start.ravel())
    out = gradus("train", "kmeans", "--data", IRIS, *flags, f"--centers={centers}", *options)
    return json.loads(out)["fitted"]


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
