"""Matrix products in the forms in which programs write them."""
from .model import INDICES, Args, Kernel, Run, pick_data, pick_sizes
from .work import STARTS, WORK

ORDERS = ["ijk", "ikj", "jik", "jki", "kij", "kji"]
BIG = [(40, 132, 131), (37, 200, 128), (65, 129, 260), (41, 136, 140),
       (50, 70, 300), (130, 40, 180), (36, 256, 100)]
# Small, but the rows of B lie so far apart that it does not fit into the caches.
WIDE = [(40, 17, 140), (5, 30, 70), (36, 16, 64), (3, 9, 100), (61, 33, 48)]


class Operand:
    """A matrix: its dimensions, how it is stored and how it is written."""

    def __init__(self, name, rows, cols, transposed, style, tight, base=0):
        self.name, self.style, self.tight, self.base = name, style, tight, base
        self.transposed = transposed
        self.rows, self.cols = (cols, rows) if transposed else (rows, cols)

    def ld(self):
        return self.cols[0] if self.tight else "ld" + self.name.lower()

    def at(self, row, col):
        if self.transposed:
            row, col = col, row
        if self.style in ("vla", "fixed", "rows"):
            return "%s[%s][%s]" % (self.name, row, col)
        index = "%s*%s + %s" % (row, self.ld(), col)
        if self.base:
            index = "%d + %s" % (self.base, index)
        return "%s[%s]" % (self.name, index)

    def declare(self, args, qualifiers, const):
        if self.style == "vla":
            args.pointer(self.name, qualifiers, const, "[%s]" % self.ld())
        elif self.style == "fixed":
            args.pointer(self.name, qualifiers, const, "[%d]" % self.fixed)
        elif self.style == "rows":
            args.add("%s{T} *const *%s" % ("const " if const else "", self.name),
                     self.name, "p")
        else:
            args.pointer(self.name, qualifiers, const)

    def elements(self, dims, ld):
        rows, cols = dims[self.rows[0]], dims[self.cols[0]]
        if rows <= 0 or cols <= 0:
            return 0
        return self.base + (rows - 1) * ld + cols


