# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/reference.md: the tables of the plugin, as they are."""
import re

from definitions import cell, read, rows, values

TOP = """# Reference

Generated from the tables by `utils/report/reference.py`: [options](#options), [parts of passes](#parts-of-passes),
[passes](#passes), [reasons](#reasons), [primitives](#primitives-of-schedules), [instructions](#instructions),
[lookups](#lookups), [strategies](#strategies), [CPU families](#cpu-families), [systems](#systems). Names of kernels have
[a page](names.md) of their own.
"""
INTEGERS = {"s8": "signed bytes", "u8": "unsigned bytes", "s16": "signed numbers of 16 bits",
            "bf16": "bfloats", "half": "halves"}
BEYOND = {"Wraps": "the entry of the index modulo the entries", "Zero": "0",
          "ZeroBySign": "0 if the highest bit is set, else as modulo the entries"}


def heading(title, words, *columns):
    yield ""
    yield "## " + title
    yield ""
    yield words
    yield from table(*columns)


def table(*columns):
    yield ""
    yield "| %s |" % " | ".join(columns)
    yield "|" + "---|" * len(columns)


def line(*cells):
    return "| %s |" % " | ".join(cell(c) for c in cells)


def code(text):
    return "`%s`" % text if text else ""


def lowered(text):
    """With a small letter in front, but for names: `A` of a matrix, NaN."""
    return text[0].lower() + text[1:] if re.match(r"[A-Z]([a-z]|$| )", text) else text


def options():
    yield from heading(
        "Options", "In `DLOPT_OPTIONS`, by `-mllvm -dl-...`, and those of functions by annotations and "
        "attributes: [how, and in more words](options.md).", "option", "of a", "meaning")
    for _, _, row in rows(read("passes/Support/OptionKeys.def"), {"DLOPT_OPTION_KEY"}):
        _, key, accepted, scope, words = values(row)
        yield line(code("%s=%s" % (key, accepted)),
                   "function" if scope == "Function" else "compilation", lowered(words))


def parts():
    yield from heading("Parts of passes", "What `disable=NAME` switches off beside whole passes.",
                       "name", "what does nothing then")
    for _, _, row in rows(read("Transformations.def"), {"DLOPT_TRANSFORMATION"}):
        yield line(code(values(row)[1]), values(row)[2])


def passes():
    yield from heading(
        "Passes", "For `opt -passes=NAME<PARAMETER;...>`. `dl<O1>`, `dl<O2>` and `dl<O3>` are what each level runs "
        "([levels](options.md#levels)).", "name", "of a", "parameters")
    text = read("PassRegistry.def")
    for _, macro, row in rows(text, {"DLOPT_MODULE_PASS", "DLOPT_FUNCTION_PASS"}):
        name, _, parameters = values(row + ',""' if row.count(",") < 2 else row)
        link = "[`%s`](passes/%s.md)" % (name, name) if name.startswith("dl-") else code(name)
        yield line(link, "module" if "MODULE" in macro else "function",
                   " ".join(code(p) for p in parameters.split(";") if p))


def reasons():
    text = read("Reasons.def")
    helps = {}
    for _, _, row in rows(text, {"DLOPT_HELP"}):
        name, words = values(row)
        helps[name] = words
    yield from heading(
        "Reasons", "Why loops are left alone: the name is what remarks have for tools (`RemarkName`), the words "
        "are what people read. Names stay as they are. Most need no help but another algorithm, where nothing is said.",
        "name", "words", "what helps")
    shown = None
    for group, _, row in rows(text, {"DLOPT_REASON"}):
        if group != shown:
            shown = group
            yield line("**%s**" % group.rstrip("."), "", "")
        name, words = values(row)
        yield line(code(name), words, helps.get(name, ""))


def primitives():
    yield from heading(
        "Primitives of schedules", "Lines of [scripts](schedules.md#scripts), which has what each makes and when it is legal.",
        "primitive", "usage")
    for _, _, row in rows(read("passes/Transform/Transforms.def"), {"TRANSFORM"}):
        word, _, usage = values(row)
        yield line(code(word), code(usage))


