// What remains of tiles and unrolled loops may be under a condition.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// RUN: %dl-kernels %t.kernels | diff %t.kernels -
// REQUIRES: x86-registered-target

#define ARGS                                                                   \
  long m, long n, long k, const float *restrict a, const float *restrict b,   \
      float *restrict c

// CHECK:      kernel 0 @guarded_tiles  matmul.nn f32
// CHECK:        par i[%m] par j[%n]
// CHECK-NEXT:     local s:f32
// CHECK-NEXT:     s = 0.0
// CHECK-NEXT:     red k[%k]
// CHECK-NEXT:       s = fmuladd(%a[i,k], %b[k,j], s)
// CHECK-NEXT:     %c[i,j] = s
void guarded_tiles(ARGS) {
  for (long io = 0; io < m; io += 8)
    for (long jo = 0; jo < n; jo += 16)
      for (long i = io; i < io + 8; i++)
        if (i < m)
          for (long j = jo; j < jo + 16; j++)
            if (j < n) {
              float s = 0;
              for (long l = 0; l < k; l++)
                s += a[i * k + l] * b[l * n + j];
              c[i * n + j] = s;
            }
}

// How many tiles there are is an argument: there may be fewer.
// CHECK:      kernel 0 @some_tiles  matmul.nn f32
// CHECK:        par i[%m] par j[%n]
// CHECK:        needs    inrange(0 <= 8*%tiles - %m <= 9223372036854775807)
void some_tiles(ARGS, long tiles) {
  for (long io = 0; io < tiles; io++)
    for (long i = 0; i < 8; i++)
      if (io * 8 + i < m)
        for (long j = 0; j < n; j++) {
          float s = 0;
          for (long l = 0; l < k; l++)
            s += a[(io * 8 + i) * k + l] * b[l * n + j];
          c[(io * 8 + i) * n + j] = s;
        }
}

// CHECK:      kernel 0 @guarded_update  matmul.nn f32
// CHECK:        par i[%m] par j[%n] red k[%k]
// CHECK-NEXT:     %c[i,j] = fmuladd(%a[i,k], %b[k,j], %c[i,j])
void guarded_update(ARGS) {
  for (long io = 0; io < m; io += 16)
    for (long jo = 0; jo < n; jo += 16)
      for (long lo = 0; lo < k; lo += 16)
        for (long i = io; i < io + 16; i++)
          for (long j = jo; j < jo + 16; j++)
            for (long l = lo; l < lo + 16; l++)
              if (i < m && j < n && l < k)
                c[i * n + j] += a[i * k + l] * b[l * n + j];
}

// A condition of some of what is in the loop is none of the loop.
// CHECK:      kernel 0 @guarded_partly  reduce f32
// CHECK:        par i[floordiv(%m - 1, 8) + 1] par j[8] par k[%n]
// CHECK:          where 8*i + j < %m
void guarded_partly(ARGS) {
  for (long io = 0; io < m; io += 8)
    for (long i = io; i < io + 8; i++)
      for (long j = 0; j < n; j++) {
        c[i * n + j] = 0;
        for (long l = 0; l < k; l++)
          if (i < m)
            c[i * n + j] += a[i * k + l] * b[l * n + j];
      }
}

// CHECK:      kernel 0 @last_step  matmul.nn f32
// CHECK:        par i[%m] par j[%n]
// CHECK:          red k[%k]
// CHECK-NEXT:       s = fmuladd(%a[i,k], %b[k,j], s)
void last_step(ARGS) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      long l = 0;
      for (; l + 1 < k; l += 2) {
        s += a[i * k + l] * b[l * n + j];
        s += a[i * k + l + 1] * b[(l + 1) * n + j];
      }
      if (l < k)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// CHECK:      kernel 0 @last_column  matmul.nn f32
