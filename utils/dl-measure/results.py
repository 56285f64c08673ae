# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the driver, and says what its lines mean."""
import os
import statistics
import subprocess
from typing import Dict, List, NamedTuple, Optional

import build
import shapes

STAGES = {"plain": "the plain build", "dlopt": "the build with the plugin",
          "source": "the build without optimization",
          "reference": "the float64 reference", "times": "timing", "": "loading"}


class Failed(Exception):
    """Why a function could not be measured, in one line."""

    def __init__(self, why, stage):
        super().__init__(why)
        self.stage = stage


class Checked(NamedTuple):
    numbers: int
    different: int
    beyond: int                          # more than the tolerance permits
    max_ulp: float
    nans: int
    first: Optional[List[str]]           # argument, index, plain, with the plugin
    varying: int                         # not the same in two plain calls: not compared
    more: int                            # pieces of memory that only the plugin touches
    reach: Dict[int, int]                # argument -> bytes, about
    operations: Optional[int]            # None: there is no reference
    errors: Dict[str, List[float]]       # "plain", "dlopt" -> units in the last place, scaled


class Tolerance(NamedTuple):
    text: str                            # as the user has it
    ulp: float = -1
    absolute: float = 0
    relative: float = 0


BITS = Tolerance("bits")


def tolerance_of(text):
    """`bits`, a number of units in the last place, or ABS:REL."""
    try:
        if text == "bits":
            return BITS
        if ":" in text:
            absolute, relative = (float(part) for part in text.split(":"))
            if absolute >= 0 and relative >= 0:
                return Tolerance(text, 0, absolute, relative)
        elif float(text) >= 0:
            return Tolerance(text, float(text))
    except ValueError:
        pass
    raise ValueError("expected bits, a number of units in the last place or ABS:REL, not "
                     "'%s'" % text)


class Runner:
    def __init__(self, driver, folder, seconds, patience, tolerance):
        self.driver, self.folder = driver, folder
        self.seconds, self.patience, self.tolerance = seconds, patience, tolerance

    def plan(self, built, index, plan):
        path = os.path.join(self.folder, "plan")
        arrays = plan.globals if built.keeps_layout else {}
        lines = ["call dl_measure_call.%d" % index,
                 "seconds %g %g" % (self.seconds, self.patience),
                 "tolerance %g %g %g" % self.tolerance[1:]]
        has_reference = built.functions[index].symbol not in built.no_reference
        lines += ["lib %d %s" % (i, lib) for i, lib in enumerate(built.libraries)
                  if lib and (i != build.REFERENCE or has_reference)]
        for name, (kind, lo, hi) in arrays.items():
            places = [symbols.get(name) for symbols in built.symbols]
            # What is not in both was taken apart, or away.
            if places[0] and places[1] and places[0][1] == places[1][1]:
                lines.append("global %s %s %d %g %g %s" % (
                    name, kind, places[0][1], lo, hi,
                    " ".join(str(at[0] if at else -1) for at in places)))
        with open(path, "w") as f:
            f.write("\n".join(lines + plan.lines) + "\n")
        return path

    def run(self, path, mode):
        """Lines of the driver, as words; Failed if it does not come to its end."""
        limit = 4 * self.patience + 2 * self.seconds + 30
        try:
            done = subprocess.run([self.driver, path, mode], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                  timeout=limit, errors="replace", cwd=self.folder)
        except subprocess.TimeoutExpired:
            raise Failed("no end after %d s" % limit, "")
        # What the function prints is between.
        lines = [line.split() for line in done.stdout.split("\n") if line.strip()]
        stage = next((words[1] for words in reversed(lines) if words[0] == "stage"
                      and len(words) == 2), "")
        if stage == "done":
            return lines
        why = next((" ".join(words[1:]) for words in lines if words[0] == "fail"), "")
        said = next((line.strip() for line in done.stderr.split("\n") if "ssertion" in line), "")
        why = " ".join(filter(None, (why, "(%s)" % said if said else "")))
        lost = next((line for line in done.stderr.split("\n") if "undefined symbol" in line),
                    "")
        if lost or "undefined symbol" in why:
            name = (lost or why).split("undefined symbol:")[-1].strip(" ,.").split(" ")[0]
            raise Failed("it needs '%s', which is not in this file: name an object, a source "
                         "or a library that has it by --link" % name, stage)
        raise Failed("%s: %s" % (STAGES.get(stage, stage), why or end_of(done.returncode)),
                     stage)

    def check(self, built, index, plan) -> Checked:
        lines = self.run(self.plan(built, index, plan), "check")
        get = {}
        for words in lines:
            get.setdefault(words[0], words[1:])
        counts = get["compared"]
        errors = {words[1]: [float(w) for w in words[2:]] for words in lines
                  if words[0] == "error" and len(words) == 4}
        reach = {}
        for words in lines:
            if words[0] == "reach":
                reach[int(words[1])] = reach.get(int(words[1]), 0) + int(words[2])
        return Checked(int(counts[0]), int(counts[1]), int(counts[2]), float(counts[3]),
                       int(counts[4]), get.get("first"), int(get["varying"][0]),
                       int(get["more"][0]), reach,
                       int(get["operations"][0]) if "operations" in get else None, errors)

    def times(self, built, index, plan):
        """Pairs of seconds, in the order in which they were measured."""
        lines = self.run(self.plan(built, index, plan), "time")
        return [(float(words[1]), float(words[2])) for words in lines
                if words[0] == "times" and len(words) == 3]

    def memory(self, built, index, plan, which):
        """(bytes that the process had at most, those of them that the call added)."""
        lines = self.run(self.plan(built, index, plan), "memory-" + which)
        words = next(words for words in lines if words[0] == "memory")
        return int(words[1]), int(words[2])


