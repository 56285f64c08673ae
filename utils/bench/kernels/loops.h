// What loopbench.cc times: a table `loops` that ends with a null name.
#ifndef LOOPS_H
#define LOOPS_H

struct Loop {
  const char *Name;
  long M, N;
  int IsMove; // as many elements are written as read
  void (*Run)(long m, long n, const float *a, float *c);
  int Updated; // so many arrays, c's parts, are updated from one
};

#endif // LOOPS_H
