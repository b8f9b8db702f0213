"""Two builds by turns: what counts as a change, and what a wrong argument gets."""

import pathlib
import subprocess
import sys

import pytest
from harness.compare import changed, verdict
from harness.intervals import Ratio

BENCH = pathlib.Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(
    ("ratio", "said"),
    [
        (Ratio(1.2, 1.1, 1.3, 0.95), "faster"),
        (Ratio(0.8, 0.7, 0.9, 0.95), "slower"),
        (Ratio(1.2, 0.9, 1.3, 0.95), ""),
        (Ratio(1.01, 1.005, 1.02, 0.95), ""),
        (Ratio(0.99, 0.98, 0.995, 0.95), ""),
    ],
)
def test_a_change_is_decided_and_large_enough(ratio, said):
    assert changed(ratio, 0.03) == said


def test_only_a_change_that_both_runs_see_counts():
    assert verdict("slower", "slower") == "slower"
    assert verdict("slower", "") == "same (not confirmed)"
    assert verdict("faster", "slower") == "same (not confirmed)"
    assert verdict("", "slower") == "same"


def run(*given):
    return subprocess.run(
        [sys.executable, str(BENCH / "compare"), *given], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("given", [("/no/such", "/no/such"), ("one",), ("a", "b", "--repeat", "0")])
def test_a_wrong_command_line_is_one_sentence_and_exit_code_2(given):
    done = run(*given)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr


def test_a_build_against_itself_shows_no_regression_of_the_harness():
    build = BENCH.parent / "build" / "release"
    done = run(str(build), str(build / "gradus"), "--quick", "--repeat", "1", "--threshold", "1000")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("same") == 8
