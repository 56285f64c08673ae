// Positions of greatest elements, at which these are read again, for lanes.c:
// X(name, elements of A, of B, of C, numbers in C).
#define KERNELS(X)                                                             \
  X(greatest, M *N, 0, 1, 1)                                                   \
  X(greatest_of_all, M *N, 0, 1, 1)                                            \
  X(least, M *N, 0, 1, 1)                                                      \
  X(swapped, M *N, 0, 1, 1)                                                    \
  X(last, M *N, 0, 1, 1)                                                       \
  X(unordered, M *N, 0, 1, 1)                                                  \
  X(from_second, M *N, 0, 1, 1)                                                \
  X(from_argument, M *N + 50, 0, 1, 1)                                         \
  X(down, M *N, 0, 1, 1)                                                       \
  X(even, M *N, 0, 1, 1)                                                       \
  X(twice, M *N, 0, 1, 1)                                                      \
  X(absolute, M *N, 0, 1, 1)                                                   \
  X(tested_at_end, M *N + 1, 0, 1, 1)                                          \
  X(both, M *N, 0, 2, 1)                                                       \
  X(step_of_two, M *N, 0, 1, 1)                                                \
  X(element_behind, M *N + 1, 0, 2, 1)                                         \
  X(rows, M *N, 0, M, 1)                                                       \
  X(rows_unsigned, M *N, 0, M, 1)                                              \
  X(rows_long, M *N, 0, M, 1)                                                  \
  X(rows_of_pointer, M *N, 0, M, 1)                                            \
  X(rows_least, M *N, 0, M, 1)                                                 \
  X(rows_last, M *N, 0, M, 1)                                                  \
  X(rows_with_element, M *N + 1, 0, 2 * M, 1)                                  \
  X(rows_batched, L *M *N, 0, L *M, 1)                                         \
  X(rows_counted, M *N, M, 1, 1)                                               \
  X(columns, M *N, 0, N, 1)                                                    \
  X(channels, L *M *N, 0, M *N, 1)                                             \
  X(pointer, M *N, 0, 1, 1)                                                    \
  X(pointer_least, M *N, 0, 1, 1)                                              \
  X(pointer_to_element, M *N, 0, 1, 1)                                         \
  X(pointer_moved, M *N, 0, 1, 1)                                              \
  X(pointer_down, M *N + 1, 0, 1, 1)                                           \
  X(pointer_pairs, 2 * M * N, 0, 1, 1)                                         \
  X(pointer_rows, M *N, 0, M, 1)                                               \
  X(pointer_rows_to_next, M *N, 0, M, 1)                                       \
  X(pointer_rows_least, M *N, 0, M, 1)                                         \
  X(pointer_rows_element, M *N + 1, 0, M, 1)                                   \
  X(written, 0, 0, M *N + 1, 1)                                                \
  X(written_beside, M *N, 0, M *N + 1, 1)                                      \
  X(next_to_it, M *N + 1, 0, 1, 1)                                             \
  X(other_array, M *N, M *N, 1, 1)                                             \
  X(other_condition, M *N, M *N, 1, 1)                                         \
  X(kept_apart, M *N, 0, 1, 1)                                                 \
  X(moving_row, M *N, 0, 1, 1)                                                 \
  X(some_rounds, M *N, 0, 1, 1)                                                \
  X(left_early, M *N, 0, 1, 1)
#define ALL (M > 0 && N > 0 ? M * N : 0)
#define ABS(X) (sizeof(T) == 4 ? (T)fabsf((float)(X)) : (T)fabs(X))
#define SEARCH(FROM, COUNT, TEST)                                              \
  int best = 0;                                                                \
  for (int i = FROM; i < COUNT; i++)                                           \
    if (TEST)                                                                  \
      best = i;
#define POSITION(NAME, FROM, TEST)                                             \
  KERNEL(NAME, SEARCH(FROM, ALL, TEST) C[0] = best;)
