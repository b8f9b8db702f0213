"""What is left of a file when the machine fails while it is replaced.

    faults.py SAVE_DRIVER

Every file system call of a save is killed, and made to fail with every error that a disk can give,
by strace's fault injection. Whatever happens, the destination must be the old file or the new one,
whole; an error must be told by the exit code, leave the old file and leave no temporary. Then one
process replaces a file many times while others read it: no reader may ever see a part of one.
"""

import os
import re
import subprocess
import sys
import tempfile

CALLS = "openat,write,fsync,close,renameat,renameat2,linkat,unlinkat,fchmod"
ERRORS = ["ENOSPC", "EIO", "EDQUOT", "EROFS", "EFBIG"]
SKIPPED = 77
CANNOT_CREATE, IO = 73, 74

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print("FAILED", what)


class Disk:
    """A directory with the old file in it (or none), and what happened to it."""

    def __init__(self, driver, directory, has_old):
        self.driver, self.directory, self.has_old = driver, directory, has_old
        self.path = os.path.join(directory, "model.gradus")
        self.reset()

    def reset(self):
        for name in os.listdir(self.directory):
            os.unlink(os.path.join(self.directory, name))
        if self.has_old:
            subprocess.run([self.driver, "write", self.path, "old"], check=True)

    def command(self):
        return [self.driver, "write", self.path, "new"] + ([] if self.has_old else ["refuse"])

    def content(self):
        if not os.path.exists(self.path):
            return "absent"
        read = subprocess.run([self.driver, "read", self.path], capture_output=True, text=True)
        return read.stdout.strip() if read.returncode == 0 else "broken: " + read.stderr.strip()

    def before(self):
        return "old" if self.has_old else "absent"

    def temporaries(self):
        return [name for name in os.listdir(self.directory) if name != "model.gradus"]


def traced_calls(disk):
    """(name, how many of that name came before, its line) of each call that concerns the save."""
    log = os.path.join(disk.directory, "..", "trace.log")
    subprocess.run(["strace", "-f", "-y", "-o", log, "-e", "trace=" + CALLS] + disk.command(),
                   check=True)
    seen, calls = {}, []
    started = False
    for line in open(log, errors="replace"):
        match = re.match(r"(?:\d+ +)?(\w+)\(", line)
        if not match:
            continue
        name = match.group(1)
        seen[name] = seen.get(name, 0) + 1
        # Calls of the dynamic loader come first and have nothing to do with us.
        started = started or disk.directory in line
        if started and disk.directory in line:
            calls.append((name, seen[name], line.strip()))
    disk.reset()
    return calls


def run_with(disk, injection):
    return subprocess.run(["strace", "-f", "-o", "/dev/null", "-e", "trace=" + CALLS, "-e",
                           "inject=" + injection] + disk.command(), capture_output=True, text=True)


def kill_everywhere(disk, calls):
    for name, number, line in calls:
        run_with(disk, f"{name}:signal=KILL:when={number}")
        expect(disk.content() in (disk.before(), "new"), f"killed at {line}: {disk.content()}")
        if disk.content() != "new":
            again = subprocess.run(disk.command(), capture_output=True, text=True)
            expect(again.returncode == 0 and disk.content() == "new",
                   f"a second try after a kill at {line}: {again.stderr}")
        disk.reset()


def is_about_directory(line, disk):
    return f"<{disk.directory}>)" in line


def fail_everywhere(disk, calls):
    for name, number, line in calls:
        for error in ERRORS:
            done = run_with(disk, f"{name}:error={error}:when={number}")
            where = f"{error} at {line}: exit {done.returncode}, {disk.content()}"
            expect(not disk.temporaries(), f"{where}, left {disk.temporaries()}")
            if name == "close" and is_about_directory(line, disk):
                # Nothing was written to a directory that was only opened to name files in it.
                expect(done.returncode == 0 and disk.content() == "new", where)
            elif name == "fsync" and is_about_directory(line, disk):
                expect(done.returncode == IO and disk.content() == "new", where)
                expect("in place" in done.stderr, f"{where}: {done.stderr}")
            else:
                allowed = (CANNOT_CREATE, IO) if name == "openat" else (IO,)
                expect(done.returncode in allowed and disk.content() == disk.before(), where)
                expect(disk.path in done.stderr, f"{where}: the message names no path")
            disk.reset()
        done = run_with(disk, f"{name}:error=EINTR:when={number}")
        expect(done.returncode == 0 and disk.content() == "new",
               f"EINTR at {line}: exit {done.returncode}, {disk.content()} {done.stderr}")
        expect(not disk.temporaries(), f"EINTR at {line}: left {disk.temporaries()}")
        disk.reset()


def idle_writes(disk, calls):
    """A write that takes nothing is tried again, not taken for the whole."""
    writes = [number for name, number, _ in calls if name == "write"]
    expect(len(writes) >= 2, "a save takes several writes")
    done = subprocess.run(["strace", "-f", "-o", "/dev/null", "-e", "trace=write", "-e",
                           f"inject=write:retval=0:when={writes[0]}"] + disk.command(),
                          capture_output=True, text=True)
    expect(done.returncode == 0 and disk.content() == "new", f"a write of 0 bytes: {done.stderr}")
    disk.reset()


def no_rename_that_refuses(disk):
    """File systems without RENAME_NOREPLACE: a link does the same."""
    done = run_with(disk, "renameat2:error=EINVAL")
    expect(done.returncode == 0 and disk.content() == "new", f"linkat instead: {done.stderr}")
    expect(not disk.temporaries(), "linkat instead: a temporary is left")
    disk.reset()


def readers_and_a_writer(driver, directory, replacements=500, readers=4):
    path = os.path.join(directory, "shared.gradus")
    subprocess.run([driver, "write", path, "old"], check=True)
    watching = [subprocess.Popen([driver, "watch", path], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                for _ in range(readers)]
    writer = subprocess.run([driver, "replace", path, str(replacements)], capture_output=True,
                            text=True)
    expect(writer.returncode == 0, f"the writer: {writer.stderr}")
    total = 0
    for reader in watching:
        out, err = reader.communicate("")
        expect(reader.returncode == 0, f"a reader: {err}")
        total += int(out or 0)
    print(f"{replacements} replacements, {total} reads by {readers} readers")
    expect(os.listdir(directory) == ["shared.gradus"], "only the file is left")


def strace_problem():
    try:
        probe = subprocess.run(["strace", "-o", "/dev/null", "-e", "inject=getppid:error=EPERM",
                                "true"], capture_output=True, text=True)
    except FileNotFoundError:
        return "strace is not installed"
    return probe.stderr.strip() if probe.returncode != 0 else ""


def main():
    driver = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="gradus-fault-") as root:
        os.mkdir(os.path.join(root, "readers"))
        readers_and_a_writer(driver, os.path.join(root, "readers"))
        problem = strace_problem()
        if problem and not failures:
            print("SKIPPED: system calls cannot be made to fail here:", problem)
            return SKIPPED
        os.mkdir(os.path.join(root, "disk"))
        # The leak check of a sanitizer traces the process itself, which strace already does.
        os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        for has_old in (True, False):
            disk = Disk(driver, os.path.join(root, "disk"), has_old)
            calls = traced_calls(disk)
            print(f"{len(calls)} calls to fail, over {'an old' if has_old else 'no'} file:",
                  " ".join(name for name, _, _ in calls))
            expect(len(calls) >= 8, "a save is more than a few calls")
            kill_everywhere(disk, calls)
            fail_everywhere(disk, calls)
            idle_writes(disk, calls)
            if not has_old:
                no_rename_that_refuses(disk)
    print("failures:", len(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
