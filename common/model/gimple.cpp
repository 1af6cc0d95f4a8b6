#include "model/gimple.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace lab::judge::gimple {

namespace {

constexpr std::string_view function_mark = ";; Function ", block_mark = ";;   basic block ";

double number_after(std::string_view text, std::string_view mark) {
  const auto at = text.find(mark);
  if (at == text.npos) return 0;
  double value = 0;
  std::from_chars(text.data() + at + mark.size(), text.data() + text.size(), value);
  return value;
}

// "[kernel.cu:19:57] " before a statement or an operand, from g++ 13 on also "[kernel.cu:19:57 discrim 3] ". The last
// one before the text counts.
void take_positions(statement& one) {
  for (std::size_t at = 0; (at = one.text.find('[', at)) != one.text.npos;) {
    const auto end = one.text.find("] ", at);
    if (end == one.text.npos) return;
    auto inside = one.text.substr(at + 1, end - at - 1);
    inside.resize(std::min(inside.find(" discrim "), inside.size()));
    const auto second = inside.rfind(':'), first = second == inside.npos ? second : inside.rfind(':', second - 1);
    if (first == inside.npos || inside.find_first_of(" ([") != inside.npos) {
      ++at;
      continue;
    }
    if (one.line == 0) {
      one.in_library = inside.find("/sim/include/") != inside.npos;
      one.file = inside.substr(inside.rfind('/', first) + 1, first - inside.rfind('/', first) - 1);
      one.line = std::atoi(inside.c_str() + first + 1);
    }
    one.text.erase(at, end + 2 - at);
  }
}

std::string_view trimmed(std::string_view line) {
  const auto first = line.find_first_not_of(' ');
  return first == line.npos ? std::string_view{} : line.substr(first);
}

void read_declaration(function& in, std::string_view line) {
  const auto space = line.rfind(' ');
  if (space == line.npos || !line.ends_with(';')) return;
  const auto type = line.substr(0, space);
  std::string name{line.substr(space + 1, line.size() - space - 2)};
  if (type == "float" || type == "const float" || type == "double" || type == "const double")
    in.floats.insert(std::move(name));
  else if (type.find("long") != type.npos)
    in.wide.insert(std::move(name));
}

// A loop is entered from an earlier block and repeated from a later one. A block that only later ones lead to was
// moved, unless g++ says that one of them ends a loop: then the block before the loop was moved.
void find_loop(basic_block& block) {
  block.header = block.loops_to_itself || block.from_end || (block.from_earlier && block.from_later);
  if (block.from_end) block.repeated = block.repeated_by_end;
  if (!block.header) block.repeated = 0;
}

void read_line(basic_block& block, std::string_view line) {
  if (line.starts_with(";;    succ:")) block.complete = true, find_loop(block);
  if (!block.complete && line.starts_with(";;") && line.find("count:") != line.npos) {
    const auto digits = line.find_first_of("0123456789");
    const int from = std::atoi(std::string{line.substr(digits)}.c_str());
    if (line.find("ENTRY") == line.npos && from >= block.number)
      block.repeated += number_after(line, "count:"), block.from_later = true;
    else
      block.from_earlier = true;
    block.loops_to_itself |= from == block.number;
    if (line.find("DFS_BACK") != line.npos)
      block.from_end = true, block.repeated_by_end += number_after(line, "count:");
  }
  if (line.starts_with(";;")) return;
  const auto text = trimmed(line);
  if (text.starts_with("# DEBUG") || text.empty()) return;
  if (text.starts_with("# ")) {
    const bool value = text.find(" = PHI <") != text.npos && text.find(".MEM") == text.npos;
    block.phis += value;
    if (!value) return;
    statement one{std::string{text.substr(2)}};
    take_positions(one);
    block.statements.push_back({std::move(one.text)});
    return;
  }
  statement one{std::string{text}};
  take_positions(one);
  // "f (x); [tail call]"
  if (const auto remark = one.text.find("; ["); remark != one.text.npos) one.text.resize(remark + 1);
  const bool code = one.text.ends_with(';') || one.text.starts_with("if (");
  if (code && one.text.find("CLOBBER") == one.text.npos && !one.text.starts_with("goto"))
    block.statements.push_back(std::move(one));
}

basic_block begin_block(std::string_view line) {
  return {.number = static_cast<int>(number_after(line, block_mark)),
          .count = line.find("estimated locally") == line.npos ? number_after(line, "count ") : 0,
          .depth = static_cast<int>(number_after(line, "loop depth "))};
}

std::string name_in(std::string_view line) {
  line.remove_prefix(function_mark.size());
  return std::string{line.substr(0, line.rfind(" (_"))};
}

}  // namespace

std::vector<function> read(std::string_view dump) {
  std::vector<function> all;
  std::istringstream lines{std::string{dump}};
  bool in_block = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(function_mark)) {
      all.push_back({name_in(line)});
      in_block = false;
    } else if (all.empty()) {
      continue;
    } else if (line.starts_with(block_mark)) {
      all.back().blocks.push_back(begin_block(line));
      in_block = true;
    } else if (in_block) {
      read_line(all.back().blocks.back(), line);
    } else {
      all.back().restricted |= line.find('(') != line.npos && line.find(" restrict ") != line.npos;
      read_declaration(all.back(), trimmed(line));
    }
  }
  return all;
}

}  // namespace lab::judge::gimple
