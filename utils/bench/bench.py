#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times naive matrix products with the plugin against libraries and compilers.

How it measures, and why so: docs/benchmarks.md.
"""

import argparse
import csv
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import contestants  # noqa: E402
import llvm_tools  # noqa: E402  (found by contestants)
import readme  # noqa: E402
from kernels import KERNELS  # noqa: E402
from measure import Shape, cell, measure, median, print_table  # noqa: E402

# Of builds that differ in their instructions alone.
TWO_CUBES = [(256, 256, 256), (1024, 1024, 1024)]
SMALL = ([(n, n, n) for n in range(1, 65)] +
         [(1, n, n) for n in range(2, 65)] + [(n, 1, n) for n in range(2, 65)])
SMALL_VECTOR = ([(n, 1, n) for n in range(1, 65)] +
                [(1, 1, n) for n in range(2, 65)] +
                [(n, 1, 1) for n in range(2, 65)])
# Every way to write the product that is expected to become the same code.
FORMS = [order + "_" + index
         for index in ("int", "long", "unsigned", "size")
         for order in ("ijk", "ikj", "jik", "jki", "kij", "kji", "ijk_local",
                       "jik_local", "local_bias_column", "local_bias_row",
                       "local_from_c", "local_add_to_c", "ijk_zero",
                       "ikj_zero_row", "ikj_bias_row", "kij_zero_all",
                       "hoisted_rows")]
FORMS += ["vla", "vla_memory", "vla_strided", "restricted", "while_loops",
          "walking_pointers", "running_index", "counting_down",
          "down_in_memory", "by_parity", "row_pointers",
          "struct_helpers"]


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--kernel", dest="names", default="sgemm", metavar="NAME[,NAME]",
                   help="%s, or all" % ", ".join(KERNELS))
    p.add_argument("--sizes", choices=["figures", "small", "forms"],
                   default="figures",
                   help="figures: large shapes against libraries; small: 1 to "
                   "64 against clang -O3; forms: every loop order and form")
    p.add_argument("--all", action="store_true",
                   help="figures for native, -ffp-contract=off and haswell")
    p.add_argument("--readme", action="store_true",
                   help="the table of README.md, of this machine and day")
    p.add_argument("--quick", action="store_true",
                   help="two small shapes per kernel, few rounds: does it run at all")
    p.add_argument("--filter", default="", metavar="REGEX",
                   help="only shapes (MxNxK) or forms that match")
    p.add_argument("--shape", action="append", default=[], metavar="MxNxK",
                   help="this shape instead of the list")
    p.add_argument("--march", default="native")
    p.add_argument("--contract", choices=["on", "off"], default="on",
                   help="off: -ffp-contract=off")
    p.add_argument("--reassoc", action="store_true",
                   help="-ffast-math for the plugin's build")
    build = p.add_mutually_exclusive_group()
    build.add_argument("--dispatch", action="store_true",
                       help="no -march: code is chosen at run time")
    build.add_argument("--sse2", action="store_true",
                       help="-march=x86-64 and nothing else, against Eigen")
    p.add_argument("--form", choices=["ijk", "ikj"], default="ijk",
                   help="loop order of the naive source")
    p.add_argument("--peers", choices=["none", "debian", "pypi"],
                   default="debian",
                   help="pypi: newer OpenBLAS and oneDNN too, in .venv-bench")
    p.add_argument("--no-compilers", action="store_true",
                   help="leave out other compilers and the plain build")
    p.add_argument("--rounds", type=int, default=9)
    p.add_argument("--csv", metavar="FILE")
    p.add_argument("--build-dir", default="build")
    p.add_argument("--plugin", help="default: BUILD_DIR/lib/libDLOpt.so")
    args = p.parse_args(namespace=contestants.Settings())
    args.plugin = args.plugin or os.path.join(args.build_dir, "lib",
                                              "libDLOpt.so")
    llvm_tools.need_plugin("bench", args.plugin)
    names = list(KERNELS) if args.names == "all" else args.names.split(",")
    unknown = [n for n in names if n not in KERNELS]
    if unknown:
        sys.exit("bench: no kernel '%s': there are %s, and all"
                 % (unknown[0], ", ".join(KERNELS)))
    args.kernels = [KERNELS[n] for n in names]
    args.kernel = args.kernels[0]
    if args.kernel.name != "sgemm" and args.sizes == "forms":
        sys.exit("bench: --sizes=forms is for sgemm")
    args.plugin_options = ["dispatch=0"] if args.sse2 else []
    if args.dispatch or args.sse2:
        args.march = "baseline" if args.dispatch else "x86-64"
    return args


def choose_shapes(args):
    """Those of the kernel that the filter lets through."""
    kernel = args.kernel
    if args.shape:
        shapes = [tuple(map(int, s.split("x"))) for s in args.shape]
        if kernel.is_vector and any(n != 1 for _, n, _ in shapes):
            sys.exit("bench: shapes of %s are Mx1xK" % kernel.name)
    elif args.sizes == "small":
        shapes = SMALL_VECTOR if kernel.is_vector else SMALL
        shapes = shapes[::16] if args.quick else shapes
    elif args.quick:
        shapes = kernel.quick
    elif (args.dispatch or args.sse2) and not kernel.is_vector:
        shapes = TWO_CUBES
    else:
        shapes = kernel.shapes
    return [s for s in shapes if re.search(args.filter, "%dx%dx%d" % s)]


def describe_build(args):
    """What the plugin's build was, for the line above a table."""
    flags = ["no -march" if args.march == "baseline" else "-march=" + args.march]
    flags += ["-mllvm -dl-" + o for o in args.plugin_options]
    if args.contract == "off":
        flags.append("-ffp-contract=off")
    if args.reassoc:
        flags.append("-ffast-math for DLOpt")
    return ", ".join(flags)


