// One function for all convolutions of a net, called with numbers, with variables that
// are set once, by a function in between, in a loop, and with what is known at run time
// alone. A variable of the function counts all calls, whichever copy they lead to.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;

static void convolution(const float *in, const float *w, float *out, int channels, int height,
                        int width, int filters, int size, int step, int pad) {
  static int own;
  calls += ++own;
  int oh = (height + 2 * pad - size) / step + 1, ow = (width + 2 * pad - size) / step + 1;
  for (int f = 0; f < filters; f++)
    for (int y = 0; y < oh; y++)
      for (int x = 0; x < ow; x++) {
        float s = 0;
        for (int c = 0; c < channels; c++)
          for (int r = 0; r < size; r++)
            for (int q = 0; q < size; q++) {
              int i = y * step + r - pad, j = x * step + q - pad;
              if (i >= 0 && i < height && j >= 0 && j < width)
                s += in[(c * height + i) * width + j] *
                     w[((f * channels + c) * size + r) * size + q];
            }
        out[(f * oh + y) * ow + x] = s > 0 ? s : 0;
      }
}

static void layer(const float *in, const float *w, float *out, int channels, int image,
                  int filters) {
  int size = 5, pad = size / 2;
  convolution(in, w, out, channels, image, image, filters, size, 2, pad);
}

static void show(const char *what, const float *y, int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; i++) {
    unsigned bits;
    memcpy(&bits, y + i, sizeof bits);
    sum = sum * 31 + bits;
  }
  printf("%s %08x %d\n", what, sum, calls);
}

int main(int argc, char **argv) {
  (void)argv;
  static float x[3 * 400], w[32 * 18 * 25], a[32 * 400], b[32 * 400];
  for (int i = 0; i < 3 * 400; i++)
    x[i] = (float)(i * 7919 % 1001) / 500.f - 1;
  for (int i = 0; i < 32 * 18 * 25; i++)
    w[i] = (float)(i * 104729 % 997) / 500.f - 1;
  convolution(x, w, a, 3, 20, 20, 18, 3, 1, 1);
  show("first", a, 18 * 400);
  layer(a, w, b, 18, 20, 32);
  show("second", b, 32 * 100);
  int image = 10, one = 1;
  convolution(b, w, a, 32, image, image, 20, one, one, 0);
  show("third", a, 20 * 100);
  for (int i = 1; i < 4; i++) {
    convolution(a, w, b, 2, 10, 10, i * 4, 3, i, argc);
    show("loop", b, i * 4 * ((12 - 3) / i + 1) * ((12 - 3) / i + 1));
  }
  void (*volatile any)(const float *, const float *, float *, int, int, int, int, int, int,
                       int) = convolution;
  any(x, w, a, 3, 20, 20, 12, 4, 3, 2);
  show("pointer", a, 12 * 49);
  return 0;
}
