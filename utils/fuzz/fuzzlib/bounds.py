"""Loops whose bounds, strides and factors are in memory that they may write, and
sums in memory: no kernels as a rule, what dl-noalias puts behind guards."""
from .simple import Flat, draw


# What may be absent: then no iteration comes to it.
ABSENT = ("struct {name}_t {{ {T} *y; }}; struct {name}_t {name}_v; "
          "struct {name}_t *volatile {name}_q;\n")
FIND = ("{name}_v.y = C; {name}_q = E[7] & 1 ? &{name}_v : 0; "
        "struct {name}_t *q = {name}_q; int found = E[7] & 1; ")


# A pointer that is read twice, with a store between that might change it.
TWICE = ("struct {name}_t {{ {T} *y; }}; struct {name}_t {name}_v; "
         "struct {name}_t *volatile {name}_q; {T} *{name}_w[8], **volatile {name}_z;\n")
FIND_TWICE = ("{name}_v.y = C; {name}_q = &{name}_v; {name}_z = {name}_w; "
              "struct {name}_t *q = {name}_q; {T} **z = {name}_z; ")


class Shared(Flat):
    """Arrays that overlap mostly."""

    def sample(self, rnd, large=False, overlap=None):
        return super().sample(rnd, large, overlap or rnd.random() < 0.6)


def number(rnd, n):
    """A number that E has at \\p n, 0 to 7 whatever is there."""
    return rnd.choice(["(E[%d] & 7)", "(E[%d] & 7)", "(E[%d] & 3)"]) % n


def value(rnd, i, j):
    return rnd.choice(["A[%s*8 + %s]" % (i, j), "A[%s] ^ x[%s]" % (i, j),
                       "(A[%s*8 + %s] & x[%s])" % (i, j, j), "x[%s] ^ E[4]" % j,
                       "(A[%s*8 + %s] ^ E[5])" % (i, j)])


def bounds(rnd):
    """One loop or two, which read again how far they go, and where."""
    t, idx = draw(rnd, ["i32", "i16", "i8", "i8", "i64"])
    absent = rnd.random() < 0.25
    rows, columns = number(rnd, 0), number(rnd, 1)
    at = rnd.choice(["i*8 + j", "i*%s + j" % number(rnd, 2), "j", "i",
                     "j*%s" % number(rnd, 3), "63 - i*8 - j"])
    to = "%s[%s]" % ("q->y" if absent else rnd.choice(["C", "C", "C", "D"]), at)
    store = "%s %s %s;" % (to, rnd.choice(["=", "^=", "="]), value(rnd, "i", "j"))
    if absent:
        store = "if (x[j] & found) " + store
    elif rnd.random() < 0.3:
        store = "if (%s) %s" % (rnd.choice(["E[6]", "x[j] & 1", "E[6] & 1", "i > 1"]),
                                store)
    if rnd.random() < 0.3:
        store += " D[%s] ^= %s;" % (rnd.choice(["i", "j", "i*8 + j"]),
                                    value(rnd, "j", "i"))
    inner = "for (IDX j = %s; j < %s; j++) {{ %s }}" % (
        *rnd.choice([("0", columns), ("0", columns), ("0", "i + 1"), ("i", columns)]), store)
    if rnd.random() < 0.2:
        inner = "IDX j = 0; do {{ %s }} while (++j < %s);" % (store, columns)
    front = rnd.choice(["", "", "C[i] = E[4];", "D[i] ^= 1;"])
    back = rnd.choice(["", "", "", "D[i] = C[i];"])
    outer = "for (IDX i = 0; i < %s; i++) {{ %s %s %s }}" % (rows, front, inner, back)
    body = outer if rnd.random() < 0.7 else "IDX i = 0; " + inner
    size = lambda M: max(M, 80)
    return Shared(rnd, t, idx, ["M"], {n: size for n in "ACDEx"},
                  (FIND if absent else "") + body, helper=ABSENT if absent else "",
                  rules=("exact",)).made


def sums(rnd):
    """Sums that each round of an inner loop reads and stores."""
    t, idx = draw(rnd, ["i32", "i64", "f32", "f64"])
    real = t[0] == "f"
    value = lambda: rnd.choice(["A[i*N + j]", "A[j*M + i]", "x[j]", "D[j]"])
    product = lambda: ("%s * %s" if real else "(%s ^ %s)") % (value(), value())
    add = rnd.choice(["+=", "-="]) if real else rnd.choice(["^=", "|="])
    lines = ["%s %s %s;" % (rnd.choice(["C[i]", "C[i]", "C[0]", "C[2*i]"]), add,
                            product())]
    for _ in range(rnd.choice([0, 1, 1, 2])):
        lines.append(rnd.choice(
            ["D[j] %s %s;" % (add, product()), "D[i] %s %s;" % (add, product()),
             "y[i] %s A[i*N + j];" % add, "y[j] = C[i];",
             "if (x[j] > 0) D[i] %s x[j];" % add]))
    rnd.shuffle(lines)
    front = rnd.choice(["", "C[i] = 0;", "C[i] = x[i];"])
    back = rnd.choice(["", "", "D[i] = C[i];"])
    twice = rnd.random() < 0.3
    if twice:
        early = "{T} *a = q->y; z[i%s] = ({T} *)D; " % rnd.choice([" & 7", "*0"])
        front += early + "{T} *b = q->y;" if rnd.random() < 0.7 else "{T} *b = q->y;"
        # What else may alias the sums is tested, or nothing is done at all.
        lines = ["*%s %s %s;" % (p, add, rnd.choice(["x[j]", "x[j] * 2", "A[j] * x[j]"]))
                 for p in "ab"]
        if rnd.random() < 0.4:
            lines[1] = "y[j] = *b;"
        lines += rnd.choice([[], [], ["z[j & 7] = ({T} *)D;"]])
    outside = FIND_TWICE if twice else ""
    if twice and "*a" not in front:
        outside += "{T} *a = q->y; "
    body = outside + ("for (IDX i = 0; i < M; i++) {{ %s for (IDX j = %s; j < N; j++) {{ %s }} %s }}"
            % (front, rnd.choice(["0", "0", "0", "i"]), " ".join(lines), back))
    area = lambda M, N: max(M, 1) * max(N, 1)
    both = lambda M, N: 2 * max(M, N, 1)
    return Shared(rnd, t, idx, ["M", "N"], {
        "A": area, "x": both, "y": both, "C": both, "D": both}, body,
        helper=TWICE if twice else "", rules=("exact",)).made
