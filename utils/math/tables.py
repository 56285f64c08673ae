"""Tables that functions are looked up in (passes/Lower/MathWide.cpp), for fit.py.

Intervals of an odd function of |x|: t = |x| * scale + offset picks one of 16, by bits of
t or, where these intervals are to grow faster, by a table of cells. A row has scale and
offset, then the middles of all intervals, what the function is there, and the
coefficients of f(middle + r) from r on, power by power. The middles are such that f there
is within a 500th of a unit of a float: all that is rounded is the sum. In the first
interval the middle is 0, the coefficients are those of f(r) - r, and r is added.
"""
import subprocess
from decimal import Decimal

import grid

COUNT = 16
POWERS = range(1, 6)
# NAME: (function, from where on the result is 1, scale, last cell of each interval): cells
# are 1 / scale wide, the first one half of that; t is rounded to an integer.
CELLS = {
    "TanhF32T5": ("tanh(x)", "9.02", "6.2",
                  [0, 1, 2, 3, 4, 6, 8, 10, 12, 15, 18, 22, 27, 33, 42, 63]),
}
# NAME: (function, from where on the result is 1, scale, offset, bits of t behind the
# leading one that count).
OCTAVES = {
    "ErfF32T5": ("erf(x)", "3.92", "0.3308", "1.328125", 4),
}


def ask(lines):
    """What sollya prints, in hexadecimal."""
    lines = ["prec=160!;", "verbosity=0!;", "display=hexadecimal!;"] + lines + ["quit;"]
    return subprocess.run(["sollya"], input="\n".join(lines), text=True,
                          stdout=subprocess.PIPE, check=True).stdout.split()


def to_float(text):
    """A number of sollya's, or as people write it, that float has."""
    return ask(["print(round(%s,24,RN));" % text])[0]


def find_middle(function, lo, hi):
    """A float near the middle of an interval, and the function there, nearly a float. From
    there on to the end it has to be less than that is."""
    return ask([
        "f=%s;" % function, "c=max((%s+%s)/2,%s-0.7);" % (lo, hi, hi), "s=(%s-(%s))/5000;" % (hi, lo),
        "best=1;", "i=0;", "while (i<1500 && best>1b-9) do {",
        "for k from 0 to 1 do {", "v=round(c+(2*k-1)*i*s,24,RN);", "y=f(v);",
        "d=abs(y/round(y,24,RN)-1)*2^24;", "if (d<best) then {best=d; at=v;};", "};",
        "i=i+1;", "};", "print(at);", "print(round(f(at),24,RN));"])


def fit_least(basis, target):
    """Coefficients whose largest error is nearly the least: least squares, in which points
    with large errors count more from time to time (Lawson)."""
    counts = [Decimal(1)] * len(target)
    for _ in range(40):
        rows = [[sum(n * a * b for n, a, b in zip(counts, row, column))
                 for column in basis + [target]] for row in basis]
        coefficients = grid.solve(rows)
        errors = [abs(t - sum(c * b[p] for c, b in zip(coefficients, basis)))
                  for p, t in enumerate(target)]
        worst = max(errors)
        if not worst:
            break
        counts = [n * (e / worst + Decimal("0.001")) for n, e in zip(counts, errors)]
        most = max(counts)
        counts = [n / most for n in counts]
    return coefficients, worst


def fit(function, lo, hi, powers, given):
    """Coefficients of function - given, rounded one after the other, and the largest
    relative error in units of 2^-24."""
    points, f, s = (v[::5] for v in grid.evaluate([function, given], lo, hi))
    left, rounded = [1 - b / a for a, b in zip(f, s)], []
    basis = [[x ** k / a for x, a in zip(points, f)] for k in powers]
    while basis:
        value, text = grid.to_bits(fit_least(basis, left)[0][0], 24)
        rounded.append(text)
        left = [t - value * b for t, b in zip(left, basis[0])]
        basis = basis[1:]
    return rounded, float(max(map(abs, left)) * 2 ** 24)


