# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads kernels as text (docs/kernel-model.md) as far as tools need it: what its
parameters are for, and how much it computes and touches with numbers for them.

Scheduled kernels are read as plain ones are not: only what raising prints is meant.
"""
import re
from typing import Dict, List, NamedTuple, Optional, Tuple

BYTES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "u8": 1, "u16": 2, "u32": 4,
         "u64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8}
# What counts as arithmetic, and as how much of it. Comparisons and conversions are on
# the way.
ARITHMETIC = {"fadd": 1, "fsub": 1, "fmul": 1, "fdiv": 1, "frem": 1, "fneg": 1,
              "fmuladd": 2, "fma": 2, "add": 1, "sub": 1, "mul": 1, "sqrt": 1, "fabs": 1,
              "maxnum": 1, "minnum": 1, "maximum": 1, "minimum": 1, "smax": 1, "smin": 1,
              "umax": 1, "umin": 1}
NAME = r'%"[^"]*"|%[\w.$-]+|[A-Za-z_][\w.]*'
TOKEN = re.compile(r"\s*(%s|\d+|\.\.|<=|>=|==|[-+*()\[\],<>;:=])" % NAME)
AXIS = re.compile(r"(par|red|win|seq) ([A-Za-z_][\w.$]*)\[")


class BadKernel(Exception):
    """What is no text of a kernel, in one line."""


class Axis(NamedTuple):
    name: str
    role: str                # "par", "red", "win" or "seq"
    extents: List[tuple]     # polynomials, of which the smallest counts


class Access(NamedTuple):
    buffer: str
    subs: List[tuple]        # a polynomial for each dimension
    strides: List[tuple]     # empty: those of the declaration


class Leaf(NamedTuple):
    axes: Tuple[str, ...]    # around it, outermost first
    text: str
    stores: List[Access]
    loads: List[Access]


class Buffer(NamedTuple):
    type: str
    strides: List[tuple]


class Work(NamedTuple):
    """Of one call."""
    operations: float        # arithmetic; functions of a library count as one
    bytes: float             # of memory, each element once
    points: float            # of the innermost axes


class Parser:
    """Polynomials: ("int", n), ("name", x), ("load", Access), ("+", a, b), ("-", a, b),
    ("*", a, b), ("floordiv", a, b), ("mod", a, b)."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def peek(self):
        match = TOKEN.match(self.text, self.at)
        return match.group(1) if match else None

    def next(self):
        match = TOKEN.match(self.text, self.at)
        if not match:
            raise BadKernel("no kernel as text: '%s'" % self.text[:60])
        self.at = match.end()
        return match.group(1)

    def expect(self, token):
        if self.next() != token:
            raise BadKernel("no kernel as text: expected '%s' in '%s'"
                            % (token, self.text[:60]))

    def list_until(self, end):
        found = []
        while self.peek() != end:
            found.append(self.poly())
            if self.peek() != ",":
                break
            self.next()
        self.expect(end)
        return found

    def factor(self):
        token = self.next()
        if token == "(":
            inner = self.poly()
            self.expect(")")
            return inner
        if token == "-":
            return ("-", ("int", 0), self.factor())
        if token.isdigit():
            return ("int", int(token))
        if token in ("floordiv", "mod"):
            self.expect("(")
            left, right = self.list_until(")")
            return (token, left, right)
        if token == "zext" and self.peek() == "(":
            self.next()
            inner = self.poly()
            self.expect(")")
            return inner
        if self.peek() == "[":
            return ("load", self.access(token))
        return ("name", token)

    def access(self, name):
        self.expect("[")
        subs = self.list_until("]")
        strides = []
        if self.at < len(self.text) and self.text[self.at] == "(":
            self.next()
            strides = self.list_until(")")
        return Access(name, subs, strides)

    def term(self):
        left = self.factor()
        while self.peek() == "*":
            self.next()
            left = ("*", left, self.factor())
        return left

    def poly(self):
        left = self.term()
        while self.peek() in ("+", "-"):
            left = (self.next(), left, self.term())
        return left


def walk(poly):
    """All parts of a polynomial, itself first; not those inside accesses."""
    yield poly
    if poly[0] not in ("int", "name", "load"):
        for part in poly[1:]:
            yield from walk(part)


def names(poly):
    return {part[1] for part in walk(poly) if part[0] == "name"}


def loads(poly):
    return [part[1] for part in walk(poly) if part[0] == "load"]


