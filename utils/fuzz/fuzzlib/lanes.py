"""Kernels whose parallel axes may run in lanes: reductions over any axes,
permutations, convolutions and pooling."""
import re

from .model import INTEGERS
from .simple import Flat, draw

TYPES = ["f32", "f32", "f32", "f64", "f64", "i32", "i64", "i16"]
MOVED = TYPES + ["i8", "i8"]


def size(*extents):
    result = 1
    for e in extents:
        result *= max(e, 0)
    return result


def flat_index(axes, extents):
    """Row-major: "(p*M + i)*N + j"; "0" of no axes."""
    text = ""
    for axis in axes:
        text = "(%s)*%s + %s" % (text, extents[axis], axis) if text else axis
    return text or "0"


# What a round does to the state, with X for the element, and what is stored.
STEPS = {
    "sum": ("0", "s += X;", "s"),
    "sum.start": ("O", "s += X;", "s"),
    "difference": ("2", "s -= X;", "s"),
    "product": ("1", "s *= X;", "s"),
    "mean": ("0", "s += X;", "s / ({T})7"),
    "norm": ("0", "s += X * X;", "s"),
    "dot": ("0", "s += X * Y;", "s"),
    "distance": ("0", "s += (X - Y) * (X - Y);", "s"),
    "absolute": ("0", "s += X < 0 ? -X : X;", "s"),
    "horner": ("1", "s = s * Y + X;", "s"),
    "max": ("-9", "s = X > s ? X : s;", "s"),
    "max.keep": ("-9", "s = s > X ? s : X;", "s"),
    "max.less": ("-9", "s = s < X ? X : s;", "s"),
    "max.if": ("O", "if (X > s) s = X;", "s"),
    "max.not": ("O", "if (!(X <= s)) s = X;", "s"),
    "min": ("9", "s = X < s ? X : s;", "s"),
    "min.equal": ("9", "s = s <= X ? s : X;", "s"),
    "argmax": ("-9", "if (X > s) {{ s = X; t = AT; }}", "t"),
    "argmin.last": ("9", "if (X <= s) {{ s = X; t = AT; }}", "t + s"),
    "max.sum": ("-9", "if (X > s) {{ t = t * s + 1; s = X; }} else t += X;", "t + s"),
    "two": ("0", "{T} x = X; s += x; t = x > t ? x : t;", "s - t"),
    "positive": ("0", "if (X > 0) s += X * Y;", "s"),
    "where": ("0", "if (Y > 0) s += X;", "s"),
    "below": ("0", "if (AT < 9) s += X + 1;", "s"),
    "off": ("1", "if (AT != HERE) s -= X * 2 + 1;", "s"),
    "diagonal": ("0", "if (AT <= HERE) s = s * 2 + X;", "s"),
}


def reduction(rnd, types=TYPES):
    t, idx = draw(rnd, types)
    extents = dict(zip("pij", "PMN"))
    order = list("pij")
    inner = rnd.sample(order, rnd.choice([1, 1, 1, 2, 3]))
    outer = [a for a in order if a not in inner]
    if rnd.random() < 0.5:
        rnd.shuffle(outer)
    if rnd.random() < 0.8:
        inner.sort(key=order.index)
    start, step, result = STEPS[rnd.choice(list(STEPS))]
    kept = [a for a in order if a in outer]
    if rnd.random() < 0.3:
        rnd.shuffle(kept)
    out = "C[%s]" % flat_index(kept, extents)
    step = step.replace("X", "A[%s]" % flat_index(order, extents))
    step = step.replace("Y", "B[%s]" % rnd.choice(
        [inner[-1], outer[-1] if outer else "0", flat_index(order, extents)]))
    step = step.replace("AT", "({T})" + inner[-1] if "t = AT" in step else inner[-1])
    step = step.replace("HERE", outer[-1] if outer else "3")
    loops = lambda axes: " ".join(
        "for (IDX %s = 0; %s < %s; %s++)" % (a, a, extents[a], a) for a in axes)
    rounds = "%s {{ %s }}" % (loops(inner), step)
    twice = rnd.random() < 0.25
    if twice:
        rounds += " {T} m = s; s = 0; %s {{ {T} d = A[%s] - m; s += d * d; }}" % (
            loops(inner), flat_index(order, extents))
    body = "%s {{ {T} s = %s, t = 0; %s %s %s %s; }}" % (
        loops(outer), start.replace("O", out), rounds, out,
        rnd.choice(["=", "=", "+="]), "s" if twice else result)
    count = lambda axes: lambda P, M, N: size(
        *({"p": P, "i": M, "j": N}[a] for a in axes))
    most = lambda P, M, N: size(P, M, N) or max(P, M, N, 1)
    return Flat(rnd, t, idx, ["P", "M", "N"],
                {"A": count(order), "B": most, "C": count(kept)}, body).made


