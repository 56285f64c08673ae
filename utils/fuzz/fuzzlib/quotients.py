"""Loops over flat indices, from which rows, columns, channels, ... are found by
quotients and remainders, or which count them as an odometer does: permutations,
shuffles, upsampling, broadcasts."""
from .lanes import flat_index, size
from .simple import Flat, draw

EXTENTS = ["M", "N", "K", "2", "3", "4", "8"]


def value_of(extent, dims):
    return int(extent) if extent.isdigit() else max(dims[extent], 0)


def decode(rnd, index, axes):
    """Statements that set the axes, outermost first, from a flat index."""
    how = rnd.random()
    if how < 0.2:
        last = len(axes) - 1
        return "IDX at[%d], of[] = {{%s}}, rest = %s; for (int k = %d; k >= 0; k--) {{ " \
            "at[k] = rest %% of[k]; rest /= of[k]; }} %s" % (
                len(axes), ", ".join("(IDX)(%s)" % e for _, e in axes), index, last,
                " ".join("IDX %s = at[%d];" % (a, k) for k, (a, _) in enumerate(axes)))
    if how < 0.6:
        lines, rest = [], index
        for n, (axis, extent) in enumerate(reversed(axes)):
            last = n == len(axes) - 1
            lines.append("IDX %s = %s%s;" % (axis, rest, "" if last else " %% %s" % extent))
            if not last:
                lines.append("IDX r%s = %s / %s;" % (axis, rest, extent))
                rest = "r%s" % axis
        return " ".join(lines)
    lines, inner = [], "1"
    for n, (axis, extent) in enumerate(reversed(axes)):
        quotient = index if inner == "1" else "%s / (%s)" % (index, inner)
        last = n == len(axes) - 1
        lines.append("IDX %s = %s%s;" % (axis, quotient, "" if last else " %% %s" % extent))
        inner = extent if inner == "1" else "%s * %s" % (inner, extent)
    return " ".join(lines)


def carry(rnd, axes):
    """Statements that move the axes, outermost first, on to the next element."""
    *outer, (axis, extent) = axes
    start = "%s = 0;" % axis if outer or rnd.random() < 0.7 else ""
    rest = carry(rnd, outer) if outer else ""
    return rnd.choice([
        "if (++%s == {e}) {{{{ %s %s }}}}", "if (++%s >= {e}) {{{{ %s %s }}}}",
        "%s++; if ({a} == {e}) {{{{ %s %s }}}}",
        "if ({a} + 1 < {e}) %s++; else {{{{ %s %s }}}}"]).format(a=axis, e=extent) % (
            axis, start, rest)


def quotients(rnd):
    t, idx = draw(rnd, ["f32", "f32", "f64", "i32"])
    number = rnd.choice([2, 2, 3, 3, 4])
    extents = rnd.sample(EXTENTS, number)
    if all(e.isdigit() for e in extents):
        extents[0] = "M"
    axes = list(zip("abcd", extents))
    of = dict(axes)
    names = list(of)
    # The flat axis is all of them, or what is inside the first one.
    around = rnd.random() < 0.3
    flat = axes[1:] if around and number > 2 else axes
    outer = axes[:1] if flat is not axes else []
    order = names[:]
    rnd.shuffle(order)
    whole = " * ".join(e for _, e in flat)
    everywhere = flat_index(names, of)
    source = flat_index(order, of)
    if rnd.random() < 0.3:
        source = flat_index([n for n in names if rnd.random() < 0.7], of)
    target = everywhere if rnd.random() < 0.6 else flat_index(order, of)
    broadcast = rnd.choice(names)
    value = rnd.choice(["A[%s]" % source, "A[%s] + B[%s]" % (source, broadcast),
                        "A[%s] * B[%s]" % (everywhere, broadcast),
                        "A[%s] - A[%s]" % (everywhere, source)])
    sign = rnd.choice(["=", "=", "=", "+="])
    # Now and then the last row is not there as a whole, or the first one.
    first = rnd.choice(["0", "0", "0", "0", "1", "4"])
    end = whole if rnd.random() < 0.8 else "%s - 1" % whole
    counts = first == "0" and rnd.random() < 0.3
    body = "%s{{ %s for (IDX f = %s; f < %s; f++) {{ %s C[%s] %s %s; %s }} }}" % (
        "".join("for (IDX %s = 0; %s < %s; %s++) " % (n, n, e, n) for n, e in outer),
        "".join("IDX %s = 0; " % n for n, _ in flat) if counts else "",
        first, end, "" if counts else decode(rnd, "f", flat), target, sign, value,
        carry(rnd, flat) if counts else "")
    used = [e for e in "MNK" if e in extents]
    test = "".join("if (%s <= 0) return; " % e for e in used)
    constants = size(*(int(e) for e in extents if e.isdigit()))
    count = lambda **dims: size(*(value_of(e, dims) for e in extents))
    return Flat(rnd, t, idx, used, {
        "A": count, "B": lambda **dims: max([8, *dims.values()]), "C": count},
        test + body, rules=("exact",), limit=max(8, 4000 // constants)).made


def groups(rnd):
    """Sums of channels that are divided to find their group, K in each: products and
    convolutions of lines, with padding or without."""
    t, idx = draw(rnd, ["f32", "f32", "f64", "i32"])
    width = rnd.choice([1, 1, 3])
    padded = width > 1 and rnd.random() < 0.7
    # Mostly all groups are whole.
    whole = rnd.random() < 0.7
    count = "(N * K)" if whole else "N"
    group, own = ("o / K", "o") if rnd.random() < 0.8 else ("o % K", "o / K")
    row = "i" if width == 1 else "i + u - 1" if padded else "i + u"
    out = rnd.choice(["C[i * {0} + o]", "C[i * {0} + o]", "C[o * M + i]"])
    out = out.format(count)
    state = out if rnd.random() < 0.25 else "s"
    step = "%s += A[((%s) * %s + %s) * P + c] * B[((%s) * %d + u) * P + c];" % (
        state, row, count, group, own, width)
    loops = ["for (IDX u = 0; u < %d; u++)" % width, "for (IDX c = 0; c < P; c++)"]
    if padded:
        loops.insert(1, "if (%s >= 0 && %s < M)" % (row, row))
    body = "for (IDX i = 0; i < M; i++) for (IDX o = 0; o < %s; o++) {{ %s %s %s %s }}" % (
        count,
        "{T} s = 0;" if state == "s" else rnd.choice(["", "%s = 0;" % out]),
        " ".join(loops), step, "%s = s;" % out if state == "s" else "")
    lines = lambda M: max(M, 0) + width - 1
    outputs = lambda N, K: max(N, 0) * max(K, 0) if whole else N
    return Flat(rnd, t, idx, ["M", "N", "K", "P"], {
        "A": lambda M, N, K, P: size(lines(M), max(outputs(N, K), K), P),
        "B": lambda M, N, K, P: size(outputs(N, K), width, P),
        "C": lambda M, N, K, P: size(M, outputs(N, K))},
        "if (K <= 0 || M <= 0 || N <= 0 || P <= 0) return; " + body,
        rules=("exact",)).made