def bounds(poly, env):
    """(least, most) with (least, most) for names; None where a name has none."""
    kind = poly[0]
    if kind == "int":
        return poly[1], poly[1]
    if kind == "name":
        return env.get(poly[1])
    if kind == "load":
        return env.get(poly[1].buffer + "[]")
    left, right = bounds(poly[1], env), bounds(poly[2], env)
    if left is None or right is None:
        return None
    if kind == "+":
        return left[0] + right[0], left[1] + right[1]
    if kind == "-":
        return left[0] - right[1], left[1] - right[0]
    if kind == "*":
        products = [a * b for a in left for b in right]
        return min(products), max(products)
    if right[0] <= 0:
        return None
    if kind == "floordiv":
        quotients = [a // b for a in left for b in right]
        return min(quotients), max(quotients)
    if left[0] >= 0 and left[1] < right[0]:
        return left
    return 0, right[1] - 1


class Kernel:
    """A kernel as raising prints it."""

    def __init__(self):
        self.kind = ""
        self.params: Dict[str, str] = {}     # name -> type
        self.buffers: Dict[str, Buffer] = {}
        self.axes: Dict[str, Axis] = {}
        self.leaves: List[Leaf] = []
        # Of needs: (least, polynomial, most).
        self.ranges: List[tuple] = []

    def environment(self, values) -> Optional[dict]:
        """Bounds of all names, with numbers for parameters; None: one is missing."""
        env = {name: (value, value) for name, value in values.items()}
        for axis in self.axes.values():
            found = [bounds(extent, env) for extent in axis.extents]
            if None in found:
                return None
            least, most = (min(pair[i] for pair in found) for i in (0, 1))
            env[axis.name] = (0, max(most - 1, 0))
            env["size " + axis.name] = (max(least, 0), max(most, 0))
        return env

    def touched(self, env) -> Optional[Dict[str, int]]:
        """Elements of each buffer in memory that are read or written, each once, as a
        box; None: an index is not known."""
        boxes = {}
        for access in (a for leaf in self.leaves for a in leaf.loads + leaf.stores):
            if access.buffer not in self.buffers:
                continue
            size = 1
            for sub in access.subs:
                found = bounds(sub, env)
                if found is None:
                    return None
                size *= found[1] - found[0] + 1
            boxes[access.buffer] = max(boxes.get(access.buffer, 0), size)
        return boxes

    def work(self, values) -> Optional[Work]:
        env = self.environment(values)
        boxes = self.touched(env) if env is not None else None
        if boxes is None:
            return None
        operations = points = 0
        for leaf in self.leaves:
            rounds = 1.0
            for name in leaf.axes:
                # Of triangles the half.
                rounds *= sum(env["size " + name]) / 2
            found = re.findall(r"(?<![\w%@.])([a-z]\w*)(?:<[^>]*>)?\(", leaf.text)
            count = sum(ARITHMETIC.get(name, 0) for name in found) + leaf.text.count("@")
            operations += rounds * count
            points = max(points, rounds)
        size = sum(boxes[name] * BYTES.get(self.buffers[name].type, 4) for name in boxes)
        return Work(operations, size, points)


def split_top(text, separators):
    """Parts of `text` between words of `separators` that are in no parentheses."""
    parts, depth, start, i = [], 0, 0, 0
    while i < len(text):
        if text[i] in "([":
            depth += 1
        elif text[i] in ")]":
            depth -= 1
        word = next((w for w in separators if depth == 0 and text.startswith(w, i)), None)
        if word:
            parts.append(text[start:i])
            i += len(word)
            start = i
        else:
            i += 1
    return parts + [text[start:]]


def accesses(text, known):
    """Those of `known` in a piece of text, those inside of others too."""
    found = []
    for match in re.finditer(r"(%s)\[" % NAME, text):
        if match.group(1) in known:
            parser = Parser(text)
            parser.at = match.end() - 1
            found.append(parser.access(match.group(1)))
    return found


def join_lines(text):
    """Lines, of which parentheses may go on in the next one."""
    joined, depth = [], 0
    for line in text.split("\n"):
        line = line.rstrip()
        if depth > 0 and joined:
            joined[-1] += " " + line.strip()
        elif line.strip() and not line.lstrip().startswith(("#", ";")):
            joined.append(line)
        depth += sum(line.count(c) for c in "([") - sum(line.count(c) for c in ")]")
    return joined


def parse_axes(kernel, line):
    found = []
    for match in AXIS.finditer(line):
        parser = Parser(line)
        parser.at = match.end()
        if parser.peek() == "min":
            parser.next()
            parser.expect("(")
            extents = parser.list_until(")")
        else:
            extents = [parser.poly()]
        kernel.axes[match.group(2)] = Axis(match.group(2), match.group(1), extents)
        found.append(match.group(2))
    return found


def parse_buffers(kernel, text):
    for match in re.finditer(r"(%s):(\w+)(?:\[\d+\])?(\()?" % NAME, text):
        strides = [("int", 1)]
        if match.group(3):
            parser = Parser(text)
            parser.at = match.end()
            strides = parser.list_until(")")
        kernel.buffers[match.group(1)] = Buffer(match.group(2), strides)


def parse_ranges(kernel, text):
    for match in re.finditer(r"inrange\((-?\d+) <= (.*?) <= (-?\d+)\)", text):
        kernel.ranges.append((int(match.group(1)), Parser(match.group(2)).poly(),
                              int(match.group(3))))


def parse(text) -> Kernel:
    lines = join_lines(text)
    if not lines or not lines[0].startswith("kernel "):
        raise BadKernel("no kernel as text: '%s'" % text[:60])
    kernel = Kernel()
    kernel.kind = re.split(r"\s{2,}", lines[0])[-1]
    stack = []                        # (indentation, axes)
    for line in lines[1:]:
        words, indent = line.strip(), len(line) - len(line.lstrip(" "))
        while stack and stack[-1][0] >= indent:
            stack.pop()
        if words.startswith("params "):
            for word in re.findall(r"(%s)(?::(\w+))?" % NAME, words[7:]):
                kernel.params[word[0]] = word[1] or "i64"
        elif words.startswith("buffers "):
            parse_buffers(kernel, words[8:])
        elif words.startswith("local "):
            continue
        elif words.startswith("needs "):
            parse_ranges(kernel, words)
        elif AXIS.match(words):
            stack.append((indent, parse_axes(kernel, words)))
        else:
            around = tuple(name for _, some in stack for name in some)
            targets, _, rest = words.partition(" = ")
            known = set(kernel.buffers)
            is_let = words.startswith("let ")
            stores = [] if is_let or not rest else \
                [a for part in [re.sub(r"^\(|\)$", "", targets)]
                 for a in accesses(part, known)][:1]
            kernel.leaves.append(Leaf(around, rest or words, stores,
                                      accesses(rest or words, known)))
    return kernel