// CHECK:        par i[%m] par j[%n]
void last_column(ARGS) {
  for (long i = 0; i < m; i++) {
    long j = 0;
    for (; j + 1 < n; j += 2) {
      float s = 0, t = 0;
      for (long l = 0; l < k; l++) {
        s += a[i * k + l] * b[l * n + j];
        t += a[i * k + l] * b[l * n + j + 1];
      }
      c[i * n + j] = s;
      c[i * n + j + 1] = t;
    }
    if (j < n) {
      float s = 0;
      for (long l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
  }
}

// Copies inside of the loop over columns: each element gets its terms in order.
// CHECK:      kernel 0 @last_row_of_b  matmul.nn f32
// CHECK:        par i[%m] red j[%k] par k[%n]
// CHECK-NEXT:     %c[i,k] = fmuladd(%a[i,j], %b[j,k], %c[i,k])
void last_row_of_b(ARGS) {
  for (long i = 0; i < m; i++) {
    long l = 0;
    for (; l + 1 < k; l += 2)
      for (long j = 0; j < n; j++) {
        c[i * n + j] += a[i * k + l] * b[l * n + j];
        c[i * n + j] += a[i * k + l + 1] * b[(l + 1) * n + j];
      }
    if (l < k)
      for (long j = 0; j < n; j++)
        c[i * n + j] += a[i * k + l] * b[l * n + j];
  }
}

// There, sums over both loops would get them in another order.
// CHECK:      kernel 0 @two_in_one
// CHECK-NOT:    red k[%k]
// CHECK:        2*
void two_in_one(ARGS) {
  for (long i = 0; i < m; i++)
    for (long l = 0; l + 1 < k; l += 2)
      for (long j = 0; j < n; j++) {
        c[i] += a[i * k + l] * b[l * n + j];
        c[i] += a[i * k + l + 1] * b[(l + 1) * n + j];
      }
}

// What remains of a loop unrolled by four is not one step.
// CHECK:      kernel 0 @one_of_three  generic f32
// CHECK:        where
void one_of_three(ARGS) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      long l = 0;
      for (; l + 3 < k; l += 4) {
        s += a[i * k + l] * b[l * n + j];
        s += a[i * k + l + 1] * b[(l + 1) * n + j];
        s += a[i * k + l + 2] * b[(l + 2) * n + j];
        s += a[i * k + l + 3] * b[(l + 3) * n + j];
      }
      if (l < k)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// Rows of results that are stored when a row of a tile is done.
// CHECK:      kernel 0 @buffered  matmul.nt f32
// CHECK:        par i[%m] par j[%n]
// CHECK-NEXT:     local s:f32
// CHECK-NEXT:     s = 0.0
// CHECK-NEXT:     red k[%k]
// CHECK-NEXT:       s = fmuladd(%b[j,k], %a[i,k], s)
// CHECK-NEXT:     %c[i,j] = s
void buffered(ARGS) {
  float row[16];
  for (long io = 0; io < m; io += 16)
    for (long jo = 0; jo < n; jo += 16)
      for (long i = io; i < io + 16 && i < m; i++) {
        for (long j = jo; j < jo + 16 && j < n; j++) {
          float s = 0;
          for (long l = 0; l < k; l++)
            s += b[j * k + l] * a[i * k + l];
          row[j - jo] = s;
        }
        for (long j = jo; j < jo + 16 && j < n; j++)
          c[i * n + j] = row[j - jo];
      }
}

// By memcpy, of as many elements as there are.
// CHECK:      kernel 0 @buffered_block  matmul.nt f32
// CHECK:        par i[%m] par j[%n]
void buffered_block(ARGS) {
  float row[16];
  for (long io = 0; io < m; io += 16)
    for (long jo = 0; jo < n; jo += 16)
      for (long i = io; i < io + 16 && i < m; i++) {
        for (long j = jo; j < jo + 16 && j < n; j++) {
          float s = 0;
          for (long l = 0; l < k; l++)
            s += b[j * k + l] * a[i * k + l];
          row[j - jo] = s;
        }
        __builtin_memcpy(c + i * n + jo, row,
                         ((jo + 16 < n ? jo + 16 : n) - jo) * sizeof *c);
      }
}

// Fewer of them.
// CHECK:      kernel 0 @buffered_less  generic f32
// CHECK:        par k.1[min(8, %n - 16*j)]
void buffered_less(ARGS) {
  float row[16];
  for (long i = 0; i < m; i++)
    for (long jo = 0; jo < n; jo += 16) {
      for (long j = jo; j < jo + 16 && j < n; j++) {
        float s = 0;
        for (long l = 0; l < k; l++)
          s += b[j * k + l] * a[i * k + l];
        row[j - jo] = s;
      }
      __builtin_memcpy(c + i * n + jo, row,
                       ((jo + 8 < n ? jo + 8 : n) - jo) * sizeof *c);
    }
}

// The other way round.
// CHECK:      kernel 0 @buffered_backwards {{[^m].*}} f32
void buffered_backwards(ARGS) {
  float row[16];
  for (long i = 0; i < m; i++)
    for (long jo = 0; jo + 15 < n; jo += 16) {
      for (long j = 0; j < 16; j++) {
        float s = 0;
        for (long l = 0; l < k; l++)
          s += b[(jo + j) * k + l] * a[i * k + l];
        row[j] = s;
      }
      for (long j = 0; j < 16; j++)
        c[i * n + jo + j] = row[15 - j];
    }
}

// It is used once more.
// CHECK:      kernel 0 @buffered_twice  generic f32
void buffered_twice(ARGS) {
  float row[16];
  for (long i = 0; i < m; i++)
    for (long jo = 0; jo + 15 < n; jo += 16) {
      for (long j = 0; j < 16; j++) {
        float s = 0;
        for (long l = 0; l < k; l++)
          s += b[(jo + j) * k + l] * a[i * k + l];
        row[j] = s;
      }
      for (long j = 0; j < 16; j++)
        c[i * n + jo + j] = row[j] * row[0];
    }
}

// Where there are so many tiles that the index of the last ones wraps, these
// have rows, too: of all tiles it is asked whether it does.
//
// CHECK:      @wrapping_tiles
// CHECK:        needs    inrange(0 <= 1024*%tiles - 1 <= 4294967295)
void wrapping_tiles(unsigned tiles, ARGS) {
  for (unsigned io = 0; io < tiles; io++)
    for (unsigned ii = 0; ii < 1024; ii++) {
      unsigned i = io * 1024 + ii;
      if ((long)i < m)
        for (long j = 0; j < n; j++)
          for (long l = 0; l < k; l++)
            c[i * n + j] += a[i * k + l] * b[l * n + j];
    }
}

// CHECK:      @wrapping_starts
// CHECK:        needs    inrange(0 <= 1024*%tiles - 1024 <= 4294967295)
void wrapping_starts(unsigned tiles, ARGS) {
  for (unsigned io = 0; io < tiles; io++) {
    long first = io * 1024, end = first + 1024 < m ? first + 1024 : m;
    for (long i = first; i < end; i++)
      for (long j = 0; j < n; j++)
        for (long l = 0; l < k; l++)
          c[i * n + j] += a[i * k + l] * b[l * n + j];
  }
}

// The loop that remains starts where the one in front was said to end.
// CHECK:      kernel 0 @rounded  matmul.nn f32
// CHECK:          red k[%k]
// CHECK-NEXT:       s = fmuladd(%a[i,k], %b[k,j], s)
// CHECK:        needs    inrange(0 <= 4*floordiv(%and - 1, 4) - %and + 4 <= 0)
void rounded(ARGS) {
  long end = k & ~3L;
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < end; l += 4) {
        s += a[i * k + l] * b[l * n + j];
        s += a[i * k + l + 1] * b[(l + 1) * n + j];
        s += a[i * k + l + 2] * b[(l + 2) * n + j];
        s += a[i * k + l + 3] * b[(l + 3) * n + j];
      }
      for (long l = end; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// CHECK:      kernel 0 @halves  matmul.nn f32
// CHECK:          red k[%k]
// CHECK-NEXT:       s = fmuladd(%a[i,k], %b[k,j], s)
// CHECK:        needs    inrange(0 <= 2*%div - %k + %{{.*}} <= 0)
void halves(ARGS) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < k / 2 * 2; l += 2) {
        s += a[i * k + l] * b[l * n + j];
        s += a[i * k + l + 1] * b[(l + 1) * n + j];
      }
      if (k % 2)
        s += a[i * k + k - 1] * b[(k - 1) * n + j];
      c[i * n + j] = s;
    }
}

// Of loops that are not unrolled nothing says that one goes on with the other.
// CHECK:      kernel 0 @two_ranges  reduce f32
// CHECK:          red k[%first]
// CHECK:          red k.1[%second]
void two_ranges(ARGS, long first, long second, long at) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < first; l++)
        s += a[i * k + l] * b[l * n + j];
      for (long l = 0; l < second; l++)
        s += a[i * k + l + at] * b[(l + at) * n + j];
      c[i * n + j] = s;
    }
}
