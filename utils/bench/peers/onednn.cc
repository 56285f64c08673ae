//===- onednn.cc - oneDNN's matmul as a contestant of dlbench -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The primitive is made once per shape, as a framework would do; calls only
// set the pointers. Works with the interfaces of oneDNN 2 and 3. TRANS_A, TRANS_B
// say whether an operand is stored transposed.
#include <dnnl.hpp>
#include <memory>

using namespace dnnl;

namespace {
struct Product {
  long M, N, K;
  memory A, B, C;
  matmul Run;
};
} // namespace

static std::unique_ptr<Product> make(engine &eng, long m, long n, long k,
                                     long lda, long ldb, long ldc) {
  auto f32 = memory::data_type::f32;
  auto strides = [](bool trans, long ld) {
    return trans ? memory::dims{1, ld} : memory::dims{ld, 1};
  };
  memory::desc a({m, k}, f32, strides(TRANS_A, lda)),
      b({k, n}, f32, strides(TRANS_B, ldb)), c({m, n}, f32, {ldc, 1});
#if DNNL_VERSION_MAJOR >= 3
  matmul::primitive_desc desc(eng, a, b, c);
#else
  matmul::primitive_desc desc(matmul::desc(a, b, c), eng);
#endif
  return std::unique_ptr<Product>(
      new Product{m, n, k, memory(a, eng, nullptr), memory(b, eng, nullptr),
                  memory(c, eng, nullptr), matmul(desc)});
}

extern "C" void peer(long m, long n, long k, const float *a, long lda,
                     const float *b, long ldb, float *c, long ldc) {
  static engine eng(engine::kind::cpu, 0);
  static stream queue(eng);
  static std::unique_ptr<Product> p;
  if (!p || p->M != m || p->N != n || p->K != k)
    p = make(eng, m, n, k, lda, ldb, ldc);
  p->A.set_data_handle(const_cast<float *>(a));
  p->B.set_data_handle(const_cast<float *>(b));
  p->C.set_data_handle(c);
  p->Run.execute(
      queue,
      {{DNNL_ARG_SRC, p->A}, {DNNL_ARG_WEIGHTS, p->B}, {DNNL_ARG_DST, p->C}});
  queue.wait();
}
