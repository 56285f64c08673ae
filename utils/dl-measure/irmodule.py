# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of a module of IR as text: what they take, and what debug information calls
it. All is read line by line: what LLVM prints has one form."""
import re
from typing import Dict, List, NamedTuple, Optional

SYMBOL = r'@("[^"]+"|[\w.$-]+)'
LINKAGE = ("internal", "private", "linkonce_odr", "linkonce", "weak_odr", "weak")
SCALARS = {"i1": "i8", "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64", "half": "f16",
           "bfloat": "bf16", "float": "f32", "double": "f64", "ptr": "ptr"}


class Parameter(NamedTuple):
    type: str                # as IR has it
    attributes: str          # behind the type: "noundef signext"
    name: str                # of the source, or "argument 3"
    pointee: str             # what debug information says of a pointer: "f32", "struct", ""
    members: Dict[int, str]  # of a struct that it points to: byte -> name
    is_slice_length: bool    # rustc: the number of elements of the pointer in front of it

    @property
    def is_descriptor(self):
        """Of an array of Fortran."""
        return any("%s" in name for name in self.members.values())

    def scalar(self) -> Optional[str]:
        return SCALARS.get(self.type)


class Function(NamedTuple):
    symbol: str
    result: str              # type, with its attributes in front
    result_type: str
    parameters: List[Parameter]
    line: int                # of the text
    source_line: int         # 0: not known
    has_loops: bool
    has_flags: bool          # that permit another order, or approximations


class BadModule(Exception):
    """What is no IR as this reads it, in one line."""


def split_list(text):
    """At commas that are in no brackets."""
    parts, depth, start, quoted = [], 0, 0, False
    for i, c in enumerate(text):
        if c == '"':
            quoted = not quoted
        elif not quoted and c in "([{<":
            depth += 1
        elif not quoted and c in ")]}>":
            depth -= 1
        elif c == "," and depth == 0 and not quoted:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return parts + ([last] if last else [])


def close_of(text, at):
    """Where the parenthesis that opens at `at` is closed."""
    depth = 0
    for i in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
    raise BadModule("no end of '%s'" % text[at:at + 40])


def split_type(text):
    """(type, the rest) of what begins with a type."""
    match = re.match(r'(?:%"[^"]+"|%[\w.$-]+|[a-z]\w*)', text)
    if match:
        return match.group(0), text[match.end():].strip()
    depth = 0
    for i, c in enumerate(text):
        depth += {"<": 1, "[": 1, "{": 1, ">": -1, "]": -1, "}": -1}.get(c, 0)
        if depth == 0:
            return text[:i + 1], text[i + 1:].strip()
    raise BadModule("no type: '%s'" % text[:40])


RESULT_ATTRIBUTES = re.compile(
    r"(?:noundef|signext|zeroext|inreg|noalias|nonnull|range\([^)]*\)|nofpclass\([^)]*\)|"
    r"dereferenceable(?:_or_null)?\(\d+\)|align \d+|captures\([^)]*\))\s*")


def parse_result(text):
    """(attributes and type, type) of what stands in front of a symbol."""
    words = re.sub(r"^define\s+", "", text.strip())
    words = re.sub(r"^(?:%s|external|available_externally|dso_local|dso_preemptable|hidden|"
                   r"protected|default|local_unnamed_addr|unnamed_addr|\s)*"
                   % "|".join(LINKAGE), "", words)
    words = re.sub(r"^(?:fastcc|ccc|coldcc)\s+", "", words)
    rest = words
    while True:
        match = RESULT_ATTRIBUTES.match(rest)
        if not match:
            break
        rest = rest[match.end():]
    return words, split_type(rest)[0]


HEAD = 24                    # bytes of a descriptor of Fortran in front of its dimensions


class Metadata:
    """What debug information says of parameters."""

    def __init__(self, lines):
        self.nodes: Dict[str, str] = {}
        for line in lines:
            match = re.match(r"(!\d+) = (?:distinct )?(!.*)$", line)
            if match:
                self.nodes[match.group(1)] = match.group(2)
        self.variables: Dict[tuple, tuple] = {}
        for text in self.nodes.values():
            if text.startswith("!DILocalVariable") and "arg: " in text:
                scope, number = self.field(text, "scope"), self.field(text, "arg")
                self.variables[(scope, int(number))] = (
                    self.field(text, "name").strip('"'), self.field(text, "type"))

    @staticmethod
    def field(text, name):
        match = re.search(r'\b%s: ("[^"]*"|[^,)]+)' % name, text)
        return match.group(1) if match else ""

    def kind(self, node, depth=0):
        """"f32", "i32", "struct" or "" of a type; behind a pointer "*f32"."""
        text = self.nodes.get(node, "")
        if depth > 12 or not text:
            return ""
        if text.startswith("!DIBasicType"):
            size = self.field(text, "size")
            encoding = self.field(text, "encoding")
            if encoding == "DW_ATE_float":
                return {"16": "f16", "32": "f32", "64": "f64"}.get(size, "")
            return "i" + size if size in ("8", "16", "32", "64") else ""
        tag = self.field(text, "tag")
        base = self.field(text, "baseType")
        if tag in ("DW_TAG_pointer_type", "DW_TAG_reference_type",
                   "DW_TAG_rvalue_reference_type"):
            return "*" + self.kind(base, depth + 1)
        if tag == "DW_TAG_array_type" and "dataLocation: " in text:
            # A descriptor of Fortran.
            return "struct"
        if tag == "DW_TAG_array_type":
            return self.kind(base, depth + 1)
        if tag in ("DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type"):
            return "struct"
        if tag == "DW_TAG_enumeration_type":
            return "i32"
        return self.kind(base, depth + 1)

    def members(self, node):
        """Of the struct that a type is, or that it points to: byte -> name, with those of
        structs inside. %s: the struct, in numbers of descriptors of Fortran."""
        found, text = {}, self.nodes.get(node, "")
        if "DW_TAG_array_type" in text and "dataLocation: " in text:
            return {HEAD + 24 * i + 8 * j: "%s(%%s,%d)" % (name, i + 1)
                    for i, _ in enumerate(re.findall(
                        r"!\d+", self.nodes.get(self.field(text, "elements"), "")))
                    for j, name in enumerate(("lbound", "size", "stride"))}
        for _ in range(12):
            if self.field(text, "elements") or not self.field(text, "baseType"):
                break
            text = self.nodes.get(self.field(text, "baseType"), "")
        if "DW_TAG_structure_type" not in text and "DW_TAG_class_type" not in text:
            return found
        for element in re.findall(r"!\d+", self.nodes.get(self.field(text, "elements"), "")):
            member = self.nodes.get(element, "")
            if "DW_TAG_member" in member:
                at = int(self.field(member, "offset") or 0) // 8
                found[at] = self.field(member, "name").strip('"')
        return found


class Module:
    def __init__(self, text):
        self.lines = text.split("\n")
        self.metadata = Metadata(self.lines)
        self.types = [line for line in self.lines if re.match(r'%\S+ = type ', line)
                      or re.match(r'%"[^"]+" = type ', line)]
        self.header = [line for line in self.lines
                       if line.startswith(("target datalayout", "target triple"))]
        self.functions: Dict[str, Function] = {}
        for i, line in enumerate(self.lines):
            if line.startswith("define "):
                function = self.parse_define(i)
                if function:
                    self.functions[function.symbol] = function

    def body(self, function: Function):
        """Lines between `define` and the brace."""
        for line in self.lines[function.line + 1:]:
            if line == "}":
                return
            yield line

    def parse_define(self, at):
        line = self.lines[at]
        match = re.search(SYMBOL + r"\(", line)
        if not match or "available_externally" in line or " ..." in line \
                or "(...)" in line:
            return None
        end = close_of(line, match.end() - 1)
        result, result_type = parse_result(line[:match.start()])
        scope = re.search(r"!dbg (!\d+)", line[end:])
        node = scope.group(1) if scope else ""
        parameters = self.parse_parameters(split_list(line[match.end():end]), node)
        place = self.metadata.nodes.get(node, "")
        line_number = self.metadata.field(place, "line") if place else ""
        symbol = match.group(1).strip('"')
        return Function(symbol, result, result_type, parameters, at,
                        int(line_number or 0), self.loops_at(at),
                        self.flags_at(at))

    def parse_parameters(self, texts, node):
        """`node`: of the function in debug information."""
        parts = []               # (type, the rest, label, whether it is a length)
        for text in texts:
            kind, rest = split_type(text)
            name = re.search(r'%("[^"]+"|[\w.$-]+)$', rest)
            label = name.group(1).strip('"') if name else ""
            rest = rest[:name.start()].strip() if name else rest
            parts.append((kind, rest, label, bool(
                label.endswith(".1") and kind == "i64" and parts and parts[-1][0] == "ptr")))
        # Slices of rustc are two parameters and one variable, a place for the result is
        # none; of structs that are passed in parts nobody knows which is what.
        are_variables = [not is_length and "sret(" not in rest
                         for _, rest, _, is_length in parts]
        known = max([number for scope, number in self.metadata.variables if scope == node]
                    + [0])
        variable, parameters = 0, []
        for i, (kind, rest, label, is_length) in enumerate(parts):
            variable += are_variables[i]
            name, type_ = self.metadata.variables.get((node, variable), ("", "")) \
                if are_variables[i] and sum(are_variables) == known else ("", "")
            spoken = name or (label if not label.isdigit() else "")
            parameters.append(Parameter(
                kind, rest, spoken or "argument %d" % (i + 1),
                self.metadata.kind(type_).lstrip("*") if type_ else "",
                self.metadata.members(type_), is_length))
        return parameters

    def loops_at(self, at):
        """Whether a branch goes back."""
        seen = set()
        for line in self.lines[at + 1:]:
            if line == "}":
                return False
            label = re.match(r'("[^"]+"|[\w.$-]+):', line)
            if label:
                seen.add(label.group(1).strip('"'))
            elif any(target.strip('"') in seen
                     for target in re.findall(r'label %("[^"]+"|[\w.$-]+)', line)):
                return True
        return False

    def flags_at(self, at):
        """Whether an operation may be done otherwise than the source says."""
        for line in self.lines[at + 1:]:
            if line == "}":
                return False
            if re.search(r" = (?:tail )?f?\w+ (?:\w+ )*?(?:fast|reassoc|arcp|afn) ", line):
                return True
        return False

    def exported(self):
        """The text with all functions that have loops visible to others, so that none of
        them goes away."""
        lines = list(self.lines)
        for function in self.functions.values():
            if not function.has_loops:
                continue
            lines[function.line] = re.sub(
                r"^define (?:(?:%s|hidden|protected) )*" % "|".join(LINKAGE), "define ",
                lines[function.line])
            lines[function.line] = re.sub(r" comdat(?:\([^)]*\))?", "",
                                          lines[function.line])
        return "\n".join(lines)


def quote(symbol):
    return symbol if re.fullmatch(r"[\w.$-]+", symbol) else '"%s"' % symbol
