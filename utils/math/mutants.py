#===- mutants.py - Formulas that are nearly the same ----------------------===//
#
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Variants of a function as dl-math --models writes it, as IR: what another library
might compute whose formula is nearly the same."""

import math
import re
import struct
import sys

OPERATION = re.compile(r"^  (%\S+) = (fadd|fsub|fmul|fdiv) (<\d+ x (?:float|double)>) (.*)$")
FUSED = re.compile(r"^  (%\S+) = call (<.*?>) @llvm\.fma\.\S+?\((.*)\)$")
FENCE = re.compile(r"^  (%\S+) = call (<.*?>) @llvm\.arithmetic\.fence\.\S+\(<.*?> (%\S+)\)$")
SPLAT = re.compile(r"splat \((float|double) ([^)]+)\)")
PERMUTED = re.compile(r"^  (%\S+) = call <8 x float> @llvm\.x86\.avx\S*?\(<8 x float> <([^>]*)>,")


def split_operands(text):
    """At commas that are in no parentheses."""
    return re.split(r", (?![^()<>]*[)>])", text)


def read_number(text, kind):
    if text.startswith("0x"):
        return struct.unpack(">d", bytes.fromhex(text[2:].rjust(16, "0")))[0]
    return float(text)


def write_number(x):
    return "0x" + struct.pack(">d", x).hex().upper()


def move(x, kind):
    """By a unit in the last place; a double to one that is as far as 2^-28."""
    if kind == "double":
        return x * (1 + 2.0 ** -28)
    bits = struct.unpack("<I", struct.pack("<f", x))[0] + 1
    return struct.unpack("<f", struct.pack("<I", bits))[0]


class Formula:
    """The lines of a function and what they define."""

    def __init__(self, text):
        self.lines = text.split("\n")
        self.at = {}
        self.fenced = {}
        for i, line in enumerate(self.lines):
            match = OPERATION.match(line)
            if match:
                self.at[match[1]] = (i, match[2], match[3], split_operands(match[4]))
            match = FENCE.match(line)
            if match:
                self.fenced[match[1]] = match[3]

    def product(self, name):
        """The factors of what is rounded behind them, or None."""
        name = self.fenced.get(name, name)
        if name in self.at and self.at[name][1] == "fmul":
            return self.at[name][3]
        return None

    def with_lines(self, changes):
        """The text with some lines changed, each to one or several."""
        return "\n".join(changes.get(i, line) for i, line in enumerate(self.lines))


def fuse(formula, name, which):
    """The line of a sum whose operand is a product, fused with it."""
    i, opcode, kind, operands = formula.at[name]
    x, y = formula.product(operands[which])
    other = operands[1 - which]
    lines = []
    if opcode == "fsub":
        negated = [other, x][which]
        new = "%m" + name[1:]
        lines.append("  %s = fneg %s %s" % (new, kind, negated))
        x, other = [(x, new), (new, other)][which]
    suffix = "v%sf%s" % (re.search(r"\d+", kind)[0], 64 if "double" in kind else 32)
    lines.append("  %s = call %s @llvm.fma.%s(%s)" % (
        name, kind, suffix, ", ".join("%s %s" % (kind, v) for v in (x, y, other))))
    return {i: "\n".join(lines)}


def contractions(formula):
    """Each product that is rounded, fused with a sum behind it; and all of them."""
    sites = []
    for name, (_, opcode, _, operands) in formula.at.items():
        if opcode in ("fadd", "fsub"):
            sites += [(name, k) for k in (0, 1) if operands[k] in formula.fenced and
                      formula.product(operands[k])]
    everything = {}
    for name, k in sites:
        change = fuse(formula, name, k)
        yield "%s fused" % name, formula.with_lines(change)
        everything.update(change)
    if everything:
        yield "all fused", formula.with_lines(everything)


def separations(formula):
    """Each fused product and sum rounded by themselves, and all of them."""
    everything = {}
    for i, line in enumerate(formula.lines):
        match = FUSED.match(line)
        if not match:
            continue
        name, kind, text = match.groups()
        x, y, z = (v[len(kind) + 1:] for v in split_operands(text))
        product = "%%m%s.p" % name[1:]
        change = {i: "  %s = fmul %s %s, %s\n  %s = fadd %s %s, %s" % (
            product, kind, x, y, name, kind, product, z)}
        yield "%s separate" % name, formula.with_lines(change)
        everything.update(change)
    if everything:
        yield "all separate", formula.with_lines(everything)


def find_chain(formula, name):
    """Coefficients, the lowest first, and the argument of a polynomial by Horner's
    rule that ends at a sum."""
    coefficients, argument = [], None
    while name in formula.at and formula.at[name][1] == "fadd":
        coefficient, product = formula.at[name][3]
        factors = formula.product(product)
        if not factors or argument not in (None, factors[0]):
            break
        argument = factors[0]
        coefficients.append(coefficient)
        name = factors[1]
    return coefficients + [name], argument


def orders(formula):
    """Polynomials over even and over odd powers."""
    inner = set()
    for name in reversed(list(formula.at)):
        coefficients, argument = find_chain(formula, name)
        if name in inner or len(coefficients) < 4:
            continue
        i, _, kind, _ = formula.at[name]
        stem = "%m" + name[1:]
        lines = ["  %s.s = fmul %s %s, %s" % (stem, kind, argument, argument)]
        sums = []
        for parity in (0, 1):
            own = coefficients[parity::2]
            total = own[-1]
            for k, coefficient in reversed(list(enumerate(own[:-1]))):
                new = "%s.%d.%d" % (stem, parity, k)
                lines.append("  %s.p = fmul %s %s.s, %s" % (new, kind, stem, total))
                lines.append("  %s = fadd %s %s, %s.p" % (new, kind, coefficient, new))
                total = new
            sums.append(total)
        lines.append("  %s.o = fmul %s %s, %s" % (stem, kind, argument, sums[1]))
        lines.append("  %s = fadd %s %s, %s.o" % (name, kind, sums[0], stem))
        yield "%s in another order" % name, formula.with_lines({i: "\n".join(lines)})
        # The sums inside it.
        while name in formula.at and formula.at[name][1] == "fadd":
            inner.add(name)
            factors = formula.product(formula.at[name][3][1])
            if not factors:
                break
            name = factors[1]


def coefficients(formula):
    """Each number of an operation moved, and each one of a table."""
    for i, line in enumerate(formula.lines):
        if OPERATION.match(line) or "@llvm.fma" in line:
            for match in SPLAT.finditer(line):
                x = move(read_number(match[2], match[1]), match[1])
                text = "splat (%s %s)" % (match[1], write_number(x))
                yield "%s moved in %s" % (match[2], line.split()[0]), formula.with_lines(
                    {i: line[:match.start()] + text + line[match.end():]})


def move_bits(number, amount):
    """The float whose bits are so much larger, or smaller where that is no float."""
    bits = struct.unpack("<I", struct.pack("<f", read_number(number, "float")))[0]
    for step in (amount, -amount):
        moved = struct.unpack("<f", struct.pack("<I", (bits + step) % (1 << 32)))[0]
        if math.isfinite(moved):
            return write_number(moved)
    return None


def permuted(formula):
    """Each number of a table that instructions permute, moved: by an ulp where it is
    added or multiplied as it is; the higher half of a double (all have that float's
    exponent of doubles from 2^-8 to 2) by one; the lower half by 2^24, which moves
    the double by 2^-28 of it. Floats four times as large, too: what an ulp changes may
    be rounded off everywhere."""
    seen = set()
    for line in formula.lines:
        match = PERMUTED.search(line)
        if not match or match[2] in seen:
            continue
        seen.add(match[2])
        numbers = [n.split()[1] for n in match[2].split(", ")]
        values = [read_number(n, "float") for n in numbers]
        is_float = any(re.search(r"%s\b" % re.escape(match[1]), other) and
                       (FUSED.match(other) or " fmul " in other or " fadd " in other)
                       for other in formula.lines)
        is_high = all(x == 0 or 1 <= abs(x) < 2 for x in values)
        for number in dict.fromkeys(n for n, x in zip(numbers, values) if x):
            variants = [("moved", move_bits(number, 1 if is_float or is_high else 1 << 24))]
            if is_float:
                variants.append(("four times as large",
                                 write_number(4 * read_number(number, "float"))))
            for what, variant in variants:
                if variant is None:
                    continue
                new = ", ".join("float %s" % (variant if n == number else n)
                                for n in numbers)
                yield "%s %s in %s" % (number, what, match[1]), "\n".join(
                    formula.lines).replace("<%s>" % match[2], "<%s>" % new)


def mutate(text):
    """(what is changed, function) of each variant."""
    formula = Formula(text)
    for made in (contractions, separations, orders, coefficients):
        yield from made(formula)
    tables = list(permuted(formula))
    # A table that is made in another way would have no variants, and no probes.
    if not tables and re.search(r"llvm\.x86\.|@dl\.table", text):
        sys.exit("tables of the formula are read in a way of which there are no variants")
    yield from tables
