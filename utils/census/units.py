# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a census is of: compilations, IR and remarks, found and run."""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from typing import NamedTuple, Tuple

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "support"))

import kernels  # noqa: E402
import llvm_tools  # noqa: E402
import remarks  # noqa: E402

PASSES = "^dl-(recognize|noalias|fuse|layout|vectorize)$"
C, CXX = (".c",), (".cc", ".cpp", ".cxx", ".c++", ".C")
FORTRAN = (".f90", ".f95", ".f03", ".f08", ".f", ".F90", ".F")
IR = (".bc", ".ll")
REMARKS = (".opt.yaml", ".opt.yml", ".yaml", ".yml")
# Of a command that compiles for real: what it writes beside the object.
WRITES = {"-o": 2, "-MF": 2, "-MT": 2, "-MQ": 2, "-MJ": 2, "-MD": 1, "-MMD": 1, "-MP": 1,
          "-M": 1, "-MM": 1, "-c": 1, "-S": 1, "-save-temps": 1, "-emit-llvm": 1}
# Where modules of Fortran are written, and read.
MODULES = ("-J", "-module-dir")
JOINED = re.compile(r"-(?:o.+|M[FTQJ].+|save-temps=.*|f(?:no-)?save-optimization-record.*"
                    r"|foptimization-record-.*|fmodules.*|gsplit-dwarf.*|flto.*"
                    r"|Werror.*)$")


class Failure(Exception):
    """Why a unit cannot be counted, in one line."""


class Unit(NamedTuple):
    """A file, and how it becomes remarks."""
    path: str                # the source, or what there is of it
    how: str                 # "compile", "opt" or "read"
    command: Tuple[str, ...] = ()
    folder: str = ""         # where a compilation of a database runs


def language_of(path):
    for suffixes, tool in ((C, "clang"), (CXX, "clang++"), (FORTRAN, "flang")):
        if path.endswith(suffixes):
            return tool
    return None


def file_unit(path):
    """None: a census is not of such files."""
    if language_of(path):
        return Unit(path, "compile", (path,))
    if path.endswith(IR):
        return Unit(path, "opt")
    if path.endswith(REMARKS):
        return Unit(path, "read")
    return None


def strip_command(words):
    """The arguments of a compilation without what it writes."""
    kept, skip = [], 0
    for word in words:
        if skip:
            skip -= 1
        elif word in WRITES:
            skip = WRITES[word] - 1
        elif word in MODULES:
            kept.append("-I")
        elif not JOINED.match(word):
            kept.append(word)
    return kept


def database_units(path):
    """The compilations of a compile_commands.json that a census is of."""
    try:
        with open(path) as f:
            entries = json.load(f)
        units = []
        for entry in entries:
            words = entry.get("arguments") or shlex.split(entry["command"])
            source = entry["file"]
            if not language_of(source):
                continue
            folder = os.path.join(os.path.dirname(os.path.abspath(path)),
                                  entry.get("directory", "."))
            units.append(Unit(os.path.normpath(os.path.join(folder, source)), "compile",
                              tuple(strip_command(words[1:])), folder))
        return units
    except OSError as e:
        raise Failure("%s: %s" % (path, e.strerror))
    except (ValueError, KeyError, TypeError, AttributeError) as e:
        raise Failure("%s: no compilation database: %s" % (path, e))


def folder_units(path):
    units = []
    for folder, dirs, names in os.walk(path):
        dirs.sort()
        for name in sorted(names):
            full = os.path.join(folder, name)
            # Sources need options that only a compilation database has.
            if name.endswith(IR + (".opt.yaml", ".opt.yml")):
                units.append(file_unit(full))
    if not units:
        raise Failure("%s: no bitcode (%s) and no remarks (.opt.yaml) in it"
                      % (path, ", ".join(IR)))
    return units


def find(path):
    """The units that a path of the command line is."""
    if os.path.isdir(path):
        database = os.path.join(path, "compile_commands.json")
        return database_units(database) if os.path.exists(database) \
            else folder_units(path)
    if not os.path.exists(path):
        raise Failure("%s: no such file" % path)
    if path.endswith(".json"):
        return database_units(path)
    unit = file_unit(path)
    if not unit:
        raise Failure("%s: expected a source of C, C++ or Fortran, .bc, .ll, .opt.yaml, "
                      "compile_commands.json or a folder" % path)
    return [unit]


