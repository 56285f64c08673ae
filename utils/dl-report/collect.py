# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles what a report is of, with the plugin and without, and reads what there is."""
import os
import subprocess
import tempfile
from typing import List, NamedTuple, Optional

import listing
import model
import remarks
import units


class Pair(NamedTuple):
    """Code of one unit, before and after."""
    ir: tuple                 # two of listing.Code
    assembly: tuple


class Result(NamedTuple):
    unit: units.Unit
    loops: List[model.Loop]
    pair: Optional[Pair]      # None: not asked for, or there are only remarks


class Recorder(units.Counter):
    """Records remarks, and code on the way."""

    def __init__(self, plugin, flags, level, timeout, with_code, kept=None):
        """`kept`: a cache.Cache, or None."""
        super().__init__(plugin, flags, level, timeout, model.PASSES)
        self.with_code = with_code
        self.kept = kept

    def start(self, command, unit):
        """What it prints."""
        try:
            done = subprocess.run(command, cwd=unit.folder or None, timeout=self.timeout,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, errors="replace")
        except subprocess.TimeoutExpired:
            raise units.Failure("no end after %d s" % self.timeout)
        except OSError as e:
            raise units.Failure("%s: %s" % (e.filename or command[0], e.strerror))
        if done.returncode:
            raise units.Failure(units.first_error(done.stdout))
        return done.stdout

    def commands(self, unit, folder):
        """Of both compilations, to bitcode."""
        after = os.path.join(folder, "after.opt.yaml")
        if unit.how == "opt":
            flags = ["-passes=default<%s>" % self.level, os.path.abspath(unit.path)]
            with_plugin = [self.tool("opt"), "-load-pass-plugin=" + self.plugin,
                           "-pass-remarks-output=" + after,
                           "-pass-remarks-filter=" + self.passes, *flags, *self.flags,
                           "-o", after + ".bc"]
            return with_plugin, [self.tool("opt"), *flags, "-o",
                                 os.path.join(folder, "before.bc")]
        command = self.command(unit, after)
        # Names of sizes; it changes no code.
        command.insert(1, "-g")
        skipped = ("-fsave-optimization-record", "-foptimization-record-", "-fpass-plugin=")
        plain = [word for word in command if not word.startswith(skipped)]
        plain[plain.index(after + ".bc")] = os.path.join(folder, "before.bc")
        return command, plain

    def text(self, path, kind):
        """IR or assembly of bitcode."""
        tool = "llvm-dis" if kind == "ir" else "llc"
        command = [self.tool(tool), path, "-o", "-"]
        if kind == "assembly":
            command[1:1] = ["-O3", "-relocation-model=pic"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=self.timeout, errors="replace")
        return done.stdout if done.returncode == 0 else ""

    def code(self, folder):
        """IR before and after, assembly before and after."""
        paths = [os.path.join(folder, name) for name in ("before.bc", "after.opt.yaml.bc")]
        return [read(self.text(path, kind)).functions
                for kind, read in (("ir", listing.read_ir),
                                   ("assembly", listing.read_assembly)) for path in paths]

    def content(self, unit, command):
        """All that decides what a compilation comes to, or None: nobody knows."""
        if unit.how == "opt":
            with open(unit.path, "rb") as f:
                return f.read().hex()
        # Modules of Fortran are in files of a format of their own.
        if units.language_of(unit.path) == "flang":
            return None
        words = [word for word in command if word not in ("-c", "-emit-llvm")]
        return self.start([*words[:-2], "-E", "-o", "-"], unit)

    def compile(self, unit):
        """(remarks, code or None) of a unit."""
        with tempfile.TemporaryDirectory(prefix="dl-report-") as folder:
            with_plugin, plain = self.commands(unit, folder)
            content = self.content(unit, with_plugin) if self.kept else None
            key = self.kept.key([word.replace(folder, "") for word in with_plugin],
                                unit.folder, self.with_code, content) if content else None
            found = self.kept.get(key) if key else None
            if found:
                return [remarks.Remark(*fields) for fields in found[0]], found[1]
            self.start(with_plugin, unit)
            out = os.path.join(folder, "after.opt.yaml")
            said = remarks.read(out) if os.path.exists(out) else []
            code = None
            if self.with_code and any(loop.kernel.fate == model.kernels.TRANSFORMED
                                      for loop in model.loops_of(said, unit.path)):
                self.start(plain, unit)
                code = self.code(folder)
            if key:
                self.kept.put(key, [said, code])
            return said, code

    def record(self, unit) -> Result:
        if unit.how == "read":
            return Result(unit, model.loops_of(remarks.read(unit.path), unit.path), None)
        said, code = self.compile(unit)
        pair = Pair(tuple(listing.Code(some, listing.CALLED) for some in code[:2]),
                    tuple(listing.Code(some, listing.JUMPED) for some in code[2:])) \
            if code else None
        return Result(unit, model.loops_of(said, unit.path), pair)
