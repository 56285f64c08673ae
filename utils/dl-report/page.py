# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A report as one HTML page that needs nothing else."""
import hashlib
import html
import os
from typing import Dict, List, NamedTuple, Optional

import kernels
import listing
import model
import roofline
import source

HERE = os.path.dirname(os.path.realpath(__file__))
# Fate -> class, mark and text: nothing is said by a colour alone.
LOOKS = {kernels.TRANSFORMED: ("transformed", "✓", "transformed"),
         kernels.FAST: ("fast", "=", "as fast already"),
         kernels.LEFT: ("left", "✗", "left alone"),
         kernels.MISSED: ("none", "·", "no kernel")}
# Characters of code on the page, all functions together: of 2 MB it may have the most.
CODE_BUDGET = 1100000
MOST_POINTS = 60
LEAST_CODE, MOST_CODE = 1000, 12000


class Report(NamedTuple):
    title: str
    loops: List[model.Loop]
    failed: List[List[str]]            # [file, why]
    paths: Dict[str, str]              # file of a loop -> where that is
    pairs: Dict[tuple, object]         # (file of loops, function) -> collect.Pair
    spoken: Dict[str, str]             # function -> as its language has it
    machine: Optional[dict]            # limits, as dl-measure has them
    measured: List[dict]               # functions, as dl-measure has them
    has_assembly: bool


def text_of(value):
    return html.escape(str(value), quote=True)


def anchor(loop):
    k = loop.kernel
    return "l-" + hashlib.md5("|".join(map(str, (k.file, k.line, k.column, k.function,
                                                 "" if k.line else k.message)))
                              .encode()).hexdigest()[:10]


def code_anchor(file, function):
    return "c-" + hashlib.md5(("%s|%s" % (file, function)).encode()).hexdigest()[:10]


