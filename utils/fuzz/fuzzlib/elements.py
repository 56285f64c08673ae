"""Element-wise loops: activations and their backward forms, steps of optimizers,
broadcasts; conditions, stores under opposite conditions, square roots."""
from .lanes import longer, size
from .simple import Flat, draw

COMPARES = [">", "<", ">=", "<=", "==", "!="]


class ElementWriter:
    def __init__(self, rnd, type, places):
        self.rnd, self.places = rnd, places
        self.suffix = "f" if type == "f32" else ""
        self.temporaries = 0

    def call(self, name, *args):
        return "__builtin_%s%s(%s)" % (name, self.suffix, ", ".join(args))

    def atom(self):
        if self.rnd.random() < 0.25:
            return "({T})" + self.rnd.choice(["0", "0", "1", "6", "0.5", "-1"])
        return self.rnd.choice(self.places)

    def condition(self):
        text = "%s %s %s" % (self.rnd.choice(self.places), self.rnd.choice(COMPARES),
                             self.rnd.choice(["0", "0", self.atom()]))
        return "!(%s)" % text if self.rnd.random() < 0.15 else text

    def test(self):
        text = self.condition()
        if self.rnd.random() < 0.2:
            text = "(%s) %s (%s)" % (text, self.rnd.choice(["&&", "||", "&"]),
                                     self.condition())
        return text

    def value(self, depth):
        if depth == 0:
            return self.atom()
        inner = lambda: self.value(self.rnd.randrange(depth))
        kind = self.rnd.randrange(10)
        if kind < 4:
            return "(%s %s %s)" % (inner(), self.rnd.choice("++-**"), inner())
        if kind < 7:
            return "(%s ? %s : %s)" % (self.test(), inner(), inner())
        if kind == 7:
            return self.call(self.rnd.choice(["fmax", "fmin"]), inner(), inner())
        if kind == 8:
            return self.rnd.choice([self.call("fabs", inner()), "-" + self.atom(),
                                    "({T})(%s)" % self.condition()])
        return self.rnd.choice(["(%s / %s)" % (inner(), inner()),
                                self.call("sqrt", inner())])

    def statement(self, targets):
        target, depth = self.rnd.choice(targets), self.rnd.choice([1, 1, 2, 2, 3])
        value = lambda: self.value(self.rnd.randrange(depth + 1))
        kind = self.rnd.random()
        if kind < 0.2:
            self.temporaries += 1
            name = "t%d" % self.temporaries
            text = "{T} %s = %s;" % (name, self.value(depth))
            self.places = self.places + [name]
            return text
        if kind < 0.4:
            return "if (%s) %s = %s; else %s = %s;" % (
                self.test(), target, value(), self.rnd.choice([target, target, *targets]),
                value())
        if kind < 0.5:
            return "if (%s) %s %s %s;" % (self.test(), target,
                                          self.rnd.choice(["=", "+="]), value())
        return "%s %s %s;" % (target, self.rnd.choice(["=", "=", "=", "+=", "-="]),
                              self.value(depth))


def elements(rnd):
    t, idx = draw(rnd, ["f32", "f32", "f64"])
    rows = rnd.random() < 0.4
    at = "i*N + j" if rows else "j"
    places = ["A[%s]" % at, "A[%s]" % at, "B[%s]" % at, "C[%s]" % at]
    places.append(rnd.choice(["E[0]", "E[i]" if rows else "E[0]", "E[j]", "A[%s]" % at]))
    targets = ["C[%s]" % at, "C[%s]" % at, "D[%s]" % at]
    if rnd.random() < 0.5:
        places.remove("C[%s]" % at)
        targets = targets[:rnd.choice([1, 3])]
    writer = ElementWriter(rnd, t, places)
    lines = [writer.statement(targets) for _ in range(rnd.choice([1, 1, 1, 2, 3]))]
    if lines[-1].startswith("{T} "):
        lines.append("%s = t%d;" % (targets[0], writer.temporaries))
    around = "for (IDX i = 0; i < M; i++) " if rows else ""
    first = rnd.choice(["0", "0", "0", "1"])
    body = "%sfor (IDX j = %s; j < N; j++) {{ %s }}" % (around, first, " ".join(lines))
    all_ = (lambda M, N: size(M, N)) if rows else (lambda M, N: max(N, 0))
    return Flat(rnd, t, idx, ["M", "N"], {
        "A": all_, "B": all_, "C": all_, "D": all_, "E": lambda M, N: max(M, N, 1)},
        body, rules=("exact",), fix=longer).made
