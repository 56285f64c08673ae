// What the last iteration stores is the bound: the loop goes on.
// RUN: %check
// Not self-checked: nests that are no kernels are not compared
#define FIRST 9
#include "FieldUntested.c"
