"""Debug information of transformed code.

The project's own kernels with -g: no pass may lose a location, a subprogram or a
variable; and with the artificial information of debugify, no instruction of the
source's functions may be left without a location. Generated functions have no
source, and no locations. dl-prepare is not judged: what it loses, LLVM's SROA and
SimplifyCFG lose; nor dl-relower, where variables go with their loops.
"""
import glob
import os
import re
import tempfile

from common import ROOT, Counts, run

PIPELINES = ("dl<O2>", "dl-prepare<all>,dl-noalias<guards>",
             "dl-prepare<loops>,dl-relower")
KERNELS = ("test/Frontends/*.c", "test/Frontends/*.cpp")
LOST = re.compile(r"^WARNING: dlopt::(?!Prepare|Relower)|^ERROR:|"
                  r"^WARNING: Instruction with empty DebugLoc in function (?!dl\.)",
                  re.MULTILINE)
VERDICT = re.compile(r"^Check\w+Debugify \[(.*)\]")


def without_prepare(text):
    """The text without what debugify has to say of dl-prepare: what stands
    between the verdict on the pass in front of it and its own."""
    kept, section = [], []
    for line in text.splitlines():
        section.append(line)
        verdict = VERDICT.match(line)
        if verdict:
            if not verdict.group(1).endswith("PreparePass"):
                kept += section
            section = []
    return "\n".join(kept + section)


def emit(tools, source, folder, debug):
    """IR of a kernel as the front end leaves it, or None."""
    target = os.path.join(folder, "k%s.ll" % debug)
    status, _ = run(tools.clang(
        "-O2", "-march=haswell", *([debug] if debug else []), "-Xclang",
        "-disable-llvm-passes", "-emit-llvm", "-S", source, "-o", target,
        cxx=source.endswith(".cpp")))
    return None if status else target


def check_kernel(tools, source, counts):
    with tempfile.TemporaryDirectory() as folder:
        for debug, flag in (("-g", "-verify-each-debuginfo-preserve"),
                            ("", "-debugify-each")):
            path = emit(tools, source, folder, debug)
            for passes in PIPELINES if path else ():
                status, text = run(tools.opt(passes, flag, path, "-disable-output",
                                             "-pass-remarks=dl-"))
                counts["runs"] += 1
                counts["kernels transformed"] += text.count("remark:")
                text = without_prepare(text)
                lost = LOST.search(text)
                if status or lost:
                    counts.found("lost", "%s: %s %s: %s" % (
                        os.path.basename(source), passes, flag,
                        text[lost.start():][:200] if lost else text[-200:]))


def main(tools, arguments):
    counts = Counts()
    sources = sorted(path for pattern in KERNELS
                     for path in glob.glob(os.path.join(ROOT, pattern)))
    for source in sources[::3 if arguments.short else 1]:
        counts["sources"] += 1
        check_kernel(tools, source, counts)
    words = ("sources", "runs", "kernels transformed", "lost")
    print("debug: " + counts.line(words))
    # Nothing lost in nothing transformed would show nothing.
    return counts["lost"] + (not counts["kernels transformed"])
