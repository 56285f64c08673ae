# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and finds what takes part: compilers, libraries, the harness."""

import argparse
import glob
import os
import platform
import re
import shutil
import subprocess
import sys

from kernels import FOLDER, KERNELS

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "utils", "support"))
import llvm_tools  # noqa: E402

FORMS_C = os.path.join(ROOT, "test", "Exec", "Inputs", "matmul", "forms.c")


class Settings(argparse.Namespace):
    """What is built and measured: the `args` of the functions here. What a command
    line does not say is as it stands here."""
    build_dir = "build"
    plugin = None
    plugin_options = ()
    march = "native"     # "baseline": no -march
    contract = "on"
    reassoc = False
    kernel = KERNELS["sgemm"]
    form = "ijk"
    peers = "debian"
    quick = dispatch = sse2 = no_compilers = False


class Contestant:
    """One line of dlbench's plan."""

    def __init__(self, name, group, kind, library, symbol, clock="thread",
                 env=None, process_env=None):
        self.name, self.group, self.kind = name, group, kind
        self.library, self.symbol, self.clock = library, symbol, clock
        self.env = env or {}                  # while it is loaded
        self.process_env = process_env or {}  # for the whole run

    def plan_line(self):
        # Names may hold blanks for people; dlbench's plan has none.
        return " ".join(["contestant", self.name.replace(" ", "\u00a0"),
                         self.kind, self.clock, os.path.abspath(self.library),
                         self.symbol] +
                        ["%s=%s" % v for v in self.env.items()]) + "\n"


def clang(plus=""):
    return llvm_tools.need("bench", "clang" + plus)


def call(command, timeout=300):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, timeout=timeout,
                              stderr=subprocess.STDOUT, universal_newlines=True)
    except subprocess.TimeoutExpired:
        print("bench: too slow: " + " ".join(command), file=sys.stderr)
        return False
    if done.returncode:
        print("%s\n%s" % (" ".join(command), done.stdout), file=sys.stderr)
    return done.returncode == 0


def cpu_name():
    try:
        with open("/proc/cpuinfo") as f:
            return re.search(r"model name\s*:\s*(.*)", f.read()).group(1)
    except (OSError, AttributeError):
        return platform.machine()


def output(args, name):
    folder = os.path.join(args.build_dir, "bench")
    os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, name)


def machine(args):
    """-march of what chooses its code at run time, and of the peak."""
    return "native" if args.march == "baseline" else args.march


def build_harness(args):
    if not call([clang("++"), "-std=c++17", "-O2", "-march=" + machine(args),
                 "-Wall", "-Wextra", os.path.join(HERE, "dlbench.cc"), "-ldl", "-o",
                 output(args, "dlbench")]):
        sys.exit("bench: the harness does not build")


# -- Compilers ---------------------------------------------------------------

BUILT = {}  # library -> the command that made it, in this run


def build_naive(args, source, name, compiler, flags):
    """A naive source by one compiler; None if that does not work. Kernels share
    sources, so it may be there already."""
    stem = os.path.splitext(os.path.basename(source))[0]
    library = output(args, "naive-%s-%s.so" % (stem, name))
    command = [compiler, "-shared", "-fPIC", "-DBUILD=plain", source, "-o",
               library]
    if args.march != "baseline":
        command.append("-march=" + args.march)
    if args.contract == "off":
        command.append("-ffp-contract=off")
    command += flags
    if BUILT.get(library) != command:
        if not call(command):
            return None
        BUILT[library] = command
    return library


def with_plugin(args):
    """Flags of the plugin's build."""
    return (["-O3", *llvm_tools.load(args.plugin)] +
            (["-ffast-math"] if args.reassoc else []) +
            ["-mllvm=-dl-" + o for o in args.plugin_options])


def compilers(args, shapes):
    kernel = args.kernel
    rows = [("DLOpt", "dlopt", clang(), with_plugin(args)),
            ("clang -O3", "compiler", clang(), ["-O3"])]
    if shapes and not (args.quick or args.dispatch or args.sse2):
        rows.append(("clang fast", "compiler", clang(), ["-O3", "-ffast-math"]))
        if kernel.name == "sgemm":
            rows.append(("Polly", "compiler", clang(), [
                "-O3", "-mllvm", "-polly", "-DSHAPES=" + " ".join(
                    "SHAPE(%d, %d, %d)" % s for s in shapes)]))
        rows.append(("gcc -O3", "compiler", shutil.which("gcc"), ["-O3"]))
    if args.no_compilers:
        rows = rows[:1]
    found = []
    for name, group, compiler, flags in rows:
        library = compiler and build_naive(
            args, os.path.join(FOLDER, kernel.source),
            re.sub(r"\W+", "-", name.lower()), compiler, flags)
        if library:
            found.append(Contestant(name, group, "forms", library,
                                    kernel.form(args.form)))
        elif group == "dlopt":
            sys.exit("bench: the plugin's build failed")
        else:
            print("bench: left out: " + name, file=sys.stderr)
    return found


def forms(args, names):
    library = build_naive(args, FORMS_C, "dlopt-forms", clang(),
                          with_plugin(args))
    if not library:
        sys.exit("bench: the plugin's build failed")
    return [Contestant(n, "dlopt", "forms", library, n) for n in names]


# -- Libraries ---------------------------------------------------------------

def find_library(*patterns):
    for pattern in patterns:
        for folder in ("/usr/lib/*-linux-gnu", "/usr/lib64", "/usr/lib",
                       "/usr/local/lib"):
            for path in sorted(glob.glob(os.path.join(folder, pattern))):
                return os.path.realpath(path)
    return None


