"""Kernels with one or two axes, batched products, and mixed types."""
from .model import INDICES, Args, Kernel, Run, pick_data, pick_sizes

TYPES_OF_DATA = ["f32", "f32", "f64", "i32", "i64", "i16"]


class Flat:
    """A kernel on flat arrays: its text, its index type, and the elements that
    each array has as a function of the extents."""

    def __init__(self, rnd, type, idx, extents, arrays, body, scalars=(),
                 helper="", rules=("exact", "interp"), limit=4000, fix=None,
                 overlaps=True):
        self.type, self.extents, self.arrays = type, extents, arrays
        self.signed, self.limit, self.fix = INDICES[idx][1], limit, fix
        self.scalars, self.overlaps = scalars, overlaps
        args = Args(type)
        for e in extents:
            args.index(e, idx)
        for name, elements in arrays.items():
            other = elements[1] if isinstance(elements, tuple) else None
            if other:
                args.add("%s *%s" % (other[0], name), name, "p")
            else:
                args.pointer(name)
        for s in scalars:
            args.scalar(s)
        text = "%svoid {name}(%s) {{\n%s\n}}\n" % (
            helper, args.text(), body.replace("IDX", idx))
        self.made = Kernel(text, args, self.sample, rules)

    def sample(self, rnd, large=False, overlap=None):
        run = Run(rnd, Args(self.type).size)
        run.data = pick_data(rnd)
        sizes = pick_sizes(rnd, len(self.extents), self.limit)
        if self.signed and rnd.random() < 0.04:
            sizes[rnd.randrange(len(sizes))] = -rnd.randint(1, 4)
        dims = dict(zip(self.extents, sizes))
        if self.fix:
            self.fix(rnd, dims)
        run.values.update(dims)
        run.work = 1
        for s in dims.values():
            run.work *= max(s, 1)
        run.ops = 2 * max([8, *dims.values()]) + 8
        for s in self.scalars:
            run.values[s] = rnd.choice([1.0, -0.5, 2.25, 0.0])
        sizes = {n: (e[0] if isinstance(e, tuple) else e) for n, e in self.arrays.items()}
        plain = {n: max(0, e(**dims)) for n, e in sizes.items()}
        typed = {n: e[1][1] for n, e in self.arrays.items() if isinstance(e, tuple)}
        if self.overlaps and not typed and (overlap or rnd.random() < 0.15):
            self.place_overlapping(run, plain)
            return run
        for n, elements in plain.items():
            run.pointer(n, elements, typed.get(n))
        return run

    def place_overlapping(self, run, plain):
        names, first, at = list(plain), {}, 0
        for n in names:
            first[n] = at
            at += plain[n] + 1
        a, b = run.rnd.sample(names, 2) if len(names) > 1 else (names[0],) * 2
        # Often in place; else a little apart, or with one element in common or none.
        first[a] = first[b] + run.rnd.choice(
            [0, 0, 0, 1, 8, 32, max(plain[b] - 1, 0), plain[b]])
        run.overlap([(n, plain[n], first[n]) for n in names])


def draw(rnd, types=TYPES_OF_DATA):
    return rnd.choice(types), rnd.choice(["int", "long", "unsigned", "size_t"])


def matvec(rnd, transposed=False, type=None):
    t, idx = draw(rnd)
    a = "A[j*M + i]" if transposed else "A[i*N + j]"
    start = rnd.choice(["0", "y[i]", "b[i]"])
    body = rnd.choice([
        "for (IDX i = 0; i < M; i++) {{ {T} s = %s; for (IDX j = 0; j < N; j++) "
        "s += %s * x[j]; y[i] = s; }}" % (start, a),
        "for (IDX i = 0; i < M; i++) {{ {T} s = 0; for (IDX j = 0; j < N; j++) "
        "s += %s * x[j]; %s y[i] = s; }}" % (a, rnd.choice([
            "if (N > 4) s += y[i];", "s = N > 4 ? s * 2 + y[i] : s;"])),
        "for (IDX i = 0; i < M; i++) {{ y[i] = %s; for (IDX j = 0; j < N; j++) "
        "y[i] += %s * x[j]; }}" % (start, a),
        "for (IDX j = 0; j < N; j++) for (IDX i = 0; i < M; i++) "
        "y[i] += x[j] * %s;" % a])
    return Flat(rnd, type or t, idx, ["M", "N"], {
        "A": lambda M, N: max(M, 0) * max(N, 0), "x": lambda M, N: N,
        "b": lambda M, N: M, "y": lambda M, N: M}, body).made


