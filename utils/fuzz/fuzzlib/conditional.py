"""Loops that read pointers behind conditions that do not change in them."""
from .simple import Flat, draw

LAYER = ("struct {name}_tensor {{ long n; const {T} *data; }};\n"
         "struct {name}_layer {{ const struct {name}_tensor *bias, *scale; long has[2]; }};\n")


def condition(rnd, depth=0):
    """A condition as a tree: a number of has, a pointer, what one leads to, or
    conditions."""
    if depth < 2 and rnd.random() < 0.5:
        return (rnd.choice(["&&", "||", "||"]), condition(rnd, depth + 1),
                condition(rnd, depth + 1))
    return (rnd.choice(["has", "has", "bias", "scale", "n"]), rnd.randrange(2))


def text(c):
    if c[0] in ("&&", "||"):
        return "(%s %s %s)" % (text(c[1]), c[0], text(c[2]))
    return {"has": "l->has[%d]" % c[1], "n": "l->scale->n"}.get(c[0], "l->" + c[0])


class Layer:
    """What the conditions read. Pointers that nothing reads lead nowhere."""

    def __init__(self, rnd):
        self.has = [rnd.randrange(2), rnd.randrange(2)]
        self.n = rnd.randrange(2)
        self.bias, self.scale = (rnd.choice(["there", "16", "0"]) for _ in range(2))

    def holds(self, c):
        if c[0] == "&&":
            return self.holds(c[1]) and self.holds(c[2])
        if c[0] == "||":
            return self.holds(c[1]) or self.holds(c[2])
        if c[0] == "has":
            return self.has[c[1]]
        if c[0] == "n":
            self.scale = "there"
            return self.n
        return getattr(self, c[0]) != "0"

    def complete(self, c):
        """Lets there be what is read, which conditions may look at as well."""
        before = None
        while before != (self.bias, self.scale):
            before = self.bias, self.scale
            if self.holds(c):
                self.bias = "there"

    def place(self, run, elements):
        at = {"there": "@%d+0" % run.words([self.n, "@%d+0" % run.slot(elements)])}
        return run.words([at.get(p, p) for p in (self.bias, self.scale)] + self.has)


def conditional(rnd):
    """Sums and elements that get a bias if there is one."""
    t, _ = draw(rnd, ["f32", "f32", "f64"])
    c = condition(rnd)
    add = "if (%s) %%s += l->bias->data[%%s];" % text(c)
    sums = "for (int k = 0; k < N; k++) s += A[i*N + k] * x[k];"
    form = rnd.choice(["sums", "behind", "elements"])
    if form == "sums":
        body = "{{ {T} s = 0; %s %s C[i] = s; }}" % (sums, add % ("s", "i"))
    elif form == "behind":
        body = "{{ {T} s = 0; %s C[i] = s; }} for (int i = 0; i < M; i++) %s" % (
            sums, add % ("C[i]", "i"))
    else:
        body = "for (int k = 0; k < N; k++) {{ C[i*N + k] = A[i*N + k] * x[k]; %s }}" % (
            add % ("C[i*N + k]", rnd.choice("ik")))
    flat = Flat(rnd, t, "int", ["M", "N"], {
        "A": lambda M, N: max(M, 0) * max(N, 0), "x": lambda M, N: N,
        "C": lambda M, N: max(M, 0) * max(N, 1)}, "for (int i = 0; i < M; i++) " + body,
        helper=LAYER, rules=("exact",))
    kernel = flat.made
    kernel.args.add("const struct {name}_layer *l", "l", "p")
    kernel.text = kernel.text.replace("{T} *C)", "{T} *C, const struct {name}_layer *l)")
    inner = kernel.sample

    def sample(rnd, large=False):
        run = inner(rnd, large)
        M, N = run.values["M"], run.values["N"]
        layer = Layer(rnd)
        if M > 0 and (form != "elements" or N > 0):
            layer.complete(c)
        run.values["l"] = "@%d+0" % layer.place(run, max(M, N, 1))
        if M <= 0 and rnd.random() < 0.5:
            run.values["l"] = "null"
        return run
    kernel.sample = sample
    return kernel
