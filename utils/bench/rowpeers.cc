//===- rowpeers.cc - Row programs of libraries ----------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The functions of kernels/rows.c by Eigen (eigen_...) or by oneDNN 2 and 3
// (onednn_...), with the same arguments.
#define ROWS(F)                                                                \
  extern "C" void F(float *y, const float *x, const float *p, const int *,     \
                    [[maybe_unused]] int l, int m, int n)

#if HAVE_EIGEN
#include <Eigen/Core>
using Row = Eigen::Map<Eigen::ArrayXf>;
using In = Eigen::Map<const Eigen::ArrayXf>;
#define EACH(...)                                                              \
  for (long i = 0; i < m; i++) {                                               \
    [[maybe_unused]] In r(x + i * n, n), q(p + i * n, n), gamma(p, n),         \
        beta(p + n, n);                                                        \
    Row o(y + i * n, n);                                                       \
    __VA_ARGS__                                                                       \
  }
ROWS(eigen_softmax) {
  EACH(o = (r - r.maxCoeff()).exp(); o *= 1 / o.sum();)
}
ROWS(eigen_log_softmax) {
  EACH(float max = r.maxCoeff();
       o = r - (max + std::log((r - max).exp().sum()));)
}
ROWS(eigen_softmax_backward) { EACH(o = r * (q - (r * q).sum());) }
ROWS(eigen_cross_entropy) {
  for (long i = 0; i < m; i++) {
    In r(x + i * n, n);
    float max = r.maxCoeff();
    y[i] = std::log((r - max).exp().sum()) + max - r[0];
  }
}
ROWS(eigen_layernorm) {
  EACH(float mean = r.mean();
       float scale = 1 / std::sqrt((r - mean).square().mean() + 1e-5f);
       o = (r - mean) * scale * gamma + beta;)
}
ROWS(eigen_rmsnorm) {
  EACH(o = r * (1 / std::sqrt(r.square().mean() + 1e-5f)) * gamma;)
}
ROWS(eigen_residual_layernorm) {
  In g(p + m * n, n), b(p + m * n + n, n);
  EACH(o = r + q; float mean = o.mean();
       float scale = 1 / std::sqrt((o - mean).square().mean() + 1e-5f);
       o = (o - mean) * scale * g + b;)
}
ROWS(eigen_layernorm_backward) {
  In g(p + m * n + 2 * m, n);
  EACH(float mean = p[m * n + i], rstd = p[m * n + m + i];
       float s = (q * g).mean(); float dot = (q * g * (r - mean)).mean() * rstd;
       o = (q * g - s - (r - mean) * (rstd * dot)) * rstd;)
}
ROWS(eigen_batchnorm) {
  for (long i = 0; i < long(l) * m; i++) {
    long c = i % m;
    float scale = p[2 * m + c] / std::sqrt(p[m + c] + 1e-5f);
    Row(y + i * n, n) = (In(x + i * n, n) - p[c]) * scale + p[3 * m + c];
  }
}
#endif

#if HAVE_ONEDNN
#include <dnnl.hpp>
#include <map>
#include <memory>
#include <string>
using namespace dnnl;

namespace {
struct Prepared {
  primitive P;
  std::unordered_map<int, memory> Args;
};
engine &getEngine() {
  static engine E(engine::kind::cpu, 0);
  return E;
}
memory::desc rows(int m, int n) {
  return {{m, n}, memory::data_type::f32, memory::format_tag::ab};
}
memory::desc list(int n) {
  return {{n}, memory::data_type::f32, memory::format_tag::a};
}
memory::desc images(int l, int m, int n) {
  return {{l, m, 32, n / 32}, memory::data_type::f32, memory::format_tag::nchw};
}
#if DNNL_VERSION_MAJOR >= 3
#define MAKE(P, ...) P::primitive_desc(getEngine(), __VA_ARGS__)
#define SCALE_SHIFT                                                            \
  normalization_flags::use_scale | normalization_flags::use_shift
#else
#define MAKE(P, ...) P::primitive_desc(P::desc(__VA_ARGS__), getEngine())
#define SCALE_SHIFT                                                            \
  normalization_flags::use_scale | normalization_flags::use_shift
#endif

/// Runs \p P, made once for each size.
void run(const char *Name, int l, int m, int n, primitive (*Make)(int, int, int),
         std::initializer_list<std::tuple<int, memory::desc, const float *>>
             Args) {
  static std::map<std::tuple<std::string, int, int, int>, Prepared> All;
  static stream S(getEngine());
  Prepared &P = All[{Name, l, m, n}];
  if (!P.P) {
    P.P = Make(l, m, n);
    for (auto &[Id, Desc, Data] : Args)
      P.Args[Id] = memory(Desc, getEngine(), nullptr);
  }
  for (auto &[Id, Desc, Data] : Args)
    P.Args[Id].set_data_handle(const_cast<float *>(Data));
  P.P.execute(S, P.Args);
  S.wait();
}
} // namespace

