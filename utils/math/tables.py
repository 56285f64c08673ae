"""Tables that functions are looked up in (passes/Lower/MathWide.cpp), for fit.py.

Intervals of an odd function of |x|: t = |x| * scale + offset picks one of 16 or 32 by
its leading bits, so that intervals are twice as wide from each power of two on. A row has
scale, offset, how many intervals there are and how many bits of t's mantissa count, then
the middles of all intervals, what the function is there, and the coefficients of
f(middle + r) from r on, power by power. The middles are such that f there
is within a 500th of a unit of a float: all that is rounded is the sum. In the first
interval the middle is 0, the coefficients are those of f(r) - r, and r is added. Where some
units may be lost there are no middles: coefficients are those of f(|x|), from the constant on.
Where nothing may be lost (passes/Lower/PairModels.cpp) the middles are floats, and the
function there and the first coefficient are sums of two floats.
"""
import math
import subprocess
from decimal import Decimal

import grid

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


def fit(function, lo, hi, powers, given, pairs=0):
    """Coefficients of function - given, rounded one after the other, the first ones to
    pairs of floats, and the largest relative error in units of 2^-24."""
    points, f, s = (v[::5] for v in grid.evaluate([function, given], lo, hi))
    left, rounded = [1 - b / a for a, b in zip(f, s)], []
    basis = [[x ** k / a for x, a in zip(points, f)] for k in powers]
    for i in range(len(basis)):
        coefficient = fit_least(basis[i:], left)[0][0]
        for _ in range(2 if i < pairs else 1):
            value, text = grid.to_bits(coefficient, 24)
            coefficient -= value
            rounded.append(text)
            left = [t - value * b for t, b in zip(left, basis[i])]
    return rounded, float(max(map(abs, left)) * 2 ** 24)


def fit_interval(function, lo, hi, degree):
    """Middle, value there and coefficients, and the largest error."""
    powers = range(1, degree + 1)
    if Decimal(lo) == 0:
        rounded, error = fit(function, hi + "/500", hi, powers, "x")
        return ["0x0p0", "0x0p0"] + rounded, error
    middle, value = find_middle(function, lo, hi)
    moved = function.replace("(x)", "(%s+x)" % middle)
    rounded, error = fit(moved, "%s-(%s)" % (lo, middle), "%s-(%s)" % (hi, middle),
                         powers, value)
    return [middle, value] + rounded, error


def fit_directly(function, lo, hi, degree):
    """Coefficients from the constant on, which is 0 in the first interval."""
    if Decimal(lo) != 0:
        return fit(function, lo, hi, range(degree + 1), "0")
    rounded, error = fit(function, hi + "/500", hi, range(1, degree + 1), "0")
    return ["0x0p0"] + rounded, error


def fit_pairs(function, lo, hi, degree):
    """A float in the middle, the function there and the first coefficient as sums of two
    floats, and the others."""
    if Decimal(lo) == 0:
        odd = range(1, degree + 1, 2)
        rounded, error = fit(function, hi + "/500", hi, odd, "0", pairs=1)
        others = [text for text in rounded[2:] for text in ("0x0p0", text)]
        return ["0x0p0"] * 3 + rounded[:2] + others, error
    middle = to_float("(%s+%s)/2" % (lo, hi))
    moved = function.replace("(x)", "(%s+x)" % middle)
    rounded, error = fit(moved, "%s-(%s)" % (lo, middle), "%s-(%s)" % (hi, middle),
                         range(degree + 1), "0", pairs=2)
    return [middle] + rounded, error


# NAME: (function, from where on the result is 1, scale, offset, intervals, bits of t behind
# the leading one that count, degree, what numbers an interval has).
OCTAVES = {
    "TanhF32T4": ("tanh(x)", "9.02", "1.774", "1.15625", 32, 3, 4, fit_interval),
    "TanhF32D4": ("tanh(x)", "9.02", "1.73", "1.3125", 32, 3, 4, fit_directly),
    "TanhF32P7": ("tanh(x)", "9.1", "1.774", "1.1875", 32, 3, 7, fit_pairs),
    "ErfF32T5": ("erf(x)", "3.92", "0.3308", "1.328125", 16, 4, 5, fit_interval),
    "ErfF32P7": ("erf(x)", "4", "4.65", "1.25", 32, 3, 7, fit_pairs),
}


def get_edges(end, scale, offset, count, bits):
    """Where intervals begin, and the end of the last one."""
    t, edges = offset, ["0"]
    for _ in range(count - 1):
        step = 2.0 ** (math.floor(math.log2(t)) - bits)
        t = (t // step + 1) * step
        edges.append(repr((t - offset) / scale))
    return edges + [end]


def fit_octaves(name):
    """The row, and the worst error."""
    function, end, scale, offset, count, bits, degree, fit_one = OCTAVES[name]
    edges = get_edges(end, float(scale), float(offset), count, bits)
    # The exponent of a float from 1 on is 127.
    first = int((126 + float(offset)) * 2 ** bits)
    rows, worst = [[]] * count, 0
    for i, (lo, hi) in enumerate(zip(edges, edges[1:])):
        rows[(first + i) % count], error = fit_one(function, lo, hi, degree)
        worst = max(worst, error)
    header = [to_float(scale), to_float(offset), str(count), str(bits)]
    return {name: header + [number for numbers in zip(*rows) for number in numbers]}, worst


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
    rows.update({name: lambda name=name: fit_octaves(name) for name in OCTAVES})
    return rows
