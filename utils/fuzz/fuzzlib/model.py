"""What rows are made of: kernels, their arguments, and runs of them."""

# Element types: C name, bytes, name in a batch.
TYPES = {
    "f32": ("float", 4), "f64": ("double", 8), "u32": ("unsigned", 4), "i8": ("signed char", 1),
    "i16": ("short", 2), "i32": ("int", 4), "i64": ("long", 8),
}
# Index types: the kind of an argument, whether it is signed.
INDICES = {
    "int": ("i", True), "long": ("l", True), "unsigned": ("u", False),
    "size_t": ("l", False), "short": ("s", True),
}
# Classes of data, as dl-fuzz numbers them.
ORDINARY, INTEGERS, SPECIAL, TINY, HUGE, ZEROS = range(6)

SIZES = [0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 16, 17, 23, 24,
         25, 31, 32, 33, 48, 63, 64, 65]


class Kernel:
    """C text and how to call it. The text is a format with {name} (the
    function's name), {T} (the element type) and {minus}."""

    def __init__(self, text, args, sample, rules=("exact",)):
        self.text, self.args, self.sample = text, args, sample
        self.rules = set(rules)
        self.name = self.row = None

    def source(self):
        ctype = self.args.ctype
        texts = [self.text.format(name=self.name, T=ctype, minus="-")]
        if "bound" in self.rules:
            # The same in double, on values and on magnitudes.
            for suffix, minus in (("_v", "-"), ("_m", "+")):
                texts.append(self.text.format(name=self.name + suffix,
                                              T="double", minus=minus))
        return "\n".join(texts)


class Args:
    """The parameters of a kernel in order."""

    def __init__(self, type="f32"):
        self.type, self.names, self.kinds, self.decls = type, [], [], []
        self.ctype, self.size = TYPES[type]

    def add(self, decl, name, kind):
        self.decls.append(decl)
        self.names.append(name)
        self.kinds.append(kind)

    def pointer(self, name, qualifiers="", const=False, shape=None):
        ctype = ("const " if const else "") + "{T}"
        if shape:
            self.add("%s (*%s%s)%s" % (ctype, qualifiers, name, shape), name, "p")
        else:
            self.add("%s *%s%s" % (ctype, qualifiers, name), name, "p")

    def index(self, name, idx):
        self.add("%s %s" % (idx, name), name, INDICES[idx][0])

    def scalar(self, name):
        self.add("{T} " + name, name, "d" if self.type == "f64" else "f")

    def text(self):
        return ", ".join(self.decls)

    def spec(self):
        return ",".join("%s:%s" % x for x in zip(self.names, self.kinds))


class Run:
    """One set of sizes, placement and data."""

    def __init__(self, rnd, size):
        self.rnd, self.size = rnd, size
        self.slots, self.values = [], {}
        self.data, self.ops, self.work = ORDINARY, 1, 1
        self.large = self.wide = False

    def place(self):
        return self.rnd.choice(["e", "e", "e", "b",
                                "m%d" % (self.size * self.rnd.randint(0, 9))])

    def slot(self, elements, type=None):
        """A slot of its own for so many elements; its number."""
        bytes_each = TYPES[type][1] if type else self.size
        self.slots.append([type, max(0, elements) * bytes_each, self.place()])
        return len(self.slots) - 1

    def words(self, words):
        self.slots.append(["w", self.place(), words])
        return len(self.slots) - 1

    def pointer(self, name, elements, type=None):
        """An argument that points to a slot of its own; null where nothing is
        touched, sometimes."""
        if elements <= 0 and self.rnd.random() < 0.3:
            self.values[name] = "null"
        else:
            self.values[name] = "@%d+0" % self.slot(elements, type)

    def overlap(self, parts):
        """Arguments in one slot: [(name, elements, first element)]."""
        slot = self.slot(max(first + elements for _, elements, first in parts))
        for name, _, first in parts:
            self.values[name] = "@%d+%d" % (slot, first * self.size)

    def text(self, kernel, mask, seed):
        slots = []
        for slot in self.slots:
            if slot[0] == "w":
                slots.append("w:%s:%s" % (slot[1], ",".join(map(str, slot[2]))))
            else:
                type = (slot[0] or kernel.args.type).replace("u", "i")
                slots.append("%s:%d:%s" % (type, *slot[1:]))
        values = [str(self.values[name]) for name in kernel.args.names]
        return "run %d %d %d %d %s -- %s" % (mask, self.data, seed, self.ops,
                                             " ".join(slots), " ".join(values))


def pick_sizes(rnd, count, limit=4000):
    """Extents whose product is at most \\p limit."""
    while True:
        sizes = [rnd.choice(SIZES) for _ in range(count)]
        work = 1
        for s in sizes:
            work *= max(s, 1)
        if work <= limit:
            return sizes


def pick_data(rnd):
    return rnd.choice([ORDINARY] * 4 + [INTEGERS, SPECIAL, SPECIAL, TINY, HUGE, ZEROS])
