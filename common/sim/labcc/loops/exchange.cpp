#include "sim/labcc/loops/exchange.hpp"

#include <algorithm>

#include "sim/labcc/loops/meetings.hpp"
#include "sim/labcc/loops/whole_warps.hpp"
#include "sim/labcc/rewriter/edits.hpp"

namespace lab::sim::loops {

namespace {

using kind = statement::kind;

class exchanging_kernel {
 public:
  exchanging_kernel(const code& c, std::size_t number)
      : c_{c},
        all_{c, {}},
        body_{c.kernel_body(number)},
        tiles_{c, all_, body_},
        meetings_{c, tiles_},
        out_{c.source()} {}

  std::optional<std::string> write() {
    if (!meetings_.any(body_)) return std::nullopt;
    const auto body = parse_body(c_, body_.first);
    variables known{c_, all_, {}};
    known.add_parameters({c_.opening(body_.first - 1) + 1, body_.first - 1}, body_);
    declare(body, body_, known);
    known.find_uses(body_);
    const whole_warps warps{c_, known, tiles_};
    for (const auto& s : body) write(s, "", known, warps);
    for (std::size_t t = body_.first; t < body_.end; ++t) answer(t);
    return out_.apply();
  }

 private:
  void declare(const std::vector<statement>& sequence, range scope, variables& known) const {
    for (const auto& s : sequence) {
      if (s.what == kind::plain) known.add({s.begin, s.all.end}, scope);
      if (s.what == kind::counted && c_.words(s.header.first) != ";") {
        std::size_t end = s.header.first;
        while (end < s.header.end && c_.words(end) != ";") ++end;
        if (end == s.header.end) throw declined{};
        known.add({s.header.first, end + 1}, s.all);
      }
      declare(s.inner, s.all, known);
    }
  }

  void replace(range r, const std::string& text) {
    out_.replace(c_.tokens()[r.first].begin, c_.tokens()[r.end - 1].end, text);
    done_.push_back(r);
  }
  void insert(std::size_t t, const std::string& text) { out_.insert(c_.tokens()[t].begin, text); }

  // What the kernel asks its tiles where no call was replaced.
  void answer(std::size_t t) {
    if (tiles_.size_of(c_.words(t)) == 0) return;
    if (std::ranges::any_of(done_, [&](range r) { return r.contains(t); })) return;
    const auto answered = tiles_.answer(t);
    if (!answered) throw declined{};
    replace({t, answered->second + 1}, answered->first);
  }

  // `guard`: which threads execute the statement; empty if all do.
  void write(const statement& s, const std::string& guard, variables& known, const whole_warps& warps) {
    const bool declares_tile = tiles_.is_declaration({s.begin, s.all.end});
    if (declares_tile) return replace({s.begin, s.all.end}, "static_cast<void>(0);");
    if (!meetings_.any(s.all)) return guard.empty() ? void() : keep(s, guard, known);
    if (s.what != kind::compound && s.what != kind::plain && meetings_.any(s.header)) throw declined{};
    if (s.what == kind::plain) return exchange(s, guard);
    if (s.what == kind::branch && warps.are_whole(s.header, meetings_.lanes(s.all)))
      return branch(s, guard, known, warps);
    const bool same_turns = s.what == kind::counted && warps.has_constant_turns(s.header);
    if (!guard.empty() && s.what != kind::compound && !same_turns) throw declined{};
    for (const auto& inner : s.inner) write(inner, guard, known, warps);
  }

  // A branch that whole warps take, or whole tiles:  if (threadIdx.x < 32) { a; barrier; b; }   becomes
  //   { const bool on = threadIdx.x < 32; if (on) a; barrier; if (on) b; }
  void branch(const statement& s, const std::string& guard, variables& known, const whole_warps& warps) {
    if (s.inner.size() != 1) throw declined{};
    const std::string on = "lab_on_" + std::to_string(number_++), both = guard.empty() ? "" : guard + " && ";
    replace({s.begin, s.header.end + 1}, "{ LAB_SIM_WHOLE_WARPS(" + std::to_string(meetings_.lanes(s.all)) +
                                             "); const bool " + on + " = " + both + "(" + tiles_.words(s.header) +
                                             ");");
    write(s.inner.front(), on, known, warps);
    out_.insert(c_.tokens()[s.all.end - 1].end, " }");
  }