def permutation(rnd, types=MOVED):
    t, idx = draw(rnd, types)
    extents = dict(zip("pij", "PMN"))
    axes = list("pij")
    loops, to = rnd.sample(axes, 3), rnd.sample(axes, 3)
    value = rnd.choice(["X", "X", "X * 3", "X + Y", "X * B[j]", "X > 0 ? X : 0"])
    source, target = flat_index(axes, extents), flat_index(to, extents)
    value = value.replace("X", "A[%s]" % source)
    value = value.replace("Y", "B[%s]" % rnd.choice([source, target]))
    test = rnd.choice([""] * 5 + ["if (i <= j) ", "if (A[%s] > 0) " % source])
    body = " ".join("for (IDX %s = 0; %s < %s; %s++)" % (a, a, extents[a], a)
                    for a in loops)
    body += " %sC[%s] %s %s;" % (test, target, rnd.choice(["=", "=", "+="]), value)
    all_ = lambda P, M, N: size(P, M, N)
    return Flat(rnd, t, idx, ["P", "M", "N"], {
        "A": all_, "B": lambda P, M, N: size(P, M, N) or max(N, 0), "C": all_}, body).made


def longer(rnd, dims):
    """Now and then a row of several vectors, and few of them."""
    if rnd.random() < 0.6:
        dims["N"] = rnd.choice([31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 150])
        for other in set(dims) - {"N"}:
            dims[other] = min(dims[other], rnd.choice([1, 2, 5, 9, 17]))


def position(rnd):
    """Where the greatest or least element of rows, or of one, is, as an index or a
    pointer by which the loop reads it again."""
    t, idx = draw(rnd, ["f32", "f64", "f32", "f64", "i32", "i64", "i16"])
    rows = rnd.random() < 0.6
    row = "A + i*N" if rows else "A"
    first = rnd.choice(["0", "1", "1", "N / 2"])
    pointer = rnd.random() < 0.4
    begin = "const {T} *r = %s; " % row
    x, best = rnd.choice([("r[j]", "r[t]"), ("-r[j]", "-r[t]"), ("r[j]", "r[t]"),
                          ("r[N - 1 - j]", "r[N - 1 - t]"), ("r[j]", "B[t]")])
    begin += "IDX t = 0; "
    take = "t = j;"
    if pointer:
        x, best, take = "r[j]", "*p", "p = r + j;"
        begin += "const {T} *p = r; "
    step = rnd.choice(["if (X > Y) Z", "if (X > Y) Z", "if (Y < X) Z", "if (X < Y) Z",
                       "if (X >= Y) Z", "if (!(X <= Y)) Z", "if (X > Y && B[j] > 0) Z",
                       "B[j] = X; if (X > Y) Z"])
    step = step.replace("X", x).replace("Y", best).replace("Z", take)
    found = "(IDX)(p - r)" if pointer else "t"
    value = "(N > 0 ? %s : 0)" % best.lstrip("-")
    end = "%s %s %s;" % ("C[i]" if rows else "C[0]", rnd.choice(["=", "=", "+="]),
                         rnd.choice(["({T})%s", "({T})%s", "({T})%s + " + value]) % found)
    loop = "for (IDX j = %s; j < N; j++) {{ %s }}" % (first, step)
    if rnd.random() < 0.2:
        # The loop is tested at its end.
        loop = "if (N > 1) {{ IDX j = 1; do {{ %s }} while (++j < N); }}" % step
    # State that some rounds do not assign and only a `select` reads is an error to the
    # interpreter.
    rules = ("exact",) if "&&" in step else ("exact", "interp")
    body = "%s {{ %s%s %s }}" % (
        "for (IDX i = 0; i < M; i++)" if rows else "", begin, loop, end)
    return Flat(rnd, t, idx, ["M", "N"], {
        "A": lambda M, N: size(M, N) if rows else max(N, 0),
        "B": lambda M, N: max(N, 1), "C": lambda M, N: max(M, 1)}, body,
        rules=rules, fix=longer).made


