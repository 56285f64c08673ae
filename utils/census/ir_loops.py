# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops of textual IR that compute on arrays, with their lines in the source.

Blocks and loops are what opt's print<loops> says; what they do is read from the text.
"""
import collections
import re

LOOP = re.compile(r"^( *)(?:Parallel )?Loop at depth (\d+) containing: (.*)$")
INSTRUCTION = re.compile(r"^  (?:(%\S+) = )?(?:tail |musttail |notail )?(\w+)(.*)$")
FLOAT = re.compile(r"\b(?:float|double|half|bfloat|x86_fp80)\b")
VALUE = re.compile(r"%[-\w.$]+|%\"[^\"]*\"")


class Loop:
    """A loop that computes on arrays itself."""

    def __init__(self, function, place, what):
        self.function, self.place, self.what = function, place, what
        self.lines = set()   # with those of loops inside
        self.own = set()     # without
        self.starts = set()  # of this loop and those around it


class Metadata:
    """Places in the source."""

    def __init__(self, text):
        self.nodes = dict(re.findall(r"^(!\d+) = (.*)$", text, re.MULTILINE))
        self.files = {}

    def field(self, node, name):
        match = re.search(r"\b%s: (\"[^\"]*\"|[^,)]+)" % name, self.nodes.get(node, ""))
        return match.group(1).strip('"') if match else None

    def file_of(self, scope):
        """The file that a scope, or a scope around it, is in."""
        if scope not in self.files:
            node, seen = scope, set()
            while node and node not in seen and not self.field(node, "file"):
                seen.add(node)
                node = self.field(node, "scope")
            file = self.field(node, "file") if node else None
            name = self.field(file, "filename") or ""
            folder = self.field(file, "directory") or ""
            self.files[scope] = name if name.startswith("/") or not folder \
                else folder + "/" + name
        return self.files[scope]

    def chain(self, location):
        """(file, line) of a DILocation and of all calls that it was inlined by."""
        found = []
        while location and "DILocation" in self.nodes.get(location, ""):
            line = int(self.field(location, "line") or 0)
            if line:
                found.append((self.file_of(self.field(location, "scope")), line))
            location = self.field(location, "inlinedAt")
        return found


class Function:
    def __init__(self, name):
        self.name, self.blocks = name, collections.OrderedDict()
        self.users, self.types = {}, {}


def functions(text):
    """Name -> function, with the instructions of its blocks."""
    found, function, block = {}, None, None
    for line in text.split("\n"):
        if line.startswith("define "):
            match = re.search(r"@(\"[^\"]*\"|[-\w.$]+)\(", line)
            function = found[match.group(1).strip('"')] = Function(match.group(1).strip('"'))
            block = function.blocks["entry"] = []
        elif line.startswith("}"):
            function = None
        elif function:
            label = re.match(r"^(\"[^\"]*\"|[-\w.$]+):", line)
            if label:
                name = label.group(1).strip('"')
                if list(function.blocks) == ["entry"] and not function.blocks["entry"]:
                    del function.blocks["entry"]
                block = function.blocks[name] = []
            elif INSTRUCTION.match(line):
                block.append(line)
    return found


def printed_loops(text):
    """Function -> loops as (depth, names of blocks), as print<loops> lists them."""
    found, current = {}, None
    for line in text.split("\n"):
        match = re.match(r"Loop info for function '(.*)':", line)
        if match:
            current = found.setdefault(match.group(1), [])
            continue
        match = LOOP.match(line)
        if match and current is not None:
            names = [re.sub(r"<\w+>", "", n).lstrip("%").strip('"')
                     for n in re.split(r",(?=%)", match.group(3))]
            current.append((int(match.group(2)), names))
    return found


class Body:
    """What the instructions of a loop do."""

    def __init__(self, lines, inside):
        self.own = [INSTRUCTION.match(line) for line in lines]
        self.defined = {m.group(1): m for m in inside}

    def moves(self, pointer, seen=None):
        """Whether an address changes in the loop: an element."""
        m = self.defined.get(pointer)
        if not m:
            return False
        seen = seen or set()
        if pointer in seen:
            return False
        seen.add(pointer)
        if m.group(2) == "phi":
            return "ptr" in m.group(3)
        if m.group(2) != "getelementptr":
            return False
        operands = VALUE.findall(m.group(3))
        return any(o in self.defined for o in operands[1:]) or \
            any(self.moves(o, seen) for o in operands[:1])

    def pointer_of(self, m):
        match = re.search(r"ptr (%[-\w.$]+|%\"[^\"]*\")", m.group(3))
        return match.group(1) if match else None

    def what(self):
        """One word on what it computes; None: nothing on arrays."""
        loads = [m for m in self.own if m.group(2) == "load"
                 and self.moves(self.pointer_of(m))]
        stores = [m for m in self.own if m.group(2) == "store"
                  and self.moves(self.pointer_of(m))]
        sums = [m for m in self.own if m.group(2) == "phi" and FLOAT.search(m.group(3))]
        if any(FLOAT.search(m.group(3)) for m in stores):
            return "stores numbers"
        if any(FLOAT.search(m.group(3)) for m in loads) and \
                (sums or any(m.group(2) == "store" for m in self.own)):
            return "adds up numbers"
        arithmetic = [m for m in self.own if m.group(2) in (
            "mul", "fmul", "fadd", "fsub", "fdiv", "sdiv", "udiv", "shl", "ashr")]
        if loads and stores and arithmetic:
            return "computes with integers"
        return None


def find(text, printed):
    """The loops of a module, by its text and what print<loops> says of it."""
    metadata = Metadata(text)
    known = functions(text)
    result = []
    for name, loops in printed_loops(printed).items():
        function = known.get(name)
        if not function:
            continue
        around = []
        for i, (depth, blocks) in enumerate(loops):
            inner = set()
            for other_depth, other in loops[i + 1:]:
                if other_depth <= depth:
                    break
                inner.update(other)
            lines = [line for b in blocks for line in function.blocks.get(b, [])]
            own = [line for b in blocks if b not in inner
                   for line in function.blocks.get(b, [])]
            starts = start_of(metadata, own)
            around = around[:depth - 1] + [starts]
            parsed = [INSTRUCTION.match(line) for line in lines]
            what = Body(own, [m for m in parsed if m.group(1)]).what()
            if not what:
                continue
            everywhere, outside = places_of(metadata, lines), places_of(metadata, own)
            if everywhere:
                loop = Loop(name, starts[0] if starts else min(everywhere), what)
                loop.lines = everywhere | set(starts)
                loop.own = outside | set(starts)
                loop.starts = {p for some in around for p in some}
                result.append(loop)
    return result


def places_of(metadata, lines):
    found = set()
    for line in lines:
        match = re.search(r"!dbg (!\d+)", line)
        found.update(metadata.chain(match.group(1)) if match else ())
    return found


def start_of(metadata, lines):
    """Where the source has the loop, by what its latch says."""
    for line in lines:
        match = re.search(r"!llvm\.loop (!\d+)", line)
        if match:
            for node in re.findall(r"!\d+", metadata.nodes.get(match.group(1), ""))[1:]:
                if "DILocation" in metadata.nodes.get(node, ""):
                    return metadata.chain(node)
    return []
