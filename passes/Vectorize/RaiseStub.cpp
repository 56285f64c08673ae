// Until the raiser is complete: finds nothing. Weak, so that it gives way.
#include "dlopt/Raise.h"

namespace dlopt {
__attribute__((weak)) RaiseResult
raiseFunction(llvm::Function &, llvm::FunctionAnalysisManager &) {
  return {};
}
__attribute__((weak)) std::optional<RaisedKernel>
raiseNest(llvm::Loop &, llvm::Function &, llvm::FunctionAnalysisManager &) {
  return std::nullopt;
}
} // namespace dlopt
