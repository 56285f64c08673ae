//===- Runtime.c - What programs that check themselves call ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compiled to bitcode when the plugin is built, and linked into each module
/// that has kernels to check, as internal functions. The code in front of and
/// around a kernel (SelfCheck.cpp) is
///
///   log = dl_check_begin(&kernel);
///   the loops, with dl_check_note(log, where, bytes, output) before each store
///   if (dl_check_swap(log)) {           // memory is as it was before the
///   loops
///     the generated code
///     dl_check_value(log, ...)          // for values that are used afterwards
///     dl_check_end(log, places);        // memory is as the loops left it
///   }
///
/// A log has the pages that the loops store to: for each byte what was there,
/// and whether it was stored. Nothing else is saved or restored, so what other
/// threads write beside it stays; bytes in between are only looked at where
/// there are no other threads.
///
/// The IR has to suit every 64-bit target: types of fixed size, nothing that is
/// passed by value, no headers.
///
//===----------------------------------------------------------------------===//

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

/// What is stored in one array with one type. In step with getOutputType() of
/// SelfCheck.cpp.
enum Class { Integer, Half, BFloat, Float, Double, Bits };

struct Output {
  const char *Name;
  u32 Class;
  u32 Bytes; ///< of an element
  u32 Rank;  ///< of the subscripts that name an element; 0: its offset does
};

/// How many times and nanoseconds the two sides of a guard ran.
struct Counts {
  u64 Runs[2], Time[2];
  u32 Reported;
};

/// Bits are the same but for those of NaNs.
enum Exactness : u8 { Bounded, BitsButZeros, SameBits };

struct Kernel {
  const char *Where, *Name;
  const struct Output *Outputs;
  struct Counts *Counts;
  int *(*Errno)(void);       ///< null: errno is not compared
  double Absolute, Relative; ///< bounds of differences; below 0: the types'
  u32 NumOutputs;
  u8 Exact;      ///< enum Exactness
  u8 Continues;  ///< after a difference
  u8 IsFunction; ///< that is called: its frames are gone
};

enum : u32 {
  PageBytes = 4096,
  Margin = 64, ///< bytes around stored ones that are looked at
  Unstored = 0,
  Inside = 255
};

struct Page {
  u64 Number;
  u32 First, Last;    ///< all marks are in [First, Last)
  u8 Old[PageBytes];  ///< what was there; after the swap what the loops stored
  u8 Mark[PageBytes]; ///< Unstored, 1 + output of an element's first byte,
                      ///< Inside
};

struct Log {
  struct Log *Next;
  const struct Kernel *K;
  struct Page **Pages, *Last;
  u32 *Slots; ///< hash table of positions in Pages, plus 1
  u32 NumPages, NumOwned, NumSlots;
  u32 NumDifferences;
  u64 Frame; ///< of the function that is or has the kernel
  int Errno; ///< before the loops; after the swap theirs
  u8 Lacks;  ///< memory: what is stored is not known
  u64 Allocations;
  char Text[640]; ///< of the first difference
};

enum : u32 {
  FewPages = 1u << 18, ///< of outputs, kept whatever memory is free: a gigabyte
  MostPages = 1u << 28, ///< kept at all: a terabyte
  MostKept = 1u << 12   ///< pages that a log keeps for the next kernel
};

extern void *malloc(u64);
extern void free(void *);
extern void abort(void);
extern i64 write(int, const void *, u64);
extern int snprintf(char *, u64, const char *, ...);
extern double strtod(const char *, char **);
struct Time {
  i64 Seconds, Nanoseconds;
};
extern int timespec_get(struct Time *, int);
/// Of glibc and musl. Pages may be larger ones than ours.
extern long get_avphys_pages(void) __attribute__((weak));
/// Of glibc since 2.32.
extern char __libc_single_threaded __attribute__((weak));

/// Between arrays of the program that may be looked at up to 64 bytes around.
static struct {
  u8 Before[64];
  struct Log *Unused;
  u64 Allocations; ///< and deallocations
  u8 IsTaken;
  u8 Behind[64];
} State __attribute__((aligned(64)));

