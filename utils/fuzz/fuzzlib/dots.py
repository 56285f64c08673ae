"""Sums of products of narrow numbers: any two types, what is made of them, layout, start
and result; sums along rows, in groups that have a scale; windows of bytes."""
from .simple import Flat

FACTORS = [("signed char", "i8"), ("unsigned char", "i8"), ("short", "i16"),
           ("unsigned short", "i16")]

# What becomes of a sum, an int x, before it is stored: branches, conditions that decide what
# is read, values that are asked of before they change.
WORK = ["", "", "", "if (x < -7 && (x & 3) == 1) x = x / 7; else x = x ^ 5;",
        "int t; if (x > 900) t = 99 - (int)j; else if (x < -900) t = (int)i - 99; else t = x % 100;"
        " x = t;",
        "int low = x < 3; if (x > 9) x = ((x * 3) ^ (int)j) % 91 + (x >> 3); x = low ? ~x : x;",
        "if (W) x = x / 2 + V[j] % 64;", "if (W) x = x / 2 + V[j] % 64; else x = V[j] % 128;",
        "if (x > 5) x = V[j] / 4;", "x = (int)(((long long)x * 1518500250 + (1 << 30)) >> 35);",
        "long long y = (long long)x * 1073741829; int r = (int)((y + (y >= 0 ? 1 << 30 : 1 - (1 << 30)))"
        " / (1ll << 31)); x = (r >> 5) + ((r & 31) > 15 + (r < 0));"]