def run_figures(args):
    """Each kernel's table, and the details of all."""
    return (["kernel", "shape", "contestant", "ms", "gflops"],
            for_each_kernel(args, run_kernel))


def for_each_kernel(args, run):
    """Rows of all kernels that have a shape to run."""
    todo = []
    for args.kernel in args.kernels:
        if choose_shapes(args):
            todo.append(args.kernel)
    if not todo:
        sys.exit("bench: no shape matches '%s'" % args.filter)
    contestants.build_harness(args)
    rows = []
    for args.kernel in todo:
        rows += [[args.kernel.name] + row for row in run(args)]
    return rows


def run_kernel(args):
    """The table of README: the plugin, the best library, the compilers."""
    kernel, shapes = args.kernel, choose_shapes(args)
    everyone = contestants.compilers(args, shapes) + contestants.libraries(args)
    results = measure(args, everyone, shapes,
                      rounds=3 if args.quick else args.rounds,
                      slice_ms=1 if args.quick else 4)

    naive = [c.name for c in everyone if c.group == "compiler"]
    head = ["M x N x K", "DLOpt", "of read" if kernel.is_vector else "of peak",
            "of best", "best library"]
    rows = []
    for r in results:
        best = r.fastest([c.name for c in everyone if c.group == "library"])
        share = (r.share_of_read("DLOpt", kernel.bytes) if kernel.is_vector
                 else r.share_of_peak("DLOpt"))
        row = [str(r.shape), "%.1f GFLOP/s" % r.gflops("DLOpt"),
               "%.0f%%" % (100 * share)]
        row += ["%.2fx" % r.speed("DLOpt", best) if best else "-",
                "%s %.1f" % (best, r.gflops(best)) if best else "-"]
        rows.append(row + [cell(r.times.get(n)) for n in naive])
    print("\n%s: %s, %s, %s" % (kernel.name, contestants.cpu_name(),
                               describe_build(args), limit(kernel, results)))
    print("One thread. Compilers in ms, of the same source (%s). %s.\n" % (
        args.form, compared_bits(results)))
    print_table(head + naive, rows)
    return [[str(r.shape), c.name, "%.6f" % (1e3 * median(r.times[c.name])),
             "%.1f" % r.gflops(c.name)]
            for r in results for c in everyone if r.times.get(c.name)]


def limit(kernel, results):
    """What the shares are shares of."""
    if kernel.is_vector:
        return "reads %s GB/s" % ", ".join("%.1f" % median(r.read) for r in results)
    return "peak %.1f GFLOP/s of %s" % (
        median([p for r in results for p in r.peak]), kernel.real)


