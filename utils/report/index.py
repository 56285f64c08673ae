# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/index.md: what pages have a heading for, or a paragraph that begins with its name."""
import collections
import glob
import os
import re

import names
import tables
from definitions import SOURCE

PAGES = ("*.md", "passes/*.md", "tutorials/*.md")
# What pages of passes all have, and what is no term.
COMMON = {"Arguments", "Bits", "Cost", "Example", "How", "Limits", "Measured", "Parameter", "Parameters",
          "Reasons", "Refused", "Remarks", "Results", "Time", "What", "When", "Not yet", "Legal", "Others"}
TOP = """# Index

Generated from the pages by `utils/report/reference.py`. By subject there is [a table of contents](README.md), of names of
options, reasons and instructions [the reference](reference.md), of names of kernels [a page](names.md).
"""


def anchor(heading):
    """As GitHub makes it of a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def lines(text):
    """Lines that are no code."""
    code = False
    for line in text.split("\n"):
        code ^= line.startswith("```")
        if not code:
            yield line


def anchors(text):
    """What links may name in a page."""
    found = set(re.findall(r'<a id="([^"]+)">', text))
    for line in lines(text):
        if line.startswith("#"):
            found.add(anchor(line.lstrip("#")))
    return found


def terms(text):
    """(term, anchor; empty: none) of a page."""
    named = ""
    for line in lines(text):
        found = re.match(r'<a id="([^"]+)"></a>$', line)
        if found:
            named = found.group(1)
            continue
        heading = re.match(r"(##+) (.+)$", line)
        start = re.match(r"\*\*([^*]+?)\.?\*\*", line)
        if heading:
            yield heading.group(2), anchor(heading.group(2))
        elif start:
            yield start.group(1), named
        named = ""


def read_pages():
    """Path from docs/ on -> text, those that are made of tables as they would be."""
    pages = {"names.md": names.page(), "reference.md": tables.page()}
    folder = os.path.join(SOURCE, "docs")
    for pattern in PAGES:
        for path in glob.glob(os.path.join(folder, pattern)):
            name = os.path.relpath(path, folder)
            if name not in pages and name != "index.md":
                with open(path) as f:
                    pages[name] = f.read()
    return pages


def page():
    found = collections.defaultdict(dict)
    titles = {}
    for path, text in sorted(read_pages().items()):
        titles[path] = text.split("\n", 1)[0].lstrip("# ")
        found[titles[path]][titles[path]] = path
        # What tutorials tell one after the other is no list of terms.
        apart = path == "names.md" or path.startswith("tutorials")
        for term, name in terms(text) if not apart else ():
            if term not in COMMON:
                found[term].setdefault(titles[path], path + ("#" + name if name else ""))
    out = [TOP.rstrip()]
    letter = None
    for term in sorted(found, key=lambda t: (t.strip("`").lower(), t)):
        first = term.strip("`")[0].upper()
        first = first if first.isalpha() else "0-9"
        if first != letter:
            letter = first
            out += ["", "## " + letter, ""]
        places = ", ".join("[%s](%s)" % place for place in sorted(found[term].items()))
        out.append("* %s: %s" % (term, places) if list(found[term]) != [term]
                   else "* [%s](%s)" % (term, found[term][term]))
    return "\n".join(out) + "\n"
