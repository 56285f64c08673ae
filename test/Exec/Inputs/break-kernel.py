#!/usr/bin/env python3
"""Puts a fault into the generated functions of an LLVM IR file.

    break-kernel.py NAME FROM TO < IN > OUT

In functions whose name begins with dl. and has NAME in it, FROM becomes TO.
"""
import re
import sys

name, old, new = sys.argv[1:4]
inside = changed = False
for line in sys.stdin:
    if line.startswith("define "):
        found = re.search(r"@(dl\.[^(]*)\(", line)
        inside = bool(found) and name in found.group(1)
    if inside and old in line:
        line = line.replace(old, new)
        changed = True
    print(line, end="")
if not changed:
    sys.exit("no '%s' in functions 'dl.*%s*'" % (old, name))
