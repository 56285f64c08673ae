# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What became of each loop: remarks, folded by place in the source.

A loop of the source may be in several functions, instances of a template say, and
counts by the worst of these; but by the best of a function and its copies for some
sizes, which are called in its place. The option `summary` of the plugin counts the
same way.
"""
import re
from typing import NamedTuple

import remarks

# From the best to the worst.
TRANSFORMED, FAST, LEFT, MISSED = FATES = ("transformed", "fast already", "left alone",
                                           "no kernel")
# No kernel, and what is inside is one: it is of no table, and may be why another is lost.
AROUND = "around kernels"
KEPT = (TRANSFORMED, FAST)
# Who switches it off knows; a link has its own remarks.
SILENT = ("Denied", "AwaitsLink")


class Kernel(NamedTuple):
    file: str
    line: int             # 0: not known
    column: int
    function: str
    kind: str             # "matmul.nn f32"; empty: no kernel
    extents: str
    fate: str
    reason: str           # a row of Reasons.def; empty: kept
    message: str

    def rank(self):
        """The better, the lower."""
        return (FATES + (AROUND,)).index(self.fate)

    def place(self):
        return "%s:%d" % (self.file, self.line) if self.line \
            else "%s (%s)" % (self.file, self.function)


def original(function):
    """Of the function that copies were made of."""
    return re.sub(r"(?:\.(?:sizes|layout)(?:\.\d+)?)+$", "", function)


def fate_of(remark):
    """None: it is not on what becomes of a loop."""
    if remark.kind == "Passed":
        # Others are on arrays, or on what is no kernel.
        return TRANSFORMED if remarks.argument(remark, "Kernel") else None
    if remark.kind != "Missed" or remark.name in SILENT \
            or remarks.argument(remark, "OfSystem"):
        return None
    if remark.pass_name == "dl-recognize":
        return AROUND if remarks.argument(remark, "KernelsInside") else MISSED
    if remark.pass_name != "dl-vectorize":
        return None
    return FAST if remark.name == "NoGain" else LEFT


def entry(remark, fate, unit):
    kind, _, extents = (remarks.argument(remark, "Kernel") or "").partition(", ")
    return Kernel(remark.file or unit, remark.line, remark.column,
                  original(remark.function), kind, extents, fate,
                  "" if fate in KEPT else remark.name, remarks.message(remark))


def fold(found, unit):
    """The loops that remarks are on; `unit`: the file that they are in where they
    do not say so."""
    loops, names, joined = {}, {}, {}
    unplaced = 0
    for r in found:
        if r.pass_name == "dl-recognize" and r.name == "Kernel":
            key, named = (r.file or unit, r.line, r.column), entry(r, TRANSFORMED, unit)
            names.setdefault(key, named)
            joined.setdefault(r.function, []).append((key, named))
    for r in found:
        fate = fate_of(r)
        key = (r.file or unit, r.line, r.column)
        # What else is transformed is a part of a kernel.
        if fate is None or (fate == TRANSFORMED and r.file and key not in names):
            continue
        if not r.file:
            # Nobody knows what is said of one loop twice, but for numbers.
            number = remarks.argument(r, "Number")
            if fate == TRANSFORMED and not number:
                continue
            unplaced += fate != TRANSFORMED
            key += (r.function, number if fate == TRANSFORMED else -unplaced)
        instances = loops.setdefault(key, {})
        new = entry(r, fate, unit)
        old = instances.get(new.function)
        if old is None or new.rank() < old.rank():
            instances[new.function] = new
    # What was recognized, and nobody says more of, was joined with others.
    for function in {r.function for r in found if fate_of(r) == TRANSFORMED}:
        for key, named in joined.get(function, ()):
            if named.line and key not in loops:
                loops[key] = {named.function: named}
    result = []
    for key, instances in loops.items():
        worst = max(instances.values(), key=Kernel.rank)
        # As the source has it: transformations join and split.
        if key in names and worst.fate not in (MISSED, AROUND):
            worst = worst._replace(kind=names[key].kind, extents=names[key].extents)
        result.append(worst)
    return sorted(result, key=lambda k: k[:4])


def merge(lists):
    """The loops of several compilations, each once: a header is in many."""
    best = {}
    for kernel in (k for some in lists for k in some):
        key = kernel[:3] + ((kernel.function, kernel.message) if not kernel.line else ())
        old = best.get(key)
        if old is None or kernel.rank() > old.rank():
            best[key] = kernel
    return sorted(best.values(), key=lambda k: k[:4])


def count(some):
    """How many of each fate."""
    return [sum(k.fate == fate for k in some) for fate in FATES]


class Loss(NamedTuple):
    old: Kernel
    why: str


def explain(old, now):
    """Why a kernel is not among `now`, all of the same file and function."""
    same = [k for k in now if k.fate not in KEPT and k.kind == old.kind]
    other = sorted((k for k in now if k.fate in (MISSED, AROUND)),
                   key=lambda k: abs(k.line - old.line))
    for k in same + other:
        return "%s %s [%s]" % (k.place(), k.message, k.reason)
    return "no such kernel any more" if now else "no such function any more"


def by_function(some):
    table = {}
    for k in some:
        table.setdefault((k.file, k.function), []).append(k)
    return table


def is_renamed(old, now):
    """What computes something slightly different has another name where it was."""
    return any(k.fate in KEPT and k.line and (k.line, k.column) == (old.line, old.column)
               for k in now)


def losses(old, new):
    """Kernels that were kept in `old` and are not in `new`. Lines move, so they are
    compared by file, function and kind."""
    now = by_function(new)
    lost = []
    for key, before in sorted(by_function(old).items()):
        there = now.get(key, [])
        left = {}
        for k in there:
            left[k.kind] = left.get(k.kind, 0) + (k.fate in KEPT)
        kept = [k for k in before if k.fate in KEPT and k.kind]
        # What is in its old place is not the one that is lost.
        places = {(k.line, k.kind) for k in there if k.fate in KEPT}
        for k in sorted(kept, key=lambda k: (k.line, k.kind) not in places):
            if left.get(k.kind, 0):
                left[k.kind] -= 1
            elif not is_renamed(k, there):
                lost.append(Loss(k, explain(k, there)))
    return lost


def gains(old, new):
    return [loss.old for loss in losses(new, old)]
