"""Y08: callbacks that are told how far a fit is, and that may stop it."""

import gc
import pickle
import threading
import weakref

import numpy as np
import pytest
from conftest import long_fit_params, make_data, of_task

import gradus


class Enough(Exception):
    """What a callback of these tests raises."""


def raising(when):
    """A callback that raises, and the exception that it raises."""
    error = Enough("enough")

    def callback(progress):
        if when(progress):
            raise error

    return callback, error


def test_a_callback_is_told_begin_and_end_and_changes_nothing(cls):
    X, y = make_data(cls)
    told = []
    model = cls().set_callbacks(told.append)
    assert model.fit(X, y).fingerprint_ == cls().fit(X, y).fingerprint_
    assert told[0] == ("fit", 0, 1) and told[-1] == ("fit", 1, 1)
    assert all(isinstance(progress, gradus.Progress) for progress in told)
    before = len(told)
    model.set_callbacks().fit(X, y)
    assert len(told) == before


def in_main(work):
    return work()


def in_thread(work):
    out = []
    thread = threading.Thread(target=lambda: out.append(work()))
    thread.start()
    thread.join()
    return out[0]


@pytest.mark.parametrize("where", [in_main, in_thread])
@pytest.mark.parametrize("when", [lambda p: p.done == 0, lambda p: p == ("fit", 1, 1)], ids=["begin", "end"])
def test_a_callback_that_raises_stops_the_fit_with_its_exception(cls, where, when):
    X, y = make_data(cls)
    callback, error = raising(when)
    model = cls().set_callbacks(callback)

    def attempt():
        try:
            model.fit(X, y)
        except Enough as caught:
            return caught

    assert where(attempt) is error
    assert not hasattr(model, "n_features_in_")
    assert model.set_callbacks().fit(X, y).fingerprint_ == cls().fit(X, y).fingerprint_


@pytest.mark.parametrize("cls", [cls for cls in of_task("clustering") if long_fit_params(cls)])
def test_a_callback_stops_a_long_fit_in_the_middle(cls):
    X = np.random.default_rng(0).uniform(size=(20_000, 10))
    told = []

    def third_pass(progress):
        told.append(progress)
        if progress.stage != "fit" and progress.done >= 3 and progress.total > 100:
            raise Enough

    with pytest.raises(Enough):
        cls(**long_fit_params(cls)).set_callbacks(third_pass).fit(X)
    assert told[-1].done == 3 and ("fit", 1, 1) not in told


def test_a_fit_inside_of_a_callback_works(cls):
    X, y = make_data(cls)
    prints = []
    model = cls().set_callbacks(lambda progress: prints.append(cls().fit(X, y).fingerprint_))
    assert model.fit(X, y).fingerprint_ == prints[0] and len(set(prints)) == 1


def test_nothing_is_kept_alive_by_a_fit_that_was_stopped(cls):
    X, y = make_data(cls)

    class Watcher:
        def __call__(self, progress):
            raise Enough

    watcher = Watcher()
    gone = weakref.ref(watcher)
    model = cls().set_callbacks(watcher)
    with pytest.raises(Enough):
        model.fit(X, y)
    del watcher, model
    gc.collect()
    assert gone() is None


def test_copies_have_no_callbacks(cls):
    X, y = make_data(cls)
    told = []
    model = cls().set_callbacks(lambda progress: told.append(progress)).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    told.clear()
    copy.fit(X, y)
    assert told == []


def test_a_callback_that_is_no_function_is_named(cls):
    with pytest.raises(TypeError, match="must be a function.*got 3 of type int"):
        cls().set_callbacks(3)
