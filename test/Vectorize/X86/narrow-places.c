// Places of 64 bits beside floats are of 32 bits in strips, as vectors of floats have as
// many, where a test in front says that they fit; behind the window they are extended.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq -S -o %t.ll -passes=dl-vectorize -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// REQUIRES: x86-registered-target
#define POOL(T, PLACE, START, AT)                                              \
  for (long h = 0; h < U; h++)                                                 \
    for (long w = 0; w < V; w++) {                                             \
      T most = -3e38f;                                                         \
      PLACE at = START;                                                        \
      for (long r = 0; r < 3; r++)                                             \
        for (long q = 0; q < 3; q++) {                                         \
          long v = 2 * h + r - 1, u = 2 * w + q - 1;                           \
          if (v >= 0 && v < H && u >= 0 && u < W && x[v * W + u] > most)       \
            most = x[v * W + u], at = AT;                                      \
        }                                                                      \
      y[h * V + w] = most;                                                     \
      p[h * V + w] = at;                                                       \
    }
#define ARGS(T, PLACE)                                                         \
  T *restrict y, PLACE *restrict p, const T *restrict x, long H, long W,       \
      long U, long V, long first

// What is reported first: other places than indices, from any number on or from one that
// takes more bits.
// REMARK: left alone: recognized; no schedule for this kind yet
void any_number(ARGS(float, long)) { POOL(float, long, first, v * W + u) }
// REMARK-NEXT: left alone: recognized; no schedule for this kind yet
void large_start(ARGS(float, long)) { POOL(float, long, 1l << 40, v * W + u) }

// The least and the greatest index are numbers of 32 bits.
// CHECK-LABEL: define {{.*}}@place(
// CHECK:         icmp sge i64 %{{.*}}, -2147483648
// CHECK:         icmp sle i64 %{{.*}}, 2147483647
// CHECK:         call void @dl.schedule
// REMARK: max-pool f32, {{.*}}by the script strips
void place(ARGS(float, long)) { POOL(float, long, -1, v * W + u) }

// Beside doubles they stay as they are.
// CHECK-LABEL: define {{.*}}@beside_doubles(
// CHECK-NOT:     -2147483648
// CHECK:         call void @dl.schedule
// REMARK-NEXT: max-pool f64, {{.*}}by the script strips
void beside_doubles(ARGS(double, long)) { POOL(double, long, -1, v * W + u) }

// CHECK-LABEL: define internal {{.*}}@dl.schedule.0(
// CHECK:         select <16 x i1> {{.*}}, <16 x i32>
// CHECK:         sext <{{.*}} x i32> %{{.*}} to <{{.*}} x i64>
// CHECK-LABEL: define internal {{.*}}@dl.schedule.1(
// CHECK:         select <8 x i1> {{.*}}, <8 x i64>
