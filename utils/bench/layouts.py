#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times a network as generators write it, with and without dl-layout.

    utils/bench/layouts.py [--plugin PLUGIN] [--march native] [--runs 10] [--part PART]

The C code is of the kind that generators make of a model: a function a layer, weights in
constants, tensors in static unions. Without --part it is 489 MFLOP: three 3x3
convolutions, a depthwise and a 1x1 convolution, two batch normalizations, two poolings.
Milliseconds are the least of all runs, of: clang -O3; loops over channels-last tensors
that are written by hand, by clang -O3; dl-layout alone; the plugin without dl-layout;
the plugin. All must have the same bits.
"""
import argparse
import os
import random
import subprocess
import tempfile

from contestants import ROOT, clang, cpu_name, llvm_tools

HEADER = """#include <float.h>
#include <stdint.h>
"""
CONV = """static inline void {name}(const float x[1][{C}][{H}][{H}],
    const float w[{K}][{D}][{R}][{R}], const float b[{K}], float y[1][{K}][{H}][{H}]) {{
  for (int32_t n = 0; n < 1; n++)
    for (int32_t m = 0; m < {K}; m++)
      for (int32_t o0 = 0, i0 = -{P}; o0 < {H}; o0++, i0 += 1)
        for (int32_t o1 = 0, i1 = -{P}; o1 < {H}; o1++, i1 += 1) {{
          y[n][m][o0][o1] = b[m];
          for (int32_t c = 0; c < {D}; c++)
            for (int32_t k0 = 0; k0 < {R}; k0++)
              for (int32_t k1 = 0; k1 < {R}; k1++) {{
                int ii0 = i0 + k0;
                if (ii0 < 0) continue;
                if (ii0 >= {H}) continue;
                int ii1 = i1 + k1;
                if (ii1 < 0) continue;
                if (ii1 >= {H}) continue;
                y[n][m][o0][o1] += x[n][{channel}][ii0][ii1] * w[m][c][k0][k1];
              }}
        }}
}}
"""
NORM = """static inline void {name}(const float x[1][{C}][{H}][{H}], const float scale[{C}],
    const float bias[{C}], const float mean[{C}], const float var[{C}],
    float y[1][{C}][{H}][{H}]) {{
  for (int32_t b = 0; b < 1; b++)
    for (int32_t c = 0; c < {C}; c++)
      for (int32_t i0 = 0; i0 < {H}; i0++)
        for (int32_t i1 = 0; i1 < {H}; i1++) {{
          float t = (x[b][c][i0][i1] - mean[c]) / var[c];
          t = scale[c] * t + bias[c];
          y[b][c][i0][i1] = t > 0 ? t : 0;
        }}
}}
"""
POOL = """static inline void {name}(const float x[1][{C}][{H}][{H}],
    float y[1][{C}][{O}][{O}]) {{
  for (int32_t b = 0; b < 1; b++)
    for (int32_t c = 0; c < {C}; c++)
      for (int32_t o0 = 0; o0 < {O}; o0++)
        for (int32_t o1 = 0; o1 < {O}; o1++) {{
          float m = -FLT_MAX;
          for (int32_t k0 = 0; k0 < 2; k0++)
            for (int32_t k1 = 0; k1 < 2; k1++) {{
              float v = x[b][c][o0 * 2 + k0][o1 * 2 + k1];
              m = m > v ? m : v;
            }}
          y[b][c][o0][o1] = m;
        }}
}}
"""
# The same by hand. X and Y find an element of the first input and of the last output.
HAND_CONV = """static void {name}(const float *restrict x, const float *restrict w,
    const float *restrict bias, float *restrict y) {{
  for (int i = 0; i < {H}; i++)
    for (int j = 0; j < {H}; j++) {{
      float t[{K}] __attribute__((aligned(64)));
      for (int m = 0; m < {K}; m++)
        t[m] = bias[m];
      for (int c = 0; c < {D}; c++)
        for (int r = 0; r < {R}; r++) {{
          int a = i + r - {P};
          if (a < 0 || a >= {H}) continue;
          for (int s = 0; s < {R}; s++) {{
            int b = j + s - {P};
            if (b < 0 || b >= {H}) continue;
            const float *q = w + ((c * {R} + r) * {R} + s) * {K};
            for (int m = 0; m < {K}; m++)
              t[m] += {X} * q[m];
          }}
        }}
      for (int m = 0; m < {K}; m++)
        {Y} = t[m];
    }}
}}
"""
HAND_NORM = """static void {name}(const float *restrict x, const float *restrict scale,
    const float *restrict bias, const float *restrict mean, const float *restrict var,
    float *restrict y) {{
  for (int p = 0; p < {H} * {H}; p++)
    for (int c = 0; c < {C}; c++) {{
      float t = (x[p * {C} + c] - mean[c]) / var[c];
      t = scale[c] * t + bias[c];
      y[p * {C} + c] = t > 0 ? t : 0;
    }}
}}
"""
HAND_POOL = """static void {name}(const float *restrict x, float *restrict y) {{
  for (int i = 0; i < {O}; i++)
    for (int j = 0; j < {O}; j++)
      for (int c = 0; c < {C}; c++) {{
        float m = -FLT_MAX;
        for (int k = 0; k < 2; k++)
          for (int l = 0; l < 2; l++) {{
            float v = x[((i * 2 + k) * {H} + j * 2 + l) * {C} + c];
            m = m > v ? m : v;
          }}
        y[(i * {O} + j) * {C} + c] = m;
      }}
}}
"""
MAIN = """#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <stdint.h>
void entry(const float *, float *);
static float x[{inputs}], y[{outputs}];
int main(int argc, char **argv) {{
  double best = 1e9;
  uint64_t h = 1;
  uint32_t s = 1, u;
  for (int i = 0; i < {inputs}; i++)
    x[i] = (int32_t)(s = s * 1664525 + 1013904223) / 2147483648.0f;
  for (int r = 0; r < atoi(argv[1]); r++) {{
    struct timespec a, b;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
    entry(x, y);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
    double t = (b.tv_sec - a.tv_sec) * 1e3 + 1e-6 * (b.tv_nsec - a.tv_nsec);
    best = t < best ? t : best;
  }}
  for (int i = 0; i < {outputs}; i++) {{
    __builtin_memcpy(&u, y + i, 4);
    h = (h ^ u) * 1099511628211ull;
  }}
  printf("%.4f %016llx\\n", best, (unsigned long long)h);
}}
"""
# Kind, channels, results, side, window.
NET = [("conv", 64, 64, 56, 3), ("norm", 64, 64, 56, 0), ("pool", 64, 64, 56, 2),
       ("conv", 64, 128, 28, 3), ("norm", 128, 128, 28, 0), ("pool", 128, 128, 28, 2),
       ("conv", 128, 256, 14, 3), ("depthwise", 256, 256, 14, 3),
       ("conv", 256, 256, 14, 1)]


def between(layers, c, side, out):
    """Layers between two that make their tensors private."""
    return [("conv", 8, c, side, 1), *layers, ("conv", c, 8, out, 1)]


PARTS = {
    "net": NET,
    "depthwise": between([("depthwise", 512, 512, 14, 3)] * 8, 512, 14, 14),
    "maxpool": between([("pool", 128, 128, 28, 2)], 128, 28, 14),
    "pooling": between([("depthwise", 128, 128, 28, 3), ("norm", 128, 128, 28, 0),
                        ("pool", 128, 128, 28, 2), ("norm", 128, 128, 14, 0),
                        ("depthwise", 128, 128, 14, 3)], 128, 28, 14),
    "six": [("conv", 3, 6, 28, 3), ("pool", 6, 6, 28, 2), ("conv", 6, 6, 14, 3),
            ("norm", 6, 6, 14, 0)],
    "sixteen": [("conv", 3, 16, 28, 3), ("pool", 16, 16, 28, 2), ("conv", 16, 16, 14, 3),
                ("norm", 16, 16, 14, 0)],
}


class Writer:
    """The two spellings of a network."""

    def __init__(self, layers):
        self.rnd = random.Random(1)
        self.layers = layers
        self.generated, self.by_hand = [HEADER], [HEADER]
        self.calls, self.hand_calls = [], []
        for number in range(len(layers)):
            self.add(number)
        shapes = [self.shape(l) for l in layers[:-1]]
        for half in (0, 1):
            members = "".join(" float t%d[1][%d][%d][%d];" % (n, *s)
                              for n, s in enumerate(shapes) if n % 2 == half)
            if members:
                self.generated.append("static union {%s } u%d;" % (members, half))
            self.by_hand.append(
                "static float u%d[%d] __attribute__((aligned(64)));" % (
                    half, max(c * h * w for c, h, w in shapes)))
        c, side = layers[0][1], layers[0][3]
        self.inputs = c * side * side
        k, h, w = self.shape(layers[-1])
        self.outputs = k * h * w
        head = "void entry(const float x[1][%d][%d][%d], float y[1][%d][%d][%d]) {" % (
            c, side, side, k, h, w)
        self.generated += [head] + self.calls + ["}"]
        self.by_hand += ["void entry(const float *x, float *y) {"] + self.hand_calls + ["}"]

    @staticmethod
    def shape(layer):
        kind, _, k, side, _ = layer
        side = side // 2 if kind == "pool" else side
        return k, side, side

    def numbers(self, count, low, high):
        return ["%.5g" % self.rnd.uniform(low, high) for _ in range(count)]

    def constant(self, name, numbers, rows=0):
        text = "static const float %s[%d] __attribute__((aligned(64))) = {%s};"
        self.generated.append(text % (name, len(numbers), ",".join(numbers)))
        if rows:
            row = len(numbers) // rows
            numbers = [numbers[r * row + i] for i in range(row) for r in range(rows)]
        self.by_hand.append(text % (name, len(numbers), ",".join(numbers)))

    def add(self, number):
        kind, c, k, side, window = self.layers[number]
        last = number == len(self.layers) - 1
        name = "%s%d" % (kind, number)
        d = 1 if kind == "depthwise" else c
        p = window // 2 if kind != "pool" else 0
        values = dict(name=name, C=c, K=k, D=d, H=side, O=side // 2, R=window, P=p,
                      channel="m" if kind == "depthwise" else "c")
        values["X"] = ("x[(%s * %d + a) * %d + b]" % ("c", side, side) if number == 0 else
                       "x[(a * %d + b) * %d + %s]" % (side, c, values["channel"]))
        values["Y"] = ("y[(m * %d + i) * %d + j]" if last else
                       "y[(i * %d + j) * {K} + m]".replace("{K}", str(k)) + "/* %d */"
                       ) % ((side, side) if last else (side, k))
        constants = []
        if kind in ("conv", "depthwise"):
            self.constant("w" + name, self.numbers(
                k * d * window * window, -1, 1), rows=k)
            self.constant("b" + name, self.numbers(k, -.1, .1))
            constants = ["w" + name, "b" + name]
            forms = CONV, HAND_CONV
        elif kind == "norm":
            for what, low in (("s", -.5), ("b", -.5), ("m", -.5), ("v", .5)):
                self.constant(what + name, self.numbers(c, low, 1.5))
                constants.append(what + name)
            forms = NORM, HAND_NORM
        else:
            forms = POOL, HAND_POOL
        self.generated.append(forms[0].format(**values))
        self.by_hand.append(forms[1].format(**values))

        def tensor(n, form):
            return form.format(half=n % 2, n=n)

        for calls, form in ((self.calls, "u{half}.t{n}"), (self.hand_calls, "u{half}")):
            x = "x" if number == 0 else tensor(number - 1, form)
            y = "y" if last else tensor(number, form)
            cast = ["(void *)" + v if v.startswith("w") and calls is self.calls else v
                    for v in constants]
            calls.append("  %s(%s);" % (name, ", ".join([x, *cast, y])))


def build(args, folder, name, text, options):
    path = os.path.join(folder, name)
    with open(path + ".c", "w") as f:
        f.write(text)
    flags = []
    if options is not None:
        flags = ["-fpass-plugin=" + os.path.abspath(args.plugin)]
    subprocess.run([clang(), "-O3", "-w", "-march=" + args.march, path + ".c",
                    os.path.join(folder, "main.o"), "-lm", "-o", path, *flags],
                   check=True, env=dict(os.environ, DLOPT_OPTIONS=options or ""))
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plugin",
                        default=os.path.join(ROOT, "build", "lib", "libDLOpt.so"))
    parser.add_argument("--march", default="native")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--part", choices=sorted(PARTS), default="net")
    args = parser.parse_args()
    llvm_tools.need_plugin("layouts", args.plugin)
    writer = Writer(PARTS[args.part])
    alone = "disable=dl-vectorize,dl-fuse,dl-noalias"
    builds = [("clang -O3", writer.generated, None)]
    # By hand the first input and the last output are those of convolutions.
    if args.part == "net":
        builds.append(("by hand", writer.by_hand, None))
    builds += [("dl-layout alone", writer.generated, alone),
               ("without dl-layout", writer.generated, "disable=dl-layout"),
               ("DLOpt", writer.generated, "")]
    with tempfile.TemporaryDirectory(prefix="dl-layouts-") as folder:
        main_c = os.path.join(folder, "main.c")
        with open(main_c, "w") as f:
            f.write(MAIN.format(inputs=writer.inputs, outputs=writer.outputs))
        subprocess.run([clang(), "-O2", "-c", main_c, "-o",
                        os.path.join(folder, "main.o")], check=True)
        programs = [build(args, folder, "n%d" % n, "\n".join(text), options)
                    for n, (_, text, options) in enumerate(builds)]
        best, bits = [1e9] * len(builds), set()
        for _ in range(3):
            for n, program in enumerate(programs):
                said = subprocess.run([program, str(args.runs)], check=True,
                                      stdout=subprocess.PIPE, universal_newlines=True)
                time, hashed = said.stdout.split()
                best[n] = min(best[n], float(time))
                bits.add(hashed)
    print("%s, -march=%s, %s" % (cpu_name(), args.march, args.part))
    print("| build | ms |\n|---|--:|")
    for (name, _, _), time in zip(builds, best):
        print("| %s | %.3g |" % (name, time))
    if len(bits) != 1:
        raise SystemExit("error: different bits")


if __name__ == "__main__":
    main()
