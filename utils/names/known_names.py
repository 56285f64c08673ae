# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What check_names.py finds and nobody has mended yet. Who mends something takes it out."""

# Wrong names, each with the name of the kernel that one thing was changed of.
KNOWN = {
    # Conditions that are no mask.
    ("causal-mask", "causal-mask"),
    ("dropout", "abs"),
    ("dropout", "abs.backward"),
    ("dropout", "hard-swish.backward"),
    ("dropout", "hinge-loss.backward"),
    ("dropout", "relu"),
    ("dropout", "relu.backward"),
    ("dropout", "selu.backward"),
    ("dropout", "threshold"),
    ("mask", "threshold"),
    # Moments and rates that no optimizer has.
    ("adam", "adam"),
    ("adamw", "adam"),
    ("rmsprop", "adagrad"),
    ("rmsprop", "adam"),
    ("sgd.momentum", "sgd.nesterov"),
    # Another constant or sign.
    ("binary-cross-entropy.backward", "binary-cross-entropy.backward"),
    ("clip-by-norm", "l2-normalize"),
    ("dice-loss", "dice-loss"),
    ("elu.backward", "elu.backward"),
    ("elu.backward", "selu.backward"),
    ("focal-loss", "focal-loss"),
    ("gaussian-nll", "gaussian-nll"),
    ("huber.backward", "huber.backward"),
    ("mse.backward", "mse.backward"),
    # A mean of something else.
    ("dot.batched", "rms"),
    ("variance", "mse"),
    ("variance", "variance"),
    # The number that is taken off is of another row; all classes but the right one.
    ("cross-entropy", "cross-entropy"),
    ("cross-entropy.backward", "cross-entropy.backward"),
    # Logarithms of sums are no exponents.
    ("sum-of-exponentials", "binary-cross-entropy.logits"),
    ("sum-of-exponentials", "cross-entropy"),
    ("sum-of-exponentials", "poisson-nll"),
    # Right, as far as names go, but no reference has this form.
    ("affine", "square.backward"),
    ("dot.batched", "cross-entropy"),
    ("dot.batched", "dice-loss"),
    ("log", "cross-entropy"),
    ("mse", "smooth-l1"),
    ("negate", "cross-entropy"),
    ("nll", "nll"),
    ("one-hot", "histogram"),
    ("squared-distance", "mse"),
    ("squared-distance", "smooth-l1"),
    ("squared-distance", "variance"),
    ("subtract", "embedding"),
    ("subtract", "scatter-add"),
    ("sum", "conv1d"),
    ("sum", "conv1d.depthwise"),
    ("sum", "conv1d.grouped"),
    ("sum", "conv2d"),
    ("sum", "conv2d.grouped"),
    ("sum", "conv3d"),
    ("sum", "conv3d.depthwise"),
    ("sum", "conv3d.grouped"),
}

# Kernels that should have their name, and what they are called.
UNNAMED = {
    "softmax": "sum-of-exponentials, map",
    "sum-of-squares": "dot",
    "pad": "map",
    "adamw": "map",
    "gru": "map",
}
