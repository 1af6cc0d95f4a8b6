#include "sim/labcc/loops/tiles.hpp"

#include <charconv>

namespace lab::sim::loops {

tiles::tiles(const code& source, const functions& all, range body) : c_{source}, functions_{all} {
  for (std::size_t t = body.first; t < body.end; ++t)
    if (c_.words(t) == "tiled_partition") add(t);
}

// At the name of the function.
void tiles::add(std::size_t t) {
  const std::size_t open = t + 4, space = t - 2;
  const auto size = number(t + 2);
  const bool known = c_.words(t - 1) == "::" && c_.words(t + 1) == "<" && size && c_.words(t + 3) == ">" &&
                     c_.words(open) == "(" && c_.words(space - 1) == "=" && c_.is_identifier(space - 2);
  if (!known || *size == 0 || *size > 32 || (*size & (*size - 1)) != 0) throw declined{};
  const std::size_t close = c_.closing(open), first = c_.statement_start(t);
  const bool of_block = close == open + 2 ? c_.is_group(c_.words(open + 1))
                                          : c_.text({open + 1, close}) == c_.text({space, t}) + "this_thread_block()";
  const auto type = c_.text({first, space - 2});
  const bool by_type = type.find("thread_block_tile<") != type.npos || type == "auto" || type == "const auto";
  if (!of_block || !by_type || c_.words(close + 1) != ";") throw declined{};
  if (!sizes_.emplace(c_.words(space - 2), *size).second) throw declined{};
  declarations_[first] = close + 2;
}

unsigned tiles::size_of(std::string_view name) const {
  const auto found = sizes_.find(name);
  return found == sizes_.end() ? 0 : found->second;
}

bool tiles::is_declaration(range statement) const {
  const auto found = declarations_.find(statement.first);
  return found != declarations_.end() && found->second == statement.end;
}

std::optional<std::pair<std::string, std::size_t>> tiles::answer(std::size_t t) const {
  const auto size = size_of(c_.words(t));
  if (size == 0 || c_.words(t + 1) != "." || c_.words(t + 3) != "(" || c_.words(t + 4) != ")") return std::nullopt;
  const auto question = c_.words(t + 2);
  if (question == "size" || question == "num_threads") return std::pair{std::to_string(size) + "U", t + 4};
  const std::string thread = "((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))";
  if (question == "thread_rank") return std::pair{thread + " % " + std::to_string(size) + "U)", t + 4};
  if (question == "meta_group_rank") return std::pair{thread + " / " + std::to_string(size) + "U)", t + 4};
  return std::nullopt;
}

std::optional<unsigned> tiles::number(std::size_t t) const {
  auto w = c_.words(t);
  if (w == "warpSize") return 32;
  if (const auto* const texts = functions_.macro(w)) {
    if (texts->size() != 1 || texts->front().end != texts->front().first + 1) return std::nullopt;
    w = c_.words(texts->front().first);
  }
  while (!w.empty() && is_one_of(w.substr(w.size() - 1), {"u", "U", "l", "L"})) w.remove_suffix(1);
  unsigned value = 0;
  const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), value);
  const bool whole = error == std::errc{} && end == w.data() + w.size();
  return whole && !w.empty() && (w == "0" || w[0] != '0') ? std::optional{value} : std::nullopt;
}

bool tiles::is_full_mask(range r) const {
  if (const auto* const texts = r.end == r.first + 1 ? functions_.macro(c_.words(r.first)) : nullptr) {
    if (texts->size() != 1) return false;
    r = texts->front();
  }
  while (r.end > r.first + 2 && c_.words(r.first) == "(" && c_.closing(r.first) == r.end - 1) ++r.first, --r.end;
  std::string text;
  for (const char letter : c_.text(r)) text += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
  return is_one_of(text, {"0xffffffff", "0xffffffffu", "0xfffffffful", "0xffffffffl", "~0", "~0u", "-1"});
}

std::string tiles::words(range r) const {
  std::string text;
  for (std::size_t t = r.first; t < r.end; ++t) {
    if (c_.is_directive(t) || c_.words(t).find('\n') != std::string_view::npos) throw declined{};
    const auto answered = answer(t);
    if (!answered && size_of(c_.words(t)) > 0) throw declined{};
    text += answered ? answered->first : std::string{c_.words(t)};
    if (answered) t = answered->second;
    if (!c_.touches_next(t)) text += ' ';
  }
  return text;
}

}  // namespace lab::sim::loops