def batched(rnd, kind=None):
    """Batches of products; sometimes strides of zero or shared operands."""
    t, idx = draw(rnd, ["f32", "f32", "f64"])
    kind = kind or rnd.choice(["nn", "nt", "tn", "tt"])
    a = "A[(b*K + k)*M + i]" if kind[0] == "t" else "A[(b*M + i)*K + k]"
    b = "B[(b*N + j)*K + k]" if kind[1] == "t" else "B[(b*K + k)*N + j]"
    if rnd.random() < 0.3:
        b = b.replace("(b*N + j)", "j").replace("(b*K + k)", "k")
    c = "C[(b*M + i)*N + j]"
    body = ("for (IDX b = 0; b < P; b++) for (IDX i = 0; i < M; i++) "
            "for (IDX j = 0; j < N; j++) {{ {T} s = 0; for (IDX k = 0; k < K; k++) "
            "s += %s * %s; %s %s s; }}" % (a, b, c, rnd.choice(["=", "+="])))
    p = lambda *x: 1 if not x else max(x[0], 0) * p(*x[1:])
    return Flat(rnd, t, idx, ["P", "M", "N", "K"], {
        "A": lambda P, M, N, K: p(P, M, K), "B": lambda P, M, N, K: p(P, K, N),
        "C": lambda P, M, N, K: p(P, M, N)}, body).made


def steps(rnd):
    """Products whose operands are read backwards, or only every few columns."""
    t, idx = draw(rnd, ["f32", "f32", "f32", "f64"])
    p = lambda *x: 1 if not x else max(x[0], 0) * p(*x[1:])
    used = {v: v for v in "ijk"}
    for v, bound in zip("ijk", "MNK"):
        if rnd.random() < 0.4:
            used[v] = "(%s - 1 - %s)" % (bound, v)

    def operand(name, row, rows, col, cols):
        some = {v: used[v] if rnd.random() < 0.8 else v for v in "ijk"}
        if rnd.random() < 0.4:
            row, rows, col, cols = col, cols, row, rows
        step = rnd.choice(["1", "1", "2", "2", "3", "4", "5", "S"])
        text = "%s[(%s*%s + %s)*%s]" % (name, some[row], cols, some[col], step)

        def elements(M, N, K, S):
            dims = {"M": M, "N": N, "K": K, "S": S}
            count = p(dims[rows], dims[cols])
            apart = S if step == "S" else int(step)
            return (count - 1) * apart + 1 if count else 0
        return text, elements
    a, size_a = operand("A", "i", "M", "k", "K")
    b, size_b = operand("B", "k", "K", "j", "N")
    c = "C[%s*N + %s]" % (used["i"] if rnd.random() < 0.5 else "i",
                          used["j"] if rnd.random() < 0.5 else "j")
    size_c = lambda M, N, K, S: p(M, N)
    if rnd.random() < 0.5:
        c, size_c = operand("C", "i", "M", "j", "N")
    d, size_d = operand("D", "i", "M", "j", "N")
    more = rnd.choice(["", "", " + " + d])
    down = {v: rnd.random() < 0.25 for v in "ijk"}
    loops = {v: "for (IDX %s = %s; %s-- > 0;) " % (v, bound, v) if down[v] else
             "for (IDX %s = 0; %s < %s; %s++) " % (v, v, bound, v)
             for v, bound in zip("ijk", "MNK")}
    if rnd.random() < 0.6:
        body = (loops["i"] + loops["j"] + "{{ {T} s = %s; " % rnd.choice(["0", "0", c, d]) +
                loops["k"] + "s += %s * %s; %s %s s%s; }}" % (
                    a, b, c, rnd.choice(["=", "+="]), more))
    else:
        body = "".join(loops[v] for v in rnd.choice(["ikj", "kij", "ijk"]))
        body += "%s += %s * %s;" % (c, a, b)

    def fix(rnd, dims):
        dims["S"] = rnd.randint(0, 6)
    return Flat(rnd, t, idx, ["M", "N", "K", "S"], {
        "A": size_a, "B": size_b, "C": size_c, "D": size_d}, body, fix=fix).made


