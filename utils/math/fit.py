#!/usr/bin/env python3
"""Fits the polynomials of passes/Lower/MathRecipes.def.

usage: fit.py [NAME...]

Needs sollya (the Debian package of that name). Each polynomial is the best one in
a weighted maximum norm (Remez), its coefficients rounded one by one, the lowest
power first, and the rest fitted again after each. Prints the rows of the table and
the largest weighted error, in units in the last place of 1.
"""
import shutil
import subprocess
import sys

# NAME: (function, interval, powers, what is given, weight, format). The error is
# (given + sum - function) * weight; powers and coefficients are of x.
H = "log(2)/2*1.0005"


def powers(first, last, step=1):
    return list(range(first, last + 1, step))


FITS = {
    # exp(r) = 1 + r + r^2 * q(r)
    "ExpF32Q4": ("exp(x)", "-h", "h", powers(2, 6), "1+x", "exp(-x)", 24),
    "ExpF32Q3": ("exp(x)", "-h", "h", powers(2, 5), "1+x", "exp(-2*x)", 24),
    # exp(r) = 1 + r * q(r)
    "ExpF32P4": ("exp(x)", "-h", "h", powers(1, 5), "1", "exp(-1.5*x)", 24),
    # 2^f = 1 + f * q(f)
    "Exp2F32Q5": ("2^x", "-.5003", ".5003", powers(1, 6), "1", "2^(-x)", 24),
    "Exp2F32Q4": ("2^x", "-.5003", ".5003", powers(1, 5), "1", "2^(-1.5*x)", 24),
    # log(1 + f) = f - f^2 / 2 + f^3 * q(f)
    "LogF32Q7": ("log(1+x)", "-.293", ".4143", powers(3, 10), "x-x^2/2",
                 "1/log(1+x)", 24),
    "LogF32Q6": ("log(1+x)", "-.293", ".4143", powers(3, 9), "x-x^2/2",
                 "1/log(1+x)", 24),
    # tanh(x) = x + x^3 * q(x^2)
    "TanhF32Q6": ("tanh(x)", "1b-20", "1", powers(3, 15, 2), "x", "1/tanh(x)", 24),
    "TanhF32Q4": ("tanh(x)", "1b-20", ".63", powers(3, 11, 2), "x", "1/tanh(x)", 24),
}

def fit(name):
    f, lo, hi, m, given, weight, bits = FITS[name]
    lines = ["prec=300!;", "display=hexadecimal!;", "verbosity=0!;",
             "h=%s;" % H, "f=%s;" % f, "w=%s;" % weight, "s=%s;" % given]
    for i, power in enumerate(m):
        # Sollya's remez takes the weighted function and the weight.
        lines.append("p=remez((f-s)*w,[|%s|],[%s;%s],w);" % (
            ",".join(map(str, m[i:])), lo, hi))
        lines.append("c=round(coeff(p,%d),%d,RN);" % (power, bits))
        lines.append("s=s+c*x^%d;" % power)
        lines.append("print(c);")
    lines += ["display=decimal!;",
              "print(round(dirtyinfnorm((f-s)*w,[%s;%s])*2^%d,15,RN));" % (
                  lo, hi, bits - 1), "quit;"]
    out = subprocess.run(["sollya"], input="\n".join(lines), text=True,
                         stdout=subprocess.PIPE, check=True).stdout
    rows = out.split()
    return rows[:-1], rows[-1]


def main():
    if not shutil.which("sollya"):
        sys.exit("fit: sollya is missing: install the package sollya")
    names = sys.argv[1:] or list(FITS)
    for name in names:
        if name not in FITS:
            sys.exit("fit: no polynomial '%s'; accepted: %s" % (name, ", ".join(FITS)))
        coefficients, error = fit(name)
        print("DLOPT_MATH_POLY(%s, %s) // %s" % (name, ", ".join(coefficients), error))


if __name__ == "__main__":
    main()
