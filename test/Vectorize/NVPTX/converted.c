// A thread of a GPU has no vectors to share: scripts are not for it.
// RUN: %emit --target=nvptx64-nvidia-cuda %s | %opt -disable-output -pass-remarks=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --allow-empty
// TEETH: none - nothing is to happen.
// CHECK-NOT: by the script
void points(int *restrict c, const unsigned char *restrict a,
          const signed char *restrict b, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += (a[i * k + l] - 3) * b[l * n + j];
      c[i * n + j] = s;
    }
}
