// A private tensor between two layers, and the same program with exactly one thing
// broken: then all stays as it is, and a remark says why.
// REQUIRES: x86-registered-target
// DEFINE: %{break} = -DCONSTANT
// DEFINE: %{to} = to=nhwc
// DEFINE: %{compile} = %clang --target=x86_64-linux-gnu -march=x86-64-v3 -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm
// DEFINE: %{layout} = %{compile} %{break} %s -o %t.in.ll && \
// DEFINE:   %opt -passes='dl-prepare<all>' -S %t.in.ll -o %t.ll && \
// DEFINE:   %opt -passes='dl-layout<prepared;%{to}>,verify' -pass-remarks=dl-layout -pass-remarks-missed=dl-layout -S %t.ll -o %t.out.ll 2> %t.txt
// DEFINE: %{plain} = sed '1d; s/ *; preds.*//'
// DEFINE: %{kept} = %{layout} && %{plain} %t.ll > %t.a && %{plain} %t.out.ll > %t.b && cmp %t.a %t.b
//
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefixes=DONE,CONSTANT
// RUN: FileCheck %s --input-file=%t.out.ll --check-prefix=IR
// DONE-DAG: remark: {{.*}}: buf: 16 channels innermost, 64 elements each
// CONSTANT: remark: {{.*}}: weights: 16 channels innermost, 32 elements each
// The constants are where they are looked for: w[0][0], w[1][0], ...
// (LLVM 19 cannot change the type of what has a value.)
// IR: @weights = internal constant {{(\[512 x float\] \[|.*)float 1.000000e\+00, (\[31 x float\] \[)?float 2.000000e\+00, float 0.000000e\+00}}
//
// Another run changes nothing.
// RUN: %opt -passes='dl-layout<prepared;to=nhwc>' -S %t.out.ll -o %t.twice.ll
// RUN: %{plain} %t.out.ll > %t.a && %{plain} %t.twice.ll > %t.b && cmp %t.a %t.b
//
// REDEFINE: %{break} = -DFLAT
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// REDEFINE: %{break} = -DFILLED
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// REDEFINE: %{break} = -DELEMENT
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// RUN: FileCheck %s --input-file=%t.out.ll --check-prefix=ELEMENT
// buf[1][0][2] is element 2 * 16 + 1.
// ELEMENT: load float, ptr getelementptr (float, ptr @buf, i64 33)
// REDEFINE: %{break} = -DLOCAL
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// REDEFINE: %{break} = -DUNION
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=UNION
// UNION-DAG: 16 channels innermost, 64 elements each
// UNION-DAG: buf: {{[0-9]+}} channels innermost, 8 elements each
// REDEFINE: %{break} = -DINITIAL
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// RUN: FileCheck %s --input-file=%t.out.ll --check-prefix=INITIAL
// INITIAL: @buf = internal global {{.*}}[{{[0-9]+}} x float] [float 1.000000e+00, float 0.000000e+00,
//
// L1
// REDEFINE: %{break} = -DSTATIC=
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=EXPORTED
// REDEFINE: %{break} = -DATTRIBUTE='__attribute__((used))'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=EXPORTED
// REDEFINE: %{break} = -DATTRIBUTE='__attribute__((section("x")))'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=EXPORTED
// REDEFINE: %{break} = -DATTRIBUTE=__thread
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --allow-empty --check-prefix=NOTHING
// EXPORTED: left alone: other modules may see the array {{.*}}: buf
// L2, L16, L17, L23
// REDEFINE: %{break} = -DTHEN='unknown(buf);'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=ESCAPES
// REDEFINE: %{break} = -DTHEN='kept=buf[1][0];'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=ESCAPES
// REDEFINE: %{break} = -DTHEN='if((unsigned long)buf%4096==0)*out=1;'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=ESCAPES
// REDEFINE: %{break} = -DTABLE
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=TABLE
// ESCAPES: left alone: what is done with the array's address is not understood: buf
// TABLE: left alone: other modules may see the array {{.*}}: buf
// L4
// REDEFINE: %{break} = -DROW=65
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=BEYOND
// BEYOND: left alone: an index may leave its dimension: buf
// L6 - sums over all elements keep their order, whatever that of the elements is.
// REDEFINE: %{break} = -DTHEN='{float_s=0;for(int_i=0;i<1024;i++)s+=buf[0][0][i];*out=s;}'
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// RUN: FileCheck %s --input-file=%t.out.ll --check-prefix=ORDER
// ORDER-NOT: {{fadd (fast|reassoc)|vector.reduce}}
// Where an index is a value, it is that of the source.
// REDEFINE: %{break} = -DTHEN='for(int_i=0;i<1024;i++)if(buf[0][0][i]>*out){*out=buf[0][0][i];out[1]=i;}'
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// L7
// REDEFINE: %{break} = -DFLAT -DFIRST=1
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=BEYOND
// L9, L10 - whole rows are set and copied in loops over them, all of one array by the
// call, as long as both have one order.
// REDEFINE: %{break} = -DTHEN='__builtin_memset(buf[3],0,sizeof(buf[3]));'
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// RUN: FileCheck %s --input-file=%t.out.ll --check-prefix=LOOPS
// REDEFINE: %{break} = -DTHEN='__builtin_memcpy(out,buf,sizeof(buf));'
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// RUN: FileCheck %s --input-file=%t.out.ll --check-prefix=LOOPS
// LOOPS-NOT: call {{.*}}llvm.mem
// REDEFINE: %{break} = -DTHEN='__builtin_memset(buf,1,sizeof(buf));'
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// RUN: FileCheck %s --input-file=%t.out.ll --check-prefix=SET
// SET: call {{.*}}@llvm.memset{{.*}} @buf, i8 1, i64 4096,
// REDEFINE: %{break} = -DCOPY=16
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefixes=DONE,COPY
// RUN: FileCheck %s --input-file=%t.out.ll --check-prefix=CALL
// COPY: remark: {{.*}}: copy: 16 channels innermost, 64 elements each
// CALL: call {{.*}}@llvm.memcpy{{.*}} @copy, {{.*}} @buf, i64 4096,
// Half of the channels of one is no whole array in the order of both.
// REDEFINE: %{break} = -DCOPY=8
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefixes=DONE
// RUN: FileCheck %s --input-file=%t.out.ll --check-prefix=LOOPS
// REDEFINE: %{break} = -DTHEN='__builtin_memset(buf[3][0]+1,0,sizeof(buf[3]));'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=BEYOND
// REDEFINE: %{break} = -DTHEN='__builtin_memcpy(out,buf[0][1],sizeof(buf[0]));'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=BEYOND
// REDEFINE: %{break} = -DTHEN='__builtin_memset(buf[3],0,4*where[0]);'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=PART
// REDEFINE: %{break} = -DTHEN='__builtin_memcpy(out,buf,sizeof(buf)-1);'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=PART
// REDEFINE: %{break} = -DTHEN='__builtin_memmove(buf[1],buf,sizeof(buf)/2);'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=PART
// Rows in loops.
// REDEFINE: %{break} = -DTHEN='for(int_c=0;c<16;c++)__builtin_memset(buf[c][1],0,sizeof(buf[c][1]));'
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// RUN: FileCheck %s --input-file=%t.out.ll --check-prefix=LOOPS
// REDEFINE: %{break} = -DTHEN='for(int_c=0;c<16;c++)for(int_i=0;i<8;i++)__builtin_memcpy(out+c*80+i*9,buf[c][i],sizeof(buf[c][i]));'
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// RUN: FileCheck %s --input-file=%t.out.ll --check-prefix=LOOPS
// More than a row, part of an element, as many as something says, to itself.
// REDEFINE: %{break} = -DTHEN='for(int_c=0;c<15;c++)__builtin_memset(buf[c][1],0,sizeof(buf[c]));'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=BEYOND
// REDEFINE: %{break} = -DTHEN='for(int_c=0;c<16;c++)__builtin_memset(buf[c],0,6);'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=PART
// REDEFINE: %{break} = -DTHEN='for(int_c=0;c<16;c++)__builtin_memset(buf[c],0,4*(unsigned)where[c]);'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=LENGTH
// LENGTH: left alone: an index may leave its dimension: buf
// REDEFINE: %{break} = -DTHEN='for(int_c=1;c<16;c++)__builtin_memcpy(buf[c],buf[c-1],sizeof(buf[c]));'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=PART
// REDEFINE: %{break} = -DTHEN='for(int_c=0;c<16;c++)__builtin_memcpy(out+c*64,(char*)buf[c]+1,252);'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=PART
// PART: left alone: a part of the array is set, copied or passed on by itself: buf
// L11
// REDEFINE: %{break} = -DTHEN='*(int*)&buf[1][0][2]=1;'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=PUNNED
// PUNNED: left alone: elements are accessed as another type, in part or under-aligned: buf
// L12, where the second tensor is not written as a whole, so what is read may be of the
// first one, in an order that suits both.
// REDEFINE: %{break} = -DUNION -DROWS=31
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=ONE
// ONE-COUNT-1: elements each
// ONE-NOT: elements each
// L13 - what is not written stays what it was: zeros, or nothing that is known.
// REDEFINE: %{break} = -DWRITTEN=15
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// REDEFINE: %{break} = -DWRITTEN=15 -DLOCAL
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// But then what one tensor leaves may be read as the other one.
// REDEFINE: %{break} = -DUNION -DWRITTEN=15
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=ONE
// L14
// REDEFINE: %{break} = -DPOINTERS
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=INITIALIZER
// INITIALIZER: left alone: its initial value is not one of elements: buf
// L18
// REDEFINE: %{break} = -DTHEN='((volatile float(*)[8][8])buf)[1][0][2];'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=VOLATILE
// VOLATILE: left alone: a volatile access: buf
// L19 - threads.
// REDEFINE: %{break} = -DTHEN='pthread_create(&thread,0,work,buf);'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=THREAD
// THREAD: left alone: what is done with the array's address is not understood: buf: pthread_create
// Their bodies are functions like others, whose bounds are not known.
// REDEFINE: %{break} = -fopenmp -DPARALLEL
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=BODY
// BODY: left alone: {{.*}}: buf
// L20, and see jumps.c
// REDEFINE: %{break} = -DTHEN='if(setjmp(env))return;'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --allow-empty --check-prefix=NOTHING
// L21 - loops that may be left early are none.
// REDEFINE: %{break} = -DTHEN='for(int_i=0;i<1024;i++)if(buf[0][0][i]<0)return;'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=USED
// REDEFINE: %{break} = -DTHEN='for(int_i=0;i<1024;i++)if((out[i]=buf[0][0][i])<0)abort();'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=USED
// USED: left alone: elements are used outside of what is known to be a kernel: buf
// L22 - a state that runs through rows or planes keeps the order of its rounds.
// REDEFINE: %{break} = -DTHEN='for(int_c=0;c<16;c++)for(int_i=1;i<64;i++)buf[c][0][i]+=buf[c][0][i-1];'
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// REDEFINE: %{break} = -DTHEN='for(int_c=1;c<16;c++)for(int_i=0;i<64;i++)buf[c][0][i]+=buf[c-1][0][i];'
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// From one row to the next there are no rows.
// REDEFINE: %{break} = -DTHEN='for(int_i=1;i<1024;i++)buf[0][0][i]+=buf[0][0][i-1];'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=BEYOND
// L25
// REDEFINE: %{break} = -DOPTION='__attribute__((optnone,noinline))'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --allow-empty --check-prefix=NOTHING
// REDEFINE: %{break} = -fsanitize=address
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --allow-empty --check-prefix=NOTHING
// NOTHING-NOT: innermost
// L26
// REDEFINE: %{break} = -DCHANNEL=where[c]
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=BEYOND
// L27 - what is said of an address would not be true of another.
// REDEFINE: %{break} = -DTHEN='*out=*(float*)__builtin_assume_aligned(buf[1],64);'
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=ASSUMED
// ASSUMED: left alone: what is done with the array's address is not understood: buf: llvm.assume
// Alignments are those of elements.
// REDEFINE: %{break} = -DTHEN='*out=*(float16*)buf[1][0];'
// RUN: %{layout} && FileCheck %s --input-file=%t.txt --check-prefix=DONE
// RUN: FileCheck %s --input-file=%t.out.ll --check-prefix=ALIGNED
// ALIGNED: load float, ptr getelementptr (float, ptr @buf, i64 1), align 4
// L15, L28 - there is no padding, so arrays are as large as they were.
// RUN: FileCheck %s --input-file=%t.out.ll --check-prefix=SIZE
// SIZE: @buf = internal global [16 x [8 x [8 x float]]]
// What is not private needs a test at run time.
// REDEFINE: %{break} = -DRESTRICT=
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=GUARD
// GUARD: left alone: its loops are a kernel only if a test at run time says so: buf
// Nothing would be gained.
// REDEFINE: %{to} = to=auto
// REDEFINE: %{break} = -DLONG=1
// RUN: %{kept} && FileCheck %s --input-file=%t.txt --check-prefix=GAIN
// GAIN: left alone: no other order makes more loops run in vectors: buf

