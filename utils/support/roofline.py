# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A roofline as SVG: how fast kernels are, against what arithmetic and memory permit.

Williams, Waterman, Patterson: Roofline: an insightful visual performance model for
multicore architectures, CACM 52 (2009), with a roof for each level of memory.
"""
import html
import math
from typing import List, NamedTuple

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 16, 48


class Roof(NamedTuple):
    name: str           # "f32", or "L2": a level of memory
    value: float        # GFLOP/s, or GB/s


class Point(NamedTuple):
    label: str          # a few characters, at the point
    title: str          # what a pointer sees
    operations: float   # of a call
    bytes: float
    seconds: float
    is_measured: bool   # else predicted


def limit(machine, kind, operations, moved):
    """GFLOP/s that the roofs of a machine, as dl-measure has them, permit for so many
    operations and bytes, if these are in the fastest cache; `kind`: "f32", ..."""
    peaks = dict(machine["peaks"])
    peak = peaks.get(kind) or max(peaks.values())
    bandwidth = max(value for _, value in machine["bandwidths"])
    return min(peak, bandwidth * operations / moved)


def decades(least, most):
    """Powers of ten around."""
    return 10 ** math.floor(math.log10(least)), 10 ** math.ceil(math.log10(most))


class Scale:
    """Logarithmic axes."""

    def __init__(self, peaks, bandwidths, points):
        rates = [p.operations / p.seconds * 1e-9 for p in points]
        dense = [p.operations / p.bytes for p in points]
        top = max([peak.value for peak in peaks] + rates)
        ridges = [peak.value / b.value for peak in peaks for b in bandwidths]
        self.x0, self.x1 = decades(min(dense + ridges + [0.1]),
                                   max(dense + ridges + [10]) * 1.5)
        slow = min(b.value for b in bandwidths) * self.x0
        self.y0, self.y1 = decades(min(rates + [slow, top / 100]), top * 1.2)

    def x(self, value):
        part = math.log10(value / self.x0) / math.log10(self.x1 / self.x0)
        return LEFT + part * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        part = math.log10(value / self.y0) / math.log10(self.y1 / self.y0)
        return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)


def number(value):
    return "%g" % float("%.3g" % value)


def grid(s):
    parts, value = [], s.x0
    while value <= s.x1 * 1.01:
        x = s.x(value)
        parts.append('<line class="grid" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/>'
                     '<text x="%.1f" y="%d" text-anchor="middle">%s</text>'
                     % (x, TOP, x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 16, number(value)))
        value *= 10
    value = s.y0
    while value <= s.y1 * 1.01:
        y = s.y(value)
        parts.append('<line class="grid" x1="%d" y1="%.1f" x2="%d" y2="%.1f"/>'
                     '<text x="%d" y="%.1f" text-anchor="end">%s</text>'
                     % (LEFT, y, WIDTH - RIGHT, y, LEFT - 6, y + 4, number(value)))
        value *= 10
    parts.append('<text x="%d" y="%d" text-anchor="middle">operations per byte</text>'
                 % ((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10))
    parts.append('<text transform="translate(14 %d) rotate(-90)" text-anchor="middle">'
                 'GFLOP/s</text>' % ((TOP + HEIGHT - BOTTOM) / 2))
    return parts


def roofs(s, peaks, bandwidths):
    parts = []
    top = max(peak.value for peak in peaks)
    # Names stand beside each other, not on the next roof.
    for i, b in enumerate(sorted(bandwidths, key=lambda b: -b.value)):
        x0 = max(s.x0, s.y0 / b.value)
        x1 = min(top / b.value, s.x1)
        parts.append('<line class="roof" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>'
                     % (s.x(x0), s.y(b.value * x0), s.x(x1), s.y(b.value * x1)))
        share = 0.2 + 0.6 * i / max(len(bandwidths) - 1, 1)
        at = x0 * (x1 / x0) ** share
        angle = math.degrees(math.atan2(s.y(b.value * x1) - s.y(b.value * x0),
                                        s.x(x1) - s.x(x0)))
        parts.append('<text class="roofname" transform="translate(%.1f %.1f) rotate(%.1f)" '
                     'text-anchor="middle" dy="-4">%s %s GB/s</text>'
                     % (s.x(at), s.y(b.value * at), angle, html.escape(b.name),
                        number(b.value)))
    fastest = max(b.value for b in bandwidths)
    for i, peak in enumerate(sorted(peaks, key=lambda peak: -peak.value)):
        x0 = max(peak.value / fastest, s.x0)
        parts.append('<line class="roof" x1="%.1f" y1="%.1f" x2="%d" y2="%.1f"/>'
                     '<text class="roofname" x="%d" y="%.1f" text-anchor="end">%s %s '
                     'GFLOP/s</text>'
                     % (s.x(x0), s.y(peak.value), WIDTH - RIGHT, s.y(peak.value),
                        WIDTH - RIGHT - 4, s.y(peak.value) + (13 if i else -5),
                        html.escape(peak.name),
                        number(peak.value)))
    return parts


def marks(s, points):
    """Measured ones are filled circles, predicted ones are empty diamonds."""
    parts = []
    for p in points:
        x = s.x(p.operations / p.bytes)
        y = s.y(p.operations / p.seconds * 1e-9)
        shape = '<circle class="measured" cx="%.1f" cy="%.1f" r="5"/>' % (x, y) \
            if p.is_measured else \
            '<path class="predicted" d="M%.1f %.1f l6 6 l-6 6 l-6 -6 z"/>' % (x, y - 6)
        parts.append('<g><title>%s</title>%s<text class="label" x="%.1f" y="%.1f">%s</text>'
                     '</g>' % (html.escape(p.title), shape, x + 8, y + 4,
                               html.escape(p.label)))
    return parts


STYLE = """<style>
.roofline { --ink: #1a1a1a; --soft: #9a9a9a; --mark: #0b57d0; --paper: #ffffff }
@media (prefers-color-scheme: dark) {
.roofline { --ink: #e8e8e8; --soft: #6a6a6a; --mark: #8ab4f8; --paper: #16181c } }
.roofline { font: 12px system-ui, sans-serif }
.roofline text { fill: var(--ink) } .roofline .grid { stroke: var(--soft);
stroke-opacity: .35 } .roofline .roof { stroke: var(--ink); stroke-width: 1.5 }
.roofline .roofname { font-size: 11px } .roofline .label { font-size: 11px;
font-weight: 600 } .roofline .measured { fill: var(--mark) } .roofline .predicted {
fill: var(--paper); stroke: var(--mark); stroke-width: 2 }
</style>"""


def draw(peaks: List[Roof], bandwidths: List[Roof], points: List[Point]):
    """The picture; there has to be a roof of either kind. Points without operations or
    bytes have no place in it."""
    points = [p for p in points if p.operations > 0 and p.bytes > 0 and p.seconds > 0]
    s = Scale(peaks, bandwidths, points)
    return "\n".join(
        ['<svg class="roofline" xmlns="http://www.w3.org/2000/svg" role="img" '
         'aria-label="Roofline: %d kernels" viewBox="0 0 %d %d">' % (len(points), WIDTH, HEIGHT),
         STYLE] + grid(s) + roofs(s, peaks, bandwidths) + marks(s, points) + ["</svg>"])
