//===- Loader.cpp - Finds the plugin of the host's LLVM -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// libDLOpt.so: what people name on command lines, whatever LLVM their compiler
/// has. It asks the host which one that is, loads libDLOpt-<major>.so, which
/// lies beside it, and hands on what that says of itself. Without one, a line
/// says which there are, and the host is told so, too: no build goes on as if
/// the plugin were there.
///
/// Everything happens as the loader is loaded, not when the host asks for its
/// passes: options of the plugin exist in command lines behind -fplugin= and
/// -load, which ask nothing.
///
/// No symbol of LLVM or of C++'s library is needed to load this file, since
/// each LLVM has others.
///
//===----------------------------------------------------------------------===//
#include "PluginDigest.h"
#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __ELF__
#include <link.h>
#endif

namespace {

/// The fields that LLVM's PassPluginLibraryInfo has in every version; from 22
/// on there are more behind them. It cannot be copied, so a function that
/// returns what another one returns lets that one write where its own caller
/// wants it: as much as that LLVM has.
struct PluginInfo {
  uint32_t APIVersion = 0; ///< No LLVM takes this one.
  const char *PluginName = "DLOpt";
  const char *PluginVersion = DLOPT_VERSION;
  void *RegisterCallbacks = nullptr;

  PluginInfo() = default;
  PluginInfo(const PluginInfo &) = delete;
};

using GetInfo = PluginInfo (*)();

/// The plugin's entry point, or why there is none.
GetInfo Entry = nullptr;
char Why[4 * PATH_MAX];

/// Changes with the plugin that this loader was built with, so that caches
/// which look at the file that is named see another one.
[[gnu::used]] const char PluginDigest[] = "DLOpt plugin " DLOPT_PLUGIN_DIGEST;

#ifdef __ELF__

/// An address of LLVM's code, and the major version that is written in the file
/// that has it.
struct Search {
  uintptr_t Address;
  int Major;
};

/// Whether \p Text is "LLVM<major>.<minor>.<patch>", with anything behind it;
/// \p End bounds it. Returns the major version, or 0.
int majorOf(const char *Text, const char *End) {
  int Numbers[3] = {0, 0, 0};
  Text += strlen("LLVM");
  for (int &Number : Numbers) {
    const char *Start = Text;
    for (; Text != End && *Text >= '0' && *Text <= '9' && Text - Start < 4;
         ++Text)
      Number = 10 * Number + (*Text - '0');
    bool Last = &Number == &Numbers[2];
    if (Text == Start || Text == End || (!Last && *Text++ != '.'))
      return 0;
  }
  return Numbers[0];
}

/// The producer that bitcode is signed with, a string of its own.
int majorIn(const char *Begin, const char *End) {
  static const char Pattern[] = "\0LLVM";
  size_t Length = sizeof(Pattern) - 1;
  while (void *Found = memmem(Begin, End - Begin, Pattern, Length)) {
    Begin = static_cast<const char *>(Found) + 1;
    if (int Major = majorOf(Begin, End))
      return Major;
  }
  return 0;
}

int searchObject(dl_phdr_info *Object, size_t, void *Data) {
  auto &S = *static_cast<Search *>(Data);
  auto Start = [&](int I) {
    return Object->dlpi_addr + Object->dlpi_phdr[I].p_vaddr;
  };
  bool Has = false;
  for (int I = 0; I != Object->dlpi_phnum; ++I)
    Has |= Object->dlpi_phdr[I].p_type == PT_LOAD && S.Address >= Start(I) &&
           S.Address - Start(I) < Object->dlpi_phdr[I].p_memsz;
  if (!Has)
    return 0;
  // Constants are most likely apart from code, which is larger.
  for (unsigned Executable = 0; Executable <= PF_X; Executable += PF_X)
    for (int I = 0; I != Object->dlpi_phnum && !S.Major; ++I) {
      const auto &Segment = Object->dlpi_phdr[I];
      if (Segment.p_type != PT_LOAD || !(Segment.p_flags & PF_R) ||
          (Segment.p_flags & PF_W) || (Segment.p_flags & PF_X) != Executable)
        continue;
      auto *Text = reinterpret_cast<const char *>(Start(I));
      S.Major = majorIn(Text, Text + Segment.p_filesz);
    }
  return 1;
}

#endif // __ELF__

/// The major version of the LLVM whose symbols the plugin would get; 0 if there
/// is none or it does not say.
int findHostMajor() {
  using GetVersion = void (*)(unsigned *, unsigned *, unsigned *);
  if (void *Found = dlsym(RTLD_DEFAULT, "LLVMGetVersion")) {
    unsigned Major = 0;
    reinterpret_cast<GetVersion>(Found)(&Major, nullptr, nullptr);
    return int(Major);
  }
#ifdef __ELF__
  // LLVM 15 and before do not have that, nor do hosts that LLVM is linked into
  // without its C interface: llvm::LLVMContext::LLVMContext() is in each.
  if (void *Found = dlsym(RTLD_DEFAULT, "_ZN4llvm11LLVMContextC1Ev")) {
    Search S = {reinterpret_cast<uintptr_t>(Found), 0};
    dl_iterate_phdr(searchObject, &S);
    return S.Major;
  }
#endif
  return 0;
}

/// The folder of the file \p Path, in place.
void keepFolder(char *Path) {
  char *Slash = strrchr(Path, '/');
  if (Slash)
    *(Slash == Path ? Slash + 1 : Slash) = '\0';
  else
    strcpy(Path, ".");
}

/// Writes the majors of the plugins in \p Folder to \p Text, as "19, 22";
/// returns the newest, or 0.
int listMajors(const char *Folder, char *Text, size_t Size) {
  bool Found[100] = {};
  if (DIR *Dir = opendir(Folder)) {
    while (const dirent *File = readdir(Dir)) {
      int Major = 0, Length = 0;
      if (sscanf(File->d_name, "libDLOpt-%2d.so%n", &Major, &Length) == 1 &&
          Length && !File->d_name[Length] && Major > 0)
        Found[Major] = true;
    }
    closedir(Dir);
  }
  int Newest = 0;
  size_t Used = 0;
  *Text = '\0';
  for (int Major = 0; Major != 100; ++Major)
    if (Found[Major] && Used < Size) {
      Used +=
          snprintf(Text + Used, Size - Used, "%s%d", Newest ? ", " : "", Major);
      Newest = Major;
    }
  return Newest;
}

/// Says what to do where there is no plugin for LLVM \p Major in \p Folder.
void explain(int Major, const char *Folder) {
  char Host[64] = "it is unknown which LLVM this program has", Majors[400];
  if (Major)
    snprintf(Host, sizeof(Host), "this program has LLVM %d", Major);
  int Newest = listMajors(Folder, Majors, sizeof(Majors));
  if (!Newest)
    snprintf(Why, sizeof(Why), "%s; there is no plugin for any in %s", Host,
             Folder);
  else
    snprintf(
        Why, sizeof(Why),
        "%s; the plugin in %s is for LLVM %s: use clang-%d, flang-%d, lld-%d",
        Host, Folder, Majors, Newest, Newest, Newest);
}

/// Loads the plugin for LLVM \p Major from \p Folder. Returns false if there is
/// no such file.
bool loadFrom(const char *Folder, int Major) {
  char Path[PATH_MAX + 32];
  snprintf(Path, sizeof(Path), "%s/libDLOpt-%d.so", Folder, Major);
  if (FILE *File = fopen(Path, "rb"))
    fclose(File);
  else
    return false;
  // All symbols now: one that the host lacks is an error, not the end of it.
  void *Library = dlopen(Path, RTLD_NOW | RTLD_LOCAL);
  if (Library)
    Entry = reinterpret_cast<GetInfo>(dlsym(Library, "llvmGetPassPluginInfo"));
  if (!Entry) {
    const char *Error = dlerror();
    snprintf(Why, sizeof(Why), "%s", Error ? Error : Path);
  }
  return true;
}

[[gnu::constructor]] void load() {
  Dl_info Self;
  char Folder[PATH_MAX], Resolved[PATH_MAX];
  if (!dladdr(&PluginDigest, &Self) || !Self.dli_fname ||
      strlen(Self.dli_fname) >= sizeof(Folder)) {
    snprintf(Why, sizeof(Why), "the path of the plugin is unknown");
    return;
  }
  strcpy(Folder, Self.dli_fname);
  keepFolder(Folder);
  int Major = findHostMajor();
  if (Major && loadFrom(Folder, Major))
    return;
  // The loader may be linked to from elsewhere.
  if (realpath(Self.dli_fname, Resolved)) {
    keepFolder(Resolved);
    if (Major && loadFrom(Resolved, Major))
      return;
    strcpy(Folder, Resolved);
  }
  explain(Major, Folder);
}

} // namespace

extern "C" [[gnu::visibility("default")]] PluginInfo llvmGetPassPluginInfo();

PluginInfo llvmGetPassPluginInfo() {
  if (Entry)
    return Entry();
  // Links ask once for each thread.
  static bool IsSaid = false;
  if (!__atomic_test_and_set(&IsSaid, __ATOMIC_RELAXED))
    fprintf(stderr, "DLOpt: %s\n", Why);
  return PluginInfo();
}