static void take(void) {
  while (__atomic_test_and_set(&State.IsTaken, __ATOMIC_ACQUIRE))
    ;
}

static void leave(void) { __atomic_clear(&State.IsTaken, __ATOMIC_RELEASE); }

static int getErrno(const struct Kernel *K) {
  return K->Errno ? *K->Errno() : 0;
}

static void setErrno(const struct Kernel *K, int To) {
  if (K->Errno)
    *K->Errno() = To;
}

/// Null where there is no memory; errno stays the program's.
static void *allocate(const struct Kernel *K, u64 Bytes) {
  __atomic_fetch_add(&State.Allocations, 1, __ATOMIC_RELAXED);
  int Errno = getErrno(K);
  void *Result = malloc(Bytes);
  setErrno(K, Errno);
  return Result;
}

static void copy(void *To, const void *From, u64 Bytes) {
  __builtin_memcpy(To, From, Bytes);
}

//===----------------------------------------------------------------------===//
// Pages
//===----------------------------------------------------------------------===//

static u32 getSlot(const struct Log *L, u64 Number) {
  u64 Hash = Number * 0x9e3779b97f4a7c15ull;
  u32 Slot = (u32)(Hash >> 32) & (L->NumSlots - 1);
  while (L->Slots[Slot] && L->Pages[L->Slots[Slot] - 1]->Number != Number)
    Slot = (Slot + 1) & (L->NumSlots - 1);
  return Slot;
}

/// Twice as many pages. 0: there is no memory.
static int grow(struct Log *L) {
  u32 NumSlots = L->NumSlots ? 2 * L->NumSlots : 64;
  u32 *Slots = allocate(L->K, NumSlots * sizeof *Slots);
  struct Page **Pages = allocate(L->K, NumSlots / 2 * sizeof *Pages);
  if (!Slots || !Pages) {
    free(Slots);
    free(Pages);
    return 0;
  }
  copy(Pages, L->Pages, L->NumOwned * sizeof *Pages);
  __builtin_memset(Slots, 0, NumSlots * sizeof *Slots);
  free(L->Slots);
  free(L->Pages);
  L->Slots = Slots;
  L->Pages = Pages;
  L->NumSlots = NumSlots;
  for (u32 I = 0; I != L->NumPages; ++I)
    L->Slots[getSlot(L, Pages[I]->Number)] = I + 1;
  return 1;
}

/// Whether memory is free for one page more. Half of what is free stays so: a
/// page takes the bytes of two. Asked once in FewPages pages.
static int hasRoom(const struct Log *L) {
  if (L->NumPages == 0 || L->NumPages % FewPages)
    return 1;
  return L->NumPages < MostPages && get_avphys_pages &&
         get_avphys_pages() / 4 >= FewPages;
}

static struct Page *addPage(struct Log *L, u64 Number) {
  if (!hasRoom(L) || (2 * L->NumPages >= L->NumSlots && !grow(L)))
    return 0;
  if (L->NumPages == L->NumOwned) {
    struct Page *New = allocate(L->K, sizeof *New);
    if (!New)
      return 0;
    __builtin_memset(New->Mark, Unstored, PageBytes);
    L->Pages[L->NumOwned++] = New;
  }
  struct Page *P = L->Pages[L->NumPages];
  P->Number = Number;
  P->First = PageBytes;
  P->Last = 0;
  copy(P->Old, (const void *)(Number * PageBytes), PageBytes);
  L->Slots[getSlot(L, Number)] = ++L->NumPages;
  return P;
}

static struct Page *getPage(struct Log *L, u64 Number) {
  if (L->Last && L->Last->Number == Number)
    return L->Last;
  u32 At = L->NumSlots ? L->Slots[getSlot(L, Number)] : 0;
  struct Page *P = At ? L->Pages[At - 1] : addPage(L, Number);
  if (P)
    L->Last = P;
  else
    L->Lacks = 1;
  return P;
}

//===----------------------------------------------------------------------===//
// Before the generated code
//===----------------------------------------------------------------------===//