def limited(rnd):
    """A search whose test reads what each round may write in front of it, and sums of
    rows, for which the function is brought into light form."""
    t, idx = draw(rnd, ["f32", "f32", "f64", "i32"])
    test = rnd.choice(["A[j] > A[t]", "A[t] < A[j]", "A[j] <= A[t]", "A[j] >= A[t]"])
    body = ("IDX t = 0, w[2] = {{0, 0}}; "
            "for (IDX j = 0; (w[j & 1] = N, j < w[(j + M) & 1]); j++) if (%s) t = j; "
            "for (IDX i = 0; i < M; i++) {{ {T} s = 0; for (IDX j = 0; j < N; j++) "
            "s += B[i*N + j]; C[i] = s; }} C[M > 0 ? M : 0] = ({T})t;" % test)
    return Flat(rnd, t, idx, ["M", "N"], {
        "A": lambda M, N: max(N, 0), "B": lambda M, N: size(M, N),
        "C": lambda M, N: max(M, 1) + 1}, body, fix=longer).made


def search(rnd):
    """The first of the greatest or least elements of rows, or of one."""
    t, idx = draw(rnd, ["f32", "f64"])
    rows = rnd.random() < 0.6
    at = "i*N + j" if rows else "j"
    x = rnd.choice(["A[{0}]", "A[{0}]", "A[{0}]", "-A[{0}]", "A[{0}] * 2", "B[j]"])
    x = x.format(at)
    better = rnd.choice(["X > s", "X > s", "s < X", "X < s", "s > X", "X >= s",
                         "!(X <= s)"])
    step = rnd.choice(["if (%s) {{ s = X; t = j; }}", "if (%s) {{ t = j; s = X; }}",
                       "if (%s) s = X;", "s = %s ? X : s;",
                       "if (%s) {{ s = X; t = 3 * j + 1; }}",
                       "if (%s) {{ s = X; t = j; u = 2 - j; }}",
                       "{T} y = B[j]; if (%s) {{ s = X; u = y; }}"]) % better
    start = rnd.choice(["-9", "9", "0", "O"])
    out = "C[i]" if rows else "C[0]"
    end = "%s %s %s;" % (out, rnd.choice(["=", "=", "+="]),
                         rnd.choice(["s", "({T})t", "({T})t + s", "u - ({T})t"]))
    first = rnd.choice(["0", "0", "1"])
    body = ("%s {{ {T} s = %s, u = 1; IDX t = 0; "
            "for (IDX j = %s; j < N; j++) {{ %s }} %s }}" % (
                "for (IDX i = 0; i < M; i++)" if rows else "",
                start.replace("O", out), first, step.replace("X", x), end))
    return Flat(rnd, t, idx, ["M", "N"], {
        "A": lambda M, N: size(M, N) if rows else max(N, 0),
        "B": lambda M, N: max(N, 1), "C": lambda M, N: max(M, 1)}, body,
        fix=longer).made


