#!/usr/bin/env python3
"""What a case file cannot say: signals, every bound of every parameter, the report's script digest,
two trainings at once. python3 tests/cli/behaviour.py PATH/TO/gradus"""

import base64
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

COMMAND = str(Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else "gradus"

# What no number option may take for a number, as a user could mistype it.
NO_NUMBERS = ["", "abc", "nan", "inf", "-inf", " 5", "5 ", "0x5", "1_000", "1e", "--", "1,5"]
NO_INTEGERS = NO_NUMBERS + ["1.5", "1e3", "99999999999999999999"]


def gradus(*words, **options):
    return subprocess.run([COMMAND, *words], capture_output=True, text=True, timeout=120, **options)


def learners():
    return [entry["name"] for entry in json.loads(gradus("list", "--json").stdout)]


def described(learner):
    return json.loads(gradus("describe", learner, "--json").stdout)["parameters"]


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gradus-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return str(self.folder / name)


class Parameters(unittest.TestCase):
    """P03 to P05 for every parameter of every learner, before any data are read."""

    def refused(self, learner, parameter, value):
        done = gradus("train", learner, "--data", "absent.csv", f"--{parameter}={value}")
        with self.subTest(learner=learner, parameter=parameter, value=value):
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"--{parameter}", done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1)

    def accepted(self, learner, parameter, value):
        done = gradus("train", learner, "--data", "absent.csv", f"--{parameter}={value}")
        with self.subTest(learner=learner, parameter=parameter, value=value):
            self.assertEqual(done.returncode, 66, done.stderr)  # the data are missing, no more

    def test_what_is_no_number_is_refused_by_every_numeric_parameter(self):
        for learner in learners():
            for info in described(learner):
                wrong = {"integer": NO_INTEGERS, "number": NO_NUMBERS}.get(info["type"], [])
                for value in wrong:
                    self.refused(learner, info["name"], value)

    def test_bounds_hold_exactly(self):
        for learner in learners():
            for info in described(learner):
                if info["type"] not in ("integer", "number"):
                    continue
                step = 1 if info["type"] == "integer" else 1e-9
                for side, sign in (("low", -1), ("high", 1)):
                    if side not in info:
                        continue
                    bound = info[side]["value"]
                    shown = int(bound) if info["type"] == "integer" else repr(bound)
                    inside = self.accepted if info[side]["inclusive"] else self.refused
                    inside(learner, info["name"], shown)
                    beyond = bound + sign * step * max(1, abs(bound))
                    shown = int(beyond) if info["type"] == "integer" else repr(beyond)
                    self.refused(learner, info["name"], shown)

    def test_choices_are_exact(self):
        for learner in learners():
            for info in described(learner):
                elsewhere = info.get("choice_aliases", {})
                for choice in [*info.get("choices", []), *elsewhere]:
                    self.accepted(learner, info["name"], choice)
                    self.refused(learner, info["name"], choice.upper())
                    if choice[:-1] not in elsewhere:  # saga without its last letter is sag
                        self.refused(learner, info["name"], choice[:-1])

    def test_seeds_take_the_whole_range_of_64_bits_and_no_text(self):
        for learner in learners():
            for info in described(learner):
                if info["type"] != "seed":
                    continue
                for value in ("-1", "0", str(2**64 - 1)):
                    self.accepted(learner, "seed", value)
                for value in (str(2**64), "abc", "1.5", ""):
                    done = gradus("train", learner, "--data", "absent.csv", f"--seed={value}")
                    self.assertEqual(done.returncode, 2, value)

    def test_hyphens_aliases_and_lonely_booleans_are_understood(self):
        for learner in learners():
            for info in described(learner):
                spelled = [info["name"].replace("_", "-"), *info.get("aliases", [])]
                value = "none" if info["optional"] else info["default"]
                if isinstance(value, (dict, list)) or value is None or value == "":
                    continue
                for name in spelled:
                    done = gradus("train", learner, "--data", "absent.csv",
                                  f"--{name}={json.dumps(value).strip(chr(34))}")
                    with self.subTest(learner=learner, name=name):
                        self.assertEqual(done.returncode, 66, done.stderr)
                if info["type"] == "boolean":
                    done = gradus("train", learner, f"--{info['name']}", "--data", "absent.csv")
                    self.assertEqual(done.returncode, 66, done.stderr)


