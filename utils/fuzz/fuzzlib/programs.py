"""Products inside programs: structs, callers, several nests, conditions, bounds
and addresses of unusual forms. All in float; what a row varies is in its text."""
from .model import Args, Kernel, Run, pick_data, pick_sizes


def area(x, y):
    return max(x, 0) * max(y, 0)


class Program:
    """A kernel on M x K by K x N that is given as text; arrays are A, B, C and
    those of \\p more (name: elements as a function of M, N, K)."""

    def __init__(self, rnd, body, idx="int", more=None, helper="", fix=None,
                 rules=("exact",), large=False, limit=4000):
        self.more, self.fix, self.large, self.limit = more or {}, fix, large, limit
        self.signed = idx in ("int", "long")
        args = Args("f32")
        for d in "MNK":
            args.index(d, idx)
        for name in ["A", "B", "C", *self.more]:
            args.pointer(name)
        text = "%svoid {name}(%s) {{\n%s\n}}\n" % (helper, args.text(), body)
        self.kernel = Kernel(text.replace("IDX", idx), args, self.sample, rules)

    def elements(self, dims):
        M, N, K = (dims[d] for d in "MNK")
        sizes = {"A": area(M, K), "B": area(K, N), "C": area(M, N)}
        sizes.update({n: e(M, N, K) for n, e in self.more.items()})
        return sizes

    def sample(self, rnd, large=False):
        run = Run(rnd, 4)
        run.data = pick_data(rnd)
        sizes = pick_sizes(rnd, 3, self.limit)
        if self.large and large:
            sizes, run.large = [40, 136, 140], True
        elif self.signed and rnd.random() < 0.04:
            sizes[rnd.randrange(3)] = -rnd.randint(1, 4)
        dims = dict(zip("MNK", sizes))
        run.values.update(dims)
        sizes = self.elements(dims)
        if self.fix:
            self.fix(rnd, run, sizes)
        missing = [n for n in sizes if n not in run.values]
        if len(missing) == len(sizes) and rnd.random() < 0.2:
            names = list(sizes)
            first, at = {}, 0
            for n in names:
                first[n], at = at, at + sizes[n] + 1
            a, b = rnd.sample(names, 2)
            first[a] = first[b] + rnd.choice([0, 1, max(sizes[b] - 1, 0), sizes[b]])
            run.overlap([(n, sizes[n], first[n]) for n in names])
        else:
            for n in missing:
                run.pointer(n, sizes[n])
        return run


def pick_index(rnd):
    return rnd.choice(["int", "long", "unsigned", "size_t"])


NEST = """for (IDX i = 0; i < %s; i++) for (IDX j = 0; j < %s; j++) {{
{T} acc = %s; for (IDX k = 0; k < %s; k++) acc += %s * %s; %s %s acc; }}"""


def nest(m="M", n="N", k="K", a="A[i*K + k]", b="B[k*N + j]", c="C[i*N + j]",
         start="0", op="="):
    return NEST % (m, n, start, k, a, b, c, op)


def structs(rnd):
    """Sizes and data behind pointers that are read where loops run only."""
    helper = "struct {name}_s {{ int rows, cols; {T} *data; }};\n"
    bounds = rnd.choice([("c->rows", "c->cols", "a->cols"), ("a->rows", "b->cols", "b->rows")])
    memory = rnd.random() < 0.4
    c = "c->data[i*c->cols + j]"
    if memory:
        body = ("for (int i = 0; i < %s; i++) for (int k = 0; k < %s; k++) "
                "for (int j = 0; j < %s; j++) %s += a->data[i*a->cols + k] * "
                "b->data[k*b->cols + j];" % (bounds[0], bounds[2], bounds[1], c))
    else:
        body = nest(*bounds, a="a->data[i*a->cols + k]", b="b->data[k*b->cols + j]",
                    c=c).replace("IDX", "int")
    args = Args("f32")
    for name in "abc":
        args.add("struct {name}_s *" + name, name, "p")
    text = helper + "void {name}(%s) {{ %s }}\n" % (args.text(), body)

    def sample(rnd, large=False):
        run = Run(rnd, 4)
        run.data = pick_data(rnd)
        M, N, K = pick_sizes(rnd, 3)
        dims = {"a": (M, K), "b": (K, N), "c": (M, N)}
        data = {n: run.slot(area(*d)) for n, d in dims.items()}
        if rnd.random() < 0.1:
            data["c"] = data[rnd.choice("ab")]
            run.slots[data["c"]][1] = 4 * max(area(*d) for d in dims.values())
        for n, (rows, cols) in dims.items():
            s = run.words([rows | cols << 32, "@%d+0" % data[n]])
            run.values[n] = "@%d+0" % s
        # What no loop reads may be anything.
        if bounds[0] == "c->rows" and not memory:
            if M == 0 or N == 0:
                run.values["a"] = run.values["b"] = "null"
            elif K == 0:
                run.values["b"] = "null"
        elif bounds[0] == "a->rows" and M == 0:
            run.values["b"] = run.values["c"] = "null"
        return run
    return Kernel(text, args, sample)


