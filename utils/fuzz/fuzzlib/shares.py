"""Parts of products as threads get them, extents that are read twice, and other
things that compilers of parallel loops write."""
from .simple import Flat
from .spellings import A, B, C, index, loop, product, spelled


def elements(rnd):
    """A share of all elements of C, whose index is divided to find the row."""
    idx = rnd.choice(["int", "long", "size_t", "unsigned"])
    wide = rnd.choice(["long", idx])
    rest = rnd.choice(["x %% {d}", "x - x / {d} * {d}", "x - {d} * (x / {d})"])
    d = rnd.choice(["N", "(%s)N" % wide])
    i, j = "x / %s" % d, rest.replace("%%", "%").format(d=d)
    last = rnd.choice(["x <= HI", "x < HI + 1"])
    narrow = rnd.choice(["int", idx, wide])
    head = "for (%s x = LO; %s; x++) {{ %s i = %s, j = %s; " % (wide, last, narrow, i, j)
    sums = "{T} s = %s; " % rnd.choice(["0", C % ("i", "j"), "C[x]"]) + loop("k", "K")
    target = rnd.choice([C % ("i", "j"), "C[x]"])
    if rnd.random() < 0.3:
        body = head + loop("k", "K") + "%s += %s * %s; }}" % (target, A % ("i", "k"),
                                                            B % ("k", "j"))
    else:
        body = head + sums + "s += %s * %s; %s = s; }}" % (A % ("i", "k"), B % ("k", "j"),
                                                        target)

    def sample(rnd, run, dims):
        rows, columns = max(dims["M"], 0), max(dims["N"], 0)
        low = rnd.choice([0, 0, 1, rows // 2]) * columns
        high = max(rows - rnd.choice([0, 0, 1]), 0) * columns
        if rnd.random() < 0.3:
            low += rnd.randint(0, 3)
        if rnd.random() < 0.3:
            high = max(high - rnd.randint(0, 3), 0)
        if idx in ("size_t", "unsigned") and not high:  # HI + 1 is 0, HI is not
            low, high = 1, 1
            run.values["K"] = 0
            if not columns:
                run.values["N"] = 1
        if not rows * columns:
            low, high = 1, 1
        run.values.update(LO=low, HI=high - 1)
    return spelled(rnd, body, idx, [("LO", "long"), ("HI", "long")], sample)


def positions(rnd):
    """Two axes whose subscripts make one."""
    idx = rnd.choice(["int", "long"])
    body = ("for (long x = LO; x < HI; x++) {{ IDX b = x / T, t = x - x / T * T; "
            "const {T} *r = A + b * T * K + t * K; " + loop("j", "N") +
            "{{ {T} s = %s; " % rnd.choice(["0", "B[j]", "C[(b * T + t) * N + j]"]) +
            loop("k", "K") + "s += r[k] * %s; C[b * T * N + t * N + j] = s; }} }}" %
            rnd.choice(["B[k*N + j]", "B[j*K + k]"]))

    def sample(rnd, run, dims):
        rows = max(dims["M"], 0)
        low = rnd.choice([0, 0, 1, rows // 2, 5])
        run.values.update(LO=low, HI=rows - rnd.choice([0, 0, 1]),
                          T=rnd.choice([1, 2, 3, 7, 64, 1000]))
        if dims["K"] <= 0:  # B[j] is not there
            run.values["HI"] = 0
    return spelled(rnd, body, idx, [("LO", "long"), ("HI", "long"), ("T", idx)], sample)


def reread(rnd):
    """Extents behind pointers, read in front of the loops and in them, with
    something between that may change them."""
    idx = rnd.choice(["int", "long"])
    helper = ("__attribute__((noinline)) static void {name}_between(%s *p, int by) "
              "{{ *p -= by; }}\n" % idx)
    which = rnd.choice("NK")
    body = ("IDX m = M, n = N, k0 = K; IDX rows = m, width = n, depth = k0; "
            "{name}_between(&%s, BY); " % {"N": "n", "K": "k0"}[which] +
            "for (IDX i = 0; i < rows; i++) for (IDX j = 0; j < %s; j++) {{ " %
            rnd.choice(["width", "n"]) +
            "{T} s = 0; for (IDX k = 0; k < %s; k++) " % rnd.choice(["k0", "depth"]) +
            "s += A[i*%s + k] * B[k*%s + j]; C[i*width + j] = s; }}" % (
                rnd.choice(["depth", "k0"]), rnd.choice(["n", "width"])))
    flat = Flat(rnd, "f32", idx, ["M", "N", "K"], {
        "A": lambda M, N, K: product(M, K), "B": lambda M, N, K: product(K, N),
        "C": lambda M, N, K: product(M, N)}, body, helper=helper, rules=("exact",))
    kernel = flat.made
    kernel.args.index("BY", "int")
    kernel.text = kernel.text.replace("{T} *C)", "{T} *C, int BY)")
    inner = kernel.sample

    def draw(rnd, large=False):
        run = inner(rnd, large)
        run.values["BY"] = rnd.choice([0, 0, 0, 1])
        return run
    kernel.sample = draw
    return kernel


def steps(rnd):
    """Every other row, column or element."""
    idx = index(rnd)
    step = {v: rnd.choice([1, 1, 2, 3]) for v in "ijk"}
    body = loop("i", "M", step=step["i"]) + loop("j", "N", step=step["j"])
    inner = loop("k", "K", step=step["k"])
    if rnd.random() < 0.5:
        body += "{{ {T} s = 0; " + inner + "s += %s * %s; %s = s; }}" % (
            A % ("i", "k"), B % ("k", "j"), C % ("i", "j"))
    else:
        body += inner + "%s += %s * %s;" % (C % ("i", "j"), A % ("i", "k"), B % ("k", "j"))
    return spelled(rnd, body, idx)
