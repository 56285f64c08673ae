// A thread of a GPU has no vectors to share: scripts are not for it.
// RUN: %emit --target=nvptx64-nvidia-cuda %s | %opt -disable-output -pass-remarks=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --allow-empty
// TEETH: none - nothing is to happen.
// CHECK-NOT: by the script
void front(const float in[64][58][58], const float w[64][64][3][3], float out[64][56][56]) {
  for (int f = 0; f < 64; f++)
    for (int y = 0; y < 56; y++)
      for (int x = 0; x < 56; x++) {
        float acc = 0;
        for (int c = 0; c < 64; c++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++)
              acc += in[c][y + r][x + s] * w[f][c][r][s];
        out[f][y][x] = acc;
      }
}
