/* 3 x 3, padded by one, a filter for each channel. */
void depthwise(int C, int H, int W, const float *in, const float *w,
               float *out) {
  for (int c = 0; c < C; c++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        float acc = 0;
        for (int r = 0; r < 3; r++)
          for (int s = 0; s < 3; s++) {
            int yy = y + r - 1, xx = x + s - 1;
            if (yy >= 0 && yy < H && xx >= 0 && xx < W)
              acc += in[(c * H + yy) * W + xx] * w[(c * 3 + r) * 3 + s];
          }
        out[(c * H + y) * W + x] = acc;
      }
}
