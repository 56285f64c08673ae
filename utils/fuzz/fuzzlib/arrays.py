"""Matrix products that keep tiles of sums, rows or copies of operands in local
arrays, and matrices whose rows and columns are apart by arguments."""
from .spellings import A, B, C, index, loop, spelled

SMALL = [(1, 4), (4, 4), (2, 8), (8, 1), (3, 5), (4, 16), (6, 2)]


def nest(loops, body):
    return "".join(loop(v, e) for v, e in loops) + body


def tiled(rnd):
    """Tiles of C whose sums are a local array."""
    idx = index(rnd)
    rows, columns = rnd.choice(SMALL)
    ends = rnd.random() < 0.5
    pad = rnd.choice([0, 0, 1, 3])
    flat = rnd.random() < 0.3
    width = columns + pad
    at = ("s[%%s*%d + %%s]" % width if flat else "s[%s][%s]") % ("x", "y")
    shape = "s[%d]" % ((rows + 1) * width) if flat else "s[%d][%d]" % (rows + pad, width)
    h, w = ("h", "w") if ends else (str(rows), str(columns))
    tile = [("x", h), ("y", w)]
    if rnd.random() < 0.2:
        tile.reverse()
    a, b, c = A % ("(i + x)", "k"), B % ("k", "(j + y)"), C % ("(i + x)", "(j + y)")
    zero = rnd.choice(["loops", "loops", "braces", "memset", "C", "once", "part", "flag"])
    start = {"loops": nest(tile, at + " = %s; " % rnd.choice(["0", "1.5", "-0.0"])),
             "braces": "", "once": "", "C": nest(tile, "%s = %s; " % (at, c)),
             "flag": nest(tile, "%s = (M & 2) ? %s : 1.5; " % (at, c)),
             "memset": "__builtin_memset(s, 0, sizeof s); ",
             "part": nest([("x", h), ("y", "1")], at + " = 0; ")}[zero]
    declared = "{T} " + shape
    if zero in ("braces", "once", "part"):
        declared += " = {{0}}" if flat else " = {{{{0}}}}"
    declared += "; "
    copies = rnd.choice(["", "", "a", "b", "ab"])
    inner = ""
    if "a" in copies:
        inner += "{T} p[%d]; " % rows + nest(tile[:1] if tile[0][0] == "x" else tile[1:],
                                             "p[x] = %s; " % a)
        a = "p[x]"
    if "b" in copies:
        inner += "{T} q[%d]; " % (columns + pad) + nest(
            tile[:1] if tile[0][0] == "y" else tile[1:], "q[y] = %s; " % b)
        b = "q[y]"
    update = "%s += %s * %s;" % (at, a, b)
    if rnd.random() < 0.3 and not ends and rows * columns <= 16 and not copies:
        one = lambda x, y: update.replace("x", str(x)).replace("y", str(y))
        inner += " ".join(one(x, y) for x in range(rows) for y in range(columns))
    else:
        inner += nest(tile, update)
    inner = loop("k", "K") + "{{ " + inner + " }} "
    result = nest(tile, c + rnd.choice([" = ", " = ", " += "]) + at + "; ")
    if rnd.random() < 0.2:
        result = nest(tile, rnd.choice(["{c} = {s} > 0 ? {s} : 0; ", "{c} = {s} * 2 - {c}; ",
                                        "if ({s} < 0) {c} = 0; else {c} = {s}; "])
                      .replace("{c}", c).replace("{s}", at))
    elif rnd.random() < 0.1:  # not all of it
        result = nest([("x", h), ("y", "1")], c + " = " + at + "; ")
    bounds = ""
    if ends:
        bounds = ("IDX h = M - i < %d ? M - i : %d, w = N - j < %d ? N - j : %d; "
                  % (rows, rows, columns, columns))
    body = bounds + (declared if zero != "once" else "") + start + inner + result
    order = [loop("i", "M", step=rows), loop("j", "N", step=columns)]
    rnd.shuffle(order)
    body = "".join(order) + "{{ " + body + " }}"
    if zero == "once":  # the sums go on from tile to tile
        body = declared + body
    read = "if (M > 0 && N > 0) C[0] += s[0][0];"
    behind = rnd.choice(["", "", "", read if not flat and zero == "once" else ""])

    def sample(rnd, run, dims):
        if rnd.random() < 0.7:  # whole tiles
            run.values["M"] -= dims["M"] % rows
            run.values["N"] -= dims["N"] % columns
    return spelled(rnd, body + behind, idx, sample=sample, room=0 if ends else 8)