#define ROWS(NAME, INT, LESS, ELEMENT, FOUND)                                  \
  KERNEL(                                                                      \
      NAME, for (INT i = 0; i < (INT)M; i++) {                                 \
        INT best = 0;                                                          \
        for (INT j = 1; j < (INT)N; j++)                                       \
          if (ELEMENT(j) LESS ELEMENT(best))                                   \
            best = j;                                                          \
        FOUND;                                                                 \
      })
#define OF_ROW(J) A[i * N + J]

#ifdef BUILD
POSITION(greatest, 1, A[i] > A[best])
POSITION(greatest_of_all, 0, A[i] > A[best])
POSITION(least, 1, A[i] < A[best])
POSITION(swapped, 1, A[best] < A[i])
POSITION(last, 1, A[i] >= A[best])
POSITION(unordered, 1, !(A[i] <= A[best]))
POSITION(from_second, 2, A[i] > A[best])
POSITION(absolute, 1, ABS(A[i]) > ABS(A[best]))
KERNEL(
    from_argument, int best = K > 0 ? K % 50 : 0;
    for (int i = 0; i < ALL; i++) if (A[i] > A[best]) best = i;
    C[0] = best;)
KERNEL(
    down, int best = ALL - 1;
    for (int i = ALL - 2; i >= 0; i--) if (A[i] > A[best]) best = i;
    C[0] = best;)
KERNEL(
    even, int best = 0;
    for (int i = 1; i < ALL / 2; i++) if (A[2 * i] > A[2 * best]) best = i;
    C[0] = best;)
KERNEL(
    twice, int best = 0; for (int i = 0; i + 1 < ALL; i += 2) {
      if (A[i] > A[best])
        best = i;
      if (A[i + 1] > A[best])
        best = i + 1;
    } C[0] = best;)
KERNEL(
    tested_at_end, int best = 0; int i = 0; do {
      if (A[i] > A[best])
        best = i;
    } while (++i < ALL);
    C[0] = best;)
KERNEL(
    both, int best = 0; int worst = 0; for (int i = 1; i < ALL; i++) {
      if (A[i] > A[best])
        best = i;
      if (A[i] < A[worst])
        worst = i;
    } C[0] = best,
         C[1] = worst;)
KERNEL(
    step_of_two, int best = 0;
    for (int i = 2; i < ALL; i += 2) if (A[i] > A[best]) best = i; C[0] = best;)
KERNEL(
    element_behind, SEARCH(1, ALL, A[i] > A[best]) C[0] = best;
    C[1] = A[best];)
ROWS(rows, int, >, OF_ROW, C[i] = best)
ROWS(rows_unsigned, unsigned, >, OF_ROW, C[i] = best)
ROWS(rows_long, long, >, OF_ROW, C[i] = best)
ROWS(rows_least, int, <, OF_ROW, C[i] = best)
ROWS(rows_last, int, >=, OF_ROW, C[i] = best)
ROWS(rows_with_element, int, >, OF_ROW, C[2 * i] = best;
     C[2 * i + 1] = OF_ROW(best))
KERNEL(
    rows_of_pointer, FOR(i, M) {
      const T *Row = A + i * N;
      int best = 0;
      for (int j = 1; j < N; j++)
        if (Row[j] > Row[best])
          best = j;
      C[i] = best;
    })
KERNEL(
    rows_batched, FOR(l, L) FOR(i, M) {
      int best = 0;
      for (int j = 1; j < N; j++)
        if (A[(l * M + i) * N + j] > A[(l * M + i) * N + best])
          best = j;
      C[l * M + i] = best;
    })
KERNEL(
    rows_counted, int count = 0; FOR(i, M) {
      int best = 0;
      for (int j = 1; j < N; j++)
        if (OF_ROW(j) > OF_ROW(best))
          best = j;
      count += best == (int)B[i];
    } C[0] = count;)
KERNEL(
    columns, FOR(j, N) {
      int best = 0;
      for (int i = 1; i < M; i++)
        if (A[i * N + j] > A[best * N + j])
          best = i;
      C[j] = best;
    })
// Which channel is the greatest at each pixel.
KERNEL(
    channels, FOR(i, M) FOR(j, N) {
      int best = 0;
      for (int l = 1; l < L; l++)
        if (A[(l * M + i) * N + j] > A[(best * M + i) * N + j])
          best = l;
      C[i * N + j] = best;
    })

