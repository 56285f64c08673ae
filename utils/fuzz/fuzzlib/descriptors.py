"""Loops over arrays whose strides are all arguments, as those of descriptors are."""
from .simple import Flat, draw

STATEMENTS = [
    "for (IDX j = 0; j < N; j++) {Y0} += {X};",
    "for (IDX j = 0; j < N; j++) {Y0} -= {X} * {Z};",
    "for (IDX j = 0; j < N; j++) {Y} = {X} * 2;",
    "for (IDX j = 0; j < N; j++) {Y} += {X} + {Z};",
    "for (IDX j = 0; j < N; j++) {YT} = {X};",
    "for (IDX j = 0; j < N; j++) if ({Z} > 0) {Y0} += {X};",
    "{T} s = 0; for (IDX j = 0; j < N; j++) {{ s += {X}; {Y} = s; }}",
    "{T} s = {Z0}; for (IDX j = 0; j < N; j++) s += {X}; {Y0} = s;",
    "{T} s = 1; for (IDX j = 0; j < N; j++) s += {X} * {X}; "
    "for (IDX j = 0; j < N; j++) {Y} = {X} * s;",
    "{T} s = -9; for (IDX j = 0; j < N; j++) s = {X} > s ? {X} : s; {Y0} = s;",
    "IDX t = 0; for (IDX j = 1; j < N; j++) if ({X} > {XT}) t = j; {Y0} = ({T})t;",
    "{Y0} = 0; for (IDX j = 0; j < N; j++) {Y0} += {X}; "
    "for (IDX j = 0; j < N; j++) {Y0} -= {Z};",
    "for (IDX j = 0; j < N; j++) for (IDX k = 0; k < 3; k++) {Y} += {XK};",
]


def strides(rnd, dims):
    """Mostly rows of neighbours, all of them or some; else columns, or anything."""
    dims["M"], dims["N"] = (min(max(dims[v], 0), 40) for v in "MN")
    if rnd.random() < 0.75:
        dims["M"], dims["N"] = rnd.choice([(17, 33), (40, 40), (64, 9), (9, 64), (33, 130),
                                           (16, 16), (100, 3), (5, 100)])
    row = max(dims["M"], dims["N"], 1) + rnd.choice([3, 3, 8])
    neighbours = rnd.random() < 0.7
    for array in "xyz":
        dims[array + "r"], dims[array + "c"] = (row, 1) if neighbours else rnd.choice(
            [(row, 1)] * 4 + [(1, row)] * 2 + [(2 * row, 2), (row, 0), (0, 1), (1, 1),
                                               (dims["N"], 1), (3, 2), (row, row)])


def descriptors(rnd):
    t, idx = draw(rnd, ["f32", "f32", "f32", "f64", "f64", "i32"])
    at = lambda array, i, j: "%s[(%s)*%sr + (%s)*%sc]" % (
        array.upper(), i, array, j, array)
    i, j = rnd.choice([("i", "j")] * 3 + [("j", "i")])
    step = rnd.choice(STATEMENTS)
    for name, text in {"{X}": at("x", i, j), "{XT}": at("x", i, "t") if i == "i" else
                       at("x", "t", j), "{XK}": at("x", "i + k", "j + k"),
                       "{Y}": at("y", "i", "j"), "{Y0}": at("y", "i", "0"),
                       "{YT}": at("y", "j", "i"), "{Z}": at("z", "i", "j"),
                       "{Z0}": at("z", "i", "0")}.items():
        step = step.replace(name, text)
    body = "for (IDX i = 0; i < M; i++) {{ %s }}" % step
    # As far as any index goes.
    size = lambda array: lambda M, N, **s: (
        (max(M, N) + 3) * (s[array + "r"] + s[array + "c"]) + 1)
    return Flat(rnd, t, idx, ["M", "N", "xr", "xc", "yr", "yc", "zr", "zc"], {
        "X": size("x"), "Y": size("y"), "Z": size("z")}, body, fix=strides,
        limit=1 << 60).made
