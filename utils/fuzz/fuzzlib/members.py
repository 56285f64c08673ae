"""Loops whose steps change what the loops inside read: globals, members of a
struct, elements that an argument points to; updates of one variable by several
operations."""
from .simple import Flat, draw

STATE = ("struct {name}_state {{ {T} f; {T} *data; long n; }};\n"
         "{T} {name}_g; struct {name}_state {name}_s;\n")


class Place:
    """Where a number is that steps change, and a bound and a pointer beside it."""

    def __init__(self, rnd):
        self.f = rnd.choice(["{name}_g", "{name}_s.f", "E[0]", "(*({T} (*)[1])E)[0]"])
        self.n = rnd.choice(["N", "N", "{name}_s.n", "({name}_s.n < N ? {name}_s.n : N)"])
        self.data = rnd.choice(["A", "A", "{name}_s.data"])
        self.start = ("{name}_g = E[1]; {name}_s.f = E[1]; {name}_s.n = N; "
                      "{name}_s.data = A;")
        self.update = rnd.choice([
            "", "%s += 1;" % self.f, "%s += 1;" % self.f, "%s = E[s];" % self.f,
            "%s *= (%s)0.5;" % (self.f, "{T}"), "if (s > 1) %s += 1;" % self.f,
            "if (E[s] > 0) %s += 1;" % self.f])
        more = []
        if self.n != "N":
            more.append(rnd.choice(["", "{name}_s.n = s < N ? s : N;",
                                    "if (s == 2) {name}_s.n = 1;"]))
        if self.data != "A":
            more.append(rnd.choice(["", "{name}_s.data = s & 1 ? A : B;",
                                    "if (s == 1) {name}_s.data = B;"]))
        self.more = " ".join(more)


def state(rnd):
    """Steps that change what their loops multiply with, divide by, take the root
    or a power of, run to or read from."""
    t, idx = draw(rnd, ["f32", "f32", "f64"])
    p = Place(rnd)
    suffix = "f" if t == "f32" else ""
    call = lambda name, x: "__builtin_%s%s(%s)" % (name, suffix, x)
    root = call("sqrt", p.f)
    uses = ["%s" % p.f, root, root, "(%s + 1)" % root, "(1 / %s)" % p.f,
            call("fabs", p.f), call("pow", p.f + ", v"), call("exp", p.f)]
    front = rnd.random() < 0.5
    use = "c" if front else rnd.choice(uses)
    a = p.data + rnd.choice(["[j]", "[s*N + j]"])
    element = rnd.choice(["{a} * {u}", "{u} / ({call} + 1)", "{a} * {u} + {call}",
                          "{u} * {pow}", "{a} * {u} - x[j]"]).format(
        a=a, u=use, call=call("sqrt", "x[j] / (1 - %s)" % call("pow", "v, w")),
        pow=call(rnd.choice(["exp", "tanh"]), "x[j]"))
    to = rnd.choice(["C[s*N + j]", "C[j]"])
    form = rnd.choice(["map", "map", "map", "sum", "product"])
    inner = "for (IDX j = 0; j < %s; j++) " % p.n
    if form == "map":
        loops = inner + "%s %s %s;" % (to, rnd.choice(["=", "+=", "-="]), element)
    elif form == "sum":
        loops = "{{ {T} r = 0; %s r += %s; C[s] = r; }}" % (inner, element)
    else:
        loops = (inner + "{{ {T} r = 0; for (IDX k = 0; k < N; k++) r += A[s*N + k] * "
                 "B[k*N + j]; C[s*N + j] = r * %s; }}" % use)
    body = "%s for (IDX s = 0; s < M; s++) {{ %s %s %s%s %s }}" % (
        p.start, p.update if rnd.random() < 0.8 else "", p.more,
        "{T} c = %s; " % rnd.choice(uses) if front else "", loops,
        p.update if rnd.random() < 0.2 else "")
    area = lambda M, N: max(M, 1) * max(N, 1)
    all_ = lambda M, N: max(area(M, N), max(N, 1) ** 2)
    return Flat(rnd, t, idx, ["M", "N"], {
        "A": all_, "B": all_, "C": area, "x": lambda M, N: max(N, 1),
        "E": lambda M, N: max(M, 2)}, body, scalars=["v", "w"], helper=STATE,
        rules=("exact",), fix=lambda rnd, dims: dims.update(N=max(dims["N"], 0))).made


def combiners(rnd):
    """One variable that several operations update."""
    t, idx = draw(rnd, ["f32", "f32", "f64", "i32", "i64"])
    real = t in ("f32", "f64")
    s = rnd.choice(["r", "r", "C[i]", "C[0]"])
    element = rnd.choice(["A[i*N + j]", "A[i*N + j] * x[j]", "A[j*M + i]"])

    def update(x):
        less = "%s %s %s ? %s : %s" % (
            (x, rnd.choice("<>"), s, x, s) if rnd.random() < 0.5 else
            (s, rnd.choice("<>"), x, s, x))
        # Products of integers overflow.
        return rnd.choice(["%s += %s;", "%s -= %s;", "%s *= %s;" if real else "%s ^= %s;",
                           "%s = %s - " + s + ";"]) % (s, x) \
            if rnd.random() < 0.7 else "%s = %s;" % (s, less)
    inner = "for (IDX j = 0; j < N; j++) "
    first, second = update(element), update(rnd.choice(["x[j]", "A[i*N + j]"]))
    other = update("x[i]")
    if not real:  # nor may sums
        first, second, other = (u.replace("* x[j]", "& x[j]") for u in (first, second, other))
    body = rnd.choice([
        inner + "{{ %s %s }}" % (first, second),
        "{{ %s{{ %s }} %s }}" % (inner, first, other),
        "{{ %s %s{{ %s }} }}" % (other, inner, first),
        "{{ %s{{ %s }} %s{{ %s }} }}" % (inner, first, inner, second),
        inner + "{{ if (x[j] > 0) %s else %s }}" % (first, second),
        inner + "{{ if (j & 1) %s else %s }}" % (first, second)])
    start = "{T} r = %s; " % rnd.choice(["0", "1", "x[0]"]) if s == "r" else ""
    around = "for (IDX i = 0; i < M; i++) "
    if s == "r" and rnd.random() < 0.7:
        body = around + "{{ %s%s C[i] = r; }}" % (start, body)
    else:
        body = "%s%s%s%s" % (start, around, body, " C[0] = r;" if s == "r" else "")
    area = lambda M, N: max(M, 1) * max(N, 1)
    return Flat(rnd, t, idx, ["M", "N"], {
        "A": area, "x": lambda M, N: max(M, N, 1), "C": area}, body,
        rules=("exact",)).made
