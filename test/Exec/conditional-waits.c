// What goes round and is no loop may do so for ever: what is read behind it is not read in
// front of it.
// REQUIRES: native-x86
// RUN: %clang_dl -O3 -Rpass=dl-vectorize -c %s -o %t.o 2>%t.remarks
// RUN: %clang %t.o -o %t && %t | FileCheck %s
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=TAKEN
// TAKEN: matvec f32
// CHECK: waited
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>
struct tensor {
  int n;
  float *data;
};
struct layer {
  struct tensor *weight, *bias;
  int in, out, from, has;
};

// Two ways lead into what goes round: nothing says that it ends.
__attribute__((noinline)) void wait(struct layer *l, const float *x, float *y,
                                    const int *go) {
  // This is for the function to be taken.
  for (int i = 0; i < l->out; i++) {
    float sum = 0;
    for (int k = 0; k < l->in; k++)
      sum += l->weight->data[i * l->in + k] * x[k];
    y[i] = sum;
  }
  for (int i = 0; i < l->out; i++) {
    if (l->from)
      goto second;
  first:
    if (go[0])
      goto done;
  second:
    if (!go[1])
      goto first;
  done:
    if (l->has)
      y[i] += l->bias->data[i];
  }
}

static void end(int signal) {
  (void)signal;
  _exit(write(1, "waited\n", 7) != 7);
}

int main(void) {
  static float Weight[64 * 64], X[64], Y[64];
  // What is not there cannot be read.
  struct tensor W = {64, Weight}, *Nothing = (struct tensor *)16;
  struct layer L = {&W, Nothing, 64, 64, 0, 1};
  const struct itimerval Soon = {{0, 0}, {0, 50000}};
  int Go[2] = {0, 0};
  signal(SIGALRM, end);
  setitimer(ITIMER_REAL, &Soon, 0);
  wait(&L, X, Y, Go);
}
