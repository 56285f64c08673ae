//===- Memory.cpp - Arrays and locals of a run ----------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Memory.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace llvm;
using namespace dlopt;

/// Elements of one local; more is a mistake in a shape.
static constexpr int64_t MaxElements = int64_t(1) << 26;

std::string BufferState::allocate(ScalarType NewTy,
                                  ArrayRef<int64_t> NewShape) {
  Ty = NewTy;
  Shape.assign(NewShape.begin(), NewShape.end());
  int64_t Elements = 1;
  for (int64_t &Extent : Shape) {
    Extent = std::max<int64_t>(Extent, 0);
    if (MulOverflow(Elements, Extent, Elements) || Elements > MaxElements)
      return "is too large";
  }
  Values.assign(Elements, 0);
  Assigned.assign(Elements, false);
  return "";
}

std::string BufferState::locate(int64_t Offset, size_t &Byte) const {
  int64_t Size = getSizeInBytes(Ty), Begin = 0, End = 0;
  bool Outside =
      MulOverflow(Offset, Size, Begin) ||
      AddOverflow(Begin, static_cast<int64_t>(Array.Origin), Begin) ||
      AddOverflow(Begin, Size, End) || Begin < 0 ||
      End > static_cast<int64_t>(Array.Bytes.size());
  if (Outside)
    return ("is outside of its array: element " + Twine(Offset) + " with " +
            Twine(Array.Bytes.size()) + " bytes from " +
            Twine(-static_cast<int64_t>(Array.Origin)))
        .str();
  Byte = static_cast<size_t>(Begin);
  return "";
}

std::string BufferState::locate(ArrayRef<int64_t> Subs, size_t &Element) const {
  Element = 0;
  for (auto [Sub, Extent] : zip(Subs, Shape)) {
    if (Sub < 0 || Sub >= Extent)
      return ("is outside of its shape: " + Twine(Sub) + " of " + Twine(Extent))
          .str();
    Element = Element * Extent + Sub;
  }
  return "";
}

void BufferState::touch(size_t Byte) {
  auto Address = reinterpret_cast<uintptr_t>(Array.Bytes.data()) + Byte;
  TouchedBegin = std::min(TouchedBegin, Address);
  TouchedEnd = std::max<uintptr_t>(TouchedEnd, Address + getSizeInBytes(Ty));
}

/// Through integers of the element's size, so that the host's byte order is
/// that of the kernel.
uint64_t BufferState::load(size_t Byte) {
  touch(Byte);
  const uint8_t *From = Array.Bytes.data() + Byte;
  auto Read = [From](auto Value) -> uint64_t {
    std::memcpy(&Value, From, sizeof(Value));
    return Value;
  };
  switch (getSizeInBytes(Ty)) {
  case 1:
    return Ty == ScalarType::I1 ? Read(uint8_t()) & 1 : Read(uint8_t());
  case 2:
    return Read(uint16_t());
  case 4:
    return Read(uint32_t());
  default:
    return Read(uint64_t());
  }
}

void BufferState::store(size_t Byte, uint64_t Bits) {
  touch(Byte);
  uint8_t *To = Array.Bytes.data() + Byte;
  auto Write = [To](auto Value) { std::memcpy(To, &Value, sizeof(Value)); };
  switch (getSizeInBytes(Ty)) {
  case 1:
    return Write(static_cast<uint8_t>(Bits));
  case 2:
    return Write(static_cast<uint16_t>(Bits));
  case 4:
    return Write(static_cast<uint32_t>(Bits));
  default:
    return Write(Bits);
  }
}

std::string BufferState::loadLocal(size_t Element, uint64_t &Bits) const {
  if (!Assigned[Element])
    return "is read before it is assigned";
  Bits = Values[Element];
  return "";
}

void BufferState::storeLocal(size_t Element, uint64_t Bits) {
  Values[Element] = Bits;
  Assigned[Element] = true;
}
