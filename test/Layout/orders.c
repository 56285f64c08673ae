// The orders that can be asked for: channels last, in blocks of one vector, and first
// where windows show that they are last.
// REQUIRES: aarch64-registered-target, x86-registered-target
// DEFINE: %{target} = --target=x86_64-linux-gnu -march=x86-64-v3
// DEFINE: %{break} =
// DEFINE: %{to} = to=blocked
// DEFINE: %{layout} = %clang %{target} -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm %{break} %s -o %t.in.ll && \
// DEFINE:   %opt -passes='dl-prepare<all>' -S %t.in.ll -o %t.ll && \
// DEFINE:   %opt -passes='dl-layout<prepared;%{to}>,verify' -pass-remarks=dl-layout -pass-remarks-missed=dl-layout -S %t.ll -o %t.out.ll 2> %t.txt
// DEFINE: %{plain} = sed '1d; s/ *; preds.*//'
// DEFINE: %{kept} = %{layout} && %{plain} %t.ll > %t.a && %{plain} %t.out.ll > %t.b && cmp %t.a %t.b
//
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=C8
// C8-DAG: remark: {{.*}}: buf: 8 channels innermost, 81 elements each, in 4 blocks
// C8-DAG: remark: {{.*}}: weights: 8 channels innermost, 9 elements each, in 4 blocks
// Constants: w[0][0], w[1][0], ..., w[7][0], w[0][1], ...
// RUN: FileCheck %s --input-file=%t.out.ll --check-prefixes=%if llvm-22 %{WEIGHTS%} %else %{SHAPED%},BUFFER
// WEIGHTS: @weights = internal constant [288 x float] [float 1.000000e+00, float 3.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 2.000000e+00
// One vector of sums is innermost.
// LLVM 19 cannot change the type of what has a value.
// SHAPED: @weights = internal constant {{.*}}[3 x float] [float 1.000000e+00, float 3.000000e+00, float 0.000000e+00], [3 x float] zeroinitializer, [3 x float] [float 0.000000e+00, float 0.000000e+00, float 2.000000e+00]
// BUFFER: alloca [8 x float]
// RUN: opt -passes='default<O2>' -S %t.out.ll | FileCheck %s --check-prefix=VECTORS
// VECTORS: call <8 x float> @llvm.fmuladd.v8f32(
// RUN: %opt -passes='dl-layout<prepared;to=blocked>' -S %t.out.ll -o %t.twice.ll
// RUN: %{plain} %t.out.ll > %t.a && %{plain} %t.twice.ll > %t.b && cmp %t.a %t.b
//
// A vector of the target, of elements of the array's type.
// REDEFINE: %{target} = --target=x86_64-linux-gnu -march=x86-64-v4 -mprefer-vector-width=512
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=C16
// C16-DAG: remark: {{.*}}: buf: 16 channels innermost, 81 elements each, in 2 blocks
// C16-DAG: remark: {{.*}}: weights: 16 channels innermost, 9 elements each, in 2 blocks
// REDEFINE: %{target} = --target=aarch64-linux-gnu
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=C4
// C4-DAG: remark: {{.*}}: buf: 4 channels innermost, 81 elements each, in 8 blocks
// REDEFINE: %{break} = -DTYPE=double
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=C2
// C2-DAG: remark: {{.*}}: buf: 2 channels innermost, 81 elements each, in 16 blocks
//
// Channels that are no whole number of vectors: there is no padding (L15), and no array
// grows (L28).
// REDEFINE: %{target} = --target=x86_64-linux-gnu -march=x86-64-v3
// REDEFINE: %{break} = -DC=20
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=BLOCKS
// BLOCKS-DAG: left alone: its channels are no whole number of vectors: buf
// BLOCKS-DAG: left alone: its channels are no whole number of vectors: weights
// REDEFINE: %{break} = -DC=17 -DLOCAL
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=BLOCKS
// REDEFINE: %{break} = -DC=32 -DLOCAL
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=C8
// REDEFINE: %{break} = -DC=20
// REDEFINE: %{to} = to=nhwc
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=C20
// C20-DAG: remark: {{.*}}: buf: 20 channels innermost, 81 elements each{{$}}
// REDEFINE: %{to} = to=blocked
// A loop over all elements becomes one over blocks, channels and pixels, in their order.
// REDEFINE: %{break} = -DFLAT
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=C8
//
// Channels that are first stay so, those that are last become so.
// REDEFINE: %{break} =
// REDEFINE: %{to} = to=nchw
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=FIRST
// FIRST: left alone: it has the order that is asked for: buf
// REDEFINE: %{break} = -DLAST
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=TOFIRST
// TOFIRST: remark: {{.*}}: buf: 32 channels outermost, 81 elements each
// REDEFINE: %{to} = to=nhwc
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=FIRST
// REDEFINE: %{to} = to=blocked
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=FIRST
// Never by itself.
// REDEFINE: %{to} = to=auto
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=NEVER
// NEVER: left alone: no other order makes more loops run in vectors: buf
//
// RUN: %opt -passes='dl-layout<to=blocked;keep-products;prepared>' -print-pipeline-passes -disable-output %t.ll | FileCheck %s --check-prefix=PRINT
// PRINT: dl-layout<to=blocked;keep-products;prepared>
// RUN: not %opt -passes='dl-layout<to=nchw8c>' -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: dl-layout: unknown parameter 'to=nchw8c'; accepted: to=auto|nhwc|nchw|blocked;keep-products;prepared
#ifndef C
#define C 32
#endif
#ifndef TYPE
#define TYPE float
#endif
#ifdef LAST
static TYPE buf[9][9][C];
#define AT(c, i, j) buf[i][j][c]
#else
#ifndef LOCAL
static TYPE buf[C][9][9];
#endif
#define AT(c, i, j) buf[c][i][j]
#endif
static const TYPE weights[C][3][3] = {{{1, 2}}, {{3}}};

void net(const TYPE *restrict in, TYPE *restrict out) {
#ifdef LOCAL
  TYPE buf[C][9][9];
#endif
  for (int c = 0; c < C; c++)
    for (int i = 0; i < 9; i++)
      for (int j = 0; j < 9; j++)
        AT(c, i, j) = in[(c * 9 + i) * 9 + j] * 2 + 1;
#ifdef FLAT
  for (int i = 0; i < C * 81; i++)
    buf[0][0][i] = buf[0][0][i] > 0 ? buf[0][0][i] : 0;
#endif
  for (int c = 0; c < C; c++)
    for (int i = 0; i < 7; i++)
      for (int j = 0; j < 7; j++) {
        TYPE s = 0;
        for (int r = 0; r < 3; r++)
          for (int q = 0; q < 3; q++)
            s += AT(c, i + r, j + q) * weights[c][r][q];
        out[(i * 7 + j) * C + c] = s;
      }
}
