#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "model/gimple.hpp"

namespace lab::judge::gimple {

enum class kind { free, other, fp32, load, store, copy, barrier, call, branch };

kind kind_of(const statement& one, const function& in);

/// Instructions of a warp.
double cost_of(const statement& one, kind what);

struct parts {
  std::string_view left, right;
};
/// Both sides of an assignment; the left one is empty for another statement.
parts split(std::string_view text);

/// A value that one of several blocks computed.
bool is_choice(std::string_view right);
bool is_barrier(std::string_view right);
/// rsqrtf of the simulator's headers.
bool is_reciprocal_root(const statement& one);
/// "i_2 = i_1 + 8": an unrolled loop adds once for all its copies, whose addresses differ by constants.
bool is_step(std::string_view text);
/// "p_2 = _7 + p_1": an address that goes on by a number that nvcc does not know.
bool is_stride(std::string_view text);

using names = std::set<std::string_view>;
bool names_any(std::string_view expression, const names& values);

/// How many loads or multiply-adds a value waited for, by its name.
using depths = std::map<std::string, int, std::less<>>;
/// The largest depth of the values that an expression names.
int depth_in(const depths& known, std::string_view expression);

}  // namespace lab::judge::gimple
