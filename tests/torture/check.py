#!/usr/bin/env python3
"""Every torture item is tested by tests that exist, or is listed as open with its reason.

    check.py                     the check, run by ctest
    check.py --list              the items as a table, open ones last

The ledgers are the `*.toml` files beside this script: one line per item,

    C01 = { what = "a file of 0 bytes", by = ["CsvReader.an_empty_file_is_an_error"] }
    C40 = { what = "a file beyond 4 GiB", open = "needs a machine of 32 GiB" }

An item may have both: `by` for what is tested, `open` for what is not. A test is named as its suite
names it: `Suite.test` of GoogleTest, `case: title` of a command-line case, `python: file::test` or
`file::Class.test` of a Python file below the root (also scripts that are not pytest's).
"""

import re
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# How many items each family has: none can be forgotten.
FAMILIES = {"R": 8, "C": 46, "L": 24, "A": 8, "J": 11, "P": 22, "M": 25, "S": 18, "Y": 17}


def gtest_names():
    pattern = re.compile(r"^TEST(?:_P|_F)?\(\s*(\w+),\s*(\w+)\)", re.M)
    files = [*ROOT.glob("src/**/*_test.cpp"), *ROOT.glob("tests/**/*_test.cpp")]
    return {f"{suite}.{name}" for path in files for suite, name in pattern.findall(path.read_text())}


def case_titles():
    titles = set()
    for path in ROOT.glob("tests/cli/cases/*.case"):
        for line in path.read_text().splitlines():
            if line.startswith("case "):
                titles.add(line.removeprefix("case "))
    return titles


def python_test_exists(reference):
    name, _, test = reference.partition("::")
    path = ROOT / name
    if not path.is_file():
        return False
    text = path.read_text()
    parts = test.replace("::", ".").split(".")
    classes = all(re.search(rf"^class {part}\b", text, re.M) for part in parts[:-1])
    return classes and re.search(rf"^\s*def {parts[-1]}\(", text, re.M) is not None


def ledger():
    items, problems = {}, []
    for path in sorted(HERE.glob("*.toml")):
        for section in tomllib.loads(path.read_text()).values():
            for name, item in section.items():
                if name in items:
                    problems.append(f"{name} stands in two ledgers")
                items[name] = item
    return items, problems


def check(items, problems):
    tests, titles = gtest_names(), case_titles()
    expected = {f"{family}{number:02}" for family, count in FAMILIES.items()
                for number in range(1, count + 1)}
    problems += [f"{name} is in no ledger" for name in sorted(expected - set(items))]
    problems += [f"{name} is no item" for name in sorted(set(items) - expected)]
    for name, item in sorted(items.items()):
        if not item.get("what"):
            problems.append(f"{name} does not say what it is")
        if not item.get("by") and not item.get("open"):
            problems.append(f"{name} is neither tested nor open")
        if set(item) - {"what", "by", "open"}:
            problems.append(f"{name} has unknown keys: {sorted(set(item) - {'what', 'by', 'open'})}")
        for reference in item.get("by", []):
            kind, _, rest = reference.partition(": ")
            found = (rest in titles if kind == "case" else
                     python_test_exists(rest) if kind == "python" else reference in tests)
            if not found:
                problems.append(f"{name}: there is no test {reference!r}")
    return problems


def main():
    items, problems = ledger()
    problems = check(items, problems)
    if "--list" in sys.argv[1:]:
        for name, item in sorted(items.items(), key=lambda one: ("open" in one[1], one[0])):
            print(f"{name}  {item['what']}: {item.get('open') or ', '.join(item['by'])}")
    for problem in problems:
        print(problem, file=sys.stderr)
    tested = sum("by" in item for item in items.values())
    part = sum("by" in item and "open" in item for item in items.values())
    print(f"{len(items)} items: {tested} tested ({part} of them in part), {len(items) - tested} open")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
