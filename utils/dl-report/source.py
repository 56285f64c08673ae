# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sources in pieces: the lines around what is of interest."""
from typing import List, NamedTuple, Tuple

# Files up to so many lines are shown as a whole; of others, lines around loops.
WHOLE = 80
BEFORE, AFTER = 5, 14
MOST_CHARACTERS = 240


class Piece(NamedTuple):
    gap: int                        # lines that are left out in front of it
    lines: List[Tuple[int, str]]    # number and text


def read(path):
    """The lines of a file; None: it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return [line.rstrip("\n").expandtabs(8)[:MOST_CHARACTERS] for line in f]
    except OSError:
        return None


def begin_of(lines, line, last):
    """Where the piece with a loop in `line` begins, behind the loop in `last`: behind a
    blank line, where a function begins say."""
    blank = next((n for n in range(line - 1, max(last, line - 3 * BEFORE), -1)
                  if not lines[n - 1].strip()), None)
    if blank:
        return blank + 1
    return max(line - BEFORE, 1) if not last or line - last > BEFORE else line


def pieces(lines, marked) -> List[Piece]:
    """Of a file with loops in the lines `marked`, in order: a piece for each group of
    loops that are close, so that notes stand where their loops do."""
    starts = []                     # [first loop, begin]
    last = 0
    for line in marked:
        if line <= len(lines) and (not starts or line - last > 2):
            starts.append((line, begin_of(lines, line, last)))
        last = line
    found, end = [], 0              # `end`: of what is shown
    whole = len(lines) <= WHOLE
    for i, (line, begin) in enumerate(starts):
        after = starts[i + 1][1] - 1 if i + 1 < len(starts) else len(lines)
        stop = after if whole else min(line + AFTER, after)
        begin = end + 1 if whole else max(begin, end + 1)
        found.append(Piece(begin - end - 1,
                           [(n, lines[n - 1]) for n in range(begin, stop + 1)]))
        end = stop
    return [piece for piece in found if piece.lines]
