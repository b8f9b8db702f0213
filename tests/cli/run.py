#!/usr/bin/env python3
"""Runs the command-line cases: python3 tests/cli/run.py PATH/TO/gradus [words of titles...]

A `.case` file holds cases; each runs in an empty folder of its own.

    case a title that is a sentence
    file weather.csv            the lines that follow, after "| ", are its content
    | outlook,play
    | sunny,no
    text greeting abc\\n         a small file in one line, with \\n, \\t and \\xHH
    run gradus list             a line for bash; what follows is expected of it
    exit 0                      (0 when not said)
    stdout: words               standard output contains this; `stdout! words`: it does not
    stderr: words               the same for standard error, in one line of it
    stdout empty                also `stderr empty`
    lines 3                     number of lines on standard output
    json rows == 14             a member of the JSON on standard output, by dotted path
    json has rows features      members that must be there
    exists m.gradus             also `absent m.gradus`
    folder a.csv m.gradus       exactly these files are left
    same a.csv b.csv            equal bytes
    needs locale de_DE.UTF-8    the case is reported as not run where this is missing
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TIME_LIMIT = 120


class Failure(Exception):
    """An expectation that does not hold."""


def unescaped(text):
    """The bytes of a text with \\n, \\t and \\xHH."""
    codes = {"n": b"\n", "t": b"\t", "r": b"\r", "\\": b"\\"}
    out, at = b"", 0
    for match in re.finditer(r"\\(x[0-9a-fA-F]{2}|[ntr\\])", text):
        out += text[at : match.start()].encode()
        code = match.group(1)
        out += bytes([int(code[1:], 16)]) if code[0] == "x" else codes[code]
        at = match.end()
    return out + text[at:].encode()


def parse(path):
    """The cases of a file as (title, [(keyword, rest, line number)])."""
    cases = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        keyword, _, rest = line.partition(" ")
        if keyword == "case":
            cases.append((rest, []))
        elif not cases:
            raise SystemExit(f"{path}:{number}: expected `case TITLE` first")
        else:
            cases[-1][1].append((keyword, rest, f"{path.name}:{number}"))
    return cases


def member(value, path):
    """The member of a JSON value at a dotted path; list positions are numbers."""
    for key in path.split("."):
        try:
            value = value[int(key)] if isinstance(value, list) else value[key]
        except (KeyError, IndexError, TypeError):
            raise Failure(f"the JSON has no member {path!r}") from None
    return value


class Case:
    """One case while it runs."""

    def __init__(self, folder, environment):
        self.folder = folder
        self.environment = environment
        self.open_file = None
        self.stdout = self.stderr = ""
        self.code = None
        self.code_checked = True

    def step(self, keyword, rest):
        if keyword == "|":
            with open(self.open_file, "ab") as file:
                file.write(rest.encode() + b"\n")
            return
        name = keyword.rstrip(":!")
        if name in ("stdout", "stderr"):
            self.check_stream(name, keyword[len(name) :], rest)
            return
        handler = getattr(self, "do_" + name, None)
        if handler is None:
            raise Failure(f"unknown keyword {keyword!r}")
        handler(rest)

    def do_file(self, name):
        self.open_file = self.folder / name
        self.open_file.write_bytes(b"")

    def do_text(self, rest):
        name, _, content = rest.partition(" ")
        (self.folder / name).write_bytes(unescaped(content))

    def do_run(self, command):
        self.finish()
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIME_LIMIT,
        )
        self.stdout = done.stdout.decode(errors="backslashreplace")
        self.stderr = done.stderr.decode(errors="backslashreplace")
        self.code = done.returncode
        self.code_checked = False

    def do_exit(self, code):
        self.code_checked = True
        if self.code != int(code):
            raise Failure(f"exit {self.code}, expected {code}")

    def finish(self):
        """A run without `exit` has to succeed."""
        if not self.code_checked:
            self.do_exit("0")

    def check_stream(self, name, sign, text):
        content = getattr(self, name)
        if not sign and text == "empty":
            if content:
                raise Failure(f"{name} is not empty")
        elif sign == ":" and text not in content:
            raise Failure(f"{name} lacks {text!r}")
        elif sign == "!" and text in content:
            raise Failure(f"{name} has {text!r}")

    def do_lines(self, count):
        found = len(self.stdout.splitlines())
        if found != int(count):
            raise Failure(f"{found} lines on stdout, expected {count}")

    def do_json(self, rest):
        try:
            value = json.loads(self.stdout)
        except ValueError as error:
            raise Failure(f"stdout is not JSON: {error}") from None
        if rest.startswith("has "):
            for path in rest.split()[1:]:
                member(value, path)
            return
        path, _, wanted = rest.partition(" == ")
        found = member(value, path)
        if found != json.loads(wanted):
            raise Failure(f"{path} is {json.dumps(found)}, expected {wanted}")

    def do_exists(self, name):
        if not (self.folder / name).exists():
            raise Failure(f"{name} does not exist")

    def do_absent(self, name):
        if (self.folder / name).exists():
            raise Failure(f"{name} exists")

    def do_folder(self, names):
        found = sorted(path.name for path in self.folder.iterdir())
        if found != sorted(names.split()):
            raise Failure(f"the folder holds {found}")

    def do_same(self, names):
        first, second = ((self.folder / name).read_bytes() for name in names.split())
        if first != second:
            raise Failure(f"{names} differ")


def missing_need(steps):
    """What a case needs and this machine lacks, or None."""
    for keyword, rest, _ in steps:
        if keyword != "needs":
            continue
        kind, _, name = rest.partition(" ")
        if kind == "locale":
            known = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout
            flat = {line.lower().replace("-", "") for line in known.split()}
            if name.lower().replace("-", "") not in flat:
                return rest
        elif kind == "tool" and shutil.which(name) is None:
            return rest
    return None


def run_case(steps, environment):
    with tempfile.TemporaryDirectory(prefix="gradus-case-") as folder:
        case = Case(Path(folder), environment)
        place = ""
        try:
            for keyword, rest, place in steps:
                if keyword != "needs":
                    case.step(keyword, rest)
            case.finish()
        except Failure as failure:
            shown = f"  stdout: {case.stdout[-1500:]}\n  stderr: {case.stderr[-1500:]}"
            return f"{place}: {failure}\n  exit: {case.code}\n{shown}"
        except subprocess.TimeoutExpired:
            return f"{place}: no end after {TIME_LIMIT} s"
    return None


def main():
    command, words = Path(sys.argv[1]).resolve(), sys.argv[2:]
    environment = {
        "PATH": f"{command.parent}:{os.environ['PATH']}",
        "HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
        "CASES": str(Path(__file__).parent / "cases"),
        # How a sanitizer ends the command: by a code that no case expects.
        **{name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")},
    }
    count = failures = 0
    left_out = []
    for path in sorted((Path(__file__).parent / "cases").glob("*.case")):
        for title, steps in parse(path):
            if not all(word in title or word in path.name for word in words):
                continue
            need = missing_need(steps)
            if need:
                left_out.append(f"{title} (needs {need})")
                continue
            count += 1
            problem = run_case(steps, environment)
            if problem:
                failures += 1
                print(f"FAILED {title}\n  {problem}\n")
    for title in left_out:
        print(f"NOT RUN {title}")
    print(f"{count - failures} of {count} cases pass, {len(left_out)} not run")
    sys.exit(1 if failures or count == 0 else 0)


if __name__ == "__main__":
    main()
