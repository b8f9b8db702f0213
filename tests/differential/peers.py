"""R and Weka as peers: both are asked through their own commands and answer in plain text."""

import subprocess

WEKA = "/usr/share/java/weka.jar"

# tell(name, numbers) prints one line with every digit.
TELL = """
tell <- function(name, x) cat(name, sprintf("%.17g", as.numeric(x)), "\\n")
arguments <- commandArgs(trailingOnly = TRUE)
"""


def run(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def r(script, *arguments):
    """What an R script tells: {name: [numbers]}. The script sees `arguments`."""
    out = run(["Rscript", "--vanilla", "-e", TELL + script, *arguments])
    lines = [line.split() for line in out.splitlines() if line.strip()]
    return {name: [float(number) for number in numbers] for name, *numbers in lines}


def weka(cls, *arguments):
    """What a class of Weka prints."""
    return run(["java", "-Djava.awt.headless=true", "-cp", WEKA, cls, *arguments])
