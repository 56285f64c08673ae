"""IR through every pass by dl-foreign: of llvm-stress, and LLVM's own tests."""
import glob
import os
import subprocess
import tempfile

import compile_time
from common import die, run

FOLDERS = ("Transforms", "Analysis", "CodeGen")
# The newest one in bookworm itself. Of llvm-toolchain-22 in bookworm-security the
# pool has no upstream archive.
SOURCE = "llvm-toolchain-19"


def check(tools, name, files, hooked_every):
    """Runs dl-foreign over files and shows what it says. Returns the number of
    findings."""
    with tempfile.NamedTemporaryFile("w", suffix=".list") as paths:
        paths.write("\n".join(files) + "\n")
        paths.flush()
        process = subprocess.Popen(
            [tools.dl_foreign, "--plugin=" + tools.plugin,
             "--hooked-every=%d" % hooked_every, paths.name],
            stdout=subprocess.PIPE, text=True, errors="replace")
        findings = 0
        for line in process.stdout:
            findings += "\t" in line
            print("%s: %s" % (name, line.rstrip()), flush=True)
        status = process.wait()
    if status and not findings:
        print("%s: dl-foreign ended with status %d" % (name, status))
        return 1
    return findings


def stress(tools, arguments):
    """Random functions by llvm-stress."""
    first, last = arguments.seeds or (1, 1000)
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for seed in range(first, last + 1):
            path = os.path.join(folder, "stress-%d.ll" % seed)
            status, text = run([tools.at("llvm-stress"), "-seed=%d" % seed,
                                "-size=%d" % (100 + seed % 5 * 100), "-o", path])
            if status:
                print("stress: llvm-stress failed: " + text)
                return 1
            files.append(path)
        return check(tools, "stress", files, 1)


def unpack_tests(cache):
    """Folder of LLVM's tests: the archive has a hundred times as much."""
    folder = os.path.join(cache, SOURCE + "-tests")
    if not os.path.isdir(folder):
        try:
            compile_time.fetch_packages(cache, (SOURCE,))
        except subprocess.CalledProcessError:
            die("the source package %s cannot be had" % SOURCE)
        archives = glob.glob(os.path.join(cache, SOURCE + "_*.orig.tar.xz"))
        if not archives:
            die("the source package %s has no archive" % SOURCE)
        os.makedirs(folder + ".new", exist_ok=True)
        compile_time.run(["tar", "xf", archives[0], "-C", folder + ".new",
                          "--strip-components=3", "--wildcards",
                          *("*/llvm/test/%s/*.ll" % f for f in FOLDERS)])
        os.rename(folder + ".new", folder)
    return folder


def tests_of_llvm(tools, arguments):
    """The .ll files of LLVM's own test suite, as far as they can be read."""
    root = unpack_tests(arguments.cache)
    bad = 0
    for folder in FOLDERS:
        files = sorted(glob.glob(os.path.join(root, folder, "**", "*.ll"),
                                 recursive=True))
        bad += check(tools, folder, files[::arguments.every],
                     arguments.hooked_every)
    return bad
