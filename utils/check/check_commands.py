#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every command that README.md, CONTRIBUTING.md and docs/ show, in a short mode.

Commands are the lines of ```sh blocks, those of blocks without a language that begin
with something that can be run, and code in the text that runs something of this
tree. Paths of this tree in the text must exist. The lines of a block run one after
the other in a folder of their own, which looks like the source folder with the build
under test as build/; so what they write stays there.

utils/check/command_modes.py says how a command is run that takes long as it stands,
what it must print, and why one is not run; of that, its options are looked for in
its --help. A command that no row knows is run as it is and must succeed.
"""
import argparse
import collections
import concurrent.futures
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import command_modes

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(SOURCE, "utils", "support"))
import llvm_tools  # noqa: E402

SHELLS = ("sh", "bash", "shell", "console")
ASSIGNMENT = re.compile(r"[A-Z]\w*=\S*$")
# Of the plugin, with a value that is not just the name of one.
SETTING = re.compile(r"DLOPT_\w+=(?![A-Za-z]$|[A-Z]+$)\S")
TREE = re.compile(r"(?:\./)?(?:scripts|utils|examples|test|include|passes|docs)/")
# Code in the text that runs a tool of the system is a command if it has to do with
# this tree.
OURS = re.compile(r"\bdl-\w|DLOpt|\bdl<|\bbuild[\w-]*(?:/|\b)|dlopt")
LLVM = ("clang", "clang++", "opt", "lit", "lld", "flang", "flang-new", "mlir-opt",
        "mlir-translate", "llc", "rustc")

# A command as the page has it, and where.
Command = collections.namedtuple("Command", "place text")
Result = collections.namedtuple("Result", "command what why seconds")


# -- What the pages say ------------------------------------------------------

def read(path):
    with open(path) as f:
        return f.read()


def split_assignments(text):
    """(assignments in front, the first word behind them, the rest)."""
    words = text.split()
    count = 0
    while count < len(words) and ASSIGNMENT.match(words[count]):
        count += 1
    return (words[:count], words[count] if count < len(words) else "",
            words[count + 1:])


def tools_of_tree():
    """Base names of what can be run in utils/ and of what is built."""
    names = set()
    for folder, _, files in os.walk(os.path.join(SOURCE, "utils")):
        names.update(f for f in files if os.access(os.path.join(folder, f), os.X_OK))
        names.update(d for d in (os.path.basename(folder),) if d.startswith("dl-"))
    return names


TOOLS = tools_of_tree()


def exists_for_user(word):
    return bool(shutil.which(word)) or word in LLVM or word in TOOLS


def begins_a_command(line):
    """Is this line of a block without a language a command?"""
    _, word, rest = split_assignments(line)
    if not word or line[0].isspace() or rest[:1] and rest[0] in ("=", ":", "|"):
        return False
    return bool(TREE.match(word)) or word.startswith("build/") or exists_for_user(word)


def strip_comment(line):
    """Without what the shell does not read, prompts and blanks."""
    quote, end = None, len(line)
    for i, c in enumerate(line):
        if quote:
            quote = None if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c == "#" and (not i or line[i - 1].isspace()):
            end = i
            break
    return re.sub(r"^\$ ", "", line[:end].strip())


def commands_of_block(page, first, lines):
    """Commands of a block: its lines, where a backslash joins two."""
    whole, start = "", first
    for number, line in enumerate(lines, first):
        start = start if whole else number
        whole += strip_comment(line)
        if whole.endswith("\\"):
            whole = whole[:-1]
            continue
        if whole:
            yield Command("%s:%d" % (page, start), re.sub(r"\s+", " ", whole))
        whole = ""


def blocks(text):
    """(language, number of the first line, lines) of each fenced block, and the
    text without them."""
    found, rest, inside, fence = [], [], None, ""
    for number, line in enumerate(text.split("\n"), 1):
        mark = re.match(r"\s*(```+|~~~+)\s*(\S*)\s*$", line)
        if inside is None and mark:
            fence, inside = mark.group(1), (mark.group(2), number + 1, [])
            found.append(inside)
            rest.append("")
        elif inside is not None and mark and mark.group(1) == fence:
            inside = None
            rest.append("")
        else:
            (rest if inside is None else inside[2]).append(line)
            if inside is not None:
                rest.append("")
    return found, "\n".join(rest)


