//===- windowpeers.cc - Windows by oneDNN ----------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The functions of kernels/windows.c by oneDNN 2 and 3. Primitives and their
// buffers are made once for each shape; a call sets pointers, brings operands
// into the order that the primitive wants, where it may choose one, and the
// result back.
#include "onednnsteps.h"
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

using namespace dnnl;
using Dims = memory::dims;
using Tag = memory::format_tag;

namespace {

struct Shape {
  std::string Kernel;
  int C, H, W, K, R, S, P;
  int outH() const { return (H + 2 * P - R) / S + 1; }
  int outW() const { return (W + 2 * P - R) / S + 1; }
  bool operator<(const Shape &O) const {
    return std::tie(Kernel, C, H, W, K, R, S, P) <
           std::tie(O.Kernel, O.C, O.H, O.W, O.K, O.R, O.S, O.P);
  }
};

struct Prepared {
  ::Steps Steps;
  memory X, W, B, Y; ///< without a handle
};

memory::desc describe(const Dims &D, Tag T) {
  return {D, memory::data_type::f32, T};
}

memory makeMemory(const memory::desc &D) {
  return memory(D, getEngine(), nullptr);
}

void makeConvolution(Prepared &P, const Shape &S, bool IsAny) {
  bool Last = S.Kernel.find("nhwc") != std::string::npos;
  bool IsDepthwise = S.Kernel.find("depthwise") == 0;
  bool HasBias = S.Kernel.find("bias") != std::string::npos;
  Dims XD{1, S.C, S.H, S.W}, YD{1, S.K, S.outH(), S.outW()};
  Dims WD = IsDepthwise ? Dims{S.C, 1, 1, S.R, S.R} : Dims{S.K, S.C, S.R, S.R};
  Tag Image = Last ? Tag::nhwc : Tag::nchw;
  bool IsFront = !Last || S.Kernel.find("front") != std::string::npos;
  Tag Weights = IsDepthwise ? (IsFront ? Tag::goihw : Tag::hwigo)
                            : (IsFront ? Tag::oihw : Tag::hwio);
  P.X = makeMemory(describe(XD, Image));
  P.W = makeMemory(describe(WD, Weights));
  P.Y = makeMemory(describe(YD, Image));
  Dims Steps{S.S, S.S}, Border{S.P, S.P};
  memory::desc X = describe(XD, IsAny ? Tag::any : Image),
               W = describe(WD, Tag::any),
               Y = describe(YD, IsAny ? Tag::any : Image);
  memory::desc B;
  primitive_attr Attr;
  post_ops Relu;
  if (HasBias) {
    B = memory::desc({S.K}, memory::data_type::f32, Tag::x);
    P.B = makeMemory(B);
#if DNNL_VERSION_MAJOR >= 3
    Relu.append_eltwise(algorithm::eltwise_relu, 0.f, 0.f);
#else
    Relu.append_eltwise(1.f, algorithm::eltwise_relu, 0.f, 0.f);
#endif
    Attr.set_post_ops(Relu);
  }
#if DNNL_VERSION_MAJOR >= 3
  convolution_forward::primitive_desc PD(
      getEngine(), prop_kind::forward_inference, algorithm::convolution_direct,
      X, W, B, Y, Steps, Border, Border, Attr);
#else
  convolution_forward::primitive_desc PD(
      convolution_forward::desc(prop_kind::forward_inference,
                                algorithm::convolution_direct, X, W, B, Y, Steps,
                                Border, Border),
      Attr, getEngine());
#endif
  memory OwnX = bring(P.Steps, P.X, PD.src_desc());
  memory OwnW = bring(P.Steps, P.W, PD.weights_desc());
  bool SameY = PD.dst_desc() == P.Y.get_desc();
  memory OwnY = SameY ? P.Y : memory(PD.dst_desc(), getEngine());
  std::unordered_map<int, memory> Args = {{DNNL_ARG_SRC, OwnX},
                                          {DNNL_ARG_WEIGHTS, OwnW},
                                          {DNNL_ARG_DST, OwnY}};
  if (HasBias)
    Args.insert({DNNL_ARG_BIAS, P.B});
  P.Steps.push_back({convolution_forward(PD), std::move(Args)});
  if (!SameY)
    P.Steps.push_back(
        {reorder(OwnY, P.Y), {{DNNL_ARG_FROM, OwnY}, {DNNL_ARG_TO, P.Y}}});
}

void makePool(Prepared &P, const Shape &S) {
  Dims XD{1, S.C, S.H, S.W}, YD{1, S.K, S.outH(), S.outW()};
  memory::desc X = describe(XD, Tag::nchw), Y = describe(YD, Tag::nchw);
  P.X = makeMemory(X);
  P.Y = makeMemory(Y);
  Dims Steps{S.S, S.S}, Window{S.R, S.R}, Border{S.P, S.P};
  algorithm A = S.Kernel.find("max") == 0
                    ? algorithm::pooling_max
                    : algorithm::pooling_avg_include_padding;
#if DNNL_VERSION_MAJOR >= 3
  pooling_forward::primitive_desc PD(getEngine(), prop_kind::forward_inference,
                                     A, X, Y, Steps, Window, Dims{0, 0}, Border,
                                     Border);
#else
  pooling_forward::primitive_desc PD(
      pooling_forward::desc(prop_kind::forward_inference, A, X, Y, Steps,
                            Window, Border, Border),
      getEngine());
#endif
  P.Steps.push_back(
      {pooling_forward(PD), {{DNNL_ARG_SRC, P.X}, {DNNL_ARG_DST, P.Y}}});
}

} // namespace

/// Any: the primitive chooses the order of its images, else of weights alone.
/// False: there is no primitive.
extern "C" bool onednn(const char *Kernel, int Any, float *y, const float *x,
                       const float *w, int C, int H, int W, int K, int R, int S,
                       int P) {
  static stream Queue(getEngine());
  static std::map<std::pair<Shape, int>, Prepared> All;
  Shape Of{Kernel, C, H, W, K, R, S, P};
  auto [It, IsNew] = All.try_emplace({Of, Any});
  Prepared &Own = It->second;
  try {
    if (IsNew && Of.Kernel.find("pool") != std::string::npos)
      makePool(Own, Of);
    else if (IsNew)
      makeConvolution(Own, Of, Any);
  } catch (const error &) {
    Own.Steps.clear();
  }
  if (Own.Steps.empty())
    return false;
  Own.X.set_data_handle(const_cast<float *>(x));
  Own.Y.set_data_handle(y);
  if (Own.W)
    Own.W.set_data_handle(const_cast<float *>(w));
  if (Own.B)
    Own.B.set_data_handle(const_cast<float *>(w) + K * C * R * R);
  for (auto &[Step, Args] : Own.Steps)
    Step.execute(Queue, Args);
  Queue.wait();
  return true;
}
