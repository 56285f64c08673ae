"""Matrix products as people and generators write them: C = A B or C += A B with
row-major operands, spelled in ways that need an analysis of their own."""
from .simple import Flat


def product(x, y):
    return max(x, 0) * max(y, 0)


def spelled(rnd, body, idx, extra=(), sample=None, type="f32", signed_data=True):
    """A kernel on tight matrices with further arguments, which \\p sample sets."""
    flat = Flat(rnd, type, idx, ["M", "N", "K"], {
        "A": lambda M, N, K: product(M, K), "B": lambda M, N, K: product(K, N),
        "C": lambda M, N, K: product(M, N)}, body, rules=("exact",), overlaps=not extra)
    kernel = flat.made
    for name, how in extra:
        kernel.args.index(name, how)
    decls = "".join(", %s %s" % (how, name) for name, how in extra)
    kernel.text = kernel.text.replace("{T} *C)", "{T} *C%s)" % decls)
    inner = kernel.sample

    def draw(rnd, large=False):
        run = inner(rnd, large)
        if sample:
            sample(rnd, run, {d: run.values[d] for d in "MNK"})
        return run
    kernel.sample = draw
    return kernel


def index(rnd):
    return rnd.choice(["int", "long", "unsigned", "size_t"])


def checked(rnd):
    """Every access behind a check of its subscript, which may fail early or
    late: then nothing more happens."""
    idx = index(rnd)
    check = rnd.choice(["if (%s >= %s) return;", "if (!(%s < %s)) goto out;",
                        "if ((size_t)(%s) >= (size_t)%s) return;",
                        "if (!(%s < %s)) {{ C[0] = 7; return; }}"])
    a = check % ("i*K + k", "SA")
    b = check % ("k*N + j", "SB")
    c = check % ("i*N + j", "SC")
    which = rnd.choice(["abc", "abc", "a", "b", "c", "ab"])
    a, b, c = (t if n in which else "" for n, t in zip("abc", (a, b, c)))
    stop = rnd.choice(["", "", "if (STOP) return;", "if (!A) return;"])
    body = rnd.choice([
        "IDX i, j, k; {T} s; for (i = 0; i < M; i++) for (j = 0; j < N; j++) {{ s = 0; "
        "for (k = 0; k < K; k++) {{ %s %s %s s += A[i*K + k] * B[k*N + j]; }} "
        "%s C[i*N + j] = s; }}" % (stop, a, b, c),
        "IDX i, j, k; for (i = 0; i < M; i++) {{ %s for (k = 0; k < K; k++) "
        "for (j = 0; j < N; j++) {{ %s %s %s C[i*N + j] += A[i*K + k] * B[k*N + j]; }} }}"
        % (stop, c, a, b),
        "IDX i, j, k; for (i = 0; i < M && !STOP; i++) for (j = 0; j < N; j++) {{ %s "
        "C[i*N + j] = 0; for (k = 0; k < K; k++) {{ %s %s "
        "C[i*N + j] += A[i*K + k] * B[k*N + j]; }} }}" % (c, a, b)])

    def sample(rnd, run, dims):
        sizes = {"SA": product(dims["M"], dims["K"]), "SB": product(dims["K"], dims["N"]),
                 "SC": product(dims["M"], dims["N"])}
        if rnd.random() < 0.35:
            short = rnd.choice(sorted(sizes))
            sizes[short] = rnd.choice([0, max(sizes[short] - 1, 0), sizes[short] // 2])
        run.values.update(sizes, STOP=int(rnd.random() < 0.05))
    return spelled(rnd, "typedef __SIZE_TYPE__ size_t; " + body + " out:;", idx,
                   [("SA", idx), ("SB", idx), ("SC", idx), ("STOP", "int")], sample)
