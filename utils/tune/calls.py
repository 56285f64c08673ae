# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls a function of a shared object, with arrays for its kernels, and times that."""
import array
import ctypes
import hashlib
import random
import re
import sys
from typing import Any, Callable, Dict, List, Tuple

from entries import Kernel

# By LLVM's type: C's, that of ctypes.
SCALARS = {"ptr": ("void *", ctypes.c_void_p), "i8": ("char", ctypes.c_byte),
           "i16": ("short", ctypes.c_short), "i32": ("int", ctypes.c_int),
           "i64": ("long long", ctypes.c_longlong), "float": ("float", ctypes.c_float),
           "double": ("double", ctypes.c_double), "void": ("void", None)}
# By the kernel's type of elements: bytes, array's code if they are floats.
ELEMENTS = {"f16": (2, ""), "bf16": (2, ""), "f32": (4, "f"), "f64": (8, "d"),
            "i8": (1, ""), "i16": (2, ""), "i32": (4, ""), "i64": (8, "")}
SLACK = 4096  # bytes in front of an array, and behind it
TIMER = """
#define _POSIX_C_SOURCE 199309L
#include <time.h>
double timeCalls(%(result)s (*f)(%(types)s), long n%(parameters)s) {
  struct timespec a, b;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
  for (long i = 0; i < n; i++)
    f(%(names)s);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
  return ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / n;
}
"""


class Signature:
    """Of a function, by the IR of its definition."""

    def __init__(self, ir: str, function: str) -> None:
        found = re.search(r"^define ([^\n@]*)@%s\(([^\n]*?)\)[^()\n]*(?:\([^\n]*)?\{"
                          % re.escape(function), ir, re.MULTILINE)
        if not found or "internal" in found.group(1):
            sys.exit("tune: nobody can call '%s' from elsewhere" % function)
        self.result = found.group(1).split()[-1]
        self.arguments: List[Tuple[str, str]] = []  # type, name
        text = re.sub(r"\([^()]*\)", "", found.group(2))
        for number, argument in enumerate(filter(None, text.split(","))):
            words = argument.split()
            name = words[-1].lstrip("%") if words[-1].startswith("%") else str(number)
            self.arguments.append((words[0], name))
        for kind in [self.result] + [t for t, _ in self.arguments]:
            if kind not in SCALARS:
                sys.exit("tune: '%s' has an argument or a result of type %s"
                         % (function, kind))

    def timer(self) -> str:
        types = [SCALARS[t][0] for t, _ in self.arguments]
        names = ["a%d" % i for i in range(len(types))]
        return TIMER % {"result": SCALARS[self.result][0], "types": ", ".join(types),
                        "names": ", ".join(names),
                        "parameters": "".join(", %s %s" % p for p in zip(types, names))}


def evaluate(text: str, sizes: Dict[str, int]) -> int:
    """A polynomial of a kernel; KeyError: a number is not known."""
    text = re.sub(r"%([\w.]+)", lambda m: str(sizes[m.group(1)]), text)
    if not re.fullmatch(r"(?:[\d\s*+(),-]|floordiv|mod)*", text):
        raise KeyError(text)
    functions: Dict[str, Callable[[int, int], int]] = {
        "floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b}
    return int(eval(text, {"__builtins__": {}}, functions))  # pylint: disable=eval-used


def fill(kind: str, elements: int, dice: random.Random) -> bytes:
    size, code = ELEMENTS.get(kind, (4, "f"))
    if code:
        return array.array(code, (dice.uniform(-1, 1) for _ in range(elements))).tobytes()
    if size <= 2:
        # Halves of about one in size, or small numbers.
        return bytes(dice.choice((0x3c, 0x3a, 0xbb)) for _ in range(size * elements))
    return bytes(size * elements)  # these may be subscripts


def need(missing: List[str]) -> None:
    if missing:
        sys.exit("tune: no size is known of '%s': give --sizes %s"
                 % ("', '".join(missing), ",".join(n + "=N" for n in missing)))


class Caller:
    """Arrays and numbers for one function."""

    def __init__(self, signature: Signature, kernels: List[Kernel],
                 sizes: Dict[str, int]) -> None:
        self.signature = signature
        self.memory: List[Tuple[Any, bytes]] = []  # what it is, what it begins with
        self.arguments: List[Any] = []
        dice = random.Random(1)
        # Integers first: with them, the sizes of most arrays are known.
        need([name for kind, name in signature.arguments
              if kind.startswith("i") and name not in sizes])
        missing: List[str] = []
        for kind, name in signature.arguments:
            if kind == "ptr":
                self.add_array(name, kernels, sizes, dice, missing)
            else:
                self.arguments.append(SCALARS[kind][1](sizes.get(name, 1)))
        need(missing)

    def add_array(self, name: str, kernels: List[Kernel], sizes: Dict[str, int],
                  dice: random.Random, missing: List[str]) -> None:
        used = [(kind, text) for k in kernels for n, kind, text in k.arrays if n == name]
        elements = sizes.get(name, 0)
        for kind, text in used:
            try:
                elements = max(elements, evaluate(text, sizes))
            except KeyError:
                pass
        if used and not elements:
            missing.append(name)
            return
        data = fill(used[0][0] if used else "f32", elements, dice)
        data = bytes(SLACK) + data + bytes(SLACK)
        memory = ctypes.create_string_buffer(len(data) + 64)
        offset = -ctypes.addressof(memory) % 64
        place = (ctypes.c_char * len(data)).from_buffer(memory, offset)
        self.memory.append((place, data))
        self.arguments.append(ctypes.c_void_p(ctypes.addressof(place) + SLACK))

    def prepare(self, function: Any) -> None:
        function.restype = SCALARS[self.signature.result][1]

    def get_bits(self, function: Any) -> bytes:
        """A digest of all that a call leaves behind."""
        for place, data in self.memory:
            ctypes.memmove(place, data, len(data))
        digest = hashlib.sha256(repr(function(*self.arguments)).encode())
        for place, _ in self.memory:
            digest.update(place)
        return digest.digest()

    def time(self, timer: Any, function: Any, calls: int) -> float:
        """Nanoseconds a call."""
        return timer(function, ctypes.c_long(calls), *self.arguments)
