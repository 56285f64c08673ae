// The three loops that a share becomes run one after the other: what scopes say
// of the rounds of one, as those of the inlined function's parameters do, they
// do not say of the others.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.raw.ll %s
// RUN: %opt -passes=mem2reg -S -o %t.ll %t.raw.ll
// RUN: %opt -passes=dl-prepare -verify-each -S %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

// CHECK-LABEL: define {{.*}}@elements(
// CHECK:       for.cond.head:
// CHECK:         call void @llvm.experimental.noalias.scope.decl(metadata [[HEAD:![0-9]+]])
// CHECK:       for.cond:
// CHECK:         call void @llvm.experimental.noalias.scope.decl(metadata [[MAIN:![0-9]+]])
// CHECK:       for.cond.tail:
// CHECK:         call void @llvm.experimental.noalias.scope.decl(metadata [[TAIL:![0-9]+]])
// CHECK:         store float {{.*}}, !alias.scope [[TAIL]]
// CHECK-DAG:   [[HEAD]] = !{[[H:![0-9]+]]}
// CHECK-DAG:   [[H]] = distinct !{[[H]], {{.*}}element: %c:.head"}
// CHECK-DAG:   [[MAIN]] = !{[[M:![0-9]+]]}
// CHECK-DAG:   [[M]] = distinct !{[[M]], {{.*}}element: %c"}
// CHECK-DAG:   [[TAIL]] = !{[[T:![0-9]+]]}
// CHECK-DAG:   [[T]] = distinct !{[[T]], {{.*}}element: %c:.tail"}
static void element(float *restrict c, const float *a, const float *b, long i,
                    long j, long n, long k) {
  float s = 0;
  for (long l = 0; l < k; l++)
    s += a[i * k + l] * b[l * n + j];
  c[i * n + j] = s;
}

void elements(long first, long last, long n, long k, const float *a,
              const float *b, float *c) {
  for (long x = first; x < last; x++)
    element(c, a, b, x / n, x - x / n * n, n, k);
}
