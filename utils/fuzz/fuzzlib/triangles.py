"""Loops whose extents are those of rows of a triangle, attention, and layers."""
from .simple import Flat, draw


def triangular(rnd):
    t, idx = draw(rnd, ["f32", "f32", "f64"])
    j, k = rnd.choice([("i + 1", "K"), ("N", "i + 1"), ("N", "j + 1"), ("i + 1", "j + 1")])
    body = ("for (IDX i = 0; i < M; i++) for (IDX j = 0; j < %s; j++) {{ {T} s = 0; "
            "for (IDX k = 0; k < %s; k++) s += A[i*K + k] * B[k*N + j]; "
            "C[i*N + j] = s; }}" % (j, k))

    def square(rnd, dims):
        for d in dims:
            dims[d] = dims["M"]
    p = lambda x, y: max(x, 0) * max(y, 0)
    return Flat(rnd, t, idx, ["M", "N", "K"], {
        "A": lambda M, N, K: p(M, K), "B": lambda M, N, K: p(K, N),
        "C": lambda M, N, K: p(M, N)}, body, fix=square).made


def triangular_steps(rnd):
    """Products with a triangle: sums are as long as its rows."""
    t, idx = draw(rnd, ["f32", "f32", "f64"])
    bounds = rnd.choice(["0; k <= i", "0; k < i", "0; k < i + 2", "i; k < K",
                         "i + 1; k < K", "i; k < M", "0; k < M - i",
                         "0; k <= i && k < K", "i; k < i + 5 && k < K", "i; k < N"])
    a, b = rnd.choice(["A[i*K + k]", "A[k*M + i]", "alpha * A[i*K + k]"]), rnd.choice(
        ["B[k*N + j]", "B[k*N + j]", "B[j*K + k]"])
    start = rnd.choice(["0", "1", "x[j]", "x[i]", "C[i*N + j]",
                        "alpha > 0 ? C[i*N + j] : 0", "alpha > 0 ? x[j] : 1"])
    sign, kind = rnd.choice("+-"), rnd.randrange(3)
    if kind == 0:
        inner = ("for (IDX j = 0; j < N; j++) {{ {T} s = %s; for (IDX k = %s; k++) "
                 "s %s= %s * %s; C[i*N + j] = s; }}" % (start, bounds, sign, a, b))
    else:
        inner = ("for (IDX k = %s; k++) for (IDX j = 0; j < N; j++) "
                 "C[i*N + j] %s= %s * %s;" % (bounds, sign, a, b))
    if kind == 1:
        inner = "for (IDX j = 0; j < N; j++) C[i*N + j] = %s; %s" % (start, inner)
    body = "for (IDX i = 0; i < M; i++) {{ %s }}" % inner

    def longer(rnd, dims):
        dims["K"] = max(dims["K"], 0)
        if rnd.random() < 0.7:
            dims["K"] = dims["M"] + rnd.choice([0, 0, 1, 7])
    most = lambda *x: max([0, *x]) + 2
    p = lambda x, y: (x * y)
    return Flat(rnd, t, idx, ["M", "N", "K"], {
        "A": lambda M, N, K: p(most(M, N, K), most(M, N, K)),
        "B": lambda M, N, K: p(most(M, N, K), most(M, N, K)),
        "C": lambda M, N, K: p(most(M), most(N)),
        "x": lambda M, N, K: most(M, N)}, body, scalars=("alpha",), fix=longer).made


