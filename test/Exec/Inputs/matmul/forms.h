//===- forms.h - The matrix products under differential test --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every file of forms is compiled twice, -DBUILD=plain without the plugin and
// -DBUILD=dl with it, and both objects are linked to driver.c, which feeds them
// the same problems and compares memory bit by bit.
//
//===----------------------------------------------------------------------===//
#ifndef FORMS_H
#define FORMS_H

#ifndef BUILD
#define BUILD plain
#endif
#define CAT2(A, B) A##_##B
#define CAT(A, B) CAT2(A, B)
// Kernels are external functions, as a user's would be; noinline keeps each
// one a compilation problem of its own.
#define KERNEL __attribute__((noinline))

// C (M x N) from A (M x K) and B (K x N); ld* in elements.
struct problem {
  long M, N, K;
  const float *A;
  long lda;
  const float *B;
  long ldb;
  float *C;
  long ldc;
  const float *S; // bias, max(M, N) elements
};

enum {
  TIGHT = 1,      // leading dimensions are the widths
  FIXED = 2,      // extents are the constants FixedM, FixedN, FixedK
  NO_OVERLAP = 4, // restrict, or operands that own their memory
  SIGNED = 8,     // negative extents and leading dimensions are legal
  WIDE = 16,      // 64-bit indices
  WRAPS = 32,     // 32-bit unsigned indices, which wrap
  A_TRANS = 64,   // A is stored K x M
  B_TRANS = 128,  // B is stored N x K
  NO_NULL = 256,  // an operand is read even if C is not written
  COPIES = 512    // the wrapper copies operands into containers
};
enum { FixedM = 37, FixedN = 52, FixedK = 29 };

struct form {
  const char *Name;
  void (*Run)(const struct problem *P);
  unsigned Flags;
};

#ifdef __cplusplus
extern "C" {
#endif
// Ends with a null name.
extern const struct form forms_plain[], forms_dl[];
#ifdef __cplusplus
}
#endif

#endif
