"""Programs of Debian's source packages, built with and without the plugin; what
their own tests say must be the same."""
import glob
import os
import re

import compile_time
from common import Counts, contents, die, each, run, source_package

LEVELS = ("O2", "O3")
# Times and addresses differ from run to run.
NOISE = re.compile(r"\d+\.\d+s?|\(\d+ ms( total)?\)|0x[0-9a-f]+|\d+ ms")


class Project:
    """Sources and flags of one test program, and how to run it."""

    def __init__(self, package, sources, flags=(), libraries=(), runs=((),),
                 prepare=None):
        self.package, self.sources, self.flags = package, sources, flags
        self.libraries, self.runs, self.prepare = libraries, runs, prepare


EIGEN = ["-std=c++14", "-march=haswell", "-DEIGEN_TEST_MAX_SIZE=64",
         "-DEIGEN_TEST_PART_1=1", "-I{root}", "-I{root}/test"]
FMT = ["-std=c++17", "-I{root}/include", "-I{root}/test"]
PROJECTS = {
    "zlib": Project("zlib", ["*.c", "test/example.c"],
                    ["-I{root}", "-DHAVE_UNISTD_H", "-DHAVE_STDARG_H"]),
    "zlib-inflate": Project("zlib", ["*.c", "test/infcover.c"],
                            ["-I{root}", "-DHAVE_UNISTD_H", "-DHAVE_STDARG_H"]),
    "sqlite": Project("sqlite3", ["build/sqlite3.c", "test/speedtest1.c"],
                      ["-I{root}/build", "-DSQLITE_ENABLE_RTREE"],
                      ["-lpthread", "-ldl", "-lm"],
                      [["--memdb", "--verify", "--size", "5"],
                       ["--memdb", "--verify", "--size", "5", "--testset", "cte"],
                       ["--memdb", "--verify", "--size", "5", "--testset", "fp"],
                       ["--memdb", "--verify", "--size", "2", "--testset",
                        "rtree"]],
                      compile_time.sqlite_amalgamation),
    "eigen-product": Project("eigen3", ["test/product_small.cpp"], EIGEN,
                             runs=[["s1", "r3"]]),
    "eigen-triangular": Project("eigen3", ["test/product_trmv.cpp"], EIGEN,
                                runs=[["s1", "r3"]]),
    "eigen-basic": Project("eigen3", ["test/basicstuff.cpp"], EIGEN,
                           runs=[["s1", "r3"]]),
}


class Build:
    """One program, one level, with or without the plugin."""

    def __init__(self, tools, project, root, folder, level, plugin):
        self.tools, self.project, self.root = tools, project, root
        self.level, self.plugin = level, plugin
        self.folder = os.path.join(folder, "%s.%s" % (
            level, "with" if plugin else "without"))
        os.makedirs(self.folder, exist_ok=True)

    def fill(self, words):
        return [w.replace("{root}", self.root) for w in words]

    def compile(self, source):
        """Path of the object, or what the compiler said."""
        target = os.path.join(self.folder, os.path.basename(source) + ".o")
        status, text = run(self.tools.clang(
            "-" + self.level, *self.fill(self.project.flags), "-c", source, "-o",
            target, plugin=self.plugin, cxx=not source.endswith(".c")), 900)
        return (target, "") if status == 0 else (None, text[-500:])

    def objects(self, jobs):
        sources = [s for pattern in self.project.sources
                   for s in sorted(glob.glob(os.path.join(self.root, pattern)))]
        results = list(each(self.compile, sources, jobs))
        bad = [text for target, text in results if not target]
        if bad or not results:
            return None, "".join(bad) or "no sources"
        return [target for target, _ in results], ""

    def outputs(self, objects):
        """Exit status and cleaned output of every run."""
        program = os.path.join(self.folder, "program")
        status, text = run(self.tools.clang(*objects, "-o", program,
                                            *self.project.libraries, cxx=True), 300)
        if status:
            return [(status, text)]
        results = []
        for words in self.project.runs:
            status, text = run([program, *words], 600, cwd=self.folder)
            results.append((status, NOISE.sub("N", text)))
        return results


def compare(tools, name, arguments, counts):
    project = PROJECTS[name]
    root = source_package(arguments.cache, project.package)
    if project.prepare:
        project.prepare(root)
    folder = os.path.join(arguments.cache, "foreign", name)
    for level in LEVELS:
        builds = [Build(tools, project, root, folder, level, p)
                  for p in (False, True)]
        objects = []
        for build in builds:
            found, text = build.objects(arguments.jobs)
            if not found:
                counts.found("failed", "%s %s: %s" % (name, level, text))
                return
            objects.append(found)
        same = [contents(a) == contents(b) for a, b in zip(*objects)]
        without, with_plugin = (b.outputs(o) for b, o in zip(builds, objects))
        counts["test runs"] += len(without)
        print("projects: %s %s: %d of %d objects identical, exit status %s" % (
            name, level, sum(same), len(same),
            ", ".join(str(s) for s, _ in with_plugin)), flush=True)
        if any(status != 0 for status, _ in without):
            counts.found("failed", "%s %s without the plugin: %s" % (
                name, level, without[-1][1][-300:]))
        elif without != with_plugin:
            counts.found("different", "%s %s" % (name, level))


def main(tools, arguments):
    names = [n for n in arguments.only.split(",") if n] or list(PROJECTS)
    counts = Counts()
    for name in names:
        if name not in PROJECTS:
            die("no project '%s'; there are: %s" % (name, ", ".join(PROJECTS)))
        compare(tools, name, arguments, counts)
    print("projects: %d programs, %s" % (
        len(names), counts.line(("test runs", "failed", "different"))))
    return counts["failed"] + counts["different"]
