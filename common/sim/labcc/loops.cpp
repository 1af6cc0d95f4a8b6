#include "rewriter.hpp"

namespace lab::sim {

void rewriter::loop(std::size_t) {}

}  // namespace lab::sim