struct Log *dl_check_begin(const struct Kernel *K, const void *Frame) {
  take();
  struct Log *L = State.Unused;
  if (L)
    State.Unused = L->Next;
  leave();
  if (!L) {
    if (!(L = allocate(K, sizeof *L)))
      return 0;
    __builtin_memset(L, 0, sizeof *L);
  }
  L->K = K;
  L->Frame = (u64)Frame;
  L->Last = 0;
  L->Lacks = 0;
  L->NumDifferences = 0;
  L->Errno = getErrno(K);
  return L;
}

/// Whether \p Where is in a frame of what the function with the kernel calls.
/// Stacks grow downwards.
static int isBelow(const struct Log *L, u64 Where) {
  const u64 Own = (u64)__builtin_frame_address(0);
  return Where - Own < L->Frame - Own;
}

/// Whether the element at \p Where is one of \p Output in \p P already, as in
/// loops that add to it.
static int isNoted(const struct Page *P, u64 Where, u32 Size, u32 Output) {
  const u64 At = Where % PageBytes;
  return P && P->Number == Where / PageBytes && At + Size <= PageBytes &&
         P->Mark[At] == Output &&
         (Size == 1 || P->Mark[At + Size - 1] == Inside);
}

/// \p Bytes bytes of elements of \p Output, counted from 1, are stored next.
void dl_check_note(struct Log *L, const void *Where, u64 Bytes, u32 Output) {
  if (!L || L->Lacks)
    return;
  const u32 Size = L->K->Outputs[Output - 1].Bytes;
  const u64 Begin = (u64)Where;
  if (L->K->IsFunction && isBelow(L, Begin))
    return;
  if (Bytes == Size && isNoted(L->Last, Begin, Size, Output))
    return;
  u32 Left = 0; ///< bytes of the element at hand
  for (u64 I = 0; I != Bytes;) {
    struct Page *P = getPage(L, (Begin + I) / PageBytes);
    if (!P)
      return;
    u64 At = (Begin + I) % PageBytes, End = At + (Bytes - I);
    if (End > PageBytes)
      End = PageBytes;
    if (P->First > At)
      P->First = (u32)At;
    if (P->Last < End)
      P->Last = (u32)End;
    I += End - At;
    for (; At != End; ++At) {
      P->Mark[At] = Left ? Inside : (u8)Output;
      Left = (Left ? Left : Size) - 1;
    }
  }
}

/// Small kernels pay for what they store, not for pages.
static void clearMarks(struct Log *L) {
  for (u32 I = 0; I != L->NumPages; ++I) {
    struct Page *P = L->Pages[I];
    if (P->First < P->Last)
      __builtin_memset(P->Mark + P->First, Unstored, P->Last - P->First);
  }
}

static void release(struct Log *L) {
  clearMarks(L);
  if (L->NumOwned > MostKept) {
    __atomic_fetch_add(&State.Allocations, 1, __ATOMIC_RELAXED);
    for (u32 I = 0; I != L->NumOwned; ++I)
      free(L->Pages[I]);
    free(L->Pages);
    free(L->Slots);
    L->Pages = 0;
    L->Slots = 0;
    L->NumOwned = L->NumSlots = 0;
  } else if (L->NumPages > 64) {
    __builtin_memset(L->Slots, 0, L->NumSlots * sizeof *L->Slots);
  } else {
    // From the last one on, so that what was put aside for others is found.
    for (u32 I = L->NumPages; I--;)
      L->Slots[getSlot(L, L->Pages[I]->Number)] = 0;
  }
  L->NumPages = 0;
  take();
  L->Next = State.Unused;
  State.Unused = L;
  leave();
}

static u64 append(char *To, u64 At, u64 Size, const char *From) {
  for (; *From && At + 1 < Size; ++From)
    To[At++] = *From;
  To[At] = 0;
  return At;
}

/// Whether \p K reports for the first time.
static int isFirst(const struct Kernel *K) {
  return !__atomic_exchange_n(&K->Counts->Reported, 1, __ATOMIC_RELAXED);
}

