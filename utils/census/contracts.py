# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of a file of contracts that a whole program has nowhere.

A compilation cannot know: the file is for many. What kinds are is its business, and
names are compared as it does (passes/Support/SpokenNames.cpp).
"""
import re


def read(path):
    """Pairs of line and function."""
    found = []
    with open(path) as f:
        for number, line in enumerate(f, 1):
            function, colon, _ = line.split("#")[0].rpartition(":")
            if colon:
                found.append((number, function.strip()))
    return found


def spoken(name, demangled):
    """What people may call the function `name`."""
    names = {name, demangled}
    if name.endswith("_") and not name.startswith("_"):
        names.add(name[:-1])
    module = re.match(r"_QM([^P]+)P(.+)", name)
    if module:
        names.add("::".join(module.groups()))
    names.add(re.sub(r"::h[0-9a-f]{16}$", "", demangled))
    plain = re.sub(r"\((?!anonymous namespace\)).*$", "", demangled)
    # Instances of templates have their result in front.
    plain = re.sub(r"^[\w:*& ]+ (?=[\w:~]+(<.*>)?$)", "", plain)
    names.add(plain)
    names.add(re.sub(r"<.*>$", "", plain))
    return names


def missing(path, functions):
    """Lines about functions that are not among `functions`: name -> demangled."""
    known = set()
    for name, demangled in functions.items():
        known |= spoken(name, demangled)
    return ["%s:%d: no function '%s' with loops" % (path, number, function)
            for number, function in read(path) if function not in known]
