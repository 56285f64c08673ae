"""Random loop nests with no kind in mind: loops, conditions, scalars, running
indices, early exits."""
from .model import Args, Kernel, Run, pick_data


class Scope:
    """Names a statement may use: loop indices, scalars, running indices."""

    def __init__(self, indices=(), scalars=(), counters=()):
        self.indices, self.scalars = list(indices), list(scalars)
        self.counters = list(counters)

    def copy(self):
        return Scope(self.indices, self.scalars, self.counters)


# Elements of each array: no subscript reaches beyond.
LENGTH = 6144


class KernelWriter:
    """One random kernel on arrays O (output), X, Y and integers Z."""

    def __init__(self, rnd):
        self.rnd = rnd
        self.names = 0
        self.budget = rnd.randint(3, 9)  # statements

    def fresh(self, prefix):
        self.names += 1
        return prefix + str(self.names)

    def chance(self, probability):
        return self.rnd.random() < probability

    def subscript(self, scope):
        """Affine with small coefficients, so that it stays in the array."""
        terms = ["200", str(self.rnd.choice([0, 1, 2, 7, 64]))]
        for v in scope.indices:
            if self.chance(0.7):
                terms.append(self.rnd.choice(
                    [v, v, v + " * n", v + " * m", v + " * 5", v + " * 3",
                     "(unsigned)" + v]))
        if scope.counters and self.chance(0.2):
            terms.append(self.rnd.choice(scope.counters))
        if scope.indices and self.chance(0.15):
            terms.append("(%s %s %d)" % (self.rnd.choice(scope.indices),
                                         self.rnd.choice("/%"),
                                         self.rnd.choice([2, 3, 5])))
        if self.chance(0.08):
            terms.append("(Z[%s] & 15)" % self.rnd.choice(scope.indices or ["0"]))
        return " + ".join(terms)

    def element(self, scope, arrays):
        return "%s[%s]" % (self.rnd.choice(arrays), self.subscript(scope))

    def condition(self, scope):
        pick = self.rnd.random()
        if pick < 0.3 and scope.indices:
            others = scope.indices + ["n", "m", "2", "n - 2"]
            return "%s %s %s" % (self.rnd.choice(scope.indices),
                                 self.rnd.choice(["<", "<=", "==", "!=", ">"]),
                                 self.rnd.choice(others))
        if pick < 0.5:
            return "%s %s %s" % (self.element(scope, "X"),
                                 self.rnd.choice(["<", ">", "=="]),
                                 self.rnd.choice(["0", "3", self.element(scope, "Y")]))
        if pick < 0.6:
            return "mode %s %d" % (self.rnd.choice(["==", ">"]),
                                   self.rnd.randint(0, 8))
        if pick < 0.75 and scope.scalars:
            return "%s > %d" % (self.rnd.choice(scope.scalars),
                                self.rnd.randint(-5, 50))
        if pick < 0.88:
            return "(%s) %s (%s)" % (self.condition(scope),
                                     self.rnd.choice(["&&", "||"]),
                                     self.condition(scope))
        return "(%s & 3) == %d" % (self.element(scope, "Z"), self.rnd.randint(0, 3))

    def value(self, scope, depth=0):
        pick = self.rnd.random()
        if depth > 2 or pick < 0.3:
            return self.element(scope, "XXYYO")
        if pick < 0.4 and scope.scalars:
            return self.rnd.choice(scope.scalars)
        if pick < 0.47 and scope.indices:
            return "(T)" + self.rnd.choice(scope.indices)
        if pick < 0.52:
            return self.rnd.choice(["3", "(T)7", "(T)-2", "(T)mode"])
        x, y = self.value(scope, depth + 1), self.value(scope, depth + 1)
        if pick < 0.6:
            return "(%s ? %s : %s)" % (self.condition(scope), x, y)
        if pick < 0.65:
            return "MAX(%s, %s)" % (x, y)
        return "(%s %s %s)" % (x, self.rnd.choice("++**-"), y)

    def block(self, scope, indent):
        lines = []
        for _ in range(self.rnd.choice([1, 1, 2, 2, 3])):
            if self.budget > 0:
                lines += self.statement(scope, indent)
        return lines or [indent + ";"]

    def statement(self, scope, indent):
        self.budget -= 1
        pick = self.rnd.random()
        if len(scope.indices) < 3 and pick < 0.35:
            return self.loop(scope, indent)
        if pick < 0.45:
            lines = [indent + "if (%s) {" % self.condition(scope)]
            lines += self.block(scope, indent + "  ")
            if self.chance(0.4):
                lines += [indent + "} else {"] + self.block(scope, indent + "  ")
            return lines + [indent + "}"]
        if pick < 0.65 and scope.scalars:
            return [indent + self.update(scope)]
        if pick < 0.7 and scope.counters:
            return [indent + self.rnd.choice(scope.counters) + "++;"]
        if pick < 0.71 and scope.indices:
            return [indent + "if (%s)" % self.condition(scope),
                    indent + "  %s;" % self.rnd.choice(["continue", "break"])]
        return [indent + "%s %s %s;" % (self.element(scope, "OOOOOY"),
                                        self.rnd.choice(["=", "=", "+=", "-="]),
                                        self.value(scope))]

    def update(self, scope):
        """An assignment to a scalar, or to two that trade places."""
        name, pick = self.rnd.choice(scope.scalars), self.rnd.random()
        if pick < 0.6:
            return "%s += %s;" % (name, self.value(scope))
        if pick < 0.8:
            return "%s = %s;" % (name, self.value(scope))
        other = self.rnd.choice(scope.scalars)
        return "{ T t = %s; %s = %s; %s = t + 1; }" % (name, name, other, other)

    def loop_head(self, v, outer):
        if self.chance(0.3):  # unsigned
            kind = self.rnd.choice(["unsigned", "size_t"])
            bound = "(%s)%s" % (kind, self.rnd.choice(["n", "m", "5"] + outer[-1:]))
            if self.chance(0.7):
                return "for (%s %s = 0; %s < %s; %s++) {" % (kind, v, v, bound, v)
            return "for (%s %s = %s; %s-- > 0;) {" % (kind, v, bound, v)
        kind = self.rnd.choice(["int", "int", "int", "long"])
        bounds = ["n", "m", "n", "m", "6", "3", "n - 1", "n + m", "n / 2"]
        for u in outer[-1:]:
            bounds += ["(int)" + u + " + 1", "(int)" + u, "n - (int)" + u]
        bound, pick = self.rnd.choice(bounds), self.rnd.random()
        if pick < 0.6:
            start, test, step = "0", "<", "++"
        elif pick < 0.7:
            start, test, step = "1", "<=", "++"
        elif pick < 0.8:
            start, bound, test, step = bound, "0", ">", "--"
        elif pick < 0.9:
            start, test = self.rnd.choice("012"), "<"
            step = " += %d" % self.rnd.choice([2, 3])
        else:
            start, test, step = self.rnd.choice(outer or ["0"]), "<", "++"
        return "for (%s %s = %s; %s %s %s; %s%s) {" % (kind, v, start, v, test,
                                                       bound, v, step)

    def loop(self, outer, indent):
        scope, before, after = outer.copy(), [], []
        for _ in range(self.rnd.choice([0, 0, 1, 1, 2])):
            s = self.fresh("s")
            start = self.rnd.choice(["0", "(T)-3", self.value(scope)])
            before.append(indent + "T %s = %s;" % (s, start))
            scope.scalars.append(s)
            if self.chance(0.8):
                after.append(indent + "%s %s %s;" % (
                    self.element(outer, "O"), self.rnd.choice(["=", "+="]), s))
        if self.chance(0.15):
            k = self.fresh("k")
            before.append(indent + "int %s = %s;" % (k, self.rnd.choice("03")))
            scope.counters.append(k)
            if self.chance(0.4):
                after.append(indent + "%s = (T)%s;" % (self.element(outer, "O"), k))
        v = self.fresh("i")
        head = indent + self.loop_head(v, outer.indices)
        scope.indices.append(v)
        return before + [head] + self.block(scope, indent + "  ") + [indent + "}"] + after

    def nests(self):
        lines = []
        for _ in range(self.rnd.choice([1, 1, 2])):
            lines += ["  {"] + self.loop(Scope(), "    ") + ["  }"]
            self.budget = max(self.budget, 2)
        return "\n".join(lines)


