#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace lab::cli {

option option::required() { return option{made_->required()}; }
option option::type_name(const std::string& name) { return option{made_->type_name(name)}; }
option option::description(const std::string& text) { return option{made_->description(text)}; }
option option::capture_default_str() { return option{made_->capture_default_str()}; }
option option::delimiter(char between) { return option{made_->delimiter(between)}; }
option option::one_each() { return option{made_->allow_extra_args(false)}; }
option option::excludes(option other) { return option{made_->excludes(other.made_)}; }
option option::needs(option other) { return option{made_->needs(other.made_)}; }

// CLI::PositiveNumber would name the range, up to a number of 309 digits.
option option::positive() {
  const auto test = [](const std::string& text) {
    double value = 0;
    return CLI::detail::lexical_cast(text, value) && value > 0 ? "" : fmt::format("{} is not a positive number", text);
  };
  return option{made_->check(CLI::Validator(test, "POSITIVE"))};
}
option option::not_negative() { return option{made_->check(CLI::NonNegativeNumber)}; }
option option::between(double least, double most) { return option{made_->check(CLI::Range(least, most))}; }
option option::existing_file() { return option{made_->check(CLI::ExistingFile)}; }
option option::one_of(std::vector<std::string> words) { return option{made_->check(CLI::IsMember(std::move(words)))}; }

std::size_t option::count() const { return made_ ? made_->count() : 0; }

command_line command_line::add_subcommand(const std::string& name, const std::string& description) {
  return command_line{made_->add_subcommand(name, description)};
}
command_line command_line::group(const std::string& heading) { return made_->group(heading), *this; }
command_line command_line::footer(const std::string& text) { return made_->footer(text), *this; }
command_line command_line::callback(std::function<void()> run) { return made_->callback(std::move(run)), *this; }
command_line command_line::prefix_command() { return made_->prefix_command(), *this; }
command_line command_line::allow_extras() { return made_->allow_extras(), *this; }

option command_line::add_option(const std::string& name, std::string& value, const std::string& description) {
  return option{made_->add_option(name, value, description)};
}
option command_line::add_option(const std::string& name, std::vector<std::string>& values,
                                const std::string& description) {
  return option{made_->add_option(name, values, description)};
}
option command_line::add_option(const std::string& name, int& value, const std::string& description) {
  return option{made_->add_option(name, value, description)};
}
option command_line::add_option(const std::string& name, unsigned& value, const std::string& description) {
  return option{made_->add_option(name, value, description)};
}
option command_line::add_option(const std::string& name, std::uint64_t& value, const std::string& description) {
  return option{made_->add_option(name, value, description)};
}
option command_line::add_option(const std::string& name, double& value, const std::string& description) {
  return option{made_->add_option(name, value, description)};
}
option command_line::add_flag(const std::string& name, bool& given, const std::string& description) {
  return option{made_->add_flag(name, given, description)};
}
option command_line::get_option(const std::string& name) { return option{made_->get_option(name)}; }
void command_line::remove_option(option unwanted) { made_->remove_option(unwanted.made_); }

std::vector<std::string> command_line::remaining() const { return made_->remaining(); }

std::vector<std::string> command_line::commands() const {
  std::vector<std::string> names;
  for (const auto* command : made_->get_subcommands({}))
    if (!command->get_group().empty()) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> command_line::option_names(const std::string& command) const {
  std::vector<std::string> names;
  for (const auto* found : made_->get_subcommands([&](const CLI::App* one) { return one->get_name() == command; }))
    for (const auto* one : found->get_options()) {
      for (const auto& name : one->get_lnames()) names.push_back("--" + name);
      if (one->get_positional()) names.push_back(one->get_name(true));
    }
  return names;
}

}  // namespace lab::cli
