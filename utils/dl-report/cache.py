# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What compilations came to, kept by content: a page of a program of which one file has
changed takes the time of that one."""
import hashlib
import json
import os
import tempfile
import zlib

# Of all that is kept; what was used longest ago goes first.
MOST_BYTES = 512 << 20
# What changes code and is in no command.
VARIABLES = ("DLOPT_OPTIONS", "DLOPT_LIMIT")


def default_folder():
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(home, "dlopt", "report")


def digest_files(paths):
    """Of the contents of files, in order."""
    total = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as f:
            total.update(hashlib.sha256(f.read()).digest())
    return total.hexdigest()


class Cache:
    """Entries are compressed JSON, each a file that its key names. Nothing here fails: what
    cannot be read or written is made anew."""

    def __init__(self, folder, tools):
        """`tools`: files whose contents decide, too: plugins and this tool."""
        self.folder = folder
        self.start = digest_files(tools) + json.dumps([os.environ.get(v) for v in VARIABLES])

    def key(self, *parts):
        return hashlib.sha256(json.dumps([self.start, *parts]).encode(
            "utf-8", "surrogateescape")).hexdigest()

    def path(self, key):
        return os.path.join(self.folder, key[:2], key[2:])

    def get(self, key):
        """None: there is none."""
        try:
            with open(self.path(key), "rb") as f:
                value = json.loads(zlib.decompress(f.read()))
            os.utime(self.path(key))
            return value
        except (OSError, ValueError, zlib.error):
            return None

    def put(self, key, value):
        data = zlib.compress(json.dumps(value).encode(), 1)
        name = None
        try:
            folder = os.path.dirname(self.path(key))
            os.makedirs(folder, exist_ok=True)
            # Others may write the same at the same time.
            handle, name = tempfile.mkstemp(dir=folder)
            with os.fdopen(handle, "wb") as f:
                f.write(data)
            os.replace(name, self.path(key))
        except OSError:
            if name and os.path.exists(name):
                os.unlink(name)

    def trim(self, most=MOST_BYTES):
        """Removes what is too much."""
        entries = []
        for folder, _, names in os.walk(self.folder):
            for name in names:
                try:
                    at = os.stat(os.path.join(folder, name))
                except OSError:
                    continue
                entries.append((at.st_mtime, at.st_size, os.path.join(folder, name)))
        total = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if total <= most:
                break
            try:
                os.unlink(path)
            except OSError:
                continue
            total -= size