def attention(rnd):
    """Products and what is done to their rows, all in one loop over rows."""
    t, idx = draw(rnd, ["f32", "f32", "f64"])
    end = rnd.choice(["N", "N", "i + 1"])
    keep = "".join(rnd.sample(["if (s > m) m = s;", "t += s * s;", "m = s > m ? s : m;",
                               ""], rnd.randint(1, 2)))
    scale = rnd.choice(["", "s *= alpha;", "s = s * alpha + 1;"])
    store = rnd.choice(["P[i*N + j] = s; %s" % keep, "%s P[i*N + j] = s;" % keep])
    stages = ["for (IDX j = 0; j < %s; j++) {{ {T} s = 0; for (IDX k = 0; k < K; k++) "
              "s += A[i*K + k] * B[j*K + k]; %s %s }}" % (end, scale, store)]
    stages += rnd.sample([
        "for (IDX j = 0; j < %s; j++) P[i*N + j] -= m;" % end,
        "for (IDX j = 0; j < %s; j++) {{ {T} e = P[i*N + j] * m; u += e; P[i*N + j] = e; }}"
        % end,
        "for (IDX j = 0; j < %s; j++) u += P[i*N + j];" % end,
        "for (IDX j = 0; j < %s; j++) {{ {T} e = __builtin_exp%s(P[i*N + j] - m); u += e;"
        " P[i*N + j] = e; }}" % (end, "f" if t == "f32" else ""),
        "for (IDX j = 0; j < N; j++) P[i*N + j] = j <= i ? P[i*N + j] * t : 0;"],
        rnd.randint(0, 3))
    stages.append("for (IDX j = 0; j < %s; j++) P[i*N + j] *= u == 0 ? 0 : 1 / u;" % end)
    stages.append(rnd.choice([
        "for (IDX c = 0; c < K; c++) {{ {T} o = 0; for (IDX j = 0; j < %s; j++) "
        "o += P[i*N + j] * V[j*K + c]; O[i*K + c] = o; }}",
        "for (IDX c = 0; c < K; c++) O[i*K + c] = 0; for (IDX j = 0; j < %s; j++) "
        "for (IDX c = 0; c < K; c++) O[i*K + c] += P[i*N + j] * V[j*K + c];"]) % end)
    body = ("for (IDX i = 0; i < M; i++) {{ {T} m = -1000, t = 0, u = 0; %s }}"
            % " ".join(stages))
    # Heads have keys and values of their own.
    of_heads = rnd.random() < 0.3
    if of_heads:
        body = body.replace("B[j*K", "B[(i*N + j)*K").replace("V[j*K", "V[(i*N + j)*K")
    # A row may have no elements of its own: an array of the loop, or one for all.
    place = rnd.choice(["matrix", "matrix", "local", "shared"])
    if place == "local":
        body = body.replace("P[i*N + j]", "p[j]").replace(
            "{{ {T} m", "{{ {T} p[%d]; {T} m" % rnd.choice([130, 512, 3000]), 1)
    elif place == "shared":
        body = body.replace("P[i*N + j]", "P[j]")

    def square(rnd, dims):
        if end != "N":
            dims["N"] = dims["M"]
        dims["N"] = min(dims["N"], 130)
    p = lambda x, y: max(x, 0) * max(y, 0)
    return Flat(rnd, t, idx, ["M", "N", "K"], {
        "A": lambda M, N, K: p(M, K), "B": lambda M, N, K: p(p(M if of_heads else 1, N), K),
        "V": lambda M, N, K: p(p(M if of_heads else 1, N), K),
        "P": lambda M, N, K: p(M if place == "matrix" else 1, max(M, N)),
        "O": lambda M, N, K: p(M, K)}, body, scalars=("alpha",), fix=square).made


