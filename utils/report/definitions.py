# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the tables (.def) that the plugin and its pages are made of."""
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))


def read(name):
    """The text of a table, by its name in include/dlopt or its path."""
    path = name if os.sep in name else os.path.join("include", "dlopt", name)
    with open(os.path.join(SOURCE, path)) as f:
        return f.read()


def strings(text):
    """The string that adjacent literals are, in front of what follows them."""
    return "".join(re.findall(r'"([^"]*)"', text))


def rows(text, macros):
    """(heading, macro, arguments) of each row; a heading is a comment of one line with an
    empty line in front, as the tables group their rows."""
    heading, blank = None, False
    body = text[text.index("//===----", text.index("//===----", 10) + 10):]
    for part in re.finditer(r"^// (.+)$|^(\w+)(\((?:[^()\"]|\"[^\"]*\")*\))|^$", body,
                            re.MULTILINE):
        if part.group(1):
            if blank:
                heading = part.group(1)
        elif part.group(2) in macros:
            yield heading, part.group(2), part.group(3)[1:-1]
        blank = not part.group(0)


def values(arguments):
    """The arguments of a row, strings without their quotes."""
    found = re.findall(r'\s*("[^"]*"(?:\s*"[^"]*")*|[^,]+)', arguments)
    return [strings(a) if a.startswith('"') else a.strip() for a in found]


def cell(text):
    return text.replace("|", "\\|")
