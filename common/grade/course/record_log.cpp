#include "grade/course/record_log.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

namespace lab::grade {

record_log::record_log(const std::filesystem::path& file)
    : file_{open(file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600)} {
  if (!file_) throw std::system_error(errno, std::generic_category(), "cannot open " + file.string());
  if (flock(file_.get(), LOCK_EX | LOCK_NB) != 0)
    throw busy_log("another lab grade is running in " + file.parent_path().parent_path().string());
  read(file);
}

void record_log::read(const std::filesystem::path& file) {
  std::ifstream in{file};
  for (std::string line; std::getline(in, line);) {
    const auto document = nlohmann::json::parse(line, nullptr, false);
    if (!document.is_object()) continue;
    auto graded = row_from(document);
    if (graded.verdict != verdict_kind::infra_error) rows_[graded.key] = std::move(graded);
  }
}

void record_log::add(const row& graded) {
  // The first newline ends a line that a killed writer left incomplete.
  const auto line = "\n" + to_json(graded).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t written = ::write(file_.get(), line.data() + done, line.size() - done);
    if (written < 0) throw std::system_error(errno, std::generic_category(), "cannot write the log");
    done += static_cast<std::size_t>(written);
  }
  if (fdatasync(file_.get()) != 0) throw std::system_error(errno, std::generic_category(), "cannot write the log");
  if (graded.verdict != verdict_kind::infra_error) rows_[graded.key] = graded;
}

}  // namespace lab::grade
