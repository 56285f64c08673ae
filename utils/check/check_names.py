#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what kernels compute with what their names say.

utils/names/ has a kernel in C and a reference, written from the textbook, for each name
of Programs.def and Kinds.def; a name without one is an error. Checked is

* that the kernel has the name, and that the compiled loops and the interpreted kernel
  give the reference's numbers, for random sizes and values;
* that a name is right where one thing is changed, an operator, a count, an axis: a kernel
  whose results are not those of any reference of its name has a wrong name.

map, reduce and generic say nothing that could be wrong.
"""
import argparse
import collections
import itertools
import os
import random
import re
import runpy
import sys
import tempfile
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
UTILS = os.path.dirname(HERE)
SOURCE = os.path.dirname(UTILS)
sys.path[:0] = [os.path.join(UTILS, "support"), os.path.join(UTILS, "names")]

import llvm_tools  # noqa: E402

WHO = "check_names"
try:
    import numpy as np
except ImportError:
    sys.exit(WHO + ": numpy is missing: install the package python3-numpy "
             "(scripts/setup does)")

import cells  # noqa: E402,F401
import gradients  # noqa: E402,F401
import harness  # noqa: E402
import losses  # noqa: E402,F401
import maps  # noqa: E402,F401
import movements  # noqa: E402,F401
import products  # noqa: E402,F401
import quantization  # noqa: E402,F401
import rows  # noqa: E402,F401
import steps  # noqa: E402,F401
import windows  # noqa: E402,F401
from cases import CASES, same  # noqa: E402
from known_names import KNOWN  # noqa: E402
from mutants import mutants  # noqa: E402

GENERAL = ("map", "reduce", "generic", harness.NO_KERNEL)


def names_of_tables(folder):
    """All names, in the order of the tables."""
    names = []
    for table in ("Kinds", "Programs"):
        with open(os.path.join(folder, table + ".def")) as f:
            names += re.findall(r'^DLOPT_\w+\(\s*"([^"]+)"', f.read(), re.MULTILINE)
    return [n for n in dict.fromkeys(names) if n not in GENERAL]


class Mutant:
    def __init__(self, case, function, what, code):
        self.case, self.function, self.what, self.code = case, function, what, code
        self.name = None


class Checker:
    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        plugin = llvm_tools.need_plugin(WHO, args.plugin)
        self.tool = os.path.join(os.path.dirname(os.path.dirname(plugin)), "bin",
                                 "dl-kernels")
        self.harness = harness.Harness(llvm_tools.need(WHO, "clang"),
                                       llvm_tools.need(WHO, "opt"),
                                       os.path.abspath(plugin), folder)
        self.findings = []
        self.names = names_of_tables(args.tables)
        self.counts = collections.Counter()
        self.by_name = collections.defaultdict(list)
        for c in CASES:
            self.by_name[c.name].append(c)
        self.cases = [c for c in CASES if re.fullmatch(args.names, c.name)]

    def find(self, text):
        self.findings.append(text)
        print(text, flush=True)

    def check_tables(self):
        for name in self.names:
            if name not in self.by_name:
                self.find("%s: no reference in utils/names" % name)
        for name in self.by_name:
            if name not in self.names:
                self.find("%s: a reference in utils/names, and in no table" % name)

    def random(self, *key):
        return random.Random("%d %s" % (self.args.seed, " ".join(map(str, key))))

    # Kernels as they are

    def check_cases(self):
        functions = [c.function("k%d" % i) for i, c in enumerate(self.cases)]
        kernels = self.harness.kernels(functions)
        library = self.harness.library(functions)
        for i, c in enumerate(self.cases):
            found = kernels.get("k%d" % i, [])
            names = [name for name, _ in found]
            self.counts["kernels"] += 1
            if ", ".join(names) != (c.parts or c.name):
                self.find("%s: is %s: %s" % (c.name, ", ".join(names) or "no kernel", c.code))
            self.run_case(i, c, getattr(library, "k%d" % i),
                          found[0][1] if names == [c.name] else None)

    def run_case(self, i, c, function, text):
        for n in range(self.args.instances):
            rnd = self.random(c.name, i, n)
            sizes = c.draw_sizes(rnd)
            values = c.draw(rnd, sizes)
            want = c.expect(values, sizes)
            got = harness.call(function, c, values, sizes)
            self.counts["instances"] += 1
            if not all(same(g, w) for g, w in zip(got, want)):
                self.find("%s: not what the reference says, sizes %s: %s"
                          % (c.name, sizes, c.code))
                return
            if text and n < self.args.interpreted:
                got = harness.interpret(self.tool, text, c, values, sizes, self.folder)
                self.counts["interpreted"] += got is not None
                if got and not all(same(g, w) for g, w in zip(got, want)):
                    self.find("%s: the interpreter says something else, sizes %s:\n%s"
                              % (c.name, sizes, text))
                    return

    # With one thing changed

    def draw_mutants(self):
        made = []
        for i, c in enumerate(self.cases):
            found = mutants(c) if c.changed else []
            if self.args.mutants and len(found) > self.args.mutants:
                found = self.random("mutants", c.name, c.code).sample(found, self.args.mutants)
            for j, (what, code) in enumerate(found):
                made.append(Mutant(c, "m%d_%d" % (i, j), what, code))
        texts = [m.case.function(m.function, m.code) for m in made]
        kept = self.harness.compilable(texts)
        return [m for m, ok in zip(made, kept) if ok]

    def check_mutants(self):
        made = self.draw_mutants()
        texts = [m.case.function(m.function, m.code) for m in made]
        kernels = self.harness.kernels(texts)
        self.counts["mutants"] = len(made)
        for m in made:
            names = [name for name, _ in kernels.get(m.function, [])]
            # Of several kernels none is what the function computes.
            if len(names) == 1 and names[0] not in GENERAL:
                m.name = names[0]
        named = [m for m in made if m.name]
        self.counts["named"] = len(named)
        library = self.harness.library([m.case.function(m.function, m.code)
                                        for m in named])
        for m in named:
            self.judge(m, getattr(library, m.function))

    def judge(self, m, function):
        """Whether a mutant computes what its name says."""
        instances = []
        for n in range(3):
            rnd = self.random("judge", m.function, n)
            # Of other axes there are views, if all have one length.
            sizes = m.case.draw_sizes(rnd, equal="swapped" in m.what)
            values = m.case.draw(rnd, sizes)
            got = harness.call(function, m.case, values, sizes)
            results = [Result(g, values[name]) for g, name in zip(got, m.case.outputs)]
            if any(r.written.any() for r in results):
                instances.append((values, sizes, results))
        # What writes nothing, or no numbers, has no meaning that a name could miss.
        if not instances or not any(np.isfinite(r.got).all() for _, _, results in instances
                                    for r in results):
            self.counts["unjudged"] += 1
            return
        if any(self.agrees(r, m, instances) for r in self.by_name.get(m.name, [])):
            self.counts["right"] += 1
            return
        if (m.name, m.case.name) in KNOWN:
            self.counts["known"] += 1
            return
        self.find("%s: a wrong name: of %s, %s: %s"
                  % (m.name, m.case.name, m.what, m.code))

    def agrees(self, reference, m, instances):
        """Whether for some choice of arrays and numbers the reference has the results
        in all instances."""
        arrays = [a.name for a in m.case.args if a.sizes]
        own = [a.name for a in m.case.args if not a.sizes]
        literals = {1.0} | {float(t.rstrip("f")) for t in re.findall(
            r"(?<![\w.])\d+\.?\d*(?:e[-+]?\d+)?f?", m.code)}
        numbers = [(n, sign) for n in own + arrays for sign in (1, -1)] + [(None, None)] + \
            [(None, v) for n in sorted(literals) for v in (n, -n)]
        ranks = {a.name: len(a.sizes) for a in m.case.args}
        many = sum(bool(a.sizes) for a in reference.inputs) > 3
        # Those that have the same names first.
        choices = [[(n, None) for n in sorted(arrays, key=lambda n: n != a.name)
                    if not many or ranks[n] == len(a.sizes)]
                   if a.sizes else numbers for a in reference.inputs]
        views = VIEWS + (SCALED if reference.scores else ()) + \
            (WINDOWS if reference.windows else ())
        tried = 0
        for chosen in itertools.product(*choices):
            # A number may be found from the results, if it is the only one.
            if sum(c == (None, None) for c in chosen) > 1:
                continue
            tried += 1
            if tried > self.args.choices:
                break
            names = [n for a, (n, _) in zip(reference.inputs, chosen) if a.sizes]
            ways = ways_to_see(names, views)
            if any(all(fits(reference, chosen, way, *one) for one in instances)
                   for way in ways):
                return True
        return False


def ways_to_see(names, views):
    """A view for each array: the same of all, another one of the first, which scores are
    scaled in, and two of one array, as a row and a column are."""
    others = (VIEWS[0],) * (len(names) - 1)
    ways = [(view,) * len(names) for view in views]
    ways += [(view,) + others for view in views if others and view in SCALED]
    for second in range(1, len(names)):
        if names[second] == names[0]:
            ways += [(view,) + others[:second - 1] + (other,) + others[second:]
                     for view, other in itertools.product(views, repeat=2)]
    return ways


class Result:
    """An array that a function writes."""

    def __init__(self, got, before):
        self.got, self.before, self.written = got, before, got != before

    def is_of(self, want):
        """Whether it is `want`, or `want` for each round of a loop around it, in as far as
        anything was written; `before` plus or minus that is as good."""
        if not self.written.any():
            return True
        rank = self.got.ndim
        if want.shape == self.got.shape or want.ndim > rank:
            return self.has(want)
        return any(self.has(np.expand_dims(want, around)) for around in
                   itertools.combinations(range(rank), rank - want.ndim)) or \
            self.has(want.T) or \
            (want.size == self.got.size and self.has(want.reshape(self.got.shape)))

    def has(self, want):
        try:
            want = np.broadcast_to(want, self.got.shape)
        except ValueError:
            return False
        w = self.written
        gained = (self.got.astype(np.float64) - self.before)[w]
        return same(self.got[w], want[w]) or any(
            same(gained, sign * some[w]) for sign in (1, -1)
            for some in (want, want - self.before))


def fits(reference, chosen, views, values, sizes, results):
    known, free, views = {}, None, iter(views)
    for a, (name, number) in zip(reference.inputs, chosen):
        if not name:
            free = a.name if number is None else free
            known[a.name] = np.array(number or 0, np.float32)
        elif a.sizes:
            v, view = values[name], next(views)
            if a.type not in ("float", "double") and v.dtype.kind == "f":
                return False
            try:
                known[a.name] = view(v) if v.dtype.kind == "f" else v
            except ValueError:  # too small
                return False
        else:
            known[a.name] = values[name].ravel()[0].astype(np.float32) * number
    bound = dict(sizes)
    for a in reference.inputs:
        if a.sizes:
            bound.update(zip((s for s in a.sizes if s in reference.sizes),
                             known[a.name].shape))
    bound.update({s: int(t) for s, t in reference.fixed.items() if t.isdigit()})
    for s in reference.sizes:
        bound.setdefault(s, 1)

    def evaluate(**more):
        known.update({k: np.array(v, np.float32) for k, v in more.items()})
        return np.asarray(reference.expect(known, bound)[0], np.float64)

    try:
        if free:
            solve(evaluate, free, known, results[0].got)
        want = evaluate()
    except (ValueError, IndexError, TypeError, ZeroDivisionError):
        return False
    return any(r.is_of(want) for r in results)


def solve(evaluate, name, known, got):
    """The number for which the reference has the first result, if it is linear."""
    at1, at2 = (evaluate(**{name: v}).ravel() for v in (1, 2))
    step = (at2 - at1)[:got.size]
    if step.any():
        i = int(np.argmax(np.abs(step)))
        known[name] = np.array(1 + (got.ravel()[i] - at1[i]) / step[i], np.float32)


# What a kernel may be given of an array.
VIEWS = (lambda v: v, lambda v: v.T, lambda v: v.ravel(),
         lambda v: v.swapaxes(-1, -2) if v.ndim > 2 else v[:1],
         lambda v: v[0] if v.ndim > 1 else v, lambda v: v[..., ::2], lambda v: v[..., 1::2],
         lambda v: v.reshape(v.shape[0], -1) if v.ndim > 1 else v,
         lambda v: v.reshape(v.shape[:2] + (-1,)) if v.ndim > 2 else v)
def windows_of(v, dims, kept):
    """Windows of 3 elements along the last axes, as rows; all but the first axes that are
    kept are in the rows, too."""
    if v.ndim < dims + kept:
        return v
    view = np.lib.stride_tricks.sliding_window_view(v, (3,) * dims, range(-dims, 0))
    view = np.moveaxis(view, range(kept, v.ndim - dims), range(kept - v.ndim + dims, 0))
    return view.reshape(view.shape[:kept + dims] + (-1,))


WINDOWS = tuple(lambda v, d=d, k=k: windows_of(v, d, k) for d in (1, 2, 3) for k in (0, 1))
SCALED = (lambda v: -v, lambda v: v * np.log(2))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", default=os.path.join(SOURCE, "build", "lib",
                                                         "libDLOpt.so"),
                        help="the plugin (%(default)s)")
    parser.add_argument("--instances", type=int, default=5, metavar="N",
                        help="random sizes and values of each kernel (%(default)s)")
    parser.add_argument("--interpreted", type=int, default=1, metavar="N",
                        help="how many of them the interpreter runs (%(default)s)")
    parser.add_argument("--mutants", type=int, default=0, metavar="N",
                        help="changes of each kernel, 0: all (%(default)s)")
    parser.add_argument("--choices", type=int, default=2000, metavar="N",
                        help="assignments of arrays to a reference that are tried")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    parser.add_argument("--names", default=".*", metavar="REGEX", help="only these names")
    parser.add_argument("--tables", default=os.path.join(SOURCE, "include", "dlopt"),
                        metavar="FOLDER", help="where Programs.def and Kinds.def are")
    parser.add_argument("--cases", metavar="FILE", help="more kernels and references, Python")
    args = parser.parse_args()
    if args.cases:
        runpy.run_path(args.cases)
    warnings.simplefilter("ignore", RuntimeWarning)  # statistics of one element
    with tempfile.TemporaryDirectory(prefix="check-names-") as folder:
        checker = Checker(args, folder)
        try:
            checker.check_tables()
            checker.check_cases()
            checker.check_mutants()
        except harness.Failure as e:
            sys.exit("%s: %s" % (WHO, e))
    n = checker.counts
    print("%d names, %d kernels, %d instances, %d interpreted; %d changed, %d named, "
          "%d of them without results, %d rightly, %d known; %d findings"
          % (len(checker.names), n["kernels"], n["instances"], n["interpreted"],
             n["mutants"], n["named"], n["unjudged"], n["right"], n["known"], len(checker.findings)))
    return 1 if checker.findings else 0


if __name__ == "__main__":
    sys.exit(main())