def layers(rnd):
    """Rows through layers, whose values are in arrays of a row, of all rows, or
    of what the row before has left."""
    t, idx = draw(rnd, ["f32", "f32", "f64"])
    hidden = rnd.choice(["8", "24", "40"])
    start = rnd.choice(["0", "0", "V[j]", "H[j]"])
    value = rnd.choice(["s", "s > 0 ? s : 0", "s * alpha + 1"])
    first = ("for (IDX j = 0; j < %s; j++) {{ {T} s = %s; for (IDX k = 0; k < K; k++) "
             "s += A[i*K + k] * B[k*%s + j]; H[j] = %s; }}" % (hidden, start, hidden, value))
    between = rnd.choice(["", "", "for (IDX j = 0; j < %s; j++) u += H[j];" % hidden,
                          "for (IDX j = 1; j < %s; j++) u = H[j] > u ? H[j] : u;" % hidden])
    last = ("for (IDX j = 0; j < N; j++) {{ {T} s = %s; for (IDX k = 0; k < %s; k++) "
            "s += H[k] * %s; C[i*N + j] = %s; }}" % (
                rnd.choice(["0", "0", "u", "V[j]"]), hidden,
                rnd.choice(["W[k*N + j]", "W[j*%s + k]" % hidden]),
                rnd.choice(["s", "s", "s * u"])))
    body = "for (IDX i = 0; i < M; i++) {{ {T} u = %s; %s %s %s }}" % (
        rnd.choice(["0", "1"]), first, between, last)
    if rnd.random() < 0.5:
        inside = start != "H[j]" and rnd.random() < 0.7
        decl = "{T} h[%s]%s; " % (hidden, "" if inside else " = {{1, 2, 3}}")
        body = body.replace("H[", "h[")
        body = body.replace("{{ ", "{{ " + decl, 1) if inside else decl + body
    p = lambda x, y: max(x, 0) * max(y, 0)
    width = int(hidden)
    return Flat(rnd, t, idx, ["M", "N", "K"], {
        "A": lambda M, N, K: p(M, K), "B": lambda M, N, K: p(K, width),
        "H": lambda M, N, K: width, "V": lambda M, N, K: max(N, 0) + width,
        "W": lambda M, N, K: p(N, width), "C": lambda M, N, K: p(M, N)},
        body, scalars=("alpha",)).made


def triangles(rnd):
    """Products that fill a triangle, with what is done beside them."""
    t, idx = draw(rnd, ["f32", "f32", "f64"])
    bound = rnd.choice(["0; j <= i", "0; j < i", "i; j < N", "i + 1; j < N",
                        "0; j < i + 3", "i; j < M", "0; j < N && j <= i"])
    if "&&" in bound:
        bound, test = "0; j < N", "if (j <= i) "
    else:
        test = ""
    a, b = rnd.choice(["A[i*K + k]", "A[k*M + i]"]), rnd.choice(
        ["B[k*N + j]", "B[j*K + k]", "A[j*K + k]", "A[k*M + j]"])
    at, image = rnd.choice([("C[i*N + j]", "C[j*N + i]"), ("C[j*N + i]", "C[i*N + j]")])
    before = rnd.choice(["", "", "C[i*N + i] = 1;"])
    kind = rnd.randrange(4)
    if kind == 0:
        inner = "{T} s = 0; for (IDX k = 0; k < K; k++) s += %s * %s; %s = s;" % (a, b, at)
    elif kind == 1:
        inner = "for (IDX k = 0; k < K; k++) %s += %s * %s;" % (at, a, b)
    elif kind == 2:
        inner = ("%s = 0; for (IDX k = 0; k < K; k++) %s += %s * %s; %s *= alpha;"
                 % (at, at, a, b, at))
    else:
        inner = ("{T} s = %s; for (IDX k = 0; k < K; k++) s += %s * %s; %s = alpha * s + %s;"
                 % (rnd.choice(["1", at, image]), a, b, at, at))
    if rnd.random() < 0.5:
        value = "s" if kind in (0,) and rnd.random() < 0.5 else at
        inner += " %s = %s;" % (image, value)
    body = ("for (IDX i = 0; i < M; i++) {{ %s for (IDX j = %s; j++) %s{{ %s }} }}"
            % (before, bound, test, inner))

    def square(rnd, dims):
        if "M" not in bound or dims["N"] < 0 or rnd.random() < 0.9:
            dims["N"] = dims["M"]
    most = lambda *x: max([0, *x]) + 3
    p = lambda x, y: (x * y)
    return Flat(rnd, t, idx, ["M", "N", "K"], {
        "A": lambda M, N, K: p(most(M, N), most(M, N, K)),
        "B": lambda M, N, K: p(most(M, N), most(M, N, K)),
        "C": lambda M, N, K: p(most(M, N), most(M, N))}, body, scalars=("alpha",),
        fix=square).made
