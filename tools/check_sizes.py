#!/usr/bin/env python3
"""Small files, enforced: 600 lines a file and 60 lines a function at most; 250 lines is the aim.
Prints what is too large and exits 1 if there is any; files above the aim are only counted."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HARD_FILE, SOFT_FILE, HARD_FUNCTION = 600, 250, 60
SUFFIXES = {".cpp", ".hpp", ".py"}
# Written by tools/generate.py from the catalogue, as long as the catalogue is.
GENERATED = re.compile(r"^(python/gradus/_generated\.pyi?|docs/reference/)")
# The opening line of a C++ function after clang-format: at column 0 (or two in a class), ends in {.
FUNCTION = re.compile(r"^(?:  )?[A-Za-z_:].*\)\s*(?:const|noexcept|override|final|->.*)?\s*\{$")
NOT_FUNCTION = re.compile(r"^\s*(?:if|for|while|switch|namespace|class|struct|enum|union|else)\b")


def tracked():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines() if pathlib.Path(name).suffix in SUFFIXES]


def long_functions(lines):
    start = indent = None
    for number, line in enumerate(lines, 1):
        if start is None and FUNCTION.match(line) and not NOT_FUNCTION.match(line):
            start, indent = number, len(line) - len(line.lstrip())
        elif start is not None and line.rstrip() in (" " * indent + "}", " " * indent + "};"):
            if number - start + 1 > HARD_FUNCTION:
                yield start, number - start + 1
            start = None


def main():
    problems, soft = [], 0
    for path in tracked():
        name = path.relative_to(ROOT).as_posix()
        if not path.exists() or GENERATED.match(name):
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        soft += len(lines) > SOFT_FILE
        if len(lines) > HARD_FILE:
            problems.append(f"{name}: {len(lines)} lines, {HARD_FILE} allowed")
        if path.suffix != ".py":
            for start, length in long_functions(lines):
                problems.append(f"{name}:{start}: a function of {length} lines, {HARD_FUNCTION} allowed")
    print("\n".join(problems) if problems else f"sizes: in order ({soft} files above {SOFT_FILE} lines)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
