# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What check_names.py finds and nobody has mended yet. Who mends something takes it out."""

# Wrong names, each with the name of the kernel that one thing was changed of.
KNOWN = {
    # What is computed of the sum is not in the name.
    ("dot.batched", "rms"),
    ("dot.batched", "l2-norm"),
    ("matvec", "l2-norm"),
    # The number that is taken off is of another row.
    ("cross-entropy", "cross-entropy"),
    # All classes but the right one.
    ("cross-entropy.backward", "cross-entropy.backward"),
    # Another constant; weights that grow.
    ("selu", "selu"),
    ("adamw", "adamw"),
    # Right, as far as names go: two views of one array, of which the check tries one.
    ("dot", "sum-of-squares"),
    ("matvec", "sum-of-squares"),
    ("dot.batched", "sum-of-squares"),
}

# Kernels that should have their name, and what they are called.
UNNAMED = {"softmax": "sum-of-exponentials, map"}