#ifndef STATIC
#define STATIC static
#endif
#ifndef ATTRIBUTE
#define ATTRIBUTE
#endif
#ifdef INITIAL
#define VALUES = {{{1, 2, 3}, {4, 5, 6}}}
#else
#define VALUES
#endif
#ifndef THEN
#define THEN
#endif
#ifndef OPTION
#define OPTION
#endif
#ifndef RESTRICT
#define RESTRICT restrict
#endif
#ifndef ROW
#define ROW 64
#endif
#ifndef ROWS
#define ROWS 32
#endif
#ifndef FIRST
#define FIRST 0
#endif
#ifndef LONG
#define LONG 32
#endif
#ifndef CHANNEL
#define CHANNEL c
#endif

#ifndef WRITTEN
#define WRITTEN 16
#endif
#define int_c int c
#define int_i int i
#define float_s float s

typedef float float16 __attribute__((aligned(16)));
void unknown(void *);
void abort(void) __attribute__((noreturn));
unsigned long thread;
void *work(void *);
int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
int setjmp(int *) __attribute__((returns_twice));
int env[64], where[16];
float *kept;

#if defined(UNION)
static union {
  float a[16][8][8];
  float b[32][4][8];
} buf;
#define BUF buf.a
#elif defined(POINTERS)
static union {
  int *p;
  float a[16][8][8];
} buf = {env};
#define BUF buf.a
#elif !defined(LOCAL)
STATIC ATTRIBUTE float buf[16][8][8] VALUES;
#endif
#ifndef BUF
#define BUF buf
#endif
#ifdef COPY
static float copy[16][8][8];
#endif
#ifdef CONSTANT
static const float weights[16][32] = {{1}, {2}};
#define PARAMETER
#else
#define PARAMETER const float (*RESTRICT weights)[32],
#endif
#ifdef TABLE
float *rows[2] = {buf[0][0], buf[1][0]};
#endif

