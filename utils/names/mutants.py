# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with one thing changed: another operator, comparison, function, number, array
or axis, another count, a term or a statement that is missing."""
import re

TOKEN = re.compile(r"\d+\.\d*(?:e[-+]?\d+)?f?|\d+e[-+]?\d+f?|\d+|[A-Za-z_]\w*|"
                   r"[-+*/]=|[<>=!]=|\+\+|&&|\|\||[^\s\w]")
OPERATORS = {"+": ["-"], "-": ["+"], "*": ["+", "/"], "/": ["*"], "+=": ["-=", "="],
             "-=": ["+="], "*=": ["/="], "/=": ["*="], ">": [">=", "<"],
             "<": ["<=", ">"], "==": ["!="]}
FUNCTIONS = {"fmaxf": ["fminf"], "fminf": ["fmaxf"], "expf": ["", "exp2f"], "logf": ["", "log2f"],
             "tanhf": ["", "erff"], "sqrtf": [""], "fabsf": [""], "erff": ["", "tanhf"],
             "sinf": ["cosf", ""], "cosf": ["sinf", ""]}


def closing(tokens, at):
    """Behind the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(tokens)):
        depth += (tokens[i] in "([{") - (tokens[i] in ")]}")
        if not depth:
            return i + 1
    return len(tokens)


def operand_end(tokens, at):
    """Behind the primary expression at `at`; None if there is none."""
    if at >= len(tokens):
        return None
    if tokens[at] == "(":
        return closing(tokens, at)
    if not re.match(r"[\w.]", tokens[at]):
        return None
    at += 1
    while at < len(tokens) and tokens[at] in ("(", "["):
        at = closing(tokens, at)
    return at


class Mutator:
    def __init__(self, case):
        self.case = case
        self.tokens = TOKEN.findall(case.code)
        self.headers = self.find_headers()
        self.subscripts = self.find_subscripts()
        self.found = {}

    def find_headers(self):
        """Tokens of FOR(i, N), and of for (...)."""
        inside = set()
        for i, t in enumerate(self.tokens):
            if t in ("FOR", "for"):
                inside.update(range(i, closing(self.tokens, i + 1)))
        return inside

    def find_subscripts(self):
        """Tokens inside of [...]: other elements are a view of the array, and may have
        the same name."""
        inside = set()
        for i, t in enumerate(self.tokens):
            if t == "[":
                inside.update(range(i + 1, closing(self.tokens, i) - 1))
        return inside

    def add(self, what, start, end, new):
        tokens = self.tokens[:start] + new + self.tokens[end:]
        text = " ".join(t for t in tokens if t)
        if tokens != self.tokens:
            self.found.setdefault(text, "%s: %s" % (what, " ".join(
                self.tokens[max(0, start - 3):end + 2])))

    def is_epsilon(self, i):
        """One is as good as another, or as none."""
        return i < len(self.tokens) and re.match(r"\d.*e-", self.tokens[i])

    def is_beside_number(self, i):
        return any(re.match(r"\d", t) for t in self.tokens[i - 1:i + 2])

    def replace(self, i):
        t = self.tokens[i]
        if self.is_epsilon(i + 1) or (self.case.rates and self.is_beside_number(i)):
            return
        for new in OPERATORS.get(t, ()):
            self.add("%s for %s" % (new, t), i, i + 1, [new])
        for new in FUNCTIONS.get(t, ()):
            self.add("%s for %s" % (new or "nothing", t), i, i + 1, [new])
        if self.case.rates:
            return
        if re.match(r"\d", t) and float(t.rstrip("f")) > 1e-3:
            self.add("twice", i, i + 1, ["( 2 *", t, ")"])
        elif t in ("0", "0.0f"):
            self.add("1 for 0", i, i + 1, ["1"])
        if t == "INFINITY":
            self.add("0 for infinity", i, i + 1, ["0"])

    def replace_names(self, i):
        t = self.tokens[i]
        arrays = {a.name: a for a in self.case.args}
        if t in arrays and not (i and self.tokens[i - 1] in "])"):
            for other in arrays.values():
                if other.name != t and other.sizes == arrays[t].sizes and \
                        (other.sizes or not self.case.rates):
                    self.add("%s for %s" % (other.name, t), i, i + 1, [other.name])
        if t in self.case.sizes:
            # All loops over an axis that has another size are a part of the array.
            if i not in self.headers or self.loops_over(t) > 1:
                self.add("one less", i, i + 1, ["(", t, "- 1 )"])
            for other in self.case.sizes if i not in self.headers else ():
                if other != t:
                    self.add("%s for %s" % (other, t), i, i + 1, [other])

    def loops_over(self, size):
        return sum(self.tokens[i] == size for i in self.headers)

    def change_axis(self, i):
        """Another element than that of the loop. All elements of an array in another
        order, as it stands there only once, are a view of it."""
        array = i - 1
        while array >= 0 and self.tokens[array] == "]":
            array = self.opening(array) - 1
        if self.tokens[i] != "[" or self.tokens.count(self.tokens[array]) < 2:
            return
        end = closing(self.tokens, i)
        self.add("[0]", i, end, ["[", "0", "]"])
        if end < len(self.tokens) and self.tokens[end] == "[":
            behind = closing(self.tokens, end)
            self.add("axes swapped", i, behind,
                     self.tokens[end:behind] + self.tokens[i:end])

    def opening(self, at):
        """The bracket that the one at `at` closes."""
        return max(i for i in range(at) if self.tokens[i] in "([{"
                   and closing(self.tokens, i) == at + 1)

    def drop_term(self, i):
        if self.case.rates and self.is_beside_number(i):
            return
        if self.tokens[i] in "+-*/" and not self.is_epsilon(i + 1):
            end = operand_end(self.tokens, i + 1)
            before = self.tokens[i - 1] if i else "("
            if end and re.match(r"[\w.)\]]", before):
                self.add("without", i, end, [])
                start = self.operand_start(i)
                if start is not None and self.tokens[i] in "*+":
                    self.add("without", start, i + 1, [])
                if self.tokens[i] in "-/" and start is not None:
                    self.add("swapped", start, end, self.tokens[i + 1:end]
                             + [self.tokens[i]] + self.tokens[start:i])

    def operand_start(self, i):
        """Where the primary expression in front of `i` begins."""
        for start in range(i):
            if operand_end(self.tokens, start) == i and \
                    (not start or not re.match(r"[\w.\]]", self.tokens[start - 1])):
                return start
        return None

    def drop_statement(self, i):
        if self.tokens[i] not in ("+=", "-=", "*=", "/=", "="):
            return
        start = i
        while start and self.tokens[start - 1] not in ";{})":
            start -= 1
        end = self.tokens.index(";", i) if ";" in self.tokens[i:] else None
        if end and self.tokens[start] not in ("float", "int"):
            self.add("statement missing", start, end, [])

    def run(self):
        """Pairs of what was changed and the text."""
        for i in range(len(self.tokens)):
            if i in self.subscripts:
                continue
            self.replace_names(i)
            if i in self.headers:
                continue
            self.replace(i)
            self.change_axis(i)
            self.drop_term(i)
            self.drop_statement(i)
        own = " ".join(self.tokens)
        return [(what, text) for text, what in self.found.items() if text != own]


def mutants(case):
    return Mutator(case).run()
