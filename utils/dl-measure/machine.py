# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The limits of one core of this machine, measured."""
import glob
import os
import re

HERE = os.path.dirname(os.path.realpath(__file__))


def cache_sizes():
    """Bytes of the data caches of a core, the nearest first."""
    found = {}
    for folder in sorted(glob.glob("/sys/devices/system/cpu/cpu0/cache/index*")):
        try:
            def read(name, folder=folder):
                with open(os.path.join(folder, name)) as f:
                    return f.read().strip()
            if read("type") != "Instruction":
                size = re.match(r"(\d+)([KM]?)$", read("size"))
                found["L" + read("level")] = int(size.group(1)) * {
                    "": 1, "K": 1 << 10, "M": 1 << 20}[size.group(2)]
        except (OSError, AttributeError):
            continue
    return found or {"L1": 32 << 10, "L2": 512 << 10}


def cpu_name():
    try:
        with open("/proc/cpuinfo") as f:
            return re.search(r"model name\s*: (.*)", f.read()).group(1).strip()
    except (OSError, AttributeError):
        return os.uname().machine


def include_folder():
    """Where limits.h is: it is that of the benchmarks."""
    return os.path.join(os.path.dirname(HERE), "bench")


def measure(builder, folder):
    program = os.path.join(folder, "limits")
    builder.run([builder.tool("clang++"), "-O3", "-march=native", "-w",
                 "-I" + include_folder(), os.path.join(HERE, "limits.cc"), "-o", program])
    caches = cache_sizes()
    # A part of each, and what is larger than all.
    sizes = {name: size * 5 // 8 for name, size in caches.items()}
    last = max(caches.values())
    sizes[max(caches, key=caches.get)] = min(last * 5 // 8, 8 << 20)
    sizes["memory"] = max(4 * last, 128 << 20)
    text = builder.run([program, *(str(size) for size in sizes.values())])
    peaks = re.findall(r"peak (\w+) (\S+)", text)
    reads = re.findall(r"read \d+ (\S+)", text)
    return {"cpu": cpu_name(), "ghz": float(re.search(r"ghz (\S+)", text).group(1)),
            "caches": caches, "peaks": [[name, float(value)] for name, value in peaks],
            "bandwidths": [[name, float(value)] for name, value in zip(sizes, reads)]}


def limit_seconds(machine, operations, moved, kind):
    """The least time for so many operations on numbers of a type, and so many bytes that
    come from the nearest cache that has room for them; of more than the last one has room
    for, the rest from memory."""
    bandwidths = dict(machine["bandwidths"])
    seconds, rest = 0, moved
    for name, size in sorted(machine["caches"].items(), key=lambda c: c[1]):
        # What has no room in the nearer levels.
        if moved <= size or name == max(machine["caches"], key=machine["caches"].get):
            seconds, rest = min(rest, size) / bandwidths[name] * 1e-9, max(moved - size, 0)
            break
    seconds += rest / bandwidths["memory"] * 1e-9
    peak = dict(machine["peaks"]).get(kind)
    if operations and peak:
        seconds = max(seconds, operations / peak * 1e-9)
    return seconds
