"""Programs whose build systems are told one word, CC=dlcc: their own tests end as with
clang, and what has no kernel is clang's object, byte for byte."""
import glob
import os
import re
import runpy
import shutil
import stat
import tempfile

import compile_time
from common import Counts, contents, die, run
from projects import NOISE
from sources import Debian, Folder, Unavailable

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
# What dlcc runs in front of clang: it keeps the remarks of each compilation.
RECORDER = """#!/bin/sh
"$@" -Rpass=dl- -fno-caret-diagnostics -fno-color-diagnostics 2> "$RECORDS/$$"
status=$?
grep -v ': remark: ' "$RECORDS/$$" >&2
exit $status
"""
CMAKE = """cmake_minimum_required(VERSION 3.20)
project(program C)
add_executable(program %s)
target_compile_options(program PRIVATE %s)
target_link_libraries(program %s)
"""
MESON = """project('program', 'c', default_options: ['buildtype=release'])
executable('program', [%s], c_args: [%s], link_args: [%s])
"""


class Wrapped:
    """A program: `build` and `tests` are commands of its own build system; for the
    others a program of `sources` (patterns, but for `without`) is described in their
    language, and `program` are its tests; without sources it has no others."""

    def __init__(self, name, source, build, tests, sources, flags=(), libraries=(),
                 without=(), program=("{program}",), prepare=None):
        self.name, self.source, self.build, self.tests = name, source, build, tests
        self.sources, self.flags, self.libraries = sources, flags, libraries
        self.without, self.program, self.prepare = without, program, prepare


PROGRAMS = [
    Wrapped("zlib", Debian("zlib", "1.2.13.dfsg"),
            ["./configure --static", "make -j$JOBS"], ["make test"],
            ["*.c", "test/example.c"], ["-DHAVE_UNISTD_H", "-DHAVE_STDARG_H", "-I."]),
    Wrapped("lua", Debian("lua5.4", "5.4.4"), ["make -C src -j$JOBS CC=$CC posix"],
            ["src/lua $DATA/lua_checks.lua"], ["src/*.c"], ["-DLUA_USE_POSIX"],
            ["-lm", "-ldl"], ["src/luac.c"], ["{program} $DATA/lua_checks.lua"]),
    Wrapped("sqlite", Debian("sqlite3", "3.40.1"),
            ["./configure --disable-readline", "make -j$JOBS libsqlite3.la testfixture"],
            ["chmod a+w . && for t in select1 select2 select3 expr where func join sort insert update "
             "delete index trigger1 fts3expr rtree1; do rm -rf test.db* && "
             "su nobody -s /bin/sh -c './testfixture test/'$t.test || exit; done"],
            ["build/sqlite3.c", "test/speedtest1.c"],
            ["-DSQLITE_ENABLE_RTREE", "-Ibuild"], ["-lpthread", "-ldl", "-lm"], (),
            ["{program} --memdb --verify --size 5",
             "{program} --memdb --verify --size 5 --testset fp"],
            compile_time.sqlite_amalgamation),
    Wrapped("darknet", Debian("darknet", "0.0.0+git20180914.61c9d02e"),
            ["mkdir -p obj && make -j$JOBS CC=$CC OPTS=-O3 libdarknet.a",
             "$CC -Iinclude $DATA/darknet_steps.c libdarknet.a -lm -lpthread -o steps"],
            ["sed 's/^batch=.*/batch=1/;s/=28$/=12/' cfg/cifar.cfg > now.cfg && "
             "./steps now.cfg 1 now.weights && cksum now.weights"],
            ["src/*.c", DATA + "/darknet_steps.c"], ["-Iinclude", "-Isrc"],
            ["-lm", "-lpthread"], ["src/compare.c"],
            ["sed 's/^batch=.*/batch=1/;s/=28$/=12/' cfg/cifar.cfg > now.cfg && "
             "{program} now.cfg 1 now.weights && cksum now.weights"]),
]


def describe(row, root, system):
    """Writes what the build system reads; the commands that build then."""
    paths = [p for pattern in row.sources
             for p in sorted(glob.glob(os.path.join(root, pattern)))
             if os.path.relpath(p, root) not in row.without]
    flags = [re.sub("^-I", "-I%s/" % root, f) for f in row.flags] + ["-w"]
    if system == "cmake":
        lists = (" ".join(words) for words in (paths, flags, row.libraries))
        name, text = "CMakeLists.txt", CMAKE % tuple(lists)
        commands = ["cmake -G Ninja -S . -B out -DCMAKE_BUILD_TYPE=Release",
                    "cmake --build out -j$JOBS"]
    else:
        lists = (", ".join("'%s'" % w for w in words)
                 for words in (paths, flags, row.libraries))
        name, text = "meson.build", MESON % tuple(lists)
        commands = ["meson setup out", "meson compile -C out -j$JOBS"]
    with open(os.path.join(root, name), "w") as f:
        f.write(text)
    return commands, [t.format(program="./out/program") for t in row.program]


