#!/usr/bin/env python3
"""Checks lists that nothing else checks.

* FileCheck prefixes in a test that no RUN line of it asks for (FileCheck ignores
  them, so the check is dead);
* tests without a RUN line, which lit does not run where their folder is switched off;
* C++ sources that the CMakeLists.txt beside them does not name;
* parameters of a pass in PassRegistry.def that its page in docs/passes does not
  have, and pages without a pass;
* names of Programs.def that no test expects;
* pages that are made of tables or of pages, if they are old (utils/report/reference.py);
* links of pages to a file or a place in one that is not there;
* primitives of Transforms.def that docs/schedules.md does not have;
* option keys of OptionKeys.def that docs/options.md does not have;
* names of Transformations.def that no pass asks for;
* rows of Reasons.def that no check of a test expects, by name or text;
* deliberate miscompiles of PlantedBugs.def that the file they name does not make, or
  that no test asks for.
"""
import argparse
import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(SOURCE, "utils", "report"))

import index  # noqa: E402
import reference  # noqa: E402

SUFFIXES = (".ll", ".c", ".cpp", ".cu", ".rs", ".f90", ".kernel", ".mlir", ".test")
SUFFIX_OF_CHECK = r"(?:-NEXT|-LABEL|-SAME|-NOT|-DAG|-EMPTY|-COUNT-\d+)"
# Words that lit and people put before a colon in comments.
WORDS = {"RUN", "REQUIRES", "UNSUPPORTED", "XFAIL", "ALLOW_RETRIES", "END",
         "COM", "REM", "TODO", "NOTE", "TEETH", "DEFINE", "REDEFINE"}


def read(path):
    with open(os.path.join(SOURCE, path), errors="replace") as f:
        return f.read()


def files(folder, suffixes):
    for root, dirs, names in os.walk(os.path.join(SOURCE, folder)):
        dirs[:] = sorted(d for d in dirs if d not in ("Inputs", "__pycache__"))
        for name in sorted(names):
            if name.endswith(suffixes):
                yield os.path.relpath(os.path.join(root, name), SOURCE)


def prefixes_asked_for(text):
    asked = set()
    # RUN lines may continue, and DEFINE lines may hold the FileCheck.
    lines = re.findall(r"(?:RUN|DEFINE): *(.*)", text)
    commands = re.sub(r"\\\s*\n", " ", "\n".join(lines))
    # What is asked for in one configuration or another.
    commands = re.sub(r"%if \S+ %\{|%\}(?! *%else)", "",
                      re.sub(r" *%\} *%else *%\{", ",", commands))
    for command in re.split(r"\||&&|;|\n", commands):
        if "FileCheck" not in command:
            continue
        given = re.findall(r"-check-prefix(?:es)?[= ]([\w,.-]+)", command)
        for group in given:
            asked.update(group.split(","))
        if not given:
            asked.add("CHECK")
    return asked


def check_prefixes():
    for path in files("test", SUFFIXES):
        text = read(path)
        if "RUN:" not in text:
            continue
        asked = prefixes_asked_for(text)
        for number, line in enumerate(text.split("\n"), 1):
            match = re.match(r"\s*(?:;|//|#|!)+ *([A-Z][A-Z0-9_-]*)(%s)?:"
                             % SUFFIX_OF_CHECK, line)
            if not match:
                continue
            prefix = re.sub(SUFFIX_OF_CHECK + "$", "", match.group(1))
            if prefix in WORDS or prefix in asked:
                continue
            yield "%s:%d: no RUN line asks for the prefix %s" % (
                path, number, prefix)


def check_run_lines():
    for path in files("test", SUFFIXES):
        if "/Inputs/" not in path and "RUN:" not in read(path):
            yield "%s: no RUN line" % path


def check_sources():
    for folder in ("passes", "utils"):
        for path in files(folder, (".cpp",)):
            lists = os.path.join(os.path.dirname(path), "CMakeLists.txt")
            if not os.path.exists(os.path.join(SOURCE, lists)):
                continue
            name = re.escape(os.path.basename(path))
            if not re.search(r"(?<![\w.-])%s(?![\w.-])" % name, read(lists)):
                yield "%s: not named in %s" % (path, lists)


def check_classes():
    """Two classes of one name would share what the compiler does not inline."""
    where = {}
    for path in [*files("include", (".h",)), *files("passes", (".h",))]:
        for name in re.findall(r"^(?:struct|class) (\w+)(?: final)?(?: : [^;(]*)? \{",
                               read(path), re.MULTILINE):
            if where.setdefault(name, path) != path:
                yield "%s and %s define %s" % (where[name], path, name)


