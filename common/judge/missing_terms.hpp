#pragma once

#include <optional>

#include "diagnosis/diagnosis.hpp"

namespace lab::judge {

/// Whether a wrong output is right for a part of an input: for its first columns, or for all but its last row. Then a
/// loop over the terms of a sum ends too early or begins too late. Tries only small cases, because every part costs
/// one call of the reference. @param parameter that of the output @param operations of such a call
std::optional<diagnosis> missing_terms(const launcher_spec& launcher, const mismatch& wrong, std::size_t parameter,
                                       const tolerance& allow, double operations);

/// Whether a wrong output is right for the transpose of a square input. @param as above
std::optional<diagnosis> transposed_input(const launcher_spec& launcher, const mismatch& wrong, std::size_t parameter,
                                          const tolerance& allow, double operations);

}  // namespace lab::judge
