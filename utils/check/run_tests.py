#!/usr/bin/env python3
"""Runs the lit suite and the checks on the sources; counts both.

usage: run_tests.py BUILD [LIT ARGUMENT...]

The last line is "N passed, N failed"; the exit status says the same.
"""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
LLVM_BIN = os.environ.get("DLOPT_LLVM_BIN", "/usr/lib/llvm-22/bin")
PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "EXCLUDED", "SKIPPED"}


def run_lit(build, arguments):
    """(passed, failed) of the lit suite; failures are shown by lit itself."""
    lit = os.path.join(LLVM_BIN, "lit")
    if not os.path.exists(lit):
        print("lit is missing in %s: install the package llvm-22-tools "
              "(scripts/setup does)" % LLVM_BIN)
        return 0, 1
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "lit.json")
        subprocess.run([sys.executable, lit, "-sv", "-o", results, *arguments,
                        os.path.join(build, "test")])
        try:
            with open(results) as f:
                tests = json.load(f)["tests"]
        except (OSError, ValueError):
            print("FAIL: lit wrote no results")
            return 0, 1
    codes = [t["code"] for t in tests]
    skipped = [t["name"] for t in tests if t["code"] in SKIPPED]
    if skipped:
        print("skipped, since something they need is missing: " +
              ", ".join(skipped))
    return (sum(c in PASSED for c in codes),
            sum(c not in PASSED | SKIPPED for c in codes))


def main():
    build = os.path.abspath(sys.argv[1])
    arguments = sys.argv[2:]
    passed, failed = run_lit(build, arguments)
    checks = [
        ("lists", [sys.executable, os.path.join(HERE, "check_lists.py")]),
        ("teeth", [sys.executable, os.path.join(HERE, "check_teeth.py"), build]),
        ("fuzz", [sys.executable, os.path.join(SOURCE, "utils", "fuzz", "fuzz.py"),
                  "--plugin", os.path.join(build, "lib", "libDLOpt.so"), "--short",
                  "--keep", os.path.join(build, "fuzz-findings")]),
        ("format", [os.path.join(SOURCE, "scripts", "format"), "--check"]),
    ]
    for name, command in checks:
        print("-- check %s --" % name, flush=True)
        ok = subprocess.run(command, cwd=SOURCE).returncode == 0
        print("%s: %s" % ("PASS" if ok else "FAIL", name), flush=True)
        passed, failed = passed + ok, failed + (not ok)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
