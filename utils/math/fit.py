#!/usr/bin/env python3
"""Fits the polynomials of the vector math.

Needs sollya (the Debian package of that name). Each polynomial is the best one in
a weighted maximum norm (Remez), its coefficients rounded one by one, the lowest
power first, and the rest fitted again after each. Prints all of passes/Lower/MathPolys.def; with names, those alone
and the largest weighted error in units in the last place of 1.
"""
import argparse
import shutil
import subprocess
import sys

import grid
import tables


def powers(first, last, step=1):
    return list(range(first, last + 1, step))


# NAME: (function, interval, powers, what is given, weight, bits of coefficients).
# Where so many bits are kept that rounding does not matter, "at once" (weight then
# is 1 / function, and nothing given); functions that take sollya hours "on a grid"
# (grid.py). The error is (given + sum of coefficient * x^power - function) * weight. For
# most functions the weight makes it relative; exp's is larger for negative x, where
# the result is below 1 and its last place counts half. h is log(2) / 2 and a bit.
ERFCX = "exp((2*(1+x)/(1-x))^2)*erfc(2*(1+x)/(1-x))"
ERFCX3 = "(1+6*(1+x)/(1-x))*exp((3*(1+x)/(1-x))^2)*erfc(3*(1+x)/(1-x))"
GROUPS = [
    ("exp(r) = 1 + r + r^2 * q(r), |r| <= log(2) / 2.", {
        "ExpF32Q5": ("exp(x)", "-h", "h", powers(2, 7), "1+x", "exp(-x)", 24),
        "ExpF32Q4": ("exp(x)", "-h", "h", powers(2, 6), "1+x", "exp(-x)", 24),
        "ExpF32Q3": ("exp(x)", "-h", "h", powers(2, 5), "1+x", "exp(-2*x)", 24),
        "ExpF64Q10": ("exp(x)", "-h", "h", powers(2, 12), "1+x", "exp(-x)", 53),
        "ExpF64Q9": ("exp(x)", "-h", "h", powers(2, 11), "1+x", "exp(-x)", 53),
    }),
    ("exp(r) = 1 + r * q(r).", {
        "ExpF32P5": ("exp(x)", "-h", "h", powers(1, 6), "1", "exp(-1.5*x)", 24),
        "ExpF32P4": ("exp(x)", "-h", "h", powers(1, 5), "1", "exp(-1.5*x)", 24),
        "ExpF64P11": ("exp(x)", "-h", "h", powers(1, 12), "1", "exp(-1.5*x)", 53),
        "ExpF64P10": ("exp(x)", "-h", "h", powers(1, 11), "1", "exp(-1.5*x)", 53),
    }),
    ("2^f = 1 + f * q(f), |f| <= 1/2.", {
        "Exp2F32Q5": ("2^x", "-.5003", ".5003", powers(1, 6), "1", "2^(-x)", 24),
        "Exp2F32Q4": ("2^x", "-.5003", ".5003", powers(1, 5), "1", "2^(-1.5*x)", 24),
        "Exp2F64Q11": ("2^x", "-.5003", ".5003", powers(1, 12), "1", "2^(-x)", 53),
        "Exp2F64Q10": ("2^x", "-.5003", ".5003", powers(1, 11), "1", "2^(-x)", 53),
    }),
    ("log(1 + f) = f - f^2 / 2 + f^3 * q(f), sqrt(1/2) <= 1 + f < sqrt(2).", {
        "LogF32Q7": ("log(1+x)", "-.293", ".4143", powers(3, 10), "x-x^2/2",
                     "1/log(1+x)", 24),
        "LogF32Q6": ("log(1+x)", "-.293", ".4143", powers(3, 9), "x-x^2/2",
                     "1/log(1+x)", 24),
        "LogF32Q11": ("log(1+x)", "-.293", ".4143", powers(3, 14), "x-x^2/2",
                      "1/log(1+x)", 53),
        "LogF64Q19": ("log(1+x)", "-.2929", ".41422", powers(3, 22), "x-x^2/2",
                      "1/log(1+x)", 53),
    }),
    ("log2(1 + f) = f / log(2) + f^2 * q(f).", {
        "Log2F32Q8": ("log2(1+x)", "-.293", ".4143", powers(2, 10), "x/log(2)",
                      "1/log2(1+x)", 24),
        "Log2F64Q20": ("log2(1+x)", "-.2929", ".41422", powers(2, 22), "x/log(2)",
                       "1/log2(1+x)", 53),
    }),
    ("log10(1 + f) = f / log(10) + f^2 * q(f).", {
        "Log10F32Q8": ("log10(1+x)", "-.293", ".4143", powers(2, 10), "x/log(10)",
                       "1/log10(1+x)", 24),
        "Log10F64Q20": ("log10(1+x)", "-.2929", ".41422", powers(2, 22), "x/log(10)",
                        "1/log10(1+x)", 53),
    }),
    ("log2((1 + s) / (1 - s)) = (2 s + 2/3 s^3) / log(2) + s^5 * q(s^2).", {
        "Log2F64S7": ("log2((1+x)/(1-x))", "1b-20", ".1716", powers(5, 19, 2),
                      "(2*x+2/3*x^3)/log(2)", "1/log2((1+x)/(1-x))", 53, "on a grid"),
    }),
    ("tanh(x) = x + x^3 * q(x^2) up to 1 and 5/8.", {
        "TanhF32Q6": ("tanh(x)", "1b-20", "1", powers(3, 15, 2), "x", "1/tanh(x)", 24),
        "TanhF32Q4": ("tanh(x)", "1b-20", ".63", powers(3, 11, 2), "x",
                      "1/tanh(x)", 24),
        "TanhF64Q15": ("tanh(x)", "1b-20", "1", powers(3, 33, 2), "x",
                       "1/tanh(x)", 53),
        "TanhF64Q11": ("tanh(x)", "1b-20", ".63", powers(3, 25, 2), "x",
                       "1/tanh(x)", 53),
    }),
    ("sin(x) = x + x^3 * q(x^2), cos(x) = 1 + x^2 * q(x^2), |x| <= pi / 4.", {
        "SinF32Q3": ("sin(x)", "1b-20", ".786", powers(3, 9, 2), "x", "1/sin(x)", 53),
        "CosF32Q3": ("cos(x)", "1b-20", ".786", powers(2, 8, 2), "1", "1", 53),
        "SinF64Q5": ("sin(x)", "1b-20", ".786", powers(3, 13, 2), "x", "1/sin(x)", 53,
                     "on a grid"),
    }),
    ("cos(x) = 1 - x^2 / 2 + x^4 * q(x^2).", {
        "CosF64Q5": ("cos(x)", "1b-20", ".786", powers(4, 14, 2), "1-x^2/2", "1", 53,
                     "on a grid"),
    }),
    ("erf(x) = x + x * q(x^2) up to 7/8.", {
        "ErfF32Q6": ("erf(x)", "1b-20", ".88", powers(1, 13, 2), "x", "1/erf(x)", 24),
        "ErfF32Q5": ("erf(x)", "1b-20", ".88", powers(1, 11, 2), "x", "1/erf(x)", 24),
        "ErfF64Q12": ("erf(x)", "1b-20", ".88", powers(1, 25, 2), "x", "1/erf(x)", 53),
    }),
    ("erfc(x) = exp(-x^2) * q(u), u = (x - 2) / (x + 2), 0 <= x <= 10.25.", {
        "ErfcF32P11": (ERFCX, "-1", ".674", powers(0, 11), "0", "1/(%s)" % ERFCX, 53,
                       "at once"),
    }),
    ("(1 + 2 x) erfc(x) exp(x^2) = its value at 3 + u q(u), u = (x - 3) / (x + 3).", {
        "ErfcF64P20": (ERFCX3, "-2.36/3.64", "24.5/30.5", powers(1, 21),
                       "7*exp(9)*erfc(3)", "1/(%s)" % ERFCX3, 53, "on a grid"),
    }),
    ("erfc(x) = exp(x * q(x)) from there on.", {
        "ErfcF32Q6": ("log(erfc(x))", ".87", "3.95", powers(1, 7), "0", "erfc(x)", 24),
        "ErfcF32Q5": ("log(erfc(x))", ".87", "3.95", powers(1, 6), "0", "erfc(x)", 24),
        "ErfcF64Q17": ("log(erfc(x))", ".87", "6", powers(1, 18), "0", "erfc(x)", 53,
                       "on a grid"),
    }),
]
FITS = {name: row for _, group in GROUPS for name, row in group.items()}

