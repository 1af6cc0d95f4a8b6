# The CMake functions that know what a lab is. There is no list of labs: the root globs the folders.

include(${CMAKE_CURRENT_LIST_DIR}/embed.cmake)

set(LAB_SANITIZE "" CACHE STRING "Sanitizers for our own code, such as address,undefined")

# A finding ends the program, so that the test that met it fails.
add_library(lab.sanitize INTERFACE)
if(LAB_SANITIZE)
  target_compile_options(lab.sanitize INTERFACE
    -fsanitize=${LAB_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(lab.sanitize INTERFACE -fsanitize=${LAB_SANITIZE})
endif()

# What every target of ours is compiled with.
add_library(lab.options INTERFACE)
target_link_libraries(lab.options INTERFACE lab.sanitize)
target_compile_options(lab.options INTERFACE -Wall -Wextra)
target_include_directories(lab.options INTERFACE ${PROJECT_SOURCE_DIR}/common)

# For code that waits for other programs: -O3 would only make its compilation longer.
add_library(lab.seldom_runs INTERFACE)
target_compile_options(lab.seldom_runs INTERFACE $<$<CONFIG:Release>:-O1>)

# The CPU's own matrix product, for the definitions' honest baselines. Debian files it under a folder of its own.
find_library(LAB_OPENBLAS openblas PATH_SUFFIXES openblas-pthread REQUIRED)
find_path(LAB_CBLAS cblas.h PATH_SUFFIXES openblas-pthread x86_64-linux-gnu/openblas-pthread REQUIRED)
add_library(lab.blas INTERFACE)
target_link_libraries(lab.blas INTERFACE ${LAB_OPENBLAS})
target_include_directories(lab.blas SYSTEM INTERFACE ${LAB_CBLAS})

# Compiles the definition of one lab; every program that links `lab.definitions` knows the lab.
add_library(lab.definitions INTERFACE)
target_link_libraries(lab.definitions INTERFACE lab.lab lab.blas)
function(lab_add folder)
  cmake_path(GET folder FILENAME name)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  add_library(${name}.definition OBJECT ${sources})
  target_compile_definitions(${name}.definition PRIVATE LAB_NAME="${name}")
  target_include_directories(${name}.definition PRIVATE ${folder} ${PROJECT_SOURCE_DIR}/labs)
  target_link_libraries(${name}.definition PRIVATE lab.lab lab.blas)
  target_sources(lab.definitions INTERFACE $<TARGET_OBJECTS:${name}.definition>)
  set_property(GLOBAL APPEND PROPERTY LAB_NAMES ${name})
endfunction()
