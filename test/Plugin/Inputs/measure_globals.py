"""usage: measure_globals.py UTILS PLAIN OTHER

Compares two sources with a function f and an array `table`, as dl-measure compares builds.
"""
import os
import sys

for name in ("support", "census", "dl-measure"):
    sys.path.insert(0, os.path.join(sys.argv[1], name))

import build  # noqa: E402
import results  # noqa: E402
import shapes  # noqa: E402
import units  # noqa: E402

builder = build.Builder("", [], [], 60)
libraries = []
for source in sys.argv[2:]:
    library = os.path.abspath(source + ".so")
    builder.run([builder.tool("clang"), "-shared", "-fPIC", source, "-o", library])
    libraries.append(library)
function = build.irmodule.Function("f", "void", "void", [], 0, 0, True, False)
libraries += ["", ""]  # There is no reference, and none is asked for.
built = build.Built(units.Unit(sys.argv[2], "compile"), None, [function], {}, libraries, {},
                    [builder.symbols(library) for library in libraries], True, [])
plan = shapes.Plan([], {}, [], {"table": ("f32", -1, 1)})
folder = os.getcwd()
runner = results.Runner(build.build_driver(builder, folder), folder, 1, 10, results.BITS)
checked = runner.check(built, 0, plan)
print(checked.numbers, results.verdict(checked, results.BITS, True))
