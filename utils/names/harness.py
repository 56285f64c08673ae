# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles many small functions at once, asks for their kernels, and runs them."""
import ctypes
import os
import re
import subprocess

import numpy as np

PRELUDE = """
#define INFINITY __builtin_inff()
#define FOR(I, E) for (long I = 0; I < E; I++)
float sqrtf(float), fmaxf(float, float), fminf(float, float), fabsf(float), expf(float),
    exp2f(float), logf(float), log2f(float), log1pf(float), tanhf(float), erff(float),
    powf(float, float), sinf(float), cosf(float), expm1f(float), rintf(float),
    floorf(float), ceilf(float), roundf(float), coshf(float);
"""
KERNEL = re.compile(r"^kernel (\d+) @([\w.$]+)  (?:\S+:\d+  )?(\S+)", re.MULTILINE)

NO_KERNEL = "no kernel"


class Failure(Exception):
    """What went wrong, in one line."""


class Harness:
    def __init__(self, clang, opt, plugin, folder):
        self.clang, self.opt, self.plugin, self.folder = clang, opt, plugin, folder
        self.libraries = 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, command):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, errors="replace")
        if done.returncode:
            lines = done.stderr.strip().split("\n")
            raise Failure("%s: %s" % (os.path.basename(command[0]), lines[0]))
        return done.stdout, done.stderr

    def write(self, name, functions):
        """A file with a function a line; where it starts."""
        with open(self.path(name), "w") as f:
            f.write(PRELUDE + "\n".join(functions) + "\n")
        return PRELUDE.count("\n") + 1

    def compilable(self, functions):
        """Which of the functions are C: the others have an error in their line."""
        first = self.write("syntax.c", functions)
        done = subprocess.run([self.clang, "-w", "-fsyntax-only", "-ferror-limit=0",
                               self.path("syntax.c")], stderr=subprocess.PIPE, text=True)
        wrong = {int(line) - first
                 for line in re.findall(r"syntax\.c:(\d+):\d+: error", done.stderr)}
        return [i not in wrong for i in range(len(functions))]

    def kernels(self, functions):
        """Name of the function -> the texts of its kernels."""
        self.write("kernels.c", functions)
        self.run([self.clang, "-w", "-O2", "-fno-math-errno", "-fno-discard-value-names", "-Xclang",
                  "-disable-llvm-passes", "-S", "-emit-llvm", self.path("kernels.c"), "-o",
                  self.path("kernels.ll")])
        out, err = self.run([self.opt, "-load-pass-plugin=" + self.plugin,
                             "-passes=dl-prepare<all>,print<dl-kernels>", "-disable-output",
                             self.path("kernels.ll")])
        found, starts = {}, list(KERNEL.finditer(out + err))
        for i, match in enumerate(starts):
            end = starts[i + 1].start() if i + 1 < len(starts) else len(out + err)
            found.setdefault(match.group(2), []).append(
                (match.group(3), (out + err)[match.start():end]))
        for function in re.findall(r"^missed @([\w.$]+)", out + err, re.MULTILINE):
            found.setdefault(function, []).append((NO_KERNEL, ""))
        return found

    def library(self, functions):
        """The functions as clang compiles them without the plugin, to be called."""
        self.write("code.c", functions)
        self.libraries += 1  # the same path would be the same library
        path = self.path("code%d.so" % self.libraries)
        self.run([self.clang, "-w", "-O0", "-ffp-contract=off", "-fPIC", "-shared",
                  self.path("code.c"), "-lm", "-o", path])
        return ctypes.CDLL(path)


# Elements around an array: a changed kernel may go beyond it.
MARGIN = 256


def call(function, case, values, sizes):
    """Runs a function on copies; what the outputs have then."""
    arguments, kept = [], {}
    for s in case.sizes:
        arguments.append(ctypes.c_long(sizes[s]))
    for a in case.args:
        v = values[a.name]
        if not a.sizes:
            arguments.append(ctypes.c_float(float(v)) if a.type == "float"
                             else ctypes.c_int(int(v)))
            continue
        room = np.ones(v.size + 2 * MARGIN, v.dtype)
        room[MARGIN:MARGIN + v.size] = v.ravel()
        kept[a.name] = room
        arguments.append(ctypes.c_void_p(room.ctypes.data + MARGIN * v.itemsize))
    function(*arguments)
    return [kept[name][MARGIN:MARGIN + values[name].size].reshape(values[name].shape)
            for name in case.outputs]


def interpret(tool, text, case, values, sizes, folder):
    """The same by the interpreter, from the text of the kernel; None if the function
    does more: in front of the kernel, or behind it; or has arrays of its own."""
    path = os.path.join(folder, "one.kernel")
    with open(path, "w") as f:
        f.write(text)
    params = re.search(r"^  params\s+(.*)$", text, re.MULTILINE)
    names = re.findall(r"%([\w.$]+)", re.sub(r"\([^)]*\)", "", params.group(1))) \
        if params else []
    buffers = re.search(r"^  buffers\s+(.*)$", text, re.MULTILINE).group(1)
    known = set(sizes) | set(values)
    arrays = {name for name in re.findall(r"%([\w.$]+):", buffers)}
    if not known >= set(names) or not arrays <= {a.name for a in case.args} or \
            not all(re.search(r"%%%s\b" % name, buffers) for name in case.outputs):
        return None
    command = [tool, path, "--run", "--separate"]
    for name in names:
        value = sizes[name] if name in sizes else repr(values[name].item())
        command += ["--param", "%s=%s" % (name, value)]
    for a in case.args:
        if not a.sizes or not re.search(r"%%%s\b" % a.name, buffers):
            continue
        data = os.path.join(folder, a.name + ".bin")
        values[a.name].tofile(data)
        command += ["--array", "%s=file:%s" % (a.name, data)]
    for name in case.outputs:
        command += ["--write", "%s=%s" % (name, os.path.join(folder, name + ".out"))]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    if done.returncode:
        raise Failure("%s\n%s" % (done.stdout.strip().split("\n")[0], text))
    return [np.fromfile(os.path.join(folder, name + ".out"), values[name].dtype)
            .reshape(values[name].shape) for name in case.outputs]
