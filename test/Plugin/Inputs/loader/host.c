// A program that has a version of LLVM, as its pass managers load plugins. MAJOR says
// which one: by LLVM's C interface, or, as in LLVM 15 and before, by a text alone.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  uint32_t API;
  const char *Name, *Version;
  void (*Register)(void);
#if MAJOR >= 22
  void (*PreCodeGen)(void);
#endif
} Info;

#ifdef TEXT
// Version numbers of other things, and then the one of LLVM.
const char Producer[] = "a\0LLVM7.x\0LLVM 9.0.1\0" TEXT;
const char *LLVMContext(void) __asm__("_ZN4llvm11LLVMContextC1Ev");
const char *LLVMContext(void) { return Producer; }
#elif defined(MAJOR)
void LLVMGetVersion(unsigned *Major, unsigned *Minor, unsigned *Patch) {
  *Major = MAJOR;
  if (Minor)
    *Minor = 1;
  if (Patch)
    *Patch = 8;
}
#endif

int main(int argc, char **argv) {
  void *Library = dlopen(argv[1], RTLD_LAZY | RTLD_GLOBAL);
  if (!Library)
    return fprintf(stderr, "%s\n", dlerror()), 2;
  puts("loaded");
  if (argc > 2)
    return 0;
  Info (*Get)(void) = (Info(*)(void))dlsym(Library, "llvmGetPassPluginInfo");
  struct {
    Info I;
    char Behind[64];
  } Result;
  memset(&Result, 0x5a, sizeof(Result));
  Get();
  Result.I = Get();
  for (unsigned I = 0; I != sizeof(Result.Behind); ++I)
    if (Result.Behind[I] != 0x5a)
      return puts("written beyond the end"), 3;
  printf("API %u of %s %s\n", Result.I.API, Result.I.Name, Result.I.Version);
  if (!Result.I.API)
    return 1;
  Result.I.Register();
#if MAJOR >= 22
  Result.I.PreCodeGen();
#endif
  return 0;
}