static void print(const struct Kernel *K, const char *Text) {
  char Line[1024];
  u64 At = append(Line, 0, sizeof Line, "dlopt: ");
  At = append(Line, At, sizeof Line, K->Where);
  At = append(Line, At, sizeof Line, ": ");
  At = append(Line, At, sizeof Line, K->Name);
  At = append(Line, At, sizeof Line, ": ");
  At = append(Line, At, sizeof Line - 1, Text);
  At = append(Line, At, sizeof Line, "\n");
  int Errno = getErrno(K);
  (void)write(2, Line, At);
  setErrno(K, Errno);
}

/// Where bytes of \p P are looked at: what is stored, and Margin bytes around.
static u32 getBegin(const struct Page *P) {
  return P->First > Margin ? P->First - Margin : 0;
}

static u32 getEnd(const struct Page *P) {
  return P->Last + Margin < PageBytes ? P->Last + Margin : PageBytes;
}

/// 0: the generated code must not run; the loops have.
int dl_check_swap(struct Log *L) {
  if (!L)
    return 0;
  if (L->Lacks) {
    if (isFirst(L->K))
      print(L->K, "stores more than there is free memory to keep: not checked, "
                  "the results are those of the loop");
    release(L);
    return 0;
  }
  // What is stored may be errno itself.
  int Errno = getErrno(L->K);
  for (u32 I = 0; I != L->NumPages; ++I) {
    struct Page *P = L->Pages[I];
    u8 *Memory = (u8 *)(P->Number * PageBytes);
    for (u32 J = getBegin(P), End = getEnd(P); J < End; ++J)
      if (P->Mark[J]) {
        u8 Stored = Memory[J];
        Memory[J] = P->Old[J];
        P->Old[J] = Stored;
      } else {
        P->Old[J] = Memory[J];
      }
  }
  setErrno(L->K, L->Errno);
  L->Errno = Errno;
  L->Allocations = __atomic_load_n(&State.Allocations, __ATOMIC_RELAXED);
  return 1;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// The value of a floating-point number of \p Bytes bytes.
static double getNumber(u32 Class, u64 Bits) {
  double Result;
  if (Class == Double) {
    copy(&Result, &Bits, sizeof Result);
    return Result;
  }
  u32 Narrow = (u32)Bits;
  if (Class == BFloat)
    Narrow <<= 16;
  if (Class == Half) {
    u32 Sign = (Narrow & 0x8000) << 16, Rest = Narrow & 0x7fff;
    // Exponents of 2^-24 to 2^15 are those of 2^-127 to 2^-88 times 2^112.
    Narrow = Rest << 13;
    float Scaled;
    copy(&Scaled, &Narrow, sizeof Scaled);
    Scaled *= 0x1p112f;
    copy(&Narrow, &Scaled, sizeof Scaled);
    if (Rest >= 0x7c00)
      Narrow = 0x7f800000 | Rest << 13;
    Narrow |= Sign;
  }
  float Single;
  copy(&Single, &Narrow, sizeof Single);
  return Single;
}

/// The bits of an element, whatever the order of its bytes.
static u64 getBits(const u8 *At, u32 Bytes) {
  u64 Bits = 0;
  if (*(const u8 *)&(const u16){1})
    copy(&Bits, At, Bytes);
  else
    copy((u8 *)&Bits + 8 - Bytes, At, Bytes);
  return Bits;
}

static int isNaN(double X) { return X != X; }

static double getMagnitude(double X) { return X < 0 ? -X : X; }

static i64 getInteger(const struct Output *O, u64 Bits) {
  u32 Shift = 64 - 8 * O->Bytes;
  return (i64)(Bits << Shift) >> Shift;
}

/// Half of the digits of a type: sums in another order may lose some.
static double getBound(u32 Class) {
  switch (Class) {
  case Half:
    return 0x1p-5;
  case BFloat:
    return 0x1p-3;
  case Float:
    return 0x1p-11;
  case Double:
    return 0x1p-26;
  default:
    return 0;
  }
}

/// \p Scale: the greatest magnitude among the numbers of \p O.
static int isEqual(const struct Kernel *K, const struct Output *O, u64 X, u64 Y,
                   double Scale) {
  if (X == Y)
    return 1;
  if (O->Class == Bits)
    return 0;
  if (O->Class == Integer) {
    // What is rounded to an integer, or the position of one of two equals.
    i64 Difference = getInteger(O, X) - getInteger(O, Y);
    return !K->Exact && Difference >= -1 && Difference <= 1;
  }
  double A = getNumber(O->Class, X), B = getNumber(O->Class, Y);
  if (isNaN(A) && isNaN(B))
    return 1;
  if (K->Exact)
    return K->Exact == BitsButZeros && A == 0 && B == 0;
  double Most = __builtin_inf();
  // Sums in another order overflow elsewhere.
  if (isNaN(A) || isNaN(B) || getMagnitude(A) == Most ||
      getMagnitude(B) == Most)
    return isNaN(A) || isNaN(B) || getMagnitude(A) == getMagnitude(B);
  double Relative = K->Relative < 0 ? getBound(O->Class) : K->Relative;
  double Absolute = K->Absolute < 0 ? 0 : K->Absolute;
  double Difference = getMagnitude(A - B);
  if (K->Relative >= 0)
    Scale = 0;
  if (Scale < getMagnitude(B))
    Scale = getMagnitude(B);
  return Difference <= Absolute || Difference <= Relative * Scale;
}

/// \p Bits as text that reads back as the same number, if there is one.
static u64 appendValue(char *To, u64 At, u64 Size, const struct Output *O,
                       u64 Bits_) {
  char Text[48];
  if (O->Class == Integer) {
    snprintf(Text, sizeof Text, "%lld", getInteger(O, Bits_));
  } else if (O->Class == Bits) {
    snprintf(Text, sizeof Text, "0x%llx", Bits_);
  } else {
    double X = getNumber(O->Class, Bits_);
    for (int Digits = 1; Digits <= 17; ++Digits) {
      snprintf(Text, sizeof Text, "%.*g", Digits, X);
      double Back = strtod(Text, 0);
      if (isNaN(X) || Back == X ||
          (O->Class == Float && (float)Back == (float)X))
        break;
    }
  }
  return append(To, At, Size, Text);
}

/// How much of \p Offset is left for the stride \p D: greater ones, and equal
/// ones in front, have had theirs.
static i64 getRest(const i64 *Strides, u32 Rank, u32 D, i64 Offset) {
  u32 Outer = Rank;
  for (u32 E = 0; E != Rank; ++E)
    if (E != D &&
        (Strides[E] > Strides[D] || (Strides[E] == Strides[D] && E < D)) &&
        (Outer == Rank || Strides[E] < Strides[Outer] ||
         (Strides[E] == Strides[Outer] && E > Outer)))
      Outer = E;
  if (Outer == Rank)
    return Offset;
  i64 Rest = getRest(Strides, Rank, Outer, Offset);
  return Strides[Outer] > 0 ? Rest % Strides[Outer] : Rest;
}

static u64 appendPlace(char *To, u64 At, u64 Size, const struct Output *O,
                       u64 Where, const i64 *Places) {
  char Text[32];
  i64 Offset = ((i64)Where - Places[0]) / (i64)O->Bytes;
  At = append(To, At, Size, O->Name);
  if (!Places[0]) {
    snprintf(Text, sizeof Text, " at 0x%llx", Where);
    return append(To, At, Size, Text);
  }
  for (u32 D = 0; D != O->Rank; ++D) {
    i64 Rest = getRest(Places + 1, O->Rank, D, Offset), Stride = Places[1 + D];
    snprintf(Text, sizeof Text, "%s%lld", D ? "," : "[",
             Stride > 0 ? Rest / Stride : 0);
    At = append(To, At, Size, Text);
  }
  if (!O->Rank) {
    snprintf(Text, sizeof Text, "[%lld", Offset);
    At = append(To, At, Size, Text);
  }
  return append(To, At, Size, "]");
}

/// The first difference is described, the others are counted.
static void addDifference(struct Log *L, const struct Output *O, u64 Where,
                          const i64 *Places, const char *Name, u64 Got,
                          u64 Expected) {
  if (L->NumDifferences++)
    return;
  u64 At = 0, Size = sizeof L->Text - 64;
  if (Places)
    At = appendPlace(L->Text, 0, Size, O, Where, Places);
  else
    At = append(L->Text, 0, Size, Name);
  At = append(L->Text, At, Size, " is ");
  At = appendValue(L->Text, At, Size, O, Got);
  At = append(L->Text, At, Size, ", the loop gives ");
  appendValue(L->Text, At, Size, O, Expected);
}

/// A value that is used behind the kernel, in its low bits.
void dl_check_value(struct Log *L, const char *Name, u32 Class, u32 Bytes,
                    u64 Got, u64 Expected) {
  struct Output O = {Name, Class, Bytes, 0};
  double Scale = 0;
  if (!isEqual(L->K, &O, Got, Expected, Scale))
    addDifference(L, &O, 0, 0, Name, Got, Expected);
}

/// The element at \p At of the \p I'th page; what the loops stored is swapped
/// for what is in memory. Elements may go on in the next page.
static u64 takeElement(struct Log *L, struct Page *P, u32 At, u32 Bytes,
                       u64 *Expected) {
  u8 Got[8], Old[8];
  const u64 Where = P->Number * PageBytes + At;
  for (u32 I = 0; I != Bytes; ++I) {
    struct Page *Q = getPage(L, (Where + I) / PageBytes);
    u8 *Memory = (u8 *)(Where + I), *Stored = &Q->Old[(Where + I) % PageBytes];
    Got[I] = *Memory;
    Old[I] = *Stored;
    *Memory = *Stored;
  }
  *Expected = getBits(Old, Bytes);
  return getBits(Got, Bytes);
}

/// The greatest magnitude that the loops stored to \p Output.
static double getScale(struct Log *L, u32 Output) {
  const struct Output *O = &L->K->Outputs[Output - 1];
  double Scale = 0;
  for (u32 I = 0; I != L->NumPages; ++I) {
    const struct Page *P = L->Pages[I];
    for (u32 J = P->First; J + O->Bytes <= P->Last; ++J) {
      if (P->Mark[J] != Output)
        continue;
      double X =
          getMagnitude(getNumber(O->Class, getBits(P->Old + J, O->Bytes)));
      if (X > Scale && X < __builtin_inf())
        Scale = X;
    }
  }
  return Scale;
}

static void compareOutput(struct Log *L, u32 Output, const i64 *Places) {
  const struct Output *O = &L->K->Outputs[Output - 1];
  double Scale = 0;
  if (!L->K->Exact && O->Class != Integer && O->Class != Bits)
    Scale = getScale(L, Output);
  for (u32 I = 0; I != L->NumPages; ++I) {
    struct Page *P = L->Pages[I];
    for (u32 J = P->First; J < P->Last; ++J) {
      if (P->Mark[J] != Output)
        continue;
      u64 Expected, Got = takeElement(L, P, J, O->Bytes, &Expected);
      if (!isEqual(L->K, O, Got, Expected, Scale))
        addDifference(L, O, P->Number * PageBytes + J, Places, 0, Got,
                      Expected);
    }
  }
}

/// Parts of elements that others lie over.
static void comparePieces(struct Log *L) {
  static const struct Output Byte = {"a byte", Bits, 1, 0};
  static const i64 FromZero[] = {0};
  for (u32 I = 0; I != L->NumPages; ++I) {
    struct Page *P = L->Pages[I];
    u8 *Memory = (u8 *)(P->Number * PageBytes);
    for (u32 J = P->First; J < P->Last; ++J)
      if (P->Mark[J] && Memory[J] != P->Old[J]) {
        addDifference(L, &Byte, (u64)&Memory[J], FromZero, 0, Memory[J],
                      P->Old[J]);
        Memory[J] = P->Old[J];
      }
  }
}

static int isWithin(u64 Where, const void *Begin, u64 Bytes) {
  return Where - (u64)Begin < Bytes;
}

/// Whether \p Where is memory of logs: of this one, or of those of kernels
/// inside, which are unused by now.
static int isOurs(const struct Log *L, u64 Where) {
  for (const struct Log *M = L; M; M = M == L ? State.Unused : M->Next) {
    if (isWithin(Where, M, sizeof *M) ||
        isWithin(Where, M->Slots, M->NumSlots * sizeof *M->Slots) ||
        isWithin(Where, M->Pages, M->NumSlots / 2 * sizeof *M->Pages))
      return 1;
    for (u32 I = 0; I != M->NumOwned; ++I)
      if (isWithin(Where, M->Pages[I], sizeof *M->Pages[I]))
        return 1;
  }
  return 0;
}

/// Stores that the loops do not make, up to 64 bytes from one that they do, or
/// between two of those. Nothing else may have written there meanwhile: neither
/// threads, nor functions that are called (below the frame), nor malloc, nor
/// logs.
static void compareRest(struct Log *L) {
  enum { StackBytes = 8 << 20 };
  if (!&__libc_single_threaded || !__libc_single_threaded ||
      L->Allocations != __atomic_load_n(&State.Allocations, __ATOMIC_RELAXED))
    return;
  static const struct Output Byte = {"a byte that the loop does not store",
                                     Bits, 1, 0};
  static const i64 FromZero[] = {0};
  for (u32 I = 0; I != L->NumPages; ++I) {
    struct Page *P = L->Pages[I];
    u8 *Memory = (u8 *)(P->Number * PageBytes);
    for (u32 J = getBegin(P), End = getEnd(P); J < End; ++J)
      if (!P->Mark[J] && Memory[J] != P->Old[J] &&
          L->Frame - (u64)&Memory[J] > StackBytes &&
          !isOurs(L, (u64)&Memory[J])) {
        addDifference(L, &Byte, (u64)&Memory[J], FromZero, 0, Memory[J],
                      P->Old[J]);
        Memory[J] = P->Old[J];
      }
  }
}

static void report(struct Log *L) {
  if (!L->NumDifferences || (L->K->Continues && !isFirst(L->K)))
    return;
  if (L->NumDifferences > 1) {
    char More[48];
    snprintf(More, sizeof More, " (and %u more)", L->NumDifferences - 1);
    u64 At = 0;
    while (L->Text[At])
      ++At;
    append(L->Text, At, sizeof L->Text, More);
  }
  print(L->K, L->Text);
  if (!L->K->Continues)
    abort();
}

/// \p Places: of each output the address that its subscripts count from, and
/// their strides in elements.
void dl_check_end(struct Log *L, const i64 *Places) {
  if (L->K->Errno) {
    int *Errno = L->K->Errno();
    const struct Output O = {"errno", Integer, sizeof *Errno, 0};
    if (L->K->Exact && *Errno != L->Errno)
      addDifference(L, &O, 0, 0, O.Name, (u32)*Errno, (u32)L->Errno);
    *Errno = L->Errno;
  }
  compareRest(L);
  for (u32 I = 0; I != L->K->NumOutputs; ++I) {
    compareOutput(L, I + 1, Places);
    Places += 1 + L->K->Outputs[I].Rank;
  }
  comparePieces(L);
  report(L);
  setErrno(L->K, L->Errno);
  release(L);
}

/// The loops left the nest where the generated code would not have.
void dl_check_left(struct Log *L) {
  if (!L)
    return;
  if (!L->K->Continues || isFirst(L->K))
    print(L->K, "the loop is left early, the generated code does not see that");
  if (!L->K->Continues)
    abort();
  release(L);
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

u64 dl_check_now(void) {
  struct Time T = {0, 0};
  timespec_get(&T, 1);
  return (u64)T.Seconds * 1000000000u + (u64)T.Nanoseconds;
}

/// \p Side: 0 for generated code, 1 for the loops.
void dl_check_count(const struct Kernel *K, u32 Side, u64 Since) {
  u64 Time = dl_check_now() - Since;
  __atomic_fetch_add(&K->Counts->Runs[Side], 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&K->Counts->Time[Side], Time, __ATOMIC_RELAXED);
}

/// A line for each kernel that ran.
void dl_check_print_counts(const struct Kernel *K) {
  char Text[256];
  const struct Counts *C = K->Counts;
  if (!C->Runs[0] && !C->Runs[1])
    return;
  snprintf(Text, sizeof Text,
           "generated code %llu times, %.6f s; loops %llu times, %.6f s",
           C->Runs[0], 1e-9 * (double)C->Time[0], C->Runs[1],
           1e-9 * (double)C->Time[1]);
  print(K, Text);
}
