"""Other starts of a sum, and work on it."""

# What is stored where the sum is `acc`.
WORK = {
    "axpby": "{c} = alpha * acc + beta * {c};",
    "axpby_swapped": "{c} = beta * {c} + acc * alpha;",
    "minus_output": "{c} = acc - beta * {c};",
    "fma_output": "{c} = {fma}(beta, {c}, acc);",
    "times_output": "{c} *= acc;",
    "alpha": "{c} = alpha * acc;",
    "divided": "{c} = acc / beta;",
    "column": "{c} = acc + v[{j}];",
    "row": "{c} = v[{i}] * acc;",
    "both": "{c} = acc * v[{j}] + v[{i}];",
    "residual": "{c} = acc + R[{i}*{N} + {j}];",
    "residual_relu": "acc += R[{i}*{N} + {j}]; {c} = acc > 0 ? acc : 0;",
    "greater": "{c} = acc > 0 ? acc : 0;",
    "less": "{c} = acc < 0 ? 0 : acc;",
    "not_less": "{c} = acc >= 0 ? acc : 0;",
    "not_greater": "{c} = !(acc > 0) ? 0 : acc;",
    "if": "if (acc < 0) acc = 0; {c} = acc;",
    "two_stores": "if (acc > 0) {c} = acc; else {c} = 0;",
    "max": "{c} = {fmax}(acc, 0);",
    "max_swapped": "{c} = {fmax}(alpha, acc);",
    "leaky": "acc += v[{j}]; {c} = acc > 0 ? acc : alpha * acc;",
    "clip": "{c} = {fmin}({fmax}(acc, beta), alpha);",
    "clip_if": "if (acc < beta) acc = beta; if (acc > alpha) acc = alpha; {c} = acc;",
    "flag": "{c} = alpha > 0 ? (acc > 0 ? acc : 0) : acc;",
    "sign": "{c} = acc > v[{i}];",
    "given": "if (given) acc += v[{j}]; {c} = acc;",
    "given_pointer": "if (p) acc *= p[{i}]; {c} = acc > 0 ? acc : 0;",
    "abs": "{c} = {fabs}(acc) - {c};",
    # Functions, in loops of their own.
    "tanh": "{c} = {tanh}(acc);",
    "sigmoid": "acc += v[{j}]; {c} = 1 / (1 + {exp}(-acc));",
    "root": "{c} = {sqrt}(acc);",
    "scaled_root": "{c} = acc / {sqrt}(alpha);",
    "power": "{c} = {tanh}(acc) * {pow}(alpha, beta);",
    # Not `acc > 0`: LLVM takes that log for one without errno, and computes it for
    # all numbers.
    "log_if": "{c} = acc > -1 ? {log}(acc) : acc;",
}

# Start values; {given} and {p} are there where they are used.
STARTS = {
    "alpha": "alpha",
    "select": "given ? alpha : beta",
    "given_n": "given ? bias[{j}] : 0",
    "given_m": "given ? bias[{i}] : 1.5",
    "not_given": "!given ? alpha : bias[{j}]",
    "pointer": "p ? p[{j}] : 0",
}
