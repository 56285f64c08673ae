# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scripts for windows with other sizes, orders and straight code (choices.py)."""
import itertools
import random
import re

__all__ = ["vary"]

STACK = 24 * 1024


def get_blocks(size, extent):
    return ("" if extent % size == 0 else "upto ") + str(size)


def get_runs(most, extent):
    """About the same for all."""
    run = -(-extent // -(-extent // most))
    last = extent - (-(-extent // run) - 1) * run
    return [run] if last == run else [run, last]


def get_sizes(sizes, extent):
    """Those that a loop of `extent` rounds needs, and what is left."""
    used, left = [], extent
    for size in sizes:
        if left >= size:
            used.append(str(size))
            left %= size
    if left and not used:
        used.append(str(sizes[-1]))
    return " ".join(used + ["rest"] if left else used)


def replace(lines, pattern, text):
    """The lines with those that are like `pattern` filled in anew."""
    return [re.sub(pattern, text, line) for line in lines]


def find(lines, pattern):
    for line in lines:
        match = re.match(pattern, line)
        if match:
            return match
    return None


def draw_strips(window, height, width, channels, lanes):
    """(rows, columns, pixels in registers, channels, their sums, their weights) that
    have room on the stack, the last two in elements of a lane."""
    of_channel = window.sizes["r"] ** 2
    for rows, parts, run, depth in itertools.product(
            (1, 2, 3, 4, 5, 7, 10, 14, 20, 28, 56), (1, 2, 3, 4, 8),
            (4, 6, 7, 8, 10, 12, 14, 16, 20, 24), (2, 4, 8, 12, 16, 24, 32, 64)):
        columns = -(-width // parts)
        if rows > height or columns < min(run, 4) or depth > channels:
            continue
        if width % columns:
            columns = min(-(-columns // run) * run, width)
        sums = -(-rows * columns // lanes) * lanes
        weights = -(-depth * of_channel // lanes) * lanes
        if sums >= 12 and (sums + lanes + weights) * lanes * 4 <= STACK:
            yield rows, columns, run, depth, sums, weights


def vary_packed(lines, window):
    """Rows and columns of a strip, pixels in registers, channels at a time."""
    lanes = int(find(lines, r"split f F (?:upto )?(\d+)").group(1))
    row = find(lines, r"split (\w+) Y").group(1)
    channel = find(lines, r"split (\w+) D").group(1)
    height, width, channels = (window.rounds[a] for a in (row, "x", channel))
    had_columns = find(lines, r"split x V ")
    for rows, columns, run, depth, sums, weights in draw_strips(
            window, height, width, channels, lanes):
        whole = columns == width
        runs = get_runs(run, columns)
        sizes = get_sizes(runs, columns)
        if width % columns:
            sizes = " ".join(str(s) for s in (run, run // 2, run // 4) if s > 1) + " 1"
        new = [line for line in lines if not line.startswith("split x V ")]
        at = next(i for i, line in enumerate(new) if line.startswith("split x X "))
        new[at] = "split x X " + sizes
        if not whole:
            new.insert(at, "split x V " + get_blocks(columns, width))
        for pattern, text in (
                (r"^split %s Y .*" % row,
                 "split %s Y %s" % (row, get_blocks(rows, height))),
                (r"^split %s D .*" % channel,
                 "split %s D %s" % (channel, get_blocks(depth, channels))),
                (r"^(order .*F )Y (?:V )?(\w+ X x f)$",
                 r"\1Y %s\2" % ("" if whole else "V ")),
                (r"^(buffer sums \w+ )\d+,(\d+) \w$",
                 r"\g<1>%d,\2 %s" % (sums, "Y" if whole else "V")),
                (r"^(through \w+ D sums\[\w+\*)\d+", r"\g<1>%d" % columns),
                (r"^(expand \w+ x) \d+", r"\1 %d" % (run if width % columns else
                                                     runs[0])),
                (r"^order (?:o %s|%s o) X x$" % (row, row),
                 "order " + ("o %s" if whole else "%s o") % row + " X x"),
                (r"^collapse (?:%s,)?X,x z$" % row,
                 "collapse %sX,x z" % (row + "," if whole else "")),
                (r"^(stage \S+ D packed )\d+", r"\g<1>%d" % (weights * lanes))):
            new = replace(new, pattern, text)
        if whole and had_columns:
            new = replace(new, r"^(case .*)", lambda m: m.group().replace("V + X", "X"))
        if not whole and not had_columns:
            new = replace(new, r"^case .*",
                          lambda m: re.sub(r"(?<![\w(])X\b", "V + X", m.group()))
        yield new


def vary_tiles(lines, window):
    """Vectors, elements of f, their order, and what is straight code."""
    vector = int(find(lines, r"mode x lanes (\d+)").group(1))
    width, tiles = window.rounds["x"], window.rounds.get("f")
    tile_sizes = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 20) if find(
        lines, r"split f F") else (0,)
    sums = [a for a in window.rounds if a.startswith("r")]
    short = [a for a in sums if window.rounds[a] <= 8]
    orders = [lambda l: l]
    if find(lines, r"order .*\bX\b.*\bF\b|order .*\bF\b.*\bX\b"):
        orders.append(swap_blocks)
    for vectors, tile, order, straight, cases in itertools.product(
            (1, 2, 3, 4, 5, 6, 8), tile_sizes, orders,
            (short[-1:], short[-2:], short[:0]), (True, False)):
        if tile and (tile > tiles or vectors * tile > 30):
            continue
        if vector * vectors >= width + vector:
            continue
        sizes, left = [], vectors
        while left:
            sizes.append(left * vector)
            left = left // 2 if left > 3 else left - 1
        new = replace(lines, r"^split x X .*",
                      "split x X " + get_sizes(sizes, width))
        new = replace(new, r"^(expand \w+ x) .*", r"\1 %d" % (vectors * vector))
        if tile:
            runs = get_runs(tile, tiles)
            new = replace(new, r"^split f F .*", "split f F " + get_sizes(runs, tiles))
            new = replace(new, r"^(expand \w+ f) .*", r"\1 %d" % runs[0])
        new = order(new)
        new = [l for l in new if not re.match(r"mode r\d", l)]
        if straight:
            new.insert(len(new) - 1, "mode %s unroll" % ",".join(straight))
        if not cases:
            new = [l for l in new if not l.startswith("case ")]
        yield new


def swap_blocks(lines):
    new = []
    for line in lines:
        if line.startswith("order ") and re.search(r"\bX\b", line) and re.search(
                r"\bF\b", line):
            line = re.sub(r"\b[XF]\b", lambda m: "FX"["FX".index(m.group()) ^ 1], line)
        new.append(line)
    return new


FAMILIES = {"packed": vary_packed, "tiles": vary_tiles, "strips": vary_tiles,
            "neighbours": vary_tiles}


def vary(listed, window, number, seed):
    """About `number` scripts, the same share of each row of the list."""
    rows = {}
    for c in listed:
        rows.setdefault(c.name.split(" of ")[0], c)
    dice, drawn = random.Random(seed), []
    rows = {n: c for n, c in rows.items() if n in FAMILIES}
    for name, c in rows.items():
        every = list(FAMILIES[name](c.lines, window))
        dice.shuffle(every)
        drawn += every[:number // len(rows)]
    return drawn