class Form:
    """All choices that make one kernel; those not given are drawn."""

    def __init__(self, rnd, **given):
        draw = lambda name, options: given.get(name, None) or rnd.choice(options)
        flag = lambda name, p: given[name] if name in given else rnd.random() < p
        self.rnd = rnd
        self.type = given.get("type", "f32")
        self.idx = draw("idx", ["int", "int", "long", "unsigned", "size_t", "short"])
        self.kind = given.get("kind", "nn")
        self.order = draw("order", ORDERS)
        self.local = self.order[2] == "k" and flag("local", 0.7)
        if self.local:
            starts = ["0", "0", "0", "C", "bias_n", "bias_m", "const"]
        else:
            starts = ["0", "C", "C", "bias_n"]
        self.start = draw("start", starts)
        self.post = self.local and flag("post", 0.2)
        # What is done to the sum: one of WORK, or nothing.
        work = given.get("work", "")
        self.work = rnd.choice(list(WORK)) if work == "any" else work
        if self.start == "any":
            self.start = rnd.choice(list(STARTS))
        self.style = draw("style", ["flat", "flat", "flat", "vla", "fixed"])
        self.loops = draw("loops", ["up"] * 5 + ["while", "ne", "le", "one"])
        self.guard = draw("guard", ["", "", "", "nest", "return", "inner"])
        self.combine = draw("combine", ["plus"] * 4 + ["swapped", "temp", "fma"])
        self.access = draw("access", ["plain", "plain", "helper", "pointers", "hoist"])
        self.restrict = flag("restrict", 0.2)
        self.const = flag("const", 0.5)
        self.tight = flag("tight", 0.4)
        self.base = rnd.choice([0, 0, 0, 5])
        self.colmajor = flag("colmajor", 0.15)
        self.twist = given.get("twist", "")
        # Nothing overlaps and rows are apart: results have bounds.
        self.tame = given.get("tame", False)
        self.legalize()

    def legalize(self):
        signed = INDICES[self.idx][1]
        if self.loops in ("le",) and not signed:
            self.loops = "up"
        if self.type not in ("f32", "f64"):
            self.combine = self.combine.replace("fma", "plus")
            self.work = ""
        if self.style == "fixed":
            self.colmajor = self.tight = False
        if self.style == "rows":
            self.colmajor = self.restrict = False
        if self.access == "pointers" and not (
                self.local and self.style == "flat" and self.loops == "up"):
            self.access = "plain"
        if self.access in ("helper", "hoist") and self.style != "flat":
            self.access = "plain"
        if self.access == "hoist" and self.loops in ("down", "one"):
            self.access = "plain"
        if self.guard == "inner" and (not self.local or self.style == "fixed"):
            self.guard = ""
        where, text = TWISTS.get(self.twist, ("", ""))
        if where in ("i", "j"):  # the indices must exist
            self.order, self.local = "ijk", True
            self.start = "0"
        if self.tame:
            self.combine = self.combine.replace("fma", "plus")
        if self.twist:
            self.restrict = False
            if self.access in ("pointers", "hoist"):
                self.access = "plain"
        if self.twist.startswith("bound"):
            if self.style == "fixed":
                self.style = "flat"
            if self.loops in ("ne", "down"):
                self.loops = "up"

    # -- Text -------------------------------------------------------------

    def matrices(self):
        t = [self.kind[0] == "t", self.kind[1] == "t", False]
        if self.colmajor:
            t = [not x for x in t]
        dims = [("M", "K"), ("K", "N"), ("M", "N")]
        result = []
        for name, (r, c), flip in zip("ABC", dims, t):
            tight = self.tight
            x = Operand(name, (r,), (c,), flip, self.style, tight,
                        self.base if self.style == "flat" else 0)
            result.append(x)
        return result

    def head(self, v, bound):
        idx = self.idx
        if self.loops == "while":
            return "%s = 0; while (%s < %s) {{" % (v, v, bound)
        if self.loops == "down":
            if INDICES[idx][1]:
                return "for (%s %s = %s - 1; %s >= 0; %s--) {{" % (idx, v, bound, v, v)
            return "for (%s %s = %s; %s-- > 0;) {{" % (idx, v, bound, v)
        if self.loops == "ne":
            return "for (%s %s = 0; %s != %s; %s++) {{" % (idx, v, v, bound, v)
        if self.loops == "le":
            return "for (%s %s = 0; %s <= %s - 1; ++%s) {{" % (idx, v, v, bound, v)
        if self.loops == "one":
            return "for (%s %s = 1; %s <= %s; %s++) {{" % (idx, v, v, bound, v)
        return "for (%s %s = 0; %s < %s; %s++) {{" % (idx, v, v, bound, v)

    def tail(self, v):
        return "%s++; }}" % v if self.loops == "while" else "}}"

    def sub(self, v):
        return "(%s - 1)" % v if self.loops == "one" else v

    def update(self, acc, a, b):
        condition = CONDITIONS.get(self.twist, "").replace("A(i,k)", a)
        return condition + {
            "plus": "%s += %s * %s;" % (acc, a, b),
            "swapped": "%s = %s * %s + %s;" % (acc, b, a, acc),
            "fma": "%s = %s(%s, %s, %s);" % (
                acc, "__builtin_fma" if self.type == "f64" else "FMA", a, b, acc),
            "temp": "{{ {T} p = %s * %s; %s += p; }}" % (a, b, acc),
            "minus": "%s {minus}= %s * %s;" % (acc, a, b),
        }[self.combine]

    def bound(self, v):
        fixed = getattr(self, "fixed", None)
        name = {"i": "M", "j": "N", "k": "K"}[v]
        return str(fixed[name]) if fixed else name

    def body(self):
        """The nest as lines."""
        A, B, C = self.A, self.B, self.C
        i, j, k = (self.sub(v) for v in "ijk")
        c = C.at(i, j)
        a, b = A.at(i, k), B.at(k, j)
        if self.access == "helper":
            wrap = lambda x: x.replace("[", "_at(", 1)[:-1].replace("_at(", ", ")
            a, b = ("{name}_at(" + wrap(x) + ")" for x in (a, b))
        start = {"0": "0", "C": c, "const": "1.5", "bias_n": "bias[%s]" % j,
                 "bias_m": "bias[%s]" % i,
                 **{name: text.format(i=i, j=j) for name, text in STARTS.items()}
                 }[self.start]
        if self.local:
            return self.local_nest(c, a, b, start)
        return self.memory_nest(c, a, b, start)

    def local_nest(self, c, a, b, start):
        outer, inner = self.order[0], self.order[1]
        lines = [self.head(outer, self.bound(outer)), self.head(inner, self.bound(inner)),
                 "{T} acc = %s;" % start]
        if self.post:
            lines[-1] = "{T} acc = 0;"
        if self.start == "pointer" and self.rnd.random() < 0.5:
            lines[-1] = "{T} acc = 0; if (p) acc = p[%s];" % self.sub("j")
        if self.access == "pointers":
            one = "const " if self.const else ""
            lines += ["%s{T} *pa = &%s, *pb = &%s;" % (
                          one, self.A.at("i", "0"), self.B.at("0", "j")),
                      self.head("k", self.bound("k")),
                      self.update("acc", "*pa", "*pb"),
                      "pa += %s; pb += %s; }}" % (
                          self.A.ld() if self.A.transposed else "1",
                          "1" if self.B.transposed else self.B.ld())]
        elif self.access == "hoist":
            name, at = ("A", self.A) if not self.A.transposed else ("B", self.B)
            row = ("i" if name == "A" else "j")
            if at.transposed or name == "A":
                whole = "%d + %s*%s" % (at.base, row, at.ld())
                x = "row[k]"
                lines += ["const {T} *row = %s + (%s);" % (name, whole),
                          self.head("k", self.bound("k")),
                          self.update("acc", x, b) if name == "A" else
                          self.update("acc", a, x), self.tail("k")]
            else:
                lines += [self.head("k", self.bound("k")), self.update("acc", a, b),
                          self.tail("k")]
        else:
            guard = "if (K > 0) " if self.guard == "inner" else ""
            if self.loops == "while":
                guard = ""
            lines += [guard + self.head("k", self.bound("k")), self.twisted("k"),
                      self.update("acc", a, b), self.tail("k")]
        if self.work:
            lines.append(WORK[self.work].format(
                c=c, i=self.sub("i"), j=self.sub("j"), N=self.bound("j"),
                **{f: "__builtin_" + f + ("f" if self.type == "f32" else "")
                   for f in ("fma", "fmax", "fmin", "fabs", "tanh", "exp", "sqrt",
                             "log", "pow")}))
        else:
            lines.append("%s %s acc;" % (c, "+=" if self.post else "="))
        lines.append(self.twisted("j"))
        return lines + [self.tail(inner), self.twisted("i"), self.tail(outer)]

    def memory_nest(self, c, a, b, start):
        lines = []
        o = self.order
        inside = self.start != "C" and o[2] == "k" and self.rnd.random() < 0.5
        if self.start != "C" and not inside:
            lines += [self.head(v, self.bound(v)) for v in "ij"]
            lines += ["%s = %s;" % (c, start), self.tail("j"), self.tail("i")]
        lines += [self.head(o[0], self.bound(o[0])), self.head(o[1], self.bound(o[1]))]
        if inside:
            lines.append("%s = %s;" % (c, start))
        lines += [self.head(o[2], self.bound(o[2])), self.twisted("k"),
                  self.update(c, a, b), self.tail(o[2]), self.twisted("j"),
                  self.tail(o[1]), self.twisted("i"), self.tail(o[0])]
        return lines

    def twisted(self, level):
        """What a near miss puts at the end of the body of a loop."""
        where, text = TWISTS.get(self.twist, ("", ""))
        if where != level:
            return ""
        acc = "acc" if self.local else self.C.at(*(self.sub(v) for v in "ij"))
        return text.replace("ACC", acc)

    def kernel(self):
        self.fixed = None
        if self.style == "fixed":
            self.fixed = dict(zip("MNK", pick_sizes(self.rnd, 3, 3000)))
            for d in "MNK":
                self.fixed[d] = max(self.fixed[d], 1)
        self.A, self.B, self.C = self.matrices()
        args = Args(self.type)
        if not self.fixed:
            for d in "MNK":
                args.index(d, self.idx)
        for x in (self.A, self.B, self.C):
            if self.fixed:
                x.fixed = self.fixed[x.cols[0]] + self.rnd.choice([0, 0, 3])
            elif not x.tight and self.style != "rows":
                args.index(x.ld(), self.idx)
        q = "restrict " if self.restrict else ""
        for x in (self.A, self.B, self.C):
            x.declare(args, q, self.const and x is not self.C)
        if self.twist == "volatile":
            args.decls[-1] = "volatile " + args.decls[-1]
        if self.start.startswith("bias") or self.start in STARTS:
            args.pointer("bias", q, self.const)
        if self.work or self.start in STARTS:
            args.index("given", "int")
            args.scalar("alpha")
            args.scalar("beta")
        if self.work:
            for name in ("v", "R"):
                args.pointer(name, q, self.const)
        if self.twist in NEEDS_OUT:
            args.pointer("out")
        lines = self.body()
        if self.start == "pointer":
            lines.insert(0, "const {T} *p = given ? bias : 0;")
        elif self.work == "given_pointer":
            lines.insert(0, "const {T} *p = given ? v : 0;")
        if self.loops == "while":
            lines.insert(0, "%s i, j, k;" % self.idx)
        if not self.fixed and self.guard == "nest":
            lines = ["if (M > 0 && N > 0) {{"] + lines + ["}}"]
        if not self.fixed and self.guard == "return":
            lines.insert(0, "if (M <= 0 || K <= 0) return;")
        before, after = OUTSIDE.get(self.twist, ("", ""))
        helper = ""
        if self.access == "helper":
            helper = ("static inline {T} {name}_at(const {T} *p, long i) "
                      "{{ return p[i]; }}\n")
        helper += HELPERS.get(self.twist, "")
        text = "%svoid {name}(%s) {{\n%s\n%s\n%s\n}}\n" % (
            helper, args.text(), before, "\n".join(x for x in lines if x), after)
        rules = ["exact"]
        if not self.guard and not self.twist and self.style != "rows":
            rules.append("interp")
        if self.twist in NEVER:
            rules.append("never")
        return Kernel(text, args, self.sample, rules)

    # -- Runs -------------------------------------------------------------

    def sample(self, rnd, overlap=None, large=False):
        run = Run(rnd, Args(self.type).size)
        run.data = pick_data(rnd)
        dims = self.fixed or dict(zip("MNK", pick_sizes(rnd, 3)))
        if large and not self.fixed:
            run.large = True
            run.wide = rnd.random() < 0.5
            dims = dict(zip("MNK", rnd.choice(WIDE if run.wide else BIG)))
        dims = dict(dims)
        signed = INDICES[self.idx][1] and self.loops != "ne"
        if signed and not self.fixed and not large and rnd.random() < 0.05:
            dims[rnd.choice("MNK")] = -rnd.randint(1, 5)
        if self.style == "vla" and self.tight:  # must have columns
            dims = {d: max(dims[d], 1) for d in dims}
        run.work = max(dims["M"], 1) * max(dims["N"], 1) * max(dims["K"], 1)
        run.ops = 2 * max(dims["K"], 0) + 8
        for d in "MNK":
            run.values[d] = dims[d]
        parts = []
        for x in (self.A, self.B, self.C):
            ld = dims[x.cols[0]]
            if self.fixed:
                ld = x.fixed
            elif not x.tight and self.style != "rows":
                ld = max(ld, 0) + rnd.choice([0, 0, 1, 3, 16])
                if run.wide and x is self.B:
                    ld += rnd.choice([1000, 2048, 4096])
                # Rows may be farther apart or, for what is read, nearer.
                if x is not self.C and not self.tame and rnd.random() < 0.05:
                    ld = rnd.choice([0, 1])
                if x is self.C and not self.tame and rnd.random() < 0.03:
                    ld = rnd.choice([0, 1, max(ld - 1, 0)])
                if self.style == "vla":
                    ld = max(ld, dims[x.cols[0]], 1)
                run.values[x.ld()] = ld
            parts.append((x.name, x.elements(dims, ld)))
        if self.start.startswith("bias"):
            parts.append(("bias", dims["N" if self.start == "bias_n" else "M"]))
        elif self.start in STARTS:
            parts.append(("bias", max(dims["M"], dims["N"], 0)))
        run.values["given"] = rnd.choice([0, 1])
        if self.work:
            M, N = max(dims["M"], 0), max(dims["N"], 0)
            parts += [("v", max(M, N)), ("R", M * N)]
        if self.twist in NEEDS_OUT:
            run.pointer("out", 70)
        for name in ("alpha", "beta"):
            run.values[name] = rnd.choice([1.0, 0.0, -0.5, 2.25])
        if self.style == "rows":
            self.place_rows(run, dims)
        elif not self.restrict and not self.tame and (overlap or rnd.random() < 0.12):
            self.place_overlapping(run, parts, overlap or rnd.choice(OVERLAPS))
        else:
            for name, elements in parts:
                run.pointer(name, elements)
        return run

    def place_rows(self, run, dims):
        """Arrays of pointers to rows: equally far apart, in any order, one of them
        elsewhere, over each other, or among those of the first matrix."""
        rnd, first = run.rnd, None
        for x in (self.A, self.B, self.C):
            rows, cols = max(dims[x.rows[0]], 0), max(dims[x.cols[0]], 0)
            apart = cols + rnd.choice([0, 0, 0, 1, 5])
            if cols and rnd.random() < 0.1:
                apart = rnd.choice([0, cols - 1, cols // 2])
            at = [r * apart for r in range(rows)]
            how = rnd.random()
            if rows > 1 and how < 0.15:
                rnd.shuffle(at)
            elif how < 0.25:
                at.reverse()
            elif rows > 1 and how < 0.35:
                at[rnd.choice([0, -1, rnd.randrange(rows)])] += rnd.choice([1, 3])
            elif rows > 1 and how < 0.4:
                at[0] = at[-1]
            elements = max(at) + cols if at else 0
            if first and x is self.C and elements <= first[1] and rnd.random() < 0.15:
                slot = first[0]
                at = [a + rnd.choice([0, first[1] - elements]) for a in at]
            else:
                slot = run.slot(elements)
            first = first or (slot, elements)
            words = ["@%d+%d" % (slot, a * run.size) for a in at]
            run.values[x.name] = "@%d+0" % run.words(words or [0])
            # What is never read need not be there.
            if x is not self.C and min(dims.values()) <= 0 and rnd.random() < 0.7:
                run.values[x.name] = "null"
        if self.start.startswith("bias"):
            run.pointer("bias", dims["N" if self.start == "bias_n" else "M"])

    def place_overlapping(self, run, parts, how):
        size = dict(parts)
        first = {"A": 0, "B": size["A"] + 1}
        first["C"] = first["B"] + size["B"] + 1
        end = first["C"] + size["C"] + 1
        for name in size:
            if name not in first:
                first[name] = end
                end += size[name] + 1
        r = run.rnd
        if how == "c_in_a":
            first["C"] = r.randint(0, max(size["A"] - 1, 0))
        elif how == "c_in_b":
            first["C"] = first["B"] + r.randint(0, max(size["B"] - 1, 0))
        elif how == "a_in_c":
            first["A"] = first["C"] + r.randint(0, max(size["C"] - 1, 0))
        elif how == "c_is_a":
            first["C"] = first["A"]
        elif how == "c_is_b":
            first["C"] = first["B"]
        elif how == "shifted":
            first["C"] = first[r.choice("AB")] + 1
        elif how == "last":  # only the last element is shared
            first["C"] = max(size["A"] - 1, 0)
            first["B"] = first["C"] + size["C"] + 1
        elif how == "before":
            first["B"] = first["C"] + max(size["C"] - 1, 0)
        elif how == "touching":
            first["B"] = size["A"]
            first["C"] = first["B"] + size["B"]
        elif how == "a_is_b":
            first["B"] = 0
        elif how == "bias_in_c" and "bias" in size:
            first["bias"] = first["C"] + r.randint(0, max(size["C"] - 1, 0))
        elif how == "r_in_c" and "R" in size:
            first[r.choice("vR")] = first["C"] + r.choice(
                [0, 1, r.randint(0, max(size["C"] - 1, 0))])
        elif how == "r_is_a" and "R" in size:
            first[r.choice("vR")] = first[r.choice("AB")]
        run.overlap([(n, size[n], first[n]) for n in first])


OVERLAPS = ["c_in_a", "c_in_b", "a_in_c", "c_is_a", "c_is_b", "shifted", "last",
            "before", "touching", "a_is_b", "bias_in_c", "r_in_c", "r_is_a"]

# Near misses: (loop, statement at its end or, for k, beginning).
TWISTS = {
    "extra_store": ("k", "out[k & 63] = ACC;"),
    "extra_store_row": ("i", "out[i & 63] = 1;"),
    "early_break": ("k", "if (ACC > 20) break;"),
    "early_return": ("j", "if (ACC > 60) return;"),
    "use_index": ("j", "last = j;"),
    "use_sum": ("j", "total = ACC;"),
    "call": ("j", "{name}_touch(out, ACC);"),
    "call_inner": ("k", "{name}_touch(out, 1);"),
    "volatile_count": ("k", "out[0] = *(volatile {T} *)&out[1];"),
    "bound_changes": ("k", "if (k == 3 && K > 3) K--;"),
    # A cycle that is entered at two places: no loop.
    "cycle": ("i", "{{ int t = 0; if (out[i & 63] > 0) goto middle; do {{ out[i & 63] += 1; "
                   "middle: t++; }} while (t < 3 && out[i & 63] < 9); }}"),
    "bound_shrinks": ("j", "if (j == 2 && N > 2) N -= 1;"),
}
# Near misses: conditions in front of the update.
CONDITIONS = {
    "if_value": "if (A(i,k) > 0) ",
    "if_index": "if (k <= i) ",
    "if_even": "if (!(k & 1)) ",
}
OUTSIDE = {
    "use_index": ("long last = -1;", "out[0] = last;"),
    "use_sum": ("{T} total = 0;", "out[0] = total;"),
}
HELPERS = {t: "__attribute__((noinline)) static void {name}_touch({T} *p, {T} v) "
              "{{ p[1] = p[0]; p[0] = v; }}\n" for t in ("call", "call_inner")}
NEEDS_OUT = {"cycle", "extra_store", "extra_store_row", "use_index", "use_sum", "call",
             "call_inner", "volatile_count"}
# What no rewrite may touch, whatever it computes.
NEVER = {"volatile", "volatile_count", "call_inner"}


def contraction(rnd, **given):
    return Form(rnd, **given).kernel()


def overlapping(rnd, how, **given):
    given.setdefault("restrict", False)
    given.setdefault("style", rnd.choice(["flat", "flat", "vla", "fixed"]))
    if how == "bias_in_c":
        given.setdefault("start", rnd.choice(["bias_n", "bias_m"]))
        given.setdefault("local", True)
        given.setdefault("order", rnd.choice(["ijk", "jik"]))
    if how.startswith("r_"):
        given.update(work="any", local=True, order=rnd.choice(["ijk", "jik"]))
    kernel = Form(rnd, **given).kernel()
    sample = kernel.sample
    kernel.sample = lambda rnd, large=False: sample(rnd, overlap=how)
    return kernel
