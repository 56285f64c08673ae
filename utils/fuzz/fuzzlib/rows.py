"""The table of the fuzzer: one row for each kind, form or near miss.

A row draws kernels. What is expected of it:

  vectorized  dl-vectorize takes its kernels, and generated code runs
  raised      its kernels are recognized: dl-relower replaces their loops
  any         some are, some are not; only the results must be equal
  never       no run may reach generated code (also Kernel.rules)

A later kernel family is a new row, or an old one whose expectation changes from
raised to vectorized.
"""
from . import (arrays, bounds, conditional, descriptors, dots, elements, lanes, members, programs,
               quotients, runs, shares, simple, spellings, tables, triangles, windows)
from .contraction import CONDITIONS, OVERLAPS, TWISTS, contraction, overlapping
from .random_nest import random_nest
from .statements import statements


class Row:
    def __init__(self, name, expect, make, weight=2, fast=False, choice=False,
                 whole=False):
        """\\p fast: also drawn with -ffast-math. \\p choice: with
        -ffp-contract=fast the compiler may choose which of two products it fuses
        with their sum, so it is not drawn with that. \\p whole: of whole numbers,
        which nothing rounds: also drawn where dl-fma may choose."""
        self.name, self.expect, self.make = name, expect, make
        self.weight, self.fast, self.choice = weight, fast, choice
        self.whole = whole


def product(**given):
    return lambda rnd, **more: contraction(rnd, **{**given, **more})


# Row-major C += A B, which is what generated code exists for.
def nn(**given):
    return product(kind="nn", type="f32", **given)


def worked(rnd, **more):
    given = {"kind": rnd.choice(["nn", "nt", "tn", "tt"]), "work": "any",
             "type": rnd.choice(["f32", "f64"]), "local": True,
             "order": rnd.choice(["ijk", "jik"])}
    return contraction(rnd, **{**given, **more})


