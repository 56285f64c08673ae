# -*- Python -*-
# Configuration of the lit suite. Substitutions and features are described in
# docs/testing.md.

import os
import platform
import re
import shutil
import subprocess
import tempfile

import lit.formats

config.name = "DLOpt"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".c", ".cpp", ".cu", ".rs", ".f90", ".kernel", ".mlir",
                   ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.join(config.dlopt_source_dir, "test")
config.test_exec_root = os.path.join(config.dlopt_build_dir, "test")


def output_of(command):
    """Standard output of a command, or an empty string."""
    try:
        return subprocess.run(command, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=60,
                              universal_newlines=True).stdout
    except (OSError, subprocess.SubprocessError):
        return ""


def succeeds(command, folder, text=""):
    """Whether a command, which runs in `folder` and reads `text`, exits with 0."""
    try:
        return subprocess.run(command, cwd=folder, input=text,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              timeout=60, universal_newlines=True).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


def find(name, *folders):
    """Full path of a tool: LLVM's folder first, then PATH, then `folders`."""
    path = os.pathsep.join([config.llvm_tools_dir,
                            os.environ.get("PATH", ""), *folders])
    return shutil.which(name, path=path)


# -- Environment -------------------------------------------------------------
# Scripts of utils use the tools of the plugin's LLVM.
config.environment["DLOPT_LLVM_MAJOR"] = config.llvm_major
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools_dir, os.environ.get("PATH", "")])
for variable in ("HOME", "RUSTUP_HOME", "CARGO_HOME", "TMPDIR"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]

# -- Substitutions -----------------------------------------------------------
plugin = os.path.join(config.dlopt_build_dir, "lib", "libDLOpt.so")
# `--param mute=NAME[,NAME]` switches passes or transformations off: every test
# of theirs must then fail (utils/check/check_teeth.py).
mute = lit_config.params.get("mute", "")
opt_mute = " '-dl-disable=%s'" % mute if mute else ""
clang_mute = " -mllvm" + opt_mute if mute else ""

# `--param check=1`: all that is compiled with the plugin checks its kernels as it
# runs (docs/self-checking.md).
if "check" in lit_config.params:
    config.environment["DLOPT_OPTIONS"] = "check=" + lit_config.params["check"]

preload = ""
if config.dlopt_sanitize:
    # Hosts leak on purpose; undefined behaviour must fail the test.
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0"
    config.environment["UBSAN_OPTIONS"] = "halt_on_error=1:print_stacktrace=1"
if "address" in config.dlopt_sanitize:
    # The sanitizer's run-time library must come first in tools built without.
    runtime = output_of([config.cmake_cxx_compiler,
                         "-print-file-name=libclang_rt.asan.so"]).strip()
    if not os.path.isabs(runtime):
        runtime = output_of([config.cmake_cxx_compiler,
                             "-print-file-name=libclang_rt.asan-x86_64.so"]).strip()
    if os.path.isabs(runtime):
        preload = "env LD_PRELOAD=%s " % runtime
        config.available_features.add("asan")


def with_plugin(tool, load, muted):
    return preload + os.path.join(config.llvm_tools_dir, tool) + load + muted


def load_clang(path):
    if int(config.llvm_major) < 22:
        # Options of -mllvm are read before that is loaded, but behind -fplugin.
        return " -fplugin=%s -fpass-plugin=%s" % (path, path)
    return " -fpass-plugin=" + path


