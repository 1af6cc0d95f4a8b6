# The CMake functions that know what a lab is. There is no list of labs: the root globs the folders.

include(${CMAKE_CURRENT_LIST_DIR}/embed.cmake)

set(LAB_SANITIZE "" CACHE STRING "Sanitizers for our own code, such as address,undefined")

# A finding ends the program, so that the test that met it fails. The tests themselves are not instrumented
# (LAB_UNSANITIZED): that would take as long to compile as all the code that they test. All their options are those of a
# build without sanitizers, so a compiler cache has them already. The preset leaves out the checks of UBSan at each use of
# a pointer: they are a third of the time to compile, and AddressSanitizer ends a program that reads where nothing is.
add_library(lab.sanitize INTERFACE)
if(LAB_SANITIZE)
  target_compile_options(lab.sanitize INTERFACE "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:LAB_UNSANITIZED>>>:\
-O1;-g1;-fsanitize=${LAB_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>")
  target_link_options(lab.sanitize INTERFACE -fsanitize=${LAB_SANITIZE})
endif()

# What every target of ours is compiled with.
add_library(lab.options INTERFACE)
target_link_libraries(lab.options INTERFACE lab.sanitize)
target_compile_options(lab.options INTERFACE -Wall -Wextra)
target_include_directories(lab.options INTERFACE ${PROJECT_SOURCE_DIR}/common)

# For code that waits for other programs: -O3 would only make its compilation longer. GCC compiles with -Og faster than
# with -O0 or -O1.
add_library(lab.seldom_runs INTERFACE)
target_compile_options(lab.seldom_runs INTERFACE $<$<NOT:$<CONFIG:Debug>>:-Og>)

# The CPU's own matrix product, for the definitions' honest baselines. Debian files it under a folder of its own.
find_library(LAB_OPENBLAS openblas PATH_SUFFIXES openblas-pthread REQUIRED)
find_path(LAB_CBLAS cblas.h PATH_SUFFIXES openblas-pthread x86_64-linux-gnu/openblas-pthread REQUIRED)
add_library(lab.blas INTERFACE)
target_link_libraries(lab.blas INTERFACE ${LAB_OPENBLAS})
target_include_directories(lab.blas SYSTEM INTERFACE ${LAB_CBLAS})

# Compiles the definitions of labs; every program that links `lab.definitions` knows them. In a unity build all are one
# unit, because each instantiates the same templates. There a definition has a namespace of its own, and so includes its
# headers before.
add_library(lab.definitions INTERFACE)
target_link_libraries(lab.definitions INTERFACE lab.lab lab.blas)
function(lab_add_all)
  foreach(folder IN LISTS ARGN)
    cmake_path(GET folder FILENAME name)
    set_property(GLOBAL APPEND PROPERTY LAB_NAMES ${name})
    file(GLOB found CONFIGURE_DEPENDS ${folder}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  foreach(source IN LISTS sources)
    file(STRINGS ${source} lines REGEX "^#include" ENCODING UTF-8)
    list(APPEND includes ${lines})
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  list(REMOVE_DUPLICATES includes)
  list(REMOVE_ITEM includes "#include \"lab.hpp\"")
  list(TRANSFORM includes REPLACE "\"(.*)\"" "<\\1>")
  list(JOIN includes "\n" headers)
  add_library(lab.all_definitions OBJECT ${sources})
  set_target_properties(lab.all_definitions PROPERTIES UNITY_BUILD_BATCH_SIZE 100 UNITY_BUILD_UNIQUE_ID one_lab
    UNITY_BUILD_CODE_BEFORE_INCLUDE "${headers}\nnamespace one_lab {" UNITY_BUILD_CODE_AFTER_INCLUDE "}")
  target_include_directories(lab.all_definitions PRIVATE ${PROJECT_SOURCE_DIR}/labs)
  target_link_libraries(lab.all_definitions PRIVATE lab.lab lab.blas)
  target_sources(lab.definitions INTERFACE $<TARGET_OBJECTS:lab.all_definitions>)
endfunction()
