"""Best approximations on a fine grid, for functions that sollya's own exchange takes
hours for: sollya evaluates them once at each point."""
import subprocess
from decimal import Decimal, getcontext

getcontext().prec = 70
POINTS = 900


def evaluate(expressions, lo, hi):
    """Chebyshev's points of [lo, hi], and each expression of x at them."""
    lines = ["prec=240!;", "verbosity=0!;", "display=decimal!;",
             "h=log(2)/2*1.0005;", "a=%s;" % lo, "b=%s;" % hi,
             "for i from 0 to %d do {" % POINTS,
             "t=(a+b)/2-(b-a)/2*cos(pi*i/%d);" % POINTS,
             "print(round(t,230,RN));"]
    lines += ["g=%s; print(round(g(t),230,RN));" % e if "x" in e
              else "print(round(%s,230,RN));" % e for e in expressions]
    lines += ["};", "quit;"]
    out = subprocess.run(["sollya"], input="\n".join(lines), text=True,
                         stdout=subprocess.PIPE, check=True).stdout.split()
    values = [Decimal(v) for v in out]
    step = 1 + len(expressions)
    return [values[i::step] for i in range(step)]


def solve(rows):
    """The unknowns of linear equations, by elimination; destroys the rows."""
    n = len(rows)
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            factor = rows[r][i] / rows[i][i]
            if factor:
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    unknowns = [Decimal(0)] * n
    for i in reversed(range(n)):
        known = sum(a * u for a, u in zip(rows[i][i + 1:n], unknowns[i + 1:]))
        unknowns[i] = (rows[i][n] - known) / rows[i][i]
    return unknowns


def find_extremes(errors, count):
    """Points where errors of alternating signs are largest, among them the
    largest."""
    runs = []
    for i, e in enumerate(errors):
        if runs and (e < 0) == (errors[runs[-1]] < 0):
            if abs(e) > abs(errors[runs[-1]]):
                runs[-1] = i
        else:
            runs.append(i)
    while len(runs) > count:
        runs.pop(0 if abs(errors[runs[0]]) < abs(errors[runs[-1]]) else -1)
    return runs if len(runs) == count else None


def exchange(basis, target):
    """Coefficients for the functions \"basis\", given by values on the grid, and the
    largest error of their sum (Remez)."""
    n = len(basis)
    points = [round(i * (len(target) - 1) / n) for i in range(n + 1)]
    for _ in range(60):
        rows = [[b[p] for b in basis] + [Decimal((-1) ** i), target[p]]
                for i, p in enumerate(points)]
        *coefficients, level = solve(rows)
        errors = [t - sum(c * b[p] for c, b in zip(coefficients, basis))
                  for p, t in enumerate(target)]
        worst = max(map(abs, errors))
        new = find_extremes(errors, n + 1)
        if worst <= abs(level) * Decimal("1.001") or not new or new == points:
            break
        points = new
    return coefficients, worst


def to_bits(c, bits):
    """Rounded to so many bits, as a hexadecimal number like sollya's."""
    if not c:
        return Decimal(0), "0x0p0"
    scaled, exponent = abs(c), 0
    while scaled >= 2 ** bits:
        scaled, exponent = scaled / 2, exponent + 1
    while scaled < 2 ** (bits - 1):
        scaled, exponent = scaled * 2, exponent - 1
    integer = int(scaled.to_integral_value())
    value = Decimal(integer) * Decimal(2) ** exponent
    shift = -(bits - 1) % 4
    digits = "%x" % (integer << shift)
    fraction = digits[1:].rstrip("0")
    text = "%s0x%s%sp%d" % ("-" if c < 0 else "", digits[0],
                            "." + fraction if fraction else "", exponent + bits - 1)
    return value if c > 0 else -value, text


def fit(function, lo, hi, powers, given, weight, bits):
    """As fit.py's fit, but only the first four are rounded one after the other: of
    what is rounded off the others too little is left in the sum to matter."""
    points, f, w, s = evaluate([function, weight, given], lo, hi)
    left = [(a - b) * c for a, b, c in zip(f, s, w)]
    rounded = []
    while powers:
        # Errors alternate but for the sign that the lowest power has.
        signs = [-1 if x < 0 and powers[0] % 2 else 1 for x in points]
        basis = [[x ** k * c * sign for x, c, sign in zip(points, w, signs)]
                 for k in powers]
        now = 1 if len(rounded) < 4 else len(powers)
        left = [t * sign for t, sign in zip(left, signs)]
        coefficients = exchange(basis, left)[0]
        for c, b in zip(coefficients[:now], basis):
            value, text = to_bits(c, bits)
            rounded.append(text)
            left = [t - value * v for t, v in zip(left, b)]
        left = [t * sign for t, sign in zip(left, signs)]
        powers = powers[now:]
    return rounded, max(map(abs, left)) * 2 ** (bits - 1)
