# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The float64 reference of a module: the same IR with doubles for all floating-point
numbers of fewer bits, and counts of what is computed.

Memory stays as it is, with a double beside each number (shadow.c). The order of operations
stays, too; flags that permit another one are dropped.
"""
import re
import struct

NARROW = {"float": "f32", "half": "f16", "bfloat": "bf16"}
WORD = re.compile(r"(?<![\w.%@\"])(float|half|bfloat)(?![\w.\"])")
FLAGS = re.compile(r"\b(?:fast|reassoc|nnan|ninf|nsz|arcp|contract|afn) ")
RESULT = re.compile(r"\s+(?:(%[\w.$\"-]+) = )?((?:tail |musttail |notail )?\w+) ?(.*)$")
COUNTS = {"fadd": 1, "fsub": 1, "fmul": 1, "fdiv": 1, "frem": 1}
CALL_COUNTS = {"fmuladd": 2, "fma": 2}
# Those whose result is moved about, not computed.
UNCOUNTED = ("llvm.fabs", "llvm.copysign", "llvm.lifetime", "llvm.memcpy", "llvm.memset",
             "llvm.memmove", "llvm.dbg", "llvm.assume")
MATH = set("""acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp
exp10 exp2 expm1 fabs floor fma fmax fmin fmod ldexp lgamma log log10 log1p log2 nearbyint pow
remainder rint round sin sinh sqrt tan tanh tgamma trunc hypot fdim""".split())


class NoReference(Exception):
    """What the reference cannot say, in one line."""


def half_constant(match):
    bits = int(match.group(2), 16)
    if match.group(1) == "H":
        return repr_double(struct.unpack("<e", struct.pack("<H", bits))[0])
    return repr_double(struct.unpack("<f", struct.pack("<I", bits << 16))[0])


def repr_double(value):
    return "0x%016X" % struct.unpack("<Q", struct.pack("<d", value))[0]


def widen(text):
    """Types and constants of an instruction."""
    text = re.sub(r"\b0x([HR])([0-9A-Fa-f]{4})\b", half_constant, text)
    return WORD.sub("double", FLAGS.sub("", text))


def check(line):
    """What stays as it is in memory and is taken apart in registers has no double."""
    if re.search(r"<(?:vscale x )?\d+ x (?:float|half|bfloat)>", line):
        raise NoReference("vectors in the source")
    if re.match(r"\s+(?:%\S+ = )?(?:insertvalue|extractvalue|atomicrmw|cmpxchg|va_arg)\b", line) \
            and WORD.search(line):
        raise NoReference("structs of numbers in registers")


class Writer:
    """Rewrites a module."""

    def __init__(self, text):
        self.text = text
        self.defined = set(re.findall(r'^define [^\n]*?@("[^"]+"|[\w.$-]+)\(', text,
                                      re.MULTILINE))
        self.declared = {}
        self.fresh = 0
        self.count = 0               # of the block that is being written
        self.missing = {}            # function -> why it has no reference

    def name(self):
        self.fresh += 1
        return "%%dl.wide.%d" % self.fresh

    def declare(self, name, line):
        self.declared[name] = line

    def load(self, result, rest):
        match = re.match(r"(?:volatile )?(float|half|bfloat), ptr (.*)$", rest)
        if not match:
            return None
        name = "dl_measure_load_" + NARROW[match.group(1)]
        self.declare(name, "declare double @%s(ptr)" % name)
        place = match.group(2).split(", align")[0].split(", !")[0]
        return ["  %s = call double @%s(ptr %s)" % (result, name, place)]

    def store(self, rest):
        match = re.match(r"(?:volatile )?(float|half|bfloat) (.*), ptr (.*)$", rest)
        if not match:
            return None
        name = "dl_measure_store_" + NARROW[match.group(1)]
        self.declare(name, "declare void @%s(double, ptr)" % name)
        value, place = match.group(2), match.group(3).split(", align")[0].split(", !")[0]
        return ["  call void @%s(%s, ptr %s)" % (name, widen("double " + value), place)]

    def cast(self, result, op, rest):
        """Conversions between formats are none any more."""
        match = re.match(r"(?:\w+ )*?(float|half|bfloat|double) (\S+) to (\w+)", rest)
        if op in ("fpext", "fptrunc") and match:
            return ["  %s = bitcast double %s to double"
                    % (result, widen("float " + match.group(2)).split(" ", 1)[1])]
        match = re.match(r"(\w+) (\S+) to (\w+)", rest)
        if op != "bitcast" or not match:
            return None
        source, value, target = match.groups()
        narrow = self.name()
        if source in NARROW:
            value = widen(source + " " + value).split(" ", 1)[1]
            return ["  %s = fptrunc double %s to %s" % (narrow, value, source),
                    "  %s = bitcast %s %s to %s" % (result, source, narrow, target)]
        if target in NARROW:
            return ["  %s = bitcast %s %s to %s" % (narrow, source, value, target),
                    "  %s = fpext %s %s to double" % (result, target, narrow)]
        return None

    def call(self, result, op, rest):
        match = re.search(r'@("[^"]+"|[\w.$-]+)\(', rest)
        if not match:
            if WORD.search(rest):
                raise NoReference("calls through pointers")
            return None
        name = match.group(1)
        plain = name[:-1] if name.endswith("f") and name[:-1] in MATH else name
        if name.startswith("llvm."):
            self.count += next((n for key, n in CALL_COUNTS.items() if "." + key + "." in name),
                               0 if name.startswith(UNCOUNTED) else 1) * bool(
                                   re.search(r"\.(?:f16|bf16|f32|f64)", name))
        elif plain in MATH:
            self.count += 1
        if not WORD.search(rest):
            return None
        if name in self.defined:
            return ["  %s%s %s" % (result + " = " if result else "", op, widen(rest))]
        if name.startswith("llvm."):
            new = re.sub(r"\.(?:f16|bf16|f32)\b", ".f64", name)
        elif plain in MATH:
            new = plain
        else:
            raise NoReference("a call of '%s'" % name)
        text = widen(rest.replace("@" + name, "@" + new, 1))
        return ["  %s%s %s" % (result + " = " if result else "", op, text)]

    def instruction(self, line):
        check(line)
        match = RESULT.match(line)
        if not match:
            return [line]
        result, op, rest = match.groups()
        self.count += COUNTS.get(op, 0)
        words = None
        if op == "load":
            words = self.load(result, rest)
        elif op == "store":
            words = self.store(rest)
        elif op in ("fpext", "fptrunc", "bitcast"):
            words = self.cast(result, op, rest)
        elif op.endswith("call"):
            words = self.call(result, op, rest)
        elif op in ("getelementptr", "alloca"):
            return [line]
        elif op == "invoke" and WORD.search(rest):
            raise NoReference("calls that may throw")
        if words:
            return words
        if op in ("load", "store"):
            if WORD.search(line.split("ptr")[0]):
                raise NoReference("structs of numbers in memory")
            return [line]
        return [widen(line)]

    def flush(self, out):
        """What a block computes, in front of how it ends."""
        if self.count:
            a, b = self.name(), self.name()
            out += ["  %s = load i64, ptr @dl_measure_operations" % a,
                    "  %s = add i64 %s, %d" % (b, a, self.count),
                    "  store i64 %s, ptr @dl_measure_operations" % b]
        self.count = 0

    def function(self, lines):
        """A function, from `define` to the brace; what has no reference has no body."""
        self.count = 0
        out = [widen(lines[0])]
        try:
            for line in lines[1:-1]:
                if re.match(r"\s+(?:br|ret|switch|unreachable|resume|indirectbr)\b", line):
                    self.flush(out)
                    out.append(widen(line))
                elif line.startswith("  ") and not line.lstrip().startswith(";"):
                    out += self.instruction(line)
                else:
                    out.append(line)
        except NoReference as e:
            name = re.search(r'@("[^"]+"|[\w.$-]+)\(', lines[0]).group(1).strip('"')
            self.missing[name] = str(e)
            return [out[0], "  unreachable", "}"]
        return out + ["}"]

    def rewrite(self):
        out, lines = [], None
        for line in self.text.split("\n"):
            if line.startswith("define "):
                lines = [line]
            elif lines is not None:
                lines.append(line)
                if line == "}":
                    out += self.function(lines)
                    lines = None
            elif line.startswith("declare "):
                self.keep_declaration(line)
            else:
                out.append(line)
        out += list(self.declared.values())
        out.append("@dl_measure_operations = external global i64")
        return "\n".join(out) + "\n"

    def keep_declaration(self, line):
        match = re.search(r'@("[^"]+"|[\w.$-]+)\(', line)
        if not match:
            return
        name = match.group(1)
        if WORD.search(line):
            plain = name[:-1] if name.endswith("f") and name[:-1] in MATH else name
            new = re.sub(r"\.(?:f16|bf16|f32)\b", ".f64", name) \
                if name.startswith("llvm.") else plain
            line = widen(line.replace("@" + name, "@" + new, 1))
            name = new
        # Numbers of attributes may differ, the rest does not.
        self.declared.setdefault(name, re.sub(r" #\d+", "", line))


def spread(text, missing):
    """What calls a function without a reference has none either."""
    calls = {}
    for match in re.finditer(r'^define [^\n]*?@("[^"]+"|[\w.$-]+)\(.*?^}', text,
                             re.MULTILINE | re.DOTALL):
        body = match.group(0).split("\n", 1)[1]
        calls[match.group(1).strip('"')] = {
            name.strip('"') for name in re.findall(r'@("[^"]+"|[\w.$-]+)', body)}
    found = dict(missing)
    while True:
        new = {name: "it calls '%s': %s" % (callee, found[callee])
               for name, callees in calls.items() if name not in found
               for callee in sorted(callees & set(found))[:1]}
        if not new:
            return found
        found.update(new)


def rewrite(text):
    """(the reference, functions that have none with why not). `text`: optimized by SROA
    alone, without debug information."""
    writer = Writer(text)
    return writer.rewrite(), spread(text, writer.missing)
