"""Random C programs by csmith.

Each is compiled with and without the plugin; where the objects differ, both
programs are run. Raised and lowered again by dl-relower, which takes any loop that
is a kernel, it must print the checksum that it prints as it was.
"""
import os
import tempfile

from common import Counts, contents, each, need, need_file, run

INCLUDE = "/usr/include/csmith"
FRONT_END = ["-Wno-incompatible-pointer-types", "-I" + INCLUDE]
LEVELS = ("O1", "O2", "O3")
# What needs no kernel of its own, by itself: the name, what runs, and whether on code as
# clang makes it or as LLVM's pipeline leaves it.
PASSES = (("dl-layout", "dl-prepare<all>,dl-layout<prepared;to=nhwc>,verify", False),
          ("dl-noalias", "dl-noalias<guards;nests>,verify", True),
          ("dl-fma", "dl-fma,verify", True))
WORDS = ("programs", "slow", "identical objects", "run with and without",
         "nests relowered", "run relowered", "undefined", "endless",
         *("changed by " + name for name, _, _ in PASSES),
         "crash", "hang", "different")


def generate(seed, path):
    """One program; the seed decides on everything."""
    command = [need("csmith", "csmith"), "--seed", str(seed), "--max-funcs", "3",
               "--max-block-depth", "3", "--max-block-size", "4"]
    if seed % 2:
        command.append("--float")
    if seed % 4 < 2:
        command += ["--no-volatiles", "--no-bitfields"]
    status, text = run(command, cwd=os.path.dirname(path))
    with open(path, "w") as f:
        f.write(text)
    return status == 0


class Program:
    patience = 10  # seconds for what should take less than one

    def __init__(self, tools, seed, levels, folder):
        self.tools, self.seed, self.folder = tools, seed, folder
        self.levels = levels
        self.findings = []  # (word, text)

    def at(self, name):
        return os.path.join(self.folder, name)

    def step(self, command, what):
        """True if a command of the compiler ended well."""
        status, self.output = run(command, 60)
        if status is None:
            self.findings.append(("hang", what))
        elif status:
            self.findings.append(("crash", "%s: %s" % (what, self.output[-300:])))
        return status == 0

    def execute(self, objects, name, seconds=1):
        """What a program prints; None if it does not end in time."""
        if not self.step(self.tools.clang(*objects, "-o", self.at(name)), "link"):
            return None
        status, output = run([self.at(name)], seconds)
        return None if status is None else (status, output)

    def differ(self, text):
        """csmith's floating-point programs convert numbers that do not fit into
        integers, which is undefined, and some have a loop without end and effect,
        which LLVM may drop or keep: such programs say nothing."""
        if self.execute(["-O0", *FRONT_END, self.at("p.c")], "unoptimized",
                        self.patience) is None:
            self.findings.append(("endless", text))
            return
        checked = self.execute(
            ["-O1", *FRONT_END, self.at("p.c"), "-fno-sanitize-recover=all",
             "-fsanitize=undefined,float-cast-overflow,address"],
            "checked", self.patience)
        is_undefined = checked is not None and "runtime error" in checked[1]
        self.findings.append(("undefined" if is_undefined else "different", text))

    def compare_level(self, level):
        """Objects with and without; programs, where these differ."""
        objects = []
        for plugin in (False, True):
            objects.append(self.at("%s.%d.o" % (level, plugin)))
            if not self.step(self.tools.clang("-" + level, "-c", self.at("p.bc"),
                                              "-o", objects[-1], plugin=plugin),
                             "%s, plugin: %s" % (level, plugin)):
                return
        if contents(objects[0]) == contents(objects[1]):
            self.findings.append(("identical objects", level))
            return
        outputs = [self.execute([o], "run") for o in objects]
        self.findings.append(("run with and without", level))
        if outputs[0] != outputs[1]:
            self.differ("%s: %s" % (level, outputs))

    def compare_relowered(self):
        if not self.step(self.tools.opt(
                "dl-prepare<loops>,dl-relower,verify", self.at("p.bc"),
                "-pass-remarks=dl-relower", "-o", self.at("r.bc")), "relower"):
            return
        nests = self.output.count("lowered to scalar loops")
        self.findings += [("nests relowered", "")] * nests
        if not nests:
            return
        before = self.execute(["-O1", self.at("p.bc")], "before")
        if before is None:
            self.findings.append(("slow", ""))
            return
        after = self.execute(["-O1", self.at("r.bc")], "after", self.patience)
        self.findings.append(("run relowered", ""))
        if before != after:
            self.differ("relower: %s, %s" % (before, after))

    def compare_passes(self):
        """Each pass of PASSES, where it changes anything."""
        if not self.step(self.tools.clang(
                "-O2", "-march=haswell", "-fno-vectorize", "-fno-slp-vectorize",
                "-emit-llvm", "-c", *FRONT_END, self.at("p.c"), "-o", self.at("o.bc")),
                "optimized"):
            return
        for name, passes, optimized in PASSES:
            source = self.at("o.bc" if optimized else "p.bc")
            for text, output in ((passes, "q.bc"), ("verify", "r.bc")):
                if not self.step(self.tools.opt(text, source, "-o", self.at(output)), name):
                    return
            if contents(self.at("q.bc")) == contents(self.at("r.bc")):
                continue
            before = self.execute(["-O1", source], "before")
            if before is None:
                self.findings.append(("slow", ""))
                return
            after = self.execute(["-O1", self.at("q.bc")], "after", self.patience)
            self.findings.append(("changed by " + name, ""))
            if before != after:
                self.differ("%s: %s, %s" % (name, before, after))

    def check(self, passes):
        if not generate(self.seed, self.at("p.c")):
            self.findings.append(("slow", "csmith"))
            return
        if not self.step(self.tools.clang(
                "-O2", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c",
                *FRONT_END, self.at("p.c"), "-o", self.at("p.bc")), "front end"):
            return
        if passes:
            return self.compare_passes()
        for level in self.levels:
            self.compare_level(level)
        self.compare_relowered()


def check_seed(tools, seed, arguments):
    levels = LEVELS if arguments.all_levels else (LEVELS[seed % 3],)
    with tempfile.TemporaryDirectory() as folder:
        program = Program(tools, seed, levels, folder)
        program.check(arguments.passes)
        return seed, program.findings


def main(tools, arguments):
    """Number of programs that went wrong."""
    need("csmith", "csmith")
    need_file(os.path.join(INCLUDE, "csmith.h"), "libcsmith-dev")
    counts = Counts()
    first, last = arguments.seeds or (1, 5000)
    results = each(lambda seed: check_seed(tools, seed, arguments),
                   range(first, last + 1), arguments.jobs)
    bad = 0
    for seed, findings in results:
        counts["programs"] += 1
        for word, text in findings:
            if word in ("crash", "hang", "different"):
                bad += 1
                counts.found(word, "seed %d: %s" % (seed, text))
            else:
                counts[word] += 1
        if counts["programs"] % 250 == 0:
            print("csmith: " + counts.line(WORDS), flush=True)
    print("csmith: " + counts.line(WORDS))
    return bad
