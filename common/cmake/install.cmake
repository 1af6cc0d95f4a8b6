# The installed tree: everything that `lab` needs in one folder that may lie anywhere, laid out as in a checkout. It is
# for students and teachers; package.cmake installs the solutions as a library for other projects.
#   ninja -C build/sim lab.tarball   kernel_lab-VERSION-Linux-x86_64.tar.gz, with the libraries that it uses
#   ninja -C build/sim lab.deb       a package for the Debian or Ubuntu that builds it
# pyproject.toml makes the Python package from the same components.

set(tree libexec/kernel_lab)
set(programs lab labcc lab-runner-sim lab-confine lab-unpack)
if(TARGET lab-runner-cuda) # with the preset cuda, or -DLAB_CUDA=ON
  list(APPEND programs lab-runner-cuda)
endif()
# FFTW has the GPL, which would hold for the whole package, so cuFFT stays in the checkout.
get_property(host_libraries GLOBAL PROPERTY LAB_SIM_LIBRARIES)
list(REMOVE_ITEM host_libraries lab.cufft)
set(libraries lab.sim lab.probe ${host_libraries})
add_custom_target(lab.programs DEPENDS ${programs} ${libraries})

# DT_RPATH also finds the libraries of the libraries, which DT_RUNPATH does not.
foreach(target IN LISTS programs libraries)
  target_link_options(${target} PRIVATE LINKER:--disable-new-dtags)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
endforeach()
# CUDA's runtime is the one of the toolkit that compiles the kernels; LD_LIBRARY_PATH names one that is elsewhere.
if(TARGET lab-runner-cuda)
  set_target_properties(lab-runner-cuda PROPERTIES
    INSTALL_RPATH "$ORIGIN/../lib:/usr/local/cuda/lib64:/usr/local/cuda/lib")
endif()
install(TARGETS ${programs} RUNTIME DESTINATION ${tree}/bin COMPONENT tools)
install(TARGETS ${libraries} LIBRARY DESTINATION ${tree}/lib COMPONENT tools)

# Whatever programs read while they run; their C++ sources are compiled into them.
foreach(folder common labs solutions report python)
  install(DIRECTORY ${folder} DESTINATION ${tree} COMPONENT tools
    REGEX "\\.(cpp|cmake)$|CMakeLists\\.txt$|/__pycache__$|/new_lab$|/report/out$" EXCLUDE
    REGEX "/common/.*\\.hpp$" EXCLUDE)
endforeach()
# What a course's own labs are made and compiled from.
install(DIRECTORY common/cli/new_lab DESTINATION ${tree}/common/cli COMPONENT tools)
foreach(room lab support text)
  install(DIRECTORY common/${room} DESTINATION ${tree}/common COMPONENT tools FILES_MATCHING PATTERN "*.hpp")
endforeach()
install(DIRECTORY docs/schema DESTINATION ${tree}/docs COMPONENT tools)
install(FILES LICENSE CHANGELOG.md DESTINATION ${tree} COMPONENT tools)

# `bin/lab`; a Python package has an entry point instead.
install(CODE "
  file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin\")
  file(CREATE_LINK ../${tree}/bin/lab \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/lab\" SYMBOLIC)
" COMPONENT launcher)

# The libraries that a bare system may lack. The C and C++ libraries belong to the system, because kernels use them too.
# So does libarchive, which needs a newer C library than the others; only archives of submissions need it.
foreach(target IN LISTS programs libraries)
  list(APPEND built $<TARGET_FILE:${target}>)
endforeach()
install(CODE "
  file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${built} RESOLVED_DEPENDENCIES_VAR found
    PRE_EXCLUDE_REGEXES \"^(ld-linux.*|lib(c|m|dl|rt|pthread|stdc\\\\+\\\\+|gcc_s|archive|lab-sim|cudart))[.]so\")
  foreach(library IN LISTS found)
    cmake_path(GET library FILENAME name)
    file(REAL_PATH \${library} real) # a wheel holds no links
    file(INSTALL \${real} DESTINATION \${CMAKE_INSTALL_PREFIX}/${tree}/lib RENAME \${name})
  endforeach()
" COMPONENT libraries)

set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "A course in writing CUDA kernels, with a judge and a CPU simulator")
set(CPACK_PACKAGE_CONTACT "Kernel Lab")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_SYSTEM_NAME Linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_NAME kernel-lab)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "bubblewrap, patch, python3-matplotlib, python3-jinja2")
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_COMPONENTS_ALL tools launcher)
include(CPack)
add_custom_target(lab.tarball DEPENDS lab.programs VERBATIM
  COMMAND ${CMAKE_CPACK_COMMAND} -G TGZ -D CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY=ON
  -D "CPACK_COMPONENTS_ALL=tools$<SEMICOLON>launcher$<SEMICOLON>libraries")
add_custom_target(lab.deb COMMAND ${CMAKE_CPACK_COMMAND} -G DEB DEPENDS lab.programs VERBATIM)