def count(number):
    """1234567 as "1.23 M"."""
    for size, unit in ((1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size:
            return "%.3g%s" % (number / size, unit)
    return "%.3g" % number


def name_of(loop):
    k = loop.kernel
    if k.kind:
        return k.kind + (", " + k.extents if k.extents else "")
    return "loop"


def head(report):
    totals = kernels.count([loop.kernel for loop in report.loops])
    files = len({loop.kernel.file for loop in report.loops})
    cards = "".join('<li><b><span class="mark">%s</span>%d</b>%s</li>'
                    % (LOOKS[fate][1], number, LOOKS[fate][2])
                    for fate, number in zip(kernels.FATES, totals))
    return ('<header><h1>%s</h1><p class="soft">%d source file%s, %d loops. What DLOpt made of '
            'them.</p><ul class="cards">%s</ul></header>'
            % (text_of(report.title), files, "" if files == 1 else "s",
               len(report.loops), cards))


def kinds(report):
    groups = {}
    for loop in report.loops:
        if loop.kernel.kind:
            groups.setdefault(loop.kernel.kind, []).append(loop)
    rows = []
    for kind, some in sorted(groups.items(), key=lambda g: (-len(g[1]), g[0])):
        numbers = kernels.count([loop.kernel for loop in some])[:3]
        rows.append("<tr><td><a href=\"#%s\">%s</a></td>%s</tr>" % (
            anchor(some[0]), text_of(kind),
            "".join("<td>%s</td>" % (n or "–") for n in numbers)))
    if not rows:
        return "<p>No kernels were found.</p>"
    return ('<div class="scroll" tabindex="0" role="region" aria-label="Table"><table><thead><tr><th scope="col">kernels by kind</th>'
            '<th scope="col">✓ <span class="wide">transformed</span></th><th scope="col">= '
            '<span class="wide">fast already</span></th><th scope="col">✗ <span class="wide">'
            'left alone</span></th></tr></thead><tbody>%s</tbody></table></div>'
            % "".join(rows))


def reasons(report):
    groups = {}
    for loop in report.loops:
        if loop.kernel.reason:
            groups.setdefault(loop.kernel.reason, []).append(loop)
    if not groups:
        return ""
    rows = "".join(
        '<tr><td><a href="#%s">%s</a></td><td>%d</td><td class="text">%s</td></tr>'
        % (anchor(some[0]), text_of(reason), len(some), reason_text(some))
        for reason, some in sorted(groups.items(), key=lambda g: (-len(g[1]), g[0])))
    return ('<h2>Left alone</h2><div class="scroll" tabindex="0" role="region" aria-label="Table"><table><thead><tr><th scope="col">reason'
            '</th><th scope="col">loops</th><th scope="col" class="text">that is, and what '
            'helps</th></tr></thead><tbody>%s</tbody></table></div>' % rows)


def shorten(message):
    """What a remark says of a reason, without what all of them begin with."""
    for start in ("left alone: ", "recognized; "):
        if message.startswith(start):
            message = message[len(start):]
    return message


def reason_text(some):
    """Of loops that are left alone for one reason; it is the same but for names."""
    text = text_of(shorten(some[0].kernel.message))
    helped = next((loop.help for loop in some if loop.help), "")
    return text + (". <b>What helps</b>: " + text_of(helped) if helped else "")


def measured_at(report, loop):
    k = loop.kernel
    for m in report.measured:
        if m.get("function") == k.function and \
                os.path.basename(m.get("file", "")) == os.path.basename(k.file):
            return m
    return None


def type_of(loop):
    """Of floating-point numbers; None: of integers, for which there is no roof."""
    kind = loop.kernel.kind.rpartition(" ")[2]
    return kind if kind in ("f16", "bf16", "f32", "f64") else None


def points(report):
    """Of the roofline, with a name, their loop if there is one, and what was measured."""
    found = []
    ghz = report.machine.get("ghz")
    for m in report.measured:
        loop = next((loop for loop in report.loops if measured_at(report, loop) is m), None)
        found.append((roofline.Point(
            "", "%s, measured" % m["function"], m["operations"], m["bytes"],
            m["seconds"], True), m.get("spoken", m["function"]), loop, m))
    for loop in report.loops:
        cycles = [s.cycles for s in loop.scripts if s.cycles]
        if loop.work and cycles and ghz and type_of(loop):
            found.append((roofline.Point(
                "", "%s, predicted" % name_of(loop), loop.work.operations,
                loop.work.bytes, sum(cycles) / ghz * 1e-9, False), name_of(loop), loop,
                None))
    drawn = []
    for point, *rest in found:
        if point.operations > 0 and point.bytes > 0 and point.seconds > 0:
            drawn.append((point._replace(label=str(len(drawn) + 1)), *rest))
    return drawn[:MOST_POINTS]


def marked(mark, word):
    """A mark, with its word where there is room: legends have it, too."""
    return '%s <span class="wide">%s</span>' % (mark, word)


def roof(report):
    machine = report.machine
    if not machine:
        return ('<p class="soft">No roofline: the limits of this machine were not measured. '
                '<code>dl-measure --limits -o limits.json</code>, then '
                '<code>dl-report --limits limits.json</code>.</p>')
    drawn = points(report)
    picture = roofline.draw([roofline.Roof(*p) for p in machine["peaks"]],
                            [roofline.Roof(*b) for b in machine["bandwidths"]],
                            [point for point, *_ in drawn])
    rows = []
    for point, name, loop, m in drawn:
        link = '<a href="#%s">%s</a>' % (anchor(loop), text_of(name)) if loop \
            else text_of(name)
        rate = point.operations / point.seconds * 1e-9
        limit = roofline.limit(machine, type_of(loop) if loop else "f32", point.operations,
                               point.bytes)
        # What was measured knows where its bytes come from.
        share = m.get("share", 0) if m else rate / limit
        rows.append('<tr><td>%s</td><td class="text">%s</td><td>%s</td><td>%.3g</td>'
                    '<td>%s</td><td>%s</td></tr>'
                    % (point.label, link, marked("●", "measured") if m
                       else marked("◇", "predicted"), rate,
                       "%.0f%%" % (100 * share) if share else "–",
                       "%.3g" % m["speedup"] if m else "–"))
    table = ('<div class="scroll" tabindex="0" role="region" aria-label="Table"><table><thead><tr><th scope="col">at</th>'
             '<th scope="col" class="text">kernel</th><th scope="col">how</th>'
             '<th scope="col">GFLOP/s</th><th scope="col">of the limit</th>'
             '<th scope="col">times as fast</th></tr></thead>'
             '<tbody>%s</tbody></table></div>' % "".join(rows)) if rows else \
        '<p class="soft">No kernel has numbers: its sizes are arguments. Measured ones ' \
        'come from <code>dl-report --measured</code>.</p>'
    return '<figure>%s<figcaption class="soft">%s</figcaption></figure>%s' % (
        picture, text_of("One core of %s. ● measured, ◇ predicted."
                         % machine.get("cpu", "this machine")), table)


def details(report, loop):
    rows = [("function", text_of(report.spoken.get(loop.kernel.function,
                                                   loop.kernel.function)))]
    if loop.tiers:
        rows.append(("tier", text_of(", ".join(loop.tiers))))
    if loop.kernel.reason:
        rows.append(("reason", text_of(loop.kernel.reason)))
    if loop.help:
        rows.append(("what helps", "<b>%s</b>" % text_of(loop.help)))
    cycles = [s.cycles for s in loop.scripts if s.cycles]
    if cycles:
        rows.append(("predicted", "about %s cycles a call" % count(sum(cycles))))
    if loop.work:
        rows.append(("a call", "%s operations, %sB of memory"
                     % (count(loop.work.operations), count(loop.work.bytes) + (
                         "" if loop.work.bytes >= 1000 else " "))))
    m = measured_at(report, loop)
    if m:
        rows.append(("measured", "%.3g ms, %.3g times as fast as without; results: %s"
                     % (m["seconds"] * 1e3, m["speedup"], text_of(m["verdict"]))))
    body = "<dl>%s</dl>" % "".join("<dt>%s</dt><dd>%s</dd>" % row for row in rows)
    body += "".join("<p>%s</p>" % text_of(note) for note in loop.notes)
    for script in loop.scripts:
        body += "<p>Schedule: script <code>%s</code></p>" % text_of(script.title)
        body += pre(script.text, "Script " + script.title)
    for kernel in loop.texts:
        body += "<p>As it was understood:</p>" + pre(kernel, "Kernel")
    key = (loop.kernel.file, loop.kernel.function)
    if key in report.pairs:
        body += '<p><a href="#%s">Code before and after</a></p>' % code_anchor(*key)
    return body


def pre(content, label):
    """Wide text that the keyboard can scroll."""
    return '<pre tabindex="0" role="region" aria-label="%s">%s</pre>' % (
        text_of(label), text_of(content.rstrip()))


def note(report, loop):
    look, mark, words = LOOKS[loop.kernel.fate]
    tier = ", " + loop.tiers[0] if loop.tiers else ""
    why = ": " + text_of(shorten(loop.kernel.message)) if loop.kernel.reason else ""
    line = '<span class="soft">%d</span> ' % loop.kernel.line if loop.kernel.line else ""
    cycles = ", about %s cycles" % count(sum(filter(None, (s.cycles for s in loop.scripts)))) \
        if any(s.cycles for s in loop.scripts) else ""
    script = ", script " + loop.scripts[0].title if loop.scripts else ""
    return ('<details class="loop %s" id="%s"><summary><span class="mark" aria-hidden="true">'
            '%s</span>%s<b>%s</b> %s%s%s</summary><div class="body">%s</div></details>'
            % (look, anchor(loop), mark, line, text_of(name_of(loop)), words,
               text_of(tier + script + cycles), why, details(report, loop)))


def rows_of(report, loops, lines):
    """The source in pieces, each beside what is said of loops in it."""
    if lines is None:
        return ('<p class="soft">The source is not there.</p><div class="notes">%s</div>'
                % "".join(note(report, loop) for loop in loops))
    parts = []
    marked = {loop.kernel.line for loop in loops}
    for piece in source.pieces(lines, sorted(line for line in marked if line)):
        if piece.gap:
            parts.append('<div class="gap">… %d line%s</div>'
                         % (piece.gap, "" if piece.gap == 1 else "s"))
        code = "\n".join('<span class="number">%d</span>%s' % (
            number, '<span class="here">%s</span>' % text_of(line) if number in marked
            else text_of(line)) for number, line in piece.lines)
        own = [loop for loop in loops if loop.kernel.line in dict(piece.lines)]
        parts.append('<div class="row"><pre tabindex="0" role="region" aria-label="Lines %d to '
                     '%d">%s</pre><div class="notes">%s</div></div>'
                     % (piece.lines[0][0], piece.lines[-1][0], code,
                        "".join(note(report, loop) for loop in own)))
    rest = [loop for loop in loops if not 0 < loop.kernel.line <= len(lines)]
    if rest:
        parts.append('<div class="notes">%s</div>'
                     % "".join(note(report, loop) for loop in rest))
    return '<div class="source">%s</div>' % "".join(parts)


def panes(pair, function, generated, size):
    """IR and assembly of a function, side by side."""
    text, kinds_of_code = "", (("Assembly", pair.assembly), ("IR", pair.ir))
    for kind, (before, after) in kinds_of_code:
        shown = [listing.show(code, function, kinds_here, size)
                 for code, kinds_here in ((before, ()), (after, generated))]
        if not shown[1] or shown[0] == shown[1]:
            continue
        text += '<div class="pair">%s</div>' % "".join(
            "<div><h4>%s %s</h4>%s</div>" % (kind, when, pre(some or "(inlined into its callers)",
                                                            "%s %s" % (kind, when)))
            for when, some in zip(("without DLOpt", "with DLOpt"), shown))
    return text


def code_of(report, file, loops, size, seen):
    text = ""
    for function in dict.fromkeys(loop.kernel.function for loop in loops
                                  if loop.kernel.fate == kernels.TRANSFORMED):
        pair = report.pairs.get((file, function))
        generated = {loop.kernel.kind for loop in loops if loop.kernel.function == function}
        content = panes(pair, function, generated, size) if pair else ""
        if not content:
            report.pairs.pop((file, function), None)
            continue
        spoken = text_of(report.spoken.get(function, function))
        first = seen.setdefault(content, code_anchor(file, function))
        if first != code_anchor(file, function):
            content = '<p>The same as <a href="#%s">that of another function</a>.</p>' % first
        text += ('<details class="code" id="%s"><summary>Code of <b>%s</b>, before and after'
                 '</summary>%s</details>' % (code_anchor(file, function), spoken, content))
    return text


def file_section(report, file, loops, size, seen):
    totals = kernels.count([loop.kernel for loop in loops])
    words = ", ".join("%s %d %s" % (LOOKS[fate][1], n, LOOKS[fate][2])
                      for fate, n in zip(kernels.FATES, totals) if n)
    code = code_of(report, file, loops, size, seen)
    lines = source.read(report.paths.get(file) or file)
    return '<section><h3>%s <span class="soft">%s</span></h3>%s%s</section>' % (
        text_of(file), words, rows_of(report, loops, lines), code)


def render(report: Report) -> str:
    files = {}
    for loop in report.loops:
        files.setdefault(loop.kernel.file, []).append(loop)
    # Each function has four panes.
    size = CODE_BUDGET // max(4 * len(report.pairs), 1)
    size = min(max(size, LEAST_CODE), MOST_CODE)
    seen = {}
    sections = "".join(file_section(report, file, loops, size, seen)
                       for file, loops in sorted(files.items()))
    failed = "".join("<li>%s: %s</li>" % (text_of(file), text_of(why))
                     for file, why in report.failed)
    filters = "".join('<label><input type="checkbox" checked value="%s"> %s %s</label>'
                      % look for look in LOOKS.values())
    parts = {
        "title": text_of(report.title), "style": asset("page.css"),
        "script": asset("page.js"), "head": head(report), "kinds": kinds(report),
        "reasons": reasons(report), "roof": roof(report), "filters": filters,
        "failed": "<h2>Could not be compiled</h2><ul>%s</ul>" % failed if failed else "",
        "files": sections or "<p>No loops.</p>"}
    return TEMPLATE % parts


def asset(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return f.read()


TEMPLATE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
script-src 'unsafe-inline'; img-src data:">
<title>%(title)s</title>
<link rel="icon" href="data:,">
<style>
%(style)s</style>
</head>
<body>
<a class="skip" href="#sources">To the sources</a>
%(head)s
<main>
%(failed)s
<div class="columns"><div><h2>Kernels</h2>
%(kinds)s
%(reasons)s</div>
<div><h2>Roofline</h2>
%(roof)s</div></div>
<h2 id="sources" tabindex="-1">Sources</h2>
<p class="soft"><kbd>j</kbd> and <kbd>k</kbd> go from loop to loop, <kbd>Enter</kbd> opens one, <kbd>x</kbd> \
opens all, <kbd>X</kbd> closes them.</p>
<div class="filters" role="group" aria-label="Show loops that are">%(filters)s</div>
%(files)s
</main>
<script>
%(script)s</script>
</body>
</html>
"""
