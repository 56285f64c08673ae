// Loops from one pointer to another: containers, algorithms, ends of any distance,
// downwards, and pointers that are used behind the loop.
// RUN: %clangxx_dl -std=c++20 -O3 -march=native -DPART -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clangxx -std=c++20 -O1 -march=native -DPART -DNAME=plain -c %s -o %t.plain.o
// RUN: %clangxx -std=c++20 -O1 %s %t.o %t.plain.o -lm -o %t && %t | FileCheck %s
// RUN: %clangxx_dl -std=c++20 -O2 -fno-strict-aliasing -DPART -c %s -o %t.o
// RUN: %clangxx -std=c++20 -O1 -DPART -DNAME=plain -c %s -o %t.plain.o
// RUN: %clangxx -std=c++20 -O1 %s %t.o %t.plain.o -lm -o %t && %t | FileCheck %s
// REQUIRES: native-x86
// REMARK-DAG: exact, iterations of {{.*}}, {{past the caches|fetched ahead}}
// REMARK-DAG: softmax f32, {{.*}}: exact, iterations of j, j
// REMARK-DAG: matvec f32, {{.*}}: exact, tile
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#define ALL(X)                                                                 \
  X(scaled)                                                                    \
  X(below)                                                                     \
  X(pairs)                                                                     \
  X(pairs_below)                                                               \
  X(down)                                                                      \
  X(down_above)                                                                \
  X(behind)                                                                    \
  X(stopped)                                                                   \
  X(softmax)                                                                   \
  X(transformed)                                                               \
  X(rows)                                                                      \
  X(inclusive)                                                                 \
  X(all_bytes)                                                                 \
  X(signed_bytes)
#ifndef NAME
#define NAME made
#endif
#define NAMED_(N, F) N##_##F
#define NAMED(N, F) NAMED_(N, F)
// From p on, with an end that may be anywhere; results at o; sizes of a matrix.
#define ARGS                                                                   \
  (float *p, float *e, float *o, float *stop, long m, std::vector<float> &v,   \
   std::vector<float> &w)
#ifdef PART
void NAMED(NAME, scaled) ARGS {
  if (e < p)
    return;
  for (; p != e; ++p)
    *o++ = *p * 3;
}

void NAMED(NAME, below) ARGS {
  for (; p < e; ++p)
    *o++ = *p * 3;
}

// Ends that steps of two may miss.
void NAMED(NAME, pairs) ARGS {
  for (; p != e; p += 2, o += 2) {
    if (p == stop)
      return;
    o[0] = p[1] * 2;
    o[1] = p[0] * 2;
  }
}

void NAMED(NAME, pairs_below) ARGS {
  for (; p < e; p += 2)
    *o++ = p[0] * p[1];
}

void NAMED(NAME, down) ARGS {
  if (e > p)
    return;
  while (p != e)
    *o++ = *--p * 2;
}

void NAMED(NAME, down_above) ARGS {
  for (; p > e; p--)
    *o++ = *p * 2;
}

__attribute__((noinline)) static float *copyScaled(const float *p,
                                                   const float *e, float *o) {
  for (; p < e; ++p, o += 3)
    *o = *p * 5;
  return o;
}
void NAMED(NAME, behind) ARGS {
  float *end = copyScaled(p, e, o);
  *end = static_cast<float>(end - o);
}

void NAMED(NAME, stopped) ARGS {
  for (; p != e; ++p) {
    if (p == stop)
      return;
    *o++ = *p * 3;
  }
}

void NAMED(NAME, softmax) ARGS {
  float top = -INFINITY, sum = 0;
  for (float x : v)
    top = std::max(top, x);
  for (float &x : v) {
    x = std::exp(x - top);
    sum += x;
  }
  for (float &x : v)
    x /= sum;
}

void NAMED(NAME, transformed) ARGS {
  w.resize(v.size());
  auto end = std::transform(v.begin(), v.end(), w.begin(),
                            [](float x) { return x / (1 + std::exp(-x)); });
  *o = end == w.end() ? std::accumulate(v.begin(), v.end(), 1.0f) : -1;
}

// Rows of a matrix times a vector.
void NAMED(NAME, rows) ARGS {
  const float *row = p;
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (float x : v)
      sum += *row++ * x;
    o[i] = sum;
  }
}

// Rust's ranges with their last element, which may be in front of the first or be
// the last one of its type.
template <class T> struct range {
  T at, last;
  bool done = false;
  bool hasMore() const { return !(done || at > last); }
  void go() {
    bool more = at < last;
    done = more ? done : true;
    at = more ? at + 1 : at;
  }
};

void NAMED(NAME, inclusive) ARGS {
  for (range<int> i = {static_cast<int>(m) - 20, static_cast<int>(e - p)};
       i.hasMore(); i.go())
    o[i.at + 20] = p[i.at + 20] * 7;
}

void NAMED(NAME, all_bytes) ARGS {
  for (range<unsigned char> i = {static_cast<unsigned char>(m), 255};
       i.hasMore(); i.go())
    o[i.at] = p[i.at] * 7;
}

// More rounds than there are positive numbers.
void NAMED(NAME, signed_bytes) ARGS {
  for (range<signed char> i = {static_cast<signed char>(m - 128), 127};
       i.hasMore(); i.go())
    o[i.at + 128] = p[i.at + 128] * 7;
}
#else
#define DECLARE(F)                                                             \
  void made_##F ARGS;                                                          \
  void plain_##F ARGS;
ALL(DECLARE)
typedef void kernel ARGS;
#define ENTRY(F) {made_##F, plain_##F, #F},
static const struct {
  kernel *made, *plain;
  const char *name;
} kernels[] = {ALL(ENTRY)};

enum { Size = 1 << 15 };
static float start[Size], memory[2][Size];

int main() {
  unsigned long runs = 0, different = 0;
  for (float &x : start)
    x = static_cast<float>(rand() % 1000 - 500) / 60;
  for (int t = 0; t < 400; t++)
    for (auto &k : kernels) {
      long begin = 4096 + rand() % 64, length = rand() % 300 - 20,
           m = rand() % 40, size = rand() % 90,
           // Apart, or over what is read.
          out = rand() % 4 ? 16384 : begin + rand() % 80 - 40,
           stop = begin + rand() % 400;
      // Twice as far for steps of two: they must come to the end or the stop.
      bool isStopped = strstr(k.name, "pairs") || strstr(k.name, "stopped");
      if (isStopped && t % 2 == 0)
        stop = begin + (stop - begin) / 2 * 2;
      else if (isStopped)
        stop = begin + 2 * (rand() % 200);
      if (isStopped && length < 0)
        length = 0;
      std::vector<float> v[2], w[2];
      for (long i = 0; i < size; i++)
        v[0].push_back(start[i + 100]);
      v[1] = v[0];
      for (int plain = 0; plain < 2; plain++) {
        float *p = memory[plain];
        memcpy(p, start, sizeof start);
        (plain ? k.plain : k.made)(p + begin, p + begin + length, p + out,
                                   p + stop, m, v[plain], w[plain]);
      }
      bool same = !memcmp(memory[0], memory[1], sizeof start) &&
                  v[0].size() == v[1].size() && w[0].size() == w[1].size() &&
                  !memcmp(v[0].data(), v[1].data(), v[0].size() * 4) &&
                  !memcmp(w[0].data(), w[1].data(), w[0].size() * 4);
      if (!same)
        printf("%s differs\n", k.name);
      runs++, different += !same;
    }
  printf("%lu runs, %lu different\n", runs, different);
}
#endif
