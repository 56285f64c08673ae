# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Row programs by onnxruntime, where it is installed (pip install onnxruntime).

The models have one node. They are written as protocol buffers by hand: a message is
its fields, each a key and a number or bytes.
"""
import struct


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def attribute(name, value):
    kind, key = (1, 2) if isinstance(value, float) else (2, 3)
    return field(5, field(1, name) + field(key, value) + field(20, kind))


def tensor_info(name, shape):
    dims = b"".join(field(1, field(1, d)) for d in shape)
    kind = field(1, field(1, 1) + field(2, dims))
    return field(1, name) + field(2, kind)


def model(op, domain, inputs, shape, attributes):
    """inputs: (name, shape) each, in order; the first has the shape of y."""
    node = b"".join(field(1, name) for name, _ in inputs) + field(2, "y")
    node += field(4, op) + field(7, domain)
    node += b"".join(attribute(*a) for a in attributes)
    graph = field(1, node) + field(2, "rows")
    graph += b"".join(field(11, tensor_info(*i)) for i in inputs)
    graph += field(12, tensor_info("y", shape))
    opsets = field(8, field(1, "") + field(2, 17))
    opsets += field(8, field(1, "com.microsoft") + field(2, 1))
    return field(1, 8) + field(7, graph) + opsets


def describe(name, l, m, n):
    """Operator, its domain, inputs (shape, where in p), attributes."""
    rows, images = [m, n], [l, m, n]
    eps = ("epsilon", 1e-5)
    return {
        "softmax": ("Softmax", "", rows, [], [("axis", 1)]),
        "log_softmax": ("LogSoftmax", "", rows, [], [("axis", 1)]),
        "layernorm": ("LayerNormalization", "", rows, [([n], 0), ([n], n)],
                      [eps]),
        "rmsnorm": ("SimplifiedLayerNormalization", "", rows, [([n], 0)],
                    [eps]),
        "residual_layernorm": ("SkipLayerNormalization", "com.microsoft",
                               [1, m, n],
                               [([1, m, n], 0), ([n], m * n), ([n], m * n + n)],
                               [eps]),
        "batchnorm": ("BatchNormalization", "", images,
                      [([m], 2 * m), ([m], 3 * m), ([m], 0), ([m], m)], [eps]),
    }.get(name)


def prepare(name, problem):
    """A function that runs it; None: there is none."""
    try:
        import numpy
        import onnxruntime
    except ImportError:
        return None
    l, m, n = problem.sizes
    known = describe(name, l, m, n)
    if not known:
        return None
    op, domain, shape, parameters, attributes = known
    inputs = [("x", shape)] + [("p%d" % i, s)
                               for i, (s, _) in enumerate(parameters)]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        model(op, domain, inputs, shape, attributes), options,
        providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    p = numpy.frombuffer(problem.p, numpy.float32)
    arrays = [("x", shape, numpy.frombuffer(problem.x, numpy.float32))]
    arrays += [("p%d" % i, s, p[at:])
               for i, (s, at) in enumerate(parameters)]
    for who, s, a in arrays:
        binding.bind_input(who, "cpu", 0, numpy.float32, s, a.ctypes.data)
    y = numpy.frombuffer(problem.y, numpy.float32)
    binding.bind_output("y", "cpu", 0, numpy.float32, shape, y.ctypes.data)
    return lambda: session.run_with_iobinding(binding)