def command_of_span(span):
    """The command that a piece of code in the text is, or None; raises ValueError
    for a path of this tree that is none."""
    assignments, word, rest = split_assignments(span)
    if TREE.match(word):
        path = os.path.join(SOURCE, re.sub(r":\d+$", "", word))
        if re.search(r"[*<{]|\b[A-Z]+\b", word):
            return None  # a pattern
        if not os.path.exists(path):
            raise ValueError("there is no %s" % word)
        return span if os.path.isfile(path) and os.access(path, os.X_OK) else None
    if not word:
        return span if assignments and all(map(SETTING.match, assignments)) else None
    if not rest:
        return None
    if word in TOOLS or word.startswith("/") and shutil.which(word):
        return span
    return span if exists_for_user(word) and OURS.search(span) else None


def extract(page, text, errors):
    """Units of a page: lists of commands that run in one folder."""
    units = []
    found, rest = blocks(text)
    for language, first, lines in found:
        if language in SHELLS or not language and any(map(begins_a_command, lines)):
            units.append(list(commands_of_block(page, first, lines)))
    for match in re.finditer(r"(?<!`)`([^`]+)`(?!`)", rest):
        place = "%s:%d" % (page, rest.count("\n", 0, match.start()) + 1)
        try:
            command = command_of_span(re.sub(r"\s+", " ", match.group(1)).strip())
        except ValueError as e:
            errors.append("%s: %s" % (place, e))
            continue
        if command:
            units.append([Command(place, command.replace("\\|", "|"))])
    return [u for u in units if u]


# -- Running them ------------------------------------------------------------

def make_view(folder, build):
    """The source folder as a user sees it, whose build is the one under test; beside
    it is that for LLVM 19."""
    for name in os.listdir(SOURCE):
        path, to = os.path.join(SOURCE, name), os.path.join(folder, name)
        if name in ("scripts", "utils"):
            # Python follows links when it looks for modules.
            shutil.copytree(path, to, ignore=shutil.ignore_patterns("__pycache__"))
        elif not name.startswith("build") or name == "build-19":
            os.symlink(path, to)
    os.mkdir(os.path.join(folder, "build"))
    for name in ("bin", "lib", "test"):
        os.symlink(os.path.join(build, name), os.path.join(folder, "build", name))


def call(text, folder, limit):
    """(exit status, output) of a shell command; everything that it started ends
    with it."""
    process = subprocess.Popen(["bash", "-o", "pipefail", "-c", text], cwd=folder,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, errors="replace",
                               start_new_session=True)
    try:
        output = process.communicate(timeout=limit)[0]
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        return None, process.communicate()[0]


def missing_options(text, folder):
    """Options of a command of this tree that its --help does not have; or what is
    wrong."""
    _, word, rest = split_assignments(text)
    rest = shlex.split(" ".join(rest))
    program = [word] + (rest[:1] if word.startswith("python") else [])
    if not TREE.match(program[-1]):
        return None
    status, out = call(" ".join(program) + " --help", folder, 60)
    if status:
        return "%s --help fails: %s" % (" ".join(program), out.strip()[-300:])
    wrong = [o for o in rest if o.startswith("--") and
             not re.search(re.escape(o.partition("=")[0]) + r"\b", out)]
    return "--help has no " + ", ".join(wrong) if wrong else None


def missing_output(expected, output):
    """The first pattern that the output does not have, in their order."""
    at = 0
    for pattern in expected:
        found = re.compile(pattern, re.MULTILINE).search(output, at)
        if not found:
            return pattern
        at = found.end()
    return None


