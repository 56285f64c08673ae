/* 3 x 3, by twos, padded by one: from h x w to H x W. */
void maxpool(int C, int h, int w, int H, int W, const float *in, float *out) {
  for (int c = 0; c < C; c++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        float max = -__builtin_inff();
        for (int r = 0; r < 3; r++)
          for (int s = 0; s < 3; s++) {
            int yy = 2 * y + r - 1, xx = 2 * x + s - 1;
            if (yy >= 0 && yy < h && xx >= 0 && xx < w) {
              float v = in[(c * h + yy) * w + xx];
              max = v > max ? v : max;
            }
          }
        out[(c * H + y) * W + x] = max;
      }
}
