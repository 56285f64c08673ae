# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A census as text, JSON and YAML, and back."""
import json
from typing import List, NamedTuple

import kernels

VERSION = 1


class Census(NamedTuple):
    kernels: List[kernels.Kernel]
    units: int                     # files that were counted
    failed: List[List[str]]        # [file, why]


class BadCensus(Exception):
    """Why a file is none, in one line."""


def to_object(census):
    return {"dl-census": VERSION, "units": census.units,
            "kernels": [k._asdict() for k in census.kernels],
            "failed": [{"file": file, "why": why} for file, why in census.failed]}


def read(path):
    """A census as --format=json writes it."""
    try:
        with open(path) as f:
            data = json.load(f)
        if data["dl-census"] != VERSION:
            raise BadCensus("%s: a census of version %s, expected %d"
                            % (path, data["dl-census"], VERSION))
        return Census([kernels.Kernel(**k) for k in data["kernels"]], data["units"],
                      [[entry["file"], entry["why"]] for entry in data["failed"]])
    except OSError as e:
        raise BadCensus("%s: %s" % (path, e.strerror))
    except (ValueError, KeyError, TypeError):
        raise BadCensus("%s: no census as --format=json writes it" % path)


def to_json(census):
    return json.dumps(to_object(census), indent=1)


def to_yaml(census):
    """Of strings, those of JSON are YAML's, too."""
    data = to_object(census)
    lines = ["dl-census: %d" % data["dl-census"], "units: %d" % data["units"]]
    for name in ("kernels", "failed"):
        lines.append(name + ":" + ("" if data[name] else " []"))
        for entry in data[name]:
            for i, (key, value) in enumerate(entry.items()):
                lines.append("%s %s: %s" % (" -" if i == 0 else "  ", key,
                                            json.dumps(value)))
    return "\n".join(lines)


def table(head, rows):
    """Columns, the first to the left, the others to the right."""
    rows = [head] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    return ["  ".join([row[0].ljust(widths[0])] +
                      [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])])
            .rstrip() for row in rows]


def grouped(some, key):
    groups = {}
    for k in some:
        groups.setdefault(key(k), []).append(k)
    return sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))


def counts(groups):
    return [[name] + [count or "-" for count in kernels.count(group)]
            for name, group in groups]


def plural(number, noun):
    return "%d %s%s" % (number, noun, "" if number == 1 else "s")


def to_text(census, everywhere=False):
    """`everywhere`: list also loops that are no kernels."""
    everything = [k for k in census.kernels if k.fate in kernels.FATES]
    found = [k for k in everything if k.kind]
    lines = table(["kernels by kind"] + list(kernels.FATES[:3]),
                  [row[:4] for row in counts(grouped(found, lambda k: k.kind))])
    lines += [""] + table(["loops by file"] + list(kernels.FATES),
                          counts(grouped(everything, lambda k: k.file)))
    lost = [k for k in everything if k.fate not in kernels.KEPT]
    if lost:
        lines += [""] + table(["left alone by reason", "loops"],
                              [[name, len(group)] for name, group
                               in grouped(lost, lambda k: k.reason)])
    listed = [k for k in lost if everywhere or k.kind]
    lines += [""] * bool(listed)
    for k in listed:
        lines.append("%s: %s%s [%s]" % (k.place(), k.kind + " " if k.kind else "",
                                        k.message, k.reason))
    totals = kernels.count(everything)
    lines += ["", "%s: %s transformed, %d as fast already, %d left alone, %d no kernel"
              % (plural(census.units, "file"), plural(totals[0], "loop"), *totals[1:])]
    for file, why in census.failed:
        lines.append("failed: %s: %s" % (file, why))
    return "\n".join(lines)


def to_full_text(census):
    return to_text(census, everywhere=True)


FORMATS = {"text": to_text, "full": to_full_text, "json": to_json, "yaml": to_yaml}