ROWS = [
    # Forms of the product of row-major matrices.
    Row("nn", "vectorized", nn(), 8, fast=True),
    Row("nn.local", "vectorized", nn(local=True, order="ijk"), fast=True),
    Row("nn.memory", "vectorized", nn(local=False), fast=True),
    Row("nn.int", "vectorized", nn(idx="int", style="flat")),
    Row("nn.long", "vectorized", nn(idx="long", style="flat")),
    Row("nn.unsigned", "vectorized", nn(idx="unsigned", style="flat")),
    Row("nn.size_t", "vectorized", nn(idx="size_t", style="flat")),
    Row("nn.short", "any", nn(idx="short", style="flat")),
    Row("nn.vla", "vectorized", nn(style="vla")),
    Row("nn.fixed", "vectorized", nn(style="fixed", loops="up")),
    Row("nn.while", "vectorized", nn(loops="while")),
    Row("nn.down", "any", nn(loops="down")),
    Row("nn.guards", "vectorized", nn(guard="nest")),
    Row("nn.return", "vectorized", nn(guard="return")),
    Row("nn.inner_guard", "vectorized", nn(guard="inner", local=True)),
    Row("nn.helper", "vectorized", nn(access="helper", style="flat"), fast=True),
    Row("nn.pointers", "vectorized", nn(access="pointers", local=True, style="flat",
                                        loops="up", order="ijk")),
    Row("nn.hoist", "vectorized", nn(access="hoist", style="flat", loops="up")),
    Row("nn.bias", "vectorized", nn(start="bias_n", local=True, order="ijk")),
    Row("nn.bias_rows", "vectorized", nn(start="bias_m", local=True, order="jik")),
    Row("nn.post", "vectorized", nn(post=True, local=True, order="ijk"), fast=True),
    Row("nn.fma", "vectorized", nn(combine="fma")),
    Row("nn.minus", "any", nn(combine="minus"), fast=True),
    Row("nn.separate", "vectorized", nn(combine="temp"), fast=True),
    Row("nn.restrict", "vectorized", nn(restrict=True)),
    Row("nn.colmajor", "vectorized", nn(colmajor=True, style="flat")),
    # Products in programs.
    Row("nn.structs", "any", programs.structs),
    Row("nn.callers", "vectorized", programs.callers),
    Row("nn.arrays", "vectorized", programs.arrays),
    Row("nn.several", "vectorized", programs.several),
    Row("nn.masked", "any", programs.masked),
    Row("nn.leaving", "vectorized", programs.leaving),
    Row("nn.addressed", "vectorized", programs.addressed),
    Row("nn.started", "vectorized", programs.started, 3),
    Row("nn.cleared", "vectorized", programs.cleared),
    Row("nn.outputs", "any", programs.outputs),
    # Other spellings.
    Row("nn.checked", "vectorized", spellings.checked, 3),
    Row("nn.unrolled", "any", spellings.unrolled, 3),
    Row("nn.blocked", "any", spellings.blocked, 3),
    Row("nn.first_round", "any", spellings.first_round),
    Row("nn.rounded", "any", spellings.scaled, choice=True),
    Row("nn.split_sum", "any", spellings.split_sum),
    Row("nn.factors", "any", spellings.factors, 2),
    Row("nn.flat", "any", spellings.flat),
    Row("nn.flat_sum", "any", spellings.flat_sum),
    Row("nn.two_bounds", "any", spellings.two_bounds),
    Row("nn.backwards", "any", spellings.backwards),
    Row("nn.ends", "any", spellings.ends),
    Row("nn.tiles_left", "any", spellings.tiles_left),
    Row("nn.local_tiles", "any", arrays.tiled, 3),
    Row("nn.local_rows", "any", arrays.row, 2),
    Row("nn.cleared_rows", "any", arrays.cleared_rows),
    Row("nn.strided", "any", arrays.strided, 2),
    # Shares of threads.
    Row("nn.elements", "any", shares.elements, 2),
    Row("nn.positions", "any", shares.positions),
    Row("nn.reread", "any", shares.reread),
    Row("nn.steps", "any", shares.steps),
    # Several statements in a loop.
    Row("statements", "any", statements, 6, choice=True),
    # Work on the sum.
    Row("nn.scaled", "vectorized", nn(work="axpby", local=True, order="ijk"), choice=True),
    Row("nn.work", "vectorized", nn(work="any", local=True, order="ijk"), 4, choice=True),
    Row("work", "vectorized", worked, 4, choice=True),
    Row("work.start", "vectorized",
        lambda rnd: worked(rnd, start="any", work=rnd.choice(["", "any"])), 4, choice=True),
    # Other kinds.
    Row("nn.f64", "vectorized", product(kind="nn", type="f64")),
    Row("nn.i32", "raised", product(kind="nn", type="i32")),
    Row("nt", "vectorized", product(kind="nt", type="f32"), 3),
    Row("tn", "vectorized", product(kind="tn", type="f32"), 3),
    Row("tt", "vectorized", product(kind="tt", type="f32"), 3),
    Row("double_sums", "vectorized", simple.double_sums, 4),
    Row("steps", "vectorized", simple.steps, 4, choice=True),
    Row("nn.rows", "any", nn(style="rows")),
    Row("batched", "vectorized", simple.batched),
    Row("matvec", "vectorized", simple.matvec),
    Row("vecmat", "vectorized", lambda rnd: simple.matvec(rnd, True)),
    Row("outer", "raised", simple.outer),
    Row("dot", "raised", simple.dot),
    # Parallel axes in lanes.
    Row("reductions", "vectorized", lanes.reduction, 5, choice=True),
    Row("permutations", "raised", lanes.permutation, 3),
    Row("transposes", "any", lanes.transpose, 2),
    Row("searches", "any", lanes.search, 4),
    Row("positions", "any", lanes.position, 3),
    Row("positions.limited", "any", lanes.limited, 2),
    Row("descriptors", "any", descriptors.descriptors, 3),
    Row("convolutions", "vectorized", lanes.convolution, 3, choice=True),
    Row("windows", "vectorized", windows.convolution, 4, choice=True),
    Row("any-windows", "any", windows.of_any_size, 1, choice=True),
    Row("cut-windows", "any", windows.cut, 1),
    Row("gradients", "vectorized", windows.gradient, 2, choice=True),
    Row("transposed", "any", windows.transposed, 2),
    Row("pools", "vectorized", windows.pool, 2),
    Row("dots", "vectorized", dots.dots, 3, choice=True),
    Row("dot_rows", "vectorized", dots.dot_rows, 2, choice=True),
    Row("tables", "any", tables.tables, 2),
    Row("dot_windows", "vectorized", dots.dot_windows, 2),
    Row("dot_planes", "vectorized", dots.dot_planes, 2),
    Row("scans", "vectorized", lanes.scan, 2, choice=True),
    Row("elements", "any", elements.elements, 5, choice=True),
    Row("quotients", "any", quotients.quotients, 4),
    Row("conditional", "any", conditional.conditional, 3),
    Row("groups", "any", quotients.groups, 3),
    Row("row_programs", "vectorized", lanes.row_program, 8, choice=True),
    Row("functions", "any", lanes.functions, 4, choice=True),
    # Loops behind each other.
    Row("runs", "any", runs.run_of_loops, 6, choice=True),
    Row("map", "raised", simple.map_),
    Row("reduce", "raised", simple.reduce_),
    Row("mixed", "raised", simple.mixed),
    Row("triangular", "any", triangles.triangular),
    Row("attention", "any", triangles.attention, 3, choice=True),
    Row("layers", "any", triangles.layers, 3, choice=True),
    Row("triangles", "any", triangles.triangles),
    Row("triangular_steps", "any", triangles.triangular_steps),
    Row("split_k", "any", simple.split_k),
    Row("wrapping", "any", simple.wrapping),
    Row("callers", "vectorized", simple.callers),
    Row("bounds_behind", "vectorized", simple.bounds_behind),
    Row("replaced", "never", simple.replaced, 1),
    Row("wrapping.short", "any", simple.wrapping_short, 1),
    Row("bounds_in_memory", "any", simple.bounds_in_memory),
    Row("states", "any", simple.states, choice=True),
    Row("recurrences", "any", lanes.recurrence, 4, choice=True),
    Row("recurrences.whole", "any", lanes.whole_recurrence, 2, choice=True, whole=True),
    # What steps change.
    Row("members", "any", members.state, 3, choice=True),
    Row("bounds", "any", bounds.bounds, 3),
    Row("sums", "any", bounds.sums, 3, choice=True),
    Row("combiners", "any", members.combiners, 3, choice=True),
    Row("generic", "raised", random_nest, 6),
    Row("generic.i32", "raised", lambda rnd: random_nest(rnd, "u32"), 3),
]
# Products whose operands overlap: the original loops.
ROWS += [Row("overlap." + how, "any",
             lambda rnd, how=how: overlapping(rnd, how, kind="nn", type="f32"), 1)
         for how in OVERLAPS]
# Products with one thing more in a loop.
ROWS += [Row("with." + twist,
             "never" if twist in ("volatile_count", "call_inner") else "any",
             nn(twist=twist, style=None), 1) for twist in [*TWISTS, *CONDITIONS]]
ROWS.append(Row("with.volatile", "never", nn(twist="volatile"), 1))