class Build:
    """One program by one build system, with clang or with dlcc."""

    def __init__(self, tools, source, folder, with_dlcc, jobs):
        # Both are built at one path, which objects may contain.
        self.root = os.path.join(folder, "tree")
        self.kept = os.path.join(folder, "dlcc" if with_dlcc else "clang")
        self.records = os.path.join(folder, "records")
        recorder = os.path.join(folder, "recorder")
        shutil.copytree(source, self.root, symlinks=True)
        os.makedirs(self.records, exist_ok=True)
        with open(recorder, "w") as f:
            f.write(RECORDER)
        os.chmod(recorder, os.stat(recorder).st_mode | stat.S_IXUSR)
        clang = tools.at("clang")
        self.environment = dict(
            os.environ, DATA=DATA, LC_ALL="C", JOBS=str(jobs), RECORDS=self.records,
            CC=tools.dlcc if with_dlcc else clang,
            DLOPT_CC="%s %s" % (recorder, clang))

    def shell(self, command):
        status, text = run(["bash", "-ec", command], 3600, cwd=self.root,
                           env=self.environment)
        return status, NOISE.sub("N", text.replace(self.root, "."))

    def make(self, row, system):
        """What went wrong in the build, or nothing; and what each test says."""
        commands, tests = row.build, row.tests
        if system != "make":
            commands, tests = describe(row, self.root, system)
        for command in commands:
            status, text = self.shell(command)
            if status:
                return "%s: %s" % (command, text[-500:]), []
        return "", [self.shell(t) for t in tests]

    def objects(self):
        return {os.path.relpath(p, self.kept): contents(p) for p in glob.iglob(
            os.path.join(self.kept, "**", "*.o"), recursive=True)}

    def changed_sources(self):
        """Names, without endings, of sources in which the plugin has changed a loop."""
        return {os.path.splitext(os.path.basename(name))[0]
                for path in glob.iglob(os.path.join(self.records, "*"))
                for name in re.findall(r"(?m)^(.*?):\d+:\d+: remark: ", contents(
                    path).decode(errors="replace"))}


def compare(tools, row, system, source, folder, jobs, counts):
    what = "%s by %s" % (row.name, system)
    builds = []
    for with_dlcc in (False, True):
        build = Build(tools, source, folder, with_dlcc, jobs)
        message, tests = build.make(row, system)
        os.rename(build.root, build.kept)
        if message:
            counts.found("failed", "%s does not build by %s: %s" % (
                what, "dlcc" if with_dlcc else "clang", message))
            return
        builds.append((build, tests))
    (plain, expected), (ours, found) = builds
    counts["builds"] += 1
    counts["tests"] += len(found)
    for (status, text), (our_status, our_text) in zip(expected, found):
        if status:
            counts.found("failed", "%s with clang: %s" % (what, text[-300:]))
        elif (status, text) != (our_status, our_text):
            counts.found("different", "%s: exit status %s: %s" % (
                what, our_status, our_text[-300:]))
    objects, ours_objects = plain.objects(), ours.objects()
    if not objects:
        counts.found("failed", "%s leaves no objects to compare" % what)
    others = [n for n in objects if objects[n] != ours_objects.get(n)]
    changed = ours.changed_sources()
    for name in others:
        stem = os.path.basename(name).split(".")[0]
        if not any(stem == c or stem.endswith("_" + c) for c in changed):
            counts.found("changed", "%s: %s, without a kernel" % (what, name))
    print("builds: %s: %d tests, %d of %d objects are other ones (%s)" % (
        what, len(found), len(others), len(objects),
        " ".join(sorted(os.path.basename(n) for n in others)[:8])), flush=True)


def main(tools, arguments):
    programs = PROGRAMS
    if arguments.table:
        programs = runpy.run_path(arguments.table, {
            "Wrapped": Wrapped, "Folder": Folder})["PROGRAMS"]
    names = [n for n in arguments.only.split(",") if n]
    for name in names:
        if name not in [p.name for p in programs]:
            die("no program '%s'; there are: %s" % (
                name, ", ".join(p.name for p in programs)))
    counts = Counts()
    for row in programs:
        if names and row.name not in names:
            continue
        try:
            source = row.source.folder(arguments.cache)
        except Unavailable as reason:
            counts["unavailable"] += 1
            print("unavailable\t%s: %s" % (row.name, reason), flush=True)
            continue
        if row.prepare:
            row.prepare(source)
        for system in ("make", "cmake", "meson") if row.sources else ("make",):
            if not shutil.which(system):
                counts["unavailable"] += 1
                print("unavailable\t%s by %s: it is missing" % (row.name, system))
                continue
            with tempfile.TemporaryDirectory(prefix="dlcc-") as folder:
                os.chmod(folder, 0o755)  # SQLite's tests run as another user
                compare(tools, row, system, source, folder, arguments.jobs, counts)
    print("builds: " + counts.line(("builds", "tests", "unavailable", "failed",
                                    "different", "changed")))
    return counts["failed"] + counts["different"] + counts["changed"]
