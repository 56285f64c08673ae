"""Whole programs with their own tests, built without the plugin and with it: what
they print, what they write and how they end must be the same, and in a
self-checking build no kernel may find a difference."""
import collections
import filecmp
import glob
import os
import re
import resource
import runpy
import shutil
import stat
import tempfile

import program_table
from common import Counts, contents, die, run
from sources import Unavailable

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
# What every program is built with, behind the flags of its own build.
FLAGS = ("-O3", "-march=native", "-w")
FINDINGS = ("failed", "different", "untransformed")
COMPILERS = {"CC": "clang", "CXX": "clang++", "FC": "flang"}
# What a build system calls in place of a compiler. Remarks go into a file, all else
# that the compiler says to where it goes without them.
WRAPPER = """#!/bin/sh
exec %s "$@" %s
"""
WRAPPER_WITH_PLUGIN = """#!/bin/sh
DLOPT_OPTIONS='%s' %s "$@" %s -Rpass=dl-vectorize 2> %s/$$.remarks
status=$?
grep -v ': remark: ' %s/$$.remarks >&2
exit $status
"""
# A transformed kernel, whatever its number in the module.
KERNEL = re.compile(r"^(.*: remark: .*), kernel numbers? \d+.*$", re.MULTILINE)
# A line of check=count, wherever the program's own output had got to.
COUNT = re.compile(r"dlopt: (.*): generated code (\d+) times, .* s; "
                   r"loops (\d+) times, .* s\n")