def callers(rnd):
    """A nest in a function of its own that is called with other arrays, some of
    which are the same."""
    idx = pick_index(rnd)
    q = rnd.choice(["static __attribute__((noinline)) ", "static ",
                    "static inline ", "__attribute__((noinline)) "])
    inner = "%svoid {name}_nest(IDX M, IDX N, IDX K, const {T} *A, const {T} *B, {T} *C) " \
            "{{ %s }}\n" % (q, nest(op=rnd.choice(["=", "+="])))
    local = "{T} t[%d]; if (M > 24 || N > 24 || K > 24%s) return;\n" % (
        600, " || M < 0 || N < 0 || K < 0" if idx in ("int", "long") else "")
    square = local + "if (M != K || N != K) return;\n"
    zero = "for (int q = 0; q < 600; q++) t[q] = 0;\n"
    body = rnd.choice([
        "{name}_nest(M, N, K, A, B, C);",
        "{name}_nest(M, N, K, A, B, C); {name}_nest(M, N, K, B, A, C);",
        local + zero + "{name}_nest(M, N, K, A, B, t); "
        "for (IDX q = 0; q < M * N; q++) C[q] = t[q];",
        square + zero + "{name}_nest(M, N, K, A, B, t); {name}_nest(M, N, K, A, t, C);",
        square + zero + "{name}_nest(M, N, K, A, B, t); {name}_nest(M, N, K, t, B, t); "
        "for (IDX q = 0; q < M * N; q++) C[q] = t[q];",
        square + "{name}_nest(M, N, K, A, C, C);",
        square + zero + "{name}_nest(M, N, K, A, B, t + 1 - 1); "
        "{name}_nest(M, N, K, t, B, M > 3 ? t + 1 : C); "
        "for (IDX q = 0; q < M * N; q++) C[q] = t[q];"])
    if "B, A" in body:  # the shapes must fit both ways
        body = "if (M != K || N != K) return;\n" + body
    return Program(rnd, body, idx, helper=inner.replace("IDX", idx), limit=3000,
                   fix=same_sizes(0.8 if "!=" in body else 0.1)).kernel


def same_sizes(chance):
    def fix(rnd, run, sizes):
        if rnd.random() < chance:
            n = rnd.choice([1, 2, 3, 5, 8, 11, 13, 15])
            for d in "MNK":
                run.values[d] = n
            for name in "ABC":
                sizes[name] = n * n
    return fix


def arrays(rnd):
    """Arrays of the program: what they are is known, where they overlap too."""
    idx = pick_index(rnd)
    n = rnd.choice([8, 13, 16, 24])
    kind = rnd.choice(["static {T}", "{T}"])
    place = "%s {name}_a[%d], {name}_b[%d], {name}_c[%d];\n" % (kind, n*n, n*n, 2*n*n)
    a, b, c = "{name}_a[i*%d + k]" % n, "{name}_b[k*%d + j]" % n, "{name}_c[i*%d + j]" % n
    how = rnd.random()
    if how < 0.2:
        a = "{name}_c[i*%d + k]" % n
    elif how < 0.35:
        b = "{name}_c[%d + k*%d + j]" % (rnd.choice([n * n, n * n - 1, 1]), n)
    extents = rnd.choice([("M", "N", "K"), (str(n), str(n), str(n))])
    copies = ("if (M > %d || N > %d || K > %d%s) return;\n" % (
        n, n, n, " || M < 0 || N < 0 || K < 0" if idx in ("int", "long") else "") +
        "".join("for (IDX q = 0; q < %d; q++) %s[q] = %s;\n" % x for x in (
            (n*n, "{name}_a", "A[q]"), (n*n, "{name}_b", "B[q]"),
            (2*n*n, "{name}_c", "C[q]"))))
    body = copies + nest(*extents, a=a, b=b, c=c, op=rnd.choice(["=", "+="])) + \
        "\nfor (IDX q = 0; q < %d; q++) C[q] = {name}_c[q];" % (2 * n * n)
    full = {"A": n * n, "B": n * n, "C": 2 * n * n}
    program = Program(rnd, body, idx, helper=place)
    program.elements = lambda dims: full
    return program.kernel


