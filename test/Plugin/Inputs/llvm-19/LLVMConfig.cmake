# Stands for an LLVM of another major version.
set(LLVM_FOUND TRUE)
set(LLVM_VERSION_MAJOR 19)
set(LLVM_PACKAGE_VERSION 19.1.0)