def transpose(rnd, types=MOVED):
    """Permutations that are worth tiles: rows become columns, maybe several."""
    t, idx = draw(rnd, types)
    extents = dict(zip("pij", "PMN"))
    to = rnd.choice([["p", "j", "i"], ["j", "i", "p"], ["j", "p", "i"]])
    loops = rnd.choice([list("pij"), to])
    source, target = flat_index("pij", extents), flat_index(to, extents)
    value = rnd.choice(["X", "X", "X * 3", "X * B[j]", "X > 0 ? X : 0", "X + B[i]"])
    body = " ".join("for (IDX %s = 0; %s < %s; %s++)" % (a, a, extents[a], a)
                    for a in loops)
    body += " C[%s] = %s;" % (target, value.replace("X", "A[%s]" % source))

    def wide(rnd, dims):
        if rnd.random() < 0.7:
            dims.update(P=rnd.choice([1, 1, 2]), M=rnd.choice([8, 9, 16, 31, 33, 64, 70, 130]),
                        N=rnd.choice([8, 12, 17, 32, 40, 65]))

    all_ = lambda P, M, N: size(P, M, N)
    return Flat(rnd, t, idx, ["P", "M", "N"], {
        "A": all_, "B": lambda P, M, N: max(M, N, 1), "C": all_}, body, fix=wide).made


def convolution(rnd, types=TYPES):
    """Direct, of one line or plane, with or without padding; or pooling."""
    t, _ = draw(rnd, types)
    plane, padded = rnd.random() < 0.5, rnd.random() < 0.6
    pool = rnd.random() < 0.3
    start, step = ("-9", "s = {x} > s ? {x} : s;") if pool else ("0", "s += {x} * {w};")
    y, x = "i + y", "j + x"
    if padded:
        y, x = y + " - 1", x + " - K / 2"
    width = "N" if padded else "(N + K)"
    tests = ["%s >= 0" % x, "%s < N" % x] if padded else []
    row = "p"
    if plane:
        row = "(p * %s + %s)" % ("M" if padded else "(M + 3)", y)
        tests += ["%s >= 0" % y, "%s < M" % y] if padded else []
    element = "A[%s * %s + %s]" % (row, width, x)
    weight = "B[%s]" % ("(p * 3 + y) * K + x" if plane else "p * K + x")
    step = step.format(x=element, w=weight)
    rnd.shuffle(tests)
    if tests:
        step = "if (%s) %s" % (" && ".join(tests), step)
    around = ["for (int p = 0; p < P; p++)"]
    if plane:
        around.append("for (int y = 0; y < 3; y++)")
    around.append("for (int x = 0; x < K; x++)")
    outer = "for (int j = 0; j < N; j++)"
    out = "C[j]"
    if plane:
        outer, out = "for (int i = 0; i < M; i++) " + outer, "C[i*N + j]"
    body = "%s {{ {T} s = %s; %s {{ %s }} %s = s; }}" % (
        outer, start, " ".join(around), step, out)
    lines = lambda M: (M if padded else M + 3) if plane else 1
    # Conditions that may wrap become state that some rounds do not assign and only
    # a `select` reads: the interpreter takes that for an error.
    rules = ("exact",) if padded else ("exact", "interp")
    return Flat(rnd, t, "int", ["P", "M", "N", "K"], {
        "A": lambda P, M, N, K: size(P, lines(max(M, 0)), N if padded else N + K),
        "B": lambda P, M, N, K: size(P, 3, K),
        "C": lambda P, M, N, K: size(M, N) if plane else max(N, 0)}, body,
        rules=rules).made


def scan(rnd, types=TYPES):
    """Running state that is stored in every round, and sums in place."""
    t, idx = draw(rnd, types)
    x = "C[i*N + j]" if rnd.random() < 0.3 else "A[i*N + j]"
    loops = ["for (IDX j = 0; j < N; j++)", "for (IDX i = 0; i < M; i++)"]
    if rnd.random() < 0.3:
        loops.reverse()
    step = rnd.choice(["s += X;", "s = s * 3 + X;", "s = X > s ? X : s;",
                       "if (X > s) s = X; else s += 1;"]).replace("X", x)
    body = "%s {{ {T} s = 0; %s {{ %s C[i*N + j] = s; }} }}" % (*loops, step)
    all_ = lambda M, N: size(M, N)
    return Flat(rnd, t, idx, ["M", "N"], {"A": all_, "C": all_}, body).made


