#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a wheel with what cmake --install installs.

    utils/package/wheel.py build -o packages
    pip install packages/dlopt-*.whl

pip puts it under the prefix of its Python: in an environment there are bin/dlcc and
lib/dlopt. The wheel is for this kind of machine (linux_x86_64, say), whatever the
version of Python, and claims no more.
"""
import argparse
import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile


def version_of(build):
    """The project's version, as CMake knows it; one line if there is no build."""
    try:
        with open(os.path.join(build, "CMakeCache.txt")) as f:
            return re.search(r"^CMAKE_PROJECT_VERSION:STATIC=(.+)$", f.read(),
                             re.MULTILINE).group(1)
    except (OSError, AttributeError):
        sys.exit("wheel: no build in %s: run scripts/build" % build)


def installed(build, folder):
    """Installs the build into `folder`; paths of its files there."""
    done = subprocess.run(["cmake", "--install", build, "--prefix", folder, "--strip"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)
    if done.returncode:
        sys.exit("wheel: cmake --install fails:\n" + done.stdout)
    for root, dirs, names in os.walk(folder):
        dirs.sort()
        for name in sorted(names):
            yield os.path.relpath(os.path.join(root, name), folder)


class Wheel(zipfile.ZipFile):
    """A zip file that writes down what it has got."""

    def __init__(self, path):
        super().__init__(path, "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def put(self, name, data, mode=0o644):
        info = zipfile.ZipInfo(name)  # of 1980: the same build is the same file
        info.external_attr = (0o100000 | mode) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        self.writestr(info, data)

    def add(self, name, data, mode=0o644):
        self.put(name, data, mode)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")
        self.record.append("%s,sha256=%s,%d" % (name, digest.decode(), len(data)))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="folder of the build")
    parser.add_argument("-o", "--output", default=".", help="folder of the wheel")
    args = parser.parse_args()
    version = version_of(args.build)
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    tag = "py3-none-" + platform
    os.makedirs(args.output, exist_ok=True)
    path = os.path.join(args.output, "dlopt-%s-%s.whl" % (version, tag))
    about = "dlopt-%s.dist-info/" % version
    with tempfile.TemporaryDirectory(prefix="dl-wheel-") as folder, Wheel(path) as w:
        for name in installed(args.build, folder):
            file = os.path.join(folder, name)  # links are files in a wheel
            with open(file, "rb") as f:
                w.add("dlopt-%s.data/data/%s" % (version, name), f.read(),
                      0o755 if os.access(file, os.X_OK) else 0o644)
        w.add(about + "METADATA", (
            "Metadata-Version: 2.1\nName: dlopt\nVersion: %s\n"
            "Summary: Deep-learning kernels at library speed from plain loops, for clang\n"
            "License: Apache-2.0 WITH LLVM-exception\n" % version).encode())
        w.add(about + "WHEEL", (
            "Wheel-Version: 1.0\nGenerator: dlopt\nRoot-Is-Purelib: false\nTag: %s\n"
            % tag).encode())
        w.put(about + "RECORD", "\n".join(w.record + [about + "RECORD,,\n"]).encode())
    print(path)


if __name__ == "__main__":
    main()