def dots(rnd):
    a, b = rnd.choice(FACTORS[:3]), rnd.choice(FACTORS[:3])
    if rnd.random() < 0.1:
        b = FACTORS[3]
    idx = rnd.choice(["int", "int", "long", "unsigned", "size_t"])
    # Sizes that are known are cut otherwise than those that are not.
    m, n, k = (rnd.choice([name] * 3 + sizes) for name, sizes in (
        ("M", ["4", "13", "36"]), ("N", ["8", "33", "64"]), ("K", ["3", "32", "70"])))
    if not {"M", "N", "K"} & {m, n, k}:
        m = "M"  # something has to be an argument
    batch = rnd.choice(["1", "1", "1", "2"])
    by_rows = rnd.random() < 0.5
    left = "A[(p*%s + i)*%s + k]" % (m, k)
    right = ("B[(p*%s + j)*%s + k]" % (n, k)) if by_rows else (
        "B[(p*%s + k)*%s + j]" % (k, n))
    if rnd.random() < 0.3:
        right = right.replace("p*%s + " % (n if by_rows else k), "")
    # Zero points, some of them more than 16 bits hold, and parts of bytes.
    makes = ["%s"] * 6 + ["(%s - 3)", "(%s - Z)", "(Z + %s)", "(%s - 40000u)",
                          "((%s & 15) - 8)", "((%s >> 4) + 1)"]
    # Each row or column may have a zero point of its own.
    product = [rnd.choice(makes + own) % x for x, own in (
        ("(int)%s" % left, ["(%s - R[i])", "(R[i] + %s)"]), (right, ["(%s - T[j])", "(T[j] - %s)"]))]
    has_zero = "Z" in "".join(product)
    rnd.shuffle(product)
    # Sums that are too large wrap around: of unsigned numbers.
    has_own = any(x in "".join(product) for x in ("R[", "T["))
    wide = has_zero or has_own or "u)" in "".join(product) or rnd.random() < 0.5
    # Floats are summed in order.
    of_floats = not has_zero and not has_own and rnd.random() < 0.3
    if of_floats:
        wide, product = False, ["(float)%s" % x for x in product]
    update = "s += %s(%s);" % ("(unsigned)" if wide else "", " * ".join(product))
    out = "C[(p*%s + i)*%s + j]" % (m, n)
    result, stored = rnd.choice([
        (("int", "i32"), "s"), (("int", "i32"), "s"), (("int", "i32"), "s > 0 ? s : 0"),
        (("float", "f32"), "(float)s * 0.25f"), (("signed char", "i8"), "s >> 7"),
        (("signed char", "i8"), "s < -99 ? -99 : s > 99 ? 99 : s")])
    if of_floats:
        result, stored = rnd.choice([
            (("float", "f32"), "s"), (("float", "f32"), "s > 0 ? s : s * 0.1f"),
            (("double", "f64"), "(double)s")])
    work = rnd.choice(WORK) if not of_floats else ""
    start = rnd.choice(["0", "0", "0", "-5", "V[j]"] + ([out] if result[1] == "i32" else []))
    if not wide and result[1] == "i32":
        start = start.replace(out, "0").replace("V[j]", "0")
    loop = lambda at, end: "for (IDX %s = 0; %s < %s; %s++) {{" % (at, at, end, at)
    points = [("p", batch), ("i", m), ("j", n)]
    if rnd.random() < 0.2:
        points[1:] = points[:0:-1]
    if work:
        work = "int x = (int)s; " + work.replace("{", "{{").replace("}", "}}")
        stored = stored.replace("s", "x")
    elif wide:
        stored = stored.replace("s", "(int)s")
    body = "%s%s%s %s s = %s; %s %s }} %s %s = %s; %s" % (
        "unsigned Z = (unsigned)P[0]; " if has_zero else "",
        "int W = P[0] & 1; " if "W" in work else "",
        " ".join(loop(*x) for x in points),
        "float" if of_floats else "unsigned" if wide else "int", start,
        loop("k", k), update, work, out, stored, "}}" * len(points))

    def size(text, sizes):
        return max(sizes[text], 0) if text in sizes else int(text)

    def count(*texts):
        def elements(**sizes):
            result = int(batch)
            for text in texts:
                result *= size(text, sizes)
            return result
        return elements

    arrays = {"A": (count(m, k), a), "B": (count(n, k), b), "C": (count(m, n), result)}
    if "V[" in body:
        arrays["V"] = (lambda **sizes: size(n, sizes), ("int", "i32"))
    zero = rnd.choice([("int", "i32"), ("unsigned char", "i8"), ("short", "i16")])
    for name, text in (("R", m), ("T", n)):
        if name + "[" in body:
            arrays[name] = (count(text), zero)
    if has_zero or "W" in work:
        arrays["P"] = (lambda **sizes: 1, ("int", "i32"))
    known = 1
    for text in (m, n, k):
        known *= int(text) if text.isdigit() else 1
    return Flat(rnd, "i32", idx, [x for x in (m, n, k) if x in "MNK"], arrays, body,
                rules=("exact",), limit=max(30000 // known, 40)).made


def dot_windows(rnd):
    """Windows of bytes, channels behind, in groups or not, which leave out what is outside of
    the image."""
    a, b = rnd.choice(FACTORS[:3]), rnd.choice(FACTORS[:3])
    idx = rnd.choice(["int", "int", "long", "size_t"])
    rows, columns, depth, filters = (rnd.choice([name] * 3 + sizes) for name, sizes in (
        ("M", ["13", "14"]), ("N", ["13", "20"]), ("K", ["3", "32", "70"]), ("F", ["16", "33"])))
    if not {"M", "N", "K", "F"} & {rows, columns, depth, filters}:
        columns = "N"
    high, wide = rnd.choice([(3, 3), (1, 3), (3, 1)])
    step = rnd.choice(["", "", "", "2*", "G*"])
    weight = rnd.choice(["((r*%d + q)*%s + k)*%s + f" % (wide, depth, filters),
                         "((f*%d + r)*%d + q)*%s + k" % (high, wide, depth)])
    makes = ["%s", "%s", "(%s - 3)", "(%s - Z)", "(Z + %s)", "((%s & 15) - 8)"]
    # Filters that find the group of their channels by a division; the last one need be none.
    group = rnd.choice([""] * 3 + ["3", "8"] + ["M"] * (rows == "M"))
    channel = "(yy*%s + xx)*%s" % (columns, depth)
    if group:
        channel = "((yy*%s + xx)*(%s/%s + 1) + f/%s)*%s" % (
            columns, filters, group, group, depth)
    left = rnd.choice(makes) % ("(int)A[%s + k]" % channel)
    product = [left, (rnd.choice(makes[:1] * 6 + makes)) % ("(int)B[%s]" % weight)]
    # A bias that is added if a number of the run says so.
    tested = rnd.choice(["", "", "if (Z & 1) s += V[f]; ", "if ((int)Z < 9) s += V[f]; "])
    has_zero = "Z" in "".join(product) + tested
    rnd.shuffle(product)
    loop = lambda at, end: "for (IDX %s = 0; %s < %s; %s++) {{" % (at, at, end, at)
    start = rnd.choice(["0", "0", "V[f]"])
    nest = [("y", "(%s + 1) / 2" % rows if step else rows),
            ("x", "(%s + 1) / 2" % columns if step else columns), ("f", filters)]
    if rnd.random() < 0.2:
        nest = nest[2:] + nest[:2]
    stored = rnd.choice(["(int)s", "(int)s > 0 ? (int)s : 0", "(int)s >> 3"])
    body = ("%s%s unsigned s = %s; %s %s long yy = %s(long)y + (long)r - %d,"
            " xx = %s(long)x + (long)q - %d;"
            " if (yy >= 0 && yy < (long)%s && xx >= 0 && xx < (long)%s) %s"
            " s += (unsigned)(%s); }} }} }} %sC[(y*(%s) + x)*%s + f] = %s; %s" % (
                ("unsigned Z = (unsigned)P[0]; " if has_zero else "")
                + ("long G = (long)(P[0] & 3); " if step == "G*" else ""),
                " ".join(loop(*at) for at in nest), start, loop("r", high), loop("q", wide),
                step, high // 2, step, wide // 2, rows, columns, loop("k", depth),
                " * ".join(product), tested, dict(nest)["x"], filters, stored, "}}" * 3))

    def size(text, sizes):
        return max(sizes[text], 0) if text in sizes else int(text)

    def count(*texts, times=1):
        def elements(**sizes):
            result = times
            for text in texts:
                result *= size(text, sizes)
            return result
        return elements

    def inputs(**sizes):
        groups = size(filters, sizes) // max(size(group, sizes), 1) + 1 if group else 1
        return count(rows, columns, depth)(**sizes) * groups

    arrays = {"A": (inputs, a), "B": (count(depth, filters,
                                                                times=high * wide), b),
              "C": (count(rows, columns, filters), ("int", "i32"))}
    if "V[" in body:
        arrays["V"] = (count(filters), ("int", "i32"))
    if has_zero or step == "G*":
        arrays["P"] = (lambda **sizes: 1, ("int", "i32"))
    known = 9
    for text in (rows, columns, depth, filters):
        known *= int(text) if text.isdigit() else 1
    return Flat(rnd, "i32", idx, [x for x in (rows, columns, depth, filters) if x in "MNKF"],
                arrays, body, rules=("exact",), limit=max(30000 // known, 24)).made


def dot_planes(rnd):
    """Windows of narrow integers, channels in front, with a border or without, steps and
    distances, the loops of a sum in any order."""
    a, b = rnd.choice(FACTORS[:3]), rnd.choice(FACTORS[:3])
    idx = rnd.choice(["int", "int", "long", "size_t"])
    rows, columns, depth, filters = (rnd.choice([name] * 3 + sizes) for name, sizes in (
        ("M", ["1", "7", "14"]), ("N", ["7", "28", "65"]), ("K", ["3", "20", "32"]),
        ("F", ["5", "16", "33"])))
    if not {"M", "N", "K", "F"} & {rows, columns, depth, filters}:
        columns = "N"
    high, wide = rnd.choice([(3, 3), (3, 3), (5, 5), (1, 3), (2, 4)])
    step, apart = rnd.choice([("", 1), ("", 1), ("2*", 1), ("", 2)])
    border = rnd.random() < 0.7
    loop = lambda at, end: "for (IDX %s = 0; %s < %s; %s++) {{" % (at, at, end, at)
    sums = [("k", depth), ("r", high), ("q", wide)]
    if rnd.random() < 0.3:
        rnd.shuffle(sums)
    nest = [("f", filters), ("y", rows), ("x", columns)]
    if rnd.random() < 0.2:
        nest = [nest[1], nest[0], nest[2]]
    off = (high // 2 * apart, wide // 2 * apart) if border else (0, 0)
    in_rows = "(%s%s%s)" % (step, rows, "" if border else " + %d" % (high * apart))
    in_columns = "(%s%s)" % (columns, "" if border else " + %d" % (wide * apart))
    test = ("if (yy >= 0 && yy < (long)%s && xx >= 0 && xx < (long)%s) " % (
        in_rows, in_columns)) if border else ""
    makes = ["%s"] * 5 + ["(%s - 3)", "(%s - Z)", "((%s & 15) - 8)"]
    pixel = "(int)A[(k*%s + yy)*%s + xx]" % (in_rows, in_columns)
    if rnd.random() < 0.15:
        pixel = rnd.choice(makes) % pixel
    product = [pixel, rnd.choice(makes) % (
        "(int)B[((f*%s + k)*%d + r)*%d + q]" % (depth, high, wide))]
    has_zero = "Z" in "".join(product)
    rnd.shuffle(product)
    start = rnd.choice(["0", "0", "V[f]"])
    stored = rnd.choice(["(int)s", "(int)s > 0 ? (int)s : 0", "(int)s >> 3"])
    result = rnd.choice([("int", "i32"), ("int", "i32"), FACTORS[0]])
    body = ("%s%s unsigned s = %s; %s long yy = %s(long)y + %d*(long)r - %d,"
            " xx = (long)x + %d*(long)q - %d; %ss += (unsigned)(%s); }} }} }}"
            " C[(f*%s + y)*%s + x] = (%s)(%s); %s" % (
                "unsigned Z = (unsigned)P[0]; " if has_zero else "",
                " ".join(loop(*at) for at in nest), start,
                " ".join(loop(*at) for at in sums), step, apart, off[0], apart, off[1], test,
                " * ".join(product), rows, columns, result[0], stored, "}}" * 3))

    def size(text, sizes):
        return max(sizes[text], 0) if text in sizes else int(text)

    def count(*texts, times=1):
        def elements(**sizes):
            number = times
            for text in texts:
                number *= size(text, sizes)
            return number
        return elements

    def pixels(**sizes):
        inside = (0, 0) if border else (high * apart, wide * apart)
        return (size(depth, sizes) * ((2 if step else 1) * size(rows, sizes) + inside[0]) *
                (size(columns, sizes) + inside[1]))

    arrays = {"A": (pixels, a), "B": (count(depth, filters, times=high * wide), b),
              "C": (count(rows, columns, filters), result)}
    if "V[" in body:
        arrays["V"] = (count(filters), ("int", "i32"))
    if has_zero:
        arrays["P"] = (lambda **sizes: 1, ("int", "i32"))
    known = high * wide
    for text in (rows, columns, depth, filters):
        known *= int(text) if text.isdigit() else 1
    return Flat(rnd, "i32", idx, [x for x in (rows, columns, depth, filters) if x in "MNKF"],
                arrays, body, rules=("exact",), limit=max(30000 // known, 24)).made


def dot_rows(rnd):
    a, b = rnd.choice(FACTORS[:3]), rnd.choice(FACTORS[:3])
    idx = rnd.choice(["int", "int", "long", "size_t"])
    rows, groups, depth = (rnd.choice([name] * 3 + sizes) for name, sizes in (
        ("M", ["17", "32"]), ("N", ["1", "3"]), ("K", ["8", "16", "32", "64", "70"])))
    if not {"M", "N", "K"} & {rows, groups, depth}:
        rows = "M"
    pitch = rnd.choice(["", "", " + 5"])
    wide = rnd.random() < 0.5
    update = "s += %s((int)A[g*%s + k] * B[i*(%s*%s%s) + g*%s + k]);" % (
        "(unsigned)" if wide else "", depth, groups, depth, pitch, depth)
    scaled = rnd.choice(["v += (float)(int)s * T[i*%s + g] * U[g];" % groups,
                         "v += (float)(int)s * T[g];", "v = v * 0.5f + (float)(int)s;",
                         "if ((int)s > 40) v += T[i*%s + g]; else v -= (float)(int)s;" % groups])
    start = rnd.choice(["0", "0", "3"])
    # Halves of what rows have, with a sum each.
    if rnd.random() < 0.3:
        part = "B[i*(%s*%s%s) + g*%s + k]" % (groups, depth, pitch, depth)
        update = update.replace(part, "((%s & 15) - 8)" % part) + (
            " u += (int)A[g*%s + k] * ((%s >> 4) - 8);" % (depth, part))
        start += ", u = %s" % rnd.choice(["0", "0", "-2"])
        scaled = scaled.replace("(int)s", "(int)%s" % rnd.choice(["(s + u)", "(s + u)", "(s * 3 + u)"]))
    loop = lambda at, end: "for (IDX %s = 0; %s < %s; %s++) {{" % (at, at, end, at)
    body = "%s float v = %s; %s %s s = %s; %s %s }} %s }} C[i] = %s; }}" % (
        loop("i", rows), rnd.choice(["0", "U[0]", "1.5f"]), loop("g", groups),
        "unsigned" if wide else "int", start, loop("k", depth), update,
        scaled.replace("{", "{{").replace("}", "}}"),
        rnd.choice(["v", "v > 0 ? v : v * 0.1f"]))

    def size(text, sizes):
        return max(sizes[text], 0) if text in sizes else int(text)

    def count(*texts, more=0):
        def elements(**sizes):
            result = 1
            for text in texts:
                result *= size(text, sizes)
            return result + more * size(rows, sizes)
        return elements

    arrays = {"A": (count(groups, depth), a),
              "B": (count(rows, groups, depth, more=5 if pitch else 0), b),
              "C": (count(rows), ("float", "f32"))}
    if "T[" in body:
        arrays["T"] = (count(rows, groups), ("float", "f32"))
    if "U[" in body:
        arrays["U"] = (lambda **sizes: max(size(groups, sizes), 1), ("float", "f32"))
    known = 1
    for text in (rows, groups, depth):
        known *= int(text) if text.isdigit() else 1
    return Flat(rnd, "i32", idx, [x for x in (rows, groups, depth) if x in "MNK"], arrays, body,
                rules=("exact",), limit=max(30000 // known, 40)).made
