# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What differs a little from a script, or from options. Nothing here knows what is
legal: the plugin refuses the rest."""
import re
from typing import Iterator, List, Tuple

from entries import Choice

Steps = Tuple[str, ...]

# One of each group at a time.
OPTIONS = {
    "tile": ["%dx%d" % t for t in (
        (6, 4), (4, 4), (8, 3), (5, 4), (5, 5), (12, 2), (14, 2), (8, 2), (6, 2), (4, 2),
        (4, 3), (8, 1), (4, 6))],
    "in-place": ["0", "32k", "128k", "256k", "512k", "1m", "4m"],
    "block": ["%dx%d" % (k, n) for k in (64, 128, 256, 512, 1024)
              for n in (64, 128, 192, 256)],
    "stack": ["24k", "64k"],
    "pack": ["0"],
    "disable": ["schedules", "lanes", "row-blocks", "apart", "streams", "widening",
                "read-ahead", "dl-vectorize"],
}


# What is far from the best where sizes are others than those that were tried.
FOR_KNOWN_SIZES = {"pack=0", "in-place=4m", "disable=dl-vectorize"}


def find_group(choice: Choice) -> str:
    """Of the only option whose values make other code together, or make none."""
    group = choice[0].split("=")[0]
    return "" if choice[1] or ";" in choice[0] or group == "disable" else group


def near_options(options: str) -> Iterator[str]:
    """The same with one more, or with another value of one."""
    now = dict(item.split("=", 1) for item in options.split(";") if item)
    for group, values in OPTIONS.items():
        for value in values:
            if now.get(group) != value:
                yield ";".join("%s=%s" % pair
                               for pair in sorted({**now, group: value}.items()))
        if group in now:
            left = {k: v for k, v in now.items() if k != group}
            yield ";".join("%s=%s" % pair for pair in sorted(left.items()))


def near_sizes(steps: Steps) -> Iterator[Steps]:
    """Other sizes of one loop's blocks, and of what has an element for each."""
    for at, step in enumerate(steps):
        match = re.match(r"split (\w+) (\w+) (upto )?(\d[\d ]*\d|\d+)( rest| over)?$", step)
        if not match:
            continue
        axis, block, upto, numbers, rest = match.groups()
        sizes = [int(n) for n in numbers.split()]
        first, last = sizes[0], sizes[-1]
        others = (first + last, first - last, first * 2, first // 2, first - 1, first + 1)
        for new in dict.fromkeys(others):
            if new < 1 or new == first:
                continue
            left = [new] + [s for s in sizes if s < new]
            line = "split %s %s %s%s%s" % (axis, block, upto or "",
                                           " ".join(map(str, left)), rest or "")
            changed = list(steps)
            changed[at] = line
            yield tuple(re.sub(r"^(expand \w+ %s) %d$" % (axis, first),
                               r"\g<1> %d" % new, s) for s in changed)


def near_tails(steps: Steps) -> Iterator[Steps]:
    """The last block is masked, or has elements of the one before it."""
    for at, step in enumerate(steps):
        match = re.match(r"(split \w+ \w+ (?:\d+ )*\d+)( rest| over)?$", step)
        if match:
            for tail in (" rest", " over"):
                if match.group(2) != tail:
                    yield steps[:at] + (match.group(1) + tail,) + steps[at + 1:]


def near_orders(steps: Steps) -> Iterator[Steps]:
    """Two blocks that are loops around each other change places."""
    for at, step in enumerate(steps):
        words = step.split()
        if words[0] != "order":
            continue
        for i in range(1, len(words) - 1):
            if words[i][0].isupper() and words[i + 1][0].isupper():
                swapped = words[:i] + [words[i + 1], words[i]] + words[i + 2:]
                yield steps[:at] + (" ".join(swapped),) + steps[at + 1:]


def near_code(steps: Steps) -> Iterator[Steps]:
    """What is straight code is a loop, and cases are none."""
    for at, step in enumerate(steps):
        rest = steps[:at], steps[at + 1:]
        if step.startswith("case "):
            yield rest[0] + rest[1]
        match = re.match(r"mode (\S+) unroll$", step)
        axes: List[str] = match.group(1).split(",") if match else []
        for axis in axes:
            left = [a for a in axes if a != axis]
            kept = ("mode %s unroll" % ",".join(left),) if left else ()
            yield rest[0] + kept + rest[1]


def find_starts(scripts: List[Choice], has_known_sizes: bool) -> List[Choice]:
    """What is tried first."""
    if not scripts:
        return list(find_neighbours(("", ()), has_known_sizes))
    # Numbers are of kernels without a script.
    return scripts + [("disable=" + way, ()) for way in ("schedules", "dl-vectorize")]


def find_neighbours(choice: Choice, has_known_sizes: bool) -> Iterator[Choice]:
    options, steps = choice
    if not steps:
        for other in near_options(options):
            if has_known_sizes or not FOR_KNOWN_SIZES & set(other.split(";")):
                yield other, ()
        return
    for near in (near_sizes, near_tails, near_orders, near_code):
        for other in near(steps):
            yield options, other
