/* Loops of all kinds, none of which holds a kernel. */
#include <stddef.h>
int printf(const char *, ...);
void *malloc(size_t);
double sqrt(double);
int setjmp(void *);

struct node {
  struct node *next;
  double weight;
  char name[16];
};

double total(const struct node *n) {
  double sum = 0;
  for (; n; n = n->next)
    sum += n->weight * 0.5;
  return sum;
}

double newton(double x, const double *start) {
  double y = *start, last;
  do {
    last = y;
    y = 0.5 * (y + x / y);
  } while (y != last);
  return y + sqrt(x);
}

unsigned hash(const char *s) {
  unsigned h = 5381;
  while (*s)
    h = h * 33 ^ (unsigned char)*s++;
  return h;
}

static int compare(float a, float b) { return a < b ? -1 : a > b; }

void insertion_sort(float *a, int n) {
  for (int i = 1; i < n; i++) {
    float x = a[i];
    int j = i - 1;
    while (j >= 0 && compare(a[j], x) > 0) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = x;
  }
}

int first_negative(const float *a, int n) {
  for (int i = 0; i < n; i++)
    if (a[i] * 2.0f < 0.0f)
      return i;
  return -1;
}

void show(const float *a, int n) {
  for (int i = 0; i < n; i++) {
    printf("%f\n", a[i] * 2.0f);
    printf("\n");
  }
}

void spin(volatile float *a, int n) {
  for (int i = 0; i < n; i++)
    a[i] = a[i] * 2.0f;
}

float interpret(const unsigned char *code, float *stack) {
  static void *const labels[] = {&&add, &&mul, &&stop};
  float *top = stack;
  goto *labels[*code++];
add:
  top[-1] += top[0];
  goto *labels[*code++];
mul:
  top[-1] *= top[0];
  goto *labels[*code++];
stop:
  return *top;
}

struct node *reversed(struct node *n) {
  struct node *out = NULL;
  while (n) {
    struct node *next = n->next;
    n->next = out;
    out = n;
    n = next;
  }
  return out;
}

const char *names(int i) {
  char local[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  int sum = 0;
  for (int k = 0; k < i; k++)
    sum += local[k % 36] * k;
  switch (sum % 5) {
  case 0: return "zero";
  case 1: return "one";
  case 2: return "two";
  case 3: return "three";
  default: return "more";
  }
}

// Not a product: the copy for rows that are equally far apart leaves no trace.
void running(int m, int n, int k, float **a, float **b, float **c) {
  float s = 1;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      for (int l = 0; l < k; l++)
        s = s * a[i][l] + s * b[l][j];
      c[i][j] = s;
    }
}
