#!/usr/bin/env python3
"""Writes the checks of .ll tests from what the passes do today.

For each RUN line of the form "%opt ... -S %s | FileCheck %s [--check-prefix=P]"
the command is run and, for each function, the lines "; P..." behind its "define"
are replaced by a P-LABEL line and a chain of P-NEXT lines in which the names of
local values are captures. Functions that the test does not define (generated
ones) get no checks. What is written must still be read: it records what
happened, right or wrong. --all updates the files that carry the marker line.
"""
import argparse
import glob
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(SOURCE, "utils", "support"))
import llvm_tools  # noqa: E402

MARKER = "; Checks of functions are written by utils/check/update_checks.py."
SUFFIXES = r"(?:-NEXT|-LABEL|-SAME|-EMPTY)?"
LOCAL = re.compile(r"%(?:[-a-zA-Z$._0-9]+|\"[^\"]*\")")


def run_lines(text):
    lines = re.findall(r"^; *RUN: *(.*)$", text, re.MULTILINE)
    return re.sub(r"\\\n\s*", " ", "\n".join(lines)).split("\n")


def commands(text):
    """(prefix, opt command) of the RUN lines that this script understands."""
    for line in run_lines(text):
        opt, bar, check = line.partition("|")
        if not bar or not opt.strip().startswith("%opt") or \
           " -S" not in opt or not check.strip().startswith("FileCheck %s"):
            continue
        prefixes = re.findall(r"-check-prefix(?:es)?[= ]([\w,.-]+)", check)
        for prefix in ",".join(prefixes or ["CHECK"]).split(","):
            yield prefix, opt.strip()


def functions(ir):
    """Name -> lines of the definition, without comments and numbers."""
    result = {}
    for match in re.finditer(r"^define [^\n]*?@([-\w.$]+|\"[^\"]*\")\(.*?^}$", ir,
                             re.MULTILINE | re.DOTALL):
        lines = []
        for line in match.group(0).split("\n"):
            line = re.sub(r"\s*; preds = .*$", "", line)
            lines.append(line.rstrip())
        result[match.group(1)] = lines
    return result


def with_captures(line, names):
    """Local names become captures: defined at first sight, used afterwards."""
    def capture(name):
        if name in names:
            return "[[%s]]" % names[name]
        wanted = re.sub(r"\W", "_", name).upper().strip("_") or "V"
        if wanted[0].isdigit():
            wanted = "V" + wanted
        while wanted in names.values():
            wanted += "_"
        names[name] = wanted
        return "[[%s:.*]]" % wanted

    line = line.replace("[[", "{{\\[\\[}}")
    label = re.match(r"([-a-zA-Z$._0-9]+):$", line)
    if label:
        return capture(label.group(1)) + ":"
    line = LOCAL.sub(lambda m: "%" + capture(m.group(0)[1:]), line)
    line = re.sub(r"(?<=[ ,(])!(\d+)", "{{![0-9]+}}", line)
    return re.sub(r" #\d+", " {{#[0-9]+}}", line)


def checks(prefix, lines):
    names = {}
    head = lines[0]
    name = re.search(r"@([-\w.$]+|\"[^\"]*\")\(", head)
    block = ["; %s-LABEL: %s" % (prefix, head[:name.end()])]
    rest = head[name.end():]
    if rest:
        # The label line has no captures: they would not survive it.
        block.append("; %s-SAME:  %s" % (prefix, with_captures(rest, names)))
    for line in lines[1:]:
        if line:
            block.append("; %s-NEXT:  %s" % (prefix, with_captures(line, names)))
        else:
            block.append("; %s-EMPTY:" % prefix)
    return block


def update(path, build):
    """Rewrites one test; what is wrong with it as text."""
    with open(path) as f:
        text = f.read()
    found = list(commands(text))
    if not found:
        return "%s: no RUN line '%%opt ... -S %%s | FileCheck %%s'" % path
    plugin = os.path.join(build, "lib", "libDLOpt.so")
    folder = os.path.dirname(llvm_tools.need("update_checks.py", "opt"))
    outputs = {}
    for prefix, opt in found:
        if prefix in outputs:
            continue
        command = opt.replace(
            "%opt", "opt -load-pass-plugin=" + shlex.quote(plugin))
        command = command.replace("%src", SOURCE).replace("%S", os.path.dirname(path))
        command = re.sub(r"%s\b", path, command)
        done = subprocess.run(command, shell=True, stdout=subprocess.PIPE,
                              universal_newlines=True,
                              env=dict(os.environ, PATH=folder + ":" +
                                       os.environ.get("PATH", "")))
        if done.returncode:
            return "%s: failed: %s" % (path, command)
        outputs[prefix] = functions(done.stdout)

    ours = re.compile(r"^; (?:%s)%s:" % ("|".join(map(re.escape, outputs)), SUFFIXES))
    result, inside = [], False
    for line in text.split("\n"):
        define = re.match(r"define [^\n]*?@([-\w.$]+|\"[^\"]*\")\(", line)
        if inside and ours.match(line):
            continue
        result.append(line)
        if define:
            inside = True
            for prefix, bodies in outputs.items():
                if define.group(1) in bodies:
                    result += checks(prefix, bodies[define.group(1)])
        elif line == "}":
            inside = False
    if MARKER not in text:
        result.insert(0, MARKER)
    with open(path, "w") as f:
        f.write("\n".join(result))
    return None


def marked():
    """The tests that carry the marker line."""
    for path in glob.glob(os.path.join(SOURCE, "test", "**", "*.ll"), recursive=True):
        with open(path) as f:
            if MARKER in f.read():
                yield path


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="*", metavar="TEST.ll")
    parser.add_argument("--all", action="store_true",
                        help="the tests that carry the marker line, too")
    parser.add_argument("--build", default=os.path.join(SOURCE, "build"))
    args = parser.parse_args()
    paths = [os.path.abspath(t) for t in args.tests] + (
        list(marked()) if args.all else [])
    if not paths:
        parser.error("no tests: name some, or write --all")
    build = os.path.abspath(args.build)
    llvm_tools.need_plugin("update_checks.py",
                           os.path.join(build, "lib", "libDLOpt.so"))
    errors = []
    for path in sorted(paths):
        try:
            errors.append(update(path, build))
        except OSError as e:
            errors.append("%s: %s" % (path, e.strerror))
    for error in filter(None, errors):
        print(error)
    return 1 if any(errors) else 0


if __name__ == "__main__":
    sys.exit(main())