# NAME: (odd function, largest x, what is added to the quotient, degrees of P and
# Q, P(0) if it is given). x * (C + P(x^2) / Q(x^2)), Q(0) = 1, with the least
# relative error; prints NAMEP and NAMEQ. Found by fits of P - f * (Q - 1) to f, f
# being the function over x without C, each with the weight 1 / Q of the Q before it
# (Loeb); then Q is rounded, and P is fitted to f * Q.
RATIONALS = [
    ("tanh(x) = x * (0.1875 + p(x^2) / q(x^2)).", {
        "TanhF32R4": ("tanh(x)", "8.9", "0.1875", 4, 4, "0x1.ap-1"),
    }),
    ("erf(x) = x * (0.3125 + p(x^2) / q(x^2)).", {
        "ErfF32R5": ("erf(x)", "3.92", "0.3125", 5, 5, None),
    }),
]
QUOTIENTS = {name: row for _, group in RATIONALS for name, row in group.items()}
TABLES = tables.get_rows()

HEADER = """\
//===- MathPolys.def - Polynomials of the vector math -----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DLOPT_MATH_POLY(NAME, COEFFICIENTS...): a polynomial, lowest power first.
// Printed by utils/math/fit.py, which says how it was fitted.
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_MATH_POLY
#error "define DLOPT_MATH_POLY"
#endif
"""


