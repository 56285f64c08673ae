"""Same input, same output: objects of several runs under ASLR, and of ThinLTO links
whose back ends run two at a time."""
import glob
import hashlib
import os
import tempfile

from common import ROOT, Counts, contents, run

KERNELS = ("test/Frontends/c-*.c", "test/Frontends/cxx-*.cpp")


def digest(paths):
    whole = hashlib.sha256()
    for path in paths:
        whole.update(contents(path))
    return whole.hexdigest()


def repeat(counts, name, runs, once):
    """once() gives a digest, or None if something failed."""
    seen = {once() for _ in range(runs)}
    counts["inputs"] += 1
    if seen != {next(iter(seen))} or None in seen:
        counts.found("different", "%s: %d digests in %d runs" % (
            name, len(seen), runs))


def compile_once(tools, source, folder):
    target = os.path.join(folder, "one.o")
    status, _ = run(tools.clang("-O3", "-march=haswell", "-g", "-c", source, "-o",
                                target, plugin=True, cxx=source.endswith(".cpp")))
    return None if status else digest([target])


def link_once(tools, sources, folder):
    """The code of a ThinLTO link of all sources, with the plugin in both steps."""
    objects = []
    for number, source in enumerate(sources):
        objects.append(os.path.join(folder, "%d.o" % number))
        status, _ = run(tools.clang(
            "-O2", "-march=haswell", "-flto=thin", "-fPIC", "-c", source, "-o",
            objects[-1], plugin=True))
        if status:
            return None
    target = os.path.join(folder, "all.so")
    status, _ = run(tools.clang(
        "-O2", "-flto=thin", "-fuse-ld=lld", "-shared", "-Wl,--thinlto-jobs=2",
        "-Wl,--allow-multiple-definition",
        "-Wl,--load-pass-plugin=" + tools.plugin, *objects, "-o", target))
    return None if status else digest([target])


def main(tools, arguments):
    counts = Counts()
    sources = sorted(path for pattern in KERNELS
                     for path in glob.glob(os.path.join(ROOT, pattern)))
    if arguments.short:
        sources = sources[::3]
    with tempfile.TemporaryDirectory() as folder:
        for source in sources:
            repeat(counts, os.path.basename(source), arguments.runs,
                   lambda: compile_once(tools, source, folder))
        modules = [s for s in sources if s.endswith(".c")]
        repeat(counts, "ThinLTO", arguments.runs,
               lambda: link_once(tools, modules, folder))
    print("determinism: %d inputs, %d runs each, %d different" % (
        counts["inputs"], arguments.runs, counts["different"]))
    return counts["different"] + (not counts["inputs"])
