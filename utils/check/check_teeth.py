#!/usr/bin/env python3
"""Proves that the tests of a pass fail without the pass.

For every row of PassRegistry.def whose class is XPass and every folder test/X,
the folder is run with the pass switched off (lit --param mute=NAME, which is
-dl-disable=NAME). Every test must fail, except those with a comment
"TEETH: none - WHY". A test in which only a transformation inside a pass matters
says so with "TEETH: NAME" and is run with that one off.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
TEST = os.path.join(SOURCE, "test")
REGISTRY = os.path.join(SOURCE, "include", "dlopt", "PassRegistry.def")
# Folders of code that passes share: tested through these passes.
SHARED = {"Names": "print<dl-kernels>", "Raise": "print<dl-kernels>"}
SUFFIXES = (".ll", ".c", ".cpp", ".cu", ".rs", ".f90", ".kernel", ".mlir", ".test")
sys.path.insert(0, os.path.join(SOURCE, "utils", "support"))
import llvm_tools  # noqa: E402


def read(path):
    with open(path, errors="replace") as f:
        return f.read()


def folders():
    """Folder of tests -> what to switch off."""
    rows = re.findall(r'^DLOPT_\w+_PASS\("([^"]+)",\s*(\w+)Pass,',
                      read(REGISTRY), re.MULTILINE)
    names = {name for name, _ in rows}
    result = {folder: name for name, folder in rows}
    result.update({f: n for f, n in SHARED.items() if n in names})
    return {f: n for f, n in sorted(result.items())
            if os.path.isdir(os.path.join(TEST, f))}


def tests_in(folder):
    for root, dirs, files in os.walk(os.path.join(TEST, folder)):
        dirs[:] = sorted(d for d in dirs if d != "Inputs")
        for name in sorted(files):
            if name.endswith(SUFFIXES):
                yield os.path.join(root, name)


def teeth_of(path):
    """None: switch the pass off. "": none. Else what to switch off."""
    text = read(path)
    if "RUN:" not in text:
        return ""
    match = re.search(r"TEETH:\s*(\S+)(.*)", text)
    if not match:
        return None
    if match.group(1) != "none":
        return match.group(1)
    if not re.match(r"\s*-\s*\S", match.group(2)):
        sys.exit("%s: write 'TEETH: none - WHY'" % os.path.relpath(path, SOURCE))
    return ""


def run_muted(build, mute, paths):
    """The tests among `paths` that pass with `mute` switched off."""
    # lit runs tests by their place under the folder of the configuration.
    places = [os.path.join(build, "test", os.path.relpath(p, TEST))
              for p in paths]
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "lit.json")
        subprocess.run([sys.executable, llvm_tools.need("check_teeth.py", "lit"),
                        "-q", "--param", "mute=" + mute, "-o", results, *places],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(results) as f:
            tests = json.load(f)["tests"]
    if not tests:
        sys.exit("lit found none of the tests muted by " + mute)
    return [t["name"] for t in tests if t["code"] in ("PASS", "XPASS")]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="folder of the build whose tests run")
    build = os.path.abspath(parser.parse_args().build)
    llvm_tools.need_plugin("check_teeth.py",
                           os.path.join(build, "lib", "libDLOpt.so"))
    groups = {}
    exempt = 0
    for folder, name in folders().items():
        for path in tests_in(folder):
            teeth = teeth_of(path)
            if teeth == "":
                exempt += 1
                continue
            groups.setdefault(teeth or name, []).append(path)
    bad = 0
    for mute, paths in sorted(groups.items()):
        toothless = run_muted(build, mute, paths)
        print("%s off: %d of %d tests fail" %
              (mute, len(paths) - len(toothless), len(paths)))
        for name in toothless:
            print("  passes all the same: " + name)
        bad += len(toothless)
    print("%d tests with teeth, %d without, %d exempt" %
          (sum(map(len, groups.values())) - bad, bad, exempt))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