def fit(name):
    """The coefficients, and the largest weighted error as text."""
    function, lo, hi, left, given, weight, bits, *at_once = FITS[name]
    if at_once == ["on a grid"]:
        return grid.fit(function, lo, hi, left, given, weight, bits)
    interval = "[%s;%s]" % (lo, hi)
    lines = ["prec=%d!;" % (120 if at_once else 300), "display=hexadecimal!;",
             "verbosity=0!;", "h=log(2)/2*1.0005;", "f=%s;" % function, "w=%s;" % weight,
             "s=%s;" % given]
    if at_once:
        lines += ["p=remez(1,[|%s|],%s,w);" % (",".join(map(str, left)), interval)]
        lines += ["print(round(coeff(p,%d),%d,RN));" % (power, bits) for power in left]
        lines += ["s=p;"]
        left = []
    while left:
        # Sollya's remez takes the weighted function and the weight.
        lines += ["p=remez((f-s)*w,[|%s|],%s,w);"
                  % (",".join(map(str, left)), interval),
                  "c=round(coeff(p,%d),%d,RN);" % (left[0], bits),
                  "s=s+c*x^%d;" % left[0],
                  "print(c);"]
        left = left[1:]
    lines += ["display=decimal!;",
              "print(round(dirtyinfnorm((f-s)*w,%s)*2^%d,15,RN));"
              % (interval, bits - 1), "quit;"]
    out = subprocess.run(["sollya"], input="\n".join(lines), text=True,
                         stdout=subprocess.PIPE, check=True).stdout.split()
    return out[:-1], out[-1]


