#!/usr/bin/env python3
"""Runs the lit suite and the checks on the sources; counts both.

--filter, --filter-out and the variables LIT_FILTER and LIT_FILTER_OUT choose among
both: checks are called "check :: lists" and so on, as tests are "DLOpt :: ...". The
last line is "N passed, N failed"; the exit status says the same.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(SOURCE, "utils", "support"))
import llvm_tools  # noqa: E402

# Programs of test/Exec that run in builds that check themselves, too: some of each
# kind, as these take several times as long.
SELF_CHECKED = (r"Exec/(activations|attention|batch-of-one|called-sums|conditional-.*|"
                r"decided|deep|delayed|distribute|ends|forms|fused-errno)\.")
PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "EXCLUDED", "SKIPPED"}


def run_lit(build, arguments):
    """(passed, failed) of the lit suite; failures are shown by lit itself."""
    lit, why = llvm_tools.find("lit")
    if not lit:
        print(why)
        return 0, 1
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "lit.json")
        done = subprocess.run([
            sys.executable, lit, "-sv", "--time-tests", "--allow-empty-runs", "-o", results,
            *arguments, os.path.join(build, "test")])
        # A filter may choose checks alone.
        if done.returncode == 0 and not os.path.exists(results):
            return 0, 0
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


def checks(build):
    """Name and command of what is checked beside the lit suite."""
    return [
        ("lists", [sys.executable, os.path.join(HERE, "check_lists.py")]),
        ("unity", [sys.executable, os.path.join(HERE, "check_unity.py"), build]),
        ("commands", [sys.executable, os.path.join(HERE, "check_commands.py"), build]),
        ("self-checking programs", [
            sys.executable, llvm_tools.find("lit")[0] or "lit", "-sv", "--param",
            "check=1", "-Dexec_shapes=6", "--filter", SELF_CHECKED,
            os.path.join(build, "test", "Exec")]),
        ("teeth", [sys.executable, os.path.join(HERE, "check_teeth.py"), build]),
        ("fuzz", [sys.executable, os.path.join(SOURCE, "utils", "fuzz", "fuzz.py"),
                  "--plugin", os.path.join(build, "lib", "libDLOpt.so"), "--short",
                  "--keep", os.path.join(build, "fuzz-findings")]),
        ("format", [os.path.join(SOURCE, "scripts", "format"), "--check"]),
    ]


def chosen(name, arguments):
    """Whether what chooses among tests chooses a check, too."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--filter", default=os.environ.get("LIT_FILTER", ""))
    parser.add_argument("--filter-out", default=os.environ.get("LIT_FILTER_OUT", ""))
    wanted, _ = parser.parse_known_args(arguments)
    # As lit does it: anywhere, whatever the case.
    return bool(re.search(wanted.filter, name, re.IGNORECASE)) and not (
        wanted.filter_out and re.search(wanted.filter_out, name, re.IGNORECASE))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Every other argument goes to lit.")
    parser.add_argument("build", help="folder of the build to test")
    args, arguments = parser.parse_known_args()
    build = os.path.abspath(args.build)
    llvm_tools.need_plugin("run_tests.py", os.path.join(build, "lib", "libDLOpt.so"))
    passed, failed = run_lit(build, arguments)
    for name, command in checks(build):
        if not chosen("check :: " + name, arguments):
            continue
        print("-- check %s --" % name, flush=True)
        start = time.monotonic()
        ok = subprocess.run(command, cwd=SOURCE).returncode == 0
        print("%s: %s (%.0f s)" % ("PASS" if ok else "FAIL", name,
                                   time.monotonic() - start), flush=True)
        passed, failed = passed + ok, failed + (not ok)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
