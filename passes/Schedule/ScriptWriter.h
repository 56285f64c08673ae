//===- ScriptWriter.h - Fills the holes of scripts --------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_SCHEDULE_SCRIPTWRITER_H
#define DLOPT_SCHEDULE_SCRIPTWRITER_H

#include "StrategyRoles.h"
#include "dlopt/Target.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

namespace dlopt {

/// What the arrays of a script have on the stack, all together. Threads of musl
/// have 128 KB.
constexpr uint64_t ScriptStackBytes = 24 * 1024;

/// Of the lanes of vectors: those that nobody wants cost as much as the others.
constexpr uint64_t LeastPercent = 60;

/// The axes of a convolution of channels in front.
struct Planes {
  std::optional<AxisId> Row;             ///< of the result, around the lanes'
  std::optional<AxisId> Channel, Column; ///< of sums
  const Access *Pixels = nullptr, *Weights = nullptr;
};

/// How a strip of rows is cut (FilterStrips.cpp). Extents are of the kernel.
struct StripSizes {
  std::optional<uint64_t> Filters, Height, Width, Channels;
  uint64_t Lanes = 1, Window = 1, Columns = 1, Rows = 1, Depth = 1;
  uint64_t Together = 1;               ///< rows whose sums are in registers
  llvm::SmallVector<uint64_t, 6> Runs; ///< pixels in registers

  /// Of all strips, if they have the same number.
  std::optional<uint64_t> getColumns() const {
    return Width && *Width % Columns == 0 ? std::optional(Columns)
                                          : std::nullopt;
  }
  /// Sums of one lane.
  uint64_t getPixels() const { return llvm::alignTo(Rows * Columns, Lanes); }
};

struct DotSizes; // Dots.h

/// The part of a sum for which factors are copied: all of its innermost loops
/// that fit, and blocks of the one around them.
struct SumPart {
  size_t Split = 0;      ///< of the sums, cut into blocks
  uint64_t Depth = 1;    ///< elements of that in a block
  uint64_t Elements = 1; ///< of the sums inside of it
};

/// How a convolution of channels behind is cut whose weights are copied
/// (FarFilters.cpp).
struct FarSizes : SumPart {
  std::optional<uint64_t> Height, Width;
  uint64_t Lanes = 1, Strip = 1, Columns = 1, Rows = 1;
  llvm::SmallVector<uint64_t, 6> Runs; ///< pixels in registers
};

/// How a gradient of weights is cut (Gradients.cpp).
struct GradientSizes : SumPart {
  llvm::SmallVector<AxisId, 3> Points; ///< of windows, outermost first
  size_t InMemory = 0;                 ///< that are not in registers
  std::optional<AxisId> Channel;   ///< along which what is packed is the same
  const Access *Weights = nullptr; ///< what is packed
  uint64_t Lanes = 1, Strip = 1, Channels = 1;
  uint64_t NumPoints = 1; ///< of a filter and a channel