def check_docs():
    rows = re.findall(r'^DLOPT_\w+_PASS\("([^"]+)",\s*\w+,\s*"([^"]*)"\)',
                      read("include/dlopt/PassRegistry.def"), re.MULTILINE)
    pages = {os.path.basename(p)[:-3]
             for p in glob.glob(os.path.join(SOURCE, "docs/passes/*.md"))}
    for name, grammar in rows:
        if not name.startswith("dl-"):
            continue
        if name not in pages:
            yield "docs/passes/%s.md: missing" % name
            continue
        page = read("docs/passes/%s.md" % name).replace("\\|", "|")
        for param in filter(None, grammar.split(";")):
            if "`%s`" % param not in page:
                yield "docs/passes/%s.md: no `%s`, which PassRegistry.def has" \
                    % (name, param)
    for page in sorted(pages - {name for name, _ in rows}):
        yield "docs/passes/%s.md: no such pass in PassRegistry.def" % page
    options = "docs/options.md"
    if not os.path.exists(os.path.join(SOURCE, options)):
        yield options + ": missing"
        return
    page = read(options).replace("\\|", "|")
    for key, values in re.findall(r'^DLOPT_OPTION_KEY\(\w+,\s*"([^"]+)",\s*"([^"]+)"',
                                  read("passes/Support/OptionKeys.def"),
                                  re.MULTILINE):
        if "`%s=%s`" % (key, values) not in page:
            yield "%s: no `%s=%s`, which OptionKeys.def has" % (
                options, key, values)


def check_transformations():
    rows = re.findall(r'^DLOPT_TRANSFORMATION\((\w+),',
                      read("include/dlopt/Transformations.def"), re.MULTILINE)
    code = "\n".join(read(path) for path in files("passes", (".cpp", ".h")))
    for row in sorted(rows):
        if not re.search(r"\bTransformation::%s\b" % row, code):
            yield "Transformations.def: no pass asks for %s" % row


def check_reasons():
    """A reason is expected by its name, or by its text as people see it."""
    checks = "\n".join(
        line for path in files("test", SUFFIXES)
        for line in read(path).split("\n")
        if re.match(r"\s*(?:(?:;|//|#|!)+ *)?[A-Z][A-Z0-9_-]*:", line))
    for name, text in re.findall(r'^DLOPT_REASON\((\w+),\s*"([^"]*)"\)',
                                 read("include/dlopt/Reasons.def"),
                                 re.MULTILINE):
        if not re.search(r"\b%s\b" % name, checks) and text not in checks:
            yield "Reasons.def: no test expects %s" % name


def check_planted():
    asked = set(re.findall(r"\w+", "\n".join(
        [path + "\n" + read(path) for path in files("test", SUFFIXES)])))
    for bug, path in re.findall(r'^DLOPT_PLANTED_BUG\((\w+), "([^"]+)"',
                                read("include/dlopt/PlantedBugs.def"), re.MULTILINE):
        if not re.search(r"\bDLOPT_PLANTED\(\s*%s\)" % bug, read("passes/" + path)):
            yield "PlantedBugs.def: passes/%s does not make %s" % (path, bug)
        if bug not in asked:
            yield "PlantedBugs.def: no test asks for %s" % bug


def check_names():
    rows = set(re.findall(r'^DLOPT_\w+\(\s*"([^"]+)"',
                          read("include/dlopt/Programs.def"), re.MULTILINE))
    tests = "\n".join(read(path) for path in files("test/Names", SUFFIXES))
    for name in sorted(rows):
        if not re.search(r"CHECK.* %s [fi]\d" % re.escape(name), tests):
            yield "Programs.def: no test expects %s" % name


def check_primitives():
    page = read("docs/schedules.md")
    for word in re.findall(r"^TRANSFORM\((\w+),", read("passes/Transform/Transforms.def"),
                           re.MULTILINE):
        if not re.search(r"^\| `%s " % word, page, re.MULTILINE):
            yield "docs/schedules.md: no row for `%s`, which Transforms.def has" % word


def check_reference():
    yield from reference.old_pages(os.path.join(SOURCE, "docs"))


def check_links():
    pages = {path: read(path) for path in glob.glob("**/*.md", root_dir=SOURCE, recursive=True)
             if not path.startswith("build")}
    anchors = {path: index.anchors(text) for path, text in pages.items()}
    for path, text in sorted(pages.items()):
        for line in index.lines(text):
            for link in re.findall(r"\]\(([^)\s:]+)\)", line):
                file, _, name = link.partition("#")
                target = os.path.normpath(os.path.join(os.path.dirname(path), file)) \
                    if file else path
                if not os.path.exists(os.path.join(SOURCE, target)):
                    yield "%s: no file for the link %s" % (path, link)
                elif name and name not in anchors.get(target, ()):
                    yield "%s: no place for the link %s" % (path, link)


def main():
    argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    checks = [check_prefixes, check_run_lines, check_sources, check_classes, check_docs,
              check_names, check_transformations, check_primitives, check_reference, check_links,
              check_reasons, check_planted]
    found = [line for check in checks for line in check()]
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