def random_nest(rnd, type="f32"):
    """O, X and Y are arrays of the type, Z of integers; every subscript is
    between 0 and LENGTH."""
    args = Args(type)
    q = "restrict " if rnd.random() < 0.3 else ""
    for name in "OXY":
        args.pointer(name, q)
    args.add("const int *%sZ" % q, "Z", "p")
    for name in ("n", "m", "mode"):
        args.index(name, "int")
    body = KernelWriter(rnd).nests().replace("{", "{{").replace("}", "}}")
    if type != "f32":
        body = body.replace("MAX(", "IMAX(")
    text = "#define T {T}\nvoid {name}(%s) {{\n%s\n}}\n#undef T\n" % (args.text(), body)

    def sample(rnd, large=False):
        run = Run(rnd, args.size)
        run.data = pick_data(rnd)
        for name in ("n", "m"):
            run.values[name] = rnd.choice([0, 1, 2, 3, 5, 7, 8, 9, 13, 16])
        run.values["mode"] = rnd.randint(0, 8)
        run.work = 3000
        if not q and rnd.random() < 0.4:
            step = rnd.choice([0, 1, 5])
            run.overlap([("O", LENGTH, 0), ("X", LENGTH, step), ("Y", LENGTH, 2 * step)])
        else:
            for name in "OXY":
                run.pointer(name, LENGTH)
        run.pointer("Z", LENGTH, "i32")
        return run
    return Kernel(text, args, sample)
