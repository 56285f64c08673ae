// Every access to volatile memory happens: they are counted, each by a fault
// and a single step.
// Not self-checked: it is no result.
// RUN: %check
#include "planted.h"

#define __USE_GNU
#include <signal.h>
#include <ucontext.h>

static char *Watched;
static long Accesses;

static void onAccess(int sig, siginfo_t *info, void *context) {
  ucontext_t *c = context;
  if (sig == SIGSEGV) {
    char *at = info->si_addr;
    if (at < Watched || at >= Watched + PAGE)
      abort();
    Accesses++;
    mprotect(Watched, PAGE, PROT_READ | PROT_WRITE);
    c->uc_mcontext.gregs[REG_EFL] |= 0x100;
  } else {
    mprotect(Watched, PAGE, PROT_NONE);
    c->uc_mcontext.gregs[REG_EFL] &= ~0x100l;
  }
}

NOINLINE void product(float *C, const volatile float *A, const float *B, long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float acc = 0;
      for (long k = 0; k < n; k++)
        acc += A[i * n + k] * B[k * n + j];
      C[i * n + j] = acc;
    }
}

int main(void) {
  float *A = array(PAGE / 4), *B = array(81), *C = array(81);
  struct sigaction act;
  memset(&act, 0, sizeof act);
  act.sa_sigaction = onAccess;
  act.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &act, 0);
  sigaction(SIGTRAP, &act, 0);
  Watched = (char *)A;
  mprotect(Watched, PAGE, PROT_NONE);
  product(C, A, B, 9);
  show(C, 81);
  printf("%ld\n", Accesses);
}
