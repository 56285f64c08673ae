# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of functions from memory: `dl_measure_call.N` takes the address of arguments of 8
bytes each and puts what is returned behind 256 of them (driver.c). As IR, so that the
convention of the call is that of the function, whatever language has it."""
import re

import irmodule

RETURN_AT = 8 * 256
WIDER = {"float": "double", "half": "double", "bfloat": "double"}


def load(lines, i, type_, wide):
    """The value of an argument; `wide`: as the float64 reference takes it."""
    lines.append("  %%p%d = getelementptr i8, ptr %%block, i64 %d" % (i, 8 * i))
    memory = "i8" if type_ == "i1" else type_
    lines.append("  %%m%d = load %s, ptr %%p%d" % (i, memory, i))
    if type_ == "i1":
        lines.append("  %%v%d = trunc i8 %%m%d to i1" % (i, i))
        return "%%v%d" % i
    if wide and type_ in WIDER:
        lines.append("  %%v%d = fpext %s %%m%d to double" % (i, type_, i))
        return "%%v%d" % i
    return "%%m%d" % i


CONVENTION = re.compile(r"\b(?:(?:byval|sret)\([^()]*\)|(?:signext|zeroext|inreg)\b)")


def attributes_of(parameter):
    """Those that are of the convention."""
    found = CONVENTION.findall(parameter.attributes)
    align = re.search(r"\balign \d+", parameter.attributes)
    return " ".join(found + ([align.group(0)] if found and align else []))


def wrap(function, number, wide):
    lines, values = [], []
    for i, p in enumerate(function.parameters):
        value = load(lines, i, p.type, wide)
        type_ = WIDER.get(p.type, p.type) if wide else p.type
        values.append(" ".join(filter(None, (type_, attributes_of(p), value))))
    type_ = function.result_type
    result = function.result
    if wide and type_ in WIDER:
        type_ = result = WIDER[type_]
    call = "call %s @%s(%s)" % (result, irmodule.quote(function.symbol), ", ".join(values))
    if type_ == "void":
        lines.append("  " + call)
    else:
        lines.append("  %%r = %s" % call)
        if type_ == "i1":
            lines.append("  %e = zext i1 %r to i8")
        lines.append("  %%to = getelementptr i8, ptr %%block, i64 %d" % RETURN_AT)
        lines.append("  store %s, ptr %%to" % ("i8 %e" if type_ == "i1"
                                               else "%s %%r" % type_))
    types = ", ".join(" ".join(filter(None, (
        WIDER.get(p.type, p.type) if wide else p.type, attributes_of(p))))
        for p in function.parameters)
    declaration = "declare %s @%s(%s)" % (result, irmodule.quote(function.symbol), types)
    body = "define void @dl_measure_call.%d(ptr %%block) {\n%s\n  ret void\n}" % (
        number, "\n".join(lines))
    return declaration, body


def module(source, functions, wide=False):
    """A module with a call of each function; what it says of types is the source's."""
    parts = source.header + source.types
    for number, function in enumerate(functions):
        parts += wrap(function, number, wide)
    return "\n".join(parts) + "\n"
