"""Loops that several statements share: which of them can have their own?"""
from .simple import Flat, draw

# Of one iteration i, and of what arrays: q, t (M + 2 elements), s (N elements),
# C (M + 2 rows of N).
STATEMENTS = [
    "q[i] = 0;",
    "q[i] = r[i];",
    "for (IDX j = 0; j < N; j++) q[i] += A[i*N + j] * x[j];",
    "for (IDX j = 0; j < N; j++) t[i] += B[i*N + j] * x[j];",
    "for (IDX j = 0; j < N; j++) s[j] += A[i*N + j] * r[i];",
    "for (IDX j = 0; j < N; j++) s[j] += A[i*N + j] * q[i];",
    "for (IDX j = 0; j < N; j++) {{ s[j] += A[i*N + j] * r[i]; q[i] += A[i*N + j] * x[j]; }}",
    "for (IDX j = 0; j < N; j++) {{ t[i] += B[i*N + j] * x[j]; q[i] += A[i*N + j] * x[j]; }}",
    "t[i] = q[i] * r[i];",
    "t[i] = q[i + 1] + r[i];",
    "q[i + 1] = t[i];",
    "t[i + 1] += q[i];",
    "for (IDX j = 0; j < N; j++) C[i*N + j] *= r[0];",
    "for (IDX j = 0; j < N; j++) C[(i + 1)*N + j] = C[i*N + j] * r[i];",
    "for (IDX k = 0; k < K; k++) for (IDX j = 0; j < N; j++) "
    "C[i*N + j] += A[i*N + k] * B[k*N + j];",
    "for (IDX j = 0; j < N; j++) for (IDX k = 0; k < K; k++) "
    "C[i*N + j] += A[i*N + k] * B[k*N + j];",
    "for (IDX j = 0; j < N; j++) {{ {T} p = r[0]; for (IDX k = 0; k < K; k++) "
    "p += A[i*N + k] * B[k*N + j]; C[i*N + j] = p; }}",
    "for (IDX k = 0; k < K; k++) for (IDX j = 0; j < N; j++) "
    "C[i*N + j] += alpha * A[i*N + k] * B[k*N + j];",
    "for (IDX k = 0; k < K; k++) {{ {T} p = A[i*N + k] * alpha; "
    "for (IDX j = 0; j < N; j++) C[i*N + j] += p * B[k*N + j]; }}",
    "for (IDX j = 0; j < N; j++) q[i] += alpha * A[i*N + j] * x[j];",
    "for (IDX j = 0; j < N; j++) s[j] += A[i*N + j] * (r[i] * alpha);",
    "for (IDX j = 0; j < N; j++) s[j] = C[i*N + j];",
    "for (IDX j = 0; j < N; j++) t[i] += C[i*N + j] * x[j];",
]


def statements(rnd):
    t, idx = draw(rnd, ["f32", "f32", "f64"])
    body = "for (IDX i = 0; i < M; i++) {{ %s }}" % " ".join(
        rnd.choice(STATEMENTS) for _ in range(rnd.randint(2, 5)))

    def fix(rnd, dims):
        dims["K"] = dims["N"]
    rows = lambda M, N: (max(M, 0) + 2) * max(N, 0)
    return Flat(rnd, t, idx, ["M", "N", "K"], {
        "A": lambda M, N, K: rows(M, N), "B": lambda M, N, K: rows(max(M, N), N),
        "C": lambda M, N, K: rows(M, N), "x": lambda M, N, K: N,
        "r": lambda M, N, K: max(M, 0) + 2, "q": lambda M, N, K: max(M, 0) + 2,
        "t": lambda M, N, K: max(M, 0) + 2, "s": lambda M, N, K: N},
        body, scalars=["alpha"], fix=fix, rules=("exact",)).made