class Variant:
    """A program built with or without the plugin, in a copy of its sources."""

    def __init__(self, tools, row, source, folder, options):
        """`options`: DLOPT_OPTIONS of the plugin; None: without the plugin."""
        self.row, self.options = row, options
        self.ran = collections.defaultdict(lambda: (0, 0))
        self.root = os.path.join(folder, "plain" if options is None else "plugin")
        self.records = self.root + ".records"
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.rmtree(self.records, ignore_errors=True)
        shutil.copytree(source, self.root, symlinks=True)
        os.makedirs(self.records)
        self.environment = dict(os.environ, DATA=DATA, LC_ALL="C", TZ="UTC")
        for name, tool in COMPILERS.items():
            self.environment[name] = self.wrapper(tools, tool)

    def wrapper(self, tools, tool):
        """A script in place of the compiler, for build systems of all kinds."""
        path = os.path.join(self.records, tool)
        flags = [*FLAGS, *self.row.flags]
        if tool != "flang":
            flags.append("-fno-caret-diagnostics")
        text = WRAPPER % (tools.at(tool), " ".join(flags))
        if self.options is not None:
            flags.append("-fpass-plugin=" + tools.plugin)
            text = WRAPPER_WITH_PLUGIN % (
                self.options, tools.at(tool), " ".join(flags), self.records,
                self.records)
        with open(path, "w") as script:
            script.write(text)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def shell(self, command, seconds):
        """(exit status, output, user time) of a row's command."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        status, text = run(["bash", "-ec", command], seconds, cwd=self.root,
                           env=self.environment, start_new_session=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        return status, text.replace(self.root, "."), after - before

    def build(self, jobs):
        """What went wrong, or nothing."""
        self.environment["JOBS"] = str(jobs)
        for command in self.row.build:
            status, text, _ = self.shell(command, 3600)
            if status != 0:
                return "%s: %s" % (command.split("\n")[0], text[-600:])
        return ""

    def take_counts(self, text):
        """Adds up how often each side of each guard ran; the rest of the text."""
        for kernel, *times in COUNT.findall(text):
            self.ran[kernel] = tuple(a + int(b) for a, b in zip(
                self.ran[kernel], times))
        return COUNT.sub("", text)

    def counts(self):
        """What a build with check=count has printed, in words."""
        if not self.ran:
            return ""
        return "; %d kernels ran, generated code %d times, loops %d times" % (
            len(self.ran), *map(sum, zip(*self.ran.values())))

    def kernels(self):
        """How many kernels the compiler says that it has transformed."""
        found = set()
        for path in glob.iglob(os.path.join(self.records, "*.remarks")):
            found.update(KERNEL.findall(contents(path).decode(errors="replace")))
        return len(found)


def run_once(variant, test):
    """(exit status, cleaned output, time); files are compared later."""
    status, text, seconds = variant.shell(test.command, test.seconds)
    text = variant.take_counts(text)
    for pattern in variant.row.noise:
        text = re.sub(pattern, "", text)
    return status, text, seconds


def differing_files(plain, plugin, patterns):
    """Of the files that a run writes, those whose bytes differ."""
    names = {os.path.relpath(path, v.root) for v in (plain, plugin)
             for pattern in patterns for path in glob.glob(os.path.join(v.root, pattern))}
    if patterns and not names:
        return list(patterns)
    return [n for n in sorted(names) if not all(
        os.path.exists(os.path.join(v.root, n)) for v in (plain, plugin)) or
        not filecmp.cmp(*(os.path.join(v.root, n) for v in (plain, plugin)),
                        shallow=False)]


def first_difference(a, b):
    for x, y in zip(a.splitlines() + [""], b.splitlines() + [""]):
        if x != y:
            return "'%s', not '%s'" % (y[:150], x[:150])
    return "the output goes on"


def judge(test, plain, plugin, results, counts):
    """Counts one run of both programs as good, or prints what is wrong."""
    (status, text, _), (dl_status, dl_text, _) = results
    what = "%s: %s" % (plain.row.name, test.command.split("\n")[0])
    counts["runs"] += 1
    report = re.search(r"^dlopt: .*", dl_text, re.MULTILINE)
    if status != 0 or not re.search(test.success, text):
        counts.found("failed", "%s: without the plugin: exit status %s: %s" % (
            what, status, text[-300:]))
    elif report:
        counts.found("different", "%s: %s" % (what, report.group()))
    elif dl_status != 0:
        counts.found("different", "%s: exit status %s: %s" % (
            what, dl_status, dl_text[-300:]))
    elif text != dl_text:
        counts.found("different", "%s: %s" % (what, first_difference(text, dl_text)))
    else:
        files = differing_files(plain, plugin, test.files)
        if files:
            counts.found("different", "%s: %s" % (what, ", ".join(files)))


def examine(tools, row, arguments, counts):
    source = row.source.folder(arguments.cache)
    parent = os.path.join(arguments.cache, "foreign", "programs")
    os.makedirs(parent, exist_ok=True)
    folder = tempfile.mkdtemp(prefix=row.name + ".", dir=parent)
    try:
        examine_in(tools, row, source, folder, arguments, counts)
    finally:
        if not arguments.keep:
            shutil.rmtree(folder)


def examine_in(tools, row, source, folder, arguments, counts):
    plain, plugin = variants = [Variant(tools, row, source, folder, options)
                                for options in (
                                    None, arguments.options if row.checked else "")]
    for variant in variants:
        message = variant.build(arguments.jobs)
        if message:
            counts.found("failed", "%s does not build %s the plugin: %s" % (
                row.name, "without" if variant is plain else "with", message))
            return
    kernels = plugin.kernels()
    times = [0, 0]
    tests = [t for t in row.tests if t.short or not arguments.short]
    for test in tests:
        results = [run_once(v, test) for v in variants]
        times = [total + r[2] for total, r in zip(times, results)]
        judge(test, plain, plugin, results, counts)
    kernels = max(kernels, plugin.kernels())
    counts["kernels"] += kernels
    counts["programs"] += 1
    if kernels < row.kernels:
        counts.found("untransformed", "%s: %d kernels, not %d or more" % (
            row.name, kernels, row.kernels))
    print("programs: %s (%s): %d kernels, %d runs, %.1f s without the plugin, "
          "%.1f s with it%s" % (row.name, row.source, kernels, len(tests), *times,
                                plugin.counts()), flush=True)


def rows(arguments):
    """The rows asked for, of the project's table and of a file of one's own."""
    table = list(program_table.PROGRAMS)
    if arguments.table:
        table = runpy.run_path(arguments.table, vars(program_table))["PROGRAMS"]
    names = [n for n in arguments.only.split(",") if n]
    for name in names:
        if name not in [r.name for r in table]:
            die("no program '%s'; there are: %s" % (
                name, ", ".join(r.name for r in table)))
    if names:
        return [r for r in table if r.name in names]
    return [r for r in table if not arguments.short or any(
        t.short for t in r.tests)]


def main(tools, arguments):
    counts = Counts()
    for row in rows(arguments):
        missing = [t for t in row.needs if not shutil.which(t)]
        if missing:
            counts["unavailable"] += 1
            print("unavailable\t%s: %s is missing" % (row.name, missing[0]))
            continue
        try:
            examine(tools, row, arguments, counts)
        except Unavailable as reason:
            counts["unavailable"] += 1
            print("unavailable\t%s: %s" % (row.name, reason), flush=True)
    print("programs: " + counts.line(
        ("programs", "runs", "kernels", "unavailable", *FINDINGS)))
    return sum(counts[word] for word in FINDINGS)
