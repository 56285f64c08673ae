#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Begins a pass: its files, its row in the registry, its test and its page.

    utils/new_pass.py dl-count "Counts kernels."

makes include/dlopt/Count.h, passes/Count/, test/Count/kernels.c and
docs/passes/dl-count.md, and adds the pass to PassRegistry.def, to the plugin and to
the list of pages. What it makes builds, and its test passes: the pass names each
kernel that it finds in functions, and changes nothing. docs/adding.md says how to go
on from there.
"""
import argparse
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LICENSE = """//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
"""
HEADER = """%(top_h)s#ifndef DLOPT_%(guard)s_H
#define DLOPT_%(guard)s_H

#include "dlopt/PassParams.h"

namespace dlopt {

/// %(pass)s: %(what)s
class %(name)sPass : public ParamPassMixin<%(name)sPass, NoParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

} // namespace dlopt

#endif // DLOPT_%(guard)s_H
"""
SOURCE = """%(top_cpp)s#include "dlopt/%(name)s.h"
#include "dlopt/Raise.h"
#include "dlopt/Recognize.h"
#include "dlopt/Remarks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticInfo.h"

#define DEBUG_TYPE "%(pass)s"

using namespace llvm;
using namespace dlopt;

%(run)s
  auto &ORE = AM.getResult<OptimizationRemarkEmitterAnalysis>(F);
  const RaiseResult R = raiseFunction(F, AM);
  for (const RaisedKernel &RK : R.Kernels)
    ORE.emit([&] {
      return analysisRemark(DEBUG_TYPE, "Kernel",
                            getUserLoc(RK.Nest->getStartLoc()),
                            *RK.Nest->getHeader())
             << describe(*RK.K);
    });
  return PreservedAnalyses::all();
}
"""
CMAKE = "target_sources(DLOptObjects PRIVATE %(name)s.cpp)\n"
TEST = """// The kernels of functions, and nothing of what is none.
// RUN: %%clang --target=x86_64-linux-gnu -gline-tables-only -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm %%s -o %%t.ll
// RUN: %%opt -passes='dl-prepare<loops>,function(%(pass)s)' -pass-remarks-analysis=%(pass)s -disable-output %%t.ll 2>&1 | FileCheck %%s --implicit-check-not=remark:

// CHECK: remark: {{.*}}kernels.c:[[#@LINE+3]]:3: scale f32, %%n
void scaled(long n, float s, const float *restrict x,
            float *restrict y) {
  for (long i = 0; i < n; i++)
    y[i] = s * x[i];
}

// Where it ends is not known in front of the loop.
long length(const char *text) {
  long n = 0;
  while (text[n])
    n++;
  return n;
}
"""
PAGE = """# %(pass)s

%(what)s

**Works on** functions in light form (`dl-prepare<loops>`). No pipeline runs it.

**Remarks.** `Kernel` (analysis): each kernel, by what it computes.

```sh
clang-22 -O3 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm examples/gemm.c -o gemm.ll
opt-22 -load-pass-plugin=build/lib/libDLOpt.so -passes='dl-prepare<loops>,function(%(pass)s)' -pass-remarks-analysis=%(pass)s -disable-output gemm.ll
```
"""


def first_line(path, what):
    """LLVM's line with the name of a file, 80 characters."""
    name, kind = os.path.basename(path), "-*- C++ -*-" if path.endswith(".h") else ""
    text = "//===- %s - %s " % (name, what.rstrip("."))
    end = kind + "===//"
    return text[:80 - len(end) - 1] + " " * (text[80 - len(end) - 2:80 - len(end) - 1] == " ") \
        + "-" * (80 - len(end) - len(text[:80 - len(end) - 1])) + end + "\n"


def run_line(name):
    """The head of the pass's function, as clang-format breaks it."""
    start = "PreservedAnalyses %sPass::run(Function &F," % name
    line = start + " FunctionAnalysisManager &AM) {"
    return line if len(line) <= 80 else \
        start + "\n" + " " * (start.index("(") + 1) + "FunctionAnalysisManager &AM) {"