def fit_interval(function, lo, hi):
    """Middle, value there, coefficients and the largest error."""
    if Decimal(lo) == 0:
        rounded, error = fit(function, hi + "/500", hi, POWERS, "x")
        return ["0x0p0", "0x0p0"], rounded, error
    middle, value = find_middle(function, lo, hi)
    moved = function.replace("(x)", "(%s+x)" % middle)
    rounded, error = fit(moved, "%s-(%s)" % (lo, middle), "%s-(%s)" % (hi, middle),
                         POWERS, value)
    return [middle, value], rounded, error


def get_table(function, edges, first=0):
    """Numbers of intervals between edges, that of place 0 first, and the worst error."""
    rows, worst = [[]] * COUNT, 0
    for i, (lo, hi) in enumerate(zip(edges, edges[1:])):
        start, rounded, error = fit_interval(function, lo, hi)
        rows[(first + i) % COUNT] = start + rounded
        worst = max(worst, error)
    return [row[i] for i in range(2 + len(POWERS)) for row in rows], worst


def fit_cells(name):
    """Rows of the numbers and of the intervals of all cells, and the worst error."""
    function, end, scale, last = CELLS[name]
    edges = ["0"] + [repr((cell + 0.5) / float(scale)) for cell in last[:-1]] + [end]
    numbers, error = get_table(function, edges)
    cells = [sum(cell > at for at in last) for cell in range(last[-1] + 1)]
    return {name: [to_float(scale), "0x0p0"] + numbers,
            name + "Cells": list(map(str, cells))}, error


def fit_octaves(name):
    """The row, and the worst error."""
    function, end, scale, offset, bits = OCTAVES[name]
    step, edges, first = 2.0 ** -bits, [0.0], int(float(offset) * 2 ** bits)
    while len(edges) < COUNT:
        t = (first + len(edges)) * step
        # Those from 2 on are twice as wide.
        edges.append(((t if t < 2 else 2 + (t - 2) * 2) - float(offset)) / float(scale))
    numbers, error = get_table(function, ["0"] + list(map(repr, edges[1:])) + [end],
                               first % COUNT)
    return {name: [to_float(scale), to_float(offset)] + numbers}, error


def get_powers():
    """2^(j / 16), and the logarithm of what that is rounded by."""
    lines = []
    for what in ("print(s);", "print(round(log(2^(j/16)/s),24,RN));"):
        lines += ["for j from 0 to 15 do { s=round(2^(j/16),24,RN); %s };" % what]
    return ask(lines)


def get_logs():
    """For 3/4 <= m < 3/2, by five bits behind the point: numbers close to 1 / m whose
    logarithms have 16 bits behind the point; these, negated. Within 1/16 of 1, where
    logarithms are small, both are exact."""
    inverses, logs = ["0x1p0"] * 32, ["0x0p0"] * 32
    for i in range(2, 28):
        unit = 1.0 if i < 16 else 0.5
        middle = unit * (1 + (i + 0.5) / 32)
        inverses[i], logs[i] = ask([
            "best=1;", "i=0;", "c=round(1/%r,24,RN);" % middle,
            "while (i<60000 && best>1b-33) do {", "for k from 0 to 1 do {",
            "v=round(c+(2*k-1)*i*1b-24,24,RN);", "y=-log(v)*2^16;", "d=abs(y-nearestint(y))*1b-16;",
            "if (d<best) then {best=d; at=v;};", "};", "i=i+1;", "};", "print(at);",
            "print(nearestint(-log(at)*2^16)*1b-16);"])
    return inverses + logs


def get_rows():
    """NAME: what prints its rows."""
    def get_poly(name, *fitted):
        rounded, error = fit(*fitted)
        return {name: rounded}, error

    rows = {"ExpF32Q1": lambda: get_poly("ExpF32Q1", "exp(x)", "-log(2)/31.7",
                                         "log(2)/31.7", range(2, 4), "1+x"),
            "LogF32Q3": lambda: get_poly("LogF32Q3", "log(1+x)", "-1b-4", "1b-4",
                                         range(2, 6), "x"),
            "ExpF32T16": lambda: ({"ExpF32T16": get_powers()}, 0),
            "LogF32T32": lambda: ({"LogF32T32": get_logs()}, 0)}
    rows.update({name: lambda name=name: fit_cells(name) for name in CELLS})
    rows.update({name: lambda name=name: fit_octaves(name) for name in OCTAVES})
    return rows
