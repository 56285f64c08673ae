# With DLOPT_PLANTED_BUGS each object asks a constant which bug is active. What is
# linked says so: none (NoPlantedBug.cpp), or the one that the environment names
# (PlantedBugs.cpp). So a second plugin and second tools, in the folder `planted` of the
# build, cost links alone.
#
# \p target, which has objects of the plugin, once without bugs and once with all of them,
# as target-planted (not if ALONE follows).
function(dlopt_plant target)
  if(NOT DLOPT_PLANTED_BUGS)
    return()
  endif()
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:DLOptNoPlantedBug>)
  if("ALONE" IN_LIST ARGN)
    return()
  endif()
  set(planted ${target}-planted)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    add_executable(${planted})
  else()
    add_library(${planted} MODULE)
  endif()
  target_sources(${planted} PRIVATE $<TARGET_OBJECTS:DLOptPlantedBugs>)
  # Its objects, those of the plugin among them, but for the one that says which is active.
  target_sources(${planted} PRIVATE
    "$<FILTER:$<FILTER:$<TARGET_OBJECTS:${target}>;$<TARGET_PROPERTY:${target},SOURCES>,INCLUDE,[.]o$>,EXCLUDE,NoPlantedBug>")
  foreach(property LINK_LIBRARIES LINK_OPTIONS LINK_DIRECTORIES)
    set_property(TARGET ${planted} PROPERTY ${property} "$<TARGET_PROPERTY:${target},${property}>")
  endforeach()
  get_target_property(name ${target} OUTPUT_NAME)
  if(NOT name)
    set(name ${target})
  endif()
  set_target_properties(${planted} PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE CXX
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/planted/lib
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/planted/bin)
endfunction()