def double_sums(rnd):
    """Sums in double of float data, rounded at the end or not."""
    idx = rnd.choice(["int", "long", "size_t"])
    a, b = rnd.choice(["A[i*K + k]", "A[k*M + i]"]), rnd.choice(["B[k*N + j]", "B[j*K + k]"])
    scaled = rnd.random() < 0.4
    if scaled:
        a = "(s1 * %s)" % a
        if rnd.random() < 0.5:
            b = "(double)(%s * s1)" % b
    start = rnd.choice(["0", "0", "0.1", "v[0] > 0"])
    out = rnd.choice(["C[i*N + j] = ({T})s;", "C[i*N + j] = ({T})s + v[j];",
                      "C[i*N + j] = ({T})(s * 0.5 + v[i]);",
                      "C[i*N + j] = s > 0 ? ({T})s : 0;",
                      "C[i*N + j] = ({T})(s + 0.5 * C[i*N + j]);"])
    loops = rnd.choice([["i", "M", "j", "N"], ["j", "N", "i", "M"]])
    body = ("for (IDX %s = 0; %s < %s; %s++) for (IDX %s = 0; %s < %s; %s++) {{ "
            "double s = %s; for (IDX k = 0; k < K; k++) s += (double)%s * %s; %s }}"
            % (loops[0], loops[0], loops[1], loops[0], loops[2], loops[2], loops[3],
               loops[2], start, a, b, out))
    area = lambda x, y: max(x, 0) * max(y, 0)
    return Flat(rnd, "f32", idx, ["M", "N", "K"], {
        "A": lambda M, N, K: area(M, K), "B": lambda M, N, K: area(K, N),
        "v": lambda M, N, K: max(M, N, 1), "C": lambda M, N, K: area(M, N)}, body,
        scalars=["s1"] if scaled else []).made


def outer(rnd):
    t, idx = draw(rnd)
    op = rnd.choice(["=", "+="])
    body = rnd.choice([
        "for (IDX i = 0; i < M; i++) for (IDX j = 0; j < N; j++) "
        "A[i*N + j] %s x[i] * y[j];" % op,
        "for (IDX j = 0; j < N; j++) for (IDX i = 0; i < M; i++) "
        "A[i*N + j] %s y[j] * x[i];" % op])
    return Flat(rnd, t, idx, ["M", "N"], {
        "A": lambda M, N: max(M, 0) * max(N, 0), "x": lambda M, N: M,
        "y": lambda M, N: N}, body).made


def dot(rnd):
    t, idx = draw(rnd)
    body = rnd.choice([
        "{T} s = 0; for (IDX i = 0; i < N; i++) s += x[i] * y[i]; out[0] = s;",
        "out[0] = 0; for (IDX i = 0; i < N; i++) out[0] += x[i] * y[i];",
        "{T} s = out[1]; IDX i = 0; while (i < N) {{ s = x[i] * y[i] + s; i++; }}"
        " out[1] = s;",
        "{T} s = 0; for (IDX i = 0; i < N; i++) {{ {T} p = x[i] * y[i]; s -= p; }}"
        " out[0] = s; out[1] = i_of(N);"]).replace("i_of(N)", "({T})N")
    return Flat(rnd, t, idx, ["N"], {
        "x": lambda N: N, "y": lambda N: N, "out": lambda N: 2}, body,
        rules=("exact",)).made


