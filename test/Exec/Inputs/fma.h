// Recurrences: NAME(kernel, value of the recurrence in a round). T is the type.
//   KERNEL(NAME, ROUND, FUSED, APART)
// ROUND: what the kernel does with h (the recurrence), x, y, z, w (elements), p, q.
// FUSED, APART: two ways to round that are right bit for bit (rounding everything is, too)
KERNEL(dot, h += x * y, h = FMA(x, y, h), h = h + (T)(x * y))
KERNEL(minus, h -= x * y, h = FMA(-x, y, h), h = h - (T)(x * y))
KERNEL(filter, h = q * x + p * h, h = FMA(q, x, p * h), h = FMA(p, h, q * x))
KERNEL(filter_minus, h = q * x - p * h, h = FMA(q, x, -(p * h)), h = FMA(-p, h, q * x))
KERNEL(two_terms, h += x * y + z * w, h = h + FMA(x, y, z * w), h = h + FMA(z, w, x * y))
KERNEL(horner, h = h * p + x, h = FMA(h, p, x), h = (T)(h * p) + x)
KERNEL(decay, h += p * (x - h), h = FMA(p, x - h, h), h = h + (T)(p * (x - h)))
KERNEL(product, h = h * p * x, h = h * p * x, h = h * p * x)
KERNEL(kept, h = x * x - (g = h * p), (g = h * p, h = FMA(x, x, -g)), (g = h * p, h = x * x - g))
