# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# find_package(DLOpt) gives
#
#   DLOpt_PLUGIN       the plugin, for -fpass-plugin= and the like
#   DLOpt_LLVM_MAJORS  versions of LLVM that it is for
#
#   dlopt_enable(<target> [FP exact|fast] [OPTIONS <key>=<value>...] [REPORT])
#
# which compiles a target with the plugin, and links it so where lld optimizes. FP and
# OPTIONS are those of docs/options.md; REPORT prints what became of each kernel.

cmake_minimum_required(VERSION 3.20)

# An installation has the plugin in lib/dlopt, a build in lib.
foreach(DLOpt_folder "${CMAKE_CURRENT_LIST_DIR}/../../dlopt" "${CMAKE_CURRENT_LIST_DIR}/../..")
  if(EXISTS "${DLOpt_folder}/libDLOpt.so")
    get_filename_component(DLOpt_PLUGIN "${DLOpt_folder}/libDLOpt.so" ABSOLUTE)
    break()
  endif()
endforeach()
unset(DLOpt_folder)
if(NOT DLOpt_PLUGIN)
  set(DLOpt_FOUND FALSE)
  set(DLOpt_NOT_FOUND_MESSAGE "there is no libDLOpt.so beside ${CMAKE_CURRENT_LIST_DIR}: install DLOpt again")
  return()
endif()
get_filename_component(DLOpt_LLVM_MAJORS "${DLOpt_PLUGIN}" DIRECTORY)
file(GLOB DLOpt_LLVM_MAJORS "${DLOpt_LLVM_MAJORS}/libDLOpt-*.so")
list(TRANSFORM DLOpt_LLVM_MAJORS REPLACE ".*-([0-9]+)\\.so$" "\\1")

# Sets `result` to why the compiler of a language cannot load the plugin; to nothing if
# it can.
function(_dlopt_misfit language result)
  set(id "${CMAKE_${language}_COMPILER_ID}")
  set(version "${CMAKE_${language}_COMPILER_VERSION}")
  string(REGEX MATCH "^[0-9]+" major "${version}")
  set(${result} "" PARENT_SCOPE)
  if(NOT id MATCHES "^(Clang|LLVMFlang)$"
      OR CMAKE_${language}_COMPILER_FRONTEND_VARIANT STREQUAL "MSVC"
      OR NOT major IN_LIST DLOpt_LLVM_MAJORS)
    set(${result} "the ${language} compiler is ${id} ${version}" PARENT_SCOPE)
  endif()
endfunction()

# Sets `result` to TRUE if a target is linked by lld.
function(_dlopt_uses_lld target result)
  get_target_property(options ${target} LINK_OPTIONS)
  get_target_property(type ${target} LINKER_TYPE)
  set(flags "${options} ${CMAKE_EXE_LINKER_FLAGS} ${CMAKE_SHARED_LINKER_FLAGS} ${CMAKE_MODULE_LINKER_FLAGS}")
  if(flags MATCHES "-fuse-ld=[^ ;]*lld|--ld-path=[^ ;]*lld" OR type STREQUAL "LLD"
      OR CMAKE_LINKER_TYPE STREQUAL "LLD")
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

function(dlopt_enable target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "REPORT" "FP" "OPTIONS")
  if(NOT TARGET ${target})
    message(FATAL_ERROR " dlopt_enable(${target}): there is no such target")
  elseif(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR " dlopt_enable(${target}): cannot read '${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}'; accepted: FP exact|fast, OPTIONS <key>=<value>..., REPORT")
  elseif(arg_FP AND NOT arg_FP MATCHES "^(exact|fast)$")
    message(FATAL_ERROR " dlopt_enable(${target}): FP ${arg_FP}; accepted: exact, fast")
  endif()

  set(flags "-fpass-plugin=${DLOpt_PLUGIN}")
  if(arg_FP)
    list(APPEND arg_OPTIONS "fp=${arg_FP}")
  endif()
  # clang before LLVM 22 reads options before it loads what passes are from.
  if(arg_OPTIONS)
    list(APPEND flags "$<$<OR:$<AND:$<COMPILE_LANG_AND_ID:C,Clang>,$<VERSION_LESS:$<C_COMPILER_VERSION>,22>>,$<AND:$<COMPILE_LANG_AND_ID:CXX,Clang>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,22>>>:-fplugin=${DLOpt_PLUGIN}>")
  endif()
  foreach(option IN LISTS arg_OPTIONS)
    list(APPEND flags "SHELL:-mllvm -dl-${option}")
  endforeach()
  if(arg_REPORT)
    list(APPEND flags -Rpass=dl- -Rpass-missed=dl-)
  endif()

  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(fits "")
  set(misfits "")
  foreach(language C CXX OBJC OBJCXX CUDA HIP Fortran)
    if(language IN_LIST languages)
      _dlopt_misfit(${language} misfit)
      if(misfit)
        list(APPEND misfits "${misfit}")
      else()
        list(APPEND fits ${language})
      endif()
    endif()
  endforeach()
  list(JOIN DLOpt_LLVM_MAJORS ", " majors)
  list(GET DLOpt_LLVM_MAJORS -1 newest)
  list(JOIN misfits ", " misfits)
  if(NOT fits)
    message(FATAL_ERROR " dlopt_enable(${target}): ${misfits}, and DLOpt has plugins for LLVM ${majors}: configure with -DCMAKE_C_COMPILER=clang-${newest} -DCMAKE_CXX_COMPILER=clang++-${newest}")
  elseif(misfits)
    message(STATUS "DLOpt: ${misfits}: not for ${target}")
  endif()

  get_target_property(type ${target} TYPE)
  set(scope PRIVATE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(scope INTERFACE)
  endif()
  # Assembly files are not compiled, and would not know -mllvm.
  list(JOIN fits "," fits)
  foreach(flag IN LISTS flags)
    target_compile_options(${target} ${scope} "$<$<COMPILE_LANGUAGE:${fits}>:${flag}>")
  endforeach()
  _dlopt_uses_lld(${target} lld)
  if(lld)
    # Other links do not ask what the linker knows.
    set(lto "$<BOOL:$<TARGET_PROPERTY:INTERPROCEDURAL_OPTIMIZATION>>,$<BOOL:$<TARGET_PROPERTY:INTERPROCEDURAL_OPTIMIZATION_$<UPPER_CASE:$<CONFIG>>>>")
    if("${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS} ${CMAKE_EXE_LINKER_FLAGS}" MATCHES "-flto")
      set(lto 1)
    endif()
    target_link_options(${target} ${scope} "$<$<OR:${lto}>:LINKER:--load-pass-plugin=${DLOpt_PLUGIN}>")
  endif()
endfunction()
