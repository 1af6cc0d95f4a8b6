# lab_embed_text(target file symbol): compiles a text file into a target. C++ reads it by declaring the symbol:
#   namespace lab::sim { extern const std::string_view hazards_markdown; }   // symbol: lab::sim::hazards_markdown
# A change of the file rebuilds the target. CMake itself writes the source: a target whose sources the build would have to
# write is compiled late, and at the end one core would wait.
function(lab_embed_text target file symbol)
  cmake_path(ABSOLUTE_PATH file NORMALIZE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  string(REPLACE "::" "_" output "${symbol}")
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded/${output}.cpp)
  string(REGEX REPLACE "::[^:]*$" "" scope "${symbol}")
  string(REGEX REPLACE "^.*::" "" name "${symbol}")
  file(READ ${file} text)
  set(source "#include <string_view>

namespace ${scope} {
extern constexpr std::string_view ${name} = R\"lab_text(${text})lab_text\";
}
")
  if(EXISTS ${output})
    file(READ ${output} present)
  endif()
  if(NOT "${present}" STREQUAL "${source}")
    file(WRITE ${output} "${source}")
  endif()
  target_sources(${target} PRIVATE ${output})
endfunction()
