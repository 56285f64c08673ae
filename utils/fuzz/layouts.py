#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random networks over private arrays, with and without dl-layout: the same bits.

    utils/fuzz/layouts.py [--clang CLANG] [--opt OPT] [--plugin PLUGIN] [--seed 1]
        [--networks 400] [--batch 40] [--flag=FLAG]... [--keep FOLDER]

Shapes are small and odd: C from 1 to 40, H and W from 1 to 9, padding 0 to 2, strides
1 to 3; channels are first or, in a quarter, last; arrays are static, fields of one object, or local, and hold one tensor after the
other; layers may be functions that are passed theirs. Some arrays have initial values, parts
that are set or copied alone, rows that are left, single elements that are read. Both builds
are compiled without other passes of the plugin. Each batch asks for one of the orders.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile


class Tensor:
    def __init__(self, name, c, h, w, last):
        self.name, self.c, self.h, self.w = name, c, h, w
        self.last = last

    @property
    def size(self):
        return self.c * self.h * self.w

    def at(self, c, i, j):
        if self.last:
            return "%s[((%s)*%d + %s)*%d + %s]" % (self.name, i, self.w, j, self.c, c)
        return "%s[((%s)*%d + %s)*%d + %s]" % (self.name, c, self.h, i, self.w, j)


