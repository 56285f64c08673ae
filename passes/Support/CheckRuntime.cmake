# What programs that check themselves call becomes part of their modules, as
# bitcode, for which any 64-bit target does (CheckLink.cpp).
find_program(DLOPT_CLANG clang-${LLVM_VERSION_MAJOR}
  HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
set(runtime ${CMAKE_CURRENT_BINARY_DIR}/CheckRuntime)
add_custom_command(
  OUTPUT ${runtime}.inc
  COMMAND ${DLOPT_CLANG} --target=x86_64-unknown-linux-gnu -std=c23 -O1
    -ffreestanding -fno-vectorize -fno-slp-vectorize -fno-stack-protector
    -Wall -Wextra -Werror -emit-llvm -c -o ${runtime}.bc
    ${CMAKE_CURRENT_LIST_DIR}/CheckRuntime.c
  COMMAND ${CMAKE_COMMAND} -DFROM=${runtime}.bc -DTO=${runtime}.inc
    -P ${CMAKE_CURRENT_LIST_DIR}/EmbedBytes.cmake
  DEPENDS ${CMAKE_CURRENT_LIST_DIR}/CheckRuntime.c
    ${CMAKE_CURRENT_LIST_DIR}/EmbedBytes.cmake
  VERBATIM)
target_sources(DLOptObjects PRIVATE ${runtime}.inc)
target_include_directories(DLOptObjects PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
