// Layers as generators write them: tensors in a static array, weights in constants.
//
//   DLOPT_OPTIONS=disable=schedules clang-22 -O3 -fpass-plugin=build/lib/libDLOpt.so -Rpass=dl-layout -c examples/layers.c
//
// Without that option these convolutions have scripts, and arrays keep their order.
static float hidden[32][28][28];
static const float weights[32][3][3][3] = {{{{0.25f, -0.5f, 0.125f}}}};
static const float bias[32] = {0.5f, -0.5f};

static void conv(float x[3][28][28], const float w[32][3][3][3], float y[32][28][28]) {
  for (int m = 0; m < 32; m++)
    for (int i = 0; i < 28; i++)
      for (int j = 0; j < 28; j++) {
        float s = bias[m];
        for (int c = 0; c < 3; c++)
          for (int r = 0; r < 3; r++)
            for (int q = 0; q < 3; q++) {
              int a = i + r - 1, b = j + q - 1;
              if (a >= 0 && a < 28 && b >= 0 && b < 28)
                s += x[c][a][b] * w[m][c][r][q];
            }
        y[m][i][j] = s;
      }
}

static void pool(float x[32][28][28], float y[32][14][14]) {
  for (int m = 0; m < 32; m++)
    for (int i = 0; i < 14; i++)
      for (int j = 0; j < 14; j++) {
        float s = 0;
        for (int r = 0; r < 2; r++)
          for (int q = 0; q < 2; q++)
            s = s > x[m][2 * i + r][2 * j + q] ? s : x[m][2 * i + r][2 * j + q];
        y[m][i][j] = s;
      }
}

void layers(float image[restrict 3][28][28], float features[restrict 32][14][14]) {
  conv(image, weights, hidden);
  pool(hidden, features);
}
