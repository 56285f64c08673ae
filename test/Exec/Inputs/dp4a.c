// What dp4a computes, by its definition in the PTX ISA.
#define DP4A(SUFFIX, NAME, A, B)                                               \
  int NAME(int X, int Y, int Sum) __asm__("idp4a." SUFFIX);                    \
  int NAME(int X, int Y, int Sum) {                                            \
    unsigned Result = (unsigned)Sum;                                           \
    for (int I = 0; I != 4; ++I)                                               \
      Result += (unsigned)((A)(X >> 8 * I) * (B)(Y >> 8 * I));                 \
    return (int)Result;                                                        \
  }
DP4A("s.s", ss, signed char, signed char)
DP4A("u.u", uu, unsigned char, unsigned char)
DP4A("u.s", us, unsigned char, signed char)
