#include "model/statements.hpp"

#include <algorithm>
#include <cctype>

namespace lab::judge::gimple {

namespace {

constexpr double reciprocal_root = 4;

bool is_index(std::string_view text) {
  for (const auto* name : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
    if (text.find(name) != text.npos) return true;
  return false;
}

// "v.x", but not the compiler's name "iftmp.2_64"
bool is_member(std::string_view operand) {
  const auto dot = operand.find('.');
  return dot != operand.npos && dot > 0 && dot + 1 < operand.size() && std::isalpha(operand[dot + 1]) != 0;
}

bool is_memory(std::string_view operand) {
  if (operand.find(' ') != operand.npos && !operand.starts_with("MEM")) return false;
  return operand.starts_with('*') || operand.starts_with("MEM") || operand.find('[') != operand.npos ||
         operand.find("->") != operand.npos || is_member(operand);
}

bool is_one_of(const std::set<std::string>& names, std::string_view ssa) {
  const std::string whole{ssa};
  return names.contains(whole) || names.contains(whole.substr(0, whole.rfind('_')));
}

bool has_operator(std::string_view right) {
  for (const auto* op : {" + ", " - ", " * ", " / "})
    if (right.find(op) != right.npos) return true;
  return right.starts_with('-');
}

template <class F>
void for_each_name(std::string_view expression, const F& use) {
  constexpr std::string_view first = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_",
                             more = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.$0123456789";
  for (std::size_t at = 0; (at = expression.find_first_of(first, at)) < expression.size();) {
    const auto end = std::min(expression.find_first_not_of(more, at), expression.size());
    use(expression.substr(at, end - at));
    at = end;
  }
}

}  // namespace

parts split(std::string_view text) {
  const auto at = text.find(" = ");
  if (at == text.npos || text.starts_with("if (")) return {"", text};
  auto right = text.substr(at + 3);
  if (right.ends_with(';')) right.remove_suffix(1);
  return {text.substr(0, at), right};
}

bool is_choice(std::string_view right) { return right.starts_with("PHI <"); }

bool is_barrier(std::string_view right) {
  return right.find("block_barrier") != right.npos || right.find("block_sync") != right.npos;
}

kind kind_of(const statement& one, const function& in) {
  const auto [left, right] = split(one.text);
  if (is_choice(right)) return kind::free;
  if (right.starts_with("if (")) return kind::branch;
  if (is_barrier(right)) return kind::barrier;
  if (right.starts_with(".FMA") || right.starts_with(".FMS") || right.starts_with(".FNM")) return kind::fp32;
  if (left.empty()) return right.find(" (") != right.npos ? kind::call : kind::free;
  if (is_index(right)) return kind::free;
  const bool loads = is_memory(right), stores = is_memory(left);
  if (loads && stores) return kind::copy;
  if (loads) return kind::load;
  if (stores) return kind::store;
  if (is_one_of(in.floats, left) && has_operator(right)) return kind::fp32;
  if (right.starts_with('(') || right.find(' ') == right.npos) return kind::free;  // a cast or a copy of a value
  if (right.ends_with(')') && right.find(" (") != right.npos) return kind::call;
  // The scale of an address is part of the addition that follows.
  return is_one_of(in.wide, left) && right.find(" * ") != right.npos ? kind::free : kind::other;
}

bool is_reciprocal_root(const statement& one) {
  const auto right = split(one.text).right;
  return one.in_library && (right.starts_with(".SQRT") || right.starts_with("sqrt"));
}

// Instructions of a call of the mathematical library or of a division.
double cost_of(const statement& one, kind what) {
  const auto right = split(one.text).right;
  if (is_reciprocal_root(one)) return reciprocal_root;
  if (what == kind::free) return 0;
  if (what == kind::copy) return 2;
  if (what == kind::branch) return right.find(" != 0)") != right.npos ? 1 : 2;
  const bool divides = right.find(" / ") != right.npos || right.find(" % ") != right.npos;
  if (divides && what == kind::fp32) return 8;
  if (divides) return right.find_last_not_of("0123456789") + 1 < right.size() ? 4 : 20;
  if (what != kind::call) return 1;
  for (const auto* name : {"fmax", "fmin"})
    if (right.starts_with(name)) return 1;
  for (const auto* name : {"exp", "log", "sqrt", "SQRT", "tanh", "pow", "sin", "cos"})
    if (right.find(name) != right.npos) return 10;
  return 2;
}

bool is_step(std::string_view text) {
  const auto [left, right] = split(text);
  const auto base = left.substr(0, left.rfind('_'));
  const auto plus = right.find(" + ");
  if (base.empty() || plus == right.npos) return false;
  const auto from = right.substr(0, plus), by = right.substr(plus + 3);
  return from.substr(0, from.rfind('_')) == base && by.find_first_not_of("0123456789") == by.npos;
}

bool is_stride(std::string_view text) {
  const auto [left, right] = split(text);
  const auto base = [](std::string_view name) { return name.substr(0, name.rfind('_')); };
  const auto plus = right.find(" + ");
  if (plus == right.npos || base(left).empty()) return false;
  const auto a = right.substr(0, plus), b = right.substr(plus + 3);
  const auto other = base(a) == base(left) ? b : a;
  return (base(a) == base(left) || base(b) == base(left)) && other.find_first_not_of("0123456789") != other.npos;
}

bool names_any(std::string_view expression, const names& values) {
  bool found = false;
  for_each_name(expression, [&](std::string_view name) { found |= values.contains(name); });
  return found;
}

int depth_in(const depths& known, std::string_view expression) {
  const auto whole = known.find(expression);  // an element of an array of the thread
  int most = whole == known.end() ? 0 : whole->second;
  for_each_name(expression, [&](std::string_view name) {
    if (const auto d = known.find(name); d != known.end()) most = std::max(most, d->second);
  });
  return most;
}

}  // namespace lab::judge::gimple
