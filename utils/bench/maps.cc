//===- maps.cc - Times activations and row programs -----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// One million floats, thread CPU time, interleaved rounds; median of the ratios
// to the build of the same accuracy, and the largest difference from double in ulp.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <vector>
#if HAVE_ONEDNN
#include <dnnl.hpp>
#endif
#if HAVE_EIGEN
#include <Eigen/Core>
#include <unsupported/Eigen/SpecialFunctions>
#endif

using Map = std::function<void(float *, const float *, long)>;
constexpr long Count = 1 << 20;

#define FUNCTIONS(X)                                                           \
  X(exp)                                                                       \
  X(log) X(tanh) X(erf) X(sigmoid) X(silu) X(gelu_tanh) X(gelu_erf) X(elu)     \
      X(softplus) X(relu) X(softmax) X(layernorm)
#define DECLARE(F)                                                             \
  extern "C" void dl_##F(float *, const float *, long);                        \
  extern "C" void dl4_##F(float *, const float *, long);                       \
  extern "C" void clang_##F(float *, const float *, long);                     \
  extern "C" void libmvec_##F(float *, const float *, long);
FUNCTIONS(DECLARE)

static double now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

// In double; rows are not checked here.
static double reference(const char *name, double x) {
  if (!strcmp(name, "exp"))
    return exp(x);
  if (!strcmp(name, "log"))
    return log(x);
  if (!strcmp(name, "tanh"))
    return tanh(x);
  if (!strcmp(name, "erf"))
    return erf(x);
  if (!strcmp(name, "sigmoid"))
    return 1 / (1 + exp(-x));
  if (!strcmp(name, "silu"))
    return x / (1 + exp(-x));
  return NAN;
}

static double getWorst(const char *name, const float *y, const float *x) {
  double worst = -1;
  for (long i = 0; i < Count; i++) {
    double wanted = reference(name, x[i]);
    int exponent;
    if (std::isnan(wanted))
      continue;
    frexp(wanted, &exponent);
    worst = std::max(worst, std::fabs(y[i] - wanted) / ldexp(1, exponent - 24));
  }
  return worst;
}

#if HAVE_ONEDNN
static Map makeOneDNN(const char *name) {
  using namespace dnnl;
  struct Row {
    const char *Name;
    algorithm Algorithm;
    float Alpha;
  };
  static const Row rows[] = {{"exp", algorithm::eltwise_exp, 0},
                             {"log", algorithm::eltwise_log, 0},
                             {"tanh", algorithm::eltwise_tanh, 0},
                             {"sigmoid", algorithm::eltwise_logistic, 0},
                             {"silu", algorithm::eltwise_swish, 1},
                             {"gelu_tanh", algorithm::eltwise_gelu_tanh, 0},
                             {"gelu_erf", algorithm::eltwise_gelu_erf, 0},
                             {"elu", algorithm::eltwise_elu, 1},
                             {"softplus", algorithm::eltwise_soft_relu, 1},
                             {"relu", algorithm::eltwise_relu, 0}};
  auto eng = std::make_shared<engine>(engine::kind::cpu, 0);
  auto str = std::make_shared<stream>(*eng);
  memory::desc flat({Count}, memory::data_type::f32, memory::format_tag::a);
  memory::desc matrix({Count / 1024, 1024}, memory::data_type::f32,
                      memory::format_tag::ab);
  auto run = [eng, str](primitive p, memory::desc d) {
    auto in = std::make_shared<memory>(d, *eng, nullptr);
    auto out = std::make_shared<memory>(d, *eng, nullptr);
    return Map([=](float *y, const float *x, long) mutable {
      in->set_data_handle(const_cast<float *>(x));
      out->set_data_handle(y);
      p.execute(*str, {{DNNL_ARG_SRC, *in}, {DNNL_ARG_DST, *out}});
      str->wait();
    });
  };
  for (const Row &r : rows)
    if (!strcmp(r.Name, name)) {
#if DNNL_VERSION_MAJOR >= 3
      eltwise_forward::primitive_desc d(*eng, prop_kind::forward_inference,
                                        r.Algorithm, flat, flat, r.Alpha, 0);
#else
      eltwise_forward::primitive_desc d(
          eltwise_forward::desc(prop_kind::forward_inference, r.Algorithm, flat,
                                r.Alpha, 0),
          *eng);
#endif
      return run(eltwise_forward(d), flat);
    }
  if (!strcmp(name, "softmax")) {
#if DNNL_VERSION_MAJOR >= 3
    softmax_forward::primitive_desc d(*eng, prop_kind::forward_inference,
                                      algorithm::softmax_accurate, matrix,
                                      matrix, 1);
#else
    softmax_forward::primitive_desc d(
        softmax_forward::desc(prop_kind::forward_inference, matrix, 1), *eng);
#endif
    return run(softmax_forward(d), matrix);
  }
  return nullptr;
}
#endif

