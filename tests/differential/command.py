"""The command under test, for all comparisons: build/release/gradus, or what GRADUS names."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "data"
GRADUS = os.environ.get("GRADUS", str(ROOT / "build" / "release" / "gradus"))


def gradus(*arguments):
    """What the command prints; an exit code other than 0 is an error."""
    done = subprocess.run([GRADUS, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
