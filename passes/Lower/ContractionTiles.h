//===- ContractionTiles.h - Register tiles of a contraction -----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How the kernel of .tiles is written: ContractionTiles.cpp has its loops over
/// rows and columns, ContractionTile.cpp what is done in one tile.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_LOWER_CONTRACTIONTILES_H
#define DLOPT_LOWER_CONTRACTIONTILES_H

#include "ContractionEmitter.h"
#include "ContractionPanels.h"
#include <map>

namespace dlopt::contraction {

/// Rows that are computed by tiles of \p Sizes.
struct RowPart {
  llvm::SmallVector<unsigned, 4> Sizes;
  std::string First, Last;
  bool IsMain = false;   ///< whole tiles
  bool IsNarrow = false; ///< too few chains
};

/// Writes the kernel of .tiles.
class TilesWriter : PanelText {
public:
  TilesWriter(llvm::IRBuilderBase &B, const ContractionSpec &S,
              const ContractionPlan &P, const TilesArgs &T);
  std::string write();
  using ContractionText::emit;

private:
  void addRows(llvm::ArrayRef<unsigned> Sizes, llvm::Value *End);
  void addAllRows();
  void addWide(llvm::Value *PanelStep);
  void addNumbers(const TilesArgs &T);
  bool isNarrow(unsigned Rows) const {
    return Rows * Plan.TileVectors < Plan.MinChains;
  }
  void addMatrices(const TilesArgs &T);
  std::string getA(const RowPart &R, const llvm::Twine &K) const;
  std::string writeRows(const RowPart &R);
  std::string writeWhole(const RowPart &R, llvm::StringRef Begin,
                         llvm::StringRef End, unsigned Width);
  std::string writeRest(const RowPart &R);
  std::string writeTile(const RowPart &R, llvm::StringRef Begin,
                        llvm::StringRef End, llvm::StringRef Blocks,
                        unsigned Most, bool IsMain);
  std::string writeStart();
  std::string writeSteps(const RowPart &R, bool IsMain);
  std::string writeResults();
  std::string writeStores(llvm::StringRef From, llvm::StringRef To,
                          llvm::StringRef Last, llvm::StringRef Tile);
  std::string writeWholeStores(llvm::StringRef To, llvm::StringRef From,
                               llvm::StringRef Last, llvm::StringRef Inside,
                               llvm::StringRef Tile);
  void addTile(llvm::StringRef Name, llvm::StringRef From);
  bool storesParts() const {
    return IsPartial && Plan.MaskedLoads && !Plan.MaskedStores;
  }

  llvm::Value *M, *N;
  llvm::SmallVector<RowPart, 4> Parts;
  struct TileMemory {
    llvm::StringRef Type;
    unsigned Width = 0;
  };
  std::map<std::string, TileMemory> Memory;
  unsigned Width = 0; ///< columns of the tile that is being written
  bool IsTriangle, IsLower;
  /// On which condition tiles have elements, if that is asked.
  std::string Exists;
  /// Not all lanes exist.
  bool IsPartial = false;
};

} // namespace dlopt::contraction

#endif // DLOPT_LOWER_CONTRACTIONTILES_H
