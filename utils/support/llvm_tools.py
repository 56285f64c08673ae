# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds LLVM's tools, those of the one major version that the plugin is for.

That is what DLOPT_LLVM_MAJOR says, else what the build was configured for that the
plugin lies in, else 22. They are looked for in the folder DLOPT_LLVM_BIN, if that is
set; else where Debian has them, then on PATH, with the version in the name and without.
What is missing or of another version is one line.
"""
import functools
import os
import re
import shutil
import subprocess
import sys

BUILT_FOR = None  # the major of the build whose plugin need_plugin was asked for


def major():
    """The major version that tools must have."""
    text = os.environ.get("DLOPT_LLVM_MAJOR") or BUILT_FOR or "22"
    if not re.fullmatch("19|2[0-3]", text):
        sys.exit("DLOPT_LLVM_MAJOR is '%s': there are 19 to 23" % text)
    return int(text)


PACKAGES = {"clang": "clang-%d", "clang++": "clang-%d", "ld.lld": "lld-%d",
            "lit": "llvm-%d-tools", "FileCheck": "llvm-%d-tools",
            "flang": "flang-%d", "mlir-opt": "mlir-%d-tools",
            "mlir-translate": "mlir-%d-tools"}


def package(name):
    """Debian's package of a tool."""
    return PACKAGES.get(name, "llvm-%d") % major()


@functools.lru_cache(maxsize=None)
def version_of(path):
    """The major version that a tool says it has; None if it says nothing."""
    try:
        text = subprocess.run([path, "--version"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=60,
                              errors="replace").stdout
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.search(r"(?:version |^lit )(\d+)\.", text)
    return int(found.group(1)) if found else None


def candidates(name):
    """Paths of the tools of that name, the preferred ones first."""
    if os.environ.get("DLOPT_LLVM_BIN"):
        return [shutil.which(name, path=os.environ["DLOPT_LLVM_BIN"])]
    debian = "/usr/lib/llvm-%d" % major()
    found = [shutil.which(name, path=debian + "/bin"),
             shutil.which("%s-%d" % (name, major())), shutil.which(name)]
    if name == "lit":  # Debian's LLVM 19 has it where LLVM's build had it
        found.insert(1, shutil.which(debian + "/build/utils/lit/lit.py"))
    return found


def explain(name, path=None):
    """Why a tool cannot be used: there is none, or `path` is of another version."""
    if path:
        return "%s is of LLVM %d, the plugin of LLVM %d: install the package %s " \
            "(scripts/setup does)" % (path, version_of(path), major(), package(name))
    chosen = os.environ.get("DLOPT_LLVM_BIN")
    return "%s of LLVM %d is missing%s: install the package %s (scripts/setup " \
        "does)" % (name, major(), " in DLOPT_LLVM_BIN, which is " + chosen
                   if chosen else "", package(name))


def find(name):
    """(path, None), or (None, a line that says why there is none)."""
    wrong = None
    for path in filter(None, candidates(name)):
        if version_of(path) in (None, major()):
            return path, None
        wrong = wrong or path
    return None, explain(name, wrong)


def need(who, name):
    """Path of a tool; without one, the script `who` ends with a line."""
    path, why = find(name)
    if not path:
        sys.exit("%s: %s" % (who, why))
    return path


def check(who, name, path):
    """The same for a tool at a path that somebody gave."""
    if not shutil.which(path):
        sys.exit("%s: there is no %s: install the package %s (scripts/setup does)"
                 % (who, path, package(name)))
    if version_of(path) not in (None, major()):
        sys.exit("%s: %s" % (who, explain(name, path)))
    return path


def need_plugin(who, path):
    """Path of the plugin; without one, the script `who` ends with a line."""
    if not os.path.exists(path):
        sys.exit("%s: no plugin at %s: run scripts/build" % (who, path))
    global BUILT_FOR
    cache = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(path))),
                         "CMakeCache.txt")
    if os.path.exists(cache):
        with open(cache) as f:
            found = re.search(r"^DLOPT_LLVM_MAJOR:\w+=(\d+)$", f.read(), re.MULTILINE)
        BUILT_FOR = found.group(1) if found else None
    return path


def load(plugin):
    """Flags of clang for a plugin and, behind them, options for it by -mllvm: before
    LLVM 22 clang reads those before it loads pass plugins, but behind -fplugin."""
    path = os.path.abspath(plugin)
    early = ["-fplugin=" + path] if major() < 22 else []
    return early + ["-fpass-plugin=" + path]
