#pragma once

#include <initializer_list>

#include "sim/labcc/ptx/ptx.hpp"

namespace lab::sim {

/// A name of the namespace of inline PTX.
std::string in_ptx(std::string_view name);

/// Whether the operands are of these kinds.
bool are(const ptx_instruction& one, std::initializer_list<ptx_operand::kind> kinds);

/// Whether the word is a type of a register, such as u32.
bool is_number_type(std::string_view word);

/// The operand, read as this type.
std::string typed(const std::string& name, std::string_view type);

/// Instructions on integers and bits; conversions; on bytes and half-words (the video instructions). Nothing for
/// others.
std::optional<std::string> arithmetic(const ptx_instruction& one);
std::optional<std::string> conversion(const ptx_instruction& one);
std::optional<std::string> video(const ptx_instruction& one);

/// Loads, stores, atomics, addresses, barriers and hints for the caches. Nothing for others.
std::optional<std::string> of_memory(const ptx_instruction& one);
/// Shuffles, votes, matches and reductions. Nothing for others.
std::optional<std::string> of_warp(const ptx_instruction& one);

}  // namespace lab::sim