def end_of(status):
    if status < 0:
        return "ended by signal %d" % -status
    return "it ended the program with status %d" % status


def is_idle(checked):
    """Nothing was read or written that is worth it."""
    return checked.numbers == 0 or checked.operations == 0


def infer(runner, built, index, function, given):
    """(plan, what came of it) with the first sizes that fit."""
    found = built.found.get(function.symbol)
    kernels, arguments = (found.kernels, found.arguments) if found else ([], [])
    failures, idle = [], None
    for guess in shapes.GUESSES:
        plan = shapes.plan(function, kernels, arguments, given, guess)
        try:
            checked = runner.check(built, index, plan)
        except Failed as e:
            # What is no matter of sizes does not get better by others.
            if e.stage not in ("plain", "") or "--link" in str(e):
                raise
            failures.append(e)
            if "no end" in str(e) and len(failures) > 2:
                break                # it is no matter of sizes
            continue
        if checked.nans * 8 > checked.numbers and not guess.positive:
            positive = shapes.plan(function, kernels, arguments, given,
                                   guess._replace(positive=True))
            try:
                again = runner.check(built, index, positive)
                if again.nans < checked.nans:
                    plan, checked = positive, again
            except Failed:
                pass
        if not is_idle(checked):
            return plan, checked
        idle = idle or (plan, checked)
    if idle:
        return idle
    raise Failed("%s; --size NAME=N says other sizes" % failures[0], failures[0].stage)


def median_times(pairs):
    plain, dlopt = zip(*pairs)
    return (statistics.median(plain), statistics.median(dlopt),
            statistics.median(a / b for a, b in pairs))


def verdict(checked, tolerance, is_exact):
    """(whether results are right, in words)."""
    if checked.more:
        return False, "WRONG: touches memory that the source does not"
    if checked.numbers == checked.varying:
        return True, "nothing to compare: neither arguments nor global arrays are written"
    if checked.different == 0:
        varying = ", but for %d that vary from call to call" % checked.varying \
            if checked.varying else ""
        return True, "equal bits" + varying
    where = ""
    if checked.first:
        argument, index, a, b = checked.first
        place = "returns" if argument == "0" else "%s[%s] is" % (
            argument[1:] if argument.startswith("@") else "argument " + argument, index)
        where = ": %s %s without, %s with the plugin" % (place, a, b)
    if checked.beyond == 0:
        return True, "within %s, at most %.3g ulp apart" % (tolerance.text, checked.max_ulp)
    if is_exact or tolerance is not BITS:
        return False, "DIFFERENT%s" % where
    # By flags sums may have another order: no worse than what flags made of the plain one.
    if "plain" in checked.errors:
        plain, dlopt = (checked.errors[name][1] for name in ("plain", "dlopt"))
        if dlopt <= 2 * plain + 1e-6:
            return True, "other bits by flags, error %.2g of the largest (plain %.2g)" % (
                dlopt, plain)
        return False, "LESS EXACT: error %.2g of the largest, plain %.2g" % (dlopt, plain)
    return True, "other bits by flags, at most %.3g ulp apart" % checked.max_ulp
