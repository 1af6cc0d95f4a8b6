# lab_embed_text(target file symbol): compiles a text file into a target. C++ reads it by declaring the symbol:
#   namespace lab::sim { extern const std::string_view hazards_markdown; }   // symbol: lab::sim::hazards_markdown
# A change of the file rebuilds the target.
#
# The same file is also the script that the build runs to write the source.

if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${TEXT}" text)
  string(REGEX REPLACE "::[^:]*$" "" scope "${SYMBOL}")
  string(REGEX REPLACE "^.*::" "" name "${SYMBOL}")
  file(WRITE "${OUTPUT}" "#include <string_view>

namespace ${scope} {
extern constexpr std::string_view ${name} = R\"lab_text(${text})lab_text\";
}
")
  return()
endif()

set(LAB_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(lab_embed_text target file symbol)
  cmake_path(ABSOLUTE_PATH file NORMALIZE)
  string(REPLACE "::" "_" name "${symbol}")
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.cpp)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DTEXT=${file} -DOUTPUT=${output} -DSYMBOL=${symbol} -P ${LAB_EMBED_SCRIPT}
    DEPENDS ${file} ${LAB_EMBED_SCRIPT} VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
