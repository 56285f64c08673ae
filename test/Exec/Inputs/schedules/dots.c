// What instructions compute, by their definitions, for machines without them.
#define DOT(NAME, LANES, DEPTH, A, B)                                          \
  typedef int Sum_##NAME __attribute__((vector_size(4 * LANES)));              \
  typedef A A_##NAME                                                           \
      __attribute__((vector_size(LANES * DEPTH * sizeof(A))));                 \
  typedef B B_##NAME                                                           \
      __attribute__((vector_size(LANES * DEPTH * sizeof(B))));                 \
  Sum_##NAME NAME(Sum_##NAME S, A_##NAME X, B_##NAME Y) {                      \
    for (int I = 0; I != LANES * DEPTH; ++I)                                   \
      S[I / DEPTH] = (unsigned)S[I / DEPTH] + (unsigned)(X[I] * Y[I]);         \
    return S;                                                                  \
  }

DOT(x86_avx512_vpdpbusd_512, 16, 4, unsigned char, signed char)
DOT(x86_avx512_vpdpbusd_256, 8, 4, unsigned char, signed char)
DOT(x86_avx512_vpdpbusd_128, 4, 4, unsigned char, signed char)
DOT(x86_avx512_vpdpwssd_512, 16, 2, short, short)
DOT(x86_avx512_vpdpwssd_256, 8, 2, short, short)
DOT(x86_avx512_vpdpwssd_128, 4, 2, short, short)