def compared_bits(results):
    """dlbench fails where they differ."""
    same = [str(r.shape) for r in results if r.same == 1]
    if len(same) == len(results):
        return "DLOpt has the bits of clang -O3"
    if not same:
        return "Bits not compared"
    return "DLOpt has the bits of clang -O3 (compared: %s)" % ", ".join(same)


def is_slower(r):
    """Slower than the plain build by more than 3% and 5 ns."""
    return (r.speed("DLOpt", "clang -O3") < 1 / 1.03 and
            r.difference("DLOpt", "clang -O3") > 5e-9)


def run_small(args):
    """Small and skinny shapes: never slower than the plain build."""
    return (["kernel", "shape", "time_ratio", "ns_more"],
            for_each_kernel(args, run_small_kernel))


def run_small_kernel(args):
    everyone = contestants.compilers(args, None)
    shapes = choose_shapes(args)
    results = measure(args, everyone, shapes, rounds=args.rounds, slice_ms=0.3)
    # A short slice is easily disturbed: who looks slow is asked again, longer.
    suspects = [i for i, r in enumerate(results) if is_slower(r)]
    if suspects:
        again = measure(args, everyone, [results[i].shape.mnk for i in suspects],
                        rounds=3 * args.rounds, slice_ms=1)
        for i, r in zip(suspects, again):
            results[i] = r
    details = [[str(r.shape), "%.3f" % (1 / r.speed("DLOpt", "clang -O3")),
                "%.1f" % (1e9 * r.difference("DLOpt", "clang -O3"))]
               for r in results]
    slower = [r for r in results if is_slower(r)]
    print("\n%s: %s, %s, %s: %d shapes from 1 to 64 (square, 1xN, Nx1), "
          "time over clang -O3:\n" % (
              args.kernel.name, contestants.cpu_name(), describe_build(args),
              args.form, len(results)))
    order = sorted(results, key=lambda r: r.speed("DLOpt", "clang -O3"))
    print_table(["M x N x K", "clang -O3 ns", "DLOpt ns", "time ratio", "ns more"],
                [[str(r.shape), "%.1f" % (1e9 * median(r.times["clang -O3"])),
                  "%.1f" % (1e9 * median(r.times["DLOpt"])),
                  "%.3f" % (1 / r.speed("DLOpt", "clang -O3")),
                  "%.1f" % (1e9 * r.difference("DLOpt", "clang -O3"))]
                 for r in order[:8] + order[-2:]])
    print("\nslower by more than 3%% and 5 ns: %d of %d%s"
          % (len(slower), len(results),
             "".join("\n  %s" % r.shape for r in slower[:20])))
    return details


def run_forms(args):
    """Every loop order and form: one kernel, so one speed."""
    forms = [f for f in FORMS if re.search(args.filter, f)]
    if not forms:
        sys.exit("bench: no form matches '%s'" % args.filter)
    shape = tuple(map(int, args.shape[0].split("x"))) if args.shape else (
        256, 256, 256)
    everyone = contestants.forms(args, forms)
    result = measure(args, everyone, [shape],
                     rounds=3 if args.quick else args.rounds, slice_ms=4)[0]
    print("\n%s, -march=%s, %s, every form:\n"
          % (contestants.cpu_name(), args.march, Shape(*shape)))
    rows = [[f, "%.1f" % result.gflops(f),
             "%.0f%%" % (100 * result.share_of_peak(f))] for f in forms]
    print_table(["form", "GFLOP/s", "of peak"], rows)
    return ["form", "gflops", "of_peak"], rows


def main():
    args = parse_arguments()
    if args.readme:
        readme.run(args)
        return
    if args.sizes == "small":
        head, rows = run_small(args)
    elif args.sizes == "forms":
        contestants.build_harness(args)
        head, rows = run_forms(args)
    elif args.all:
        head, rows = None, []
        for args.march, args.contract in (("native", "on"), ("native", "off"),
                                          ("haswell", "on")):
            head, part = run_figures(args)
            rows += [[args.march, args.contract] + r for r in part]
        head = ["march", "contract"] + head
    else:
        head, rows = run_figures(args)
    if args.csv:
        with open(args.csv, "w", newline="") as f:
            csv.writer(f).writerows([head] + rows)


if __name__ == "__main__":
    main()