#if DNNL_VERSION_MAJOR < 3
#define SOFTMAX(F)                                                             \
  ROWS(onednn_##F) {                                                           \
    run(                                                                       \
        #F, 0, m, n,                                                           \
        [](int, int m, int n) {                                                \
          return primitive(F##_type(                                           \
              MAKE(F##_type, prop_kind::forward_inference, rows(m, n), 1)));   \
        },                                                                     \
        {{DNNL_ARG_SRC, rows(m, n), x}, {DNNL_ARG_DST, rows(m, n), y}});       \
  }
using softmax_type = softmax_forward;
using log_softmax_type = logsoftmax_forward;
SOFTMAX(softmax)
SOFTMAX(log_softmax)
ROWS(onednn_softmax_backward) {
  run(
      "softmax_backward", 0, m, n,
      [](int, int m, int n) {
        auto hint = MAKE(softmax_forward, prop_kind::forward_training,
                         rows(m, n), 1);
        return primitive(softmax_backward(softmax_backward::primitive_desc(
            softmax_backward::desc(rows(m, n), rows(m, n), 1), getEngine(),
            hint)));
      },
      {{DNNL_ARG_DST, rows(m, n), x},
       {DNNL_ARG_DIFF_DST, rows(m, n), p},
       {DNNL_ARG_DIFF_SRC, rows(m, n), y}});
}
ROWS(onednn_layernorm) {
  run(
      "layernorm", 0, m, n,
      [](int, int m, int n) {
        return primitive(layer_normalization_forward(
            MAKE(layer_normalization_forward, prop_kind::forward_inference,
                 rows(m, n), 1e-5f, SCALE_SHIFT)));
      },
      {{DNNL_ARG_SRC, rows(m, n), x},
       {DNNL_ARG_SCALE, list(n), p},
       {DNNL_ARG_SHIFT, list(n), p + n},
       {DNNL_ARG_DST, rows(m, n), y}});
}
ROWS(onednn_batchnorm) {
  run(
      "batchnorm", l, m, n,
      [](int l, int m, int n) {
        return primitive(batch_normalization_forward(
            MAKE(batch_normalization_forward, prop_kind::forward_inference,
                 images(l, m, n), 1e-5f,
                 SCALE_SHIFT | normalization_flags::use_global_stats)));
      },
      {{DNNL_ARG_SRC, images(l, m, n), x},
       {DNNL_ARG_MEAN, list(m), p},
       {DNNL_ARG_VARIANCE, list(m), p + m},
       {DNNL_ARG_SCALE, list(m), p + 2 * m},
       {DNNL_ARG_SHIFT, list(m), p + 3 * m},
       {DNNL_ARG_DST, images(l, m, n), y}});
}
ROWS(onednn_batchnorm_training) {
  static float Statistics[1 << 16];
  run(
      "batchnorm_training", l, m, n,
      [](int l, int m, int n) {
        return primitive(batch_normalization_forward(
            MAKE(batch_normalization_forward, prop_kind::forward_training,
                 images(l, m, n), 1e-5f, SCALE_SHIFT)));
      },
      {{DNNL_ARG_SRC, images(l, m, n), x},
       {DNNL_ARG_MEAN, list(m), Statistics},
       {DNNL_ARG_VARIANCE, list(m), Statistics + m},
       {DNNL_ARG_SCALE, list(m), p},
       {DNNL_ARG_SHIFT, list(m), p + m},
       {DNNL_ARG_DST, images(l, m, n), y}});
}
#endif
#endif
