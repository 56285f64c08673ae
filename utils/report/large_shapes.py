#===- large_shapes.py - Functions that are large in one way ----------------===#
#
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""What large_functions.py generates: functions of C with n of something; `tag`
makes one differ from others."""

HEAD = """typedef long i64;
float sqrtf(float); float expf(float); void *memcpy(void *, const void *, unsigned long);
void other(void);
"""


def function(tag, arguments, body, prefix="f"):
    return "void %s%d(%s) {\n%s\n}\n" % (prefix, tag, arguments, "\n".join(body))


def loop(index, bound, body):
    return "for (i64 %s = 0; %s < %s; %s++) { %s }" % (index, index, bound, index, body)


ARRAYS = "i64 n, i64 m, float *restrict a, const float *b, const float *c"


def nests(n, tag):
    """loop nests one after the other, products and elementwise"""
    body = []
    for i in range(n):
        if i % 2:
            body.append(loop("i", "n", "a[i + %d] = b[i] * %d.5f + c[i];" % (i, i + tag)))
        else:
            body.append(loop("i", "n", loop("j", "n", "float s = %d; %s a[i * n + j] = s;" % (
                i + tag, loop("k", "m", "s += b[i * m + k] * c[k * n + j];")))))
    return function(tag, ARRAYS, body)


def statements(n, tag):
    """statements in one loop, each of its own array"""
    return function(tag, "i64 n, float **p, const float *b", [
        "float *p%d = p[%d];" % (i, i) for i in range(n)] + [
        loop("i", "n", " ".join("p%d[i] = b[i + %d] * %d.5f;" % (i, i, tag)
                                for i in range(n)))])


def stores(n, tag):
    """statements in one loop, all of one array"""
    return function(tag, ARRAYS, [loop("i", "n", " ".join(
        "a[i * %d + %d] = b[i + %d] + %d.5f;" % (n, i, i, tag) for i in range(n)))])


def updates(n, tag):
    """statements in one loop that update one array"""
    return function(tag, ARRAYS, [loop("i", "n", " ".join(
        "a[i] = a[i] * b[i + %d] + %d.5f;" % (i, tag) for i in range(n)))])


def sums(n, tag):
    """sums in one loop"""
    return function(tag, ARRAYS, [
        "float s%d = 0;" % i for i in range(n)] + [
        loop("i", "n", " ".join("s%d += b[i + %d] * c[i];" % (i, i) for i in range(n)))] + [
        "a[%d] = s%d + %d;" % (i, i, tag) for i in range(n)])


def children(n, tag):
    """loops inside one loop, one after the other"""
    return function(tag, ARRAYS, [loop("i", "n", " ".join(
        loop("j", "m", "a[i * m + j] = a[i * m + j] * b[j + %d] + %d.5f;" % (i, tag))
        for i in range(n)))])


def depth(n, tag):
    """loops in each other"""
    index, body = "0", "a[%s] = b[%s] * %d.5f;"
    for i in range(n):
        index = "(%s) * n + i%d" % (index, i)
    body = body % (index, index, tag)
    for i in reversed(range(n)):
        body = loop("i%d" % i, "n", body)
    return function(tag, ARRAYS, [body])


def stencil(n, tag):
    """loads from one array"""
    return function(tag, ARRAYS, [loop("i", "n", "a[i] = %d.5f%s;" % (
        tag, "".join(" + b[i + %d]" % i for i in range(n))))])


def arrays(n, tag):
    """arrays in one nest"""
    return function(tag, "i64 n, float *restrict a, const float **p", [
        "const float *p%d = p[%d];" % (i, i) for i in range(n)] + [
        loop("i", "n", "a[i] = %d.5f%s;" % (tag, "".join(" + p%d[i]" % i for i in range(n))))])


def fields(n, tag):
    """members of a structure read in a nest"""
    return "struct S%d { float *p[%d]; i64 n[%d]; };\n" % (tag, n, n) + function(
        tag, "struct S%d *s, i64 n" % tag, [loop("i", "n", " ".join(
            "s->p[%d][i * s->n[%d]] *= %d.5f;" % (i, i, tag) for i in range(n)))])


def squarings(n, tag):
    """squarings of an index"""
    return function(tag, ARRAYS, [loop("i", "n", loop("j", "n", "i64 x = i + j + n + m + %d; " % tag
                    + "x = x * x + 1; " * n + "a[x] = b[x] * 2.0f;"))])


def powers(n, tag):
    """factors of an index"""
    return function(tag, ARRAYS, [loop("i", "n", loop(
        "j", "n", "a[%s] = b[i] * %d.5f;" % (
            " * ".join("(i + j + n + %d)" % k for k in range(n)), tag)))])


def index_sum(n, tag):
    """terms of an index"""
    return "struct T%d { i64 s[%d]; };\n" % (tag, n) + function(
        tag, "i64 n, float *restrict a, const float *b, struct T%d *t" % tag,
        ["i64 t%d = t->s[%d];" % (i, i) for i in range(n)] +
        [loop("i", "n", "a[i] = b[%s] * %d.5f;" % (
            " + ".join("i * t%d" % i for i in range(n)), tag))])


def index_sharing(n, tag):
    """steps of an index that use the one before twice"""
    return function(tag, ARRAYS, [loop("i", "n", "i64 x = i; " + "".join(
        "x = (x >> 1) + (x & %d); " % (2 ** (k % 20 + 2) - 1) for k in range(n)) +
        "a[i] = b[x] * %d.5f;" % tag)])


def index_casts(n, tag):
    """conversions of an index"""
    return function(tag, ARRAYS, [loop("i", "n", "i64 x = i; " + "".join(
        "x = (%s)(x + %d); " % (("int", "unsigned")[k % 2], k) for k in range(n)) +
        "a[i] = b[x] * %d.5f;" % tag)])


def index_choices(n, tag):
    """choices of an index"""
    return function(tag, ARRAYS, [loop("i", "n", "i64 x = i - m; " + "".join(
        "x = x < 0 ? -1 - (-1 - x) / %d : x / %d; " % (k + 2, k + 2) for k in range(n)) +
        "a[i] = b[x] * %d.5f;" % tag)])


def counters(n, tag):
    """indices that are counted up in one loop"""
    return function(tag, ARRAYS, [
        "i64 x%d = %d;" % (i, i) for i in range(n)] + [
        loop("i", "n", " ".join("a[x%d] += %d.5f; x%d += %s;" % (
            i, tag, i, "x%d" % (i - 1) if i else "1") for i in range(n)))])


def pointers(n, tag):
    """pointers that walk in one nest"""
    return function(tag, ARRAYS, [
        "float *p%d = a + %d * n;" % (i, i) for i in range(n)] + [
        loop("i", "n", loop("j", "m", " ".join("*p%d++ *= %d.5f;" % (i, tag) for i in range(n))))])


def selects(n, tag):
    """choices between numbers, each of the one before"""
    return function(tag, ARRAYS, [loop("i", "n", "float x = b[i]; " + "".join(
        "x = x > %d.5f ? x * 0.5f : x + c[i]; " % (k + tag) for k in range(n)) + "a[i] = x;")])


def chain(n, tag):
    """operations, each of the one before"""
    return function(tag, ARRAYS, [loop("i", "n", "float x = b[i]; " + "".join(
        "x = x * c[i] + %d.5f; " % (k + tag) for k in range(n)) + "a[i] = x;")])


def sharing(n, tag):
    """operations that use the one before twice"""
    return function(tag, ARRAYS, [loop("i", "n", "float x = b[i]; " + "".join(
        "x = x * (x + %d.5f); " % (k + tag) for k in range(n)) + "a[i] = x;")])


def integers(n, tag):
    """operations on integers that use the one before twice"""
    return function(tag, "i64 n, int *restrict a, const int *b", [loop(
        "i", "n", "unsigned x = b[i]; " + "".join(
            "x = x * (x ^ %du); " % (k + tag) for k in range(n)) + "a[i] += x;")])


def calls(n, tag):
    """calls of the math library"""
    return function(tag, ARRAYS, [loop("i", "n", "float x = b[i]; " + "".join(
        "x = expf(x) * %d.5f; " % (k + tag) for k in range(n)) + "a[i] = x;")])


def conditions(n, tag):
    """conditions in a loop, one after the other"""
    return function(tag, ARRAYS, [loop("i", "n", " ".join(
        "if (i + %d < m) a[i] += b[i + %d] * %d.5f;" % (k, k, tag) for k in range(n)))])


def data_conditions(n, tag):
    """conditions on elements, one after the other"""
    return function(tag, ARRAYS, [loop("i", "n", " ".join(
        "if (b[i + %d] > 0) a[i] += c[i + %d] * %d.5f;" % (k, k, tag) for k in range(n)))])


def conjunctions(n, tag):
    """conditions that are joined"""
    return function(tag, ARRAYS, [loop("i", "n", "if (%s) a[i] = b[i] * %d.5f;" % (
        " && ".join("i * %d < m + %d" % (k + 1, k) for k in range(n)), tag))])


def nested_conditions(n, tag):
    """conditions in each other"""
    body = "a[i] = b[i] * %d.5f;" % tag
    for k in range(n):
        body = "if (i + %d < m) { a[i + %d] = b[i] + %d; %s }" % (k, k, k, body)
    return function(tag, ARRAYS, [loop("i", "n", body)])


def exits(n, tag):
    """tests that leave a loop early"""
    return function(tag, ARRAYS, [loop("i", "n", " ".join(
        "if (i + %d >= m) return; a[i + %d] = b[i] * %d.5f;" % (k, k, tag) for k in range(n)))])


def cases(n, tag):
    """cases of a switch in a loop"""
    return function(tag, ARRAYS, [loop("i", "n", "float x; switch (i & 1023) { %s default: x = 0; } a[i] = x;" % (
        " ".join("case %d: x = b[i + %d] * %d.5f; break;" % (k * 3, k, tag) for k in range(n))))])


def cases_around(n, tag):
    """cases of a switch with a nest each"""
    return function(tag, ARRAYS, ["switch (m) {"] + [
        "case %d: %s break;" % (k * 3, loop("i", "n", "a[i] = b[i] * %d.5f;" % (k + tag)))
        for k in range(n)] + ["}"])


def else_if(n, tag):
    """branches of an if else chain with a nest each"""
    return function(tag, ARRAYS, [" else ".join(
        "if (m > %d && n < %d) { %s }" % (
            k, k * 7, loop("i", "n", "a[i] = b[i] * %d.5f;" % (k + tag)))
        for k in range(n))])


def copies(n, tag):
    """memcpy in one loop"""
    return function(tag, ARRAYS, [loop("i", "n", " ".join(
        "memcpy(a + i * m + %d * n, b + i * m + %d * n, m * sizeof(float));" % (k, k)
        for k in range(n)) + " a[i] = c[i] * %d.5f;" % tag)])


def straight(n, tag):
    """statements in front of and behind a nest"""
    lines = ["a[%d] = b[%d] * c[%d] + %d.5f;" % (k, k + 1, k + 2, tag) for k in range(n)]
    nest = loop("i", "n", loop("j", "m", "a[i * m + j] = b[i * m + j] * 2.0f;"))
    return function(tag, ARRAYS, lines[:n // 2] + [nest] + lines[n // 2:])


def calls_around(n, tag):
    """calls in front of and behind a nest"""
    nest = loop("i", "n", loop("j", "m", "a[i * m + j] = b[i * m + j] * %d.5f;" % tag))
    return function(tag, ARRAYS, ["other();"] * (n // 2) + [nest] + ["other();"] * (n - n // 2))


def helpers(n, tag):
    """calls of a helper in one loop"""
    return ("static float h%d(const float *p, i64 i, float x) { return p[i] * x + %d.5f; }\n" % (
        tag, tag)) + function(tag, ARRAYS, [loop("i", "n", "float x = c[i]; " + "".join(
            "x = h%d(b, i + %d, x); " % (tag, k) for k in range(n)) + "a[i] = x;")])


def helper_chain(n, tag):
    """helpers that call each other"""
    text = ["static float h%d_0(const float *p, i64 i) { return p[i] * %d.5f; }" % (tag, tag)]
    for k in range(1, n):
        text.append("static float h%d_%d(const float *p, i64 i) { return h%d_%d(p, i + 1) + 1; }" % (
            tag, k, tag, k - 1))
    return "\n".join(text) + "\n" + function(tag, ARRAYS, [
        loop("i", "n", "a[i] = h%d_%d(b, i);" % (tag, n - 1))])


def helper_tree(n, tag):
    """helpers that call the one before twice"""
    text = ["static float h%d_0(const float *p, i64 i) { return p[i] * %d.5f; }" % (tag, tag)]
    for k in range(1, n):
        text.append("static float h%d_%d(const float *p, i64 i) { return h%d_%d(p, i) + h%d_%d(p, i + 1); }" % (
            tag, k, tag, k - 1, tag, k - 1))
    return "\n".join(text) + "\n" + function(tag, ARRAYS, [
        loop("i", "n", "a[i] = h%d_%d(b, i);" % (tag, n - 1))])


def stages(n, tag):
    """calls of functions that are loops"""
    text = ["static void s%d_%d(float *a, const float *b, i64 n) { %s }" % (
        tag, k, loop("i", "n", "a[i] = b[i] * %d.5f;" % (k + tag))) for k in range(n)]
    return "\n".join(text) + "\n" + function(tag, ARRAYS, [
        "s%d_%d(a, b, n);" % (tag, k) for k in range(n)])


def rows(n, tag):
    """matrices of pointers to rows"""
    return function(tag, "i64 n, i64 m, float **a%s" % "".join(
        ", float **p%d" % k for k in range(n)), [loop("i", "n", loop(
            "j", "m", "a[i][j] = %d.5f%s;" % (
                tag, "".join(" + p%d[i][j]" % k for k in range(n)))))])


def searches(n, tag):
    """searches for the greatest element in one loop"""
    return function(tag, ARRAYS + ", i64 *r", [
        "i64 x%d = 0;" % k for k in range(n)] + [
        loop("i", "n", " ".join("if (b[i + %d * m] > b[x%d + %d * m]) x%d = i;" % (
            k, k, k, k) for k in range(n)))] + [
        "r[%d] = x%d; a[%d] = b[x%d] + %d;" % (k, k, k, k, tag) for k in range(n)])


def locals_(n, tag):
    """small arrays on the stack in one nest"""
    return function(tag, ARRAYS, [loop("i", "n", " ".join(
        "float t%d[4]; for (int k = 0; k < 4; k++) t%d[k] = b[i * 4 + k + %d]; "
        "for (int k = 0; k < 4; k++) a[i * 4 + k] += t%d[k] * %d.5f;" % (k, k, k, k, tag)
        for k in range(n)))])


def unrolled(n, tag):
    """steps of an unrolled product"""
    return function(tag, ARRAYS, [loop("i", "n", loop("j", "n", "float s = %d; for (i64 k = 0; k < m; k += %d) { %s } a[i * n + j] = s;" % (
        tag, n, " ".join("s += b[i * m + k + %d] * c[(k + %d) * n + j];" % (k, k) for k in range(n)))))])


def vectors(n, tag):
    """operations on vectors"""
    return "typedef float v%d __attribute__((vector_size(16)));\n" % tag + function(
        tag, "i64 n, v%d *restrict a, const v%d *b" % (tag, tag), [loop(
            "i", "n", "v%d x = b[i]; " % tag + "".join(
                "x = x * b[i + %d] + %d.5f; " % (k, tag) for k in range(n)) + "a[i] = x;")])


def operators(n, tag):
    """functions that are operators of vectors of halves"""
    text = ["typedef _Float16 h%d __attribute__((ext_vector_type(8)));" % tag,
            "typedef short q%d __attribute__((ext_vector_type(8)));" % tag]
    for k in range(n):
        text.append("q%d o%d_%d(h%d a, h%d b) { q%d r; for (int i = 0; i < 8; i++) "
                    "r[i] = a[i] %s b[i] ? -1 : %d; return r; }" % (
                        tag, tag, k, tag, tag, tag, ("<", ">", "==", "<=")[k % 4], k))
        text.append("h%d m%d_%d(h%d a, h%d b) { h%d r; for (int i = 0; i < 8; i++) "
                    "r[i] = a[i] %s b[i]; return r; }" % (
                        tag, tag, k, tag, tag, tag, ("+", "-", "*", "/")[k % 4]))
    return "\n".join(text) + "\n"


class Shape:
    """What is generated by `make`: `small` of it in many functions compared to
    `large` in one."""

    def __init__(self, make, small, large):
        self.make, self.small, self.large = make, small, large
        self.name = make.__name__.rstrip("_").replace("_", "-")
        self.what = make.__doc__


SHAPES = [
    Shape(nests, 4, (100, 2000)),
    Shape(children, 2, (8, 24, 100)),
    Shape(depth, 2, (4, 8)),
    Shape(statements, 4, (20, 100)),
    Shape(stores, 4, (20, 100)),
    Shape(updates, 4, (20, 100)),
    Shape(sums, 4, (20, 100)),
    Shape(stencil, 4, (32, 200)),
    Shape(arrays, 4, (20, 100)),
    Shape(fields, 4, (20, 100)),
    Shape(squarings, 1, (3, 7, 20)),
    Shape(powers, 2, (8, 24)),
    Shape(index_sum, 4, (24, 100)),
    Shape(index_sharing, 2, (8, 24, 100)),
    Shape(index_casts, 2, (12, 50)),
    Shape(index_choices, 2, (8, 24)),
    Shape(counters, 2, (6, 24, 100)),
    Shape(pointers, 4, (16, 60)),
    Shape(selects, 4, (32, 200)),
    Shape(chain, 8, (64, 1000)),
    Shape(sharing, 4, (32, 200)),
    Shape(integers, 4, (32, 200)),
    Shape(calls, 4, (32, 100)),
    Shape(conditions, 4, (16, 64)),
    Shape(data_conditions, 4, (16, 64)),
    Shape(conjunctions, 4, (16, 64)),
    Shape(nested_conditions, 4, (16, 64)),
    Shape(exits, 4, (16, 64)),
    Shape(cases, 4, (32, 256)),
    Shape(cases_around, 4, (32, 256)),
    Shape(else_if, 4, (32, 256)),
    Shape(copies, 4, (16, 64)),
    Shape(straight, 16, (400, 1500)),
    Shape(calls_around, 16, (400, 4000)),
    Shape(helpers, 4, (32, 200)),
    Shape(helper_chain, 4, (16, 100)),
    Shape(helper_tree, 4, (8, 16, 60)),
    Shape(stages, 2, (16, 100)),
    Shape(rows, 2, (8, 32)),
    Shape(searches, 2, (8, 32)),
    Shape(locals_, 2, (8, 32)),
    Shape(unrolled, 2, (16, 64)),
    Shape(vectors, 4, (32, 100)),
    Shape(operators, 4, (36, 144)),
]
