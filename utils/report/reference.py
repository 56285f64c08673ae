#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the pages that are made of the plugin's tables, docs/names.md and
docs/reference.md, and the index of all pages, docs/index.md.

--check says whether they are what would be written.
"""
import argparse
import difflib
import os
import sys

import index
import names
import tables
from definitions import SOURCE

COMMAND = "utils/report/reference.py"
PAGES = {"index.md": index.page, "names.md": names.page, "reference.md": tables.page}


def old_pages(folder):
    """Lines about each page that is not what would be written."""
    for name, page in sorted(PAGES.items()):
        path, text = os.path.join(folder, name), page()
        try:
            with open(path) as f:
                old = f.read()
        except OSError:
            old = ""
        if old != text:
            yield from difflib.unified_diff(old.split("\n"), text.split("\n"),
                                            "docs/" + name, "generated", lineterm="")
            yield "docs/%s: old: run %s" % (name, COMMAND)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", default=os.path.join(SOURCE, "docs"), metavar="DIR",
                        help="where the pages are (%(default)s)")
    parser.add_argument("--check", action="store_true",
                        help="only compare, and fail where they differ")
    args = parser.parse_args()
    if args.check:
        found = list(old_pages(args.folder))
        print("\n".join(found), end="\n" if found else "")
        return 1 if found else 0
    for name, page in PAGES.items():
        text = page()
        with open(os.path.join(args.folder, name), "w") as f:
            f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
