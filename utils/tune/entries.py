# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of tuned kernels (docs/tuning.md), and remarks of dl-tune, which have their
form: what a kernel is found by, and what could be tried."""
import os
import re
import sys
from typing import Dict, Iterable, List, Optional, Tuple

MAGIC, VERSION = "dlopt-tuned", 1
Key = Tuple[str, str, str]  # digest of the kernel, CPU, target
Choice = Tuple[str, Tuple[str, ...]]  # options, steps of a script


class Entry:
    """What is known of one kernel, with comments for people."""

    def __init__(self, key: Key, choice: Choice = ("", ()),
                 comments: Iterable[str] = (), times: str = "") -> None:
        self.key, self.choice = key, choice
        self.comments, self.times = list(comments), times

    def lines(self) -> List[str]:
        options, steps = self.choice
        named = [("kernel", self.key[0]), ("cpu", self.key[1]), ("target", self.key[2])]
        lines = ["%s %s" % pair for pair in named] + self.comments
        lines += ["time " + self.times] if self.times else []
        lines += ["options " + options] if options else []
        return lines + ["step " + step for step in steps]


class Kernel:
    """What remarks say of a kernel."""

    def __init__(self, entry: Entry) -> None:
        self.key, self.comments = entry.key, entry.comments
        self.scripts: List[Choice] = []
        self.function = self.find(r"# function (\S+)")
        self.name = " ".join(self.find(r"# \| kernel \d+ +(.*)").split())
        self.arrays = re.findall(r"# array %(\S+) (\w+) (.*)", self.text)

    @property
    def text(self) -> str:
        return "\n".join(self.comments)

    def find(self, pattern: str) -> str:
        found = re.search(pattern, self.text)
        return found.group(1) if found else ""

    def has_known_sizes(self) -> bool:
        return not any("%" in elements for _, _, elements in self.arrays)

    def described(self) -> List[str]:
        """Comments for an entry."""
        return [c for c in self.comments if c.startswith("# |")]


def parse(lines: Iterable[str]) -> List[Entry]:
    entries: List[Entry] = []
    digest: Dict[str, str] = {}
    for line in lines:
        name, _, value = line.strip().partition(" ")
        if name == "kernel":
            entries.append(Entry((value, "", "")))
        elif not entries:
            continue
        elif name == "cpu":
            entries[-1].key = (entries[-1].key[0], value, entries[-1].key[2])
        elif name == "target":
            entries[-1].key = entries[-1].key[:2] + (value,)
        elif name == "options":
            entries[-1].choice = (value, entries[-1].choice[1])
        elif name == "step":
            entries[-1].choice = (entries[-1].choice[0], entries[-1].choice[1] + (value,))
        elif name == "time":
            entries[-1].times = value
        elif name.startswith("#"):
            entries[-1].comments.append(line.rstrip())
    return entries


def read(path: str) -> List[Entry]:
    """Those of a file, which need not exist."""
    if not os.path.exists(path):
        return []
    with open(path, errors="replace") as f:
        lines = f.read().splitlines()
    if not lines or lines[0].strip() != "%s %d" % (MAGIC, VERSION):
        sys.exit("tune: %s is no file of tuned kernels of version %d" % (path, VERSION))
    return parse(lines[1:])


def write(path: str, entries: Iterable[Entry]) -> None:
    text = "%s %d\n" % (MAGIC, VERSION)
    for entry in entries:
        text += "\n" + "\n".join(entry.lines()) + "\n"
    with open(path, "w") as f:
        f.write(text)


def parse_remarks(text: str) -> List[Kernel]:
    """Kernels in the order in which the compiler met them."""
    kernels: Dict[Tuple[Key, str], Kernel] = {}
    parts = re.split(r"(?m)^[^\n]*?: (remark|warning|error|note): ", text)
    for kind, part in zip(parts[1::2], parts[2::2]):
        if kind != "remark" or not part.startswith("kernel "):
            continue
        entry = parse(part.splitlines())[0]
        new = Kernel(entry)
        kernel = kernels.setdefault((new.key, new.function), new)
        if entry.choice[1] and entry.choice not in kernel.scripts:
            kernel.scripts.append(entry.choice)
    return list(kernels.values())


def find_stale(text: str) -> Optional[str]:
    found = re.search(r"the entry \S+ is stale.*?: (.*)", text)
    return found.group(1) if found else None