OPTION void net(PARAMETER const float *RESTRICT in, float *RESTRICT out) {
#ifdef LOCAL
  float buf[16][8][8];
#endif
#ifdef FILLED
  __builtin_memset(buf, 0, sizeof buf);
#endif
#ifdef PARALLEL
#pragma omp parallel for
#endif
  for (int c = 0; c < WRITTEN; c++)
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++) {
        float s = 0;
        for (int l = 0; l < LONG; l++)
          s += in[l * 64 + i * 8 + j] * weights[c][l];
        BUF[c][i][j] = s;
      }
#ifdef FLAT
  const float *r = BUF[0][0];
  for (int i = 0; i + FIRST < 1024; i++)
    out[i] = r[i + FIRST] > 0 ? r[i + FIRST] : 0;
#else
  for (int c = 0; c < 16 - (ROW > 64); c++) {
    const float *r = BUF[CHANNEL][0];
    for (int p = 0; p < ROW; p++)
      out[c * 65 + p] = r[p] * 2 + in[p];
  }
#endif
#ifdef UNION
  for (int c = 0; c < ROWS; c++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 8; j++) {
        float s = 0;
        for (int l = 0; l < 32; l++)
          s += in[l * 64 + i * 8 + j] * weights[c / 2][l];
        buf.b[c][i][j] = s;
      }
  for (int c = 0; c < 32; c++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 8; j++)
        out[2000 + (c * 4 + i) * 8 + j] = buf.b[c][i][j];
#endif
#ifdef COPY
  __builtin_memcpy(copy, buf, COPY * sizeof(buf[0]));
  for (int c = 0; c < 16; c++)
    for (int p = 0; p < 64; p++)
      out[c * 65 + p] = copy[c][0][p] + in[p];
#endif
#ifdef ELEMENT
  *out = buf[1][0][2];
#endif
  THEN
}
