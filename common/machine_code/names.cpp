#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <regex>

#include "machine_code/parse.hpp"

namespace lab::judge {

namespace {

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name{abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         &std::free};
  return status == 0 ? name.get() : symbol;
}

// nvcc gives the anonymous namespace of a file a name of its own.
std::string without_anonymous_namespaces(const std::string& name) {
  static const std::regex anonymous{R"((\(anonymous namespace\)|_(GLOBAL__N__|INTERNAL_)\w+)::)"};
  return std::regex_replace(name, anonymous, "");
}

// The place of the parameters' parenthesis: the last one outside of template arguments that opens at depth 0.
std::size_t end_of_name(const std::string& text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>') --depth;
    if (text[i] == '(' && depth == 0) return i;
  }
  return text.size();
}

// A template's symbol has a return type: "void sum_kernel<64>(...)".
std::size_t begin_of_name(const std::string& text) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>') --depth;
    if (text[i] == ' ' && depth == 0) begin = i + 1;
  }
  return begin;
}

}  // namespace

std::string readable_name(const std::string& symbol) {
  auto name = without_anonymous_namespaces(demangled(symbol));
  // A variable of a function: "sum_kernel(float const*)::shared".
  if (const auto parameters = name.rfind(")::"); parameters != std::string::npos) return name.substr(parameters + 3);
  name.resize(end_of_name(name));
  return name.substr(begin_of_name(name));
}

std::string with_readable_names(const std::string& text) {
  static const std::regex symbol{R"(_Z\w+?(_param_\d+)\b|_Z\w+)"};
  std::string all;
  std::size_t copied = 0;
  for (std::sregex_iterator found{text.begin(), text.end(), symbol}, none; found != none; ++found) {
    all += text.substr(copied, static_cast<std::size_t>(found->position()) - copied);
    all += (*found)[1].matched ? (*found)[1].str().substr(1) : readable_name(found->str());
    copied = static_cast<std::size_t>(found->position() + found->length());
  }
  return all + text.substr(copied);
}

std::string plain_name(const std::string& kernel) {
  auto name = kernel.substr(0, kernel.find_first_of("<("));
  if (const auto space = name.rfind("::"); space != std::string::npos) name.erase(0, space + 2);
  return name;
}

}  // namespace lab::judge
