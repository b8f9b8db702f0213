#!/usr/bin/env python3
"""Runs every block of the READMEs and of docs/guide, so that the documentation cannot drift. Pages run side
by side.

    ```sh               runs in bash with `gradus` on the PATH; must succeed
    ```text output      the output of the block before it, exactly
    ```python           runs in the Python environment of ./test
    ```cpp              a whole program: compiled against the library, and run

`run.py --update` writes the outputs anew instead of comparing them. The blocks of one page share a folder
with `data/` in it, and run in order. Other blocks (```text) are only shown."""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build" / "release"
BLOCK = re.compile(r"^```([a-z]+)([^\n]*)\n(.*?)^```$", re.M | re.S)


def link_flags():
    # The build tree's own libraries, then what gradus.pc says they need.
    needs = re.search(r"^Requires(?:\.private)?: (.*)$", (BUILD / "gradus.pc").read_text(), re.M).group(1)
    found = subprocess.run(["pkg-config", "--libs", *needs.split()], capture_output=True, text=True, check=True)
    library = next(BUILD.glob("src/libgradus.*"))
    return [str(library), *found.stdout.split(), "-lpthread", "-ldl"]


def run_block(kind, text, folder, environment):
    if kind == "sh":
        command = ["bash", "-euo", "pipefail", "-c", text]
    elif kind == "python":
        command = [str(ROOT / ".venv/bin/python"), "-c", text]
    else:
        source = folder / "block.cpp"
        source.write_text(text, encoding="utf-8")
        compile_line = ["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-O1", f"-I{ROOT / 'src'}",
                        f"-I{BUILD / 'src/generated'}", str(source), "-o", str(folder / "block"), *link_flags()]
        built = subprocess.run(compile_line, capture_output=True, text=True, check=False)
        if built.returncode != 0:
            return built
        command = [str(folder / "block")]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def check_page(page, update):
    environment = dict(os.environ, PATH=f"{BUILD}:{ROOT / '.venv/bin'}:{os.environ['PATH']}", NO_COLOR="1",
                       COLUMNS="100")
    failures, count, output = 0, 0, ""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copytree(ROOT / "data", folder / "data")
        text = updated = page.read_text(encoding="utf-8")
        for match in BLOCK.finditer(text):
            kind, options, body = match.group(1), match.group(2).strip(), match.group(3)
            line = text[: match.start()].count("\n") + 1
            place = f"{page.relative_to(ROOT)}:{line}"
            if kind in ("sh", "python", "cpp") and options != "shown":
                count += 1
                done = run_block(kind, body, folder, environment)
                output = done.stdout
                if done.returncode != 0:
                    failures += 1
                    print(f"{place}: this {kind} block fails:\n{done.stdout}{done.stderr}")
            elif kind == "text" and options == "output":
                count += 1
                if update:
                    updated = updated.replace(match.group(0), f"```text output\n{output}```", 1)
                elif body != output:
                    failures += 1
                    print(f"{place}: the block before prints something else:\n{output}")
        if update:
            page.write_text(updated, encoding="utf-8")
    return count, failures


def main():
    pages = [ROOT / "README.md", ROOT / "python/README.md", *sorted((ROOT / "docs/guide").glob("*.md"))]
    total = failed = 0
    update = "--update" in sys.argv[1:]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for count, failures in pool.map(lambda page: check_page(page, update), pages):
            total, failed = total + count, failed + failures
    print(f"docs: {total - failed} passed, {failed} failed")
    return 1 if failed or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