def several(rnd):
    """More than one nest, or loops around one."""
    idx = pick_index(rnd)
    second = nest(a="C[i*N + k]", b="E[k*N + j]", c="D[i*N + j]", k="N")
    more = {"E": lambda M, N, K: area(N, N), "D": lambda M, N, K: max(area(M, N), 1)}
    body = rnd.choice([
        nest() + "\n" + second,
        nest() + "\nfor (IDX i = 0; i < M; i++) for (IDX j = 0; j < N; j++) "
        "C[i*N + j] = C[i*N + j] > 0 ? C[i*N + j] : 0;\n" + second,
        "for (int t = 0; t < 3; t++) {{ %s }}" % nest(op="+="),
        "for (int t = 0; t < 3; t++) {{ %s }}" % nest(a="A[t % 2 * 0 + i*K + k]", op="+="),
        "for (int t = 0; t < 2; t++) {{ %s\n D[0] += 1; }}" % nest(op="+="),
        nest() + "\n" + nest(op="+="),
        "if (N > 5) {{ %s }} else {{ %s }}" % (nest(), nest(op="+=")),
    ])
    return Program(rnd, body, idx, more, limit=2500).kernel


def masked(rnd):
    """Updates under conditions, and loops with two bounds."""
    idx = pick_index(rnd)
    update = "acc += A[i*K + k] * B[k*N + j];"
    condition = rnd.choice(["A[i*K + k] > 0", "k <= i", "k != j", "i < 5", "k % 2 == 0",
                            "B[k*N + j] != 0", "j >= 2", "k < K - 1"])
    inner = "if (%s) %s" % (condition, update)
    head = "k < K"
    if rnd.random() < 0.4:
        inner, head = update, rnd.choice(["k < K && k < M", "k < K && k <= i", "k < K && k < 7",
                                          "k < (K < N ? K : N)", "k <= K - 1 && k < K"])
    where = rnd.choice(["local", "memory", "row"])
    if where == "local":
        body = ("for (IDX i = 0; i < M; i++) for (IDX j = 0; j < N; j++) {{ {T} acc = 0; "
                "for (IDX k = 0; %s; k++) %s C[i*N + j] = acc; }}" % (head, inner))
    else:
        inner = inner.replace("acc +=", "C[i*N + j] +=")
        body = ("for (IDX i = 0; i < M; i++) for (IDX k = 0; %s; k++) "
                "for (IDX j = 0; j < N; j++) %s" % (head, inner))
        if where == "row":
            body = body.replace("k < K &&", "k < K &&").replace(
                "i < M;", "i < M && i < %s;" % rnd.choice(["N", "9", "K"]))
    return Program(rnd, body, idx).kernel


def leaving(rnd):
    """Indices that are used behind their loops."""
    idx = rnd.choice(["int", "long", "unsigned", "size_t"])
    ends = {"out": lambda M, N, K: 3}
    up = rnd.choice(["<", "!="])
    first = rnd.choice(["0", "0", "1"])
    body = """IDX i = 0, j = 0, k = 0;
for (i = %s; i %s M; i++) for (k = 0; k < K; k++) for (j = 0; j < N; j++)
C[i*N + j] += A[i*K + k] * B[k*N + j];
%s""" % (first if up == "<" else "0", up, rnd.choice([
        "out[0] = ({T})i;", "out[0] = ({T})i; out[1] = ({T})(i + 2);",
        "out[0] = ({T})i; out[1] = ({T})j; out[2] = ({T})k;", "out[1] = ({T})j;"]))
    program = Program(rnd, body, idx, ends)
    program.signed = up == "<" and program.signed
    return program.kernel


