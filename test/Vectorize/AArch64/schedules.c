// Convolutions by scripts: a pixel that is loaded serves three columns of the window.
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-schedule -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.remarks
// RUN: opt -passes='default<O3>' %t.ll -S | llc -O3 -o - | FileCheck %s --check-prefix=ASM
// CHECK: by the script packed, kernel number 1
// CHECK: split f F 4{{$}}
// CHECK: split x X 14{{$}}
// CHECK: mode f,z,e,o_ lanes 4
// ASM-LABEL: dl.schedule.0:
// ASM: {{^}}.LBB{{.*}} %r2.body
// ASM-COUNT-42: fmla v{{[0-9]+}}.4s
// ASM-NOT: {{(ldr|str) q.*\[sp}}
// ASM: b.{{lt|ne}}
void front(const float in[64][58][56 + 2], const float w[64][64][3][3], float out[64][56][56]) {
  for (int f = 0; f < 64; f++)
    for (int y = 0; y < 56; y++)
      for (int x = 0; x < 56; x++) {
        float acc = 0;
        for (int c = 0; c < 64; c++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++)
              acc += in[c][y + r][x + s] * w[f][c][r][s];
        out[f][y][x] = acc;
      }
}
// Windows that move on by two, where filters would leave lanes idle: every second lane of two vectors, or single elements where
// there is no mask for them.
// CHECK: by the script tiles, kernel number 2
// CHECK: mode x lanes 4
// ASM-LABEL: dl.schedule.1:
// ASM: {{ld2|uzp[12]|ext}}
// ASM: fmla v{{[0-9]+}}.4s
void steps(const float in[3][224][224], const float w[2][3][7][7], float out[2][112][112]) {
  for (int f = 0; f < 2; f++)
    for (int y = 0; y < 112; y++)
      for (int x = 0; x < 112; x++) {
        float acc = 0;
        for (int c = 0; c < 3; c++)
          for (int r = 0; r < 7; r++)
            for (int s = 0; s < 7; s++) {
              int yy = 2 * y + r - 3, xx = 2 * x + s - 3;
              if (yy >= 0 && yy < 224 && xx >= 0 && xx < 224)
                acc += in[c][yy][xx] * w[f][c][r][s];
            }
        out[f][y][x] = acc;
      }
}
// Weights far apart: two vectors of filters are packed for seven pixels and more.
// CHECK: by the script far, kernel number 3
// CHECK: split x W 8{{$}}
// CHECK: split f X 14{{$}}
// CHECK: mode x_ row interleave4
// ASM-LABEL: dl.schedule.2:
// ASM-COUNT-28: fmla v{{[0-9]+}}.4s
void far(const float in[58][58][64], const float w[64][3][3][64], float out[56][56][64]) {
  for (int y = 0; y < 56; y++)
    for (int x = 0; x < 56; x++)
      for (int f = 0; f < 64; f++) {
        float acc = 0;
        for (int r = 0; r < 3; r++)
          for (int s = 0; s < 3; s++)
            for (int c = 0; c < 64; c++)
              acc += in[y + r][x + s][c] * w[f][r][s][c];
        out[y][x][f] = acc;
      }
}