# What a round makes of s, which the loop waits for. X, Y: elements.
ROUNDS = ["s += X * Y;", "s -= X * Y;", "s += X * Y + Y * Y;", "s = X / 4 + s / 2;",
          "s = X * ({T})0.25 + s * ({T})0.5;", "s = s * ({T})0.5 - X * ({T})0.25;",
          "s = Y * ({T})0.25 - s * ({T})0.5;", "s += ({T})0.25 * (X - s);",
          "s -= (s - X) * ({T})0.5;", "s = s * ({T})-0.5 + X;", "s += X; s += Y * X; s -= Y;",
          "s += X * 2; s += 3 * Y; s += X * Y; s -= Y * Y; s += X;",
          "t = t * ({T})0.5 + X; s += t * Y;",
          "t = s * ({T})0.5; s = X * X - t;", "s = (s + X) * ({T})0.5 + t; t = X - s;"]


# The same where nothing is rounded: v is 0 or 1, w 1 or -1.
WHOLE_ROUNDS = ["s += X * Y;", "s -= X * Y;", "s += X * Y + Y * X * 2;", "s = X * v + s * w;",
                "s = s * w - X * Y;", "s += v * (X - s);", "s -= (s - X) * v;",
                "s = X + s * w;", "t = s * w; s = X * X - t;", "t = s * w; s = t - X * Y;",
                "s += X; s += Y * X; s -= Y;", "t = t * w + X; s += t * Y;",
                "t = X * w; s = s * w + t * Y;"]


def recurrence(rnd, rounds=ROUNDS, scalars=(), limit=4000, overlaps=True):
    """Loops that wait for a sum or a filter, element by element or with steps."""
    t, idx = draw(rnd, ["f32", "f32", "f64"])
    step = rnd.choice(["j", "2*j", "j*3"])
    x, y = "A[i*N + %s]" % step, rnd.choice(["B[j]", "B[%s]" % step, "A[i*N + j]"])
    stores = rnd.choice(["", "C[i*N + j] = s;", "C[i*N + j] = s - X;"])
    round_ = "".join(rnd.sample(rounds, rnd.choice([1, 1, 1, 2])))
    body = ("if (N > 0) for (IDX i = 0; i < M; i++) {{ {T} s = C[i*N], t = 0; (void)t; "
            "for (IDX j = 0; j < N; j++) {{ %s }} C[i*N] = s + t; }}" % (
                (round_ + stores).replace("X", x).replace("Y", y)))
    wide = lambda M, N: size(M, N) + 2 * max(N, 0) + 1
    arrays = {"A": wide, "B": wide, "C": lambda M, N: size(M, N)}
    return Flat(rnd, t, idx, ["M", "N"], arrays, body, scalars, limit=limit,
                rules=("exact",), overlaps=overlaps).made


def whole_recurrence(rnd):
    # Outputs that are inputs again grow beyond what is whole.
    kernel = recurrence(rnd, WHOLE_ROUNDS, ["v", "w"], limit=300, overlaps=False)
    inner = kernel.sample

    def sample(rnd, large=False):
        run = inner(rnd)
        run.data = INTEGERS
        run.values.update(v=rnd.choice([0.0, 1.0]), w=rnd.choice([1.0, -1.0]))
        return run
    kernel.sample = sample
    return kernel


# Of row programs: what is summed up, in the order of the source, and what is made
# of each element then. X: the element, Y: one of the same column, Z: what is written,
# W: what is kept of the row, there or in an array for one row.
CHAINS = ["s += X;", "s += X * Y;", "s = X > s ? X : s;", "s -= X * X;",
          "if (X > s) s = X;", "s = s * 3 + X;", "t = s > t ? s : t; s += X;",
          "s += (X - m) * (X - m);", "if (j != i) s += X;", "Z = X * 2 + m; s += X;",
          "s += X; if (Y > 0) t += X;", "W = X * 2 + Y; s += W;",
          "W += X; s += W * Y;", "s += W; W = X + m;", "W = X * Y; s = s * 3 + W * W;"]
ENDS = ["Z = W - m;", "Z = W * m; if (Y > 0) t += Z;", "W = X; Z = W - m;", "Z = X - m;", "Z = (X - m) * Y;", "Z = X * m + Y;", "Z = X > m ? X : Y;",
        "Z -= m;", "Z = s; s += X;", "if (Y > 0) Z = X + m;", "D[j] += X + m;",
        "Z = X - m; D[j] += Z;", "if (j <= i) Z = m; else Z = 0;"]