def addressed(rnd):
    """Strides other than one, negative and huge ones, and casts in subscripts."""
    idx = rnd.choice(["int", "long"])
    how = rnd.choice(["strided", "negative", "far", "cast"])
    if how == "cast":
        cast = lambda: rnd.choice(["(size_t)", "(long)", "(unsigned)", "(int)", ""])
        body = nest(a="A[%si*%sK + k]" % (cast(), cast()), b="B[%sk*N + %sj]" % (cast(), cast()),
                    c="C[%si*%sN + j]" % (cast(), cast()))
        program = Program(rnd, body, rnd.choice([idx, "unsigned", "short"]))
        program.signed = False
        return program.kernel
    args = Args("f32")
    for d in ["M", "N", "K", "la", "lb", "lc"]:
        args.index(d, idx)
    for name in "ABC":
        args.pointer(name)
    step = {n: rnd.choice([1, 1, 2, 3]) if how == "strided" else 1 for n in "abc"}
    times = lambda n, x: x if step[n] == 1 else "%d*%s" % (step[n], x)
    body = nest(a="A[i*la + %s]" % times("a", "k"), b="B[k*lb + %s]" % times("b", "j"),
                c="C[i*lc + %s]" % times("c", "j"), op=rnd.choice(["=", "+="]))
    text = "void {name}(%s) {{ %s }}\n" % (args.text(), body.replace("IDX", idx))

    def sample(rnd, large=False):
        run = Run(rnd, 4)
        run.data = pick_data(rnd)
        M, N, K = pick_sizes(rnd, 3)
        if how == "far":
            M, K = rnd.choice([(1, K), (M, 1), (1, 1)])
        run.values.update(M=M, N=N, K=K)
        for n, rows, cols in (("a", M, K), ("b", K, N), ("c", M, N)):
            ld = max(cols * step[n], 1) + rnd.choice([0, 1, 5])
            if how == "far" and rows == 1:
                ld = rnd.choice([2**31 - 1, 2**30, 2**29, 2**31 - 8] if idx == "int" else
                                [2**62, 2**40, 2**32, 2**63 - 1, 2**29])
            first = 0
            if how == "negative" and rnd.random() < 0.5:
                first, ld = (rows - 1) * ld if rows > 0 else 0, -ld
            run.values["l" + n] = ld
            elements = 0
            if rows > 0 and cols > 0:
                elements = (rows - 1) * abs(ld) + (cols - 1) * step[n] + 1
            run.values[n.upper()] = "@%d+%d" % (run.slot(elements), 4 * first)
        return run
    return Kernel(text, args, sample)


def started(rnd):
    """Start values of many kinds; one module has several of them."""
    idx = pick_index(rnd)
    start = rnd.choice(["1.5f", "-0.0f", "2.0f", "0x1p-140f", "3.0e38f", "S[0]", "S[i]",
                        "S[j]", "S[i*N + j]", "C[i*N + j]", "C[0]", "S[j] + 1", "-1.0f",
                        "S[N - 1 - j]", "S[i + j]", "C[i*N]", "C[j]"])
    body = nest(start=start, op=rnd.choice(["=", "=", "+="]))
    if rnd.random() < 0.3:
        body = ("for (IDX i = 0; i < M; i++) for (IDX j = 0; j < N; j++) C[i*N + j] = %s;\n"
                "for (IDX i = 0; i < M; i++) for (IDX k = 0; k < K; k++) "
                "for (IDX j = 0; j < N; j++) C[i*N + j] += A[i*K + k] * B[k*N + j];" %
                start)
    size = lambda M, N, K: area(M, N) + max(M, 0) + max(N, 0) + 1
    return Program(rnd, body, idx, {"S": size}, large=True).kernel


def outputs(rnd):
    """The sum, or something else, goes to a second array, too."""
    idx = pick_index(rnd)
    where = rnd.choice(["i*N + j", "i*N + j", "j*M + i", "i", "j", "0"])
    value = rnd.choice(["acc", "acc", "2*acc", "acc + D[%s]" % where, "A[i]", "1"])
    stores = ["C[i*N + j] %s acc;" % rnd.choice(["=", "=", "+="]),
              "D[%s] = %s;" % (where, value)]
    rnd.shuffle(stores)
    body = ("for (IDX i = 0; i < M; i++) for (IDX j = 0; j < N; j++) {{ {T} acc = 0; "
            "for (IDX k = 0; k < K; k++) acc += A[i*K + k] * B[k*N + j]; %s }}" %
            " ".join(stores))
    program = Program(rnd, body, idx, {
        "D": lambda M, N, K: max(area(M, N), M, N, 1)})
    if value == "A[i]":  # is read even if there are no products
        program.fix = lambda rnd, run, sizes: sizes.update(
            A=max(sizes["A"], run.values["M"]))
    return program.kernel


def cleared(rnd):
    """C is set by memset or by a loop of its own before it is updated."""
    idx = rnd.choice(["int", "long", "size_t"])
    clear = rnd.choice([
        "if (M > 0 && N > 0) __builtin_memset(C, 0, sizeof(*C) * (M * N));",
        "for (IDX q = 0; q < M * N; q++) C[q] = 0;",
        "for (IDX i = 0; i < M; i++) if (N > 0) __builtin_memset(C + i*N, 0, sizeof(*C) * N);"])
    body = clear + ("\nfor (IDX i = 0; i < M; i++) for (IDX k = 0; k < K; k++) "
                    "for (IDX j = 0; j < N; j++) C[i*N + j] += A[i*K + k] * B[k*N + j];")
    program = Program(rnd, body, idx, large=True)
    program.signed = False
    return program.kernel
