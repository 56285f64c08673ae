// Products of MLIR's linalg dialect have one text, whatever becomes of their loops
// on the way to LLVM IR: as they are, in tiles, unrolled, jammed, or as one loop
// whose index is divided (with quotients that round down).
//
// REQUIRES: llvm-22
//
// DEFINE: %{loops} =
// DEFINE: %{lower} = -lower-affine -convert-scf-to-cf -convert-arith-to-llvm -finalize-memref-to-llvm -convert-func-to-llvm -convert-cf-to-llvm -reconcile-unrealized-casts
// DEFINE: %{kernels} = %mlir-opt --pass-pipeline="builtin.module(func.func(%{loops}))" %s | %mlir-opt %{lower} | %mlir-translate --mlir-to-llvmir -o %t.ll && %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll
//
// REDEFINE: %{loops} = convert-linalg-to-loops
// RUN: %{kernels} | FileCheck %s --check-prefix=PRODUCT
// REDEFINE: %{loops} = convert-linalg-to-parallel-loops
// RUN: %{kernels} | FileCheck %s --check-prefix=PRODUCT
// REDEFINE: %{loops} = convert-linalg-to-affine-loops,affine-loop-tile{tile-size=32}
// RUN: %{kernels} | FileCheck %s --check-prefix=PRODUCT
// REDEFINE: %{loops} = convert-linalg-to-affine-loops,affine-loop-unroll{unroll-factor=4}
// RUN: %{kernels} | FileCheck %s --check-prefix=PRODUCT
// REDEFINE: %{loops} = convert-linalg-to-affine-loops,affine-loop-unroll-jam{unroll-jam-factor=4}
// RUN: %{kernels} | FileCheck %s --check-prefix=PRODUCT
// REDEFINE: %{loops} = convert-linalg-to-affine-loops,affine-loop-tile{tile-size=16},affine-loop-normalize
// RUN: %{kernels} | FileCheck %s --check-prefix=PRODUCT
//
// The rows of one loop are as many as its rounds are worth.
//
// REDEFINE: %{loops} = convert-linalg-to-affine-loops,affine-loop-coalescing,affine-loop-normalize
// RUN: %{kernels} | FileCheck %s --check-prefix=FLAT
// REQUIRES: mlir

// PRODUCT:      kernel 0 @matmul matmul.nn f32
// PRODUCT:        par i[%[[M:.*]]] par j[%[[N:.*]]]{{ *}}red k[%[[K:[a-z0-9]*]]]
// PRODUCT-NEXT:     %[[C:.*]][i,j] = fadd(%[[C]][i,j], fmul(%[[A:.*]][i,k], %[[B:.*]][k,j]))

// FLAT:      kernel 0 @matmul matmul.nn f32
// FLAT:        par i[floordiv(floordiv(%[[P:.*]], %[[K:.*]]), %[[N:.*]])] par j[%[[N]]] red k[%[[K]]]
// FLAT-NEXT:     %[[C:.*]][i,j] = fadd(%[[C]][i,j], fmul(%[[A:.*]][i,k], %[[B:.*]][k,j]))
// FLAT:        needs    inrange(0 <= mod(%[[P]], %[[K]]) <= 0)
// FLAT:        needs    inrange(0 <= mod(floordiv(%[[P]], %[[K]]), %[[N]]) <= 0)
func.func @matmul(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  linalg.matmul ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>)
                outs(%C : memref<?x?xf32>)
  return
}

// PRODUCT:      kernel 0 @batch matmul.nn.batched f32
// PRODUCT:        par i[%{{.*}}] par j[%{{.*}}] par k[%{{.*}}]{{ *}}red l[%{{[a-z0-9]*}}]
// PRODUCT-NEXT:     %[[C:.*]][i,j,k] = fadd(%[[C]][i,j,k], fmul(%{{.*}}[i,j,l], %{{.*}}[i,l,k]))
func.func @batch(%A: memref<?x?x?xf32>, %B: memref<?x?x?xf32>, %C: memref<?x?x?xf32>) {
  linalg.batch_matmul ins(%A, %B : memref<?x?x?xf32>, memref<?x?x?xf32>)
                      outs(%C : memref<?x?x?xf32>)
  return
}

// PRODUCT:      kernel 0 @weights_as_rows matmul.nt f32
// PRODUCT:        fadd(%[[C:.*]][i,j], fmul(%{{.*}}[i,k], %{{.*}}[j,k]))
// FLAT:         kernel 0 @weights_as_rows matmul.nt f32
#rows = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
         affine_map<(m, n, k) -> (m, n)>]
func.func @weights_as_rows(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  linalg.matmul indexing_maps = #rows
                ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>)
                outs(%C : memref<?x?xf32>)
  return
}

// PRODUCT:      kernel 0 @matvec matvec f32
// FLAT:         kernel 0 @matvec matvec f32
func.func @matvec(%A: memref<?x?xf32>, %x: memref<?xf32>, %y: memref<?xf32>) {
  linalg.matvec ins(%A, %x : memref<?x?xf32>, memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

// PRODUCT:      kernel 0 @vecmat vecmat f32
// FLAT:         kernel 0 @vecmat vecmat f32
func.func @vecmat(%x: memref<?xf32>, %A: memref<?x?xf32>, %y: memref<?xf32>) {
  linalg.vecmat ins(%x, %A : memref<?xf32>, memref<?x?xf32>) outs(%y : memref<?xf32>)
  return
}
