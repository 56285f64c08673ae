/* 3 x 3, padded by one: filters, channels, rows, columns. */
void conv(int K, int C, int H, int W, const float *in, const float *w,
          float *out) {
  for (int f = 0; f < K; f++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        float acc = 0;
        for (int c = 0; c < C; c++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++) {
              int yy = y + r - 1, xx = x + s - 1;
              if (yy >= 0 && yy < H && xx >= 0 && xx < W)
                acc += in[(c * H + yy) * W + xx] *
                       w[((f * C + c) * 3 + r) * 3 + s];
            }
        out[(f * H + y) * W + x] = acc;
      }
}
