# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was measured, as text, JSON and pictures."""
import html
import json

import roofline

VERSION = 1


def time_of(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return "%.3g %s" % (seconds / size, unit)
    return "%.3g ns" % (seconds * 1e9)


def bytes_of(size):
    for unit, one in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if size >= one:
            return "%.3g %s" % (size / one, unit)
    return "%d B" % size


def to_json(machine, functions, without):
    return json.dumps({"dl-measure": VERSION, "machine": machine, "functions": functions,
                       "without_kernels": without}, indent=1)


def sizes_of(entry):
    return " ".join("%s=%d" % pair for pair in entry["sizes"].items())


def lines_of(entry):
    """Of one function."""
    head = "%s (%s)" % (entry["spoken"], entry["file"])
    kinds = "; ".join(entry["kinds"][:4]) or "no kernel"
    lines = [head, "  kernels   %s" % kinds]
    lines += ["  left      %s" % left for left in entry["left"]]
    if entry.get("sizes"):
        lines.append("  called    %s" % sizes_of(entry))
    if entry.get("error"):
        return lines + ["  not measured: %s" % entry["error"]]
    lines.append("  results   %s" % entry["verdict"])
    errors = entry.get("errors", {})
    if errors and not any(value for pair in errors.values() for value in pair):
        if entry["reach"]:
            lines.append("  float64   the same")
    elif errors:
        lines.append("  float64   off by at most %.2g of the largest, %.3g ulp; with the plugin "
                     "%.2g, %.3g ulp" % (*errors["plain"][::-1], *errors["dlopt"][::-1]))
    elif entry.get("no_reference"):
        lines.append("  float64   no reference: %s" % entry["no_reference"])
    if "plain_seconds" in entry:
        share = ", %.0f%% of %s" % (100 * entry["share"], entry["limit"]) \
            if entry.get("share") else ""
        lines.append("  time      %s without, %s with the plugin: %.3g times as fast%s" % (
            time_of(entry["plain_seconds"]), time_of(entry["seconds"]), entry["speedup"],
            share))
    if "memory" in entry:
        lines.append("  memory    a call adds %s without, %s with the plugin; arguments %s" % (
            bytes_of(entry["memory"]["plain"]), bytes_of(entry["memory"]["dlopt"]),
            bytes_of(entry["reach"])))
    return lines


def to_text(functions, without):
    lines = []
    for entry in functions:
        lines += lines_of(entry) + [""]
    for entry in without:
        lines += ["%s (%s)" % (entry["spoken"], entry["file"]), "  no kernel, so not measured"]
        lines += ["  left      %s" % left for left in entry["left"]] + [""]
    measured = [e for e in functions if not e.get("error")]
    wrong = [e for e in measured if not e["right"]]
    lines.append("%d function%s: %d measured, %d with wrong results, %d not measured" % (
        len(functions), "" if len(functions) == 1 else "s", len(measured), len(wrong),
        len(functions) - len(measured)))
    return "\n".join(lines)


BAR, NAME, ROW = 420, 260, 22


def to_bars(functions):
    """How many times as fast each is, on a logarithmic scale from 1/2 on."""
    import math
    shown = [e for e in functions if e.get("speedup")]
    top = max([e["speedup"] for e in shown] + [2])
    height = ROW * len(shown) + 44

    def x(value):
        part = math.log2(max(value, 0.5) * 2) / math.log2(top * 2)
        return NAME + part * BAR
    parts = ['<svg class="roofline" xmlns="http://www.w3.org/2000/svg" role="img" '
             'aria-label="Speed-up of %d functions" viewBox="0 0 %d %d">'
             % (len(shown), NAME + BAR + 90, height), roofline.STYLE]
    tick = 0.5
    while tick <= top:
        parts.append('<line class="grid" x1="%.1f" y1="8" x2="%.1f" y2="%d"/><text x="%.1f" '
                     'y="%d" text-anchor="middle">%g</text>'
                     % (x(tick), x(tick), height - 28, x(tick), height - 12, tick))
        tick *= 2 if top < 64 else 4
    for i, e in enumerate(shown):
        y = 12 + ROW * i
        name = e["spoken"] if len(e["spoken"]) < 36 else e["spoken"][:34] + "…"
        parts.append('<text x="%d" y="%d" text-anchor="end">%s</text><rect class="measured" '
                     'x="%.1f" y="%d" width="%.1f" height="14"/><text x="%.1f" y="%d">%.3g'
                     '</text>' % (NAME - 6, y + 12, html.escape(name), x(0.5), y,
                                  max(x(e["speedup"]) - x(0.5), 1), x(e["speedup"]) + 5,
                                  y + 12, e["speedup"]))
    parts.append('<line class="roof" x1="%.1f" y1="8" x2="%.1f" y2="%d"/></svg>'
                 % (x(1), x(1), height - 28))
    return "\n".join(parts)


def to_roofline(machine, functions):
    points = [roofline.Point(str(i + 1), "%d: %s" % (i + 1, e["spoken"]), e["operations"],
                             e["bytes"], e["seconds"], True)
              for i, e in enumerate(functions) if e.get("seconds")]
    return roofline.draw([roofline.Roof(*p) for p in machine["peaks"]],
                         [roofline.Roof(*b) for b in machine["bandwidths"]], points)