  // A statement without a meeting that some threads execute. All may execute a declaration that only computes.
  void keep(const statement& s, const std::string& guard, variables& known) {
    if (s.returns || s.leaves || s.what == kind::jump || s.has_barrier) throw declined{};
    variables declared{c_, all_, {}};
    if (s.what != kind::plain || !declared.add({s.begin, s.all.end}, s.all))
      return insert(s.begin, "if (" + guard + ") ");
    for (const auto& v : declared.all()) {
      if (v.shared || v.reference) throw declined{};
      if (c_.text(v.initializer) == "{}" && !v.class_type) continue;
      for (std::size_t t = v.initializer.first; t < v.initializer.end; ++t)
        if (is_one_of(c_.words(t), {"/", "%"})) throw declined{};
      if (v.has_initializer() && !known.of(v.initializer).pure) throw declined{};
    }
  }

  bool assigns(std::size_t t) const { return c_.assigns(t) && !(c_.assigns(t - 1) && c_.touches_next(t - 1)); }

  // All calls of a statement pass their values in front of it.
  void exchange(const statement& s, const std::string& guard) {
    if (c_.words(s.begin) == "switch") throw declined{};
    if (c_.words(s.begin) == "__syncwarp" || c_.words(s.begin + 2) == "sync") return meet(s);
    variables declared{c_, all_, {}};
    const bool declares = declared.add({s.begin, s.all.end}, s.all);
    if (declares && (!guard.empty() || declared.all().size() > 1)) throw declined{};
    const std::string on = guard.empty() ? "" : "if (" + guard + ") ";
    std::string before = declares ? "" : "{ ";
    int assignments = 0;
    for (std::size_t t = s.begin; t < s.all.end; ++t) {
      const bool twice = c_.touches_next(t) && c_.words(t + 1) == c_.words(t);
      if (c_.words(t) == "?" || (twice && is_one_of(c_.words(t), {"&", "|"}))) throw declined{};
      if (assigns(t) && ++assignments > 1) throw declined{};  // one may be what a later call passes
      if (!meetings_.is_at(t)) continue;
      const auto call = meetings_.call_at(t);
      for (std::size_t inner = call.all.first; inner < call.all.end; ++inner)
        if (assigns(inner)) throw declined{};
      const std::string word = "lab_word_" + std::to_string(number_++), value = tiles_.words(call.value);
      before += "uint64_t " + word + " = " + (guard.empty() ? "" : "0; " + on + word + " = ");
      before += "LAB_SIM_WORD(" + value + "); ";
      replace(call.all, call.function + "(" + word + ", (" + value + "), (" + tiles_.words(call.argument) + "), " +
                            call.width + ")");
      t = call.all.end - 1;
    }
    insert(s.begin, before + "__syncthreads(); " + on);
    if (!declares) out_.insert(c_.tokens()[s.all.end - 1].end, " }");
  }

  // __syncwarp();  __syncwarp(mask);  tile.sync();
  void meet(const statement& s) {
    const bool of_tile = tiles_.size_of(c_.words(s.begin)) > 0;
    const std::size_t open = s.begin + (of_tile ? 3 : 1);
    const bool plain = c_.words(open) == "(" && c_.closing(open) + 2 == s.all.end;
    if (!plain || (c_.words(open + 1) != ")" && (of_tile || !tiles_.is_full_mask({open + 1, s.all.end - 2}))))
      throw declined{};
    replace({s.begin, s.all.end}, "__syncthreads();");
  }

  const code& c_;
  const functions all_;
  range body_;
  tiles tiles_;
  meetings meetings_;
  edits out_;
  std::vector<range> done_;
  std::size_t number_ = 0;
};

}  // namespace

inlined exchange_by_barriers(std::string_view source, const std::set<std::size_t>& left) {
  inlined all{std::string{source}, {}};
  const std::size_t kernels = code{source}.kernels().size();
  for (std::size_t k = 0; k < kernels; ++k) {
    if (left.contains(k)) continue;
    try {
      const code now{all.text};
      if (auto next = exchanging_kernel{now, k}.write()) {
        all.text = std::move(*next);
        all.kernels.insert(k);
      }
    } catch (const declined&) {
      continue;
    }
  }
  return all;
}

}  // namespace lab::sim::loops