class Signals(InFolder):
    """P19: Ctrl-C once and twice. The command waits for data on its standard input."""

    def start(self, *words):
        return subprocess.Popen([COMMAND, *words], cwd=self.folder, stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def waiting_training(self):
        process = self.start("train", "baseline", "--data", "-", "--target", "y",
                             "--model", "m.gradus")
        process.stdin.write(b"x,y\n1,2\n")
        process.stdin.flush()
        time.sleep(0.3)
        return process

    def check_nothing_left(self):
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_two_interrupts_end_at_once_and_leave_nothing(self):
        process = self.waiting_training()
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, _ = process.communicate(timeout=10)
        self.assertEqual(process.returncode, 130)
        self.check_nothing_left()

    def test_one_interrupt_or_termination_stops_at_the_next_safe_point(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.waiting_training()
            process.send_signal(number)
            # Its input stays open and silent: it stops all the same.
            self.assertEqual(process.wait(timeout=10), 130)
            self.assertIn(b"error[interrupted]", process.stderr.read())
            self.check_nothing_left()
            for stream in (process.stdin, process.stdout, process.stderr):
                stream.close()

    def test_a_pipe_without_a_writer_can_be_waited_for_and_left(self):
        os.mkfifo(self.folder / "pipe")
        process = self.start("train", "baseline", "--data", "pipe", "--format", "csv",
                             "--target", "y", "--timeout", "300ms")
        self.assertEqual(process.wait(timeout=10), 71)
        process.communicate()
        process = self.start("train", "baseline", "--data", "pipe", "--format", "csv",
                             "--target", "y", "--json")
        time.sleep(0.2)
        (self.folder / "pipe").write_bytes(b"x,y\n1,2\n2,4\n")
        out, errors = process.communicate(timeout=10)
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(json.loads(out)["rows"], 2)
        done = gradus("describe", str(self.folder / "pipe"))
        self.assertEqual(done.returncode, 65, done.stderr)

    def test_what_a_checkpoint_keeps_has_an_exit_code_of_its_own(self):
        rows = "".join(f"{i % 101},{i % 97},{i * i % 31}\n" for i in range(5000))
        self.write("d.csv", "a,b,y\n" + rows)
        words = ["train", "gradient_boosting", "--data", "d.csv", "--target", "y",
                 "--n_estimators", "100000", "--checkpoint-every", "5", "--model", "m.gradus"]
        process = self.start(*words, "--checkpoint", "c.ckpt")
        for _ in range(500):
            if (self.folder / "c.ckpt").exists():
                break
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 75, errors)
        self.assertIn(b"error[suspended]", errors)
        self.assertIn(b"--resume", errors)
        process = self.start(*words, "--checkpoint", "other.ckpt", "--timeout", "2s")
        _, errors = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 71, errors)
        self.assertIn(b"go on with --resume", errors)
        self.assertEqual(sorted(os.listdir(self.folder)), ["c.ckpt", "d.csv", "other.ckpt"])

    def test_a_partial_model_is_kept_when_it_is_asked_for(self):
        rows = "".join(f"{i % 101},{i % 97},{i * i % 31}\n" for i in range(5000))
        self.write("d.csv", "a,b,y\n" + rows)
        words = ["train", "gradient_boosting", "--data", "d.csv", "--target", "y", "--progress",
                 "plain", "--n_estimators", "100000", "--model", "m.gradus", "--json"]
        for option, code in (([], 71), (["--keep-partial"], 71)):
            process = self.start(*words, "--timeout", "2s", *option)
            out, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, code, errors)
            self.assertIn(b"--timeout: error[limit]: the time is up", errors)
            self.assertEqual((self.folder / "m.gradus").exists(), bool(option))
        outcome = json.loads(out)
        partial = outcome["partial"]
        self.assertEqual((partial["unit"], partial["planned"]), ("round", 100000))
        self.assertGreater(partial["done"], 0)
        self.assertLess(partial["done"], 100000)
        self.assertIn(f"stopped after {partial['done']} of 100000 rounds".encode(), errors)
        # The file is whole, says what it is, and answers as one of that many rounds does.
        told = json.loads(gradus("describe", str(self.folder / "m.gradus"), "--json").stdout)
        self.assertEqual(told["provenance"]["partial"], partial)
        shown = gradus("describe", str(self.folder / "m.gradus")).stdout
        self.assertIn(f"stopped after {partial['done']} of 100000 rounds", shown)
        modest = str(self.folder / "modest.gradus")
        gradus("train", "gradient_boosting", "--data", str(self.folder / "d.csv"), "--target", "y",
               "--n_estimators", str(partial["done"]), "--model", modest)
        answers = [gradus("predict", str(self.folder / name), "--data", str(self.folder / "d.csv"),
                          ).stdout for name in ("m.gradus", "modest.gradus")]
        self.assertEqual(answers[0], answers[1])
        self.assertEqual(len(answers[0].splitlines()), 5001)

    def test_an_interrupt_keeps_a_partial_model_too(self):
        rows = "".join(f"{i % 101},{i % 97},{i * i % 3}\n" for i in range(5000))
        self.write("d.csv", "a,b,y\n" + rows)
        process = self.start("train", "random_forest", "--data", "d.csv", "--target", "y",
                             "--n_estimators", "100000", "--model", "m.gradus", "--keep-partial",
                             "--progress", "plain", "--quiet")
        while b"tree" not in process.stderr.readline():  # some are whole when it says how far it is
            pass
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 75, errors)
        self.assertIn(b"error[suspended]: stopped at your request; what is finished is kept", errors)
        told = json.loads(gradus("describe", str(self.folder / "m.gradus"), "--json").stdout)
        self.assertEqual(told["provenance"]["partial"]["unit"], "tree")

    def test_a_time_limit_is_an_error_of_its_own(self):
        process = self.start("train", "baseline", "--data", "-", "--target", "y",
                             "--model", "m.gradus", "--timeout", "100ms")
        time.sleep(0.5)
        _, errors = process.communicate(b"x,y\n1,2\n", timeout=10)
        self.assertEqual(process.returncode, 71, errors)
        self.assertIn(b"--timeout: error[limit]", errors)
        self.check_nothing_left()