#if HAVE_EIGEN
static Map makeEigen(const char *name) {
  using A = Eigen::Map<Eigen::ArrayXf>;
  using C = Eigen::Map<const Eigen::ArrayXf>;
#define CASE(F, E)                                                             \
  if (!strcmp(name, F))                                                        \
    return [](float *y, const float *p, long n) {                              \
      C x(p, n);                                                               \
      A(y, n) = E;                                                             \
    };
  CASE("exp", x.exp())
  CASE("log", x.log())
  CASE("tanh", x.tanh())
  CASE("erf", x.erf())
  CASE("sigmoid", x.logistic())
  CASE("silu", x * x.logistic())
  CASE("relu", x.max(0.0f))
  return nullptr;
}
#endif

struct Contestant {
  const char *Name;
  Map Run;
  std::vector<double> Times;
};

/// Whether it is to be compared with what errs by less than 1 ulp.
static bool isAccurate(const Contestant &c) {
  return !strcmp(c.Name, "dl") || !strcmp(c.Name, "clang") ||
         !strcmp(c.Name, "memcpy");
}

static void measure(const char *name, std::vector<Contestant> all,
                    const float *x, float *y, int rounds) {
  for (int r = 0; r < rounds; r++)
    for (Contestant &c : all) {
      double t = now();
      c.Run(y, x, Count);
      c.Times.push_back(now() - t);
    }
  printf("%-10s", name);
  for (Contestant &c : all) {
    std::vector<double> ratios;
    for (int r = 0; r < rounds; r++)
      ratios.push_back(c.Times[r] / all[isAccurate(c) ? 0 : 1].Times[r]);
    std::nth_element(ratios.begin(), ratios.begin() + rounds / 2, ratios.end());
    double best = *std::min_element(c.Times.begin(), c.Times.end());
    c.Run(y, x, Count);
    double worst = getWorst(name, y, x);
    printf("  %s %.2f/ns", c.Name, Count / best * 1e-9);
    if (strncmp(c.Name, "dl", 2) != 0 && all.size() > 1)
      printf(" (%.2fx)", ratios[rounds / 2]);
    if (worst >= 0)
      printf(" %.1f ulp", worst);
  }
  printf("\n");
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 9;
  std::vector<float> x(Count), y(Count);
  for (float &v : x)
    v = (rand() % 20001 - 10000) / 1000.0f;
  std::vector<float> positive(x);
  for (float &v : positive)
    v = std::fabs(v) + 1e-3f;
  printf("float, %ld elements; (ratio of times to dl's)\n", Count);
  auto copy = [](float *to, const float *from, long n) {
    memcpy(to, from, 4 * n);
  };
  measure("copy", {{"memcpy", copy, {}}}, x.data(), y.data(), rounds);
#define MEASURE(F)                                                             \
  {                                                                            \
    std::vector<Contestant> all = {{"dl", dl_##F, {}},                         \
                                   {"dl4", dl4_##F, {}},                       \
                                   {"clang", clang_##F, {}},                   \
                                   {"libmvec", libmvec_##F, {}}};              \
    ADD_PEERS(#F)                                                              \
    measure(#F, all, strcmp(#F, "log") ? x.data() : positive.data(), y.data(), \
            rounds);                                                           \
  }
  auto add = [](std::vector<Contestant> &all, const char *name, Map run) {
    if (run)
      all.push_back({name, run, {}});
  };
  (void)add;
#if HAVE_ONEDNN && HAVE_EIGEN
#define ADD_PEERS(F)                                                           \
  add(all, "onednn", makeOneDNN(F));                                           \
  add(all, "eigen", makeEigen(F));
#elif HAVE_ONEDNN
#define ADD_PEERS(F) add(all, "onednn", makeOneDNN(F));
#elif HAVE_EIGEN
#define ADD_PEERS(F) add(all, "eigen", makeEigen(F));
#else
#define ADD_PEERS(F)
#endif
  FUNCTIONS(MEASURE)
}