load_opt = " -load-pass-plugin="
load_flang = " -fpass-plugin=" + plugin
config.substitutions += [
    # What the loader loads.
    (r"%plugin-itself\b", os.path.join(config.dlopt_build_dir, "lib",
                                       "libDLOpt-%s.so" % config.llvm_major)),
    (r"%plugin\b", plugin),
    (r"%major(?![a-z])", config.llvm_major),
    (r"%preload\b", preload.strip()),
    (r"%opt\b", with_plugin("opt", load_opt + plugin, opt_mute)),
    (r"%clang_dl\b", with_plugin("clang", load_clang(plugin), clang_mute)),
    (r"%clangxx_dl\b", with_plugin("clang++", load_clang(plugin), clang_mute)),
    (r"%clang\b", os.path.join(config.llvm_tools_dir, "clang")),
    (r"%clangxx\b", os.path.join(config.llvm_tools_dir, "clang++")),
    (r"%dlcc\b", preload + os.path.join(config.dlopt_build_dir, "bin", "dlcc")),
    (r"%dlcxx\b", preload + os.path.join(config.dlopt_build_dir, "bin", "dl++")),
    (r"%dlfc\b", preload + os.path.join(config.dlopt_build_dir, "bin", "dlfc")),
    (r"%dl-kernels\b", os.path.join(config.dlopt_build_dir, "bin", "dl-kernels")),
    (r"%dl-contraction\b", os.path.join(config.dlopt_build_dir, "bin", "dl-contraction")),
    (r"%dl-math\b", os.path.join(config.dlopt_build_dir, "bin", "dl-math")),
    (r"%dl-foreign\b", os.path.join(config.dlopt_build_dir, "bin", "dl-foreign")),
    (r"%build\b", config.dlopt_build_dir),
    (r"%llvm_major\b", config.llvm_major),
    (r"%llvm_include\b", os.path.join(os.path.dirname(config.llvm_tools_dir), "include")),
    (r"%python\b", config.python),
    (r"%cmake\b", config.cmake_command),
    (r"%src\b", config.dlopt_source_dir),
]

# -- Features ----------------------------------------------------------------
# llvm-22 where it is that, llvm-19-or-later for this and every earlier one.
config.available_features.add("llvm-" + config.llvm_major)
for major in range(19, int(config.llvm_major) + 1):
    config.available_features.add("llvm-%d-or-later" % major)

targets = output_of([os.path.join(config.llvm_tools_dir, "llc"), "--version"])
for name, feature in (("x86-64", "x86"), ("aarch64", "aarch64"),
                      ("nvptx64", "nvptx"), ("riscv64", "riscv"),
                      ("amdgcn", "amdgpu")):
    if re.search(r"^\s+%s\s" % re.escape(name), targets, re.MULTILINE):
        config.available_features.add(feature + "-registered-target")

if platform.machine() in ("x86_64", "AMD64"):
    config.available_features.add("native-x86")
    try:
        with open("/proc/cpuinfo") as cpuinfo:
            flags = re.search(r"^flags\s*:(.*)$", cpuinfo.read(), re.MULTILINE)
        flags = set(flags.group(1).split()) if flags else set()
    except OSError:
        flags = set()
    if {"avx2", "fma"} <= flags:
        config.available_features.add("avx2")
    if {"avx512f", "avx512vl", "avx512bw", "avx512dq"} <= flags:
        config.available_features.add("avx512")
    if "avx512_vnni" in flags:
        config.available_features.add("avx512vnni")
    if "avx512_fp16" in flags:
        config.available_features.add("avx512fp16")

# -Dexec_shapes=500 (or DLOPT_EXEC_SHAPES) is the long mode: more random problems in
# test/Exec, and what `%if long` guards: flags and options whose code others share.
config.dlopt_exec_shapes = lit_config.params.get(
    "exec_shapes", os.environ.get("DLOPT_EXEC_SHAPES", "60"))
if int(config.dlopt_exec_shapes) > 60:
    config.available_features.add("long")

# The second plugin, and tools that are made of its objects.
if config.dlopt_planted:
    config.available_features.add("planted")
    planted = os.path.join(config.dlopt_build_dir, "planted")
    planted_plugin = os.path.join(planted, "lib", "libDLOpt-%s.so" % config.llvm_major)
    config.substitutions += [
        (r"%planted-plugin\b", planted_plugin),
        (r"%planted-opt\b", with_plugin("opt", load_opt + planted_plugin, opt_mute)),
        (r"%planted-clang\b", with_plugin("clang", load_clang(planted_plugin), clang_mute)),
    ] + [("%planted-" + tool + r"\b", os.path.join(planted, "bin", tool))
         for tool in ("dl-kernels", "dl-schedule-fuzz", "dl-script-fuzz")]

if find("ld.lld"):
    config.available_features.add("lld")

