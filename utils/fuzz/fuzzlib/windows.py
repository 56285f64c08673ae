"""Convolutions and pooling with batches, groups, filters and channels: any layout, order of
loops, padding (as tests or as bounds of loops), step and dilation."""
from .simple import Flat

TYPES = ["f32", "f32", "f32", "f64", "f64", "i32"]


class Window:
    """What one dimension of the window does: R rounds, outputs M."""

    def __init__(self, rnd, out, at, round, step=None, is_reached=False):
        self.rounds, self.step = rnd.choice([1, 2, 3, 3, 3, 5]), rnd.choice([1, 1, 1, 1, 2, 3])
        self.dilation = rnd.choice([1, 1, 1, 2, 3])
        self.step = step or self.step
        self.pad = rnd.choice([0, 1, 1, 2])
        self.is_padded = rnd.random() < 0.7
        # Outputs may be cut short or go on behind the input.
        self.more = rnd.choice([0, 0, 0, -1, 1, 3])
        self.out, self.round = out, round
        self.at = "(%s*%s + %s*%d - %d)" % (
            at, self.step, round, self.dilation, self.pad if self.is_padded else 0)
        if self.is_padded and is_reached:
            # No more than what windows reach, mostly.
            self.extent = "((%s - 1)*%s + %d)" % (
                out, self.step, (self.rounds - 1) * self.dilation + 1 - 2 * self.pad + self.more)
        elif self.is_padded:
            self.extent = "(%s*%s + %d)" % (out, self.step, self.more)
        else:
            self.extent = "(%s*%s + %d)" % (
                out, self.step, (self.rounds - 1) * self.dilation + abs(self.more))

        # Borders as bounds: the greatest and the smallest of two numbers.
        self.is_clamped = self.is_padded and self.dilation == 1 and rnd.random() < 0.3
        first = "(%d - %s*%s)" % (self.pad, at, self.step)
        last = "(%s + %d - %s*%s)" % (self.extent, self.pad, at, self.step)
        self.first = rnd.choice(["({0} > 0 ? {0} : 0)", "(0 < {0} ? {0} : 0)",
                                 "({0} < 1 ? 0 : {0})", "({0} <= 0 ? 0 : {0})"]).format(first)
        self.end = rnd.choice(["({0} < {1} ? {0} : {1})", "({1} <= {0} ? {1} : {0})",
                               "({0} > {1} ? {1} : {0})"]).format(last, self.rounds)

    def loop(self):
        first, end = (self.first, self.end) if self.is_clamped else ("0", self.rounds)
        return "for (int {0} = {1}; {0} < {2}; {0}++) {{{{".format(self.round, first, end)

    def tests(self):
        if not self.is_padded or self.is_clamped:
            return []
        below = ["%s >= 0" % self.at] if self.pad else []
        return below + ["%s < %s" % (self.at, self.extent)]

    def outputs(self, sizes):
        return max(sizes.get(self.out, 0), 0) if self.out in sizes else int(self.out)

    def count(self, sizes):
        return max(0, eval(self.extent, {**sizes, self.out: self.outputs(sizes)}))