def map_(rnd):
    t, idx = draw(rnd)
    value = rnd.choice(["x[i] + y[i]", "x[i] * s + y[i]", "x[i] > y[i] ? x[i] : y[i]",
                        "-x[i]", "x[i] < 0 ? 0 : x[i]", "x[i] * x[i] - y[i]",
                        "x[i]", "x[N - 1 - i] + y[i]", "({T})(i + 1) * x[i]"])
    op = rnd.choice(["=", "="," +="])
    head = rnd.choice(["for (IDX i = 0; i < N; i++)", "for (IDX i = 0; i < N; i += 2)",
                       "for (IDX i = N; i-- > 0;)", "if (N > 3) for (IDX i = 1; i < N; i++)"])
    body = "%s out[i] %s %s;" % (head, op, value)
    rules = ("exact", "interp") if "if (" not in head else ("exact",)
    # A scalar that a body does not use is not a parameter of the kernel.
    types = ["f32", "f64"] if " s " in value else TYPES_OF_DATA
    return Flat(rnd, rnd.choice(types), idx, ["N"], {
        "x": lambda N: N, "y": lambda N: N, "out": lambda N: N}, body,
        scalars=["s"] if " s " in value else [], rules=rules).made


def reduce_(rnd):
    t, idx = draw(rnd)
    update = rnd.choice(["s += x[i*N + j];", "s = x[i*N + j] > s ? x[i*N + j] : s;",
                         "s *= x[i*N + j];", "s = x[i*N + j] < s ? x[i*N + j] : s;",
                         "s += x[i*N + j] * x[i*N + j];",
                         "if (x[i*N + j] > 0) s += x[i*N + j];"])
    if t not in ("f32", "f64"):  # products would overflow
        update = update.replace("s *= x[i*N + j];", "s ^= x[i*N + j];")
    body = ("for (IDX i = 0; i < M; i++) {{ {T} s = %s; for (IDX j = 0; j < N; j++) "
            "{{ %s }} out[i] = s; }}" % (rnd.choice(["0", "1", "out[i]"]), update))
    return Flat(rnd, t, idx, ["M", "N"], {
        "x": lambda M, N: max(M, 0) * max(N, 0), "out": lambda M, N: M}, body).made


def mixed(rnd):
    """Accumulators wider than the data."""
    wide = rnd.choice([("float", "f32", "double"), ("short", "i16", "int"),
                       ("int", "i32", "long"), ("signed char", "i8", "int")])
    idx = rnd.choice(["int", "long"])
    body = ("for (IDX i = 0; i < M; i++) for (IDX j = 0; j < N; j++) {{ %s s = 0; "
            "for (IDX k = 0; k < K; k++) s += (%s)A[i*K + k] * B[k*N + j]; "
            "C[i*N + j] = s; }}" % (wide[2], wide[2]))
    p = lambda x, y: max(x, 0) * max(y, 0)
    return Flat(rnd, wide[1], idx, ["M", "N", "K"], {
        "A": lambda M, N, K: p(M, K), "B": lambda M, N, K: p(K, N),
        "C": (lambda M, N, K: p(M, N), (wide[2], {"double": "f64", "int": "i32",
                                                  "long": "i64"}[wide[2]]))},
        body).made


