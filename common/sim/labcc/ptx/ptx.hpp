#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lab::sim {

/// An operand of an instruction: a value, a list in braces or an address in brackets, as C++.
struct ptx_operand {
  enum kind { value, list, address } what = value;
  std::vector<std::string> names;  // of an address: its base, and the place in a tensor
  std::string offset;
  std::string predicate;  // p of d|p, or empty
};

/// One instruction: "ldmatrix.sync.aligned" has the words ldmatrix, sync and aligned.
struct ptx_instruction {
  std::string label;  // before it, or empty
  std::string guard;  // a C++ condition, or empty
  std::string name;
  std::vector<std::string> words;
  std::vector<ptx_operand> operands;

  bool has(std::string_view word) const;
};

/// The statements of an asm text: instructions, and declarations of registers as the words ".reg", type and names.
std::vector<ptx_instruction> parse_ptx(std::string_view text);

/// The instruction as C++; nothing if the simulator does not support it.
std::optional<std::string> cpp_of(const ptx_instruction& one);

/// The C++ of a whole asm text, whose operands are _0, _1 ... If an instruction is not supported, `unsupported` gets
/// its name.
std::optional<std::string> cpp_of_ptx(std::string_view text, std::string& unsupported);

}  // namespace lab::sim
