# What is installed, and packages of it: the plugin for one LLVM, and what is the same
# for all.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# A build can be used by find_package, too.
set(package ${PROJECT_BINARY_DIR}/lib/cmake/DLOpt)
configure_file(${CMAKE_CURRENT_LIST_DIR}/DLOptConfig.cmake ${package}/DLOptConfig.cmake COPYONLY)
write_basic_package_version_file(${package}/DLOptConfigVersion.cmake
  COMPATIBILITY AnyNewerVersion ARCH_INDEPENDENT)

# The wrappers and the package look for it there, from where they are.
set(DLOPT_LIBRARIES lib/dlopt)
install(TARGETS DLOptPlugin LIBRARY DESTINATION ${DLOPT_LIBRARIES} COMPONENT plugin)
install(TARGETS DLOpt LIBRARY DESTINATION ${DLOPT_LIBRARIES} COMPONENT tools)
install(TARGETS dlcc RUNTIME DESTINATION bin COMPONENT tools)
install(FILES ${PROJECT_BINARY_DIR}/bin/dl++ ${PROJECT_BINARY_DIR}/bin/dlfc
  DESTINATION bin COMPONENT tools)
# What is written in Python finds its modules there, from where it is.
set(utils ${PROJECT_SOURCE_DIR}/utils)
install(PROGRAMS ${utils}/census/dl-census ${utils}/dl-measure/dl-measure
  ${utils}/dl-report/dl-report
  DESTINATION bin COMPONENT tools)
install(DIRECTORY ${utils}/census ${utils}/support ${utils}/dl-measure ${utils}/dl-report
  DESTINATION ${DLOPT_LIBRARIES}/utils COMPONENT tools
  FILES_MATCHING PATTERN "*.py" PATTERN "*.css" PATTERN "*.js" PATTERN "*.c" PATTERN "*.cc"
  PATTERN "*.h" PATTERN "__pycache__" EXCLUDE)
install(FILES ${utils}/bench/limits.h DESTINATION ${DLOPT_LIBRARIES}/utils/bench
  COMPONENT tools)
install(DIRECTORY ${package} DESTINATION lib/cmake COMPONENT tools)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright
  DESTINATION share/doc/dlopt COMPONENT tools)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright
  DESTINATION share/doc/dlopt-${LLVM_VERSION_MAJOR} COMPONENT plugin)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME dlopt)
set(CPACK_PACKAGE_VENDOR DLOpt)
set(CPACK_PACKAGE_CONTACT "the developers of DLOpt <dlopt@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL plugin tools)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# Libraries that are linked to; LLVM is the host's, and not among them.
find_program(DLOPT_SHLIBDEPS dpkg-shlibdeps)
find_program(DLOPT_FILE file)
if(DLOPT_SHLIBDEPS AND DLOPT_FILE)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
else()
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6, libgcc-s1, libstdc++6")
endif()
set(major ${LLVM_VERSION_MAJOR})
set(CPACK_DEBIAN_PLUGIN_PACKAGE_NAME dlopt-${major})
set(CPACK_DEBIAN_PLUGIN_PACKAGE_DEPENDS "dlopt (= ${PROJECT_VERSION}), libllvm${major}")
if(CPACK_DEBIAN_PACKAGE_DEPENDS)
  string(APPEND CPACK_DEBIAN_PLUGIN_PACKAGE_DEPENDS
    ", ${CPACK_DEBIAN_PACKAGE_DEPENDS}")
endif()
set(CPACK_DEBIAN_PLUGIN_PACKAGE_RECOMMENDS "clang-${major}, lld-${major}")
set(CPACK_DEBIAN_PLUGIN_PACKAGE_SUGGESTS "flang-${major}")
set(CPACK_COMPONENT_PLUGIN_DESCRIPTION
  "Deep-learning kernels at library speed from plain loops, for LLVM ${major}
A pass plugin that finds such kernels in the loops of any frontend and generates
them anew, bit for bit equal.")
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME dlopt)
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "dlopt-${major}, python3")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION
  "Compilers with the plugin DLOpt
dlcc, dl++ and dlfc (clang, clang++ and flang with the plugin), the loader that
finds the plugin for a compiler's LLVM, dl-census, dl-report, dl-measure, and the
CMake package.")
include(CPack)