def split_k(rnd):
    """The sum in parts: each part is rounded as the source says."""
    t, idx = draw(rnd, ["f32", "f32", "f64"])
    body = rnd.choice([
        "for (IDX i = 0; i < M; i++) for (IDX j = 0; j < N; j++) {{ {T} s = 0, t = 0; "
        "for (IDX k = 0; k < K / 2; k++) s += A[i*K + k] * B[k*N + j]; "
        "for (IDX k = K / 2; k < K; k++) t += A[i*K + k] * B[k*N + j]; "
        "C[i*N + j] = s + t; }}",
        "for (IDX q = 0; q < K; q += 4) for (IDX i = 0; i < M; i++) "
        "for (IDX j = 0; j < N; j++) {{ {T} s = 0; "
        "for (IDX k = q; k < q + 4 && k < K; k++) s += A[i*K + k] * B[k*N + j]; "
        "C[i*N + j] += s; }}",
        "for (IDX i = 0; i < M; i++) for (IDX j = 0; j < N; j++) {{ {T} s = 0, t = 0; "
        "for (IDX k = 0; k + 1 < K; k += 2) {{ s += A[i*K + k] * B[k*N + j]; "
        "t += A[i*K + k + 1] * B[(k + 1)*N + j]; }} C[i*N + j] = s + t; }}"])
    p = lambda x, y: max(x, 0) * max(y, 0)
    return Flat(rnd, t, idx, ["M", "N", "K"], {
        "A": lambda M, N, K: p(M, K), "B": lambda M, N, K: p(K, N),
        "C": lambda M, N, K: p(M, N)}, body, rules=("exact",)).made


