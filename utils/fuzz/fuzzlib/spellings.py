"""Matrix products as people and generators write them: C = A B or C += A B with
row-major operands, spelled in ways that need an analysis of their own."""
from .simple import Flat


def product(x, y):
    return max(x, 0) * max(y, 0)


def spelled(rnd, body, idx, extra=(), sample=None, room=0):
    """A kernel on tight matrices with further arguments, which \p sample sets,
    and so many elements of \p room behind each dimension."""
    size = lambda x, y: product(x + room, y + room) if room else product(x, y)
    flat = Flat(rnd, "f32", idx, ["M", "N", "K"], {
        "A": lambda M, N, K: size(M, K), "B": lambda M, N, K: size(K, N),
        "C": lambda M, N, K: size(M, N)}, body, rules=("exact",), overlaps=not extra)
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


A, B, C = "A[%s*K + %s]", "B[%s*N + %s]", "C[%s*N + %s]"


def loop(v, bound, begin="0", step=1):
    up = "%s++" % v if step == 1 else "%s += %s" % (v, step)
    return "for (IDX %s = %s; %s < %s; %s) " % (v, begin, v, bound, up)


def unrolled(rnd):
    """Loops that the programmer has unrolled, with and without a loop for what
    remains."""
    idx, u = index(rnd), rnd.choice([2, 2, 3, 4, 4, 8])
    remainder = rnd.random() < 0.7
    plus = lambda v, n: "(%s + %d)" % (v, n) if n else v

    def heads(v, bound):
        """The unrolled loop, and what remains, which has the name v, too."""
        if not remainder:
            return loop(v, bound, step=u), ""
        how = rnd.choice(["less", "once", "whole", "mask", "end", "end", "near", "odd"])
        if how in ("less", "once") and idx in ("int", "long"):
            # Once is all of it only of loops that are unrolled twice.
            rest = "for (; %s < %s; %s++) " % (v, bound, v)
            return ("IDX %s = 0; for (; %s + %d < %s; %s += %d) " % (v, v, u - 1, bound, v, u),
                    rest if how == "less" else "if (%s < %s) " % (v, bound))
        whole = rnd.choice(["%s / %d * %d" % (bound, u, u),
                            "%s - %s %% %d" % (bound, bound, u)])
        if how == "near":  # not where the unrolled loop ends
            whole += " + %d" % rnd.randint(1, u)
        begin = "%s = e%s" % (v, v) if how in ("end", "near") else ""
        rest = "for (%s; %s < %s; %s++) " % (begin, v, bound, v)
        if how == "odd" and u == 2:
            rest = "%s = %s - 1; if (%s %% 2) " % (v, bound, bound)
        return ("IDX %s = 0, e%s = %s; for (; %s < e%s; %s += %d) " % (v, v, whole, v, v, v, u),
                rest)

    def copies(text):
        return "{{ %s }} " % " ".join(text(n) for n in range(u))

    which = rnd.choice(["k", "k", "k_memory", "j", "j", "j_sums", "k_sums", "both", "both"])
    if which in ("k", "k_memory", "k_sums"):
        acc = "s" if which != "k_memory" else C % ("i", "j")
        step = lambda n: "%s += %s * %s;" % (acc, A % ("i", plus("k", n)),
                                             B % (plus("k", n), "j"))
        first, rest = heads("k", "K")
        if which == "k_sums":  # another order of sums
            step = lambda n: "%s += %s * %s;" % (
                "s" if n % 2 == 0 else "t", A % ("i", plus("k", n)), B % (plus("k", n), "j"))
        body = first + copies(step) + (rest + step(0) if rest else "")
        if which == "k_memory":
            body = rnd.choice(["", C % ("i", "j") + " = 0; "]) + body
        else:
            end = rnd.choice([" = s;", " += s;"]) if which == "k" else " = s + t;"
            body = "{T} s = 0, t = 0; " + body + C % ("i", "j") + end
        body = loop("i", "M") + loop("j", "N") + "{{ " + body + " }}"
    elif which == "j":
        step = lambda n: "%s += a * %s;" % (C % ("i", plus("j", n)), B % ("k", plus("j", n)))
        first, rest = heads("j", "N")
        body = (loop("i", "M") + loop("k", "K") + "{{ {T} a = " + A % ("i", "k") + "; " +
                first + copies(step) + (rest + step(0) if rest else "") + " }}")
    elif which == "both":  # rows and columns, with sums of their own
        v, w = rnd.choice([(2, 2), (2, 1), (4, 1), (2, 4), (3, 2)])
        tile = [(x, y) for x in range(v) for y in range(w)]
        if rnd.random() < 0.5:
            tile.sort(key=lambda t: (t[1], t[0]))
        at = lambda x, y: "s%d%d" % (x, y)
        steps = [(x, y, z) for z in range(rnd.choice([1, 1, 2, 4])) for x, y in tile]
        if rnd.random() < 0.3:
            steps.sort()
        body = (loop("i", "M", step=v) + loop("j", "N", step=w) + "{{ {T} " +
                ", ".join(at(x, y) + " = 0" for x, y in tile) + "; " +
                loop("k", "K", step=len(steps) // len(tile)) + "{{ " +
                " ".join("%s += %s * %s;" % (at(x, y), A % (plus("i", x), plus("k", z)),
                                             B % (plus("k", z), plus("j", y)))
                         for x, y, z in steps) +
                " }} " + " ".join("%s = %s;" % (C % (plus("i", x), plus("j", y)), at(x, y))
                                  for x, y in tile) + " }}")
    else:
        first, rest = heads("j", "N")
        sums = "{T} " + ", ".join("s%d = 0" % n for n in range(u)) + "; "
        inner = (sums + loop("k", "K") + copies(
            lambda n: "s%d += %s * %s;" % (n, A % ("i", "k"), B % ("k", plus("j", n)))) +
            " ".join("%s = s%d;" % (C % ("i", plus("j", n)), n) for n in range(u)))
        last = ("{{ {T} s = 0; " + loop("k", "K") + "s += " + A % ("i", "k") + " * " +
                B % ("k", "j") + "; " + C % ("i", "j") + " = s; }}")
        body = (loop("i", "M") + "{{ " + first + "{{ " + inner + " }} " +
                (rest + last if rest else "") + " }}")
    return spelled(rnd, body, idx, room=8)


def blocked(rnd):
    """Tiles, of constant or given sizes, in any order of the loops over them."""
    idx = rnd.choice(["int", "long", "int", "unsigned", "size_t"])
    given = rnd.random() < 0.25
    sizes = {v: "T" if given else str(rnd.choice([2, 4, 8, 16, 32])) for v in "ijk"}
    bounds = {"i": "M", "j": "N", "k": "K"}
    how = rnd.choice(["min", "min", "and", "if", "if", "end", "whole"])
    tiles = [v for v in "ijk" if rnd.random() < 0.8]
    rnd.shuffle(tiles)
    order = rnd.choice(["ijk", "ikj", "jik", "kij", "ijk", "ikj"])
    body = "".join(loop(v + v, bounds[v], step=sizes[v]) for v in tiles)
    for v in order:
        if v not in tiles:
            body += loop(v, bounds[v])
            continue
        end = "%s%s + %s" % (v, v, sizes[v])
        if how == "min":
            end = "(%s < %s ? %s : %s)" % (end, bounds[v], end, bounds[v])
        elif how == "and":
            end = "%s && %s < %s" % (end, v, bounds[v])
        elif how == "end":
            end = "(%s - %s%s < %s ? %s : %s)" % (bounds[v], v, v, sizes[v], bounds[v], end)
        body += loop(v, end, v + v)
        if how == "if":
            body += "if (%s %s %s) " % (v, rnd.choice(["<"] * 9 + ["<="]), bounds[v])
        # "whole": the last tile runs past the matrix.
    c, product = C % ("i", "j"), A % ("i", "k") + " * " + B % ("k", "j")
    if order[2] == "k" and rnd.random() < 0.5:
        inner = body[body.rindex("for (IDX k ="):]
        body = body[:-len(inner)] + "{{ {T} s = %s; %s s += %s; %s = s; }}" % (
            c, inner, product, c)
    else:
        body += "%s += %s;" % (c, product)
    if rnd.random() < 0.3:
        body = loop("i", "M") + loop("j", "N") + c + " = 0; " + body

    def sample(rnd, run, dims):
        if how == "whole":
            for d, v in zip("MNK", "ijk"):
                t = int(sizes[v]) if not given else 4
                if rnd.random() < 0.7:
                    run.values[d] = max(dims[d] // t * t, 0)
        run.values["T"] = 4 if how == "whole" else rnd.choice([1, 2, 4, 7, 16, 100])
    return spelled(rnd, body, idx, [("T", idx)], sample, room=33)


def scaled(rnd):
    """Products that are rounded before or after they are scaled."""
    idx = index(rnd)
    a, b, c = A % ("i", "k"), B % ("k", "j"), C % ("i", "j")
    term = rnd.choice(["%s * %s * x", "%s * %s * x", "x * (%s * %s)", "%s * x * (%s * y)",
                       "(%s * y) * %s * x", "x * %s * %s", "%s * %s * x * y"]) % (a, b)
    bounds = {"i": "M", "j": "N", "k": "K"}
    order = rnd.choice(["ijk", "jik", "ikj", "kij"])
    heads = [loop(v, bounds[v]) for v in order]
    if order[2] == "k" and rnd.random() < 0.6:
        body = "%s%s{{ {T} s = %s; %s s += %s; %s = %s; }}" % (
            heads[0], heads[1], rnd.choice(["0", c, "y"]), heads[2], term, c,
            rnd.choice(["s", "s", "s * y + x"]))
    else:
        body = "".join(heads) + "%s += %s;" % (c, term)

    def sample(rnd, run, dims):
        run.values["X"], run.values["Y"] = rnd.choice([0, 1, -3, 7]), rnd.randint(-9, 9)
    return spelled(rnd, "{T} x = X * ({T})0.3, y = Y / ({T})7; " + body, idx,
                   [("X", "int"), ("Y", "int")], sample)


def first_round(rnd):
    """The start value is set in the first round of the reduction."""
    idx = index(rnd)
    order = rnd.choice(["ijk", "ikj", "kij", "jik", "jki"])
    c, product = C % ("i", "j"), A % ("i", "k") + " * " + B % ("k", "j")
    test = rnd.choice(["k == 0", "!k", "k < 1", "k == 1", "k == K - 1"])
    start = rnd.choice(["0", "0", "1.5", B % ("0", "j")])
    bounds = {"i": "M", "j": "N", "k": "K"}
    heads = "".join(loop(v, bounds[v]) for v in order)
    body = heads + rnd.choice([
        "{{ if (%s) %s = %s; %s += %s; }}" % (test, c, start, c, product),
        "{{ if (%s) %s = %s; %s += %s; }}" % (test, c, start, c, product),
        "{{ if (%s) %s = %s; else %s += %s; }}" % (test, c, product, c, product),
        "%s = (%s ? %s : %s) + %s;" % (c, test, start, c, product)])
    return spelled(rnd, body, idx)


def split_sum(rnd):
    """One sum by several loops, and sums that are almost one."""
    idx = index(rnd)
    at = rnd.choice(["K / 2", "K / 4 * 4", "H", "H"])
    begin = rnd.choice(["h", "h", "h", "h + 1"])
    product = A % ("i", "k") + " * " + B % ("k", "j")
    two = loop("k", "h") + "%s " + loop("k", "K", begin) + "%s "
    if rnd.random() < 0.6:
        step = "s += %s;" % product
        body = (loop("i", "M") + loop("j", "N") + "{{ {T} s = 0; " + two % (step, step) +
                C % ("i", "j") + " = s; }}")
    else:
        step = loop("j", "N") + C % ("i", "j") + " += " + product + ";"
        body = loop("i", "M") + "{{ " + two % (step, step) + " }}"

    def sample(rnd, run, dims):
        K = max(dims["K"], 0)
        run.values["H"] = rnd.choice([K // 2, K // 3, 0, K, max(K - 1, 0)])
    return spelled(rnd, "IDX h = %s; " % at + body, idx, [("H", idx)], sample)


def two_bounds(rnd):
    """Sums by blocks, each with an end of its own and that of the sum; sums of
    blocks that take turns."""
    idx, t = rnd.choice(["int", "long"]), rnd.choice([2, 3, 8, 16])
    product = A % ("i", "k") + " * " + B % ("k", "j")
    end = rnd.choice(["k < b + %d && k < K", "k < (b + %d < K ? b + %d : K)",
                      "k < b + %d", "k < b + %d && k < K - 1"])
    end = end.replace("%d", str(t))
    inner = "for (IDX k = b; %s; k++) s += %s; " % (end, product)
    if rnd.random() < 0.25:
        inner = "for (IDX l = 0; l < N; l++) {{ s += %s; s += %s; }} " % (
            B % ("b", "l"), B % ("(b + 1)", "l"))
        t = 2
    body = (loop("i", "M") + loop("j", "N") + "{{ {T} s = %s; " % rnd.choice(["0", C % ("i", "j")]) +
            loop("b", "K", step=t) + inner + C % ("i", "j") + " = s; }}")
    return spelled(rnd, body, idx, room=17)


def factors(rnd):
    """Factors of zero, or others, are left out."""
    idx = index(rnd)
    order = rnd.choice(["ijk", "ikj", "kij", "jik", "jki", "kji"])
    a, b, c = A % ("i", "k"), B % ("k", "j"), C % ("i", "j")
    factor = rnd.choice([a, a, b])
    test = rnd.choice(["%s != 0", "%s != 0", "%s", "!(%s == 0)", "-0.f != %s", "%s > 0", "%s == 0"])
    test, bounds = test % factor, {"i": "M", "j": "N", "k": "K"}
    ready = max(order.index(v) for v in ("ik" if factor == a else "kj"))
    place, body = rnd.choice([ready, ready, 2]), ""
    for level, v in enumerate(order):
        body += loop(v, bounds[v])
        if level == place:
            body += rnd.choice(["if (%s) " % test, "{{ if (!(%s)) continue; " % test])
    body += "%s += %s * %s;" % (c, a, b) + " }}" * body.count("{{")
    return spelled(rnd, body, idx)


def flat_sum(rnd):
    """All three loops in one."""
    idx = index(rnd)
    x, y, z = rnd.choice(["ijk", "ikj", "kij", "jik"])
    bound = {"i": "M", "j": "N", "k": "K"}
    Y, Z = bound[y], bound[z]
    first = rnd.choice(["x / %s / %s" % (Z, Y), "x / (%s * %s)" % (Y, Z), "x / %s / %s" % (Y, Z)])
    body = ("for (IDX x = 0; x < M * N * K; x++) {{ "
            "IDX %s = x %% %s, %s = x / %s %% %s, %s = %s; %s += %s * %s; }}" % (
                z, Z, y, Z, Y, x, first, C % ("i", "j"), A % ("i", "k"), B % ("k", "j")))

    def sample(rnd, run, dims):
        for d in "MNK":
            run.values[d] = max(run.values[d], 0)
    return spelled(rnd, body, idx, sample=sample)


def flat(rnd):
    """Rows and columns in one loop."""
    idx = index(rnd)
    count = rnd.choice(["M * N", "M * N", "M * N - 1"])
    c = rnd.choice(["C[x]", C % ("i", "j")])
    body = ("for (IDX x = 0; x < %s; x++) {{ IDX i = x / N, j = x %% N; {T} s = 0; "
            "for (IDX k = 0; k < K; k++) s += %s * %s; %s = s; }}" % (
                count, A % ("i", "k"), B % ("k", "j"), c))

    def sample(rnd, run, dims):  # M * N of unsigned numbers
        if idx in ("unsigned", "size_t") and not dims["M"] * dims["N"]:
            run.values["M"] = run.values["N"] = 1
            run.pointer("A", max(dims["K"], 1))
            run.pointer("B", max(dims["K"], 1))
            run.pointer("C", 1)
    return spelled(rnd, body, idx, sample=sample)


def backwards(rnd):
    """Loops that count down, by index or beside one that counts up."""
    idx = index(rnd)
    signed = idx in ("int", "long")

    def down(v, bound):
        if rnd.random() < 0.3:
            return loop(v, bound)
        if signed and rnd.random() < 0.6:
            return "for (IDX %s = %s - 1; %s >= 0; %s--) " % (v, bound, v, v)
        if signed:
            return "for (IDX %s = %s; --%s >= 0;) " % (v, bound, v)
        return "for (IDX %s = %s; %s-- > 0;) " % (v, bound, v)
    c, product = C % ("i", "j"), A % ("i", "k") + " * " + B % ("k", "j")
    if rnd.random() < 0.5:
        body = (down("i", "M") + down("j", "N") + "{{ {T} s = %s; " % rnd.choice(["0", c]) +
                (down if rnd.random() < 0.3 else loop)("k", "K") +
                "s += %s; %s = s; }}" % (product, c))
    else:
        order = rnd.choice(["ikj", "kij", "ijk"])
        bounds = {"i": "M", "j": "N", "k": "K"}
        body = "".join((loop if v == "k" else down)(v, bounds[v]) for v in order)
        body += "%s += %s;" % (c, product)
    return spelled(rnd, body, idx)


def ends(rnd):
    """Pointers that move through whole matrices up to their ends."""
    idx = rnd.choice(["int", "long", "size_t", "unsigned"])
    test = rnd.choice(["<", "<", "!="])
    rows = rnd.choice(["for ({T} *e = C + M * N; C %s e; ", "for (IDX i = 0; i < M; i++, "])
    rows = (rows % test if "%" in rows else rows)
    inner = rnd.choice([
        "for ({T} *f = C + N, *b = B; C %s f; C++, b++) {{ {T} s = 0, *p = A, *q = b; "
        "for ({T} *g = A + K; p %s g; p++, q += N) s += *p * *q; *C = s; }}" % (test, test),
        "{T} *b = B; for (IDX j = 0; j < N; j++) {{ {T} s = *C, *p = A, *q = b++; "
        "while (p %s A + K) {{ s += *p++ * *q; q += N; }} *C++ = s; }}" % test,
        "for ({T} *p = A, *b = B; p %s A + K; p++, b += N) "
        "for (IDX j = 0; j < N; j++) C[j] += *p * b[j]; C += N;" % test])
    step = rnd.choice(["A += K) {{ %s }}", ") {{ %s A += K; }}"])
    body = rows + (step % inner)
    body = body.replace("i++, )", "i++)")

    def sample(rnd, run, dims):
        # An end before the start is outside of the array, or a null pointer less
        # something, and a negative number of steps has no end.
        for d in "MNK":
            run.values[d] = max(run.values[d], 0)
        if not run.values["N"] and "!= e" in body:
            run.values["M"] = 0
    return spelled(rnd, body, idx, sample=sample)


def tiles_left(rnd):
    """Loops over tiles of rows that are left by both of a row's numbers."""
    idx = index(rnd)
    body = ("for (IDX o = 0; o < M; o++) for (IDX i = 0; i < 4; i++) "
            "for (IDX j = 0; j < N; j++) {{ if ((long)o %s %s * (long)i > %d) return; "
            "{T} s = 0; for (IDX k = 0; k < K; k++) s += A[(o*4 + i)*K + k] * B[k*N + j]; "
            "C[(o*4 + i)*N + j] = s; }}")
    sign, times = rnd.choice([("+", 1), ("-", 1), ("-", 3)])
    body = body % (sign, times, rnd.randint(0, 9))
    return Flat(rnd, "f32", idx, ["M", "N", "K"], {
        "A": lambda M, N, K: 4 * product(M, K), "B": lambda M, N, K: product(K, N),
        "C": lambda M, N, K: 4 * product(M, N)}, body, rules=("exact",)).made