def openblas(args, name, library, prefix=""):
    """Default and Haswell core: copies, since a library is loaded once."""
    cores = [] if args.march == "haswell" else [("", {})]
    if platform.machine() == "x86_64":
        cores.append((" Haswell", {"OPENBLAS_CORETYPE": "Haswell"}))
    found = []
    for suffix, env in cores:
        copy = output(args, re.sub(r"\W+", "-", name + suffix).lower() + ".so")
        shutil.copyfile(library, copy)
        found.append(Contestant(name + suffix, "library", "cblas", copy,
                                prefix + "cblas_" + args.kernel.routine, env=env))
    return found


def peer(args, name, flags):
    """One of peers/, compiled for this kernel: its function peer."""
    kernel = args.kernel
    library = output(args, "peer-%s-%s.so" % (name, kernel.name))
    source = os.path.join(HERE, "peers", name.split("-")[0] + ".cc")
    command = [clang("++"), "-std=c++17", "-O3", "-DNDEBUG", "-shared", "-fPIC",
               source, "-o", library, "-DREAL=" + kernel.real,
               "-DTRANS_A=%d" % (kernel.a == "t"),
               "-DTRANS_B=%d" % (kernel.b == "t")]
    if kernel.is_vector:
        command.append("-DVECTOR")
    return library if call(command + flags) else None


def libraries(args):
    """Who takes part beside compilers. Eigen alone can be held to SSE2."""
    if args.peers == "none":
        return []
    missing = []
    found = find_eigen(args, missing)
    if args.march != "x86-64":
        # Libraries are held to the instruction set that the code has.
        isa = {"ONEDNN_MAX_CPU_ISA": "AVX2",
               "DNNL_MAX_CPU_ISA": "AVX2"} if args.march == "haswell" else {}
        found = (find_blas(args, missing) + find_onednn(args, isa, missing) +
                 found)
        if args.peers == "pypi":
            found += from_pypi(args, isa)
    if missing:
        print("bench: not installed: " + ", ".join(missing), file=sys.stderr)
    return found


def find_blas(args, missing):
    found = []
    library = find_library("openblas-pthread/libopenblas.so.0",
                           "openblas*/libopenblas.so.0", "libopenblas.so.0")
    if library:
        found += openblas(args, "OpenBLAS", library)
    else:
        missing.append("OpenBLAS (libopenblas-dev)")

    library = find_library("blis*/libblis.so.4", "libblis.so.*")
    if library:
        found.append(Contestant(
            "BLIS", "library", "cblas", library, "cblas_" + args.kernel.routine,
            env={"BLIS_ARCH_TYPE": "haswell"} if args.march == "haswell" else {}))
    else:
        missing.append("BLIS (libblis-dev)")
    return found


def find_onednn(args, isa, missing):
    if args.kernel.letter != "s":
        return []  # float is what it has
    library = find_library("libdnnl.so.2", "libdnnl.so.3")
    entry = library and os.path.exists("/usr/include/dnnl.hpp") and peer(
        args, "onednn", ["-ldnnl"])
    if not entry:
        missing.append("oneDNN (libdnnl-dev)")
        return []
    return [Contestant("oneDNN", "library", "entry", entry, "peer", env=isa),
            Contestant("oneDNN sgemm", "library", "dnnl", library, "dnnl_sgemm",
                       env=isa)]


def find_eigen(args, missing):
    entry = os.path.exists("/usr/include/eigen3/Eigen/Core") and peer(
        args, "eigen", ["-I/usr/include/eigen3", "-march=" + machine(args)])
    if not entry:
        missing.append("Eigen (libeigen3-dev)")
        return []
    return [Contestant("Eigen", "library", "entry", entry, "peer")]


def install_pypi():
    """The folder of newer builds from PyPI, a virtual environment of their own, and
    what oneDNN's needs in the environment: it is a SYCL build, whose work is done by
    threads of the OpenCL run-time, which these variables find."""
    venv = os.path.join(ROOT, ".venv-bench")
    ready = os.path.join(venv, "ready")
    if not os.path.exists(ready):
        print("bench: installing peers from PyPI into .venv-bench (2 GB)",
              file=sys.stderr)
        if not (call([sys.executable, "-m", "venv", venv]) and call(
                [os.path.join(venv, "bin", "pip"), "install", "-q",
                 "scipy-openblas32", "onednn", "onednn-devel"])):
            sys.exit("bench: no peers from PyPI")
        open(ready, "w").close()
    lib = os.path.join(venv, "lib")
    return venv, {
        "OCL_ICD_VENDORS": os.path.join(venv, "etc", "OpenCL", "vendors"),
        "OCL_ICD_FILENAMES": os.path.join(lib, "libintelocl.so"),
        "LD_LIBRARY_PATH": os.pathsep.join(dict.fromkeys(
            [lib] + os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)))}


def from_pypi(args, isa):
    venv, process_env = install_pypi()
    found = []
    for library in glob.glob(os.path.join(
            venv, "lib", "python3*", "site-packages", "scipy_openblas32", "lib",
            "libscipy_openblas.so")):
        found += openblas(args, "OpenBLAS (PyPI)", library, "scipy_")
    lib = os.path.join(venv, "lib")
    entry = args.kernel.letter == "s" and peer(
        args, "onednn-pypi",
        ["-I" + os.path.join(venv, "include"), "-L" + lib, "-ldnnl",
         "-Wl,-rpath," + lib])
    if entry:
        # Only process time counts its threads.
        found.append(Contestant("oneDNN (PyPI)", "library", "entry", entry, "peer",
                                clock="process", env=isa,
                                process_env=process_env))
    return found
