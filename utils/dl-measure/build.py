# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a source to IR as its frontend writes it, and that with the plugin, without,
and as the float64 reference."""
import glob
import os
import re
import shutil
import subprocess
from typing import Dict, List, NamedTuple

import irmodule
import kerneltext
import reference
import remarks
import units
import wrapper

HERE = os.path.dirname(os.path.realpath(__file__))
RUST = (".rs",)
PASSES = "^dl-(recognize|vectorize|fuse|layout|noalias)$"
# Flags that matter behind the frontend, too.
BACKEND = re.compile(r"-(?:m|O|f|g|target|-target)")


# Of Built.libraries.
REFERENCE, SOURCE = 2, 3


class Found(NamedTuple):
    """What the plugin says of a function."""
    kernels: List[kerneltext.Kernel]
    arguments: List[Dict[str, str]]     # of each kernel: name -> place
    kinds: List[str]
    messages: List[str]
    left: List[str]                     # loops of which nothing is transformed, and why not
    tiers: List[str]
    is_transformed: bool
    changes_layout: bool                # of global arrays, too


class Built(NamedTuple):
    unit: units.Unit
    module: irmodule.Module
    functions: List[irmodule.Function]  # those with a call, in this order
    found: Dict[str, Found]
    libraries: List[str]                # plain, with the plugin, reference, source ("": none)
    no_reference: Dict[str, str]        # function -> why it has none
    symbols: List[Dict[str, tuple]]     # of each library: data -> (offset, bytes)
    keeps_layout: bool                  # arrays lie as the source says
    without: List[irmodule.Function]    # those that have loops and no kernel


def language_of(path):
    return "rust" if path.endswith(RUST) else units.language_of(path)


def find(path):
    """The units of a path: a source, IR, a compilation database, or a folder with one or
    with sources or IR."""
    if path.endswith(RUST):
        if not os.path.exists(path):
            raise units.Failure("%s: no such file" % path)
        return [units.Unit(path, "compile", (path,))]
    if os.path.isdir(path) and not os.path.exists(os.path.join(path, "compile_commands.json")):
        found = []
        for folder, dirs, names in os.walk(path):
            dirs.sort()
            found += [os.path.join(folder, name) for name in sorted(names)
                      if language_of(name) or name.endswith(units.IR)]
        if not found:
            raise units.Failure("%s: no sources and no bitcode in it" % path)
        return [unit for name in found for unit in find(name)]
    some = [unit for unit in units.find(path) if unit.how != "read"]
    if not some:
        raise units.Failure("%s: expected a source of C, C++, Fortran or Rust, .bc, .ll, "
                            "compile_commands.json or a folder" % path)
    return some


class Builder:
    def __init__(self, plugin, flags, link, timeout):
        self.plugin, self.flags, self.link, self.timeout = plugin, flags, link, timeout

    @staticmethod
    def tool(name):
        path, why = units.llvm_tools.find(name)
        if not path:
            raise units.Failure(why)
        return path

    def run(self, command, folder=None, output=None):
        """Standard output of a command that succeeds."""
        try:
            done = subprocess.run(command, cwd=folder or None, timeout=self.timeout,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, errors="replace",
                                  env=dict(os.environ, RUSTC_BOOTSTRAP="1"))
        except subprocess.TimeoutExpired:
            raise units.Failure("no end after %d s: %s" % (self.timeout, command[0]))
        except OSError as e:
            raise units.Failure("%s: %s" % (e.filename or command[0], e.strerror))
        if done.returncode:
            raise units.Failure(units.first_error(done.stderr or done.stdout))
        return done.stdout

    # -- Source to IR --

    def frontend(self, unit, out):
        """The command that writes IR as it is before optimization."""
        name = language_of(unit.path)
        words = list(unit.command) + self.flags
        level = [] if any(re.match(r"-O[123s]", w) for w in words) else ["-O3"]
        if name == "rust":
            rustc = shutil.which("rustc") or shutil.which(os.path.expanduser(
                "~/.cargo/bin/rustc"))
            if not rustc:
                raise units.Failure("rustc is missing")
            return [rustc, "--crate-type=lib", "-Copt-level=3", "-g", "-Ccodegen-units=1",
                    "-Cno-prepopulate-passes", "-Zcross-crate-inline-threshold=never",
                    "--emit=llvm-ir", "-Awarnings", "-o", out, unit.path, *self.flags]
        if name == "flang":
            return [self.tool(name), *words, *level, "-g", "-fPIC", "-S", "-emit-llvm",
                    # It has no flag that keeps IR as it is.
                    "-mllvm", "-opt-bisect-limit=0", "-J", os.path.dirname(out), "-o", out]
        return [self.tool(name), *words, *level, "-g", "-w", "-Qunused-arguments", "-fPIC",
                "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", out]

    def to_ir(self, unit, folder):
        out = os.path.join(folder, "source.ll")
        if unit.how == "opt":
            self.run([self.tool("opt"), "-S", "-passes=verify", os.path.abspath(unit.path),
                      "-o", out])
        else:
            self.run(self.frontend(unit, out), unit.folder)
        with open(out, errors="replace") as f:
            return irmodule.Module(f.read())

    # -- IR to libraries --

    def compile_flags(self, unit):
        words = list(unit.command) + self.flags if unit.how == "compile" else self.flags
        if language_of(unit.path) == "rust":
            # IR has the CPU of its functions.
            words = []
        kept = [w for w in words if BACKEND.match(w)]
        level = [] if any(re.match(r"-O[123s]", w) for w in kept) else ["-O3"]
        return level + kept + ["-fPIC", "-w", "-Qunused-arguments", "-Wno-override-module"]

    def linker(self, unit):
        name = language_of(unit.path) or "clang"
        if name != "rust":
            return [self.tool("clang++" if name == "clang" and unit.how == "opt" else name)]
        root = self.run(["rustc", "--print", "target-libdir"]).strip()
        return [self.tool("clang"), "-Wl,-rpath," + root] + glob.glob(
            os.path.join(root, "libstd-*.so"))

    def linked(self, folder):
        """What --link names, sources as objects."""
        found = []
        for i, name in enumerate(self.link):
            language = units.language_of(name)
            if language:
                out = os.path.join(folder, "link%d.o" % i)
                self.run([self.tool(language), "-O2", *self.flags, "-fPIC", "-w", "-c", name,
                          "-o", out])
                name = out
            found.append(name)
        return found

    def library(self, unit, name, ir, folder, extra=(), link=()):
        """A library of the module in the file `ir`; paths of it and of its calls."""
        clang = self.tool("clang")
        paths = [os.path.join(folder, name + end) for end in (".o", ".so")]
        self.run([clang, *self.compile_flags(unit), *extra, "-x", "ir", ir, "-c",
                  "-o", paths[0]], unit.folder)
        self.run([*self.linker(unit), "-shared", "-o", paths[1], paths[0],
                  *link, *self.linked(folder), "-lm"])
        return paths[1]

    def wrappers(self, module, functions, folder, wide):
        name = os.path.join(folder, "wide" if wide else "calls")
        with open(name + ".ll", "w") as f:
            f.write(wrapper.module(module, functions, wide))
        self.run([self.tool("clang"), "-O1", "-fPIC", "-w", "-x", "ir", name + ".ll", "-c",
                  "-o", name + ".o"])
        return name + ".o"

    def make_reference(self, unit, module, functions, exported, folder):
        """(library, functions that have no reference with why not)."""
        plain = os.path.join(folder, "sroa.ll")
        wide = os.path.join(folder, "reference.ll")
        try:
            self.run([self.tool("opt"), "-S", "-strip-debug",
                      "-passes=function(sroa,early-cse,simplifycfg)", exported, "-o", plain])
            with open(plain, errors="replace") as f:
                text, missing = reference.rewrite(f.read())
            with open(wide, "w") as f:
                f.write(text)
            shadow = os.path.join(folder, "shadow.o")
            self.run([self.tool("clang"), "-O2", "-fPIC", "-w", "-c",
                      os.path.join(HERE, "shadow.c"), "-o", shadow])
            calls = self.wrappers(module, functions, folder, True)
            return self.library(unit, "reference", wide, folder, ("-ffp-contract=off",),
                                (shadow, calls)), missing
        except units.Failure as e:
            return "", {function.symbol: str(e) for function in functions}

    def build(self, unit, folder, wanted) -> Built:
        """Compiles a unit; `wanted`: names of functions, or none for all with kernels."""
        module = self.to_ir(unit, folder)
        exported = os.path.join(folder, "exported.ll")
        is_rust = language_of(unit.path) == "rust"
        with open(exported, "w") as f:
            f.write("\n".join(module.lines) if is_rust else module.exported())
        found = self.ask(unit, exported, folder)
        functions = choose(module, found, wanted, is_rust)
        without = [] if wanted else [
            function for name, function in module.functions.items()
            if not is_main(name) and name in found and found[name].left
            and not found[name].kernels]
        if not functions:
            return Built(unit, module, [], found, [], {}, [], True, without)
        calls = self.wrappers(module, functions, folder, False)
        plain = self.library(unit, "plain", exported, folder, (), (calls,))
        plugin = self.library(unit, "dlopt", exported, folder,
                              ("-fpass-plugin=" + self.plugin,), (calls,))
        reference_path, why = self.make_reference(unit, module, functions, exported, folder)
        libraries = [plain, plugin, reference_path, ""]
        return Built(unit, module, functions, found, libraries, why,
                     [self.symbols(path) for path in libraries],
                     not any(some.changes_layout for some in found.values()), without)

    def add_source(self, built, folder):
        """Compiles what `built` was made of in `folder` once more, without optimization:
        it touches all that the source does."""
        if not built.libraries[SOURCE]:
            path = self.library(built.unit, "source", os.path.join(folder, "exported.ll"),
                                folder, ("-O0",), (os.path.join(folder, "calls.o"),))
            built.libraries[SOURCE] = path
            built.symbols[SOURCE] = self.symbols(path)

    def symbols(self, path):
        """Data of a library: name -> (offset, bytes)."""
        if not path:
            return {}
        text = self.run([self.tool("llvm-nm"), "--defined-only", "--format=posix", path])
        return {name: (int(at, 16), int(size, 16)) for name, at, size in re.findall(
            r"^(\S+) [bBdD] ([0-9a-f]+) ([0-9a-f]+)$", text, re.MULTILINE)}

    def ask(self, unit, exported, folder):
        """What the plugin finds, by function."""
        out = os.path.join(folder, "remarks.yaml")
        self.run([self.tool("clang"), *self.compile_flags(unit), "-x", "ir", exported,
                  "-fpass-plugin=" + self.plugin, "-fsave-optimization-record=yaml",
                  "-foptimization-record-passes=" + PASSES,
                  "-foptimization-record-file=" + out, "-S", "-emit-llvm", "-o",
                  os.devnull], unit.folder)
        by_function = {}
        for r in remarks.read(out) if os.path.exists(out) else []:
            by_function.setdefault(units.kernels.original(r.function), []).append(r)
        return {name: read_remarks(some) for name, some in by_function.items()}


def read_arguments(text):
    return dict(word.split("=", 1) for word in (text or "").split() if "=" in word)


def read_remarks(some) -> Found:
    texts, arguments, kinds = [], [], []
    for r in some:
        text = remarks.argument(r, "Text")
        if not text:
            continue
        try:
            texts.append(kerneltext.parse(text))
        except kerneltext.BadKernel:
            continue
        arguments.append(read_arguments(remarks.argument(r, "Arguments")))
        kinds.append(remarks.argument(r, "Kernel") or "")
    passed = [r for r in some if r.kind == "Passed" and remarks.argument(r, "Kernel")]
    taken = {(r.file, r.line, r.column) for r in passed}
    left = ["line %d: %s%s" % (r.line, remarks.message(r), remarks.argument(r, "Help") or "")
            for r in some if r.kind == "Missed" and not remarks.argument(r, "OfSystem")
            and (r.file, r.line, r.column) not in taken]
    return Found(texts, arguments, list(dict.fromkeys(kinds)),
                 [remarks.message(r) for r in passed if r.pass_name == "dl-vectorize"]
                 or [remarks.message(r) for r in some if r.kind == "Missed"],
                 list(dict.fromkeys(left)),
                 [remarks.argument(r, "Tier") or "" for r in passed], bool(passed),
                 any(r.pass_name == "dl-layout" and r.kind == "Passed" for r in some))


def is_main(symbol):
    return symbol in ("main", "_QQmain")


def choose(module, found, wanted, is_rust) -> List[irmodule.Function]:
    """Functions to measure, in the order of the source."""
    chosen = []
    spoken = units.demangle(set(module.functions))
    for function in module.functions.values():
        if wanted:
            names = {function.symbol, spoken[function.symbol],
                     re.sub(r"\(.*$", "", spoken[function.symbol]),
                     function.symbol.rstrip("_"),
                     re.sub(r"^.*::", "", re.sub(r"\(.*$", "", spoken[function.symbol]))}
            if names & set(wanted):
                chosen.append(function)
        elif not is_main(function.symbol) and function.symbol in found \
                and found[function.symbol].kernels \
                and not (is_rust and "internal " in module.lines[function.line]):
            chosen.append(function)
    return chosen


def build_driver(builder, folder) -> str:
    """The program that calls functions."""
    path = os.path.join(folder, "driver")
    builder.run([builder.tool("clang"), "-O2", "-w", "-rdynamic", "-o", path,
                 *(os.path.join(HERE, name) for name in ("driver.c", "arena.c",
                                                         "compare.c", "globals.c")), "-lm", "-ldl"])
    return path