class Concurrency(InFolder):
    def test_two_trainings_of_one_model_leave_one_whole_model(self):
        data = self.write("d.csv", "x,y\n" + "".join(f"{i},{i % 3}\n" for i in range(1000)))
        words = [COMMAND, "train", "baseline", "--data", data, "--target", "y", "--quiet",
                 "--force", "--model", str(self.folder / "m.gradus")]
        running = [subprocess.Popen(words + ["--strategy", s]) for s in ("mean", "median") * 3]
        self.assertEqual([p.wait(timeout=60) for p in running], [0] * 6)
        model = json.loads(gradus("describe", str(self.folder / "m.gradus"), "--json").stdout)
        self.assertIn(model["parameters"]["strategy"], ("mean", "median"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["d.csv", "m.gradus"])


class Reports(InFolder):
    def test_the_policy_names_the_digest_of_the_only_script(self):
        data = self.write("d.csv", "x,y\n1,2\n2,4\n")
        page = gradus("explain", "baseline", "--data", data, "--target", "y",
                      "--format", "html").stdout
        scripts = re.findall(r"<script>(.*?)</script>", page, re.S)
        self.assertEqual(len(scripts), 1)
        digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
        self.assertIn(f"script-src 'sha256-{digest}'", page)


class Help(unittest.TestCase):
    def test_every_learner_has_a_page_with_every_parameter(self):
        for learner in learners():
            page = gradus("train", learner, "--help")
            self.assertEqual(page.returncode, 0)
            for info in described(learner):
                self.assertIn(info["name"], page.stdout)
            widest = max(len(line) for line in page.stdout.splitlines())
            self.assertLessEqual(widest, 100, learner)


if __name__ == "__main__":
    unittest.main(verbosity=1)
