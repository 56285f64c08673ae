// Lanes of wider vectors beside those of a plain x86-64 function, chosen by one
// look at what the CPU supports.
// DEFINE: %{options} = dispatch=1
// DEFINE: %{flags} = -mtriple=x86_64-linux-gnu
// DEFINE: %{compile} =
// DEFINE: %{run} = %emit -fno-math-errno -fapprox-func --target=x86_64-linux-gnu %{compile} %s | %opt %{flags} -S -o %t.ll -pass-remarks=dl-vectorize -passes='dl-vectorize<%{options}>,verify' 2>&1
// RUN: %{run} | FileCheck %s --check-prefix=ON
// RUN: FileCheck %s --input-file=%t.ll --check-prefixes=IR,EXACT
// REDEFINE: %{options} = dispatch=fma
// RUN: %{run} | FileCheck %s --check-prefix=ON
// RUN: FileCheck %s --input-file=%t.ll --check-prefixes=IR,FMA
// ON: dot.batched {{.*}}: exact, iterations of i in 4 vectors of 4, avx512 at run time, avx2 at run time, kernel number 1
// ON: exp {{.*}}: approximated, iterations of i in 4 vectors of 4, past the caches from 8388608 bytes on, avx512 at run time, avx2 at run time, kernel number 2
//
// IR:    define internal void @dl.lanes.dot.batched.f32.0({{.*}} #[[ENTRY:[0-9]+]]
// IR:      %cpu.features = load i64, ptr @dl.cpu.features, align 8
// EXACT:   and i64 %cpu.features, 120{{$}}
// FMA:     and i64 %cpu.features, 122{{$}}
// IR:      tail call void @dl.lanes.dot.batched.f32.0.avx512(
// EXACT:   and i64 %cpu.features, 4{{$}}
// FMA:     and i64 %cpu.features, 6{{$}}
// IR:      tail call void @dl.lanes.dot.batched.f32.0.avx2(
// IR:      tail call void @dl.lanes.dot.batched.f32.0.plain(
// IR:    define internal void @dl.lanes.dot.batched.f32.0.avx512({{.*}} #[[WIDE:[0-9]+]]
// IR:      i.x64.header:
// The product is rounded, as it is in the function itself; no flag permits else.
// EXACT:     fmul afn <64 x float>
// EXACT:     fadd afn <64 x float>
// FMA:       call afn <64 x float> @llvm.fmuladd.v64f32
// IR:      i.x16.header:
// IR:      @llvm.masked.load.v16f32
// EXACT:     fmul afn <16 x float>
// EXACT:     fadd afn <16 x float>
// FMA:       call afn <16 x float> @llvm.fmuladd.v16f32
// IR:    define internal void @dl.lanes.dot.batched.f32.0.avx2(
// EXACT:     fmul afn <32 x float>
// FMA:       call afn <32 x float> @llvm.fmuladd.v32f32
// Without masks what whole vectors leave fills the vectors of the plain code.
// IR:      i.x8.header:
// IR:      i.x4.header:
// IR:      i.x1.header:
// EXACT:     fmul afn float
// EXACT:     fadd afn float
// FMA:       call afn float @llvm.fmuladd.f32
// IR:    define internal void @dl.lanes.dot.batched.f32.0.plain(
// IR:        call afn <16 x float> @llvm.fmuladd.v16f32
// Approximations are fused where that is one instruction.
// IR:    define internal void @dl.lanes.map.f32.0(
// IR:      and i64 %cpu.features, 122{{$}}
// IR:      and i64 %cpu.features, 6{{$}}
// IR:    define internal void @dl.lanes.map.f32.0.avx512(
// IR:      call <64 x float> @llvm.fma.v64f32
// IR:    define internal void @dl.lanes.map.f32.0.avx2(
// IR:      call <32 x float> @llvm.fma.v32f32
// IR:    define internal void @dl.lanes.map.f32.0.plain(
// IR-NOT:  @llvm.fma.
// IR:      ret void
// IR:    attributes #[[ENTRY]] = {{{.*}} noinline {{.*}}
// EXACT: attributes #[[WIDE]] = {{{.*}} "target-features"="{{.*}},+avx512f,+avx512vl,+avx512bw,+avx512dq" "tune-cpu"="znver4"
//
// Who has AVX2 and FMA gets AVX-512 beside it, fused as his own code is.
// REDEFINE: %{options} = dispatch=1
// REDEFINE: %{flags} = -mtriple=x86_64-linux-gnu -mattr=+avx2,+fma
// RUN: %{run} | FileCheck %s --check-prefix=AVX2
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=AVX2-IR
// AVX2-COUNT-2: vectors of 8, {{.*}}avx512 at run time, kernel number
// AVX2-IR-NOT: .avx2
// AVX2-IR: define internal void @dl.lanes.dot.batched.f32.0.avx512(
// AVX2-IR: @llvm.fmuladd.v64f32
//
// Functions in blocks are lanes that are wider.
// RUN: %clang -O2 -Xclang -disable-llvm-passes -DCALLS --target=x86_64-linux-gnu -S -emit-llvm -o - %s | %opt -S -o /dev/null -pass-remarks=dl-vectorize -passes='dl-vectorize<dispatch=1>' 2>&1 | FileCheck %s --check-prefix=CALLS
// CALLS: exact, iterations of i in 4 vectors of 4, functions in blocks of 16, avx512 at run time, avx2 at run time, kernel number 1
//
// Not where nothing asks for it, where the symbol may be missing, or for so much
// code that copies do not pay.
// REDEFINE: %{flags} = -mtriple=x86_64-linux-gnu
// REDEFINE: %{options} = dispatch=0
// RUN: %{run} | FileCheck %s --check-prefix=OFF
// REDEFINE: %{options} = dispatch=1
// REDEFINE: %{compile} = -DLARGE
// RUN: %{run} | FileCheck %s --check-prefix=OFF
// REDEFINE: %{flags} = -mtriple=x86_64-none-elf
// REDEFINE: %{compile} =
// RUN: %{run} | FileCheck %s --check-prefix=OFF
// OFF-NOT: run time
// OFF: kernel number 1
// OFF-NOT: run time

float expf(float), logf(float);
#ifdef CALLS
float calls(long n, const float *restrict a) {
  float s = 0;
  for (long i = 0; i < n; i++)
    s += expf(a[i]);
  return s;
}
#elif defined(LARGE)
void large(long n, float *restrict c, const float *restrict a) {
  for (long i = 0; i < n; i++) {
    float x = a[i];
#define STEP x = expf(x) - logf(x);
    STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP
    c[i] = x;
  }
}
#else
void columns(long m, long n, const float *restrict a, const float *restrict b,
             float *restrict c) {
  for (long j = 0; j < n; j++) {
    float s = 0;
    for (long i = 0; i < m; i++)
      s += a[i * n + j] * b[i * n + j];
    c[j] = s;
  }
}
void exponentials(long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < n; i++)
    c[i] = expf(a[i]);
}
#endif