def row(rnd):
    """One row or column at a time."""
    idx = index(rnd)
    size = rnd.choice(["N > 0 ? N : 1", "512", "300"])
    zero = rnd.choice(["loop", "loop", "memset", "C"])
    if zero == "memset" and ">" in size:
        size = "512"
    start = {"loop": loop("j", "N") + "s[j] = %s; " % rnd.choice(["0", "2"]),
             "memset": "__builtin_memset(s, 0, sizeof s); ",
             "C": loop("j", "N") + "s[j] = %s; " % (C % ("i", "j"))}[zero]
    inner = (loop("k", "K") + loop("j", "N") + "s[j] += %s * %s; " % (A % ("i", "k"),
                                                                     B % ("k", "j")))
    result = loop("j", "N") + C % ("i", "j") + rnd.choice([" = ", " += "]) + "s[j]; "
    declared = "{T} s[%s]; " % size
    body = start + inner + result
    where = rnd.choice(["in", "in", "out", "go_on"])
    if where == "in":
        body = loop("i", "M") + "{{ " + declared + body + " }}"
    elif where == "out":
        body = declared + loop("i", "M") + "{{ " + body + " }}"
    else:  # started once for all rows
        start = start if zero != "C" else loop("j", "N") + "s[j] = 0; "
        body = declared + start + loop("i", "M") + "{{ " + inner + result + " }}"

    def sample(rnd, run, dims):
        run.values["N"] = min(run.values["N"], 300)
    return spelled(rnd, body, idx, sample=sample)


def cleared_rows(rnd):
    """Rows of C that are cleared or copied as blocks of memory."""
    idx = rnd.choice(["int", "long", "size_t"])
    count = "(N > 0 ? N : 0)" if rnd.random() < 0.3 else "N"
    how = rnd.choice(["__builtin_memset({0}, 0, {1});", "__builtin_memcpy({0}, B, {1});",
                      "__builtin_memset({0}, 0, {1} / 2);"])
    start = how.format("C + i*N", count + " * sizeof({T})")
    update = loop("k", "K") + loop("j", "N") + "%s += %s * %s; " % (
        C % ("i", "j"), A % ("i", "k"), B % ("k", "j"))

    def sample(rnd, run, dims):
        run.values["N"] = max(run.values["N"], 0)
        if "memcpy" in start and run.values["K"] <= 0:  # B has no row
            run.values["M"] = 0
    return spelled(rnd, loop("i", "M") + "{{ " + start + update + " }}", idx, sample=sample)


def strided(rnd):
    """Rows and columns apart by arguments, next to each other or not: by
    subscripts, or by pointers that walk and return."""
    idx = rnd.choice(["long", "long", "int"])
    matrices = {"A": "MK", "B": "KN", "C": "MN"}
    extra = [(which + name, idx) for name in matrices for which in "RS"]
    at = lambda name, row, col: "%s[%s*R%s + %s*S%s]" % (name, row, name, col, name)
    order = rnd.choice(["ijk", "ijk", "ikj", "jik", "kij"])
    loops = {v: loop(v, bound) for v, bound in zip("ijk", "MNK")}
    if rnd.random() < 0.4:
        body = ("const {T} *a = A, *b = B; {T} *c = C; long ka = (long)SA * K, kb = (long)RB * K, "
                "nb = (long)SB * N, nc = (long)SC * N; " + loops["i"] + "{{ " + loops["j"] +
                "{{ *c = 0; " + loops["k"] + "{{ *c += *a * *b; a += SA; b += RB; }} "
                "a -= ka; b -= kb; b += SB; c += SC; }} c -= nc; b -= nb; a += RA; c += RC; }}")
    elif order[2] == "k":
        body = loops[order[0]] + loops[order[1]] + "{{ {T} s = %s; " % rnd.choice(
            ["0", at("C", "i", "j")]) + loops["k"] + "s += %s * %s; %s = s; }}" % (
            at("A", "i", "k"), at("B", "k", "j"), at("C", "i", "j"))
    else:
        body = "".join(loops[v] for v in order) + "%s += %s * %s;" % (
            at("C", "i", "j"), at("A", "i", "k"), at("B", "k", "j"))

    def sample(rnd, run, dims):
        for name, (rows, cols) in matrices.items():
            row, col = max(dims[rows], 0), max(dims[cols], 0)
            # By rows, by columns, all in one place or over each other.
            run.values["R" + name], run.values["S" + name] = rnd.choice(
                [(col, 1)] * 5 + [(1, row)] * 3 + [(0, 1), (1, 0), (1, 1) if row < 3 else (0, 0),
                                                   (max(col - 1, 0), 1)])
    return spelled(rnd, body, idx, extra, sample, room=1)
