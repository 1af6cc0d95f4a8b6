#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace lab::cli {

// What the commands use of CLI11. Its headers take 3 s to compile, so only command_line.cpp and main.cpp include them.

/// An option, flag or argument of a command.
class option {
 public:
  option() = default;
  explicit option(CLI::Option* made) : made_{made} {}

  option required();
  option type_name(const std::string& name);  ///< what --help shows for its value
  option description(const std::string& text);
  option capture_default_str();  ///< --help shows the present value as the default
  option delimiter(char between);
  option one_each();  ///< a list: each time that the option is given, it takes one value
  option excludes(option other);
  option needs(option other);

  option positive();
  option not_negative();
  option between(double least, double most);
  option one_of(std::vector<std::string> words);
  option existing_file();

  std::size_t count() const;  ///< how often it was given

 private:
  friend class command_line;
  CLI::Option* made_ = nullptr;
};

/// A command and its options. Copies stand for the same command.
class command_line {
 public:
  explicit command_line(CLI::App* made) : made_{made} {}

  command_line add_subcommand(const std::string& name, const std::string& description);
  command_line group(const std::string& heading);  ///< --help leaves commands of the group "" out
  command_line footer(const std::string& text);
  command_line callback(std::function<void()> run);
  command_line prefix_command();  ///< everything from the first unknown argument on remains
  command_line allow_extras();

  option add_option(const std::string& name, std::string& value, const std::string& description = "");
  option add_option(const std::string& name, std::vector<std::string>& values, const std::string& description = "");
  option add_option(const std::string& name, int& value, const std::string& description = "");
  option add_option(const std::string& name, unsigned& value, const std::string& description = "");
  option add_option(const std::string& name, std::uint64_t& value, const std::string& description = "");
  option add_option(const std::string& name, double& value, const std::string& description = "");
  option add_flag(const std::string& name, bool& given, const std::string& description = "");
  option get_option(const std::string& name);
  void remove_option(option unwanted);

  std::vector<std::string> remaining() const;  ///< the arguments that no option took

  /// The names of the commands that --help shows.
  std::vector<std::string> commands() const;
  /// The names of a command's options, "--json"; for an argument its plain name, "lab". Empty for an unknown command.
  std::vector<std::string> option_names(const std::string& command) const;

 private:
  CLI::App* made_;
};

}  // namespace lab::cli
