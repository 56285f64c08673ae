//===- narrowpeers.cc - Products of narrow numbers by oneDNN ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The functions of kernels/narrow.c by oneDNN 2 and 3. Primitives and their
// buffers are made once for each shape; weights that a primitive wants in an
// order of its own are brought there in each call. Saturation, where a CPU has
// only instructions that saturate, is oneDNN's.
#include "onednnsteps.h"
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

using namespace dnnl;
using Dims = memory::dims;
using Tag = memory::format_tag;
using Type = memory::data_type;

namespace {

struct Shape {
  std::string Kernel;
  int M, N, K;
  bool operator<(const Shape &O) const {
    return std::tie(Kernel, M, N, K) < std::tie(O.Kernel, O.M, O.N, O.K);
  }
};

struct Prepared {
  ::Steps Steps;
  /// Without handles: of y, x, w and what scales are, and offsets in bytes.
  std::vector<std::pair<memory, std::pair<int, size_t>>> Arguments;
};

enum { Y, X, W, Scales };

memory argument(Prepared &P, const memory::desc &D, int Which,
                size_t Offset = 0) {
  P.Arguments.push_back({memory(D, getEngine(), nullptr), {Which, Offset}});
  return P.Arguments.back().first;
}

matmul::primitive_desc describe(const memory::desc &A, const memory::desc &B,
                                const memory::desc &C,
                                const primitive_attr &Attr = {}) {
#if DNNL_VERSION_MAJOR >= 3
  return matmul::primitive_desc(getEngine(), A, B, C, Attr);
#else
  return matmul::primitive_desc(matmul::desc(A, B, C), Attr, getEngine());
#endif
}

void makeProduct(Prepared &P, const Shape &S) {
  static const std::map<std::string, std::tuple<Type, Type, Type>> Types = {
      {"u8s8", {Type::u8, Type::s8, Type::s32}},
      {"s8s8", {Type::s8, Type::s8, Type::s32}},
      {"bf16", {Type::bf16, Type::bf16, Type::f32}},
      {"bfloat", {Type::bf16, Type::bf16, Type::f32}},
      {"f32", {Type::f32, Type::f32, Type::f32}}};
  auto It = Types.find(S.Kernel.substr(0, S.Kernel.find('_')));
  if (It == Types.end())
    return;
  auto [A, B, C] = It->second;
  bool IsTransposed = S.Kernel.find("_nt") != std::string::npos;
  memory::desc Own({S.K, S.N}, B, IsTransposed ? Tag::ba : Tag::ab);
  memory XM = argument(P, {{S.M, S.K}, A, Tag::ab}, X),
         WM = argument(P, Own, W),
         YM = argument(P, {{S.M, S.N}, C, Tag::ab}, Y);
  matmul::primitive_desc PD =
      describe(XM.get_desc(), {{S.K, S.N}, B, Tag::any}, YM.get_desc());
  memory Weights = bring(P.Steps, WM, PD.weights_desc());
  P.Steps.push_back({matmul(PD),
                     {{DNNL_ARG_SRC, XM},
                      {DNNL_ARG_WEIGHTS, Weights},
                      {DNNL_ARG_DST, YM}}});
}

void makeConvolution(Prepared &P, const Shape &S, const float *Numbers) {
  bool Last = S.Kernel.find("nhwc") != std::string::npos;
  bool IsDepthwise = S.Kernel.find("depthwise") == 0;
  int Filters = IsDepthwise ? S.K : S.N;
  Tag Image = Last ? Tag::nhwc : Tag::nchw;
  Dims WD = IsDepthwise ? Dims{S.K, 1, 1, 3, 3} : Dims{S.N, S.K, 3, 3};
  Tag Order = IsDepthwise ? Tag::hwigo : Last ? Tag::ohwi : Tag::oihw;
  memory XM = argument(P, {{1, S.K, S.M, S.M}, Type::u8, Image}, X),
         WM = argument(P, {WD, Type::s8, Order}, W),
         YM = argument(P, {{1, Filters, S.M, S.M}, Type::s8, Image}, Y);
  memory::desc Own(WD, Type::s8, Tag::any), Bias;
  memory::desc In({1, S.K, S.M, S.M}, Type::u8, Last ? Image : Tag::any),
      Out({1, Filters, S.M, S.M}, Type::s8, Last ? Image : Tag::any);
  Dims Steps{1, 1}, Border{1, 1};
  primitive_attr Attr;
#if DNNL_VERSION_MAJOR >= 3
  // A mask of groups and filters, or of filters.
  Attr.set_scales_mask(DNNL_ARG_WEIGHTS, IsDepthwise ? 3 : 1);
  convolution_forward::primitive_desc PD(
      getEngine(), prop_kind::forward_inference, algorithm::convolution_direct,
      In, Own, Bias, Out, Steps, Border, Border, Attr);
#else
  Attr.set_output_scales(1 << 1, {Numbers, Numbers + Filters});
  convolution_forward::primitive_desc PD(
      convolution_forward::desc(prop_kind::forward_inference,
                                algorithm::convolution_direct, In, Own, Out,
                                Steps, Border, Border),
      Attr, getEngine());
#endif
  memory OwnX = bring(P.Steps, XM, PD.src_desc());
  memory OwnW = bring(P.Steps, WM, PD.weights_desc());
  bool SameY = PD.dst_desc() == YM.get_desc();
  memory OwnY = SameY ? YM : memory(PD.dst_desc(), getEngine());
  std::unordered_map<int, memory> Args = {{DNNL_ARG_SRC, OwnX},
                                          {DNNL_ARG_WEIGHTS, OwnW},
                                          {DNNL_ARG_DST, OwnY}};
#if DNNL_VERSION_MAJOR >= 3
  memory SM = argument(P, {{Filters}, Type::f32, Tag::x}, Scales);
  Args.insert({DNNL_ARG_ATTR_SCALES | DNNL_ARG_WEIGHTS, SM});
#endif
  P.Steps.push_back({convolution_forward(PD), std::move(Args)});
  if (!SameY)
    P.Steps.push_back(
        {reorder(OwnY, YM), {{DNNL_ARG_FROM, OwnY}, {DNNL_ARG_TO, YM}}});
}

/// Scores, softmax and sums of values; scores are scaled by the first product.
void makeAttention(Prepared &P, const Shape &S) {
  int Queries = S.Kernel == "attention_one" ? 1 : S.N;
  size_t Of = sizeof(float), Q = Of * S.M * Queries * S.K,
         KV = Of * S.M * S.N * S.K;
  memory QM = argument(P, {{S.M, Queries, S.K}, Type::f32, Tag::abc}, X),
         KM = argument(P, {{S.M, S.K, S.N}, Type::f32, Tag::acb}, X, Q),
         VM = argument(P, {{S.M, S.N, S.K}, Type::f32, Tag::abc}, X, Q + KV),
         YM = argument(P, {{S.M, Queries, S.K}, Type::f32, Tag::abc}, Y);
  memory::desc Scores({S.M, Queries, S.N}, Type::f32, Tag::abc);
  memory SM(Scores, getEngine());
  primitive_attr Scale;
  post_ops Ops;
#if DNNL_VERSION_MAJOR >= 3
  Ops.append_eltwise(algorithm::eltwise_linear, 0.125f, 0.f);
#else
  Ops.append_eltwise(1.f, algorithm::eltwise_linear, 0.125f, 0.f);
#endif
  Scale.set_post_ops(Ops);
  matmul::primitive_desc First =
      describe(QM.get_desc(), KM.get_desc(), Scores, Scale);
  P.Steps.push_back({matmul(First),
                     {{DNNL_ARG_SRC, QM},
                      {DNNL_ARG_WEIGHTS, KM},
                      {DNNL_ARG_DST, SM}}});
#if DNNL_VERSION_MAJOR >= 3
  softmax_forward::primitive_desc Soft(
      getEngine(), prop_kind::forward_inference, algorithm::softmax_accurate,
      Scores, Scores, 2);
#else
  softmax_forward::primitive_desc Soft(
      softmax_forward::desc(prop_kind::forward_inference, Scores, 2),
      getEngine());
#endif
  P.Steps.push_back(
      {softmax_forward(Soft), {{DNNL_ARG_SRC, SM}, {DNNL_ARG_DST, SM}}});
  P.Steps.push_back({matmul(describe(Scores, VM.get_desc(), YM.get_desc())),
                     {{DNNL_ARG_SRC, SM},
                      {DNNL_ARG_WEIGHTS, VM},
                      {DNNL_ARG_DST, YM}}});
}

void make(Prepared &P, const Shape &S, const float *Numbers) {
  if (S.Kernel.find("attention") == 0)
    makeAttention(P, S);
  else if (S.Kernel.find("conv") == 0 || S.Kernel.find("depthwise") == 0)
    makeConvolution(P, S, Numbers);
  else
    makeProduct(P, S);
}

} // namespace

/// False: there is no primitive.
extern "C" bool onednn(const char *Kernel, void *y, void *x, void *w,
                       void *scales, int M, int N, int K) {
  static stream Queue(getEngine());
  static std::map<Shape, Prepared> All;
  auto [It, IsNew] = All.try_emplace({Kernel, M, N, K});
  Prepared &Own = It->second;
  try {
    if (IsNew)
      make(Own, It->first, static_cast<const float *>(scales));
  } catch (const error &) {
    Own.Steps.clear();
  }
  if (Own.Steps.empty())
    return false;
  void *Pointers[] = {y, x, w, scales};
  for (auto &[Memory, From] : Own.Arguments)
    Memory.set_data_handle(static_cast<char *>(Pointers[From.first]) +
                           From.second);
  for (auto &[Step, Args] : Own.Steps)
    Step.execute(Queue, Args);
  Queue.wait();
  return true;
}