def extreme(rnd, t):
    """The maximum or minimum of a row by a function, which is stored: of zeros the sign,
    too. LLVM leaves it scalar beside a sum in its order."""
    most, least = rnd.choice([("fmax", "fmin"), ("fmin", "fmax")])
    call = lambda name, *args: "(({T})__builtin_%s%s(%s))" % (
        name, "f" if t == "f32" else "", ", ".join(args))
    other = rnd.choice(["X", "X", "X * Y", "-X", call(least, "X", "2"), call(least, "X", "-2"),
                        call("fabs", "X"), call(most, "X", "0")])
    return "t = %s; for (IDX j = 0; j < N; j++) {{ t = %s; s += X; }} E[i] = t;" % (
        rnd.choice(["0", "-({T})0.0", "-9", "9", "Y"]).replace("Y", "E[i]"),
        call(most, *(["t", other] if rnd.random() < 0.8 else [other, "t"])))


def row_program(rnd, types=TYPES):
    """One to three sums of a row, then one or two loops that write it, for each of
    several rows or for one."""
    t, idx = draw(rnd, types)
    x = "C[i*N + j]" if rnd.random() < 0.2 else "A[i*N + j]"
    z, y = "C[i*N + j]", rnd.choice(["B[j]", "B[j]", "B[i]", "A[i*N + j]"])
    single = rnd.random() < 0.25
    batched = not single and rnd.random() < 0.3
    if batched:
        x, z = x.replace("i*N", "(p*M + i)*N"), z.replace("i*N", "(p*M + i)*N")
    parts, row = [], rnd.random() < 0.35
    if row:
        parts.append("s = 0; for (IDX j = 0; j < N; j++) {{ W = X * 2 + Y; s += W; }} "
                     "m = s; for (IDX j = 0; j < N; j++) {{ Z = %s; }}" % rnd.choice(
                         ["W - m", "(W - m) * Y", "W > m ? W : X"]))
    for _ in range(rnd.choice([0, 0, 1]) if row else rnd.choice([1, 1, 2, 2, 3])):
        parts.append("s = %s; for (IDX j = 0; j < N; j++) {{ %s }} m = %s;" % (
            rnd.choice(["0", "-9", "m"]), rnd.choice(CHAINS),
            rnd.choice(["s", "s + 1", "s * 2 - m", "s + t"])))
    for _ in range(rnd.choice([0, 0, 1]) if row else rnd.choice([0, 1, 1, 1, 2])):
        parts.append("for (IDX j = 0; j < N; j++) {{ %s }}" % rnd.choice(ENDS))
    if rnd.random() < 0.4:
        parts.append(rnd.choice(["E[i] = m;", "E[i] += s;", "E[0] += m;",
                                 "E[i] = m; E[M + i] = s;"]))
    if t in ("f32", "f64") and rnd.random() < 0.15:
        parts.append(extreme(rnd, t))
    if rnd.random() < 0.2:
        rnd.shuffle(parts)
    body = " ".join(parts)
    for name, element in [("X", x), ("Y", y), ("Z", z), ("W", "r[j]" if row else z)]:
        body = re.sub(r"\b%s\b" % name, element, body)
    around = "for (IDX p = 0; p < P; p++) " if batched else ""
    loop = "for (IDX i = 0; i < M; i++)"
    if single:
        loop, body = "IDX i = 0;", body.replace("E[M + i]", "E[i + 1]")
    body = "%s%s {{ {T} s = 0, t = 0, m = 0; %s }}" % (around, loop, body)
    if row:
        body = "{T} r[4096] = {{0}}; if (N > 4096) return;\n" + body
    least = 1 if single else 0
    rows = lambda P, M, N: size(P if batched else 1, max(M, least), N)
    return Flat(rnd, t, idx, ["P", "M", "N"], {
        "A": rows, "B": lambda P, M, N: max(M, N, 1), "C": rows,
        "D": lambda P, M, N: max(N, 1), "E": lambda P, M, N: 2 * max(M, 1)},
        body).made