def convolution(rnd, types=TYPES):
    t = rnd.choice(types)
    # Sizes that are known are cut otherwise than those that are not.
    m, n = ("M", "N") if rnd.random() < 0.6 else (
        rnd.choice(["M", "3", "7", "14"]), rnd.choice(["5", "13", "31", "67"]))
    rows, columns = Window(rnd, m, "i", "y"), Window(rnd, n, "j", "x")
    if rnd.random() < 0.3:
        columns.step = columns.dilation = 1
    batch, groups = rnd.choice([1, 1, 2]), rnd.choice([1, 1, 1, 2])
    filters = rnd.choice(["F", "F", "1", "5", "8", "12", "17"])
    known = 1
    for size in (m, n):
        known *= int(size) if size.isdigit() else 1
    # One number at least is an argument.
    channels = rnd.choice(["C", "C", "1", "3", "35"]) if "F" in filters or "N" in n else "C"
    if known > 80 and channels == "35":
        channels = "C"
    behind = rnd.random() < 0.4
    sizes = {"n": str(batch), "g": str(groups), "f": filters, "i": m, "j": n,
             "c": channels, "y": str(rows.rounds), "x": str(columns.rounds)}

    def index(*parts):
        text = ""
        for at, extent in parts:
            text = "(%s)*%s + %s" % (text, extent, at) if text else at
        return text

    g, f, c = ("g", sizes["g"]), ("f", filters), ("c", channels)
    yy, xx = (rows.at, rows.extent), (columns.at, columns.extent)
    b, i, j = ("n", sizes["n"]), ("i", m), ("j", n)
    y, x = ("y", sizes["y"]), ("x", sizes["x"])
    element = "I[%s]" % (index(b, yy, xx, g, c) if behind else index(b, g, c, yy, xx))
    weight = "W[%s]" % index(*rnd.choice(
        [(g, y, x, c, f), (g, f, y, x, c), (g, f, y, x, c), (g, f, c, y, x)] if behind else
        [(g, f, c, y, x), (g, f, c, y, x), (g, y, x, c, f)]))
    out = "O[%s]" % (index(b, i, j, g, f) if behind else index(b, g, f, i, j))
    tests = rows.tests() + columns.tests()
    rnd.shuffle(tests)
    update = "%s += %s * %s;" % ("{s}", element, weight)
    if tests and rnd.random() < 0.3:
        update = "if (!(%s)) continue; %s" % (" && ".join(tests), update)
    elif tests:
        update = "if (%s) %s" % (" && ".join(tests), update)
    loop = lambda a: "for (int %s = 0; %s < %s; %s++) {{" % (a, a, sizes[a], a)
    points = list("ngijf" if behind else "ngfij")
    if rnd.random() < 0.2:
        rnd.shuffle(points)
    sums = list("yxc" if behind else "cyx")
    if rnd.random() < 0.2:
        rnd.shuffle(sums)
    start = rnd.choice(["0", "0", "0", "1", "V[g*%s + f]" % filters, out])
    stored = rnd.choice(["s", "s", "s > 0 ? s : 0", "s * 2 + V[g*%s + f]" % filters])
    around = " ".join(map(loop, points))
    inside = " ".join({"y": rows, "x": columns}[a].loop() if a in "yx" else loop(a)
                      for a in sums)
    close = lambda axes: "}}" * len(axes)
    if rnd.random() < 0.25:
        body = "%s %s = %s; %s %s %s %s" % (
            around, out, start if start != out else "0", inside,
            update.replace("{s}", out), close(sums), close(points))
    else:
        body = "%s {T} s = %s; %s %s %s %s = %s; %s" % (
            around, start, inside, update.replace("{s}", "s"), close(sums), out,
            stored, close(points))

    def total(text, F, C):
        return {"F": max(F, 0), "C": max(C, 0)}.get(text) if text in "FC" else int(text)

    extents = [e for e in ("M", "N", "F", "C") if e in (m, n, filters, channels)]
    number = lambda d: (total(filters, d.get("F", 0), 0), total(channels, 0, d.get("C", 0)))

    def inputs(**d):
        return batch * groups * number(d)[1] * rows.count(d) * columns.count(d)

    def weights(**d):
        return groups * number(d)[0] * number(d)[1] * rows.rounds * columns.rounds

    def outputs(**d):
        return batch * groups * number(d)[0] * rows.outputs(d) * columns.outputs(d)

    arrays = {"I": inputs, "W": weights, "O": outputs}
    if "V[" in body:
        arrays["V"] = lambda **d: groups * number(d)[0]
    return Flat(rnd, t, "int", extents, arrays, body, rules=("exact",),
                limit=max(3000 // known, 2)).made


def pool(rnd):
    """The greatest, the least or the sum of a window, or the average of what is inside, until
    there is nothing."""
    t = rnd.choice(["f32", "f32", "f64"])
    rows, columns = Window(rnd, "M", "i", "y"), Window(rnd, "N", "j", "x")
    behind = rnd.random() < 0.3
    element = ("I[(%s*%s + %s)*C + c]" if behind else "I[(c*%s + %s)*%s + %s]") % (
        (rows.at, columns.extent, columns.at) if behind else
        (rows.extent, rows.at, columns.extent, columns.at))
    out = "O[(i*N + j)*C + c]" if behind else "O[(c*M + i)*N + j]"
    less = rnd.choice(["v < s", "s > v", "v > s", "s < v", "v >= s", "!(v <= s)"])
    update = rnd.choice(["s = %s ? v : s;" % less, "if (%s) s = v;" % less, "s += v;"])
    start = rnd.choice(["0", "-1e30", "1e30", out])
    result = rnd.choice(["s", "s > 0 ? s : 0", "s * 2"])
    leaves = ""
    if rnd.random() < 0.3:
        update, start, result = "s += v; n++;", "0; int n = 0", "s / n"
        for window in (rows, columns):
            window.is_clamped = window.is_padded and window.dilation == 1
        leaves = rnd.choice(["if (n == 0) return;", "if (!n) return;", "if (n == 0) return; n *= 2;"])
    tests = rows.tests() + columns.tests()
    rnd.shuffle(tests)
    inside = "{{ {T} v = %s; %s }}" % (element, update)
    if tests:
        inside = "if (%s) %s" % (" && ".join(tests), inside)
    sizes = {"c": "C", "i": "M", "j": "N"}
    loop = lambda a: "for (int %s = 0; %s < %s; %s++) {{" % (a, a, sizes[a], a)
    points = " ".join(map(loop, "ijc" if behind else "cij"))
    body = "%s {T} s = %s; %s %s }} }} %s %s = %s; }} }} }}" % (
        points, start, rows.loop() + " " + columns.loop(), inside, leaves, out, result)
    channels = lambda d: max(d["C"], 0)
    return Flat(rnd, t, "int", ["C", "M", "N"], {
        "I": lambda **d: channels(d) * rows.count(d) * columns.count(d),
        "O": lambda **d: channels(d) * max(d["M"], 0) * max(d["N"], 0)},
        body, rules=("exact",), limit=3000).made


def gradient(rnd):
    """Gradients of weights: few results of windows as large as an image, summed in a local or
    in place, with the batch in or around the sum, and whatever else has its own sum."""
    t = rnd.choice(["f32", "f32", "f64"])
    dims = {name: rnd.choice([name, name, size]) for name, size in (
        ("M", rnd.choice(["3", "7", "13"])), ("N", rnd.choice(["5", "16", "21"])),
        ("C", rnd.choice(["1", "3", "9"])), ("F", rnd.choice(["5", "16", "33"])))}
    if set(dims) - set(dims.values()) == set(dims):
        dims["M"] = "M"  # something has to be an argument
    m, n, c, f = (dims[name] for name in "MNCF")
    batch = rnd.choice(["1", "1", "2"])
    rows, columns = Window(rnd, m, "i", "y"), Window(rnd, n, "j", "x")
    rows.is_clamped = columns.is_clamped = False
    r, s = rows.rounds, columns.rounds
    pixel = "I[((n*%s + c)*%s + %s)*%s + %s]" % (c, rows.extent, rows.at, columns.extent, columns.at)
    slope = "D[((n*%s + f)*%s + i)*%s + j]" % (f, m, n)
    weight = "G[((f*%s + c)*%d + y)*%d + x]" % (c, r, s)
    tests = rows.tests() + columns.tests()
    rnd.shuffle(tests)
    product = [pixel, slope]
    rnd.shuffle(product)
    sizes = {"n": batch, "f": f, "c": c, "i": m, "j": n, "y": str(r), "x": str(s)}
    loop = lambda a: "for (int %s = 0; %s < %s; %s++) {{" % (a, a, sizes[a], a)
    loops = lambda axes: " ".join(map(loop, axes))
    close = lambda axes: "}}" * len(axes)
    when = "if (%s) " % " && ".join(tests) if tests else ""
    how = rnd.random()
    if how < 0.4:
        around, sums = rnd.choice([("fcyx", "nij"), ("fcyx", "nij"), ("nfcyx", "ij"),
                                   ("cfyx", "nij"), ("fcyx", "nji")])
        end = rnd.choice(["%s = s;", "%s += s;", "%s -= s * 2;"]) % weight
        body = "%s {T} s = %s; %s %ss += %s * %s; %s %s %s" % (
            loops(around), rnd.choice(["0", "0", "1"]), loops(sums), when, *product, close(sums),
            end, close(around))
    elif how < 0.7:
        order = rnd.choice(["nfijcyx", "nijfcyx", "nfcijyx", "fcyxnij", "nfcyxij"])
        body = "%s %s%s += %s * %s; %s" % (loops(order), when, weight, *product, close(order))
    else:
        body = "%s {T} g = %s; %s %s %s%s += %s * g; %s %s" % (
            loops("nfij"), slope, rnd.choice(["", "B[f] += g;"]), loops("cyx"), when, weight,
            pixel, close("cyx"), close("nfij"))
    if rnd.random() < 0.2:
        body = "for (int f = 0; f < %s; f++) B[f] = 0; %s" % (f, body)

    number = lambda text, d: max(d.get(text, 0), 0) if text in d else int(text) if text.isdigit() else 0
    arrays = {
        "I": lambda **d: int(batch) * number(c, d) * rows.count(d) * columns.count(d),
        "D": lambda **d: int(batch) * number(f, d) * number(m, d) * number(n, d),
        "G": lambda **d: number(f, d) * number(c, d) * r * s,
        "B": lambda **d: number(f, d)}
    return Flat(rnd, t, "int", [name for name in "MNCF" if dims[name] == name], arrays, body,
                rules=("exact",), limit=2500).made


def transposed(rnd):
    """Transposed convolutions and gradients of inputs: what is added to windows that overlap,
    in any order of the loops, with rows as long as others say or as the loops do."""
    t = rnd.choice(["f32", "f32", "f64", "i32"])
    dims = {name: rnd.choice([name, name, size]) for name, size in (
        ("M", rnd.choice(["1", "3", "7", "13"])), ("N", rnd.choice(["1", "5", "16", "21"])),
        ("C", rnd.choice(["1", "3", "9"])), ("F", rnd.choice(["1", "5", "16", "33"])))}
    if not {name for name in "MNF" if dims[name] == name}:
        dims["M"] = "M"  # something has to be an argument
    m, n, c, f = (dims[name] for name in "MNCF")
    step = rnd.choice([None, None, "(1 + (S & 1))", "(1 + (S & 3))"])
    rows, columns = (Window(rnd, *what, step, is_reached=True)
                     for what in ((m, "i", "y"), (n, "j", "x")))
    if rnd.random() < 0.3:
        columns.dilation = rows.dilation = 1
    behind, batch = rnd.random() < 0.4, rnd.choice(["1", "1", "2"])
    depthwise = rnd.random() < 0.15
    channel = "f" if depthwise else "c"
    r, s = rows.rounds, columns.rounds
    width = rnd.choice([columns.extent, "width"])
    height = rnd.choice([rows.extent, "height"])
    out = ("O[((n*%s + %s)*%s + %s)*%s + f]" % (height, rows.at, width, columns.at, f) if behind else
           "O[((n*%s + f)*%s + %s)*%s + %s]" % (f, height, rows.at, width, columns.at))
    channels = f if depthwise else c
    # Of images that are enlarged.
    i, j = rnd.choice([("i", "j")] * 4 + [("i/2", "j"), ("i", "j/2"), ("i % 3", "j/2")])
    pixel = ("D[((n*%s + %s)*%s + %s)*%s + %s]" % (m, i, n, j, channels, channel) if behind else
             "D[((n*%s + %s)*%s + %s)*%s + %s]" % (channels, channel, m, i, n, j))
    weight = "W[%s]" % (rnd.choice(["(f*%d + y)*%d + x" % (r, s), "(y*%d + x)*%s + f" % (s, f)])
                        if depthwise else rnd.choice([
        "((c*%s + f)*%d + y)*%d + x" % (f, r, s), "((f*%s + c)*%d + y)*%d + x" % (c, r, s),
        "((f*%d + y)*%d + x)*%s + c" % (r, s, c), "((y*%d + x)*%s + c)*%s + f" % (s, c, f)]))
    sizes = {"n": batch, "f": f, "c": c, "i": m, "j": n, "y": str(r), "x": str(s)}
    axes = "nfijyx" if depthwise else "ncijfyx"
    order = rnd.choice([axes, axes, axes, "nijyxcf", "ncfijyx", "yxnijcf", "ncfyixj", "fcnijyx"])
    order = [a for a in order if a in axes]
    if rnd.random() < 0.2:
        rnd.shuffle(order)
    # Bounds of loops over windows speak of the point.
    for window, at in ((rows, "iy"), (columns, "jx")):
        window.is_clamped &= order.index(at[0]) < order.index(at[1])
    tests = [test.replace(rows.extent, height).replace(columns.extent, width)
             if rnd.random() < 0.5 else test for test in rows.tests() + columns.tests()]
    rnd.shuffle(tests)
    loop = lambda a: ({"y": rows, "x": columns}[a].loop() if a in "yx" else
                      "for (int %s = 0; %s < %s; %s++) {{" % (a, a, sizes[a], a))
    product = [pixel, weight]
    rnd.shuffle(product)
    update = rnd.choice(["%s += %s * %s;", "%s += %s * %s;", "%s -= %s * %s;"]) % (out, *product)
    if rnd.random() < 0.1:
        update = "%s = %s * 2 - %s * %s;" % (out, out, *product)
    when = "if (%s) " % " && ".join(tests) if tests else ""
    if tests and rnd.random() < 0.3:
        when = "if (!(%s)) continue; " % " && ".join(tests)
    body = "%s %s%s %s" % (" ".join(map(loop, order)), when, update, "}}" * len(order))
    if rnd.random() < 0.2:
        every = "%s*%s*%s*%s" % (batch, f, rows.extent, columns.extent)
        body = "for (int i = 0; i < %s; i++) O[i] = 1; %s" % (every, body)
    body = "int width = %s, height = %s; %s" % (columns.extent, rows.extent, body)
    number = lambda text, d: max(d.get(text, 0), 0) if text in d else int(text) if text.isdigit() else 0
    arrays = {
        "D": lambda **d: int(batch) * number(channels, d) * number(m, d) * number(n, d),
        "W": lambda **d: number(f, d) * (1 if depthwise else number(c, d)) * r * s,
        "O": lambda **d: int(batch) * number(f, d) * rows.count(d) * columns.count(d)}
    used = [name for name in "MNCF" if dims[name] == name and (name != "C" or not depthwise)]
    return Flat(rnd, t, "int", used + (["S"] if step else []), arrays, body,
                rules=("exact",), limit=12000).made


def of_any_size(rnd):
    """Convolutions of which windows, steps, borders and what comes out are numbers of the
    run, as a function for all layers of a net has them."""
    t = rnd.choice(["f32", "f32", "f32", "f64", "i32"])
    rows = rnd.choice(["1 + (S & 7)", "1 + (S & 7)", "1 + 2*(S & 1)", "3"])
    columns = rnd.choice(["r", "r", "r", "1 + (S & 3)", "3"])
    step = rnd.choice(["1 + (S & 1)", "1 + (S >> 1 & 1)", "1 + (S >> 2 & 3)", "1", "2"])
    pad = rnd.choice(["r / 2", "r / 2", "S & 1", "S >> 1 & 3", "0", "1"])
    filters, channels = rnd.choice(["F", "F", "F", "17", "3"]), rnd.choice(["C", "C", "1", "5"])
    depthwise, behind = rnd.random() < 0.2, rnd.random() < 0.4
    # What comes out is told, or computed, as it is where that is no negative number.
    told = rnd.random() < 0.3
    height, width = (("1 + M / s", "1 + N / s") if told else
                     ("(M + 2*p - r) / s + 1", "(N + 2*p - q) / s + 1"))
    channel, inner = ("f", filters) if depthwise else ("c", channels)
    y, x = "(i*s + y - p)", "(j*s + x - p)"
    pixel = ("I[(%s*N + %s)*%s + %s]" % (y, x, inner, channel) if behind else
             "I[(%s*M + %s)*N + %s]" % (channel, y, x))
    weight = "W[%s]" % (
        rnd.choice(["(f*r + y)*q + x", "(y*q + x)*%s + f" % filters]) if depthwise else rnd.choice(
            ["((f*%s + c)*r + y)*q + x" % channels, "((y*q + x)*%s + c)*%s + f" % (channels, filters),
             "((f*r + y)*q + x)*%s + c" % channels]))
    out = "O[(i*w + j)*%s + f]" % filters if behind else "O[(f*h + i)*w + j]"
    # A channel has so many filters.
    times = rnd.choice(["", "1 + (S & 1)", "S & 1", "S & 3"]) if depthwise and behind else ""
    if times:
        out = "O[(i*w + j)*%s*t + f*t + z]" % filters
        weight = rnd.choice(["W[((f*t + z)*r + y)*q + x]", "W[(y*q + x)*%s*t + f*t + z]" % filters])
    sizes = {"z": "t", "f": filters, "i": "h", "j": "w", "c": channels, "y": "r", "x": "q"}
    points, sums = ("ijf", "yxc") if behind else ("fij", "cyx")
    points, sums = (list(a if rnd.random() < 0.85 else rnd.sample(a, 3)) for a in (points, sums))
    if depthwise:
        sums.remove("c")
    if times:
        points.insert(points.index("f") + 1, "z")
    tests = ["%s >= 0" % y, "%s < M" % y, "%s >= 0" % x, "%s < N" % x]
    rnd.shuffle(tests)
    update = "%s += %s * %s;" % ("{s}", pixel, weight)
    update = ("if (!(%s)) continue; %s" if rnd.random() < 0.3 else "if (%s) %s") % (
        " && ".join(tests), update)
    loops = lambda axes: " ".join(
        "for (int %s = 0; %s < %s; %s++) {{" % (a, a, sizes[a], a) for a in axes)
    close = lambda axes: "}}" * len(axes)
    start = rnd.choice(["0", "0", "0", "1", out])
    stored = rnd.choice(["s0", "s0", "s0 > 0 ? s0 : 0"])
    body = "%s {T} s0 = %s; %s %s %s %s = %s; %s" % (
        loops(points), start, loops(sums), update.replace("{s}", "s0"), close(sums), out, stored,
        close(points))
    body = "int r = %s, q = %s, s = %s, p = %s, t = %s, h = %s, w = %s; %s" % (
        rows, columns, step, pad, times or "1", height, width, body)

    def number(text, d):
        return max(d.get(text, 0), 0) if text in d else int(text) if text.isdigit() else 0

    def count(d):
        return eval(times or "1", {}, d)

    def evaluate(d):
        # Python's quotients of negative numbers are others than C's.
        divide = lambda a, b: int(a / b)
        v = dict(d, r=0, q=0, s=0, p=0)
        for name, text in (("r", rows), ("q", columns), ("s", step), ("p", pad)):
            v[name] = eval(text.replace("/", "//"), {}, v)
        m, n = v["M"], v["N"]
        sizes = ((1 + divide(m, v["s"]), 1 + divide(n, v["s"])) if told else
                 (divide(m + 2 * v["p"] - v["r"], v["s"]) + 1,
                  divide(n + 2 * v["p"] - v["q"], v["s"]) + 1))
        return v["r"], v["q"], max(sizes[0], 0), max(sizes[1], 0)

    arrays = {
        "I": lambda **d: number(inner, d) * max(d["M"], 0) * max(d["N"], 0),
        "W": lambda **d: (number(filters, d) * (1 if depthwise else number(channels, d)) *
                          count(d) * evaluate(d)[0] * evaluate(d)[1]),
        "O": lambda **d: number(filters, d) * count(d) * evaluate(d)[2] * evaluate(d)[3]}
    used = ["M", "N"] + [n for n in "FC" if n in (filters, channels if not depthwise else "")]
    return Flat(rnd, t, "int", used + ["S"], arrays, body, rules=("exact",), limit=6000).made


def cut(rnd):
    """Windows that end where the image does, counted in integers of every width, with
    pointers and counts beside: what these begin with is read with a sign or without."""
    t = rnd.choice(["f32", "i32"])
    index, signed, limit = rnd.choice([
        ("unsigned char", "signed char", 256), ("unsigned short", "short", 65536),
        ("unsigned short", "short", 65536), ("short", "short", 0), ("unsigned", "int", 0),
        ("int", "int", 0), ("long", "long", 0), ("unsigned long", "long", 0)])
    step = rnd.choice([1, 2, 3] if not limit else [3, limit // 16, limit // 64, limit // 128])
    rounds = rnd.choice([1, 3, 5, 30])
    low, high = rnd.choice(["(M & 7)", "(M & 7)", "3"]), rnd.choice(["-1", "-1", "100", "(C * 3)"])
    cast = rnd.choice([index, signed])
    offset = limit // 2
    beside = rnd.choice([
        ("const {T} *p = I + %d + (%s)first + c;", "s += *p++;"),
        ("const {T} *p = I + %d + (%s)first + c; int n = 0;", "s += *p * W[n++ & 63]; p += 1;"),
        ("long k = %d + (long)(%s)first + c;", "s += I[k++];"),
        ("long k = c; (void)(%d + (%s)first);", "s += I[(v - first) * 2 + k];")])
    loops = ["for (%s i = 0; i < (%s)(M < 0 ? 0 : M); i++) {{" % (index, index), "for (int c = 0; c < C; c++) {{"]
    ends = ("%s from = (%s)(i * %d), to = (%s)(from + %d), low = (%s)%s, high = (%s)%s, "
            "first = from > low ? from : low, end = to < high ? to : high;" % (
                index, index, step, index, rounds, index, low, index, high))
    loops.insert(1 if rnd.random() < 0.7 else 2, ends)
    body = "%s %s %s {T} s = 0; %s for (%s v = first; v < end; v++) {{ %s }} O[i*C + c] = s; }} }}" % (
        *loops, beside[0] % (offset, cast), index, beside[1])
    count = lambda d, name: max(d.get(name, 0), 0)
    arrays = {
        "I": lambda **d: offset + limit + count(d, "M") * step + 2 * rounds + count(d, "C") + 128,
        "W": lambda **d: 64,
        "O": lambda **d: count(d, "M") * count(d, "C")}
    return Flat(rnd, t, "int", ["M", "C"], arrays, body, rules=("exact",), limit=9000).made
