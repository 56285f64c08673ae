# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tools for people have in common: arguments, a bar that shows how far it is."""
import argparse
import glob
import os
import re
import sys


def positive(text):
    """A number of at least 1, for the type of an argument."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError("expected a number of at least 1, not '%s'" % text)
    return int(text)


def split_flags(arguments):
    """(own arguments, those behind --, which are for the compiler)."""
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1:]


def find_plugin(modules):
    """The plugin of an installation or of the build, from where the modules are; or as
    DLOPT_PLUGIN says."""
    places = [os.path.join(os.path.dirname(modules), "libDLOpt.so"),
              os.path.join(os.path.dirname(modules), "build", "lib", "libDLOpt.so")]
    return os.environ.get("DLOPT_PLUGIN") or next(
        (path for path in places if os.path.exists(path)), places[-1])


def choose_llvm(plugin):
    """Tools are to be those of an LLVM that there is a plugin for, the newest one."""
    found = [re.search(r"-(\d+)\.so$", path) for path in glob.glob(
        os.path.join(glob.escape(os.path.dirname(os.path.abspath(plugin))),
                     "libDLOpt-*.so"))]
    majors = sorted(match.group(1) for match in found if match)
    if majors and not os.environ.get("DLOPT_LLVM_MAJOR"):
        os.environ["DLOPT_LLVM_MAJOR"] = majors[-1]


class Progress:
    """A bar on a terminal, nothing elsewhere."""

    def __init__(self, total, stream=sys.stderr):
        self.total, self.done, self.stream = total, 0, stream
        self.shown = stream.isatty()

    def say(self, name):
        """What is going on."""
        if not self.shown or self.total < 2:
            return
        filled = 30 * self.done // self.total
        text = "[%s%s] %d/%d %s" % ("#" * filled, "." * (30 - filled), self.done,
                                    self.total, os.path.basename(name))
        self.stream.write("\r\033[K" + text[:100])
        if self.done == self.total:
            self.stream.write("\r\033[K")
        self.stream.flush()

    def step(self, name):
        self.done += 1
        self.say(name)