def wrapping(rnd):
    """Unsigned 32-bit subscripts that wrap to valid elements: the rows of A run
    backwards from its last."""
    body = ("for (unsigned i = 0; i < M; i++) for (unsigned j = 0; j < N; j++) "
            "{{ {T} s = 0; for (unsigned k = 0; k < K; k++) "
            "s += A[W + i*L + k] * B[k*N + j]; C[%s] = s; }}" %
            rnd.choice(["i*N + j", "V + i*P + j"]))

    p = lambda x, y: max(x, 0) * max(y, 0)
    flat = Flat(rnd, "f32", "unsigned", ["M", "N", "K"], {
        "A": lambda M, N, K: p(M, K), "B": lambda M, N, K: p(K, N),
        "C": lambda M, N, K: p(M, N)}, body, overlaps=False)
    for name in "WLVP":
        flat.made.args.index(name, "unsigned")
    flat.made.text = flat.made.text.replace(
        "{T} *C)", "{T} *C, unsigned W, unsigned L, unsigned V, unsigned P)")
    inner = flat.made.sample

    def sample(rnd, large=False):
        run = inner(rnd)
        M, N, K = (run.values[d] for d in "MNK")
        if rnd.random() < 0.4:  # row 16 (or 8, or 4) is row 0
            rows = rnd.choice([4, 8, 16])
            slot = run.slot(rows * K)
            run.slots[slot][2] = "g%dx%d" % (rows, 2**34 // rows)
            run.values.update(A="@%d+0" % slot, W=0, L=2**32 // rows, V=0, P=N)
            return run
        back = rnd.random() < 0.7
        run.values["W"] = max(M - 1, 0) * K if back else 0
        run.values["L"] = (-K) % 2**32 if back else K
        run.values["V"] = max(M - 1, 0) * N if back else 0
        run.values["P"] = (-N) % 2**32 if back else N
        return run
    flat.made.sample = sample
    return flat.made


def wrapping_short(rnd):
    """Subscripts of 16 bits that wrap within one array: row 16 is row 0."""
    idx = rnd.choice(["unsigned", "int", "long"])
    short = rnd.choice(["unsigned short", "unsigned short", "short"])
    a = "A[(%s)(i*L + k)]" % short
    if short == "short":
        a = a.replace("A[", "A[32768 + ")
    body = rnd.choice([
        "for (IDX i = 0; i < M; i++) for (IDX j = 0; j < N; j++) {{ {T} s = 0; "
        "for (IDX k = 0; k < K; k++) s += %s * B[k*N + j]; C[i*N + j] = s; }}" % a,
        "for (IDX i = 0; i < M; i++) for (IDX k = 0; k < K; k++) "
        "for (IDX j = 0; j < N; j++) C[i*N + j] += %s * B[k*N + j];" % a])
    p = lambda x, y: max(x, 0) * max(y, 0)
    flat = Flat(rnd, "f32", idx, ["M", "N", "K"], {
        "A": lambda M, N, K: 65536, "B": lambda M, N, K: p(K, N),
        "C": lambda M, N, K: p(M, N)}, body, overlaps=False)
    flat.made.args.index("L", idx)
    flat.made.text = flat.made.text.replace("{T} *C)", "{T} *C, %s L)" % idx)
    inner = flat.made.sample

    def sample(rnd, large=False):
        run = inner(rnd)
        run.values["L"] = rnd.choice([4096, 4096, 2048, 2000, 100, 32768])
        return run
    flat.made.sample = sample
    return flat.made


def states(rnd):
    """Rows of an array that are sums over other rows of it, or their own."""
    t, idx = draw(rnd, ["f32", "f32", "f64", "i32"])
    to, of = rnd.choice([("(i + 1)*N", "i*N"), ("(i + 1)*N", "i*N"), ("i*N", "(i + 1)*N"),
                         ("(i + 1)*N", "i*N + 1"), ("i*N", "i*N"), ("(i + 2)*N", "i*N"),
                         ("i*N", "M*N"), ("i*N + N", "i"), ("W", "V"), ("i*N + W", "i*N + V")])
    step = rnd.choice(["k", "k", "k", "2*k", "N - 1 - k", "k*N"])
    body = ("for (IDX i = 0; i < M; i++) for (IDX j = 0; j < N; j++) {{ {T} s = x[j]; "
            "for (IDX k = 0; k < K; k++) s += A[j*K + k] * C[%s + %s]; "
            "C[%s + j] = %s; }}" % (of, step, to, rnd.choice(["s", "s", "s * 2 + x[j]"])))
    flat = Flat(rnd, t, idx, ["M", "N", "K"], {
        "A": lambda M, N, K: max(N, 0) * max(K, 0), "x": lambda M, N, K: N,
        "C": lambda M, N, K: (max(M, 0) + max(K, 0) + 4) * (max(N, 0) + max(K, 0) + 4)},
        body, overlaps=False, rules=("exact",))
    for name in "VW":
        flat.made.args.index(name, idx)
    flat.made.text = flat.made.text.replace("{T} *C)", "{T} *C, IDX V, IDX W)".replace(
        "IDX", idx))
    inner = flat.made.sample

    def sample(rnd, large=False):
        run = inner(rnd)
        M, N, K = (max(run.values[d], 0) for d in "MNK")
        if rnd.random() < 0.6:  # as many sums as states
            run.values["K"] = K = min(N, K)
        # The last of a row that is read backwards is its own first.
        if step.startswith("N -"):
            run.values["K"] = min(run.values["K"], max(N, 0))
        run.values["V"] = rnd.choice([0, N, 1])
        run.values["W"] = rnd.choice([0, N, K, 2 * N])
        return run
    flat.made.sample = sample
    return flat.made


def bounds_in_memory(rnd):
    """The bounds are read in every test, and stores may change them."""
    where = rnd.choice(["n", "p->n"])
    body = ("for (int i = 0; i < n[0]; i++) for (int j = 0; j < n[1]; j++) "
            "{{ int s = 0; for (int k = 0; k < n[2]; k++) s += A[i*32 + k] * B[k*32 + j]; "
            "C[i*32 + j] = s & %d; }}" % rnd.choice([1, 3]))
    flat = Flat(rnd, "i32", "int", ["X"], {
        "A": lambda X: 32 * 32, "B": lambda X: 32 * 32, "C": lambda X: 32 * 32 + 3,
        "n": lambda X: 3}, body, rules=("exact",), overlaps=False)

    def sample(rnd, large=False):
        run = Run(rnd, 4)
        run.values["X"] = 0
        run.work = 12 * 12 * 12
        for name in "ABC":
            run.pointer(name, 32 * 32 + 3)
        m, n, k = (rnd.choice([0, 1, 3, 4, 7, 12]) for _ in range(3))
        if rnd.random() < 0.5:
            words = run.words(["%d" % (m | n << 32), "%d" % k])
            run.values["n"] = "@%d+0" % words
        else:  # inside C: what is stored is at most 3
            words = ["%d" % (m | n << 32), "%d" % k] + ["0"] * 600
            at = rnd.choice([0, 1, 2, 33])
            words = ["0"] * at + words
            slot = run.words(words)
            run.values["n"] = "@%d+%d" % (slot, 8 * at)
            run.values["C"] = "@%d+0" % slot
        return run
    flat.made.sample = sample
    return flat.made


PRODUCT = ("for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) {{ {T} s = 0; "
           "for (int k = 0; k < l; k++) s += A[i*%s + k] * B[k*%s + j]; "
           "C[i*%s + j] = s; }}")


def callers(rnd):
    """A function of the module with two callers: one passes arrays of its own,
    the other overlapping ones."""
    helper = ("__attribute__((noinline)) static void {name}_product({T} *C, const {T} "
              "*A, const {T} *B, int m, int n, int l) {{ %s }}\n" % (
                  PRODUCT % ("16", "16", "16")))
    shift = rnd.choice([0, 1, 7, 40, 255, 256])
    first, second = rnd.choice([("x", "y"), ("y", "x")])
    body = ("{T} x[512], y[256], z[256]; for (int i = 0; i < 256; i++) "
            "{{ x[i] = A[i]; x[256 + i] = z[i] = 1; y[i] = B[i]; }} "
            "{name}_product(z, x, y, M, N, K); "
            "for (int i = 0; i < 256; i++) C[i] = z[i]; "
            "{name}_product(x + %d, %s, %s, M, N, K); "
            "for (int i = 0; i < 512; i++) C[256 + i] = x[i];" % (shift, first, second))

    def small(rnd, dims):
        for d in dims:
            dims[d] = rnd.choice([1, 2, 4, 7, 9, 13, 16, 16])
    return Flat(rnd, rnd.choice(["f32", "f32", "f64"]), "int", ["M", "N", "K"], {
        "A": lambda M, N, K: 256, "B": lambda M, N, K: 256,
        "C": lambda M, N, K: 768}, body, helper=helper, rules=("exact",), fix=small,
        overlaps=False).made


def bounds_behind(rnd):
    """Bounds that are behind a pointer, which is null where no test reads them."""
    body = PRODUCT.replace("j < n", "j < p[0]").replace("k < l", "k < p[1]") % (
        "64", "64", "64")
    body = body.replace("i < m", "i < M")
    flat = Flat(rnd, "f32", "int", ["M"], {
        "A": lambda M: 64 * 64, "B": lambda M: 64 * 64, "C": lambda M: 64 * 64}, body,
        rules=("exact",), overlaps=False)
    flat.made.args.add("const int *p", "p", "p")
    flat.made.text = flat.made.text.replace("{T} *C)", "{T} *C, const int *p)")

    def sample(rnd, large=False):
        run = Run(rnd, 4)
        M, N, K = pick_sizes(rnd, 3)
        run.work = max(M * N * K, 1)
        run.ops = 2 * K + 8
        M, N, K = (min(x, 64) for x in (M, N, K))
        if rnd.random() < 0.2:
            M = rnd.choice([0, 0, -3])
        run.values["M"] = M
        for name in "ABC":
            run.pointer(name, 64 * 64)
        run.values["p"] = "null"
        if M > 0:
            run.values["p"] = "@%d+0" % run.words(["%d" % (N | K << 32)])
        return run
    flat.made.sample = sample
    return flat.made


def replaced(rnd):
    """A weak function, in whose place another one is linked."""
    body = ("for (IDX i = 0; i < M; i++) for (IDX j = 0; j < N; j++) {{ {T} s = 0; "
            "for (IDX k = 0; k < K; k++) s += dlfuzz_times(A[i*K + k], B[k*N + j]); "
            "C[i*N + j] = s; }}")
    p = lambda x, y: max(x, 0) * max(y, 0)
    return Flat(rnd, "f32", rnd.choice(["int", "long"]), ["M", "N", "K"], {
        "A": lambda M, N, K: p(M, K), "B": lambda M, N, K: p(K, N),
        "C": lambda M, N, K: p(M, N)}, body, rules=("exact", "never")).made
