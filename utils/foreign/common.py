"""What the foreign corpora share: tools, packages, counts."""
import collections
import concurrent.futures
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "utils", f) for f in ("report", "support")]

import compile_time  # noqa: E402  (fetches and unpacks source packages)
import llvm_tools  # noqa: E402


def die(message):
    sys.exit("foreign: " + message)


def need(tool, package):
    """Path of a tool; a line that names its package if it is missing."""
    path = shutil.which(tool)
    if not path:
        die("%s is missing: install the package %s" % (tool, package))
    return path


def need_file(path, package):
    if not os.path.exists(path):
        die("%s is missing: install the package %s" % (path, package))
    return path


def source_package(cache, name):
    """Folder of the upstream sources of a package."""
    try:
        compile_time.fetch_packages(cache, (name,))
        return compile_time.unpack(cache, name)
    except (subprocess.CalledProcessError, IndexError):
        die("the source package %s cannot be had" % name)


def run(command, seconds=60, **options):
    """(exit status, output); the status is None after a timeout."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=seconds,
                              errors="replace", **options)
    except subprocess.TimeoutExpired:
        return None, "timeout"
    return done.returncode, done.stdout


def contents(path):
    with open(path, "rb") as f:
        return f.read()


class Tools:
    """Paths of what is under test and of what it is tested with."""

    def __init__(self, arguments):
        build = os.path.abspath(arguments.build)
        self.plugin = os.path.join(build, "lib", "libDLOpt.so")
        self.dlcc = os.path.join(build, "bin", "dlcc")
        self.dl_foreign = os.path.join(build, "bin", "dl-foreign")
        for path in (self.plugin, self.dl_foreign):
            if not os.path.exists(path):
                die("%s does not exist: run scripts/build" % path)
        self.llvm = arguments.llvm or os.path.dirname(
            llvm_tools.need("foreign", "clang"))
        llvm_tools.check("foreign", "clang", self.at("clang"))

    def at(self, name):
        return os.path.join(self.llvm, name)

    def clang(self, *rest, plugin=False, cxx=False):
        load = ["-fpass-plugin=" + self.plugin] if plugin else []
        return [self.at("clang++" if cxx else "clang"), "-w", *load, *rest]

    def opt(self, passes, *rest):
        return [self.at("opt"), "-load-pass-plugin=" + self.plugin,
                "-passes=" + passes, *rest]


class Counts(collections.Counter):
    """Prints each finding as it comes, and all counts at the end."""

    def found(self, word, what):
        self[word] += 1
        print("%s\t%s" % (word, what), flush=True)

    def line(self, words):
        return ", ".join("%d %s" % (self[w], w) for w in words)


def each(function, items, jobs):
    """function(item) for all items; as they come if there are several jobs."""
    if jobs == 1:
        yield from map(function, items)
        return
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(function, items)
