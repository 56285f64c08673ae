# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/names.md: each name that a kernel can have, with its formula.

Names, formulas and the words of the page are those of Kinds.def and Programs.def, from
their comments on.
"""
import re
import sys

from definitions import cell, read, rows, strings

# What the letters of a contraction say of a matrix and of a vector.
LAYOUTS = {"N": "rows along its last subscript", "T": "transposed", "V": "vector"}
# Lists of names of other rows.
BEHIND = ("DLOPT_LAYER", "DLOPT_EPILOGUE")
# Rows that have no formula.
OTHERS = BEHIND + ("DLOPT_PIECES", "DLOPT_TRANSFORM")
# What stands in a row beside a copy of another one.
BESIDE = {"Other": "copies of rows of other arrays", "Number": "a number",
          "Edge": "its first element in front, its last one behind",
          "Mirrored": "its elements from the second one on in front, from the last but one on "
                      "behind, the other way round",
          "Wrapped": "its last elements in front, its first ones behind"}
PRODUCTS = {"Dot": "a sum of products otherwise", "Outer": "`C[m,n] (+)= A[m] * B[n]`"}
SHAPES = {"Map": "loops whose iterations are independent, and no other name",
          "Reduce": "such loops and reductions, and no other name",
          "Any": "anything else"}
TOP = """# Names of kernels

Remarks, `print<dl-kernels>`, contracts and `dl-census` call a kernel by what it computes. This
page is generated from the tables by `utils/report/reference.py`; how a formula is found in code is
described in [dl-recognize](passes/dl-recognize.md), how a name is added in [adding](adding.md).
A kernel has the first name that fits. Each is held against a reference from the textbook
([0094](decisions/0094-names-against-textbooks.md)).
"""


def rules(text):
    """The comment of Programs.def that explains formulas."""
    match = re.search(r"^// Letters:\n(?:^//.*\n)+?(?=^//\n//===)", text, re.MULTILINE)
    if not match:
        sys.exit("names: Programs.def has no comment 'Letters:'")
    return re.sub(r"^// ?", "", match.group(0), flags=re.MULTILINE).rstrip()


def programs(text):
    yield "## By formula"
    yield ""
    yield "A kernel that is no product by layout (below) is called by the formula of what it"
    yield "writes, or of what it adds to that."
    yield ""
    yield "```"
    yield rules(text)
    yield "```"
    shown = object()
    macros = set(re.findall(r"^(DLOPT_\w+)\(", text, re.MULTILINE)) - set(OTHERS)
    for heading, _, arguments in rows(text, macros):
        if heading != shown:
            shown = heading
            yield ""
            yield "### " + (heading or "Others").rstrip(".")
            yield ""
            yield "| name | over | formula |"
            yield "|---|---|---|"
        name, over, formula = [a.strip() for a in arguments.split(",", 2)]
        yield "| `%s` | %s | `%s` |" % (name.strip('"'), over, cell(strings(formula)))


def layers(text):
    """What has its name although something is done to each element behind."""
    found = {macro: [] for macro in BEHIND}
    for _, macro, arguments in rows(text, set(BEHIND)):
        name, _, is_sum = arguments.partition(",")
        found[macro].append((name.strip('"'), is_sum.strip() != "0"))
    layer, function = (found[macro] for macro in BEHIND)

    def listed(names):
        return ", ".join("`%s`" % n for n in names)

    yield ""
    yield "### With something behind"
    yield ""
    yield "These keep their name if a function of the second line is applied to each element."
    yield ""
    yield "* " + listed(n for n, is_sum in layer if is_sum)
    yield "* " + listed(n for n, _ in function)
    yield ""
    yield "So do %s if it is `quantize` or `requantize`." % listed(
        n for n, is_sum in layer if not is_sum)


def several(text):
    """Names of what several results are together."""
    yield ""
    yield "### Rows of pieces"
    yield ""
    yield "Each row of the result is a copy of a row and, in front of it, behind it or both, this."
    yield ""
    yield "| name | beside the copy |"
    yield "|---|---|"
    for _, _, arguments in rows(text, {"DLOPT_PIECES"}):
        name, beside = [a.strip() for a in arguments.split(",")]
        yield "| `%s` | %s |" % (name.strip('"'), BESIDE[beside])
    yield ""
    yield "### Blocks by matrices"
    yield ""
    yield "Each block is multiplied by the matrix from the left and by its transpose from the"
    yield "right, or is a row that is multiplied by it: tiles of convolutions."
    yield ""
    yield "| name | rows of the matrix |"
    yield "|---|---|"
    for _, _, arguments in rows(text, {"DLOPT_TRANSFORM"}):
        name, matrix = arguments.split(",", 1)
        yield "| `%s` | `%s` |" % (name.strip().strip('"'), cell(strings(matrix)))


def contraction(arguments):
    name, batch, m, n, a, b = [x.strip() for x in arguments.split(",")]
    axes = ("b" if batch == "1" else "") + ("m" if m == "1" else "") + ("n" if n == "1" else "")
    left = ("b" if batch == "1" else "") + ("m" if m == "1" else "") + "k"
    right = ("b" if batch == "1" else "") + "k" + ("n" if n == "1" else "")

    def sub(letters):
        return "[%s]" % ",".join(letters) if letters else ""

    return "| `%s` | `C%s += A%s * B%s` | %s | %s |" % (
        name.strip('"'), sub(axes), sub(left), sub(right), LAYOUTS[a], LAYOUTS[b])


def kinds(text):
    yield "## Products by layout"
    yield ""
    yield "Summed over k; with what is there, or from any start."
    yield ""
    yield "| name | computes | A in memory | B in memory |"
    yield "|---|---|---|---|"
    others = []
    for _, macro, arguments in rows(text, {"DLOPT_CONTRACTION", "DLOPT_KIND"}):
        if macro == "DLOPT_CONTRACTION":
            yield contraction(arguments)
        else:
            name, shape = [a.strip() for a in arguments.split(",")]
            if shape in PRODUCTS:
                yield "| `%s` | %s | | |" % (name.strip('"'), PRODUCTS[shape])
            else:
                others.append("| `%s` | %s |" % (name.strip('"'), SHAPES[shape]))
    yield ""
    yield "## General names"
    yield ""
    yield "| name | what it is |"
    yield "|---|---|"
    yield from others


def page():
    lines = [TOP]
    lines += programs(read("Programs.def"))
    lines += layers(read("Programs.def"))
    lines += several(read("Programs.def"))
    lines.append("")
    lines += kinds(read("Kinds.def"))
    return "\n".join(lines) + "\n"