// As std::max_element and std::min_element do.
static inline const T *findGreatest(const T *First, const T *Last) {
  const T *Best = First;
  if (First == Last)
    return Last;
  while (++First != Last)
    if (*Best < *First)
      Best = First;
  return Best;
}
static inline const T *findLeast(const T *First, const T *Last) {
  const T *Best = First;
  if (First == Last)
    return Last;
  while (++First != Last)
    if (*First < *Best)
      Best = First;
  return Best;
}
__attribute__((noinline)) static const T *findPointer(const T *P, const T *E) {
  return findGreatest(P, E);
}
KERNEL(pointer, C[0] = findPointer(A, A + ALL) - A;)
KERNEL(pointer_least, C[0] = findLeast(A, A + ALL) - A;)
KERNEL(
    pointer_to_element, const T *Best = A;
    for (int i = 1; i < ALL; i++) if (A[i] > *Best) Best = &A[i];
    C[0] = Best - A;)
KERNEL(
    pointer_moved, const T *Best = A;
    for (const T *P = A; P != A + ALL; P++) if (*P > *Best) Best = P;
    C[0] = Best - A;)
KERNEL(
    pointer_down, const T *Best = A + ALL;
    for (const T *P = A + ALL; P != A;) if (*--P > *Best) Best = P;
    C[0] = Best - A;)
KERNEL(
    pointer_pairs, const T *Best = A + 1;
    for (const T *P = A + 1; P < A + 2 * ALL; P += 2) if (*P > *Best) Best = P;
    C[0] = (Best - A) / 2;)
KERNEL(
    pointer_rows, FOR(i, M) {
      const T *Row = A + i * (N > 0 ? N : 0);
      C[i] = findGreatest(Row, Row + (N > 0 ? N : 0)) - Row;
    })
KERNEL(
    pointer_rows_to_next, if (N > 0) FOR(i, M) C[i] =
        findGreatest(A + i * N, A + (i + 1) * N) - (A + i * N);)
KERNEL(
    pointer_rows_least, if (N > 0) FOR(i, M) {
      const T *Row = A + i * N;
      C[i] = findLeast(Row, Row + N) - Row;
    })
KERNEL(
    pointer_rows_element, if (N > 0) FOR(i, M) C[i] =
        *findGreatest(A + i * N, A + (i + 1) * N);)

// What the round writes, or something else that is not remembered.
KERNEL(
    written, int best = 0; for (int i = 1; i < ALL; i++) {
      if (C[i] > C[best])
        best = i;
      C[i / 2] = -C[i];
    } C[ALL] = best;)
KERNEL(
    written_beside, int best = 0; for (int i = 1; i < ALL; i++) {
      if (A[i] > A[best])
        best = i;
      C[i - 1] = A[i] + 1;
    } C[ALL] = best;)
KERNEL(
    next_to_it, int best = 0;
    for (int i = 0; i < ALL; i++) if (A[i] > A[best]) best = i + 1;
    C[0] = best;)
POSITION(other_array, 1, A[i] > B[best])
POSITION(other_condition, 1, B[i] > 0 && A[i] > A[best])
KERNEL(
    kept_apart, int best = 0; int at = 0; for (int i = 1; i < ALL; i++) {
      if (A[i] > A[best])
        at = i;
      if (A[i] < 0)
        best = i;
    } C[0] = at + best;)
KERNEL(
    moving_row, int best = 0;
    for (int i = 1; i < ALL; i++) if (A[i] > A[i - 1 - best]) best = i / 2;
    C[0] = best;)
KERNEL(
    some_rounds, int best = 0;
    for (int i = 1; i < ALL; i++) if (i % 3 && A[i] > A[best]) best = i;
    C[0] = best;)
KERNEL(
    left_early, int best = 0; for (int i = 1; i < ALL; i++) {
      if (A[i] > A[best])
        best = i;
      if (A[i] == 4)
        break;
    } C[0] = best;)
#endif