def parse_sum(text):
    """Coefficients by power of x, of terms with a function in them apart."""
    plain, scaled = {}, {}
    depth, terms, start = 0, [], 0
    text = text.replace(" - ", " + -")
    for at, c in enumerate(text):
        depth += {"(": 1, ")": -1}.get(c, 0)
        if not depth and text.startswith(" + ", at):
            terms.append(text[start:at])
            start = at + 3
    for term in terms + [text[start:]]:
        c, _, rest = term.strip().partition(" * ")
        power = int(rest.rpartition("^")[2]) if rest else 0
        (plain if not rest or rest.startswith("x^") and " " not in rest
         else scaled)[power] = c
    return plain, scaled


def find_denominator(f, function, hi, p, q, p0):
    """Q of the best quotient: as an expression, and its coefficients."""
    basis = ["x^%d" % (2 * i) for i in range(1 if p0 else 0, p + 1)]
    basis += ["f*x^%d" % (2 * i) for i in range(1, q + 1)]
    denominator = "1"
    for _ in range(6):
        lines = ["prec=200!;", "verbosity=0!;", "display=decimal!;", "f=%s;" % f,
                 "w=x/(%s*(%s));" % (function, denominator),
                 "print(remez((f-(%s))*w,[|%s|],[1b-12;%s],w));quit;"
                 % (p0 or 0, ",".join(basis), hi)]
        out = subprocess.run(["sollya"], input="\n".join(lines), text=True,
                             stdout=subprocess.PIPE, check=True).stdout
        terms = sorted(parse_sum(out.strip())[1].items())
        denominator = "1" + "".join("-round(%s,24,RN)*x^%d" % (c, power)
                                    for power, c in terms)
    out = subprocess.run(["sollya"], input="display=hexadecimal!;verbosity=0!;"
                         + "".join("print(round(-(%s),24,RN));" % c
                                   for _, c in terms) + "quit;",
                         text=True, stdout=subprocess.PIPE, check=True).stdout
    return denominator, ["0x1p0"] + out.split()


def fit_quotient(name):
    """Rows of P and Q, and the largest error as fit gives it."""
    function, hi, added, p, q, p0 = QUOTIENTS[name]
    f = "%s/x-%s" % (function, added)
    denominator, rounded = find_denominator(f, function, hi, p, q, p0)
    FITS[name] = ("(%s)*(%s)" % (f, denominator), "1b-12", hi,
                  powers(2 if p0 else 0, 2 * p, 2), p0 or "0",
                  "x/(%s*(%s))" % (function, denominator), 24)
    numerator, error = fit(name)
    if p0:
        numerator = [p0] + numerator
    return {name + "P": numerator, name + "Q": rounded}, error


def show(name, coefficients):
    """The row, its lines broken at 80 columns."""
    lines = [""]
    for word in ("DLOPT_MATH_POLY(%s, %s)" % (name, ", ".join(coefficients))).split():
        if len(lines[-1]) + 1 + len(word) > 80:
            lines.append(" " * 15)
        lines[-1] += (" " if lines[-1] else "") + word
    print("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    names = parser.parse_args().names
    if not shutil.which("sollya"):
        sys.exit("fit: sollya is missing: install the package sollya")
    for name in names:
        if name not in FITS and name not in QUOTIENTS and name not in TABLES:
            sys.exit("fit: no polynomial '%s'; accepted: %s"
                     % (name, ", ".join([*FITS, *QUOTIENTS, *TABLES])))
        if name in TABLES:
            rows, error = TABLES[name]()
        elif name in QUOTIENTS:
            rows, error = fit_quotient(name)
        else:
            coefficients, error = fit(name)
            rows = {name: coefficients}
        for row in rows.items():
            show(*row)
        print("// error %.4f" % float(error))
    if names:
        return
    print(HEADER)
    for comment, group in GROUPS:
        print("// " + comment)
        for name in group:
            show(name, fit(name)[0])
    for comment, group in RATIONALS:
        print("// " + comment)
        for name in group:
            for row in fit_quotient(name)[0].items():
                show(*row)
    print("// Of registers (tables.py).")
    for get in TABLES.values():
        for row in get()[0].items():
            show(*row)
    print("\n#undef DLOPT_MATH_POLY")


if __name__ == "__main__":
    main()
