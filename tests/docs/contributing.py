#!/usr/bin/env python3
"""Follows CONTRIBUTING.md to the letter: writes the learner of its guide into a copy of the tree,
builds it, and runs the conformance suite on it. Nothing but the guide's folder and its one line may be
needed, or this test fails."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILE = re.compile(r"^```[a-z]+ file=(\S+)\n(.*?)^```$", re.M | re.S)
LINE = re.compile(r"^```[a-z]+ line=(\S+)\n(.*?)^```$", re.M | re.S)
LEARNER = "nearest_mean"


def copy_tree(destination):
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        if (ROOT / name).exists():
            (destination / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, destination / name)


def follow_the_guide(tree):
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for name, body in FILE.findall(guide):
        assert LEARNER in name, f"{name} is outside the learner's folder"
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(body, encoding="utf-8")
    (name, line), = LINE.findall(guide)
    text = (tree / name).read_text(encoding="utf-8")
    end = text.index("  };\n", text.index("> all = {"))
    (tree / name).write_text(text[:end] + line + text[end:], encoding="utf-8")


def run(tree, *command):
    environment = dict(os.environ, CCACHE_BASEDIR=str(tree), CCACHE_NOHASHDIR="1")
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{' '.join(map(str, command))} failed:\n{done.stdout[-6000:]}{done.stderr[-4000:]}")
        sys.exit(1)
    return done.stdout


def main():
    with tempfile.TemporaryDirectory() as name:
        tree = pathlib.Path(name) / "gradus"
        copy_tree(tree)
        follow_the_guide(tree)
        run(tree, "cmake", "--preset", "ci", "-DCMAKE_BUILD_TYPE=Release")
        run(tree, "cmake", "--build", "--preset", "ci", "--parallel", "2", "--target", "gradus_tests", "gradus_command")
        tests = run(tree, "build/release/tests/gradus_tests", f"--gtest_filter=*{LEARNER}*:*Damage*:Container*")
        count = int(re.search(r"\[  PASSED  \] (\d+) tests?", tests).group(1))
        assert count > 30, f"only {count} tests ran on the new learner"
        assert LEARNER in run(tree, "build/release/gradus", "list")
        run(tree, "build/release/gradus", "train", LEARNER, "--data", "data/iris.csv", "--target", "species",
            "--p", "1", "--model", "m.gradus")
        assert "p must be at least 1" in subprocess.run(
            ["build/release/gradus", "train", LEARNER, "--data", "data/iris.csv", "--target", "species", "--p", "0"],
            cwd=tree, capture_output=True, text=True, check=False).stderr
        print(f"contributing: the guide's learner works; {count} tests passed on it")


if __name__ == "__main__":
    main()