class Network:
    """One function f<number>(in, out) and its arrays."""

    def __init__(self, rnd, number):
        self.rnd, self.number = rnd, number
        self.arrays, self.body, self.locals = [], [], []
        self.type = rnd.choice(TYPES + ["float", "float"])
        self.weights = 0
        self.channels_last = rnd.random() < 0.25
        self.build()

    def pick(self):
        return self.rnd.choice([1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 32, 40,
                                self.rnd.randint(1, 40)])

    def new(self, c, h, w):
        """A private array, maybe one that held another tensor before."""
        size = c * h * w
        fits = [a for a in self.arrays if a[1] >= size and a[0] != self.last]
        if fits and self.rnd.random() < 0.5:
            return Tensor(self.rnd.choice(fits)[0], c, h, w, self.channels_last)
        name = "t%d_%d" % (self.number, len(self.arrays))
        size += self.rnd.choice([0, 0, 0, 1, 7, size])
        self.arrays.append((name, size))
        return Tensor(name, c, h, w, self.channels_last)

    def weight(self, size):
        """A constant array of `size` numbers."""
        name = "w%d_%d" % (self.number, self.weights)
        self.weights += 1
        numbers = ", ".join(str(self.rnd.randint(-9, 9)) for _ in range(size))
        kind = self.rnd.choice(["const ", "const ", ""])
        self.locals.append("static %s%s %s[%d] = {%s};" % (
            kind, self.type, name, size, numbers))
        return name

    def loops(self, t, inside, order="cij"):
        bounds = {"c": t.c, "i": t.h, "j": t.w}
        heads = "".join("for (int %s = 0; %s < %d; %s++) " % (a, a, bounds[a], a)
                        for a in order)
        self.body.append(heads + "{ " + inside + " }")

    def order(self):
        return self.rnd.choice(["cij", "cij", "cij", "ijc", "icj"])

    def conv(self, x, last):
        rnd = self.rnd
        depthwise = rnd.random() < 0.3
        r, s, pad, stride = (rnd.randint(1, 3), rnd.randint(1, 3), rnd.randint(0, 2),
                             rnd.randint(1, 3))
        h, w = (x.h + 2 * pad - r) // stride + 1, (x.w + 2 * pad - s) // stride + 1
        if h < 1 or w < 1:
            return None
        k = x.c if depthwise else self.pick()
        y = self.output(k, h, w, last)
        per = r * s * (1 if depthwise else x.c)
        weights, bias = self.weight(k * per), self.weight(k)
        channel = "c" if depthwise else "l"
        head = "" if depthwise else "for (int l = 0; l < %d; l++) " % x.c
        index = "(c*%d + %s)" % (per, "m*%d + n" % s if depthwise else
                                 "(l*%d + m)*%d + n" % (r, s))
        tests = ("if (a < 0 || a >= %d || b < 0 || b >= %d) continue; " % (x.h, x.w)
                 if pad or rnd.random() < 0.2 else "")
        into = rnd.random() < 0.5
        acc = y.at("c", "i", "j") if into else "s"
        first = "%s%s = %s[c]; " % ("" if into else self.type + " ", acc, bias)
        self.loops(y, first + head + (
            "for (int m = 0; m < %d; m++) for (int n = 0; n < %d; n++) { "
            "int a = i*%d + m - %d, b = j*%d + n - %d; %s%s += %s * %s[%s]; } " % (
                r, s, stride, pad, stride, pad, tests, acc, x.at(channel, "a", "b"),
                weights, index)) + ("" if into else "%s = s;" % y.at("c", "i", "j")))
        return y

    def pool(self, x, last):
        rnd = self.rnd
        size, stride = rnd.randint(1, 3), rnd.randint(1, 3)
        h, w = (x.h - size) // stride + 1, (x.w - size) // stride + 1
        if h < 1 or w < 1:
            return None
        y = self.output(x.c, h, w, last)
        step = rnd.choice(["s = s > v ? s : v;", "s += v;"])
        self.loops(y, "%s s = 0; for (int m = 0; m < %d; m++) for (int n = 0; n < %d; n++) "
                   "{ %s v = %s; %s } %s = s;" % (
                       self.type, size, size, self.type,
                       x.at("c", "i*%d + m" % stride, "j*%d + n" % stride), step,
                       y.at("c", "i", "j")), self.order())
        return y

    def norm(self, x, last):
        y = self.output(x.c, x.h, x.w, last)
        if self.rnd.random() < 0.3:
            name = self.shared("scale", "int c, int n", (
                "for (int i = 0; i < c; i++) for (int j = 0; j < n; j++) "
                "y[i*n + j] = x[i*n + j] * 3 + %s;" % self.rnd.choice(["i", "j", "1"])))
            self.body.append("%s(%s, %s, %d, %d);" % (name, x.name, y.name, x.c,
                                                      x.h * x.w))
            return y
        a, b = self.weight(x.c), self.weight(x.c)
        self.loops(y, "%s v = %s * %s[c] + %s[c]; %s = v > 0 ? v : 0;" % (
            self.type, x.at("c", "i", "j"), a, b, y.at("c", "i", "j")), self.order())
        return y

    def shared(self, name, head, body):
        """A function that layers share, which are passed their sizes."""
        name += str(self.number)
        text = "static %svoid %s(const %s *x, %s *y, %s) { %s }" % (
            self.rnd.choice(["", "__attribute__((noinline)) "]), name, self.type,
            self.type, head, body)
        if not any(" %s(" % name in line for line in self.locals):
            self.locals.append(text)
        return name

    def flat(self, x, last):
        y = self.output(x.c, x.h, x.w, last)
        if self.rnd.random() < 0.3:
            name = self.shared("relu", "int n", "for (int i = 0; i < n; i++) "
                               "y[i] = x[i] > 0 ? x[i] : 0;")
            self.body.append("%s(%s, %s, %d);" % (name, x.name, y.name, x.size))
            return y
        self.body.append("for (int i = 0; i < %d; i++) %s[i] = %s[i] > 0 ? %s[i] : 0;" % (
            x.size, y.name, x.name, x.name))
        return y

    def resize(self, x, last):
        """Each element several times, as upsampling does."""
        up, wide, groups = (self.rnd.randint(1, 3) for _ in range(3))
        if x.size * up * wide * groups > 20000:
            return None
        y = self.output(x.c * groups, x.h * up, x.w * wide, last)
        self.loops(y, "%s = %s;" % (y.at("c", "i", "j"), x.at(
            "c / %d" % groups, "i / %d" % up, "j / %d" % wide)), self.order())
        return y

    def add(self, x, last):
        y = self.output(x.c, x.h, x.w, last)
        self.loops(y, "%s = %s + %s;" % (
            y.at("c", "i", "j"), x.at("c", "i", "j"),
            x.at("c", "i", self.rnd.choice(["j", "%d - j" % (x.w - 1)]))), self.order())
        return y

    def copy(self, x, last):
        """All of it, in parts of whole rows, by rows, or with a part that is set."""
        y = self.output(x.c, x.h, x.w, last)
        size = "sizeof(%s)" % self.type
        call = self.rnd.choice(["memcpy", "memcpy", "memmove"])
        plane = x.h * x.w
        if self.rnd.random() < 0.4:
            row = self.rnd.choice([x.w, x.w, plane])
            set_ = self.rnd.choice(["", "", "if (i % 3 == 1) { memset({y}, 0, {n}); continue; } "])
            part = self.rnd.choice(["", "", "if (i == 1) continue; "])
            self.body.append(("for (int i = 0; i < %d; i++) { %s%s%s({y}, {x}, {n}); }" % (
                x.size // row, part, set_, call)).replace("{y}", "%s + i*%d" % (y.name, row))
                .replace("{x}", "%s + i*%d" % (x.name, row))
                .replace("{n}", "%d * %s" % (row, size)))
            return y
        at = self.rnd.choice([0, 0, x.size, self.rnd.randint(0, x.c) * plane,
                              self.rnd.randint(0, x.size)])
        for first, end in ((0, at), (at, x.size)):
            if first != end:
                self.body.append("%s(%s + %d, %s + %d, %d * %s);" % (
                    call, y.name, first, x.name, first, end - first, size))
        if self.rnd.random() < 0.3:
            first = self.rnd.choice([0, self.rnd.randrange(x.c) * plane])
            self.body.append("memset(%s + %d, %d, %d * %s);" % (
                y.name, first, self.rnd.choice([0, 0, 1]),
                self.rnd.choice([plane, plane, x.size - first, 1]), size))
        return y

    def output(self, c, h, w, last):
        if last:
            return Tensor("out", c, h, w, self.channels_last)
        self.last = self.current
        return self.new(c, h, w)

    def spoil(self, x):
        """What dl-layout has to leave alone or to follow."""
        n = self.type
        what = self.rnd.choice([
            "%s[%d] += 1;" % (x.name, self.rnd.randrange(x.size)),
            "memset(%s, 0, %d * sizeof(%s));" % (x.name, max(1, x.size // 2), n),
            "{ %s s = 0; for (int i = 0; i < %d; i++) s = s * 3 + %s[i]; out[0] = s; }" % (
                n, x.size, x.name),
            "for (int c = 0; c + 1 < %d; c++) for (int j = 0; j < %d; j++) "
            "%s[c*%d + j] += 1;" % (x.c, x.h * x.w + 1, x.name, x.h * x.w),
            "for (int i = 0; i + 1 < %d; i++) %s[i] = %s[i + 1];" % (
                x.size, x.name, x.name),
            "for (int c = 0; c < %d; c++) %s[c*%d] = c;" % (x.c, x.name, x.h * x.w)])
        self.body.append(what)

    def build(self):
        rnd = self.rnd
        self.current = self.last = "in"
        x = Tensor("in", self.pick(), rnd.randint(1, 9), rnd.randint(1, 9),
                   self.channels_last)
        self.input = x.size
        layers = rnd.randint(2, 4)
        self.output_size = 1
        for layer in range(layers):
            last = layer == layers - 1
            y = None
            while y is None:
                y = rnd.choice([self.conv, self.conv, self.pool, self.norm, self.flat,
                                self.add, self.copy, self.resize])(x, last)
            x = y
            self.current = x.name
            if last:
                self.output_size = x.size
            elif rnd.random() < 0.12:
                self.spoil(x)

    def array(self, name, size, where):
        start = ""
        if where == "static" and self.rnd.random() < 0.1:
            start = " = {%s}" % ", ".join(
                str(self.rnd.randint(-9, 9)) for _ in range(min(size, 50)))
        return "%s%s %s[%d]%s;" % ("static " if where == "static" else "", self.type,
                                   name, size, start)

    def fields(self):
        """All arrays as fields of one object, and what else it may have."""
        members, names, values = [], {}, []
        object_ = "s%d" % self.number
        kind = self.rnd.choice(["static ", ""])
        for name, size in self.arrays:
            member = self.array(name, size, "field")
            if self.rnd.random() < 0.3:
                member += self.rnd.choice([" int n%s;", " double d%s;", " char c%s[3];"]) % name
            path = name
            if self.rnd.random() < 0.3:
                outer, at = self.rnd.choice([("g_" + name, ""), ("g_" + name + "[2]", "[1]")])
                member = "struct { %s } %s;" % (member, outer)
                path = outer.split("[")[0] + at + "." + name
            members.append(member)
            names[name] = "%s.%s" % (object_, path)
            if kind and self.rnd.random() < 0.3:
                values.append(".%s = {%s}" % (path, ", ".join(
                    str(self.rnd.randint(-9, 9)) for _ in range(min(size, 50)))))
        text = "%sstruct { %s } %s%s;" % (
            kind, " ".join(members), object_, " = {%s}" % ", ".join(values) if values else "")
        return kind, text, names

    def helper(self, number, body):
        """A function of its own for a layer: the function and its call."""
        names = sorted(set(re.findall(r"\b(?:t\d+_\d+|in|out)\b", body)))
        head = ", ".join("%s%s *%s" % ("const " if n == "in" else "", self.type, n)
                         for n in names)
        name = "g%d_%d" % (self.number, number)
        return "static %svoid %s(%s) { %s }" % (
            self.rnd.choice(["", "__attribute__((noinline)) "]), name, head, body), \
            "%s(%s);" % (name, ", ".join(names))

    def text(self):
        where = self.rnd.choice(["static"] * 6 + ["local", "local", "field", "field"])
        lines, body, arrays = list(self.locals), list(self.body), []
        if self.rnd.random() < 0.4:
            for number, layer in enumerate(body):
                if self.rnd.random() < 0.8:
                    function, body[number] = self.helper(number, layer)
                    lines.append(function)
        kind, names = "" if where == "local" else "static ", {}
        if where == "field":
            kind, object_, names = self.fields()
            arrays = [object_]
            clear = ["memset(&s%d, 0, sizeof s%d);" % (self.number, self.number)]
            if kind and self.rnd.random() < 0.5:
                clear = []
        else:
            arrays = [self.array(name, size, where) for name, size in self.arrays]
            clear = [] if kind else ["memset(%s, 0, sizeof %s);" % (n, n)
                                     for n, _ in self.arrays]
        body = [re.sub(r"\bt\d+_\d+\b", lambda m: names.get(m.group(), m.group()), b)
                for b in body]
        head = "void f%d(const %s *in, %s *out) {" % (self.number, self.type, self.type)
        inside = ["  " + b for b in ([] if kind else arrays) + clear + body]
        return "\n".join((arrays if kind else []) + lines + [head] + inside + ["}"])


def source(networks):
    return "#include <string.h>\n" + "\n".join(n.text() for n in networks) + "\n"


DRIVER = """#include <stdio.h>
#include <string.h>
#include <stdint.h>
%s
static const struct { void (*f)(const void *, void *); int type, input; unsigned bytes; }
  all[] = {%s};
static double in[1 << 16], out[1 << 17];
int main(void) {
  for (int n = 0; n < (int)(sizeof all / sizeof *all); n++)
    /* Twice: what a call leaves is there for the next one. */
    for (int r = 0; r < 2; r++) {
      uint64_t h = 1;
      memset(out, 0, sizeof out);
      for (int i = 0; i < all[n].input; i++) {
        int v = (i * 7 + r) %% 13 - 6;
        switch (all[n].type) {
        case 0: ((float *)in)[i] = v; break;
        case 1: ((double *)in)[i] = v; break;
        case 2: ((int *)in)[i] = v; break;
        case 3: ((short *)in)[i] = v; break;
        }
      }
      all[n].f(in, out);
      for (unsigned i = 0; i < all[n].bytes; i++) h = h * 31 + ((uint8_t *)out)[i];
      printf("%%d %%llx\\n", n, (unsigned long long)h);
    }
}
"""
TYPES = ["float", "double", "int", "short"]


def driver(networks):
    return DRIVER % (
        "\n".join("void f%d(const void *, void *);" % n.number for n in networks),
        ", ".join("{f%d, %d, %d, %d * sizeof(%s)}" % (
            n.number, TYPES.index(n.type), n.input, n.output_size, n.type)
            for n in networks))


def run(command, **kwargs):
    return subprocess.run(command, check=True, universal_newlines=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, **kwargs)


def check(args, folder, seed):
    """Numbers of mapped tensors and of networks that differ in one batch."""
    rnd = random.Random(seed)
    networks = [Network(rnd, i) for i in range(args.batch)]
    goal = "to=" + rnd.choice(["auto", "nhwc", "nchw", "blocked"])
    path = os.path.join(folder, "n")
    for name, text in ((".c", source(networks)), (".main.c", driver(networks))):
        with open(path + name, "w") as f:
            f.write(text)
    flags = ["-O1", "-ffp-contract=off", "-w", *args.flags]
    run([args.clang, *flags, "-c", path + ".main.c", "-o", path + ".main.o"])
    run([args.clang, *flags, "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c",
         path + ".c", "-o", path + ".bc"])
    remarks = run([args.opt, "-load-pass-plugin=" + args.plugin,
                   "-passes=dl-prepare<all>,dl-layout<prepared;%s>,verify" % goal,
                   "-pass-remarks=dl-layout", path + ".bc", "-o", path + ".l.bc"]).stderr
    said = []
    # Most of the time goes into code generation.
    level = rnd.choice(["-O1"] * 4 + ["-O2"])
    for name in (".bc", ".l.bc"):
        run([args.clang, level, *args.flags, "-w", path + name, path + ".main.o", "-o",
             path + name + ".x"])
        done = subprocess.run([path + name + ".x"], stdout=subprocess.PIPE,
                              universal_newlines=True, timeout=300)
        said.append(done.stdout.splitlines() + ["status %d" % done.returncode])
    different = sorted({a.split()[0] for a, b in zip(*said) if a != b})
    if len(said[0]) != len(said[1]):
        different.append("end")
    if different:
        print("seed %d, %s, %s: different: %s" % (seed, goal, level, " ".join(different)))
        if args.keep:
            os.makedirs(args.keep, exist_ok=True)
            with open(os.path.join(args.keep, "%d.c" % seed), "w") as f:
                f.write(source(networks))
            with open(os.path.join(args.keep, "%d.main.c" % seed), "w") as f:
                f.write(driver(networks))
    return len(re.findall(" (?:inn|out)ermost", remarks)), len(different)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--opt", default="opt-22")
    parser.add_argument("--plugin", default=os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "..", "..", "build", "lib",
        "libDLOpt.so"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--networks", type=int, default=400)
    parser.add_argument("--batch", type=int, default=40)
    parser.add_argument("--flag", dest="flags", action="append", default=[])
    parser.add_argument("--keep")
    args = parser.parse_args()
    mapped = wrong = 0
    batches = max(1, args.networks // args.batch)
    for number in range(batches):
        with tempfile.TemporaryDirectory(prefix="dl-layouts-") as folder:
            m, w = check(args, folder, args.seed * 1000003 + number)
        mapped += m
        wrong += w
    print("networks %d, tensors in another order %d, different %d" % (
        batches * args.batch, mapped, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
