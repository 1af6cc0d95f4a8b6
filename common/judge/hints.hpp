#pragma once

#include <string>

namespace lab::judge {

/// Which hint of labs/NAME/hints.md answers a diagnosis: the heading "## 2. Title <!-- word, word -->" that lists it,
/// else 1; 0 if the lab has no hints.
int hint_for(const std::string& lab, const std::string& diagnosis);

}  // namespace lab::judge
