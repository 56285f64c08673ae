# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The option --shard I/N: the I-th of N parts of the work, I from 1 on."""
import argparse


def shard_of(text):
    """(I, N), for the type of an argument."""
    try:
        index, number = (int(part) for part in text.split("/"))
    except ValueError:
        index, number = 0, 0
    if not 1 <= index <= number:
        raise argparse.ArgumentTypeError("expected I/N with I from 1 to N, not '%s'"
                                         % text)
    return index, number
