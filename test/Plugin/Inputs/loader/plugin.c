// The plugin for LLVM MAJOR, as far as the loader can tell.
#include <stdint.h>
#include <stdio.h>

#define TEXT_(X) #X
#define TEXT(X) TEXT_(X)

static void registerCallbacks(void) { puts("callbacks of " TEXT(MAJOR)); }

#if MAJOR >= 22
static void preCodeGen(void) { puts("code of " TEXT(MAJOR)); }
#endif

struct Info {
  uint32_t API;
  const char *Name, *Version;
  void (*Register)(void);
#if MAJOR >= 22
  void (*PreCodeGen)(void);
#endif
};

#ifdef MISSING
void hostHasNoSuchFunction(void);
#endif

__attribute__((constructor)) static void options(void) {
  puts("options of " TEXT(MAJOR));
}

struct Info llvmGetPassPluginInfo(void) {
#ifdef MISSING
  hostHasNoSuchFunction();
#endif
  struct Info I = {MAJOR, "plugin", TEXT(MAJOR), registerCallbacks};
#if MAJOR >= 22
  I.PreCodeGen = preCodeGen;
#endif
  return I;
}
