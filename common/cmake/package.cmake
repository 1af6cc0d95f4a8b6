# The solutions as a library for other projects: a shared object per lab and back end, its header, and a CMake package.
# After `cmake --install build/sim --component development --prefix P`:  find_package(kernel_lab COMPONENTS sim)  gives
# kernel_lab::07_matmul_tiled with lab.hpp on the include path, and kernel_lab::runtime with <cuda_runtime.h>.

include(GNUInstallDirs)
set(LAB_CUDA_ARCH native CACHE STRING "What nvcc gets as -arch for the installed kernels")
set(package_folder ${CMAKE_INSTALL_LIBDIR}/kernel_lab)

add_custom_target(lab.package)

# Builds solutions/<name>/kernel.cu for one back end with the given compiler call and installs it.
function(lab_package_solution name backend compiler_target)
  set(source ${PROJECT_SOURCE_DIR}/solutions/${name}/kernel.cu)
  if(NOT EXISTS ${source})
    return()
  endif()
  # A lab definition says where its lab runs, unless everywhere.
  file(STRINGS ${PROJECT_SOURCE_DIR}/labs/${name}/lab.cpp backends REGEX "\\.backends = ")
  if(backends AND NOT backends MATCHES "\"${backend}\"")
    return()
  endif()
  set(library ${CMAKE_BINARY_DIR}/package/${backend}/lib${name}.so)
  add_custom_command(OUTPUT ${library}
    COMMAND ${ARGN} -I ${PROJECT_SOURCE_DIR}/labs/${name} ${source} -o ${library}
    DEPENDS ${source} ${PROJECT_SOURCE_DIR}/labs/${name}/lab.hpp ${compiler_target} VERBATIM)
  add_custom_target(${name}.${backend}.package DEPENDS ${library})
  add_dependencies(lab.package ${name}.${backend}.package)
  install(FILES ${library} DESTINATION ${package_folder}/${backend} COMPONENT development OPTIONAL)
endfunction()

# What nvcc is told of the architecture: a kernel may ask for one in its first line, as for the judge; where no GPU tells
# the native one, nvcc's default may be older than what the lab asks for.
function(lab_cuda_architecture name flag)
  file(STRINGS ${PROJECT_SOURCE_DIR}/solutions/${name}/kernel.cu first LIMIT_COUNT 1)
  file(STRINGS ${PROJECT_SOURCE_DIR}/labs/${name}/lab.cpp least REGEX "\\.least_capability = ")
  set(${flag} -arch=${LAB_CUDA_ARCH} PARENT_SCOPE)
  if(first MATCHES "^// arch: sm_([a-z0-9]+)")
    set(${flag} -gencode=arch=compute_${CMAKE_MATCH_1},code=sm_${CMAKE_MATCH_1} PARENT_SCOPE)
  elseif(LAB_CUDA_ARCH STREQUAL native AND least MATCHES "= ([0-9]+)" AND NOT EXISTS /dev/nvidiactl)
    set(${flag} -arch=sm_${CMAKE_MATCH_1} PARENT_SCOPE)
  endif()
endfunction()

get_property(names GLOBAL PROPERTY LAB_NAMES)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/package/sim ${CMAKE_BINARY_DIR}/package/cuda)
foreach(name IN LISTS names)
  lab_package_solution(${name} sim labcc ${CMAKE_BINARY_DIR}/bin/labcc --shared --fast)
  if(LAB_CUDA)
    lab_cuda_architecture(${name} architecture)
    lab_package_solution(${name} cuda lab-runner-cuda ${CUDAToolkit_NVCC_EXECUTABLE} -shared -Xcompiler -fPIC -cudart shared -O3
                         -std=c++20 -lineinfo ${architecture})
  endif()
  install(FILES ${PROJECT_SOURCE_DIR}/labs/${name}/lab.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/kernel_lab/${name} COMPONENT development)
endforeach()

install(TARGETS lab.sim LIBRARY DESTINATION ${package_folder}/sim COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/common/sim/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/kernel_lab/sim
        COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/common/cmake/kernel_lab-config.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/kernel_lab COMPONENT development)
