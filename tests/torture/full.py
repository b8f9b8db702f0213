#!/usr/bin/env python3
"""Torture items at their full size, run by `./test --full`; the daily tests lower the limits.

    python3 tests/torture/full.py PATH/TO/gradus
"""

import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

COMMAND = str(Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else "gradus"
GIBI = 1 << 30


def memory_of_machine():
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gradus-full-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def gradus(self, *words):
        return subprocess.run([COMMAND, *words], cwd=self.folder, capture_output=True, text=True,
                              timeout=1800)


class Wide(InFolder):
    def test_a_million_columns_and_one_more(self):  # C20
        for columns, code in ((1_000_000, 0), (1_000_001, 71)):
            names = ",".join(f"x{j}" for j in range(columns))
            (self.folder / "d.csv").write_text(f"{names}\n{'1,' * (columns - 1)}2\n")
            done = self.gradus("convert", "d.csv", "o.csv", "--force", "--quiet")
            self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn("--max-columns", done.stderr)

    def test_a_hundred_thousand_columns_are_learned_and_matched_by_name(self):
        columns = 100_000
        names = [f"x{j}" for j in range(columns)]
        rows = "".join(f"{'1,2,' * (columns // 2)}{label}\n" for label in "abab")
        (self.folder / "d.csv").write_text(",".join(names) + ",y\n" + rows)
        done = self.gradus("train", "baseline", "--data", "d.csv", "--target", "y", "--model",
                           "m.gradus", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        (self.folder / "p.csv").write_text(",".join(reversed(names)) + "\n" +
                                           ",".join(["1"] * columns) + "\n")
        done = self.gradus("predict", "m.gradus", "--data", "p.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "prediction\na\n")


class Numbers(InFolder):
    def test_a_million_random_doubles_survive(self):  # C28
        draw = random.Random(7)
        numbers = []
        while len(numbers) < 1_000_000:
            number = struct.unpack("<d", draw.randbytes(8))[0]
            if number - number == 0:
                numbers.append(number)
        (self.folder / "d.csv").write_text("x\n" + "".join(f"{x:.17g}\n" for x in numbers))
        for step in (("d.csv", "d.jsonl"), ("d.jsonl", "e.csv")):
            done = self.gradus("convert", *step, "--quiet")
            self.assertEqual(done.returncode, 0, done.stderr)
        back = [float(line) for line in (self.folder / "e.csv").read_text().split()[1:]]
        self.assertEqual(struct.pack("<1000000d", *back), struct.pack("<1000000d", *numbers))


class Large(InFolder):
    def test_a_file_beyond_4_gibibytes_has_the_right_count(self):  # C40
        if memory_of_machine() < 12 * GIBI:
            self.skipTest("needs 12 GiB of memory")
        # Few rows of one long category: the offsets pass 2^32, the table stays small.
        cell = b"c" * 1_000_000
        with open(self.folder / "d.csv", "wb") as file:
            file.write(b"x,t\n")
            for row in range(4400):
                file.write(b"%d,%s\n" % (row, cell))
        self.assertGreater(os.path.getsize(self.folder / "d.csv"), 4 * GIBI)
        done = self.gradus("train", "baseline", "--data", "d.csv", "--target", "x", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        outcome = json.loads(done.stdout)
        self.assertEqual(outcome["rows"], 4400)
        self.assertEqual(outcome["fitted"]["prediction"]["x"], 4399 / 2)


if __name__ == "__main__":
    unittest.main(verbosity=1)