# Of rows with functions: what loops store, sum up, or both. F: a function of a number,
# for results of all kinds.
FUNCTION_LOOPS = ["Z = F(X);", "Z = 1 / (1 + F(-X));", "Z = X > 0 ? X : F(X) - 1;",
                  "Z = F(X - m); s += Z;", "s += F(X - m);", "Z = F(X) * F(Y);",
                  "if (Y > 0) Z = F(X);", "Z += F(Y) - s;", "s = s * F(X) + Y;",
                  "{T} f = F(X); Z = f; s += f * Y;", "D[j] += F(X);",
                  "Z = F(X - m); s += Z * m;", "s += Z * F(X);", "Z = F(X * X + 1);",
                  "if (m > 0) Z = F(Y);", "Z *= m > 0 ? 1 / F(Y) : 2;", "if (X > 0) s += F(Y);",
                  "if (j != i) s += X * Y;", "if (Y > m) s += X;"]


def functions(rnd):
    """Maps and rows, or one row, with calls of functions whose bits are the library's."""
    t, idx = draw(rnd, ["f32", "f32", "f32", "f64"])
    name = "__builtin_%s%s" % (rnd.choice(["exp", "exp", "exp2", "expm1", "tanh", "erf",
                                           "log", "log", "log1p", "log1p", "log2", "log10",
                                           "sin", "cos", "pow", "pow", "cbrt", "sinh", "cosh",
                                           "erfc", "tan", "asin", "acos", "atan",
                                           "hypot", "sqrt", "floor", "ceil", "trunc", "rint",
                                           "nearbyint", "round"]),
                               "f" if t == "f32" else "")
    call = name + "(%s)"
    if "pow" in name or "hypot" in name:
        call = name + "(%s, " + rnd.choice(["3", "0.5", "2.2", "-1", "B[j]", "9 * B[j]"]) + ")"
    # Results are normal, subnormal, zero or infinite.
    scale = rnd.choice(["(%s)", "(%s) * 9", "(%s) * 30", "(%s) * 1e-6", "(%s) - 100"])
    x, y, z = "A[i*N + j]", rnd.choice(["B[j]", "B[i]"]), "C[i*N + j]"
    single = rnd.random() < 0.3
    if rnd.random() < 0.2:
        z = x
    parts = []
    if rnd.random() < 0.5:
        parts.append("m = -9; for (IDX j = 0; j < N; j++) m = %s;" % (
            rnd.choice(["X > m ? X : m", "__builtin_fmax%s(m, X)" % ("f" if t == "f32" else "")])))
    for _ in range(rnd.choice([1, 1, 2])):
        parts.append("for (IDX j = 0; j < N; j++) {{ %s }}" % rnd.choice(FUNCTION_LOOPS))
    if rnd.random() < 0.5:
        parts.append("for (IDX j = 0; j < N; j++) Z /= s;")
    body = " ".join(parts)
    body = re.sub(r"F\(([^()]*)\)", lambda m: call % (scale % m.group(1)), body)
    for letter, element in [("X", x), ("Y", y), ("Z", z)]:
        body = re.sub(r"\b%s\b" % letter, element, body)
    # The logarithm of what is below zero is another error.
    log = "__builtin_log%s" % ("f" if t == "f32" else "")
    end = rnd.choice(["s + m", "s + m", log + "(s) + m", log + "(s * s)"])
    if rnd.random() < 0.3:
        end = "(r += %s)" % end
    loop = "IDX i = 0;" if single else "for (IDX i = 0; i < M; i++)"
    body = "{T} r = 0; %s {{ {T} s = 0, m = 0; %s E[i] = %s; }}" % (loop, body, end)
    rows = lambda M, N: size(max(M, 1), N)
    # Now and then narrower than results.
    narrow = rnd.choice([("signed char", "i8"), ("short", "i16"), ("unsigned char", "i8")])
    read = (rows, narrow) if z != x and rnd.random() < 0.15 else rows
    return Flat(rnd, t, idx, ["M", "N"], {
        "A": read, "B": lambda M, N: max(M, N, 1), "C": rows,
        "D": lambda M, N: max(N, 1), "E": lambda M, N: max(M, 1)}, body).made
