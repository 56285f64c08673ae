# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the remarks that -fsave-optimization-record writes, those of the plugin.

LLVM writes YAML of one form, document by document; what else YAML has is an error here,
with the line.
"""
import collections
import re
import textwrap

Remark = collections.namedtuple("Remark", "kind pass_name name file line column "
                                          "function args")
KINDS = {"!Passed", "!Missed", "!Analysis", "!AnalysisFPCommute", "!AnalysisAliasing",
         "!Failure"}
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "e": "\x1b"}


class BadRemarks(Exception):
    """A line that says where it is, and why it is none of remarks."""


def unquote(text):
    """The value of a scalar on one line."""
    if text.startswith("'") and text.endswith("'") and len(text) > 1:
        return text[1:-1].replace("''", "'")
    if text.startswith('"') and text.endswith('"') and len(text) > 1:
        def replace(match):
            code = match.group(1)
            return chr(int(code[1:], 16)) if len(code) > 1 else ESCAPES.get(code, code)
        return re.sub(r"\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|.)", replace, text[1:-1])
    return text


LOCATION = re.compile(r"\{ *File: *('(?:[^']|'')*'|\"(?:[^\"\\]|\\.)*\"|[^,]*), *"
                      r"Line: *(\d+), *Column: *(\d+) *\}$")


class Reader:
    """The remarks of one file."""

    def __init__(self, path, lines):
        self.path = path
        self.lines = lines
        self.number = 0

    def fail(self, why):
        raise BadRemarks("%s:%d: %s" % (self.path, self.number, why))

    def next_line(self):
        line = next(self.lines, None)
        if line is not None:
            self.number += 1
        return line

    def block(self, indent):
        """The text behind `|`, up to a line that is not further in."""
        text, line = [], self.next_line()
        while line is not None and (not line.strip()
                                    or len(line) - len(line.lstrip(" ")) > indent):
            text.append(line.rstrip())
            line = self.next_line()
        return textwrap.dedent("\n".join(text)), line

    def value(self, text, indent):
        """A scalar that begins with `text`, and the first line behind it."""
        text = text.strip()
        if text[:1] in ("|", ">"):
            return self.block(indent)
        line = self.next_line()
        # Long ones are broken between words.
        while line is not None and text[:1] in ("'", '"') and not self.is_closed(text):
            text += " " + line.strip()
            line = self.next_line()
        return unquote(text), line

    @staticmethod
    def is_closed(text):
        pattern = r"'(?:[^']|'')*'$" if text[0] == "'" else r'"(?:[^"\\]|\\.)*"$'
        return len(text) > 1 and re.match(pattern, text, re.DOTALL)

    def location(self, text):
        text = text.strip()
        line = self.next_line()
        while line is not None and not text.endswith("}"):
            text += " " + line.strip()
            line = self.next_line()
        match = LOCATION.match(text)
        if not match:
            self.fail("expected { File: ..., Line: N, Column: N }")
        return (unquote(match.group(1).strip()), int(match.group(2)),
                int(match.group(3))), line

    def arguments(self):
        """Pairs of key and value. Where a value has a place in the source, that is a
        further key of its entry."""
        args, line = [], self.next_line()
        while line is not None and re.match(r" +\S", line):
            match = re.match(r"( +)(- )? *(\w+): *(.*)$", line)
            if not match:
                self.fail("expected '- key: value'")
            if match.group(3) == "DebugLoc":
                _, line = self.location(match.group(4))
                continue
            value, line = self.value(match.group(4),
                                     len(match.group(1)) + len(match.group(2) or ""))
            args.append((match.group(3), value))
        return args, line

    def skip(self):
        """What stands behind a document that is of no interest: most are of others."""
        line = self.next_line()
        while line is not None and line != "...":
            line = self.next_line()
        return line

    def document(self, kind, line):
        fields = {}
        while line is not None and line.rstrip() not in ("...", "") \
                and not line.startswith("---"):
            match = re.match(r"(\w+): *(.*)$", line)
            if not match:
                self.fail("expected 'key: value'")
            key, text = match.groups()
            if key == "DebugLoc":
                fields[key], line = self.location(text)
            elif key == "Args":
                fields[key], line = self.arguments()
            else:
                fields[key], line = self.value(text, 0)
        for key in ("Pass", "Name", "Function"):
            if key not in fields:
                self.fail("a remark without '%s'" % key)
        file, row, column = fields.get("DebugLoc", (None, 0, 0))
        return Remark(kind[1:], fields["Pass"], fields["Name"], file, row, column,
                      fields["Function"], fields.get("Args", [])), line

    def remarks(self):
        line = self.next_line()
        while line is not None:
            line = line.rstrip()
            if line in ("...", ""):
                line = self.next_line()
                continue
            kind = line[4:]
            if not line.startswith("--- ") or kind not in KINDS:
                self.fail("no optimization remarks in YAML: expected '--- !Passed', "
                          "'--- !Missed' or the like")
            line = self.next_line()
            if line is not None and line.startswith("Pass:") \
                    and not line[5:].lstrip().startswith("dl-"):
                line = self.skip()
                continue
            remark, line = self.document(kind, line)
            if remark.pass_name.startswith("dl-"):
                yield remark


def read(path):
    """The plugin's remarks in a file; BadRemarks if it has no remarks."""
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return list(Reader(path, iter(f.read().split("\n"))).remarks())
    except OSError as e:
        raise BadRemarks("%s: %s" % (path, e.strerror))


def argument(remark, key):
    return next((value for name, value in remark.args if name == key), None)


def message(remark):
    """The text that people see: behind it may be what is for tools alone."""
    keep = remark.kind == "Passed"
    return "".join(value for name, value in remark.args if keep or name == "String")
