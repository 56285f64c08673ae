# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a report says of each loop: its verdict, as a census has it, and all that
remarks add to it."""
import os
import sys
from typing import Dict, List, NamedTuple, Optional

HERE = os.path.dirname(os.path.realpath(__file__))
for folder in ("census", "support"):
    sys.path.insert(0, os.path.join(os.path.dirname(HERE), folder))

import kernels  # noqa: E402
import kerneltext  # noqa: E402
import remarks  # noqa: E402

# What dl-census asks for, and how kernels are run.
PASSES = "^dl-(recognize|noalias|fuse|layout|vectorize|schedule|fma)$"


class Script(NamedTuple):
    title: str
    text: str
    cycles: Optional[float]   # of a call, as the plugin predicts; None: it does not


class Loop(NamedTuple):
    """A loop of the source."""
    kernel: kernels.Kernel
    spoken: str               # its function, as the language has it
    tiers: List[str]
    notes: List[str]          # what is said of it, the verdict first
    help: str                 # what may be done; empty: nobody knows
    scripts: List[Script]
    texts: List[str]          # kernels, as raised
    work: Optional[kerneltext.Work]  # of all of them; None: sizes are arguments


def place_of(remark, unit):
    return (remark.file or unit, remark.line, remark.column)


def script_of(remark):
    cycles = remarks.argument(remark, "Cycles")
    return Script(remarks.argument(remark, "Name") or "",
                  remarks.argument(remark, "Script") or "",
                  float(cycles) if cycles and cycles.isdigit() else None)


def help_of(some):
    for r in some:
        text = remarks.argument(r, "Help")
        if text:
            return text.replace("; what helps: ", "", 1)
    return ""


def work_of(texts):
    """Of kernels whose sizes are numbers, together."""
    total = kerneltext.Work(0, 0, 0)
    for text in texts:
        try:
            work = kerneltext.parse(text).work({})
        except kerneltext.BadKernel:
            return None
        if work is None:
            return None
        total = kerneltext.Work(*(a + b for a, b in zip(total, work)))
    return total if texts else None


def unique(some):
    return list(dict.fromkeys(filter(None, some)))


def loops_of(found, unit) -> List[Loop]:
    """The loops of a unit, from the remarks of the plugin on it."""
    by_place: Dict[tuple, list] = {}
    for r in found:
        by_place.setdefault(place_of(r, unit), []).append(r)
    result = []
    for k in kernels.fold(found, unit):
        if k.fate not in kernels.FATES:
            continue
        here = by_place.get((k.file, k.line, k.column), [])
        if not k.line:
            here = [r for r in here if kernels.original(r.function) == k.function]
        passed = [r for r in here if r.kind == "Passed"]
        texts = unique(remarks.argument(r, "Text") for r in here
                       if r.pass_name == "dl-recognize")
        others = [remarks.message(r) for r in here if r.kind == "Analysis"
                  and r.pass_name not in ("dl-recognize", "dl-schedule")]
        result.append(Loop(
            k, k.function, unique(remarks.argument(r, "Tier") for r in passed),
            unique([k.message] + [remarks.message(r) for r in passed] + others),
            help_of(r for r in here if r.kind == "Missed" and r.name == k.reason),
            [script_of(r) for r in here if r.pass_name == "dl-schedule"],
            texts, work_of(texts)))
    return result


def merge(lists) -> List[Loop]:
    """The loops of several compilations, each once, by the worst that became of it."""
    found = {}
    for loop in (loop for some in lists for loop in some):
        k = loop.kernel
        key = k[:3] + ((k.function, k.message) if not k.line else ())
        if key not in found or k.rank() > found[key].kernel.rank():
            found[key] = loop
    return sorted(found.values(), key=lambda loop: loop.kernel[:4])