# AArch64 programs: the cross gcc brings the C library, qemu runs them.
qemu = find("qemu-aarch64") or find("qemu-aarch64-static")
sysroot = "/usr/aarch64-linux-gnu"
if qemu and find("aarch64-linux-gnu-gcc") and os.path.isdir(sysroot):
    config.available_features.add("qemu-aarch64")
    config.substitutions += [
        (r"%qemu-aarch64\b", "%s -cpu max -L %s" % (qemu, sysroot))]
    # From QEMU 6.1 on it can be told how long SVE's vectors are.
    version = re.search(r"version (\d+)\.(\d+)", output_of([qemu, "--version"]))
    if version and (int(version.group(1)), int(version.group(2))) >= (6, 1):
        config.available_features.add("qemu-aarch64-sve")
        config.substitutions += [
            (r"%%qemu-sve%d\b" % bits, "%s -cpu max,sve-default-vector-length=%d -L %s"
             % (qemu, bits // 8, sysroot)) for bits in (128, 256, 512, 2048)]

# Other CPUs of the architecture that the tests run on.
qemu = find("qemu-x86_64") or find("qemu-x86_64-static")
if qemu:
    config.available_features.add("qemu-x86_64")
    config.substitutions += [(r"%qemu-x86_64\b", qemu)]

# RISC-V programs, with vectors of several lengths.
qemu = find("qemu-riscv64") or find("qemu-riscv64-static")
sysroot = "/usr/riscv64-linux-gnu"
if qemu and find("riscv64-linux-gnu-gcc") and os.path.isdir(sysroot):
    config.available_features.add("qemu-riscv64")
    config.substitutions += [(r"%qemu-riscv64\b", "%s -L %s" % (qemu, sysroot))]
    config.substitutions += [
        (r"%%qemu-rvv%d\b" % bits, "%s -cpu rv64,v=true,vlen=%d,vext_spec=v1.0 -L %s"
         % (qemu, bits, sysroot)) for bits in (128, 512)]
    # QEMU 7.2 ends in an assertion of its own where two of these follow each other.
    program = """
        asm(".globl _start; _start: vsetivli zero, 4, e32, m1, ta, ma;"
            "vfcvt.rtz.x.f.v v8, v8; vfcvt.rtz.x.f.v v9, v9;"
            "li a0, 0; li a7, 93; ecall");"""
    with tempfile.TemporaryDirectory() as folder:
        build = [os.path.join(config.llvm_tools_dir, "clang"), "-x", "c", "-", "-o", "rtz",
                 "--target=riscv64-linux-gnu", "-march=rv64gcv", "-static", "-nostdlib"]
        run = [qemu, "-cpu", "rv64,v=true,vlen=128,vext_spec=v1.0", "./rtz"]
        if succeeds(build, folder, program) and succeeds(run, folder):
            config.available_features.add("qemu-riscv64-rtz")

# Memcheck stops the test at the first report.
valgrind = find("valgrind")
if valgrind and "valgrind" in output_of([valgrind, "--version"]):
    config.available_features.add("valgrind")
    config.substitutions += [
        (r"%valgrind\b", valgrind + " -q --error-exitcode=9")]

alive = find("alive-tv")
if alive:
    config.available_features.add("alive-tv")
    config.substitutions += [(r"%alive-tv\b", alive + " --disable-undef-input")]

# Programs that the tests compile with -fsanitize=thread.
clang = os.path.join(config.llvm_tools_dir, "clang")
if os.path.isabs(output_of([clang, "-print-file-name=libclang_rt.tsan.a"]).strip()) \
        or os.path.isabs(output_of(
            [clang, "-print-file-name=libclang_rt.tsan-x86_64.a"]).strip()):
    config.available_features.add("tsan")

# Containers may not let programs be traced, or events be counted.
if find("gdb") and "exited normally" in output_of(
        [find("gdb"), "-nx", "-batch", "-iex", "set debuginfod enabled off",
         "-ex", "run", shutil.which("true")]):
    config.available_features.add("gdb")
if find("perf"):
    with tempfile.TemporaryDirectory() as folder:
        if succeeds(["perf", "record", "-o", "data", "true"], folder):
            config.available_features.add("perf")

if find("csmith") and os.path.exists("/usr/include/csmith/csmith.h"):
    config.available_features.add("csmith")

# Other math libraries: programs that are linked with musl, functions that MPFR rounds.
musl = "/usr/lib/%s-linux-musl" % platform.machine()
if os.path.exists(os.path.join(musl, "libc.a")):
    config.available_features.add("musl")
    config.substitutions += [(r"%musl\b", musl)]
libc, release = platform.libc_ver()
if libc == "glibc" and 28 <= int(release.split(".")[1]) <= 40:
    config.available_features.add("known-glibc")
if os.path.exists("/usr/include/mpfr.h"):
    config.available_features.add("mpfr")

for cache in ("ccache", "sccache"):
    if find(cache):
        config.available_features.add(cache)
        config.substitutions += [(r"%%%s\b" % cache, find(cache))]

if find("distcc") and find("distccd"):
    config.available_features.add("distcc")
    config.substitutions += [(r"%distccd\b", find("distccd")),
                             (r"%distcc\b", find("distcc"))]

for tool in ("make", "meson"):
    if find(tool):
        config.available_features.add(tool)
if succeeds([config.python, "-c", "import os, setuptools, sysconfig; os.stat("
             "sysconfig.get_path('include') + '/Python.h')"], "."):
    config.available_features.add("setuptools")

if succeeds([config.python, "-c", "import ensurepip, venv"], "."):
    config.available_features.add("venv")

if succeeds([config.python, "-c", "import numpy"], "."):
    config.available_features.add("numpy")

if find("dpkg-deb"):
    config.available_features.add("dpkg")

# A browser without a window, which need not be kept from what it shows.
chromium = find("chromium") or find("chromium-browser") or find("google-chrome")
if chromium and succeeds([chromium, "--version"], "."):
    config.available_features.add("chromium")
    config.substitutions += [(r"%chromium\b", chromium + " --headless --no-sandbox "
                              "--disable-gpu --disable-dev-shm-usage --hide-scrollbars")]

if find("gcc") and find("g++"):
    config.available_features.add("gcc")

# Debian's clang, for which there is no plugin.
old_clang = find("clang-14")
if old_clang:
    config.available_features.add("old-clang")
    config.substitutions += [(r"%old-clang\b", old_clang)]

# The plugin for another LLVM, if scripts/build has made it, too, and that has a clang.
other = "19" if config.llvm_major == "22" else "22"
other_plugin = os.path.join(config.dlopt_source_dir, "build-19" if other == "19" else "build",
                            "lib", "libDLOpt.so")
if os.path.exists(other_plugin) and find("clang-" + other):
    config.available_features.add("other-llvm")
    config.substitutions += [(r"%other_plugin\b", other_plugin)]

ptxas = find("ptxas", "/usr/local/cuda/bin")
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions += [(r"%ptxas\b", ptxas)]

rustc = find("rustc", os.path.expanduser("~/.cargo/bin"))
if rustc:
    # Plugins load only into a rustc of the same LLVM major; rustc has an allocator of
    # its own, which waits for itself where the sanitizer's is preloaded.
    llvm = re.search(r"LLVM version: (\d+)", output_of([rustc, "-vV"]))
    if llvm and llvm.group(1) == config.llvm_major and not preload:
        config.available_features.add("rustc")
        if find("cargo"):
            config.available_features.add("cargo")
        config.substitutions += [
            (r"%rustc_dl\b",
             "env RUSTC_BOOTSTRAP=1 %s -Zllvm-plugins=%s" % (rustc, plugin)),
            (r"%rustc\b", "env RUSTC_BOOTSTRAP=1 %s" % rustc)]

mlir_opt, mlir_translate = (find(tool) or find(tool + "-" + config.llvm_major)
                            for tool in ("mlir-opt", "mlir-translate"))
if mlir_opt and mlir_translate:
    config.available_features.add("mlir")
    config.substitutions += [(r"%mlir-opt\b", mlir_opt),
                             (r"%mlir-translate\b", mlir_translate)]

flang = (find("flang-new-" + config.llvm_major) or find("flang-" + config.llvm_major)
         or find("flang"))
if flang:
    config.available_features.add("flang")
    config.substitutions += [
        (r"%flang_dl\b", preload + flang + load_flang + clang_mute),
        (r"%flang\b", flang)]