def features(text):
    return ", or ".join(" and ".join(code(f) for f in one.split(","))
                        for one in text.split("|"))


def instructions():
    yield from heading(
        "Instructions", "What `mode AXIS row NAME` may name ([which nest each is](schedules.md#instructions)): products of "
        "neighbours, added to a sum.",
        "name", "products of a sum", "multiplies", "sums", "sums at a time", "needs")
    moves = []
    for _, macro, row in rows(read("Instructions.def"), {"DOT", "MOVE", "TREE"}):
        found = values(row)
        if macro != "DOT":
            moves.append((macro, found))
            continue
        name, needs, _, lanes, depth, total, a, b, _ = found
        factors = INTEGERS[a] if a == b else "%s and %s" % (INTEGERS[a], INTEGERS[b])
        yield line(code(name), depth, factors, code(total), lanes, features(needs))
    yield ""
    yield "Of registers alone, on each target with vectors:"
    yield from table("name", "does")
    words = {"MOVE": "puts %s vectors together, element by element",
             "TREE": "adds up the lanes of %s registers at a time"}
    for macro, (name, depth) in moves:
        yield line(code(name), words[macro] % depth)


def lookups():
    yield from heading(
        "Lookups", "Instructions that read a table which is in registers, the best first.",
        "name", "bits of an element", "elements at a time", "entries", "tables of up to",
        "beyond them", "needs")
    for _, _, row in rows(read("Lookups.def"), {"LOOKUP"}):
        name, needs, _, bits, lanes, entries, most, beyond = values(row)
        yield line(code(name), bits, lanes, entries, str(int(entries) * int(most)), BEYOND[beyond],
                   features(needs))


def strategies():
    yield from heading(
        "Strategies", "[Scripts with holes](schedules.md#strategies), in the order in which they are asked.",
        "name", "for")
    text = read("passes/Schedule/Strategies.def")
    for words, name in re.findall(r'((?:^//.*\n)+)DLOPT_STRATEGY\("(\w+)"', text, re.MULTILINE):
        words = " ".join(w[2:].strip() for w in words.strip().split("\n"))
        words = re.sub(r"\s*\((?:\w+\.cpp)\)", "", words)
        yield line(code(name), words.rstrip("."))


def targets():
    yield from heading(
        "CPU families", "What LLVM does not say of CPUs (`-march`, `-mcpu`, `-mtune`): the first row that fits. Cycles of a fused multiply-add, "
        "and from its addend to the result; how many begin in a cycle; caches of a core (of L3 its slice).",
        "family", "CPUs", "vectors up to", "cycles", "from the addend", "in a cycle", "L1, L2, L3 (KiB)")
    for _, _, row in rows(read("Targets.def"), {"DLOPT_TARGET"}):
        found = values(row)
        family, arch, cpus, bits, latency, chain = found[:6]
        which = "any other" if cpus == "*" else ", ".join(code(c) for c in cpus.split())
        yield line(code(family), which + (" of %s" % arch if cpus == "*" and arch else ""),
                   bits if bits != "0" else "", latency, chain if chain != "0" else "",
                   found[8], ", ".join(found[-3:]))


def systems():
    yield from heading(
        "Systems", "Where an LLVM comes from that there is a plugin for "
        "([`scripts/systems.tsv`](../scripts/systems.tsv)).",
        "system", "LLVM", "packages", "state", "how")
    for text in read("scripts/systems.tsv").splitlines():
        if not text.startswith("#"):
            _, name, versions, origin, state, how = text.split("\t")
            yield line(name, versions, origin, state,
                       "; ".join(code(command) for command in how.split("; ") if command))


def page():
    lines = [TOP.rstrip()]
    for section in (options, parts, passes, reasons, primitives, instructions, lookups,
                    strategies, targets, systems):
        lines += section()
    return "\n".join(lines) + "\n"
