#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks everything that can be run for --help.

That is what is executable in scripts/ and utils/, and what the build has in bin/.
Each must say how it is used, within seconds, and do nothing else. A Python file that
can be run must be executable, so that none is left out.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
SECONDS = 60
# --help is the compiler's there.
HELP = {name: "--dl-help" for name in ("dlcc", "dl++", "dlfc")}


def walk(*folders):
    for top in folders:
        for folder, dirs, files in os.walk(os.path.join(SOURCE, top)):
            dirs[:] = sorted(d for d in dirs if d != "__pycache__")
            for name in sorted(files):
                yield os.path.join(folder, name)


def executables(build):
    """Paths of programs, and lines about files that only look like one."""
    programs, wrong = [], []
    for path in walk("scripts", "utils"):
        with open(path, errors="replace") as f:
            text = f.read()
        runs = os.access(path, os.X_OK)
        if runs:
            programs.append(path)
        if runs != bool(text.startswith("#!")):
            wrong.append("%s: executable is what begins with #!, and that alone" % path)
        elif not runs and re.search(r'^if __name__ == "__main__"', text, re.MULTILINE):
            wrong.append("%s: can be run, but is not executable" % path)
    folder = os.path.join(build, "bin")
    programs += [os.path.join(folder, n) for n in sorted(os.listdir(folder))]
    return programs, wrong


def complaint(path):
    """What is wrong with the --help of a program, or None."""
    option = HELP.get(os.path.basename(path), "--help")
    with tempfile.TemporaryDirectory(prefix="dl-help-") as folder:
        try:
            done = subprocess.run([path, option], stdout=subprocess.PIPE, cwd=folder,
                                  stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                  timeout=SECONDS, errors="replace")
        except subprocess.TimeoutExpired:
            return "%s %s: no end after %d s" % (path, option, SECONDS)
        if os.listdir(folder):
            return "%s %s: writes files" % (path, option)
    if done.returncode:
        return "%s %s: exit status %d\n%s" % (
            path, option, done.returncode, (done.stdout + done.stderr)[-1000:])
    if not re.search(r"^usage:", done.stdout, re.MULTILINE | re.IGNORECASE):
        return "%s %s: no line begins with usage:" % (path, option)
    return None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="folder of the build whose tools are asked")
    args = parser.parse_args()
    programs, wrong = executables(os.path.abspath(args.build))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong += filter(None, pool.map(complaint, programs))
    for line in wrong:
        print(line)
    print("%d programs asked, %d wrong" % (len(programs), len(wrong)))
    return 1 if wrong or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