class Runner:
    def __init__(self, args):
        self.args = args
        self.build = os.path.abspath(args.build)
        self.is_default = os.path.realpath(self.build) == os.path.realpath(
            os.path.join(SOURCE, "build"))

    def run_unit(self, unit):
        with tempfile.TemporaryDirectory(prefix="dl-commands-") as folder:
            make_view(folder, self.build)
            return [self.run(command, folder) for command in unit]

    def run(self, command, folder):
        start = time.time()
        what, why = self.attempt(command.text, folder)
        return Result(command, what, why, time.time() - start)

    def attempt(self, text, folder):
        """What became of a command ("ok", "options", "failed"), and why."""
        mode, short = command_modes.find(text)
        reason = mode.reason
        if not reason and mode.needs:
            name, test = mode.needs
            if call(test, folder, 60)[0]:
                reason = "needs " + name
        if not reason and mode.in_source:
            folder = SOURCE
            if not self.is_default:
                reason = "builds the folder build, which is not under test"
        if reason:
            wrong = missing_options(text, folder)
            return ("failed", wrong) if wrong else ("options", reason)
        status, output = call(short, folder, mode.limit)
        ran = "" if short == text else " (run as: %s)" % short
        tail = "\n" + output.strip()[-2000:]
        if status is None:
            return "failed", "no end after %d s%s%s" % (mode.limit, ran, tail)
        if status:
            return "failed", "exit status %d%s%s" % (status, ran, tail)
        if "Traceback (most recent call last)" in output:
            return "failed", "a traceback%s%s" % (ran, tail)
        pattern = missing_output(mode.expect, output)
        if pattern is not None:
            return "failed", "prints no '%s'%s%s" % (pattern, ran, tail)
        return "ok", ran.strip()


def unique(units):
    """Without units of one command that another one has already."""
    seen, result = set(), []
    for unit in sorted(units, key=len, reverse=True):
        runs = [(short, mode.expect) for mode, short in (
            command_modes.find(c.text) for c in unit)]
        if len(unit) > 1 or runs[0] not in seen:
            result.append(unit)
        seen.update(runs)
    return result


def is_sanitized(build):
    try:
        cache = read(os.path.join(build, "CMakeCache.txt"))
    except OSError:
        return False
    return bool(re.search(r"^DLOPT_SANITIZE:\w+=.", cache, re.MULTILINE))


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("build", help="folder of the build to test")
    add("pages", nargs="*", 
        help="other pages than README.md, CONTRIBUTING.md and docs/**/*.md")
    add("--only", default="", metavar="REGEX", help="only commands that match")
    add("--jobs", type=int, default=os.cpu_count() or 1)
    add("--list", action="store_true", help="print the commands and stop")
    add("--verbose", action="store_true", help="print all results, with times")
    return parser.parse_intermixed_args()


def collect(args, errors):
    pages = args.pages or [
        os.path.join(SOURCE, name) for name in ("README.md", "CONTRIBUTING.md")] + sorted(
            glob.glob(os.path.join(SOURCE, "docs", "**", "*.md"), recursive=True))
    units = []
    for page in pages:
        units += extract(os.path.relpath(page, SOURCE), read(page), errors)
    return [u for u in units if any(re.search(args.only, c.text) for c in u)]


def main():
    args = parse_arguments()
    llvm_tools.need_plugin("check_commands.py",
                           os.path.join(args.build, "lib", "libDLOpt.so"))
    if is_sanitized(args.build):
        print("check_commands.py: skipped: users have no plugin with a sanitizer")
        return 0
    errors = []
    units = unique(collect(args, errors))
    if args.list:
        for unit in units:
            for c in unit:
                print("%s: %s\n    %s" % (c.place, c.text,
                                          command_modes.describe(c.text)))
        return 0
    runner, count = Runner(args), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for unit in pool.map(runner.run_unit, units):
            for r in unit:
                count[r.what] += 1
                if r.what == "failed" or args.verbose:
                    print("%s: %s: %s%s (%.1f s)" % (
                        r.command.place, r.what, r.command.text,
                        ": " + r.why if r.why else "", r.seconds), flush=True)
    for error in errors:
        print(error)
    print("%d commands ran, %d were looked up in --help, %d failed" % (
        count["ok"], count["options"], count["failed"] + len(errors)))
    return 1 if count["failed"] or errors or not count else 0


if __name__ == "__main__":
    sys.exit(main())