class Tree:
    """Changes to a source folder, which are made together or not at all."""

    def __init__(self, root):
        self.root, self.texts = root, {}

    def read(self, path):
        if path not in self.texts:
            with open(os.path.join(self.root, path)) as f:
                self.texts[path] = f.read()
        return self.texts[path]

    def create(self, path, text):
        if os.path.exists(os.path.join(self.root, path)):
            sys.exit("new_pass: there is a %s" % path)
        self.texts[path] = text

    def insert(self, path, mark, text, behind=False):
        """In front of the first line that begins with `mark`, or behind it."""
        lines = self.read(path).splitlines(keepends=True)
        at = next((i for i, line in enumerate(lines) if line.startswith(mark)), None)
        if at is None:
            sys.exit("new_pass: %s has no line that begins with '%s'" % (path, mark))
        lines.insert(at + behind, text)
        self.texts[path] = "".join(lines)

    def write(self):
        for path, text in self.texts.items():
            full = os.path.join(self.root, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w") as f:
                f.write(text)


def begin(tree, name, what):
    words = name.split("-")[1:]
    class_name = "".join(w.capitalize() for w in words)
    if '"%s"' % name in tree.read("include/dlopt/PassRegistry.def"):
        sys.exit("new_pass: PassRegistry.def has a '%s'" % name)
    header = "include/dlopt/%s.h" % class_name
    source = "passes/%s/%s.cpp" % (class_name, class_name)
    fill = {"pass": name, "what": what, "name": class_name,
            "guard": class_name.upper(), "run": run_line(class_name),
            "top_h": first_line(header, what) + LICENSE,
            "top_cpp": first_line(source, "The pass " + name) + LICENSE}
    tree.create(header, HEADER % fill)
    tree.create(source, SOURCE % fill)
    tree.create("passes/%s/CMakeLists.txt" % class_name, CMAKE % fill)
    tree.create("test/%s/kernels.c" % class_name, TEST % fill)
    tree.create("docs/passes/%s.md" % name, PAGE % fill)
    tree.insert("include/dlopt/PassRegistry.def", 'DLOPT_FUNCTION_PASS("print<dl-kernels>"',
                'DLOPT_FUNCTION_PASS("%s", %sPass, "")\n' % (name, class_name))
    include = '#include "dlopt/%s.h"\n' % class_name
    plugin = tree.read("passes/Plugin.cpp")
    after = [i for i in re.findall(r'^#include "dlopt/\w+\.h"\n', plugin, re.MULTILINE)
             if i < include]
    tree.insert("passes/Plugin.cpp", after[-1].rstrip("\n"), include, behind=True)
    lists = tree.read("passes/CMakeLists.txt")
    tree.texts["passes/CMakeLists.txt"] = re.sub(
        r"(?m)^(foreach\(folder .*)\)$", r"\1 %s)" % class_name, lists, count=1)
    pages = tree.read("docs/README.md")
    tree.texts["docs/README.md"] = pages.replace(
        "[dl-relower](passes/dl-relower.md)",
        "[%s](passes/%s.md),\n  [dl-relower](passes/dl-relower.md)" % (name, name), 1)
    tree.write()
    print("\n".join(sorted(tree.texts)))


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("name", help="of the pass: dl-words-with-dashes")
    p.add_argument("what", help="a sentence: what it does")
    p.add_argument("--tree", default=os.path.dirname(HERE),
                   help="source folder (default: this one)")
    args = p.parse_args()
    if not re.fullmatch(r"dl(-[a-z][a-z0-9]*)+", args.name):
        p.error("'%s' is no name of a pass: dl-, and words in small letters with dashes"
                % args.name)
    if not re.fullmatch(r"[A-Z].*\.", args.what):
        p.error("'%s' is no sentence: a capital letter to a full stop" % args.what)
    begin(Tree(args.tree), args.name, args.what)


if __name__ == "__main__":
    main()
