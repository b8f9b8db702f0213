#!/usr/bin/env python3
"""The machine around the command: memory, failing system calls, locales, clocks, bugs.

    python3 tests/cli/machine.py PATH/TO/gradus PATH/TO/bug-library

Peak memory is what the kernel counted for the process, above that of a command that does nothing,
with bounds that leave room for other machines. Without the library (under a sanitizer, which must
come first and needs memory of its own) those tests do not run. Files are sparse or small, limits are lowered by
their options. System calls fail by strace's injection.
"""

import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

LIBRARY = sys.argv.pop(2) if len(sys.argv) > 2 else ""
COMMAND = str(Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else "gradus"
ROOT = Path(__file__).resolve().parent.parent.parent
MEBI = 1 << 20


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gradus-machine-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, content):
        data = content if isinstance(content, bytes) else content.encode()
        (self.folder / name).write_bytes(data)
        return str(self.folder / name)

    def gradus(self, *words, **options):
        return subprocess.run([COMMAND, *words], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, **options)

    def model(self):
        data = self.write("d.csv", "x,y\n" + "".join(f"{i},{i * 2}\n" for i in range(50)))
        done = self.gradus("train", "baseline", "--data", data, "--target", "y",
                           "--model", "m.gradus", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        return data


@unittest.skipIf(not LIBRARY, "a sanitizer needs memory of its own")
class Memory(InFolder):
    def peak(self, *words):
        """Exit code, messages and peak memory in MiB. Started by `time`: the kernel counts what a
        process held before it became another program, and this one holds much."""
        done = subprocess.run(["time", "-q", "-f", "%M", "-o", "peak", COMMAND, *words],
                              cwd=self.folder, capture_output=True, text=True, timeout=120)
        return done.returncode, done.stderr, int((self.folder / "peak").read_text()) / 1024

    def above_idle(self, *words):
        code, errors, peak = self.peak(*words)
        return code, errors, peak - self.peak("list")[2]

    def test_a_quote_that_never_closes_costs_no_more_than_the_file(self):  # C13
        size = 24 * MEBI
        path = self.write("d.csv", b'x,c\n1,"' + b"some text\n" * (size // 10))
        code, errors, peak = self.above_idle("check", path)
        self.assertEqual(code, 65, errors)
        self.assertIn("d.csv:2:3: error[bad_data]: the quote opened here is never closed", errors)
        self.assertLess(peak, 24 * 2 + 40)

    def test_a_line_of_a_gibibyte_is_given_up_at_the_limit(self):  # C21
        path = self.write("d.csv", "")
        os.truncate(path, 1 << 30)
        code, errors, peak = self.peak("check", path)
        self.assertEqual(code, 71, errors)
        self.assertIn("--max-line-bytes", errors)
        self.assertLess(peak, 200)

    def test_a_bomb_stops_at_the_limit(self):  # C36
        path = self.write("d.csv.gz", gzip.compress(b"x,y\n" + b"1,2\n" * (32 * MEBI), 6))
        code, errors, peak = self.above_idle("check", path, "--max-bytes", "8M")
        self.assertEqual(code, 71, errors)
        self.assertIn("--max-bytes", errors)
        self.assertLess(peak, 60)

    def test_a_large_sparse_index_costs_nothing(self):  # L01
        path = self.write("d.svm", "1 1:1 2147483647:1\n0 5:1\n")
        code, errors, peak = self.above_idle("check", path, "--max-index", "4000000000")
        self.assertEqual(code, 0, errors)
        self.assertLess(peak, 20)

    def test_endless_brackets_and_blanks_end_at_the_line_limit(self):  # J01, J08
        for name, byte, expected in (("a", b"[", 65), ("b", b" ", 71)):
            path = self.write(f"{name}.jsonl", byte * (4 * MEBI))
            code, errors, peak = self.above_idle("check", path, "--max-line-bytes", "3M")
            self.assertIn(code, (expected, 71), errors)
            self.assertLess(peak, 40)

    def test_trees_of_a_column_of_many_categories_stay_small_or_are_refused(self):
        rows = "".join(f"u{i},{'ab'[(i * i // 7) % 2]}\n" for i in range(20_000))
        words = ["train", "extra_trees", "--data", self.write("d.csv", "id,y\n" + rows), "--target", "y",
                 "--nominal", "id", "--n_estimators", "4", "--model", "m.gradus", "--quiet"]
        code, errors, peak = self.above_idle(*words)
        self.assertEqual(code, 0, errors)
        self.assertLess(peak, 90)  # a bit for each category in each node would be 200
        code, errors, _ = self.peak(*words, "--memory", "3M", "--force")
        self.assertEqual(code, 71, errors)
        self.assertIn("--memory: error[limit]: a forest of 4 such trees needs about", errors)

    def test_members_of_an_ensemble_share_the_limit(self):
        rows = "".join(",".join(str((i * j) % 97) for j in range(1, 31)) + f",{'ab'[i % 2]}\n"
                       for i in range(4000))
        data = self.write("d.csv", ",".join(f"x{j}" for j in range(1, 31)) + ",y\n" + rows)
        words = ["train", "bagging", "--data", data, "--target", "y", "--n_estimators", "3",
                 "--threads", "1", "--model", "m.gradus", "--quiet", "--memory"]
        code, errors, _ = self.peak(*words, "1M")
        self.assertEqual(code, 71, errors)
        self.assertIn("member 1 (decision_tree)", errors)
        code, errors, _ = self.peak(*words, "8M")
        self.assertEqual(code, 0, errors)

    def test_a_file_that_is_no_model_is_not_read(self):  # M13
        path = self.write("m.gradus", "")
        os.truncate(path, 60 << 30)
        code, errors, peak = self.above_idle("describe", path)
        self.assertEqual(code, 65, errors)
        self.assertLess(peak, 10)


def strace_works():
    probe = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=write:error=EIO:when=9", "true"]
    return shutil.which("strace") is not None and subprocess.run(
        probe, capture_output=True).returncode == 0


# The leak check of a sanitizer traces the process itself, which strace already does.
TRACED = {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}


@unittest.skipUnless(strace_works(), "strace cannot trace here")
class FailingCalls(InFolder):
    def traced(self, injection, path, *words):
        return subprocess.Popen(
            ["strace", "-f", "-qq", "-o", "/dev/null", "-P", path, "-e", f"inject={injection}",
             COMMAND, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env=TRACED)

    def expect(self, process, code, words):
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code, errors)
        self.assertIn(words, errors)

    def test_a_table_that_becomes_shorter_while_it_is_read(self):  # C39
        path = self.write("d.csv", "x,y\n1,2\n2,4\n")
        self.expect(self.traced("pread64:retval=0", path, "check", path), 74,
                    "the file became shorter while it was being read")

    def test_a_table_that_is_changed_while_it_is_read(self):  # C39
        path = self.write("d.csv", "x,y\n1,2\n2,4\n")
        process = self.traced("pread64:delay_exit=1500000", path, "check", path)
        time.sleep(0.7)
        with open(path, "a") as file:
            file.write("3,5\n")
        self.expect(process, 74, "the file changed while it was being read")

    def test_a_table_that_cannot_be_read_half_way(self):
        path = self.write("d.csv", "x,y\n1,2\n2,4\n")
        self.expect(self.traced("pread64:error=EIO", path, "check", path), 74,
                    "cannot read: Input/output error")

    def test_a_model_that_is_cut_or_cannot_be_read(self):  # M18
        self.model()
        path = str(self.folder / "m.gradus")
        self.expect(self.traced("read:retval=0", path, "describe", path), 65, "m.gradus")
        self.expect(self.traced("read:error=EIO", path, "describe", path), 74,
                    "Input/output error")

    def test_predictions_that_cannot_be_made_durable_leave_no_file(self):  # S11
        data = self.model()
        output = str(self.folder / "o.csv")
        for injection in ("fsync:error=EIO", "write:error=ENOSPC", "write:error=EDQUOT"):
            process = subprocess.Popen(
                ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"inject={injection}:when=1",
                 COMMAND, "predict", "m.gradus", "--data", data, "--output", output],
                cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                env=TRACED)
            self.expect(process, 74, "o.csv: error[io]")
            self.assertEqual(sorted(os.listdir(self.folder)), ["d.csv", "m.gradus"])

    def test_temporary_files_are_new_and_cannot_be_guessed(self):  # P22
        data = self.model()
        names = set()
        private = self.write("o.csv", "old")
        os.chmod(private, 0o600)
        for _ in range(2):
            subprocess.run(["strace", "-f", "-qq", "-o", "log", "-e", "trace=openat", COMMAND,
                            "predict", "m.gradus", "--data", data, "--output", "o.csv", "--force"],
                           cwd=self.folder, check=True, env=TRACED)
            calls = [line for line in (self.folder / "log").read_text().splitlines()
                     if "O_CREAT" in line]
            self.assertTrue(calls)
            for line in calls:
                self.assertIn("O_EXCL", line)
                self.assertIn("O_NOFOLLOW", line)
                self.assertIn("0600", line)
                names.add(re.search(r'"([^"]*)"', line).group(1).split(".")[-1])
        self.assertEqual(len(names), 2)
        self.assertEqual(os.stat(private).st_mode & 0o777, 0o600)


class Locales(InFolder):
    def test_no_locale_changes_a_byte(self):  # C30, S18
        if shutil.which("localedef") is None or not Path("/usr/share/i18n/locales").is_dir():
            self.skipTest("there are no locale definitions to build from")
        text = "x,c,y\n" + "".join(f"{i / 7!r},{'Iı'[i % 2]},{i * 1.5}\n" for i in range(40))
        self.write("d.csv", text)
        results = set()
        for name in ("C", "de_DE.UTF-8", "tr_TR.UTF-8", "ar_EG.UTF-8"):
            folder = self.folder / "locales"
            folder.mkdir(exist_ok=True)
            if name != "C":
                subprocess.run(["localedef", "-i", name.split(".")[0], "-f", "UTF-8",
                                str(folder / name)], capture_output=True)
                self.assertTrue((folder / name).is_dir(), name)
            changed = {**os.environ, "LC_ALL": name, "LANG": name, "LOCPATH": str(folder)}
            done = self.gradus("train", "linear_regression", "--data", "d.csv", "--target", "y",
                               "--force", "--model", "m.gradus", env=changed)
            self.assertEqual(done.returncode, 0, done.stderr)
            summary = re.sub(r"\n\s*time .*", "", done.stdout)
            answers = self.gradus("predict", "m.gradus", "--data", "d.csv", env=changed)
            page = self.gradus("explain", "linear_regression", "--data", "d.csv", "--target", "y",
                               "--format", "html", env=changed)
            results.add(((self.folder / "m.gradus").read_bytes(), summary, answers.stdout,
                         page.stdout))
        self.assertEqual(len(results), 1)


class Clocks(unittest.TestCase):
    def test_no_source_reads_the_wall_clock(self):  # P20
        calls = re.compile(r"\b(system_clock|gettimeofday|localtime|gmtime|strftime)\b|\btime\((nullptr|NULL|0)\)")
        for path in [*ROOT.glob("src/**/*.[ch]pp"), *ROOT.glob("cli/*.[ch]pp")]:
            self.assertIsNone(calls.search(path.read_text()), path)


class Bugs(InFolder):
    def test_a_bug_of_ours_ends_with_its_code_and_a_report_id(self):  # exit 70
        if not LIBRARY:
            self.skipTest("the library that injects a bug is not built")
        path = self.write("d.csv.bug", "x,y\n1,2\n")
        lines = set()
        for _ in range(2):
            done = self.gradus("check", path, "--format", "csv",
                               env={**os.environ, "LD_PRELOAD": LIBRARY})
            self.assertEqual(done.returncode, 70, done.stderr)
            self.assertRegex(done.stderr, r"^error\[internal\]: an injected bug; .*"
                                          r"\(report id [0-9a-f]{12}\)\n$")
            lines.add(done.stderr)
        self.assertEqual(len(lines), 1)  # one bug, one number


if __name__ == "__main__":
    unittest.main(verbosity=1)
