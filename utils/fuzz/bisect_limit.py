#!/usr/bin/env python3
"""Finds the kernel whose transformation makes a program fail.

    utils/fuzz/bisect_limit.py -- sh -c 'make clean all && ./program --self-test'

The command builds with the plugin and runs: exit status 0 means right. It is run
with DLOPT_LIMIT=N in its environment, which lets the plugin transform only the
first N kernels of each module, until the first N that fails is known. The remark
of that kernel (-Rpass=dl-vectorize) ends in "kernel number N".

The exit status is 0 if the kernel was found, 1 if there is none (the program is
right with the plugin, or wrong without), 2 for bad arguments.
"""
import argparse
import os
import subprocess
import sys


def is_right(command, limit, timeout, verbose):
    env = dict(os.environ)
    env.pop("DLOPT_LIMIT", None)
    if limit is not None:
        env["DLOPT_LIMIT"] = str(limit)
    sink = None if verbose else subprocess.DEVNULL
    try:
        status = subprocess.run(command, env=env, stdout=sink, stderr=sink,
                                timeout=timeout).returncode
    except subprocess.TimeoutExpired:
        status = "timeout"
    print("limit %s: %s" % ("none" if limit is None else limit,
                            "right" if status == 0 else "wrong (%s)" % status),
          flush=True)
    return status == 0


def find(check, most):
    """The smallest limit that fails; None with the reason why there is none."""
    if check(None):
        return None, "the program is right with all kernels transformed"
    if not check(0):
        return None, "the program is wrong without transformed kernels, too"
    low, high = 0, 1
    while check(high):
        low, high = high, 2 * high
        if low >= most:
            return None, "the program is right with %d kernels: raise --most" % low
    while high - low > 1:
        middle = (low + high) // 2
        if check(middle):
            low = middle
        else:
            high = middle
    return high, ""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=1 << 20,
                        help="kernels a module may have")
    parser.add_argument("--timeout", type=float, help="seconds for one run")
    parser.add_argument("--verbose", action="store_true",
                        help="show what the command prints")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    command = args.command[1:] if args.command[:1] == ["--"] else args.command
    if not command:
        parser.error("no command: write it behind --")
    try:
        number, why = find(lambda n: is_right(command, n, args.timeout, args.verbose),
                           args.most)
    except OSError as e:
        print("bisect_limit.py: %s: %s" % (command[0], e.strerror), file=sys.stderr)
        return 2
    if number is None:
        print("bisect_limit.py: " + why)
        return 1
    print("kernel number %d (DLOPT_LIMIT=%d is right, DLOPT_LIMIT=%d is wrong)" % (
        number, number - 1, number))
    return 0


if __name__ == "__main__":
    sys.exit(main())
