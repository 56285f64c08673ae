# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What check_names.py finds and nobody has mended yet. Who mends something takes it out."""

# Wrong names, each with the name of the kernel that one thing was changed of.
# One bound for two: what is left is a mask and a factor.
KNOWN = {("dropout", "hard-sigmoid.backward")}
