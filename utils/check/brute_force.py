#!/usr/bin/env python3
"""Checks a rewrite for all inputs of a small bit width.

FILE has two functions of one block without memory, @src and @tgt, with the same
arguments: what alive-tv takes. Every integer type but i1 is read as one of N bits,
N from 6 down to what keeps the inputs below 2^20; where constants do not fit, that
is an error. @tgt must give what @src gives wherever that is not poison.
"""
import argparse
import re
import sys

MAX_INPUT_BITS = 20
MAX_BITS = 6
BINARY = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^"}
COMPARE = {"eq": "==", "ne": "!=", "ugt": ">", "uge": ">=", "ult": "<",
           "ule": "<=", "sgt": ">", "sge": ">=", "slt": "<", "sle": "<="}


class Unsupported(Exception):
    pass


def variable(operand, bits):
    """Python text of an operand."""
    operand = operand.strip()
    if operand in ("true", "false"):
        return str(int(operand == "true"))
    if re.fullmatch(r"-?\d+", operand):
        value = int(operand)
        if not -(1 << (bits - 1)) <= value < 1 << bits:
            raise Unsupported("%d does not fit into %d bits" % (value, bits))
        return str(value % (1 << bits))
    match = re.fullmatch(r"%([\w.]+)", operand)
    if not match:
        raise Unsupported("operand '%s'" % operand)
    return "v_" + match.group(1).replace(".", "_")


def translate(line, bits):
    """One instruction as Python text; `raise Poison` where it is that."""
    mask = (1 << bits) - 1
    result, right = (part.strip() for part in line.split("=", 1))
    result = variable(result, bits)
    match = re.fullmatch(r"(\w+)((?: n[us]w)*) (i\d+) (\S+), (\S+)", right)
    if match and match.group(1) in BINARY:
        operation, flags, ty, a, b = match.groups()
        width = 1 if ty == "i1" else bits
        a, b = variable(a, width), variable(b, width)
        text = "%s %s %s" % (a, BINARY[operation], b)
        lines = []
        if "nuw" in flags:
            lines.append("if not 0 <= %s <= %d: raise Poison" % (text, mask))
        if "nsw" in flags:
            lines.append("if not -%d <= sign(%s) %s sign(%s) < %d: raise Poison"
                         % (1 << bits - 1, a, BINARY[operation], b, 1 << bits - 1))
        return lines + ["%s = (%s) & %d" % (result, text, (1 << width) - 1)]
    match = re.fullmatch(r"icmp (\w+) (i\d+) (\S+), (\S+)", right)
    if match and match.group(1) in COMPARE:
        predicate, _, a, b = match.groups()
        a, b = variable(a, bits), variable(b, bits)
        if predicate[0] == "s":
            a, b = "sign(%s)" % a, "sign(%s)" % b
        return ["%s = int(%s %s %s)" % (result, a, COMPARE[predicate], b)]
    match = re.fullmatch(r"select i1 (\S+), i\d+ (\S+), i\d+ (\S+)", right)
    if match:
        c, a, b = (variable(x, bits) for x in match.groups())
        return ["%s = %s if %s else %s" % (result, a, c, b)]
    match = re.fullmatch(r"call \{ i\d+, i1 \} @llvm\.umul\.with\.overflow\.i\d+"
                         r"\(i\d+ (\S+), i\d+ (\S+)\)", right)
    if match:
        a, b = (variable(x, bits) for x in match.groups())
        return ["%s = (%s * %s & %d, int(%s * %s > %d))"
                % (result, a, b, mask, a, b, mask)]
    match = re.fullmatch(r"extractvalue \{ i\d+, i1 \} (\S+), ([01])", right)
    if match:
        return ["%s = %s[%s]" % (result, variable(match.group(1), bits),
                                 match.group(2))]
    raise Unsupported("instruction '%s'" % line)


def compile_function(text, name, bits):
    """(names of the arguments, Python function)."""
    match = re.search(r"^define i\d+ @%s\(([^)]*)\) \{\n(.*?)^\}" % name, text,
                      re.MULTILINE | re.DOTALL)
    if not match:
        raise Unsupported("no function @%s" % name)
    arguments = [a.split()[-1] for a in match.group(1).split(",")]
    body = []
    for line in match.group(2).split("\n"):
        line = line.split(";")[0].strip()
        if line.startswith("ret "):
            body.append("return " + variable(line.split()[-1], bits))
        elif line:
            body += translate(line, bits)
    source = "def f(%s):\n  %s\n" % (
        ", ".join(variable(a, bits) for a in arguments), "\n  ".join(body))
    scope = {"Poison": Poison,
             "sign": lambda x: x - (1 << bits) if x >> bits - 1 else x}
    exec(source, scope)
    return arguments, scope["f"]


class Poison(Exception):
    pass


def check(text):
    """Number of inputs; raises AssertionError with the first that differs."""
    count = len(compile_function(text, "src", 16)[0])
    bits = min(MAX_BITS, MAX_INPUT_BITS // count)
    names, source = compile_function(text, "src", bits)
    others, target = compile_function(text, "tgt", bits)
    if names != others:
        raise Unsupported("@src and @tgt have different arguments")
    for number in range(1 << bits * count):
        values = [number >> bits * k & (1 << bits) - 1 for k in range(count)]
        try:
            expected = source(*values)
        except Poison:
            continue
        try:
            found = target(*values)
        except Poison:
            found = "poison"
        if found != expected:
            raise AssertionError("%d bits: @src gives %s, @tgt %s for %s" % (
                bits, expected, found,
                ", ".join(map("%s = %d".__mod__, zip(names, values)))))
    return bits, 1 << bits * count


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE.ll")
    path = parser.parse_args().file
    try:
        with open(path) as f:
            print("%d bits: %d inputs agree" % check(f.read()))
    except (OSError, Unsupported, AssertionError) as e:
        sys.exit("%s: %s" % (path, e))


if __name__ == "__main__":
    main()
