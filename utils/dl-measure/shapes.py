# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chooses what a function is called with: sizes from what its kernels do with them, arrays
of the types that they have there.

A *place* is where a number or an address comes from, as the plugin says it: "3" is the
third argument, "[3+8:i32]" a number 8 bytes behind where it points to ("[3+8]": an
address), "(3/#2)" half of the third argument.
"""
import re
from typing import Dict, List, NamedTuple, Optional

import irmodule
import kerneltext

# Points of a kernel that a first guess is for: some milliseconds of plain loops.
POINTS = 4e6
WINDOW = 3
SLICE = 1 << 26              # elements, of a length that no kernel speaks of
MOST_BYTES = 8               # of a number
INTEGERS = ("i1", "i8", "i16", "i32", "i64")
FLOATS = {"f16", "bf16", "f32", "f64"}
# What a number is for, the most telling first.
ROLES = ("window", "size", "divisor", "pitch", "step", "offset", "other")


class NoShapes(Exception):
    """Why a function cannot be called, in one line."""


class Guess(NamedTuple):
    """How numbers that nobody gives are chosen."""
    points: float = POINTS
    unknown: Optional[int] = 1           # None: as large as a size
    positive: bool = False               # floating-point numbers above 0
    all: Optional[int] = None            # what sizes are, all of them


GUESSES = (Guess(), Guess(unknown=0), Guess(points=POINTS / 64),
           Guess(points=POINTS / 64, unknown=None), Guess(points=POINTS / 4096, unknown=0),
           # Where sizes are asserted to be the same, or as many as there are colours.
           Guess(all=64), Guess(all=3))


class Plan(NamedTuple):
    lines: List[str]                     # of driver.c
    sizes: Dict[str, int]                # name -> value, for people
    values: List[Dict[str, int]]         # of each kernel: parameter -> value
    globals: Dict[str, tuple]            # arrays: name -> (type, lo, hi)


def indices(kernels, arguments):
    """Places of arrays whose elements are subscripts."""
    found = set()
    for kernel, places in zip(kernels, arguments):
        for leaf in kernel.leaves:
            for access in leaf.loads + leaf.stores:
                for sub in access.subs:
                    found |= {places.get(inner.buffer) for inner in kerneltext.loads(sub)}
    return found


def split_operation(place):
    """("(3/#2)") -> ("3", "/", "#2"); None: it is no operation."""
    if not place.startswith("("):
        return None
    depth = 0
    for i, c in enumerate(place):
        if depth == 1 and c in "+-*/" and place[i - 1] not in "(#":
            return place[1:i], c, place[i + 1:-1]
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(c, 0)
    return None


def is_address(place):
    return place.startswith("[") and parent_of(place)[2] == "ptr"


def is_distance(place):
    """Bytes between two addresses, as between the ends of a vector of C++."""
    parts = split_operation(place)
    return bool(parts and parts[1] == "-" and is_address(parts[0]) and is_address(parts[2]))


def read_distance(stride):
    """(name, elements a unit of it is) of the distance of rows: itself, or where it is in
    bytes, as in descriptors of Fortran, its quotient; else None."""
    if stride[0] == "name":
        return stride[1], 1
    if stride[0] == "floordiv" and stride[1][0] == "name" and stride[2][0] == "int":
        return stride[1][1], stride[2][1]
    return None


def leaves(place):
    """The numbers that a place is made of."""
    parts = None if is_distance(place) else split_operation(place)
    if parts:
        return leaves(parts[0]) | leaves(parts[2])
    return set() if place.startswith("#") else {place}


def value_of(place, values):
    """None: a number is not known."""
    if place.startswith("#"):
        return int(place[1:])
    parts = None if is_distance(place) else split_operation(place)
    if not parts:
        return values.get(place)
    left, right = value_of(parts[0], values), value_of(parts[2], values)
    if left is None or right is None or (parts[1] == "/" and right == 0):
        return None
    return {"+": left + right, "-": left - right, "*": left * right,
            "/": left // (right or 1)}[parts[1]]


class Roles:
    """What numbers are for, by place."""

    def __init__(self, kernels, arguments):
        self.roles: Dict[str, str] = {}
        self.products = []               # numbers whose product is a kernel's points
        self.windows = 0
        self.is_computed = False         # a size is made of numbers in some other way
        self.caps: Dict[str, int] = {}   # no row may be longer than its pitch
        self.fixed: Dict[str, int] = {}  # what kernels are for, as elements next to each other
        self.quotients = []              # (numerator, divisor) of sizes
        for kernel, places in zip(kernels, arguments):
            self.read(kernel, places)

    def add(self, place, role):
        parts = split_operation(place or "")
        if parts and not is_distance(place):
            self.add_operation(parts, role)
        elif place and not place.startswith(("#", "@")) and (place not in self.roles
                      or ROLES.index(role) < ROLES.index(self.roles[place])):
            self.roles[place] = role

    @property
    def depth(self):
        """How many sizes are multiplied with each other."""
        return max([sum(self.roles.get(place, "size") in ("size", "pitch") for place in some)
                    for some in self.products] + [1])

    def add_operation(self, parts, role):
        left, sign, right = parts
        if role not in ("size", "window"):
            for leaf in leaves(left) | leaves(right):
                self.add(leaf, "other" if role == "pitch" else role)
            return
        self.add(left, "size")
        if sign == "/":
            self.quotients.append((left, right))
        self.add(right, {"*": "size", "/": "divisor", "+": "offset", "-": "window"}[sign])

    def read(self, kernel, places):
        for axis in kernel.axes.values():
            for extent in axis.extents:
                self.read_extent(extent, axis, places)
        for buffer in kernel.buffers.values():
            for i, stride in enumerate(buffer.strides):
                last = len(buffer.strides) == 1
                distance = read_distance(stride)
                if distance:
                    self.add(places.get(distance[0]), "step" if last else "pitch")
        for leaf in kernel.leaves:
            for access in leaf.loads + leaf.stores:
                for sub in access.subs:
                    self.read_subscript(sub, places)
        for name, kind in kernel.params.items():
            if kind not in FLOATS:
                self.add(places.get(name), "other")
        self.read_depth(kernel, places)
        self.read_caps(kernel, places)

    def read_extent(self, extent, axis, places):
        self.is_computed |= any(name not in places for name in kerneltext.names(extent)
                                if name.startswith("%"))
        if extent[0] == "name":
            self.add(places.get(extent[1]), "window" if axis.role == "win" else "size")
            return
        self.read_sum(extent, places, True)

    def read_sum(self, poly, places, positive):
        kind = poly[0]
        if kind == "name":
            self.add(places.get(poly[1]), "size" if positive else "window")
        elif kind in ("+", "-"):
            self.read_sum(poly[1], places, positive)
            self.read_sum(poly[2], places, positive == (kind == "+"))
        elif kind == "floordiv":
            self.read_sum(poly[1], places, positive)
            for name in kerneltext.names(poly[2]):
                self.add(places.get(name), "divisor")
        elif kind == "*" and all(part[0] in ("*", "name") for part in kerneltext.walk(poly)):
            for name in kerneltext.names(poly):
                self.add(places.get(name), "size")
        else:
            for name in kerneltext.names(poly):
                self.add(places.get(name), "offset")

    def read_subscript(self, sub, places):
        for part in kerneltext.walk(sub):
            if part[0] == "*":
                for name in kerneltext.names(part):
                    self.add(places.get(name), "step")
            elif part[0] in ("+", "-"):
                for name in kerneltext.names(part):
                    self.add(places.get(name), "offset")

    def read_depth(self, kernel, places):
        for leaf in kernel.leaves:
            found_here = []
            for name in leaf.axes:
                axis = kernel.axes[name]
                found = [part[1] for extent in axis.extents
                         for part in kerneltext.walk(extent) if part[0] == "name"]
                if axis.role != "win":
                    # Triangles have as many rows as columns.
                    found_here += [leaf for n in found
                                   for leaf in leaves(places.get(n, n))]
            self.products.append(found_here)
            self.windows = max(self.windows, sum(kernel.axes[name].role == "win"
                                                 for name in leaf.axes))

    def read_caps(self, kernel, places):
        for least, poly, most in kernel.ranges:
            if poly[0] == "name" and least == most and places.get(poly[1]):
                self.fixed.setdefault(places[poly[1]], least)
            if poly[0] == "-" and poly[1][0] == "int" and poly[2][0] == "name" \
                    and places.get(poly[2][1]):
                place, most = places[poly[2][1]], poly[1][1] - least
                self.caps[place] = min(self.caps.get(place, most), most)
        for leaf in kernel.leaves:
            for access in leaf.loads + leaf.stores:
                strides = access.strides or kernel.buffers[access.buffer].strides
                for i in range(1, len(access.subs)):
                    if len(strides) <= i or strides[i - 1][0] != "int" \
                            or strides[i][0] != "int" or access.subs[i][0] != "name":
                        continue
                    axis = kernel.axes.get(access.subs[i][1])
                    for extent in axis.extents if axis else ():
                        if extent[0] == "name" and places.get(extent[1]):
                            most = strides[i - 1][1] // max(strides[i][1], 1)
                            place = places[extent[1]]
                            self.caps[place] = min(self.caps.get(place, most), most)


class Chooser:
    """Makes the plan of a function."""

    def __init__(self, function, kernels, arguments, given, guess):
        self.function, self.given, self.guess = function, given, guess
        self.kernels, self.arguments = kernels, arguments
        self.roles = Roles(kernels, arguments)
        self.values: Dict[str, int] = {}
        self.sizes: Dict[str, int] = {}
        self.used = set()

    def names_of(self, place):
        """What a number may be called: as in the source, by number, by kernels."""
        found = [place]
        if is_distance(place):
            start = parent_of(split_operation(place)[2])
            if start[0].isdigit():
                p = self.function.parameters[int(start[0]) - 1]
                found.insert(0, p.name + ("+%d" % start[1] if start[1] else "") + ".bytes")
        elif place.isdigit():
            found.insert(0, self.function.parameters[int(place) - 1].name)
        elif re.fullmatch(r"\[\d+\+0:\w+\]", place):
            number = int(place[1:].split("+")[0])
            p = self.function.parameters[number - 1]
            # Scalars of Fortran.
            if p.pointee in INTEGERS:
                found.insert(0, p.name)
        inside = re.fullmatch(r"\[(\d+)\+(\d+):\w+\]", place)
        if inside:
            p = self.function.parameters[int(inside.group(1)) - 1]
            member = p.members.get(int(inside.group(2)))
            if member:
                found.insert(0, member % p.name if "%s" in member
                             else "%s.%s" % (p.name, member))
        return found

    def given_for(self, place):
        for name in self.names_of(place):
            if name in self.given:
                self.used.add(name)
                return self.given[name]
        return None

    def base(self):
        points = self.guess.points / WINDOW ** self.roles.windows
        return max(int(points ** (1 / self.roles.depth)), 4)

    def unknown(self):
        """What a number is that no kernel speaks of: where kernels have sizes that are
        computed, something of their order."""
        if self.guess.unknown is not None and not self.roles.is_computed:
            return self.guess.unknown
        numbers = sum(p.type in ("i32", "i64") for p in self.function.parameters)
        return max(int(self.guess.points ** (1 / max(self.roles.depth, numbers, 1))), 4)

    def choose(self, place, role, index):
        base = self.base()
        if role == "window":
            return WINDOW
        if role == "size" and self.guess.all:
            return self.guess.all
        if role == "size":
            # Different ones, so that sizes that are mistaken for each other show.
            size = base + index % 3 * (base // 8)
            return min(size, self.roles.caps.get(place, size))
        if role in ("divisor", "step", "offset"):
            return 1
        return self.unknown()

    def choose_numbers(self):
        index = 0
        for place in sorted(self.roles.roles, key=lambda p: (len(p), p)):
            role = self.roles.roles[place]
            value = self.given_for(place)
            if value is None:
                value = self.roles.fixed.get(place)
            if value is None and role != "pitch":
                value = self.choose(place, role, index)
                if is_distance(place):
                    value *= MOST_BYTES
                index += role == "size"
            if value is not None:
                self.values[place] = value
        for numerator, divisor in self.roles.quotients:
            by = value_of(divisor, self.values)
            if by and numerator in self.values and self.given_for(numerator) is None:
                self.values[numerator] = max(self.values[numerator] // by, 4) * by
        # Rows have to have room, from the innermost dimension out.
        for _ in range(3):
            for kernel, places in zip(self.kernels, self.arguments):
                self.choose_pitches(kernel, places)
        for place, role in self.roles.roles.items():
            self.values.setdefault(place, self.base())

    def numbers_of(self, kernel, places):
        found = {name: value_of(places[name], self.values) for name in kernel.params
                 if name in places}
        return {name: value for name, value in found.items() if value is not None}

    def choose_pitches(self, kernel, places):
        env = kernel.environment(self.numbers_of(kernel, places)) or {}
        for leaf in kernel.leaves:
            for access in leaf.loads + leaf.stores:
                strides = access.strides or kernel.buffers[access.buffer].strides
                for i in range(len(access.subs) - 1, 0, -1):
                    distance = read_distance(strides[i - 1]) if len(strides) > i else None
                    if not distance:
                        continue
                    name, unit = distance
                    place = places.get(name)
                    if self.roles.roles.get(place) != "pitch" or \
                            self.given_for(place) is not None:
                        continue
                    row = kerneltext.bounds(access.subs[i], env)
                    inner = kerneltext.bounds(strides[i], env)
                    if row and inner:
                        need = (row[1] + 1) * max(inner[1], 1) * unit
                        self.values[place] = max(self.values.get(place, 0), need)
                        env[name] = (self.values[place],) * 2

    # -- Regions --

    def types(self):
        """Types of arrays, by place."""
        found = {}
        for kernel, places in zip(self.kernels, self.arguments):
            for name, buffer in kernel.buffers.items():
                if places.get(name):
                    found.setdefault(places[name], buffer.type)
        return found

    def scalars_in_memory(self):
        """Type of each number that is read from memory, by place."""
        found = {}
        for kernel, places in zip(self.kernels, self.arguments):
            for name in kernel.params:
                for leaf in leaves(places.get(name, "#0")):
                    if parent_of(leaf):
                        found[leaf] = parent_of(leaf)[2]
        return found


def parent_of(place):
    """("[3+8:i32]") -> ("3", 8, "i32"), of an address type "ptr"; of an argument None."""
    match = re.fullmatch(r"\[(.*)\+(-?\d+)(?::(\w+))?\]", place)
    return (match.group(1), int(match.group(2)), match.group(3) or "ptr") if match else None


class Writer:
    """The plan as driver.c reads it."""

    def __init__(self, chooser):
        self.c = chooser
        self.lines: List[str] = []
        self.regions: Dict[str, int] = {}
        self.types = chooser.types()
        self.indices = indices(chooser.kernels, chooser.arguments)
        sizes = [v for p, v in chooser.values.items()
                 if chooser.roles.roles.get(p) in ("size", "window")]
        self.least = min(sizes + [64])

    def fill(self, kind, place):
        """(lo, hi) of the elements of an array."""
        if kind in FLOATS:
            return (0.125, 1) if self.c.guess.positive else (-1, 1)
        if place in self.indices or kind in ("i32", "i64"):
            return 0, max(self.least, 2)
        return {"i8": (-128, 128), "i16": (-128, 128)}.get(kind, (0, 2))

    def region(self, place):
        """The number of the region that the address at a place points to."""
        if place in self.regions:
            return self.regions[place]
        number = self.regions[place] = len(self.regions)
        if number >= 64:
            raise NoShapes("more than 64 arrays")
        argument = int(place) if place.isdigit() else 0
        kind = self.types.get(place)
        if not kind and argument:
            pointee = self.c.function.parameters[argument - 1].pointee
            kind = pointee if pointee in FLOATS or pointee in INTEGERS else None
        lo, hi = self.fill(kind, place) if kind else (0, 0)
        self.lines.append("region %d %s %g %g %d" % (number, {"i1": "i8"}.get(kind, kind)
                                                     or "ptr", lo, hi, argument))
        parent = parent_of(place)
        if parent:
            self.lines.append("poke %d %d ptr %d" % (self.region(parent[0]), parent[1],
                                                     number))
        return number

    def scalar(self, i, parameter):
        """The line of an argument that is a number."""
        place, kind = str(i + 1), parameter.scalar()
        if not kind:
            raise NoShapes("argument %d is of type %s: numbers and addresses can be passed"
                           % (i + 1, parameter.type))
        given = self.c.given_for(place)
        if kind in FLOATS:
            return "arg %s %g" % (kind, 0.75 if given is None else given)
        value = self.c.values.get(place, given)
        if value is None:
            value = self.c.unknown()
        if parameter.is_slice_length and self.c.roles.roles.get(place) in (None, "other") \
                and given is None and not self.c.roles.is_computed:
            value = SLICE
        self.c.values[place] = value
        return "arg %s %d" % (kind, value)

    def describe(self, number, parameter, kinds):
        """What no kernel speaks of in a descriptor of Fortran: elements are next to each
        other, and the first index is 1."""
        bytes_ = kerneltext.BYTES.get(self.types.get("[%d+0]" % number), 1)
        for at, member in parameter.members.items():
            place = "[%d+%d:i64]" % (number, at)
            if place in kinds or not member.startswith(("lbound(", "stride(%s,1)")):
                continue
            kinds[place] = "i64"
            if member.startswith("stride("):
                self.c.values.setdefault(place, bytes_)

    def write(self):
        arguments = []
        for i, p in enumerate(self.c.function.parameters):
            if p.type == "ptr":
                region = self.region(str(i + 1))
                arguments.append("arg ptr %d" % region)
                sure = re.search(r"\bdereferenceable\((\d+)\)", p.attributes)
                if sure:
                    self.lines.append("readable %d %s" % (region, sure.group(1)))
            else:
                arguments.append(self.scalar(i, p))
        for place in self.types:
            if not place.startswith("@"):
                self.region(place)
        kinds = self.c.scalars_in_memory()
        for i, p in enumerate(self.c.function.parameters):
            # Scalars of Fortran that no kernel speaks of.
            place = "[%d+0:%s]" % (i + 1, p.pointee)
            if p.type == "ptr" and p.pointee in INTEGERS and str(i + 1) not in self.types \
                    and place not in kinds and self.c.given_for(place) is not None:
                kinds[place] = p.pointee
                self.c.values[place] = self.c.given_for(place)
            if p.is_descriptor:
                self.describe(i + 1, p, kinds)
        for place, kind in kinds.items():
            parent = parent_of(place)
            if not parent or "@" in place:
                continue
            value = self.c.values.get(place, 1)
            real = kind in FLOATS
            self.lines.append("poke %d %d %s %s" % (
                self.region(parent[0]), parent[1], {"i1": "i8"}.get(kind, kind),
                "0.75" if real else "%d" % value))
        for place in filter(is_distance, self.c.roles.roles):
            end, _, start = split_operation(place)
            self.lines.append("poke %d %d ptr %d+%d" % (
                self.region(parent_of(end)[0]), parent_of(end)[1], self.region(start),
                self.c.values[place]))
        result = self.c.function.result_type
        if result in irmodule.SCALARS:
            self.lines.append("return " + irmodule.SCALARS[result])
        return self.lines + arguments


def plan(function, kernels, arguments, given, guess) -> Plan:
    chooser = Chooser(function, kernels, arguments, given, guess)
    chooser.choose_numbers()
    writer = Writer(chooser)
    lines = writer.write()
    unknown = set(given) - chooser.used
    if unknown:
        raise NoShapes("no number '%s'; there are: %s" % (
            sorted(unknown)[0], ", ".join(sorted(
                chooser.names_of(place)[0] for place in chooser.values)) or "none"))
    sizes = {}
    for place, value in chooser.values.items():
        if place.isdigit() and chooser.function.parameters[int(place) - 1].type in (
                "float", "double", "half", "bfloat"):
            continue
        sizes[chooser.names_of(place)[0]] = int(value)
    return Plan(lines, sizes, [chooser.numbers_of(k, a)
                               for k, a in zip(kernels, arguments)],
                {place[1:]: (kind, *writer.fill(kind, place))
                 for place, kind in writer.types.items() if place.startswith("@")})