def demangle(names):
    """Name in IR -> as its language has it, where the tool for that is installed."""
    procedures = {name: "::".join(match.groups()) for name in names
                  for match in [re.fullmatch(r"_QM([a-z0-9_]+)P([a-z0-9_]+)", name)] if match}
    names = sorted(names)
    path, _ = llvm_tools.find("llvm-cxxfilt")
    if path and names:
        done = subprocess.run([path], input="\n".join(names), stdout=subprocess.PIPE,
                              text=True)
        spoken = done.stdout.split("\n")
        if len(spoken) >= len(names):
            return dict(zip(names, spoken), **procedures)
    return dict(zip(names, names), **procedures)


def first_error(text):
    """The line of a compiler's output that says what is wrong."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    # A linker has said why, and the compiler that called it says that it did.
    said = [line for line in lines if "linker command failed" not in line]
    return next((line for line in said if "error" in line.lower()
                 or "undefined" in line.lower()),
                lines[-1] if lines else "no output")


class Counter:
    """Counts units with the plugin."""

    def __init__(self, plugin, flags, level, timeout, passes=PASSES):
        self.passes = passes
        self.plugin = plugin
        self.flags = tuple(flags)
        self.level = level
        self.timeout = timeout

    def tool(self, name):
        path, why = llvm_tools.find(name)
        if not path:
            raise Failure(why)
        return path

    def command(self, unit, out):
        if unit.how == "opt":
            return [self.tool("opt"), "-load-pass-plugin=" + self.plugin,
                    "-passes=dl<%s>" % self.level, "-disable-output",
                    "-pass-remarks-output=" + out, "-pass-remarks-filter=" + self.passes,
                    os.path.abspath(unit.path), *self.flags]
        name = language_of(unit.path)
        record = ["-fsave-optimization-record=yaml",
                  "-foptimization-record-passes=" + self.passes,
                  "-foptimization-record-file=" + out]
        # Of what a compilation says of warnings nothing may be an error.
        own = ["-J", os.path.dirname(out)] if name == "flang" \
            else ["-w", "-Qunused-arguments"]
        level = () if unit.folder else ("-" + self.level,)
        return [self.tool(name), *level, *unit.command, *self.flags, *own, *record,
                "-fpass-plugin=" + self.plugin, "-emit-llvm", "-c", "-o", out + ".bc"]

    def run(self, unit):
        """The remarks of a unit."""
        if unit.how == "read":
            return remarks.read(unit.path)
        with tempfile.TemporaryDirectory(prefix="dl-census-") as folder:
            out = os.path.join(folder, "remarks.opt.yaml")
            command = self.command(unit, out)
            try:
                done = subprocess.run(command, cwd=unit.folder or None, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      timeout=self.timeout, errors="replace")
            except subprocess.TimeoutExpired:
                raise Failure("no end after %d s" % self.timeout)
            except OSError as e:
                raise Failure("%s: %s" % (e.filename or command[0], e.strerror))
            if done.returncode:
                raise Failure(first_error(done.stdout))
            # Nobody opens the file for a source without functions.
            return remarks.read(out) if os.path.exists(out) else []

    def count(self, unit, root):
        """The loops of a unit, with paths from `root` on."""
        try:
            found = kernels.fold(self.run(unit), unit.path)
        except remarks.BadRemarks as e:
            raise Failure(str(e))
        return [k._replace(file=shorten(k.file, unit, root)) for k in found]


def locate(path, unit):
    """The file that remarks of `unit` call `path`: from where the compilation runs, or
    from the folder on that both have in common."""
    if os.path.isabs(path) or path == unit.path:
        return os.path.abspath(path)
    if unit.path.endswith("/" + path):
        return os.path.abspath(unit.path)
    folder = os.path.abspath(unit.folder or ".")
    while not os.path.exists(os.path.join(folder, path)):
        if folder == os.path.dirname(folder):
            return None
        folder = os.path.dirname(folder)
    return os.path.join(folder, path)


def shorten(path, unit, root):
    """`path` from `root` on. Remarks that were written elsewhere have paths that only
    say something there."""
    full = locate(path, unit)
    if not full:
        return os.path.normpath(path)
    short = os.path.relpath(full, root)
    return full if short.startswith("..") else short