  /// Elements of the sum that have a place.
  uint64_t getPacked() const { return llvm::alignTo(Depth * Elements, Lanes); }
};

/// By hole: none, one, or several lines' worth.
using ScriptHoles = llvm::StringMap<llvm::SmallVector<std::string, 4>>;

/// The lines of \p Template with nothing but text; none: one that is needed has
/// nothing that fills it.
llvm::SmallVector<std::string, 24> fillScript(llvm::StringRef Template,
                                              const ScriptHoles &Holes);

/// Fills in \p S with at most \p Most elements; false: there are none.
bool findPart(const Kernel &K, const StrategyRoles &R, uint64_t Most,
              uint64_t Lanes, SumPart &S);

/// Fills the holes of scripts for one kernel.
class ScriptWriter {
public:
  /// \p Vectors: in a strip, if a row says so; \p Rows: that share weights.
  ScriptWriter(Kernel &K, const StrategyRoles &R, const TargetModel &T,
               unsigned Vectors = 0, unsigned Rows = 1)
      : K(K), R(R), Vectors(Vectors), Rows(Rows) {
    nameAll();
    findConditions();
    findStrips(T);
    findSizes(T);
    if (R.Dot)
      writeDot(T);
    if (R.Planes)
      writePlanes(T);
    findFar(T);
    findGradient(T);
  }
  llvm::SmallVector<std::string, 24> write(llvm::StringRef Template) const {
    return fillScript(Template, Holes);
  }
  /// Whether copies are made for numbers of lanes, or of windows, that are not
  /// known.
  bool asksForMany() const { return Holes.contains("many"); }
  bool asksForSmall() const { return Holes.contains("fits"); }

private:
  void nameAll();
  void findConditions();
  void findAsked();
  void chooseUnrolled();
  unsigned getMostTile(unsigned Registers, bool AreNeighbours) const;
  void findSizes(const TargetModel &T);
  void findStrips(const TargetModel &T);
  void nameSums(const Planes &P, const StripSizes &S);
  void findExists();
  void findExists(Poly Low, Poly High, const Poly &Step, AxisId A);
  void addExists(const Poly &P);
  bool isKnownSign(const Poly &P) const;
  /// Lets \p Axes in \p P be where it is the most, or the least; false: that is
  /// not known.
  bool takeEnds(llvm::ArrayRef<AxisId> Axes, bool Most, Poly &P) const;
  /// When \p A, which becomes lanes of \p Lanes, has enough for them, if that
  /// is not known.
  void findMany(AxisId A, uint64_t Lanes);
  void writeDot(const TargetModel &T);
  void writeDotLoops(const InstructionRow &Row, bool HasColumns);
  void writeDotColumns(const InstructionRow &Row, FactorType Own,
                       llvm::StringRef Tile);
  void writeDotFetch(const TargetModel &T, uint64_t Tile);
  void writePixelRows(const DotSizes &S);
  void writePlanes(const TargetModel &T);
  void writeDotSizes(llvm::StringRef Prefix, const DotSizes &S,
                     const InstructionRow &Row);
  void findFar(const TargetModel &T);
  /// \p Strips: sizes of blocks of lanes, of which a vector has \p Lanes.
  void findSpread(llvm::ArrayRef<uint64_t> Strips, unsigned Lanes,
                  unsigned Bytes);
  void findGradient(const TargetModel &T);
  void nameGradient(const GradientSizes &S);
  void namePoints(const GradientSizes &S);
  void findColumns(const GradientSizes &S);
  /// Lists of the axes of sums, of which \p S is a part for \p Strip elements
  /// of the axis \p Lane.
  void namePart(const SumPart &S, uint64_t Strip, llvm::StringRef Lane);
  /// When \p C holds for a whole block, which begins at the sum of \p Blocks
  /// (if they are of the tile alone, else it is of the lanes, and F of the
  /// tile), and for all rounds of \p Sums.
  std::string getInside(const Constraint &C,
                        llvm::ArrayRef<llvm::StringRef> Blocks,
                        llvm::ArrayRef<AxisId> Sums) const;
  /// The same for all conditions of a block; nothing: it makes no case.
  llvm::SmallVector<std::string, 1>
  getInside(llvm::ArrayRef<llvm::StringRef> Blocks,
            llvm::ArrayRef<AxisId> Sums) const;
  bool isInBlocks(const Poly &P) const {
    return K.dependsOn(P, R.Lane) || (R.Tile && K.dependsOn(P, *R.Tile));
  }

  Kernel &K;
  const StrategyRoles &R;
  unsigned Vectors, Rows;
  ScriptHoles Holes;
  llvm::SmallSet<AtomId, 2> Positive; ///< steps that `exists` asks about
};

/// Blocks of \p Size: of one size, if that is known to be all that is needed.
std::string getBlocks(uint64_t Size, std::optional<uint64_t> Extent);
/// \p Sizes of blocks, descending, as far as \p Extent needs them; null: any
/// number. Each size is code of its own.
std::string getSizes(llvm::ArrayRef<uint64_t> Sizes,
                     std::optional<uint64_t> Extent);

/// Blocks of \p Size: of one size, if that is known to be all that is needed.
std::string getBlocks(uint64_t Size, std::optional<uint64_t> Extent);

/// Sizes of runs of pixels, \p Most at once: about the same for all, if \p
/// Columns are known.
llvm::SmallVector<uint64_t, 6> getRuns(uint64_t Most,
                                       std::optional<uint64_t> Columns);

} // namespace dlopt

#endif // DLOPT_SCHEDULE_SCRIPTWRITER_H
