# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code of a function before and after: IR and assembly, and what of it is shown."""
import re
from typing import Dict, NamedTuple

# What says nothing of how fast something is.
NOISE = re.compile(r",? !(?:dbg|tbaa|tbaa\.struct|noalias|alias\.scope|llvm\.loop|prof|"
                   r"srcloc|annotation|dl\.\w+) ![0-9]+| #[0-9]+(?= |$)")
ARITHMETIC = re.compile(r"fn?m(?:add|sub|la|ls)|fmuladd|llvm\.fma|v?pdp|[us]dot|v?p?mul[lsp]|"
                        r"v?add[sp][sdh]\b|f(?:mul|add)\b|vfma")
LEAD = 8                     # lines in front of what is shown
CALLED = re.compile(r"@(dl\.[\w.]+|\"dl\.[^\"]+\")")
JUMPED = re.compile(r"\b(dl\.[\w.]+)")
DEFINED = re.compile(r"define [^@\n]*@(\"[^\"]+\"|[\w.$]+)\(")


class Code(NamedTuple):
    """Functions by name, as lines."""
    functions: Dict[str, list]
    called: re.Pattern


def read_ir(text) -> Code:
    functions, lines = {}, None
    for line in text.split("\n"):
        match = DEFINED.match(line)
        if match:
            lines = functions.setdefault(match.group(1).strip('"'), [])
        if lines is None or "#dbg_" in line or "llvm.dbg." in line:
            continue
        lines.append(NOISE.sub("", line.split(" ; preds")[0]).rstrip())
        if line == "}":
            lines = None
    return Code(functions, CALLED)


def read_assembly(text) -> Code:
    """Without directives; `=>` in front of the first line of a loop without others in
    it, as llc writes it."""
    functions, lines, inner = {}, None, False
    for line in text.split("\n"):
        label = re.match(r'("[^"]+"|[\w.$]+):', line)
        if label and not label.group(1).startswith((".L", "L", "$")):
            lines = functions.setdefault(label.group(1).strip('"'), [])
        if lines is None:
            continue
        if re.match(r"\.Lfunc_end", line):
            lines = None
            continue
        inner = inner or "Inner Loop Header" in line
        line = re.sub(r"\s*(?:#|//|;) .*$", "", line).replace("\t", "  ").rstrip()
        if not line or re.match(r"\s+\.|\.L(?:tmp|func_begin)|\s*[#/]", line):
            continue
        if inner and not line.endswith(":"):
            line, inner = "=>" + line[2:], False
        lines.append(line)
    return Code(functions, JUMPED)


def reach(code: Code, name):
    """A function and what was generated for it: names, in the order of calls."""
    found, todo = [], [name]
    while todo:
        now = todo.pop(0)
        if now in found or now not in code.functions:
            continue
        found.append(now)
        for line in code.functions[now][1:]:
            for callee in code.called.findall(line):
                todo.append(callee.strip('"'))
    return found


def weight(line):
    """How much a line is what people look for: arithmetic of vectors."""
    return len(ARITHMETIC.findall(line))


def window(lines, most):
    """At most so many lines: where the most arithmetic is."""
    if len(lines) <= most:
        return lines
    sums, best, at = 0, -1, 0
    weights = [weight(line) for line in lines]
    for i in range(len(lines)):
        sums += weights[i] - (weights[i - most] if i >= most else 0)
        if i >= most - 1 and sums > best:
            best, at = sums, i - most + 1
    # It begins a little in front of the first of it.
    first = next((i for i in range(at, at + most) if weights[i]), at)
    at = max(at, first - LEAD)
    shown = lines[at:at + most]
    if at:
        shown = ["... %d lines" % at] + shown
    if at + most < len(lines):
        shown = shown + ["... %d lines" % (len(lines) - at - most)]
    return shown


def generated_for(code: Code, kinds):
    """Names of functions that were generated for kernels of these kinds: a function that
    is inlined into others has them beside it."""
    starts = tuple("dl." + kind.replace(" ", ".") + "." for kind in kinds)
    return [name for name in code.functions if name.startswith(starts)]


def show(code: Code, name, kinds, characters):
    """The text of a function, with kernels of these kinds, and of what was generated for
    it, of about so many characters; empty: there is none."""
    parts = reach(code, name)
    # What was generated is what is of interest.
    main, generated = parts[:1], parts[1:] if parts else generated_for(code, kinds)
    shown = (generated or main)[:4]
    if not shown:
        return ""
    lines = [line for part in shown for line in code.functions[part]]
    width = max(sum(len(line) + 1 for line in lines) / max(len(lines), 1), 1)
    most = max(int(characters / width) // len(shown), 12)
    text = []
    for part in shown:
        text += window(code.functions[part], most) + [""]
    if generated and main:
        text += ["(called by %s, which has the loops of the source beside: %d lines)"
                 % (main[0], len(code.functions[main[0]]))]
    return "\n".join(text).rstrip()
