#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/word_table.hpp"

namespace lab::grade {

#define LAB_MUTATIONS(KIND) \
  KIND(relation)            \
  KIND(arithmetic)          \
  KIND(dimension)           \
  KIND(constant)            \
  KIND(barrier)             \
  KIND(condition)           \
  KIND(atomic)              \
  KIND(statement)

/// What a mutant changes: < and <=, && and ||; + - * /; .x and .y; an integer by one; a barrier left out; the condition
/// of an `if` always true or always false; an atomic made a plain access; a statement left out.
enum class mutation_kind { LAB_MUTATIONS(LAB_ENUMERATOR) };

constexpr std::string_view mutation_words[] = {LAB_MUTATIONS(LAB_WORD)};

constexpr std::string_view word(mutation_kind kind) { return mutation_words[static_cast<int>(kind)]; }

/// A copy of a source with one mistake.
struct mutant {
  mutation_kind kind{};
  int line = 0;
  std::string before{}, after{};  ///< the line without and with the mistake, without the spaces around it
  std::string text{};             ///< the whole source
};

/// All mutants of a source, in the order of their places. Comments, strings, directives and calls of printf stay as
/// they are. The source must be formatted as clang-format leaves it: spaces around an operator tell it from a bracket
/// or a pointer.
std::vector<mutant> mutants_of(const std::string& source);

}  // namespace lab::grade
