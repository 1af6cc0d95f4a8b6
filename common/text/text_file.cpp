#include "text/text_file.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace lab {

namespace {

std::string rest_of(std::ifstream& in) {
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream in{file, std::ios::binary};
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return rest_of(in);
}

std::string read_if_there(const std::filesystem::path& file) {
  std::ifstream in{file, std::ios::binary};
  return rest_of(in);
}

}  // namespace lab
